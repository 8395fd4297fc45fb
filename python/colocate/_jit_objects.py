"""What jit functions do with Python objects that they hold, where no function of Python's own does it."""

import builtins
import collections
import copy
import functools
import importlib
import inspect
import re
import types
import warnings

import numpy


@functools.lru_cache(maxsize=256)
def recursive(function, how, objects, handed_on):
    """A function that calls itself, compiled with the options of the one that calls it, which are bits of a number.

    One of them says that it remembers what it gave. The bits of another number say which strings, tuples and lists of
    strings among its arguments it takes as they come; a text, what the containers are that it hands on as they are.
    """
    from colocate._jit import jit

    made = jit(
        function,
        fastmath=bool(how & 1),
        parallel=bool(how & 2),
        boundscheck=bool(how & 4),
        error_model="python" if how & 8 else "numpy",
    )
    # Its caller was compiled for what it gives, whatever the bools are.
    made._take_as_they_come(objects, handed_on)
    return functools.lru_cache(maxsize=None, typed=True)(made) if how & 16 else made


@functools.cache
def _keywords_class(names):
    # Keywords need not be identifiers, as fields must be.
    made = collections.namedtuple("keywords", names, rename=True)
    made._fields = names
    return made


def keywords(given):
    """Keyword arguments that a function takes by two stars, as it is compiled for their names."""
    return _keywords_class(tuple(given))(*given.values())


def function_of_code(outer, name, line, column, names, values, with_default, defaults):
    """A function inside another one, made of its code, and of what it reads from around it and its defaults."""
    outer = inspect.unwrap(getattr(outer, "py_func", outer))
    code = _code_inside(outer.__code__, name, line, column)
    cells = dict(zip(outer.__code__.co_freevars, outer.__closure__ or (), strict=True))
    cells |= {one: types.CellType(value) for one, value in zip(names, values, strict=True)}
    # What else it reads is itself, or has no value.
    itself, nothing = types.CellType(), types.CellType()
    others = {name: itself, **cells}
    closure = tuple(others.get(one, nothing) for one in code.co_freevars)
    made = itself.cell_contents = types.FunctionType(code, outer.__globals__, name, None, closure)
    given = dict(zip(with_default, defaults, strict=True))
    positional = code.co_varnames[: code.co_argcount]
    made.__defaults__ = tuple(given.pop(one) for one in positional if one in given) or None
    made.__kwdefaults__ = given or None
    made.__module__ = outer.__module__
    return made


def _code_inside(code, name, line, column):
    """The code of the function inside that begins at a place of the text."""
    found = []
    left = [code]
    while left:
        for one in left.pop().co_consts:
            if isinstance(one, types.CodeType):
                left.append(one)
                if one.co_name == name and one.co_firstlineno == line:
                    found.append(one)
    if len(found) > 1:
        # Several lambdas on a line: that whose body is the first one after its beginning.
        places = {_body_of(one): one for one in found}
        found = [places[min(place for place in places if place > (line, column))]]
    if not found:
        raise TypeError(f"the function {name} cannot leave a jit function: its code is not found where its text is")
    return found[0]


def _body_of(code):
    places = [(line, column) for line, _, column, end in code.co_positions() if line and column is not None and end]
    return min(places)


def new_object(of):
    """An object that was not begun yet."""
    return object.__new__(of)


def same(x):
    return x


def bytes_of(letters):
    """Bytes that are written down, each as the letter of its number."""
    return letters.encode("latin-1")


def groups_of(pattern):
    """As many texts as a pattern has groups, for examples."""
    return ("",) * re.compile(pattern).groups


def found(name):
    """A function of a module, by its full name."""
    module, _, name = name.rpartition(".")
    return getattr(importlib.import_module(module), name)


def first_item(x):
    """What going over an object gives, for examples."""
    return next(iter(x))


def is_there(x):
    return x is not None


def copied(x):
    """Another object of the same class with the same attributes."""
    return copy.copy(x)


def deepcopied(x):
    """Another object of the same class, and so is what it holds."""
    return copy.deepcopy(x)


def attribute_of_type(x, name, types):
    """An attribute of an object that was not looked at while the program was compiled.

    Behind a stroke stand the types of what a list holds.
    """
    found = getattr(x, name)
    types, _, of_items = types.partition("/")
    if of_items and isinstance(found, list):
        for item in found:
            if f"|{type(item).__name__}|" not in of_items:
                raise TypeError(f"a {type(item).__name__} is in the list '{name}', where this program expects others")
    kind = "list" if type(found) is collections.deque else type(found).__name__
    if f"|{kind}|" not in types:
        wanted = " or ".join(types.strip("|").split("|"))
        raise TypeError(f"the attribute '{name}' is a {type(found).__name__}, where this program expects a {wanted}")
    return found


def set_of(*items):
    return set(items)


def set_written(*items):
    """A set that is written down with constants: Python has them as a set already, and copies that."""
    return set(constants(items))


def set_gone_over(*items):
    """A set of constants that only a loop goes over: Python takes the constant itself. This has its order."""
    return set(list(frozenset(items)))


def constants(items):
    """The constant that Python's compiler makes: it puts the items into a set twice, which their order shows."""
    return frozenset(list(frozenset(items)))


def list_of(*items):
    return list(items)


def dict_of(*items):
    return dict(zip(items[::2], items[1::2], strict=True))


def dict_from_keys(keys, value):
    return dict.fromkeys(keys, value)


def defaultdict_of(factory):
    """A dictionary of the module ``collections``; the factory is named, since it is no object of the program's."""
    return collections.defaultdict(getattr(builtins, factory))


def defaultdict_giving(value):
    return collections.defaultdict(lambda: value)


def defaultdict_copying(value):
    """A dictionary that gives a copy of a container for what is not there."""
    if value or type(value) is collections.deque:
        return collections.defaultdict(lambda: copy.deepcopy(value))
    if type(value) is collections.defaultdict:
        return collections.defaultdict(value.copy)
    return collections.defaultdict(type(value))


def keywords_wanted(mapping, *names):
    """The values of a dictionary that is passed with two stars to a function which takes these names."""
    for name in names:
        if name not in mapping:
            raise TypeError(f"missing a required argument: '{name}'")
    if len(mapping) != len(names):
        unknown = next(name for name in mapping if name not in names)
        raise TypeError(f"got an unexpected keyword argument '{unknown}'")
    return tuple([mapping[name] for name in names])


def keys(mapping):
    return mapping.keys()


def values(mapping):
    return mapping.values()


def pairs(mapping):
    return mapping.items()


def dicts_joined(*parts):
    """One dictionary of several; later values replace earlier ones."""
    whole = {}
    for part in parts:
        whole.update(part)
    return whole


def values_named(mapping, *names):
    """The values of a dictionary whose names were known while compiling."""
    if tuple(mapping) != names:
        raise TypeError(
            f"this dictionary has the names {', '.join(mapping)}; its values are of several types, and a loop over "
            f"them was compiled for {', '.join(names)}"
        )
    return tuple(mapping.values())


def columns(rows):
    """The columns of rows, as ``zip`` gives them."""
    return zip(*rows, strict=False)


def so_many_columns(rows, count):
    """The same as a tuple, of rows with so many items."""
    found = tuple(zip(*rows, strict=False))
    if len(found) != count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(found)})")
    return found


def complex_warning():
    """What NumPy says where complex numbers are put into an array of real ones."""
    text = "Casting complex values to real discards the imaginary part"
    warnings.warn(text, numpy.exceptions.ComplexWarning, stacklevel=3)


def listed(items):
    return items if isinstance(items, list) else list(items)


def shown(separator, *groups):
    """What ``print`` shows of groups of items."""
    return separator.join(str(_on_host(item)) for items in groups for item in _on_host(items))


def _on_host(x):
    # Where the host does not reach an array's memory, a call is given an array of ours.
    from colocate import Array, asnumpy

    return asnumpy(x) if isinstance(x, Array) else x


def order(keys, descending):
    """The positions of keys in their order."""
    return sorted(range(len(keys)), key=keys.__getitem__, reverse=descending)


def sorted_by(items, keys, descending):
    return [items[position] for position in order(keys, descending)]


def sort_by(items, keys, descending):
    items[:] = sorted_by(items, keys, descending)


def first_by(items, keys, descending):
    extreme = max if descending else min
    return items[extreme(range(len(items)), key=keys.__getitem__)]


def placed(items, positions):
    return [items[position] for position in positions]


def place(items, positions):
    items[:] = placed(items, positions)


def placed_first(items, positions):
    return items[positions[0]]


def class_name(exception):
    return type(exception).__name__


def raised(exception):
    """The text of an exception, as ``str`` gives it."""
    return str(exception)


def array_of_item(items, position):
    """A copy of what is at a position of an array, as an array: texts keep the room that they have there."""
    return items[(*position, ...)].copy()
