"""``pad``: arrays with something around them.

The array is put in the middle of a larger one; then the margins are filled axis by axis, each from
what lies between them along the axis, so that corners come from margins filled before.
"""

import operator

import numpy as np

import colocate as cl
from colocate._arguments import Array, along, beside, check, new, one_array
from colocate._errors import DTypeError, InvalidArgumentError

__all__ = [
    "pad",
]

_KEYWORDS = {
    "constant": {"constant_values": 0},
    "edge": {},
    "empty": {},
    "linear_ramp": {"end_values": 0},
    "maximum": {"stat_length": None},
    "mean": {"stat_length": None},
    "median": {"stat_length": None},
    "minimum": {"stat_length": None},
    "reflect": {"reflect_type": "even"},
    "symmetric": {"reflect_type": "even"},
    "wrap": {},
}


def pad(array, pad_width, mode="constant", **kwargs):
    """The array with margins around it.

    Parameters
    ----------
    array : array
        What gets margins.
    pad_width : int, pair, sequence of pairs, or dict from axis to one of these
        How wide the margins are, before and after the array along each axis.
    mode : str or function
        What is in them: ``"constant"``, ``"edge"``, ``"empty"``, ``"linear_ramp"``, ``"maximum"``,
        ``"mean"``, ``"median"``, ``"minimum"``, ``"reflect"``, ``"symmetric"`` or ``"wrap"``, as in
        NumPy. A function is called as ``function(vector, (before, after), axis, kwargs)`` for each
        line along each axis, and changes the margins of the vector in place.
    **kwargs
        ``constant_values`` for ``"constant"`` and ``end_values`` for ``"linear_ramp"``: one number, a
        pair, or a pair for each axis. ``stat_length`` for the statistics: of how many elements at
        each end they are taken; all if not given. ``reflect_type`` for ``"reflect"`` and
        ``"symmetric"``: ``"even"`` if mirrored, ``"odd"`` if turned around the edge.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.pad(cl.asarray([1, 2, 3]), (1, 2)).tolist()
    [0, 1, 2, 3, 0, 0]
    >>> cl.pad(cl.asarray([1, 2, 3]), 2, mode="reflect").tolist()
    [3, 2, 1, 2, 3, 2, 1]
    """
    placed = {} if callable(mode) else {key: value for key, value in kwargs.items() if key != "reflect_type"}
    check("pad", array=array, **placed)
    x = one_array("pad", array, "array")
    widths = _widths(pad_width, x.ndim)
    known = _KEYWORDS.get(mode) if isinstance(mode, str) else None
    if known is None and not callable(mode):
        raise InvalidArgumentError(f"pad: mode={mode!r} is none of {', '.join(_KEYWORDS)}, nor a function")
    if known is not None and set(kwargs) - set(known):
        raise InvalidArgumentError(f"pad: mode {mode!r} takes no {', '.join(sorted(set(kwargs) - set(known)))}")
    options = {**(known or {}), **kwargs}
    result = new([x], [b + n + a for n, (b, a) in zip(x.shape, widths, strict=True)], x.dtype)
    margins = any(before or after for before, after in widths)
    if mode == "constant" and margins and not isinstance(options["constant_values"], Array | list | tuple):
        result[...] = options["constant_values"]
    if callable(mode):
        result[...] = 0
    middle = tuple(slice(before, before + n) for n, (before, _) in zip(x.shape, widths, strict=True))
    result[middle] = x
    if callable(mode):
        return _pad_by_function(result, widths, mode, kwargs)
    if mode == "empty" or not margins:
        return result
    if mode == "constant":
        return _pad_constant(result, widths, options["constant_values"], x.ndim)
    if x.size == 0 and any(n == 0 and (b or a) for n, (b, a) in zip(x.shape, widths, strict=True)):
        raise InvalidArgumentError(f"pad: mode {mode!r} cannot extend an axis without elements")
    for axis in range(x.ndim):
        if not any(widths[axis]):
            continue
        # Axes before this one are filled already; of those after it only the middle counts.
        area = result[(*(slice(None),) * (axis + 1), *middle[axis + 1 :])]
        if area.size:
            _fill_axis(area, axis, widths[axis], mode, options)
    return result


def _widths(pad_width, ndim):
    if isinstance(pad_width, dict):
        given = [(0, 0)] * ndim
        for axis, width in pad_width.items():
            given[axis] = (width, width) if not isinstance(width, tuple | list) else tuple(width)
        pad_width = given
    pairs = np.asarray(cl.asnumpy(pad_width) if isinstance(pad_width, Array) else pad_width)
    if pairs.size and pairs.dtype.kind not in "iu":
        raise DTypeError("pad: pad_width must be of integers")
    if pairs.size and pairs.min() < 0:
        raise InvalidArgumentError("pad: margins must not be negative")
    return _pairs("pad_width", pairs, ndim)


def _pairs(name, given, ndim):
    """One pair for each axis, of what is given as a number, a pair, or pairs."""
    if ndim == 0:
        return []
    try:
        spread = np.broadcast_to(given, (ndim, 2))
    except ValueError:
        raise InvalidArgumentError(f"pad: {name} does not fit {ndim} axes: its shape is {np.shape(given)}") from None
    return [tuple(pair) for pair in spread.tolist()]


def _values(name, given, ndim):
    """One pair of fill values for each axis."""
    if isinstance(given, Array):
        given = cl.asnumpy(given)
    return _pairs(name, np.asarray(given), ndim)


def _pad_constant(result, widths, values, ndim):
    if not isinstance(values, Array | list | tuple):
        return result
    for axis, ((before, after), (low, high)) in enumerate(
        zip(widths, _values("constant_values", values, ndim), strict=True)
    ):
        if before:
            result[along(axis, slice(before))] = low
        if after:
            result[along(axis, slice(-after, None))] = high
    return result


def _pad_by_function(result, widths, function, keywords):
    for axis in range(result.ndim):
        lines = cl.moveaxis(result, axis, -1)
        for position in np.ndindex(*lines.shape[:-1]):
            vector = lines[position]
            changed = function(vector, widths[axis], axis, keywords)
            if changed is not None:
                vector[...] = changed
    return result


def _fill_axis(area, axis, width, mode, options):
    """Fills both margins of an area along an axis."""
    before, after = width
    length = area.shape[axis] - before - after
    middle = area[along(axis, slice(before, before + length))]
    margins = (
        (area[along(axis, slice(before))], np.arange(-before, 0)),
        (area[along(axis, slice(before + length, None))], np.arange(length, length + after)),
    )
    if mode == "linear_ramp":
        ends = _values("end_values", options["end_values"], area.ndim)[axis]
        return _fill_ramps(middle, axis, (before, after), margins, ends)
    if mode in _STATISTICS:
        return _fill_statistics(middle, axis, margins, mode, options["stat_length"], area.ndim)
    if mode == "reflect" and length == 1:
        mode = "edge"
    for margin, positions in margins:
        if positions.size == 0:
            continue
        if options.get("reflect_type", "even") == "odd" and mode != "edge":
            margin[...] = _turned(middle, axis, positions, mode)
        elif options.get("reflect_type", "even") in ("even", "odd"):
            source = _SOURCES[mode](positions, length)
            margin[...] = cl.take(middle, beside(middle, source), axis=axis)
        else:
            raise InvalidArgumentError(f"pad: reflect_type={options['reflect_type']!r} is neither 'even' nor 'odd'")
    return None


def _edge(positions, length):
    return np.clip(positions, 0, length - 1)


def _wrap(positions, length):
    return positions % length


def _symmetric(positions, length):
    turned = positions % (2 * length)
    return np.where(turned < length, turned, 2 * length - 1 - turned)


def _reflect(positions, length):
    turned = positions % (2 * (length - 1))
    return np.where(turned < length, turned, 2 * (length - 1) - turned)


_SOURCES = {"edge": _edge, "wrap": _wrap, "symmetric": _symmetric, "reflect": _reflect}


def _turned(middle, axis, positions, mode):
    """Elements outside of a line that is turned by half a circle around each of its ends.

    With the line's length as the unit, the element `r` into unit `k` is `f[r] + k * d` for even `k`
    and `2 * f[-1] - f[-1 - r] + (k - 1) * d` for odd `k`, where `d` is the last element less the
    first.
    """
    length = middle.shape[axis]
    unit = length if mode == "symmetric" else length - 1
    turns, rest = np.divmod(positions, unit)
    odd = turns % 2 == 1
    source = np.where(odd, length - 1 - rest, rest)
    shape = (-1,) + (1,) * (middle.ndim - 1 - axis)
    number = middle.dtype

    def factor(values):
        return cl.reshape(beside(middle, values.astype(number)), shape)

    first, last = middle[along(axis, slice(0, 1))], middle[along(axis, slice(-1, None))]
    inside = cl.take(middle, beside(middle, source), axis=axis) * factor(np.where(odd, -1, 1))
    return inside + last * factor(np.where(odd, turns + 1, turns)) - first * factor(np.where(odd, turns - 1, turns))


def _fill_ramps(middle, axis, widths, margins, ends):
    edges = (middle[along(axis, 0)], middle[along(axis, -1)])
    for side in (0, 1):
        if widths[side] == 0:
            continue
        ramp = cl.linspace(ends[side], edges[side], widths[side], endpoint=False, dtype=middle.dtype, axis=axis)
        margins[side][0][...] = ramp if side == 0 else cl.flip(ramp, axis=axis)


def _mean(x, axis):
    return cl.mean(x, axis=axis, keepdims=True)


def _median(x, axis):
    return cl.median(x, axis=axis, keepdims=True)


def _maximum(x, axis):
    return cl.max(x, axis=axis, keepdims=True)


def _minimum(x, axis):
    return cl.min(x, axis=axis, keepdims=True)


_STATISTICS = {"maximum": _maximum, "mean": _mean, "median": _median, "minimum": _minimum}


def _fill_statistics(middle, axis, margins, mode, stat_length, ndim):
    lengths = (None, None)
    if stat_length is not None:
        lengths = _values("stat_length", stat_length, ndim)[axis]
    for side, (margin, positions) in enumerate(margins):
        if positions.size == 0:
            continue
        count = middle.shape[axis] if lengths[side] is None else operator.index(lengths[side])
        if count < 1:
            raise InvalidArgumentError(f"pad: stat_length={count} leaves nothing to compute the {mode} of")
        count = min(count, middle.shape[axis])
        part = slice(count) if side == 0 else slice(middle.shape[axis] - count, None)
        value = _STATISTICS[mode](middle[along(axis, part)], axis)
        if middle.dtype.kind in "iu" and value.dtype.kind == "f":
            value = cl.round(value)
        margin[...] = value
