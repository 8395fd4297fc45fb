"""What exceptions hold whose classes the program has written, found out by making one."""

import types

_HEAP_TYPE = 1 << 9

# What a class may call to make an exception while nobody sees it.
_HARMLESS = frozenset(
    ["super", "str", "repr", "format", "len", "int", "float", "bool", "tuple", "list", "dict", "isinstance", "round"]
)


def is_made_by_class(of):
    """Whether a class of exceptions says how they are made, so that their attributes are not known from the call.

    Examples
    --------
    >>> from colocate._own_exceptions import is_made_by_class
    >>> is_made_by_class(ValueError)
    False
    """
    return any({"__init__", "__new__"} & vars(base).keys() for base in _own(of))


def attribute_by_example(of, given, name):
    """An attribute of an exception that is made of examples, in a tuple of one; None if there is none, or nobody knows.

    Examples
    --------
    >>> from colocate._own_exceptions import attribute_by_example
    >>> attribute_by_example(ValueError, ("a", 1), "args")
    (('a', 1),)
    """
    makers = [part for base in _own(of) for key, part in vars(base).items() if key in ("__init__", "__new__")]
    if not all(isinstance(part, types.FunctionType) and _is_harmless(part) for part in makers):
        return None
    try:
        found = getattr(of(*given), name)
    except Exception:
        return None
    return None if callable(found) else (found,)


def _own(of):
    return [base for base in of.__mro__ if base.__flags__ & _HEAP_TYPE]


def _is_harmless(function):
    """Whether a function names nothing of its module, and nothing of Python's that others see."""
    code, outside = function.__code__, function.__globals__
    builtin = outside.get("__builtins__", {})
    builtin = builtin if isinstance(builtin, dict) else vars(builtin)
    return all(name in _HARMLESS or (name not in builtin and name not in outside) for name in code.co_names)
