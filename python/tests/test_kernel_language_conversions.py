"""Conversions and Python's builtin functions of numbers, in kernels as in Python."""

import itertools

import numpy as np
import pytest
from kernel_simulator import check, define, on_device, same

import colocate as cl

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "float32", "float64")
DTYPES = ("bool", *INTEGERS, *FLOATS, "complex64", "complex128")


def values_of(dtype):
    """Values that every dtype of the same kind or a wider one has its way of holding."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([False, True, True])
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return np.array([0, 1, 2, 100, limits.max, limits.min, limits.max // 3], dtype)
    values = np.array([0, -0.0, 1, 2.5, 99.99, 0.1, 1e-4, 3.5], dtype)
    return values + 1j * values[::-1] if dtype.kind == "c" else values


def typed(dtype):
    return {"bool": "bool_"}.get(dtype, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
def test_constructors_convert_as_numpys_do(device, dtype):
    x = values_of(dtype)
    real = np.dtype(dtype).kind != "c"
    targets = [target for target in DTYPES if real or np.dtype(target).kind in "bc"]
    lines, outputs = [], []
    for number, target in enumerate(targets):
        lines.append(f"    out[{number}][i] = np.{typed(target)}(a[i])")
        outputs.append(np.zeros(x.size, target))
    body = "\n".join(["    i = cl.get_global_id(0)", *lines])
    kernel = define(f"@cl.kernel\ndef kernel(a, out):\n{body}\n", "kernel")
    check(device, kernel, x.size, x, tuple(outputs))


@pytest.mark.parametrize("dtype", DTYPES)
def test_storing_into_an_array_converts(device, dtype):
    x = values_of(dtype)
    real = np.dtype(dtype).kind != "c"
    targets = [target for target in DTYPES if real or np.dtype(target).kind == "c"]
    lines = [f"    out[{number}][i] = a[i]" for number in range(len(targets))]
    body = "\n".join(["    i = cl.get_global_id(0)", *lines])
    kernel = define(f"@cl.kernel\ndef kernel(a, out):\n{body}\n", "kernel")
    outputs = tuple(cl.zeros(x.size, dtype=target, device=device) for target in targets)
    kernel[x.size](on_device(x, device), outputs).wait()
    # An integer that does not fit wraps, as in astype; NumPy's assignment of one would raise.
    for target, got in zip(targets, outputs, strict=True):
        with np.errstate(over="ignore"):
            same(x.astype(target), got, what=target)


@cl.kernel
def to_integers(x, i8, i16, i32, i64, u8, u16, u32, u64):
    i = cl.get_global_id(0)
    i8[i] = np.int8(x[i])
    i16[i] = np.int16(x[i])
    i32[i] = np.int32(x[i])
    i64[i] = int(x[i])
    u8[i] = np.uint8(x[i])
    u16[i] = np.uint16(x[i])
    u32[i] = np.uint32(x[i])
    u64[i] = np.uint64(x[i])


@pytest.mark.parametrize("dtype", FLOATS)
def test_floats_that_no_integer_holds_are_what_numpy_makes_of_them(device, dtype):
    with np.errstate(over="ignore"):
        x = np.array([np.nan, np.inf, -np.inf, 1e30, -1e30, 300.7, -300.7, -0.9, 2.0**31, -(2.0**63)], dtype)
    outputs = [np.zeros(x.size, name) for name in INTEGERS]
    given = [on_device(array, device) for array in (x, *outputs)]
    to_integers[x.size](*given).wait()
    for name, got in zip(INTEGERS, given[1:], strict=True):
        # NumPy's own float16 goes another way to uint32 and uint64; and what is far outside of uint32 is something
        # else in the last few elements of an array.
        with np.errstate(invalid="ignore"):
            expected = x.astype("float32").astype(name)
        near = np.abs(x.astype("float64")) < 2.0**31 if name == "uint32" else slice(None)
        same(expected[near], cl.asnumpy(got)[near], what=name)


@cl.kernel
def python_conversions(x, ints, floats, bools, complexes):
    i = cl.get_global_id(0)
    ints[0, i] = int(x[i])
    ints[1, i] = int(x[i]) * 3 // 2
    ints[2, i] = int(True) + int(2.75) + int(-2.75) + int()  # noqa: UP018
    ints[3, i] = round(x[i])
    ints[4, i] = round(float(x[i]))
    ints[5, i] = bool(x[i]) + 0
    ints[6, i] = x[i].item() // 2
    floats[0, i] = float(x[i])
    floats[1, i] = float(x[i]) / 3
    floats[2, i] = float(int(x[i])) + float(True) + float()  # noqa: UP018
    floats[3, i] = abs(float(x[i]))
    bools[0, i] = bool(x[i])
    bools[1, i] = bool(float(x[i])) and bool(1)
    bools[2, i] = not x[i]
    complexes[0, i] = complex(x[i])
    complexes[1, i] = complex(x[i], 2)
    complexes[2, i] = complex(1.5, float(x[i])) + complex()  # noqa: UP018


@pytest.mark.parametrize("dtype", ("bool", "int8", "int64", "uint16", "float16", "float32", "float64"))
def test_python_types_convert(device, dtype):
    x = values_of(dtype)
    x = x[np.abs(x.astype(float)) < 2**52]
    n = x.size
    outputs = np.zeros((7, n), np.int64), np.zeros((4, n)), np.zeros((3, n), bool), np.zeros((3, n), complex)
    if dtype == "bool":
        # A NumPy bool cannot be rounded; everything else holds for bools, too.
        source = "@cl.kernel\ndef kernel(x, ints, floats):\n    i = cl.get_global_id(0)\n"
        source += "    ints[0, i] = int(x[i])\n    floats[0, i] = float(x[i])\n"
        check(device, define(source, "kernel"), n, x, *outputs[:2])
    else:
        check(device, python_conversions, n, x, *outputs)


@cl.kernel
def rounding(x, ints, floats):
    i = cl.get_global_id(0)
    ints[0, i] = round(x[i])
    ints[1, i] = round(float(x[i]))
    floats[0, i] = round(x[i], 0)
    floats[1, i] = np.round(x[i])
    floats[2, i] = np.rint(x[i])
    floats[3, i] = np.floor(x[i])
    floats[4, i] = np.ceil(x[i])
    floats[5, i] = np.trunc(x[i])
    floats[6, i] = np.round(x[i], 2)
    floats[7, i] = round(x[i], 1)
    floats[8, i] = np.round(x[i], -1)
    floats[9, i] = round(float(x[i]), 2)
    floats[10, i] = round(-float(x[i]), 1)
    floats[11, i] = round(float(x[i]), -1)
    ints[2, i] = round(np.int64(x[i]), -1)
    ints[3, i] = round(int(x[i]), -1)
    ints[4, i] = round(int(x[i]), 2)
    ints[5, i] = round(True, 1)


@pytest.mark.parametrize("dtype", ("float32", "float64"))
def test_halves_round_to_even(device, dtype):
    x = np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999997, 1e6 + 0.5, -7.126, 7.126, 25.0, 35.0, -0.0], dtype)
    decimals = [2.675, 1.005, 1.115, 0.125, 0.15, -2.675, 0.045, 1e15 + 0.3, 123456.785]
    x = np.append(x, np.array(decimals, dtype))
    check(device, rounding, x.size, x, np.zeros((6, x.size), np.int64), np.zeros((12, x.size), dtype))


def extremes(kinds):
    """min and max of what may have different types; the result is stored as a double."""
    expressions = [f"{f}({', '.join(order)})" for f in ("min", "max") for order in itertools.permutations(kinds)]
    lines = [f"    out[{number}, i] = {expression}" for number, expression in enumerate(expressions)]
    body = "\n".join(["    i = cl.get_global_id(0)", "    x, y, z = a[i], b[i], float(c[i])", *lines])
    return define(f"@cl.kernel\ndef kernel(a, b, c, out):\n{body}\n", "kernel"), len(expressions)


@pytest.mark.parametrize(("a", "b"), (("int8", "int8"), ("uint8", "int64"), ("float32", "int32"), ("float64",) * 2))
def test_min_and_max_choose_as_python_does(device, a, b):
    kernel, count = extremes(("x", "y", "z"))
    x = np.array([1, 2, 3, 7, 7, 0, 100], a)
    y = np.array([2, 1, 3, 5, 9, 0, 100], b)
    z = np.array([1.5, 1.5, 3.0, 6.0, 8.0, -0.0, np.nan])
    if a.startswith("float"):
        x[3] = np.nan
    check(device, kernel, x.size, x, y, z, np.zeros((count, x.size)))


@cl.kernel
def builtins(a, b, ints, floats):
    i = cl.get_global_id(0)
    x, y = a[i], b[i]
    q, r = divmod(x, y)
    ints[0, i] = q
    ints[1, i] = r
    q, r = divmod(int(x), 7)
    ints[2, i] = q
    ints[3, i] = r
    ints[4, i] = pow(int(x) % 10, 3)
    ints[5, i] = min(x, 5)
    ints[6, i] = max(-2, x)
    ints[7, i] = min((int(x), int(y), 3))
    ints[8, i] = sum((int(x), int(y), 3))
    ints[9, i] = abs(x) + abs(-3)
    ints[10, i] = len((x, y)) + len(a)
    ints[11, i] = round(x) + round(7)  # noqa: RUF057
    ints[12, i] = np.clip(x, -3, 4)
    ints[13, i] = np.where(x > y, x, y)
    ints[14, i] = np.sign(x)
    ints[15, i] = np.gcd(x, y)
    floats[0, i] = divmod(float(x), 2.5)[1]
    floats[1, i] = pow(float(abs(x)), 2)
    floats[2, i] = max(x, 0.5)
    floats[3, i] = np.clip(float(x), -0.5, 0.5)
    floats[4, i] = np.where(x > 0, 1.5, y)
    floats[5, i] = sum((0.5, 0.25))


@pytest.mark.parametrize("dtype", ("int8", "int32", "int64"))
def test_builtin_functions_of_integers(device, dtype):
    x, y = (part.ravel() for part in np.meshgrid(np.arange(-9, 10), [-5, -2, -1, 1, 3, 6]))
    x, y = x.astype(dtype), y.astype(dtype)
    # len(a) is no NumPy integer and does not overflow.
    check(device, builtins, x.size, x, y, np.zeros((16, x.size), np.int64), np.zeros((6, x.size)))


@cl.kernel
def limits_of_types(ints, floats):
    ints[0] = np.iinfo(np.int8).min
    ints[1] = np.iinfo(np.uint32).max
    ints[2] = np.iinfo(ints.dtype).max
    ints[3] = np.iinfo(np.int16).bits
    ints[4] = np.dtype(np.float32).itemsize
    ints[5] = np.float32(1).dtype.itemsize
    ints[6] = floats.dtype.itemsize
    floats[0] = np.finfo(np.float32).eps
    floats[1] = np.finfo(np.float64).max
    floats[2] = np.finfo(floats.dtype).tiny
    floats[3] = np.finfo(np.float16).min
    floats[4] = np.pi
    floats[5] = np.e
    floats[6] = np.inf
    floats[7] = -np.inf
    floats[8] = np.nan
    floats[9] = np.euler_gamma


def test_limits_and_constants(device):
    check(device, limits_of_types, 1, np.zeros(7, np.int64), np.zeros(10))


@cl.kernel
def weak_results(a, f4, f8, i1):
    i = cl.get_global_id(0)
    f4[0, i] = a[i] * 0.1
    f4[1, i] = a[i] + 1 / 3
    f4[2, i] = 0.1 * 3 * a[i]
    f4[3, i] = np.float32(0.1) * 3
    f8[0, i] = a[i] * 0.1
    f8[1, i] = np.float64(0.1) * a[i]
    f8[2, i] = float(a[i]) * 0.1
    f8[3, i] = np.float32(0.1)
    i1[0, i] = np.int8(100) + np.int8(100)
    i1[1, i] = np.int8(5) * 3 - 1
    i1[2, i] = np.uint8(250) + np.uint8(i)


def test_float32_stays_float32_among_python_numbers(device):
    a = np.array([1.1, 2.2, 3.3, 1e-3, 1e9, -7.7, 16777217.0], np.float32)
    out = np.zeros((4, a.size), np.float32), np.zeros((4, a.size)), np.zeros((3, a.size), np.int16)
    check(device, weak_results, a.size, a, *out)


@cl.kernel
def scalar_arguments(i, f, b, z, i8, u64, f4, none, pair, out, floats, complexes):
    at = cl.get_global_id(0)
    out[0] = i * 2 + at
    out[1] = b + 1
    out[2] = i8 + 1
    out[3] = u64 // 3
    out[4] = pair[0] + pair[1][0]
    out[5] = 1 if none is None else 2
    floats[0] = f / 3
    floats[1] = f4 * 2.5
    floats[2] = pair[1][1] * 2
    complexes[0] = z * 2
    complexes[1] = z * i + f


def test_arguments_of_all_kinds_of_numbers(device):
    out = np.zeros(6, np.int64), np.zeros(3), np.zeros(2, complex)
    numbers = (-7, 2.5, True, 1 - 2j, np.int8(126), np.uint64(2**63), np.float32(0.1), None, (3, (4, 0.25)))
    check(device, scalar_arguments, 1, *numbers, *out)
