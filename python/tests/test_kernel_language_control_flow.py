"""Control flow in kernels, per item: branches, loops, early exits, short circuits."""

import numpy as np
import pytest
from kernel_simulator import check

import colocate as cl

SIZES = (1, 3, 7, 8, 17, 65)
N = 65


def numbers(n=N):
    """Integers without a pattern that vectors could profit from."""
    return (np.arange(n, dtype=np.int64) * 37 + 11) % 64 - 20


@cl.kernel
def branches(x, out):
    i = cl.get_global_id(0)
    v = x[i]
    if v < -10:
        out[i] = 1
    elif v < 0:
        if v % 2:
            out[i] = 2
        else:
            out[i] = 3
    elif v == 0:
        pass
    else:
        w = v * 2
        if w > 50:
            w = 50
        out[i] = w


@pytest.mark.parametrize("n", SIZES)
def test_branches(device, n):
    check(device, branches, n, numbers(n), np.full(n, -1))


@cl.kernel
def collatz(x, steps, out):
    i = cl.get_global_id(0)
    n = abs(int(x[i])) + 1
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
        if count >= steps:
            break
    out[i] = count * 1000 + n


@pytest.mark.parametrize("n", SIZES)
def test_every_item_leaves_its_loop_when_its_own_condition_says_so(device, n):
    check(device, collatz, n, numbers(n), 50, np.zeros(n, np.int64))


@cl.kernel
def nested_loops(x, out):
    i = cl.get_global_id(0)
    total = 0
    for a in range(6):
        if a == x[i] % 6:
            continue
        for b in range(a, 12, 2):
            if b > 9:
                break
            if (a + b) % 3 == 0:
                continue
            c = b
            while c > 0:
                total += a * b + c
                c -= 3
                if total % 17 == 5:
                    break
            else:
                total += 1
        else:
            total += 1000
    out[i] = total


def test_break_continue_and_else_of_nested_loops(device):
    check(device, nested_loops, N, numbers(), np.zeros(N, np.int64))


@cl.kernel
def loop_else(x, out):
    i = cl.get_global_id(0)
    wanted = x[i]
    for k in range(10):
        if k * k == wanted:
            found = k
            break
    else:
        found = -1
    out[0, i] = found
    k = 0
    while k < 10:
        if k == wanted:
            break
        k += 1
    else:
        k = 99
    out[1, i] = k
    for _ in range(0):
        out[2, i] = 5
    else:
        out[2, i] += 7


def test_else_runs_unless_the_loop_was_broken(device):
    check(device, loop_else, N, numbers(), np.zeros((3, N), np.int64))


@cl.kernel
def ranges(x, out):
    i = cl.get_global_id(0)
    n = int(x[i])
    total = 0
    for k in range(n):
        total += k
    out[0, i] = total
    for k in range(3, n):
        total += k * k
    out[1, i] = total
    for k in range(n, -5, -3):
        total -= k
    out[2, i] = total
    for k in range(0, 20, n % 4 + 1):
        total += k
    out[3, i] = total
    step = -2 if n > 0 else 3
    for k in range(n, 8, step):
        total = total * 3 + k
        if total > 10**6:
            total %= 1000
    out[4, i] = total
    for k in range(5):
        k *= 2
        total += k
    out[5, i] = total + k
    last = -1
    for last in range(n):  # noqa: B007
        pass
    out[6, i] = last
    out[7, i] = len(range(3, 30, 4)) + len(range(n)) + len(range(10, n, -3))


def test_ranges_with_any_start_stop_and_step(device):
    check(device, ranges, N, numbers(), np.zeros((8, N), np.int64))


@cl.kernel
def early_return(x, out):
    i = cl.get_global_id(0)
    if x[i] < -10:
        return
    out[i] = 1
    for k in range(10):
        if k == x[i]:
            return
        out[i] += k
    if x[i] > 30:
        out[i] = -5
        return
    out[i] *= 2


def test_an_item_returns_early_and_the_others_go_on(device):
    check(device, early_return, N, numbers(), np.zeros(N, np.int64))


@cl.kernel
def conditions(x, y, out):
    i = cl.get_global_id(0)
    a, b = x[i], y[i]
    n = x.size
    out[0, i] = 0 < a < 10
    out[1, i] = a < b <= 20 != a
    out[2, i] = (a > 0 and b > 0) or (a < 0 and not b < 0)
    out[3, i] = 1 if a > b else 2 if a == b else 3
    # Only what is needed is evaluated: none of these reads out of range.
    out[4, i] = i + 1 < n and x[i + 1] > a
    out[5, i] = i == 0 or x[i - 1] < a
    out[6, i] = x[i + 5] if i + 5 < n else -1
    out[7, i] = i + 1 < n and i + 2 < n and x[i + 1] < x[i + 2] < 30
    # `and` and `or` give operands, not bools.
    out[8, i] = int(a) and int(b)
    out[9, i] = int(a) or int(b)
    out[10, i] = not a and not b
    out[11, i] = a in (1, 2, 3, b)
    out[12, i] = a not in (5, -7)
    out[13, i] = (a, b) == (b, a)
    out[14, i] = (a, 2) != (a, 2, 3)
    out[15, i] = 0 <= i < n if n > 3 else False
    out[16, i] = a if a > 0 else 0.5
    out[17, i] = not (a < b < 12)


def test_conditions_are_evaluated_only_as_far_as_needed(device):
    y = np.roll(numbers(), 3) % 30 - 8
    y[::6] = numbers()[::6]
    check(device, conditions, N, numbers(), y, np.zeros((18, N), np.float64))


@cl.kernel
def nan_conditions(x, out):
    i = cl.get_global_id(0)
    v = x[i]
    out[0, i] = v < 1.0
    out[1, i] = not v < 1.0
    out[2, i] = v != v
    out[3, i] = v == v
    out[4, i] = not (v >= 1.0 or v < 1.0)
    out[5, i] = 1 if v else 2
    out[6, i] = min(v, 1.0) == 1.0
    out[7, i] = -1.0 <= v <= 1.0
    out[8, i] = not (v > 0 and v > 1)


def test_comparisons_with_nan(device):
    x = np.array([np.nan, 0.0, -0.0, 1.0, -1.0, 5.0, np.inf, -np.inf, np.nan])
    check(device, nan_conditions, x.size, x, np.zeros((9, x.size), np.int8))


@cl.kernel
def walrus(x, out):
    i = cl.get_global_id(0)
    if (half := x[i] // 2) > 3:
        out[0, i] = half
    k = 0
    while (square := k * k) < 30:
        k += 1
    out[1, i] = square + k


def test_assignment_expressions(device):
    check(device, walrus, 9, numbers(9), np.zeros((2, 9), np.int64))


@cl.kernel
def triangle(x, out):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    total = 0.0
    for k in range(i + 1):
        for m in range(j, x.shape[1]):
            if x[k, m] < 0:
                continue
            total += x[k, m] * (k - m)
    out[i, j] = total


@pytest.mark.parametrize("shape", ((1, 1), (3, 7), (9, 17), (2, 33)))
def test_loops_whose_bounds_differ_between_items(device, shape):
    x = numbers(shape[0] * shape[1]).reshape(shape).astype(float)
    check(device, triangle, shape, x, np.zeros(shape))


@cl.kernel
def mandelbrot(out, limit):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    c = complex(-2 + 3 * j / out.shape[1], -1.5 + 3 * i / out.shape[0])
    z = 0j
    for n in range(limit):
        if z.real * z.real + z.imag * z.imag > 4.0:
            out[i, j] = n
            return
        z = z * z + c
    out[i, j] = -1


def test_mandelbrot(device):
    check(device, mandelbrot, (13, 21), np.zeros((13, 21), np.int32), 40)


@cl.kernel
def insertion_sort(x, out):
    i = cl.get_global_id(0)
    n = x.shape[1]
    row = cl.private_array(16, np.float32)
    for k in range(n):
        row[k] = x[i, k]
    for k in range(1, n):
        value = row[k]
        at = k - 1
        while at >= 0 and row[at] > value:
            row[at + 1] = row[at]
            at -= 1
        row[at + 1] = value
    for k in range(n):
        out[i, k] = row[k]


@pytest.mark.parametrize("n", (1, 7, 17))
def test_insertion_sort_in_a_private_array(device, n):
    x = ((np.arange(n * 16) * 7919) % 101).astype(np.float32).reshape(n, 16)
    check(device, insertion_sort, n, x, np.zeros_like(x))


@cl.kernel
def endless(x, out):
    i = cl.get_global_id(0)
    n = 0
    while True:
        n += 1
        if n * n > abs(int(x[i])):
            break
        if n % 2:
            continue
        n += 1
    out[i] = n


def test_while_true_with_break_and_continue(device):
    check(device, endless, N, numbers() * 5, np.zeros(N, np.int64))


@cl.kernel
def decided_while_compiling(x, out, flag):
    i = cl.get_global_id(0)
    if x.ndim == 2:
        out[i] = x[i, 0]
    else:
        out[i] = x[i]
    if flag is None:
        out[i] += 1
    else:
        out[i] += flag
    if x.dtype == np.int64:
        out[i] |= 64
    else:
        out[i] *= 0.5


@pytest.mark.parametrize("flag", (None, 5, 2.5))
def test_a_branch_that_the_types_decide_need_not_fit_otherwise(device, flag):
    out = np.zeros(5, np.int64) if flag != 2.5 else np.zeros(5)
    x = numbers(5)
    if flag == 2.5:
        x = x.astype(np.float32).reshape(5, 1)
    check(device, decided_while_compiling, 5, x, out, flag)
