"""Lists of arrays, lists and tuples: made, changed, shared, compared, given and returned."""

import bisect
import heapq
from collections import namedtuple

import numpy as np
import pytest

import colocate as cl

from .samples import numbers


def of_arrays(x, n):
    found = []
    for i in range(n):
        found.append(x * i)
    found[0][1] = 7.0
    found.insert(1, x)
    last = found.pop()
    return found, last, len(found)


def test_lists_of_arrays(run_both):
    run_both(of_arrays, numbers(4, "float64"), 3)


def written_through(x, i):
    parts = [x[:2], x[2:]]
    for part in parts:
        part += 1
    parts[i][0] = 9
    return parts[i - 1].sum(), x


@pytest.mark.parametrize("i", (0, 1))
def test_items_are_the_arrays_themselves(run_both, i):
    run_both(written_through, numbers(5, "int64"), i)


def joined(x, n):
    parts = [x + i for i in range(n)]
    return np.concatenate(parts), np.stack(parts), np.vstack(parts), np.array(parts), sum(parts)


def test_lists_of_arrays_are_joined(run_both):
    run_both(joined, numbers(3, "float64"), 4)


def rows_made(n):
    rows = []
    for i in range(n):
        row = []
        for j in range(i):
            row.append(i * j)
        rows.append(row)
        row.append(-1)
    rows[n - 1][0] = 50
    rows[0].extend([1, 2])
    return rows, len(rows[2]), sum([len(row) for row in rows])


def test_lists_of_lists(run_both):
    run_both(rows_made, 4)


def table(n, m):
    grid = [[0] * m for _ in range(n)]
    for i in range(n):
        for j in range(m):
            grid[i][j] += i * j
    grid[1][1:] = [7, 8, 9]
    return grid, np.array(grid[:1]), [[2.5 * v for v in row] for row in grid]


def test_tables(run_both):
    run_both(table, 3, 4)


def same_row(n):
    row = [0] * n
    grid = [row] * 2
    grid[0][0] = 5
    row.append(6)
    other = grid[1]
    other.append(7)
    return grid, row


def test_two_places_hold_one_list(run_both):
    run_both(same_row, 3)


def deeper(n):
    boxes = [[[i + j + k for k in range(2)] for j in range(n)] for i in range(n)]
    boxes[0][1].append(100)
    return boxes, np.array(boxes[1])


def test_lists_of_lists_of_lists(run_both):
    run_both(deeper, 3)


def of_tuples(n):
    pairs = []
    for i in range(n):
        pairs.append((i % 3, i * 0.5))
    pairs.append((9, 1.5))
    total = 0.0
    for a, b in pairs:
        total += a * b
    pairs.sort()
    back = sorted(pairs, key=lambda p: p[1], reverse=True)
    return pairs, back, total, (9, 1.5) in pairs, pairs.index((9, 1.5)), max(pairs), min(pairs)


def test_lists_of_tuples(run_both):
    run_both(of_tuples, 5)


def mixed_tuples(x, n):
    found = []
    for i in range(n):
        found.append((i, x * i, [i, i + 1]))
    found[0][2].append(5)
    found[1][1][0] = 3.5
    k, a, items = found[-1]
    return found, k + a.sum() + items[0]


def test_tuples_of_everything(run_both):
    run_both(mixed_tuples, numbers(3, "float64"), 3)


def swapped(n):
    a = [1]
    b = [2, 3]
    for i in range(n):
        a, b = b, a
        a.append(i)
    return a, b


@pytest.mark.parametrize("n", (0, 1, 2, 5))
def test_names_swap_lists(run_both, n):
    run_both(swapped, n)


def kept_from_a_turn(n):
    first = [0]
    previous = [0]
    total = 0
    for i in range(n):
        current = [i, i + 1]
        current.append(i * i)
        if i == 1:
            first = current
        total += previous[0] + len(previous)
        previous = current
    return first, previous, total


@pytest.mark.parametrize("n", (1, 2, 4))
def test_lists_of_other_turns(run_both, n):
    run_both(kept_from_a_turn, n)


def either_list(n):
    if n > 2:
        found = [1, 2]
    else:
        found = [n]
    found.append(9)
    return found


@pytest.mark.parametrize("n", (1, 3))
def test_lists_that_depend_on_the_path(run_both, n):
    run_both(either_list, n)


def maybe_list(n):
    found = None
    if n > 1:
        found = [1.5, n]
    if found is None:
        return 0.0
    return found[0]


@pytest.mark.parametrize("n", (1, 3))
def test_lists_or_none(run_both, n):
    run_both(maybe_list, n)


def cut(n):
    items = list(range(10))
    del items[0]
    del items[n:5]
    items[1:2] = [40, 50, 60]
    items[::2] = [0] * len(items[::2])
    del items[::3]
    m = [[1], [2], [3], [4]]
    del m[1]
    m[0:1] = [[7], [8]]
    del m[-1:]
    return items, m


@pytest.mark.parametrize("n", (2, 4))
def test_parts_are_assigned_and_deleted(run_both, n):
    run_both(cut, n)


def wrong_step(n):
    items = [1, 2, 3, 4]
    items[::2] = [0] * n
    return items


def test_parts_with_a_step_keep_their_size(run_both):
    run_both(wrong_step, 2)
    run_both.raises(ValueError, wrong_step, 3)


def ordered(a, b):
    return a < b, a <= b, a > b, a >= b, a == b, a != b


@pytest.mark.parametrize("b", ([1, 2], [1, 2, 3], [1, 3], [0], [], [1.0, 2.0, 3.5], [[1]]), ids=str)
def test_comparisons(run_both, b):
    if b and isinstance(b[0], list):
        run_both(ordered, [[1], [2]], b)
    else:
        run_both(ordered, [1, 2, 3], b)


def sorts(items):
    by = sorted(items, key=lambda v: -v)
    items.sort(reverse=True)
    return by, sorted(items, reverse=True), min(items, key=lambda v: abs(v - 3)), max(items, key=lambda v: v % 4)


def test_sorting(run_both):
    run_both(sorts, [3, 1, 4, 1, 5, 9, 2, 6])


def heaps(values, n):
    heap = []
    for v in values:
        heapq.heappush(heap, v)
    found = []
    for _ in range(n):
        found.append(heapq.heappop(heap))
    found.append(heapq.heappushpop(heap, 3))
    found.append(heapq.heapreplace(heap, 2))
    other = values[:]
    heapq.heapify(other)
    return heap, found, other, heapq.nlargest(3, values), heapq.nsmallest(2, values)


def test_heaps(run_both):
    run_both(heaps, [5, 3, 8, 1, 9, 2, 7], 3)


def queue(edges, n):
    best = [1e9] * n
    best[0] = 0.0
    heap = [(0.0, 0)]
    while len(heap) > 0:
        d, u = heapq.heappop(heap)
        if d > best[u]:
            continue
        for a, b, w in edges:
            if a == u and d + w < best[b]:
                best[b] = d + w
                heapq.heappush(heap, (best[b], b))
    return best


def test_shortest_paths(run_both):
    run_both(queue, [(0, 1, 2.0), (0, 2, 5.0), (1, 2, 1.0), (2, 3, 1.5)], 4)


def searched(items, v):
    bisect.insort(items, v)
    return items, bisect.bisect_left(items, v), bisect.bisect(items, v), bisect.bisect_right(items, v, 1, 3)


@pytest.mark.parametrize("v", (0, 3, 9))
def test_bisection(run_both, v):
    run_both(searched, [1, 3, 3, 5], v)


def given_rows(rows):
    total = 0
    for row in rows:
        for v in row:
            total += v
    return total, rows[0], len(rows)


def test_lists_of_lists_as_arguments(run_both):
    run_both(given_rows, [[1, 2], [], [3]])


def changed_rows(rows):
    rows[0].append(10)
    rows.append([5])
    rows[1] = [7, 8]
    return rows[0]


def test_changes_reach_the_caller(run_both):
    run_both(changed_rows, [[1, 2], [3]])


def test_the_caller_gets_its_own_lists_back():
    rows = [[1], [2]]
    inner = rows[1]
    result = cl.jit(lambda rows: rows[1])(rows)
    assert result is inner

    def add(rows):
        rows[1].append(3)

    cl.jit(add)(rows)
    assert rows[1] is inner
    assert inner == [2, 3]


def given_pairs(pairs):
    total = 0.0
    for name, weight in pairs:
        total += name * weight
    pairs.append((4, 0.5))
    return total, pairs


def test_lists_of_tuples_as_arguments(run_both):
    run_both(given_pairs, [(1, 2.5), (3, 1.0)])


def parts_of(x, n):
    parts = np.split(x, n)
    total = 0.0
    for part in parts:
        total += part[0]
    a = np.array_split(x, 5)
    return parts, a, total, len(a)


@pytest.mark.parametrize("n", (2, 3))
def test_split_gives_lists(run_both, n):
    run_both(parts_of, numbers(12, "float64"), n)


def grows_while_gone_over(n):
    items = [1, 2, 3]
    for v in items:
        if len(items) < n:
            items.append(v * 10)
    m = [5, 6, 7, 8]
    seen = []
    for v in m:
        seen.append(v)
        m.pop()
    return items, m, seen


def test_lists_that_change_while_gone_over(run_both):
    run_both(grows_while_gone_over, 6)


def perhaps(values, n):
    found = []
    for i in range(n):
        if values[i] > 1:
            found.append(values[i])
        else:
            found.append(None)
    slots = [None] * n
    slots[0] = 5
    missing = 0
    for one in found:
        if one is None:
            missing += 1
    return found, slots, missing, found[0] is None


def test_lists_of_numbers_or_none(run_both):
    run_both(perhaps, [0.5, 1.5, 2.5], 3)


def as_arrays(rows, x):
    x[0] = rows[1]
    x[1, :2] = [7, 8]
    x[2] += rows[0]
    return x, np.array((rows[0], rows[1])), np.sum(rows), np.float64(rows), x @ rows[0]


def test_lists_as_arrays(run_both):
    run_both(as_arrays, [[1.0, 2.0], [3.0, 4.0]], numbers((3, 2), "float64"))


def truths(n):
    return [i > 1 for i in range(n)], [bool(i) for i in range(n)], [[False] * n, [True]]


def never_equal(n):
    items = [1, n]
    return [1, n] == (1, n), items == (1, 2), (1, 2) != items, [1, 2] in [[1, 2], [3]], [n] in [[1, 2]]


def test_lists_are_no_tuples(run_both):
    run_both(never_equal, 2)


def test_lists_of_truth_values(run_both):
    run_both(truths, 3)


def stepped(n, step):
    items = list(range(8))
    items[1:5:step] = [100] * n
    return items


def test_steps_known_only_when_running(run_both):
    run_both(stepped, 7, 1)
    run_both(stepped, 2, 2)
    run_both.raises(ValueError, stepped, 3, 2)


def several_kinds(items):
    b = [1, 2]
    b.extend(items)
    return b


def filled_with_several_kinds(n):
    items = []
    for i in range(n):
        items.append(i)
        items.append(i * 0.5)
    items[0] = 1j
    return items, len(items)


def test_lists_of_several_kinds_of_numbers_leave_as_they_are(run_both):
    for items in ([0.5], [2], [1j, 2j]):
        run_both(several_kinds, items)
        found = run_both.jit(several_kinds)(items)
        assert [type(item) for item in found] == [type(item) for item in several_kinds(items)]
    run_both(filled_with_several_kinds, 3)


def outside(items, i):
    return items[i]


@pytest.mark.parametrize("i", (-3, 2))
def test_positions_outside(run_both, i):
    run_both.raises(IndexError, outside, [[1], [2]], i)


def emptied(items):
    items.pop()
    items.pop()
    return items


def test_nothing_to_take(run_both):
    run_both.raises(IndexError, emptied, [[1]])


def helper(items, value):
    items.append(value)
    return items


def through_functions(n):
    a = helper([], n)
    b = helper([], n * 0.5)
    c = helper([[1]], [n])
    return a, b, c


def test_functions_make_lists_of_what_they_are_given(run_both):
    run_both(through_functions, 3)


def starred(a, n):
    items = [0, *a, *range(n)]
    first, second = items[0], [*items]
    return items, first, second


def test_lists_in_lists_with_a_star(run_both):
    run_both(starred, [4, 5], 2)


def mixed():
    items = [1]
    items.append(np.ones(2))
    return items


def test_items_of_two_types_are_refused():
    with pytest.raises(cl.CompileError, match="of one type"):
        cl.jit(mixed)()


def test_sums_of_arrays_are_items(run_both):
    def summed(a):
        return [sum(a[i] * k for i in range(len(a))) for k in range(3)]

    run_both(summed, np.arange(6.0).reshape(3, 2))


def nearest(data, wanted):
    found = []
    for value in wanted:
        best = 1e9
        vector = data[0].tolist()
        for row in data:
            distance = np.sqrt(np.sum((row - value) ** 2))
            if distance < best:
                best = distance
                vector = row.tolist()
        found.append([vector, best])
    return found, len(found), found[0][1], found[-1][0]


def numbered(n):
    return [[[i, i + 1], i / 2] for i in range(n)]


def made_in_two_places(n):
    found = [[[1, 2], 0.5]]
    for i in range(n):
        found.append([[i], 1.5 * i])
    found[0][0].append(3)
    return found


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (nearest, (np.arange(12.0).reshape(4, 3), np.ones((2, 3)))),
        (numbered, (3,)),
        (made_in_two_places, (2,)),
    ],
)
def test_lists_of_written_lists_whose_items_are_of_several_types(run_both, function, arguments):
    run_both(function, *arguments)


def changed_inside(n):
    found = []
    for i in range(n):
        found.append([[i], 1.5])
    found[0].append([7])
    return found


def test_written_lists_of_several_types_that_change_are_pythons(run_both):
    run_both(changed_inside, 2)


def changed_twice(a, b):
    a.append(1)
    b[0] = 5
    return a, b, len(b), a is None


def changed_inside_twice(a, b):
    a[0].append(1)
    return b


def test_a_list_that_is_given_twice(run_both):
    numbers_of, lists = [1, 2], [[1], [2]]
    expected, actual = [1, 2], [1, 2]
    assert changed_twice(expected, expected) == run_both.jit(changed_twice)(actual, actual)
    assert expected == actual
    run_both(changed_twice, numbers_of, [3])
    same = run_both.jit(changed_inside_twice)(lists, lists)
    assert same == lists == [[1, 1], [2]]


class Item:
    pass


def items(n):
    return [Item() for _ in range(n)]


def lists_without_items(n):
    pairs, words = [(1, 2)], ["x"]
    if n:
        pairs.pop()
        words.pop()
    made = items(n)
    return (
        (pairs == [], pairs != [], [] == pairs, pairs <= [], pairs > []),
        (made == [], made != []),
        (pairs == words, pairs != words, pairs == [(1, 2, 3)]),
    )


@pytest.mark.parametrize("n", [0, 1])
def test_a_list_without_items_equals_another_whatever_they_would_hold(run_both, n):
    run_both(lists_without_items, n)


def the_same_row(n):
    row = [n, 2]
    rows = [row] * 3
    rows.append([n, 2])
    return rows, row


def two_names(n):
    a = []
    b = a
    for i in range(n):
        b.append(i)
    return a, b, a[:]


def put_twice(given):
    row = [1, 2]
    given.append(row)
    given.append(row)
    return row


class TestResults:
    def test_a_list_that_is_there_several_times_is_one_list(self):
        rows, row = cl.jit(the_same_row)(5)
        assert rows == [[5, 2]] * 4 and rows[0] is rows[2] and rows[3] is not rows[0] and row == [5, 2]
        a, b, c = cl.jit(two_names)(3)
        assert a is b and c == a and c is not a

    def test_so_is_one_in_a_list_of_the_caller(self):
        given = [[0]]
        row = cl.jit(put_twice)(given)
        assert given == [[0], [1, 2], [1, 2]] and given[1] is given[2] and row == [1, 2]


def shrunk(x, turns):
    simplex = [[x, 1.0]]
    for i in range(2):
        simplex.append([x + i, float(5 - i)])
    for _ in range(turns):
        simplex.sort(key=lambda pair: pair[1])
        if simplex[0][1] > 2:
            simplex[-1] = [x, 1.0]
        else:
            smaller = []
            for pair in simplex:
                smaller.append([pair[0] * 2, pair[0].sum()])
            simplex = smaller
    return simplex


def test_lists_of_pairs_that_are_written_down_in_several_places(run_both):
    run_both(shrunk, np.array([1.75, 0.5]), 3)


Entry = namedtuple("Entry", "number names")


def named_entries(n):
    entries = []
    for i in range(n):
        entries.append(Entry(i, [str(i), "x"]))
    entries[0].names.append("y")
    return [entry.names for entry in entries], entries[-1].number


def test_named_tuples_with_lists_of_texts(run_both):
    run_both(named_entries, 3)
