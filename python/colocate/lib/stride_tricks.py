"""Views that have an element in several places."""

from colocate import _native
from colocate._errors import InvalidArgumentError
from colocate._native import broadcast_arrays, broadcast_shapes, broadcast_to

__all__ = ["broadcast_arrays", "broadcast_shapes", "broadcast_to", "sliding_window_view"]


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
