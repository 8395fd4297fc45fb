"""Objects of classes of the program's own, arguments of jit functions: taken apart into their attributes."""

import abc
import dataclasses
import enum
import functools
import inspect
import sys
import types

import numpy

from . import _bound_functions, _dataclass_functions, _jit_classes
from ._generated import function_from


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


class Made(Instances):
    """What jit functions know of objects of a class that they make themselves; it makes those that are returned."""

    def __call__(self, *attributes):
        thing = self.of.__new__(self.of)
        for name, value in zip(self.names, attributes, strict=True):
            object.__setattr__(thing, name, value)
        return thing


class MadeForNumba(Made):
    """The same of objects of Numba's classes, which only Numba makes for others."""

    __call__ = Instances.__call__


class UnknownAttribute:
    """An attribute of a class that jit functions do not take."""

    def __init__(self, of):
        self.of = of


_known = {}


def _instances_of(of, names, kind=Instances):
    """The one description of such objects for as long as their class stays as it is."""
    parts = [part for base in of.__mro__[:-1] for part in vars(base).values()]
    key = kind, of, names, tuple(map(id, parts))
    if key not in _known:
        # The parts are kept, so that nothing else gets their numbers.
        _known[key] = kind(of, names), parts
    return _known[key][0]


def made_class(of, names):
    """What a jit function knows objects of a class by that it makes; None if ``__init__`` alone does not make them."""
    if of is types.SimpleNamespace:
        return _instances_of(of, tuple(names), Made)
    if inside := _jit_classes.made_class_for(of):
        return _instances_of(inside, tuple(names), MadeForNumba)
    if type(of) not in (type, abc.ABCMeta) or not of.__flags__ & _HEAP_TYPE:
        return None
    if of.__new__ is not object.__new__ or issubclass(of, (BaseException, numpy.ndarray)):
        return None
    frozen = getattr(of, "__dataclass_params__", None) is not None and of.__dataclass_params__.frozen
    if of.__setattr__ is not object.__setattr__ and not frozen:
        return None
    if hasattr(of, "__getattr__") or of.__getattribute__ is not object.__getattribute__:
        return None
    if any(isinstance(inspect.getattr_static(of, name, None), property) for name in names):
        return None
    return _instances_of(of, tuple(names), Made)


def why_not_made(of):
    """Why jit functions do not make objects of a class; None if it is no class.

    Examples
    --------
    >>> from colocate._instances import why_not_made
    >>> why_not_made(type("Names", (dict,), {}))
    'it derives from dict'
    """
    if not isinstance(of, type):
        return None
    if not of.__flags__ & _HEAP_TYPE:
        return "it is a class of Python's own"
    for base in of.__mro__[1:-1]:
        if not base.__flags__ & _HEAP_TYPE:
            return f"it derives from {base.__name__}"
    if type(of) not in (type, abc.ABCMeta):
        return f"its class is {type(of).__name__}"
    for name in ("__new__", "__setattr__", "__getattr__", "__getattribute__"):
        if getattr(of, name, None) is not getattr(object, name, None):
            return f"it has a `{name}`"
    return "its `__init__` is not known"


def _init_of_dataclass(of):
    """The ``__init__`` of a data class as a function with a text; None if it takes what such a text does not say."""
    names, positional, named, body = {}, [], [], []
    for number, field in enumerate(dataclasses.fields(of)):
        default = None
        if field.default is not dataclasses.MISSING:
            names[f"default_{number}"] = field.default
            default = f"default_{number}"
        elif field.default_factory is not dataclasses.MISSING:
            names[f"factory_{number}"] = field.default_factory
            default = f"factory_{number}()"
        if field.init:
            parameter = field.name if default is None else f"{field.name}={default}"
            (named if field.kw_only else positional).append(parameter)
            body.append(f"self.{field.name} = {field.name}")
        elif default is not None:
            body.append(f"self.{field.name} = {default}")
    if hasattr(of, "__post_init__"):
        if any(kind.name == "_FIELD_INITVAR" for kind in _kinds_of_fields(of)):
            return None
        body.append("self.__post_init__()")
    parameters = ["self", *positional, *(["*", *named] if named else [])]
    lines = [f"def __init__({', '.join(parameters)}):", *(f"    {line}" for line in body or ["pass"])]
    init = function_from("__init__", "\n".join(lines) + "\n", names)
    # What a factory makes is another object each time: the text says so, and what was made of it now does not count.
    init.__defaults__ = init.__kwdefaults__ = None
    return init


def _kinds_of_fields(of):
    return [field._field_type for field in of.__dataclass_fields__.values()]


_inits = {}


def _init_of(of):
    """What makes objects of a class; the function that a data class has been given has no text of its own."""
    init = of.__init__
    own = vars(of).get("__init__")
    written = of.__dict__.get("__dataclass_params__")
    if own is None or written is None or not written.init or _has_text(own):
        return init if isinstance(init, types.FunctionType) else None
    if of not in _inits:
        _inits[of] = _init_of_dataclass(of)
    return _inits[of]


_ORDER = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


def _method_of_dataclass(of, name):
    """A method that a data class has been given, as a function with a text; None if it has none of this name."""
    if not dataclasses.is_dataclass(of):
        return None
    owner = next((base for base in of.__mro__ if "__dataclass_params__" in vars(base)), None)
    own, params = vars(owner).get(name), owner.__dataclass_params__
    written = isinstance(own, types.FunctionType) and not _has_text(own)
    fields = dataclasses.fields(owner)
    # Objects of derived classes are not equal, of which the text would have to ask.
    alone = not owner.__subclasses__()

    def items(of_whom):
        compared = [f"{of_whom}.{field.name}" for field in fields if field.compare]
        return f"({', '.join(compared)}{',' * (len(compared) == 1)})"

    names = {"own": owner}
    if name == "__eq__" and params.eq and written and alone:
        return ("self, other", f"isinstance(other, own) and {items('self')} == {items('other')}", names)
    if name in _ORDER and params.order and written and alone:
        return ("self, other", f"{items('self')} {_ORDER[name]} {items('other')}", names)
    if name == "__repr__" and params.repr and vars(owner).get("__repr__") is not None and of is owner:
        if hasattr(own, "__wrapped__"):
            shown = [f"{field.name}={{self.{field.name}!r}}" for field in fields if field.repr]
            return ("self", f'f"{of.__qualname__}({", ".join(shown)})"', names)
        return None
    given = [field.name for field in fields]
    if name == "__replace__" and all(field.init for field in fields):
        parameters = ", ".join(f"{field}=Unchanged" for field in given)
        taken = [f"{field}=self.{field} if {field} is Unchanged else {field}" for field in given]
        return (f"self, *, {parameters}", f"own({', '.join(taken)})", {"own": of, "Unchanged": Unchanged})
    if name == "_fields_as_dict":
        shown = [f'"{field}": as_dict(self.{field})' for field in given]
        return ("self", f"{{{', '.join(shown)}}}", {"as_dict": _dataclass_functions._as_dict})
    if name == "_fields_as_tuple":
        shown = [f"as_tuple(self.{field}), " for field in given]
        return ("self", f"({''.join(shown)})", {"as_tuple": _dataclass_functions._as_tuple})
    return None


class Unchanged:
    """Stands for a field of which ``dataclasses.replace`` is told nothing."""


_methods = {}


def _written_method(of, name):
    said = _method_of_dataclass(of, name)
    if said is None:
        return None
    parameters, result, names = said
    # The class is asked each time: others may have been derived from it meanwhile.
    if (of, name) not in _methods:
        text = f"def {name}({parameters}):\n    return {result}\n"
        _methods[of, name] = function_from(name, text, names)
    return _methods[of, name]


def _has_text(function):
    return not function.__code__.co_filename.startswith("<")


_unknown = functools.lru_cache(maxsize=None)(UnknownAttribute)
_HEAP_TYPE = 1 << 9
_NUMBERS = (bool, int, float, complex, numpy.number, numpy.bool_)
_LARGEST = 2**63
_GENERATORS = {("numpy.random._generator", "Generator"), ("numpy.random.mtrand", "RandomState")}
_MOST_ITEMS = 1024
_MOST_LOOKED_AT = 64


def is_plain(thing):
    """Whether an object is one of a class that was written in Python and has attributes, no container or number."""
    of = type(thing)
    if of is types.SimpleNamespace:
        return True
    builtin = (*_NUMBERS, str, bytes, list, tuple, dict, set, frozenset, BaseException, numpy.ndarray, type)
    if not of.__flags__ & _HEAP_TYPE or isinstance(thing, builtin):
        return False
    if not hasattr(thing, "__dict__") and not _slots_of(of):
        return False
    # Otherwise the class decides what an attribute is.
    return of.__getattribute__ is object.__getattribute__ and not hasattr(of, "__getattr__")


def is_own_object(thing):
    """Whether it is such an object of a class that the program has written; libraries have meanings of their own.

    Examples
    --------
    >>> import random
    >>> from types import SimpleNamespace
    >>> from colocate._instances import is_own_object
    >>> is_own_object(SimpleNamespace(x=1)), is_own_object(random.Random(1))
    (True, False)
    """
    of = type(thing)
    if of is types.SimpleNamespace:
        return True
    library = of.__module__.partition(".")[0]
    known = library in ("colocate", "numba", "numpy", "scipy") or library in sys.stdlib_module_names
    return not known and not isinstance(thing, enum.Enum) and is_plain(thing)


def attributes_outside(thing):
    """What an object of the program's own and those that it leads to hold, with the names of their classes and its own.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from colocate._instances import attributes_outside
    >>> attributes_outside(SimpleNamespace(x=1, left=SimpleNamespace(x=2, right=None)))[-1]
    ('SimpleNamespace', 'right', None)
    """
    known, waiting, found = {id(thing)}, [thing], {}
    while waiting and len(known) <= _MOST_ITEMS:
        one = waiting.pop()
        for name, value in _attributes_of(one).items():
            # What containers hold may differ.
            kind = id(value) if isinstance(value, (list, tuple, dict, set)) else _kind_of(value)
            found[type(one).__name__, name, kind] = value
            for part in value if type(value) in (list, tuple) else (value,):
                if id(part) not in known and is_own_object(part):
                    known.add(id(part))
                    waiting.append(part)
    return [(of, name, value) for (of, name, _), value in found.items()]


def has_own_call(thing):
    """Whether an object is one with attributes whose class was written by the program and says what a call does."""
    of = type(thing)
    if not isinstance(inspect.getattr_static(of, "__call__", None), types.FunctionType) or not is_plain(thing):
        return False
    own = of.__module__.partition(".")[0] not in ("colocate", "numba", "numpy", "functools", "scipy")
    return own and not hasattr(of, "py_func") and not hasattr(thing, "__wrapped__")


def _slots_of(of):
    """The attributes that objects of a class have room for, in place of a dictionary."""
    members = [
        (name, part)
        for base in reversed(of.__mro__)
        for name, part in vars(base).items()
        if isinstance(part, types.MemberDescriptorType)
    ]
    return [name for name, part in members if inspect.getattr_static(of, name, None) is part]


def _attributes_of(thing):
    held = {name: getattr(thing, name) for name in _slots_of(type(thing)) if hasattr(thing, name)}
    return {**held, **getattr(thing, "__dict__", {})}


def taken_apart(thing, whole=False):
    """What a jit function knows an object by, and its attributes; None if it is no object of that kind.

    Attributes that take long to take apart, and that few functions ask for, are there if ``whole``.
    """
    if is_plain(thing):
        of, held = type(thing), _attributes_of(thing)
    elif parts := _jit_classes.parts_of(thing):
        of, held = parts
    else:
        return None
    what = _instances_of(of, tuple(held))
    given = _given_if_possible if whole else _given
    return what, [given(held[name]) for name in what.names]


def leaves_out(thing, depth=4):
    """Whether an argument is an object, or holds one, that has more attributes if it is taken apart as a whole."""
    if type(thing) in (list, tuple):
        return depth > 0 and any(leaves_out(item, depth - 1) for item in thing[:_MOST_LOOKED_AT])
    if depth == 0 or not is_plain(thing):
        return False
    return any(_is_left_out(value) or leaves_out(value, depth - 1) for value in _attributes_of(thing).values())


def _is_left_out(value):
    return isinstance(_given(value), UnknownAttribute) and not hasattr(value, "__next__")


def unknown(thing):
    """What stands for an attribute that is not taken."""
    return _unknown(type(thing))


def _given(value):
    """An attribute as a jit function takes it, or what says that it takes none such."""
    return value if _is_taken(value) or is_plain(value) or _jit_classes.parts_of(value) else unknown(value)


def holds_objects(thing, depth=4):
    """Whether an argument is, or holds, a list of objects of a class."""
    if isinstance(thing, list) and any(is_plain(item) for item in thing[:_MOST_LOOKED_AT]):
        return True
    return depth > 0 and any(holds_objects(part, depth - 1) for part in _parts_of(thing))


def is_of_several_kinds(things):
    """Whether the items of a list are of several types, or are lists of such items."""
    if type(things) is not list or any(isinstance(item, numpy.ndarray) for item in things):
        return False
    kinds = {type(item) for item in things}
    return len(kinds) > 1 or (kinds == {list} and any(map(is_of_several_kinds, things)))


def holds_ints_among_floats(thing):
    """Whether a list or dictionary holds both ints and floats, also in the lists, tuples and dictionaries in it."""
    found = set()
    waiting, seen = [thing], set()
    while waiting:
        of = waiting.pop()
        if id(of) in seen:
            continue
        seen.add(id(of))
        for item in of.values() if isinstance(of, dict) else of:
            kind = type(item)
            if kind in (int, float):
                found.add(kind)
            elif kind in (list, tuple, dict):
                waiting.append(item)
        if len(found) == 2:
            return True
    return False


def holds_several_kinds(thing, depth=4):
    """Whether an argument is, or holds, such a list."""
    if is_of_several_kinds(thing):
        return True
    return depth > 0 and is_plain(thing) and any(holds_several_kinds(part, depth - 1) for part in _parts_of(thing))


def holds_empty(thing, depth=4):
    """Whether an argument is, or holds, a list or a dictionary without items."""
    if type(thing) in (list, dict) and not thing:
        return True
    return depth > 0 and is_plain(thing) and any(holds_empty(part, depth - 1) for part in _parts_of(thing))


def _parts_of(thing):
    if type(thing) in (list, tuple):
        return thing[:_MOST_LOOKED_AT]
    return _attributes_of(thing).values() if is_plain(thing) else ()


def example_of_all(things):
    """One object like all of a list of a class's; None if there is none such.

    Ints among floats are floats, and items that are None do not count.
    """
    things = [thing for thing in things if thing is not None]
    if not things:
        return None
    of = type(things[0])
    if not is_plain(things[0]) or any(type(thing) is not of for thing in things):
        return None
    held = [_attributes_of(thing) for thing in things]
    example = dict(held[0])
    kinds = {name: _kind_of(value) for name, value in example.items()}
    for attributes in held:
        if attributes.keys() != example.keys():
            return None
        for name, value in attributes.items():
            kind = _kind_of(value)
            if kind == kinds[name] or (kind, kinds[name]) == (int, float):
                continue
            if (kind, kinds[name]) != (float, int):
                return None
            example[name], kinds[name] = value, kind
    # Another object, which is none of those that are being taken apart.
    made = object.__new__(of)
    for name, value in example.items():
        object.__setattr__(made, name, value)
    return made


def _kind_of(value):
    """What is the same for values of one type; functions and the like are alike if they are the same."""
    if value is None or isinstance(value, (str, *_NUMBERS)):
        return type(value)
    if isinstance(value, numpy.ndarray):
        return value.dtype, value.ndim
    if type(value) in (list, tuple):
        return type(value), frozenset(map(_kind_of, value[:_MOST_LOOKED_AT]))
    if type(value) in (dict, set) or is_plain(value):
        return type(value)
    return id(value)


def _given_if_possible(value):
    # What gives its items once would have lost some.
    return unknown(value) if hasattr(value, "__next__") else value


def _is_taken(value):
    if value is None or isinstance(value, (str, numpy.number, numpy.bool_, bool, float, complex, types.FunctionType)):
        return True
    if isinstance(value, int):
        return -_LARGEST <= value < _LARGEST
    # By name: importing NumPy's module takes milliseconds.
    if (type(value).__module__, type(value).__name__) in _GENERATORS:
        return True
    if isinstance(value, numpy.ndarray):
        return value.dtype.kind in "biufc" and value.dtype.itemsize <= 16 and value.dtype.isnative
    if isinstance(value, tuple):
        return all(_is_taken(item) for item in value)
    if isinstance(value, list):
        return all(type(item) is type(value[0]) and isinstance(item, _NUMBERS) for item in value)
    if type(value) is dict:
        # They are looked through at each call.
        return len(value) <= _MOST_ITEMS and _is_uniform(list(value)) and _is_uniform(list(value.values()))
    return hasattr(value, "__sycl_usm_array_interface__")


def _is_uniform(items):
    return all(type(item) is type(items[0]) and type(item) in (bool, int, float, complex, str) for item in items)


def can_be_assigned(what, name):
    """Whether an assignment to an attribute of an object does no more than that."""
    of = what.of if isinstance(what, Instances) else what
    plain = of.__setattr__ in (object.__setattr__, types.SimpleNamespace.__setattr__)
    found = inspect.getattr_static(of, name, None)
    return plain and (isinstance(found, types.MemberDescriptorType) or not hasattr(type(found), "__set__"))


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
        and (of.__dictoffset__ or _slots_of(of))
        and of.__base__.__flags__ & _HEAP_TYPE | (of.__base__ is object)
    )
    if not plain:
        return None
    return _nothing if of.__init__ is object.__init__ else _init_of(of)


def class_attribute(what, name):
    """What a class has under a name: how it is used, and the function or the value; None if jit functions cannot."""
    of = what.of if isinstance(what, Instances) else what
    if not isinstance(of, type):
        return None
    if name == "__class__":
        return "value", of
    if name == "__init__":
        init = _init_of(of)
        return None if init is None else ("method", init)
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
    if name == "<equals itself>":
        return ("value", None) if of.__eq__ is object.__eq__ else None
    if name == "<takes attributes>":
        return ("value", None) if of is types.SimpleNamespace else None
    if name.startswith("<setter>"):
        found = inspect.getattr_static(of, name.removeprefix("<setter>"), None)
        setter = found.fset if isinstance(found, property) else None
        return setter and ("method", setter)
    if name.startswith("<default>"):
        defaults = getattr(of, "_field_defaults", {})
        name = name.removeprefix("<default>")
        return ("value", defaults[name]) if name in defaults else None
    written = _written_method(of, name)
    if written is not None:
        return "method", written
    try:
        found = inspect.getattr_static(of, name)
    except AttributeError:
        return None
    if isinstance(found, property):
        return "property", found.fget
    if isinstance(found, staticmethod):
        return "value", found.__func__
    if isinstance(found, classmethod) and isinstance(found.__func__, types.FunctionType):
        return "value", _bound_functions.of_class(found.__func__, of)
    if isinstance(found, types.FunctionType) or hasattr(found, "py_func"):
        return "method", found
    # Other descriptors say themselves what they give.
    return None if hasattr(type(found), "__get__") else ("value", found)


def base_method(what, function, name):
    """The method that ``super()`` means in a method of a class, or of a derived one, and whose it is; None if none."""
    order = (what.of if isinstance(what, Instances) else what).__mro__

    def has(base):
        return any(part is function for part in vars(base).values()) or _inits.get(base) is function

    place = next((place for place, base in enumerate(order) if has(base)), len(order))
    for base in order[place + 1 :]:
        if base is object:
            break
        if name == "__init__" and name in vars(base):
            init = _init_of(base)
            return None if init is None else (base, init)
        if isinstance(vars(base).get(name), types.FunctionType):
            return base, vars(base)[name]
    return None
