"""`match` on sequences with stars, on dictionaries, and on classes by position."""

from collections import namedtuple
from dataclasses import dataclass

import numpy as np

Pair = namedtuple("Pair", "x y")
Other = namedtuple("Other", "x y")


class Place:
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y


@dataclass
class Circle:
    radius: float


def test_classes_match_by_position(run_both):
    def at(x, y):
        match Place(x, y):
            case Place(0, b):
                return b
            case Place(a, 0):
                return a * 10
            case _:
                return -1

    def area(r):
        match Circle(r):
            case Circle(0.0):
                return 0.0
            case Circle(radius):
                return 3.0 * radius

    for x, y in ((0, 3), (4, 0), (1, 1)):
        run_both(at, x, y)
    run_both(area, 2.0)


def test_named_tuples_match_by_position(run_both):
    def of(p):
        match p:
            case Other(_, y):
                return -y
            case Pair(1, y):
                return y
            case (a, b):
                return a + b
            case _:
                return 0

    for p in (Pair(1, 2), Pair(3, 4), Other(1, 2), (5, 6), 7):
        run_both(of, p)


def test_a_star_takes_the_items_between(run_both):
    def taken(x):
        match x:
            case [a, *rest, b]:
                return a, rest, b
            case [a]:
                return a, [0], 0
            case _:
                return -1, [0], 0

    run_both(taken, [1, 2, 3, 4])
    run_both(taken, [1, 2])
    run_both(taken, [1])
    run_both(taken, (1, 2, 3))


def test_dictionaries_match_by_their_keys(run_both):
    def looked(d):
        match d:
            case {"op": "add", "by": n}:
                return n
            case {"op": _}:
                return 0
            case _:
                return -1

    run_both(looked, {"op": "add", "by": 3})
    run_both(looked, {"op": "sub"})
    run_both(looked, {"x": 1})
    run_both(looked, 4)


def test_what_is_no_sequence_matches_no_sequence(run_both):
    def kind(x):
        match x:
            case int(n):
                return n
            case (int(), int()):
                return 2
            case _:
                return -1

    for x in (None, (1, 2), 5, 2.5, np.array([1, 2]), "ab"):
        run_both(kind, x)


def test_a_value_that_may_be_none_is_of_its_class_where_it_is_there(run_both):
    def asked(c):
        x = None if c > 0 else 3
        match x:
            case int(n):
                found = n + 1
            case None:
                found = -1
            case _:
                found = -2
        return found, isinstance(x, int), isinstance(x, (int, float)), isinstance(x, str)

    run_both(asked, 1)
    run_both(asked, -1)
