"""Heterogeneous computing by one idea: compute goes where the data is.

>>> import colocate as cl, numpy as np
>>> x = cl.asarray(np.arange(4.0), device="native:cpu")
>>> x.queue, x.device, x.usm_type                                           # doctest: +ELLIPSIS
(<colocate.Queue on native:cpu:0: ...>, <colocate.Device native:cpu:0 (...)>, 'device')
>>> cl.get_execution_queue(x, x) == x.queue
True

Arrays carry the queue they live on: a device, a context, and memory of USM type ``device``,
``shared`` or ``host``. :func:`devices` lists what there is; ``colocate doctor`` on the command
line tells why something is missing. Python functions become kernels that run where their arrays
live:

>>> @cl.kernel
... def double(a):
...     i = cl.get_global_id(0)
...     a[i] = 2 * a[i]
>>> double[4](x).wait()
>>> x.tolist()
[0.0, 2.0, 4.0, 6.0]
"""

from colocate import _sycl, atomic, group
from colocate._dtypes import (
    bool,
    complex64,
    complex128,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from colocate._errors import (
    ArrayIndexError,
    BackendError,
    CompileError,
    DeviceNotFoundError,
    DTypeError,
    Error,
    ExecutionPlacementError,
    HostAccessError,
    HostDataError,
    InternalError,
    InvalidArgumentError,
    KernelBoundsError,
    OutOfMemoryError,
    OutsideKernelError,
    PerformanceWarning,
    ReadOnlyError,
)
from colocate._kernels import (
    barrier,
    get_global_id,
    get_global_size,
    get_group_id,
    get_local_id,
    get_local_size,
    get_num_groups,
    local_array,
    private_array,
)
from colocate._namespace import OffloadNamespace, offload_to
from colocate._native import (
    Array,
    Context,
    Device,
    DeviceFunction,
    Event,
    Kernel,
    KernelLauncher,
    NdRange,
    Queue,
    Range,
    __version__,
    asarray,
    asnumpy,
    config,
    device_func,
    devices,
    empty,
    empty_cache,
    from_dlpack,
    full,
    get_coerced_usm_type,
    get_current_queue,
    get_execution_queue,
    is_in_device_context,
    kernel,
    memory_stats,
    ones,
    queues_equivalent,
    reset_global_queue,
    set_global_queue,
    zeros,
)
from colocate._scope import QueueManager, device_context

# Before the first use of SYCL in the process, whoever makes it: dpctl and dpnp profit, too.
_sycl.prepare_at_import()

as_array = asarray
offload_to_device = device_context

__all__ = [
    "Array",
    "ArrayIndexError",
    "BackendError",
    "CompileError",
    "Context",
    "DTypeError",
    "Device",
    "DeviceFunction",
    "DeviceNotFoundError",
    "Error",
    "Event",
    "ExecutionPlacementError",
    "HostAccessError",
    "HostDataError",
    "InternalError",
    "InvalidArgumentError",
    "Kernel",
    "KernelBoundsError",
    "KernelLauncher",
    "NdRange",
    "OffloadNamespace",
    "OutOfMemoryError",
    "OutsideKernelError",
    "PerformanceWarning",
    "Queue",
    "QueueManager",
    "Range",
    "ReadOnlyError",
    "__version__",
    "as_array",
    "asarray",
    "asnumpy",
    "atomic",
    "barrier",
    "bool",
    "complex64",
    "complex128",
    "config",
    "device_context",
    "device_func",
    "devices",
    "empty",
    "empty_cache",
    "float16",
    "float32",
    "float64",
    "from_dlpack",
    "full",
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
    "int8",
    "int16",
    "int32",
    "int64",
    "is_in_device_context",
    "kernel",
    "local_array",
    "memory_stats",
    "offload_to",
    "offload_to_device",
    "ones",
    "private_array",
    "queues_equivalent",
    "reset_global_queue",
    "set_global_queue",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "zeros",
]
