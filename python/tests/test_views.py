"""Views of arrays: shape, order of axes, broadcasting, other dtypes of the same bytes."""

import hypothesis.extra.numpy as hnp
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import colocate as cl

SHAPES = [(), (0,), (1,), (5,), (2, 3), (1, 3), (3, 0, 2), (2, 3, 4), (1, 2, 1, 3)]

SETTINGS = settings(max_examples=60, deadline=None)


def on(device, a):
    """An array with the elements of `a` in another layout than row-major, if that can be."""
    x = cl.asarray(np.ascontiguousarray(a[..., ::-1]) if a.ndim else a, device=device)
    return x[..., ::-1] if a.ndim else x


def same(x, a):
    """Whether an array has the shape, the dtype and the elements of a NumPy array."""
    b = cl.asnumpy(x)
    assert b.dtype == a.dtype
    assert b.shape == a.shape
    np.testing.assert_array_equal(b, a)
    return True


def numbers(shape, dtype="int32"):
    return np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)


@pytest.mark.parametrize("shape", SHAPES)
def test_axes_are_reordered_as_in_numpy(device, shape):
    a = numbers(shape)
    x = on(device, a)
    assert same(x.T, a.T)
    assert same(cl.transpose(x), np.transpose(a))
    axes = tuple(np.roll(range(a.ndim), 1))
    assert same(cl.permute_dims(x, axes), np.transpose(a, axes))
    assert same(x.transpose(*axes), a.transpose(*axes))
    assert same(cl.flip(x), np.flip(a))
    for axis in range(-a.ndim, a.ndim):
        assert same(cl.flip(x, axis=axis), np.flip(a, axis))
        assert same(cl.moveaxis(x, axis, 0), np.moveaxis(a, axis, 0))
        assert same(cl.swapaxes(x, axis, -1), np.swapaxes(a, axis, -1))
    if a.ndim >= 2:
        assert same(x.mT, np.matrix_transpose(a))
        assert same(cl.matrix_transpose(x), np.matrix_transpose(a))
        assert same(cl.moveaxis(x, [0, 1], [-1, -2]), np.moveaxis(a, [0, 1], [-1, -2]))


@pytest.mark.parametrize("shape", SHAPES)
def test_axes_of_extent_one_come_and_go(device, shape):
    a = numbers(shape)
    x = on(device, a)
    assert same(cl.squeeze(x), np.squeeze(a))
    assert same(x.squeeze(), np.squeeze(a))
    for axis in range(-a.ndim - 1, a.ndim + 1):
        assert same(cl.expand_dims(x, axis=axis), np.expand_dims(a, axis))
        assert same(cl.squeeze(cl.expand_dims(x, axis=axis), axis), a)
    assert same(cl.expand_dims(x, axis=(0, -1)), np.expand_dims(a, (0, -1)))


@pytest.mark.parametrize("order", ["C", "F", "A"])
@pytest.mark.parametrize("shape", [s for s in SHAPES if np.prod(s)])
def test_elements_keep_their_order_in_another_shape(device, shape, order):
    a = numbers(shape)
    size = a.size
    for x, b in [(on(device, a), a), (cl.asarray(a, device=device).T, a.T)]:
        assert same(cl.reshape(x, -1, order=order), b.reshape(-1, order=order))
        assert same(x.reshape(1, size, order=order), b.reshape(1, size, order=order))
        assert same(cl.ravel(x, order=order), np.ravel(b, order=order))
        assert same(x.flatten(order=order), b.flatten(order=order))
        if size % 2 == 0:
            assert same(cl.reshape(x, (2, -1), order=order), b.reshape((2, -1), order=order))


def test_reshape_is_a_view_where_it_can_be(device):
    x = cl.zeros((4, 6), dtype="int64", device=device)
    y = cl.reshape(x, (2, 2, 6))
    y[1, 1, 5] = 7
    assert int(x[3, 5]) == 7
    z = x[::2].reshape(2, 3, 2, copy=False)
    z[1, 0, 0] = 8
    assert int(x[2, 0]) == 8
    with pytest.raises(ValueError, match="copy=False"):
        cl.reshape(x.T, 24, copy=False)
    w = cl.reshape(x, 24, copy=True)
    w[0] = 9
    assert int(x[0, 0]) == 0


def test_reshape_refuses_what_does_not_fit(device):
    x = cl.zeros(6, device=device)
    for shape in [(4,), (-1, -1), (-2, 3), (4, -1), (2**40, 2**40), (0, -1)]:
        with pytest.raises(ValueError):
            cl.reshape(x, shape)
    with pytest.raises(ValueError):
        cl.reshape(x, (2, 3), order="X")
    assert cl.reshape(cl.zeros((0, 3), device=device), (0, 5)).shape == (0, 5)


def test_axes_that_are_not_there_are_refused(device):
    x = cl.zeros((2, 3), device=device)
    for call in [
        lambda: cl.flip(x, axis=2),
        lambda: cl.expand_dims(x, axis=3),
        lambda: cl.squeeze(x, axis=-3),
        lambda: cl.permute_dims(x, (0, 2)),
        lambda: cl.moveaxis(x, 0, 5),
    ]:
        with pytest.raises((ValueError, IndexError)):
            call()
    for call in [
        lambda: cl.squeeze(x, axis=0),
        lambda: cl.permute_dims(x, (0, 0)),
        lambda: cl.permute_dims(x, (0,)),
        lambda: cl.matrix_transpose(x[0]),
        lambda: x[0].mT,
        lambda: cl.diagonal(x[0]),
        lambda: cl.diagonal(x, 0, 1, 1),
    ]:
        with pytest.raises(ValueError):
            call()


@given(hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=3, max_side=3))
@SETTINGS
def test_shapes_are_broadcast_as_in_numpy(shapes):
    assert cl.broadcast_shapes(*shapes.input_shapes) == shapes.result_shape
    arrays = [numbers(shape) for shape in shapes.input_shapes]
    ours = cl.broadcast_arrays(*[on("native:cpu", a) for a in arrays])
    for x, a in zip(ours, np.broadcast_arrays(*arrays), strict=True):
        assert same(x, a)


def test_broadcasting_refuses_what_does_not_fit(device):
    x = cl.zeros(3, device=device)
    assert same(cl.broadcast_to(x, (2, 3)), np.zeros((2, 3)))
    for shape in [(2,), (3, 2), ()]:
        with pytest.raises(ValueError):
            cl.broadcast_to(x, shape)
    with pytest.raises(ValueError):
        cl.broadcast_shapes((2,), (3,))
    with pytest.raises(ValueError, match="read-only"):
        cl.broadcast_to(x, (2, 3))[0] = 1


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_parts_of_complex_arrays_are_views(device, dtype):
    a = (numbers((3, 4)) + 1j * numbers((3, 4))[::-1]).astype(dtype)
    x = cl.asarray(a, device=device)
    assert same(x.real, a.real)
    assert same(x.imag, a.imag)
    assert same(x.T[::2].imag, a.T[::2].imag)
    x.real = 5
    x.imag[1] = cl.asarray(np.arange(4), device=device)
    a.real = 5
    a.imag[1] = np.arange(4)
    assert same(x, a)


def test_the_real_part_of_a_real_array_is_itself(device):
    x = cl.ones(3, device=device)
    x.real[1] = 2
    assert x.tolist() == [1, 2, 1]
    assert x.imag.tolist() == [0, 0, 0]
    with pytest.raises(TypeError):
        x.imag = 1


@pytest.mark.parametrize(
    ("old", "new"), [("float32", "int32"), ("float64", "uint8"), ("int16", "complex64"), ("uint8", "bool")]
)
def test_bytes_are_read_as_another_dtype(device, old, new):
    a = numbers((3, 8), old) % 2
    x = cl.asarray(a, device=device)
    np.testing.assert_array_equal(cl.asnumpy(x.view(new)).view(old), a)
    assert cl.asnumpy(x.view(new)).shape == a.view(new).shape
    assert same(x.view(), a)


def test_bytes_that_do_not_divide_are_refused(device):
    x = cl.zeros((2, 3), dtype="float32", device=device)
    for view, dtype in [(x, "float64"), (x.T, "int8"), (x[:, ::2], "int16")]:
        with pytest.raises(ValueError):
            view.view(dtype)


@given(
    a=hnp.arrays("int32", hnp.array_shapes(min_dims=2, max_dims=4, min_side=0, max_side=4)),
    offset=st.integers(-5, 5),
    data=st.data(),
)
@SETTINGS
def test_diagonals_are_those_of_numpy(a, offset, data):
    axis1, axis2 = data.draw(st.permutations(range(a.ndim)))[:2]
    x = on("native:cpu", a)
    assert same(cl.diagonal(x, offset, axis1, axis2), np.diagonal(a, offset, axis1, axis2))
    assert same(x.diagonal(offset, axis1, axis2), np.diagonal(a, offset, axis1, axis2))


def test_windows_are_those_of_numpy(device):
    windows = np.lib.stride_tricks.sliding_window_view
    a = numbers((4, 5))
    x = on(device, a)
    assert same(cl.sliding_window_view(x, (2, 3)), windows(a, (2, 3)))
    assert same(cl.sliding_window_view(x, 2, axis=0), windows(a, 2, axis=0))
    assert same(cl.sliding_window_view(x, (2, 2), axis=(1, 1)), windows(a, (2, 2), axis=(1, 1)))
    for shape, axis in [(6, 0), ((2, 2), 0), (2, None)]:
        with pytest.raises(ValueError):
            cl.sliding_window_view(x, shape, axis)


def test_views_keep_queue_and_usm_type(device):
    x = cl.zeros((2, 3), device=device, usm_type="shared")
    for view in [x.T, x.reshape(6), x.T.reshape(6), cl.flip(x), x.real, x.imag, x.view("int64"), cl.squeeze(x)]:
        assert view.queue == x.queue
        assert view.usm_type == "shared"


def test_host_data_has_no_views_here():
    for function in [cl.reshape, cl.permute_dims, cl.broadcast_to]:
        with pytest.raises(TypeError, match="asarray"):
            function(np.zeros(3), (3,))


def test_strides_make_views():
    x = np.arange(12.0)
    ours = cl.asarray(x)
    for shape, strides in (((3, 4), (32, 8)), ((4, 3), (8, 16)), ((5, 3), (16, 8)), ((2, 2, 2), (0, 8, 48)), ((), ())):
        view = cl.lib.stride_tricks.as_strided(ours, shape, strides)
        wanted = np.lib.stride_tricks.as_strided(x, shape, strides)
        assert view.tolist() == wanted.tolist() and view.strides == wanted.strides
        assert cl.shares_memory(view, ours)
    from_the_end = cl.lib.stride_tricks.as_strided(ours[::-1], (4,), (-16,))
    assert from_the_end.tolist() == x[::-2][:4].tolist()
    assert cl.lib.stride_tricks.as_strided(ours[2:]).tolist() == x[2:].tolist()


def test_views_by_strides_are_written_to_where_no_elements_are_shared():
    as_strided, x = cl.lib.stride_tricks.as_strided, cl.zeros(6)
    as_strided(x, (3,), (16,))[...] = 1
    assert x.tolist() == [1.0, 0.0, 1.0, 0.0, 1.0, 0.0]
    assert not as_strided(x, (3, 2), (8, 8)).flags.writeable
    assert not as_strided(x, (3,), (16,), writeable=False).flags.writeable
    assert as_strided(x, (2, 3), (24, 8)).flags.writeable


@pytest.mark.parametrize(
    ("shape", "strides"), [((7,), (8,)), ((2,), (-8,)), ((2,), (4,)), ((2, 2), (8,)), ((-1,), (8,))]
)
def test_strides_that_leave_the_memory_or_fall_between_elements_are_refused(shape, strides):
    with pytest.raises(ValueError):
        cl.lib.stride_tricks.as_strided(cl.zeros(6), shape, strides)
