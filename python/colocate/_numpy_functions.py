"""Functions of NumPy's that take functions, nested lists or single numbers, in the language of jit functions.

Where a jit function calls one of them, the function of the same name here is compiled in its place; those that have
other names stand for ``searchsorted`` and ``interp`` of one number.
"""

import numpy as np


def apply_along_axis(func1d, axis, arr, *args):
    last = np.moveaxis(arr, axis, -1)
    count = 1
    for extent in last.shape[:-1]:
        count *= extent
    if count == 0:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    rows = last.reshape((count, last.shape[-1]))
    results = np.array([func1d(rows[i], *args) for i in range(count)])
    if results.ndim > 2:
        # Where the axes of each result go is not said here: this has no type, so that it is refused.
        return globals()
    whole = results.reshape(last.shape[:-1] + results.shape[1:])
    if results.ndim == 1:
        return whole
    return np.moveaxis(whole, -1, axis)


def block(arrays):
    if isinstance(arrays, np.ndarray):
        return arrays.copy()
    if not isinstance(arrays[0], list):
        return np.concatenate(arrays, axis=-1)
    if isinstance(arrays[0][0], list):
        return globals()
    rows = [np.concatenate(row, axis=-1) for row in arrays]
    if rows[0].ndim == 1:
        return np.stack(rows)
    return np.concatenate(rows, axis=-2)


def place_left(a, v):
    """``searchsorted(a, v)``; what is no number comes last."""
    low, high = 0, len(a)
    while low < high:
        middle = (low + high) // 2
        if a[middle] < v or (v != v and a[middle] == a[middle]):
            low = middle + 1
        else:
            high = middle
    return np.int64(low)


def place_right(a, v):
    """``searchsorted(a, v, side="right")``."""
    low, high = 0, len(a)
    while low < high:
        middle = (low + high) // 2
        if v < a[middle] or (a[middle] != a[middle] and v == v):
            high = middle
        else:
            low = middle + 1
    return np.int64(low)


def interpolated(x, xp, fp):
    """``interp(x, xp, fp)``, in the steps of NumPy's own."""
    count = len(xp)
    if count == 0:
        raise ValueError("array of sample points is empty")
    if len(fp) != count:
        raise ValueError("fp and xp are not of the same length.")
    if count == 1:
        return np.float64(fp[0])
    if x != x:
        return np.float64(x)
    if x < xp[0]:
        return np.float64(fp[0])
    if x >= xp[count - 1]:
        return np.float64(fp[count - 1])
    low, high = 0, count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if x >= xp[middle]:
            low = middle
        else:
            high = middle
    if np.float64(xp[low]) == x:
        return np.float64(fp[low])
    slope = (np.float64(fp[low + 1]) - fp[low]) / (np.float64(xp[low + 1]) - xp[low])
    found = slope * (x - np.float64(xp[low])) + fp[low]
    if found != found:
        found = slope * (x - np.float64(xp[low + 1])) + fp[low + 1]
        if found != found and fp[low] == fp[low + 1]:
            found = np.float64(fp[low])
    return found
