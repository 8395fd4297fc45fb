"""What classes of the program say of their objects by methods with special names, and what dataclasses write."""

import dataclasses
import functools
from collections import namedtuple
from dataclasses import dataclass
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

import colocate as cl


class Number:
    def __init__(self, x):
        self.x = x

    def __add__(self, other):
        return Number(self.x + other)

    def __iadd__(self, other):
        self.x += other
        return self

    def __bool__(self):
        return self.x > 0

    def __lt__(self, other):
        return self.x < other.x


class Sized:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n


class Pair:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        yield self.x
        yield self.x + 1


class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n


class Scaled:
    factor = 2

    def __init__(self, x):
        self.x = x

    @classmethod
    def unit(cls, x=1.0):
        return cls(x * cls.factor)

    @property
    def double(self):
        return self.x * 2

    @double.setter
    def double(self, value):
        self.x = value / 2


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a, self.b = a, b


class Chain:
    __slots__ = ("key", "next")

    def __init__(self, key):
        self.key = key
        self.next = None

    def push(self, key):
        if self.next is None:
            self.next = Chain(key)
        else:
            self.next.push(key)

    def size(self):
        return 1 + (self.next.size() if self.next else 0)


@dataclass(order=True)
class Version:
    major: int
    minor: int = 2


@dataclass
class Body:
    mass: float
    name: str = "b"


Point = namedtuple("Point", "x y z", defaults=(2, 3))


class Speed(NamedTuple):
    m: float
    v: float = 1.5

    def energy(self):
        return 0.5 * self.m * self.v**2


def test_an_update_in_place_is_seen_by_all_names_of_the_object(run_both):
    def updated(x):
        u = Number(x)
        w = u
        u += 5
        v = u + 1
        return w.x, u.x, v.x

    run_both(updated, 1)


def test_a_class_says_whether_its_objects_are_true(run_both):
    def truths(x):
        a = Number(x)
        return 1 if a else 0, not a, bool(a), 1 if Sized(0) else 2, 1 if Sized(3) else 2

    run_both(truths, 2.0)
    run_both(truths, -2.0)


def test_the_least_of_objects_that_are_compared(run_both):
    def least(x):
        return min(Number(x), Number(2.0)).x, max(Number(x), Number(2.0), Number(7.0)).x

    run_both(least, 3.0)
    run_both(least, 1.0)


def test_objects_that_give_items_are_gone_over(run_both):
    def over(x, n):
        total = 0.0
        for item in Pair(x):
            total += item
        a, b = Pair(x)
        for item in Countdown(n):
            total += item * 10
        return total, a, b, list(Pair(x)), sum(Pair(x)), [i for i in Countdown(n)]

    run_both(over, 1.5, 4)


def test_class_methods_make_objects(run_both):
    def made(x):
        return Scaled.unit().x, Scaled.unit(x).x, Scaled.unit(x=x).x

    run_both(made, 3.0)


def test_a_class_method_is_not_compiled_again_at_each_call():
    @cl.jit
    def made(x):
        return Scaled.unit(x).x

    made(1.0)
    before = len(made.signatures)
    made(2.0)
    assert len(made.signatures) == before


def test_setters_are_called(run_both):
    def assigned(x):
        s = Scaled(x)
        s.double = 5.0
        before = s.x
        s.double += 1.0
        return before, s.x, s.double

    run_both(assigned, 3.0)


def test_objects_with_slots(run_both):
    def summed(n):
        s = Slotted(n, 2.0)
        s.a += 1
        chain = Chain(0)
        for i in range(n):
            chain.push(i)
        return s.a + s.b, chain.size()

    run_both(summed, 3)

    @cl.jit
    def outside(s):
        s.a += 1
        return s.a * s.b

    given = Slotted(1, 2.0)
    assert outside(given) == 4.0
    assert given.a == 2


def test_dataclasses_compare_and_show_their_objects(run_both):
    def compared(a, b):
        x, y = Version(a), Version(b, 1)
        return x == y, x != y, x < y, x >= y, repr(x), sorted([x, y])[0].major

    run_both(compared, 1, 2)
    run_both(compared, 2, 2)


def test_functions_of_the_module_dataclasses(run_both):
    def changed(x):
        b = Body(x)
        c = dataclasses.replace(b, name="c")
        return c.mass, c.name, b.name, dataclasses.asdict(c), dataclasses.astuple(b)

    run_both(changed, 2.0)


def test_named_tuples_have_defaults_and_are_made_of_items(run_both):
    def made(x):
        p = Point._make([x, 1, 2])
        return Point(x), Point(x, z=9), Speed(x).energy(), p.z, Point._fields, Point._make((x, 2, 3))

    run_both(made, 4)


def test_a_namespace_is_an_object(run_both):
    def moments(v):
        ns = SimpleNamespace(mean=v.mean(), rest=0.0)
        ns.rest = np.mean((v - ns.mean) ** 4)
        return ns.mean, ns.rest

    run_both(moments, np.arange(5.0))


def test_partials_are_arguments():
    @cl.jit
    def applied(f, y):
        return f(y)

    def scaled(factor, y, offset=0.0):
        return factor * y + offset

    assert applied(functools.partial(scaled, 2.0), 3.0) == 6.0
    assert applied(functools.partial(scaled, 2.0, offset=1.0), 3.0) == 7.0


def test_subclasses_are_told_apart(run_both):
    def told(x):
        a = Number(x)
        return issubclass(Chain, Slotted), isinstance(a, Number), isinstance(a, Chain)

    run_both(told, 1.0)


class Recorder:
    def __init__(self):
        self.seen = []
        self.counts = {"k": 1}

    def push(self, x):
        self.seen.append(x)


class Wave:
    def __init__(self, frequency):
        self.frequency = frequency

    def __call__(self, n):
        return self.frequency * n


class Rounded:
    def __init__(self, x):
        self.x = x

    def __round__(self, digits=0):
        return round(self.x, digits)

    def __delitem__(self, index):
        self.x = -index


def test_empty_lists_and_dictionaries_are_attributes_of_arguments():
    @cl.jit
    def pushed(recorder, x):
        recorder.push(x)
        recorder.counts["k"] += 5
        return len(recorder.seen), recorder.counts["k"]

    recorder = Recorder()
    assert pushed(recorder, 1.5) == (1, 6)
    assert pushed(recorder, 2.5) == (2, 11)
    assert recorder.seen == [1.5, 2.5]
    assert recorder.counts == {"k": 11}


def test_objects_that_can_be_called_are_arguments():
    @cl.jit
    def driven(source, n):
        total = 0.0
        for i in range(n):
            total += source(i)
        return total

    assert driven(Wave(0.5), 3) == 1.5
    assert driven(Wave(2.0), 3) == 6.0


def test_rounding_and_deleting_items_are_said_by_the_class(run_both):
    def said(x):
        r = Rounded(x)
        near = round(r, 1)
        del r[2]
        return near, r.x

    run_both(said, 2.567)


class Counted:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __iter__(self):
        for i in range(self.n):
            yield i * i


def counted(x):
    return len(x), bool(x), [*x], (*x, 7), [0, *x, *x], {*x}


def length(x):
    return len(x)


def truth(x):
    return 1 if x else 2


def test_objects_have_the_length_and_the_items_that_their_class_says(run_both):
    run_both(counted, Counted(3))
    for program in (length, truth):
        run_both.raises(ValueError, program, Counted(-2))


class Backwards:
    """Less than another if its number is greater."""

    def __init__(self, number, weight=0):
        self.number = number
        self.weight = weight

    def __lt__(self, other):
        return self.number > other.number


class Orderless:
    def __init__(self, number):
        self.number = number


def backwards_sorted(n):
    items = [Backwards(i * 3 % 7, i) for i in range(n)]
    in_order = sorted(items)
    back = sorted(items, reverse=True)
    items.sort()
    first = [item.weight for item in items], min(items).number, max(items).number
    return first, [item.weight for item in in_order], [item.weight for item in back]


def backwards_by_keys(n):
    numbers = [i * 3 % 7 for i in range(n)]
    by_class = sorted(numbers, key=Backwards), max(numbers, key=lambda x: Backwards(x))
    return by_class, [b.number for _, b in sorted([(x % 2, Backwards(x)) for x in numbers])]


def backwards_given(items):
    return [item.number for item in sorted(items)], min(items).number


def sorted_without_order(n):
    return [item.number for item in sorted([Orderless(n), Orderless(1)])]


class TestOrder:
    @pytest.mark.parametrize("n", (1, 3, 100))
    def test_objects_are_sorted_by_what_their_class_says(self, run_both, n):
        run_both(backwards_sorted, n)
        run_both(backwards_by_keys, n)

    def test_so_are_objects_among_the_arguments(self, run_both):
        run_both(backwards_given, [Backwards(1), Backwards(3), Backwards(2)])

    def test_what_has_no_order_raises(self, run_both):
        run_both.raises(TypeError, sorted_without_order, 2)


class First:
    def value(self):
        return 1


class Second(First):
    def value(self):
        return super().value() * 10


def value_of_second(x):
    return Second().value() + x


def test_a_method_of_a_base_class_may_be_replaced(monkeypatch):
    function = cl.jit(value_of_second)
    assert function(2) == 12
    monkeypatch.setattr(First, "value", lambda self: 5)
    assert function(2) == 52


class Vector(NamedTuple):
    x: float
    y: float

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __abs__(self):
        return (self.x**2 + self.y**2) ** 0.5


def vectors(a, b, n):
    p, q = Vector(a, b), Vector(b, a)
    d = p - q
    for i in range(n):
        d += i * p * 2
    points = [p, q, -d]
    return d, abs(d), sum(points, Vector(0.0, 0.0)), max(p, q), min(p, q), p == q, tuple(p)


def sum_of_two(p, q):
    return p + q


def test_named_tuples_have_the_operators_of_their_class(run_both):
    run_both(vectors, 1.5, 2.5, 3)
    run_both(sum_of_two, Vector(1.0, 2.0), Vector(0.5, 0.25))


class FromTheTop(NamedTuple):
    x: float
    y: float

    def __lt__(self, other):
        return self.y > other.y


def test_named_tuples_that_are_ordered_otherwise_are_refused():
    def first(a, b):
        return sorted([FromTheTop(a, b), FromTheTop(b, a)])[0]

    with pytest.raises(cl.CompileError, match="`__lt__` of its own"):
        cl.jit(first)(1.0, 2.0)
    with pytest.raises(cl.CompileError, match="`__lt__` of its own"):
        cl.jit(sum_of_two)(FromTheTop(1.0, 2.0), FromTheTop(1.0, 2.0))
