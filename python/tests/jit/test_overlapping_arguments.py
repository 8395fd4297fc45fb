"""Loops over arrays that share memory: what holds for arrays that are apart must not be used for them."""

import numpy as np
import pytest

import colocate as cl

from .samples import numbers

SHIFTS = (-3, -1, 0, 1, 3, 8, 50)


def moved(to, from_):
    for i in cl.prange(to.shape[0]):
        for j in range(to.shape[1]):
            to[i, j] = from_[i, j] + 1.0
    return to


def in_a_row(row, other):
    for _ in cl.prange(1):
        for j in range(len(row)):
            row[j] = other[j] * 0.5 + 1.0
    return row


def rows(by):
    """Two parts of one array, one that many elements further."""
    whole = np.arange(200.0)
    return whole[60 + by : 130 + by], whole[60:130]


@pytest.mark.parametrize("by", SHIFTS)
def test_a_row_that_is_shifted(run_both, by):
    run_both(in_a_row, *rows(by))


def grids():
    grid = np.arange(600.0).reshape(20, 30)
    yield "apart", (grid.copy(), np.ones((20, 30)))
    yield "the same", (grid, grid)
    whole = np.arange(1200.0)
    yield "between one another", (whole[::2].reshape(20, 30), whole[1::2].reshape(20, 30))


@pytest.mark.parametrize("arguments", [pytest.param(pair, id=name) for name, pair in grids()])
def test_grids(run_both, arguments):
    run_both(moved, *arguments)


def test_the_same_function_with_and_without_overlap():
    call = cl.jit(in_a_row)
    for by in SHIFTS + SHIFTS:
        np.testing.assert_array_equal(call(*rows(by)), in_a_row(*rows(by)))


def made_and_turned_around(a):
    b = a * 2
    b[::-1] = b + 1
    c = a + 1
    c[:] = c[::-1] * 3
    d = a - 1
    d[1:] = d[:-1] + d[1:]
    e = a * a
    e[:] = e * 2
    return b, c, d, e


@pytest.mark.parametrize("n", (1, 8, 1000, 100_001))
def test_new_arrays_that_are_changed_by_themselves(run_both, n):
    run_both(made_and_turned_around, numbers(n, "float64"))
