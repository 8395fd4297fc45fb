"""Functions of NumPy's that take functions, nested lists or single numbers, in the language of jit functions.

Where a jit function calls one of them, the function of the same name here is compiled in its place; those that have
other names stand for ``searchsorted`` and ``interp`` of one number, and for functions of short vectors, of which a call
of NumPy's takes longer than the work.
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


def vectorize(pyfunc, otypes=None, doc=None, excluded=None, cache=False, signature=None):
    if excluded or signature is not None:
        raise TypeError("numpy.vectorize in a jit function takes no `excluded` and no `signature`: write a loop")

    def vectorized(*args):
        arrays = np.broadcast_arrays(*args)
        shape = arrays[0].shape
        rows = tuple(np.ravel(array) for array in arrays)
        count = rows[0].size
        begin = 0
        if otypes is None:
            if count == 0:
                raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
            # NumPy calls once more, too, to know the dtypes, unless it is to keep the result.
            first = pyfunc(*tuple(row[0] for row in rows))
            if isinstance(first, tuple):
                results = tuple(_row_for(count, part) for part in first)
            else:
                results = _row_for(count, first)
            if cache:
                _put(results, 0, first)
                begin = 1
        elif len(otypes) == 1:
            results = np.empty(count, otypes[0])
        elif len(otypes) == 2:
            results = np.empty(count, otypes[0]), np.empty(count, otypes[1])
        elif len(otypes) == 3:
            results = np.empty(count, otypes[0]), np.empty(count, otypes[1]), np.empty(count, otypes[2])
        else:
            raise TypeError("numpy.vectorize in a jit function takes at most three `otypes`: write a loop")
        for i in range(begin, count):
            # The function sees Python's numbers.
            _put(results, i, pyfunc(*tuple(row[i].item() for row in rows)))
        if isinstance(results, tuple):
            return tuple(result.reshape(shape) for result in results)
        return results.reshape(shape)

    return vectorized


def _put(results, i, value):
    if isinstance(results, tuple):
        for result, part in zip(results, value, strict=True):
            result[i] = part
    else:
        results[i] = value


def _row_for(count, first):
    if np.asarray(first).dtype.kind == "f" and str(first).lstrip("-").isdigit():
        raise TypeError(
            "the first value that the function of numpy.vectorize gives is an int, others are floats, "
            "which NumPy would cut off: write otypes=[float], or a float such as 0.0 in the function"
        )
    if np.asarray(first).dtype.kind in "iuf" and str(first) in ("True", "False"):
        raise TypeError(
            "the first value that the function of numpy.vectorize gives is a bool, others are numbers, "
            "of which NumPy would make bools, too: write otypes=[bool], or bool(...) in the function"
        )
    return np.empty(count, np.asarray(first).dtype)


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


def euclidean_norm(x):
    """``linalg.norm(x)``."""
    return np.sqrt(np.sum(x * x))


def euclidean_norm_of_complex(x):
    """``linalg.norm(x)``."""
    return np.sqrt(np.sum(x.real * x.real + x.imag * x.imag))


def cross_product(a, b):
    """``cross(a, b)`` of rows."""
    if len(a) == 2 and len(b) == 2:
        raise ValueError(
            "the cross product of vectors with two components has one axis less than others, "
            "which a jit function has to know: write a[0] * b[1] - a[1] * b[0]"
        )
    if len(a) != 3 or len(b) != 3:
        return np.cross(a, b, axisa=-1)
    product = np.empty(3, (a[0] * b[0]).dtype)
    product[0] = a[1] * b[2] - a[2] * b[1]
    product[1] = a[2] * b[0] - a[0] * b[2]
    product[2] = a[0] * b[1] - a[1] * b[0]
    return product
