"""The programs of the jit benchmark, each as whole-array expressions and as loops, in plain Python over NumPy."""

import math

import numpy as np

from colocate import prange

BINS = 256


def normal(x):
    k = 1 / (1 + 0.2316419 * np.abs(x))
    poly = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail = np.exp(-0.5 * x * x) * 0.3989422804014327 * poly
    return np.where(x >= 0, 1 - tail, tail)


def black_scholes_arrays(price, strike, years, rate, volatility):
    root = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + 0.5 * volatility * volatility) * years) / root
    d2 = d1 - root
    discounted = strike * np.exp(-rate * years)
    call = price * normal(d1) - discounted * normal(d2)
    return call, call - price + discounted


def normal_number(x):
    k = 1 / (1 + 0.2316419 * abs(x))
    poly = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail = math.exp(-0.5 * x * x) * 0.3989422804014327 * poly
    return 1 - tail if x >= 0 else tail


def black_scholes_loops(price, strike, years, rate, volatility):
    call, put = np.empty_like(price), np.empty_like(price)
    for i in prange(len(price)):
        root = volatility * math.sqrt(years[i])
        d1 = (math.log(price[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * years[i]) / root
        d2 = d1 - root
        discounted = strike[i] * math.exp(-rate * years[i])
        call[i] = price[i] * normal_number(d1) - discounted * normal_number(d2)
        put[i] = call[i] - price[i] + discounted
    return call, put


def pairwise_arrays(a, b):
    return np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2))


def pairwise_loops(a, b):
    out = np.empty((a.shape[0], b.shape[0]))
    for i in prange(a.shape[0]):
        for j in range(b.shape[0]):
            t = 0.0
            for k in range(a.shape[1]):
                d = a[i, k] - b[j, k]
                t += d * d
            out[i, j] = math.sqrt(t)
    return out


def k_means_arrays(points, centres):
    squares = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    nearest = np.argmin(squares, axis=1)
    sums = np.zeros_like(centres)
    counts = np.bincount(nearest, minlength=centres.shape[0])
    for c in range(centres.shape[0]):
        sums[c] = points[nearest == c].sum(axis=0)
    return sums / np.maximum(counts, 1)[:, None]


def k_means_loops(points, centres):
    n, k, axes = points.shape[0], centres.shape[0], points.shape[1]
    nearest = np.empty(n, np.int64)
    for i in prange(n):
        best, least = 0, 1e300
        for c in range(k):
            d = 0.0
            for axis in range(axes):
                d += (points[i, axis] - centres[c, axis]) ** 2
            if d < least:
                best, least = c, d
        nearest[i] = best
    sums, counts = np.zeros((k, axes)), np.zeros(k)
    for i in range(n):
        counts[nearest[i]] += 1
        for axis in range(axes):
            sums[nearest[i], axis] += points[i, axis]
    for c in range(k):
        for axis in range(axes):
            sums[c, axis] /= max(counts[c], 1.0)
    return sums


def jacobi_arrays(a, b, steps):
    for _ in range(steps):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])
    return a


def jacobi_loops(a, b, steps):
    rows, columns = a.shape
    for _ in range(steps):
        for i in prange(1, rows - 1):
            for j in range(1, columns - 1):
                b[i, j] = 0.2 * (a[i, j] + a[i, j - 1] + a[i, j + 1] + a[i + 1, j] + a[i - 1, j])
        for i in prange(1, rows - 1):
            for j in range(1, columns - 1):
                a[i, j] = 0.2 * (b[i, j] + b[i, j - 1] + b[i, j + 1] + b[i + 1, j] + b[i - 1, j])
    return a


def heat_arrays(a, b, steps):
    for _ in range(steps):
        b[1:-1, 1:-1, 1:-1] = (
            0.125 * (a[2:, 1:-1, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[:-2, 1:-1, 1:-1])
            + 0.125 * (a[1:-1, 2:, 1:-1] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, :-2, 1:-1])
            + 0.125 * (a[1:-1, 1:-1, 2:] - 2.0 * a[1:-1, 1:-1, 1:-1] + a[1:-1, 1:-1, :-2])
            + a[1:-1, 1:-1, 1:-1]
        )
        a, b = b, a
    return a


def heat_loops(a, b, steps):
    n, m, k = a.shape
    for _ in range(steps):
        for x in prange(1, n - 1):
            for y in range(1, m - 1):
                for z in range(1, k - 1):
                    centre = a[x, y, z]
                    b[x, y, z] = (
                        0.125 * (a[x + 1, y, z] - 2.0 * centre + a[x - 1, y, z])
                        + 0.125 * (a[x, y + 1, z] - 2.0 * centre + a[x, y - 1, z])
                        + 0.125 * (a[x, y, z + 1] - 2.0 * centre + a[x, y, z - 1])
                        + centre
                    )
        a, b = b, a
    return a


def n_body_arrays(x, y, z, mass):
    dx, dy, dz = x[None, :] - x[:, None], y[None, :] - y[:, None], z[None, :] - z[:, None]
    square = dx * dx + dy * dy + dz * dz + 1e-4
    pull = mass[None, :] / (square * np.sqrt(square))
    return (dx * pull).sum(axis=1), (dy * pull).sum(axis=1), (dz * pull).sum(axis=1)


def n_body_loops(x, y, z, mass):
    n = len(x)
    ax, ay, az = np.empty(n), np.empty(n), np.empty(n)
    for i in prange(n):
        sx, sy, sz = 0.0, 0.0, 0.0
        for j in range(n):
            dx, dy, dz = x[j] - x[i], y[j] - y[i], z[j] - z[i]
            square = dx * dx + dy * dy + dz * dz + 1e-4
            pull = mass[j] / (square * math.sqrt(square))
            sx += dx * pull
            sy += dy * pull
            sz += dz * pull
        ax[i], ay[i], az[i] = sx, sy, sz
    return ax, ay, az


def mandelbrot_arrays(xs, ys, limit):
    c = xs[None, :] + 1j * ys[:, None]
    z = np.zeros_like(c)
    turns = np.zeros(c.shape, np.int64)
    for _ in range(limit):
        inside = z.real * z.real + z.imag * z.imag <= 4.0
        z = np.where(inside, z * z + c, z)
        turns = turns + inside
    return turns


def mandelbrot_loops(xs, ys, limit):
    turns = np.zeros((len(ys), len(xs)), np.int64)
    for i in prange(len(ys)):
        for j in range(len(xs)):
            x, y, t = 0.0, 0.0, 0
            while t < limit and x * x + y * y <= 4.0:
                x, y = x * x - y * y + xs[j], 2.0 * x * y + ys[i]
                t += 1
            turns[i, j] = t
    return turns


def softmax_arrays(a):
    e = np.exp(a - np.max(a, axis=1, keepdims=True))
    return e / np.sum(e, axis=1, keepdims=True)


def softmax_loops(a):
    out = np.empty_like(a)
    for i in prange(a.shape[0]):
        largest = a[i, 0]
        for j in range(a.shape[1]):
            largest = max(largest, a[i, j])
        total = 0.0
        for j in range(a.shape[1]):
            e = math.exp(a[i, j] - largest)
            out[i, j] = e
            total += e
        for j in range(a.shape[1]):
            out[i, j] /= total
    return out


def convolution_arrays(picture, kernel):
    rows, columns = picture.shape[0] - kernel.shape[0] + 1, picture.shape[1] - kernel.shape[1] + 1
    out = np.zeros((rows, columns))
    for p in range(kernel.shape[0]):
        for q in range(kernel.shape[1]):
            out += picture[p : p + rows, q : q + columns] * kernel[p, q]
    return out


def convolution_loops(picture, kernel):
    rows, columns = picture.shape[0] - kernel.shape[0] + 1, picture.shape[1] - kernel.shape[1] + 1
    out = np.empty((rows, columns))
    for i in prange(rows):
        for j in range(columns):
            t = 0.0
            for p in range(kernel.shape[0]):
                for q in range(kernel.shape[1]):
                    t += picture[i + p, j + q] * kernel[p, q]
            out[i, j] = t
    return out


def histogram_arrays(values):
    return np.bincount(values, minlength=BINS)


def histogram_loops(values):
    counts = np.zeros(BINS, np.int64)
    for i in prange(len(values)):
        counts[values[i]] += 1
    return counts


def histogram_in_parts(values):
    """What is right in Numba, where two turns must not add to the same element."""
    parts = 8
    counts = np.zeros((parts, BINS), np.int64)
    for part in prange(parts):
        for i in range(part * len(values) // parts, (part + 1) * len(values) // parts):
            counts[part, values[i]] += 1
    return counts.sum(axis=0)


def pi_arrays(n):
    x, y = np.random.random(n), np.random.random(n)
    return 4.0 * np.sum(x * x + y * y < 1.0) / n


def pi_loops(n):
    inside = 0
    for _ in prange(n):
        x, y = np.random.random(), np.random.random()
        if x * x + y * y < 1.0:
            inside += 1
    return 4.0 * inside / n


def chain_arrays(a, b, c, d):
    return a @ b @ c @ d


def conditions_arrays(a, b):
    return np.sum(a[a > 0.5]), np.sum(np.where(a > b, a - b, 0.0)), np.sum((a > 0.2) & (b < 0.8)), np.max(a * b)


def conditions_loops(a, b):
    large, excess, count, product = 0.0, 0.0, 0, 0.0
    for i in prange(len(a)):
        if a[i] > 0.5:
            large += a[i]
        if a[i] > b[i]:
            excess += a[i] - b[i]
        if a[i] > 0.2 and b[i] < 0.8:
            count += 1
        product = max(product, a[i] * b[i])
    return large, excess, count, product


def boundary_arrays(a):
    return 0.5 * a + 0.125 * (np.roll(a, 1, 0) + np.roll(a, -1, 0) + np.roll(a, 1, 1) + np.roll(a, -1, 1))


def boundary_loops(a):
    rows, columns = a.shape
    out = np.empty_like(a)
    for i in prange(rows):
        up = i - 1 if i > 0 else rows - 1
        down = i + 1 if i < rows - 1 else 0
        for j in range(columns):
            left = j - 1 if j > 0 else columns - 1
            right = j + 1 if j < columns - 1 else 0
            out[i, j] = 0.5 * a[i, j] + 0.125 * (a[up, j] + a[down, j] + a[i, left] + a[i, right])
    return out


def prefix_arrays(a, b):
    return np.cumsum(a * b)


def prefix_loops(a, b):
    out = np.empty_like(a)
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
        out[i] = total
    return out


def scalar_loops(n):
    total, x = 0, 0.5
    for i in range(n):
        total += i * i % 7
        x = 0.999 * x + 1e-6 * i
    return total, x


def add_three(a, b, c):
    return a[0] + b[0] + c[0]
