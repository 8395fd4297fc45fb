"""Elementwise functions with arguments or results of their own: rounding, limits, choices."""

import builtins

import numpy

from colocate import _native
from colocate._arguments import one_array, two_results
from colocate._elementwise import divide, floor_divide, maximum, minimum, multiply, positive, remainder, trunc
from colocate._errors import InvalidArgumentError
from colocate._native import Array, ufunc

__all__ = [
    "around",
    "clip",
    "divmod",
    "fix",
    "modf",
    "nan_to_num",
    "round",
    "where",
]

_where = ufunc("where", "")
_clip = ufunc("clip", "")
_round = ufunc("round", "")
_modf = (ufunc("modf_fraction", ""), ufunc("modf_whole", ""))


def where(condition, x=None, y=None):
    """``x`` where the condition is true, ``y`` elsewhere; alone, the places where it is true.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.asarray([-1.0, 2.0])
    >>> cl.where(x > 0, x, 0).tolist()
    [0.0, 2.0]
    >>> [indices.tolist() for indices in cl.where(x > 0)]
    [[1]]
    """
    if x is None and y is None:
        return _native.nonzero(condition)
    if x is None or y is None:
        raise InvalidArgumentError("where takes a condition alone, or a condition and what to choose from")
    return _where(condition, x, y)


def _inside(x, bound, other):
    """A bound that no element can pass is the last one that it can, if the result has the dtype of ``x``."""
    keeps = other is None or isinstance(other, int) or getattr(other, "dtype", None) == getattr(x, "dtype", None)
    if isinstance(bound, int) and keeps and isinstance(x, Array) and x.dtype.kind in "iu":
        limits = numpy.iinfo(x.dtype)
        return builtins.min(builtins.max(bound, limits.min), limits.max)
    return bound


def clip(a, min=None, max=None, out=None, *, a_min=None, a_max=None):
    """Elements below ``min`` become ``min``, those above ``max`` become ``max``.

    Parameters
    ----------
    a : array
        What is limited.
    min, max : array or scalar, optional
        The limits.
    out : array, optional
        Takes the result.
    a_min, a_max : array or scalar, optional
        Other names of the limits.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.clip(cl.asarray([-5, 1, 9]), 0, 4).tolist()
    [0, 1, 4]
    """
    if a_min is not None or a_max is not None:
        if min is not None or max is not None:
            raise InvalidArgumentError("clip: give the limits as min and max, or as a_min and a_max, not as both")
        min, max = a_min, a_max
    min, max = _inside(a, min, max), _inside(a, max, min)
    if min is not None and max is not None:
        return _clip(a, min, max, out=out)
    if min is not None:
        return maximum(a, min, out=out)
    if max is not None:
        return minimum(a, max, out=out)
    if isinstance(a, Array) and a.dtype.kind == "b":
        return a.copy() if out is None else _assigned(out, a)
    return positive(a, out=out)


def _assigned(out, x):
    out[...] = x
    return out


def round(a, decimals=0, out=None):
    """The nearest number of so many decimals; halves go to the even neighbour.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.round(cl.asarray([0.5, 1.5, 2.345])).tolist()
    [0.0, 2.0, 2.0]
    >>> cl.round(cl.asarray([2.345]), 1).tolist()
    [2.3]
    """
    if decimals == 0:
        return _round(a, out=out)
    _native._check_placement("round", a=a, out=out)
    one_array("round", a, "a")
    if a.dtype.kind in "biu":
        if decimals > 0:
            return _round(a, out=out)
        unit = 10 ** -int(decimals)
        whole = numpy.dtype(numpy.int64) if a.dtype.kind == "b" else a.dtype
        if unit > numpy.iinfo(whole).max:
            # Nothing that the dtype holds is nearer to it than to zero.
            zeros = _native.zeros_like(a, whole)
            return zeros if out is None else _assigned(out, zeros)
        return multiply(_round(divide(a, unit)).astype(a.dtype), unit, out=out)
    if a.dtype.kind == "c":
        # By parts, so that an infinite or absent one leaves the other as it is.
        rounded = _native.empty_like(a)
        rounded.real, rounded.imag = round(a.real, decimals), round(a.imag, decimals)
        return rounded if out is None else _assigned(out, rounded)
    unit = 10.0 ** builtins.abs(decimals)
    if decimals > 0:
        return divide(_round(multiply(a, unit)), unit, out=out)
    return multiply(_round(divide(a, unit)), unit, out=out)


def fix(x, out=None):
    """The whole number next to ``x`` on the way to zero.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fix(cl.asarray([1.7, -1.7])).tolist()
    [1.0, -1.0]
    """
    return trunc(x, out=out)


def modf(
    x,
    out1=None,
    out2=None,
    /,
    *,
    out=(None, None),
    where=True,
    casting="same_kind",
    order="K",
    dtype=None,
    subok=True,
):
    """Fraction and whole part, both with the sign of ``x``.

    Parameters
    ----------
    x : array
        Of real numbers.
    out : two arrays, optional
        Take the results; they may be given by position, too.
    where : bool array, optional
        Elements of ``out`` where it is false are left as they are.
    casting, order, dtype, subok : optional
        As for any ufunc.

    Examples
    --------
    >>> import colocate as cl
    >>> [part.tolist() for part in cl.modf(cl.asarray([1.5, -2.25]))]
    [[0.5, -0.25], [1.0, -2.0]]
    """
    return two_results("modf", _modf, (x,), (out1, out2), out, where, casting, order, dtype)


def divmod(
    x1,
    x2,
    out1=None,
    out2=None,
    /,
    *,
    out=(None, None),
    where=True,
    casting="same_kind",
    order="K",
    dtype=None,
    subok=True,
):
    """:func:`floor_divide` and :func:`remainder`; keywords as for :func:`modf`.

    Examples
    --------
    >>> import colocate as cl
    >>> [part.tolist() for part in cl.divmod(cl.asarray([7, -7]), 2)]
    [[3, -4], [1, 1]]
    """
    return two_results("divmod", (floor_divide, remainder), (x1, x2), (out1, out2), out, where, casting, order, dtype)


def nan_to_num(x, copy=True, nan=0.0, posinf=None, neginf=None):
    """Finite numbers in the place of NaN and infinities.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.nan_to_num(cl.asarray([cl.nan, 1.0]), nan=-1).tolist()
    [-1.0, 1.0]
    """
    from colocate import _elementwise as e

    one_array("nan_to_num", x)
    if x.dtype.kind in "biu":
        result = x.copy()
    elif x.dtype.kind == "c":
        result = x.copy()
        for part in ("real", "imag"):
            getattr(result, part)[...] = nan_to_num(getattr(x, part), True, nan, posinf, neginf)
    else:
        limits = numpy.finfo(x.dtype)
        result = _where(e.isnan(x), _spread(nan, x), x)
        result = _where(e.isposinf(x), limits.max if posinf is None else _spread(posinf, x), result)
        result = _where(e.isneginf(x), limits.min if neginf is None else _spread(neginf, x), result)
        result = result.astype(x.dtype, copy=False)
    if not copy:
        return _assigned(x, result)
    return result


def _spread(value, x):
    """What takes the place of elements, in the shape of all: it must not make the result larger."""
    return _native.broadcast_to(value, x.shape) if isinstance(value, Array) else value


around = round

for _function in (where, clip, round, fix, modf, divmod, nan_to_num):
    _function.__module__ = "colocate"
