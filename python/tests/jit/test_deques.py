"""Deques, queues, and dictionaries that keep an order which is changed."""

import queue
from collections import OrderedDict, deque

import pytest

import colocate as cl


def windows(numbers, n):
    last = deque(maxlen=n)
    sums = []
    for number in numbers:
        last.append(number)
        sums.append(sum(last))
    first = deque(numbers, maxlen=n)
    first.appendleft(9)
    return sums, list(last), list(first), list(deque(numbers, n)), list(deque(iterable=numbers))


@pytest.mark.parametrize("n", [2, 0, None])
def test_deques_may_be_bounded(run_both, n):
    run_both(windows, [3, 1, 4, 1], n)


def paths(graph, start, goal):
    found = []
    open_paths = deque([[start]])
    while open_paths:
        path = open_paths.popleft()
        if path[-1] == goal:
            found.append(len(path))
        for other in graph[path[-1]]:
            open_paths.append(path + [other])
    return found


def path_with_end(graph, start, goal):
    open_paths = deque([([start], start)])
    while open_paths:
        path, end = open_paths.popleft()
        if end == goal:
            return path
        for other in graph[end]:
            open_paths.append((path + [other], other))
    return []


@pytest.mark.parametrize("function", [paths, path_with_end])
def test_deques_hold_lists(run_both, function):
    run_both(function, {0: [1, 2], 1: [3], 2: [3], 3: []}, 0, 3)


def least_recently_used(keys, most):
    kept = OrderedDict()
    for key in keys:
        if key in kept:
            kept.move_to_end(key)
        else:
            if len(kept) >= most:
                kept.popitem(last=False)
            kept[key] = True
    kept.move_to_end(keys[-1], last=False)
    return list(kept)


@pytest.mark.parametrize("keys", [[1, 2, 1, 3, 4], ["a", "b", "a", "c"]])
def test_the_order_of_a_dictionary_is_changed(run_both, keys):
    run_both(least_recently_used, keys, 2)


def ordered(table):
    made = OrderedDict(sorted(table.items()))
    made.move_to_end("a")
    key, value = made.popitem()
    other = OrderedDict([("x", 1), ("y", 2)])
    other["z"] = value
    print(other)
    same = other == OrderedDict([("x", 1), ("z", value), ("y", 2)])
    return list(made.items()), key, value, same, OrderedDict(table)


def test_ordered_dictionaries_are_made_of_others(run_both):
    run_both(ordered, {"b": 1, "a": 2, "c": 3})


class Cache:
    def __init__(self, most):
        self.most = most
        self.kept = OrderedDict()

    def get(self, key):
        if key not in self.kept:
            return -1
        self.kept.move_to_end(key)
        return self.kept[key]

    def put(self, key, value):
        self.kept[key] = value
        self.kept.move_to_end(key)
        if len(self.kept) > self.most:
            self.kept.popitem(last=False)


def through_a_cache(steps):
    cache = Cache(2)
    found = []
    for key, value in steps:
        if value < 0:
            found.append(cache.get(key))
        else:
            cache.put(key, value)
    return found


def test_an_object_keeps_an_ordered_dictionary(run_both):
    run_both(through_a_cache, [(1, 1), (2, 2), (1, -1), (3, 3), (2, -1)])


def two_coloured(graph):
    colour = {node: -1 for node in graph}
    for node in graph:
        open_nodes = [(node, 0)] if colour[node] < 0 else []
        while open_nodes:
            at, wanted = open_nodes.pop()
            if colour[at] >= 0:
                if colour[at] != wanted:
                    return False
                continue
            colour[at] = wanted
            for other in graph[at]:
                open_nodes.append((other, 1 - wanted))
    return True


@pytest.mark.parametrize("graph", [{}, {0: [1], 1: [0]}])
def test_a_dictionary_that_is_given_may_be_empty(run_both, graph):
    run_both(two_coloured, graph)


def nearest(graph, start):
    found = {start: 0}
    waiting = queue.PriorityQueue()
    waiting.put((0, start))
    while not waiting.empty():
        so_far, node = waiting.get()
        for other, more in graph[node]:
            if other not in found or so_far + more < found[other]:
                found[other] = so_far + more
                waiting.put((found[other], other))
    return found


def test_items_of_a_queue_come_in_their_order(run_both):
    run_both(nearest, {0: [(1, 4), (2, 1)], 1: [], 2: [(1, 2)]}, 0)


def first_and_last(items):
    first, last = queue.Queue(), queue.LifoQueue(maxsize=2)
    for item in items:
        first.put(item)
        if not last.full():
            last.put_nowait(item)
    given = first.get(), last.get(), first.qsize(), last.qsize(), last.empty()
    try:
        last.get_nowait()
        last.get_nowait()
    except queue.Empty:
        first.put(7)
    return given, first.get(), first.get(), first.get()


def test_queues_give_the_first_or_the_last(run_both):
    run_both(first_and_last, [1, 2, 3])


def used(d):
    d.append(5)
    first = d.popleft()
    d.appendleft(first * 2)
    d.rotate(1)
    d.extend([7, 8])
    total = 0
    for item in d:
        total += item
    return total, len(d), d[0], d[-1], 7 in d, list(d), d.count(7)


def drained(d):
    found = 0
    while d:
        value, more = d.popleft()
        if more > 0:
            d.append((value + 1, more - 1))
        found += value
    return found


def texts(d):
    d.append("x")
    return d[0] + d[-1]


@pytest.mark.parametrize(
    "program, items, most",
    [(used, [1, 2, 3], None), (drained, [(1, 3), (2, 2)], None), (texts, ["a", "b"], 2)],
)
def test_a_deque_of_the_callers_is_used_where_it_is(program, items, most):
    own, other = deque(items, most), deque(items, most)
    assert cl.jit(program)(own) == program(other)
    assert own == other


def test_a_bounded_deque_of_the_callers_stays_bounded():
    own = deque([1.0, 2.0, 3.0], maxlen=3)
    assert cl.jit(lambda d, x: (d.append(x), sum(d) / len(d))[1])(own, 5.0) == 10 / 3
    assert list(own) == [2.0, 3.0, 5.0]


class Window:
    def __init__(self):
        self.last = deque([1, 2], maxlen=2)


OUTSIDE = deque([1, 2, 3])


def test_deques_are_attributes_and_outside():
    def pushed(window, x):
        window.last.append(x)
        return len(window.last), window.last[-1]

    window = Window()
    assert cl.jit(pushed)(window, 4) == (2, 4)
    assert list(window.last) == [2, 4]

    def outside(x):
        OUTSIDE.append(x)
        return OUTSIDE[-1]

    assert cl.jit(outside)(9) == 9
    assert OUTSIDE.pop() == 9


def test_a_deque_that_is_returned_is_the_callers():
    own = deque([1, 2])
    assert cl.jit(lambda d: d)(own) is own
