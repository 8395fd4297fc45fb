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
    return x


def deepcopy(x):
    if isinstance(x, numpy.ndarray):
        return x.copy()
    if isinstance(x, list):
        return [_itself(item) for item in x]
    return _itself(x)


def _itself(x):
    if x is None or isinstance(x, (int, float, complex, bool, str, numpy.generic)):
        return x
    # Which of several containers inside are the same one is not known: this has no type, so that it is refused.
    return globals()
