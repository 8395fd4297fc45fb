"""What the parameters of NumPy's functions are called."""

import inspect
import itertools

import numpy


def positions(function):
    """The names of the first parameters of a function of NumPy's, which can be given by position or by name.

    Examples
    --------
    >>> from colocate._numpy_parameters import positions
    >>> positions("numpy.cumsum")
    ['a', 'axis', 'dtype', 'out']
    """
    found = numpy
    for part in function.split(".")[1:]:
        found = getattr(found, part)
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return []
    named = itertools.takewhile(lambda one: one.kind is one.POSITIONAL_OR_KEYWORD, parameters)
    return [one.name for one in named]
