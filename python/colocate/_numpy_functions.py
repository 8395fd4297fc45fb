"""Functions of NumPy's that take functions, in the language of jit functions.

Where a jit function calls one of them, the function of the same name here is compiled in its place.
"""

import numpy as np


def apply_along_axis(func1d, axis, arr, *args):
    last = np.moveaxis(arr, axis, -1)
    rows = last.reshape((-1, last.shape[-1]))
    results = np.array([func1d(rows[i], *args) for i in range(rows.shape[0])])
    whole = results.reshape(last.shape[:-1] + results.shape[1:])
    if results.ndim == 1:
        return whole
    return np.moveaxis(whole, -1, axis)


def block(arrays):
    if isinstance(arrays[0], list):
        return np.vstack([np.hstack(row) for row in arrays])
    return np.hstack(arrays)
