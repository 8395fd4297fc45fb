"""Types found out late: of containers read before they are filled, and of variables that a loop changes."""

import collections
import heapq

import numpy as np
import pytest

import colocate as cl

from .samples import numbers


def zeros_like_all(n):
    made = []
    for i in range(n):
        made.append(np.zeros(i + 1))
    return [np.zeros_like(one) for one in made]


def rearranged(x):
    kept = [x.copy()]
    for i in range(2):
        kept.append(x + i)
    for _ in range(2):
        kept = [kept[i] for i in [2, 1, 0]]
    return kept


def repeated_last(runs):
    out = []
    for count, text in runs:
        for _ in range(count):
            out.append(out[-1])
        out.append(text)
    return out


def two_stacks(tokens):
    out, stack = [], []
    for token in tokens:
        while stack and stack[-1] != "(":
            out.append(stack.pop())
        if token == "(":
            stack.append(token)
        else:
            out.append(token)
    return out


def lower_hull(points):
    ordered = sorted([(x, y) for x, y in points])
    hull = []
    for point in ordered:
        while len(hull) > 1 and hull[-1][1] > point[1]:
            hull.pop()
        hull.append(point)
    return hull


def growing_lists(n):
    lists = [[1, 2]]
    while len(lists) < n:
        lists = [one + [1] for one in lists] + [[3]]
    return lists


def de_casteljau(points, t):
    left = [point for point in points]
    while len(left) > 1:
        left = [a + t * (b - a) for a, b in zip(left[:-1], left[1:])]  # noqa: RUF007
    return left[0]


def shortest_path(grid, start, goal):
    height, width = grid.shape
    waiting = [(0, start)]
    cost = {start: 0}
    came = {}
    while waiting:
        _, here = heapq.heappop(waiting)
        if here == goal:
            path = [here]
            while here in came:
                here = came[here]
                path.append(here)
            return path[::-1]
        for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            there = (here[0] + dy, here[1] + dx)
            if 0 <= there[0] < height and 0 <= there[1] < width and grid[there] == 0:
                total = cost[here] + 1
                if total < cost.get(there, 1000):
                    cost[there] = total
                    came[there] = here
                    heapq.heappush(waiting, (total + abs(there[0] - goal[0]) + abs(there[1] - goal[1]), there))
    return None


def by_keys_from_a_list(n):
    keys = [(i % 3, i) for i in range(n)]
    return sorted(range(n), key=lambda i: keys[i])


def read_and_never_filled(n):
    empty = {}
    items = []
    if n > 100:
        items.append(empty[n] + items[0])
    return len(items)


def test_containers_that_are_read_before_they_are_filled(run_both):
    run_both(zeros_like_all, 3)
    run_both(rearranged, numbers(4, "float32"))
    run_both(repeated_last, [(0, "a"), (2, "b")])
    run_both(two_stacks, ["(", "a", "b"])
    run_both(lower_hull, [(1, 2), (0, 3), (2, 1), (5, 5)])
    run_both(growing_lists, 4)
    run_both(de_casteljau, numbers(6, "float64").reshape(3, 2), 0.25)
    run_both(shortest_path, np.zeros((3, 4), np.int64), (0, 0), (2, 3))
    run_both(by_keys_from_a_list, 6)
    run_both(read_and_never_filled, 5)


def halved(a, n):
    for _ in range(n):
        a = a / 2
    return a


def powers(x, n):
    total = 0
    for k in range(n):
        total = total + x**k
    return total


def horner(x, coefficients):
    value = 0.0
    for c in coefficients:
        value = value * x + c
    return value


def product_of_rows(a):
    product = 1
    for row in a:
        product *= row
    return product


def turned(psi):
    for _ in range(3):
        psi = np.fft.fft(psi * 1j)
    return psi


def halved_while(a, limit):
    while a.sum() > limit:
        a = a / 2
    return a


def inner_sums(a):
    out = np.zeros(a.shape)
    for i in range(a.shape[0]):
        total = 0
        for j in range(a.shape[0]):
            total = total + a[j] * i
        out[i] = total
    return out


@pytest.mark.parametrize("dtype", ("int32", "int64", "float32", "float64"))
def test_loops_whose_first_turn_changes_types(run_both, dtype):
    a = numbers(6, dtype)
    run_both(halved, a, 2)
    run_both(powers, a, 3)
    run_both(horner, a, [1.5, -2.0, 0.5])
    run_both(horner, a, numbers(3, "float64"))
    run_both(product_of_rows, a.reshape(3, 2))
    run_both(turned, a)
    run_both(halved_while, np.abs(a) + 1, 1.0)
    run_both(inner_sums, a.reshape(3, 2))


def test_a_loop_that_changes_types_needs_a_turn(run_both):
    with pytest.raises(TypeError, match="no turn"):
        run_both.jit(powers)(numbers(3, "float64"), 0)


def in_breadth(graph, start):
    waiting = collections.deque([start])
    seen = {start}
    out = []
    while waiting:
        here = waiting.popleft()
        out.append(here)
        for there in graph[here]:
            if there not in seen:
                seen.add(there)
                waiting.append(there)
    return out


def counted(words):
    counts = collections.defaultdict(int)
    for word in words:
        counts[word] += 1
    common = collections.Counter(words)
    return counts["a"], len(counts), sorted(counts.items()), common["b"], common.most_common(1)


def neighbours(edges):
    near = collections.defaultdict(list)
    for a, b in edges:
        near[a].append(b)
    return near[0], len(near)


def both_ends(n):
    ends = collections.deque()
    for i in range(n):
        ends.append(i)
        ends.appendleft(-i)
    ends.rotate(2)
    return list(ends), ends.pop(), ends.popleft(), len(ends)


def test_containers_of_the_module_collections(run_both):
    run_both(in_breadth, [[1, 2], [3], [3], []], 0)
    run_both(counted, ["a", "b", "a"])
    run_both(neighbours, [(0, 1), (0, 2), (1, 2)])
    run_both(both_ends, 4)


def region_sizes(grid):
    height, width = grid.shape
    seen = np.zeros((height, width), np.bool_)

    def filled(i, j):
        if i < 0 or j < 0 or i >= height or j >= width or seen[i, j] or grid[i, j] == 0:
            return 0
        seen[i, j] = True
        return 1 + filled(i + 1, j) + filled(i - 1, j) + filled(i, j + 1) + filled(i, j - 1)

    sizes = []
    for i in range(height):
        for j in range(width):
            size = filled(i, j)
            if size > 0:
                sizes.append(size)
    return sizes, seen


def knapsack(weights, values, room):
    known = np.full((len(weights) + 1, room + 1), -1)

    def best(i, left):
        if i == len(weights):
            return 0
        if known[i, left] >= 0:
            return known[i, left]
        found = best(i + 1, left)
        if weights[i] <= left:
            found = max(found, values[i] + best(i + 1, left - weights[i]))
        known[i, left] = found
        return found

    return best(0, room)


def tree_sum(a, scale):
    def below(i):
        if i >= len(a):
            return 0.0
        return a[i] * scale + below(2 * i + 1) + below(2 * i + 2)

    return below(0)


def test_recursion_with_variables_of_the_function_around(run_both):
    run_both(region_sizes, (np.arange(20).reshape(4, 5) % 3 > 0).astype(np.int8))
    run_both(knapsack, np.array([1, 3, 4]), np.array([10, 20, 35]), 6)
    run_both(tree_sum, numbers(6, "float64"), 0.5)


def sums(a):
    return sum(a)


def sums_from(a):
    return sum(a, 10), sum([1, 2], start=5), int("101", base=2), int("ff", base=16)


@pytest.mark.parametrize("dtype", ("bool", "int8", "uint8", "uint16", "int32", "int64", "float32", "complex128"))
def test_sums_of_items_and_rows(run_both, dtype):
    for shape in ((6,), (3, 2), (2, 1, 3)):
        run_both(sums, (numbers(6, "float64") * 37).astype(dtype).reshape(shape))
    run_both(sums_from, numbers(6, "float64").astype(dtype))


def extremes(a, limit):
    above = [x for x in a if x > limit]
    return max(above, default=-1.0), min((x for x in a if x > limit), default=0.0), max([3], default=1)


def indexed_by_what_may_be_missing(a):
    which = None
    for _ in range(2):
        which = a.argmin(axis=1)
    return a[np.arange(len(a)), which]


SWAPPED = [1, 0]


def indexed_by_a_list_outside(a):
    return a[SWAPPED]


def test_defaults_and_indices(run_both):
    run_both(extremes, numbers(5, "float64"), 0.0)
    run_both(extremes, numbers(5, "float64"), 1000.0)
    run_both(indexed_by_what_may_be_missing, numbers(6, "float64").reshape(3, 2))
    run_both(indexed_by_a_list_outside, numbers(2, "float64"))


def inverse_transform(text):
    counts = {}
    seen = []
    for letter in text:
        seen.append(counts.get(letter, 0))
        counts[letter] = seen[-1] + 1
    first = {}
    total = 0
    for letter in sorted(counts):
        first[letter] = total
        total += counts[letter]
    i = 0
    out = []
    while text[i] != "$":
        out.append(text[i])
        i = first[text[i]] + seen[i]
    return "".join(reversed(out))


def most_frequent(labels):
    votes = {}
    for label in labels:
        votes[label] = votes.get(label, 0) + 1
    return max(votes, key=lambda label: (votes[label], -label))


def longest(n):
    best = None
    for i in range(n):
        run = [i]
        while len(run) < (i * 7) % 5:
            run.append(run[-1] + 1)
        if best is None or len(run) > len(best):
            best = run
    return best


def described(a):
    return dict(mean=a.mean(axis=0), count=a.shape[0], total=a.sum())


def test_keys_and_lists_that_are_known_late(run_both):
    run_both(inverse_transform, "annb$aa")
    run_both(most_frequent, np.array([3, 1, 3, 2], np.int32))
    run_both(longest, 6)
    found = run_both.jit(described)(numbers(6, "float64").reshape(3, 2))
    assert list(found) == ["mean", "count", "total"] and found["count"] == 3


def changed_in_dictionaries(d):
    d["w"] += 1
    d["v"] *= 2
    return d["w"].sum()


def changed_in_lists(items):
    items[0] += 1
    items.append(items[0])


def repeated(items):
    items *= 2


def one_list_twice(a, b):
    a.append("x")
    return len(b)


def test_items_change_in_place(run_both):
    w, v = numbers(3, "float64"), numbers(3, "float64")
    assert run_both.jit(changed_in_dictionaries)({"w": w, "v": v}) == w.sum()
    np.testing.assert_array_equal(w, numbers(3, "float64") + 1)
    np.testing.assert_array_equal(v, numbers(3, "float64") * 2)
    run_both(changed_in_lists, [numbers(3, "float64")])
    for items in (["a"], [1.5, 2], [1, 2]):
        run_both(repeated, items)
    shared = ["a"]
    assert run_both.jit(one_list_twice)(shared, shared) == 2


def longer_and_longer(n, *rest):
    return list(rest) if n == 0 else longer_and_longer(n - 1, n, *rest)


def test_recursion_without_an_end_of_types(run_both):
    with pytest.raises(cl.CompileError, match="too many types"):
        run_both.jit(longer_and_longer)(3)


def filled_from_behind(a, k, out):
    if k == 0:
        return
    a[k] = k
    filled_from_behind(a, k - 1, out)
    out.append(k)


def test_lists_beside_device_arrays():
    a, out = cl.zeros(4), []
    cl.jit(filled_from_behind)(a, 3, out)
    assert a.tolist() == [0, 1, 2, 3] and out == [1, 2, 3]


def rolled(x, n):
    total, previous = 0.0, None
    for i in range(n):
        if i == 0:
            current = x * 2
        else:
            current = np.roll(previous, 1) + x
        previous = current
        total += current[0]
    return total, previous


def rolled_in_turns(x, n):
    total = 0.0
    for _ in cl.prange(1):
        previous = None
        for i in range(n):
            if i == 0:
                current = x * 2
            else:
                current = np.roll(previous, 1) + x
            previous = current
            total += current[0]
    return total


def chosen_by_turn(x, n):
    previous, i = None, 0
    while i < n:
        previous = x.copy() if i == 0 else previous * 2 + x
        i += 1
    return previous


def counted_on(n):
    previous = None
    rows = []
    for i in range(n):
        previous = previous + i if i > 0 else 10
        for j in range(2):
            rows.append(previous + j)
    return rows, previous


def two_at_once(x, n):
    a, b = None, None
    for i in range(n):
        if i == 0:
            a, b = x, 1
        else:
            a, b = a + b, b * 2
    return a, b


def never_there(x, n):
    previous = None
    for i in range(n):
        if i == 5:
            previous = x * 2
        else:
            x = previous + x
    return x


class TestNothingBeforeTheFirstTurn:
    @pytest.mark.parametrize("function", [rolled, rolled_in_turns, chosen_by_turn, two_at_once])
    def test_arrays(self, run_both, function):
        for turns in (1, 2, 4):
            run_both(function, numbers(4, "float64"), turns)

    def test_numbers(self, run_both):
        run_both(counted_on, 4)

    def test_without_turns(self, run_both):
        run_both(chosen_by_turn, numbers(4, "float64"), 0)
        run_both(counted_on, 0)

    def test_what_is_none_raises(self, run_both):
        run_both.raises(TypeError, never_there, numbers(4, "float64"), 3)


def complements(text):
    counts = {}
    for i in range(len(text) - 1):
        counts[text[i : i + 2]] = counts.get(text[i : i + 2], 0) + 1
    return counts, "".join({"A": "T", "C": "G"}[letter] for letter in text)


def doubled_all(items):
    return [item * 2 for item in items]


def doubled_by_name(number):
    return {"number": doubled_all([number]), "text": doubled_all(["s"]), "pair": doubled_all([(number, 1)])}


@pytest.mark.parametrize("times", [1, 10])
def test_a_dictionary_that_begins_where_a_generator_expression_does_is_another_container(run_both, times):
    run_both(complements, "ACCA" * times)


def test_what_a_function_makes_holds_other_items_for_each_of_its_calls(run_both):
    run_both(doubled_by_name, 1.5)


def hull(points):
    points = sorted(set([(float(x), float(y)) for x, y in points]))
    chain = []
    for p in points:
        while len(chain) >= 2:
            (ax, ay), (bx, by) = chain[-2], chain[-1]
            if (bx - ax) * (p[1] - ay) > (by - ay) * (p[0] - ax):
                break
            chain.pop()
        chain.append(p)
    return chain


def test_a_set_of_a_list_whose_items_are_learned_is_gone_over(run_both):
    run_both(hull, np.array([[0.0, 0.0], [2.0, 1.0], [1.0, 1.5], [1.0, -1.0], [3.0, 0.0]]))


def means_of_cells(points, size):
    cells = collections.defaultdict(list)
    for point in points:
        cells[tuple((point // size).astype(int))].append(point)
    return np.vstack([np.mean(cell, axis=0) for cell in cells.values()])


def test_lists_of_arrays_in_a_dictionary_with_a_default_stand_for_arrays(run_both):
    run_both(means_of_cells, np.random.RandomState(0).rand(20, 3), 0.5)


def points_of_a_curve(controls, n):
    found = []
    for t in np.linspace(0, 1, n):
        found.append(np.sum([t**i * controls[i] for i in range(len(controls))], axis=0))
    return np.array(found)


def test_a_sum_of_a_list_of_arrays_is_put_into_a_list(run_both):
    run_both(points_of_a_curve, np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 1.0]]), 3)


def stages(y, n):
    found = []
    for i in range(n):
        weighed = sum((0.5 * found[j] for j in range(i)), np.zeros_like(y))
        found.append(y + weighed)
    return np.array(found)


def stages_in_a_list(y, n):
    found = []
    total = np.zeros_like(y)
    for i in range(n):
        weighed = [0.5 * found[j] for j in range(i)]
        for one in weighed:
            total = total + one
        found.append(y + total)
    return found, total


@pytest.mark.parametrize("program", [stages, stages_in_a_list])
@pytest.mark.parametrize("n", [1, 4])
def test_what_is_made_of_items_that_come_later_is_what_they_turn_out_to_be(run_both, program, n):
    run_both(program, np.array([1.0, 2.0]), n)


def sums_from_arrays(x, n):
    parts = [x * i for i in range(n)]
    start = np.zeros_like(x)
    total = sum(parts, start)
    total[0] += 1
    return total, start, sum(parts, np.ones((2, 1)))


@pytest.mark.parametrize("n", [0, 1, 3])
def test_the_sum_of_no_arrays_is_the_one_to_begin_with(run_both, n):
    run_both(sums_from_arrays, np.array([1.0, 2.0]), n)


def clenshaw(coefficients, x):
    a = b = 0
    for c in coefficients[:0:-1]:
        a, b = c + 2 * x * a - b, a
    return coefficients[0] + x * a - b


def test_two_turns_of_a_loop_may_give_variables_other_types(run_both):
    run_both(clenshaw, [1.0, 0.5, 0.25, 0.125], np.linspace(-1, 1, 5))


def test_a_loop_with_too_few_turns_for_the_types_of_its_variables_says_so():
    with pytest.raises(TypeError, match="no turn, or only one"):
        cl.jit(clenshaw)([1.0, 0.5], np.linspace(-1, 1, 5))
