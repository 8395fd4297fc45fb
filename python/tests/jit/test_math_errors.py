"""What Python's ``math`` functions and powers of its floats raise, in the host part of jit functions."""

import math

import numpy as np
import pytest

import colocate as cl

NAN, INF = math.nan, math.inf

ONE = {
    "sqrt": (-1.0, 0.0, -0.0, NAN, INF, -INF, 4, -4),
    "log": (0.0, -1.0, 0, NAN, INF, -INF, 2),
    "log2": (0.0, -1.0, 8.0),
    "log10": (0.0, -1.0, 100.0),
    "log1p": (-1.0, -2.0, NAN, INF),
    "acos": (2.0, -1.5, NAN, INF, 0.5),
    "asin": (2.0, NAN, 0.5),
    "acosh": (0.5, -1.0, INF, NAN),
    "atanh": (1.0, -1.0, 2.0, NAN, 0.5),
    "exp": (1000.0, -1000.0, INF, -INF, NAN, 710),
    "expm1": (1000.0, INF),
    "sinh": (1000.0, -1000.0, INF, NAN),
    "cosh": (1000.0, INF),
    "sin": (INF, NAN, -INF),
    "cos": (INF, NAN),
    "tan": (INF, NAN),
    "gamma": (0.0, -1.0, 200.0, INF, -INF, NAN),
    "lgamma": (0.0, -1.0, INF, -INF, 1e308),
    "factorial": (-1, 5),
    "isqrt": (-1, 10),
}

TWO = {
    "pow": ((0.0, -1.0), (-8.0, 1 / 3), (10.0, 400.0), (-INF, 0.5), (2.0, 3.0), (INF, -1.0), (NAN, 0.0), (-2.0, NAN)),
    "fmod": ((1.0, 0.0), (INF, 2.0), (NAN, 1.0), (5.0, INF)),
    "log": ((0.0, 2.0), (8.0, 2.0), (8.0, 1.0), (8.0, 0.0), (-1.0, 2.0)),
    "ldexp": ((1.0, 2000), (1.0, -2000)),
    "hypot": ((1e308, 1e308), (INF, NAN)),
}


def same_end(function, *arguments):
    try:
        wanted = function(*arguments)
    except ArithmeticError as error:
        wanted = error
    except ValueError as error:
        wanted = error
    try:
        result = cl.jit(function)(*arguments)
    except (ArithmeticError, ValueError) as error:
        assert type(error) is type(wanted), arguments
        assert str(wanted) in str(error)
        return
    assert not isinstance(wanted, Exception), arguments
    np.testing.assert_allclose(result, wanted, rtol=1e-14)


@pytest.mark.parametrize("name", ONE)
def test_functions_of_one_number(name):
    called = getattr(math, name)
    for x in ONE[name]:
        same_end(lambda x: called(x), x)


@pytest.mark.parametrize("name", TWO)
def test_functions_of_two_numbers(name):
    called = getattr(math, name)
    for x in TWO[name]:
        same_end(lambda x, y: called(x, y), *x)


def test_powers_of_floats():
    for x in ((0.0, -1.0), (10.0, 400.0), (2.0, 0.5), (-8.0, 2.0), (INF, 2.0), (0.0, -INF), (NAN, 2.0), (-2.0, NAN)):
        same_end(lambda x, y: x**y, *x)
    with pytest.raises(ValueError, match="complex in Python"):
        cl.jit(lambda x, y: x**y)(-8.0, 1 / 3)
    # NumPy's numbers give no exceptions.
    assert np.isnan(cl.jit(lambda x, y: x**y)(np.float64(-8.0), 1 / 3))


def logs(values):
    total = 0.0
    for x in values:
        try:
            total += math.log(x)
        except ValueError:
            total -= 100
    return total


def test_they_are_caught(run_both):
    run_both(logs, [1.0, 0.0, -2.0, 3.0])


def distances(x, y):
    total = 0.0
    for i in range(len(x)):
        square = x[i] * x[i] + abs(y[i])
        difference = square - 2
        total += math.sqrt(square) + math.sqrt(difference * difference) + math.sqrt(2 * i)
    return total + math.sqrt(y[0])


def test_roots_of_what_is_not_negative_need_no_check(run_both):
    run_both(distances, np.arange(5.0), np.arange(5.0))
    run_both.raises(ValueError, distances, np.arange(5.0), -np.ones(5))


def test_fastmath_and_the_error_model_of_numpy_check_nothing():
    assert np.isnan(cl.jit(lambda x: math.sqrt(x), fastmath=True)(-1.0))
    assert cl.jit(lambda x: math.log(x), error_model="numpy")(0.0) == -INF


def cosine(x):
    total = 0.0
    for k in range(40):
        total += (-1) ** k * x ** (2 * k) / math.factorial(2 * k)
    return total


def of_factorials(n):
    return (
        1 / math.factorial(n),
        math.exp(-2.0) * 2.0**n / math.factorial(n),
        math.factorial(n) / (math.factorial(3) * math.factorial(n - 3)),
        math.factorial(n) * 1e-10,
        -2.5 * math.factorial(n),
    )


@pytest.mark.parametrize("n", [3, 20, 21, 22, 23, 60, 120, 170])
def test_factorials_that_are_divided_may_be_larger_than_an_integer(n):
    assert cl.jit(of_factorials)(n) == pytest.approx(of_factorials(n), rel=4e-16)
    assert cl.jit(cosine)(1.5) == pytest.approx(cosine(1.5), rel=1e-15)


def test_factorials_that_are_larger_than_a_float_raise():
    with pytest.raises(OverflowError, match="int too large to convert to float"):
        cl.jit(of_factorials)(171)
    with pytest.raises(ValueError, match="negative"):
        cl.jit(of_factorials)(-1)
