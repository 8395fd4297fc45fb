"""Tuples, named tuples, lists used inside a function, comprehensions."""

import math
from collections import namedtuple

import numpy as np
import pytest

import colocate as cl

from .samples import numbers


def made(x, y):
    t = (x, y, x + y)
    return t, t[0], t[-1], len(t), t[1:], t + (1, 2), (x,) * 3


def test_tuples(run_both):
    run_both(made, 2, 3.5)


def unpacked(t):
    a, (b, c) = t
    return a + b * c, t[1][0]


def test_tuples_as_arguments(run_both):
    run_both(unpacked, (1, (2.5, 3)))


def arrays_in_tuples(t):
    a, b = t
    a += b
    return (a, b.sum()), t[0][0]


def test_arrays_in_tuples(run_both):
    run_both(arrays_in_tuples, (numbers(3, "float64"), numbers(3, "float64", seed=1)))


def over_tuple(t):
    total = 0.0
    for x in t:
        total += x
    for i, x in enumerate(t):
        total -= i * x
    return total


def test_loops_over_equal_parts(run_both):
    run_both(over_tuple, (1.5, 2.5, 3.5))


def over_mixed_tuple(t):
    total = 0.0
    for x in t:
        total += np.sum(x)
    return total


def test_loops_over_different_parts(run_both):
    run_both(over_mixed_tuple, (1, 2.5, numbers(3, "float64"), numbers((2, 2), "int32")))


def positions(t, i):
    return t[i], t[-1 - i]


@pytest.mark.parametrize("i", (0, 1, 2))
def test_positions_known_only_when_running(run_both, i):
    run_both(positions, (4, 5, 6), i)


def compared(s, t):
    return s == t, s != t, s < t, s <= t, 2 in s, 9 not in t


@pytest.mark.parametrize("t", ((1, 2, 3), (1, 3, 0), (0, 9, 9)), ids=str)
def test_comparisons(run_both, t):
    run_both(compared, (1, 2, 3), t)


def of_shape(a):
    rows, columns = a.shape
    return rows * 10 + columns, np.zeros(a.shape).size, a.shape[0], a.shape == (2, 3), a.shape[::-1], (rows, *a.shape)


def test_shapes_are_tuples(run_both):
    run_both(of_shape, numbers((2, 3), "float64"))


def swapped(x, y):
    for _ in range(3):
        x, y = y, x + y
    return x, y


def test_parallel_assignment(run_both):
    run_both(swapped, 0, 1)


Point = namedtuple("Point", "x y weight")


def named(p):
    return p.x + p[1] * p.weight, len(p), p.x


def test_named_tuples_as_arguments(run_both):
    run_both(named, Point(1.0, 2.0, 3))


def named_made(x):
    p = Point(x, y=x * 2, weight=1)
    q = Point(p.y, p.x, p.weight + 1)
    return p, q.weight


def test_named_tuples_made_inside(run_both):
    run_both(named_made, 1.5)


def named_with_arrays(p):
    p.x[0] = p.y.sum()
    return p.x * p.weight


def test_arrays_in_named_tuples(run_both):
    run_both(named_with_arrays, Point(numbers(3, "float64"), numbers(2, "float64"), 2.0))


def collected(n):
    values = []
    for i in range(n):
        if i % 3 != 0:
            values.append(i * 0.5)
    return np.array(values), len(values), values[0], values[-1]


def test_lists_of_numbers(run_both):
    run_both(collected, 10)


def changed(n):
    values = [0] * n
    for i in range(n):
        values[i] = i * i
    values[2] += 5
    values.append(7)
    last = values.pop()
    total = 0
    for v in values:
        total += v
    return total, last, sum(values), max(values), min(values), values


def test_lists_changed(run_both):
    run_both(changed, 5)


def list_methods():
    values = [3, 1, 2]
    values.extend([9, 8])
    values.insert(0, 7)
    values.reverse()
    values.sort()
    copy = values.copy()
    values.clear()
    return copy, len(values), copy.index(8), copy.count(9), 3 in copy, copy[1:3], copy[::-1]


def test_list_methods(run_both):
    run_both(list_methods)


def comprehensions(n):
    squares = [i * i for i in range(n)]
    even = [s for s in squares if s % 2 == 0]
    pairs = [i * 10 + j for i in range(3) for j in range(i)]
    return squares, even, pairs, sum([i * 0.5 for i in range(n)])


def test_comprehensions(run_both):
    run_both(comprehensions, 6)


def comprehension_of_array(a):
    return [x * 2 for x in a], np.array([x if x > 0 else -x for x in a]), sum([1 for x in a if x > 0])


def test_comprehensions_over_arrays(run_both):
    run_both(comprehension_of_array, numbers(6, "float64"))


def generator(a):
    return sum(x * x for x in a), max(abs(x) for x in a), any(x > 2 for x in a), all(x > -50 for x in a)


def test_generator_expressions_that_are_reduced(run_both):
    run_both(generator, numbers(9, "float64"))


def lists_of_arrays(a):
    parts = [a, a * 2, a[::-1]]
    total = np.zeros(len(a))
    for part in parts:
        total += part
    return total, np.concatenate(parts[:2]), len(parts)


def test_lists_of_arrays(run_both):
    run_both(lists_of_arrays, numbers(4, "float64"))


def list_argument(values):
    total = 0
    for v in values:
        total += v
    return total, len(values), values[0]


def test_lists_as_arguments(run_both):
    run_both(list_argument, [1, 2, 3])


def stack(n):
    todo, order = [1], []
    while len(todo) > 0:
        node = todo.pop()
        order.append(node)
        if 2 * node <= n:
            todo.append(2 * node)
        if 2 * node + 1 <= n:
            todo.append(2 * node + 1)
    return order


def test_a_list_as_a_stack(run_both):
    run_both(stack, 10)


def bubble(values):
    items = list(values)
    for i in range(len(items)):
        for j in range(len(items) - 1 - i):
            if items[j] > items[j + 1]:
                items[j], items[j + 1] = items[j + 1], items[j]
    return items


def test_list_of_a_tuple(run_both):
    run_both(bubble, (3, 1, 2, 9, 4))


def out_of_range(i):
    values = [1, 2, 3]
    return values[i]


def test_positions_outside_of_a_list_are_errors(run_both):
    run_both(out_of_range, -3)
    run_both.raises(IndexError, out_of_range, 3)


def empty_pop(n):
    values = [1]
    for _ in range(n):
        values.pop()
    return len(values)


def test_popping_from_an_empty_list_is_an_error(run_both):
    run_both(empty_pop, 1)
    run_both.raises(IndexError, empty_pop, 2)


def sorted_values(values):
    return sorted(values), sorted(values, reverse=True)


def test_sorted(run_both):
    run_both(sorted_values, [3, 1, 2])


def arrays_without_axes(numbers):
    found = []
    for x in numbers:
        found.append(np.array(x))
    return [np.array(x) for x in numbers], found, found[0] + 1


def test_lists_hold_arrays_without_axes(run_both):
    run_both(arrays_without_axes, [1, 2])


def tuples_of_arrays(a, b):
    both = tuple(x * 2 for x in (a, b))
    total = both[0] + both[1]
    b[0] = 7.0
    shifted = tuple(x[1:] for x in both)
    pairs = tuple((x, x.sum()) for x in (a, b))
    x = 3.0
    third = tuple([x + y for y in both])
    for k in range(2):
        total[k] += both[k][0]
    return both, total, shifted, pairs, third, x, len(third)


def arrays_by_a_star(a, b):
    rows = (a, b)
    stacked = np.stack(tuple(np.sqrt(row) for row in rows))
    largest = np.maximum(*(row - 1 for row in rows))
    least = np.minimum(*[row + 1 for row in rows])
    scalar = max(*(row[0] for row in rows))
    nothing = tuple(row for row in rows if row[0] > 100)
    return stacked, largest, least, scalar, len(nothing)


@pytest.mark.parametrize("program", [tuples_of_arrays, arrays_by_a_star])
def test_a_tuple_over_a_short_tuple_is_written_out(run_both, program):
    run_both(program, np.arange(1.0, 5.0), np.arange(4.0, 0.0, -1.0))


def a_tuple_that_changes_in_a_loop(a, b, n):
    pair = (a, b)
    for _ in range(n):
        pair = tuple(x + pair[0].sum() for x in pair)
    longer = tuple(x * 0.5 for x in pair + pair)
    return pair, longer


def test_a_tuple_of_arrays_is_replaced_in_a_loop(run_both):
    run_both(a_tuple_that_changes_in_a_loop, np.arange(3.0), np.ones(2), 3)


def over_moves(n):
    moves = [[1, 0, 1], [0, 1, 1], [1, 1, math.sqrt(2)]]
    grid = [[0.0] * n for _ in range(n)]
    x = y = 0
    for turn in range(n):
        for i in range(len(moves)):
            x, y = (x + moves[i][0]) % n, (y + moves[i][1]) % n
            grid[x][y] += moves[i][2] * turn
    return grid, x, y


def test_rows_of_a_table_have_columns_of_several_types(run_both):
    run_both(over_moves, 3)


def columns_of_results(n):
    found = []
    for i in range(n):
        found.append((0.5 * i, np.full(2, i), i))
    halves, arrays, counts = zip(*found)
    return np.array(halves), np.array(arrays), sum(counts), len(halves)


def test_rows_of_several_types_have_columns():
    for n in (3, 1):
        for expected, found in zip(columns_of_results(n), cl.jit(columns_of_results)(n), strict=True):
            np.testing.assert_array_equal(expected, found)
    with pytest.raises(ValueError, match="not enough values to unpack"):
        cl.jit(columns_of_results)(0)


def sum_from(items, start):
    return sum(items, start), sum(items, start=start)


def test_named_tuples_are_added_up_from_a_number(run_both):
    run_both(sum_from, Point(1, 2.5, 3), -50)
