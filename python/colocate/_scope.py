"""Who chooses the queue: device contexts and package controls (R6.1 to R6.3)."""

from contextvars import ContextVar

from colocate import _native, _numba_programs

__all__ = [
    "QueueManager",
    "device_context",
    "offload_to_device",
]


class _Entry:
    """A ``with`` block that was entered: what it says, and the block around it."""

    __slots__ = ("around", "is_left", "value")

    def __init__(self, value, around):
        self.value = value
        self.around = around
        self.is_left = False


class _Innermost:
    """What the innermost ``with`` block says, in a context variable of its own; ``None`` outside of all.

    Context variables follow threads' and asyncio tasks' own contexts, so no other thread or task
    sees a change. Blocks may be left in another order than they nest, or in another context than
    they were entered, as those of generators are: the innermost that is not left counts.
    """

    def __init__(self, name):
        self.variable = ContextVar(name, default=None)
        self._entry = ContextVar(f"{name}_entry", default=None)

    def enter(self, value):
        entry = _Entry(value, self._entry.get())
        self._become(entry)
        return entry

    def leave(self, entry):
        entry.is_left = True
        entry = self._entry.get()
        while entry is not None and entry.is_left:
            entry = entry.around
        self._become(entry)

    def _become(self, entry):
        self._entry.set(entry)
        self.variable.set(None if entry is None else entry.value)


_current = _Innermost("colocate_current_scope")


class _Scope:
    """A re-entrant context manager that says something inside its block, and yields a queue."""

    def __init__(self, innermost, value, queue):
        self._innermost = innermost
        self._value = value
        self._queue = queue
        self._entries = []

    def __enter__(self):
        self._entries.append(self._innermost.enter(self._value))
        return self._queue

    def __exit__(self, *exc_info):
        self._innermost.leave(self._entries.pop())
        return False


class device_context(_Scope):
    """Makes a queue the current one inside a ``with`` block (R6.2), and yields it.

    Contexts nest, and the innermost counts. Other threads and asyncio tasks are not affected.
    Functions of :func:`jit`, and of Numba's, that are called inside run their parallel regions on
    the queue (R5.2, R5.8).

    Parameters
    ----------
    selector : str, Device or Queue
        Where new arrays go, and jit functions run.
    on_serial : {"error", "offload", "host", "single_task"}
        What happens to a jit function with ``parallel=False`` (R5.4): it is refused with a
        :class:`ParallelConflictError`, it is offloaded all the same, or it runs on the host in one
        thread. ``"single_task"`` is for one item on the device; it is refused where the host is
        not the device.
    cost_model : bool
        Whether a region may stay on the host where that is quicker (R5.11).

    Examples
    --------
    >>> import colocate as cl
    >>> with cl.device_context("native:cpu") as q:
    ...     x = cl.zeros(3)
    >>> x.queue == q
    True
    """

    def __init__(self, selector, *, on_serial="error", cost_model=True):
        scope = _native._DeviceScope(selector, on_serial, cost_model)
        super().__init__(_current, scope, scope.queue)
        _native._use_scope_variable(_current.variable)

    def __enter__(self):
        queue = super().__enter__()
        _numba_programs.enter()
        return queue

    def __exit__(self, *exc_info):
        _numba_programs.leave()
        return super().__exit__(*exc_info)

    def __repr__(self):
        return f"colocate.device_context({self._queue!r})"


class QueueManager:
    """The controls of one package over the queue it uses (R6.3).

    A package makes one and offers its methods as its own functions. Managers of different
    packages do not affect each other. Without a choice of the package's user, the manager follows
    :func:`get_current_queue`.

    Parameters
    ----------
    name : str
        The package's name, for messages.

    Examples
    --------
    >>> import colocate as cl
    >>> manager = cl.QueueManager("pkg")
    >>> q = manager.set_default_queue("native:cpu")
    >>> manager.get_queue() == q
    True
    >>> with manager.current(cl.Queue("native:cpu")) as inner:
    ...     manager.get_queue() == inner
    True
    """

    def __init__(self, name):
        if not isinstance(name, str) or not name:
            raise TypeError(f"a package's name is a string, not {name!r}")
        self.name = name
        self._default = None
        self._chosen = _Innermost(f"colocate_queue_of_{name}")

    def set_default_queue(self, queue):
        """Sets the package's queue for the process and returns it; ``None`` undoes it.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.QueueManager("pkg").set_default_queue("native:cpu").backend
        'native'
        """
        self._default = None if queue is None else _native._as_queue(queue)
        return self._default

    def current(self, selector):
        """A context manager inside of which the package uses another queue.

        Examples
        --------
        >>> import colocate as cl
        >>> manager = cl.QueueManager("pkg")
        >>> with manager.current("native:cpu") as q:
        ...     manager.get_queue() == q
        True
        """
        queue = _native._as_queue(selector)
        return _Scope(self._chosen, queue, queue)

    def get_queue(self):
        """The queue the package should use now.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.QueueManager("pkg").get_queue() == cl.get_current_queue()
        True
        """
        return self._chosen.variable.get() or self._default or _native.get_current_queue()

    def __repr__(self):
        return f"<colocate.QueueManager of {self.name!r}: {self.get_queue()!r}>"


# The name that says what it does to plain loops.
offload_to_device = device_context


for _class in (device_context, QueueManager):
    _class.__module__ = "colocate"
