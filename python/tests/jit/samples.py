"""Arrays to run programs on: numbers of every dtype, in every layout that memory may have."""

import numpy as np

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = ("float32", "float64")
COMPLEX = ("complex64", "complex128")
REAL = ("bool", "int8", "int32", "int64", "uint8", "uint64", *FLOATS)
DTYPES = (*REAL, *COMPLEX)


def numbers(shape, dtype, seed=0):
    """Small numbers without zeros, of both signs where there are signs; whole and quarter ones."""
    dtype = np.dtype(dtype)
    generator = np.random.default_rng([seed, *np.atleast_1d(shape).tolist()])
    values = generator.integers(1, 12, shape)
    signs = generator.choice([-1, 1], shape)
    if dtype.kind == "b":
        return np.asarray(values % 2 == 0)
    if dtype.kind == "u":
        return np.asarray(values.astype(dtype))
    if dtype.kind == "i":
        return np.asarray((signs * values).astype(dtype))
    parts = signs * values / 4
    if dtype.kind == "c":
        parts = parts + 1j * generator.integers(-9, 9, shape) / 4
    return np.asarray(parts.astype(dtype))


def contiguous(values):
    return values.copy()


def fortran(values):
    return np.array(values, order="F")


def spaced(values):
    """Every second element along each axis of something larger."""
    room = np.zeros([2 * extent + 1 for extent in values.shape], values.dtype)
    view = room[tuple(slice(1, 2 * extent + 1, 2) for extent in values.shape)]
    view[...] = values
    return view


def backwards(values):
    """Negative strides along each axis."""
    turned = (slice(None, None, -1),) * values.ndim
    return values[turned].copy()[turned]


def inner(values):
    """A block inside something larger: rows lie apart, the elements of a row side by side."""
    room = np.zeros([extent + 3 for extent in values.shape], values.dtype)
    view = room[tuple(slice(1, 1 + extent) for extent in values.shape)]
    view[...] = values
    return view


def rotated(values):
    """The axes lie in another order in memory, neither C's nor Fortran's where there are three."""
    order = np.roll(np.arange(values.ndim), 1)
    return values.transpose(order).copy().transpose(np.argsort(order))


LAYOUTS = {function.__name__: function for function in (contiguous, fortran, spaced, backwards, inner, rotated)}
