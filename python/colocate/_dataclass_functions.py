"""Functions of the module ``dataclasses``, in the language of jit functions.

The methods that they call are written for each class by ``_instances``.
"""

import numpy as np


def replace(obj, /, **changes):
    return obj.__replace__(**changes)


def asdict(obj):
    return obj._fields_as_dict()


def astuple(obj):
    return obj._fields_as_tuple()


def _as_dict(value):
    if value is None or isinstance(value, (bool, int, float, complex, str, np.generic)):
        return value
    if isinstance(value, np.ndarray):
        return value.copy()
    return value._fields_as_dict()


def _as_tuple(value):
    if value is None or isinstance(value, (bool, int, float, complex, str, np.generic)):
        return value
    if isinstance(value, np.ndarray):
        return value.copy()
    return value._fields_as_tuple()
