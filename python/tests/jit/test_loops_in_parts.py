"""Loops whose turns change common elements, with so many turns that threads add up in arrays of their own."""

import numpy as np
import pytest

import colocate as cl

MANY = 50_000


def counts(values, bins):
    found = np.zeros(bins, np.int64)
    for i in cl.prange(len(values)):
        found[values[i]] += 1
    return found


@pytest.mark.parametrize("bins", (1, 7, 256, 5_000, 60_000))
@pytest.mark.parametrize("n", (0, 100, MANY, 4 * MANY + 1))
def test_histograms(run_both, n, bins):
    run_both(counts, np.random.default_rng(1).integers(0, bins, n), bins)


def weighted(found, values, weights):
    for i in cl.prange(len(values)):
        found[values[i]] += weights[i]
        found[values[i] - 1] -= 1
    return found


@pytest.mark.parametrize("dtype", ("int32", "int64", "uint32", "uint64", "float32", "float64"))
@pytest.mark.parametrize("step", (1, 3, -1, -2))
def test_dtypes_and_strides(run_both, dtype, step):
    rng = np.random.default_rng(2)
    weights = rng.integers(0, 100, MANY).astype(dtype)
    run_both(weighted, np.arange(20).astype(dtype)[::step], rng.integers(0, 6, MANY), weights)


def planes(values, points):
    sums, sizes = np.zeros((8, 3)), np.zeros(8, np.int64)
    total, most = 0.0, -1.0
    for i in cl.prange(len(values)):
        if values[i] < 0:
            continue
        sizes[values[i]] += 1
        for axis in range(3):
            sums[values[i], axis] += points[i, axis]
        total += points[i, 0]
        most = max(most, points[i, 1])
    return sums, sizes, total, most


def test_several_arrays_with_reductions(run_both):
    rng = np.random.default_rng(3)
    run_both(planes, rng.integers(-2, 8, MANY), rng.random((MANY, 3)))


def bits(values):
    seen, odd = np.zeros(4, np.int64), np.ones(4, np.int64)
    for i in cl.prange(len(values)):
        seen[values[i] % 4] |= values[i]
        odd[values[i] % 4] ^= values[i]
    return seen, odd


def test_bits(run_both):
    run_both(bits, np.random.default_rng(4).integers(0, 1 << 40, MANY))


def looked_at(values):
    found = np.zeros(16, np.int64)
    for i in cl.prange(len(values)):
        found[values[i]] += 1
    for i in cl.prange(len(values)):
        found[values[i] % 4] += len(found)
    return found, found.sum()


def test_one_loop_after_the_other(run_both):
    run_both(looked_at, np.random.default_rng(5).integers(0, 16, MANY))


@pytest.mark.parametrize("where", (0, 17, MANY - 1))
def test_an_index_outside_is_raised(run_both, where):
    values = np.random.default_rng(6).integers(0, 9, MANY)
    values[where] = 9
    run_both.raises(IndexError, counts, values, 9)


def test_no_turn_is_lost_with_many_threads():
    values = np.random.default_rng(7).integers(0, 50, 1_000_000)
    count = cl.jit(counts)
    for _ in range(20):
        np.testing.assert_array_equal(count(values, 50), np.bincount(values, minlength=50))


def looked_at_through_a_view(h, v, out):
    g = h.reshape(2, -1)
    for i in cl.prange(len(v)):
        if i < 10:
            h[v[i]] += 1.0
            out[i] = g[v[i] // 5, v[i] % 5]
    return h, out


def test_arrays_that_are_looked_at_by_another_name(run_both):
    run_both(looked_at_through_a_view, np.zeros(10), np.arange(MANY) % 10, np.zeros(MANY))


@pytest.mark.parametrize("dtype", ("float32", "float64"))
def test_zeros_keep_their_sign(dtype):
    found = np.full(20, -0.0, dtype)
    cl.jit(weighted)(found, np.arange(MANY) % 5 + 1, np.ones(MANY, dtype))
    assert np.signbit(found[6:]).all()
