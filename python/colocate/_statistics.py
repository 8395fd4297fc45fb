"""Statistics composed of reductions, sorting and products: quantiles, averages, covariances, differences."""

import builtins
import operator
import warnings

import numpy

import colocate
from colocate import _native
from colocate._arguments import along, axis_number, axis_numbers, beside, check
from colocate._errors import DTypeError, InvalidArgumentError

__all__ = [
    "amax",
    "amin",
    "average",
    "corrcoef",
    "cov",
    "diff",
    "median",
    "nanargmax",
    "nanargmin",
    "nanmedian",
    "nanpercentile",
    "nanquantile",
    "percentile",
    "ptp",
    "quantile",
]

amax = _native.max
amin = _native.min


def ptp(a, axis=None, out=None, keepdims=False):
    """The distance between the largest and the smallest element along axes.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.ptp(cl.asarray([[1, 5], [3, 4]]), axis=1).tolist()
    [4, 1]
    """
    largest = _native.max(a, axis=axis, keepdims=keepdims)
    if out is not None:
        largest = largest.astype(numpy.result_type(largest.dtype, out.dtype))
    return colocate.subtract(largest, _native.min(a, axis=axis, keepdims=keepdims), out=out)


def _found(positions):
    if builtins.bool(_native.any(positions < 0)):
        raise InvalidArgumentError("all elements along the axis are NaN: there is none to be found")
    return positions


def nanargmax(a, axis=None, out=None, *, keepdims=False):
    """Where the first largest element that is not NaN is along an axis, or in the flattened array.

    Waits for the result, since it raises if all elements are NaN.

    Examples
    --------
    >>> import colocate as cl
    >>> int(cl.nanargmax(cl.asarray([1.0, float("nan"), 2.0])))
    2
    """
    return _found(_native._nanargmax(a, axis=axis, out=out, keepdims=keepdims))


def nanargmin(a, axis=None, out=None, *, keepdims=False):
    """Where the first smallest element that is not NaN is along an axis, or in the flattened array.

    Waits for the result, since it raises if all elements are NaN.

    Examples
    --------
    >>> import colocate as cl
    >>> int(cl.nanargmin(cl.asarray([float("nan"), 3.0, 2.0])))
    2
    """
    return _found(_native._nanargmin(a, axis=axis, out=out, keepdims=keepdims))


def diff(a, n=1, axis=-1, prepend=None, append=None):
    """Differences between neighbours along an axis, taken ``n`` times.

    Parameters
    ----------
    a : Array
    n : int
        How often; 0 gives ``a`` itself.
    axis : int
    prepend, append : Array or scalar, optional
        What is put before and after the elements along the axis first.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.diff(cl.asarray([1, 4, 9, 16])).tolist()
    [3, 5, 7]
    >>> cl.diff(cl.asarray([1, 4, 9, 16]), n=2).tolist()
    [2, 2]
    """
    check("diff", a=a, prepend=prepend, append=append)
    n = operator.index(n)
    if n < 0:
        raise InvalidArgumentError(f"diff: n={n} is negative")
    if n == 0:
        return a
    if a.ndim == 0:
        raise InvalidArgumentError("diff: an array without axes has no neighbours")
    axis = axis_number("diff", axis, a.ndim)
    parts = [_edge(prepend, a, axis), a, _edge(append, a, axis)]
    parts = [part for part in parts if part is not None]
    if len(parts) > 1:
        a = colocate.concat(parts, axis=axis)
    subtract = colocate.not_equal if a.dtype.kind == "b" else colocate.subtract
    for _ in range(n):
        a = subtract(a[along(axis, slice(1, None))], a[along(axis, slice(None, -1))])
    return a


def _edge(edge, x, axis):
    if edge is None:
        return None
    if not isinstance(edge, _native.Array):
        edge = beside(x, edge, numpy.asarray(edge).dtype)
    if edge.ndim == 0:
        edge = colocate.broadcast_to(edge, (*x.shape[:axis], 1, *x.shape[axis + 1 :]))
    return edge


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    """The mean along axes, with elements weighted.

    Parameters
    ----------
    a : Array
    axis : int or tuple of int, optional
    weights : Array, optional
        Of the shape of ``a``, or of the length of the axis.
    returned : bool
        Whether the sums of the weights are given, too.
    keepdims : bool

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.asarray([1.0, 2.0, 4.0])
    >>> float(cl.average(x, weights=cl.asarray([1.0, 1.0, 2.0])))
    2.75
    """
    check("average", a=a, weights=weights)
    if weights is None:
        result = _native.mean(a, axis=axis, keepdims=keepdims)
        if not returned:
            return result
        count = a.size // builtins.max(result.size, 1)
        return result, colocate.full_like(result, count)
    weights = beside(a, weights)
    if weights.shape != a.shape:
        if axis is None:
            raise InvalidArgumentError("average: weights of another shape than x need axis=")
        axes = axis_numbers("average", axis, a.ndim)
        if weights.shape != tuple(a.shape[one] for one in axes):
            raise InvalidArgumentError(
                f"average: weights of shape {weights.shape} fit neither a of shape {a.shape} nor its axis {axis}"
            )
        order = sorted(range(len(axes)), key=axes.__getitem__)
        weights = colocate.permute_dims(weights, order)
        weights = weights.reshape(tuple(a.shape[one] if one in axes else 1 for one in range(a.ndim)))
    exact = numpy.dtype(a.dtype).kind in "biu" and numpy.dtype(weights.dtype).kind in "biu"
    dtype = numpy.result_type(a.dtype, weights.dtype, *(["float64"] if exact else []))
    weights = colocate.broadcast_to(weights, a.shape)
    total = _native.sum(weights, axis=axis, dtype=dtype, keepdims=keepdims)
    if builtins.bool(_native.any(total == 0)):
        raise ZeroDivisionError("average: the weights sum to zero")
    result = _native.sum(colocate.multiply(a, weights, dtype=dtype), axis=axis, keepdims=keepdims) / total
    return (result, total) if returned else result


# For each method of NumPy's: the place of a quantile among n sorted elements, counted from 0; how
# much of the way to the next element belongs to it; and whether results are elements themselves.
def _place(n, q, alpha, beta):
    return n * q + (alpha + q * (1 - alpha - beta)) - 1


def _at_boundary(xp, place, stays):
    before = xp.floor(place)
    fraction = place - before
    chosen = xp.where(stays(xp, fraction, place), before, before + 1)
    return xp.where(chosen < 0, 0 * chosen, chosen)


_PLACES = {
    "inverted_cdf": lambda xp, n, q: _at_boundary(xp, n * q - 1, lambda xp, part, _: part == 0),
    "averaged_inverted_cdf": lambda xp, n, q: n * q - 1,
    "closest_observation": lambda xp, n, q: _at_boundary(
        xp, n * q - 1.5, lambda xp, part, place: (part == 0) & (xp.floor(place) % 2 == _EVEN)
    ),
    "interpolated_inverted_cdf": lambda xp, n, q: _place(n, q, 0, 1),
    "hazen": lambda xp, n, q: _place(n, q, 0.5, 0.5),
    "weibull": lambda xp, n, q: _place(n, q, 0, 0),
    "linear": lambda xp, n, q: (n - 1) * q,
    "median_unbiased": lambda xp, n, q: _place(n, q, 1 / 3, 1 / 3),
    "normal_unbiased": lambda xp, n, q: _place(n, q, 3 / 8, 3 / 8),
    "lower": lambda xp, n, q: xp.floor((n - 1) * q),
    "higher": lambda xp, n, q: xp.ceil((n - 1) * q),
    "midpoint": lambda xp, n, q: 0.5 * (xp.floor((n - 1) * q) + xp.ceil((n - 1) * q)),
    "nearest": lambda xp, n, q: xp.round((n - 1) * q),
}
_ELEMENTS = ("inverted_cdf", "closest_observation", "lower", "higher", "nearest")
_EVEN = 1
_MEDIANS = ("median", "nanmedian")


def _neighbours(xp, n, q, method):
    """The elements before and after a quantile's place, and how far it lies between them."""
    place = _PLACES[method](xp, n, q)
    # The weight is taken from the place before that is moved inside, as in NumPy.
    last = n - 1
    before = xp.floor(place)
    part = place - before
    if method == "averaged_inverted_cdf":
        part = xp.where(part == 0, 0.5 + 0 * part, 1.0 + 0 * part)
    elif method == "midpoint":
        part = xp.where(part == 0, 0 * part, 0.5 + 0 * part)
    after = before + 1
    low = (place < 0) | (before < 0)
    high = place >= last
    before = xp.where(low, 0 * before, xp.where(high, last + 0 * before, before))
    after = xp.where(low, 0 * after, xp.where(high, last + 0 * after, after))
    return before, after, part


def _between(low, high, part):
    """From `low` to `high`, exact at both ends and monotonous."""
    distance = high - low
    return colocate.where(part >= 0.5, high - distance * (1 - part), low + distance * part)


def _mean_of(low, high, part):
    """`low`, or the mean of both where the place is between them."""
    wide = "float32" if low.dtype.itemsize == 2 else low.dtype
    mean = ((low.astype(wide) + high.astype(wide)) / 2).astype(low.dtype)
    return colocate.where(part == 0, low, mean)


def _rows(name, x, axis):
    """The array with the axes that are reduced as its last one, and the shape of what keeps them."""
    axes = axis_numbers(name, axis, x.ndim)
    kept = [one for one in range(x.ndim) if one not in axes]
    shape = tuple(x.shape[one] for one in kept)
    count = 1
    for one in axes:
        count *= x.shape[one]
    rows = colocate.permute_dims(x, (*kept, *axes)).reshape((*shape, count))
    return rows, tuple(1 if one in axes else x.shape[one] for one in range(x.ndim))


def _host_quantiles(name, q, scale):
    if isinstance(q, _native.Array):
        q = _native.asnumpy(q)
    # Places are computed in the dtype of quantiles, as in NumPy: with another one they might be others.
    q = numpy.asarray(q) if scale == 1 else numpy.asarray(numpy.true_divide(q, scale))
    if not ((q >= 0) & (q <= 1)).all():
        raise InvalidArgumentError(f"{name}: quantiles lie between 0 and {scale}")
    if q.ndim > 2:
        raise InvalidArgumentError(f"{name}: quantiles have at most two dimensions, not {q.ndim}")
    return q


def _interpolated_dtype(x, q, weak):
    """The dtype of what lies between two elements; a number of Python's as quantile has no say in it."""
    if not weak:
        return numpy.result_type(x.dtype, q.dtype if q.dtype.kind == "f" else numpy.float64)
    return x.dtype if x.dtype.kind in "fc" else numpy.dtype(numpy.float64)


def _quantiles(name, x, q, axis, out, method, keepdims, weights, scale, skip_nan):
    check(name, a=x, out=out, weights=weights)
    if method not in _PLACES:
        raise InvalidArgumentError(f"{name}: method={method!r}: write one of {', '.join(_PLACES)}")
    if x.dtype.kind == "c" and name not in _MEDIANS:
        raise DTypeError(f"{name}: complex numbers have no order")
    weak = type(q) in (int, float)
    q = _host_quantiles(name, q, scale)
    is_bool = x.dtype.kind == "b"
    if is_bool:
        x = x.astype("uint8")
    if weights is not None:
        result, kept = _weighted(name, x, q, axis, method, weights, skip_nan)
    else:
        rows, kept = _rows(name, x, axis)
        is_element = method in _ELEMENTS or (method == "linear" and q.dtype.kind in "biu")
        dtype = None if is_element else _interpolated_dtype(x, q, weak)
        result = _of_rows(name, rows, q, method, dtype, skip_nan)
        if is_bool and is_element and result.dtype.kind == "u":
            result = result.astype(bool)
    if keepdims:
        result = result.reshape((*q.shape, *kept))
    if out is not None:
        out[...] = result
        return out
    return result


def _of_rows(name, rows, q, method, dtype, skip_nan):
    """Quantiles of the last axis: what lies between elements as ``dtype``, or elements if it is ``None``."""
    count = rows.shape[-1]
    if count == 0:
        if name in _MEDIANS:
            # The frames of median, _quantiles and this one are not where the array comes from.
            warnings.warn(f"{name}: there is no element along the axis", RuntimeWarning, stacklevel=4)
        dtype = dtype or rows.dtype
        if skip_nan and dtype.kind in "iu":
            dtype = numpy.dtype("float64")
        if dtype.kind in "fc":
            shape = (*q.shape, *rows.shape[:-1])
            return colocate.full(shape, numpy.nan, dtype=dtype, queue=rows.queue, usm_type=rows.usm_type)
        raise InvalidArgumentError(f"{name}: there is no element along the axis")
    rows = colocate.sort(rows, axis=-1)
    floating = rows.dtype.kind in "fc"
    between = _mean_of if name in _MEDIANS else _between

    def chosen(take, before, after, part):
        # Only what was found is converted, not all that is sorted.
        if dtype is None:
            return take(before)
        return between(*(take(place).astype(dtype, copy=False) for place in (before, after)), part)

    results = []
    for one in q.reshape(-1):
        if skip_nan and floating:
            found = _of_counted(rows, one, method, dtype, chosen)
        else:
            before, after, part = _neighbours(numpy, count, one, method)
            found = chosen(lambda place: rows[..., int(place)], before, after, float(part))
        results.append(found)
    result = results[0] if q.ndim == 0 else colocate.stack(results, axis=0)
    if q.ndim > 0:
        result = result.reshape((*q.shape, *rows.shape[:-1]))
    if floating and not skip_nan:
        # NaN is sorted to the end.
        last = rows[..., -1]
        result = colocate.where(colocate.isnan(last), last, result)
    return result


def _of_counted(rows, q, method, dtype, chosen):
    """Of rows that end with any number of NaN."""
    counts = _native.sum(~colocate.isnan(rows), axis=-1, keepdims=True)
    counts = counts.astype(q.dtype if q.dtype.kind == "f" else "float64")
    before, after, part = _neighbours(colocate, counts, float(q), method)

    def taken(place):
        return colocate.take_along_axis(rows, colocate.maximum(place, 0).astype("int64"), axis=-1)[..., 0]

    return chosen(taken, before, after, part[..., 0].astype(dtype or rows.dtype))


def _weighted(name, x, q, axis, method, weights, skip_nan):
    if method != "inverted_cdf":
        raise InvalidArgumentError(f"{name}: weights go with method='inverted_cdf' only")
    weights = beside(x, weights)
    if weights.dtype.kind == "c":
        raise DTypeError(f"{name}: weights are real numbers")
    if builtins.bool(colocate.any(weights < 0)):
        raise InvalidArgumentError(f"{name}: weights must not be negative")
    if weights.shape != x.shape:
        one = None if axis is None else axis_number(name, axis, x.ndim)
        if one is None or weights.shape != (x.shape[one],):
            raise InvalidArgumentError(f"{name}: weights of shape {weights.shape} do not fit x of shape {x.shape}")
        weights = weights.reshape(tuple(-1 if other == one else 1 for other in range(x.ndim)))
        weights = colocate.broadcast_to(weights, x.shape)
    rows, kept = _rows(name, x, axis)
    weights, _ = _rows(name, weights, axis)
    if skip_nan and rows.dtype.kind == "f":
        weights = colocate.where(colocate.isnan(rows), 0, weights)
    order = colocate.argsort(rows, axis=-1, stable=True)
    rows = colocate.take_along_axis(rows, order, axis=-1)
    share = _native.cumsum(colocate.take_along_axis(weights, order, axis=-1), axis=-1, dtype="float64")
    total = share[..., -1:]
    weighs = (total > 0) & colocate.isfinite(total)
    if skip_nan and rows.dtype.kind == "f":
        # Where there are only NaNs, nothing is weighed.
        weighs = weighs | colocate.isnan(rows[..., :1])
    if not builtins.bool(colocate.all(weighs)):
        raise InvalidArgumentError(f"{name}: the weights are NaN, infinite, or all zero")
    share = share / total
    if q.dtype.kind == "f":
        # A share is as exact as the quantile that it is compared with.
        share = share.astype(q.dtype, copy=False)
    results = []
    for one in q.reshape(-1):
        # The first element with enough before it; for 0 the first that weighs anything.
        enough = share >= one if one > 0 else share > 0
        place = _native.argmax(enough, axis=-1, keepdims=True)
        results.append(colocate.take_along_axis(rows, place, axis=-1)[..., 0])
    result = results[0] if q.ndim == 0 else colocate.stack(results, axis=0)
    if q.ndim > 0:
        result = result.reshape((*q.shape, *rows.shape[:-1]))
    if rows.dtype.kind == "f" and not skip_nan:
        # NaN is sorted to the end.
        last = rows[..., -1]
        result = colocate.where(colocate.isnan(last), last, result)
    return result, kept


def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    """What a share ``q`` of the elements along axes lies below; NaN if there is a NaN.

    Parameters
    ----------
    a : Array
    q : float, or sequence or array of float
        Between 0 and 1. Several give results on new axes in front. Unless it is a number of Python's,
        its dtype has part in that of the result.
    axis : int or tuple of int, optional
        Along which axes; all by default.
    out : Array, optional
    overwrite_input : bool
        For NumPy's sake; the elements of ``a`` are left as they are.
    method : str
        What lies between two elements, by NumPy's names: ``linear``, ``lower``, ``higher``,
        ``midpoint``, ``nearest``, ``inverted_cdf``, ``averaged_inverted_cdf``, ``closest_observation``,
        ``interpolated_inverted_cdf``, ``hazen``, ``weibull``, ``median_unbiased``, ``normal_unbiased``.
    keepdims : bool
    weights : Array, optional
        How often elements count; for ``inverted_cdf``.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.quantile(cl.asarray([3.0, 1.0, 2.0, 4.0]), [0.25, 0.5]).tolist()
    [1.75, 2.5]
    """
    return _quantiles("quantile", a, q, axis, out, method, keepdims, weights, 1, False)


def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    """As :func:`quantile`, with ``q`` between 0 and 100.

    Examples
    --------
    >>> import colocate as cl
    >>> float(cl.percentile(cl.asarray([3.0, 1.0, 2.0]), 50))
    2.0
    """
    return _quantiles("percentile", a, q, axis, out, method, keepdims, weights, 100, False)


def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    """As :func:`quantile`, without the elements that are NaN.

    Examples
    --------
    >>> import colocate as cl
    >>> float(cl.nanquantile(cl.asarray([1.0, float("nan"), 2.0]), 0.5))
    1.5
    """
    return _quantiles("nanquantile", a, q, axis, out, method, keepdims, weights, 1, True)


def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None):
    """As :func:`percentile`, without the elements that are NaN.

    Examples
    --------
    >>> import colocate as cl
    >>> float(cl.nanpercentile(cl.asarray([1.0, float("nan"), 2.0]), 100))
    2.0
    """
    return _quantiles("nanpercentile", a, q, axis, out, method, keepdims, weights, 100, True)


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The middle element along axes, or the mean of the two in the middle; NaN if there is a NaN.

    Examples
    --------
    >>> import colocate as cl
    >>> float(cl.median(cl.asarray([3.0, 1.0, 2.0, 9.0])))
    2.5
    """
    return _quantiles("median", a, 0.5, axis, out, "midpoint", keepdims, None, 1, False)


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """As :func:`median`, without the elements that are NaN.

    Examples
    --------
    >>> import colocate as cl
    >>> float(cl.nanmedian(cl.asarray([3.0, float("nan"), 1.0, 2.0])))
    2.0
    """
    return _quantiles("nanmedian", a, 0.5, axis, out, "midpoint", keepdims, None, 1, True)


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    """Covariances of variables, each a row of ``m`` (or a column, without ``rowvar``).

    Parameters
    ----------
    m : Array
        Of one or two dimensions.
    y : Array, optional
        More variables.
    rowvar : bool
        Whether rows are variables, and columns observations.
    bias : bool
        Whether to divide by the number of observations, not by one less.
    ddof : int, optional
        What to take from the number of observations instead.
    fweights, aweights : Array, optional
        How often, and how reliably, each observation was made.
    dtype : dtype, optional

    Examples
    --------
    >>> import colocate as cl
    >>> cl.cov(cl.asarray([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]])).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    check("cov", m=m, y=y, fweights=fweights, aweights=aweights)
    if m.ndim > 2 or (y is not None and y.ndim > 2):
        raise InvalidArgumentError("cov: variables have at most two dimensions")
    if ddof is not None and ddof != int(ddof):
        raise InvalidArgumentError(f"cov: ddof={ddof} is no integer")
    kinds = [m.dtype] + ([] if y is None else [y.dtype])
    dtype = numpy.result_type(*kinds, numpy.float64) if dtype is None else numpy.dtype(dtype)
    variables = _variables(m, not rowvar, dtype)
    if variables.shape[0] == 0:
        return colocate.zeros_like(m, "float64", shape=(0, 0))
    if y is not None:
        variables = colocate.concat([variables, _variables(y, not rowvar and y.shape[:1] != (1,), dtype)], axis=0)
    if ddof is None:
        ddof = 0 if bias else 1
    weights = _observation_weights(variables, fweights, aweights)
    if weights is None:
        total = variables.shape[1]
        mean = _native.mean(variables, axis=1, keepdims=True)
        if total <= ddof:
            warnings.warn(f"cov: {total} observations with ddof={ddof} say nothing", RuntimeWarning, stacklevel=2)
        divisor = builtins.max(total - ddof, 0)
    else:
        weights = weights.astype(numpy.result_type(weights.dtype, numpy.float64))
        total = _native.sum(weights)
        mean = _native.sum(variables * weights, axis=1, keepdims=True) / total
        if ddof == 0:
            divisor = total
        elif aweights is None:
            divisor = total - ddof
        else:
            divisor = total - ddof * _native.sum(weights * aweights) / total
        divisor = colocate.maximum(divisor, 0.0)
    centred = variables - mean
    scaled = centred if weights is None else centred * weights
    product = colocate.matmul(centred, colocate.conj(scaled).T)
    # As an array, so that no observations are a division by zero of floats.
    result = product / beside(m, divisor, dtype)
    return colocate.squeeze(result)


def _variables(x, in_columns, dtype):
    if x.ndim == 2 and in_columns:
        x = x.T
    return x.reshape((1, -1) if x.ndim < 2 else x.shape).astype(dtype)


def _observation_weights(variables, fweights, aweights):
    for name, weights in (("fweights", fweights), ("aweights", aweights)):
        if weights is not None and weights.shape != (variables.shape[1],):
            raise InvalidArgumentError(f"cov: {name} of shape {weights.shape} for {variables.shape[1]} observations")
    if fweights is not None and fweights.dtype.kind not in "iu":
        raise DTypeError("cov: fweights must be integers")
    if fweights is None or aweights is None:
        return aweights if fweights is None else fweights
    return fweights * aweights


def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    """Correlation coefficients of variables; parameters as for :func:`cov`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.corrcoef(cl.asarray([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]])).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    covariances = cov(x, y, rowvar, dtype=dtype)
    if covariances.ndim == 0:
        return covariances / covariances
    deviation = colocate.sqrt(colocate.real(colocate.diagonal(covariances)))
    result = covariances / deviation[:, None] / deviation[None, :]
    # Rounding must not lead beyond 1.
    if result.dtype.kind == "c":
        return colocate.clip(result.real, -1, 1) + 1j * colocate.clip(result.imag, -1, 1)
    return colocate.clip(result, -1, 1)
