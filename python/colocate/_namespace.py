"""Namespaces whose functions are bound to one queue (R6.4)."""

from colocate import _dtypes, _native

# The functions that take `queue=`; a namespace gives its own.
CREATION = ("empty", "zeros", "ones", "full", "asarray", "from_dlpack")


class OffloadNamespace:
    """The array functions bound to one queue for good; made by :func:`offload_to`.

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> xp = cl.offload_to("native:cpu")
    >>> x = xp.asarray(np.ones(3))
    >>> x.queue == xp.get_queue(), x.__array_module__ is xp
    (True, True)
    """

    def __init__(self, queue):
        self._queue = queue
        self.__name__ = f"colocate.offload_to({str(queue.device)!r})"
        for name in CREATION:
            setattr(self, name, self._bound(getattr(_native, name)))
        for name, dtype in _dtypes.ALL.items():
            setattr(self, name, dtype)

    def _bound(self, function):
        def bound(*args, **kwargs):
            for name in ("queue", "device"):
                if kwargs.pop(name, None) is not None:
                    raise TypeError(f"{self.__name__}.{function.__name__} takes no {name}=: its queue is fixed")
            return function(*args, queue=self._queue, **kwargs)._in_namespace(self)

        bound.__name__ = function.__name__
        bound.__doc__ = function.__doc__
        return bound

    def asnumpy(self, x):
        """:func:`colocate.asnumpy`.

        Examples
        --------
        >>> import colocate as cl
        >>> xp = cl.offload_to("native:cpu")
        >>> xp.asnumpy(xp.ones(2))
        array([1., 1.])
        """
        return _native.asnumpy(x)

    def get_queue(self):
        """The queue all functions of the namespace use.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.offload_to("native:cpu").get_queue().backend
        'native'
        """
        return self._queue

    def __repr__(self):
        return f"<namespace {self.__name__}>"


def offload_to(selector):
    """A namespace with the array functions bound to one queue (R6.4).

    Its functions bring NumPy arrays and arrays of any queue over, without a copy where that is
    possible. What they return names the namespace as its ``__array_module__``.

    Examples
    --------
    >>> import colocate as cl
    >>> cpu = cl.offload_to("native:cpu")
    >>> cpu.zeros(3).device == cpu.get_queue().device
    True
    """
    return OffloadNamespace(_native._as_queue(selector))


for _object in (OffloadNamespace, offload_to):
    _object.__module__ = "colocate"
