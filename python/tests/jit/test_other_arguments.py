"""Lists, slices and ellipses as arguments."""

import numpy as np
import pytest


def total(items):
    result = 0
    for item in items:
        result += item
    return result, len(items), items[-1]


@pytest.mark.parametrize("items", ([1, 2, 3], [0.5, 1.5], [1, 2.5], [True, False]), ids=str)
def test_lists_of_numbers(run_both, items):
    run_both(total, items)


def stacked(items):
    return np.stack(items)


def test_lists_of_arrays(run_both):
    run_both(stacked, [np.arange(3), np.arange(3, 6)])


def part(x, index):
    return x[index]


@pytest.mark.parametrize(
    "index", (slice(1, 3), slice(None, None, -1), slice(-2, None), ..., (slice(0, 2), 1), (..., 0)), ids=str
)
def test_slices_and_ellipses(run_both, index):
    run_both(part, np.arange(12.0).reshape(4, 3), index)


def every(x, start, stop, step):
    return x[start:stop:step]


@pytest.mark.parametrize("step", (1, 2, 5, -1, -3))
@pytest.mark.parametrize("bounds", ((0, 10), (8, 1), (-20, 20), (20, -20)), ids=str)
def test_steps_that_are_computed(run_both, bounds, step):
    run_both(every, np.arange(10), *bounds, step)


def kept(x, n):
    rows = slice(1, n)
    rest = ...
    return x[rows, rest]


def test_slices_are_kept_in_variables(run_both):
    run_both(kept, np.arange(12.0).reshape(4, 3), 3)


def found_in_range(numbers, x):
    if len(numbers) == 0:
        return False
    middle = len(numbers) // 2
    if numbers[middle] == x:
        return True
    if x < numbers[middle]:
        return found_in_range(numbers[:middle], x)
    return found_in_range(numbers[middle + 1 :], x)


@pytest.mark.parametrize("x", [3, 13])
def test_functions_that_call_themselves_take_ranges(run_both, x):
    run_both(found_in_range, range(10), x)
