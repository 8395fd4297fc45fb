"""What NumPy's ufuncs tell of themselves, told of ours."""

import numpy as np

from colocate import _dtypes
from colocate._native import ufunc

_CHARACTERS = frozenset("?bBhHiIlLqQefdFD")


def _numpys(function):
    theirs = getattr(np, function.__name__, None)
    return theirs if isinstance(theirs, np.ufunc) else None


def types(self):
    """What elements are computed to what, in NumPy's characters: ``"dd->d"`` is two float64 to one."""
    theirs = _numpys(self)
    if theirs is not None:
        return [one for one in theirs.types if _CHARACTERS.issuperset(one.replace("->", ""))]
    found = []
    for dtype in _dtypes.ALL.values():
        try:
            found.append(f"{dtype.char * self.nin}->{self.result_dtype(*[dtype] * self.nin).char}")
        except TypeError:
            continue
    return found


def ntypes(self):
    """How many ``types`` there are."""
    return len(types(self))


def identity(self):
    """What changes nothing as an operand, and is the result for no elements; ``None`` if there is no such number."""
    theirs = _numpys(self)
    return None if theirs is None else theirs.identity


def signature(self):
    """``None``: the function is computed element by element."""
    return


def install():
    """Gives the class of functions these properties."""
    for read in (types, ntypes, identity, signature):
        setattr(ufunc, read.__name__, property(read, doc=read.__doc__))
