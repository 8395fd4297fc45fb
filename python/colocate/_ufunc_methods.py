"""``reduce``, ``accumulate``, ``outer``, ``at`` and ``reduceat`` of NumPy's ufuncs, on our arrays.

Sums, products and their like have kernels of their own. For other functions the methods are made of
the function itself: associative ones in a number of steps that grows with the logarithm of the
length, others one element after the other.
"""

import builtins

import numpy

import colocate

_REDUCTIONS = {
    "add": "sum",
    "multiply": "prod",
    "maximum": "max",
    "minimum": "min",
    "logical_and": "all",
    "logical_or": "any",
}
_SCANS = {"add": "cumulative_sum", "multiply": "cumulative_prod"}
_ASSOCIATIVE = frozenset(
    (
        *_REDUCTIONS,
        "bitwise_and",
        "bitwise_or",
        "bitwise_xor",
        "fmax",
        "fmin",
        "gcd",
        "hypot",
        "lcm",
        "logaddexp",
        "logaddexp2",
        "logical_xor",
    )
)
# What many operands come to before they meet the first: a - b - c is a - (b + c).
_JOINED = {"subtract": "add", "divide": "multiply"}


def called(method, ours, inputs, options):
    """A method of one of our ufuncs; NumPy's ufunc of that name says what it does with nothing.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.multiply.reduce(cl.asarray([2, 3, 4])).item()
    24
    """
    ufunc = getattr(numpy, ours.__name__, None)
    if not isinstance(ufunc, numpy.ufunc):
        raise TypeError(f"{ours.__name__}.{method} is not defined")
    return globals()[method](ufunc, ours, inputs, options or {})


def _array(where, x, name="array"):
    if not isinstance(x, colocate.Array):
        colocate._native._check_placement(where, **{name: x})
        raise TypeError(f"{where} needs an array, not {type(x).__name__}")
    return x


def _needs_two_operands(ufunc, method):
    if ufunc.nin != 2 or ufunc.nout != 1:
        raise TypeError(f"numpy.{ufunc.__name__}.{method} is not defined: only for functions of two operands")


def _named(where, inputs, names, options):
    """The arguments by name, wherever they were given; what is left over is refused."""
    given = dict(zip(names, inputs, strict=False))
    for name in names:
        if name in options:
            given[name] = options.pop(name)
    if options or len(inputs) > len(names):
        unknown = ", ".join(options) or "so many arguments"
        raise TypeError(f"{where} on colocate arrays does not take {unknown}")
    out = given.get("out")
    if isinstance(out, tuple):
        (out,) = out
        given["out"] = out
    if out is not None:
        _array(where, out, "out")
    return {name: value for name, value in given.items() if value is not None or name == "axis"}


def _finished(result, out):
    if out is None:
        return result
    out[...] = result
    return out


def _loop_dtype(ours, x, dtype):
    """What a function of two elements computes with, as a dtype of the elements and the result."""
    return numpy.dtype(dtype) if dtype is not None else ours.result_dtype(x.dtype, x.dtype)


def reduce(ufunc, ours, inputs, options):
    """``ufunc.reduce(array, axis=0, dtype=None, out=None, keepdims=False, initial, where)``.

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> np.gcd.reduce(cl.asarray([12, 18, 27])).item()
    3
    """
    _needs_two_operands(ufunc, "reduce")
    where = f"numpy.{ufunc.__name__}.reduce"
    names = ("array", "axis", "dtype", "out", "keepdims", "initial", "where")
    given = _named(where, inputs, names, dict(options))
    x = _array(where, given.pop("array"))
    axis = given.pop("axis", 0)
    out = given.pop("out", None)
    if given.get("where") is True:
        del given["where"]
    function = _REDUCTIONS.get(ufunc.__name__)
    plain = function not in ("max", "min", "all", "any") or "dtype" not in given
    if function in ("all", "any"):
        plain = plain and not {"initial", "where"} & given.keys()
    if function is not None and plain:
        return _finished(getattr(colocate, function)(x, axis=axis, **given), out)
    return _finished(_reduced(ufunc, ours, x, axis, **given), out)


def _reduced(ufunc, ours, x, axis, dtype=None, keepdims=False, initial=None, where=None):
    name = ufunc.__name__
    associative = name in _ASSOCIATIVE
    axes = _axes(x, axis)
    if len(axes) > 1 and not associative:
        raise ValueError(f"reduction operation {name!r} is not reorderable, so at most one axis may be specified")
    loop = _loop_dtype(ours, x, dtype)
    start = ufunc.identity if initial is None else initial
    if start is None and where is not None:
        raise ValueError(f"reduction operation {name!r} has no identity, so a where mask needs initial")
    rest = [axis for axis in range(x.ndim) if axis not in axes]
    shape = tuple(x.shape[axis] for axis in rest)

    def in_rows(a):
        count = -1 if a.size else _length(x, axes)
        return colocate.permute_dims(a, (*axes, *rest)).reshape((count, *shape))

    rows = in_rows(x).astype(loop)
    mask = None if where is None else in_rows(colocate.broadcast_to(where, x.shape))
    if start is not None:
        # As a number of the dtype: -1 is all bits of an unsigned one.
        start = numpy.array(start).astype(loop)[()]
        result = colocate.full(shape, start, dtype=loop, queue=x.queue, usm_type=x.usm_type)
    elif rows.shape[0] == 0:
        raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
    if not associative:
        first = 0
        if start is None:
            result, first = rows[0], 1
        for number in range(first, rows.shape[0]):
            step = ours(result, rows[number])
            result = step if mask is None else colocate.where(mask[number], step, result)
    elif rows.shape[0] > 0:
        if mask is not None:
            # What changes nothing: of functions that have no such number, the first one does not either.
            neutral = start if ufunc.identity is None else numpy.array(ufunc.identity).astype(loop)[()]
            rows = colocate.where(mask, rows, neutral)
        folded = _folded(ours, rows, True)
        result = folded if start is None else ours(result, folded)
    if keepdims:
        result = result.reshape(tuple(1 if axis in axes else n for axis, n in enumerate(x.shape)))
    return result


def _axes(x, axis):
    if axis is None:
        return tuple(range(x.ndim))
    axes = axis if isinstance(axis, tuple) else (axis,)
    if x.ndim == 0 and axes in ((0,), (-1,)):
        return ()
    for one in axes:
        if not -x.ndim <= one < x.ndim:
            raise colocate.AxisError(f"axis {one} is out of bounds for an array of {x.ndim} dimensions")
    axes = tuple(one % x.ndim for one in axes)
    if len(set(axes)) != len(axes):
        raise ValueError("an axis is named twice")
    return axes


def _length(x, axes):
    length = 1
    for axis in axes:
        length *= x.shape[axis]
    return length


def _folded(ours, rows, associative):
    """All rows in one."""
    if not associative:
        result = rows[0]
        for number in range(1, rows.shape[0]):
            result = ours(result, rows[number])
        return result
    left_over = None
    while (count := rows.shape[0]) > 1:
        half = count // 2
        if count % 2:
            last = rows[count - 1]
            left_over = last if left_over is None else ours(last, left_over)
        rows = ours(rows[:half], rows[half : 2 * half])
    return rows[0] if left_over is None else ours(rows[0], left_over)


def accumulate(ufunc, ours, inputs, options):
    """``ufunc.accumulate(array, axis=0, dtype=None, out=None)``.

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> np.maximum.accumulate(cl.asarray([3, 1, 4, 1, 5])).tolist()
    [3, 3, 4, 4, 5]
    """
    _needs_two_operands(ufunc, "accumulate")
    where = f"numpy.{ufunc.__name__}.accumulate"
    given = _named(where, inputs, ("array", "axis", "dtype", "out"), dict(options))
    x = _array(where, given["array"])
    (axis,) = _axes(x, given.get("axis", 0))
    function = _SCANS.get(ufunc.__name__)
    if function is not None:
        options = {"dtype": given["dtype"]} if "dtype" in given else {}
        return _finished(getattr(colocate, function)(x, axis=axis, **options), given.get("out"))
    rows = colocate.moveaxis(x, axis, 0).astype(_loop_dtype(ours, x, given.get("dtype")))
    if ufunc.__name__ in _ASSOCIATIVE:
        distance = 1
        while distance < rows.shape[0]:
            rows = _shifted(ours, rows, distance)
            distance *= 2
    else:
        rows = rows.copy()
        for number in range(1, rows.shape[0]):
            rows[number] = ours(rows[number - 1], rows[number])
    return _finished(colocate.moveaxis(rows, 0, axis), given.get("out"))


def _shifted(ours, rows, distance, keys=None):
    """Each row with the one so far before it; with keys, if they have the same one."""
    joined = ours(rows[:-distance], rows[distance:])
    if keys is not None:
        same = keys[:-distance] == keys[distance:]
        same = same.reshape((-1,) + (1,) * (rows.ndim - 1))
        joined = colocate.where(same, joined, rows[distance:])
    result = rows.copy()
    result[distance:] = joined
    return result


def _last_of_each_run(ours, rows, keys):
    """After it, the last row of each run of equal keys holds all of the run."""
    distance = 1
    while distance < rows.shape[0]:
        rows = _shifted(ours, rows, distance, keys)
        distance *= 2
    return rows


def outer(ufunc, ours, inputs, options):
    """``ufunc.outer(A, B)``.

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> np.add.outer(cl.asarray([1, 2]), cl.asarray([10, 20])).tolist()
    [[11, 21], [12, 22]]
    """
    _needs_two_operands(ufunc, "outer")
    a, b = inputs
    if isinstance(a, colocate.Array) and isinstance(b, colocate.Array):
        a = a.reshape(a.shape + (1,) * b.ndim)
    options = dict(options)
    if isinstance(options.get("out"), tuple):
        (options["out"],) = options["out"]
    return ours(a, b, **options)


def _host_indices(indices):
    return numpy.asarray(colocate.asnumpy(indices) if isinstance(indices, colocate.Array) else indices)


def reduceat(ufunc, ours, inputs, options):
    """``ufunc.reduceat(array, indices, axis=0, dtype=None, out=None)``.

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> np.add.reduceat(cl.asarray([1, 2, 3, 4]), [0, 2]).tolist()
    [3, 7]
    """
    _needs_two_operands(ufunc, "reduceat")
    where = f"numpy.{ufunc.__name__}.reduceat"
    given = _named(where, inputs, ("array", "indices", "axis", "dtype", "out"), dict(options))
    x = _array(where, given["array"])
    (axis,) = _axes(x, given.get("axis", 0))
    starts = _host_indices(given["indices"]).astype(numpy.int64)
    count = x.shape[axis]
    if starts.size and (starts.min() < 0 or starts.max() >= count):
        raise IndexError(f"index out of bounds in {where}: the axis has {count} elements")
    dtype = given.get("dtype")
    if dtype is None and ufunc.__name__ in ("add", "multiply") and x.dtype.kind in "biu" and x.dtype.itemsize < 8:
        dtype = "uint64" if x.dtype.kind == "u" else "int64"
    rows = colocate.moveaxis(x, axis, 0).astype(_loop_dtype(ours, x, dtype))
    if starts.size == 0:
        result = rows[:0]
    elif ufunc.__name__ in _ASSOCIATIVE and (numpy.diff(starts) > 0).all():
        keys = numpy.searchsorted(starts, numpy.arange(count), side="right")
        keys = colocate.asarray(keys, queue=x.queue)
        ends = numpy.append(starts[1:], count) - 1
        result = _last_of_each_run(ours, rows, keys)[ends]
    else:
        stops = numpy.append(starts[1:], count)
        spans = zip(starts.tolist(), stops.tolist(), strict=True)
        parts = [rows[a : builtins.max(a + 1, b)] for a, b in spans]
        associative = ufunc.__name__ in _ASSOCIATIVE
        result = colocate.stack([_folded(ours, part, associative) for part in parts])
    return _finished(colocate.moveaxis(result, 0, axis), given.get("out"))


def at(ufunc, ours, inputs, options):
    """``ufunc.at(a, indices, b=None)``: in place, once for each time an index is named.

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> x = cl.asarray([1, 2, 3])
    >>> np.add.at(x, [0, 0, 2], 10)
    >>> x.tolist()
    [21, 2, 13]
    """
    where = f"numpy.{ufunc.__name__}.at"
    given = _named(where, inputs, ("a", "indices", "b"), dict(options))
    x = _array(where, given["a"])
    positions = colocate.asarray(numpy.arange(x.size).reshape(x.shape), queue=x.queue)[given["indices"]]
    flat = x.reshape(-1)
    keys = positions.reshape(-1)
    if ufunc.nin == 1:
        for chosen, _ in _in_turns(keys):
            flat[chosen] = ours(flat[chosen]).astype(flat.dtype)
    else:
        _combine_at(ufunc, ours, flat, keys, positions.shape, given["b"])
    if flat.ndim != x.ndim or not x.flags.c_contiguous:
        x[...] = flat.reshape(x.shape)


def _in_turns(keys):
    """Keys and their positions, no key twice in a turn: its first time, its second time and so on."""
    host = colocate.asnumpy(keys)
    order = numpy.argsort(host, kind="stable")
    ordered = host[order]
    is_first = numpy.ones(ordered.shape, bool)
    is_first[1:] = ordered[1:] != ordered[:-1]
    begins = numpy.maximum.accumulate(numpy.where(is_first, numpy.arange(ordered.size), 0))
    times = numpy.arange(ordered.size) - begins
    for time in range(times.max() + 1 if times.size else 0):
        positions = colocate.asarray(order[times == time], queue=keys.queue)
        yield keys[positions], positions


def _combine_at(ufunc, ours, flat, keys, shape, b):
    if keys.size == 0:
        return
    # What is computed with, which may be more than the array holds.
    loop = ours(flat[:0], b.reshape(-1)[:0] if isinstance(b, colocate.Array) else b).dtype
    if isinstance(b, colocate.Array):
        values = colocate.broadcast_to(b, shape).reshape(-1).astype(loop)
    else:
        values = colocate.full(shape, b, dtype=loop, queue=flat.queue).reshape(-1)
    name = ufunc.__name__
    joined = _JOINED.get(name, name)
    if joined not in _ASSOCIATIVE or loop != flat.dtype:
        # Each step is rounded to the array's dtype.
        for chosen, positions in _in_turns(keys):
            flat[chosen] = ours(flat[chosen], values[positions]).astype(flat.dtype)
        return
    if joined == "add" and loop == numpy.float64 and flat.size <= 4 * keys.size:
        # One pass over the keys. What none of them names is left alone: -0.0 plus 0.0 is another number.
        sums = colocate.bincount(keys, values, flat.size)
        colocate.copyto(flat, ours(flat, sums), where=colocate.bincount(keys, minlength=flat.size) > 0)
        return
    order = colocate.argsort(keys, stable=True)
    keys, values = keys[order], values[order]
    values = _last_of_each_run(getattr(colocate, joined), values, keys)
    is_last = colocate.ones(keys.shape, dtype="bool", queue=keys.queue)
    is_last[:-1] = keys[1:] != keys[:-1]
    keys, values = keys[is_last], values[is_last]
    flat[keys] = ours(flat[keys], values)
