"""Objects of Numba's classes (``jitclass``) in jit functions.

One that is an argument keeps its attributes in memory of Numba's, which converts what is assigned to them; they are
read and assigned there each time. Its methods are compiled from their own text, as methods of a class that stands for
Numba's. One that a jit function makes is an object of a class derived from that one, whose attributes convert what is
assigned to them in the same way; it does not leave the function. Nothing here imports Numba: who has such a class has
done so.
"""

import numpy

from ._generated import function_from

_known = {}


def _refuse(cls, *_args, **_keywords):
    # An object of Numba's is made by Numba, which knows the types of its attributes.
    raise TypeError(f"objects of {cls.__name__} are made by Numba")


def is_jit_class(cls):
    """Whether a class is one that ``jitclass`` made."""
    return type(cls).__name__ == "JitClassType" and type(cls).__module__.startswith("numba.")


def _type_of(thing):
    numba_type = vars(type(thing)).get("_numba_type_")
    is_box = numba_type is not None and type(thing).__base__.__name__ == "Box"
    return numba_type if is_box else None


def class_for(class_type):
    """The class that stands for one of Numba's: it has the methods and properties, but makes no objects."""
    entry = _known.get(id(class_type))
    if entry is None:
        parts = dict(class_type.methods)
        parts |= {name: staticmethod(one) for name, one in class_type.static_methods.items()}
        for name, functions in class_type.jit_props.items():
            found = {kind: one.py_func for kind, one in functions.items()}
            parts[name] = property(found.get("get"), found.get("set"))
        parts |= {"__new__": _refuse}
        entry = _known[id(class_type)] = type(class_type.class_name, (), parts), class_type
    return entry[0]


def made_class_for(cls):
    """The class of the objects that jit functions make of one that stands for Numba's; None for other classes."""
    class_type = next((known for stands, known in _known.values() if stands is cls), None)
    if class_type is None:
        return None
    if cls not in _made:
        parts = {name: _converted(name, numba_type) for name, numba_type in class_type.struct.items()}
        _made[cls] = type(cls.__name__, (cls,), {**parts, "__new__": object.__new__})
    return _made[cls]


_made = {}


def _converted(name, numba_type):
    """An attribute that converts what is assigned to it to its type."""
    kind = str(numba_type)
    if kind in ("bool", "boolean"):
        value = "bool(value)"
    elif kind in ("int64", "uint64"):
        value = "int(value)"
    elif kind == "float64":
        value = "float(value)"
    elif kind == "complex128":
        value = "complex(value)"
    elif kind in ("int8", "int16", "int32", "uint8", "uint16", "uint32", "float32", "complex64"):
        value = f"numpy.{kind}(value).item()"
    else:
        value = "value"
    text = (
        f"def get(self):\n    return self._numba_{name}\n\n\ndef set(self, value):\n    self._numba_{name} = {value}\n"
    )
    names = {"numpy": numpy}
    return property(function_from("get", text, names), function_from("set", text, names))


def parts_of(thing):
    """The class that stands for an object's, and its attributes; None if it is no object of such a class."""
    numba_type = _type_of(thing)
    if numba_type is None:
        return None
    class_type = numba_type.class_type
    return class_for(class_type), {name: getattr(thing, name) for name in class_type.struct}
