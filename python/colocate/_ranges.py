"""Numbers between two ends that are arrays, or that lie on a logarithmic scale."""

import operator

import numpy as np

import colocate as cl
from colocate import _native
from colocate._arguments import Array, axis_number, beside, check
from colocate._errors import InvalidArgumentError

__all__ = [
    "geomspace",
    "logspace",
]


def _ends(function, start, stop, place):
    """Both ends as arrays in one place."""
    check(function, start=start, stop=stop)
    anchor = start if isinstance(start, Array) else stop
    ends = [beside(anchor, start), beside(anchor, stop)]
    if any(value is not None for value in place.values()):
        ends = [end.asarray(**place) for end in ends]
    return ends


def between_arrays(start, stop, num, endpoint, retstep, dtype, axis, **place):
    """:func:`linspace` between arrays."""
    # Before numbers of Python's become arrays: they do not make float32 wider.
    between = np.result_type(*(end.dtype if isinstance(end, Array) else end for end in (start, stop)))
    between = between if between.kind in "fc" else np.dtype(np.float64)
    start, stop = _ends("linspace", start, stop, place)
    computed = np.result_type(start.dtype, stop.dtype, np.float64)
    result_dtype = between if dtype is None else np.dtype(dtype)
    start, stop = start.asarray(dtype=computed), stop.asarray(dtype=computed)
    divisions = num - 1 if endpoint else num
    delta = stop - start
    count = _native.arange(num, dtype=np.float64, queue=delta.queue, usm_type=delta.usm_type)
    count = count[(slice(None), *(None,) * delta.ndim)]
    if divisions > 0:
        step = delta / divisions
        points = cl.where(step == 0, count / divisions * delta, count * step) + start
    else:
        step = cl.full_like(delta, np.nan)
        points = count * delta + start
    if endpoint and num > 1:
        points[-1] = stop
    if result_dtype.kind in "iu" and points.dtype.kind == "f":
        points = cl.floor(points)
    if axis not in (0, -points.ndim):
        points = cl.moveaxis(points, 0, axis_number("linspace", axis, points.ndim))
    points = points.asarray(dtype=result_dtype)
    return (points, step.asarray(dtype=between)) if retstep else points


def logspace(
    start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0, *, device=None, queue=None, usm_type=None
):
    """Numbers evenly spaced on a logarithmic scale, from ``base ** start`` to ``base ** stop``.

    The other arguments are those of :func:`linspace`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.logspace(0, 2, 3).tolist()
    [1.0, 10.0, 100.0]
    """
    place = {"device": device, "queue": queue, "usm_type": usm_type}
    if isinstance(base, Array) and base.ndim:
        # The new axis is one of all three together.
        check("logspace", start=start, stop=stop, base=base)
        start, stop, base = cl.broadcast_arrays(beside(base, start), beside(base, stop), base)
        base = cl.expand_dims(base, axis=axis)
    exponents = cl.linspace(start, stop, num, endpoint, axis=axis, **place)
    powers = cl.pow(base if isinstance(base, Array | complex) else float(base), exponents)
    return powers if dtype is None else powers.asarray(dtype=dtype)


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0, *, device=None, queue=None, usm_type=None):
    """Numbers of which each is the same multiple of the one before.

    The other arguments are those of :func:`linspace`. Complex numbers lie on a spiral.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.geomspace(1, 8, 4).tolist()
    [1.0, 2.0, 4.0, 8.0]
    """
    num = operator.index(num)
    place = {"device": device, "queue": queue, "usm_type": usm_type}
    arrays = [end for end in (start, stop) if isinstance(end, Array)]
    if arrays:
        low, high = _ends("geomspace", start, stop, place)
    else:
        low, high = (_native.asarray(end, **place) for end in (start, stop))
    if num < 0:
        raise InvalidArgumentError(f"geomspace: there are no {num} numbers")
    computed = np.result_type(low.dtype, high.dtype, np.float64, np.bool_ if dtype is None else dtype)
    low, high = low.asarray(dtype=computed), high.asarray(dtype=computed)
    if bool(cl.any(low == 0)) or bool(cl.any(high == 0)):
        raise InvalidArgumentError("geomspace: no sequence of multiples begins or ends with zero")
    # Divided by a sign, real sequences are positive and begin with a positive real number.
    sign = cl.sign(low)
    ratio = high / sign
    logarithms = between_arrays(cl.log10(low / sign), cl.log10(ratio), num, endpoint, False, None, 0)
    result = cl.pow(10.0, logarithms)
    if num > 0:
        result[0] = low / sign
        if num > 1 and endpoint:
            result[-1] = ratio
    result = result * sign
    if axis not in (0, -result.ndim):
        result = cl.moveaxis(result, 0, axis_number("geomspace", axis, result.ndim))
    return result if dtype is None else result.asarray(dtype=dtype)
