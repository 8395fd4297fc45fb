"""Lists of objects among the arguments, and attributes that hold lists, objects and other containers."""

import copy

import numpy as np
import pytest

import colocate as cl


class Body:
    def __init__(self, x, v, mass):
        self.x = x
        self.v = v
        self.mass = mass

    def move(self, dt):
        self.x += self.v * dt

    def distance(self, other):
        return abs(self.x - other.x)

    def __lt__(self, other):
        return self.x < other.x


class System:
    def __init__(self, n):
        self.bodies = bodies(n)
        self.rows = [[1, 2, 3], [4, 5, 6]]
        self.mixed = [0, 0.5, 2]
        self.pairs = [(1, 2.0)]
        self.counts = [1, 2]
        self.weights = [np.ones((3, 2)), np.ones((2, 4))]
        self.names = {"a": 1, "b": 2.5}
        self.functions = [np.sin, abs]
        self.file = iter([1])
        self.empty = []

    def step(self, dt):
        for body in self.bodies:
            body.move(dt)
        self.empty.append(dt)

    def energy(self):
        return sum(0.5 * body.mass * body.v * body.v for body in self.bodies)

    def add(self):
        self.bodies.append(Body(1.0, 2.0, 3.0))
        return len(self.bodies)

    def columns(self):
        return [[row[i] for row in self.rows] for i in range(len(self.rows[0]))]

    def change_rows(self):
        self.rows[0][1] = 7
        self.rows.append([8, 9])

    def replace_rows(self):
        self.rows = [[1, 2]]
        self.rows.append([3])

    def total(self):
        return sum(self.mixed) + self.mixed[0] + self.names["b"]

    def forward(self, x):
        for w in self.weights:
            x = np.tanh(x @ w)
        return x

    def shrink(self):
        for i in range(len(self.weights)):
            self.weights[i] -= 0.5

    def put_many_kinds(self):
        self.pairs.append((2, 4.0))
        self.empty.append((1, 2))
        self.empty.append((3, 4))
        self.counts.append(3)
        return [a for a, _ in self.empty]

    def fill(self):
        self.empty = [[1, 2], [3]]

    def unpack(self):
        return [a * b for a, b in self.empty]


def bodies(n):
    return [Body(float(i % 5), 0.5 * i, 1.0 + i) for i in range(n)]


def seen(value):
    if isinstance(value, (list, tuple)):
        return [seen(item) for item in value]
    if isinstance(value, (Body, System)):
        return {name: seen(item) for name, item in vars(value).items() if name != "file"}
    return repr(value)


def both(function, *given):
    mine = copy.deepcopy(given)
    assert seen(cl.jit(function)(*mine)) == seen(function(*given))
    assert seen(mine) == seen(given)


@pytest.mark.parametrize(
    ("method", "given"),
    [
        (System.step, (0.5,)),
        (System.energy, ()),
        (System.add, ()),
        (System.columns, ()),
        (System.change_rows, ()),
        (System.replace_rows, ()),
        (System.total, ()),
        (System.forward, (np.ones((2, 3)),)),
        (System.shrink, ()),
        (System.put_many_kinds, ()),
        (System.fill, ()),
        (System.unpack, ()),
    ],
)
@pytest.mark.parametrize("n", [2, 9, 80])
def test_attributes_may_hold_anything_that_an_argument_may_be(method, given, n):
    both(method, System(n), *given)


def pulled(given):
    force = 0.0
    for a in given:
        for b in given:
            if a is not b:
                force += b.mass * a.distance(b)
        a.v += force
    return force


def ordered(given):
    given.sort(key=lambda body: body.mass)
    given[0], given[1] = given[1], given[0]
    return min(given).x, max(given, key=lambda body: body.v).v


def chosen(given):
    best = None
    for body in given:
        if best is None or body.x > best.x:
            best = body
    heavy = [body for body in given if body.mass > 2]
    return best, heavy, len(heavy), given[-1].x, [b.x for b in given[1:]]


def grown(given):
    given.append(Body(0.0, 0.0, 0.0))
    for i, body in enumerate(given):
        body.x = 2.0 * i


def as_array(given):
    return np.array([[body.x, body.v] for body in given])


@pytest.mark.parametrize("function", [pulled, ordered, chosen, grown, as_array])
@pytest.mark.parametrize("n", [2, 6, 70])
def test_lists_of_objects_may_be_of_any_length(function, n):
    both(function, bodies(n))


def test_a_function_is_compiled_once_for_lists_of_objects_of_all_lengths():
    function = cl.jit(pulled)
    function(bodies(5))
    with cl.profile() as run:
        assert function(bodies(70)) == pulled(bodies(70))
    assert run.to_dict()["compile"] == []


def summed(given):
    total = 0.0
    for body in given:
        total += body.x
    return total


def test_objects_in_a_list_may_hold_ints_and_floats():
    given = [Body(i, i * 0.5 if i % 2 else i, 1) for i in range(10)]
    both(summed, given)
    both(pulled, [Body(float(i), 0.0 if i else 1, 1) for i in range(10)])


def test_objects_in_a_list_that_hold_several_types_are_compiled_one_by_one():
    given = bodies(6)
    given[3].name = "c"

    def named(given):
        return given[3].name, given[0].x

    both(named, given)


class Square:
    def __init__(self, board, place):
        self.board = board
        self.place = place

    def find_neighbours(self):
        self.neighbours = []
        for step in (-1, 1):
            if 0 <= self.place + step < len(self.board.squares):
                self.neighbours.append(self.board.squares[self.place + step])


@pytest.mark.parametrize("n", [2, 8])
def test_objects_in_a_list_may_refer_to_who_has_the_list(n):
    class Board:
        pass

    board = Board()
    board.squares = [Square(board, place) for place in range(n)]
    cl.jit(Square.find_neighbours)(board.squares[0])
    assert board.squares[0].neighbours == [board.squares[1]]


class Tree:
    def __init__(self, value, children):
        self.value = value
        self.children = children

    def best(self):
        largest, found = -1, None
        for child in self.children:
            if child and child.value > largest:
                largest, found = child.value, child
        return found

    def last(self):
        found = None
        for child in self.children:
            if child:
                found = child
        return found

    def below(self):
        total = 0
        for child in self.children:
            if child is not None:
                total += child.value
        return total


@pytest.mark.parametrize(
    "children",
    [
        [Tree(1, [None, None]), None, Tree(5, [None, None])],
        [None, Tree(1, [None, Tree(9, [None])]), None, None, None, Tree(5, [None, None])],
        [None] * 40 + [Tree(1, [None] * 70), Tree(5, [None] * 70)] + [None] * 40,
        [Tree(1, []), Tree(2, []), Tree(4, [])],
        [Tree(i, []) for i in range(6)],
    ],
)
@pytest.mark.parametrize("method", [Tree.best, Tree.last, Tree.below])
def test_lists_of_objects_may_hold_none(method, children):
    tree = Tree(0, children)
    assert cl.jit(method)(tree) is method(tree)


class Knot:
    def __init__(self, x):
        self.x = x
        self.near = []


def knots(n, near):
    made = [Knot(i) for i in range(n)]
    for i, one in enumerate(made):
        one.near = [made[(i + step) % n] for step in range(1, near + 1)]
    return made


def neighbours(all_knots):
    return sum([len(one.near) for one in all_knots])


def test_objects_that_all_know_one_another_are_not_followed_along_every_way():
    # There are 92 million ways of four steps.
    assert cl.jit(neighbours)(knots(40, 39)) == 40 * 39
