"""Objects of classes of the program's own, arguments of jit functions: taken apart into their attributes."""

import functools
import inspect
import types

import numpy


class Instances:
    """What jit functions know of objects of a class: which attributes they have.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from colocate._instances import taken_apart
    >>> what, attributes = taken_apart(SimpleNamespace(x=1.5, y=2))
    >>> what.names, attributes
    (['x', 'y'], [1.5, 2])
    """

    def __init__(self, of, names):
        self.of = of
        # What the class says of a name counts more than what the object holds under it.
        self.names = [name for name in names if not isinstance(inspect.getattr_static(of, name, None), property)]

    def __call__(self, *_attributes):
        raise TypeError(
            f"a jit function cannot return an object of the class {self.of.__name__}; return its attributes"
        )


class UnknownAttribute:
    """An attribute of a class that jit functions do not take."""

    def __init__(self, of):
        self.of = of


_known = {}


def _instances_of(of, names):
    """The one description of such objects for as long as their class stays as it is."""
    parts = [part for base in of.__mro__[:-1] for part in vars(base).values()]
    key = of, names, tuple(map(id, parts))
    if key not in _known:
        # The parts are kept, so that nothing else gets their numbers.
        _known[key] = Instances(of, names), parts
    return _known[key][0]


_unknown = functools.lru_cache(maxsize=None)(UnknownAttribute)
_HEAP_TYPE = 1 << 9
_NUMBERS = (bool, int, float, complex, numpy.number, numpy.bool_)
_LARGEST = 2**63


def is_plain(thing):
    """Whether an object is one of a class that was written in Python and has attributes, no container or number."""
    of = type(thing)
    if of is types.SimpleNamespace:
        return True
    builtin = (*_NUMBERS, str, bytes, list, tuple, dict, set, frozenset, BaseException, numpy.ndarray, type)
    if not of.__flags__ & _HEAP_TYPE or isinstance(thing, builtin) or not hasattr(thing, "__dict__"):
        return False
    # Otherwise the class decides what an attribute is.
    return of.__getattribute__ is object.__getattribute__ and not hasattr(of, "__getattr__")


def taken_apart(thing):
    """What a jit function knows an object by, and its attributes; None if it is no object of that kind."""
    if not is_plain(thing):
        return None
    held = vars(thing)
    what = _instances_of(type(thing), tuple(held))
    return what, [_given(held[name]) for name in what.names]


def unknown(thing):
    """What stands for an attribute that is not taken."""
    return _unknown(type(thing))


def _given(value):
    """An attribute as a jit function takes it, or what says that it takes none such."""
    return value if _is_taken(value) or is_plain(value) else unknown(value)


def _is_taken(value):
    if value is None or isinstance(value, (str, numpy.number, numpy.bool_, bool, float, complex, types.FunctionType)):
        return True
    if isinstance(value, int):
        return -_LARGEST <= value < _LARGEST
    if isinstance(value, numpy.ndarray):
        return value.dtype.kind in "biufc" and value.dtype.itemsize <= 16 and value.dtype.isnative
    if isinstance(value, tuple):
        return all(_is_taken(item) for item in value)
    if isinstance(value, list):
        return bool(value) and all(type(item) is type(value[0]) and isinstance(item, _NUMBERS) for item in value)
    return hasattr(value, "__sycl_usm_array_interface__")


def class_attribute(what, name):
    """What a class has under a name: how it is used, and the function or the value; None if jit functions cannot."""
    of = what.of if isinstance(what, Instances) else what
    if not isinstance(of, type):
        return None
    try:
        found = inspect.getattr_static(of, name)
    except AttributeError:
        return None
    if isinstance(found, property):
        return "property", found.fget
    if isinstance(found, staticmethod):
        return "value", found.__func__
    if isinstance(found, types.FunctionType) or hasattr(found, "py_func"):
        return "method", found
    # Other descriptors say themselves what they give.
    return None if hasattr(type(found), "__get__") else ("value", found)
