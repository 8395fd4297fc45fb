"""Enumerations, tables of names from outside, and what functions are called."""

from collections import namedtuple
from enum import Enum, IntEnum

import numpy as np
import pytest

import colocate as cl

Factors = namedtuple("Factors", "to back")


class Colour(Enum):
    RED = "r"
    BLUE = "b"

    @property
    def long(self):
        return self.name.lower() + "!"


class Unit(Enum):
    kilo = 3
    mega = 6


class Level(IntEnum):
    LOW = 1
    HIGH = 2


def members(c):
    names = [one.name for one in Colour]
    longer = []
    for at, one in enumerate(list(Colour)):
        longer.append(one.long * at)
    table = {one.name: one.value for one in Unit}
    return names, longer, table, len(Colour), sum(one for one in Level), c in Colour, c is Colour.RED


def test_the_members_are_gone_over(run_both):
    run_both(members, Colour.RED)


def prefix(v):
    for unit in Unit:
        if v > 10**unit.value:
            return unit.name
    return "none"


@pytest.mark.parametrize("v", [5, 5000])
def test_a_loop_over_members_is_left_early(run_both, v):
    run_both(prefix, v)


def of_values(letter, n):
    return Colour("b") == Colour.BLUE, Colour(letter).name, Unit(n * 3).name, Level(n) == Level.HIGH


@pytest.mark.parametrize(("letter", "n"), [("r", 1), ("r", 2)])
def test_members_are_found_by_their_values(run_both, letter, n):
    run_both(of_values, letter, n)


@pytest.mark.parametrize(("letter", "n"), [("q", 1), ("r", 3)])
def test_a_value_that_no_member_has_is_an_error(run_both, letter, n):
    wanted, raised = run_both.raises(ValueError, of_values, letter, n)
    assert str(wanted) == str(raised)


FACTORS = {"m": Factors(1, 1), "km": Factors(1000, 0.001)}


def converted(v, a, b):
    if a not in FACTORS:
        raise ValueError(f"{a} is none of {', '.join(FACTORS)}")
    return v * FACTORS[a].to * FACTORS[b].back


def test_a_table_of_named_tuples_is_read(run_both):
    run_both(converted, 3, "km", "m")
    wanted, raised = run_both.raises(ValueError, converted, 3, "kg", "m")
    assert str(wanted) == str(raised)


def test_a_table_that_grows_is_looked_at_again():
    compiled = cl.jit(lambda name: name in GROWING)
    assert not compiled("b")
    GROWING["b"] = Factors(2, 2)
    assert compiled("b")


GROWING = {"a": Factors(1, 1)}


def helper(x):
    return x + 1


def named(f, x):
    def inner(y):
        return y

    one = lambda y: y
    calls = callable(Colour), callable(helper), callable(len), callable(ValueError), callable(np.float32), callable(x)
    return f.__name__, helper.__name__, inner.__name__, one.__name__, f"{helper.__name__}()", calls


def test_functions_have_names_and_can_be_called(run_both):
    run_both(named, helper, 2)


def printed(items):
    print(*items)
    print("x:", *items, end="!\n")
    print(*items, *items, 7, sep=",")
    print(*range(len(items)), *zip(items, items))
    return len(items)


@pytest.mark.parametrize("items", [[1, 2, 3], [], ["a", "b"], (1, "a"), np.array([1.5, 2.0]), [[1, 2], [3]]])
def test_items_are_printed(run_both, items):
    run_both(printed, items)


TWO = 2


def same_number(a, b):
    return a is b, a is not b, a is TWO


@pytest.mark.parametrize("numbers", [(2, 2), (2, 3), (1000, 3), (True, 1)])
def test_small_integers_are_themselves(run_both, numbers):
    run_both(same_number, *numbers)


def test_which_of_two_equal_large_integers_is_meant_is_not_known():
    with pytest.raises(TypeError, match="write `==`"):
        cl.jit(same_number)(1000, int("1000"))


STEPS = {Level.LOW: (-1, 0), Level.HIGH: (0, 1)}
WEIGHTS = {Colour.RED: 1.5, Colour.BLUE: 2.5}


def stepped(n):
    return STEPS[Level(n)][1], STEPS[Level.LOW], Level(n) in STEPS, STEPS.get(n), Level(n).name


def weighed(letter, colour):
    total, names = 0.0, []
    for one, weight in WEIGHTS.items():
        names.append(one.name + one.value)
        if one == Colour.BLUE:
            total += weight
    return WEIGHTS[Colour(letter)], WEIGHTS[Colour.RED], colour in WEIGHTS, WEIGHTS.get(colour), total, names


@pytest.mark.parametrize("n", [1, 2])
def test_members_are_keys_of_dictionaries_outside(run_both, n):
    run_both(stepped, n)
    run_both(weighed, "rb"[n - 1], Colour.BLUE)


def test_the_name_of_a_member_that_is_not_there_is_an_error(run_both):
    wanted, raised = run_both.raises(ValueError, stepped, 3)
    assert str(wanted) == str(raised)


class Lamp:
    def __init__(self, colour, watts):
        self.colour = colour
        self.watts = watts

    def turn(self):
        self.colour = Colour.BLUE if self.colour is Colour.RED else Colour.RED
        return self.watts


def turned(lamp):
    first = lamp.turn()
    return first, lamp.colour is Colour.BLUE, lamp.colour == Colour.RED, lamp.colour.name, lamp.colour.value


def turned_inside(n):
    lamp = Lamp(Colour.RED, 3)
    total = 0
    for _ in range(n):
        total += lamp.turn()
        if lamp.colour is not Colour.RED:
            lamp.watts += 1
    return total, lamp.colour == Colour.RED, lamp.colour in (Colour.RED, Colour.BLUE)


def made_inside(n):
    lamps = [Lamp(Colour.RED, i) for i in range(n)]
    for lamp in lamps:
        if lamp.watts % 2:
            lamp.colour = Colour.BLUE
    return sum([1 for lamp in lamps if lamp.colour is Colour.BLUE]), [lamp.colour.name for lamp in lamps]


def counted_by_colour(lamps):
    found = {}
    for lamp in lamps:
        found[lamp.colour] = found.get(lamp.colour, 0) + lamp.watts
    return found[Colour.RED], found[Colour.BLUE], len(found)


def colours(lamps):
    return [lamp.colour for lamp in lamps]


def test_members_are_attributes_that_change():
    lamp, other = Lamp(Colour.RED, 1), Lamp(Colour.RED, 1)
    compiled = cl.jit(turned)
    for _ in range(2):
        assert compiled(lamp) == turned(other)
        assert lamp.colour is other.colour


@pytest.mark.parametrize("n", [2, 5])
def test_members_are_attributes_of_objects_that_are_made(run_both, n):
    run_both(turned_inside, n)
    run_both(made_inside, n)


@pytest.mark.parametrize("count", [3, 7])
def test_members_of_objects_are_keys_and_items(count):
    lamps = [Lamp(Colour.RED if i % 2 else Colour.BLUE, i) for i in range(count)]
    assert cl.jit(counted_by_colour)(lamps) == counted_by_colour(lamps)
    assert cl.jit(colours)(lamps) == colours(lamps)


class Phase(Enum):
    CALM = "calm"
    ALARM = "alarm"


class Sensor:
    def __init__(self, threshold):
        self.threshold = threshold
        self.phase = Phase.CALM
        self.before = None

    def see(self, x):
        self.before = self.phase
        self.phase = Phase.ALARM if x > self.threshold else Phase.CALM
        return self.phase is not self.before


def changes(xs):
    sensors = [Sensor(1.0), Sensor(2.0)]
    count = 0
    for x in xs:
        for sensor in sensors:
            count += sensor.see(x)
    return count, [sensor.phase == Phase.ALARM for sensor in sensors], sensors[0].phase.value


def test_members_are_attributes_of_objects_in_lists(run_both):
    run_both(changes, np.array([0.5, 1.5, 2.5, 1.2]))


class Shade(Enum):
    LIGHT = 1
    DARK = 2

    def is_dark(self):
        return self is Shade.DARK

    def other(self):
        return Shade.LIGHT if self is Shade.DARK else Shade.DARK


def turned_over(n):
    now, seen = Shade.LIGHT, []
    for _ in range(n):
        now = now.other()
        seen.append(now)
    return seen, now.is_dark(), Shade.DARK.is_dark()


@pytest.mark.parametrize("n", [2, 3])
def test_methods_of_members_are_called_and_members_are_items_of_lists(run_both, n):
    run_both(turned_over, n)
