"""Histograms: elements sorted into bins, and counted. Counting is parallel on every device."""

import operator

import numpy as np

import colocate as cl
from colocate import _native
from colocate._arguments import Array, beside, check, one_array, promoted, settled
from colocate._errors import DTypeError, InvalidArgumentError

__all__ = [
    "bincount",
    "digitize",
    "histogram",
    "histogram2d",
    "histogram_bin_edges",
    "histogramdd",
]


def bincount(x, /, weights=None, minlength=0):
    """How often each integer from 0 on occurs.

    Parameters
    ----------
    x : 1-d array of integers that are not negative
        What is counted.
    weights : array, optional
        Summed instead of counting.
    minlength : int
        How many integers to count at least.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.bincount(cl.asarray([0, 1, 1, 3])).tolist()
    [1, 2, 0, 1]
    """
    check("bincount", x=x, weights=weights)
    x = one_array("bincount", x)
    if x.ndim != 1:
        raise InvalidArgumentError(f"bincount: the array must have one dimension, not {x.ndim}")
    if x.dtype.kind not in "biu":
        raise DTypeError(f"bincount: the array must be of integers, not {x.dtype}")
    minlength = operator.index(minlength)
    if minlength < 0:
        raise InvalidArgumentError("bincount: minlength must not be negative")
    if weights is not None:
        weights = beside(x, weights)
        if weights.shape != x.shape:
            raise InvalidArgumentError(f"bincount: weights of shape {weights.shape} do not fit {x.shape}")
        if not np.can_cast(weights.dtype, np.float64, "safe"):
            raise DTypeError(f"bincount: weights must be real numbers, not {weights.dtype}")
    if x.size == 0:
        return cl.zeros_like(x, "int64", shape=(minlength,))
    if x.dtype == bool:
        x = x.asarray(dtype="int64")
    if x.dtype.kind == "i" and int(cl.min(x)) < 0:
        raise InvalidArgumentError("bincount: the integers must not be negative")
    return _native._count(x, max(minlength, int(cl.max(x)) + 1), weights)


def digitize(x, bins, right=False):
    """The number of the bin of each element.

    Parameters
    ----------
    x : array
        What is sorted into bins.
    bins : 1-d array, increasing or decreasing
        The edges.
    right : bool
        Whether a bin includes its right edge instead of its left one.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.digitize(cl.asarray([0.5, 1.0, 2.5]), cl.asarray([0.0, 1.0, 2.0])).tolist()
    [1, 2, 3]
    """
    check("digitize", x=x, bins=bins)
    x = one_array("digitize", x)
    bins = beside(x, bins)
    if bins.ndim != 1:
        raise InvalidArgumentError("digitize: bins must have one dimension")
    if x.dtype.kind == "c" or bins.dtype.kind == "c":
        raise DTypeError("digitize: complex numbers have no order")
    both = np.result_type(x.dtype, bins.dtype)
    x, bins = x.asarray(dtype=both), bins.asarray(dtype=both)
    side = "left" if right else "right"
    if _decreases(bins):
        return settled(bins.size - cl.searchsorted(cl.flip(bins), x, side=side), x, bins)
    return settled(cl.searchsorted(bins, x, side=side), x, bins)


def _decreases(bins):
    """Whether edges are decreasing and not increasing; NaN fits in with either."""
    before, after = bins[:-1], bins[1:]
    if bins.size < 2 or bool(cl.all(after >= before)):
        return False
    rises, falls = bool(cl.any(after > before)), bool(cl.any(after < before))
    if rises and falls:
        raise InvalidArgumentError("digitize: bins must be increasing or decreasing")
    return not rises


def _outer_edges(a, range):
    """The ends of all bins together."""
    if range is not None:
        low, high = (cl.asnumpy(end)[()] if isinstance(end, Array) else end for end in range)
        if low > high:
            raise InvalidArgumentError(f"histogram: the range ({low}, {high}) is empty")
        if not (np.isfinite(low) and np.isfinite(high)):
            raise InvalidArgumentError(f"histogram: the range ({low}, {high}) is not finite")
    elif a.size == 0:
        low, high = 0, 1
    else:
        low, high = cl.asnumpy(cl.min(a))[()], cl.asnumpy(cl.max(a))[()]
        if not (np.isfinite(low) and np.isfinite(high)):
            raise InvalidArgumentError(f"histogram: the elements from {low} to {high} are not all finite")
        if a.dtype.kind in "iu":
            # Their distance may be more than their dtype holds.
            low, high = int(low), int(high)
        else:
            with np.errstate(over="ignore"):
                distance = high - low
            if not np.isfinite(distance):
                raise InvalidArgumentError(f"histogram: {a.dtype} does not hold the distance of {low} and {high}")
    if low == high:
        low, high = low - 0.5, high + 0.5
    return low, high


def _bin_count(a, rule, low, high, range):
    """How many bins a rule asks for. Each rule gives a width; too small a width gives one bin."""
    if rule not in _WIDTHS:
        raise InvalidArgumentError(f"histogram: bins={rule!r} is none of {', '.join(sorted(_WIDTHS))}")
    if range is not None:
        a = a[(a >= low) & (a <= high)]
    if a.size == 0:
        return 1
    whole = a.dtype.kind in "iu"
    a = a.asarray(dtype=np.result_type(a.dtype, np.float64))
    width = _WIDTHS[rule](a, (low, high))
    width = 1.0 if whole and 0 < width < 1 else width
    return max(1, int(np.ceil((high - low) / width))) if width else 1


def _spread(a):
    return cl.max(a).item() - cl.min(a).item()


def _sqrt_width(a, _):
    return _spread(a) / np.sqrt(a.size)


def _sturges_width(a, _):
    return _spread(a) / (np.log2(a.size) + 1.0)


def _rice_width(a, _):
    return _spread(a) / (2.0 * a.size ** (1.0 / 3))


def _scott_width(a, _):
    return (24.0 * np.pi**0.5 / a.size) ** (1.0 / 3.0) * cl.std(a).item()


def _doane_width(a, _):
    if a.size <= 2:
        return 0.0
    error = np.sqrt(6.0 * (a.size - 2) / ((a.size + 1.0) * (a.size + 3)))
    sigma = cl.std(a).item()
    if sigma <= 0.0:
        return 0.0
    skew = cl.mean(((a - cl.mean(a)) / sigma) ** 3).item()
    return _spread(a) / (1.0 + np.log2(a.size) + np.log2(1.0 + np.absolute(skew) / error))


def _fd_width(a, _):
    quarters = cl.asnumpy(cl.percentile(a, cl.asarray([75.0, 25.0], queue=a.queue)))
    return 2.0 * float(quarters[0] - quarters[1]) * a.size ** (-1.0 / 3.0)


def _auto_width(a, range):
    # The rule of Freedman and Diaconis, unless half of the elements are the same or there are few.
    robust, plain = _fd_width(a, range), _sturges_width(a, range)
    return min(max(robust, _sqrt_width(a, range) / 2), plain)


def _stone_width(a, range):
    size = a.size
    spread = _spread(a)
    if size <= 1 or spread == 0:
        return 0

    def loss(bins):
        width = spread / bins
        share = cl.asnumpy(histogram(a, bins, range)[0]) / size
        return (2 - (size + 1) * share.dot(share)) / width

    most = max(100, int(np.sqrt(size)))
    best = min(np.arange(1, most + 1).tolist(), key=loss)
    return spread / best


_WIDTHS = {
    "auto": _auto_width,
    "doane": _doane_width,
    "fd": _fd_width,
    "rice": _rice_width,
    "scott": _scott_width,
    "sqrt": _sqrt_width,
    "stone": _stone_width,
    "sturges": _sturges_width,
}


def _edges(a, bins, range, weights):
    """The edges as an array, and how many bins of equal width they are, or ``None``."""
    if isinstance(bins, list | tuple):
        bins = beside(a, bins)
    if isinstance(bins, Array) and bins.ndim:
        if bins.ndim != 1:
            raise InvalidArgumentError("histogram: bins must have one dimension")
        if bool(cl.any(bins[:-1] > bins[1:])):
            raise InvalidArgumentError("histogram: the edges of bins must increase")
        return bins, None
    if isinstance(bins, str):
        if weights is not None:
            raise DTypeError("histogram: a rule for the number of bins knows nothing of weights")
        low, high = _outer_edges(a, range)
        count = _bin_count(a, bins, low, high, range)
    else:
        try:
            count = operator.index(bins)
        except TypeError:
            raise DTypeError(f"histogram: bins={bins!r} is no number, rule, or array of edges") from None
        if count < 1:
            raise InvalidArgumentError("histogram: there must be at least one bin")
        low, high = _outer_edges(a, range)
    dtype = np.result_type(low, high, a.dtype)
    if dtype.kind not in "fc":
        dtype = np.result_type(dtype, np.float64)
    # They are few, and the arithmetic of NumPy's scalars is part of the result.
    edges = beside(a, np.linspace(low, high, count + 1, dtype=dtype))
    return edges, (count, low, high)


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """The edges that :func:`histogram` uses.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.histogram_bin_edges(cl.asarray([0.0, 1.0, 4.0]), bins=2).tolist()
    [0.0, 2.0, 4.0]
    """
    a, weights = _elements("histogram_bin_edges", a, bins, weights)
    return _edges(a, bins, range, weights)[0]


def _elements(function, a, bins, weights):
    check(function, a=a, bins=None if isinstance(bins, str) else bins, weights=weights)
    a = one_array(function, a, "a")
    if weights is not None:
        weights = beside(a, weights)
        if weights.shape != a.shape:
            raise InvalidArgumentError(f"{function}: weights of shape {weights.shape} do not fit {a.shape}")
        weights = cl.reshape(weights, (-1,))
    a = cl.reshape(a, (-1,))
    if a.dtype.kind == "c":
        raise DTypeError(f"{function}: complex numbers have no order")
    return a.asarray(dtype="uint8") if a.dtype == bool else a, weights


def _counts(named, bins, weights):
    """Counts of the bins named, of the dtype that the weights have."""
    if weights is None:
        return _native._count(named, bins)
    if weights.dtype.kind == "c":
        real = _native._count(named, bins, cl.real(weights))
        return (real + 1j * _native._count(named, bins, cl.imag(weights))).asarray(dtype=weights.dtype)
    counts = _native._count(named, bins, weights)
    return counts if weights.dtype == np.float64 else counts.asarray(dtype=weights.dtype)


def _bins_of(a, edges, equal):
    """The number of each element's bin; -1 or too large for elements outside."""
    if equal is not None:
        _, low, high = equal
        return _native._equal_bins(a, edges, float(high - low))
    both = np.result_type(a.dtype, edges.dtype)
    a, edges = a.asarray(dtype=both), edges.asarray(dtype=both)
    named = cl.searchsorted(edges, a, side="right") - 1
    # The last bin includes its right edge.
    return cl.where(a == edges[-1], edges.size - 2, named)


def histogram(a, bins=10, range=None, density=None, weights=None):
    """How many elements fall into each of some bins.

    Parameters
    ----------
    a : array
        What is counted; its shape does not matter.
    bins : int, str, or 1-d array or list of edges
        How many bins of equal width, by what rule that is found out (``"auto"``, ``"fd"``,
        ``"doane"``, ``"scott"``, ``"stone"``, ``"rice"``, ``"sturges"``, ``"sqrt"``), or their edges.
    range : (float, float), optional
        Where the bins begin and end; by default the smallest and the largest element.
    density : bool
        Whether to divide, so that the integral is 1.
    weights : array, optional
        Summed instead of counting.

    Returns
    -------
    counts, edges : arrays

    Examples
    --------
    >>> import colocate as cl
    >>> counts, edges = cl.histogram(cl.asarray([0.0, 1.0, 1.5, 4.0]), bins=2)
    >>> counts.tolist(), edges.tolist()
    ([3, 1], [0.0, 2.0, 4.0])
    """
    a, weights = _elements("histogram", a, bins, weights)
    edges, equal = _edges(a, bins, range, weights)
    counts = _counts(_bins_of(a, edges, equal), edges.size - 1, weights)
    if density:
        counts = counts / (edges[1:] - edges[:-1]).asarray(dtype="float64") / cl.sum(counts)
    return settled(counts, a, bins, weights), settled(edges, a, bins, weights)


def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    """How many points of a space fall into each of some boxes.

    Parameters
    ----------
    sample : array of points and coordinates, or sequence of arrays of coordinates
        The points.
    bins : int, or for each axis an int or an array of edges
        How many bins of equal width, or their edges. An array is one of ints or has a row of edges
        for each axis.
    range : sequence of (float, float) or None, optional
        For each axis where the bins begin and end.
    density : bool
        Whether to divide, so that the integral is 1.
    weights : array, optional
        Summed instead of counting.

    Returns
    -------
    counts : array
    edges : tuple of arrays

    Examples
    --------
    >>> import colocate as cl
    >>> points = cl.asarray([[0.0, 0.0], [1.0, 1.0], [0.9, 0.1]])
    >>> counts, edges = cl.histogramdd(points, bins=2)
    >>> counts.tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    check("histogramdd", sample=sample, bins=bins, weights=weights)
    if isinstance(sample, Array):
        sample = sample if sample.ndim == 2 else cl.atleast_2d(sample).T
        coordinates = [sample[:, axis] for axis in np.arange(sample.shape[1]).tolist()]
    else:
        coordinates = [cl.reshape(one_array("histogramdd", x, "sample"), (-1,)) for x in sample]
        if coordinates:
            common = promoted(coordinates)
            coordinates = [x.astype(common, copy=False) for x in coordinates]
    count = len(coordinates)
    # One row of it for each axis: a number of bins or edges.
    rows = list(bins) if isinstance(bins, Array) and bins.ndim else bins
    several = isinstance(rows, list | tuple)
    if several and len(rows) != count:
        raise InvalidArgumentError(f"histogramdd: bins for {len(rows)} axes do not fit {count} axes")
    if range is not None and len(range) != count:
        raise InvalidArgumentError(f"histogramdd: ranges for {len(range)} axes do not fit {count} axes")
    edges, extents, position, inside = [], [], None, None
    for axis, x in enumerate(coordinates):
        limits = None if range is None else range[axis]
        # The edges are of the dtype of what they were made of: elements, or limits on the host.
        x = x if x.dtype.kind == "f" and limits is None else x.asarray(dtype="float64")
        here, equal = _edges(x, rows[axis] if several else rows, limits, None)
        bin_numbers = _bins_of(x, here, equal)
        within = (bin_numbers >= 0) & (bin_numbers < here.size - 1)
        inside = within if inside is None else inside & within
        position = bin_numbers if position is None else position * (here.size - 1) + bin_numbers
        edges.append(here)
        extents.append(here.size - 1)
    position = cl.where(inside, position, -1)
    if weights is not None:
        weights = cl.reshape(beside(position, weights), (-1,))
    counts = _counts(position, int(np.prod(extents, dtype=np.int64)), weights)
    counts = cl.reshape(counts.asarray(dtype="float64"), tuple(extents))
    if density:
        for axis, here in enumerate(edges):
            widths = (here[1:] - here[:-1])[(slice(None), *(None,) * (count - axis - 1))]
            counts = counts / widths
        counts = counts / cl.sum(_counts(position, int(np.prod(extents, dtype=np.int64)), weights))
    return settled(counts, sample, bins, weights), tuple(settled(edge, sample, bins, weights) for edge in edges)


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """:func:`histogramdd` of points in a plane.

    Parameters
    ----------
    x, y : arrays
        The coordinates of the points.
    bins : int, 1-d array of edges, or a sequence or array of two
        How many bins of equal width or the edges, of both axes or of one each.
    range, density, weights
        As for :func:`histogramdd`.

    Returns
    -------
    counts, edges of x, edges of y : arrays

    Examples
    --------
    >>> import colocate as cl
    >>> x, y = cl.asarray([0.0, 1.0, 0.9]), cl.asarray([0.0, 1.0, 0.1])
    >>> cl.histogram2d(x, y, bins=2)[0].tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    check("histogram2d", x=x, y=y, bins=bins, weights=weights)
    if x.shape != y.shape:
        raise InvalidArgumentError(f"histogram2d: x of {x.shape} and y of {y.shape} are no points")
    has_rows = isinstance(bins, list | tuple) or (isinstance(bins, Array) and bins.ndim)
    if has_rows and len(bins) not in (1, 2):
        edges = beside(x, bins)
        bins = [edges, edges]
    counts, (x_edges, y_edges) = histogramdd([x, y], bins, range, density, weights)
    return tuple(settled(result, x, y, bins, weights) for result in (counts, x_edges, y_edges))
