"""Attributes that jit functions assign to, and objects that they make: all of it is seen as in plain Python."""

import math
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

import colocate as cl


class Particle:
    def __init__(self, x, v):
        self.x = x
        self.v = v
        self.steps = 0

    def step(self, dt):
        self.x += self.v * dt
        self.steps += 1

    def __add__(self, other):
        return Particle(self.x + other.x, self.v + other.v)

    def __rmul__(self, factor):
        return Particle(self.x * factor, self.v * factor)


@dataclass
class Vector:
    x: float
    y: float = 2.0

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def norm(self):
        return math.sqrt(self.x * self.x + self.y * self.y)


class Base:
    def __init__(self, a):
        self.a = a

    def doubled(self):
        return 2 * self.value()

    def value(self):
        return self.a


class Derived(Base):
    def __init__(self, a, b):
        super().__init__(a)
        self.b = b

    def value(self):
        return super().value() + self.b


class Node:
    def __init__(self, value, following=None):
        self.value = value
        self.following = following


class Stack:
    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)

    def pop(self):
        return self.items.pop()


class Tree:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right

    def total(self):
        total = self.value
        if self.left is not None:
            total += self.left.total()
        if self.right is not None:
            total += self.right.total()
        return total


class Doubling:
    def __init__(self, a):
        self.held = a

    @property
    def a(self):
        return self.held

    @a.setter
    def a(self, value):
        self.held = 2 * value


def seen(value):
    if isinstance(value, (list, tuple)):
        return [seen(item) for item in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if hasattr(value, "__dict__"):
        return type(value).__name__, {name: seen(one) for name, one in vars(value).items()}
    return value


def both(function, make):
    ends = []
    for program in (function, cl.jit(function)):
        arguments = make()
        result = program(*arguments)
        ends.append((seen(result), seen(arguments), [result is one for one in arguments]))
    assert ends[0] == ends[1]


def particles():
    return (Particle(1.0, 2.0),)


def one_twice():
    p = Particle(1.0, 2.0)
    return p, p


def changed(p):
    p.x = 5.0
    p.new = 2.5
    return p.x + p.v + p.new


def stepped(p):
    for _ in range(5):
        p.step(0.1)
    return p


def two(p, q):
    p.x = 7.0
    q.x += 1
    return p.x, q.x, p is q


def rebound(p):
    p.arr = p.arr + 1
    p.arr[0] = 9
    p.name = "z"
    return p.arr.sum(), p.name


def pulled(items, dt):
    for i in range(len(items)):
        for j in range(len(items)):
            items[i].v += dt * (items[j].x - items[i].x)
    for p in items:
        p.step(dt)
    return [p.x for p in items]


def caught(p):
    try:
        p.x = 1.0
        raise ValueError("a")
    except ValueError:
        p.x += 1
    return p.x


def by_inner_function(p):
    def inner():
        p.x += 1.0

    inner()
    inner()
    return p.x


def of_several_types(p):
    p.steps = 2
    p.steps = 2.5
    return p.steps


@pytest.mark.parametrize(
    ("function", "make"),
    [
        (changed, particles),
        (stepped, particles),
        (two, one_twice),
        (two, lambda: (Particle(1.0, 2.0), Particle(3.0, 4.0))),
        (rebound, lambda: (SimpleNamespace(arr=np.arange(3.0), name="q"),)),
        (pulled, lambda: ([Particle(1.0, 2.0), Particle(3.0, 1.0), Particle(0.0, 0.5)], 0.1)),
        (caught, particles),
        (by_inner_function, particles),
        (of_several_types, particles),
    ],
)
def test_what_is_assigned_is_seen_by_everybody(function, make):
    both(function, make)


def combined(a):
    v, w = Vector(a, 2.5), Vector(1.0)
    u = v + w
    w.x = 10.0
    r = 2 * (Particle(a, 1.0) + Particle(2.0, 3.0))
    return u.x, u.y, w.x, v.norm(), r.x, r.v


def aliased(a):
    p = Particle(a, 1.0)
    q = p
    for _ in range(4):
        q.step(0.5)
    return p.x, p.steps, p is q, p is Particle(a, 1.0), q


def inherited(a):
    return Derived(a, 3).doubled(), Base(a).doubled()


def linked(n):
    head = None
    for i in range(int(n)):
        head = Node(i, head)
    total = 0
    while head is not None:
        total = total * 10 + head.value
        head = head.following
    return total


def stacked(n):
    s = Stack()
    for i in range(int(n)):
        s.push(i)
    return s.pop() + s.pop(), len(s.items)


def listed(n):
    made = [Vector(float(i), 1.0) for i in range(int(n))]
    best = None
    for v in made:
        v.x = (v.x * 7) % 5
        if best is None or v.x > best.x:
            best = v
    by_name = {"best": best}
    return sum([v.x for v in made]), best.x, by_name["best"].y


def grown(depth):
    if depth == 0:
        return None
    return Tree(depth, grown(depth - 1), grown(depth - 1))


def trees(n):
    return grown(int(n)).total(), Tree(1, Tree(2), Tree(3, Tree(4))).total()


class Measure:
    def __init__(self, a):
        self.a = a

    def __eq__(self, other):
        return self.a == other.a

    def __lt__(self, other):
        return self.a < other.a

    def __neg__(self):
        return Measure(-self.a)

    def __call__(self, x):
        return self.a + x


def compared(a):
    m, n = Measure(a), Measure(a + 1)
    return m == n, m == m, m < n, m > n, (-m).a, m(3)


def chosen(a):
    p = Vector(1.0, 2.0) if a > 1 else Vector(3.0)
    p.x = p.x + a
    return p.x


@pytest.mark.parametrize(
    "function",
    [combined, aliased, inherited, linked, stacked, listed, trees, compared, chosen],
    ids=lambda one: one.__name__,
)
def test_objects_are_made(function):
    both(function, lambda: (4.0,))


def by_setter(p):
    p.a = 3


def test_a_setter_of_an_argument_is_called():
    both(by_setter, lambda: (Doubling(1),))


def of_another_type(p):
    p.x = "text"
    return p.x + "s", p.v


def test_an_attribute_may_be_given_something_of_another_type():
    both(of_another_type, lambda: (Particle(1.0, 2.0),))


def test_a_class_that_changes_is_looked_at_again():
    class Changing:
        def __init__(self):
            self.a = 1

        def value(self):
            return self.a

    @cl.jit
    def used():
        return Changing().value()

    def begin(self):
        self.a = 5

    assert used() == 1
    Changing.value = lambda self: self.a + 10
    assert used() == 11
    Changing.__init__ = begin
    assert used() == 15


def test_a_loop_that_assigns_attributes_stays_on_the_host():
    @cl.jit
    def filled(p, n):
        out = np.zeros(n)
        for i in cl.prange(n):
            p.x = 2.0 * i
            out[i] = p.x
        return out

    np.testing.assert_array_equal(filled(Particle(1.0, 2.0), 4), [0, 2, 4, 6])


class Link:
    def __init__(self, value):
        self.value = value
        self.before = self.following = None


class Chain:
    def __init__(self, n):
        self.first = self.last = None
        self.all = []
        for i in range(n):
            self.append(i)

    def append(self, value):
        link = Link(value)
        if self.last is None:
            self.first = link
        else:
            self.last.following = link
            link.before = self.last
        self.last = link

    def append_in_one_statement(self, value):
        if self.last:
            self.last.following = self.last = Link(value)
        else:
            self.first = self.last = Link(value)

    def extend(self, values):
        for value in values:
            self.append(value)

    def pop(self):
        last = self.last
        if self.first == self.last:
            self.first = self.last = None
        else:
            self.last = self.last.before
            self.last.following = None
        return last.value

    def note(self):
        link = Link(3)
        self.all.append(link)
        self.first = link
        return len(self.all), self.first in self.all


def links_of(chain):
    order, link = [], chain.first
    while link is not None and link not in order:
        order.append(link)
        link = link.following
    last = [] if chain.last is None else [order.index(chain.last)]
    return [link.value for link in order], [link.before for link in order][:1], last, chain.all == order[:1]


@pytest.mark.parametrize("n", [1, 2, 6])
@pytest.mark.parametrize(
    ("method", "given"),
    [
        (Chain.append, (7,)),
        (Chain.append_in_one_statement, (7,)),
        (Chain.extend, ([7, 8],)),
        (Chain.pop, ()),
        (Chain.note, ()),
    ],
)
def test_an_object_that_is_put_in_two_places_is_one_object(method, given, n):
    mine, plain = Chain(n), Chain(n)
    assert cl.jit(method)(mine, *given) == method(plain, *given)
    assert (links_of(mine) if method is not Chain.note else len(mine.all)) == (
        links_of(plain) if method is not Chain.note else len(plain.all)
    )
    if method is Chain.note:
        assert mine.first is mine.all[0]


class Shape:
    def __init__(self, size):
        self.size = size

    def area(self):
        return self.size * self.size


class Half(Shape):
    def __init__(self, size, part):
        super(Half, self).__init__(size)
        self.part = part

    def area(self):
        return super(Half, self).area() * self.part


def by_name_of_the_class(a):
    shape = Half(a, 0.5)
    return shape.area(), shape == shape, shape == Half(a, 0.5), shape != Shape(a)


def test_super_may_name_its_class():
    both(by_name_of_the_class, lambda: (3.0,))
    assert cl.jit(Half.area)(Half(3.0, 0.5)) == 4.5


class Sums:
    def __init__(self):
        self.total = np.zeros(3)
        self.seen = [1]
        self.names = {1}
        self.count = 0

    def add(self, x):
        self.total += x
        self.count += 1
        self.seen += [self.count]
        self.names |= {self.count}


def add_some(sums, x):
    before = sums.total
    for i in range(3):
        sums.add(x * i)
    sums.total *= 2
    return before, sums.count


def add_to_all(all_sums):
    for sums in all_sums:
        sums.total += 1.0
        sums.seen += [5]


class TestAttributesAreChangedInPlace:
    def test_by_methods_and_functions(self):
        sums = Sums()
        total, seen, names = sums.total, sums.seen, sums.names
        before, count = cl.jit(add_some)(sums, np.ones(3))
        assert total.tolist() == before.tolist() == [6.0, 6.0, 6.0] and count == sums.count == 3
        assert sums.total is total and seen == [1, 1, 2, 3] and sums.seen is seen and names == {1, 2, 3}

    @pytest.mark.parametrize("n", (1, 3, 6))
    def test_of_objects_in_a_list(self, n):
        all_sums = [Sums() for _ in range(n)]
        totals = [sums.total for sums in all_sums]
        cl.jit(add_to_all)(all_sums)
        assert all(total.tolist() == [1.0] * 3 for total in totals)
        assert all(sums.seen == [1, 5] for sums in all_sums)

    def test_of_views_of_other_arrays(self):
        whole = np.arange(6.0)
        sums = Sums()
        sums.total = whole[:3]
        cl.jit(add_to_all)([sums])
        assert whole.tolist() == [1.0, 2.0, 3.0, 3.0, 4.0, 5.0]


def set_by_name(particle, x):
    setattr(particle, "x", x)
    setattr(particle, "steps", particle.steps + 2)
    return particle.x, getattr(particle, "steps")


def set_by_name_inside(x):
    made = Particle(0.0, x)
    for _ in range(3):
        setattr(made, "x", made.x + x)
    return made.x


def test_setattr_with_a_name_that_is_written_down_is_an_assignment(run_both):
    own, other = Particle(1.0, 2.0), Particle(1.0, 2.0)
    assert cl.jit(set_by_name)(own, 5.0) == set_by_name(other, 5.0)
    assert vars(own) == vars(other)
    run_both(set_by_name_inside, 2.5)


class Fit:
    def __init__(self):
        self.coefficients = []
        self.degree = 0

    def fit(self, x, y, degree):
        self.coefficients = np.linalg.solve(np.vander(x, degree + 1), y)
        self.degree = degree

    def __call__(self, x):
        total = 0.0
        for c in self.coefficients:
            total = total * x + c
        return total


def fitted(x, y):
    fits = [Fit(), Fit()]
    for fit in fits:
        fit.fit(x, y, len(x) - 1)
        y = y * 2
    return fits[0](0.5), fits[1](0.5)


def unfitted(x, y, which):
    fits = [Fit(), Fit()]
    fits[0].fit(x, y, len(x) - 1)
    return fits[which].coefficients[0]


def test_an_attribute_is_an_empty_list_at_first_and_an_array_later():
    x, y = np.array([0.0, 1.0, 2.0]), np.array([1.0, 3.0, 2.0])
    assert cl.jit(fitted)(x, y) == pytest.approx(fitted(x, y))
    assert cl.jit(unfitted)(x, y, 0) == pytest.approx(unfitted(x, y, 0))
    with pytest.raises(TypeError, match="coefficients"):
        cl.jit(unfitted)(x, y, 1)


def with_a_setattr_of_its_own(particle):
    def setattr(thing, name, value):
        return value

    setattr(particle, "x", 7.0)
    return particle.x


def test_another_function_of_that_name_is_called_as_it_is():
    assert cl.jit(with_a_setattr_of_its_own)(Particle(1.0, 2.0)) == 1.0
