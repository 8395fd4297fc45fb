"""Decompositions on a queue that is named once (R6.5)."""

import functools

from colocate import _native, linalg
from colocate._errors import InvalidArgumentError
from colocate._named_queue import check_on_queue

__all__ = [
    "lapack",
]

_FUNCTIONS = (
    "cholesky",
    "det",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
)


class Lapack:
    """Functions of :mod:`colocate.linalg` bound to a queue; made by :func:`lapack`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.lapack(queue="native:cpu")
    <colocate.lapack on native:cpu:0>
    """

    def __init__(self, queue):
        self.queue = queue
        for name in _FUNCTIONS:
            setattr(self, name, self._bound(name, getattr(linalg, name)))

    def _bound(self, name, function):
        @functools.wraps(function)
        def bound(*args, **kwargs):
            arrays = {f"argument {at}": value for at, value in enumerate(args) if isinstance(value, _native.Array)}
            arrays |= {key: value for key, value in kwargs.items() if isinstance(value, _native.Array)}
            check_on_queue(f"lapack.{name}", self.queue, **arrays)
            return function(*args, **kwargs)

        return bound

    def __repr__(self):
        return f"<colocate.lapack on {self.queue.device}>"


def lapack(*, queue):
    """The decompositions of :mod:`colocate.linalg` for arrays on one queue (R6.5).

    Arrays must live on a queue equivalent to this one; nothing is moved.

    Parameters
    ----------
    queue : queue, device or selector

    Examples
    --------
    >>> import colocate as cl
    >>> q = cl.Queue("native:cpu")
    >>> cl.lapack(queue=q).svdvals(cl.eye(2, queue=q) * 3).tolist()
    [3.0, 3.0]
    """
    if queue is None:
        raise InvalidArgumentError("lapack: queue= names a queue, a device or a selector")
    return Lapack(_native._as_queue(queue))
