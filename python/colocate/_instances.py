"""Objects of classes of the program's own, arguments of jit functions: taken apart into their attributes."""

import dataclasses
import functools
import inspect
import linecache
import math
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


def can_be_assigned(what, name):
    """Whether an assignment to an attribute of an object does no more than that."""
    of = what.of if isinstance(what, Instances) else what
    plain = of.__setattr__ in (object.__setattr__, types.SimpleNamespace.__setattr__)
    return plain and not hasattr(type(inspect.getattr_static(of, name, None)), "__set__")


def _nothing(self):
    pass


def initialiser(of):
    """The function that begins an object of a class; None if there is more to it."""
    plain = (
        type(of) is type
        and of.__new__ is object.__new__
        and of.__flags__ & _HEAP_TYPE
        and of.__getattribute__ is object.__getattribute__
        and of.__setattr__ is object.__setattr__
        and not hasattr(of, "__getattr__")
        and not hasattr(of, "__del__")
        and of.__dictoffset__
        and of.__base__.__flags__ & _HEAP_TYPE | (of.__base__ is object)
    )
    if not plain:
        return None
    if dataclasses.is_dataclass(of) and of.__dict__.get("__dataclass_params__") and of.__dataclass_params__.init:
        return _initialiser_of_fields(of, of.__init__)
    begin = of.__init__
    if begin is object.__init__:
        return _nothing
    return begin if isinstance(begin, types.FunctionType) else None


@functools.lru_cache(maxsize=256)
def _initialiser_of_fields(of, begin):
    """What ``dataclass`` makes of the fields of a class, as a function that has a text; None where that cannot be."""
    if hasattr(begin, "__code__") and begin.__code__.co_filename != "<string>":
        # The class has written one itself.
        return begin
    names, keywords, body = [], [], []
    for one in dataclasses.fields(of):
        default = one.default
        has_default = default is not dataclasses.MISSING
        if one.default_factory is not dataclasses.MISSING or (has_default and not _is_literal(default)):
            return None
        if one.init:
            declared = f"{one.name}={default!r}" if has_default else one.name
            (keywords if one.kw_only else names).append(declared)
            body.append(f"    self.{one.name} = {one.name}")
        elif has_default:
            body.append(f"    self.{one.name} = {default!r}")
    if any("InitVar" in str(kind) for base in of.__mro__ for kind in vars(base).get("__annotations__", {}).values()):
        return None
    if hasattr(of, "__post_init__"):
        body.append("    self.__post_init__()")
    parameters = ", ".join(["self", *names, *(["*", *keywords] if keywords else [])])
    text = f"def __init__({parameters}):\n" + "\n".join(body or ["    pass"]) + "\n"
    file = f"<colocate: fields of {of.__module__}.{of.__qualname__} at {id(of)}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    made = {}
    exec(compile(text, file, "exec"), made)
    return made["__init__"]


def _is_literal(value):
    return value is None or type(value) in (bool, int, str) or (type(value) is float and math.isfinite(value))


def class_attribute(what, name):
    """What a class has under a name: how it is used, and the function or the value; None if jit functions cannot."""
    of = what.of if isinstance(what, Instances) else what
    if not isinstance(of, type):
        return None
    if name == "<initialiser>":
        begin = initialiser(of)
        return begin and ("method", begin)
    if name.startswith("<inherited>"):
        # With several bases it depends on the object which class comes next.
        if any(len(base.__bases__) > 1 for base in of.__mro__):
            return None
        of, name = of.__base__, name.removeprefix("<inherited>")
        if name == "__init__":
            begin = initialiser(of) if of is not object else _nothing
            return begin and ("method", begin)
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
