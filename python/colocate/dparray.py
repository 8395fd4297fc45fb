"""NumPy's namespace with arrays in USM ``shared`` memory: ``from colocate import dparray as np`` (R8.1).

The functions that make arrays make :class:`DPArray`; they take ``queue=`` or ``device=``, beside what NumPy's
take. Everything else is NumPy's own, which gives DPArrays for DPArrays.

>>> from colocate import dparray as np
>>> a = np.ones(3, device="native:cpu")
>>> np.exp(a - 1)
DPArray([1., 1., 1.])
"""

import numpy

from colocate._dparray import DPArray, allocate, moved

__all__ = [
    "DPArray",
    "arange",
    "array",
    "asarray",
    "ascontiguousarray",
    "asfortranarray",
    "copy",
    "diag",
    "empty",
    "empty_like",
    "eye",
    "frombuffer",
    "fromfunction",
    "fromiter",
    "full",
    "full_like",
    "geomspace",
    "identity",
    "linspace",
    "loadtxt",
    "logspace",
    "ones",
    "ones_like",
    "tri",
    "zeros",
    "zeros_like",
]


def __getattr__(name):
    return getattr(numpy, name)


def __dir__():
    return sorted({*__all__, *dir(numpy)})


def _known_as_numpys(function):
    """Inside jit functions it is NumPy's function of the same name."""
    function.__kernel_name__ = f"numpy.{function.__name__}"
    return function


def _placed(made, queue, device):
    """What NumPy made, in shared memory; what is there already stays if nobody asks for another place."""
    if isinstance(made, DPArray) and queue is None and device is None:
        return made
    return moved(made.view(numpy.ndarray), queue, device)


def _creation(name, example):
    """A function of NumPy's whose result is moved to shared memory."""
    original = getattr(numpy, name)

    def function(*args, queue=None, device=None, **kwargs):
        return _placed(original(*args, **kwargs), queue, device)

    call, shown = example
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""As ``numpy.{name}``, in memory of the current queue, or of ``queue=`` or ``device=``.

    Examples
    --------
    >>> from colocate import dparray as np
    >>> np.{call}
    {shown}
    """
    return _known_as_numpys(function)


@_known_as_numpys
def empty(shape, dtype=float, order="C", *, queue=None, device=None):
    """Any elements, as ``numpy.empty``.

    Examples
    --------
    >>> from colocate import dparray as np
    >>> np.empty((2, 3)).shape
    (2, 3)
    """
    return allocate(shape, dtype, order, queue, device)


@_known_as_numpys
def full(shape, fill_value, dtype=None, order="C", *, queue=None, device=None):
    """All elements the same, as ``numpy.full``.

    Examples
    --------
    >>> from colocate import dparray as np
    >>> np.full(2, 7.5)
    DPArray([7.5, 7.5])
    """
    if dtype is None:
        dtype = numpy.asarray(fill_value).dtype
    made = allocate(shape, dtype, order, queue, device)
    made[...] = fill_value
    return made


@_known_as_numpys
def zeros(shape, dtype=float, order="C", *, queue=None, device=None):
    """Zeros, as ``numpy.zeros``.

    Examples
    --------
    >>> from colocate import dparray as np
    >>> np.zeros(2)
    DPArray([0., 0.])
    """
    return full(shape, 0, dtype, order, queue=queue, device=device)


@_known_as_numpys
def ones(shape, dtype=float, order="C", *, queue=None, device=None):
    """Ones, as ``numpy.ones``.

    Examples
    --------
    >>> from colocate import dparray as np
    >>> np.ones(2)
    DPArray([1., 1.])
    """
    return full(shape, 1, dtype, order, queue=queue, device=device)


@_known_as_numpys
def asarray(a, dtype=None, order=None, *, copy=None, queue=None, device=None):
    """A DPArray of what ``numpy.asarray`` takes; what is one already is not copied.

    Examples
    --------
    >>> from colocate import dparray as np
    >>> a = np.asarray([1.0, 2.0])
    >>> np.asarray(a) is a
    True
    """
    if isinstance(a, DPArray) and a.usm is not None and queue is None and device is None:
        fits = (dtype is None or a.dtype == dtype) and order is None
        if fits:
            return a.copy() if copy else a
        return a.astype(a.dtype if dtype is None else dtype, order=order or "K")
    return moved(numpy.asarray(a, dtype=dtype, order=order), queue, device)


arange = _creation("arange", ("arange(3)", "DPArray([0, 1, 2])"))
array = _creation("array", ("array([[1, 2], [3, 4]])", "DPArray([[1, 2],\n             [3, 4]])"))
ascontiguousarray = _creation("ascontiguousarray", ("ascontiguousarray([1, 2])", "DPArray([1, 2])"))
asfortranarray = _creation("asfortranarray", ("asfortranarray([1, 2])", "DPArray([1, 2])"))
copy = _creation("copy", ("copy([1, 2])", "DPArray([1, 2])"))
diag = _creation("diag", ("diag([1, 2])", "DPArray([[1, 0],\n             [0, 2]])"))
empty_like = _creation("empty_like", ("empty_like([1, 2]).shape", "(2,)"))
eye = _creation("eye", ("eye(2)", "DPArray([[1., 0.],\n             [0., 1.]])"))
frombuffer = _creation("frombuffer", ("frombuffer(b'ab', dtype='uint8')", "DPArray([97, 98], dtype=uint8)"))
fromfunction = _creation("fromfunction", ("fromfunction(lambda i: 2 * i, (3,))", "DPArray([0., 2., 4.])"))
fromiter = _creation("fromiter", ("fromiter(range(3), dtype='int64')", "DPArray([0, 1, 2])"))
full_like = _creation("full_like", ("full_like([1, 2], 7)", "DPArray([7, 7])"))
geomspace = _creation("geomspace", ("geomspace(1, 4, 3)", "DPArray([1., 2., 4.])"))
identity = _creation("identity", ("identity(1)", "DPArray([[1.]])"))
linspace = _creation("linspace", ("linspace(0, 1, 3)", "DPArray([0. , 0.5, 1. ])"))
loadtxt = _creation("loadtxt", ("loadtxt(['1 2', '3 4'])", "DPArray([[1., 2.],\n             [3., 4.]])"))
logspace = _creation("logspace", ("logspace(0, 2, 3)", "DPArray([  1.,  10., 100.])"))
ones_like = _creation("ones_like", ("ones_like([5, 6])", "DPArray([1, 1])"))
tri = _creation("tri", ("tri(2)", "DPArray([[1., 0.],\n             [1., 1.]])"))
zeros_like = _creation("zeros_like", ("zeros_like([5, 6])", "DPArray([0, 0])"))
