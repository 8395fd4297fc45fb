"""Exceptions whose classes the program has written: their attributes."""

import pytest

import colocate as cl


class NotFound(Exception):
    def __init__(self, where, value):
        super().__init__(f"{value} at {where}")
        self.where = where
        self.value = value
        self.twice = value * 2


class NothingThere(NotFound):
    def __init__(self, where):
        super().__init__(where, 1.5)


class Plain(Exception):
    code = 7


class Counted(Exception):
    def __init__(self, text):
        super().__init__(text)
        MADE.append(text)
        self.text = text


MADE = []


def place_of(values, x):
    for i in range(len(values)):
        if values[i] == x:
            raise NotFound(i, x)
    return -1


def found(x):
    try:
        return place_of([1.0, 2.0, 3.0], x), 0.0, 0.0, "", ("",)
    except NotFound as e:
        return e.where, e.value, e.twice, str(e), e.args


@pytest.mark.parametrize("x", [2.0, 5.0])
def test_attributes_of_an_exception_are_what_its_class_makes_of_the_arguments(run_both, x):
    run_both(found, x)


def one_of_two(x):
    try:
        if x > 1:
            raise NothingThere(3)
        raise NotFound(1, 2.0)
    except NotFound as e:
        return e.where + e.value


@pytest.mark.parametrize("x", [1, 2])
def test_an_attribute_is_read_where_one_of_several_exceptions_was_caught(run_both, x):
    run_both(one_of_two, x)


def made_and_read(x):
    e = NotFound(2, x)
    if e.value == 2.0 and e.twice == 4.0:
        return e.where
    raise e


def test_an_exception_that_is_made_is_read_before_it_is_raised(run_both):
    run_both(made_and_read, 2.0)
    run_both.raises(NotFound, made_and_read, 3.0)


def of_the_class(x):
    try:
        raise Plain(x, 3)
    except Plain as e:
        return e.code, e.args, len(e.args)


def of_either(x):
    try:
        if x > 1:
            raise Plain(x, 3)
        raise ValueError(x, 4)
    except (Plain, ValueError) as e:
        return e.args


def test_attributes_of_classes_and_arguments_are_there(run_both):
    run_both(of_the_class, 1.5)
    run_both(of_either, 1)
    run_both(of_either, 2)


def counted(x):
    try:
        raise Counted("a")
    except Counted as e:
        return e.text


def test_no_exception_is_made_by_way_of_trial_if_others_see_it():
    with pytest.raises(cl.CompileError, match="what `text` of this exception is, is not known"):
        cl.jit(counted)(1)
    assert MADE == []


def absent(x):
    try:
        raise Plain(x)
    except Plain as e:
        return e.nothing == "x"


def test_an_attribute_that_nobody_knows_is_equal_to_nothing():
    with pytest.raises(cl.CompileError, match="nothing"):
        cl.jit(absent)(1)


def missing_method(items):
    items.append(1)
    return items.foo == "x"


def test_a_name_that_lists_do_not_have_is_equal_to_nothing():
    with pytest.raises((cl.CompileError, AttributeError)):
        cl.jit(missing_method)([1, 2])
