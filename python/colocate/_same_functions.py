"""Functions that are made anew for each call, such as lambdas, and do what one before did.

What a jit function is compiled for are functions among its arguments, so one that is made again and again would be
compiled for again and again.
"""

import functools
import opcode
import types
import weakref

_STORES = {opcode.opmap[name] for name in ("STORE_DEREF", "DELETE_DEREF")}

#: The functions that stand for others, and those of each code among them that came last.
_known = weakref.WeakSet()
_of_code = weakref.WeakKeyDictionary()

#: Of each code so many functions are looked at.
_MOST = 8


def representative(function):
    """A function that does the same, if one was seen before; else the function itself.

    Examples
    --------
    >>> from colocate._same_functions import representative
    >>> first, second = (lambda x: x + 1 for _ in range(2))
    >>> representative(first) is representative(second)
    True
    """
    if type(function) is not types.FunctionType or function in _known:
        return function
    code = function.__code__
    alike = _of_code.setdefault(code, [])
    for reference in alike:
        known = reference()
        if known is not None and _is_same(known, function):
            return known
    if not _writes_outside(code):
        alike[:] = [reference for reference in alike if reference() is not None][-_MOST + 1 :]
        alike.append(weakref.ref(function))
    _known.add(function)
    return function


@functools.lru_cache(maxsize=1024)
def _writes_outside(code):
    """Whether a function, or one inside it, assigns to variables of its own cells or of functions around it."""
    inner = (one for one in code.co_consts if isinstance(one, types.CodeType))
    free = bool(code.co_freevars)
    return (free and any(one in _STORES for one in code.co_code[::2])) or any(map(_writes_outside, inner))


def _is_same(a, b, inside=()):
    # Functions that refer to one another in a circle are not followed.
    if (a, b) in inside:
        return False
    inside = (*inside, (a, b))
    return (
        a.__code__ is b.__code__
        and a.__globals__ is b.__globals__
        and a.__kwdefaults__ is b.__kwdefaults__
        and not a.__dict__
        and not b.__dict__
        and _are_same(a.__defaults__ or (), b.__defaults__ or (), inside)
        and _are_same(_contents(a), _contents(b), inside)
    )


def _contents(function):
    try:
        return tuple(cell.cell_contents for cell in function.__closure__ or ())
    except ValueError:
        # A cell without contents is like no other.
        return (object(),)


def _are_same(a, b, inside):
    return len(a) == len(b) and all(_is_same_value(one, other, inside) for one, other in zip(a, b, strict=True))


def _is_same_value(a, b, inside):
    if a is b:
        return True
    # Numbers and texts that look alike are; a negative zero does not look like zero.
    if type(a) is not type(b):
        return False
    if type(a) is types.FunctionType:
        return _is_same(a, b, inside)
    return type(a) in (bool, int, float, complex, str) and repr(a) == repr(b)
