"""Sets: the different elements of arrays, and what arrays have in common.

All of it is sorting, comparing neighbours and picking elements out, on the arrays' own queue.
"""

from typing import NamedTuple

import numpy as np

import colocate as cl
from colocate._arguments import Array, axis_number, beside, check, new, one_array, promoted, settled
from colocate._sorting import argsort, lexsort, searchsorted, sort

__all__ = [
    "in1d",
    "intersect1d",
    "isin",
    "setdiff1d",
    "setxor1d",
    "union1d",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]


class UniqueAllResult(NamedTuple):
    """What :func:`unique_all` gives."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """What :func:`unique_counts` gives."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """What :func:`unique_inverse` gives."""

    values: Array
    inverse_indices: Array


def _beginnings(x, equal_nan):
    """Where a sorted array has an element that is not the one before."""
    begins = new([x], x.shape, np.bool_)
    begins[:1] = True
    different = cl.not_equal(x[1:], x[:-1])
    if equal_nan and x.dtype.kind in "fc":
        nan = cl.isnan(x)
        different = cl.logical_and(different, cl.logical_not(cl.logical_and(nan[1:], nan[:-1])))
    begins[1:] = different
    return begins


def _parts(order, begins, index, inverse, counts):
    """What else is asked for of an array whose sorted form begins a new value at some places."""
    size = begins.shape[0]
    starts = cl.nonzero(begins)[0] if index or counts else None
    parts = []
    if index:
        parts.append(cl.take(order, starts, axis=0))
    if inverse:
        numbers = cl.cumulative_sum(begins, dtype=np.int64) - 1
        found = new([begins], (size,), np.int64)
        found[order] = numbers
        parts.append(found)
    if counts:
        lengths = new([begins], starts.shape, np.int64)
        lengths[:-1] = starts[1:] - starts[:-1]
        lengths[-1:] = size - starts[-1:]
        parts.append(lengths)
    return parts


def _unique(x, index, inverse, counts, equal_nan):
    """The different elements of an array of one axis, and what else is asked for."""
    if index or inverse:
        order = argsort(x)
        x = cl.take(x, order, axis=0)
    else:
        order = None
        x = sort(x)
    if x.shape[0] == 0:
        empty = [new([x], (0,), np.int64) for asked in (index, inverse, counts) if asked]
        return [x, *empty]
    begins = _beginnings(x, equal_nan)
    return [x[begins], *_parts(order, begins, index, inverse, counts)]


def unique(
    ar,
    return_index=False,
    return_inverse=False,
    return_counts=False,
    axis=None,
    *,
    equal_nan=True,
    sorted=True,
):
    """The different elements of an array, sorted.

    Parameters
    ----------
    ar : Array
        Of any dtype.
    return_index : bool
        Also give the index of each element's first occurrence.
    return_inverse : bool
        Also give for each element of ``ar`` the index of its value.
    return_counts : bool
        Also give how often each element occurs.
    axis : int, optional
        Find the different subarrays along this axis; else the different elements of all of ``ar``.
    equal_nan : bool
        Whether all NaNs are one value.
    sorted : bool
        For NumPy's sake; the result is always sorted.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.unique(cl.asarray([3, 1, 3])).tolist()
    [1, 3]
    >>> values, counts = cl.unique(cl.asarray([3, 1, 3]), return_counts=True)
    >>> counts.tolist()
    [1, 2]
    >>> cl.unique(cl.asarray([[1, 2], [1, 2], [0, 5]]), axis=0).tolist()
    [[0, 5], [1, 2]]
    """
    one_array("unique", ar, "ar")
    if axis is not None:
        axis = axis_number("unique", axis, ar.ndim)
    # Along the only axis it is elements that differ, and not arrays of them.
    if axis is None or ar.ndim == 1:
        parts = _unique(ar.reshape(-1), return_index, return_inverse, return_counts, equal_nan)
        if return_inverse:
            at = 1 + bool(return_index)
            parts[at] = parts[at].reshape(ar.shape)
    else:
        parts = _unique_along(ar, axis, return_index, return_inverse, return_counts)
    return parts[0] if len(parts) == 1 else tuple(parts)


def _unique_along(x, axis, index, inverse, counts):
    """The different subarrays along an axis, in the order of their elements, and what else is asked for."""
    rows = cl.moveaxis(x, axis, 0)
    count, rest = rows.shape[0], rows.shape[1:]
    if count == 0:
        return [x.copy(), *[new([x], (0,), np.int64) for asked in (index, inverse, counts) if asked]]
    width = int(np.prod(rest))
    flat = rows.reshape((count, width))
    begins = new([x], (count,), np.bool_)
    begins[...] = False
    # Subarrays without elements are all the same.
    order = lexsort([flat[:, column] for column in reversed(range(width))]) if width else argsort(begins)
    ordered = cl.take(flat, order, axis=0)
    if width:
        begins[1:] = cl.any(cl.not_equal(ordered[1:], ordered[:-1]), axis=1)
    begins[:1] = True
    values = ordered[begins]
    values = cl.moveaxis(values.reshape((values.shape[0], *rest)), 0, axis)
    return [values, *_parts(order, begins, index, inverse, counts)]


def unique_all(x):
    """The different elements, where each occurs first, the index of each one's value, and counts.

    NaNs are different from one another.

    Examples
    --------
    >>> import colocate as cl
    >>> values, indices, inverse, counts = cl.unique_all(cl.asarray([3, 1, 3]))
    >>> values.tolist(), indices.tolist(), inverse.tolist(), counts.tolist()
    ([1, 3], [1, 0], [1, 0, 1], [1, 2])
    """
    one_array("unique_all", x)
    values, indices, inverse, counts = _unique(x.reshape(-1), True, True, True, False)
    return UniqueAllResult(values, indices, inverse.reshape(x.shape), counts)


def unique_counts(x):
    """The different elements, and how often each occurs. NaNs are different from one another.

    Examples
    --------
    >>> import colocate as cl
    >>> values, counts = cl.unique_counts(cl.asarray([3, 1, 3]))
    >>> values.tolist(), counts.tolist()
    ([1, 3], [1, 2])
    """
    one_array("unique_counts", x)
    return UniqueCountsResult(*_unique(x.reshape(-1), False, False, True, False))


def unique_inverse(x):
    """The different elements, and the index of each element's value. NaNs are different.

    Examples
    --------
    >>> import colocate as cl
    >>> values, inverse = cl.unique_inverse(cl.asarray([3, 1, 3]))
    >>> values.tolist(), inverse.tolist()
    ([1, 3], [1, 0, 1])
    """
    one_array("unique_inverse", x)
    values, inverse = _unique(x.reshape(-1), False, True, False, False)
    return UniqueInverseResult(values, inverse.reshape(x.shape))


def unique_values(x):
    """The different elements, sorted. NaNs are different from one another.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.unique_values(cl.asarray([3, 1, 3])).tolist()
    [1, 3]
    """
    one_array("unique_values", x)
    return _unique(x.reshape(-1), False, False, False, False)[0]


def _joined(function, ar1, ar2):
    """Both arrays as one row each, of a dtype that holds the elements of both."""
    check(function, ar1=ar1, ar2=ar2)
    ar1, ar2 = (one_array(function, x, name) for x, name in ((ar1, "ar1"), (ar2, "ar2")))
    dtype = promoted([ar1, ar2])
    return ar1.reshape(-1).astype(dtype, copy=False), ar2.reshape(-1).astype(dtype, copy=False)


def union1d(ar1, ar2):
    """The different elements of two arrays together, sorted.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.union1d(cl.asarray([3, 1]), cl.asarray([1, 2])).tolist()
    [1, 2, 3]
    """
    return unique(cl.concat(_joined("union1d", ar1, ar2)))


def intersect1d(ar1, ar2, assume_unique=False, return_indices=False):
    """The elements that two arrays have in common, sorted.

    Parameters
    ----------
    ar1, ar2 : Array
        Of any shapes.
    assume_unique : bool
        Whether neither array has an element twice.
    return_indices : bool
        Also give the indices of the elements' first occurrences in both.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.intersect1d(cl.asarray([3, 1, 2]), cl.asarray([2, 3, 5])).tolist()
    [2, 3]
    """
    ar1, ar2 = _joined("intersect1d", ar1, ar2)
    if not assume_unique:
        if return_indices:
            ar1, first1 = unique(ar1, return_index=True)
            ar2, first2 = unique(ar2, return_index=True)
        else:
            ar1, ar2 = unique(ar1), unique(ar2)
    both = cl.concat([ar1, ar2])
    order = argsort(both)
    both = cl.take(both, order, axis=0)
    twice = cl.equal(both[1:], both[:-1])
    common = both[:-1][twice]
    if not return_indices:
        return common
    indices1 = order[:-1][twice]
    indices2 = order[1:][twice] - ar1.shape[0]
    if not assume_unique:
        indices1, indices2 = cl.take(first1, indices1, axis=0), cl.take(first2, indices2, axis=0)
    return common, indices1, indices2


def setxor1d(ar1, ar2, assume_unique=False):
    """The elements that are in just one of two arrays, sorted.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.setxor1d(cl.asarray([3, 1, 2]), cl.asarray([2, 3, 5])).tolist()
    [1, 5]
    """
    ar1, ar2 = _joined("setxor1d", ar1, ar2)
    if not assume_unique:
        ar1, ar2 = unique(ar1), unique(ar2)
    both = sort(cl.concat([ar1, ar2]))
    if both.shape[0] == 0:
        return both
    different = new([both], (both.shape[0] + 1,), np.bool_)
    different[:1] = True
    different[-1:] = True
    different[1:-1] = cl.not_equal(both[1:], both[:-1])
    return both[cl.logical_and(different[1:], different[:-1])]


def _dtype_or_number(x):
    if isinstance(x, list | tuple):
        return np.asarray(x).dtype
    return x.dtype if isinstance(x, Array) else x


def isin(element, test_elements, assume_unique=False, invert=False, *, kind=None):
    """For each element whether it is among the elements of another array.

    Parameters
    ----------
    element, test_elements : Array, scalar or list of scalars
        At least one is an array.
    assume_unique, kind
        For NumPy's sake.
    invert : bool
        Whether to tell which elements are *not* among them.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.isin(cl.asarray([1, 2, 3]), cl.asarray([3, 1])).tolist()
    [True, False, True]
    """
    check("isin", element=element, test_elements=test_elements)
    anchor = element if isinstance(element, Array) else test_elements
    # Python's numbers take the dtype of the array; a list of them has its own.
    dtype = np.result_type(_dtype_or_number(element), _dtype_or_number(test_elements))
    element, test_elements = (beside(anchor, x, dtype) for x in (element, test_elements))
    wanted = sort(test_elements.reshape(-1))
    if wanted.shape[0] == 0 or element.size == 0:
        found = new([element, test_elements], element.shape, np.bool_)
        found[...] = bool(invert)
        return found
    places = cl.minimum(searchsorted(wanted, element), wanted.shape[0] - 1)
    nearest = cl.take(wanted, places.reshape(-1), axis=0).reshape(element.shape)
    return settled(cl.not_equal(nearest, element) if invert else cl.equal(nearest, element), element, test_elements)


def in1d(ar1, ar2, assume_unique=False, invert=False, *, kind=None):
    """:func:`isin` of all elements as one row.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.in1d(cl.asarray([[1, 2]]), cl.asarray([2])).tolist()
    [False, True]
    """
    check("in1d", ar1=ar1, ar2=ar2)
    return isin(one_array("in1d", ar1, "ar1").reshape(-1), ar2, assume_unique, invert, kind=kind)


def setdiff1d(ar1, ar2, assume_unique=False):
    """The elements of the first array that are not in the second, sorted.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.setdiff1d(cl.asarray([3, 1, 2]), cl.asarray([2])).tolist()
    [1, 3]
    """
    check("setdiff1d", ar1=ar1, ar2=ar2)
    ar1 = one_array("setdiff1d", ar1, "ar1").reshape(-1)
    ar1 = ar1 if assume_unique else unique(ar1)
    return ar1[isin(ar1, ar2, invert=True)]


for _class in (UniqueAllResult, UniqueCountsResult, UniqueInverseResult):
    _class.__module__ = "colocate"
del _class
