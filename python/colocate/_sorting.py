"""Sorting, partial sorting and searching in sorted arrays."""

import numpy as np

import colocate as cl
from colocate import _native
from colocate._arguments import Array, axis_number, beside, check, one_array, settled
from colocate._errors import DTypeError, InvalidArgumentError

__all__ = [
    "argpartition",
    "argsort",
    "lexsort",
    "partition",
    "searchsorted",
    "sort",
]

# NumPy's names of algorithms. All of ours are stable, so they make no difference.
_KINDS = (None, "quicksort", "mergesort", "heapsort", "stable")


def _check_kind(function, kind, order):
    if kind not in _KINDS:
        raise InvalidArgumentError(f"{function}: kind={kind!r} is none of {_KINDS[1:]}")
    if order is not None:
        raise InvalidArgumentError(f"{function}: order= is for arrays with fields, which there are none of")


def _flattened(function, x, axis, indices):
    """The array to order and the axis; for indices, not for elements, a single one is a row as in NumPy."""
    one_array(function, x, "a")
    if axis is None:
        return x.reshape(-1), 0
    return (x.reshape(-1), axis) if x.ndim == 0 and indices else (x, axis)


def sort(a, axis=-1, kind=None, order=None, *, descending=False, stable=True):
    """A sorted copy of an array.

    Parameters
    ----------
    a : Array
        Elements of any dtype. Complex numbers are ordered by real, then by imaginary part.
    axis : int or None
        The axis along which to sort; ``None`` sorts all elements as one row.
    kind, order
        For NumPy's sake; every sort is stable.
    descending : bool
        Whether the greatest come first. NaNs are greater than everything: they come last in an
        ascending and first in a descending sort.
    stable : bool
        Whether equal elements keep their order; they always do.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.sort(cl.asarray([3, 1, 2])).tolist()
    [1, 2, 3]
    >>> cl.sort(cl.asarray([[3, 1], [2, 4]]), axis=0, descending=True).tolist()
    [[3, 4], [2, 1]]
    """
    _check_kind("sort", kind, order)
    a, axis = _flattened("sort", a, axis, False)
    return _native._sort("sort", a, axis, bool(descending), False)


def argsort(a, axis=-1, kind=None, order=None, *, descending=False, stable=True):
    """The indices that sort an array.

    Parameters
    ----------
    a, axis, kind, order, descending, stable
        As for :func:`sort`. Equal elements keep their order, in a descending sort too.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.argsort(cl.asarray([3, 1, 2])).tolist()
    [1, 2, 0]
    >>> cl.argsort(cl.asarray([1, 2, 2]), descending=True).tolist()
    [1, 2, 0]
    """
    _check_kind("argsort", kind, order)
    a, axis = _flattened("argsort", a, axis, True)
    return _native._sort("argsort", a, axis, bool(descending), True)


def _places(function, kth, length):
    if isinstance(kth, Array):
        kth = _native.asnumpy(kth)
    places = np.atleast_1d(np.asarray(kth))
    if places.dtype.kind not in "iu" or places.ndim > 1:
        raise DTypeError(f"{function}: kth is an integer or a sequence of integers")
    found = set()
    for place in places.tolist():
        if not -length <= place < length:
            raise InvalidArgumentError(f"{function}: kth={place} is out of bounds for an axis of {length} elements")
        found.add(place % length)
    return sorted(found)


def _partition(function, x, kth, axis, kind, indices):
    if kind != "introselect":
        raise InvalidArgumentError(f"{function}: kind={kind!r} is not 'introselect'")
    x, axis = _flattened(function, x, axis, indices)
    axis = axis_number(function, axis, x.ndim)
    places = _places(function, kth, x.shape[axis]) if x.size else []
    return _native._sort(function, x, axis, False, indices, places)


def partition(a, kth, axis=-1, kind="introselect", order=None):
    """A copy in which the elements at some places are those that sorting would put there.

    What is less comes before them, what is greater after them, in no particular order.

    Parameters
    ----------
    a : Array
        Elements of any dtype.
    kth : int or sequence of int
        The places.
    axis : int or None
        The axis along which to order; ``None`` takes all elements as one row.
    kind, order
        For NumPy's sake.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.partition(cl.asarray([5, 1, 4, 2, 3]), 2)
    >>> int(x[2]), sorted(x[:2].tolist())
    (3, [1, 2])
    """
    _check_kind("partition", None, order)
    return _partition("partition", a, kth, axis, kind, False)


def argpartition(a, kth, axis=-1, kind="introselect", order=None):
    """The indices that :func:`partition` an array.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.asarray([5, 1, 4, 2, 3])
    >>> int(x[cl.argpartition(x, 2)[2]])
    3
    """
    _check_kind("argpartition", None, order)
    return _partition("argpartition", a, kth, axis, kind, True)


def lexsort(keys, axis=-1):
    """The indices that sort by several keys, of which the last one counts most.

    Parameters
    ----------
    keys : Array or sequence of Array
        Arrays of one shape, or the rows of one array.
    axis : int
        The axis along which to sort.

    Examples
    --------
    >>> import colocate as cl
    >>> surnames = cl.asarray([2, 1, 1])
    >>> names = cl.asarray([3, 5, 4])
    >>> cl.lexsort((names, surnames)).tolist()
    [2, 1, 0]
    """
    keys = list(keys) if isinstance(keys, Array | list | tuple) else [keys]
    if not keys:
        raise DTypeError("lexsort: there must be at least one key")
    check("lexsort", keys=keys)
    for key in keys:
        one_array("lexsort", key, "keys")
    if any(key.shape != keys[0].shape for key in keys):
        raise InvalidArgumentError("lexsort: all keys must have the same shape")
    if keys[0].ndim == 0:
        return cl.zeros_like(keys[0], "int64")
    axis = axis_number("lexsort", axis, keys[0].ndim)
    order = argsort(keys[0], axis=axis)
    for key in keys[1:]:
        step = argsort(cl.take_along_axis(key, order, axis=axis), axis=axis)
        order = cl.take_along_axis(order, step, axis=axis)
    return order


def _sought_dtype(dtype, v):
    """A scalar is of the dtype of the elements, unless it is an integer that they cannot be."""
    if not isinstance(v, bool | int | float | complex):
        return np.asarray(v).dtype
    held = np.result_type(dtype, v)
    if isinstance(v, int) and held.kind in "iu" and not np.iinfo(held).min <= v <= np.iinfo(held).max:
        return np.asarray(v).dtype
    return held


def searchsorted(a, v, side="left", sorter=None):
    """Where elements would have to be inserted to keep an array sorted.

    Parameters
    ----------
    a : Array
        One axis, sorted in ascending order, or in the order that ``sorter`` gives it.
    v : Array or scalar
        What to insert.
    side : {"left", "right"}
        Whether places are before or after elements that are equal.
    sorter : Array of int, optional
        Indices that sort ``a``.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.asarray([1.0, 2.0, 2.0, 3.0])
    >>> cl.searchsorted(x, cl.asarray([2.0, 5.0])).tolist()
    [1, 4]
    >>> int(cl.searchsorted(x, 2.0, side="right"))
    3
    """
    one_array("searchsorted", a, "a")
    check("searchsorted", a=a, v=v, sorter=sorter)
    if side not in ("left", "right"):
        raise InvalidArgumentError(f"searchsorted: side={side!r} is neither 'left' nor 'right'")
    if a.ndim != 1:
        raise InvalidArgumentError(f"searchsorted: a must have one dimension, not {a.ndim}")
    if not isinstance(v, Array):
        v = beside(a, v, _sought_dtype(a.dtype, v))
    if sorter is not None:
        sorter = beside(a, sorter)
        if sorter.dtype.kind not in "iu":
            raise DTypeError("searchsorted: sorter holds integers")
        if sorter.shape != a.shape:
            raise InvalidArgumentError("searchsorted: sorter must be as long as a")
        sorter = sorter.astype(np.int64, copy=False)
    return settled(_native._search_sorted(a, v, side == "right", sorter), a, v, sorter)
