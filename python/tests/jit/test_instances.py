"""Objects of classes of the program's own: their attributes are read, and their methods called."""

import random
from collections import namedtuple
from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest

import colocate as cl


@dataclass
class Settings:
    alpha: float = 0.5
    n: int = 3
    weights: np.ndarray = field(default_factory=lambda: np.arange(3.0))
    name: str = "p"

    def scaled(self, k):
        return self.alpha * k + self.total()

    def total(self):
        return self.weights.sum()

    @property
    def half(self):
        return self.alpha / 2


class Simulation:
    factor = 10

    def __init__(self, n):
        self.x = np.zeros(n)
        self._step = 0.1
        self.settings = Settings()
        self.log = object()
        self.counts = [1, 2]

    def step(self, f):
        return self.x + self._step * f + self.settings.alpha * self.factor

    @staticmethod
    def squared(v):
        return v * v

    @cl.jit
    def summed(self, m):
        total = 0.0
        for i in range(m):
            total += self.x[i] + self._step
        return total


FIXED = Settings(alpha=4.0)


def test_attributes_are_read():
    def read(p, x):
        return p.alpha * x + p.n, p.weights[1], p.name

    assert cl.jit(read)(Settings(), 2.0) == read(Settings(), 2.0)
    names = SimpleNamespace(alpha=1.5, n=2, weights=np.ones(2), name="q")
    assert cl.jit(read)(names, 2.0) == read(names, 2.0)


def test_attributes_may_change_between_calls():
    @cl.jit
    def read(p):
        return p.alpha

    p = Settings()
    assert read(p) == 0.5
    p.alpha = 7
    assert read(p) == 7 and isinstance(read(p), int)
    p.another = 1
    assert read(p) == 7


def test_methods_and_properties_are_called():
    def called(p, x):
        return p.scaled(x), p.half

    def inner(s):
        return s.step(2.0).tolist(), s.squared(3.0), s.settings.total()

    assert cl.jit(called)(Settings(), 2.0) == called(Settings(), 2.0)
    assert cl.jit(inner)(Simulation(2)) == inner(Simulation(2))


def test_a_method_is_a_jit_function():
    assert Simulation(5).summed(4) == pytest.approx(0.4)


def test_arrays_and_lists_of_an_object_are_its_own():
    @cl.jit
    def changed(s):
        s.x[:] = s.x + s._step
        s.counts.append(3)
        return s.x.sum()

    s = Simulation(2)
    assert changed(s) == pytest.approx(0.2)
    np.testing.assert_allclose(s.x, 0.1)
    assert s.counts == [1, 2, 3]


def test_objects_from_outside():
    def scaled(x):
        return x * FIXED.alpha

    assert cl.jit(scaled)(2.0) == 8.0


class Ramp:
    def __init__(self):
        self.slope = 2
        self.values = np.arange(4.0)

    def at(self, x, by=1):
        return self.slope * x + by

    def sum_to(self, n):
        return sum([self.at(i, by=0) for i in range(n)])

    def put(self, i):
        self.values[i] = 7.0
        return self.values.sum()

    def grow(self):
        self.slope += 1

    @property
    def double(self):
        return self.slope * 2

    def __call__(self, x):
        return x + self.slope

    def __len__(self):
        return 4

    def __getitem__(self, i):
        return self.values[i]

    def __add__(self, other):
        return self.slope + other

    def __eq__(self, other):
        return self.slope == other

    def __iter__(self):
        yield self.slope
        yield self.slope + 1


RAMP = Ramp()


def methods_from_outside(n):
    ramp = RAMP
    return RAMP.at(n), RAMP.at(n, by=3), ramp.sum_to(n), ramp.double, ramp.put(1)


def operators_of_an_object_from_outside(n):
    return RAMP(n), len(RAMP), RAMP[1], RAMP + n, RAMP == 2, RAMP == n, sum([x for x in RAMP])


def classes_of_an_object_from_outside(n):
    is_one = isinstance(RAMP, Ramp), isinstance(RAMP, Step), type(RAMP) is Ramp, RAMP.__class__.__name__
    return is_one, 1 if RAMP else 2, 1 if STEPS[0] else 2, not RAMP


def test_objects_from_outside_have_a_class_and_are_true_or_not(run_both):
    run_both(classes_of_an_object_from_outside, 1)


def one_or_none(n):
    chosen = RAMP if n > 0 else None
    return 0 if chosen is None else chosen.at(n)


def test_an_object_from_outside_or_none(run_both):
    run_both(one_or_none, 1)
    run_both(one_or_none, 0)


def beside_others(x):
    steps = [STEPS[0], Step(x, 2)]
    steps.append(Step(x, x))
    steps.append(STEPS[1])
    for step in steps:
        step.y += 0
    return [step.x for step in steps], steps[0] is STEPS[0]


def test_objects_from_outside_stand_in_lists_with_others(run_both):
    run_both(beside_others, 3)


def test_methods_of_objects_from_outside(run_both, monkeypatch):
    run_both(methods_from_outside, 3)
    run_both(operators_of_an_object_from_outside, 3)
    compiled = cl.jit(methods_from_outside)
    compiled(3)
    monkeypatch.setattr(RAMP, "slope", 5)
    assert compiled(3) == methods_from_outside(3)
    monkeypatch.setattr(Ramp, "at", lambda self, x, by=1: by)
    assert compiled(3) == methods_from_outside(3)
    monkeypatch.setattr(RAMP, "at", lambda x, by=1: by + 10, raising=False)
    assert compiled(3) == methods_from_outside(3)


class Step:
    def __init__(self, x, y):
        self.x, self.y = x, y


STEPS = [Step(1, 0), Step(0, 1), Step(-1, 0)]
STEPS_BY_NAME = {"right": Step(1, 0), "up": Step(0, 1)}


def over_objects_from_outside(n):
    total = 0
    for step in STEPS:
        total += step.x * n + step.y
    return total, [step.y for step in STEPS if step.x >= 0], STEPS_BY_NAME["up"].y, len(STEPS)


def test_lists_of_objects_from_outside(run_both, monkeypatch):
    run_both(over_objects_from_outside, 3)
    compiled = cl.jit(over_objects_from_outside)
    compiled(3)
    monkeypatch.setattr(STEPS[0], "x", 5)
    assert compiled(3) == over_objects_from_outside(3)
    monkeypatch.setattr(STEPS[1], "y", 7)
    assert compiled(3) == over_objects_from_outside(3)
    STEPS.append(Step(10, 10))
    try:
        assert compiled(3) == over_objects_from_outside(3)
    finally:
        STEPS.pop()


GENERATOR = random.Random(1)
ADDED = np.vectorize(lambda x, y: x + y, excluded=["y"])


def test_objects_of_libraries_are_not_compiled():
    with pytest.raises(cl.CompileError, match="a method from outside cannot be used"):
        cl.jit(lambda: GENERATOR.gauss(0, 1))()
    with pytest.raises(cl.CompileError, match="vectorize made"):
        cl.jit(lambda x: ADDED(x, 2))(np.ones(2))


def test_methods_change_an_object_from_outside(monkeypatch):
    def grown():
        RAMP.grow()
        return RAMP.slope

    before = RAMP.slope
    wanted = grown()
    monkeypatch.setattr(RAMP, "slope", before)
    compiled = cl.jit(grown)
    assert compiled() == wanted == RAMP.slope
    assert compiled() == RAMP.slope != wanted
    RAMP.slope = before


def test_it_is_said_why_objects_of_a_class_are_not_made():
    class Names(dict):
        pass

    def named():
        return Names()

    with pytest.raises(cl.CompileError, match=r"objects of the class .*Names cannot be made") as caught:
        cl.jit(named)()
    assert "it derives from dict" in str(caught.value)


def test_several_objects():
    def several(items, a, b):
        chosen = a if a.alpha > b.alpha else b
        both = [a, b]
        return sum([item.alpha for item in items]), chosen.n, both[0].alpha + both[1].n, bool(a)

    given = [Settings(), Settings(alpha=2.0)], Settings(alpha=3.0, n=1), Settings(n=5)
    assert cl.jit(several)(*given) == several(*given)


def test_in_regions():
    def filled(p, n):
        out = np.zeros(n)
        for i in cl.prange(n):
            out[i] = p.alpha * i
        return out

    np.testing.assert_array_equal(cl.jit(filled)(Settings(), 4), [0, 0.5, 1, 1.5])


Point = namedtuple("Point", "x y")


class Vector(Point):
    def size(self):
        return (self.x**2 + self.y**2) ** 0.5


def test_methods_of_named_tuples(run_both):
    def size(x):
        return Vector(x, 4.0).size()

    run_both(size, 3.0)


class Own:
    def __init__(self):
        self.k = 1.0
        self.j = 2.0
        self.other = object()

    def __add__(self, other):
        return 5.0 + other.k

    def __len__(self):
        return 0


def add(a):
    return a + a


def unpack(a):
    x, _y, _z = a
    return x


def item(a):
    return a[0]


def truth(a):
    return 1 if a else 0


def unknown(a):
    return a.other


def missing(a):
    return a.nothing


def assign(a):
    a.other = 2.0


@pytest.mark.parametrize("function", [unpack, item, unknown, missing, assign], ids=lambda one: one.__name__)
def test_what_is_not_known_of_an_object_is_refused(function):
    with pytest.raises(cl.CompileError):
        cl.jit(function)(Own())


def test_a_class_says_whether_its_objects_are_true():
    assert cl.jit(truth)(Own()) == truth(Own()) == 0


def test_operators_that_a_class_defines():
    assert cl.jit(add)(Own()) == 6.0


def test_an_object_is_returned_itself():
    p = Settings()
    assert cl.jit(lambda p: p)(p) is p
    assert cl.jit(lambda p: {1: p})(p)[1] is p


def test_objects_may_refer_to_one_another_in_a_circle():
    @cl.jit
    def read(p):
        return p.x, p.other.x

    a, b = SimpleNamespace(x=1), SimpleNamespace(x=2)
    a.other, b.other, a.itself = b, a, a
    assert read(a) == (1, 2)


def test_a_class_that_changes_is_looked_at_again():
    class Scaled:
        factor = 3

        def __init__(self, x):
            self.x = x

        def value(self):
            return self.x * self.factor

    read = cl.jit(lambda p: p.value())
    assert read(Scaled(2)) == 6
    Scaled.factor = 10
    assert read(Scaled(2)) == 20
    Scaled.value = lambda self: self.x
    assert read(Scaled(2)) == 2


class Decides:
    def __init__(self):
        self.__dict__["x"] = 1

    @property
    def x(self):
        return 99


class Intercepts:
    def __init__(self):
        self.x = 1

    def __getattribute__(self, name):
        return 42 if name == "x" else object.__getattribute__(self, name)


def test_what_the_class_says_of_an_attribute_counts():
    read = cl.jit(lambda p: p.x)
    assert read(Decides()) == 99
    with pytest.raises(cl.CompileError, match="Intercepts"):
        read(Intercepts())


class Player:
    def __init__(self, rng):
        self.rng = rng
        self.sides = 6

    def throw(self):
        return int(self.rng.integers(1, self.sides + 1))


def thrown(player, n):
    total = 0
    for _ in range(n):
        total += player.throw()
    return total, player.rng.normal(size=2)


def test_an_object_holds_a_generator_of_random_numbers():
    theirs, ours = (Player(np.random.default_rng(3)) for _ in range(2))
    expected, found = thrown(theirs, 5), cl.jit(thrown)(ours, 5)
    assert expected[0] == found[0]
    np.testing.assert_array_equal(expected[1], found[1])
    assert theirs.rng.random() == ours.rng.random()


class Secret:
    def __init__(self, items):
        self.__items = items
        self.__sum = None

    def __squared(self, __x):
        return __x * __x

    @staticmethod
    def __plus_one(x):
        return x + 1

    def length(self):
        __total = 0.0
        for x in self.__items:
            __total += self.__squared(x)
        return Secret.__plus_one(__total)

    def made(self):
        return Secret([x + 1 for x in self.__items]).length()

    def change(self):
        self.__items = [1.0]
        self.__sum = 1.0

    def by_inner(self):
        def inner(x):
            return self.__squared(x)

        return inner(2.0)


@pytest.mark.parametrize("method", [Secret.length, Secret.made, Secret.change, Secret.by_inner])
def test_private_names_are_those_of_the_class(method):
    mine, plain = Secret([1.0, 2.0]), Secret([1.0, 2.0])
    assert cl.jit(method)(mine) == method(plain)
    assert vars(mine) == vars(plain)
