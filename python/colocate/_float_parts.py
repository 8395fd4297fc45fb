"""Floats as digits and powers of two."""

from colocate._arguments import two_results
from colocate._native import ufunc

__all__ = [
    "frexp",
    "ldexp",
]

_mantissa = ufunc("frexp_mantissa", "")
_exponent = ufunc("frexp_exponent", "")

ldexp = ufunc(
    "ldexp",
    """ldexp(x1, x2, /, out=None, *, where=True)

``x1 * 2**x2``, rounded once.

Parameters
----------
x1 : array of floats, or a scalar
x2 : array of integers, or a scalar
out : array, optional
    Takes the result.
where : bool array, optional
    Elements where it is false are left as they are.

Examples
--------
>>> import colocate as cl
>>> cl.ldexp(cl.asarray([0.5, 0.75]), cl.asarray([1, 4])).tolist()
[1.0, 12.0]
""",
)


def frexp(
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
    """Numbers from 0.5 to 1 (with the sign of ``x``) and the powers of two that make ``x`` of them.

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

    Returns
    -------
    mantissa, exponent
        Floats, and int32. Zeros, infinities and NaN are their own mantissa, with exponent 0.

    Examples
    --------
    >>> import colocate as cl
    >>> [part.tolist() for part in cl.frexp(cl.asarray([1.0, -12.0]))]
    [[0.5, -0.75], [1, 4]]
    """
    return two_results("frexp", (_mantissa, _exponent), (x,), (out1, out2), out, where, casting, order, dtype)


frexp.__module__ = "colocate"
