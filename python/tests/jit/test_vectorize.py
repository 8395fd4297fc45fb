"""Functions that `numpy.vectorize` makes of functions of numbers, inside jit functions and outside."""

import math

import numpy as np
import pytest

import colocate as cl


@np.vectorize
def step(x):
    return 2 * x if x > 0 else 0.0


larger = np.vectorize(lambda a, b: a if a > b else b, otypes=[float])


def calls_those_outside(x, y):
    return step(x), larger(x, y), step(y)


@pytest.mark.parametrize("y", [np.array([[0.5], [2.0]]), 1.5, np.float32([1, 7, 3])])
def test_functions_from_outside(run_both, y):
    run_both(calls_those_outside, np.linspace(-1, 1, 3), y)


def makes_its_own(x, limit):
    @np.vectorize
    def clipped(value):
        if value > limit:
            return limit
        return value * 1.0

    double = np.vectorize(lambda a: a * 2)
    return clipped(x), double(x), np.vectorize(math.floor)(x), np.vectorize(max)(x, x[::-1])


@pytest.mark.parametrize("x", [np.linspace(0, 3, 6).reshape(2, 3), np.linspace(0, 3, 6)[::2], np.float64([[0.25]])])
def test_functions_from_inside(run_both, x):
    run_both(makes_its_own, x, 2.0)


def uses_lists(x):
    seen = []

    def divisors(n):
        seen.append(n)
        found = [d for d in range(1, n + 1) if n % d == 0]
        return len(found)

    return np.vectorize(divisors)(x), seen


def test_a_function_may_use_lists_and_is_called_once_more_for_the_dtype(run_both):
    run_both(uses_lists, np.array([4, 6, 7]))


def several_results_by_dtypes(x):
    one = np.vectorize(lambda v: v / 2, otypes=[np.float32])(x)
    two = np.vectorize(lambda v: (v, v + 0.5), otypes="if")(x)
    three = np.vectorize(lambda v: (v, v > 1, -v), otypes=["i4", bool, complex])(x)
    return one, two, three


@pytest.mark.parametrize("x", [np.arange(5), np.arange(0), np.arange(6).reshape(3, 2).T])
def test_results_have_the_dtypes_asked_for(run_both, x):
    run_both(several_results_by_dtypes, x)


def kept_results(x):
    seen = []

    def doubled(value):
        seen.append(value)
        return value * 2

    return np.vectorize(doubled, cache=True)(x), seen


def test_the_first_result_may_be_kept(run_both):
    run_both(kept_results, np.arange(3))


def two_results(x):
    return np.vectorize(divmod)(x, 3)


def test_a_function_may_give_several_results(run_both):
    run_both(two_results, np.arange(7))


def kinds(x):
    return np.vectorize(lambda v: v * 3 // 2 + (v == 1))(x)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "float32", "float64"])
def test_elements_are_numbers_of_python(run_both, dtype):
    run_both(kinds, np.array([1, 70, 80], dtype))


def test_of_nothing_the_dtype_is_not_known():
    with pytest.raises(ValueError, match="size 0"):
        cl.jit(makes_its_own)(np.zeros(0), 1.0)


def test_a_first_int_among_floats_is_refused():
    # NumPy cuts all of them off.
    mixed = cl.jit(lambda x: np.vectorize(lambda v: 0 if v < 1 else v)(x))
    with pytest.raises(TypeError, match="otypes"):
        mixed(np.array([0.5, 1.5]))
    assert mixed(np.array([1.5, 0.5])).tolist() == [1.5, 0.0]


def test_signatures_are_refused():
    with pytest.raises(TypeError, match="signature"):
        cl.jit(lambda x: np.vectorize(np.sum, signature="(n)->()")(x))(np.ones((2, 3)))
    made = np.vectorize(np.sum, signature="(n)->()")
    with pytest.raises(cl.CompileError, match="vectorize made"):
        cl.jit(lambda x: made(x))(np.ones((2, 3)))


def bools_and_numbers(x):
    return np.vectorize(lambda v: True if v > 2 else 5)(x)


def test_a_first_value_that_is_a_bool_beside_numbers_raises():
    compiled = cl.jit(bools_and_numbers)
    with pytest.raises(TypeError, match="bool"):
        compiled(np.array([3.0, 1.0]))
    with pytest.raises(TypeError, match="bool"):
        cl.jit(lambda x: np.vectorize(lambda v: v > 2 if v > 1 else 3)(x))(np.array([3.0, 1.0]))
    # NumPy makes integers of the bools that come after one.
    assert compiled(np.array([1.0, 3.0])).tolist() == bools_and_numbers(np.array([1.0, 3.0])).tolist() == [5, 1]


def of_a_vectorized_one(x):
    inner = np.vectorize(lambda v: v + 1)
    outer = np.vectorize(inner)
    return outer(x)


def test_the_function_may_be_a_vectorized_one_itself(run_both):
    run_both(of_a_vectorized_one, np.arange(3.0))


def test_another_function_that_is_put_into_the_object_is_seen():
    changing = np.vectorize(lambda v: v + 1)
    outside, argument = cl.jit(lambda x: changing(x)), cl.jit(lambda f, x: f(x))
    x = np.arange(3.0)
    assert outside(x).tolist() == argument(changing, x).tolist() == [1, 2, 3]
    changing.pyfunc = lambda v: v * 10
    assert outside(x).tolist() == argument(changing, x).tolist() == [0, 10, 20]
    changing.otypes = "f"
    assert outside(x).dtype == argument(changing, x).dtype == np.float32
