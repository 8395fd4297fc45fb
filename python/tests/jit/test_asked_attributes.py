"""`hasattr`, `getattr` with a default, `__class__`, and functions that are chosen by it."""

import functools

import numpy as np
import pytest

import colocate as cl


class Holder:
    def __init__(self, value):
        self.value = value

    @property
    def sure(self):
        return 3

    @property
    def doubtful(self):
        if self.value:
            raise AttributeError("doubtful")
        return self.value

    @property
    def broken(self):
        raise ValueError("broken")


def methods_of_containers(given):
    made = [1, 2]
    made.append(3)
    return (
        [hasattr(one, "append") for one in ([], [1], made, given)],
        hasattr(made, "foo"),
        hasattr(given, "foo"),
        hasattr("a", "upper"),
        hasattr("a", "foo"),
        hasattr({1: 2}, "items"),
        hasattr({1}, "foo"),
        hasattr((1, 2), "index"),
        hasattr(3, "foo"),
    )


def test_containers_have_the_attributes_that_pythons_have(run_both):
    run_both(methods_of_containers, [1, 2])


def asked(o):
    return (
        hasattr(o, "doubtful"),
        getattr(o, "doubtful", 5),
        hasattr(o, "sure"),
        getattr(o, "sure", 5),
        hasattr(o, "no"),
    )


@pytest.mark.parametrize("value", [0, 1])
def test_a_property_that_raises_attribute_error_is_not_there(run_both, value):
    run_both(asked, Holder(value))


def asked_for_broken(o):
    try:
        return hasattr(o, "broken")
    except ValueError as e:
        return str(e)


def test_what_else_a_property_raises_comes_out(run_both):
    run_both(asked_for_broken, Holder(1))


def of_what_may_be_none(c):
    x = 5 if c else None
    return hasattr(x, "real"), getattr(x, "real", 7)


@pytest.mark.parametrize("c", [True, False])
def test_none_has_not_the_attributes_of_what_it_stands_for(run_both, c):
    run_both(of_what_may_be_none, c)


def got(c):
    d = {2: 3}
    x = d if c else None
    return x.get(2)


def test_an_attribute_of_none_is_an_attribute_error(run_both):
    run_both(got, True)
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'get'"):
        cl.jit(got)(False)


def name(cls):
    return cls.__name__


def classes(x):
    c = x.__class__
    return c.__name__, c is float, c is int, [1].__class__.__name__, "a".__class__ is str, name(ValueError), c


@pytest.mark.parametrize("x", [3, 2.5, True, (3, 4), [1.5]])
def test_values_have_the_class_that_python_gives_them(run_both, x):
    run_both(classes, x)


class Plain:
    def __str__(self):
        return "a plain one"


def another_one(x):
    made = type(x)()
    print(1, made)
    print(x.__class__(), type(x) is Plain, isinstance(made, type(x)))
    return str(made)


def test_the_class_of_an_argument_makes_other_objects(run_both):
    run_both(another_one, Plain())


def types(t):
    return t, str, [float], (bool, list), t(2.5)


@pytest.mark.parametrize("t", [int, float])
def test_classes_of_python_are_returned_as_they_are(run_both, t):
    run_both(types, t)


def operator_methods(a, b):
    return a.__add__(b), a.__rsub__(b), a.__mul__(b), b.__neg__(), a.__lt__(b), b.__floordiv__(2), b.__rpow__(2)


@pytest.mark.parametrize("args", [(3, 4), (3.5, 4), (2.5, 4.0)])
def test_numbers_have_the_methods_that_are_operators(run_both, args):
    run_both(operator_methods, *args)


@functools.singledispatch
def kind_of(x, times=1):
    return "anything" * times


@kind_of.register(int)
def kind_of_int(x, times=1):
    return "int" * times


@kind_of.register
def kind_of_bool(x: bool, times=1):
    return "bool" * times


@kind_of.register(list)
@kind_of.register(Holder)
def kind_of_others(x, times=1):
    return "other" * times


def kinds(x, n):
    return kind_of(x), kind_of(x, 2), kind_of(x, times=n), kind_of(str(n)), kind_of([n])


@pytest.mark.parametrize("x", [1, True, 2.5, "a", [1.5], Holder(1), (1, 2)])
def test_functions_are_chosen_by_the_class_of_their_first_argument(run_both, x):
    run_both(kinds, x, 3)


def test_a_class_that_is_registered_later_counts(run_both):
    @functools.singledispatch
    def chosen(x):
        return 1

    def asked(x):
        return chosen(x)

    program = run_both.jit(asked)
    assert program(2.5) == 1
    chosen.register(float, lambda x: 2)
    assert program(2.5) == 2


def attributes_of_arrays(x):
    return [hasattr(x, name) for name in ("sum", "foo", "__foo__", "append", "add", "items", "dtype", "__len__")]


@pytest.mark.parametrize("x", [np.ones(3), np.float32(2), {1, 2}, frozenset([1]), {1: 2}, [1.5], 2j, "text"])
def test_arrays_and_sets_have_the_attributes_that_theirs_have(x):
    assert cl.jit(attributes_of_arrays)(x) == attributes_of_arrays(x)
