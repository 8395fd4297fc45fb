"""Choices between arrays, and functions applied to parts of arrays."""

import numpy as np

import colocate as cl
from colocate._arguments import Array, axis_number, beside, check, new, one_array, settled
from colocate._errors import DTypeError, InvalidArgumentError

__all__ = [
    "apply_along_axis",
    "apply_over_axes",
    "choose",
    "copyto",
    "piecewise",
    "select",
]


def select(condlist, choicelist, default=0):
    """For each element the choice of the first condition that is true.

    Parameters
    ----------
    condlist : list of bool arrays
        The first that is true decides.
    choicelist : list of arrays or scalars
        One for each condition.
    default : array or scalar
        Where no condition is true.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.arange(5)
    >>> cl.select([x < 2, x > 3], [x, x * 10], -1).tolist()
    [0, 1, -1, -1, 40]
    """
    condlist, choicelist = list(condlist), list(choicelist)
    if len(condlist) != len(choicelist):
        raise InvalidArgumentError(f"select: {len(condlist)} conditions do not fit {len(choicelist)} choices")
    if not condlist:
        raise InvalidArgumentError("select: there must be at least one condition")
    check("select", condlist=condlist, choicelist=choicelist, default=default)
    for position, condition in enumerate(condlist):
        if not isinstance(condition, Array) or condition.dtype != np.bool_:
            raise DTypeError(f"select: condlist[{position}] is no array of bools")
    arrays = [x for x in (*choicelist, default) if isinstance(x, Array)]
    scalars = [x for x in (*choicelist, default) if not isinstance(x, Array)]
    dtype = np.result_type(*[x.dtype for x in arrays], *scalars)
    anchor = next(x for x in (*condlist, *arrays) if isinstance(x, Array))
    result = beside(anchor, default, dtype)
    for condition, choice in zip(condlist[::-1], choicelist[::-1], strict=True):
        result = cl.where(condition, beside(anchor, choice, dtype), result)
    return result


def piecewise(x, condlist, funclist, *args, **kw):
    """A function that is defined by parts.

    Parameters
    ----------
    x : array
        What the functions are of.
    condlist : list of bool arrays, or one, or a bool
        Where each function holds.
    funclist : list of functions or scalars
        For each condition; one more is for where none is true. If several are true, the last counts.
    args, kw
        More arguments of the functions.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.asarray([-2.0, 3.0])
    >>> cl.piecewise(x, [x < 0, x >= 0], [lambda x: -x, lambda x: x * 10]).tolist()
    [2.0, 30.0]
    """
    check("piecewise", x=x, condlist=condlist)
    x = one_array("piecewise", x)
    conditions = [condlist] if _is_one_condition(x, condlist) else list(condlist)
    conditions = [beside(x, condition, "bool") for condition in conditions]
    if len(funclist) == len(conditions) + 1:
        some = conditions[0]
        for condition in conditions[1:]:
            some = some | condition
        conditions.append(~some)
    elif len(funclist) != len(conditions):
        raise InvalidArgumentError(f"piecewise: {len(funclist)} functions do not fit {len(conditions)} conditions")
    result = cl.zeros_like(x)
    for condition, function in zip(conditions, funclist, strict=True):
        if not callable(function):
            result[condition] = function
            continue
        part = x[condition]
        if part.size:
            result[condition] = function(part, *args, **kw)
    return settled(result, x, condlist)


def _is_one_condition(x, condlist):
    if isinstance(condlist, list | tuple):
        # Bools side by side are a condition for the elements, unless there is only one element.
        return bool(condlist) and x.ndim > 0 and not isinstance(condlist[0], list | tuple | Array)
    return not isinstance(condlist, Array) or condlist.ndim <= x.ndim


def choose(a, choices, out=None, mode="raise"):
    """For each element the choice that it names.

    Parameters
    ----------
    a : array of integers
        The number of the choice for each element.
    choices : sequence of arrays or scalars
        They are broadcast.
    out : array, optional
        Takes the result.
    mode : {"raise", "wrap", "clip"}
        What is done with integers that name no choice.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.choose(cl.asarray([1, 0]), [cl.asarray([10, 11]), cl.asarray([20, 21])]).tolist()
    [20, 11]
    """
    choices = list(choices)
    check("choose", a=a, choices=choices, out=out)
    a = one_array("choose", a, "a")
    if a.dtype.kind not in "biu":
        raise DTypeError(f"choose: choices are named by integers, not {a.dtype}")
    if not choices:
        raise InvalidArgumentError("choose: there must be at least one choice")
    count = len(choices)
    a = a.asarray(dtype="int64")
    if mode == "wrap":
        a = a % count
    elif mode == "clip":
        a = cl.clip(a, 0, count - 1)
    elif mode != "raise":
        raise InvalidArgumentError(f"choose: mode={mode!r} is none of 'raise', 'wrap' and 'clip'")
    elif a.size and (int(cl.min(a)) < 0 or int(cl.max(a)) >= count):
        raise InvalidArgumentError(f"choose: an integer names none of {count} choices")
    choices = [beside(a, choice) for choice in choices]
    shape = np.broadcast_shapes(a.shape, *[choice.shape for choice in choices])
    result = cl.broadcast_to(choices[0].asarray(dtype=np.result_type(*[x.dtype for x in choices])), shape)
    result = result.copy() if count == 1 else result
    for number, choice in enumerate(choices[1:], 1):
        result = cl.where(a == number, choice, result)
    if out is None:
        return result
    out[...] = result
    return out


def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """Calls a function with each vector along an axis, and joins what it returns.

    The function is called from Python for each vector; functions that take an axis themselves
    are much quicker.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.apply_along_axis(cl.sum, 1, cl.asarray([[1, 2], [3, 4]])).tolist()
    [3, 7]
    """
    arr = one_array("apply_along_axis", arr, "arr")
    axis = axis_number("apply_along_axis", axis, arr.ndim)
    lines = cl.moveaxis(arr, axis, -1)
    outer = lines.shape[:-1]
    if 0 in outer:
        raise InvalidArgumentError("apply_along_axis: there is no vector to call the function with")
    result = None
    for position in np.ndindex(*outer):
        part = beside(arr, func1d(lines[position], *args, **kwargs))
        if result is None:
            result = new([part], (*outer, *part.shape), part.dtype)
        result[position] = part
    for step in range(result.ndim - len(outer)):
        result = cl.moveaxis(result, len(outer) + step, axis + step)
    return result


def apply_over_axes(func, a, axes):
    """Calls a function such as a sum along one axis after another, keeping them as axes of one
    element.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.apply_over_axes(cl.sum, cl.ones((2, 3, 4)), [0, 2]).tolist()
    [[[8.0], [8.0], [8.0]]]
    """
    a = one_array("apply_over_axes", a, "a")
    for axis in np.atleast_1d(axes).tolist():
        axis = axis_number("apply_over_axes", axis, a.ndim)
        reduced = func(a, axis=axis)
        if reduced.ndim != a.ndim:
            reduced = cl.expand_dims(reduced, axis=axis)
            if reduced.ndim != a.ndim:
                raise InvalidArgumentError("apply_over_axes: the function gives an array of another rank")
        a = reduced
    return a


def copyto(dst, src, casting="same_kind", where=True):
    """Sets the elements of an array to those of another, which is broadcast.

    Parameters
    ----------
    dst : array
        What is changed.
    src : array, scalar or list of scalars
        What to.
    casting : str
        Which conversions are allowed, as in NumPy.
    where : bool array, optional
        Elements where it is false are left as they are.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.zeros(3)
    >>> cl.copyto(x, 5, where=cl.asarray([True, False, True]))
    >>> x.tolist()
    [5.0, 0.0, 5.0]
    """
    check("copyto", dst=dst, src=src, where=where)
    dst = one_array("copyto", dst, "dst")
    src = beside(dst, src) if isinstance(src, list | tuple) else src
    _check_conversion(src, dst.dtype, casting)
    if where is True:
        dst[...] = src
        return
    where = beside(dst, where)
    if where.dtype != np.bool_:
        raise DTypeError(f"copyto: where is an array of bools, not of {where.dtype}")
    dst[...] = cl.where(where, beside(dst, src, dst.dtype), dst)


def _check_conversion(src, dtype, casting):
    """Refuses what NumPy does not convert under a rule; numbers of Python's need a dtype of their kind only."""
    if type(src) in (int, float, complex) and casting != "unsafe":
        source, allowed = type(src).__name__, np.result_type(dtype, src) == dtype
    else:
        source = src.dtype if isinstance(src, Array) else np.asarray(src).dtype
        allowed = np.can_cast(source, dtype, casting)
    if not allowed:
        raise DTypeError(f"copyto: {source} is not converted to {dtype} under casting={casting!r}")
