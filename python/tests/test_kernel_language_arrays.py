"""Arrays in kernels: indices, slices, attributes, loops over them, private arrays, index spaces."""

import numpy as np
import pytest
from kernel_simulator import check

import colocate as cl

SIZES = (1, 3, 7, 8, 17, 65)


def numbers(*shape):
    return ((np.arange(np.prod(shape), dtype=np.int64) * 37 + 11) % 64 - 20).reshape(shape)


@cl.kernel
def indices(x, y, out):
    i = cl.get_global_id(0)
    n = len(x)
    out[0, i] = x[-1] + x[0] * 2 + x[-n]
    out[1, i] = x[i - n]
    out[2, i] = x[-i - 1]
    out[3, i] = y[i % 3, -1]
    out[4, i] = y[-1 - i % 3][i % 4]
    out[5, i] = y[i % 3][-2]
    out[6, i] = y[(i % 3, i % 4)]
    out[7, i] = x[x[i] % n]
    k = np.uint8(i % 3)
    out[8, i] = y[k, np.int8(-1)]
    p = (i % 3, 1)
    out[9, i] = y[p] + y[p[0], p[1]]
    out[-1, -n + i] = x[i // 2]
    out[10][i] = x[True + 0]


@pytest.mark.parametrize("n", (3, 7, 17, 65))
def test_indices(device, n):
    check(device, indices, n, numbers(n), numbers(3, 4), np.zeros((12, n), np.int64))


@cl.kernel
def slices(x, y, out):
    i = cl.get_global_id(0)
    a = x[2:9]
    out[0, i] = a[i % 7] + len(a)
    b = x[::-1]
    out[1, i] = b[i] + b[-1]
    c = x[i:]
    out[2, i] = c[0] + c.size
    d = x[: i + 1]
    out[3, i] = d[-1] + d.shape[0]
    e = x[1::3]
    out[4, i] = e[i % e.size]
    f = x[-3:1:-2]
    out[5, i] = f[0] + f.size * 10
    g = b[2:8][::2]
    out[6, i] = g[i % 3] + len(g)
    h = y[1:, ::2]
    out[7, i] = h[i % 2, 1] + h.shape[0] * 10 + h.shape[1]
    k = y[..., 1]
    out[8, i] = k[i % 3] + k.ndim
    m = y[1]
    out[9, i] = m[2:][0] + m.size
    p = y[:, 3][::-1]
    out[10, i] = p[i % 3]
    q = y.T
    out[11, i] = q[3, i % 3] + q.shape[0] * 100 + q[1][0]
    r = y[::-1, ::-1]
    out[12, i] = r[0, 0] * 10 + r[-1, -1]
    s = x[5:2]
    out[13, i] = s.size + len(x[100:]) + len(x[-100:100]) + len(x[i:3])
    t = x[3:None]
    out[14, i] = t[0]


def test_slices_are_views(device):
    source = numbers(17)
    check(device, slices, 17, source, numbers(3, 4), np.zeros((15, 17), np.int64))


@cl.kernel
def writes_through_views(x, y, z):
    i = cl.get_global_id(0)
    row = y[i]
    row[0] = i
    row[1:3] = i * 10
    row[::-1][0] = -i
    column = y[:, 3]
    column[i] += 5
    z[i] = x[i]
    z[i, ::2] += 1
    z[i][1:] *= 2
    z[i, 1:] = z[i, :-1]
    part = z[i, 2:]
    part[...] = 9
    part[0] -= i


def test_writes_through_views_reach_the_array(device):
    check(device, writes_through_views, 7, numbers(7, 5), numbers(7, 6), numbers(7, 5) * 3)


@cl.kernel
def attributes(x, y, z, out):
    i = cl.get_global_id(0)
    out[0, i] = x.shape[0] + x.ndim * 100 + x.size * 1000
    out[1, i] = y.shape[1] + y.ndim * 100 + y.size * 1000 + len(y)
    a, b, c = z.shape
    out[2, i] = a * 100 + b * 10 + c + z.ndim
    out[3, i] = z.shape[-1] + len(z.shape) + z[0].size + z[0].ndim + z.T.shape[0]
    out[4, i] = x.itemsize + x.dtype.itemsize + y.dtype.itemsize
    out[5, i] = 1 if x.dtype == np.int64 else 2
    out[6, i] = 1 if x.dtype == y.dtype else 2
    out[7, i] = 1 if y.dtype.kind == "f" else 2
    out[8, i] = y.shape == (3, 4)
    out[9, i] = x.nbytes


def test_attributes(device):
    y = numbers(3, 4).astype(np.float32)
    check(device, attributes, 5, numbers(5), y, numbers(2, 3, 4), np.zeros((10, 5), np.int64))


@cl.kernel
def loops_over_arrays(x, y, out):
    i = cl.get_global_id(0)
    total = 0
    for value in x:
        total += value
    out[0, i] = total
    total = 0
    for row in y:
        for value in row:
            total = total * 3 % 1000 + value
    out[1, i] = total
    total = 0
    for k, value in enumerate(x):
        if k == i:
            continue
        total += k * value
    out[2, i] = total
    for k, value in enumerate(x[2:], 10):
        total += k * value
        if k > 12:
            break
    out[3, i] = total
    for a, b in zip(x, x[::-1]):  # noqa: B905
        total += a * b
    out[4, i] = total
    for k, (a, b) in enumerate(zip(y[0], x)):  # noqa: B905
        total += k * a - b
    out[5, i] = total
    for a, b, c in zip(x, range(3), (7, 8.5, 9, 10)):  # noqa: B905
        total += a * b + c
    out[6, i] = total
    for k, item in enumerate((5, 6)):
        total += k * item
    out[7, i] = total
    for row in y.T:
        total += row[i % 3]
    out[8, i] = total


def test_loops_over_arrays_enumerate_and_zip(device):
    check(device, loops_over_arrays, 7, numbers(7), numbers(3, 4), np.zeros((9, 7)))


@cl.kernel
def tuple_loops(x, out):
    i = cl.get_global_id(0)
    n = x.size
    for step, weight in ((-1, 2), (1, 3), (2, 0.5)):
        k = i + step
        if k < 0 or k >= n:
            continue
        out[0, i] += weight * x[k]
    for place, limit in enumerate((-10, 0, 10, 20)):
        if x[i] < limit:
            out[1, i] = place
            break
    else:
        out[1, i] = 100
    for a in (0, 1, 2):
        for b in (0, 1, 2):
            if a == b:
                continue
            if a * 3 + b > i:
                break
            out[2, i] += a * b + 1


def test_loops_over_tuples_are_left_early(device):
    check(device, tuple_loops, 17, numbers(17), np.zeros((3, 17)))


@cl.kernel
def private(x, out):
    i = cl.get_global_id(0)
    n = x.shape[1]
    buffer = cl.private_array((3, 8), np.float32)
    counts = cl.private_array(4, np.int32)
    for k in range(4):
        counts[k] = 0
    for a in range(3):
        for k in range(8):
            buffer[a, k] = 0
    for k in range(n):
        value = int(x[i, k])
        counts[value % 4] += 1
        buffer[k % 3, k % 8] += value / 3
    buffer[1] = buffer[0]
    total = 0.0
    for row in buffer:
        for value in row[::-1]:
            total = total * 0.5 + value
    out[0, i] = total
    out[1, i] = counts[0] * 1000 + counts[1] * 100 + counts[-1]
    out[2, i] = buffer.shape[1] + counts.size


@pytest.mark.parametrize("n", SIZES)
def test_private_arrays_belong_to_one_item(device, n):
    check(device, private, n, numbers(n, 11), np.zeros((3, n)))


@cl.kernel
def ids_1(out):
    i = cl.get_global_id(0)
    out[i] = i * 10 + cl.get_global_size(0)


@cl.kernel
def ids_2(out):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    out[i, j] = i * 1000 + j * 10 + cl.get_global_size(0) * cl.get_global_size(1)


@cl.kernel
def ids_3(out):
    i, j, k = cl.get_global_id(0), cl.get_global_id(1), cl.get_global_id(2)
    out[i, j, k] = (i * 100 + j) * 100 + k + cl.get_global_size(2) * 10**6


@pytest.mark.parametrize("shape", [*((n,) for n in SIZES), (1, 1), (3, 17), (17, 3), (7, 65), (1, 2, 3), (5, 1, 9)])
def test_index_spaces_of_one_to_three_axes(device, shape):
    kernel = (ids_1, ids_2, ids_3)[len(shape) - 1]
    check(device, kernel, shape, np.full(shape, -1))


@pytest.mark.parametrize("shape", ((0,), (0, 3), (3, 0), (2, 0, 2)))
def test_an_empty_index_space_runs_nothing(device, shape):
    kernel = (ids_1, ids_2, ids_3)[len(shape) - 1]
    check(device, kernel, shape, np.full((4,) * len(shape), -1))


@cl.kernel
def stencil(a, b):
    i, j = cl.get_global_id(0) + 1, cl.get_global_id(1) + 1
    b[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]) - a[i, j]


@cl.kernel
def matmul(a, b, c):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    acc = 0.0
    for k in range(a.shape[1]):
        acc += a[i, k] * b[k, j]
    c[i, j] = acc


@cl.kernel
def transpose(a, b):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    b[j, i] = a[i, j]


@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize("shape", ((3, 3), (7, 19), (18, 6)))
def test_kernels_over_matrices(device, dtype, shape):
    a = np.sin(numbers(*shape)).astype(dtype)
    check(device, stencil, (shape[0] - 2, shape[1] - 2), a, np.zeros_like(a))
    check(device, transpose, shape, a, np.zeros(shape[::-1], dtype))
    check(device, matmul, (shape[0], shape[0]), a, a.T.copy(), np.zeros((shape[0],) * 2, dtype))


@cl.kernel
def many_axes(x, out):
    i = cl.get_global_id(0)
    total = 0
    for a in range(x.shape[0]):
        for b in range(x.shape[2]):
            total = total * 7 % 1009 + x[a, i, b, -1, i % 2]
    out[i] = total + x[0, :, 0, 1, 1][i] + x[..., 0][1, i, 0, 0]


def test_arrays_of_five_axes(device):
    check(device, many_axes, 3, numbers(2, 3, 2, 2, 2), np.zeros(3, np.int64))
