"""Small lists that loops make, copy and change, and lists of lists that they read and write item by item."""

import numpy as np
import pytest

import colocate as cl


def parts_replaced(p, m, one):
    seen = []
    for i in range(m):
        q = p[:]
        q[1:3] = [one * i]
        q[:1] = p[::-1]
        seen.extend(q)
        q[len(q) :] = q
        q[2:2] = q[1:4]
        q[::2] = [one * (7 + k) for k in range(len(q[::2]))]
        q[::-1] = q[:]
        seen += q[-6:]
        del q[1:4], q[-1:], q[5:2]
        seen += q
    return seen


def test_parts_of_lists_are_replaced_and_taken_out(run_both):
    run_both(parts_replaced, [5, 2, 8, 1], 3, 1)
    run_both(parts_replaced, [0.5, 2.0, -0.0, 1.0], 2, 1.0)


def parts_by_a_step(p, step, new):
    p[::step] = new
    return p


@pytest.mark.parametrize("step", (1, 2, -1, -2))
def test_parts_at_a_distance_take_as_many_items(run_both, step):
    for new in ([8, 9], [6, 7, 8, 9]):
        if step == 1 or len(new) == 4 // abs(step):
            run_both(parts_by_a_step, [1, 2, 3, 4], step, new)
        else:
            wanted, raised = run_both.raises(ValueError, parts_by_a_step, [1, 2, 3, 4], step, new)
            assert str(raised) == str(wanted)


def turned(n):
    found = []
    for i in range(n):
        p = list(range(i))
        p.reverse()
        found.append(p + [i] + p * 2)
        found[-1].reverse()
    return found


def test_lists_are_turned_around(run_both):
    run_both(turned, 5)


def grown_by_itself(p):
    for _ in range(4):
        p += p
        p.extend(p[1:2])
    return len(p), p


def test_a_list_grows_by_its_own_items(run_both):
    run_both(grown_by_itself, [1, 2, 3])


def sorted_both_ways(p):
    up, down = sorted(p), sorted(p, reverse=True)
    p.sort(reverse=len(p) > 3)
    return up, down, p, [str(x) for x in up], [str(x) for x in down]


@pytest.mark.parametrize(
    "numbers", ([3, 1, 2, 1], [0.0, -0.0, 1.5, -0.0, 0.0, -2.0], [True, False, True], [], [2**62, -(2**63), 0])
)
def test_numbers_are_sorted_and_equal_ones_stay_in_order(run_both, numbers):
    run_both(sorted_both_ways, numbers)


def sorted_many(n):
    p = [(i * 7919) % 10007 - 5000 for i in range(n)]
    q = p[:]
    q.sort()
    rows = [p, q]
    rows[0].sort()
    return q, rows[0] == q, rows[0] < p[::-1], sorted(p, reverse=True)[:5]


def test_long_lists_are_sorted(run_both):
    run_both(sorted_many, 10_000)


def compared(p, q):
    return p == q, p != q, p < q, p <= q, p > q, p >= q, max(p), min(q), p[:1] == q[:1]


@pytest.mark.parametrize("other", ([1, 2, 3], [1, 2], [1, 2, 4, 0], [0], [1.0, 2.0, 3.0], [1.5]))
def test_lists_of_numbers_are_compared(run_both, other):
    run_both(compared, [1, 2, 3], other)


def extremes(p):
    return max(p), min(p), max(p + [0.5]), min(p[::-1])


def test_what_is_no_number_is_the_greatest_only_where_it_comes_first(run_both):
    run_both(extremes, [1.5, float("nan"), -2.0])
    run_both(extremes, [float("nan"), 1.0, -2.0])


def copies(p, m):
    total = 0
    for i in range(m):
        q, r, s = p[:], [0] * len(p), p + [i]
        q.reverse()
        q[:2] = [1, i]
        q.sort()
        total += q[0] + r[0] + s[-1] + max(sorted(q))
    return total


def test_lists_of_later_turns_take_the_memory_of_the_first():
    compiled = cl.jit(copies)
    numbers = list(range(20))
    few, many = (compiled.explain_dict(numbers, m)["allocations"] for m in (10, 1000))
    assert few == many
    assert compiled(numbers, 10) == copies(numbers, 10)


def product(a, b):
    n = len(a)
    c = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += a[i][k] * b[k][j]
            c[i][j] = total
    return c


def test_rows_are_read_and_written_item_by_item(run_both):
    a = [[float(i * j % 7) for j in range(6)] for i in range(6)]
    run_both(product, a, [[x + 1 for x in row] for row in a])


def buckets(numbers, n):
    found = [[] for _ in range(n)]
    for i, x in enumerate(numbers):
        found[x % n].append(i)
        found[0].append(x)
    return found, [len(row) for row in found]


def test_rows_get_longer_one_item_at_a_time(run_both):
    run_both(buckets, list(range(100)), 7)


def pairs_changed(pairs, k):
    total = 0.0
    for i, (a, b) in enumerate(pairs):
        total += a * b
        if a == k:
            pairs[i] = (a + 1, -b)
    return total, pairs[k]


def test_tuples_in_lists_are_read_and_replaced(run_both):
    run_both(pairs_changed, [(i, 0.5 * i) for i in range(10)], 3)


KINDS = {
    "bools": ([True, False], [False, True, True]),
    "complex": ([1 + 2j, 3.5 + 0j], [-1j]),
    "float32": ([np.float32(1.5), np.float32(-2)], [np.float32(0.25)]),
    "int8": ([np.int8(-5), np.int8(7)], [np.int8(1)]),
    "empty": ([1, 2], [], [3]),
}


def swapped(rows):
    first = rows[0][0]
    rows[0][0] = rows[-1][-1]
    rows[-1][-1] = first
    rows[1:1] = [rows[0][:1]]
    return rows, [x for row in rows for x in row], [(x, len(row)) for row in rows for x in row[:1]]


@pytest.mark.parametrize("kind", KINDS)
def test_rows_hold_numbers_of_any_kind(run_both, kind):
    run_both(swapped, list(KINDS[kind]))


def words_of_tuples(rows):
    found = [rows[-1]]
    for a, b, c in rows:
        found.append((a, b, c))
    found[0] = found[1]
    return found


@pytest.mark.parametrize(
    "row", ((True, 1.5, 2), (1 + 2j, 2, 3), (np.float32(1.5), np.int16(-3), np.uint8(200)), (1, 2**62, -1.5))
)
def test_parts_of_tuples_are_numbers_of_any_kind(run_both, row):
    run_both(words_of_tuples, [row, row, row])


def shared_rows(rows):
    kept = [rows[1]]
    kept[0][0] = 70
    kept.append(rows[0])
    rows[0].append(5)
    kept[1][-1] += 1
    return kept, rows[2], len(kept[1])


def test_a_row_is_the_same_list_wherever_it_is_held():
    rows = [[1, 2], [3, 4], [5, 6]]
    first, second, third = rows
    kept, last, count = cl.jit(shared_rows)(rows)
    assert rows == [[1, 2, 6], [70, 4], [5, 6]] and count == 3
    assert rows[0] is first is kept[1] and rows[1] is second is kept[0] and rows[2] is third is last


def both_written(a, b, n):
    a[0][0] = 5
    b.append([7] * n)
    seen = a[0][0] + b[0][0] + len(a)
    return seen, a[-1] == b[-1]


def test_a_list_of_lists_that_is_given_twice_is_one():
    rows = [[1, 2], [3]]
    assert cl.jit(both_written)(rows, rows, 2) == (13, True)
    assert rows == [[5, 2], [3], [7, 7]]
    rows, others = [[1, 2], [3]], [[4]]
    assert cl.jit(both_written)(rows, others, 2) == (11, False)
    assert (rows, others) == ([[5, 2], [3]], [[4], [7, 7]])


def one_row_changed(rows, at):
    rows[at][0] = 9
    return rows


def test_rows_that_did_not_change_keep_their_items():
    large = 10**6 + 7
    rows = [[large, 2], [3, 4]]
    item = rows[0][0]
    assert cl.jit(one_row_changed)(rows, 1) is rows
    assert rows == [[large, 2], [9, 4]]
    assert rows[0][0] is item


def read(rows):
    return len(rows), sum([len(row) for row in rows])


def test_lists_of_other_things_are_no_lists_of_numbers(run_both):
    run_both(read, [[1, 2], [3, 1.5]])
    run_both(read, [[1, 2], [3, "text"]])
    with pytest.raises((cl.CompileError, OverflowError)):
        cl.jit(read)([[1, 2], [3, 2**70]])


class Bag:
    def __init__(self):
        self.items = [1, 2, 3]

    def put(self, x):
        self.items.append(x)

    def shorten(self):
        while len(self.items) > 1:
            self.items.pop()


def grown_by_a_method(bag):
    found = []
    for x in bag.items:
        found.append(x)
        if len(found) < 6:
            bag.put(x)
    return found, bag.items


def shortened_by_a_method(n):
    bag = Bag()
    for x in range(n):
        bag.put(x)
    found = []
    for x in bag.items:
        found.append(x)
        bag.shorten()
    return found


def grown_behind_a_generator(items):
    def doubled(these):
        for x in these:
            yield x * 2

    found = []
    for x in doubled(items):
        found.append(x)
        if len(items) < 6:
            items.append(x)
    return found


def grown_behind_an_expression(items):
    doubled = (x * 2 for x in items)
    found = []
    for x in doubled:
        found.append(x)
        if len(items) < 6:
            items.append(x)
    return found


def sorted_while_it_grows(items):
    def key(x):
        items.append(x)
        return -x

    try:
        items.sort(key=key)
    except ValueError as e:
        return str(e)
    return "sorted"


class TestChangesElsewhere:
    def test_by_methods_of_objects_are_seen_by_the_loop(self, run_both):
        assert cl.jit(grown_by_a_method)(Bag()) == grown_by_a_method(Bag())
        run_both(shortened_by_a_method, 100)

    def test_behind_generators_are_seen(self, run_both):
        run_both(grown_behind_a_generator, [1, 2, 3])
        run_both(grown_behind_an_expression, [1, 2, 3])

    def test_by_the_key_of_a_sort_raise(self):
        assert cl.jit(sorted_while_it_grows)([3, 1, 2]) == "list modified during sort"
