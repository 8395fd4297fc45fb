"""Questions about arrays that no element needs to be looked at for."""

import numpy as np

from colocate._arguments import Array, check, one_array

__all__ = [
    "broadcast",
    "common_type",
    "isfortran",
    "isscalar",
    "may_share_memory",
    "shares_memory",
]


def isscalar(element):
    """Whether something is a number, not an array: of Python's or of NumPy's.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.isscalar(3.5), cl.isscalar(cl.ones(()))
    (True, False)
    """
    return np.isscalar(element)


def isfortran(a):
    """Whether the first axis of an array varies fastest in memory, and not the last one as well.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.ones((2, 3))
    >>> cl.isfortran(x), cl.isfortran(x.T)
    (False, True)
    """
    flags = one_array("isfortran", a, "a").flags
    return flags.f_contiguous and not flags.c_contiguous


def common_type(*arrays):
    """The type of floats, or of complex numbers, that holds the elements of all arrays; a scalar type of NumPy's.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.common_type(cl.ones(2, dtype="float32"), cl.ones(2, dtype="int8")).__name__
    'float64'
    """
    return np.common_type(*(np.empty(0, one_array("common_type", x, "arrays").dtype) for x in arrays))


class _Memory:
    """Where an array's elements are, as NumPy is told of memory; it computes with the addresses, and reads nothing."""

    def __init__(self, x):
        described = x.__sycl_usm_array_interface__
        start = described["data"][0] + described.get("offset", 0) * x.itemsize
        self.__array_interface__ = {
            "version": 3,
            "data": (start, True),
            "shape": x.shape,
            "strides": x.strides,
            "typestr": x.dtype.str,
        }


def _memories(a, b):
    arrays = [x for x in (a, b) if isinstance(x, Array) and x.size]
    return [np.asarray(_Memory(x)) for x in arrays]


def shares_memory(a, b, max_work=None):
    """Whether two arrays have an element in common.

    Parameters
    ----------
    a, b : arrays
        Anything else shares no memory with an array.
    max_work : int, optional
        How hard to look, as in NumPy.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.arange(6)
    >>> cl.shares_memory(x[::2], x), cl.shares_memory(x[::2], x[1::2])
    (True, False)
    """
    both = _memories(a, b)
    return len(both) == 2 and np.shares_memory(*both, max_work=max_work)


def may_share_memory(a, b, max_work=0):
    """Whether the memory that two arrays lie in overlaps, even if they have no element in common.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.arange(6)
    >>> cl.may_share_memory(x[::2], x[1::2]), cl.may_share_memory(x[:3], x[3:])
    (True, False)
    """
    both = _memories(a, b)
    return len(both) == 2 and np.may_share_memory(*both, max_work=max_work)


class broadcast:
    """The shape that arrays and scalars have together.

    Parameters
    ----------
    *args : arrays and scalars
        At least one array.

    Attributes
    ----------
    shape : tuple of int
    ndim, nd, size : int
    numiter : int
        How many arguments there are.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.broadcast(cl.ones((3, 1)), cl.ones(4)).shape
    (3, 4)
    """

    def __init__(self, *args):
        check("broadcast", **{f"x{number}": value for number, value in enumerate(args, 1)})
        shapes = [value.shape if isinstance(value, Array) else np.shape(value) for value in args]
        self.shape = np.broadcast_shapes(*shapes)
        self.numiter = len(args)
        self.ndim = self.nd = len(self.shape)
        self.size = int(np.prod(self.shape, dtype=np.int64))

    def __repr__(self):
        return f"<colocate.broadcast to {self.shape}>"


for _object in (isscalar, isfortran, common_type, shares_memory, may_share_memory, broadcast):
    _object.__module__ = "colocate"
