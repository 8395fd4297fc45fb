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
        return [_inner(item) for item in x]
    if isinstance(x, dict):
        return {key: _inner(value) for key, value in x.items()}
    if isinstance(x, set):
        return x.copy()
    return x


# A function that calls itself would have to be compiled on its own: two more levels are written down.
def _inner(x):
    if isinstance(x, numpy.ndarray):
        return x.copy()
    if isinstance(x, list):
        return [_innermost(item) for item in x]
    if isinstance(x, dict):
        return {key: _innermost(value) for key, value in x.items()}
    return _innermost(x)


def _innermost(x):
    if isinstance(x, (numpy.ndarray, dict, set)):
        return x.copy()
    if isinstance(x, list):
        return [item for item in x]
    return x
