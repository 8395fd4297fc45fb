"""Functions of other packages that jit functions call as they are, by names of their own.

A compiled function knows what it calls by name, and a ufunc does not say where it can be imported from. So each gets a
name here: what it calls itself, how many operands it takes before places for results, and a number.
"""

_FUNCTIONS = []
_NAMES = {}

#: Whose functions are called and not compiled, besides ufuncs: they look at their arguments in ways of Python's. They
#: do nothing but compute, so that they can be asked with examples.
_PACKAGES = (
    "scipy.fft",
    "scipy.linalg",
    "scipy.ndimage",
    "scipy.signal",
    "scipy.spatial.distance",
    "scipy.special",
)


def is_outside(function):
    """Whether a function that is no ufunc is called as it is."""
    module = getattr(function, "__module__", None) or ""
    return any(module == package or module.startswith(f"{package}.") for package in _PACKAGES)


#: What parameters are called that a function writes to.
_RESULTS = ("out", "output", "distances", "indices")


def _operands_of(function):
    """The position of the first parameter that a function writes to, ``any`` if there is none."""
    import inspect

    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return "any"
    places = (i for i, one in enumerate(parameters) if one.name in _RESULTS and one.kind != one.KEYWORD_ONLY)
    return next(places, "any")


def name_of(function):
    """The name of a function, ``outside.gamma.1.0`` for one; the function is kept from now on.

    Examples
    --------
    >>> import numpy as np
    >>> from colocate._outside_functions import function_named, name_of
    >>> add = np.frompyfunc(lambda a, b: a + b, 2, 1)
    >>> function_named(name_of(add)) is add
    True
    """
    name = _NAMES.get(id(function))
    if name is None:
        own = function.__name__ if function.__name__.isidentifier() else "function"
        operands = getattr(function, "nin", None)
        if operands is None:
            operands = _operands_of(function)
        name = _NAMES[id(function)] = f"outside.{own}.{operands}.{len(_FUNCTIONS)}"
        _FUNCTIONS.append(function)
    return name


def function_named(name):
    """The function that has a name."""
    return _FUNCTIONS[int(name.rpartition(".")[2])]
