"""Python code for every element, which runs on the host with copies of the elements."""

import numpy as np

from colocate import _native
from colocate._arguments import Array, beside, check, one_array

__all__ = [
    "ndenumerate",
    "vectorize",
]


def ndenumerate(arr):
    """Pairs of an index and the element there, of a copy on the host.

    Examples
    --------
    >>> import colocate as cl
    >>> [(index, int(value)) for index, value in cl.ndenumerate(cl.asarray([[1, 2]]))]
    [((0, 0), 1), ((0, 1), 2)]
    """
    return np.ndenumerate(_native.asnumpy(one_array("ndenumerate", arr, "arr")))


class vectorize:
    """A function that calls a Python function for every element.

    It does so one after the other, on the host, with copies of the elements, and brings the results back to
    where the arguments are. :func:`jit` and :func:`kernel` compile Python functions for where the arrays are.

    Parameters
    ----------
    pyfunc : callable
    otypes, doc, excluded, cache, signature : optional
        As for :class:`numpy.vectorize`.

    Examples
    --------
    >>> import colocate as cl
    >>> double = cl.vectorize(lambda x: 2 * x)
    >>> double(cl.asarray([1, 2])).tolist()
    [2, 4]
    """

    def __init__(self, pyfunc, otypes=None, doc=None, excluded=None, cache=False, signature=None):
        self._function = np.vectorize(pyfunc, otypes, doc, excluded, cache, signature)
        self.pyfunc = pyfunc
        self.__doc__ = self._function.__doc__

    def __call__(self, *args, **kwargs):
        named = {f"x{number}": value for number, value in enumerate(args, 1)} | kwargs
        check("vectorize", **named)
        anchor = next(value for value in named.values() if isinstance(value, Array))
        results = self._function(*map(_on_host, args), **{name: _on_host(value) for name, value in kwargs.items()})
        if isinstance(results, tuple):
            return tuple(beside(anchor, result) for result in results)
        return beside(anchor, results)


def _on_host(value):
    return _native.asnumpy(value) if isinstance(value, Array) else value


for _object in (ndenumerate, vectorize):
    _object.__module__ = "colocate"
