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

from importlib import import_module

from colocate import _methods, _native, _sycl, _ufunc_facts, atomic, blas, dparray, exceptions, fft, group, lib, linalg
from colocate import random as random
from colocate.lib.stride_tricks import sliding_window_view

# The parts that hold the functions; what each adds to the namespace is its ``__all__``.
_PARTS = [
    "_array_questions",
    "_comparison",
    "_compiled",
    "_complex_numbers",
    "_creation",
    "_dparray",
    "_dtype_functions",
    "_dtypes",
    "_einsum",
    "_elementwise",
    "_errors",
    "_flat",
    "_float_parts",
    "_floating_errors",
    "_grids",
    "_histograms",
    "_host_iteration",
    "_index_tricks",
    "_io",
    "_jit",
    "_joining",
    "_kernels",
    "_lapack",
    "_matrices",
    "_moments",
    "_namespace",
    "_namespace_info",
    "_numpy_names",
    "_padding",
    "_piecewise",
    "_poly1d",
    "_polynomials",
    "_printing",
    "_products",
    "_profile",
    "_ranges",
    "_rearranging",
    "_rounding",
    "_scope",
    "_sets",
    "_signal",
    "_sorting",
    "_statistics",
    "_stencil",
    "_taking",
    "_window_functions",
]

__all__ = ["atomic", "blas", "dparray", "exceptions", "fft", "group", "lib", "linalg", "random", "sliding_window_view"]

for _part in map(import_module, (f"colocate.{_name}" for _name in _PARTS)):
    globals().update({_name: getattr(_part, _name) for _name in _part.__all__})
    __all__ += _part.__all__
__all__.sort()

# Before the first use of SYCL in the process, whoever makes it: dpctl and dpnp profit, too.
_sycl.prepare_at_import()

_methods.install(_native.Array, globals())
_ufunc_facts.install()
