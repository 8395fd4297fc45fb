"""Trees whose nodes are objects: made by functions that call themselves, and gone through by others."""

from dataclasses import dataclass
from typing import Optional

import numpy as np
import pytest

import colocate as cl


@dataclass
class Split:
    index: int
    axis: int
    left: Optional["Split"] = None
    right: Optional["Split"] = None


def split(points, order, depth=0):
    if not order:
        return None
    axis = depth % points.shape[1]
    order = sorted(order, key=lambda i: points[i, axis])
    middle = len(order) // 2
    left = split(points, order[:middle], depth + 1)
    return Split(order[middle], axis, left, split(points, order[middle + 1 :], depth + 1))


def nearest(node, points, to, best=None):
    if node is None:
        return best
    distance = np.linalg.norm(points[node.index] - to)
    if best is None or distance < best[0]:
        best = (distance, node.index)
    across = to[node.axis] - points[node.index, node.axis]
    near, far = (node.left, node.right) if across < 0 else (node.right, node.left)
    best = nearest(near, points, to, best)
    if abs(across) < best[0]:
        best = nearest(far, points, to, best)
    return best


def depth_of(node):
    return 0 if node is None else 1 + max(depth_of(node.left), depth_of(node.right))


def searched(points, to):
    tree = split(points, list(range(len(points))))
    return nearest(tree, points, to), depth_of(tree)


POINTS = np.random.default_rng(5).random((20, 2))


def test_a_tree_is_made_by_returning_nodes_or_none(run_both):
    run_both(searched, POINTS, np.array([0.3, 0.6]))


def test_a_tree_is_an_argument_of_a_function_that_calls_itself():
    tree = split(POINTS, list(range(len(POINTS))))
    to = np.array([0.8, 0.1])
    assert cl.jit(nearest)(tree, POINTS, to) == nearest(tree, POINTS, to)
    assert cl.jit(depth_of)(tree) == depth_of(tree)


class Cell:
    def __init__(self, low, high):
        self.low = low
        self.high = high
        self.count = 0
        self.parts = None

    def divide(self):
        self.parts = []
        middle = (self.low + self.high) / 2
        for low, high in ((self.low, middle), (middle, self.high)):
            self.parts.append(Cell(low, high))


def put(cell, x, depth):
    cell.count += 1
    if depth == 0:
        return
    if cell.parts is None:
        cell.divide()
    put(cell.parts[0 if x < cell.parts[0].high else 1], x, depth - 1)


def leaves(cell):
    if cell.parts is None:
        return [cell.count]
    return leaves(cell.parts[0]) + leaves(cell.parts[1])


def counted(xs, depth):
    root = Cell(0.0, 1.0)
    for x in xs:
        put(root, x, depth)
    return leaves(root), root.count


def test_the_parts_of_a_node_are_a_list_that_is_made_later(run_both):
    run_both(counted, np.random.default_rng(1).random(12), 3)


class Leaf:
    def __init__(self, value=None, test=None, low=None, high=None):
        self.value = value
        self.test = test
        self.low = low
        self.high = high


def grow(x, y, depth):
    if depth == 0 or len(np.unique(y)) == 1:
        return Leaf(value=np.bincount(y).argmax())
    test = np.median(x)
    below = x <= test
    if below.all():
        return Leaf(value=np.bincount(y).argmax())
    return Leaf(None, test, grow(x[below], y[below], depth - 1), grow(x[~below], y[~below], depth - 1))


def decide(x, node):
    if node.value is not None:
        return node.value
    return decide(x, node.low if x <= node.test else node.high)


def decided(x, y, given):
    tree = grow(x, y, 3)
    return np.array([decide(one, tree) for one in given])


def test_numbers_that_might_be_none_become_an_array(run_both):
    x = np.random.default_rng(3).random(30)
    run_both(decided, x, (x * 4).astype(int) % 3, np.linspace(0, 1, 7))


def first_present(x):
    return np.array([one if one > 0 else None for one in x]).sum()


def test_none_does_not_become_a_number_of_an_array():
    assert cl.jit(first_present)(np.array([1.0, 2.0])) == 3.0
    with pytest.raises(TypeError, match="None"):
        cl.jit(first_present)(np.array([1.0, -2.0]))
