"""Counting, compared with NumPy."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.extra import numpy as hnp

import colocate as cl

RULES = ("auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt")


def same(got, wanted, rtol=0):
    assert got.shape == wanted.shape and got.dtype == wanted.dtype, (got.shape, wanted.shape, got.dtype, wanted.dtype)
    np.testing.assert_allclose(cl.asnumpy(got), wanted, rtol=rtol)


@settings(deadline=None, max_examples=60)
@given(a=hnp.arrays("int32", st.integers(0, 50), elements=st.integers(0, 30)), minlength=st.integers(0, 40))
def test_counts_are_numpys(a, minlength):
    weights = np.linspace(-1, 1, a.size)
    for device in cl.devices():
        x = cl.asarray(a, device=device)
        same(cl.bincount(x, minlength=minlength), np.bincount(a, minlength=minlength))
        same(cl.bincount(x, cl.asarray(weights, device=device)), np.bincount(a, weights), rtol=1e-13)


@pytest.mark.parametrize("bins", (1, 10, 1000, 300_000))
def test_counts_of_many_are_numpys(device, bins):
    rng = np.random.default_rng(bins)
    a, w = rng.integers(0, bins, 300_000), rng.integers(0, 100, 300_000).astype(float)
    x, y = cl.asarray(a, device=device), cl.asarray(w, device=device)
    same(cl.bincount(x), np.bincount(a))
    same(cl.bincount(x, weights=y), np.bincount(a, weights=w))
    same(cl.bincount(x[::-3]), np.bincount(a[::-3]))
    same(cl.bincount(cl.astype(x, "uint32")), np.bincount(a))


def test_sums_of_weights_are_the_same_every_time(device):
    rng = np.random.default_rng(5)
    x = cl.asarray(rng.integers(0, 7, 500_000), device=device)
    w = cl.asarray(rng.normal(size=500_000), device=device)
    first = cl.asnumpy(cl.bincount(x, w)).copy()
    for _ in range(5):
        np.testing.assert_array_equal(cl.asnumpy(cl.bincount(x, w)), first)


def test_what_cannot_be_counted_says_why(device):
    for bad in ([-1, 2], [[1, 2]]):
        with pytest.raises(ValueError):
            cl.bincount(cl.asarray(bad, device=device))
    with pytest.raises(TypeError):
        cl.bincount(cl.ones(3, device=device))
    x = cl.asarray([1, 2], device=device)
    for bad in (lambda: cl.bincount(x, x[:1]), lambda: cl.bincount(x, minlength=-1)):
        with pytest.raises(ValueError):
            bad()


@settings(deadline=None, max_examples=80)
@given(
    a=hnp.arrays(st.sampled_from(["float64", "float32", "int16"]), st.integers(0, 60), elements=st.integers(-20, 20)),
    bins=st.integers(1, 17),
    limits=st.one_of(st.none(), st.tuples(st.integers(-9, 0), st.integers(1, 9))),
    scale=st.sampled_from([1, 10, 3]),
)
def test_histograms_are_numpys(a, bins, limits, scale):
    a = (a / scale).astype(a.dtype)
    wanted, edges = np.histogram(a, bins, limits)
    for device in cl.devices():
        counts, ours = cl.histogram(cl.asarray(a, device=device), bins, limits)
        same(counts, wanted)
        same(ours, edges)


def test_histograms_of_many_are_numpys(device):
    a = np.random.default_rng(3).normal(size=200_000)
    x = cl.asarray(a, device=device)
    weights = np.arange(a.size) % 3
    w = cl.asarray(weights, device=device)
    for bins in (10, 1000, [-1.0, 0, 0.5, 3], np.linspace(-2, 2, 101)):
        ours = cl.asarray(bins, device=device) if isinstance(bins, np.ndarray) else bins
        for keywords in ({}, {"density": True}):
            counts, edges = cl.histogram(x, ours, **keywords)
            wanted, where = np.histogram(a, bins, **keywords)
            same(counts, wanted, rtol=1e-12)
            same(edges, where, rtol=1e-15)
        same(cl.histogram(x, ours, weights=w)[0], np.histogram(a, bins, weights=weights)[0])
    with_gaps = np.where(a > 1, np.nan, a)
    same(cl.histogram(cl.asarray(with_gaps, device=device), 20, (-2, 2))[0], np.histogram(with_gaps, 20, (-2, 2))[0])
    complex_weights = weights + 2j
    same(
        cl.histogram(x, 5, weights=cl.asarray(complex_weights, device=device))[0],
        np.histogram(a, 5, weights=complex_weights)[0],
    )


@pytest.mark.filterwarnings("ignore:The number of bins estimated:RuntimeWarning")
@pytest.mark.parametrize("rule", RULES)
def test_rules_for_the_number_of_bins_are_numpys(device, rule):
    rng = np.random.default_rng(7)
    for a in (rng.normal(size=300), rng.exponential(size=50), rng.integers(0, 9, 200), np.ones(5), np.zeros(0)):
        wanted = np.histogram_bin_edges(a, rule)
        same(cl.histogram_bin_edges(cl.asarray(a, device=device), rule), wanted, rtol=1e-12)


def test_bad_histograms_say_why(device):
    x = cl.asarray([1.0, np.inf], device=device)
    for bad in (
        lambda: cl.histogram(x),
        lambda: cl.histogram(x, 0),
        lambda: cl.histogram(x, [3, 1]),
        lambda: cl.histogram(x, 3, (2, 1)),
        lambda: cl.histogram(x, "guess"),
        lambda: cl.histogram(x, 3, (0, np.nan)),
    ):
        with pytest.raises(ValueError):
            bad()
    with pytest.raises(TypeError):
        cl.histogram(x, 2.5)


def test_histograms_of_several_axes_are_numpys(device):
    rng = np.random.default_rng(11)
    points, weights = rng.normal(size=(5000, 3)), rng.integers(0, 5, 5000)
    x, w = cl.asarray(points, device=device), cl.asarray(weights, device=device)
    for keywords in ({}, {"bins": (3, 4, 5)}, {"bins": 4, "range": [(-1, 1), None, (0, 2)]}, {"density": True}):
        counts, edges = cl.histogramdd(x, **keywords)
        wanted, where = np.histogramdd(points, **keywords)
        same(counts, wanted, rtol=1e-12)
        for ours, theirs in zip(edges, where, strict=True):
            same(ours, theirs, rtol=1e-15)
    same(cl.histogramdd(x, 3, weights=w)[0], np.histogramdd(points, 3, weights=weights)[0])
    got = cl.histogram2d(x[:, 0], x[:, 1], bins=[3, np.array([-1.0, 0, 1]).tolist()])
    wanted = np.histogram2d(points[:, 0], points[:, 1], bins=[3, [-1.0, 0, 1]])
    for ours, theirs in zip(got, wanted, strict=True):
        same(ours, theirs, rtol=1e-15)


@pytest.mark.parametrize("bins", ([2, 3], [[-1.0, 0, 3], [0.0, 2, 5]], 3))
def test_an_array_of_bins_has_a_row_for_each_axis(device, bins):
    points = np.array([[1.0, 2.0], [3.0, 4.0], [2.0, 2.5]])
    x, there = cl.asarray(points, device=device), cl.asarray(bins, device=device)
    counts, edges = cl.histogramdd(x, there)
    wanted = np.histogramdd(points, np.asarray(bins))
    for ours, theirs in zip((counts, *edges), (wanted[0], *wanted[1]), strict=True):
        same(ours, theirs, rtol=1e-15)
    got = cl.histogram2d(x[:, 0], x[:, 1], there)
    for ours, theirs in zip(got, np.histogram2d(points[:, 0], points[:, 1], np.asarray(bins)), strict=True):
        same(ours, theirs, rtol=1e-15)


def test_bins_for_other_axes_are_refused(device):
    x = cl.asarray([[1.0, 2.0], [3.0, 4.0]], device=device)
    for bad in (
        lambda: cl.histogramdd(x, cl.asarray([0.0, 2, 5], device=device)),
        lambda: cl.histogram2d(x[0], x[1], cl.asarray([5], device=device)),
        lambda: cl.histogram2d(x[0], x[1], [5]),
    ):
        with pytest.raises(ValueError):
            bad()
    with pytest.raises(TypeError):
        cl.histogramdd(x, cl.asarray([2.0, 3.0], device=device))


@pytest.mark.parametrize("dtype", ("float16", "float32", "float64", "int8"))
@pytest.mark.parametrize("range", (None, [(0, 4), (0, 5)], [(0, 4), None]))
def test_edges_of_several_axes_have_numpys_dtypes(device, dtype, range):
    points = np.array([[1, 2], [3, 4], [2, 4]], dtype=dtype)
    counts, edges = cl.histogramdd(cl.asarray(points, device=device), 3, range)
    wanted, where = np.histogramdd(points, 3, range)
    same(counts, wanted)
    for ours, theirs in zip(edges, where, strict=True):
        same(ours, theirs, rtol=1e-3)


@pytest.mark.parametrize("right", (False, True))
def test_digitizing_is_numpys(device, right):
    a = np.array([[0.5, 1.0, 2.5], [-1, 3, np.nan]])
    nan = np.nan
    for bins in (
        [0.0, 1, 2, 3],
        [3.0, 1, 0],
        [1.0],
        [1.0, 1.0, 2.0],
        [0, 1, nan],
        [nan, 2, 1],
        [nan, nan],
    ):
        got = cl.digitize(cl.asarray(a, device=device), cl.asarray(bins, device=device), right)
        same(got, np.digitize(a, bins, right))
    with pytest.raises(ValueError):
        cl.digitize(cl.asarray(a, device=device), [1, 3, 2])


LIMITS = {
    "int8": [-100, 0, 100],
    "int16": [-30_000, 3, 30_000],
    "int64": [-(2**63), 5, 2**63 - 1],
    "uint64": [0, 2**64 - 1],
}


@pytest.mark.parametrize("dtype", LIMITS)
def test_bins_of_integers_that_are_far_apart_are_numpys(device, dtype):
    host = np.array(LIMITS[dtype], dtype=dtype)
    there = cl.asarray(host, device=device)
    for bins in (4, 7):
        for got, wanted in zip(cl.histogram(there, bins), np.histogram(host, bins), strict=True):
            same(got, wanted)
        same(cl.histogram(there, bins, density=True)[0], np.histogram(host, bins, density=True)[0], rtol=1e-14)


def test_floats_that_are_too_far_apart_have_no_bins(device):
    with pytest.raises(ValueError, match="does not hold the distance"):
        cl.histogram(cl.asarray([-3e38, 0, 3e38], dtype="float32", device=device), 4)


def test_edges_of_a_plane_have_the_dtype_of_both_coordinates():
    x, y = np.asarray([0.1, 0.7], dtype="float16"), np.asarray([1, 2])
    for got, expected in zip(cl.histogram2d(cl.asarray(x), cl.asarray(y)), np.histogram2d(x, y), strict=True):
        np.testing.assert_array_equal(cl.asnumpy(got), expected, strict=True)


def test_the_rule_of_stone_counts_within_the_range():
    x = np.asarray([0.0, 4.0, 2.0, 2.1, 1.0, 4.0])
    for limits in (None, (0, 5), (-1, 3)):
        got = cl.histogram_bin_edges(cl.asarray(x), "stone", limits)
        np.testing.assert_allclose(cl.asnumpy(got), np.histogram_bin_edges(x, "stone", limits))
