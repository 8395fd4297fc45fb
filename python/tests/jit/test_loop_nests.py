"""Parallel loops with a loop inside whose turns are items of their own, and those where they must not be."""

import numpy as np
import pytest

import colocate as cl

from .samples import LAYOUTS, numbers


def escape_times(xs, ys, limit):
    turns = np.zeros((len(ys), len(xs)), np.int64)
    for i in cl.prange(len(ys)):
        y0 = ys[i]
        for j in range(len(xs)):
            x, y, t = 0.0, 0.0, 0
            while t < limit and x * x + y * y <= 4.0:
                x, y = x * x - y * y + xs[j], 2.0 * x * y + y0
                t += 1
            turns[i, j] = t
    return turns


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (1, 1), (7, 40), (40, 7), (3, 100)], ids=str)
def test_items_with_loops_of_their_own(run_both, shape):
    run_both(escape_times, np.linspace(-2, 0.5, shape[1]), np.linspace(-1.25, 1.25, shape[0]), 30)


def products(a, b):
    out = np.empty((a.shape[0], b.shape[1]))
    for i in cl.prange(a.shape[0]):
        for j in range(b.shape[1]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[k, j]
            out[i, j] = total
    return out


@pytest.mark.parametrize("layout", LAYOUTS)
def test_products_of_matrices(run_both, layout):
    a, b = LAYOUTS[layout](numbers((9, 12), "float64")), LAYOUTS[layout](numbers((12, 20), "float64", seed=1))
    if a.shape[1] == b.shape[0]:
        run_both(products, a, b)


def borders(a, weights):
    rows, columns = a.shape
    out = np.zeros_like(a)
    for i in cl.prange(1, rows - 1):
        for j in range(1, columns - 1):
            for p in range(-1, 2):
                for q in range(-1, 2):
                    out[i, j] += a[i + p, j + q] * weights[p + 1, q + 1]
    return out


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (2, 9), (17, 33)], ids=str)
def test_windows(run_both, shape):
    run_both(borders, numbers(shape, "float64"), numbers((3, 3), "float64", seed=1))


def flat(a, rows, columns):
    out = np.zeros(rows * columns)
    for i in cl.prange(rows):
        for j in range(columns):
            s = 0.0
            for k in range(j + 1):
                s += a[k] * i
            out[i * columns + j] = s
    return out


def test_elements_counted_in_rows(run_both):
    run_both(flat, numbers(30, "float64"), 8, 30)


def carried(a):
    out = np.zeros_like(a)
    for i in cl.prange(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            for k in range(3):
                s += a[i, j] * k
            out[i, j] = s
    return out


def neighbours(a):
    for i in cl.prange(a.shape[0]):
        for j in range(1, a.shape[1]):
            for _ in range(2):
                a[i, j] += a[i, j - 1]
    return a


def row_sums(a):
    sums = np.zeros(a.shape[0])
    for i in cl.prange(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(2):
                sums[i] += a[i, j] * k
    return sums


def total(a):
    s, most = 0.0, 0
    for i in cl.prange(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(i, j):
                s += a[i, j]
                most = max(most, k)
    return s, most


def first_large(a, limit):
    found = np.full(a.shape[0], -1)
    for i in cl.prange(a.shape[0]):
        for j in range(a.shape[1]):
            t = 0.0
            for k in range(j):
                t += abs(a[i, k])
            if t > limit:
                found[i] = j
                break
    return found


def skipped(a):
    out = np.zeros_like(a)
    for i in cl.prange(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] < 0:
                continue
            n = 0
            while n < 5 and a[i, j] > n:
                n += 1
            out[i, j] = n
    return out


def triangle(a):
    out = np.zeros_like(a)
    for i in cl.prange(a.shape[0]):
        for j in range(i):
            for k in range(j):
                out[i, j] += a[i, k]
    return out


def with_a_counter_before(a):
    out = np.zeros_like(a)
    for i in cl.prange(a.shape[0]):
        last = a.shape[1] - 1
        for j in range(last):
            for k in range(2):
                out[i, j] += a[i, last] * k
    return out


@pytest.mark.parametrize(
    "program",
    [carried, neighbours, row_sums, total, skipped, triangle, with_a_counter_before],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("shape", [(1, 1), (6, 9), (20, 70)], ids=str)
def test_what_inner_turns_share(run_both, program, shape):
    run_both(program, numbers(shape, "float64"))


def test_inner_loops_that_are_left(run_both):
    run_both(first_large, numbers((12, 40), "float64"), 9.0)


def outside(a, columns):
    out = np.zeros_like(a)
    for i in cl.prange(a.shape[0]):
        edge = a[i, columns]
        for j in range(columns):
            for k in range(2):
                out[i, j] += edge * k
    return out


@pytest.mark.parametrize("columns", (0, 3))
def test_what_may_be_raised_before_the_inner_loop(run_both, columns):
    run_both(outside, numbers((3, 4), "float64"), columns)


@pytest.mark.parametrize("columns", (4, 5))
def test_what_is_raised_before_the_inner_loop(run_both, columns):
    run_both.raises(IndexError, outside, numbers((3, 4), "float64"), columns)


def drawn(n, m):
    out = np.zeros((n, m))
    for i in cl.prange(n):
        for j in range(m):
            for _ in range(2):
                out[i, j] += np.random.random()
    return out


def test_turns_draw_different_numbers():
    numbers_ = cl.jit(drawn)(20, 30)
    assert np.unique(numbers_).size == 600 and 0.8 < numbers_.mean() < 1.2


def test_an_inner_loop_becomes_an_axis():
    plan = cl.jit(escape_times).explain_dict(np.linspace(-2, 0.5, 8), np.linspace(-1, 1, 6), 10)
    assert [one["extents"] for one in plan["launches"]] == [[6, 8]]


def through_another_view(a):
    b = a.reshape(-1)
    for i in cl.prange(a.shape[0]):
        for j in range(1, a.shape[1]):
            for k in range(2):
                a[i, j] = b[i * a.shape[1] + j - 1] + k
    return a


def from_the_left(a, b):
    for i in cl.prange(a.shape[0]):
        for j in range(1, a.shape[1]):
            t = 0.0
            for k in range(2):
                t += k
            a[i, j] = b[i, j - 1] + t
    return a


def test_arrays_that_overlap(run_both):
    a = numbers((30, 70), "float64")
    run_both(through_another_view, a)
    run_both(from_the_left, a, a)
    run_both(from_the_left, a[:, 1:], a[:, :-1])
    run_both(from_the_left, a, a.copy())


def overlapping_with_failures(a, b, limit):
    count = 0
    for i in cl.prange(a.shape[0]):
        for j in range(1, a.shape[1]):
            if a[i, j] > 1.5:
                continue
            for k in range(2):
                a[i, j] = b[i, j - 1] + k
            if a[i, j] > limit:
                raise ValueError("too large")
            count += 1
    return a, count


def test_overlapping_arrays_with_reductions_and_failures(run_both):
    a = numbers((30, 20), "float64")
    run_both(overlapping_with_failures, a, a, 1e9)
    run_both.raises(ValueError, overlapping_with_failures, a, a, 5.0)


def turned_over(a, c):
    m = c.shape[0]
    for i in cl.prange(m):
        for j in range(m):
            for _ in range(1):
                a[i * m + j] = a[j * m + i]
    return a


def test_blocks_of_different_counters_meet(run_both):
    run_both(turned_over, np.arange(900.0), np.zeros(30))


def sometimes_bound(a, flag, n):
    if flag:
        m = 3
    for i in cl.prange(n):
        for j in range(m):
            for k in range(3):
                a[i, j] += k
    return a


def test_bounds_that_nobody_asks_for(run_both):
    run_both(sometimes_bound, numbers((3, 4), "float64"), False, 0)
    run_both(sometimes_bound, numbers((3, 4), "float64"), True, 2)
