"""Reductions over one index space: one region, whatever becomes of their results in between."""

import numpy as np
import pytest

import colocate as cl

from .samples import numbers


def regions(function, *arguments):
    plan = cl.jit(function).explain_dict(*arguments)
    return [one["what"] for one in plan["regions"]]


def statistics(a):
    low = a.min()
    high = a.max()
    mean = a.mean()
    square = np.sum(a * a)
    if high == low:
        return low, high, mean, 0.0
    return low, high, mean, square / a.size - mean * mean


def several_arrays(a, b):
    first = a.sum()
    other = b.sum()
    second = (a * 2).max()
    last = b.min()
    return first + other, second * last


def one_needs_the_other(a):
    mean = a.sum() / a.size
    spread = np.sum((a - mean) ** 2)
    return mean, spread, a.max()


def changed_in_between(a):
    before = a.sum()
    a[0] = 100.0
    after = a.sum()
    return before, after


def changed_through_a_view(a):
    b = a[1:]
    before = a.sum()
    b += 1
    after = a.sum()
    return before, after


def printed_in_between(a):
    first = a.sum()
    print(first)
    return first, a.max()


def in_a_loop(a, n):
    total = 0.0
    for i in range(n):
        total += a.sum() * i
        total -= a.max()
    return total


def in_branches(a, flag):
    s = a.sum()
    if flag:
        s = a.max() + a.min()
    return s, a.min()


def variables_used_again(a):
    s = a.sum()
    t = s
    s = a.max()
    t += s
    s = a.min()
    return s, t


def truths(a):
    return np.any(a > 0), np.all(a > -10), np.count_nonzero(a > 0.5), np.sum(a[a > 0])


def parallel_loops(a):
    s, m = 0.0, -1e300
    for i in cl.prange(len(a)):
        s += a[i]
    for i in cl.prange(len(a)):
        m = max(m, a[i])
    return s, m


PROGRAMS = [
    statistics,
    one_needs_the_other,
    changed_in_between,
    changed_through_a_view,
    printed_in_between,
    variables_used_again,
    truths,
    parallel_loops,
]


@pytest.mark.parametrize("n", (1, 5, 1000, 200_003))
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_results_are_those_of_one_after_the_other(run_both, program, n):
    run_both(program, numbers(n, "float64"))


@pytest.mark.parametrize("dtype", ("int32", "uint8", "float32", "complex64"))
def test_dtypes(run_both, dtype):
    a = numbers(100, dtype)
    run_both(variables_used_again if dtype != "complex64" else several_sums, a)


def several_sums(a):
    return a.sum(), (a * a).sum(), np.mean(a)


def test_planes(run_both):
    run_both(several_arrays, numbers((7, 9), "float64"), numbers((3, 4), "float64"))
    run_both(statistics, numbers((7, 9), "float64").T)
    run_both(in_branches, numbers(50, "float64"), True)
    run_both(in_branches, numbers(50, "float64"), False)
    run_both(in_a_loop, numbers(50, "float64"), 4)


def test_an_empty_array_is_said_to_be_one(run_both):
    run_both.raises(ValueError, statistics, np.empty(0))


def test_one_pass():
    assert regions(statistics, numbers(50, "float64")) == ["minimum, maximum, sum, sum"]
    assert regions(several_arrays, numbers(50, "float64"), numbers(9, "float64")) == ["sum, maximum", "sum, minimum"]
    assert regions(parallel_loops, numbers(50, "float64")) == ["prange loop"]


def test_passes_that_are_needed():
    assert regions(one_needs_the_other, numbers(50, "float64")) == ["sum", "sum, maximum"]
    assert len(regions(changed_in_between, numbers(50, "float64"))) == 2
    assert len(regions(printed_in_between, numbers(50, "float64"))) == 2
