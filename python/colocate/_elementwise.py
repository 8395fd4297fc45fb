"""The elementwise functions.

Each is a :class:`ufunc`; how it is computed is `crates/kernels/src/elementwise`.
"""

import inspect

from colocate._native import ufunc

__all__ = [
    "abs",
    "absolute",
    "acos",
    "acosh",
    "add",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "bitwise_and",
    "bitwise_count",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "cbrt",
    "ceil",
    "conj",
    "conjugate",
    "copysign",
    "cos",
    "cosh",
    "deg2rad",
    "degrees",
    "divide",
    "equal",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "float_power",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "gcd",
    "greater",
    "greater_equal",
    "heaviside",
    "hypot",
    "imag",
    "invert",
    "isfinite",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "lcm",
    "left_shift",
    "less",
    "less_equal",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logaddexp2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "multiply",
    "negative",
    "nextafter",
    "not_equal",
    "positive",
    "pow",
    "power",
    "rad2deg",
    "radians",
    "real",
    "reciprocal",
    "remainder",
    "right_shift",
    "rint",
    "sign",
    "signbit",
    "sin",
    "sinc",
    "sinh",
    "spacing",
    "sqrt",
    "square",
    "subtract",
    "tan",
    "tanh",
    "true_divide",
    "trunc",
]

_PARAMETERS = {
    1: "x : array",
    2: "x1, x2 : arrays or scalars that are broadcast against each other; at least one array",
}


def _signature(operands):
    """What ``inspect.signature`` gives for a ufunc of these operands."""
    parameter, kinds = inspect.Parameter, inspect._ParameterKind
    return inspect.Signature(
        [
            *(parameter(name, kinds.POSITIONAL_ONLY) for name in operands),
            parameter("out", kinds.POSITIONAL_OR_KEYWORD, default=None),
            parameter("where", kinds.KEYWORD_ONLY, default=True),
            parameter("dtype", kinds.KEYWORD_ONLY, default=None),
        ]
    )


def _function(name, arity, summary, call, result, needs=""):
    """A ufunc with its documentation."""
    signature = "x, /" if arity == 1 else "x1, x2, /"
    text = f"""{name}({signature}, out=None, *, where=True, dtype=None)

{summary}

Parameters
----------
{_PARAMETERS[arity]}
out : array, optional
    Takes the result.
where : bool array, optional
    Elements where it is false are left as they are.
dtype : optional
    What is computed with.

Examples
--------
>>> import colocate as cl{needs}
>>> {call}.tolist()
{result}
"""
    return ufunc(name, text)


add = _function(
    "add",
    2,
    "x1 + x2.",
    "cl.add(cl.asarray([1, 2]), 10)",
    "[11, 12]",
)
subtract = _function(
    "subtract",
    2,
    "x1 - x2.",
    "cl.subtract(cl.asarray([5, 7]), cl.asarray([1, 2]))",
    "[4, 5]",
)
multiply = _function(
    "multiply",
    2,
    "x1 * x2.",
    "cl.multiply(cl.asarray([2, 3]), cl.asarray([4, 5]))",
    "[8, 15]",
)
divide = _function(
    "divide",
    2,
    "x1 / x2, as floats.",
    "cl.divide(cl.asarray([1, 2]), 4)",
    "[0.25, 0.5]",
)
floor_divide = _function(
    "floor_divide",
    2,
    "x1 // x2: the largest whole number that is not above the quotient.",
    "cl.floor_divide(cl.asarray([7, -7]), 2)",
    "[3, -4]",
)
remainder = _function(
    "remainder",
    2,
    "What floor_divide leaves; it has the sign of x2.",
    "cl.remainder(cl.asarray([7, -7]), 4)",
    "[3, 1]",
)
fmod = _function(
    "fmod",
    2,
    "What division rounded to zero leaves; it has the sign of x1.",
    "cl.fmod(cl.asarray([7, -7]), 4)",
    "[3, -3]",
)
pow = _function(
    "pow",
    2,
    "x1 to the power of x2.",
    "cl.pow(cl.asarray([2, 3]), 2)",
    "[4, 9]",
)
float_power = _function(
    "float_power",
    2,
    "x1 to the power of x2, computed in float64 or complex128.",
    "cl.float_power(cl.asarray([2, 4]), -1)",
    "[0.5, 0.25]",
)
negative = _function(
    "negative",
    1,
    "-x.",
    "cl.negative(cl.asarray([1, -2]))",
    "[-1, 2]",
)
positive = _function(
    "positive",
    1,
    "A copy of x.",
    "cl.positive(cl.asarray([1, -2]))",
    "[1, -2]",
)
abs = _function(
    "abs",
    1,
    "The magnitude.",
    "cl.abs(cl.asarray([-3, 2]))",
    "[3, 2]",
)
fabs = _function(
    "fabs",
    1,
    "The magnitude, as a float.",
    "cl.fabs(cl.asarray([-3, 2]))",
    "[3.0, 2.0]",
)
sign = _function(
    "sign",
    1,
    "-1, 0 or 1; for a complex number, the number of magnitude 1 in its direction.",
    "cl.sign(cl.asarray([-3, 0, 5]))",
    "[-1, 0, 1]",
)
square = _function(
    "square",
    1,
    "x * x.",
    "cl.square(cl.asarray([-3, 4]))",
    "[9, 16]",
)
reciprocal = _function(
    "reciprocal",
    1,
    "1 / x.",
    "cl.reciprocal(cl.asarray([2.0, 4.0]))",
    "[0.5, 0.25]",
)
equal = _function(
    "equal",
    2,
    "x1 == x2.",
    "cl.equal(cl.asarray([1, 2]), 2)",
    "[False, True]",
)
not_equal = _function(
    "not_equal",
    2,
    "x1 != x2.",
    "cl.not_equal(cl.asarray([1, 2]), 2)",
    "[True, False]",
)
less = _function(
    "less",
    2,
    "x1 < x2.",
    "cl.less(cl.asarray([1, 2]), 2)",
    "[True, False]",
)
less_equal = _function(
    "less_equal",
    2,
    "x1 <= x2.",
    "cl.less_equal(cl.asarray([1, 3]), 2)",
    "[True, False]",
)
greater = _function(
    "greater",
    2,
    "x1 > x2.",
    "cl.greater(cl.asarray([1, 3]), 2)",
    "[False, True]",
)
greater_equal = _function(
    "greater_equal",
    2,
    "x1 >= x2.",
    "cl.greater_equal(cl.asarray([1, 2]), 2)",
    "[False, True]",
)
maximum = _function(
    "maximum",
    2,
    "The larger of two elements; NaN if either is.",
    "cl.maximum(cl.asarray([1, 5]), cl.asarray([3, 2]))",
    "[3, 5]",
)
minimum = _function(
    "minimum",
    2,
    "The smaller of two elements; NaN if either is.",
    "cl.minimum(cl.asarray([1, 5]), cl.asarray([3, 2]))",
    "[1, 2]",
)
fmax = _function(
    "fmax",
    2,
    "The larger of two elements; of a number and NaN, the number.",
    "cl.fmax(cl.asarray([1.0, cl.nan]), cl.asarray([3.0, 2.0]))",
    "[3.0, 2.0]",
)
fmin = _function(
    "fmin",
    2,
    "The smaller of two elements; of a number and NaN, the number.",
    "cl.fmin(cl.asarray([1.0, cl.nan]), cl.asarray([3.0, 2.0]))",
    "[1.0, 2.0]",
)
logical_and = _function(
    "logical_and",
    2,
    "Whether both are true; numbers are unless they are zero.",
    "cl.logical_and(cl.asarray([True, True]), cl.asarray([True, False]))",
    "[True, False]",
)
logical_or = _function(
    "logical_or",
    2,
    "Whether one of two is true; numbers are unless they are zero.",
    "cl.logical_or(cl.asarray([True, False]), cl.asarray([False, False]))",
    "[True, False]",
)
logical_xor = _function(
    "logical_xor",
    2,
    "Whether just one of two is true; numbers are unless they are zero.",
    "cl.logical_xor(cl.asarray([True, True]), cl.asarray([True, False]))",
    "[False, True]",
)
logical_not = _function(
    "logical_not",
    1,
    "Whether an element is false or zero.",
    "cl.logical_not(cl.asarray([True, False]))",
    "[False, True]",
)
bitwise_and = _function(
    "bitwise_and",
    2,
    "x1 & x2.",
    "cl.bitwise_and(cl.asarray([6, 5]), 3)",
    "[2, 1]",
)
bitwise_or = _function(
    "bitwise_or",
    2,
    "x1 | x2.",
    "cl.bitwise_or(cl.asarray([6, 5]), 3)",
    "[7, 7]",
)
bitwise_xor = _function(
    "bitwise_xor",
    2,
    "x1 ^ x2.",
    "cl.bitwise_xor(cl.asarray([6, 5]), 3)",
    "[5, 6]",
)
bitwise_invert = _function(
    "bitwise_invert",
    1,
    "~x.",
    "cl.bitwise_invert(cl.asarray([0, 5]))",
    "[-1, -6]",
)
bitwise_left_shift = _function(
    "bitwise_left_shift",
    2,
    "x1 << x2; 0 where x2 is at least the width of the dtype.",
    "cl.bitwise_left_shift(cl.asarray([1, 3]), 2)",
    "[4, 12]",
)
bitwise_right_shift = _function(
    "bitwise_right_shift",
    2,
    "x1 >> x2; negative numbers keep their sign.",
    "cl.bitwise_right_shift(cl.asarray([8, -8]), 2)",
    "[2, -2]",
)
bitwise_count = _function(
    "bitwise_count",
    1,
    "How many bits of the magnitude are set.",
    "cl.bitwise_count(cl.asarray([7, 8]))",
    "[3, 1]",
)
gcd = _function(
    "gcd",
    2,
    "The greatest common divisor.",
    "cl.gcd(cl.asarray([12, 9]), 6)",
    "[6, 3]",
)
lcm = _function(
    "lcm",
    2,
    "The least common multiple.",
    "cl.lcm(cl.asarray([4, 6]), 6)",
    "[12, 6]",
)
isnan = _function(
    "isnan",
    1,
    "Whether an element is NaN.",
    "cl.isnan(cl.asarray([1.0, cl.nan]))",
    "[False, True]",
)
isinf = _function(
    "isinf",
    1,
    "Whether an element is an infinity.",
    "cl.isinf(cl.asarray([1.0, -cl.inf]))",
    "[False, True]",
)
isfinite = _function(
    "isfinite",
    1,
    "Whether an element is neither NaN nor an infinity.",
    "cl.isfinite(cl.asarray([1.0, cl.inf]))",
    "[True, False]",
)
isposinf = _function(
    "isposinf",
    1,
    "Whether an element is positive infinity.",
    "cl.isposinf(cl.asarray([cl.inf, -cl.inf]))",
    "[True, False]",
)
isneginf = _function(
    "isneginf",
    1,
    "Whether an element is negative infinity.",
    "cl.isneginf(cl.asarray([cl.inf, -cl.inf]))",
    "[False, True]",
)
signbit = _function(
    "signbit",
    1,
    "Whether the sign bit is set, as it is for -0.0.",
    "cl.signbit(cl.asarray([-0.0, 1.0]))",
    "[True, False]",
)
floor = _function(
    "floor",
    1,
    "The largest whole number that is not above x.",
    "cl.floor(cl.asarray([1.7, -1.2]))",
    "[1.0, -2.0]",
)
ceil = _function(
    "ceil",
    1,
    "The smallest whole number that is not below x.",
    "cl.ceil(cl.asarray([1.2, -1.7]))",
    "[2.0, -1.0]",
)
trunc = _function(
    "trunc",
    1,
    "x without its fraction.",
    "cl.trunc(cl.asarray([1.7, -1.7]))",
    "[1.0, -1.0]",
)
rint = _function(
    "rint",
    1,
    "The nearest whole number, halves to the even one.",
    "cl.rint(cl.asarray([0.5, 1.5]))",
    "[0.0, 2.0]",
)
sqrt = _function(
    "sqrt",
    1,
    "The square root.",
    "cl.sqrt(cl.asarray([4.0, 9.0]))",
    "[2.0, 3.0]",
)
cbrt = _function(
    "cbrt",
    1,
    "The cube root.",
    "cl.cbrt(cl.asarray([8.0, -27.0]))",
    "[2.0, -3.0]",
)
exp = _function(
    "exp",
    1,
    "e to the power of x.",
    "cl.exp(cl.asarray([0.0]))",
    "[1.0]",
)
exp2 = _function(
    "exp2",
    1,
    "2 to the power of x.",
    "cl.exp2(cl.asarray([3.0, -1.0]))",
    "[8.0, 0.5]",
)
expm1 = _function(
    "expm1",
    1,
    "exp(x) - 1, accurate for small x.",
    "cl.expm1(cl.asarray([0.0]))",
    "[0.0]",
)
log = _function(
    "log",
    1,
    "The natural logarithm.",
    "cl.log(cl.asarray([1.0]))",
    "[0.0]",
)
log2 = _function(
    "log2",
    1,
    "The logarithm to base 2.",
    "cl.log2(cl.asarray([8.0]))",
    "[3.0]",
)
log10 = _function(
    "log10",
    1,
    "The logarithm to base 10.",
    "cl.log10(cl.asarray([1.0, 100.0]))",
    "[0.0, 2.0]",
)
log1p = _function(
    "log1p",
    1,
    "log(1 + x), accurate for small x.",
    "cl.log1p(cl.asarray([0.0]))",
    "[0.0]",
)
logaddexp = _function(
    "logaddexp",
    2,
    "log(exp(x1) + exp(x2)), without overflow.",
    "cl.logaddexp(cl.asarray([0.0]), cl.asarray([-cl.inf]))",
    "[0.0]",
)
logaddexp2 = _function(
    "logaddexp2",
    2,
    "log2(2**x1 + 2**x2), without overflow.",
    "cl.logaddexp2(cl.asarray([1.0]), cl.asarray([1.0]))",
    "[2.0]",
)
sin = _function(
    "sin",
    1,
    "The sine.",
    "cl.sin(cl.asarray([0.0]))",
    "[0.0]",
)
cos = _function(
    "cos",
    1,
    "The cosine.",
    "cl.cos(cl.asarray([0.0]))",
    "[1.0]",
)
tan = _function(
    "tan",
    1,
    "The tangent.",
    "cl.tan(cl.asarray([0.0]))",
    "[0.0]",
)
asin = _function(
    "asin",
    1,
    "The inverse of sin, between -pi/2 and pi/2.",
    "cl.asin(cl.asarray([0.0]))",
    "[0.0]",
)
acos = _function(
    "acos",
    1,
    "The inverse of cos, between 0 and pi.",
    "cl.acos(cl.asarray([1.0]))",
    "[0.0]",
)
atan = _function(
    "atan",
    1,
    "The inverse of tan, between -pi/2 and pi/2.",
    "cl.atan(cl.asarray([0.0]))",
    "[0.0]",
)
sinh = _function(
    "sinh",
    1,
    "The hyperbolic sine.",
    "cl.sinh(cl.asarray([0.0]))",
    "[0.0]",
)
cosh = _function(
    "cosh",
    1,
    "The hyperbolic cosine.",
    "cl.cosh(cl.asarray([0.0]))",
    "[1.0]",
)
tanh = _function(
    "tanh",
    1,
    "The hyperbolic tangent.",
    "cl.tanh(cl.asarray([0.0, cl.inf]))",
    "[0.0, 1.0]",
)
asinh = _function(
    "asinh",
    1,
    "The inverse of sinh.",
    "cl.asinh(cl.asarray([0.0]))",
    "[0.0]",
)
acosh = _function(
    "acosh",
    1,
    "The inverse of cosh.",
    "cl.acosh(cl.asarray([1.0]))",
    "[0.0]",
)
atanh = _function(
    "atanh",
    1,
    "The inverse of tanh.",
    "cl.atanh(cl.asarray([0.0]))",
    "[0.0]",
)
atan2 = _function(
    "atan2",
    2,
    "The angle of the point (x2, x1), between -pi and pi.",
    "cl.atan2(cl.asarray([0.0]), cl.asarray([1.0]))",
    "[0.0]",
)
hypot = _function(
    "hypot",
    2,
    "sqrt(x1**2 + x2**2), without overflow.",
    "cl.hypot(cl.asarray([3.0]), cl.asarray([4.0]))",
    "[5.0]",
)
sinc = _function(
    "sinc",
    1,
    "sin(pi * x) / (pi * x), and 1 at 0.",
    "cl.sinc(cl.asarray([0.0]))",
    "[1.0]",
)
deg2rad = _function(
    "deg2rad",
    1,
    "Degrees as radians.",
    "cl.deg2rad(cl.asarray([0.0]))",
    "[0.0]",
)
rad2deg = _function(
    "rad2deg",
    1,
    "Radians as degrees.",
    "cl.rad2deg(cl.asarray([0.0]))",
    "[0.0]",
)
copysign = _function(
    "copysign",
    2,
    "The magnitude of x1 with the sign of x2.",
    "cl.copysign(cl.asarray([1.0, -2.0]), cl.asarray([-1.0, 1.0]))",
    "[-1.0, 2.0]",
)
nextafter = _function(
    "nextafter",
    2,
    "The next number after x1 on the way to x2.",
    "cl.nextafter(cl.asarray([1.0]), cl.asarray([2.0]))",
    "[1.0000000000000002]",
)
spacing = _function(
    "spacing",
    1,
    "The distance to the next number away from zero.",
    "cl.spacing(cl.asarray([1.0]))",
    "[2.220446049250313e-16]",
)
heaviside = _function(
    "heaviside",
    2,
    "0 for negative x1, 1 for positive, x2 at zero.",
    "cl.heaviside(cl.asarray([-1.0, 0.0, 2.0]), 0.5)",
    "[0.0, 0.5, 1.0]",
)
conj = _function(
    "conj",
    1,
    "The complex conjugate.",
    "cl.conj(cl.asarray([1 + 2j]))",
    "[(1-2j)]",
)
real = _function(
    "real",
    1,
    "The real part.",
    "cl.real(cl.asarray([1 + 2j]))",
    "[1.0]",
)
imag = _function(
    "imag",
    1,
    "The imaginary part.",
    "cl.imag(cl.asarray([1 + 2j]))",
    "[2.0]",
)

# NumPy's names for the same functions.
arccos = acos
arccosh = acosh
arcsin = asin
arcsinh = asinh
arctan = atan
arctan2 = atan2
arctanh = atanh
power = pow
left_shift = bitwise_left_shift
right_shift = bitwise_right_shift
invert = bitwise_invert
bitwise_not = bitwise_invert
absolute = abs
true_divide = divide
mod = remainder
conjugate = conj
radians = deg2rad
degrees = rad2deg
