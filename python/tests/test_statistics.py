"""Quantiles, averages, covariances and differences against NumPy."""

import warnings

import numpy as np
import pytest

import colocate as cl

METHODS = [
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
    "linear",
    "median_unbiased",
    "normal_unbiased",
    "lower",
    "higher",
    "midpoint",
    "nearest",
]
SHARES = [0.0, 0.1, 0.25, 0.5, 0.7, 0.95, 1.0]


def near(ours, theirs, dtype=True):
    """The same shape and dtype, and elements that differ by rounding only."""
    theirs = np.asarray(theirs)
    assert ours.shape == theirs.shape
    if dtype:
        assert ours.dtype == theirs.dtype
    tolerance = 1e-12 if theirs.dtype.itemsize >= 8 else 1e-5
    np.testing.assert_allclose(cl.asnumpy(ours), theirs, rtol=tolerance, atol=tolerance)


def normal(shape, seed=0, dtype="float64"):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_of_quantiles_is_numpys(device, method):
    for length in (1, 2, 5, 10, 11):
        host = normal(length, seed=length)
        there = cl.asarray(host, device=device)
        near(cl.quantile(there, SHARES, method=method), np.quantile(host, SHARES, method=method))
    whole = np.array([3, 1, 4, 1, 5, 9, 2, 6], "int32")
    near(cl.quantile(cl.asarray(whole, device=device), 0.3, method=method), np.quantile(whole, 0.3, method=method))


@pytest.mark.filterwarnings("ignore:All-NaN:RuntimeWarning")
@pytest.mark.parametrize("method", METHODS)
def test_quantiles_without_nan(device, method):
    host = normal((9, 12), seed=3)
    host[np.random.default_rng(4).random(host.shape) < 0.3] = np.nan
    host[2] = np.nan
    there = cl.asarray(host, device=device)
    for axis in (None, 0, 1):
        near(
            cl.nanquantile(there, [0.2, 0.5], axis=axis, method=method),
            np.nanquantile(host, [0.2, 0.5], axis=axis, method=method),
        )


def test_axes_shapes_and_options_of_quantiles(device):
    host = normal((4, 5, 6))
    there = cl.asarray(host, device=device)
    for axis in (None, 0, -1, (0, 2), (1, 0)):
        for keepdims in (False, True):
            for q in (30, [10, 90], [[5, 6], [7, 8]]):
                near(
                    cl.percentile(there, q, axis=axis, keepdims=keepdims),
                    np.percentile(host, q, axis, keepdims=keepdims),
                )
            near(cl.median(there, axis=axis, keepdims=keepdims), np.median(host, axis, keepdims=keepdims))
            near(cl.nanmedian(there, axis=axis, keepdims=keepdims), np.nanmedian(host, axis, keepdims=keepdims))
    out = cl.zeros((5, 6), device=device)
    assert cl.median(there, axis=0, out=out) is out
    near(out, np.median(host, axis=0))
    for bad in (-1, 101, [5, np.nan]):
        with pytest.raises(ValueError, match="between"):
            cl.percentile(there, bad)
    with pytest.raises(ValueError, match="method"):
        cl.quantile(there, 0.5, method="guess")


def test_a_nan_makes_a_median_nan(device):
    host = np.array([[1.0, np.nan, 3.0, 4.0], [4.0, 2.0, 1.0, 3.0]])
    there = cl.asarray(host, device=device)
    near(cl.median(there, axis=1), np.median(host, axis=1))
    near(cl.quantile(there, [0.1, 0.9], axis=1), np.quantile(host, [0.1, 0.9], axis=1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        near(cl.median(there[:, :0], axis=1), np.median(host[:, :0], axis=1))


@pytest.mark.parametrize("dtype", ["int8", "int64", "float16", "float32", "float64"])
@pytest.mark.parametrize("method", ["linear", "hazen", "midpoint", "lower", "inverted_cdf"])
def test_quantiles_of_a_dtype_have_part_in_that_of_the_result(device, dtype, method):
    host = np.arange(10, dtype=dtype)
    there = cl.asarray(host, device=device)
    shares = [0.5, 1, [0.25, 0.5], np.float64(0.3), np.float32(0.3)]
    shares += [np.array([0.3, 0.9], kind) for kind in ("float16", "float32", "float64")]
    for share in [*shares, np.array([0, 1])]:
        ours = cl.asarray(share, device=device) if isinstance(share, np.ndarray) else share
        for name in ("quantile", "nanquantile"):
            got, wanted = (getattr(xp, name) for xp in (cl, np))
            got, wanted = got(there, ours, method=method), wanted(host, share, method=method)
            assert got.dtype == wanted.dtype, (share, name)
            np.testing.assert_allclose(cl.asnumpy(got), wanted, rtol=4e-3)
    for percents in (25, 25.0, [25, 50], np.array([25, 50], "float32"), np.array([25, 50])):
        ours = cl.asarray(percents, device=device) if isinstance(percents, np.ndarray) else percents
        near(cl.percentile(there, ours, method=method), np.percentile(host, percents, method=method))


def test_quantiles_have_at_most_two_dimensions(device):
    with pytest.raises(ValueError, match="dimensions"):
        cl.percentile(cl.ones(3, device=device), [[[50.0]]])


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_medians_of_complex_numbers_are_numpys(device, dtype):
    host = (normal((4, 5)) + 1j * normal((4, 5), seed=1)).astype(dtype)
    host[1, 2] = complex(np.nan, 4)
    there = cl.asarray(host, device=device)
    for axis in (None, 0, 1):
        near(cl.median(there, axis=axis), np.median(host, axis=axis))
        near(cl.nanmedian(there, axis=axis), np.nanmedian(host, axis=axis))


@pytest.mark.parametrize("dtype", ["bool", "int32", "uint8", "float16", "float32", "float64"])
def test_medians_have_numpys_dtypes(device, dtype):
    host = (np.arange(24).reshape(4, 6) * 7 % 11).astype(dtype)
    near(cl.median(cl.asarray(host, device=device), axis=0), np.median(host, axis=0))


def test_weighted_quantiles(device):
    host, weights = normal(20), np.arange(20.0)
    there, heavy = cl.asarray(host, device=device), cl.asarray(weights, device=device)
    ours = cl.quantile(there, [0, 0.2, 0.5, 1.0], weights=heavy, method="inverted_cdf")
    near(ours, np.quantile(host, [0, 0.2, 0.5, 1.0], weights=weights, method="inverted_cdf"))
    with pytest.raises(ValueError, match="inverted_cdf"):
        cl.quantile(there, 0.5, weights=heavy)


def test_averages_are_weighted(device):
    host, weights = normal((4, 5)), np.abs(normal((4, 5), seed=1))
    there, heavy = cl.asarray(host, device=device), cl.asarray(weights, device=device)
    for axis in (None, 0, 1, (0, 1)):
        near(cl.average(there, axis=axis), np.average(host, axis=axis))
        near(cl.average(there, axis=axis, weights=heavy), np.average(host, axis=axis, weights=weights))
    near(cl.average(there, axis=1, weights=heavy[0]), np.average(host, axis=1, weights=weights[0]))
    for ours, theirs in zip(
        cl.average(there, axis=0, weights=heavy, returned=True),
        np.average(host, axis=0, weights=weights, returned=True),
        strict=True,
    ):
        near(ours, theirs)
    whole = np.arange(6)
    near(
        cl.average(cl.asarray(whole, device=device), weights=cl.asarray(whole, device=device)),
        np.average(whole, weights=whole),
    )
    with pytest.raises(ZeroDivisionError):
        cl.average(there, weights=cl.zeros((4, 5), device=device))
    with pytest.raises(ValueError, match="weights"):
        cl.average(there, weights=heavy[0])


@pytest.mark.parametrize("dtype", ["bool", "int32", "uint8", "float32", "complex64"])
def test_differences_of_neighbours(device, dtype):
    host = (np.arange(30).reshape(5, 6) ** 2 % 7).astype(dtype)
    there = cl.asarray(host, device=device)
    for n in (0, 1, 2, 7):
        for axis in (0, 1, -1):
            near(cl.diff(there, n=n, axis=axis), np.diff(host, n=n, axis=axis))
    if dtype != "bool":
        near(
            cl.diff(there, prepend=host.dtype.type(1), append=there[:, :2]),
            np.diff(host, prepend=host.dtype.type(1), append=host[:, :2]),
        )
        near(cl.diff(there, prepend=1), np.diff(host, prepend=1))
    with pytest.raises(ValueError, match="n=-1"):
        cl.diff(there, n=-1)
    with pytest.raises(ValueError, match="axis"):
        cl.diff(there, axis=2)


def test_ranges_of_elements(device):
    host = normal((4, 5))
    there = cl.asarray(host, device=device)
    for axis in (None, 0, 1):
        near(cl.ptp(there, axis=axis, keepdims=True), np.ptp(host, axis=axis, keepdims=True))
        near(cl.amax(there, axis=axis), np.amax(host, axis=axis))
        near(cl.amin(there, axis=axis), np.amin(host, axis=axis))


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128", "int32"])
def test_covariances_and_correlations(device, dtype):
    host = (10 * normal((3, 20))).astype(dtype)
    other = (10 * normal((2, 20), seed=1)).astype(dtype)
    there, more = cl.asarray(host, device=device), cl.asarray(other, device=device)
    near(cl.cov(there), np.cov(host))
    near(cl.cov(there, more), np.cov(host, other))
    near(cl.cov(there.T, rowvar=False), np.cov(host))
    near(cl.cov(there, bias=True), np.cov(host, bias=True))
    near(cl.cov(there, ddof=3), np.cov(host, ddof=3))
    near(cl.cov(there[0]), np.cov(host[0]))
    near(cl.corrcoef(there), np.corrcoef(host))
    near(cl.corrcoef(there[0], more[1]), np.corrcoef(host[0], other[1]))
    near(cl.corrcoef(there[0]), np.corrcoef(host[0]), dtype=False)
    near(cl.cov(there[:0], dtype=dtype), np.cov(host[:0], dtype=dtype))
    often, well = np.arange(1, 21), np.linspace(0.5, 2, 20)
    weights = {"fweights": cl.asarray(often, device=device), "aweights": cl.asarray(well, device=device)}
    near(cl.cov(there, **weights), np.cov(host, fweights=often, aweights=well))


def test_what_too_few_elements_make_is_nan_with_a_warning(device):
    x = cl.ones((2, 1), device=device)
    for call in (lambda: cl.cov(x), lambda: cl.median(x[:0], axis=0), lambda: cl.nanmedian(x[:, :0])):
        with pytest.warns(RuntimeWarning):
            assert np.isnan(cl.asnumpy(call())).all()


def test_arguments_of_other_places_are_refused(device):
    x = cl.ones((3, 4), device=device)
    for call in (
        lambda: cl.median(np.ones(3)),
        lambda: cl.average(x, weights=np.ones((3, 4))),
        lambda: cl.cov(x, np.ones((3, 4))),
        lambda: cl.diff(np.ones(3)),
    ):
        with pytest.raises(TypeError):  # R3.5, R3.6
            call()


@pytest.mark.parametrize(
    "values",
    [[np.inf, np.inf], [0, 1, np.inf, np.inf], [1.5e308, -1.5e308], [-np.inf, np.inf], [5e-324, 5e-324]],
    ids=str,
)
def test_medians_of_two_in_the_middle_are_their_mean(device, values):
    host = np.array(values)
    there = cl.asarray(host, device=device)
    with np.errstate(invalid="ignore"):
        near(cl.median(there), np.median(host))
        near(cl.nanmedian(there), np.nanmedian(host))


@pytest.mark.parametrize("shape", [(1, 3), (3, 1), (2, 3)], ids=str)
@pytest.mark.parametrize("rowvar", [False, True])
def test_a_single_row_is_many_variables_if_columns_are(shape, rowvar, device):
    x = np.arange(6.0).reshape(2, 3)[: shape[0], : shape[1]] if shape != (3, 1) else np.arange(3.0).reshape(3, 1)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        theirs, ours = np.cov(x, rowvar=rowvar), cl.cov(cl.asarray(x, device=device), rowvar=rowvar)
    np.testing.assert_allclose(cl.asnumpy(ours), theirs)


def test_elements_that_are_quantiles_of_bools_are_bools(device):
    x = np.asarray([True, False, True, True])
    for method in ("lower", "higher", "nearest", "inverted_cdf"):
        ours, theirs = cl.quantile(cl.asarray(x, device=device), 0.3, method=method), np.quantile(x, 0.3, method=method)
        assert ours.dtype == theirs.dtype and bool(ours) == bool(theirs)


def test_quantiles_of_no_integers_are_nan_where_nan_is_left_out(device):
    nothing = cl.zeros((3, 0), dtype="int32", device=device)
    assert cl.asnumpy(cl.isnan(cl.nanquantile(nothing, 0.5, axis=1))).all()


def test_weights_may_be_lists(device):
    x = cl.asarray([1.0, 2.0, 4.0], device=device)
    assert float(cl.average(x, weights=[1, 1, 2])) == 2.75
    assert float(cl.quantile(x, 0.5, weights=[1, 1, 2], method="inverted_cdf")) == 2.0


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", ["quantile", "nanquantile", "percentile"])
@pytest.mark.parametrize("weights", [[np.nan, 1, 1], [np.inf, 1, 1], [0.0, 0, 0], [-1.0, 1, 1]])
def test_weights_that_weigh_nothing_are_refused(name, weights):
    for module in (cl, np):
        with pytest.raises(ValueError):
            x, w = module.asarray([1.0, 2.0, 4.0]), module.asarray(weights)
            getattr(module, name)(x, 0.5, weights=w, method="inverted_cdf")
    nothing = cl.nanquantile(cl.asarray([np.nan, np.nan]), 0.5, weights=[1, 1], method="inverted_cdf")
    assert np.isnan(float(nothing))
