"""The programs of the kernel benchmark as Numba loops, of which ``prange`` shares out the outer one.

``error_model="numpy"`` lets Numba vectorise divisions, which its default does not. Numba has no
atomics on the CPU: its histogram counts into bins of each thread, and adds them up at the end.
"""

import math
from types import SimpleNamespace

import numba
import numpy as np
from numba import prange

TILE = 16
BINS = 256

ZERO = np.float32(0)
ONE = np.float32(1)
SOFTENING = np.float32(1e-3)
CENTRE, SIDE = np.float32(0.5), np.float32(0.125)


def add(a, b, c):
    for i in prange(c.shape[0]):
        c[i] = a[i] + b[i]


def saxpy(factor, x, y):
    for i in prange(y.shape[0]):
        y[i] = factor * x[i] + y[i]


def black_scholes(price, strike, years, rate, volatility, call, put):
    for i in prange(price.shape[0]):
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
    for i in prange(c.shape[0]):
        for j in range(c.shape[1]):
            total = ZERO
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            c[i, j] = total


def matmul_tiled(a, b, c):
    for tile_row in prange(c.shape[0] // TILE):
        totals = np.empty((TILE, TILE), np.float32)
        row = tile_row * TILE
        for column in range(0, c.shape[1], TILE):
            totals[:] = ZERO
            for start in range(0, a.shape[1], TILE):
                for i in range(TILE):
                    for k in range(TILE):
                        factor = a[row + i, start + k]
                        for j in range(TILE):
                            totals[i, j] += factor * b[start + k, column + j]
            c[row : row + TILE, column : column + TILE] = totals


def nbody(x, y, z, mass, ax, ay, az):
    for i in prange(x.shape[0]):
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


def histogram(values, bins):
    threads = numba.get_num_threads()
    # A row more than the bins keeps the threads' cache lines apart.
    counts = np.zeros((threads, BINS + 16), np.int32)
    share = (values.shape[0] + threads - 1) // threads
    for thread in prange(threads):
        mine = counts[thread]
        for k in range(thread * share, min((thread + 1) * share, values.shape[0])):
            mine[values[k]] += 1
    for k in range(BINS):
        bins[k] = counts[:, k].sum()


def stencil(a, b):
    for i in prange(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            b[i, j] = CENTRE * a[i, j] + SIDE * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])


def mandelbrot(steps, limit):
    for i in prange(steps.shape[0]):
        y0 = -1.25 + 2.5 * i / steps.shape[0]
        for j in range(steps.shape[1]):
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
    histogram,
    stencil,
    mandelbrot,
)


def compiled(fastmath=False):
    """All programs, to be compiled at their first call."""
    compiler = numba.njit(parallel=True, fastmath=fastmath, error_model="numpy")
    return SimpleNamespace(**{one.__name__: compiler(one) for one in PROGRAMS})
