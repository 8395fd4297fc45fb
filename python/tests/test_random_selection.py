"""Choosing, reordering, and distributions of vectors."""

import math

import numpy as np
import pytest

import colocate as cl


@pytest.fixture
def rng(device):
    """A generator on each device."""
    return cl.random.default_rng(20261115, device=device)


def test_a_choice_with_replacement_is_uniform(rng):
    x = cl.asnumpy(rng.choice(6, size=(100, 300)))
    assert x.shape == (100, 300)
    assert np.max(np.abs(np.bincount(x.ravel()) - 5000)) < 4.5 * math.sqrt(5000)
    assert rng.choice(6).shape == ()


def test_a_choice_with_probabilities_follows_them(rng):
    p = np.asarray([0.1, 0.0, 0.6, 0.3])
    for given in (p.tolist(), cl.asarray(p, device=rng.device)):
        counts = np.bincount(cl.asnumpy(rng.choice(4, size=20_000, p=given)), minlength=4)
        assert counts[1] == 0
        assert np.max(np.abs(counts - 20_000 * p)) < 4.5 * math.sqrt(5000)


def test_a_choice_without_replacement_has_no_element_twice(rng):
    for count, size in ((10, 10), (1000, 30), (10**12, 5000), (2**17, 2**17)):
        x = cl.asnumpy(rng.choice(count, size=size, replace=False))
        assert len(np.unique(x)) == size and x.min() >= 0 and x.max() < count
    with pytest.raises(ValueError, match="without replacement"):
        rng.choice(3, size=4, replace=False)


def test_few_out_of_many_are_spread_evenly(rng):
    x = cl.asnumpy(rng.choice(10**9, size=20_000, replace=False))
    counts = np.bincount(x * 10 // 10**9, minlength=10)
    assert np.max(np.abs(counts - 2000)) < 4.5 * math.sqrt(2000)
    assert abs(np.corrcoef(x[:-1], x[1:])[0, 1]) < 4.5 / math.sqrt(20_000)


def test_without_replacement_the_more_probable_come_first_more_often(rng):
    p = [0.05, 0.15, 0.8]
    first = [int(rng.choice(3, size=2, replace=False, p=p)[0]) for _ in range(200)]
    assert np.max(np.abs(np.bincount(first, minlength=3) - 200 * np.asarray(p))) < 4.5 * math.sqrt(40)
    with pytest.raises(ValueError, match="only 1 have a probability above 0"):
        rng.choice(2, size=2, replace=False, p=[0.0, 1.0])


def test_elements_of_arrays_are_chosen_along_an_axis(rng):
    a = cl.asarray(np.arange(12).reshape(3, 4), device=rng.device)
    x = rng.choice(a, size=5, axis=1)
    assert x.shape == (3, 5) and np.all(np.diff(cl.asnumpy(x), axis=0) == 4)
    y = rng.choice(a, size=(2, 2), axis=0)
    assert y.shape == (2, 2, 4) and np.all(cl.asnumpy(y) % 4 == np.arange(4))
    assert rng.choice(a).shape == (4,)


@pytest.mark.parametrize(
    "arguments, text",
    [
        ({"a": 0, "size": 1}, "a is empty"),
        ({"a": -1}, "no -1 numbers"),
        ({"a": 3, "p": [0.5, 0.5]}, "p has shape"),
        ({"a": 2, "p": [0.5, 0.6]}, "must sum to 1"),
        ({"a": 2, "p": [1.5, -0.5]}, "at least 0"),
    ],
)
def test_bad_choices_are_told(rng, arguments, text):
    with pytest.raises(ValueError, match=text):
        rng.choice(**arguments)


def test_permutations_are_uniform(rng):
    rows = cl.asarray(np.tile(np.arange(3), (12_000, 1)), device=rng.device)
    orders, counts = np.unique(cl.asnumpy(rng.permuted(rows, axis=1)), axis=0, return_counts=True)
    assert len(orders) == 6
    assert np.max(np.abs(counts - 2000)) < 4.5 * math.sqrt(2000)
    assert len({tuple(rng.permutation(3).tolist()) for _ in range(60)}) == 6


def test_permutation_shuffle_and_permuted_keep_what_belongs_together(rng):
    a = cl.asarray(np.arange(60).reshape(20, 3), device=rng.device)
    x = cl.asnumpy(rng.permutation(a))
    assert np.all(np.diff(x, axis=1) == 1) and sorted(x[:, 0]) == list(range(0, 60, 3))
    assert x[:, 0].tolist() != list(range(0, 60, 3))
    y = cl.asnumpy(rng.permutation(a, axis=1))
    assert np.all(np.sort(y, axis=1) == cl.asnumpy(a)) and len(np.unique(np.diff(y, axis=0))) == 1
    b = a.copy()
    rng.shuffle(b)
    assert np.all(np.diff(cl.asnumpy(b), axis=1) == 1) and not np.array_equal(cl.asnumpy(b), cl.asnumpy(a))
    z = cl.asnumpy(rng.permuted(a, axis=0))
    assert np.all(np.sort(z, axis=0) == cl.asnumpy(a)) and len(np.unique(np.diff(z, axis=1))) > 1
    w = rng.permuted(a)
    assert w.shape == a.shape and sorted(cl.asnumpy(w).ravel()) == list(range(60))
    assert rng.permuted(a, axis=0, out=b) is b
    with pytest.raises(ValueError, match="axis 2 is out of bounds"):
        rng.permutation(a, axis=2)
    with pytest.raises(TypeError, match="not an array of colocate"):
        rng.shuffle([1, 2, 3])


def test_multivariate_normal_vectors_have_the_covariance(rng):
    mean, cov = np.asarray([1.0, -2.0, 3.0]), np.asarray([[2.0, 0.5, 0.0], [0.5, 1.0, -0.3], [0.0, -0.3, 0.5]])
    for method in ("svd", "eigh", "cholesky"):
        x = cl.asnumpy(rng.multivariate_normal(mean.tolist(), cov.tolist(), size=(200, 100), method=method))
        assert x.shape == (200, 100, 3)
        x = x.reshape(-1, 3)
        assert np.max(np.abs(x.mean(axis=0) - mean)) < 0.05
        assert np.max(np.abs(np.cov(x.T) - cov)) < 0.1
    arrays = [cl.asarray(x, device=rng.device) for x in (mean, cov)]
    assert rng.multivariate_normal(*arrays).shape == (3,)
    with pytest.raises(ValueError, match="positive-semidefinite"):
        rng.multivariate_normal([0, 0], [[1, 2], [2, 1]], check_valid="raise")
    with pytest.warns(RuntimeWarning, match="positive-semidefinite"):
        rng.multivariate_normal([0, 0], [[1, 2], [2, 1]])


def test_dirichlet_vectors_sum_to_one(rng):
    alpha = np.asarray([0.5, 2.0, 7.5])
    x = cl.asnumpy(rng.dirichlet(alpha.tolist(), size=20_000))
    assert np.max(np.abs(x.sum(axis=1) - 1)) < 1e-14
    assert np.max(np.abs(x.mean(axis=0) - alpha / 10)) < 0.01
    tiny = cl.asnumpy(rng.dirichlet([1e-3, 1e-3], size=(10, 10)))
    assert tiny.shape == (10, 10, 2) and np.all(np.isfinite(tiny))
    assert rng.dirichlet(cl.asarray(alpha, device=rng.device)).shape == (3,)
    assert rng.dirichlet([0, 2, 0]).tolist() == [0, 1, 0]


def test_multinomial_counts_add_up(rng):
    p = np.asarray([0.2, 0.0, 0.3, 0.5])
    x = cl.asnumpy(rng.multinomial(100, p.tolist(), size=5000))
    assert np.all(x.sum(axis=1) == 100) and np.all(x >= 0) and np.all(x[:, 1] == 0)
    assert np.max(np.abs(x.mean(axis=0) - 100 * p)) < 4.5 * 5 / math.sqrt(5000)
    assert abs(np.cov(x[:, 0], x[:, 3])[0, 1] + 100 * 0.2 * 0.5) < 1.5
    n = cl.asarray([[3], [50]], device=rng.device)
    y = cl.asnumpy(rng.multinomial(n, [[0.5, 0.5], [1.0, 0.0]]))
    assert y.shape == (2, 2, 2) and np.all(y.sum(axis=-1) == [[3, 3], [50, 50]]) and np.all(y[:, 1, 1] == 0)
    assert rng.multinomial(0, [1.0]).tolist() == [0]


def test_all_devices_choose_the_same(device):
    def draw(where):
        rng = cl.random.default_rng(8, device=where)
        a = cl.asarray(np.arange(40.0).reshape(10, 4), device=where)
        return [
            rng.choice(100, size=50),
            rng.choice(4, size=50, p=[0.1, 0.2, 0.3, 0.4]),
            rng.choice(10**10, size=50, replace=False),
            rng.choice(10, size=5, replace=False, p=[0.1] * 10),
            rng.permutation(a),
            rng.permuted(a, axis=1),
            rng.multivariate_normal([0, 1], [[2, 1], [1, 3]], size=20),
            rng.dirichlet([0.5, 1, 2], size=20),
            rng.multinomial(50, [0.2, 0.3, 0.5], size=20),
        ]

    for here, there in zip(draw(device), draw("native:cpu"), strict=True):
        assert cl.asnumpy(here).tobytes() == cl.asnumpy(there).tobytes()
