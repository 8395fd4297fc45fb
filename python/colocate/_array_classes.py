"""Which subclasses of NumPy's arrays compute in ways of their own, which a jit function would ignore."""

import weakref

import numpy

#: They differ in where their memory comes from, and in how fields are named.
_LIKE_ARRAYS = {numpy.ndarray, numpy.memmap, numpy.recarray}

#: What a class statement writes by itself, and what only makes new objects.
_HARMLESS = {
    "__annotate__",
    "__annotate_func__",
    "__annotations__",
    "__annotations_cache__",
    "__dict__",
    "__doc__",
    "__firstlineno__",
    "__module__",
    "__new__",
    "__parameters__",
    "__orig_bases__",
    "__qualname__",
    "__slots__",
    "__static_attributes__",
    "__weakref__",
}

_known = weakref.WeakKeyDictionary()


def has_own_rules(cls):
    """Whether a subclass of arrays redefines what arrays do. Methods beside theirs change nothing.

    Examples
    --------
    >>> import numpy as np
    >>> from colocate._array_classes import has_own_rules
    >>> has_own_rules(np.memmap), has_own_rules(np.matrix)
    (False, True)
    """
    known = _known.get(cls)
    if known is None:
        from colocate._dparray import DPArray

        classes = cls.__mro__[: cls.__mro__.index(numpy.ndarray)]
        known = any(_redefines(one) for one in classes if one not in _LIKE_ARRAYS and one is not DPArray)
        _known[cls] = known
    return known


def _redefines(cls):
    names = vars(cls).keys() - _HARMLESS
    return any(hasattr(numpy.ndarray, name) or name.startswith("__") for name in names)
