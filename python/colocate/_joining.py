"""Arrays made of arrays, and arrays cut into arrays."""

import operator

import numpy as np

import colocate as cl
from colocate import _native
from colocate._arguments import Array, along, axis_number, beside, check, new, one_array, promoted, several_arrays
from colocate._errors import DTypeError, InvalidArgumentError

__all__ = [
    "append",
    "array_split",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "block",
    "column_stack",
    "concat",
    "concatenate",
    "dsplit",
    "dstack",
    "hsplit",
    "hstack",
    "split",
    "stack",
    "unstack",
    "vsplit",
    "vstack",
]


def _result(function, arrays, shape, dtype, out, casting):
    """Where the elements go, and whether they may be converted to it."""
    if out is not None:
        if dtype is not None:
            raise DTypeError(f"{function}: give dtype= or out=, not both")
        if not isinstance(out, Array) or out.shape != tuple(shape):
            raise InvalidArgumentError(f"{function}: out= must be an array of shape {tuple(shape)}")
        check(function, arrays=arrays, out=out)
    target = out.dtype if out is not None else np.dtype(dtype) if dtype is not None else promoted(arrays)
    for x in arrays:
        if not np.can_cast(x.dtype, target, casting):
            raise DTypeError(f"{function}: {x.dtype} is not converted to {target} under casting={casting!r}")
    return new(arrays, shape, target) if out is None else out


def concat(arrays, /, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """Joins arrays along an axis they have.

    Parameters
    ----------
    arrays : sequence of arrays
        Of the same shape, except along the axis.
    axis : int or None
        ``None`` joins the flattened arrays.
    out : array, optional
        Takes the result.
    dtype : optional
        Default: what all elements are promoted to.
    casting : str
        Which conversions are allowed, as in NumPy.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.concat([cl.ones(2), cl.zeros(3)]).tolist()
    [1.0, 1.0, 0.0, 0.0, 0.0]
    """
    if out is None and dtype is None and casting == "same_kind" and axis is not None:
        return _native._joined("concat", arrays, axis, False)
    arrays = several_arrays("concat", arrays)
    if axis is None:
        arrays = [cl.reshape(x, (-1,)) for x in arrays]
        axis = 0
    first = arrays[0]
    if first.ndim == 0:
        raise InvalidArgumentError("concat: 0-d arrays have no axis to join along; stack joins along a new one")
    axis = axis_number("concat", axis, first.ndim)
    around = (first.shape[:axis], first.shape[axis + 1 :])
    for x in arrays:
        if x.ndim != first.ndim or (x.shape[:axis], x.shape[axis + 1 :]) != around:
            shapes = ", ".join(str(x.shape) for x in arrays)
            raise InvalidArgumentError(f"concat: except along axis {axis}, shapes must be the same: {shapes}")
    length = sum(x.shape[axis] for x in arrays)
    result = _result("concat", arrays, (*around[0], length, *around[1]), dtype, out, casting)
    start = 0
    for x in arrays:
        stop = start + x.shape[axis]
        if stop > start:
            result[along(axis, slice(start, stop))] = x
        start = stop
    return result


concatenate = concat


def stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind"):
    """Joins arrays of one shape along a new axis.

    Parameters
    ----------
    arrays : sequence of arrays
        What is joined.
    axis : int
        Where the new axis is in the result.
    out, dtype, casting : optional
        As for :func:`concat`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.stack([cl.ones(2), cl.zeros(2)], axis=1).tolist()
    [[1.0, 0.0], [1.0, 0.0]]
    """
    if out is None and dtype is None and casting == "same_kind":
        return _native._joined("stack", arrays, axis, True)
    arrays = several_arrays("stack", arrays)
    first = arrays[0]
    if any(x.shape != first.shape for x in arrays):
        shapes = ", ".join(str(x.shape) for x in arrays)
        raise InvalidArgumentError(f"stack: shapes must be the same: {shapes}")
    axis = axis_number("stack", axis, first.ndim + 1)
    shape = (*first.shape[:axis], len(arrays), *first.shape[axis:])
    result = _result("stack", arrays, shape, dtype, out, casting)
    for position, x in enumerate(arrays):
        result[along(axis, position)] = x
    return result


def atleast_1d(*arrays):
    """Arrays with at least one axis: 0-d ones become arrays of one element.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.atleast_1d(cl.asarray(3)).shape
    (1,)
    """
    return _at_least("atleast_1d", arrays, lambda x: x[None] if x.ndim == 0 else x)


def atleast_2d(*arrays):
    """Arrays with at least two axes: a 1-d one becomes a row.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.atleast_2d(cl.ones(3)).shape
    (1, 3)
    """
    return _at_least("atleast_2d", arrays, lambda x: x[(None,) * max(0, 2 - x.ndim)] if x.ndim < 2 else x)


def atleast_3d(*arrays):
    """Arrays with at least three axes, as in NumPy: a vector becomes ``(1, n, 1)``.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.atleast_3d(cl.ones((2, 3))).shape
    (2, 3, 1)
    """
    views = {0: (None, None, None), 1: (None, slice(None), None), 2: (slice(None), slice(None), None)}
    return _at_least("atleast_3d", arrays, lambda x: x[views[x.ndim]] if x.ndim < 3 else x)


def _at_least(function, arrays, view):
    for position, x in enumerate(arrays):
        one_array(function, x, f"arrays[{position}]")
    results = tuple(view(x) for x in arrays)
    return results[0] if len(results) == 1 else results


def vstack(tup, *, dtype=None, casting="same_kind"):
    """Stacks arrays row by row; vectors are rows.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.vstack([cl.ones(2), cl.zeros((2, 2))]).shape
    (3, 2)
    """
    arrays = several_arrays("vstack", tup, "tup")
    return concat([atleast_2d(x) for x in arrays], 0, dtype=dtype, casting=casting)


def hstack(tup, *, dtype=None, casting="same_kind"):
    """Joins arrays column by column; vectors one after another.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.hstack([cl.ones((2, 1)), cl.zeros((2, 2))]).shape
    (2, 3)
    """
    arrays = [atleast_1d(x) for x in several_arrays("hstack", tup, "tup")]
    return concat(arrays, 0 if arrays[0].ndim == 1 else 1, dtype=dtype, casting=casting)


def dstack(tup):
    """Joins arrays along the third axis.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.dstack([cl.ones(2), cl.zeros(2)]).tolist()
    [[[1.0, 0.0], [1.0, 0.0]]]
    """
    return concat([atleast_3d(x) for x in several_arrays("dstack", tup, "tup")], 2)


def column_stack(tup):
    """Joins arrays as columns of a matrix; vectors are columns.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.column_stack([cl.ones(2), cl.zeros(2)]).tolist()
    [[1.0, 0.0], [1.0, 0.0]]
    """
    arrays = [atleast_1d(x) for x in several_arrays("column_stack", tup, "tup")]
    return concat([x[:, None] if x.ndim == 1 else x for x in arrays], 1)


def append(arr, values, axis=None):
    """``arr`` with ``values`` at its end.

    Without an axis both are flattened first.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.append(cl.ones(2), 5).tolist()
    [1.0, 1.0, 5.0]
    """
    check("append", arr=arr, values=values)
    arr = one_array("append", arr, "arr")
    return concat([arr, atleast_1d(beside(arr, values)) if axis is None else beside(arr, values)], axis)


def block(arrays):
    """An array of blocks, given by nested lists: the innermost lists are joined along the last axis,
    those around them along the one before.

    Examples
    --------
    >>> import colocate as cl
    >>> a, b = cl.ones((2, 1)), cl.zeros((2, 2))
    >>> cl.block([[a, b], [b, a]]).shape
    (4, 3)
    """
    check("block", arrays=arrays)
    depth = _depth(arrays, ())
    found = []
    _leaves(arrays, found)
    anchor = next(x for x in found if isinstance(x, Array))
    ndim = max([depth, *(x.ndim for x in found if isinstance(x, Array))])

    def joined(item, level):
        if isinstance(item, list):
            return concat([joined(part, level + 1) for part in item], ndim - depth + level)
        item = beside(anchor, item)
        return item[(None,) * (ndim - item.ndim)] if item.ndim < ndim else item

    result = joined(arrays, 0)
    return result.copy() if not isinstance(arrays, list) else result


def _depth(item, place):
    if isinstance(item, tuple):
        raise DTypeError(f"block: arrays{_brackets(place)} is a tuple; blocks are lists of lists")
    if not isinstance(item, list):
        return 0
    if not item:
        raise InvalidArgumentError(f"block: the list at arrays{_brackets(place)} is empty")
    depths = [_depth(part, (*place, position)) for position, part in enumerate(item)]
    if len(set(depths)) > 1:
        raise InvalidArgumentError("block: lists must be nested to the same depth everywhere")
    return 1 + depths[0]


def _brackets(place):
    return "".join(f"[{position}]" for position in place)


def _leaves(item, found):
    if isinstance(item, list):
        for part in item:
            _leaves(part, found)
    else:
        found.append(item)


def unstack(x, /, *, axis=0):
    """The arrays along an axis, as a tuple of views.

    Examples
    --------
    >>> import colocate as cl
    >>> a, b = cl.unstack(cl.asarray([[1, 2], [3, 4]]), axis=1)
    >>> a.tolist(), b.tolist()
    ([1, 3], [2, 4])
    """
    x = one_array("unstack", x)
    if x.ndim == 0:
        raise InvalidArgumentError("unstack: a 0-d array has no axis to be cut along")
    axis = axis_number("unstack", axis, x.ndim)
    return tuple(x[along(axis, position)] for position in range(x.shape[axis]))


def array_split(ary, indices_or_sections, axis=0):
    """Cuts an array into parts, which need not be equally long; the parts are views.

    Parameters
    ----------
    ary : array
        What is cut.
    indices_or_sections : int or sequence of int
        How many parts, or where to cut.
    axis : int
        Along what.

    Examples
    --------
    >>> import colocate as cl
    >>> [x.tolist() for x in cl.array_split(cl.arange(5), 2)]
    [[0, 1, 2], [3, 4]]
    """
    ary = one_array("array_split", ary, "ary")
    axis = axis_number("array_split", axis, ary.ndim)
    length = ary.shape[axis]
    sections = _sections("array_split", indices_or_sections)
    if isinstance(sections, int):
        if sections <= 0:
            raise InvalidArgumentError("array_split: there must be at least one section")
        each, more = divmod(length, sections)
        sizes = [each + 1] * more + [each] * (sections - more)
        cuts = [int(cut) for cut in np.cumsum(sizes)[:-1]]
    else:
        cuts = sections
    edges = [0, *cuts, length]
    return [ary[along(axis, slice(edges[i], edges[i + 1]))] for i in range(len(edges) - 1)]


def _sections(function, given):
    """A number of sections, or a list of where to cut."""
    if isinstance(given, Array):
        given = cl.asnumpy(given)
    if isinstance(given, list | tuple | np.ndarray) and np.ndim(given) > 0:
        return [operator.index(cut) for cut in given]
    try:
        return operator.index(given)
    except TypeError:
        raise DTypeError(f"{function}: {given!r} is neither a number of sections nor a sequence of cuts") from None


def split(ary, indices_or_sections, axis=0):
    """Cuts an array into parts of equal length, or at given places; the parts are views.

    Parameters
    ----------
    ary : array
        What is cut.
    indices_or_sections : int or sequence of int
        How many parts, or where to cut.
    axis : int
        Along what.

    Examples
    --------
    >>> import colocate as cl
    >>> [x.tolist() for x in cl.split(cl.arange(4), 2)]
    [[0, 1], [2, 3]]
    >>> [x.tolist() for x in cl.split(cl.arange(4), [1])]
    [[0], [1, 2, 3]]
    """
    ary = one_array("split", ary, "ary")
    sections = _sections("split", indices_or_sections)
    if isinstance(sections, int):
        length = ary.shape[axis_number("split", axis, ary.ndim)]
        if sections <= 0 or length % sections:
            raise InvalidArgumentError(
                f"split: {length} elements cannot be cut into {sections} equal parts; array_split does not mind"
            )
    return array_split(ary, sections, axis)


def _split_along(function, ary, indices_or_sections, axis, least):
    ary = one_array(function, ary, "ary")
    if ary.ndim < least:
        raise InvalidArgumentError(f"{function}: the array must have {least} or more dimensions, not {ary.ndim}")
    return split(ary, indices_or_sections, axis)


def hsplit(ary, indices_or_sections):
    """:func:`split` along the second axis, or the only one.

    Examples
    --------
    >>> import colocate as cl
    >>> [x.shape for x in cl.hsplit(cl.ones((2, 4)), 2)]
    [(2, 2), (2, 2)]
    """
    axis = 1 if getattr(ary, "ndim", 0) > 1 else 0
    return _split_along("hsplit", ary, indices_or_sections, axis, 1)


def vsplit(ary, indices_or_sections):
    """:func:`split` along the first axis.

    Examples
    --------
    >>> import colocate as cl
    >>> [x.shape for x in cl.vsplit(cl.ones((2, 4)), 2)]
    [(1, 4), (1, 4)]
    """
    return _split_along("vsplit", ary, indices_or_sections, 0, 2)


def dsplit(ary, indices_or_sections):
    """:func:`split` along the third axis.

    Examples
    --------
    >>> import colocate as cl
    >>> [x.shape for x in cl.dsplit(cl.ones((1, 2, 4)), 2)]
    [(1, 2, 2), (1, 2, 2)]
    """
    return _split_along("dsplit", ary, indices_or_sections, 2, 3)
