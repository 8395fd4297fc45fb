"""Views that have an element in several places."""

from colocate import _native
from colocate._arguments import one_array
from colocate._errors import InvalidArgumentError
from colocate._native import broadcast_arrays, broadcast_shapes, broadcast_to

__all__ = ["as_strided", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "sliding_window_view"]


def as_strided(x, shape=None, strides=None, subok=False, writeable=True):
    """A view of an array's memory with any shape and strides, from the first element on.

    Unlike NumPy's it cannot leave the memory that the array is in: such strides raise ``ValueError``. Where an element
    may be in several places the view is read-only.

    Parameters
    ----------
    x : array
    shape : sequence of int, optional
        Default: that of ``x``.
    strides : sequence of int, optional
        Bytes from one element to the next along each axis. Default: those of ``x``.
    subok
        For NumPy's sake.
    writeable : bool
        Whether the view may be written to, if ``x`` may be.

    Examples
    --------
    >>> import colocate as cl
    >>> from colocate.lib.stride_tricks import as_strided
    >>> x = cl.asarray([1, 2, 3, 4])
    >>> as_strided(x, (3, 2), (8, 8)).tolist()
    [[1, 2], [2, 3], [3, 4]]
    """
    x = one_array("as_strided", x)
    shape = x.shape if shape is None else tuple(shape)
    strides = x.strides if strides is None else tuple(strides)
    if len(shape) != len(strides):
        raise InvalidArgumentError(f"as_strided: {len(shape)} extents do not fit {len(strides)} strides")
    return _native._as_strided(x, shape, strides, bool(writeable))


def sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False):
    """All windows of a shape over an array, as a read-only view.

    Parameters
    ----------
    x : array
    window_shape : int or tuple of int
        How long windows are along each of their axes, which come last.
    axis : int or tuple of int, optional
        Which axes of ``x`` they slide along; default: all.
    subok
        For NumPy's sake.
    writeable : bool
        Only ``False``: windows share elements, so that what is written to one would change others.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.sliding_window_view(cl.asarray([1, 2, 3, 4]), 3).tolist()
    [[1, 2, 3], [2, 3, 4]]
    """
    if writeable:
        raise InvalidArgumentError("sliding_window_view: windows share elements, so they are not written to: copy them")
    return _native.sliding_window_view(x, window_shape, axis)


sliding_window_view.__module__ = "colocate"
