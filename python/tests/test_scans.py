"""Scans against NumPy: dtypes, layouts, axes, lengths, options."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.extra import numpy as npst

import colocate as cl

DTYPES = ("bool", "int8", "int32", "int64", "uint8", "uint64", "float16", "float32", "float64", "complex64")
MANY = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def whole_numbers(shape, dtype, seed=0):
    """Few and small, so that sums are exact."""
    host = np.random.default_rng(seed).integers(0, 2, shape)
    return host.astype(dtype)


def agree(ours, theirs):
    """The same shape, dtype and elements."""
    assert ours.shape == theirs.shape
    assert ours.dtype == theirs.dtype
    np.testing.assert_array_equal(cl.asnumpy(ours), theirs)


@pytest.mark.parametrize("dtype", DTYPES)
def test_sums_and_products_agree_with_numpy(device, dtype):
    host = whole_numbers((6, 9, 5), dtype)
    there = cl.asarray(host, device=device)
    views = [lambda a: a, lambda a: a.T, lambda a: a[::-2, :, 1:], lambda a: a[:, ::-1, ::-1]]
    for view in views:
        for axis in (None, 0, 1, -1):
            agree(cl.cumsum(view(there), axis=axis), view(host).cumsum(axis=axis))
            ones = view(host) * 0 + 1 if dtype != "bool" else ~(view(host) & False)
            agree(cl.cumprod(cl.asarray(ones, device=device), axis=axis), ones.cumprod(axis=axis))


LENGTHS = [1, 2, 511, 512, 513, 4095, 4096, 4097, 5000, 8192, 20_000, 70_001]


@pytest.mark.parametrize("length", LENGTHS)
def test_every_length_is_cut_right(device, length):
    host = np.random.default_rng(length).integers(-9, 9, length)
    there = cl.asarray(host, device=device)
    agree(cl.cumsum(there), host.cumsum())
    agree(cl.cumulative_sum(there, include_initial=True), np.concatenate([[0], host.cumsum()]))
    agree(cl.cumsum(there[::-1]), host[::-1].cumsum())
    two = np.stack([host, -host])
    agree(cl.cumsum(cl.asarray(two, device=device), axis=1), two.cumsum(axis=1))
    agree(cl.cumsum(cl.asarray(two.T.copy(), device=device), axis=0), two.T.cumsum(axis=0))


@pytest.mark.parametrize("shape", [(3000, 40), (40, 3000), (1500, 10), (1500, 2100), (20, 30, 2000), (2000, 30, 20)])
def test_long_axes_beside_others(device, shape):
    host = np.random.default_rng(1).integers(-9, 9, shape).astype("float32")
    there = cl.asarray(host, device=device)
    for axis in range(len(shape)):
        agree(cl.cumulative_sum(there, axis=axis), host.cumsum(axis=axis))


def test_products_wrap_and_keep_their_dtype(device):
    host = np.arange(1, 40, dtype="int32")
    there = cl.asarray(host, device=device)
    agree(cl.cumulative_prod(there), host.cumprod())
    agree(cl.cumulative_prod(there, dtype="int32"), host.cumprod(dtype="int32"))
    agree(cl.cumulative_prod(there, dtype="float64"), host.cumprod(dtype="float64"))
    agree(cl.cumulative_prod(there[:5], include_initial=True), np.array([1, 1, 2, 6, 24, 120]))


def test_nan_is_passed_on_or_left_out(device):
    host = np.array([[1.0, np.nan, 2.0], [3.0, 4.0, np.nan]])
    there = cl.asarray(host, device=device)
    for name in ("cumsum", "cumprod", "nancumsum", "nancumprod"):
        for axis in (None, 0, 1):
            agree(getattr(cl, name)(there, axis=axis), getattr(np, name)(host, axis=axis))


def test_an_initial_value_lies_before_each_row(device):
    host = np.arange(12.0).reshape(3, 4)
    there = cl.asarray(host, device=device)
    for axis in (0, 1):
        ours = cl.cumulative_sum(there, axis=axis, include_initial=True)
        shape = tuple(1 if one == axis else extent for one, extent in enumerate(host.shape))
        agree(ours, np.concatenate([np.zeros(shape), host.cumsum(axis=axis)], axis=axis))


def test_empty_arrays_have_empty_scans(device):
    for shape in [(0,), (0, 3), (3, 0)]:
        there = cl.zeros(shape, device=device)
        agree(cl.cumulative_sum(there, axis=0), np.zeros(shape))
    agree(cl.cumulative_sum(cl.zeros((0, 3), device=device), axis=0, include_initial=True), np.zeros((1, 3)))


def test_results_go_where_they_are_told(device):
    host = np.arange(6.0).reshape(2, 3)
    there = cl.asarray(host, device=device)
    out = cl.zeros((2, 3), device=device)
    assert cl.cumsum(there, axis=1, out=out) is out
    np.testing.assert_array_equal(cl.asnumpy(out), host.cumsum(axis=1))
    cl.cumsum(there, axis=0, out=there)
    np.testing.assert_array_equal(cl.asnumpy(there), host.cumsum(axis=0))
    with pytest.raises(ValueError, match="shape"):
        cl.cumsum(there, out=out)


def test_the_axis_of_several_must_be_named_in_the_standards_functions(device):
    with pytest.raises(ValueError, match="axis"):
        cl.cumulative_sum(cl.ones((2, 2), device=device))
    with pytest.raises(ValueError, match="axis"):
        cl.cumulative_sum(cl.ones(3, device=device), axis=1)
    assert cl.cumulative_prod(cl.asarray(2.0, device=device)).tolist() == [2.0]


def test_long_sums_of_floats_stay_accurate(device):
    host = np.random.default_rng(3).random(1_000_000).astype("float32")
    exact = np.cumsum(host, dtype="float64")
    ours = cl.asnumpy(cl.cumsum(cl.asarray(host, device=device)))
    assert np.max(np.abs(ours - exact) / exact) < 64 * np.finfo("float32").eps


@MANY
@given(data=st.data())
def test_any_scan_is_numpys(device, data):
    shape = data.draw(npst.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=9))
    host = data.draw(npst.arrays("int64", shape, elements=st.integers(-50, 50)))
    steps = tuple(slice(None, None, data.draw(st.sampled_from([1, 2, -1, -3]))) for _ in shape)
    axis = data.draw(st.integers(-host.ndim, host.ndim - 1))
    view = host[steps]
    agree(cl.cumsum(cl.asarray(host, device=device)[steps], axis=axis), view.cumsum(axis=axis))


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_scans_with_a_first_element_go_where_they_are_wanted(name, axis):
    x = whole_numbers((3, 4), "int64") + 1
    shape = list(x.shape)
    shape[axis] += 1
    out = cl.empty(shape, dtype="float64")
    assert getattr(cl, name)(cl.asarray(x), axis=axis, out=out, include_initial=True) is out
    theirs = np.empty(shape)
    agree(out, getattr(np, name)(x, axis=axis, out=theirs, include_initial=True))
    with pytest.raises(ValueError, match="shape"):
        getattr(cl, name)(cl.asarray(x), axis=axis, out=cl.empty(x.shape), include_initial=True)


def test_the_first_element_is_the_first_result(device):
    x = cl.asarray([-0.0, -0.0, 1.0], device=device)
    assert np.signbit(cl.asnumpy(cl.cumsum(x))).tolist() == [True, True, False]
    assert not np.signbit(cl.asnumpy(cl.nancumsum(cl.asarray([np.nan, -0.0], device=device)))).any()
    assert np.signbit(cl.asnumpy(cl.cumsum(x.astype("complex64"))).real).tolist() == [True, True, False]
