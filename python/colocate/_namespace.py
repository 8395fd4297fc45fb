"""Namespaces whose functions are bound to one queue (R6.4)."""

import functools
import inspect
import types

import numpy as np

from colocate import _native
from colocate._namespace_info import NamespaceInfo

__all__ = [
    "OffloadNamespace",
    "offload_to",
]

# What makes arrays of data of any kind brings it over itself.
_TAKE_ANYTHING = frozenset(
    [
        "array",
        "as_array",
        "asanyarray",
        "asarray",
        "asarray_chkfinite",
        "ascontiguousarray",
        "asfortranarray",
        "asnumpy",
        "from_dlpack",
        "frombuffer",
        "fromfile",
        "fromiter",
        "fromstring",
        "load",
        "require",
    ]
)
# What is changed in place stays where it is: a copy would be changed in vain.
_CHANGE_THE_FIRST = frozenset(["copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"])
# These say where things are; they compute nothing.
_NOT_BOUND = frozenset(
    [
        "atomic",
        "barrier",
        "blas",
        "config",
        "device_context",
        "device_func",
        "devices",
        "empty_cache",
        "exceptions",
        "get_coerced_usm_type",
        "get_current_queue",
        "get_execution_queue",
        "get_global_id",
        "get_global_size",
        "get_group_id",
        "get_local_id",
        "get_local_size",
        "get_num_groups",
        "group",
        "is_in_device_context",
        "kernel",
        "lapack",
        "lib",
        "local_array",
        "memory_stats",
        "offload_to",
        "offload_to_device",
        "private_array",
        "profile",
        "queues_equivalent",
        "reset_global_queue",
        "set_global_queue",
    ]
)
_EXTENSIONS = frozenset(["fft", "linalg", "random"])


class OffloadNamespace:
    """The array functions bound to one queue for good; made by :func:`offload_to`.

    It has every array function of ``colocate`` and of its parts ``linalg``, ``fft`` and ``random``.
    NumPy arrays and arrays of any queue among the arguments are brought over, in lists and
    keywords, too; what comes back belongs to the namespace.

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> xp = cl.offload_to("native:cpu")
    >>> x = xp.asarray(np.ones(3))
    >>> x.queue == xp.get_queue(), x.__array_module__ is xp
    (True, True)
    >>> xp.add(x, np.ones(3)).tolist()
    [2.0, 2.0, 2.0]
    """

    def __init__(self, queue, source=None, root=None):
        import colocate

        self._queue = queue
        self._source = source or colocate
        self._root = root or self
        suffix = f".{self._source.__name__.rpartition('.')[2]}" if source else ""
        self.__name__ = f"colocate.offload_to({str(queue.device)!r}){suffix}"

    def get_queue(self):
        """The queue all functions of the namespace use.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.offload_to("native:cpu").get_queue().backend
        'native'
        """
        return self._queue

    def __array_namespace_info__(self):
        """:func:`colocate.__array_namespace_info__` for the namespace's device.

        Examples
        --------
        >>> import colocate as cl
        >>> xp = cl.offload_to("native:cpu")
        >>> xp.__array_namespace_info__().default_device() == xp.get_queue().device
        True
        """
        return NamespaceInfo(self._queue)

    def __getattr__(self, name):
        public = getattr(self._source, "__all__", None) or dir(self._source)
        if name not in public and name not in ("__array_api_version__", "__version__"):
            raise AttributeError(f"{self.__name__} has no attribute {name!r}")
        member = getattr(self._source, name)
        if isinstance(member, types.ModuleType) and name in _EXTENSIONS:
            member = OffloadNamespace(self._queue, member, self._root)
        elif name not in _NOT_BOUND and callable(member) and not isinstance(member, type):
            member = self._bound(name, member)
        setattr(self, name, member)
        return member

    def __dir__(self):
        public = getattr(self._source, "__all__", None) or dir(self._source)
        return sorted({*super().__dir__(), *public})

    def _bound(self, name, function):
        places = _places(function)
        takes_anything, in_place = name in _TAKE_ANYTHING, name in _CHANGE_THE_FIRST
        kept = {"out", next(iter(inspect.signature(function).parameters))} if in_place else {"out"}

        def bound(*args, **kwargs):
            for place in ("queue", "device"):
                self._check_place(name, place, kwargs)
            if not takes_anything:
                stays = args[:1] if in_place else ()
                args = (*stays, *(self._brought(value) for value in args[len(stays) :]))
                kwargs = {key: value if key in kept else self._brought(value) for key, value in kwargs.items()}
            if places:
                kwargs[places] = self._queue
            return self._claimed(function(*args, **kwargs))

        functools.update_wrapper(bound, function, ("__name__", "__qualname__", "__doc__"), ())
        if isinstance(function, _native.ufunc):
            for part in dir(function):
                if not part.startswith("_"):
                    value = getattr(function, part)
                    setattr(bound, part, self._bound(part, value) if callable(value) else value)
        return bound

    def _check_place(self, function, place, kwargs):
        """A place may be named, but only this one."""
        named = kwargs.pop(place, None)
        if named is None:
            return
        queue = _native._as_queue(named)
        same = queue.device == self._queue.device if place == "device" else queue.equivalent(self._queue)
        if not same:
            raise TypeError(f"{self.__name__}.{function} takes no other {place}= than its own: its queue is fixed")

    def _brought(self, value):
        """Arrays on the namespace's queue, wherever they hide."""
        if isinstance(value, _native.Array):
            return value if value.queue == self._queue else _native.asarray(value, queue=self._queue)
        if isinstance(value, list | tuple):
            items = [self._brought(item) for item in value]
            if all(new is old for new, old in zip(items, value, strict=True)):
                return value
            return _rebuilt(value, items)
        if isinstance(value, dict):
            return {key: self._brought(item) for key, item in value.items()}
        if isinstance(value, np.ndarray) or hasattr(value, "__sycl_usm_array_interface__"):
            return _native.asarray(value, queue=self._queue)
        return value

    def _claimed(self, result):
        """Results as those of the namespace."""
        if isinstance(result, _native.Array):
            return result if result.__array_module__ is self._root else result._in_namespace(self._root)
        if isinstance(result, list | tuple):
            return _rebuilt(result, [self._claimed(item) for item in result])
        if isinstance(result, dict):
            return {key: self._claimed(item) for key, item in result.items()}
        return result

    def __repr__(self):
        return f"<namespace {self.__name__}>"


def _places(function):
    """The keyword by which a function takes a queue."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return None
    return next((name for name in ("queue", "device") if name in parameters), None)


def _rebuilt(sequence, items):
    """A sequence of the same type with other items."""
    kind = type(sequence)
    if hasattr(kind, "_fields"):
        return kind(*items)
    return kind(items)


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
