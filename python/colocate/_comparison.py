"""Whether arrays are equal, exactly or nearly."""

import numpy as np

import colocate as cl
from colocate._arguments import beside, check

__all__ = [
    "allclose",
    "array_equal",
    "array_equiv",
    "isclose",
]


def array_equal(a1, a2, equal_nan=False):
    """Whether two arrays have the same shape and elements.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.array_equal(cl.ones(3), cl.ones(3)), cl.array_equal(cl.ones(3), cl.ones(1))
    (True, False)
    """
    check("array_equal", a1=a1, a2=a2)
    a1, a2 = _together(a1, a2)
    if a1.shape != a2.shape:
        return False
    same = a1 == a2
    if equal_nan and a1.dtype.kind in "fc" and a2.dtype.kind in "fc":
        same = same | (cl.isnan(a1) & cl.isnan(a2))
    return bool(cl.all(same))


def array_equiv(a1, a2):
    """Whether two arrays have the same elements when broadcast against each other.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.array_equiv(cl.ones((2, 3)), cl.ones(3))
    True
    """
    check("array_equiv", a1=a1, a2=a2)
    a1, a2 = _together(a1, a2)
    try:
        np.broadcast_shapes(a1.shape, a2.shape)
    except ValueError:
        return False
    return bool(cl.all(a1 == a2))


def _together(a, b):
    anchor = a if isinstance(a, cl.Array) else b
    return beside(anchor, a), beside(anchor, b)


def _compared(anchor, value):
    """An array; Python's scalars are numbers with a point, but weak ones (R3.4)."""
    if not isinstance(value, int | float | complex) or isinstance(value, np.generic):
        return beside(anchor, value)
    value = float(value) if isinstance(value, int) else value
    return beside(anchor, value, np.result_type(anchor.dtype, value))


def isclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Where ``|a - b| <= atol + rtol * |b|``, or both are the same infinity.

    Parameters
    ----------
    a, b : arrays or scalars, at least one array
        What is compared.
    rtol, atol : float
        The tolerance relative to ``b``, and the absolute one.
    equal_nan : bool
        Whether NaN is close to NaN.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.isclose(cl.asarray([1.0, 2.0]), 1.000001).tolist()
    [True, False]
    """
    check("isclose", a=a, b=b, rtol=rtol, atol=atol)
    anchor = next(value for value in (a, b, rtol, atol) if isinstance(value, cl.Array))
    a, b = _compared(anchor, a), _compared(anchor, b)
    rtol, atol = (beside(anchor, one) if isinstance(one, list | tuple) else one for one in (rtol, atol))
    if b.dtype.kind not in "fc":
        # The smallest integer has no magnitude of its own dtype.
        b = b.asarray(dtype=np.result_type(b.dtype, np.float64))
    if a.dtype.kind == "b":
        a = a.asarray(dtype=np.float64)
    close = (cl.abs(a - b) <= atol + rtol * cl.abs(b)) & cl.isfinite(b) | (a == b)
    if equal_nan and a.dtype.kind in "fc":
        close = close | (cl.isnan(a) & cl.isnan(b))
    return close


def allclose(a, b, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Whether :func:`isclose` is true everywhere.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.allclose(cl.ones(3), 1.000001)
    True
    """
    return bool(cl.all(isclose(a, b, rtol, atol, equal_nan)))
