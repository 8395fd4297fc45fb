"""Coordinates of points in a grid, and positions in flattened arrays."""

import math
import operator

import numpy as np

import colocate as cl
from colocate import _native
from colocate._arguments import Array, check, host_integers, one_array
from colocate._errors import DTypeError, InvalidArgumentError

__all__ = [
    "fromfunction",
    "indices",
    "ix_",
    "meshgrid",
    "mgrid",
    "ogrid",
    "ravel_multi_index",
    "unravel_index",
]


def indices(dimensions, dtype=int, sparse=False, *, device=None, queue=None, usm_type=None):
    """The coordinates of every point of a grid.

    Parameters
    ----------
    dimensions : sequence of int
        The grid's shape.
    dtype : optional
        Of the coordinates.
    sparse : bool
        Whether to give a tuple of arrays that must be broadcast, instead of one array.
    device, queue, usm_type : optional
        As for :func:`empty`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.indices((2, 2)).tolist()
    [[[0, 0], [1, 1]], [[0, 1], [0, 1]]]
    """
    place = {"device": device, "queue": queue, "usm_type": usm_type}
    dimensions = tuple(operator.index(extent) for extent in dimensions)
    ndim = len(dimensions)
    lines = []
    for axis, extent in enumerate(dimensions):
        line = _native.arange(extent, dtype=dtype, **place)
        lines.append(line[(None,) * axis + (slice(None),) + (None,) * (ndim - axis - 1)])
    if sparse:
        return tuple(lines)
    result = _native.empty((ndim, *dimensions), dtype, **place)
    for axis, line in enumerate(lines):
        result[axis] = line
    return result


def meshgrid(*arrays, indexing="xy", sparse=False, copy=True):
    """Coordinate arrays of the grid that vectors span.

    Parameters
    ----------
    *arrays : arrays
        The coordinates along each axis; those of several axes are flattened.
    indexing : {"xy", "ij"}
        Whether the first vector lies along the second axis or along the first.
    sparse : bool
        Whether the results must be broadcast to make the grid.
    copy : bool
        Whether the results are memory of their own; else they are views, which are read-only if
        they repeat elements.

    Returns
    -------
    tuple of arrays

    Examples
    --------
    >>> import colocate as cl
    >>> x, y = cl.meshgrid(cl.asarray([1, 2]), cl.asarray([5, 6, 7]))
    >>> x.tolist(), y.tolist()
    ([[1, 2], [1, 2], [1, 2]], [[5, 5], [6, 6], [7, 7]])
    """
    if indexing not in ("xy", "ij"):
        raise InvalidArgumentError(f"meshgrid: indexing={indexing!r} is neither 'xy' nor 'ij'")
    if not arrays:
        return ()
    check("meshgrid", arrays=arrays)
    for position, x in enumerate(arrays):
        one_array("meshgrid", x, f"arrays[{position}]")
    count = len(arrays)
    axes = list(range(count))
    if indexing == "xy" and count > 1:
        axes[:2] = 1, 0
    lines = []
    for axis, x in zip(axes, arrays, strict=True):
        x = x if x.ndim == 1 else cl.ravel(x)
        lines.append(x[(None,) * axis + (slice(None),) + (None,) * (count - axis - 1)])
    if not sparse:
        shape = np.broadcast_shapes(*[line.shape for line in lines])
        lines = [cl.broadcast_to(line, shape) for line in lines]
    return tuple(line.copy() for line in lines) if copy else tuple(lines)


class _Grid:
    """Coordinates of a grid, by slices between brackets; ``mgrid`` makes one array of them, ``ogrid``
    arrays that must be broadcast. An imaginary step says how many points there are.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.mgrid[0:2, 0:2].tolist()
    [[[0, 0], [1, 1]], [[0, 1], [0, 1]]]
    >>> [x.tolist() for x in cl.ogrid[0:2, 0:1:3j]]
    [[[0.0], [1.0]], [[0.0, 0.5, 1.0]]]
    """

    def __init__(self, sparse):
        self._sparse = sparse
        self.__name__ = "ogrid" if sparse else "mgrid"

    def __repr__(self):
        return f"<colocate.{self.__name__}>"

    def __getitem__(self, key):
        if isinstance(key, slice):
            return self._line(key, _common_dtype([key]))
        if not isinstance(key, tuple) or not all(isinstance(part, slice) for part in key):
            raise DTypeError(f"{self.__name__}: write slices between the brackets, as in [0:3, 1:2:5j]")
        dtype = _common_dtype(key)
        lines = [self._line(part, dtype) for part in key]
        ndim = len(lines)
        lines = [line[(None,) * axis + (slice(None),) + (None,) * (ndim - axis - 1)] for axis, line in enumerate(lines)]
        if self._sparse:
            return tuple(lines)
        result = _native.empty((ndim, *(line.size for line in lines)), dtype)
        for axis, line in enumerate(lines):
            result[axis] = line
        return result

    @staticmethod
    def _line(part, dtype):
        start = 0 if part.start is None else part.start
        step = 1 if part.step is None else part.step
        if isinstance(step, complex):
            return _native.linspace(start, part.stop, int(abs(step)), dtype=dtype)
        return _native.arange(start, part.stop, step, dtype)


def _common_dtype(parts):
    numbers = [number for part in parts for number in (part.start, part.stop, part.step) if number is not None]
    whole = all(isinstance(number, int | np.integer) for number in numbers)
    return np.dtype(np.int64 if whole else np.float64)


mgrid = _Grid(False)
ogrid = _Grid(True)


def ix_(*args):
    """Index arrays that together select a grid of elements.

    Parameters
    ----------
    *args : 1-d arrays of integers or bools
        What is selected along each axis.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.reshape(cl.arange(10), (2, 5))
    >>> x[cl.ix_(cl.asarray([0, 1]), cl.asarray([2, 4]))].tolist()
    [[2, 4], [7, 9]]
    """
    check("ix_", args=args)
    results = []
    for position, x in enumerate(args):
        one_array("ix_", x, f"args[{position}]")
        if x.ndim != 1:
            raise InvalidArgumentError("ix_: the arrays must be vectors")
        if x.dtype == bool:
            (x,) = cl.nonzero(x)
        results.append(x[(None,) * position + (slice(None),) + (None,) * (len(args) - position - 1)])
    return tuple(results)


def _row_major(function, order):
    """Whether the last axis varies fastest."""
    if order not in ("C", "F", None):
        raise InvalidArgumentError(f"{function}: order={order!r} is neither 'C' nor 'F'")
    return order != "F"


def _extents(function, shape):
    shape = shape if isinstance(shape, tuple | list) else host_integers(shape).reshape(-1).tolist()
    extents = tuple(operator.index(extent) for extent in shape)
    if any(extent < 0 for extent in extents):
        raise InvalidArgumentError(f"{function}: extents must not be negative")
    if math.prod(extents) > np.iinfo(np.int64).max:
        raise InvalidArgumentError(f"{function}: int64 does not hold the positions of an array of shape {extents}")
    return extents


def unravel_index(indices, shape, order="C"):
    """Coordinates of positions in a flattened array.

    Parameters
    ----------
    indices : array of integers
        The positions.
    shape : tuple of int
        Of the array before it was flattened.
    order : {"C", "F"}, optional
        Whether the last axis or the first varies fastest.

    Returns
    -------
    tuple of arrays

    Examples
    --------
    >>> import colocate as cl
    >>> [x.tolist() for x in cl.unravel_index(cl.asarray([5, 7]), (2, 4))]
    [[1, 1], [1, 3]]
    """
    positions = one_array("unravel_index", indices, "indices")
    if positions.dtype.kind not in "biu":
        raise DTypeError(f"unravel_index: positions are integers, not {positions.dtype}")
    row_major = _row_major("unravel_index", order)
    extents = _extents("unravel_index", shape)
    size = math.prod(extents)
    if positions.size and (int(cl.min(positions)) < 0 or int(cl.max(positions)) >= size):
        raise InvalidArgumentError(f"unravel_index: a position is out of bounds for an array of {size} elements")
    positions = positions.asarray(dtype="int64")
    results = []
    for extent in extents[::-1] if row_major else extents:
        results.append(positions % extent)
        positions = positions // extent
    return tuple(results[::-1] if row_major else results)


def ravel_multi_index(multi_index, dims, mode="raise", order="C"):
    """Positions in a flattened array of coordinates.

    Parameters
    ----------
    multi_index : tuple of arrays of integers
        The coordinates along each axis.
    dims : tuple of int
        The array's shape.
    mode : {"raise", "wrap", "clip"}, or a tuple of one for each axis
        What is done with coordinates outside.
    order : {"C", "F"}, optional
        Whether the last axis or the first varies fastest.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.ravel_multi_index((cl.asarray([1, 1]), cl.asarray([1, 3])), (2, 4)).tolist()
    [5, 7]
    """
    if isinstance(multi_index, Array):
        multi_index = tuple(multi_index)
    check("ravel_multi_index", multi_index=tuple(multi_index))
    extents = _extents("ravel_multi_index", dims)
    modes = mode if isinstance(mode, tuple | list) else (mode,) * len(extents)
    if len(multi_index) != len(extents) or len(modes) != len(extents):
        raise InvalidArgumentError(f"ravel_multi_index: {len(multi_index)} coordinates for {len(extents)} dimensions")
    axes = range(len(extents))[:: 1 if _row_major("ravel_multi_index", order) else -1]
    position = None
    for axis in axes:
        coordinate, extent = multi_index[axis], extents[axis]
        if isinstance(coordinate, Array):
            if coordinate.dtype.kind not in "biu":
                raise DTypeError(f"ravel_multi_index: coordinates are integers, not {coordinate.dtype}")
            coordinate = coordinate.asarray(dtype="int64")
        coordinate = _inside(coordinate, extent, modes[axis], axis)
        position = coordinate if position is None else position * extent + coordinate
    return position


def _inside(coordinate, extent, mode, axis):
    if mode == "wrap":
        return coordinate % extent
    if mode == "clip":
        if isinstance(coordinate, Array):
            return cl.clip(coordinate, 0, extent - 1)
        return min(max(coordinate, 0), extent - 1)
    if mode != "raise":
        raise InvalidArgumentError(f"ravel_multi_index: mode={mode!r} is none of 'raise', 'wrap' and 'clip'")
    low, high = (coordinate, coordinate)
    if isinstance(coordinate, Array):
        if coordinate.size == 0:
            return coordinate
        low, high = int(cl.min(coordinate)), int(cl.max(coordinate))
    if low < 0 or high >= extent:
        raise InvalidArgumentError(f"ravel_multi_index: a coordinate is out of bounds for axis {axis} of {extent}")
    return coordinate


def fromfunction(function, shape, *, dtype=float, device=None, queue=None, usm_type=None, **kwargs):
    """An array made by a function of the coordinates, which is called once with arrays of them.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fromfunction(lambda i, j: i + 10 * j, (2, 2), dtype="int64").tolist()
    [[0, 10], [1, 11]]
    """
    grid = indices(shape, dtype, device=device, queue=queue, usm_type=usm_type)
    return function(*grid, **kwargs)
