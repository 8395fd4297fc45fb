"""What `sorted`, `sort`, `min` and `max` are given as their key: comparisons, attributes, methods."""

import functools
from dataclasses import dataclass
from functools import cmp_to_key
from operator import attrgetter, methodcaller

import pytest


def compare_points(a, b):
    return a[0] - b[0] if a[0] != b[0] else b[1] - a[1]


def by_comparison(points):
    points.sort(key=functools.cmp_to_key(compare_points), reverse=True)
    key = cmp_to_key(compare_points)
    return points, sorted(points, key=key), min(points, key=key), max(points, key=key)


@pytest.mark.parametrize("points", [[(2, 1), (1, 5), (1, 7)], [(1, 1)]])
def test_items_are_compared_by_a_function_of_two(run_both, points):
    run_both(by_comparison, points)


def backwards(numbers):
    return sorted(numbers, key=cmp_to_key(lambda a, b: b - a))


@pytest.mark.parametrize("numbers", [[], [3, 1, 2], list(range(0, 700, 7)) + list(range(300))])
def test_any_number_of_items_is_compared(run_both, numbers):
    run_both(backwards, numbers)


def equal_ones(n):
    rows = [[i * 7 % 5, i] for i in range(n)]
    rows.sort(key=cmp_to_key(lambda a, b: a[0] - b[0]))
    return rows, sorted(rows, key=cmp_to_key(lambda a, b: a[0] - b[0]), reverse=True)


@pytest.mark.parametrize("n", [9, 200])
def test_items_that_are_called_equal_stay_in_their_order(run_both, n):
    run_both(equal_ones, n)


def contradicting(n):
    # Nothing is said of how this is put in order, but Python's way is that of few items.
    return sorted([i * 5 % n for i in range(n)], key=cmp_to_key(lambda a, b: -1 if (a - b) % 3 == 1 else 1))


def test_a_comparison_that_contradicts_itself(run_both):
    run_both(contradicting, 23)


def texts_by_comparison(numbers, counts):
    joined = sorted(map(str, numbers), key=cmp_to_key(lambda a, b: 1 if a + b < b + a else -1))
    texts = ["bb", "a", "ccc"]
    texts.sort(key=cmp_to_key(lambda a, b: len(b) - len(a)))
    pairs = sorted(counts.items(), key=cmp_to_key(lambda a, b: b[1] - a[1]))
    return "".join(joined), texts, min(texts, key=cmp_to_key(lambda a, b: len(a) - len(b))), pairs


def test_texts_and_pairs_are_compared(run_both):
    run_both(texts_by_comparison, [3, 30, 34, 5, 9], {"a": 2, "b": 3, "c": 3})


@dataclass
class Item:
    weight: int
    value: float
    name: str

    @property
    def ratio(self):
        return self.value / self.weight


class Box:
    def __init__(self, item):
        self.item = item


def items_given(items):
    best = sorted(items, key=attrgetter("ratio"), reverse=True)
    lightest = min(items, key=attrgetter("weight"))
    by_weight = sorted(items, key=cmp_to_key(lambda a, b: a.weight - b.weight))
    return [item.name for item in best], lightest.name, [item.name for item in by_weight]


def test_attributes_of_objects_that_are_given(run_both):
    run_both(items_given, [Item(3, 5.0, "a"), Item(1, 4.0, "b"), Item(2, 9.0, "c")])


def items_made(n):
    items = [Item(i * 3 % 7 + 1, i * 1.5, str(i)) for i in range(n)]
    items.sort(key=attrgetter("weight", "value"))
    return [item.name for item in items], max(items, key=attrgetter("weight")).name


def boxes_made(n):
    boxes = [Box(Item(i * 3 % 7 + 1, i * 1.5, str(i))) for i in range(n)]
    boxes = sorted(boxes, key=attrgetter("item.weight"))
    return [box.item.name for box in boxes]


def test_attributes_of_objects_that_are_made(run_both):
    run_both(items_made, 8)
    run_both(boxes_made, 8)


def by_method(words):
    return sorted(words, key=methodcaller("lower")), max(words, key=methodcaller("count", "a"))


def test_methods_of_items(run_both):
    run_both(by_method, ["banana", "A", "c"])
