"""Operators of kernels give what Python gives with NumPy scalars: all dtypes, edge values, promotion."""

import itertools

import numpy as np
import pytest
from kernel_simulator import check, define, on_device, same

import colocate as cl

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
DTYPES = ("bool", *INTEGERS, *FLOATS, *COMPLEX)
COMPARISONS = ("<", "<=", "==", "!=", ">", ">=")


def edges(dtype):
    """Values of a dtype at which operations behave in their own ways."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        middle = [limits.max // 2, limits.max // 2 + 1]
        values = [limits.min, limits.max, limits.max - 1, 0, 1, 2, 3, 7, 10, *middle]
        if dtype.kind == "i":
            values += [limits.min + 1, -1, -2, -3, -7, -10]
        return np.array(sorted(set(values)), dtype)
    if dtype.kind == "f":
        limits = np.finfo(dtype)
        sizes = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 7.25, 1e3, limits.max, limits.tiny, limits.smallest_subnormal]
        values = [*sizes, np.inf]
        return np.array([*values, *(-value for value in values), np.nan], dtype)
    parts = [0.0, 1.0, -1.0, 0.5, -2.5, 3.0]
    return np.array([complex(re, im) for re in parts for im in parts], dtype)


def pairs(a, b):
    """Every value of one array with every one of another."""
    left, right = np.meshgrid(a, b)
    return np.ascontiguousarray(left.ravel()), np.ascontiguousarray(right.ravel())


def outcome(expression, **names):
    """What Python makes of an expression of scalars; nothing if it does not take them."""
    is_complex = any(np.iscomplexobj(value) for value in names.values()) or "1j" in expression
    if is_complex and any(op in expression.split() for op in ("<", "<=", ">", ">=")):
        # NumPy orders complex numbers, by their real parts first. Kernels have Python's rule.
        return None
    try:
        with np.errstate(all="ignore"):
            return eval(expression, {"np": np}, names)
    except (TypeError, OverflowError, ZeroDivisionError, ValueError):
        return None


def many(expressions, x, y, **scalars):
    """A kernel that evaluates expressions of x and y at every index, and its arrays.

    The result of each is stored in an array of the dtype that NumPy gives it, together with
    whether the kernel gave it the same dtype.
    """
    lines, outputs = [], []
    for expression in expressions:
        result = outcome(expression, x=x[0], y=y[0], **scalars)
        if result is None:
            continue
        number, dtype = len(outputs), np.asarray(result).dtype
        lines += [f"    r = {expression}", f"    out[{number}][i] = r"]
        if isinstance(result, np.generic):
            lines.append(f"    right[{number}] = r.dtype == np.{dtype.name if dtype.kind != 'b' else 'bool_'}")
        else:
            lines.append(f"    right[{number}] = True")
        outputs.append(np.zeros(x.size, dtype))
    names = ", ".join(["a", "b", "out", "right", *scalars])
    body = "\n".join(["    i = cl.get_global_id(0)", "    x = a[i]", "    y = b[i]", *lines])
    kernel = define(f"@cl.kernel\ndef kernel({names}):\n{body}\n", "kernel")
    return kernel, (x, y, tuple(outputs), np.zeros(len(outputs), bool), *scalars.values())


def check_many(device, expressions, x, y, ulps=0, **scalars):
    kernel, arguments = many(expressions, x, y, **scalars)
    check(device, kernel, x.size, *arguments, ulps=ulps)
    given = [on_device(argument, device) for argument in arguments]
    kernel[x.size](*given).wait()
    assert cl.asnumpy(given[3]).all(), "a result has another dtype than NumPy's"


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_compute_as_numpy_scalars_do(device, dtype):
    x, y = pairs(edges(dtype), edges(dtype))
    binary = [f"x {op} y" for op in ("+", "-", "*", "/", "//", "%", "&", "|", "^", *COMPARISONS)]
    check_many(device, [*binary, "-x", "+x", "~x", "not x", "abs(x)"], x, y)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_shifts_of_any_amount_give_what_numpy_gives(device, dtype):
    bits = 8 * np.dtype(dtype).itemsize
    amounts = np.array([0, 1, 2, bits - 1, bits, min(bits + 1, 127), 100], dtype)
    if np.dtype(dtype).kind == "i":
        amounts = np.append(amounts, np.array([-1, -100], dtype))
    check_many(device, ["x << y", "x >> y"], *pairs(edges(dtype), amounts))


@pytest.mark.parametrize("dtype", INTEGERS)
def test_powers_of_integers_wrap(device, dtype):
    exponents = np.array([0, 1, 2, 3, 5, 8, 13, 64, 127], dtype)
    check_many(device, ["x ** y", "x ** 2", "x ** 3", "x ** 0"], *pairs(edges(dtype), exponents))


@pytest.mark.parametrize("dtype", FLOATS)
def test_floats_compute_as_numpy_scalars_do(device, dtype):
    x, y = pairs(edges(dtype), edges(dtype))
    binary = [f"x {op} y" for op in ("+", "-", "*", "/", "//", "%", *COMPARISONS)]
    check_many(device, [*binary, "-x", "+x", "not x", "abs(x)", "x ** 2"], x, y)


@pytest.mark.parametrize("dtype", ("float32", "float64"))
def test_powers_of_floats(device, dtype):
    exponents = np.array([0, -0.0, 1, -1, 0.5, -0.5, 2, 3, -3, 10.25, np.inf, -np.inf, np.nan], dtype)
    check_many(device, ["x ** y"], *pairs(edges(dtype), exponents), ulps=4)


@pytest.mark.parametrize("dtype", COMPLEX)
def test_complex_numbers_compute_as_numpy_scalars_do(device, dtype):
    x, y = pairs(edges(dtype), edges(dtype)[::5])
    exact = ["x + y", "x - y", "x * y", "x == y", "x != y", "-x", "+x", "not x", "x.real", "x.imag", "x.conjugate()"]
    check_many(device, exact, x, y)
    nonzero = y != 0
    check_many(device, ["x / y", "abs(x)"], x[nonzero], y[nonzero], ulps=4)


def test_bools_compute_as_numpy_bools_do(device):
    x, y = pairs(edges("bool"), edges("bool"))
    binary = [f"x {op} y" for op in ("+", "*", "/", "//", "%", "**", "<<", ">>", "&", "|", "^", *COMPARISONS)]
    check_many(device, [*binary, "~x", "not x", "abs(x)", "x and y", "x or y"], x, y)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes_promote_as_numpys_do(device, dtype):
    # Small whole numbers: what is looked at here is the dtype, and that its conversion is right.
    left = np.array([0, 1, 3], dtype)
    others = [np.array([1, 1, 2], other) for other in DTYPES]
    lines, outputs = [], []
    for (number, other), op in itertools.product(enumerate(others), ("+", "*", "-", "/", "//", "<")):
        result = outcome(f"x {op} y", x=left[0], y=other[0])
        if result is None:
            continue
        lines.append(f"    r = x {op} others[{number}][i]")
        lines.append(f"    out[{len(outputs)}][i] = r")
        lines.append(f"    right[{len(outputs)}] = r.dtype == '{result.dtype.name}'")
        outputs.append(np.zeros(3, result.dtype))
    body = "\n".join(["    i = cl.get_global_id(0)", "    x = left[i]", *lines])
    kernel = define(f"@cl.kernel\ndef kernel(left, others, out, right):\n{body}\n", "kernel")
    check(device, kernel, 3, left, tuple(others), tuple(outputs), np.zeros(len(outputs), bool))


WEAK_EXPRESSIONS = [
    *(f"x {op} p" for op in ("+", "-", "*", "/", "//", "%", "&", "|", "^", *COMPARISONS)),
    *(f"p {op} x" for op in ("+", "-", "*", "/", "//", "%", "<", "==")),
]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("p", (True, 3, 2.5, 1.5j), ids=("bool", "int", "float", "complex"))
def test_python_numbers_take_the_dtype_they_meet(device, dtype, p):
    x = edges(dtype)
    if isinstance(p, complex) or np.dtype(dtype).kind == "c":
        x = np.array([0, 1, 3, 2, 7], dtype)
    if np.dtype(dtype).kind in "iu":
        x = x[x != 0]
    # NumPy's complex division rounds in ways of its own.
    ulps = 4 if isinstance(p, complex) or np.dtype(dtype).kind == "c" else 0
    check_many(device, WEAK_EXPRESSIONS, x, x, p=p, ulps=ulps)


@pytest.mark.parametrize("dtype", ("int8", "uint8", "int64", "uint64", "float32", "float64", "bool"))
def test_literals_take_the_dtype_they_meet(device, dtype):
    expressions = ["x + 1", "1 + x", "x * 2.5", "3 - x", "x / 2", "x // 2", "x % 3", "7 // x", "7 % x", "x ** 2"]
    expressions += ["x < 100", "100 >= x", "x == 2.0", "x + True", "x & 3", "x << 2", "-x + 1", "x * 1j"]
    x = edges(dtype)
    if np.dtype(dtype).kind in "iu":
        x = x[x != 0]
    check_many(device, expressions, x, x)


@pytest.mark.parametrize(("a", "b"), list(itertools.permutations(("int8", "uint8", "int64", "uint64"), 2)))
def test_integers_are_compared_by_value_whatever_their_dtypes(device, a, b):
    check_many(device, [f"x {op} y" for op in COMPARISONS], *pairs(edges(a), edges(b)))


@cl.kernel
def python_integers(a, b, out, quotients):
    i = cl.get_global_id(0)
    x, y = int(a[i]), int(b[i])
    out[0, i] = x + y
    out[1, i] = x - y
    out[2, i] = x * y
    out[3, i] = x // y
    out[4, i] = x % y
    out[5, i] = x & y
    out[6, i] = x | y
    out[7, i] = x ^ y
    out[8, i] = x << (y & 7)
    out[9, i] = x >> (y & 7)
    out[10, i] = ~x
    out[11, i] = -x
    out[12, i] = (x % 16) ** (y & 3)
    out[13, i] = divmod(x, y)[0] * 100 + divmod(x, y)[1]
    out[14, i] = (x > y) + (x == y)
    out[15, i] = True + True
    out[16, i] = abs(x)
    out[17, i] = -True
    quotients[i] = x / y


def test_pythons_own_integers(device):
    values = np.array([-1000, -17, -8, -3, -2, -1, 1, 2, 3, 8, 17, 1000])
    x, y = pairs(values, values)
    check(device, python_integers, x.size, x, y, np.zeros((18, x.size), np.int64), np.zeros(x.size))


@cl.kernel
def python_floats(a, b, out):
    i = cl.get_global_id(0)
    x, y = float(a[i]), float(b[i])
    out[0, i] = x + y
    out[1, i] = x - y
    out[2, i] = x * y
    out[3, i] = x / y
    out[4, i] = x // y
    out[5, i] = x % y
    out[6, i] = divmod(x, y)[0]
    out[7, i] = divmod(x, y)[1]
    out[8, i] = x + 1
    out[9, i] = 1 / y + x * True
    out[10, i] = -x


def test_pythons_own_floats(device):
    values = edges("float64")
    x, y = pairs(values, values[(values != 0)])
    check(device, python_floats, x.size, x, y, np.zeros((11, x.size)))


@cl.kernel
def divisions(x, y, a, b, out, floats):
    i = cl.get_global_id(0)
    out[0, i] = int(x[i]) // int(y[i])
    out[1, i] = int(x[i]) % int(y[i])
    out[2, i] = x[i] // y[i]
    out[3, i] = x[i] % y[i]
    floats[0, i] = float(a[i]) / float(b[i])
    floats[1, i] = int(x[i]) / int(y[i])
    floats[2, i] = float(a[i]) // float(b[i])
    floats[3, i] = float(a[i]) % float(b[i])
    floats[4, i] = 2.0 ** float(a[i] * 1000)


def test_where_python_raises_kernels_give_what_numpy_gives(device):
    x = np.array([-7, -1, 0, 1, 7, np.iinfo(np.int64).min])
    y = np.array([0, 0, 0, 0, 0, -1])
    a, b = x[:6].astype(float), np.zeros(6)
    b[5] = -0.0
    given = [on_device(array, device) for array in (x, y, a, b, np.zeros((4, 6), np.int64), np.zeros((5, 6)))]
    divisions[6](*given).wait()
    with np.errstate(all="ignore"):
        whole = np.array([x // y, x % y, x // y, x % y])
        floats = np.array([a / b, x / y, np.floor_divide(a, b), np.remainder(a, b), 2.0 ** (a * 1000)])
    same(whole, given[4])
    same(floats, given[5])
