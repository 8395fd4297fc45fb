"""Functions of sampled functions: interpolation, derivatives, integrals, convolutions, phases."""

import operator

import numpy as np

import colocate as cl
from colocate import _native
from colocate._arguments import Array, along, axis_number, axis_numbers, beside, check, new, one_array, promoted
from colocate._errors import DTypeError, InvalidArgumentError

__all__ = [
    "convolve",
    "correlate",
    "gradient",
    "i0",
    "interp",
    "packbits",
    "real_if_close",
    "trapezoid",
    "unpackbits",
    "unwrap",
]


def interp(x, xp, fp, left=None, right=None, period=None):
    """Values between the points of a function, on straight lines.

    Parameters
    ----------
    x : array
        Where.
    xp, fp : 1-d arrays
        The points; ``xp`` increases, unless there is a period.
    left, right : optional
        The values before the first point and after the last; by default those of the points.
    period : float, optional
        After what the function begins again.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.interp(cl.asarray([0.5, 3.0]), cl.asarray([0.0, 1.0, 2.0]), cl.asarray([0.0, 10.0, 20.0])).tolist()
    [5.0, 20.0]
    """
    check("interp", x=x, xp=xp, fp=fp)
    anchor = next(value for value in (x, xp, fp) if isinstance(value, Array))
    x, xp = beside(anchor, x), beside(anchor, xp)
    if "c" in (x.dtype.kind, xp.dtype.kind):
        raise DTypeError("interp: complex numbers have no order")
    x, xp = x.asarray(dtype="float64"), xp.asarray(dtype="float64")
    fp = beside(anchor, fp)
    fp = fp.asarray(dtype="complex128" if fp.dtype.kind == "c" else "float64")
    if xp.ndim != 1 or fp.shape != xp.shape:
        raise InvalidArgumentError(f"interp: xp of {xp.shape} and fp of {fp.shape} are no points")
    if xp.size == 0:
        raise InvalidArgumentError("interp: there must be at least one point")
    if period is not None:
        if period == 0:
            raise InvalidArgumentError("interp: the period must not be zero")
        period, left, right = abs(period), None, None
        x, xp = x % period, xp % period
        order = cl.argsort(xp)
        xp, fp = cl.take(xp, order), cl.take(fp, order)
        xp = cl.concat([xp[-1:] - period, xp, xp[:1] + period])
        fp = cl.concat([fp[-1:], fp, fp[:1]])
    flat = cl.reshape(x, (-1,))
    if fp.dtype.kind == "c":
        # Each part by itself: infinities of one do not concern the other.
        result = new([flat, xp, fp], flat.shape, fp.dtype)
        for part in ("real", "imag"):
            ends = (None if end is None else getattr(end, part) for end in (left, right))
            getattr(result, part)[...] = _on_lines(flat, xp, getattr(fp, part), *ends)
    else:
        result = _on_lines(flat, xp, fp, left, right)
    if xp.size > 1:
        result = cl.where(cl.isnan(flat), flat, result)
    return cl.reshape(result, x.shape)


def _on_lines(flat, xp, fp, left, right):
    """Real values at a vector of places."""
    after = cl.clip(cl.searchsorted(xp, flat, side="right"), 1, max(1, xp.size - 1))
    before = after - 1
    after = cl.minimum(after, xp.size - 1)
    x0, x1, f0, f1 = cl.take(xp, before), cl.take(xp, after), cl.take(fp, before), cl.take(fp, after)
    width = x1 - x0
    slope = (f1 - f0) / cl.where(width == 0, 1.0, width)
    # At a point its value is exact, whatever its neighbours are.
    between = slope * (flat - x0) + f0
    between = cl.where(cl.isnan(between), slope * (flat - x1) + f1, between)
    between = cl.where((flat == x0) | (cl.isnan(between) & (f0 == f1)), f0, between)
    result = cl.where(flat == x1, f1, between) if xp.size > 1 else f0
    result = cl.where(flat < xp[0], fp[0] if left is None else left, result)
    return cl.where(flat > xp[-1], fp[-1] if right is None else right, result)


def _spacings(f, varargs, axes):
    """For each axis the distance of points, as a number, or the points' coordinates."""
    if not varargs:
        return [1.0] * len(axes)
    if len(varargs) == 1 and isinstance(varargs[0], Array) and varargs[0].ndim and len(axes) != 1:
        raise DTypeError("gradient: coordinates are given for each axis")
    given = list(varargs) * (len(axes) if len(varargs) == 1 else 1)
    if len(given) != len(axes):
        raise DTypeError(f"gradient: distances for {len(given)} axes do not fit {len(axes)} axes")
    result = []
    for axis, spacing in zip(axes, given, strict=True):
        if isinstance(spacing, list | tuple):
            spacing = beside(f, spacing)
        if isinstance(spacing, Array) and spacing.ndim:
            if spacing.shape != (f.shape[axis],):
                raise InvalidArgumentError(f"gradient: coordinates of {spacing.shape} do not fit axis {axis}")
            spacing = spacing.asarray(dtype=np.result_type(spacing.dtype, np.float64))
            spacing = (spacing[1:] - spacing[:-1])[(slice(None), *(None,) * (f.ndim - axis - 1))]
        result.append(spacing)
    return result


def gradient(f, *varargs, axis=None, edge_order=1):
    """Derivatives of a sampled function, by differences of neighbours.

    Parameters
    ----------
    f : array
        The function's values.
    varargs : scalars or 1-d arrays, optional
        The distances of the points or their coordinates: one for all axes, or one for each.
    axis : int or tuple of int, optional
        Along what; all axes by default.
    edge_order : {1, 2}
        Of how many neighbours the derivatives at the edges are made.

    Returns
    -------
    An array, or a tuple of one for each axis.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.gradient(cl.asarray([1.0, 2.0, 4.0, 7.0])).tolist()
    [1.0, 1.5, 2.5, 3.0]
    """
    check("gradient", f=f, varargs=varargs)
    f = one_array("gradient", f, "f")
    if f.dtype.kind == "b":
        raise DTypeError("gradient: bools have no differences")
    axes = axis_numbers("gradient", axis, f.ndim)
    if edge_order not in (1, 2):
        raise InvalidArgumentError("gradient: edge_order is 1 or 2")
    if f.dtype.kind not in "fc":
        f = f.asarray(dtype="float64")
    results = []
    for number, spacing in zip(axes, _spacings(f, varargs, axes), strict=True):
        if f.shape[number] < edge_order + 1:
            raise InvalidArgumentError(f"gradient: axis {number} needs {edge_order + 1} elements or more")
        results.append(_derivative(f, spacing, number, edge_order))
    return results[0] if len(results) == 1 else tuple(results)


def _derivative(f, spacing, axis, edge_order):
    def at(*bounds):
        return f[along(axis, slice(*bounds))]

    result = new([f], f.shape, f.dtype)
    even = not (isinstance(spacing, Array) and spacing.ndim)
    if even:
        middle = result[along(axis, slice(1, -1))]
        cl.subtract(at(2, None), at(None, -2), out=middle)
        cl.divide(middle, 2.0 * spacing, out=middle)
        first = last = spacing
    else:
        first, last = spacing[:1], spacing[-1:]
        left, right = spacing[:-1], spacing[1:]
        if f.shape[axis] > 2:
            a = -right / (left * (left + right))
            b = (right - left) / (left * right)
            c = left / (right * (left + right))
            result[along(axis, slice(1, -1))] = a * at(None, -2) + b * at(1, -1) + c * at(2, None)
    if edge_order == 1:
        result[along(axis, slice(0, 1))] = (at(1, 2) - at(0, 1)) / first
        result[along(axis, slice(-1, None))] = (at(-1, None) - at(-2, -1)) / last
        return result
    second = spacing if even else spacing[1:2]
    before = spacing if even else spacing[-2:-1]
    a = -(2.0 * first + second) / (first * (first + second))
    b = (first + second) / (first * second)
    c = -first / (second * (first + second))
    result[along(axis, slice(0, 1))] = a * at(0, 1) + b * at(1, 2) + c * at(2, 3)
    a = last / (before * (before + last))
    b = -(last + before) / (before * last)
    c = (2.0 * last + before) / (last * (before + last))
    result[along(axis, slice(-1, None))] = a * at(-3, -2) + b * at(-2, -1) + c * at(-1, None)
    return result


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """The integral of a sampled function, by trapezoids.

    Parameters
    ----------
    y : array
        The function's values.
    x : array, optional
        The coordinates; without them points are ``dx`` apart.
    dx : float
        The distance of points.
    axis : int
        Along what.

    Examples
    --------
    >>> import colocate as cl
    >>> float(cl.trapezoid(cl.asarray([1.0, 2.0, 3.0])))
    4.0
    """
    check("trapezoid", y=y, x=x, dx=dx)
    y = one_array("trapezoid", y, "y")
    axis = axis_number("trapezoid", axis, y.ndim)
    if x is not None:
        x = beside(y, x)
        if x.ndim == 1:
            dx = cl.diff(x)[(slice(None), *(None,) * (y.ndim - axis - 1))]
        else:
            dx = cl.diff(x, axis=axis_number("trapezoid", axis - y.ndim, x.ndim))
    middle = (y[along(axis, slice(1, None))] + y[along(axis, slice(-1))]) / 2.0
    return cl.sum(middle * dx, axis=axis)


_MODES = ("full", "same", "valid")


def convolve(a, v, mode="full"):
    """The convolution of two vectors.

    Parameters
    ----------
    a, v : 1-d arrays
        What is convolved.
    mode : {"full", "same", "valid"}
        Everything, the middle as long as the longer vector, or where both overlap completely.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.convolve(cl.asarray([1, 2, 3]), cl.asarray([0, 1, 2])).tolist()
    [0, 1, 4, 7, 6]
    """
    a, v = _vectors("convolve", a, v, mode, cl.atleast_1d)
    if v.size > a.size:
        a, v = v, a
    return _correlated(a, v[::-1], mode)


def correlate(a, v, mode="valid"):
    """The correlation of two vectors.

    Parameters
    ----------
    a, v : 1-d arrays
        What is correlated.
    mode : {"valid", "same", "full"}
        As for :func:`convolve`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.correlate(cl.asarray([1, 2, 3]), cl.asarray([0, 1, 2]), mode="full").tolist()
    [2, 5, 8, 3, 0]
    """
    a, v = _vectors("correlate", a, v, mode)
    v = cl.conj(v) if v.dtype.kind == "c" else v
    if v.size > a.size:
        return _correlated(v, a, mode)[::-1].copy()
    return _correlated(a, v, mode)


def _vectors(function, a, v, mode, shaped=lambda x: x):
    check(function, a=a, v=v)
    anchor = a if isinstance(a, Array) else v
    a, v = (shaped(beside(anchor, x)) for x in (a, v))
    if a.ndim != 1 or v.ndim != 1:
        raise InvalidArgumentError(f"{function}: both arrays must be vectors")
    if a.size == 0 or v.size == 0:
        raise InvalidArgumentError(f"{function}: neither vector may be empty")
    if mode not in _MODES:
        raise InvalidArgumentError(f"{function}: mode={mode!r} is none of {', '.join(_MODES)}")
    both = promoted([a, v])
    return a.asarray(dtype=both), v.asarray(dtype=both)


# With more products than this for each element, Fourier transforms are quicker.
_MANY_TAPS = 512


def _correlated(a, v, mode):
    """Sums of products of `v` with what lies under it in `a`, which is not shorter."""
    if a.dtype == np.bool_:
        return _correlated(a.asarray(dtype="int64"), v.asarray(dtype="int64"), mode).asarray(dtype="bool")
    if mode != "valid" and v.dtype.kind in "fc" and not bool(cl.all(cl.isfinite(v))):
        return _correlated_apart(a, v, mode)
    n = v.size
    before = {"full": n - 1, "same": n // 2, "valid": 0}[mode]
    after = {"full": n - 1, "same": n - 1 - n // 2, "valid": 0}[mode]
    padded = cl.pad(a, (before, after)) if before or after else a
    if n > _MANY_TAPS and a.dtype.kind in "fc" and a.dtype != np.float16 and _is_even(a) and _is_even(v):
        return _by_transform(padded, v, padded.size - n + 1)
    return _native._correlated(padded, v)


def _correlated_apart(a, v, mode):
    """The same for `v` with elements that are not finite: these meet no zeros beyond the ends of `a`."""
    whole, finite = cl.isfinite(a), cl.isfinite(v)
    result = _correlated(cl.where(whole, a, 0), cl.where(finite, v, 0), mode)
    before = {"full": v.size - 1, "same": v.size // 2}[mode]
    for tap in np.flatnonzero(~cl.asnumpy(finite)).tolist():
        first, last = max(0, before - tap), min(result.size, a.size + before - tap)
        if first < last:
            result[first:last] += a[first + tap - before : last + tap - before] * v[tap]
    for place in np.flatnonzero(~cl.asnumpy(whole)).tolist():
        # Element `place` meets tap `t` in the result at `place + before - t`.
        first, last = max(0, place + before - v.size + 1), min(result.size, place + before + 1)
        if first < last:
            taps = slice(place + before - last + 1, place + before - first + 1)
            met = cl.where(finite[taps], a[place] * v[taps], 0)
            result[first:last] += met[::-1]
    return result


# Of so many elements side by side one is at least this share of the largest of all.
_BLOCK, _SHARE = 256, 1e-4


def _is_even(x):
    """Whether a transform of a vector loses none of it.

    Each part of a spectrum has digits enough for the largest elements only, and what is not finite would be everywhere.
    """
    size = cl.abs(x)
    largest = float(cl.max(size))
    blocks = cl.reshape(size[: size.size // _BLOCK * _BLOCK], (-1, _BLOCK))
    return bool(np.isfinite(largest)) and float(cl.min(cl.max(blocks, axis=1))) >= _SHARE * largest


def _by_transform(padded, v, length):
    """Correlation as a product of Fourier transforms."""
    size = 1 << (padded.size - 1).bit_length()
    if padded.dtype.kind == "c":
        spectrum = cl.fft.fft(padded, n=size) * cl.conj(cl.fft.fft(cl.conj(v), n=size))
        return cl.fft.ifft(spectrum)[:length].asarray(dtype=padded.dtype)
    spectrum = cl.fft.rfft(padded, n=size) * cl.conj(cl.fft.rfft(v, n=size))
    return cl.fft.irfft(spectrum, n=size)[:length].asarray(dtype=padded.dtype)


def unwrap(p, discont=None, axis=-1, *, period=2 * np.pi):
    """Angles without jumps of more than half a period between neighbours.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.unwrap(cl.asarray([0.0, 3.0, 6.0, 1.0]), period=8).tolist()
    [0.0, 3.0, 6.0, 9.0]
    """
    p = one_array("unwrap", p, "p")
    axis = axis_number("unwrap", axis, p.ndim)
    jumps = cl.diff(p, axis=axis)
    discont = period / 2 if discont is None else discont
    whole = np.result_type(p.dtype, np.asarray(period).dtype).kind in "iu"
    high = period // 2 if whole else period / 2
    ambiguous = period % 2 == 0 if whole else True
    low = -high
    rest = (jumps - low) % period + low
    if ambiguous:
        rest = cl.where((rest == low) & (jumps > 0), high, rest)
    correction = cl.where(cl.abs(jumps) < discont, 0, rest - jumps)
    result = new([p], p.shape, np.result_type(p.dtype, correction.dtype))
    result[...] = p
    result[along(axis, slice(1, None))] = p[along(axis, slice(1, None))] + cl.cumulative_sum(correction, axis=axis)
    return result


def i0(x):
    """The modified Bessel function of the first kind of order 0.

    Computed as NumPy does, by Chebyshev series for small and for large numbers.

    Examples
    --------
    >>> import colocate as cl
    >>> round(float(cl.i0(cl.asarray(1.0))), 6)
    1.266066
    """
    x = one_array("i0", x)
    if x.dtype.kind == "c":
        raise DTypeError("i0: complex numbers are not supported")
    if x.dtype.kind != "f":
        x = x.asarray(dtype="float64")
    x = cl.abs(x)
    near, far = _coefficients_of_i0()
    small = _chebyshev(cl.minimum(x, 8.0) / 2.0 - 2.0, near)
    beyond = cl.maximum(x, 8.0)
    large = _chebyshev(32.0 / beyond - 2.0, far) / cl.sqrt(beyond)
    return cl.exp(x) * cl.where(x <= 8.0, small, large)


def _coefficients_of_i0():
    """Chebyshev coefficients of ``exp(-x) i0(x)`` below 8 and of ``sqrt(x) exp(-x) i0(x)`` above.

    They are computed once, from the integral ``i0(x) = 1/pi int exp(x cos t) dt``: the trapezoidal
    rule is exact to rounding for periodic functions.
    """
    global _I0
    if _I0 is None:
        _I0 = (_fit(lambda t: 4.0 * t + 4.0, False), _fit(lambda t: 16.0 / (t + 1.0), True))
    return _I0


_I0 = None


def _fit(place, scaled, count=32):
    # In extended precision: what is left of rounding would be as large as the last coefficients.
    half_turn = np.arccos(np.longdouble(-1))
    angles = half_turn * (np.arange(count) + np.longdouble(0.5)) / count
    x = place(np.cos(angles))
    turns = half_turn * (np.arange(4096) + np.longdouble(0.5)) / 4096
    # cos(t) - 1, without cancellation.
    values = np.exp(-2 * x[:, None] * np.sin(turns / 2) ** 2).mean(axis=1)
    if scaled:
        values = values * np.sqrt(x)
    orders = np.arange(count)
    series = (np.cos(orders[:, None] * angles) * values).sum(axis=1) * 2 / count
    return series.astype(np.float64)


def _chebyshev(y, coefficients):
    """The series at `y / 2`, by Clenshaw's recurrence."""
    later, last = y * 0.0, y * 0.0
    for coefficient in coefficients[:0:-1].tolist():
        later, last = y * later - last + coefficient, later
    return 0.5 * y * later - last + 0.5 * float(coefficients[0])


def real_if_close(a, tol=100):
    """The real parts, if all imaginary parts are as good as zero.

    Parameters
    ----------
    a : array
        Any numbers.
    tol : float
        As a multiple of the dtype's precision if it is more than 1, else as it is.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.real_if_close(cl.asarray([1 + 1e-16j])).dtype
    dtype('float64')
    """
    a = one_array("real_if_close", a, "a")
    if a.dtype.kind != "c":
        return a
    limit = tol * float(np.finfo(a.dtype).eps) if tol > 1 else tol
    return cl.real(a) if bool(cl.all(cl.abs(cl.imag(a)) < limit)) else a


def packbits(a, axis=None, bitorder="big"):
    """Bools as the bits of bytes.

    Parameters
    ----------
    a : array of bools or integers
        What is not zero is a one.
    axis : int, optional
        Along what; without it the flattened array is taken.
    bitorder : {"big", "little"}
        Whether the first is the highest bit of its byte or the lowest.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.packbits(cl.asarray([1, 0, 0, 0, 0, 0, 1, 1, 1], dtype=bool)).tolist()
    [131, 128]
    """
    a = one_array("packbits", a, "a")
    if a.dtype.kind not in "biu":
        raise DTypeError(f"packbits: bits are bools or integers, not {a.dtype}")
    factor = _PACKING[_bit_order("packbits", bitorder)]
    a, axis = _along_one_axis("packbits", a, axis)
    lines = cl.moveaxis(a, axis, -1)
    count = -(-lines.shape[-1] // 8)
    bits = cl.zeros_like(a, "bool", shape=(*lines.shape[:-1], count * 8), order="C")
    if count == 0:
        return cl.moveaxis(bits.astype("uint8"), -1, axis)
    bits[..., : lines.shape[-1]] = lines
    # Eight bools in a row are the bytes of an integer. In its product with the factor the highest byte has each of
    # them at another bit, and no sum below is large enough to be carried into it.
    packed = (bits.view("uint64") * np.uint64(factor)) >> np.uint64(56)
    return cl.moveaxis(packed.astype("uint8"), -1, axis)


# What brings eight bytes of 0 or 1 together in the highest one.
_PACKING = {"big": 0x8040201008040201, "little": 0x0102040810204080}


def _along_one_axis(function, a, axis):
    """The array, or all its elements in a row, and the axis; NumPy lets the first axis of a number be named."""
    if axis is None or (a.ndim == 0 and axis in (0, -1)):
        return cl.reshape(a, (-1,)), 0
    return a, axis_number(function, axis, a.ndim)


def _bit_order(function, bitorder):
    if bitorder not in ("big", "little"):
        raise InvalidArgumentError(f"{function}: bitorder={bitorder!r} is neither 'big' nor 'little'")
    return bitorder


def _shifts(function, a, bitorder):
    order = range(7, -1, -1) if _bit_order(function, bitorder) == "big" else range(8)
    return beside(a, list(order), "uint8")


def unpackbits(a, axis=None, count=None, bitorder="big"):
    """The bits of bytes, each as a byte of its own.

    Parameters
    ----------
    a : array of uint8
        The bytes.
    axis : int, optional
        Along what; without it the flattened array is taken.
    count : int, optional
        How many bits; if negative, how many to leave out at the end.
    bitorder : {"big", "little"}
        Whether the highest bit of a byte comes first or the lowest.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.unpackbits(cl.asarray([5], dtype="uint8")).tolist()
    [0, 0, 0, 0, 0, 1, 0, 1]
    """
    a = one_array("unpackbits", a, "a")
    if a.dtype != np.uint8:
        raise DTypeError(f"unpackbits: bytes are uint8, not {a.dtype}")
    shifts = _shifts("unpackbits", a, bitorder)
    a, axis = _along_one_axis("unpackbits", a, axis)
    lines = cl.moveaxis(a, axis, -1)
    bits = cl.bitwise_right_shift(lines[..., None], shifts) & 1
    bits = cl.reshape(bits, (*lines.shape[:-1], lines.shape[-1] * 8))
    if count is not None:
        count = operator.index(count)
        if count < -bits.shape[-1]:
            raise InvalidArgumentError(f"unpackbits: count={count} leaves out more than there is")
        wanted = count if count >= 0 else bits.shape[-1] + count
        if wanted > bits.shape[-1]:
            longer = cl.zeros_like(a, "uint8", shape=(*bits.shape[:-1], wanted))
            longer[..., : bits.shape[-1]] = bits
            bits = longer
        bits = bits[..., :wanted]
    return cl.moveaxis(bits, -1, axis)
