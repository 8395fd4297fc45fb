"""Functions of the module ``copy``, in the language of jit functions.

Where a jit function calls one of them, the function of the same name here is compiled in its place.
"""

import numpy


def copy(x):
    if isinstance(x, numpy.ndarray):
        return x.copy()
    if isinstance(x, list):
        return [item for item in x]
    if isinstance(x, (dict, set)):
        return x.copy()
    if _is_immutable(x):
        return x
    return copied_object(x)


def deepcopy(x):
    if isinstance(x, numpy.ndarray):
        return x.copy()
    if isinstance(x, list):
        return [_itself(item) for item in x]
    if _is_immutable(x) and not isinstance(x, (tuple, frozenset)):
        return x
    return deepcopied_object(x)


def _itself(x):
    if _is_immutable(x) and not isinstance(x, (tuple, frozenset)):
        return x
    # Which of several containers inside are the same one is not known.
    return uncopied_object(x)


def _is_immutable(x):
    return x is None or isinstance(x, (int, float, complex, bool, str, bytes, tuple, frozenset, numpy.generic))


def copied_object(x):
    """A copy of an object of a class of the program's own; what is none is refused."""
    raise TypeError("only jit functions call this")


def deepcopied_object(x):
    """The same, with copies of what it holds."""
    raise TypeError("only jit functions call this")


def uncopied_object(x):
    """Refuses to copy anything."""
    raise TypeError("only jit functions call this")


for _function in (copied_object, deepcopied_object, uncopied_object):
    _function.__kernel_name__ = f"colocate.{_function.__name__}"
