"""Functions of `math` and `numpy` in kernels: to a few units in the last place, and special values."""

import math

import numpy as np
import pytest
from kernel_simulator import check, define, on_device, same

import colocate as cl

ULPS = 4
EXACT = 0

# A function of one float, what it is tried with beyond ordinary values, and how exact it is.
EVERYWHERE = np.array([0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -2.5, 3.7, -7.25, 20.0, -20.0, 1e-3, -1e-8, 88.0])
POSITIVE = np.array([1e-30, 1e-3, 0.5, 1.0, 1.5, 2.0, 2.718281828, 10.0, 100.0, 1e10, 1e30])
UNIT = np.array([0.0, -0.0, 1e-9, -1e-3, 0.25, -0.5, 0.75, 0.999, -0.999, 1.0, -1.0])
INSIDE = UNIT[np.abs(UNIT) < 1]
AT_LEAST_ONE = np.array([1.0, 1.0001, 1.5, 2.0, 10.0, 1e5, 1e20])
SPECIAL = np.array([np.inf, -np.inf, np.nan])

NUMPY_FUNCTIONS = {
    "sin": (EVERYWHERE, ULPS),
    "cos": (EVERYWHERE, ULPS),
    "tan": (EVERYWHERE, ULPS),
    "arcsin": (UNIT, ULPS),
    "arccos": (UNIT, ULPS),
    "arctan": (EVERYWHERE, ULPS),
    "sinh": (EVERYWHERE, ULPS),
    "cosh": (EVERYWHERE, ULPS),
    "tanh": (EVERYWHERE, ULPS),
    "arcsinh": (EVERYWHERE, ULPS),
    "arccosh": (AT_LEAST_ONE, ULPS),
    "arctanh": (INSIDE, ULPS),
    "exp": (EVERYWHERE, ULPS),
    "exp2": (EVERYWHERE, ULPS),
    "expm1": (EVERYWHERE, ULPS),
    "log": (POSITIVE, ULPS),
    "log2": (POSITIVE, ULPS),
    "log10": (POSITIVE, ULPS),
    "log1p": (np.append(POSITIVE, INSIDE), ULPS),
    "sqrt": (POSITIVE, EXACT),
    "cbrt": (EVERYWHERE, ULPS),
    "deg2rad": (EVERYWHERE, 1),
    "rad2deg": (EVERYWHERE, 1),
    "rint": (EVERYWHERE, EXACT),
    "floor": (EVERYWHERE, EXACT),
    "ceil": (EVERYWHERE, EXACT),
    "trunc": (EVERYWHERE, EXACT),
    "abs": (EVERYWHERE, EXACT),
    "absolute": (EVERYWHERE, EXACT),
    "fabs": (EVERYWHERE, EXACT),
    "negative": (EVERYWHERE, EXACT),
    "positive": (EVERYWHERE, EXACT),
    "square": (EVERYWHERE, EXACT),
    "reciprocal": (EVERYWHERE, EXACT),
    "sign": (EVERYWHERE, EXACT),
    "real": (EVERYWHERE, EXACT),
    "imag": (EVERYWHERE, EXACT),
    "conj": (EVERYWHERE, EXACT),
    "angle": (EVERYWHERE, ULPS),
    "isnan": (EVERYWHERE, EXACT),
    "isinf": (EVERYWHERE, EXACT),
    "isfinite": (EVERYWHERE, EXACT),
    "signbit": (EVERYWHERE, EXACT),
    "logical_not": (EVERYWHERE, EXACT),
}

NUMPY_PAIRS = {
    "arctan2": ULPS,
    "hypot": ULPS,
    "copysign": EXACT,
    "nextafter": EXACT,
    "minimum": EXACT,
    "maximum": EXACT,
    "fmin": EXACT,
    "fmax": EXACT,
    "fmod": EXACT,
    "remainder": EXACT,
    "floor_divide": EXACT,
    "heaviside": EXACT,
    "add": EXACT,
    "subtract": EXACT,
    "multiply": EXACT,
    "divide": EXACT,
    "less": EXACT,
    "not_equal": EXACT,
    "logical_and": EXACT,
    "logical_xor": EXACT,
}

MATH_FUNCTIONS = {
    "acos": (UNIT, ULPS),
    "acosh": (AT_LEAST_ONE, ULPS),
    "asin": (UNIT, ULPS),
    "asinh": (EVERYWHERE, ULPS),
    "atan": (EVERYWHERE, ULPS),
    "atanh": (INSIDE, ULPS),
    "cbrt": (EVERYWHERE, ULPS),
    "cos": (EVERYWHERE, ULPS),
    "cosh": (EVERYWHERE, ULPS),
    "degrees": (EVERYWHERE, 1),
    "erf": (EVERYWHERE, ULPS),
    "erfc": (EVERYWHERE[np.abs(EVERYWHERE) <= 20], ULPS),
    "exp": (EVERYWHERE, ULPS),
    "exp2": (EVERYWHERE, ULPS),
    "expm1": (EVERYWHERE, ULPS),
    "fabs": (EVERYWHERE, EXACT),
    "gamma": (np.array([0.5, 1.0, 1.5, 3.0, 4.5, 10.0, -0.5, -1.5, 20.0]), 10),
    "isfinite": (EVERYWHERE, EXACT),
    "isinf": (EVERYWHERE, EXACT),
    "isnan": (EVERYWHERE, EXACT),
    # Python's own lgamma loses digits close to the zeros, at 1 and 2.
    "lgamma": (np.array([0.5, 0.25, 3.0, 4.5, 10.0, 100.0, 1e5]), 10),
    "log": (POSITIVE, ULPS),
    "log10": (POSITIVE, ULPS),
    "log1p": (np.append(POSITIVE, INSIDE), ULPS),
    "log2": (POSITIVE, ULPS),
    "radians": (EVERYWHERE, 1),
    "sin": (EVERYWHERE, ULPS),
    "sinh": (EVERYWHERE, ULPS),
    "sqrt": (POSITIVE, EXACT),
    "tan": (EVERYWHERE, ULPS),
    "tanh": (EVERYWHERE, ULPS),
}

MATH_PAIRS = {"atan2": ULPS, "copysign": EXACT, "hypot": ULPS, "nextafter": EXACT}


def kernel_of(calls):
    """A kernel with one output array for each call of x and y."""
    lines = [f"    out[{number}][i] = {call}" for number, call in enumerate(calls)]
    body = "\n".join(["    i = cl.get_global_id(0)", "    x, y = a[i], b[i]", *lines])
    return define(f"@cl.kernel\ndef kernel(a, b, out):\n{body}\n", "kernel", math=math)


def by_values(functions):
    """Functions that are tried with the same values and exactness, to share a kernel."""
    groups = {}
    for name, (values, ulps) in functions.items():
        groups.setdefault((values.tobytes(), ulps), (values, ulps, []))[2].append(name)
    return list(groups.values())


def long(values, n=67):
    """The values over and over, so that vectors and what remains after them are both used."""
    return np.resize(values, n)


@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize("group", by_values(NUMPY_FUNCTIONS), ids=lambda group: f"{group[2][0]}-and-{len(group[2])}")
def test_numpy_functions_of_one_float(device, dtype, group):
    values, ulps, names = group
    kernel = kernel_of([f"np.{name}(x)" for name in names])
    for inputs in (long(values), long(SPECIAL, 9)):
        x = inputs.astype(dtype)
        with np.errstate(all="ignore"):
            outputs = tuple(np.zeros(x.size, getattr(np, name)(x).dtype) for name in names)
        check(device, kernel, x.size, x, x, outputs, ulps=ulps)


@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize("ulps", (EXACT, ULPS))
def test_numpy_functions_of_two_floats(device, dtype, ulps):
    names = [name for name, exactness in NUMPY_PAIRS.items() if exactness == ulps]
    values = np.concatenate([EVERYWHERE, SPECIAL]).astype(dtype)
    x, y = (np.ascontiguousarray(part.ravel()) for part in np.meshgrid(values, values))
    with np.errstate(all="ignore"):
        outputs = tuple(np.zeros(x.size, getattr(np, name)(x, y).dtype) for name in names)
    # Which of two zeros is the lesser one is nobody's rule.
    signless = [f"np.{name}(x, y) + 0" if name in ("fmin", "fmax") else f"np.{name}(x, y)" for name in names]
    check(device, kernel_of(signless), x.size, x, y, outputs, ulps=ulps)


@pytest.mark.parametrize("dtype", ("float32", "float64", "int32"))
@pytest.mark.parametrize("group", by_values(MATH_FUNCTIONS), ids=lambda group: f"{group[2][0]}-and-{len(group[2])}")
def test_math_functions_compute_in_double(device, dtype, group):
    values, ulps, names = group
    if dtype == "int32":
        values = values[(values == np.trunc(values)) & (np.abs(values) < 2**31)]
        if not values.size:
            pytest.skip("no whole numbers in the domain")
    values = values.astype(dtype)
    with np.errstate(all="ignore"):
        fine = values[[all(is_defined(name, value) for name in names) for value in values]]
    x = long(fine)
    outputs = tuple(np.zeros(x.size) for _ in names)
    check(device, kernel_of([f"math.{name}(x)" for name in names]), x.size, x, x, outputs, ulps=ulps)


def is_defined(name, value):
    try:
        getattr(math, name)(float(value))
    except (ValueError, OverflowError):
        return False
    return True


@pytest.mark.parametrize("ulps", (EXACT, ULPS))
def test_math_functions_of_two_floats(device, ulps):
    names = [name for name, exactness in MATH_PAIRS.items() if exactness == ulps]
    values = np.concatenate([EVERYWHERE, SPECIAL])
    x, y = (np.ascontiguousarray(part.ravel()) for part in np.meshgrid(values, values))
    outputs = tuple(np.zeros(x.size) for _ in names)
    check(device, kernel_of([f"math.{name}(x, y)" for name in names]), x.size, x, y, outputs, ulps=ulps)


@cl.kernel
def other_math(x, y, floats, ints):
    i = cl.get_global_id(0)
    a, b = x[i], y[i]
    floats[0, i] = math.pow(abs(a) + 0.5, b)
    floats[1, i] = math.fmod(a, b)
    floats[2, i] = math.log(abs(a) + 2, 3)
    floats[3, i] = math.hypot(a, b, 3.0)
    floats[4, i] = math.modf(a)[0]
    floats[5, i] = math.modf(a)[1]
    floats[6, i] = math.ldexp(a, 5)
    floats[7, i] = math.pi * a + math.e + math.tau
    ints[0, i] = math.floor(a)
    ints[1, i] = math.ceil(a)
    ints[2, i] = math.trunc(a)
    ints[3, i] = math.gcd(int(a) * 6, 4, int(b) * 8)
    ints[4, i] = math.isclose(a, a * (1 + 1e-12)) + 2 * math.isclose(a, b, abs_tol=1.0)
    ints[5, i] = math.floor(i) + math.isnan(math.nan) + math.isinf(-math.inf)


def test_other_functions_of_math(device):
    values = EVERYWHERE[np.abs(EVERYWHERE) < 30]
    x, y = (np.ascontiguousarray(part.ravel()) for part in np.meshgrid(values, values[values != 0]))
    check(device, other_math, x.size, x, y, np.zeros((8, x.size)), np.zeros((6, x.size), np.int64), ulps=8)


@cl.kernel
def outside_of_domains(x, out):
    i = cl.get_global_id(0)
    out[0, i] = math.sqrt(x[i])
    out[1, i] = math.log(x[i])
    out[2, i] = math.acos(x[i] * 2)
    out[3, i] = math.exp(x[i] * -1000)
    out[4, i] = math.fmod(x[i], 0.0)
    out[5, i] = math.log1p(x[i])


def test_where_math_raises_kernels_give_what_numpy_gives(device):
    x = np.array([-1.0, -2.0, -np.inf, 0.0])
    given = on_device(x, device), on_device(np.zeros((6, 4)), device)
    outside_of_domains[4](*given).wait()
    with np.errstate(all="ignore"):
        expected = [np.sqrt(x), np.log(x), np.arccos(x * 2), np.exp(x * -1000), np.fmod(x, 0.0), np.log1p(x)]
    same(np.array(expected), given[1], ulps=ULPS)


@pytest.mark.parametrize("dtype", ("bool", "int8", "uint8", "int16", "uint32", "int64", "float16"))
def test_numpy_functions_of_other_dtypes_have_numpys_result_dtype(device, dtype):
    names = ("sqrt", "exp", "sin", "arctan", "floor", "abs", "square", "isnan", "sign", "rint", "negative", "invert")
    x = np.array([0, 1, 2, 3, 5, 7], dtype)
    names = [name for name in names if outcome(name, x) is not None]
    results = [outcome(name, x) for name in names]
    lines = [
        f"    right[{n}] = np.{name}(a[i]).dtype == '{r.dtype}'"
        for n, (name, r) in enumerate(zip(names, results, strict=True))
    ]
    lines += [f"    out[{number}][i] = np.{name}(a[i])" for number, name in enumerate(names)]
    body = "\n".join(["    i = cl.get_global_id(0)", *lines])
    kernel = define(f"@cl.kernel\ndef kernel(a, out, right):\n{body}\n", "kernel")
    outputs = tuple(np.zeros(x.size, result.dtype) for result in results)
    check(device, kernel, x.size, x, outputs, np.zeros(len(names), bool), ulps=ULPS)


def outcome(name, x):
    try:
        return getattr(np, name)(x)
    except TypeError:
        return None
