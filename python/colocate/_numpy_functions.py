"""Functions of NumPy's that take functions or nested lists, in the language of jit functions.

Where a jit function calls one of them, the function of the same name here is compiled in its place.
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
