"""What is no plain function but stands for one, in the language of jit functions.

Methods of classes and of objects, partials, and what `numpy.vectorize` makes.

A jit function knows each of them by one function, however often it is asked for.
"""

import functools
import types

import numpy

from . import _instances
from ._generated import function_from
from ._numpy_functions import vectorize


def _with_first(function, first):
    return lambda *rest: function(first, *rest)


def _with_first_named(function, first):
    return lambda *rest, **named: function(first, *rest, **named)


def _with_arguments(function, given):
    return lambda *rest: function(*given, *rest)


def _with_keywords(function, given, named):
    values = {f"value_{number}": value for number, value in enumerate(named.values())}
    keywords = ", ".join(f"{name}={value}" for name, value in zip(named, values, strict=True))
    text = f"def partial(*rest):\n    return function(*given, *rest, {keywords})\n"
    return function_from("partial", text, {"function": function, "given": given, **values})


@functools.lru_cache(maxsize=256)
def of_class(function, of):
    """A class method of one class."""
    return _with_first_named(function, of)


_made = {}


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
        return _of_object(what.__func__, what.__self__) if _instances.is_own_object(what.__self__) else None
    if type(what) is functools.partial:
        return _once(what, _of_partial)
    if type(what) is numpy.vectorize and not what.excluded and what.signature is None:
        return _once(what, _of_vectorize)
    return None


def _of_object(function, this):
    # A method is made anew whenever it is asked for.
    known = id(function), id(this)
    return _remembered(known, (function, this), lambda: _with_first_named(function, this))


def _of_partial(what):
    if what.keywords:
        return _with_keywords(what.func, what.args, what.keywords)
    return _with_arguments(what.func, what.args)


def _of_vectorize(what):
    otypes = None if what.otypes is None else tuple(what.otypes)
    return vectorize(what.pyfunc, otypes, cache=what.cache)


def _once(what, make):
    return _remembered(id(what), what, lambda: make(what))


def _remembered(number, what, make):
    if number not in _made:
        if len(_made) > 256:
            _made.clear()
        # What it is made from is kept, so that nothing else gets its number.
        _made[number] = what, make()
    return _made[number][1]
