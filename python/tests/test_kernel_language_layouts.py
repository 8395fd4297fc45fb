"""Arrays of any layout as arguments: strides of all signs, order, alignment, aliasing, 0-d and empty."""

import numpy as np
import pytest
from kernel_simulator import check, launch, on_device, same, simulate

import colocate as cl

DTYPES = ("bool", "int8", "uint16", "int32", "float16", "float32", "float64", "complex64", "complex128")


def numbers(shape, dtype):
    values = (np.arange(np.prod(shape)) * 37 + 11) % 50
    return (values % 2 == 0 if dtype == "bool" else values.astype(dtype)).reshape(shape)


# What is made of an array of 24 by 18, on the device and in NumPy alike.
LAYOUTS = {
    "contiguous": lambda a: a[:7, :],
    "every second row": lambda a: a[::2],
    "every third column": lambda a: a[:, ::3],
    "backwards": lambda a: a[::-1],
    "backwards with steps": lambda a: a[::-3, ::-2],
    "an inner part": lambda a: a[3:20, 2:9],
    "transposed": lambda a: a.T,
    "transposed with steps": lambda a: a.T[::-2, 1::3],
    "one row": lambda a: a[5:6],
    "one column": lambda a: a[:, 4:5],
    "one element": lambda a: a[7:8, 3:4],
}


@cl.kernel
def copy_2(a, out):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    out[i, j] = a[i, j]
    a[i, j] = a[-1 - i, j] if a.shape[0] == 1 else a[i, j] * 2


@cl.kernel
def rows(a, out):
    i = cl.get_global_id(0)
    total = 0.0
    for value in a[i]:
        total = total * 0.5 + abs(value)
    for value in a[i, ::-1]:
        total = total * 0.25 - abs(value)
    out[i] = total + a.shape[0] * a.shape[1] + abs(a[:, -1][i])


def check_layout(device, kernel, layout, dtype, space_of, out_of):
    """The kernel on a view made on the device, and on the same view as a NumPy argument."""
    base = numbers((24, 18), dtype)
    expected_base = base.copy()
    view = layout(expected_base)
    space, out = space_of(view), out_of(view)
    expected = out.copy()
    simulate(kernel, space, view, expected)
    arrays = on_device(base, device), on_device(out, device)
    launch(kernel, space)(layout(arrays[0]), arrays[1]).wait()
    same(expected_base, arrays[0], what="base")
    same(expected, arrays[1], what="out")
    with cl.offload_to_device(device):
        launch(kernel, space)(layout(base), out)
    same(expected_base, base, what="NumPy base")
    same(expected, out, what="NumPy out")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_views_of_arrays_as_arguments(device, layout, dtype):
    check_layout(
        device, copy_2, LAYOUTS[layout], dtype, lambda view: view.shape, lambda view: np.zeros(view.shape, dtype)
    )


@pytest.mark.parametrize("dtype", ("int8", "float32", "float64", "complex64"))
@pytest.mark.parametrize("layout", LAYOUTS)
def test_rows_of_views(device, layout, dtype):
    check_layout(
        device, rows, LAYOUTS[layout], dtype, lambda view: view.shape[:1], lambda view: np.zeros(view.shape[0])
    )


@cl.kernel
def add(a, b, c):
    i = cl.get_global_id(0)
    c[i] = a[i] * 2 + b[i]


@pytest.mark.parametrize("n", (1, 3, 7, 17, 65))
def test_arguments_of_different_strides(device, n):
    base = numbers(4 * n, "float32")
    out = np.zeros(3 * n, np.float32)
    expected = base[: 4 * n : 4] * 2 + base[::-1][:n]
    arrays = on_device(base, device), on_device(out, device)
    add[n](arrays[0][: 4 * n : 4], arrays[0][::-1][:n], arrays[1][::-3]).wait()
    same(expected, cl.asnumpy(arrays[1])[::-3])
    with cl.offload_to_device(device):
        add[n](base[: 4 * n : 4], base[::-1][:n], out[::-3])
    same(expected, out[::-3])
    assert not out[1::3].any() or n == 1, "what lies between the elements is not touched"


def test_a_broadcast_array_is_read_at_every_index(device):
    row = np.arange(5, dtype=np.float64)
    wide = np.broadcast_to(row, (7, 5))
    out = np.zeros((7, 5))

    with cl.offload_to_device(device):
        plain_copy[7, 5](wide, out)
    same(wide.copy(), out)
    with cl.offload_to_device(device):
        add[9](np.broadcast_to(np.float64(2.5), 9), np.arange(9.0), tail := np.zeros(9))
    same(5 + np.arange(9.0), tail)


@cl.kernel
def plain_copy(a, out):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    out[i, j] = a[i, j]


def test_a_read_only_array_cannot_be_written(device):
    wide = np.broadcast_to(np.arange(5.0), (7, 5))
    with cl.offload_to_device(device), pytest.raises((cl.ReadOnlyError, cl.CompileError), match="read-only"):
        plain_copy[7, 5](np.zeros((7, 5)), wide)


@cl.kernel
def zero_d(a, b, out, written):
    i = cl.get_global_id(0)
    out[i] = a[()] * 2 + b[()] + a.ndim + a.size
    written[()] = b[()] + 4


def test_arrays_without_axes(device):
    check(device, zero_d, 5, np.array(2.5), np.array(3, np.int32), np.zeros(5), np.array(0))
    out, written = np.zeros(1), np.array(0)
    with cl.offload_to_device(device):
        zero_d[1](np.array(2.5), np.array(3, np.int32), out, written)
    assert written == 7 and out[0] == 2.5 * 2 + 3 + 1


@cl.kernel
def of_empty(a, out):
    i = cl.get_global_id(0)
    total = 0
    for value in a:
        total += value
    out[i] = total + len(a) + a.size


@pytest.mark.parametrize("dtype", ("int32", "float64", "complex128"))
def test_empty_arrays(device, dtype):
    check(device, of_empty, 3, np.zeros(0, dtype), np.ones(3, dtype))
    out = np.ones(3, dtype)
    with cl.offload_to_device(device):
        of_empty[3](np.zeros(0, dtype), out)
    assert not out.any()


@pytest.mark.parametrize("dtype", ("int16", "int32", "int64", "float32", "float64", "complex64", "complex128"))
def test_unaligned_numpy_arrays(device, dtype):
    n = 17
    size = np.dtype(dtype).itemsize
    packed = np.zeros(n * size + 1, np.uint8)
    unaligned = packed[1:].view(dtype)
    unaligned[:] = numbers(n, dtype)
    assert not unaligned.flags.aligned
    expected = unaligned * 2 + unaligned
    with cl.offload_to_device(device):
        add[n](unaligned, unaligned, unaligned)
    same(expected, unaligned.copy())
    records = np.zeros(n, [("flag", "u1"), ("value", dtype)])
    records["value"] = numbers(n, dtype)
    with cl.offload_to_device(device):
        add[n](records["value"], records["value"], records["value"])
    same(numbers(n, dtype) * 3, records["value"].copy())
    assert not records["flag"].any()


@pytest.mark.parametrize("dtype", ("float32", "complex128"))
def test_fortran_order(device, dtype):
    a = np.asfortranarray(numbers((7, 5), dtype))
    out = np.zeros((7, 5), dtype, order="F")
    with cl.offload_to_device(device):
        plain_copy[7, 5](a, out)
    same(np.ascontiguousarray(a), np.ascontiguousarray(out))


@cl.kernel
def through_both(a, b):
    i = cl.get_global_id(0)
    a[i] = i
    b[i] = a[i] + 10


def test_arguments_that_are_the_same_memory(device):
    x = on_device(np.zeros(9), device)
    through_both[9](x, x).wait()
    same(np.arange(9.0) + 10, x)
    add[9](x, x, x).wait()
    same((np.arange(9.0) + 10) * 3, x)
    y = np.zeros(9)
    with cl.offload_to_device(device):
        through_both[9](y, y)
    same(np.arange(9.0) + 10, y)


@cl.kernel
def shifted(a, b):
    i = cl.get_global_id(0)
    b[i] = a[i] + 1


def test_arguments_that_overlap_without_touching_the_same_elements(device):
    x = on_device(np.arange(20.0), device)
    shifted[10](x[::2], x[1::2]).wait()
    expected = np.arange(20.0)
    expected[1::2] = expected[::2] + 1
    same(expected, x)
    y = np.arange(20.0)
    with cl.offload_to_device(device):
        shifted[10](y[::2], y[1::2])
    same(expected, y)


def test_the_same_kernel_takes_one_layout_after_another(device):
    x = numbers(64, "float64")
    for view in (x[:9], x[::7], x[::-1][:9], x[:18:2], x[:9]):
        out = np.zeros(9)
        with cl.offload_to_device(device):
            add[9](view[:9], view[:9], out)
        same(view[:9] * 3, out)


@cl.kernel
def three_axes(a, out):
    i, j, k = cl.get_global_id(0), cl.get_global_id(1), cl.get_global_id(2)
    out[k, i, j] = a[i, j, k] * 2 - a[-1 - i, j, 0]


@pytest.mark.parametrize("order", ("C", "F", "swapped", "reversed"))
def test_three_axes_in_any_order(device, order):
    a = numbers((3, 7, 9), "int32")
    a = {"C": a, "F": np.asfortranarray(a), "swapped": a.swapaxes(0, 2), "reversed": a[::-1, ::-1, ::-1]}[order]
    shape = a.shape
    expected = np.zeros((shape[2], shape[0], shape[1]), np.int32)
    out = expected.copy()
    simulate(three_axes, shape, a, expected)
    with cl.offload_to_device(device):
        three_axes[shape](a, out)
    same(expected, out)
