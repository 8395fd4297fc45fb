"""What the arguments of functions that are composed in Python mean.

Each such function first asks here whether its arguments may be used together (R3.1, R3.5, R3.6),
before anything is computed.
"""

import operator

import numpy as np

import colocate as cl
from colocate import _native
from colocate._errors import AxisError, DTypeError, HostDataError, InvalidArgumentError

Array = _native.Array


def check(function, /, **arguments):
    """Refuses arguments that do not live on one queue; at least one of them is an array.

    Lists and tuples are looked into. Scalars have no place (R3.4).
    """
    _native._check_placement(function, **arguments)
    if not any(_holds_array(value) for value in arguments.values()):
        name, value = next(iter(arguments.items()))
        raise no_array(function, name, value)


def _holds_array(value):
    if isinstance(value, list | tuple):
        return any(_holds_array(item) for item in value)
    return isinstance(value, Array)


def no_array(function, name, value):
    """What is said of host data where an array should be (R3.6)."""
    return HostDataError(
        f"{function}: argument {name!r} is a {type(value).__qualname__}, which lives on no queue (rules R3.5 and "
        f"R3.6); bring it over first: {name} = colocate.asarray({name}, device=...)"
    )


def one_array(function, x, name="x"):
    """Refuses anything but an array."""
    if not isinstance(x, Array):
        check(function, **{name: x})
        raise no_array(function, name, x)
    return x


def several_arrays(function, arrays, name="arrays"):
    """The arrays of a sequence, or the rows of one array; at least one."""
    if isinstance(arrays, Array):
        if arrays.ndim == 0:
            raise DTypeError(f"{function}: {name} is a sequence of arrays, not a 0-d array")
        arrays = list(arrays)
    elif isinstance(arrays, list | tuple):
        arrays = list(arrays)
    else:
        check(function, **{name: arrays})
    if not arrays:
        raise InvalidArgumentError(f"{function}: there must be at least one array")
    check(function, **{name: arrays})
    for position, item in enumerate(arrays):
        if not isinstance(item, Array):
            raise no_array(function, f"{name}[{position}]", item)
    return arrays


def beside(x, data, dtype=None):
    """Scalars and lists of them have no place of their own and follow an array (R3.4)."""
    if isinstance(data, Array):
        return data if dtype is None or data.dtype == dtype else data.asarray(dtype=dtype)
    return _native.asarray(data, dtype=dtype, queue=x.queue, usm_type=x.usm_type)


def settled(result, *arguments):
    """A result where results of these arguments belong: on the first array's queue, of the USM type of R3.3."""
    arrays = [x for argument in arguments for x in (argument if isinstance(argument, list | tuple) else [argument])]
    arrays = [x for x in arrays if isinstance(x, Array)]
    usm_type = _native.get_coerced_usm_type(*arrays)
    if result.queue != arrays[0].queue or result.usm_type != usm_type:
        return result.asarray(queue=arrays[0].queue, usm_type=usm_type)
    return result


def stored(function, result, out, casting="same_kind", where=True):
    """The result, or ``out`` with its elements, those where ``where`` is true."""
    if out is None:
        return result
    check(function, out=one_array(function, out, "out"), result=result)
    if out.shape != result.shape:
        raise InvalidArgumentError(f"{function}: out= is of shape {out.shape}, the result of shape {result.shape}")
    if not np.can_cast(result.dtype, out.dtype, casting):
        raise DTypeError(f"{function}: results of {result.dtype} are not converted to out= of {out.dtype}")
    if where is True:
        out[...] = result
    else:
        cl.copyto(out, result, "unsafe", where)
    return out


def two_results(function, halves, operands, by_position, out, where, casting, order, dtype):
    """The results of two ufuncs, or the arrays that take them; both are computed before the first is stored."""
    are_given = [any(one is not None for one in pair) for pair in (by_position, out or (None, None))]
    if are_given == [True, True]:
        raise InvalidArgumentError(f"{function}: give the arrays for the results by position or as out=, not both")
    targets = out if are_given == [False, True] else by_position
    if where is not True:
        check(function, operands=operands, where=where)
    results = tuple(half(*operands, casting=casting, order=order, dtype=dtype) for half in halves)
    # As with other ufuncs, a result may be repeated.
    shapes = [result.shape if target is None else target.shape for result, target in zip(results, targets, strict=True)]
    results = [
        cl.broadcast_to(result, shape) if result.ndim < len(shape) else result
        for result, shape in zip(results, shapes, strict=True)
    ]
    return tuple(
        stored(function, result, target, casting, where) for result, target in zip(results, targets, strict=True)
    )


def new(arrays, shape, dtype):
    """An uninitialised result of some arrays: on the first one's queue, of the USM type of R3.3."""
    usm_type = arrays[0].usm_type if len(arrays) == 1 else _native.get_coerced_usm_type(*arrays)
    return _native.empty_like(arrays[0], dtype, shape=shape, usm_type=usm_type)


def promoted(arrays):
    """The dtype that holds the elements of all."""
    return np.result_type(*[x.dtype for x in arrays])


def axis_number(function, axis, ndim):
    """One axis, counted from the end if negative."""
    index = operator.index(axis)
    if not -ndim <= index < ndim:
        raise AxisError(f"{function}: axis {index} is out of bounds for an array of {ndim} dimensions")
    return index % ndim


def axis_numbers(function, axes, ndim):
    """Several axes: an integer, a sequence of them without repetition, or ``None`` for all."""
    if axes is None:
        return tuple(range(ndim))
    if not isinstance(axes, list | tuple):
        return (axis_number(function, axes, ndim),)
    found = tuple(axis_number(function, axis, ndim) for axis in axes)
    if len(set(found)) != len(found):
        raise InvalidArgumentError(f"{function}: an axis is named twice in {tuple(axes)}")
    return found


def along(axis, item):
    """An index that is ``item`` on one axis and everything on those before and after."""
    return (*(slice(None),) * axis, item)


def host_integers(values):
    """Integers that a computation on the host needs, as a NumPy array; copies those of a device."""
    return np.asarray(_native.asnumpy(values) if isinstance(values, Array) else values)
