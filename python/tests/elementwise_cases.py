"""What the tests of elementwise functions share: NumPy's names, operands at the edges, distances in ULP."""

import numpy as np

import colocate as cl
from colocate._native import ufunc

DTYPES = (
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
)
COMPLEX = ("complex64", "complex128")

# Where NumPy has no ufunc of the name, or another one.
_NUMPY = {
    "angle": np.angle,
    "imag": np.imag,
    "real": np.real,
    "sinc": np.sinc,
    "isposinf": np.isposinf,
    "isneginf": np.isneginf,
}

FUNCTIONS = {name: value for name, value in vars(cl).items() if isinstance(value, ufunc) and value.__name__ == name}
UNARY = sorted(name for name, function in FUNCTIONS.items() if function.nin == 1)
BINARY = sorted(name for name, function in FUNCTIONS.items() if function.nin == 2)


def reference(name):
    """NumPy's function."""
    return _NUMPY.get(name) or getattr(np, name)


def result_dtype(name, *dtypes):
    """The dtype of the result, or None where the function does not take the dtypes."""
    try:
        return FUNCTIONS[name].result_dtype(*dtypes)
    except TypeError:
        return None


def edges(dtype):
    """Zeros, ones, halves, extremes, infinities and NaN."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        numbers = [0, 1, 2, 3, 7, 100, info.max, info.max - 1, info.min, info.min + 1]
        return np.array([n for n in [*numbers, -1, -2, -7] if info.min <= n], dtype)
    if dtype.kind == "f":
        info = np.finfo(dtype)
        numbers = [0.0, 0.3, 0.5, 1.0, 1.5, 2.5, 3.7, 30.0, 300.0, info.max, info.tiny, info.smallest_subnormal, np.inf]
        numbers = np.array(numbers, dtype)
        return np.concatenate([numbers, -numbers, np.array([np.nan], dtype)])
    parts = np.array([0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 3.0, -3.0, np.inf, -np.inf, np.nan])
    grid = np.empty((parts.size, parts.size), dtype)
    grid.real, grid.imag = parts[:, None], parts
    return grid.reshape(-1)


def samples(dtype, count=2000):
    """Numbers of all sizes, always the same."""
    dtype = np.dtype(dtype)
    rng = np.random.default_rng(7)
    if dtype.kind == "b":
        return rng.random(count) < 0.5
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        wide = rng.integers(info.min, info.max, count // 2, dtype=dtype, endpoint=True)
        low = 0 if dtype.kind == "u" else -20
        return np.concatenate([wide, rng.integers(low, 20, count - count // 2).astype(dtype)])

    def floats():
        ends = 3 if dtype == np.float16 else 8
        sizes = 10.0 ** np.concatenate([rng.uniform(-ends, ends, count // 2), rng.uniform(-2, 1.5, count - count // 2)])
        return sizes * rng.choice([-1, 1], count)

    return (floats() + 1j * floats() if dtype.kind == "c" else floats()).astype(dtype)


def exactly(function, *operands):
    """NumPy's result in a precision above that of the operands."""
    wider = {"float16": np.float64, "float32": np.float64, "float64": np.longdouble}
    wider |= {"complex64": np.complex128, "complex128": np.clongdouble}
    with np.errstate(all="ignore"):
        return function(*(x.astype(wider.get(x.dtype.name, x.dtype)) for x in operands))


def ulp(found, expected):
    """How far a result is from the exact one, in units of the last place of its own dtype.

    Infinities and NaN must agree (0), or else the distance is infinite. What overflows only by
    rounding may be either. Of a complex number it is the larger distance of the parts.
    """
    if found.dtype.kind == "c":
        return np.maximum(ulp(found.real, expected.real), ulp(found.imag, expected.imag))
    if found.dtype.kind in "biu":
        return np.where(found == expected, 0.0, np.inf)
    with np.errstate(all="ignore"):
        rounded = expected.astype(found.dtype)
        unit = np.spacing(np.abs(rounded)).astype(np.longdouble)
        distance = np.abs(found.astype(np.longdouble) - expected) / unit
        largest = np.finfo(found.dtype).max
        edge = (np.abs(found) >= largest) & (np.abs(expected) > largest * 0.999) & np.isfinite(expected)
        edge &= np.sign(found) == np.sign(expected)
        same = (found == rounded) | (np.isnan(found) & np.isnan(rounded)) | edge
        return np.where(same, 0.0, np.where(np.isnan(distance), np.inf, distance)).astype(float)


def same_signs_of_zero(found, expected):
    """Where both are zero, whether they have the same sign; elsewhere true."""
    if found.dtype.kind == "c":
        return same_signs_of_zero(found.real, expected.real) & same_signs_of_zero(found.imag, expected.imag)
    if found.dtype.kind != "f":
        return np.ones(found.shape, bool)
    zeros = (found == 0) & (expected == 0)
    return ~zeros | (np.signbit(found) == np.signbit(expected))


# The largest distance from the exact result in units of the last place; docs/accuracy.md has what
# was measured. OpenCL promises 16 for pow and up to 6 for others.
BOUNDS = {"pow": 16, "float_power": 16}
BOUND = 6
# Of float16 everything is computed as float32.
HALF = 0.51

# Results that are about the dtype itself, or exact.
EXACT = frozenset(
    (
        "ceil",
        "copysign",
        "floor",
        "floor_divide",
        "fmax",
        "fmin",
        "fmod",
        "heaviside",
        "maximum",
        "minimum",
        "nextafter",
        "remainder",
        "rint",
        "spacing",
        "trunc",
    )
)

# What NumPy computes too coarsely, or not at all in a wider precision, to be compared with.
SUMS = {"logaddexp", "logaddexp2"}


def bound(name, dtype):
    """How far a result may be from the exact one."""
    if dtype == np.float16:
        return HALF
    return BOUNDS.get(name, BOUND)


def check_values(name, device, *operands):
    """That the results of a function are NumPy's: exactly, or within a few units in the last place."""
    dtypes = [x.dtype for x in operands]
    found = cl.asnumpy(getattr(cl, name)(*(cl.asarray(x, device=device) for x in operands)))
    assert found.dtype == result_dtype(name, *dtypes)
    function = reference(name)
    with np.errstate(all="ignore"):
        if found.dtype.kind in "biu" or name in EXACT:
            np.testing.assert_array_equal(found, function(*operands))
            return
        operands = [x.astype(np.result_type(x, found.dtype)) for x in operands]
        expected = exactly(function, *operands)
        distance = ulp(found, expected)
        if name in SUMS:
            # They are about zero where their operands are not.
            size = np.maximum(*(np.abs(x.astype(np.longdouble)) for x in operands))
            distance = distance * np.minimum(1, np.abs(expected) / np.where(size > 0, size, 1))
    worst = int(np.nanargmax(distance)) if distance.size else 0
    message = f"{name} of {[x.reshape(-1)[worst] for x in operands]} is {found[worst]}, not {expected[worst]}"
    assert not distance.size or distance[worst] <= bound(name, found.dtype), message
