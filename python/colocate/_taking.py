"""Parts of arrays, picked by their places or by a condition."""

from colocate import _native
from colocate._arguments import stored

__all__ = [
    "compress",
    "take",
]


def take(a, indices, axis=None, out=None, mode="raise"):
    """Elements along an axis, by their indices.

    Parameters
    ----------
    a : array
    indices : array of integers
        May be a NumPy array or a list, too. Negative ones count from the end.
    axis : int, optional
        Without it, elements are taken from ``a`` as if it had one axis.
    out : array, optional
        Takes the result.
    mode : {"raise", "wrap", "clip"}
        What becomes of an index out of bounds: ``IndexError``, the index modulo the extent, or the
        nearest that there is.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.asarray([[1, 2, 3], [4, 5, 6]])
    >>> cl.take(x, cl.asarray([2, 0]), axis=1).tolist()
    [[3, 1], [6, 4]]
    """
    result = _native.take(a, indices, axis, mode=mode)
    return result if out is None else stored("take", result, out)


def compress(condition, a, axis=None, out=None):
    """The parts of an array along an axis where a condition is true.

    The condition may be a NumPy array or a list, too, and shorter than the axis.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.compress([False, True], cl.asarray([[1, 2], [3, 4]]), axis=0).tolist()
    [[3, 4]]
    """
    return stored("compress", _native.compress(condition, a, axis), out)


for _function in (take, compress):
    _function.__module__ = "colocate"
