"""Conditions, logic, scalars of Python's and NumPy's kinds, arithmetic on them."""

import cmath
import math

import numpy as np
import pytest

import colocate as cl

from .samples import numbers


def sign(x):
    if x > 0:
        return 1
    elif x < 0:
        return -1
    else:
        return 0


@pytest.mark.parametrize("x", (3, -2.5, 0, np.float32(1), np.int8(-3), True), ids=repr)
def test_if_elif_else(run_both, x):
    run_both(sign, x)


def conditional(x, y):
    return x if x > y else y, (1 if x else 2), (x or y), (x and y), not x


@pytest.mark.parametrize("pair", [(1, 2), (0, 5), (-1.5, 0.0), (0.0, 0.0)], ids=str)
def test_conditional_expressions(run_both, pair):
    run_both(conditional, *pair)


def short_circuit(a, i):
    return i < len(a) and a[i] > 0


@pytest.mark.parametrize("i", (0, 1, 5))
def test_the_second_operand_is_evaluated_only_if_needed(run_both, i):
    run_both(short_circuit, np.array([1.0, -1.0]), i)


def chained(x, low, high):
    return low <= x < high, low < x == high, x != low != high


@pytest.mark.parametrize("x", (0, 1, 5, 7))
def test_chained_comparisons(run_both, x):
    run_both(chained, x, 1, 5)


def defined_in_branches(x):
    if x > 0:
        a, b = 1.5, x
    else:
        a, b = x * 2, 7
    c = a + b
    return c * a


@pytest.mark.parametrize("x", (2, -2.0, 2.5))
def test_variables_set_in_both_branches(run_both, x):
    run_both(defined_in_branches, x)


def arrays_in_branches(a, flag):
    if flag:
        b = a * 2
    else:
        b = a[::-1] + 1
    b[0] = 100
    return b, a


@pytest.mark.parametrize("flag", (True, False))
def test_arrays_set_in_both_branches(run_both, flag):
    run_both(arrays_in_branches, numbers(5, "float64"), flag)


def array_kept_or_replaced(a, flag):
    if flag:
        a = np.zeros(3)
    a[0] += 1
    return a


@pytest.mark.parametrize("flag", (True, False))
def test_an_argument_replaced_in_one_branch(run_both, flag):
    run_both(array_kept_or_replaced, numbers(3, "float64"), flag)


def undefined(flag):
    if flag:
        x = 1
    return x


def test_variables_that_were_not_set_are_errors(run_both):
    run_both(undefined, True)
    run_both.raises(UnboundLocalError, undefined, False)


def early(a, flag):
    if flag:
        return a.sum()
    a += 1
    return a.sum() * 2


@pytest.mark.parametrize("flag", (True, False))
def test_early_return(run_both, flag):
    run_both(early, numbers(4, "float64"), flag)


def falls_off(a):
    if a[0] > 1e9:
        return
    a[0] = 5


def test_functions_without_a_result(run_both):
    run_both(falls_off, numbers(3, "float64"))


def integers(x, y):
    return (
        x + y,
        x - y,
        x * y,
        x // y,
        x % y,
        divmod(x, y),
        x / y,
        -x,
        abs(x),
        x**2,
        x & y,
        x | y,
        x ^ y,
        ~x,
        x << 2,
        x >> 1,
    )


@pytest.mark.parametrize("pair", [(7, 3), (-7, 3), (7, -3), (-7, -3), (0, 5), (2**20, 17)], ids=str)
def test_python_integers(run_both, pair):
    run_both(integers, *pair)


def floats(x, y):
    return (
        x + y,
        x - y,
        x * y,
        x // y,
        x % y,
        divmod(x, y),
        x / y,
        -x,
        abs(x),
        x**2,
        x**0.5,
        round(x),
        int(x),
        x == y,
        x < y,
    )


@pytest.mark.parametrize("pair", [(7.5, 2.0), (0.1, 0.3), (1e15, 1e-3)], ids=str)
def test_python_floats(run_both, pair):
    run_both(floats, *pair)


def negative_floats(x, y):
    return x // y, x % y, int(x), math.floor(x), math.ceil(x), round(x), round(x, 1), math.trunc(x), x // 1


@pytest.mark.parametrize("pair", [(-7.5, 2.0), (7.5, -2.0), (-0.5, 3.0), (-2.5, 0.5)], ids=str)
def test_floats_round_down(run_both, pair):
    run_both(negative_floats, *pair)


def complexes(x, y):
    return x + y, x * y, x / y, x - y, abs(x), x.real, x.imag, x.conjugate(), x == y, x**2, -x


@pytest.mark.parametrize("pair", [(1 + 2j, 3 - 1j), (0.5j, 2 + 0j)], ids=str)
def test_python_complex_numbers(run_both, pair):
    run_both(complexes, *pair)


def mixed(i, f, c, b):
    return i + f, f * c, i * b, b + b, i / 2, f // 1, c + i, b & (i > 0), i + True


def test_mixed_numbers(run_both):
    run_both(mixed, 3, 2.5, 1 + 1j, True)


def conversions(x):
    return int(x), float(x), bool(x), complex(x), np.int32(x), np.float32(x), np.uint8(x), np.float64(x) / 3


@pytest.mark.parametrize("x", (3, 2.75, 200, True))
def test_conversions(run_both, x):
    run_both(conversions, x)


def numpy_scalars(x, y):
    return x + y, x * y, x - y, x / y, x + 1, x * 2.5, x // y, x > y


@pytest.mark.parametrize("kind", (np.int32, np.int64, np.uint16, np.float32, np.float64))
def test_numpy_scalars(run_both, kind):
    run_both(numpy_scalars, kind(9), kind(4))


MATHEMATICS = """
    sqrt exp log sin cos tan log10 log2 log1p expm1 erf erfc gamma lgamma floor ceil trunc fabs degrees radians isnan
    isinf isfinite sinh cosh tanh atan asinh
""".split()


@pytest.mark.parametrize("name", MATHEMATICS)
def test_the_math_module(run_both, name):
    function = getattr(math, name)

    def program(x):
        return function(x)

    for x in (0.5, 2.25, 3):
        run_both(program, x)


def mathematics_of_two(x, y):
    return math.atan2(x, y), math.hypot(x, y), math.pow(x, y), math.copysign(y, -x), math.fmod(x, y), math.ldexp(x, 3)


def test_the_math_modules_functions_of_two_numbers(run_both):
    run_both(mathematics_of_two, 2.25, 0.75)


def complex_mathematics(z):
    return cmath.exp(z), cmath.sqrt(z), cmath.phase(z), abs(z), cmath.polar(z)[0], cmath.log(z), cmath.sin(z)


def test_the_cmath_module(run_both):
    run_both(complex_mathematics, 1.5 - 0.5j)


def integer_mathematics(n, m):
    return math.gcd(n, m), math.factorial(n), math.isqrt(n * m), math.comb(n, 2)


def test_integer_functions_of_math(run_both):
    run_both(integer_mathematics, 12, 18)


def numpy_functions_of_scalars(x):
    return (
        np.sqrt(x),
        np.exp(x),
        np.maximum(x, 1.0),
        np.abs(-x),
        np.floor(x),
        np.arctan2(x, 1.0),
        np.sign(x),
        np.isnan(x),
    )


@pytest.mark.parametrize("x", (2.5, 3, np.float32(0.5)), ids=repr)
def test_numpys_functions_of_scalars(run_both, x):
    run_both(numpy_functions_of_scalars, x)


def optional(a, scale=None):
    if scale is None:
        return a.sum()
    return (a * scale).sum()


@pytest.mark.parametrize("scale", (None, 2.5))
def test_none_chooses_a_branch(run_both, scale):
    run_both(optional, numbers(4, "float64"), scale)


def by_text(a, how):
    if how == "sum":
        return a.sum()
    if how == "max":
        return a.max()
    return a.min()


@pytest.mark.parametrize("how", ("sum", "max", "other"))
def test_text_chooses_a_branch(run_both, how):
    run_both(by_text, numbers(4, "float64"), how)


def array_truth(a):
    if a.any() and not a.all():
        return 1
    return 2 if (a > 0).all() else 3


@pytest.mark.parametrize("values", ([1, 0, 1], [1, 1], [0, 0], [2, 3]), ids=str)
def test_conditions_on_reductions(run_both, values):
    run_both(array_truth, np.array(values))


def ambiguous(a):
    if a > 0:
        return 1
    return 2


def test_the_truth_of_several_elements_is_an_error(run_both):
    run_both(ambiguous, np.array([3.0]))
    run_both.raises(ValueError, ambiguous, numbers(3, "float64"))


def several_targets(x):
    a = b = x + 1
    c, d = a, b * 2
    (e, f), g = (c, d), 5
    d += 1
    first, *rest = (a, d, g)
    return a, b, c, d, e, f, g, first, rest[0]


def test_assignments_to_several_names(run_both):
    run_both(several_targets, 3)


def walrus(n):
    total = 0
    while (n := n - 1) > 0:
        total += n
    return total


def test_assignment_expressions(run_both):
    run_both(walrus, 5)


def deleted(a):
    b = a * 2
    c = b.sum()
    del b
    b = 3
    return c + b


def test_del(run_both):
    run_both(deleted, numbers(3, "float64"))


@pytest.mark.parametrize("x", [0, 1, 2, 8])
def test_what_is_not_needed_raises_nothing(run_both, x):
    def joined(x):
        return x != 0 and 1 / x > 0.2, x == 0 or 7 // x == 3, x > 0 and 7 % x < 2

    def chosen(x):
        return 1 / x if x != 0 else 0.0

    def chained(x):
        return 0 < x < 8 // x

    def unset(x):
        found = False
        for i in range(4):
            if i == x:
                place = i
                found = True
        return found and place > 1

    for program in (joined, chosen, chained, unset):
        run_both(program, x)


def test_what_is_not_needed_raises_nothing_in_a_loop(run_both):
    def program(x, out):
        for i in cl.prange(x.shape[0]):
            out[i] = 12 // x[i] if x[i] != 0 else -1

    run_both(program, np.arange(6), np.zeros(6, dtype=int))


@pytest.mark.parametrize("x", [-1, 0, 2])
def test_a_function_that_always_raises(run_both, x):
    def fail(x):
        raise ValueError("not this one")

    def returned(x):
        if x < 0:
            return fail(x)
        return x

    def bound(x):
        if x < 0:
            y = fail(x)
            return y + 1
        return x

    def in_an_expression(x):
        return x if x >= 0 else fail(x)

    def caught(x):
        try:
            if x < 0:
                fail(x)
        except ValueError:
            return 7
        return 8

    run_both(caught, x)
    for program in (returned, bound, in_an_expression):
        if x < 0:
            run_both.raises(ValueError, program, x)
        else:
            run_both(program, x)


def without_warnings(x):
    total = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = x / (x - 3)
        for i in range(3):
            with np.errstate(all="ignore"):
                total += x[i]
            if total > 1:
                return ratio, total
    return ratio, -total


def test_contexts_that_silence_warnings(run_both):
    run_both(without_warnings, np.arange(6.0))
    run_both(without_warnings, np.zeros(4))


def number_or_text(n):
    return n if n > 0 else "none" if n == 0 else ValueError("negative")


def whole_or_half(n):
    return 2 if n > 0 else 0.5


def at_last_or_before(n):
    try:
        return [n] if n else None
    finally:
        print("at last")


def test_each_way_of_a_choice_returns_what_it_gives(run_both):
    for n in (1, 0):
        run_both(number_or_text, n)
        run_both(whole_or_half, n)
        run_both(at_last_or_before, n)
    returned = run_both.jit(number_or_text)(-1)
    assert type(returned) is ValueError and returned.args == ("negative",)
