"""Global variables and attributes of classes that jit functions assign to, and containers outside that they fill."""

from typing import ClassVar

import numpy as np
import pytest

import colocate as cl

evaluations = 0
best = None
field = np.zeros(3)
history = []
table = {}
seen = set()


def counted(x):
    global evaluations
    evaluations += 1
    return x * x


def minimum(a, b, n):
    h = (b - a) / n
    lowest = counted(a)
    for i in range(1, n + 1):
        lowest = min(lowest, counted(a + i * h))
    return lowest, evaluations


def test_a_global_variable_counts():
    global evaluations
    evaluations = 0
    expected = minimum(-1.0, 2.0, 6)
    evaluations = 0
    compiled = cl.jit(minimum)
    assert compiled(-1.0, 2.0, 6) == expected
    assert evaluations == expected[1] == 7
    assert compiled(-1.0, 2.0, 6)[1] == 14


def test_a_global_variable_that_is_assigned_to_is_not_taken_for_a_constant():
    global evaluations
    compiled = cl.jit(counted)
    for start in (0, 5, 40):
        evaluations = start
        compiled(1.0)
        compiled(2.0)
        assert evaluations == start + 2


def grown(x):
    global field
    field = field + x
    field[0] = -1.0
    return field.sum()


def test_a_global_array_is_another_one_afterwards():
    global field
    field = before = np.ones(3)
    assert cl.jit(grown)(2.0) == 5.0
    assert before.tolist() == [1, 1, 1]
    assert field.tolist() == [-1, 3, 3]


def kept(x):
    global best
    if best is None or x < best:
        best = x
    return best


def test_a_global_variable_may_be_none_at_first():
    global best
    best = None
    compiled = cl.jit(kept)
    assert [compiled(x) for x in (3.0, 5.0, 2.0)] == [3.0, 3.0, 2.0]
    assert best == 2.0


def shadowed(n):
    global evaluations
    evaluations = n
    return sum([evaluations for evaluations in range(n)])


def test_a_global_variable_whose_name_means_something_else_inside_is_refused():
    with pytest.raises(cl.CompileError, match="global"):
        cl.jit(shadowed)(3)


class Walker:
    made = 0
    longest = 0.0
    names: ClassVar = []

    def __init__(self, name):
        self.name = name
        Walker.made += 1
        Walker.names.append(name)

    def walk(self, distance):
        if distance > Walker.longest:
            Walker.longest = distance
        return Walker.made

    @classmethod
    def forget(cls):
        cls.made = 0
        return cls.made


def walkers(n):
    made = 0
    for i in range(n):
        made += Walker(i).walk(0.5 * i)
    return made, Walker.made, Walker.longest


def test_attributes_of_a_class_are_assigned_to():
    def begin():
        Walker.made, Walker.longest = 0, 0.0
        Walker.names.clear()

    begin()
    expected = walkers(4), walkers(2), list(Walker.names)
    begin()
    compiled = cl.jit(walkers)
    assert (compiled(4), compiled(2), Walker.names) == expected
    assert (Walker.made, Walker.longest) == (6, 1.5)


def test_a_class_method_assigns_to_its_class():
    Walker.made = 3

    def again(n):
        return Walker.forget() + n

    assert cl.jit(again)(1) == 1
    assert Walker.made == 0


def through_an_object(n):
    walker = Walker(n)
    Walker.made = n
    return walker.made


def test_what_may_be_the_classs_is_not_read_from_an_object():
    with pytest.raises(cl.CompileError, match="by the name of the class"):
        cl.jit(through_an_object)(2)


def noted(x):
    history.append(x)
    table[x] = len(history)
    seen.add(x)
    return len(seen), sum(history)


def test_empty_containers_outside_are_filled():
    compiled = cl.jit(noted)
    for container in (history, table, seen):
        container.clear()
    assert [compiled(x) for x in (1.5, 2.5, 1.5)] == [(1, 1.5), (2, 4.0), (2, 5.5)]
    assert (history, table, seen) == ([1.5, 2.5, 1.5], {1.5: 3, 2.5: 2}, {1.5, 2.5})


memory = {}


def fibonacci(n):
    if n in memory:
        return memory[n]
    result = n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
    memory[n] = result
    return result


def test_a_dictionary_outside_remembers_results():
    memory.clear()
    assert cl.jit(fibonacci)(30) == 832040
    assert len(memory) == 31


class Meter:
    def __init__(self, factor):
        self.factor = factor
        self.values = np.ones(3)
        self.calls = 0

    @property
    def total(self):
        return self.factor * self.values.sum()

    def scaled(self, x):
        return self.factor * x

    def read(self, x):
        self.calls += 1
        return self.scaled(x) + self.total


meter = Meter(2.0)


def through_properties(x):
    meter.values[0] = x
    first = meter.total
    meter.values[1] = 2 * x
    return first, meter.total


def test_a_property_of_an_object_outside_is_computed_each_time():
    meter.values[:] = 1.0
    expected = [through_properties(x) for x in (5.0, 7.0)]
    meter.values[:] = 1.0
    compiled = cl.jit(through_properties)
    assert [compiled(x) for x in (5.0, 7.0)] == expected


def measured(x):
    return meter.read(x) + meter.read(2 * x)


def test_methods_of_an_object_outside_are_called():
    meter.values[:], meter.calls = 1.0, 0
    expected = measured(3.0)
    assert cl.jit(measured)(3.0) == expected
    assert meter.calls == 4


def begun_again():
    meter.factor = 3.0
    return meter.scaled(1.0)


def test_attributes_of_an_object_outside_are_assigned_to():
    meter.factor = 2.0
    assert cl.jit(begun_again)() == 3.0
    assert meter.factor == 3.0
    meter.factor = 2.0


def far(distance):
    Walker.longest += distance
    return Walker.longest


def test_a_variable_outside_may_become_one_of_another_type():
    compiled = cl.jit(far)
    for start in (2, 2.5, np.float32(0.5), 3):
        Walker.longest = start
        expected = far(1), far(2)
        Walker.longest = start
        found = compiled(1), compiled(2)
        assert found == expected
        assert [type(one) for one in found] == [type(one) for one in expected]
    Walker.longest = "far"
    with pytest.raises(TypeError):
        far(1)
    with pytest.raises((TypeError, cl.CompileError)):
        compiled(1)
    Walker.longest = 0.0


def relaxed(x, turns, action):
    for turn in range(turns):
        x = x / 2
        action(x, turn)
    return x


def largest_error(x, turns):
    largest = 1.0

    def compare(x, turn):
        global evaluations
        evaluations = max(evaluations, round(x * 100)) if turn else 0
        return largest

    return relaxed(x, turns, compare), evaluations, largest


def test_an_inner_function_assigns_to_a_global_variable():
    global evaluations
    evaluations = 7
    expected = largest_error(3.0, 4)
    evaluations = 7
    assert cl.jit(largest_error)(3.0, 4) == expected
    assert evaluations == expected[1]


class Duck:
    def __init__(self, weight, behind=None):
        self.weight = weight
        self.behind = behind

    def says(self):
        return 1


class Goose:
    def __init__(self, weight):
        self.weight = weight
        self.behind = None

    def says(self):
        return 100


bird = Duck(1)


class Pond:
    first = bird


def heard(k):
    global bird
    if k == 2:
        bird = Duck(k)
    return bird.says() + bird.weight


def heard_in_pond(k):
    if k == 2:
        Pond.first = Duck(k)
    return Pond.first.says() + Pond.first.weight


def test_what_a_program_assigns_to_may_be_an_object_of_another_class_when_it_begins():
    global bird
    compiled, in_pond = cl.jit(heard), cl.jit(heard_in_pond)
    for other in (Duck(1), Goose(5), Duck(7), None):
        bird = Pond.first = other
        for function, plain in ((compiled, heard), (in_pond, heard_in_pond)):
            if other is None:
                with pytest.raises((AttributeError, TypeError, cl.CompileError)):
                    function(1)
            else:
                # What would hold objects of two classes may be refused.
                try:
                    found = function(1)
                except cl.CompileError:
                    assert isinstance(other, Goose)
                else:
                    assert found == plain(1)
    bird = Pond.first = Duck(1)


def shown(k):
    global field
    if k:
        field = np.zeros(3)
    return field * 2


def test_an_array_that_a_program_assigns_to_may_have_another_dtype_or_other_axes_when_it_begins():
    global field
    compiled = cl.jit(shown)
    for start in (np.arange(3.0), np.arange(3), np.ones((2, 2)), np.ones(2, np.float32), np.arange(4.0)[::-1]):
        field = start
        try:
            found = compiled(0)
        except cl.CompileError:
            continue
        assert found.dtype == (start * 2).dtype
        assert found.tolist() == (start * 2).tolist()
    field = np.zeros(3)


flock = Duck(1, Duck(2, Duck(3)))


def joined(weight):
    global flock
    flock = Duck(weight, flock)
    number, one = 0, flock
    while one is not None:
        number += 1
        one = one.behind
    return number, flock.behind.behind.behind.behind is None, 1 if flock.behind.behind.behind.behind else 2


def test_objects_that_one_outside_leads_to_have_an_end():
    global flock
    flock = Duck(1, Duck(2, Duck(3)))
    expected = joined(0)
    flock = Duck(1, Duck(2, Duck(3)))
    assert cl.jit(joined)(0) == expected


def taken():
    global flock
    if flock is None:
        return 0
    weight = flock.weight
    flock = flock.behind
    return weight


def test_an_object_outside_takes_the_place_of_another():
    global flock
    flock = Duck(1, Duck(2, Duck(3)))
    compiled = cl.jit(taken)
    assert [compiled() for _ in range(5)] == [1, 2, 3, 0, 0]
    assert flock is None
