"""Complex numbers as such: their angles, their order, and which numbers are real."""

import numpy as np

import colocate as cl
from colocate import _native
from colocate._arguments import Array, one_array
from colocate._elementwise import rad2deg
from colocate._native import ufunc

__all__ = [
    "angle",
    "iscomplex",
    "iscomplexobj",
    "isreal",
    "isrealobj",
    "sort_complex",
]

_angle = ufunc("angle", "")


def angle(z, deg=False, *, out=None):
    """The angle of complex numbers, in radians.

    Parameters
    ----------
    z : array
        Complex numbers, or real ones, whose angle is 0 or pi.
    deg : bool
        Whether to give degrees.
    out : array, optional
        Takes the result.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.angle(cl.asarray([1 + 1j, -1]), deg=True).tolist()
    [45.0, 180.0]
    """
    if out is None and not deg:
        return _angle(z)
    radians = _angle(z, out=out)
    return rad2deg(radians, out=out) if deg else radians


def isreal(x):
    """Which elements have no imaginary part.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.isreal(cl.asarray([1 + 1j, 2])).tolist()
    [False, True]
    """
    one_array("isreal", x)
    if x.dtype.kind != "c":
        return _native.ones_like(x, "bool")
    return x.imag == 0


def iscomplex(x):
    """Which elements have an imaginary part.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.iscomplex(cl.asarray([1 + 1j, 2])).tolist()
    [True, False]
    """
    one_array("iscomplex", x)
    if x.dtype.kind != "c":
        return _native.zeros_like(x, "bool")
    return x.imag != 0


def iscomplexobj(x):
    """Whether an array or a number is of a complex type.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.iscomplexobj(cl.ones(2, dtype="complex64"))
    True
    """
    return x.dtype.kind == "c" if isinstance(x, Array) else np.iscomplexobj(x)


def isrealobj(x):
    """Whether an array or a number is not of a complex type.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.isrealobj(cl.ones(2, dtype="complex64"))
    False
    """
    return not iscomplexobj(x)


def sort_complex(a):
    """A sorted copy as complex numbers: by real, then by imaginary part.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.sort_complex(cl.asarray([2, 1])).tolist()
    [(1+0j), (2+0j)]
    """
    ordered = cl.sort(one_array("sort_complex", a, "a"))
    if ordered.dtype.kind == "c":
        return ordered
    narrow = ordered.dtype.name in ("int8", "uint8", "int16", "uint16")
    return ordered.astype("complex64" if narrow else "complex128")


for _function in (angle, isreal, iscomplex, iscomplexobj, isrealobj, sort_complex):
    _function.__module__ = "colocate"
