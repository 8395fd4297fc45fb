"""Elements of one array in other places: rolled, turned, repeated, inserted and left out."""

import itertools
import operator

import numpy as np

import colocate as cl
from colocate._arguments import (
    Array,
    along,
    axis_number,
    axis_numbers,
    beside,
    check,
    host_integers,
    new,
    one_array,
    promoted,
)
from colocate._errors import ArrayIndexError, DTypeError, InvalidArgumentError

__all__ = [
    "delete",
    "ediff1d",
    "fliplr",
    "flipud",
    "insert",
    "repeat",
    "resize",
    "roll",
    "rollaxis",
    "rot90",
    "tile",
    "trim_zeros",
]


def roll(a, shift, axis=None):
    """Moves elements along axes; those that leave at the end come in again at the beginning.

    Parameters
    ----------
    a : array
        What is rolled.
    shift : int, or integers as a list, NumPy array or array
        By how many places; negative numbers move towards the beginning. Floats are rounded towards zero.
    axis : int, tuple of int or None
        Along what; ``None`` rolls the flattened array.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.roll(cl.arange(5), 2).tolist()
    [3, 4, 0, 1, 2]
    """
    a = one_array("roll", a, "a")
    if isinstance(shift, Array):
        check("roll", a=a, shift=shift)
    shifts = _whole_shifts(shift)
    if axis is None:
        flat = roll(cl.reshape(a, (-1,)), sum(shifts), 0)
        return cl.reshape(flat, a.shape)
    axes = axis if isinstance(axis, tuple | list) else (axis,)
    if len(axes) != len(shifts) and 1 not in (len(axes), len(shifts)):
        raise InvalidArgumentError(f"roll: {len(shifts)} shifts do not fit {len(axes)} axes")
    count = max(len(axes), len(shifts))
    if len(axes) == 1:
        axes = tuple(axes) * count
    if len(shifts) == 1:
        shifts = tuple(shifts) * count
    total = {}
    for one, distance in zip(axes, shifts, strict=True):
        number = axis_number("roll", one, a.ndim)
        total[number] = total.get(number, 0) + distance
    result = new([a], a.shape, a.dtype)
    if a.size == 0:
        return result
    pieces = []
    for number, extent in enumerate(a.shape):
        distance = total.get(number, 0) % extent
        if distance:
            pieces.append(
                [
                    (slice(None, -distance), slice(distance, None)),
                    (slice(-distance, None), slice(None, distance)),
                ]
            )
        else:
            pieces.append([(slice(None), slice(None))])
    for combination in itertools.product(*pieces):
        source = tuple(piece[0] for piece in combination)
        target = tuple(piece[1] for piece in combination)
        result[target] = a[source]
    return result


def _whole_shifts(shift):
    shifts = host_integers(shift)
    if shifts.ndim > 1:
        raise InvalidArgumentError("roll: shift is a number or a list of numbers, not a matrix")
    return [int(one) for one in shifts.reshape(-1).tolist()]


def rollaxis(a, axis, start=0):
    """Moves an axis back until it is before another, as a view; :func:`moveaxis` is clearer.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.rollaxis(cl.ones((3, 4, 5)), 2).shape
    (5, 3, 4)
    """
    a = one_array("rollaxis", a, "a")
    axis = axis_number("rollaxis", axis, a.ndim)
    start = operator.index(start)
    if not -a.ndim <= start <= a.ndim:
        raise InvalidArgumentError(f"rollaxis: start={start} is not between {-a.ndim} and {a.ndim}")
    start += a.ndim if start < 0 else 0
    order = [number for number in range(a.ndim) if number != axis]
    order.insert(start - (axis < start), axis)
    return cl.permute_dims(a, tuple(order))


def rot90(m, k=1, axes=(0, 1)):
    """Turns an array by ``k`` quarters in the plane of two axes, as a view.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.rot90(cl.asarray([[1, 2], [3, 4]])).tolist()
    [[2, 4], [1, 3]]
    """
    m = one_array("rot90", m, "m")
    if len(axes) != 2:
        raise InvalidArgumentError(f"rot90: a plane has two axes, not {len(axes)}")
    first, second = (axis_number("rot90", axis, m.ndim) for axis in axes)
    if first == second:
        raise InvalidArgumentError("rot90: the two axes of a plane are different ones")
    k = operator.index(k) % 4
    if k == 0:
        return m[...]
    if k == 2:
        return cl.flip(m, axis=(first, second))
    if k == 1:
        return cl.swapaxes(cl.flip(m, axis=second), first, second)
    return cl.flip(cl.swapaxes(m, first, second), axis=second)


def fliplr(m):
    """The second axis reversed, as a view.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fliplr(cl.asarray([[1, 2], [3, 4]])).tolist()
    [[2, 1], [4, 3]]
    """
    m = one_array("fliplr", m, "m")
    if m.ndim < 2:
        raise InvalidArgumentError(f"fliplr: the array must have 2 or more dimensions, not {m.ndim}")
    return m[:, ::-1]


def flipud(m):
    """The first axis reversed, as a view.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.flipud(cl.asarray([[1, 2], [3, 4]])).tolist()
    [[3, 4], [1, 2]]
    """
    m = one_array("flipud", m, "m")
    if m.ndim < 1:
        raise InvalidArgumentError("flipud: the array must have 1 or more dimensions, not 0")
    return m[::-1]


def repeat(a, repeats, axis=None):
    """Each element several times.

    Parameters
    ----------
    a : array
        What is repeated.
    repeats : int, or integers as a list, NumPy array or array
        How many times; one number for all elements or one for each along the axis.
    axis : int, optional
        Without it the flattened array is taken.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.repeat(cl.asarray([1, 2]), 2).tolist()
    [1, 1, 2, 2]
    >>> cl.repeat(cl.asarray([1, 2]), [0, 3]).tolist()
    [2, 2, 2]
    """
    a = one_array("repeat", a, "a")
    if isinstance(repeats, Array):
        check("repeat", a=a, repeats=repeats)
    if axis is None or a.ndim == 0:
        # A single element is a row of one.
        a, axis = cl.reshape(a, (-1,)), 0 if axis is None else axis
    axis = axis_number("repeat", axis, a.ndim)
    length = a.shape[axis]
    if isinstance(repeats, Array) and repeats.ndim == 1 and repeats.size > 1:
        counts = repeats
    else:
        counts = host_integers(repeats)
    if counts.ndim > 1:
        raise InvalidArgumentError("repeat: repeats is a number or a list of numbers, not a matrix")
    if counts.size and not np.can_cast(counts.dtype, np.int64, "safe"):
        raise DTypeError(f"repeat: repeats are integers, not {counts.dtype}")
    if counts.size == 1:
        return _repeated_evenly(a, int(counts.reshape(-1)[0]), axis)
    if counts.shape[0] != length:
        raise InvalidArgumentError(f"repeat: {counts.shape[0]} repeats do not fit {length} elements")
    if length == 0:
        return a.copy()
    if bool((counts < 0).any()) if isinstance(counts, np.ndarray) else bool(cl.any(counts < 0)):
        raise InvalidArgumentError("repeat: repeats must not be negative")
    counts = beside(a, counts, "int64")
    ends = cl.cumulative_sum(counts)
    total = int(ends[-1])
    positions = cl.arange(total, dtype="int64", queue=a.queue)
    return cl.take(a, cl.searchsorted(ends, positions, side="right"), axis=axis)


def _repeated_evenly(x, count, axis):
    if count < 0:
        raise InvalidArgumentError("repeat: repeats must not be negative")
    result = new([x], (*x.shape[: axis + 1], count, *x.shape[axis + 1 :]), x.dtype)
    result[...] = x[along(axis + 1, None)]
    return cl.reshape(result, (*x.shape[:axis], x.shape[axis] * count, *x.shape[axis + 1 :]))


def tile(A, reps):
    """An array made of copies of another, side by side.

    Parameters
    ----------
    A : array
        What is repeated.
    reps : int or tuple of int
        How many copies along each of the last axes.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.tile(cl.asarray([1, 2]), (2, 2)).tolist()
    [[1, 2, 1, 2], [1, 2, 1, 2]]
    """
    A = one_array("tile", A, "A")
    if not isinstance(reps, tuple | list):
        reps = host_integers(reps).reshape(-1)
    reps = tuple(operator.index(one) for one in reps)
    if any(one < 0 for one in reps):
        raise InvalidArgumentError("tile: there are no negative repetitions")
    ndim = max(len(reps), A.ndim)
    reps = (1,) * (ndim - len(reps)) + reps
    shape = (1,) * (ndim - A.ndim) + A.shape
    spread = tuple(itertools.chain.from_iterable(zip(reps, shape, strict=True)))
    source = A[(None,) * (ndim - A.ndim)] if A.ndim < ndim else A
    source = source[tuple(itertools.chain.from_iterable((None, slice(None)) for _ in range(ndim)))]
    result = new([A], spread, A.dtype)
    result[...] = source
    return cl.reshape(result, tuple(one * extent for one, extent in zip(reps, shape, strict=True)))


def resize(a, new_shape):
    """The elements in another shape: repeated if there are too few, cut off if there are too many.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.resize(cl.asarray([1, 2, 3]), (2, 2)).tolist()
    [[1, 2], [3, 1]]
    """
    a = one_array("resize", a, "a")
    shape = new_shape if isinstance(new_shape, tuple | list) else (new_shape,)
    shape = tuple(operator.index(extent) for extent in shape)
    if any(extent < 0 for extent in shape):
        raise InvalidArgumentError("resize: extents must not be negative")
    size = int(np.prod(shape, dtype=object)) if shape else 1
    if a.size == 0:
        return cl.zeros_like(a, shape=shape)
    flat = cl.reshape(a, (-1,))
    result = new([a], (size,), a.dtype)
    whole = size // a.size * a.size
    if whole:
        cl.reshape(result[:whole], (-1, a.size))[...] = flat
    if whole < size:
        result[whole:] = flat[: size - whole]
    return cl.reshape(result, shape)


def delete(arr, obj, axis=None):
    """The array without some of its parts.

    Parameters
    ----------
    arr : array
        What parts are left out of.
    obj : int, slice, or integers or bools as a list, NumPy array or array
        Which parts.
    axis : int, optional
        Along what; without it the flattened array is taken.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.delete(cl.arange(5), [0, -1]).tolist()
    [1, 2, 3]
    """
    arr = one_array("delete", arr, "arr")
    if isinstance(obj, Array):
        check("delete", arr=arr, obj=obj)
    if axis is None:
        arr, axis = cl.reshape(arr, (-1,)), 0
    axis = axis_number("delete", axis, arr.ndim)
    length = arr.shape[axis]
    if isinstance(obj, slice):
        gone = range(*obj.indices(length))
        gone = gone if gone.step > 0 else gone[::-1]
        if len(gone) == 0:
            return arr.copy()
        if gone.step == 1:
            return _without(arr, gone.start, gone.stop, axis)
        obj = np.arange(gone.start, gone.stop, gone.step)
    elif not isinstance(obj, Array | np.ndarray | list | tuple | bool | np.bool_):
        position = operator.index(obj)
        if not -length <= position < length:
            raise ArrayIndexError(f"delete: index {position} is out of bounds for axis {axis} with size {length}")
        position %= length
        return _without(arr, position, position + 1, axis)
    keep = np.ones(length, dtype=bool)
    keep[_checked_positions("delete", host_integers(obj), length, axis)] = False
    return arr[along(axis, cl.asarray(keep, queue=arr.queue))]


def _without(arr, start, stop, axis):
    return cl.concat([arr[along(axis, slice(start))], arr[along(axis, slice(stop, None))]], axis)


def _checked_positions(function, positions, length, axis):
    """Integers or bools that select along an axis, as integers from 0 on or as bools."""
    if positions.dtype == bool:
        if positions.shape != (length,):
            raise InvalidArgumentError(f"{function}: a mask of shape {positions.shape} does not fit {length} elements")
        return positions
    if positions.size == 0:
        return positions.astype(np.int64).reshape(-1)
    if not np.issubdtype(positions.dtype, np.integer):
        raise ArrayIndexError(f"{function}: indices are integers or bools, not {positions.dtype}")
    positions = positions.reshape(-1).astype(np.int64)
    if positions.min() < -length or positions.max() >= length:
        raise ArrayIndexError(f"{function}: an index is out of bounds for axis {axis} with size {length}")
    return np.where(positions < 0, positions + length, positions)


def insert(arr, obj, values, axis=None):
    """The array with more elements before some of its parts.

    Parameters
    ----------
    arr : array
        What elements are put into.
    obj : int, slice, or integers or bools as a list, NumPy array or array
        Before which parts, counted in ``arr``.
    values : array, or scalars
        What is inserted; they are converted to the array's dtype and broadcast.
    axis : int, optional
        Along what; without it the flattened array is taken.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.insert(cl.arange(4), 1, 9).tolist()
    [0, 9, 1, 2, 3]
    >>> cl.insert(cl.arange(4), [0, 4], [7, 8]).tolist()
    [7, 0, 1, 2, 3, 8]
    """
    check("insert", arr=arr, values=values)
    arr = one_array("insert", arr, "arr")
    if isinstance(obj, Array):
        check("insert", arr=arr, obj=obj)
    if axis is None:
        arr, axis = cl.reshape(arr, (-1,)), 0
    axis = axis_number("insert", axis, arr.ndim)
    length = arr.shape[axis]
    if isinstance(obj, slice):
        positions = np.arange(*obj.indices(length))
    else:
        positions = host_integers(obj)
        positions = np.flatnonzero(positions) if positions.dtype == bool else positions
    if positions.ndim > 1:
        raise InvalidArgumentError("insert: the indices are a number or a list of numbers")
    scalar = positions.ndim == 0
    positions = _insertion_points(positions.reshape(-1), length, axis)
    values = beside(arr, values, arr.dtype)
    values = values[(None,) * (arr.ndim - values.ndim)] if values.ndim < arr.ndim else values
    if positions.size == 1:
        if scalar:
            # As in NumPy: one index is an index, so its axis comes first in what is inserted.
            values = cl.moveaxis(values, 0, axis)
        count = values.shape[axis]
        at = int(positions[0])
        result = new([arr, values], (*arr.shape[:axis], length + count, *arr.shape[axis + 1 :]), arr.dtype)
        result[along(axis, slice(at))] = arr[along(axis, slice(at))]
        result[along(axis, slice(at, at + count))] = values
        result[along(axis, slice(at + count, None))] = arr[along(axis, slice(at, None))]
        return result
    order = np.argsort(positions, kind="stable")
    positions[order] += np.arange(positions.size)
    old = np.ones(length + positions.size, dtype=bool)
    old[positions] = False
    result = new([arr, values], (*arr.shape[:axis], old.size, *arr.shape[axis + 1 :]), arr.dtype)
    if positions.size:
        result[along(axis, cl.asarray(positions, queue=arr.queue))] = values
    if arr.size:
        result[along(axis, cl.asarray(np.flatnonzero(old), queue=arr.queue))] = arr
    return result


def _insertion_points(positions, length, axis):
    if positions.size and not np.issubdtype(positions.dtype, np.integer):
        raise ArrayIndexError(f"insert: indices are integers or bools, not {positions.dtype}")
    positions = positions.astype(np.int64)
    if positions.size and (positions.min() < -length or positions.max() > length):
        raise ArrayIndexError(f"insert: an index is out of bounds for axis {axis} with size {length}")
    return np.where(positions < 0, positions + length, positions)


def trim_zeros(filt, trim="fb", axis=None):
    """The array without the zeros at its ends, as a view.

    Parameters
    ----------
    filt : array
        What is trimmed.
    trim : {"fb", "f", "b"}
        At the front, at the back, or at both.
    axis : int or sequence of int, optional
        Along what; all axes if not given.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.trim_zeros(cl.asarray([0, 0, 1, 0, 2, 0])).tolist()
    [1, 0, 2]
    """
    filt = one_array("trim_zeros", filt, "filt")
    trim = trim.lower()
    if trim not in ("fb", "bf", "f", "b"):
        raise InvalidArgumentError(f"trim_zeros: trim={trim!r} is none of 'f', 'b' and 'fb'")
    axes = axis_numbers("trim_zeros", axis, filt.ndim)
    if not axes:
        return filt
    found = cl.nonzero(filt)
    index = [slice(None)] * filt.ndim
    for number in axes:
        if found[number].size:
            start, stop = int(cl.min(found[number])), int(cl.max(found[number])) + 1
        else:
            start, stop = (filt.shape[number], filt.shape[number]) if "f" in trim else (0, 0)
        index[number] = slice(start if "f" in trim else None, stop if "b" in trim else None)
    return filt[tuple(index)]


def ediff1d(ary, to_end=None, to_begin=None):
    """Differences of neighbours of the flattened array, with something before and after them.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.ediff1d(cl.asarray([1, 4, 9]), to_begin=0).tolist()
    [0, 3, 5]
    """
    check("ediff1d", ary=ary, to_end=to_end, to_begin=to_begin)
    ary = cl.reshape(one_array("ediff1d", ary, "ary"), (-1,))
    if ary.dtype.kind == "b":
        raise DTypeError("ediff1d: bools have no differences")
    parts = []
    for name, given in (("to_begin", to_begin), ("to_end", to_end)):
        if given is None:
            parts.append(None)
            continue
        part = cl.reshape(beside(ary, given), (-1,))
        if not np.can_cast(part.dtype, ary.dtype, "same_kind"):
            raise DTypeError(f"ediff1d: {name} of {part.dtype} does not fit an array of {ary.dtype}")
        parts.append(part)
    middle = ary[1:] - ary[:-1]
    pieces = [piece for piece in (parts[0], middle, parts[1]) if piece is not None]
    return cl.concat(pieces, dtype=promoted([ary])) if len(pieces) > 1 else middle
