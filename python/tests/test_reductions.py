"""Reductions against NumPy: dtypes, layouts, axes, options, accuracy, and that they repeat bit for bit."""

import math
import warnings

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.extra import numpy as npst

import colocate as cl

FLOATS = ("float32", "float64")
REAL = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", *FLOATS)
ALL = (*REAL, "complex64", "complex128")
MANY = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


def values(shape, dtype, seed=0):
    """Numbers of a dtype, with ties among them."""
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return rng.random(shape) < 0.6
    if np.dtype(dtype).kind == "c":
        return (rng.integers(-4, 5, shape) + 1j * rng.integers(-4, 5, shape)).astype(dtype)
    low = 0 if np.dtype(dtype).kind == "u" else -9
    return rng.integers(low, 10, shape).astype(dtype)


def layouts(x):
    """The same elements in several layouts: pairs of how a NumPy and one of our arrays gets there."""
    yield "plain", lambda a: a
    yield "transposed", lambda a: a.T
    yield "every second, backwards", lambda a: a[::-2]
    if x.ndim > 1:
        yield "middle columns", lambda a: a[..., 1:-1]
        yield "both backwards", lambda a: a[::-1, ..., ::-1]


def agree(ours, theirs, exactly=True):
    """The same shape, dtype and elements."""
    theirs = np.asarray(theirs)
    assert ours.shape == theirs.shape
    assert ours.dtype == theirs.dtype
    found = cl.asnumpy(ours)
    if exactly:
        np.testing.assert_array_equal(found, theirs)
    else:
        tolerance = {2: 2e-3, 4: 2e-6, 8: 1e-13}[np.empty(0, theirs.dtype).real.itemsize]
        np.testing.assert_allclose(found, theirs, rtol=tolerance, atol=tolerance)


def axes_of(ndim):
    """No axis, each, and some pairs."""
    yield None
    yield from range(-ndim, ndim)
    if ndim > 1:
        yield (0, ndim - 1)
        yield ()


FOLDS = [("sum", dtype) for dtype in ALL] + [("max", dtype) for dtype in ALL]
FOLDS += [(name, dtype) for name in ("prod", "min") for dtype in ("bool", "int32", "float32", "complex64")]
FOLDS += [(name, dtype) for name in ("any", "all") for dtype in ("bool", "uint16", "float64", "complex128")]


@pytest.mark.parametrize(("name", "dtype"), FOLDS)
def test_folds_agree_with_numpy_for_every_dtype_layout_and_axis(device, name, dtype):
    host = values((5, 7, 6), dtype)
    if name == "prod":
        host = (host != 0).astype(dtype) + (host == 3).astype(dtype)
    there = cl.asarray(host, device=device)
    for _, view in layouts(host):
        for axis in axes_of(3):
            for keepdims in (False, True):
                theirs = getattr(np, name)(view(host), axis=axis, keepdims=keepdims)
                agree(getattr(cl, name)(view(there), axis=axis, keepdims=keepdims), theirs)


SEARCHES = [("argmax", dtype) for dtype in ALL] + [("argmin", "int8"), ("argmin", "float64")]


@pytest.mark.parametrize(("name", "dtype"), SEARCHES)
def test_searches_find_the_first_of_equals(device, name, dtype):
    host = values((5, 7, 40), dtype, seed=1)
    there = cl.asarray(host, device=device)
    for _, view in layouts(host):
        for axis in (None, 0, 1, -1):
            for keepdims in (False, True):
                theirs = getattr(np, name)(view(host), axis=axis, keepdims=keepdims)
                agree(getattr(cl, name)(view(there), axis=axis, keepdims=keepdims), np.asarray(theirs, "int64"))


SHAPES = [(10_000,), (3, 5000), (5000, 3), (300, 40), (40, 300), (1, 9000), (9000, 1), (17, 19, 23), (2, 3, 2, 4, 5)]


@pytest.mark.parametrize("shape", SHAPES)
def test_long_and_narrow_shapes_agree_with_numpy(device, shape):
    host = values(shape, "float64", seed=2)
    there = cl.asarray(host, device=device)
    for axis in (None, *range(len(shape)), tuple(range(0, len(shape), 2))):
        agree(cl.sum(there, axis=axis), host.sum(axis=axis))
        agree(cl.max(there, axis=axis), host.max(axis=axis))
        agree(cl.mean(there, axis=axis), host.mean(axis=axis), exactly=False)
        agree(cl.var(there, axis=axis), host.var(axis=axis), exactly=False)
        if not isinstance(axis, tuple):
            agree(cl.argmin(there, axis=axis), host.argmin(axis=axis))
    strided = there[..., ::2]
    agree(cl.sum(strided), host[..., ::2].sum())
    agree(cl.argmax(strided), host[..., ::2].argmax())


@pytest.mark.parametrize("dtype", ALL)
def test_larger_arrays_of_every_dtype_are_reduced_in_every_way(device, dtype):
    host = values((90, 130), dtype, seed=12)
    there = cl.asarray(host, device=device)
    for view in (lambda a: a, lambda a: a[:, ::2]):
        for axis in (None, 0, 1):
            agree(cl.sum(view(there), axis=axis), view(host).sum(axis=axis))
            agree(cl.argmax(view(there), axis=axis), np.asarray(view(host).argmax(axis=axis), "int64"))


@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "complex128"])
def test_megabytes_are_reduced_along_their_first_axis(device, dtype):
    width = 5_000_000 // 301 // np.dtype(dtype).itemsize
    host = values((301, width), dtype, seed=13)
    there = cl.asarray(host, device=device)
    for view in (lambda a: a, lambda a: a[3:], lambda a: a[:, 5:]):
        agree(cl.sum(view(there), axis=0), view(host).sum(axis=0), exactly=False)
        agree(cl.max(view(there), axis=0), view(host).max(axis=0))
        agree(cl.argmin(view(there), axis=0), view(host).argmin(axis=0))
        agree(cl.std(view(there), axis=0), view(host).std(axis=0), exactly=False)


@pytest.mark.parametrize("dtype", ALL)
def test_means_and_deviations_have_numpys_dtypes(device, dtype):
    host = values((6, 50), dtype, seed=3)
    there = cl.asarray(host, device=device)
    for axis in (None, 0, 1):
        agree(cl.mean(there, axis=axis), host.mean(axis=axis), exactly=False)
        agree(cl.var(there, axis=axis), host.var(axis=axis), exactly=False)
        agree(cl.std(there, axis=axis, correction=1), host.std(axis=axis, ddof=1), exactly=False)
        agree(
            cl.std(there, axis=axis, ddof=1, keepdims=True), host.std(axis=axis, ddof=1, keepdims=True), exactly=False
        )


@pytest.mark.parametrize("dtype", ALL)
def test_nonzero_elements_are_counted(device, dtype):
    host = values((30, 41), dtype, seed=4)
    there = cl.asarray(host, device=device)
    for axis in (None, 0, 1, (0, 1)):
        agree(cl.count_nonzero(there, axis=axis), np.asarray(np.count_nonzero(host, axis=axis), "int64"))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "float32", "float64", "complex128", "bool"])
def test_a_dtype_can_be_asked_for(device, dtype):
    host = values((4, 30), "int16", seed=5)
    there = cl.asarray(host, device=device)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        agree(cl.sum(there, axis=1, dtype=dtype), host.sum(axis=1, dtype=dtype))
        agree(cl.prod(there[:, :3], axis=1, dtype=dtype), host[:, :3].prod(axis=1, dtype=dtype))
    if np.dtype(dtype).kind in "fc":
        agree(cl.mean(there, dtype=dtype), host.mean(dtype=dtype), exactly=False)


def test_small_integers_wrap_as_64_bit_integers_do(device):
    host = np.full(5000, 2**62, np.int64)
    agree(cl.sum(cl.asarray(host, device=device)), host.sum())
    for dtype in ("int8", "uint8", "int16", "uint16"):
        host = np.full(100_000, np.iinfo(dtype).max, dtype)
        agree(cl.sum(cl.asarray(host, device=device)), host.sum())
        host = np.full(100_000, np.iinfo(dtype).min, dtype)
        agree(cl.sum(cl.asarray(host, device=device)), host.sum())


SPECIAL = [
    [1.0, np.nan, 3.0, np.nan],
    [np.nan, np.nan, np.nan],
    [-np.inf, -np.inf],
    [np.inf, np.nan, -np.inf],
    [-0.0, 0.0],
    [np.nan] * 40 + [1.0] + [np.nan] * 300 + [2.0, -1.0],
]


@pytest.mark.filterwarnings("ignore:.*NaN.*:RuntimeWarning", "ignore:.*(empty|Degrees|invalid).*:RuntimeWarning")
@pytest.mark.parametrize("dtype", ["float16", *FLOATS, "complex128"])
@pytest.mark.parametrize("special", SPECIAL)
def test_nan_and_infinities_are_treated_as_numpy_does(device, special, dtype):
    host = np.array(special, dtype)
    there = cl.asarray(host, device=device)
    for name in ("max", "min", "argmax", "argmin", "any", "all", "nanmax", "nanmin", "nansum", "nanprod"):
        theirs = np.asarray(getattr(np, name)(host))
        agree(getattr(cl, name)(there), theirs.astype("int64") if name.startswith("arg") else theirs)
    if dtype != "complex128" and np.isfinite(host[~np.isnan(host)]).all():
        for name in ("nanmean", "nanvar", "nanstd"):
            agree(getattr(cl, name)(there), getattr(np, name)(host), exactly=False)
    if not np.isnan(host).all():
        for name in ("nanargmax", "nanargmin"):
            agree(getattr(cl, name)(there), np.asarray(getattr(np, name)(host), "int64"))
    else:
        with pytest.raises(ValueError, match="NaN"):
            cl.nanargmax(there)


def test_nan_in_rows_and_columns(device):
    rng = np.random.default_rng(6)
    host = rng.normal(size=(60, 70))
    host[rng.random(host.shape) < 0.3] = np.nan
    there = cl.asarray(host, device=device)
    for axis in (None, 0, 1):
        for name in ("nansum", "nanmean", "nanvar", "nanstd", "nanmax", "nanmin"):
            agree(getattr(cl, name)(there, axis=axis), getattr(np, name)(host, axis=axis), exactly=False)
        for name in ("nanargmax", "nanargmin", "argmax", "argmin"):
            agree(getattr(cl, name)(there, axis=axis), np.asarray(getattr(np, name)(host, axis=axis), "int64"))


def test_where_initial_and_out_are_numpys(device):
    host = values((30, 40), "float64", seed=7)
    mask = values((30, 40), "bool", seed=8)
    there, chosen = cl.asarray(host, device=device), cl.asarray(mask, device=device)
    for axis in (None, 0, 1):
        for name in ("sum", "prod"):
            ours = getattr(cl, name)(there, axis=axis, where=chosen, initial=3)
            agree(ours, getattr(np, name)(host, axis=axis, where=mask, initial=3), exactly=False)
        for name in ("max", "min"):
            ours = getattr(cl, name)(there, axis=axis, where=chosen, initial=2)
            agree(ours, getattr(np, name)(host, axis=axis, where=mask, initial=2))
        for name in ("mean", "var", "std"):
            ours = getattr(cl, name)(there, axis=axis, where=chosen)
            agree(ours, getattr(np, name)(host, axis=axis, where=mask), exactly=False)
        agree(cl.any(there, axis=axis, where=chosen), np.any(host, axis=axis, where=mask))
    row = cl.asarray(mask[0], device=device)
    agree(cl.sum(there, where=row), host.sum(where=mask[0]))
    out = cl.zeros(40, dtype="float32", device=device)
    with pytest.raises(ValueError, match="shape"):
        cl.sum(there, axis=1, out=out)
    assert cl.max(there, axis=0, out=out) is out
    np.testing.assert_array_equal(cl.asnumpy(out), host.max(axis=0))
    for name in ("sum", "mean", "max", "cumsum"):
        shape = (30, 40) if name == "cumsum" else (40,)
        narrow = np.zeros(shape, dtype="int32")
        getattr(np, name)(host * 3, axis=0, out=narrow)
        filled = cl.zeros(shape, dtype="int32", device=device)
        assert getattr(cl, name)(there * 3, axis=0, out=filled) is filled
        np.testing.assert_array_equal(cl.asnumpy(filled), narrow)
    with pytest.raises(TypeError):
        cl.sum(cl.astype(there, "complex64"), axis=0, out=out)
    with pytest.raises(ValueError, match="initial"):
        cl.max(there, where=chosen)


@pytest.mark.parametrize("dtype", ["int32", "float32", "complex64", "bool"])
def test_no_elements_sum_to_zero_and_have_no_largest(device, dtype):
    host = np.zeros((0, 3), dtype)
    there = cl.asarray(host, device=device)
    for axis in (None, 0, (0, 1)):
        for name in ("sum", "prod", "any", "all"):
            agree(getattr(cl, name)(there, axis=axis), getattr(np, name)(host, axis=axis))
        for name in ("max", "min"):
            with pytest.raises(ValueError, match="initial"):
                getattr(cl, name)(there, axis=axis)
    for name in ("argmax", "argmin"):
        with pytest.raises(ValueError):
            getattr(cl, name)(there)
        agree(getattr(cl, name)(there, axis=1), np.zeros(0, "int64"))
    agree(cl.max(there, axis=1), host.max(axis=1))
    agree(cl.max(there, initial=1), host.max(initial=1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        agree(cl.mean(there, axis=0), host.mean(axis=0))
        agree(cl.var(there, axis=0), host.var(axis=0))


def test_arrays_without_axes_reduce_to_themselves(device):
    host = np.float32(3)
    there = cl.asarray(host, device=device)
    for name in ("sum", "prod", "max", "min", "mean", "var"):
        agree(getattr(cl, name)(there), getattr(host, name)())
    assert int(cl.argmax(there)) == 0
    agree(cl.sum(there, axis=()), host)


def test_axes_that_are_not_there_are_refused(device):
    x = cl.ones((2, 3), device=device)
    for axis in (2, -3, (0, 5)):
        with pytest.raises(ValueError, match="axis"):
            cl.sum(x, axis=axis)
    with pytest.raises(ValueError, match="twice"):
        cl.sum(x, axis=(0, -2))
    with pytest.raises(TypeError):
        cl.sum(x, axis="0")
    with pytest.raises(TypeError):
        cl.argmax(x, axis=(0, 1))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_sums_of_floats_are_as_accurate_as_pairwise_ones(device, dtype, axis):
    rng = np.random.default_rng(9)
    host = rng.random((1000, 1000)).astype(dtype)
    ours = cl.asnumpy(cl.sum(cl.asarray(host, device=device), axis=axis)).astype(np.float64)
    if axis is None:
        exact = math.fsum(host.ravel().tolist())
    else:
        exact = np.array([math.fsum(row.tolist()) for row in np.moveaxis(host, axis, -1)])
    error = np.max(np.abs(ours - exact) / exact)
    assert error <= 8 * np.finfo(dtype).eps


def test_a_large_offset_does_not_spoil_a_variance(device):
    rng = np.random.default_rng(10)
    host = rng.normal(size=100_000) + 1e6
    np.testing.assert_allclose(float(cl.var(cl.asarray(host, device=device))), host.var(), rtol=1e-9)


def test_the_same_array_gives_the_same_bits_every_time(device):
    host = np.random.default_rng(11).normal(size=(700, 1000)).astype("float32")
    there = cl.asarray(host, device=device)
    for axis in (None, 0, 1):
        first = cl.asnumpy(cl.sum(there, axis=axis)).tobytes()
        for _ in range(5):
            assert cl.asnumpy(cl.sum(there, axis=axis)).tobytes() == first


def test_results_do_not_depend_on_the_number_of_threads(run_python):
    code = """
        import colocate as cl, numpy as np
        x = np.random.default_rng(1).normal(size=(300, 4000)).astype("float32")
        device = cl.Device("native:cpu")
        if {parts} and device.info()["max_compute_units"] > 1:
            device = device.create_sub_devices(partition=1)[0]
        x = cl.asarray(x, device=device)
        print([cl.asnumpy(cl.sum(x, axis=axis)).tobytes().hex() for axis in (None, 0, 1)])
    """
    assert run_python(code.format(parts=0)) == run_python(code.format(parts=1))


def test_results_live_where_the_array_lives(device):
    for usm_type in ("device", "shared", "host"):
        x = cl.ones((3, 4), device=device, usm_type=usm_type)
        for name in ("sum", "argmax", "mean", "std", "any"):
            result = getattr(cl, name)(x, axis=0)
            assert (result.queue, result.usm_type) == (x.queue, usm_type)  # R3.3


def test_host_data_is_refused():
    with pytest.raises(TypeError):  # R3.6
        cl.sum(np.ones(3))
    with pytest.raises(TypeError):  # R3.5
        cl.sum(cl.ones(3), where=np.ones(3, bool))


@MANY
@given(data=st.data())
def test_any_array_sums_as_in_numpy(device, data):
    shape = data.draw(npst.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=9))
    dtype = data.draw(st.sampled_from(["int32", "float64", "uint8"]))
    host = data.draw(npst.arrays(dtype, shape, elements=st.integers(0, 50)))
    order = data.draw(st.permutations(range(host.ndim)))
    steps = tuple(slice(None, None, data.draw(st.sampled_from([1, 2, -1, -3]))) for _ in shape)
    axis = data.draw(st.none() | npst.valid_tuple_axes(host.ndim))
    there = cl.asarray(host, device=device)
    view, ours = host.transpose(order)[steps], cl.permute_dims(there, order)[steps]
    agree(cl.sum(ours, axis=axis), view.sum(axis=axis))
    agree(cl.count_nonzero(ours, axis=axis), np.asarray(np.count_nonzero(view, axis=axis), "int64"))
    if view.size:
        agree(cl.min(ours, axis=axis), view.min(axis=axis))
        agree(cl.argmax(ours), np.asarray(view.argmax(), "int64"))


def test_out_may_have_room_for_more_than_the_elements():
    x = np.array([2**40, 2**40])
    for name, shape in (("prod", ()), ("cumulative_prod", (2,))):
        out = cl.zeros(shape)
        getattr(cl, name)(cl.asarray(x), out=out)
        expected = np.prod(x, out=np.zeros(())) if name == "prod" else np.cumprod(x, out=np.zeros(2))
        assert out.tolist() == expected.tolist()
    out = cl.zeros((), dtype="float32")
    assert float(cl.prod(cl.asarray([2**31] * 3), out=out)) == 2.0**93
    out = cl.zeros((), dtype="int64")
    assert int(cl.ptp(cl.asarray([-20000, 20000], dtype="int16"), out=out)) == 40000


def test_the_first_axis_of_a_number_may_be_named():
    x = cl.asarray(3.0)
    assert float(cl.sum(x, axis=0)) == float(cl.max(x, axis=-1)) == 3.0
    with pytest.raises(IndexError):
        cl.sum(x, axis=1)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8", "bool"])
def test_means_of_whole_dtypes_lose_their_fractions(dtype):
    x = np.asarray([[1.0, 2.0, 4.0], [7.0, 8.0, 9.0]])
    for axis in (None, 0, 1):
        ours, theirs = cl.mean(cl.asarray(x), axis=axis, dtype=dtype), np.mean(x, axis=axis, dtype=dtype)
        assert ours.dtype == theirs.dtype and ours.tolist() == theirs.tolist()
    whole = cl.nanmean(cl.asarray(x.astype("int32")), dtype=dtype)
    assert whole.tolist() == np.nanmean(x.astype("int32"), dtype=dtype)
    with pytest.raises(TypeError):
        cl.nanmean(cl.asarray(x), dtype=dtype)


@pytest.mark.parametrize("name", ["sum", "max", "mean", "std", "any", "argmax", "count_nonzero"])
@pytest.mark.parametrize("keepdims", [1, 0, np.True_, np.bool_(False)])
def test_axes_are_kept_for_whatever_is_true(name, keepdims):
    x = np.asarray([[1, 2, 4], [7, 8, 9]])
    assert getattr(cl, name)(cl.asarray(x), axis=1, keepdims=keepdims).shape == (2, 1) if keepdims else (2,)


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min"])
def test_complex_numbers_are_no_beginning_of_real_results(name):
    for module in (cl, np):
        with pytest.raises(TypeError):
            getattr(module, name)(module.asarray([1.0, 2.0]), initial=1j)


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "nansum", "nanmax"])
@pytest.mark.parametrize(("initial", "error"), [(np.inf, OverflowError), (np.nan, ValueError), (1e30, OverflowError)])
def test_what_integers_do_not_hold_begins_none(name, initial, error):
    for module in (cl, np):
        with pytest.raises(error):
            getattr(module, name)(module.asarray([1, 2], dtype="int8"), initial=initial)
    assert getattr(cl, name)(cl.asarray([1, 2]), initial=2.5).tolist() == getattr(np, name)([1, 2], initial=2.5)
