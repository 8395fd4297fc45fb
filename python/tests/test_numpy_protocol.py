"""NumPy's functions on our arrays are ours (R3.5)."""

import numpy as np
import pytest

import colocate as cl

X = np.array([[3.0, 1.0, 4.0, 1.0], [5.0, 9.0, 2.0, 6.0], [5.0, 3.0, 5.0, 8.0]])


@pytest.fixture
def x(device):
    return cl.asarray(X, device=device)


def same(found, expected):
    assert isinstance(found, cl.Array), type(found)
    assert found.dtype == np.asarray(expected).dtype
    np.testing.assert_allclose(cl.asnumpy(found), expected, rtol=1e-13)


def test_ufuncs_run_where_the_array_is(x):  # R3.5
    for ufunc in (np.exp, np.sqrt, np.negative, np.isfinite, np.floor, np.arctan, np.conj, np.abs, np.square):
        result = ufunc(x)
        assert result.queue == x.queue
        same(result, ufunc(X))
    for ufunc in (np.add, np.power, np.hypot, np.less, np.maximum, np.arctan2, np.mod):
        same(ufunc(x, x[::-1]), ufunc(X, X[::-1]))
        same(ufunc(x, 2), ufunc(X, 2))
        same(ufunc(np.float32(2), x), ufunc(np.float32(2), X))


def test_ufuncs_with_several_results(x):
    for ufunc, operands in ((np.modf, 1), (np.divmod, 2), (np.frexp, 1)):
        for found, expected in zip(ufunc(*[x / 2] * operands), ufunc(*[X / 2] * operands), strict=True):
            same(found, expected)


def test_ufuncs_take_out_where_and_dtype(x):
    out = cl.zeros(x.shape, device=x.device)
    assert np.exp(x, out=out) is out
    same(out, np.exp(X))
    np.add(x, 1, out=out, where=x > 4)
    same(out, np.where(X > 4, X + 1, np.exp(X)))
    same(np.add(x, x, dtype="float32"), np.add(X, X, dtype="float32"))


def test_numpy_arrays_beside_ours_are_refused(x):  # R3.5
    for call in (
        lambda: np.add(x, X),
        lambda: np.add(X, x),
        lambda: X + x,
        lambda: x + X,
        lambda: np.exp(x, out=np.empty_like(X)),
        lambda: np.exp(X, out=x),
        lambda: np.concatenate([x, X]),
        lambda: np.add.reduce(x, axis=0, out=np.empty(4)),
        lambda: np.add.outer(x, X),
    ):
        with pytest.raises(TypeError):
            call()


def test_the_refusal_names_the_argument(x):  # R3.5
    with pytest.raises(cl.HostDataError, match="x2"):
        np.add(x, X)
    with pytest.raises(cl.HostDataError, match="x1"):
        np.add(X, x)


@pytest.mark.parametrize(
    "ufunc", (np.add, np.multiply, np.maximum, np.minimum, np.hypot, np.logaddexp, np.subtract, np.fmax)
)
@pytest.mark.parametrize("axis", (0, 1, -1))
def test_reduce_and_accumulate_go_along_an_axis(ufunc, axis, x):
    same(ufunc.reduce(x, axis=axis), ufunc.reduce(X, axis=axis))
    same(ufunc.reduce(x, axis, keepdims=True), ufunc.reduce(X, axis, keepdims=True))
    same(ufunc.accumulate(x, axis=axis), ufunc.accumulate(X, axis=axis))


def test_reduce_goes_along_the_first_axis_unless_told(x):
    same(np.add.reduce(x), np.add.reduce(X))
    same(np.add.reduce(x, axis=None), np.asarray(np.add.reduce(X, axis=None)))
    same(np.hypot.reduce(x, axis=None), np.asarray(np.hypot.reduce(X, axis=None)))
    same(np.gcd.reduce(cl.asarray([12, 18, 27], device=x.device)), np.asarray(3))
    same(np.logical_xor.reduce(x > 3), np.logical_xor.reduce(X > 3))


def test_reduce_begins_with_what_it_is_given_and_skips_what_is_masked(x):
    same(np.add.reduce(x, initial=10.0), np.add.reduce(X, initial=10.0))
    same(np.maximum.reduce(x, where=x > 3, initial=0.0), np.maximum.reduce(X, where=X > 3, initial=0.0))
    same(np.add.reduce(x, where=x > 3), np.add.reduce(X, where=X > 3))


def test_reduce_of_nothing_needs_an_identity(x):
    same(np.logaddexp.reduce(x[:0]), np.logaddexp.reduce(X[:0]))
    same(np.add.reduce(x[:0]), np.add.reduce(X[:0]))
    with pytest.raises(ValueError, match="fmax"):
        np.fmax.reduce(x[:0])


def test_outer_combines_all_with_all(x):
    same(np.multiply.outer(x, x[0]), np.multiply.outer(X, X[0]))
    same(np.subtract.outer(x[0], 2.0), np.subtract.outer(X[0], 2.0))


@pytest.mark.parametrize("indices", ([0, 2], [1, 3], [0, 3, 1], [3, 0]))
def test_reduceat_reduces_slices(indices, x):
    for ufunc in (np.add, np.maximum):
        same(ufunc.reduceat(x, indices, axis=1), ufunc.reduceat(X, indices, axis=1))


def test_at_counts_an_index_each_time_it_is_named(x):
    for ufunc in (np.add, np.subtract, np.maximum, np.multiply):
        expected, found = X.copy(), x.copy()
        ufunc.at(expected, [0, 2, 0], 2.5)
        ufunc.at(found, [0, 2, 0], 2.5)
        same(found, expected)
    expected, found = X.copy(), x.copy()
    values = np.array([1.0, 2.0, 4.0])
    np.add.at(expected, ([0, 0, 1], [1, 1, 2]), values)
    np.add.at(found, ([0, 0, 1], [1, 1, 2]), cl.asarray(values, device=x.device))
    same(found, expected)


def test_functions_run_where_the_arrays_are(x):  # R3.5
    y = x + 1
    joined = np.concatenate([x, y])
    assert joined.queue == x.queue
    same(joined, np.concatenate([X, X + 1]))
    same(np.concatenate((x, y), axis=1), np.concatenate((X, X + 1), axis=1))
    same(np.sum(x), np.asarray(X.sum()))
    same(np.sum(a=x, axis=0), X.sum(0))
    same(np.mean(x, axis=1), X.mean(1))
    same(np.where(x > 3, x, 0), np.where(X > 3, X, 0))
    same(np.clip(x, a_min=2, a_max=5), np.clip(X, 2, 5))
    same(np.reshape(x, (4, 3)), X.reshape(4, 3))
    same(np.transpose(x), X.T)
    same(np.stack([x, y]), np.stack([X, X + 1]))
    same(np.zeros_like(x), np.zeros_like(X))
    same(np.sort(x), np.sort(X))
    same(np.round(x / 3, 1), np.round(X / 3, 1))


def test_functions_about_arrays_need_no_elements(x):
    assert np.shape(x) == (3, 4)
    assert np.ndim(x) == 2
    assert np.size(x) == 12
    assert np.size(x, 1) == 4
    assert np.result_type(x, np.float32) == np.float64
    assert np.result_type(x.astype("float32"), 1.0) == np.float32
    assert not np.iscomplexobj(x)
    assert np.can_cast(x.dtype, "complex128")
    assert np.shares_memory(x, x[1])
    assert not np.shares_memory(x, x.copy())
    assert "3." in np.array2string(x)


def test_copyto_fills(x):
    target = cl.zeros(x.shape, device=x.device)
    np.copyto(target, x, where=x > 3)
    same(target, np.where(X > 3, X, 0))
    with pytest.raises(cl.HostDataError):
        np.copyto(X.copy(), x)
    with pytest.raises(TypeError):
        np.copyto(cl.zeros(x.shape, dtype="int8", device=x.device), x)
    np.copyto(cl.zeros(x.shape, dtype="int8", device=x.device), x, casting="unsafe")


def test_what_we_do_not_have_is_named(x):
    with pytest.raises(TypeError, match=r"numpy\.datetime_as_string"):
        np.datetime_as_string(x)
    with pytest.raises(TypeError, match=r"numpy\.isnat"):
        np.isnat(x)
    with pytest.raises(TypeError, match="casting"):
        np.add(x, x, casting="unsafe")


def test_ufuncs_of_others_are_refused(x):
    mine = np.frompyfunc(lambda a: a + 1, 1, 1)
    with pytest.raises(TypeError):
        mine(x)


def test_numpys_assertions_work_on_arrays_that_the_host_reads():
    x = cl.asarray(X, device="native:cpu")
    np.testing.assert_allclose(x, X)
    np.testing.assert_array_equal(x, x)
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(x, X + 1)
