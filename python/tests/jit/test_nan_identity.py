"""NaN as a key, or looked for in a list: Python asks which object it is, which numbers of jit functions do not tell."""

import math

import numpy as np
import pytest

import colocate as cl

NAN = float("nan")


def put_once(x):
    table = {x: 1}
    return len(table), 2.0 in table, len({x})


def of_numbers(x):
    return x in [1.0, 2.0], [1.0, 2.0].count(x), x in (1.0, 2.0), x in {1.0: 2}


@pytest.mark.parametrize("program", [put_once, of_numbers])
def test_one_nan_is_a_key_like_others(run_both, program):
    run_both(program, NAN)


def test_nans_of_arrays_are_looked_for_by_value(run_both):
    run_both(lambda x, a: (x in a, 2.0 in a), NAN, np.array([NAN, 2.0]))


def looked_up(x):
    table = {x: 1}
    return x in table


def put_twice(x):
    table = {}
    table[x] = 1
    table[x] = 2
    return len(table)


def in_a_set(x):
    return len({x, x + 0.0})


def in_a_list(x):
    numbers = [1.0, x]
    numbers.append(2.0)
    return x in numbers


def counted(x):
    numbers = [1.0, x]
    numbers.append(2.0)
    return numbers.count(x)


def in_a_tuple(x):
    return x in (1.0, x)


def of_a_constant(x):
    return x in (1.0, math.nan)


@pytest.mark.parametrize("program", [looked_up, put_twice, in_a_set, in_a_list, counted, in_a_tuple, of_a_constant])
def test_a_nan_that_meets_another_raises(program):
    with pytest.raises(TypeError, match="NaN"):
        cl.jit(program)(NAN)


@pytest.mark.parametrize("program", [looked_up, put_twice, in_a_set, in_a_list, counted, in_a_tuple, of_a_constant])
def test_other_numbers_are_looked_up_as_ever(run_both, program):
    run_both(program, 2.5)


def test_a_nan_in_a_list_of_the_callers_is_looked_for():
    has = cl.jit(lambda numbers, x: x in numbers)
    assert not has([1.0, 2.0], NAN)
    assert has([1.0, NAN, 2.0], 2.0)
    with pytest.raises(TypeError, match="NaN"):
        has([1.0, NAN], NAN)
