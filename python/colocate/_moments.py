"""Variances and standard deviations, from the mean of the elements or from one that is given."""

import numpy as np

import colocate as cl
from colocate import _native
from colocate._arguments import axis_numbers, check, one_array, stored
from colocate._errors import InvalidArgumentError

__all__ = [
    "nanstd",
    "nanvar",
    "std",
    "var",
]


def _variance(function, a, axis, dtype, out, ddof, keepdims, where, mean, correction):
    """:func:`var` from a mean that is known."""
    one_array(function, a, "a")
    check(function, a=a, mean=mean, out=out, where=where)
    if ddof is not None and correction is not None:
        raise InvalidArgumentError(f"{function}: ddof and correction are two names of one thing: give one of them")
    if a.dtype.kind in "biu" and dtype is None:
        dtype = np.float64
    distance = cl.subtract(a, mean, dtype=dtype)
    squares = distance * distance if distance.dtype.kind != "c" else distance.real**2 + distance.imag**2
    total = _native.sum(squares, axis=axis, keepdims=keepdims, where=where)
    if where is None or where is True:
        count = 1
        for one in axis_numbers(function, axis, a.ndim):
            count *= a.shape[one]
        divisor = max(count - (ddof or correction or 0), 0)
    else:
        count = _native.sum(cl.broadcast_to(where, a.shape), axis=axis, keepdims=keepdims)
        divisor = cl.maximum(count - (ddof or correction or 0), 0).astype(squares.dtype)
    return stored(function, total / divisor, out)


def var(a, axis=None, dtype=None, out=None, ddof=None, keepdims=False, *, where=None, mean=None, correction=None):
    """The variance of the elements along axes: the mean of the squared distances from the mean.

    Parameters
    ----------
    a : Array
    axis : int or tuple of int, optional
        Along which axes; all by default.
    dtype : dtype, optional
        What to compute in.
    out : Array, optional
        Where the result goes.
    ddof, correction : float
        What is taken from the number of elements before it divides; two names of one thing.
    keepdims : bool
        Whether reduced axes stay, with length 1.
    where : Array of bool, optional
        Which elements count.
    mean : Array, optional
        The mean, if it is known, with the reduced axes as ``keepdims=True`` leaves them.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.asarray([1.0, 2.0, 3.0])
    >>> float(cl.var(x, correction=1))
    1.0
    """
    if mean is None:
        return _native.var(a, axis, dtype, out, ddof, keepdims, where=where, correction=correction)
    return _variance("var", a, axis, dtype, out, ddof, keepdims, where, mean, correction)


def std(a, axis=None, dtype=None, out=None, ddof=None, keepdims=False, *, where=None, mean=None, correction=None):
    """The standard deviation of the elements along axes: the root of :func:`var`.

    Examples
    --------
    >>> import colocate as cl
    >>> float(cl.std(cl.asarray([1.0, 3.0])))
    1.0
    """
    if mean is None:
        return _native.std(a, axis, dtype, out, ddof, keepdims, where=where, correction=correction)
    return cl.sqrt(_variance("std", a, axis, dtype, out, ddof, keepdims, where, mean, correction), out=out)


def nanvar(a, axis=None, dtype=None, out=None, ddof=None, keepdims=False, *, where=None, mean=None, correction=None):
    """The variance of the elements that are not NaN; parameters as for :func:`var`.

    Examples
    --------
    >>> import colocate as cl
    >>> float(cl.nanvar(cl.asarray([1.0, float("nan"), 3.0])))
    1.0
    """
    if mean is None:
        return _native.nanvar(a, axis, dtype, out, ddof, keepdims, where=where, correction=correction)
    return _variance("nanvar", a, axis, dtype, out, ddof, keepdims, _numbers(a, where), mean, correction)


def nanstd(a, axis=None, dtype=None, out=None, ddof=None, keepdims=False, *, where=None, mean=None, correction=None):
    """The standard deviation of the elements that are not NaN; parameters as for :func:`var`.

    Examples
    --------
    >>> import colocate as cl
    >>> float(cl.nanstd(cl.asarray([1.0, float("nan"), 5.0])))
    2.0
    """
    if mean is None:
        return _native.nanstd(a, axis, dtype, out, ddof, keepdims, where=where, correction=correction)
    return cl.sqrt(nanvar(a, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction), out=out)


def _numbers(a, where):
    """Where elements that count are not NaN."""
    numbers = ~cl.isnan(a)
    return numbers if where is None or where is True else numbers & where


for _function in (var, std, nanvar, nanstd):
    _function.__module__ = "colocate"
