"""Whole-array expressions: operators, functions, promotion, broadcasting, layouts."""

import math

import numpy as np
import pytest

from .samples import COMPLEX, DTYPES, FLOATS, INTEGERS, LAYOUTS, REAL, numbers


def add(a, b):
    return a + b


def subtract(a, b):
    return a - b


def multiply(a, b):
    return a * b


def divide(a, b):
    return a / b


def floor_divide(a, b):
    return a // b


def remainder(a, b):
    return a % b


def power(a, b):
    return a**b


def equal(a, b):
    return a == b


def not_equal(a, b):
    return a != b


def less(a, b):
    return a < b


def less_equal(a, b):
    return a <= b


def greater(a, b):
    return a > b


def greater_equal(a, b):
    return a >= b


def bit_and(a, b):
    return a & b


def bit_or(a, b):
    return a | b


def bit_xor(a, b):
    return a ^ b


def shift_left(a, b):
    return a << b


def shift_right(a, b):
    return a >> b


def negative(a):
    return -a


def positive(a):
    return +a


def invert(a):
    return ~a


def absolute(a):
    return abs(a)


ARITHMETIC = (add, multiply, equal, not_equal)
ORDERED = (less, less_equal, greater, greater_equal)


def name(function):
    return function.__name__


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("program", ARITHMETIC, ids=name)
def test_operators_that_all_dtypes_have(run_both, program, dtype):
    run_both(program, numbers((3, 4), dtype), numbers((3, 4), dtype, seed=1))


@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype != "bool"])
@pytest.mark.parametrize("program", (subtract, divide), ids=name)
def test_operators_that_bools_do_not_have(run_both, program, dtype):
    run_both(program, numbers(9, dtype), numbers(9, dtype, seed=1))


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("program", ORDERED, ids=name)
def test_comparisons_of_real_numbers(run_both, program, dtype):
    run_both(program, numbers(9, dtype), numbers(9, dtype, seed=1))


@pytest.mark.parametrize("dtype", (*INTEGERS, *FLOATS))
@pytest.mark.parametrize("program", (floor_divide, remainder), ids=name)
def test_division_that_rounds_down(run_both, program, dtype):
    run_both(program, numbers(40, dtype), numbers(40, dtype, seed=1))


@pytest.mark.parametrize("program", (floor_divide, remainder), ids=name)
def test_integer_division_by_zero_gives_zero_as_in_numpy(run_both, program):
    run_both(program, np.array([-7, 0, 7, -8]), np.array([0, 0, 0, 3]))


@pytest.mark.parametrize("program", (divide, floor_divide, remainder), ids=name)
def test_float_division_by_zero_gives_infinities_and_nan(run_both, program):
    run_both(program, np.array([-7.0, 0.0, 7.0, -8.0, np.inf]), np.array([0.0, 0.0, -0.0, 3.0, 2.0]))


@pytest.mark.parametrize("dtype", ("int32", "int64", "uint8", *FLOATS, *COMPLEX))
def test_powers(run_both, dtype):
    base, exponent = numbers(20, dtype), (np.arange(20) % 4).astype(dtype)
    run_both(power, base, exponent)


def squares_and_cubes(a):
    return a**2, a**3, a**0.5, a**-1.0, 2**a


@pytest.mark.parametrize("dtype", ("float32", "float64", "complex128"))
def test_powers_with_constants(run_both, dtype):
    run_both(squares_and_cubes, np.abs(numbers(8, dtype)).astype(dtype))


@pytest.mark.parametrize("dtype", ("bool", *INTEGERS))
@pytest.mark.parametrize("program", (bit_and, bit_or, bit_xor), ids=name)
def test_bit_operators(run_both, program, dtype):
    run_both(program, numbers(16, dtype), numbers(16, dtype, seed=1))


@pytest.mark.parametrize("dtype", ("int8", "int64", "uint32"))
@pytest.mark.parametrize("program", (shift_left, shift_right), ids=name)
def test_shifts(run_both, program, dtype):
    run_both(program, numbers(12, dtype), (np.arange(12) % 6).astype(dtype))


@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype != "bool"])
@pytest.mark.parametrize("program", (negative, positive, absolute), ids=name)
def test_signs(run_both, program, dtype):
    run_both(program, numbers((2, 5), dtype))


@pytest.mark.parametrize("dtype", ("bool", "int8", "int64", "uint16"))
def test_inversion(run_both, dtype):
    run_both(invert, numbers(7, dtype))


PAIRS = (
    ("int8", "uint8"),
    ("int32", "float32"),
    ("int64", "float32"),
    ("uint64", "int64"),
    ("bool", "int8"),
    ("float32", "float64"),
    ("float64", "complex64"),
    ("uint8", "int64"),
)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
@pytest.mark.parametrize("program", (add, multiply, divide), ids=name)
def test_mixed_dtypes_promote_as_in_numpy(run_both, program, pair):
    run_both(program, numbers(6, pair[0]), numbers(6, pair[1], seed=1))


def with_numbers(a):
    return a + 1, 2 * a, a - 0.5, a / 2, 1 / a


@pytest.mark.parametrize("dtype", ("int8", "int32", "uint8", "float32", "float64", "complex64"))
def test_python_numbers_promote_weakly(run_both, dtype):
    run_both(with_numbers, numbers(5, dtype))


@pytest.mark.parametrize("scalar", (3, 2.5, 1 + 2j, np.float32(1.5), np.int8(4), np.float64(0.25)), ids=repr)
@pytest.mark.parametrize("dtype", ("int32", "float32"))
def test_scalar_arguments_promote_by_their_type(run_both, scalar, dtype):
    run_both(multiply, numbers(6, dtype), scalar)


def overflow(a):
    return a + a, a * a, -a


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_wrap_around(run_both, dtype):
    limits = np.iinfo(dtype)
    run_both(overflow, np.array([limits.min, limits.min + 1, limits.max - 1, limits.max, 1], dtype))


@pytest.mark.parametrize(
    "shapes",
    [((3, 4), (4,)), ((3, 1), (1, 4)), ((2, 1, 4), (3, 1)), ((), (3,)), ((1,), (0,)), ((0, 3), (1, 3)), ((2, 3), ())],
    ids=str,
)
def test_shapes_broadcast(run_both, shapes):
    run_both(add, numbers(shapes[0], "float64"), numbers(shapes[1], "float64", seed=1))


def polynomial(a, b):
    return 3.0 * a * a - 2.0 * a * b + b / (1.0 + a * a)


@pytest.mark.parametrize("other", LAYOUTS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_operands_of_all_layouts(run_both, layout, other):
    a, b = numbers((4, 5), "float64"), numbers((4, 5), "float64", seed=1)
    run_both(polynomial, LAYOUTS[layout](a), LAYOUTS[other](b))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("bool", "int8", "float32", "complex128"))
def test_three_axes_of_all_layouts(run_both, layout, dtype):
    run_both(add, LAYOUTS[layout](numbers((2, 3, 4), dtype)), numbers((3, 4), dtype, seed=1))


@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (1,), (1, 1, 1), (2, 1, 3, 1)], ids=str)
def test_few_elements_and_none(run_both, shape):
    run_both(polynomial, numbers(shape, "float64"), numbers(shape, "float64", seed=1))


def read_only(a):
    return a * 2


def test_operands_that_cannot_be_written(run_both):
    broadcast = np.broadcast_to(numbers(4, "float64"), (3, 4))
    run_both(read_only, broadcast)


UNARY = [
    "sin",
    "cos",
    "tan",
    "arctan",
    "sinh",
    "tanh",
    "arcsinh",
    "exp",
    "exp2",
    "expm1",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "sign",
    "square",
    "fabs",
    "cbrt",
    "degrees",
    "radians",
    "isnan",
    "isinf",
    "isfinite",
    "signbit",
    "spacing",
]
POSITIVE = ["sqrt", "log", "log2", "log10", "log1p", "arccosh", "reciprocal"]


def program_of(ufunc):
    """A program that calls one function of NumPy's."""

    def apply(a):
        return ufunc(a)

    return apply


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("ufunc", UNARY)
def test_functions_of_one_number(run_both, ufunc, dtype):
    run_both(program_of(getattr(np, ufunc)), numbers(24, dtype))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("ufunc", POSITIVE)
def test_functions_of_positive_numbers(run_both, ufunc, dtype):
    run_both(program_of(getattr(np, ufunc)), np.abs(numbers(24, dtype)) + 1)


@pytest.mark.parametrize("ufunc", ("arcsin", "arccos", "arctanh"))
def test_functions_on_the_unit_interval(run_both, ufunc):
    run_both(program_of(getattr(np, ufunc)), numbers(24, "float64") / 4)


@pytest.mark.parametrize(
    "ufunc", ("exp", "sqrt", "sin", "cos", "log", "conjugate", "absolute", "angle", "real", "imag")
)
def test_functions_of_complex_numbers(run_both, ufunc):
    run_both(program_of(getattr(np, ufunc)), numbers(24, "complex128"))


@pytest.mark.parametrize("ufunc", ("sqrt", "sin", "exp"))
@pytest.mark.parametrize("dtype", ("bool", "int8", "int16", "int64", "uint8"))
def test_functions_of_integers_are_floats_of_numpys_width(run_both, ufunc, dtype):
    if np.result_type(getattr(np, ufunc)(np.ones(1, dtype))) == np.float16:
        dtype = "int16"
    run_both(program_of(getattr(np, ufunc)), np.abs(numbers(8, dtype)))


def pair_program_of(ufunc):
    def apply(a, b):
        return ufunc(a, b)

    return apply


BINARY = [
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "arctan2",
    "hypot",
    "copysign",
    "fmod",
    "logaddexp",
    "nextafter",
    "float_power",
    "heaviside",
]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("ufunc", BINARY)
def test_functions_of_two_numbers(run_both, ufunc, dtype):
    a = numbers(20, dtype)
    b = np.abs(numbers(20, dtype, seed=1)) if ufunc == "float_power" else numbers(20, dtype, seed=1)
    run_both(pair_program_of(getattr(np, ufunc)), np.abs(a) if ufunc == "float_power" else a, b)


@pytest.mark.parametrize("ufunc", ("maximum", "minimum", "gcd", "lcm", "left_shift", "bitwise_xor"))
def test_functions_of_two_integers(run_both, ufunc):
    run_both(pair_program_of(getattr(np, ufunc)), numbers(12, "int64"), np.abs(numbers(12, "int64", seed=1)))


@pytest.mark.parametrize("ufunc", ("logical_and", "logical_or", "logical_xor"))
@pytest.mark.parametrize("dtype", ("bool", "int32", "float64"))
def test_logic(run_both, ufunc, dtype):
    run_both(
        pair_program_of(getattr(np, ufunc)), numbers(12, dtype) * (np.arange(12) % 3 > 0), numbers(12, dtype, seed=1)
    )


@pytest.mark.parametrize("ufunc", ("maximum", "minimum", "fmax", "fmin"))
def test_nan_wins_or_loses_as_in_numpy(run_both, ufunc):
    a = np.array([1.0, np.nan, 3.0, np.nan])
    run_both(pair_program_of(getattr(np, ufunc)), a, np.array([2.0, 5.0, np.nan, np.nan]))


def choose(a, b):
    return np.where(a > b, a, b * 2), np.where(a > 0, 1, -1), np.where(a > 0, a, 0.0)


@pytest.mark.parametrize("dtype", ("int32", "float32", "float64"))
def test_where(run_both, dtype):
    run_both(choose, numbers((3, 4), dtype), numbers(4, dtype, seed=1))


def limit(a):
    return np.clip(a, -1, 2), a.clip(-2, 1), np.clip(a, None, 1)


@pytest.mark.parametrize("dtype", ("int64", "float32", "float64"))
def test_clip(run_both, dtype):
    run_both(limit, numbers(12, dtype))


def rounded(a):
    return np.round(a), np.round(a, 1), a.round(2), np.around(a)


def test_rounding_is_to_even(run_both):
    run_both(rounded, np.array([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.125, 0.375]))


def parts(a):
    return a.real, a.imag, np.real(a) + np.imag(a), a.conj(), np.abs(a)


@pytest.mark.parametrize("dtype", ("float64", *COMPLEX))
def test_parts_of_complex_numbers(run_both, dtype):
    run_both(parts, numbers(6, dtype))


def temporaries(a, b):
    c = a + b
    d = c * c
    e = np.sqrt(np.abs(d - a))
    return e / (1 + c * c)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_chains_of_temporaries(run_both, layout):
    run_both(temporaries, LAYOUTS[layout](numbers((5, 6), "float64")), numbers(6, "float64", seed=1))


def constants(a):
    return a * np.pi + math.e, a == np.inf, a + math.tau


def test_constants_of_modules(run_both):
    run_both(constants, numbers(5, "float64"))


def converted(a):
    return a.astype(np.float32), a.astype("int64"), a.astype(np.complex128), np.float32(3) * a, a.astype(bool)


@pytest.mark.parametrize("dtype", REAL)
def test_conversions(run_both, dtype):
    run_both(converted, numbers(10, dtype))


def attributes(a):
    return a.shape, a.ndim, a.size, len(a), a.itemsize, a.T.shape, a.nbytes


@pytest.mark.parametrize("shape", [(3,), (2, 5), (0, 2), (1, 2, 3)], ids=str)
def test_attributes(run_both, shape):
    run_both(attributes, numbers(shape, "float32"))


def in_place_result(a, out):
    np.multiply(a, 2, out=out)
    np.add(out, 1, out)
    return out


def test_results_written_where_out_says(run_both):
    run_both(in_place_result, numbers((3, 3), "float64"), np.zeros((3, 3)))


def masked_result(a, out):
    return np.sqrt(a, out=out, where=a > 0)


def test_results_written_where_a_mask_says(run_both):
    run_both(masked_result, numbers(10, "float64"), np.full(10, -1.0))


def outer_products(a, b):
    return np.multiply.outer(a, b), np.subtract.outer(b, a), np.outer(a, b)


def test_outer(run_both):
    run_both(outer_products, numbers(3, "float64"), numbers(4, "float64", seed=1))


def accumulated(a):
    return np.add.reduce(a), np.multiply.accumulate(a), np.maximum.reduce(a), np.add.accumulate(a)


def test_reduce_and_accumulate_of_functions(run_both):
    run_both(accumulated, numbers(7, "float64"))


def added_at(a, where, what):
    np.add.at(a, where, what)
    np.maximum.at(a, where, what * 3)


def test_at_of_functions_counts_each_place_as_often_as_it_is_named(run_both):
    run_both(added_at, np.zeros(5), np.array([1, 1, 3, -1, 1]), numbers(5, "float64"))
