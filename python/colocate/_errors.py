"""The exceptions of colocate.

Each inherits from :class:`Error` and from the builtin exception that fits, so that a program may
catch either.
"""

import numpy.exceptions
import numpy.linalg


class Error(Exception):
    """Base of all exceptions of colocate.

    Examples
    --------
    >>> import colocate as cl
    >>> try:
    ...     cl.Device("nowhere:gpu")
    ... except cl.Error as error:
    ...     type(error).__name__
    'DeviceNotFoundError'
    """


class InvalidArgumentError(Error, ValueError):
    """An argument that makes no sense: a bad selector, shape, partition, interface or USM type.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.empty(3, usm_type="fast")
    Traceback (most recent call last):
        ...
    colocate.InvalidArgumentError: usm_type="fast": write "device", "shared" or "host"
    """


class ArrayIndexError(Error, IndexError):
    """An index that does not fit the array, or that cannot be one.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.ones(3)[5]
    Traceback (most recent call last):
        ...
    colocate.ArrayIndexError: index 5 is out of bounds for axis 0 with size 3
    """


class AxisError(Error, numpy.exceptions.AxisError):
    """An axis that the array does not have.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.sum(cl.ones((2, 3)), axis=2)
    Traceback (most recent call last):
        ...
    colocate.AxisError: sum: axis 2 is out of bounds for an array of 2 dimensions
    """


class ReadOnlyError(Error, ValueError):
    """An assignment to an array that may only be read.

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> a = np.zeros(3)
    >>> a.flags.writeable = False
    >>> cl.from_dlpack(a)[0] = 1
    Traceback (most recent call last):
        ...
    colocate.ReadOnlyError: the array is read-only
    """


class DTypeError(Error, TypeError):
    """A dtype that colocate arrays do not have.

    Examples
    --------
    >>> import colocate as cl
    >>> try:
    ...     cl.empty(3, dtype="datetime64[s]")
    ... except cl.DTypeError:
    ...     print("no such dtype")
    no such dtype
    """


class DeviceNotFoundError(Error, LookupError, ValueError):
    """No device fits a selector, or it is none (R1.5); the message lists those that there are.

    Examples
    --------
    >>> import colocate as cl
    >>> try:
    ...     cl.Device("native:cpu:99")
    ... except cl.DeviceNotFoundError as error:
    ...     "native:cpu:0" in str(error)
    True
    """


class ExecutionPlacementError(Error, ValueError):
    """Where to compute cannot be told: arrays on queues that are not equivalent, or none (R3.1).

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.ones(2, queue=cl.Queue("native:cpu"))
    >>> y = cl.ones(2, queue=cl.Queue("native:cpu", in_order=False))
    >>> try:
    ...     cl.get_execution_queue(x, y)
    ... except cl.ExecutionPlacementError as error:
    ...     print(str(error).splitlines()[-2].strip())
    y = colocate.asarray(y, queue=x.queue)
    """


class HostDataError(Error, TypeError):
    """Host data where a device array is needed; the two are not mixed (R3.5).

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> try:
    ...     cl.get_execution_queue(cl.ones(2), np.ones(2))
    ... except TypeError as error:
    ...     type(error) is cl.HostDataError
    True
    """


class HostAccessError(Error, TypeError, BufferError):
    """Device memory that the host cannot read in place, and that is not copied in silence (R2.3).

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> cl.config.strict_host_access = True
    >>> try:
    ...     np.asarray(cl.ones(3, device="native:cpu"))
    ... except cl.HostAccessError as error:
    ...     "colocate.asnumpy" in str(error)
    ... finally:
    ...     cl.config.strict_host_access = False
    True
    """


class OutOfMemoryError(Error, MemoryError):
    """An allocation that cannot succeed; the message has the numbers.

    Examples
    --------
    >>> import colocate as cl
    >>> try:
    ...     cl.empty(2**50, dtype="uint8")
    ... except MemoryError as error:
    ...     str(2**50) in str(error)
    True
    """


class BackendError(Error, RuntimeError):
    """A device's driver or runtime failed; the message says at what, where and how.

    Examples
    --------
    >>> import colocate as cl
    >>> issubclass(cl.BackendError, RuntimeError)
    True
    """


class InternalError(Error, RuntimeError):
    """A bug in colocate itself. The process lives on; please report the message.

    Examples
    --------
    >>> import colocate as cl
    >>> issubclass(cl.InternalError, RuntimeError)
    True
    """


class CompileError(Error, TypeError):
    """A kernel that cannot be compiled: all mistakes, each with its line underlined.

    ``diagnostics`` has them as data: dictionaries with ``code``, ``message``, ``file``, ``line``,
    ``source``, ``notes``, ``help`` and ``page``, the page of the catalogue that explains the code.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def wrong(a):
    ...     a[0] = b
    >>> try:
    ...     wrong(cl.ones(2, device="native:cpu"))
    ... except cl.CompileError as error:
    ...     error.diagnostics[0]["message"], error.diagnostics[0]["line"]
    ('`b` is not defined', 3)
    """

    def __init__(self, message, diagnostics=()):
        super().__init__(message)
        self.diagnostics = list(diagnostics)


class ParallelConflictError(Error, ValueError):
    """A jit function marked ``parallel=False``, called in a device context (R5.4).

    The mark says "serial" and the context says "offload"; ``device_context(..., on_serial=...)``
    decides.

    Examples
    --------
    >>> import colocate as cl
    >>> issubclass(cl.ParallelConflictError, ValueError)
    True
    """


class KernelBoundsError(Error, IndexError):
    """A kernel's access outside an array, found with ``colocate.config.debug`` (R4.7).

    ``kernel``, ``file``, ``line``, ``array``, ``index`` and ``shape`` say what and where.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def shift(a):
    ...     i = cl.get_global_id(0)
    ...     a[i] = a[i + 1]
    >>> cl.config.debug = True
    >>> try:
    ...     shift(cl.ones(4, device="native:cpu"))
    ... except cl.KernelBoundsError as error:
    ...     error.array, error.index, error.shape, error.line
    ... finally:
    ...     cl.config.debug = False
    ('a', (4,), (4,), 4)
    """

    kernel = file = line = array = index = shape = None


class OutsideKernelError(Error, RuntimeError):
    """A function that works only inside kernels, called from Python.

    Examples
    --------
    >>> import colocate as cl
    >>> try:
    ...     cl.get_global_id(0)
    ... except cl.OutsideKernelError as error:
    ...     "inside a kernel" in str(error)
    True
    """


class LinAlgError(Error, numpy.linalg.LinAlgError):
    """A matrix without an inverse or a decomposition: singular, not definite, not square.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.inv(cl.zeros((2, 2), device="native:cpu"))
    Traceback (most recent call last):
        ...
    colocate.LinAlgError: singular matrix
    """


class PerformanceWarning(UserWarning):
    """Something works, but slower than it need (R3.2).

    Examples
    --------
    >>> import colocate as cl
    >>> issubclass(cl.PerformanceWarning, UserWarning)
    True
    """


PUBLIC = (
    Error,
    InvalidArgumentError,
    ArrayIndexError,
    AxisError,
    ReadOnlyError,
    DTypeError,
    DeviceNotFoundError,
    ExecutionPlacementError,
    HostDataError,
    HostAccessError,
    LinAlgError,
    OutOfMemoryError,
    BackendError,
    InternalError,
    CompileError,
    ParallelConflictError,
    KernelBoundsError,
    OutsideKernelError,
    PerformanceWarning,
)

__all__ = [one.__name__ for one in PUBLIC]

# Tracebacks and pickles name the place where users find them.
for _class in PUBLIC:
    _class.__module__ = "colocate"
