"""Objects of Numba's classes (``jitclass``) as arguments of jit functions.

Such an object keeps its attributes in memory of Numba's, which converts what is assigned to them; they are read and
assigned there each time. Its methods are compiled from their own text, as methods of a class that stands for Numba's.
Nothing here imports Numba: who passes such an object has done so.
"""

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


def parts_of(thing):
    """The class that stands for an object's, and its attributes; None if it is no object of such a class."""
    numba_type = _type_of(thing)
    if numba_type is None:
        return None
    class_type = numba_type.class_type
    return class_for(class_type), {name: getattr(thing, name) for name in class_type.struct}
