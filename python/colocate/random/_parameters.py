"""Parameters of distributions: what they must be, and the shape that they make together."""

import math
import numbers
import operator

import numpy as np

import colocate as cl
from colocate import _native
from colocate._errors import ExecutionPlacementError, HostDataError, InvalidArgumentError

INT64_MAX = (1 << 63) - 1


class Rule:
    """A condition that holds for every value of a parameter."""

    def __init__(self, text, holds):
        self.text = text
        self.holds = holds


ANY = Rule("a number", None)
NOT_NEGATIVE = Rule("at least 0", lambda x: x >= 0)
POSITIVE = Rule("above 0", lambda x: x > 0)
PROBABILITY = Rule("from 0 to 1", lambda x: (x >= 0) & (x <= 1))
POSITIVE_PROBABILITY = Rule("above 0 and at most 1", lambda x: (x > 0) & (x <= 1))
ABOVE_ONE = Rule("above 1", lambda x: x > 1)
BELOW_ONE = Rule("from 0 to below 1", lambda x: (x >= 0) & (x < 1))
POISSON_MEAN = Rule("from 0 to 9.2e18", lambda x: (x >= 0) & (x <= 9.2e18))
COUNT = Rule("from 0 to 2**53", lambda x: (x >= 0) & (x <= 2**53))
URN = Rule("from 0 to 10**9", lambda x: (x >= 0) & (x <= 10**9))


def is_array(x):
    """Whether it is one of our arrays."""
    return isinstance(x, _native.Array)


def check_place(function, queue, **parameters):
    """Refuses arrays that do not live where the generator draws (R3.1), before anything is drawn."""
    for name, x in parameters.items():
        if is_array(x) and not x.queue.equivalent(queue):
            raise ExecutionPlacementError(
                f"{function}: the generator draws on {queue!r}, but argument '{name}' lives on {x.queue!r}, which is "
                f"not equivalent. Nothing was drawn. Bring it over first:\n"
                f"  {name} = colocate.asarray({name}, queue=rng.queue)\n(rule R3.1)"
            )


def number(function, name, x):
    """A parameter as a Python float, or as the array it is."""
    if type(x) is float or type(x) is int:
        return x
    if is_array(x):
        if x.dtype.kind not in "biuf":
            raise TypeError(f"{function}: {name} has dtype {x.dtype}; a real one is needed")
        return x
    if isinstance(x, (numbers.Real, np.generic)) and np.ndim(x) == 0:
        return float(x)
    raise _refusal(function, name, x)


def _refusal(function, name, x):
    kind = type(x).__module__ + "." + type(x).__qualname__
    return HostDataError(
        f"{function}: argument '{name}' is a {kind}; parameters are numbers or arrays on the generator's queue "
        f"(rule R3.5); bring it over first: {name} = colocate.asarray({name}, device=rng.device)"
    )


def fails(x, holds):
    """Whether a condition fails anywhere."""
    if is_array(x):
        return not bool(cl.all(holds(x)))
    return math.isnan(x) or not holds(x)


def check(function, name, x, rule):
    """Raises unless the rule holds for all values."""
    if rule.holds is not None and fails(x, rule.holds):
        found = "" if is_array(x) else f", not {x!r}"
        raise InvalidArgumentError(f"{function}: {name} must be {rule.text}{found}")


def whole(function, name, x):
    """A parameter that is a whole number: an int, or an array of integers."""
    if is_array(x):
        if x.dtype.kind not in "biu":
            raise TypeError(f"{function}: {name} has dtype {x.dtype}; an integer one is needed")
        return x
    try:
        return operator.index(x)
    except TypeError:
        if isinstance(x, (float, np.floating)):
            if x == math.floor(x):
                return int(x)
            raise InvalidArgumentError(f"{function}: {name} must be a whole number, not {x!r}") from None
        raise _refusal(function, name, x) from None


def shape_of(size):
    """A shape as a tuple."""
    if isinstance(size, tuple):
        return size
    try:
        return (operator.index(size),)
    except TypeError:
        return tuple(operator.index(extent) for extent in size)


def result_shape(function, parameters, size, out=None):
    """The shape of a draw: as asked for, else that of the parameters together."""
    shapes = [x.shape for x in parameters if is_array(x)]
    together = np.broadcast_shapes(*shapes) if shapes else ()
    wanted = shape_of(size) if size is not None else (out.shape if out is not None else together)
    if out is not None and tuple(out.shape) != wanted:
        raise InvalidArgumentError(f"{function}: size is {wanted}, but out has shape {tuple(out.shape)}")
    if shapes:
        try:
            fits = np.broadcast_shapes(together, wanted) == wanted
        except ValueError:
            fits = False
        if not fits:
            raise InvalidArgumentError(
                f"{function}: the parameters have shape {together} together, which cannot be broadcast to {wanted}"
            )
    if any(extent < 0 for extent in wanted):
        raise InvalidArgumentError(f"{function}: negative extents are not allowed in size={wanted}")
    return wanted


def host_values(function, name, x):
    """Values that are few and needed on the host: of an array, or of a list of numbers, as float64."""
    if is_array(x):
        return cl.asnumpy(x).astype(np.float64)
    if isinstance(x, (list, tuple)):
        return np.asarray(x, dtype=np.float64)
    raise _refusal(function, name, x)
