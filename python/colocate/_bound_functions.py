"""What is no plain function but stands for one, in the language of jit functions.

Methods of classes and of objects, partials, and what `numpy.vectorize` makes.

A jit function knows each of them by one function, however often it is asked for.
"""

import enum
import functools
import inspect
import sys
import types

import numpy

from ._generated import function_from
from ._numpy_functions import vectorize


def _with_first(function, first):
    return lambda *rest: function(first, *rest)


def _with_first_named(function, first):
    return lambda *rest, **named: function(first, *rest, **named)


def _with_arguments(function, given):
    return lambda *rest, **named: function(*given, *rest, **named)


def _with_keywords(function, given, named):
    values = {f"value_{number}": value for number, value in enumerate(named.values())}
    keywords = ", ".join(f'"{name}": {value}' for name, value in zip(named, values, strict=True))
    text = f"def partial(*rest, **others):\n    return function(*given, *rest, **{{**{{{keywords}}}, **others}})\n"
    return function_from("partial", text, {"function": function, "given": given, **values})


@functools.lru_cache(maxsize=256)
def of_class(function, of):
    """A class method of one class."""
    return _with_first_named(function, of)


_made = {}

_LIBRARIES = ("colocate", "llvmlite", "numba", "numpy", "scipy")

#: Of classes that are written in Python.
_HEAP_TYPE = 1 << 9


def plain_function(what):
    """The function that stands for a method, a partial or one of `numpy.vectorize`; None if it is none of them.

    Examples
    --------
    >>> from functools import partial
    >>> from colocate._bound_functions import plain_function
    >>> plain_function(partial(max, 3))(2)
    3
    """
    if type(what) is types.MethodType:
        if not isinstance(what.__func__, types.FunctionType):
            return None
        if isinstance(what.__self__, type):
            return of_class(what.__func__, what.__self__)
        if isinstance(what.__self__, enum.Enum):
            return of_class(what.__func__, what.__self__)
        return _of_object(what.__func__, what.__self__) if is_of_the_programs_own(what.__self__) else None
    if type(what) is functools.partial:
        return _once(what, _of_partial)
    if type(what) is numpy.vectorize and not what.excluded and what.signature is None:
        return _once(what, _of_vectorize)
    return None


def is_of_the_programs_own(what):
    """Whether something is an object of a class that neither Python nor a package of ours or NumPy's brings along."""
    of = type(what)
    if isinstance(what, (type, types.ModuleType, enum.Enum)) or not of.__flags__ & _HEAP_TYPE:
        return False
    top = of.__module__.partition(".")[0]
    return top not in _LIBRARIES and top not in sys.stdlib_module_names


def getter_of(what, name):
    """The function of a property of an object outside; None if the attribute is none, or its class is a library's."""
    found = inspect.getattr_static(type(what), name, None)
    if type(found) is not property or not isinstance(found.fget, types.FunctionType):
        return None
    return found.fget if is_of_the_programs_own(what) else None


def _of_object(function, of):
    """A method of one object."""
    key = function, id(of)
    if key not in _made:
        if len(_made) > 256:
            _made.clear()
        _made[key] = of, _with_first_named(function, of)
    return _made[key][1]


def _of_partial(what):
    if what.keywords:
        return _with_keywords(what.func, what.args, what.keywords)
    return _with_arguments(what.func, what.args)


def _of_vectorize(what):
    otypes = None if what.otypes is None else tuple(what.otypes)
    return vectorize(what.pyfunc, otypes, cache=what.cache)


def _once(what, make):
    parts = _parts_of(what)
    known = _made.get(id(what))
    # What is in it can be replaced.
    if known is None or len(known[1]) != len(parts) or any(a is not b for a, b in zip(known[1], parts, strict=True)):
        if len(_made) > 256:
            _made.clear()
        # What it is made from is kept, so that nothing else gets its number.
        known = _made[id(what)] = what, parts, make(what)
    return known[2]


def _parts_of(what):
    if type(what) is functools.partial:
        return [what.func, what.args, *(part for pair in what.keywords.items() for part in pair)]
    return [what.pyfunc, what.otypes, what.cache]
