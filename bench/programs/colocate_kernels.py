"""The programs of the kernel benchmark as colocate kernels: what one item does.

They are plain functions here, because they are compiled twice; usually ``@colocate.kernel`` stands
above each. Single precision stays single: constants are ``float32`` as well.
"""

import math
from types import SimpleNamespace

import numpy as np

import colocate as cl

TILE = 16
BINS = 256

ZERO = np.float32(0)
ONE = np.float32(1)
SOFTENING = np.float32(1e-3)
CENTRE, SIDE = np.float32(0.5), np.float32(0.125)


def add(a, b, c):
    i = cl.get_global_id(0)
    c[i] = a[i] + b[i]


def saxpy(factor, x, y):
    i = cl.get_global_id(0)
    y[i] = factor * x[i] + y[i]


def black_scholes(price, strike, years, rate, volatility, call, put):
    i = cl.get_global_id(0)
    p, s, t = price[i], strike[i], years[i]
    spread = t * volatility * volatility * 2
    middle = np.log(p / s) + rate * t
    scale = 1 / np.sqrt(spread)
    first = 0.5 + 0.5 * math.erf((middle + 0.25 * spread) * scale)
    second = 0.5 + 0.5 * math.erf((middle - 0.25 * spread) * scale)
    paid = np.exp(-rate * t) * s
    value = p * first - paid * second
    call[i] = value
    put[i] = value - p + paid


def matmul_naive(a, b, c):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    total = ZERO
    for k in range(a.shape[1]):
        total += a[i, k] * b[k, j]
    c[i, j] = total


def matmul_tiled(a, b, c):
    row, column = cl.get_global_id(0), cl.get_global_id(1)
    i, j = cl.get_local_id(0), cl.get_local_id(1)
    left = cl.local_array((TILE, TILE), np.float32)
    right = cl.local_array((TILE, TILE), np.float32)
    total = ZERO
    for start in range(0, a.shape[1], TILE):
        left[i, j] = a[row, start + j]
        right[i, j] = b[start + i, column]
        cl.barrier()
        for k in range(TILE):
            total += left[i, k] * right[k, j]
        cl.barrier()
    c[row, column] = total


def nbody(x, y, z, mass, ax, ay, az):
    i = cl.get_global_id(0)
    xi, yi, zi = x[i], y[i], z[i]
    sx, sy, sz = ZERO, ZERO, ZERO
    for j in range(x.shape[0]):
        dx, dy, dz = x[j] - xi, y[j] - yi, z[j] - zi
        inverse = ONE / np.sqrt(dx * dx + dy * dy + dz * dz + SOFTENING)
        pull = mass[j] * inverse * inverse * inverse
        sx += dx * pull
        sy += dy * pull
        sz += dz * pull
    ax[i], ay[i], az[i] = sx, sy, sz


def histogram_global(values, bins):
    cl.atomic.add(bins, values[cl.get_global_id(0)], 1)


def histogram_local(values, bins):
    mine = cl.local_array(BINS, np.int32)
    item, items = cl.get_local_id(0), cl.get_local_size(0)
    for k in range(item, BINS, items):
        mine[k] = 0
    cl.barrier()
    share = (values.shape[0] + cl.get_num_groups(0) - 1) // cl.get_num_groups(0)
    start = cl.get_group_id(0) * share
    for k in range(start + item, min(start + share, values.shape[0]), items):
        cl.atomic.add(mine, values[k], 1)
    cl.barrier()
    for k in range(item, BINS, items):
        cl.atomic.add(bins, k, mine[k])


def stencil(a, b):
    i, j = cl.get_global_id(0) + 1, cl.get_global_id(1) + 1
    b[i, j] = CENTRE * a[i, j] + SIDE * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])


def mandelbrot(steps, limit):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    y0 = -1.25 + 2.5 * i / steps.shape[0]
    x0 = -2.0 + 2.5 * j / steps.shape[1]
    x, y, k = 0.0, 0.0, 0
    while k < limit and x * x + y * y <= 4.0:
        x, y = x * x - y * y + x0, 2.0 * x * y + y0
        k += 1
    steps[i, j] = k


PROGRAMS = (
    add,
    saxpy,
    black_scholes,
    matmul_naive,
    matmul_tiled,
    nbody,
    histogram_global,
    histogram_local,
    stencil,
    mandelbrot,
)


def compiled(fastmath=False):
    """All programs as kernels."""
    return SimpleNamespace(**{one.__name__: cl.kernel(fastmath=fastmath)(one) for one in PROGRAMS})
