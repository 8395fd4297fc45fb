"""Indices that are inside or outside: checked before a loop where its limits tell, and in the loop otherwise."""

import numpy as np
import pytest

import colocate as cl
from colocate import prange


def shifted(a, b):
    rows, columns = a.shape
    for i in prange(1, rows - 1):
        for j in range(1, columns - 1):
            b[i, j] = a[i, j - 1] + a[i, j + 1] + a[i + 1, j] + a[i - 1, j]
    return b


def wrapped(a):
    rows, columns = a.shape
    out = np.empty_like(a)
    for i in prange(rows):
        up = i - 1 if i > 0 else rows - 1
        for j in range(columns):
            right = j + 1 if j < columns - 1 else 0
            out[i, j] = a[up, j] + a[i, right]
    return out


def negative(a, b):
    for i in prange(len(a)):
        b[i] = a[i - len(a)]
    return b


def triangle(a, b):
    n = len(a)
    out = np.empty(n)
    for i in prange(n):
        total = 0.0
        for j in range(i, n):
            total += a[j] * b[n - 1 - j] + b[j - i]
        out[i] = total
    return out


def downwards(a, b):
    n = len(a)
    for i in range(n - 1, -1, -1):
        b[i] = a[i] + (b[i + 1] if i + 1 < n else 0.0)
    return b


def in_blocks(a, size):
    out = np.zeros_like(a)
    for block in prange(len(a) // size):
        for k in range(size):
            out[block * size + k] = a[block * size + k] * block
    return out


def histogram(values, counts):
    for i in range(len(values)):
        counts[values[i]] += 1
    return counts


def same_end(run_both, function, *arguments):
    """Both give the same, or both raise IndexError."""
    try:
        function(*(np.copy(one) for one in arguments))
    except IndexError:
        run_both.raises(IndexError, function, *arguments)
    else:
        run_both(function, *arguments)


def matrix(rows, columns):
    return np.arange(float(rows * columns)).reshape(rows, columns)


@pytest.mark.parametrize("shape", [(5, 6), (3, 3), (2, 2), (1, 7), (0, 0), (40, 33)])
def test_neighbours_are_inside(run_both, shape):
    run_both(shifted, matrix(*shape), np.zeros(shape))


@pytest.mark.parametrize("target", [(9, 9), (5, 6), (5, 5), (4, 6), (2, 2)])
def test_arrays_of_other_shapes_are_inside_or_raise(run_both, target):
    same_end(run_both, shifted, matrix(5, 6), np.zeros(target))


@pytest.mark.parametrize("shape", [(4, 5), (1, 1), (0, 3), (17, 9)])
def test_conditions_keep_indices_inside(run_both, shape):
    run_both(wrapped, matrix(*shape))


@pytest.mark.parametrize("lengths", [(6, 6), (6, 9), (6, 5), (0, 0)])
def test_negative_indices_count_from_the_end(run_both, lengths):
    same_end(run_both, negative, np.arange(float(lengths[0])), np.zeros(lengths[1]))


@pytest.mark.parametrize("length", [7, 8, 9])
def test_loops_that_count_down(run_both, length):
    same_end(run_both, downwards, np.arange(8.0), np.zeros(length))


@pytest.mark.parametrize("length", [7, 8, 9])
def test_loops_that_begin_at_the_turn(run_both, length):
    same_end(run_both, triangle, np.arange(8.0), np.arange(float(length)))


@pytest.mark.parametrize("size", [1, 3, 4, 5, 100])
def test_blocks(run_both, size):
    run_both(in_blocks, np.arange(12.0), size)


@pytest.mark.parametrize("bins", [5, 4, 3])
def test_what_is_loaded_is_checked_in_the_loop(run_both, bins):
    same_end(run_both, histogram, np.array([0, 3, -1, 2, 2]), np.zeros(bins, np.int64))


@pytest.mark.parametrize("function", [shifted, wrapped])
def test_loops_with_neighbours_are_regions(function):
    arguments = [matrix(8, 9), np.zeros((8, 9))][: function.__code__.co_argcount]
    assert cl.jit(function).explain_dict(*arguments)["regions"], function.__name__


def replaced(items, i):
    items[i] = items[0]
    return items


def taken_away(items, i):
    del items[i]
    return items


def looked_at(items, i):
    return items[i]


@pytest.mark.parametrize("function", [replaced, taken_away, looked_at])
@pytest.mark.parametrize("items", [[1, 2], [[1], [2]]])
def test_python_says_whether_an_item_of_a_list_is_read_or_replaced(function, items):
    with pytest.raises(IndexError) as pythons:
        function(items, 5)
    with pytest.raises(IndexError) as ours:
        cl.jit(function)(items, 5)
    assert str(ours.value) == str(pythons.value)
