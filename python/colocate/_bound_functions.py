"""Functions with arguments that they were given before, in the language of jit functions: methods of classes, partials.

A jit function knows each of them by one function, however often it is asked for.
"""

import functools
import types

from ._generated import function_from


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


_partials = {}


def plain_function(what):
    """The function that stands for a class method or a partial; None if it is neither.

    Examples
    --------
    >>> from functools import partial
    >>> from colocate._bound_functions import plain_function
    >>> plain_function(partial(max, 3))(2)
    3
    """
    if type(what) is types.MethodType:
        if isinstance(what.__self__, type) and isinstance(what.__func__, types.FunctionType):
            return of_class(what.__func__, what.__self__)
        return None
    if type(what) is not functools.partial:
        return None
    if id(what) not in _partials:
        if len(_partials) > 256:
            _partials.clear()
        made = _with_keywords(what.func, what.args, what.keywords) if what.keywords else None
        # The partial is kept, so that nothing else gets its number.
        _partials[id(what)] = what, made or _with_arguments(what.func, what.args)
    return _partials[id(what)][1]
