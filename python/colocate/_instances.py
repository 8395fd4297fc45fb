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
        self.names = list(names)

    def __call__(self, *_attributes):
        raise TypeError(
            f"a jit function cannot return an object of the class {self.of.__name__}; return its attributes"
        )


class UnknownAttribute:
    """An attribute of a class that jit functions do not take."""

    def __init__(self, of):
        self.of = of


_instances_of = functools.lru_cache(maxsize=None)(Instances)
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
    return bool(of.__flags__ & _HEAP_TYPE) and hasattr(thing, "__dict__") and not isinstance(thing, builtin)


def taken_apart(thing):
    """What a jit function knows an object by, and its attributes; None if it is no object of that kind."""
    if not is_plain(thing):
        return None
    return _apart(thing, 0)


def _apart(thing, depth):
    held = vars(thing)
    return _instances_of(type(thing), tuple(held)), [_given(value, depth) for value in held.values()]


def _given(value, depth):
    """An attribute as a jit function takes it, or what says that it takes none such."""
    if _is_taken(value) or (depth < 4 and is_plain(value)):
        return value
    return _unknown(type(value))


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
    if isinstance(found, functools.cached_property):
        return "property", found.func
    if isinstance(found, staticmethod):
        return "value", found.__func__
    if isinstance(found, types.FunctionType) or hasattr(found, "py_func"):
        return "method", found
    if isinstance(found, (classmethod, types.MemberDescriptorType, types.GetSetDescriptorType)):
        return None
    return "value", found
