"""Lists that are written down, changed item by item, and used where their length must be known."""

import numpy as np
import pytest


def kept_axis(a, axis):
    shape = list(a.shape)
    shape[axis] = 1
    return a.sum(axis).reshape(shape)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_shapes(run_both, axis):
    run_both(kept_axis, np.arange(6.0).reshape(2, 3), axis)


def differences(a):
    later = [slice(None)] * a.ndim
    later[0] = slice(1, None)
    earlier = [slice(None), slice(None)]
    earlier[0] = slice(None, -1)
    a[tuple(later)] -= 1
    return a[tuple(later)] - a[tuple(earlier)]


def test_slices(run_both):
    run_both(differences, np.arange(6.0).reshape(2, 3))


def resized(a):
    more = list(a.shape)
    more.append(2)
    more.insert(0, 1)
    fewer = list(a.shape)
    first = fewer.pop(0)
    last = list(a.shape)
    del last[-1]
    last.reverse()
    return np.zeros(more), np.ones(fewer), np.ones(last), first, fewer, last


def test_more_and_fewer_axes(run_both):
    run_both(resized, np.ones((2, 3)))


def by_paths(flag):
    items = [1, 2, 3]
    if flag:
        items[0] = 9
    else:
        items[1] = 8
    longer = [1, 2]
    if flag:
        longer.append(3)
    return items, longer


@pytest.mark.parametrize("flag", [True, False])
def test_changes_by_the_path(run_both, flag):
    run_both(by_paths, flag)


def at_any_position(at):
    items = [1.5, 2.5, 3.5]
    items[at] = 7.0
    counts = [1, 2, 3]
    counts[at] += 10
    counts[-1] *= 2
    return items, counts, sum(counts)


@pytest.mark.parametrize("at", [0, -1])
def test_positions_known_when_it_runs(run_both, at):
    run_both(at_any_position, at)


@pytest.mark.parametrize("at", [3, -4])
def test_positions_outside(run_both, at):
    run_both.raises(IndexError, at_any_position, at)


def of_several_types():
    items = [1, 2]
    items[0] = 1.5
    items.append(3)
    items.reverse()
    return items


def test_items_keep_their_types(run_both):
    run_both(of_several_types)


def held(items):
    return items, 1


def also_meant():
    first = [1, 2]
    other = first
    first[0] = 5
    passed = [1, 2]
    kept = held(passed)
    passed[0] = 6
    inside = [1, 2]
    pair = (inside, 3)
    inside[1] = 7
    later = [1, 2]
    read = lambda: later[0]
    later[0] = 8
    return first, other, passed, kept, inside, pair, read()


def test_other_names_see_the_change(run_both):
    run_both(also_meant)


def in_loops(n):
    items = [0, 0, 0]
    items[0] = 5
    for i in range(n):
        items[i % 3] += i
    rest = [1, 2, 3]
    total = 0
    while rest:
        total += rest.pop()
    return items, total


def test_changes_in_loops(run_both):
    run_both(in_loops, 5)


def of_lists():
    rows = [[1], [2]]
    rows[0] = [5, 6]
    rows[1].append(3)
    return rows


def test_lists_of_lists(run_both):
    run_both(of_lists)


def mixed(items, rows):
    items[0] = 0.5
    for row in rows:
        total = sum(row)
        for j in range(len(row)):
            row[j] = row[j] / total
    return items[0] + items[1]


def test_integers_among_the_arguments_get_floats_beside_them(run_both):
    run_both(mixed, [1, 2], [[1, 2], [3, 4]])


def made_twice_or_for_two(flag):
    a = b = [1, 2]
    a[0] = 5
    c = [0, 0]
    d = [1, 2]
    c = d
    c[0] = 9
    if flag:
        e = a
    else:
        e = d
    e[1] = 7
    return a, b, c, d, e


@pytest.mark.parametrize("flag", [True, False])
def test_lists_of_several_names(run_both, flag):
    run_both(made_twice_or_for_two, flag)


def changed_within_expressions():
    first = [1, 2, 3]
    first.insert(0, first.pop())
    second = [1, 2, 3]
    second.append(second.pop(0))
    third = [3, 1, 2]
    both = third + [third.pop()]
    fourth = [3, 1, 2]
    fourth[fourth.pop() - 1] = 10
    fifth = [3, 1, 2]
    return first, second, third, both, fourth, (fifth, fifth.pop())


def test_changes_within_expressions(run_both):
    run_both(changed_within_expressions)


def at_small_positions(at):
    items = [1, 2, 3]
    items[at] = 9
    items[at] += 7
    return items


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint64"])
def test_positions_of_any_integer_type(run_both, dtype):
    run_both(at_small_positions, np.dtype(dtype).type(1))
