"""Sets of elements, against NumPy."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import colocate as cl

DTYPES = ["?", "i1", "i4", "i8", "u1", "u8", "f2", "f4", "f8", "c8", "c16"]


def some(shape, dtype, seed=0):
    """Few different numbers, some of them NaN where there are NaNs."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    x = rng.integers(0, 9, shape).astype(dtype)
    if dtype.kind in "fc":
        x[rng.random(shape) < 0.2] = np.nan
    return x


def assert_same(found, expected):
    found = cl.asnumpy(found)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (1,), (60,), (8, 9), (0,)])
def test_unique_gives_all_that_numpy_gives(device, dtype, shape):
    x = some(shape, dtype) if shape else some((1,), dtype).reshape(())
    y = cl.asarray(x, device=device)
    for equal_nan in (True, False):
        everything = {"return_index": True, "return_inverse": True, "return_counts": True, "equal_nan": equal_nan}
        for ours, theirs in zip(cl.unique(y, **everything), np.unique(x, **everything), strict=True):
            assert_same(ours, theirs)
        assert_same(cl.unique(y, equal_nan=equal_nan), np.unique(x, equal_nan=equal_nan))
        found = cl.unique(y, return_counts=True, equal_nan=equal_nan)
        expected = np.unique(x, return_counts=True, equal_nan=equal_nan)
        assert_same(found[1], expected[1])


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_standards_functions_tell_nans_apart(device, dtype):
    x = some((5, 12), dtype)
    y = cl.asarray(x, device=device)
    for name in ("unique_all", "unique_counts"):
        ours, theirs = getattr(cl, name)(y), getattr(np, name)(x)
        assert ours._fields == theirs._fields
        for one, other in zip(ours, theirs, strict=True):
            assert_same(one, other)
    # Which of several NaNs is which, NumPy leaves open here.
    values, inverse = cl.unique_inverse(y)
    assert_same(values, np.unique_inverse(x).values)
    assert_same(values[inverse], x)
    assert_same(cl.unique_values(y), np.sort(np.unique_values(x)))


def test_many_elements_have_few_values(device):
    x = np.random.default_rng(3).integers(0, 1000, 200_000)
    ours = cl.unique_all(cl.asarray(x, device=device))
    for one, other in zip(ours, np.unique_all(x), strict=True):
        assert_same(one, other)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_unique_subarrays_along_an_axis(device, axis):
    x = np.random.default_rng(4).integers(0, 2, (6, 4, 2))
    y = cl.asarray(x, device=device)
    everything = {"return_index": True, "return_inverse": True, "return_counts": True, "axis": axis}
    for ours, theirs in zip(cl.unique(y, **everything), np.unique(x, **everything), strict=True):
        assert_same(ours, theirs)


@pytest.mark.parametrize("dtypes", [("i4", "i4"), ("i8", "f4"), ("u1", "i2"), ("f8", "c8"), ("?", "?")])
def test_set_operations_agree_with_numpy(device, dtypes):
    a = some(40, dtypes[0])
    b = some((5, 5), dtypes[1], seed=1) * np.asarray(2, dtypes[1])
    x, y = cl.asarray(a, device=device), cl.asarray(b, device=device)
    for name in ("union1d", "intersect1d", "setdiff1d", "setxor1d", "isin"):
        assert_same(getattr(cl, name)(x, y), getattr(np, name)(a, b))
    assert_same(cl.isin(y, x, invert=True), np.isin(b, a, invert=True))
    assert_same(cl.in1d(y, x), np.isin(b.ravel(), a))
    found = cl.intersect1d(x, y, return_indices=True)
    for ours, theirs in zip(found, np.intersect1d(a, b, return_indices=True), strict=True):
        assert_same(ours, theirs)


def test_set_operations_on_unique_arrays(device):
    a, b = np.array([5, 1, 3]), np.array([3, 4, 1])
    x, y = cl.asarray(a, device=device), cl.asarray(b, device=device)
    for name in ("intersect1d", "setdiff1d", "setxor1d"):
        assert_same(getattr(cl, name)(x, y, assume_unique=True), getattr(np, name)(a, b, assume_unique=True))
    found = cl.intersect1d(x, y, assume_unique=True, return_indices=True)
    for ours, theirs in zip(found, np.intersect1d(a, b, assume_unique=True, return_indices=True), strict=True):
        assert_same(ours, theirs)


def test_empty_sets_work(device):
    x, none = cl.asarray([1, 2], device=device), cl.empty(0, dtype="i8", device=device)
    assert cl.union1d(none, x).tolist() == [1, 2]
    assert cl.intersect1d(none, x).tolist() == []
    assert cl.setdiff1d(x, none).tolist() == [1, 2]
    assert cl.setxor1d(none, none).tolist() == []
    assert cl.isin(x, none).tolist() == [False, False]
    assert cl.isin(none, x).tolist() == []


def test_isin_takes_scalars(device):
    x = cl.asarray([1, 2, 3], device=device)
    assert cl.isin(x, 2).tolist() == [False, True, False]
    assert bool(cl.isin(2, x))


def test_host_data_is_refused(device):  # R3.5
    x = cl.asarray([1, 2], device=device)
    with pytest.raises(cl.HostDataError):
        cl.union1d(x, np.array([1]))
    with pytest.raises(cl.HostDataError):
        cl.unique(np.array([1]))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_array_has_the_values_that_numpy_finds(device, data):
    dtype = data.draw(st.sampled_from(DTYPES))
    x = data.draw(hnp.arrays(dtype, hnp.array_shapes(max_dims=2, max_side=8)))
    y = cl.asarray(x, device=device)
    if x.dtype.kind == "c" and np.isnan(x).any():
        return  # NumPy's choice among several kinds of NaN is not specified.
    values, counts = cl.unique(y, return_counts=True)
    expected = np.unique(x, return_counts=True)
    assert_same(values, expected[0])
    assert_same(counts, expected[1])


def test_elements_are_looked_for_in_lists():
    x = np.asarray([1, 2, 3])
    for wanted in ([1, 5], (2.5, 3), []):
        assert cl.isin(cl.asarray(x), wanted).tolist() == np.isin(x, wanted).tolist()


def test_along_the_only_axis_elements_are_compared():
    host = np.asarray([1.0, np.nan, 0.5, np.nan, 1.0])
    for axis in (None, 0, -1):
        ours = cl.unique(cl.asarray(host), return_inverse=True, return_counts=True, axis=axis)
        theirs = np.unique(host, return_inverse=True, return_counts=True, axis=axis)
        for got, expected in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(cl.asnumpy(got), expected)
    with pytest.raises(cl.AxisError):
        cl.unique(cl.asarray(host), axis=1)
