"""Sorting, partial sorting and searching, against NumPy."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import colocate as cl

DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
LAYOUTS = {
    "plain": lambda x: x,
    "transposed": lambda x: x.T,
    "reversed": lambda x: x[::-1, ::-1],
    "stepped": lambda x: x[::2, 1::3],
    "repeated": lambda x: x[:1].repeat(1, 0) if x.ndim < 2 else x[:, :1],
}


def numbers(shape, dtype, seed=0):
    """Numbers of which many are equal, with every special value that the dtype has."""
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    x = rng.integers(-50 if dtype.kind in "ifc" else 0, 50, shape)
    if dtype.kind in "fc":
        special = np.array([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 0.5])
        x = np.where(rng.random(shape) < 0.3, special[rng.integers(0, 7, shape)], x)
    if dtype.kind == "c":
        imaginary = np.where(rng.random(shape) < 0.2, np.nan, rng.integers(-2, 3, shape))
        x = x + 1j * imaginary
        x.real[rng.random(shape) < 0.2] = np.nan
    return x.astype(dtype)


def assert_same(found, expected):
    found = cl.asnumpy(found)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(5, 300), (3, 1, 40)])
def test_sort_and_argsort_agree_with_numpy_on_every_axis(device, dtype, shape):
    x = numbers(shape, dtype)
    y = cl.asarray(x, device=device)
    for axis in range(-1, len(shape)):
        assert_same(cl.sort(y, axis=axis), np.sort(x, axis=axis, kind="stable"))
        assert_same(cl.argsort(y, axis=axis), np.argsort(x, axis=axis, kind="stable"))
    assert_same(cl.sort(y, axis=None), np.sort(x, axis=None, kind="stable"))


@pytest.mark.parametrize("dtype", DTYPES)
def test_long_rows_are_sorted_stably(device, dtype):
    x = numbers(80_000, dtype)
    y = cl.asarray(x, device=device)
    order = np.argsort(x, kind="stable")
    assert_same(cl.argsort(y), order)
    assert_same(cl.sort(y), x[order])


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_zeros_of_both_signs_keep_their_order(device, dtype):
    for size in (50, 70_000):
        x = np.random.default_rng(1).choice(np.array([0.0, -0.0, 1.0, -1.0], dtype), size)
        found = cl.asnumpy(cl.sort(cl.asarray(x, device=device)))
        np.testing.assert_array_equal(np.signbit(found), np.signbit(np.sort(x, kind="stable")))


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_descending_sort_is_stable_and_has_nans_first(device, dtype):
    x = numbers((3, 500), dtype)
    y = cl.asarray(x, device=device)
    # What is reversed twice keeps the order of equal elements.
    order = 499 - np.argsort(x[:, ::-1], axis=1, kind="stable")[:, ::-1]
    assert_same(cl.argsort(y, descending=True), order)
    assert_same(cl.sort(y, descending=True), np.take_along_axis(x, order, 1))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["i4", "f8", "c8"])
def test_any_layout_is_sorted(device, layout, dtype):
    view = LAYOUTS[layout]
    x = numbers((24, 30), dtype)
    y = cl.asarray(x, device=device)
    y = y.T if layout == "transposed" else y[(slice(None), slice(None, 1))] if layout == "repeated" else view(y)
    for axis in (0, 1):
        assert_same(cl.sort(y, axis=axis), np.sort(view(x), axis=axis, kind="stable"))
        assert_same(cl.argsort(y, axis=axis), np.argsort(view(x), axis=axis, kind="stable"))


def test_broadcast_elements_are_sorted(device):
    y = cl.broadcast_to(cl.asarray([3, 1, 2], device=device), (4, 3))
    assert cl.sort(y).tolist() == [[1, 2, 3]] * 4
    assert cl.argsort(y, axis=0).tolist() == [[i] * 3 for i in range(4)]


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
def test_no_elements_are_sorted(device, shape):
    y = cl.empty(shape, device=device)
    for axis in range(len(shape)):
        assert cl.sort(y, axis=axis).shape == shape
        assert cl.argsort(y, axis=axis).dtype == np.int64


def test_what_cannot_be_sorted_is_refused(device):
    y = cl.asarray(1.0, device=device)
    with pytest.raises(cl.AxisError):
        cl.sort(y)
    with pytest.raises(cl.AxisError):
        cl.argsort(cl.ones(3, device=device), axis=1)
    with pytest.raises(cl.HostDataError):
        cl.sort(np.ones(3))
    with pytest.raises(ValueError, match="kind"):
        cl.sort(cl.ones(3, device=device), kind="quick")


@pytest.mark.parametrize("dtype", ["?", "u2", "i8", "f4", "c16"])
@pytest.mark.parametrize("shape", [(40,), (4, 1500), (70_000,)])
def test_partition_puts_places_right(device, dtype, shape):
    x = numbers(shape, dtype)
    y = cl.asarray(x, device=device)
    n = shape[-1]
    places = [0, n // 3, n // 2, -1]
    expected = np.sort(x, axis=-1, kind="stable")
    values = cl.asnumpy(cl.partition(y, places))
    indices = cl.asnumpy(cl.argpartition(y, places))
    by_index = np.take_along_axis(x, indices, -1)
    for result in (values, by_index):
        np.testing.assert_array_equal(result[..., places], expected[..., places])
        np.testing.assert_array_equal(np.sort(result, axis=-1, kind="stable"), expected)
        np.testing.assert_array_equal(np.sort(result[..., : n // 3], axis=-1, kind="stable"), expected[..., : n // 3])


def test_partition_refuses_places_that_are_not_there(device):
    y = cl.ones(3, device=device)
    with pytest.raises(ValueError, match="out of bounds"):
        cl.partition(y, 3)
    with pytest.raises(TypeError):
        cl.partition(y, 1.5)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_array_is_sorted_as_numpy_does(device, data):
    dtype = data.draw(st.sampled_from(DTYPES))
    x = data.draw(hnp.arrays(dtype, hnp.array_shapes(max_dims=3, max_side=6)))
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    y = cl.asarray(x, device=device)
    assert_same(cl.sort(y, axis=axis), np.sort(x, axis=axis, kind="stable"))
    assert_same(cl.argsort(y, axis=axis), np.argsort(x, axis=axis, kind="stable"))


@pytest.mark.parametrize("axis", (0, -1, None))
def test_the_order_of_a_single_element_is_a_row(device, axis):
    host = np.array(3.0)
    there = cl.asarray(host, device=device)
    assert_same(cl.argsort(there, axis=axis), np.argsort(host, axis=axis))
    assert_same(cl.argpartition(there, 0, axis=axis), np.argpartition(host, 0, axis=axis))
    assert_same(cl.lexsort((there, there)), np.lexsort((host, host)))
    if axis is not None:
        for bad in (lambda: cl.sort(there, axis=axis), lambda: cl.partition(there, 0, axis=axis)):
            with pytest.raises(cl.AxisError):
                bad()


def test_lexsort_agrees_with_numpy(device):
    rng = np.random.default_rng(2)
    keys = [rng.integers(0, 4, (5, 50)) for _ in range(3)]
    ours = [cl.asarray(key, device=device) for key in keys]
    for axis in (0, 1, -1):
        assert_same(cl.lexsort(ours, axis=axis), np.lexsort(keys, axis=axis))
    assert_same(cl.lexsort(cl.asarray(keys[0], device=device)), np.lexsort(keys[0]))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted_agrees_with_numpy(device, dtype, side):
    x = numbers(200, dtype)
    wanted = numbers((7, 30), dtype, seed=1)
    ordered = np.sort(x, kind="stable")
    found = cl.searchsorted(cl.asarray(ordered, device=device), cl.asarray(wanted, device=device), side=side)
    assert_same(found, np.searchsorted(ordered, wanted, side=side))
    sorter = np.argsort(x, kind="stable")
    found = cl.searchsorted(
        cl.asarray(x, device=device),
        cl.asarray(wanted, device=device)[::-1],
        side=side,
        sorter=cl.asarray(sorter, device=device),
    )
    assert_same(found, np.searchsorted(x, wanted[::-1], side=side, sorter=sorter))


def test_searchsorted_takes_scalars_and_mixed_dtypes(device):
    x = cl.asarray([1, 3, 5], device=device)
    assert int(cl.searchsorted(x, 3)) == 1
    assert int(cl.searchsorted(x, 3.5, side="right")) == 2
    assert cl.searchsorted(x, cl.asarray([0.5, 4.5], device=device)).tolist() == [0, 2]
    assert cl.searchsorted(x[:0], x).tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="side"):
        cl.searchsorted(x, 3, side="middle")
    with pytest.raises(ValueError, match="dimension"):
        cl.searchsorted(cl.ones((2, 2), device=device), 3)


def test_results_have_the_memory_of_their_inputs(device):  # R3.3
    for usm_type in ("device", "shared", "host"):
        y = cl.asarray([2.0, 1.0], device=device, usm_type=usm_type)
        for result in (cl.sort(y), cl.argsort(y), cl.searchsorted(y, y), cl.partition(y, 0)):
            assert result.usm_type == usm_type
            assert result.queue == y.queue


def test_a_forked_child_sorts(run_python):  # R1.8
    run_python("""
        import os, numpy as np, colocate as cl
        x = np.random.default_rng(0).random(300_000)
        y = cl.asarray(x, device="native:cpu")
        assert (cl.asnumpy(cl.sort(y)) == np.sort(x)).all()
        child = os.fork()
        if child == 0:
            good = (cl.asnumpy(cl.sort(y)) == np.sort(x)).all()
            os._exit(0 if good else 1)
        assert os.waitpid(child, 0)[1] == 0
    """)


def test_nothing_is_partitioned_at_any_place():
    for name in ("partition", "argpartition"):
        assert getattr(cl, name)(cl.ones((3, 0)), 1).shape == getattr(np, name)(np.ones((3, 0)), 1).shape


def test_integers_that_are_no_elements_are_sought_at_the_ends(device):
    host = np.asarray([1, 5, 200], dtype="uint8")
    x = cl.asarray(host, device=device)
    for sought in (-1, 0, 5, 255, 256, 2**40, 5.5, True):
        for side in ("left", "right"):
            assert int(cl.searchsorted(x, sought, side=side)) == np.searchsorted(host, sought, side=side)
