"""New arrays in row-major or column-major order.

The compiled functions make row-major arrays. A column-major one is the transposed view of a row-major one of
the reversed shape.
"""

from colocate import _native
from colocate._arguments import Array, new
from colocate._errors import InvalidArgumentError


def is_column_major(function, order, like=None):
    """Whether an ``order=`` asks for the first axis to vary fastest; ``"A"`` and ``"K"`` ask for what is there."""
    if order == "C" or order is None:
        return False
    if order == "F":
        return True
    if order not in ("A", "K"):
        raise InvalidArgumentError(f"{function}: order={order!r} is none of 'K', 'A', 'C' and 'F'")
    return isinstance(like, Array) and like.flags.f_contiguous and not like.flags.c_contiguous


_row_major_copy = _native.Array.copy


def copied(x, order):
    """A copy in the order that is asked for."""
    if order == "C" or not is_column_major("copy", order, x):
        return _row_major_copy(x)
    return column_major_copy(x)


def column_major_copy(x):
    """A copy whose first axis varies fastest."""
    result = new([x], x.shape[::-1], x.dtype).T
    result[...] = x
    return result


def _reversed(shape):
    return shape[::-1] if isinstance(shape, tuple | list) else shape


def empty(shape, dtype=None, order="C", *, device=None, queue=None, usm_type=None):
    """A new array whose elements are whatever was in its memory.

    Parameters
    ----------
    shape : int or sequence of int
    dtype : optional
        Default: ``float64``.
    order : {"C", "F", "A", "K"}
        ``"F"`` for an array whose first axis varies fastest in memory.
    device, queue : optional
        Where to: a selector string, a :class:`Device` or a :class:`Queue`; default: the current
        queue.
    usm_type : {"device", "shared", "host"}
        Default: ``"device"`` (R2.2).

    Examples
    --------
    >>> import colocate as cl
    >>> cl.empty((2, 3), dtype="complex64", usm_type="host").nbytes
    48
    >>> cl.empty((2, 3), order="F").strides
    (8, 16)
    """
    if order == "C" or not is_column_major("empty", order):
        return _native.empty(shape, dtype, device=device, queue=queue, usm_type=usm_type)
    return _native.empty(_reversed(shape), dtype, device=device, queue=queue, usm_type=usm_type).T


def zeros(shape, dtype=None, order="C", *, device=None, queue=None, usm_type=None):
    """A new array of zeros; the arguments are those of :func:`empty`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.asnumpy(cl.zeros(3))
    array([0., 0., 0.])
    """
    if order == "C" or not is_column_major("zeros", order):
        return _native.zeros(shape, dtype, device=device, queue=queue, usm_type=usm_type)
    return _native.zeros(_reversed(shape), dtype, device=device, queue=queue, usm_type=usm_type).T


def ones(shape, dtype=None, order="C", *, device=None, queue=None, usm_type=None):
    """A new array of ones; the arguments are those of :func:`empty`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.asnumpy(cl.ones(3, dtype=bool))
    array([ True,  True,  True])
    """
    if order == "C" or not is_column_major("ones", order):
        return _native.ones(shape, dtype, device=device, queue=queue, usm_type=usm_type)
    return _native.ones(_reversed(shape), dtype, device=device, queue=queue, usm_type=usm_type).T


def full(shape, fill_value, dtype=None, order="C", *, device=None, queue=None, usm_type=None):
    """A new array whose elements all are ``fill_value``; its dtype is that of the value unless given.

    An array as the value is broadcast, and the result is where that array is unless a place is
    named. The other arguments are those of :func:`empty`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.asnumpy(cl.full((2, 2), 7))
    array([[7, 7],
           [7, 7]])
    """
    x = _native.full(shape, fill_value, dtype, device=device, queue=queue, usm_type=usm_type)
    return x if order == "C" else _ordered("full", x, order)


def eye(N, M=None, k=0, dtype=None, order="C", *, device=None, queue=None, usm_type=None):
    """A matrix with ones on a diagonal and zeros elsewhere.

    Parameters
    ----------
    N, M : int
        Rows and columns; ``M`` is ``N`` unless given.
    k : int
        Which diagonal: 0 the main one, positive ones above it.
    dtype, order, device, queue, usm_type : optional
        As for :func:`empty`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.asnumpy(cl.eye(2, 3, k=1))
    array([[0., 1., 0.],
           [0., 0., 1.]])
    """
    x = _native.eye(N, M, k=k, dtype=dtype, device=device, queue=queue, usm_type=usm_type)
    return x if order == "C" else _ordered("eye", x, order)


def _ordered(function, x, order):
    return column_major_copy(x) if is_column_major(function, order) else x


def empty_like(prototype, dtype=None, order=None, subok=True, shape=None, *, device=None, queue=None, usm_type=None):
    """A new array like another: of its shape and dtype, and in its place, unless given.

    The elements are whatever was in its memory.

    Parameters
    ----------
    prototype : array
    dtype, shape : optional
        Default: those of ``prototype``.
    order : {"C", "F", "A", "K"}, optional
        ``"A"`` and ``"K"`` for the order of ``prototype``. Default: the last axis varies fastest in memory.
    subok
        For NumPy's sake.
    device, queue, usm_type : optional
        Default: where ``prototype`` is.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.ones((2, 3), usm_type="shared")
    >>> y = cl.empty_like(x, dtype="int8")
    >>> y.shape, y.dtype, y.usm_type, y.queue == x.queue
    ((2, 3), dtype('int8'), 'shared', True)
    """
    if order is None or not is_column_major("empty_like", order, prototype):
        return _native.empty_like(prototype, dtype, shape=shape, device=device, queue=queue, usm_type=usm_type)
    shape = _reversed_like(prototype, shape)
    return _native.empty_like(prototype, dtype, shape=shape, device=device, queue=queue, usm_type=usm_type).T


def zeros_like(a, dtype=None, order=None, subok=True, shape=None, *, device=None, queue=None, usm_type=None):
    """Zeros like another array; the arguments are those of :func:`empty_like`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.asnumpy(cl.zeros_like(cl.ones(3)))
    array([0., 0., 0.])
    """
    if order is None or not is_column_major("zeros_like", order, a):
        return _native.zeros_like(a, dtype, shape=shape, device=device, queue=queue, usm_type=usm_type)
    shape = _reversed_like(a, shape)
    return _native.zeros_like(a, dtype, shape=shape, device=device, queue=queue, usm_type=usm_type).T


def ones_like(a, dtype=None, order=None, subok=True, shape=None, *, device=None, queue=None, usm_type=None):
    """Ones like another array; the arguments are those of :func:`empty_like`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.asnumpy(cl.ones_like(cl.zeros(3, dtype="int64")))
    array([1, 1, 1])
    """
    if order is None or not is_column_major("ones_like", order, a):
        return _native.ones_like(a, dtype, shape=shape, device=device, queue=queue, usm_type=usm_type)
    shape = _reversed_like(a, shape)
    return _native.ones_like(a, dtype, shape=shape, device=device, queue=queue, usm_type=usm_type).T


def full_like(a, fill_value, dtype=None, order=None, subok=True, shape=None, *, device=None, queue=None, usm_type=None):
    """An array like another whose elements all are ``fill_value``; the other arguments are those of
    :func:`empty_like`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.asnumpy(cl.full_like(cl.zeros(3), 2.5))
    array([2.5, 2.5, 2.5])
    """
    x = _native.full_like(a, fill_value, dtype, shape=shape, device=device, queue=queue, usm_type=usm_type)
    if order is None or not is_column_major("full_like", order, a):
        return x
    return column_major_copy(x)


def _reversed_like(x, shape):
    return _reversed(x.shape if shape is None else shape)


for _function in (empty, zeros, ones, full, eye, empty_like, zeros_like, ones_like, full_like):
    _function.__module__ = "colocate"


# Kernels and jit functions are told about them by their names: what is written here is none of their programs.
for _function in (empty, zeros, ones, full, eye, empty_like, zeros_like, ones_like, full_like):
    _function.__kernel_name__ = f"colocate.{_function.__name__}"
