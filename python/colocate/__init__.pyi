# What type checkers and editors know of colocate: most of it is compiled, and carries no types of its own.
#
# colocate.bool is NumPy's, so the builtin is called _bool here. Names with an underscore, and the
# aliases Place, UsmType and DTypeLike, exist for type checkers only: import them under TYPE_CHECKING.

import os
from builtins import bool as _bool
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from types import EllipsisType, ModuleType, NotImplementedType
from typing import (
    Any,
    ClassVar,
    Final,
    Literal,
    Never,
    Protocol,
    SupportsIndex,
    TypeAlias,
    TypeVar,
    final,
    overload,
    type_check_only,
)

import numpy
import numpy.linalg
import numpy.typing
from typing_extensions import CapsuleType

from colocate import atomic as atomic
from colocate import blas as blas
from colocate import dparray as dparray
from colocate import exceptions as exceptions
from colocate import fft as fft
from colocate import group as group
from colocate import lib as lib
from colocate import linalg as linalg
from colocate import random as random
from colocate._array_questions import *  # noqa: F403
from colocate._comparison import *  # noqa: F403
from colocate._complex_numbers import *  # noqa: F403
from colocate._creation import *  # noqa: F403
from colocate._dparray import *  # noqa: F403
from colocate._dtype_functions import *  # noqa: F403
from colocate._einsum import *  # noqa: F403
from colocate._elementwise import *  # noqa: F403
from colocate._floating_errors import *  # noqa: F403
from colocate._grids import *  # noqa: F403
from colocate._histograms import *  # noqa: F403
from colocate._host_iteration import *  # noqa: F403
from colocate._index_tricks import *  # noqa: F403
from colocate._io import *  # noqa: F403
from colocate._jit import *  # noqa: F403
from colocate._joining import *  # noqa: F403
from colocate._lapack import *  # noqa: F403
from colocate._matrices import *  # noqa: F403
from colocate._namespace_info import *  # noqa: F403
from colocate._namespace_info import __array_api_version__ as __array_api_version__
from colocate._namespace_info import __array_namespace_info__ as __array_namespace_info__
from colocate._padding import *  # noqa: F403
from colocate._piecewise import *  # noqa: F403
from colocate._poly1d import *  # noqa: F403
from colocate._polynomials import *  # noqa: F403
from colocate._printing import *  # noqa: F403
from colocate._products import *  # noqa: F403
from colocate._ranges import *  # noqa: F403
from colocate._rearranging import *  # noqa: F403
from colocate._sets import *  # noqa: F403
from colocate._signal import *  # noqa: F403
from colocate._sorting import *  # noqa: F403
from colocate._statistics import *  # noqa: F403
from colocate._stencil import *  # noqa: F403
from colocate._window_functions import *  # noqa: F403

__all__ = [
    "Array",
    "ArrayFile",
    "ArrayFlags",
    "ArrayIndexError",
    "AxisError",
    "BackendError",
    "CompileError",
    "Context",
    "DPArray",
    "DTypeError",
    "Device",
    "DeviceFunction",
    "DeviceNotFoundError",
    "Error",
    "Event",
    "ExecutionPlacementError",
    "FlatElements",
    "HostAccessError",
    "HostDataError",
    "InternalError",
    "InvalidArgumentError",
    "JitFunction",
    "Kernel",
    "KernelBoundsError",
    "KernelLauncher",
    "LinAlgError",
    "NamespaceInfo",
    "NdRange",
    "OffloadNamespace",
    "OutOfMemoryError",
    "OutsideKernelError",
    "ParallelConflictError",
    "PerformanceWarning",
    "Queue",
    "QueueManager",
    "Range",
    "ReadOnlyError",
    "StencilFunction",
    "TypedJitFunction",
    "__array_api_version__",
    "__array_namespace_info__",
    "__version__",
    "abs",
    "absolute",
    "acos",
    "acosh",
    "add",
    "allclose",
    "angle",
    "append",
    "apply_along_axis",
    "apply_over_axes",
    "arange",
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctan2",
    "arctanh",
    "argpartition",
    "argsort",
    "argwhere",
    "around",
    "array",
    "array2string",
    "array_equal",
    "array_equiv",
    "array_repr",
    "array_split",
    "array_str",
    "as_array",
    "asanyarray",
    "asarray",
    "asarray_chkfinite",
    "ascontiguousarray",
    "asfortranarray",
    "asin",
    "asinh",
    "asnumpy",
    "astype",
    "atan",
    "atan2",
    "atanh",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "atomic",
    "barrier",
    "bartlett",
    "base_repr",
    "binary_repr",
    "bincount",
    "bitwise_and",
    "bitwise_count",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "blackman",
    "blas",
    "block",
    "bool",
    "bool_",
    "broadcast",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "byte",
    "c_",
    "can_cast",
    "cbrt",
    "cdouble",
    "ceil",
    "choose",
    "clip",
    "column_stack",
    "common_type",
    "complex64",
    "complex128",
    "complexfloating",
    "compress",
    "concat",
    "concatenate",
    "config",
    "conj",
    "conjugate",
    "convolve",
    "copy",
    "copysign",
    "copyto",
    "correlate",
    "cos",
    "cosh",
    "cross",
    "csingle",
    "deg2rad",
    "degrees",
    "delete",
    "device_context",
    "device_func",
    "devices",
    "diag",
    "diag_indices",
    "diag_indices_from",
    "diagflat",
    "diagonal",
    "digitize",
    "divide",
    "divmod",
    "dot",
    "double",
    "dparray",
    "dsplit",
    "dstack",
    "dtype",
    "e",
    "ediff1d",
    "einsum",
    "einsum_path",
    "empty",
    "empty_cache",
    "empty_like",
    "equal",
    "errstate",
    "euler_gamma",
    "exceptions",
    "exp",
    "exp2",
    "expand_dims",
    "expm1",
    "extract",
    "eye",
    "fabs",
    "fft",
    "fill_diagonal",
    "finfo",
    "fix",
    "flatnonzero",
    "flip",
    "fliplr",
    "flipud",
    "float16",
    "float32",
    "float64",
    "float_power",
    "floating",
    "floor",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "from_dlpack",
    "frombuffer",
    "fromfile",
    "fromfunction",
    "fromiter",
    "fromstring",
    "full",
    "full_like",
    "gcd",
    "generic",
    "genfromtxt",
    "geomspace",
    "get_coerced_usm_type",
    "get_current_queue",
    "get_execution_queue",
    "get_global_id",
    "get_global_size",
    "get_group_id",
    "get_local_id",
    "get_local_size",
    "get_num_groups",
    "get_printoptions",
    "geterr",
    "gradient",
    "greater",
    "greater_equal",
    "group",
    "half",
    "hamming",
    "hanning",
    "heaviside",
    "histogram",
    "histogram2d",
    "histogram_bin_edges",
    "histogramdd",
    "hsplit",
    "hstack",
    "hypot",
    "i0",
    "identity",
    "iinfo",
    "imag",
    "in1d",
    "index_exp",
    "indices",
    "inexact",
    "inf",
    "inner",
    "insert",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "intc",
    "integer",
    "interp",
    "intersect1d",
    "intp",
    "invert",
    "is_in_device_context",
    "isclose",
    "iscomplex",
    "iscomplexobj",
    "isdtype",
    "isfinite",
    "isfortran",
    "isin",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "isreal",
    "isrealobj",
    "isscalar",
    "issubdtype",
    "ix_",
    "jit",
    "kaiser",
    "kernel",
    "kron",
    "lapack",
    "lcm",
    "ldexp",
    "left_shift",
    "less",
    "less_equal",
    "lexsort",
    "lib",
    "linalg",
    "linspace",
    "load",
    "loadtxt",
    "local_array",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
    "logaddexp2",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "logspace",
    "long",
    "longlong",
    "mask_indices",
    "matmul",
    "matrix_transpose",
    "matvec",
    "maximum",
    "may_share_memory",
    "memory_stats",
    "meshgrid",
    "mgrid",
    "min_scalar_type",
    "minimum",
    "mod",
    "modf",
    "moveaxis",
    "multiply",
    "nan",
    "nan_to_num",
    "ndenumerate",
    "ndim",
    "ndindex",
    "negative",
    "newaxis",
    "nextafter",
    "njit",
    "nonzero",
    "not_equal",
    "number",
    "offload_to",
    "offload_to_device",
    "ogrid",
    "ones",
    "ones_like",
    "outer",
    "packbits",
    "pad",
    "partition",
    "permute_dims",
    "pi",
    "piecewise",
    "place",
    "poly",
    "poly1d",
    "polyadd",
    "polyder",
    "polydiv",
    "polyfit",
    "polyint",
    "polymul",
    "polysub",
    "polyval",
    "positive",
    "pow",
    "power",
    "prange",
    "printoptions",
    "private_array",
    "profile",
    "promote_types",
    "put",
    "put_along_axis",
    "putmask",
    "queues_equivalent",
    "r_",
    "rad2deg",
    "radians",
    "random",
    "ravel",
    "ravel_multi_index",
    "real",
    "real_if_close",
    "reciprocal",
    "remainder",
    "repeat",
    "require",
    "reset_global_queue",
    "reshape",
    "resize",
    "result_type",
    "right_shift",
    "rint",
    "roll",
    "rollaxis",
    "roots",
    "rot90",
    "round",
    "s_",
    "save",
    "savetxt",
    "savez",
    "savez_compressed",
    "searchsorted",
    "select",
    "set_global_queue",
    "set_printoptions",
    "setdiff1d",
    "seterr",
    "setxor1d",
    "shape",
    "shares_memory",
    "short",
    "sign",
    "signbit",
    "signedinteger",
    "sin",
    "sinc",
    "single",
    "sinh",
    "size",
    "sliding_window_view",
    "sort",
    "sort_complex",
    "spacing",
    "split",
    "sqrt",
    "square",
    "squeeze",
    "stack",
    "stencil",
    "subtract",
    "swapaxes",
    "take",
    "take_along_axis",
    "tan",
    "tanh",
    "tensordot",
    "tile",
    "trace",
    "transpose",
    "trapezoid",
    "tri",
    "tril",
    "tril_indices",
    "tril_indices_from",
    "trim_zeros",
    "triu",
    "triu_indices",
    "triu_indices_from",
    "true_divide",
    "trunc",
    "ubyte",
    "ufunc",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintc",
    "uintp",
    "ulong",
    "ulonglong",
    "union1d",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "unpackbits",
    "unravel_index",
    "unsignedinteger",
    "unstack",
    "unwrap",
    "ushort",
    "vander",
    "vdot",
    "vecdot",
    "vecmat",
    "vectorize",
    "vsplit",
    "vstack",
    "where",
    "zeros",
    "zeros_like",
]

__version__: str

DTypeLike: TypeAlias = numpy.typing.DTypeLike
# Queues and Array API devices of dpctl and dpnp are places, too, but those packages have no types.
Place: TypeAlias = str | Device | Queue
UsmType: TypeAlias = Literal["device", "shared", "host"]

_AffinityDomain: TypeAlias = Literal["numa", "L4_cache", "L3_cache", "L2_cache", "L1_cache", "next_partitionable"]
_Shape: TypeAlias = SupportsIndex | Iterable[SupportsIndex]
_Axes: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
_Order: TypeAlias = Literal["C", "F", "A", "K"]
# Index arrays and masks; NumPy's are allowed here (R3.5).
_Indices: TypeAlias = numpy.typing.NDArray[Any] | SupportsIndex | Sequence[_Indices]
_IndexItem: TypeAlias = Array | _Indices | slice | EllipsisType | None
_BoundsMode: TypeAlias = Literal["raise", "wrap", "clip"]
_Index: TypeAlias = _IndexItem | tuple[_IndexItem, ...]
# Python's number types count up to complex: bool, int and float are included.
_Scalar: TypeAlias = complex | numpy.generic
# Data without a place of its own, which follows the array it is assigned to (R3.4). NumPy arrays
# are left out on purpose: they are not mixed with device arrays (R3.5).
_Elements: TypeAlias = _Scalar | Sequence[_Elements]
_ArrayData: TypeAlias = numpy.typing.ArrayLike | _SupportsDLPack | _SupportsSyclArray
# What may stand among the arguments of a function of arrays; NumPy arrays may not (R3.5).
_Argument: TypeAlias = Array | Queue | _SupportsSyclArray | _Scalar | None

@type_check_only
class _SupportsDLPack(Protocol):
    # Returns are loose, since libraries disagree about how to write them.
    def __dlpack__(self) -> Any: ...
    def __dlpack_device__(self) -> tuple[Any, int]: ...

@type_check_only
class _SupportsSyclArray(Protocol):
    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]: ...

@type_check_only
class _OnSyclQueue(Protocol):
    @property
    def sycl_queue(self) -> Any: ...

class Error(Exception): ...
class InvalidArgumentError(Error, ValueError): ...
class DTypeError(Error, TypeError): ...
class InternalError(Error, RuntimeError): ...
class ArrayIndexError(Error, IndexError): ...
class AxisError(Error, ValueError, IndexError): ...
class ReadOnlyError(Error, ValueError): ...
class DeviceNotFoundError(Error, LookupError, ValueError): ...
class ExecutionPlacementError(Error, ValueError): ...
class HostDataError(Error, TypeError): ...
class HostAccessError(Error, TypeError, BufferError): ...
class LinAlgError(Error, numpy.linalg.LinAlgError): ...
class OutOfMemoryError(Error, MemoryError): ...
class BackendError(Error, RuntimeError): ...

class CompileError(Error, TypeError):
    diagnostics: list[dict[str, Any]]
    def __init__(self, message: str, diagnostics: Iterable[dict[str, Any]] = ()) -> None: ...

class KernelBoundsError(Error, IndexError):
    kernel: str
    file: str
    line: int
    array: str
    index: tuple[int, ...]
    shape: tuple[int, ...]

class OutsideKernelError(Error, RuntimeError): ...
class ParallelConflictError(Error, ValueError): ...
class PerformanceWarning(UserWarning): ...

@final
class Device:
    def __new__(cls, selector: Place | None = None) -> Device: ...
    @property
    def backend(self) -> str: ...
    @property
    def device_type(self) -> Literal["cpu", "gpu", "accelerator"]: ...
    @property
    def selector(self) -> str | None: ...
    @property
    def filter_string(self) -> str | None: ...
    @property
    def relative_id(self) -> int | None: ...
    @property
    def parent_device(self) -> Device | None: ...
    @property
    def aspects(self) -> frozenset[str]: ...
    @property
    def default_context(self) -> Context: ...
    @property
    def default_queue(self) -> Queue: ...
    def costs(self) -> dict[str, float]: ...
    def create_sub_devices(self, partition: int | Sequence[int] | _AffinityDomain) -> list[Device]: ...
    @property
    def has_aspect_cpu(self) -> _bool: ...
    @property
    def has_aspect_gpu(self) -> _bool: ...
    @property
    def has_aspect_accelerator(self) -> _bool: ...
    @property
    def has_aspect_custom(self) -> _bool: ...
    @property
    def has_aspect_emulated(self) -> _bool: ...
    @property
    def has_aspect_host_debuggable(self) -> _bool: ...
    @property
    def has_aspect_fp16(self) -> _bool: ...
    @property
    def has_aspect_fp64(self) -> _bool: ...
    @property
    def has_aspect_atomic64(self) -> _bool: ...
    @property
    def has_aspect_image(self) -> _bool: ...
    @property
    def has_aspect_online_compiler(self) -> _bool: ...
    @property
    def has_aspect_online_linker(self) -> _bool: ...
    @property
    def has_aspect_queue_profiling(self) -> _bool: ...
    @property
    def has_aspect_usm_device_allocations(self) -> _bool: ...
    @property
    def has_aspect_usm_host_allocations(self) -> _bool: ...
    @property
    def has_aspect_usm_atomic_host_allocations(self) -> _bool: ...
    @property
    def has_aspect_usm_shared_allocations(self) -> _bool: ...
    @property
    def has_aspect_usm_atomic_shared_allocations(self) -> _bool: ...
    @property
    def has_aspect_usm_system_allocations(self) -> _bool: ...
    @property
    def has_aspect_is_component(self) -> _bool: ...
    @property
    def has_aspect_is_composite(self) -> _bool: ...
    def has_aspect(self, name: str) -> _bool: ...
    def info(self) -> dict[str, Any]: ...
    def __eq__(self, other: object, /) -> _bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Callable[..., Device], tuple[Any, ...]]: ...
    # From the table of facts in crates/hal/src/info.rs.
    @property
    def name(self) -> str: ...
    @property
    def vendor(self) -> str: ...
    @property
    def driver_version(self) -> str: ...
    @property
    def max_compute_units(self) -> int: ...
    @property
    def max_work_item_dims(self) -> int: ...
    @property
    def max_work_item_sizes1d(self) -> list[int]: ...
    @property
    def max_work_item_sizes2d(self) -> list[int]: ...
    @property
    def max_work_item_sizes3d(self) -> list[int]: ...
    @property
    def max_work_group_size(self) -> int: ...
    @property
    def max_num_sub_groups(self) -> int: ...
    @property
    def sub_group_sizes(self) -> list[int]: ...
    @property
    def sub_group_independent_forward_progress(self) -> _bool: ...
    @property
    def preferred_vector_width_char(self) -> int: ...
    @property
    def preferred_vector_width_short(self) -> int: ...
    @property
    def preferred_vector_width_int(self) -> int: ...
    @property
    def preferred_vector_width_long(self) -> int: ...
    @property
    def preferred_vector_width_float(self) -> int: ...
    @property
    def preferred_vector_width_double(self) -> int: ...
    @property
    def preferred_vector_width_half(self) -> int: ...
    @property
    def native_vector_width_char(self) -> int: ...
    @property
    def native_vector_width_short(self) -> int: ...
    @property
    def native_vector_width_int(self) -> int: ...
    @property
    def native_vector_width_long(self) -> int: ...
    @property
    def native_vector_width_float(self) -> int: ...
    @property
    def native_vector_width_double(self) -> int: ...
    @property
    def native_vector_width_half(self) -> int: ...
    @property
    def max_clock_frequency(self) -> int: ...
    @property
    def global_mem_size(self) -> int: ...
    @property
    def max_mem_alloc_size(self) -> int: ...
    @property
    def global_mem_cache_type(self) -> str: ...
    @property
    def global_mem_cache_size(self) -> int: ...
    @property
    def global_mem_cache_line_size(self) -> int: ...
    @property
    def local_mem_size(self) -> int: ...
    @property
    def max_read_image_args(self) -> int: ...
    @property
    def max_write_image_args(self) -> int: ...
    @property
    def image_2d_max_width(self) -> int: ...
    @property
    def image_2d_max_height(self) -> int: ...
    @property
    def image_3d_max_width(self) -> int: ...
    @property
    def image_3d_max_height(self) -> int: ...
    @property
    def image_3d_max_depth(self) -> int: ...
    @property
    def profiling_timer_resolution(self) -> int: ...
    @property
    def partition_max_sub_devices(self) -> int: ...

@final
class Context:
    def __new__(cls, devices: Place | Iterable[Place]) -> Context: ...
    @property
    def devices(self) -> list[Device]: ...
    @property
    def device_count(self) -> int: ...
    def _get_capsule(self) -> CapsuleType: ...
    def __eq__(self, other: object, /) -> _bool: ...
    def __hash__(self) -> int: ...

@final
class Queue:
    @overload
    def __new__(
        cls, place: Place | None = None, device: None = None, *, in_order: _bool = True, enable_profiling: _bool = False
    ) -> Queue: ...
    @overload
    def __new__(
        cls, place: Context, device: Place, *, in_order: _bool = True, enable_profiling: _bool = False
    ) -> Queue: ...
    @overload
    def __new__(
        cls, place: None = None, *, device: Place, in_order: _bool = True, enable_profiling: _bool = False
    ) -> Queue: ...
    @property
    def device(self) -> Device: ...
    @property
    def context(self) -> Context: ...
    @property
    def backend(self) -> str: ...
    @property
    def in_order(self) -> _bool: ...
    @property
    def enable_profiling(self) -> _bool: ...
    def equivalent(self, other: Place) -> _bool: ...
    def wait(self) -> None: ...
    def submit_barrier(self, depends: Sequence[Event] | None = None) -> Event: ...
    def _get_capsule(self) -> CapsuleType: ...
    def __eq__(self, other: object, /) -> _bool: ...
    def __hash__(self) -> int: ...

@final
class Event:
    # Only queues make events.
    def __new__(cls, no_constructor: Never, /) -> Event: ...
    @property
    def status(self) -> Literal["submitted", "running", "complete"]: ...
    @property
    def profiling_submit(self) -> int: ...
    @property
    def profiling_start(self) -> int: ...
    @property
    def profiling_end(self) -> int: ...
    def wait(self) -> None: ...

@final
class ArrayFlags:
    @property
    def c_contiguous(self) -> _bool: ...
    @property
    def f_contiguous(self) -> _bool: ...
    @property
    def contiguous(self) -> _bool: ...
    @property
    def fortran(self) -> _bool: ...
    @property
    def owndata(self) -> _bool: ...
    writable: _bool
    writeable: _bool
    @property
    def aligned(self) -> _bool: ...
    @property
    def writebackifcopy(self) -> _bool: ...
    @property
    def fnc(self) -> _bool: ...
    @property
    def forc(self) -> _bool: ...
    @property
    def behaved(self) -> _bool: ...
    @property
    def carray(self) -> _bool: ...
    @property
    def farray(self) -> _bool: ...
    @property
    def num(self) -> int: ...
    def __getitem__(self, key: str, /) -> _bool: ...
    def __setitem__(self, key: str, value: _bool, /) -> None: ...

class FlatElements:
    def __init__(self, array: Array) -> None: ...
    @property
    def base(self) -> Array: ...
    def copy(self) -> Array: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Array]: ...
    def __getitem__(self, key: Any) -> Array: ...
    def __setitem__(self, key: Any, value: Any) -> None: ...

class Array:
    # Only functions such as asarray make arrays.
    def __new__(cls, no_constructor: Never, /) -> Array: ...
    def all(
        self,
        axis: _Axes | None = None,
        out: Array | None = None,
        keepdims: _bool = False,
        *,
        where: Array | Literal[True] | None = None,
    ) -> Array: ...
    def any(
        self,
        axis: _Axes | None = None,
        out: Array | None = None,
        keepdims: _bool = False,
        *,
        where: Array | Literal[True] | None = None,
    ) -> Array: ...
    def argmax(self, axis: _Axes | None = None, out: Array | None = None, *, keepdims: _bool = False) -> Array: ...
    def argmin(self, axis: _Axes | None = None, out: Array | None = None, *, keepdims: _bool = False) -> Array: ...
    def argpartition(
        self, kth: Any, axis: _Axes | None = -1, kind: Any = "introselect", order: Any = None
    ) -> Array: ...
    def argsort(
        self,
        axis: _Axes | None = -1,
        kind: Any = None,
        order: Any = None,
        *,
        descending: _bool = False,
        stable: _bool = True,
    ) -> Array: ...
    def astype(
        self,
        dtype: DTypeLike,
        order: Any = "K",
        casting: Any = "unsafe",
        *,
        copy: _bool = True,
        device: Place | None = None,
    ) -> Array: ...
    def choose(
        self, choices: Any, out: Array | None = None, mode: Literal["raise", "wrap", "clip"] = "raise"
    ) -> Array: ...
    def clip(
        self, min: Any = None, max: Any = None, out: Array | None = None, *, a_min: Any = None, a_max: Any = None
    ) -> Array: ...
    def conj(
        self, out: Array | None = None, *, where: Array | Literal[True] | None = True, dtype: DTypeLike | None = None
    ) -> Array: ...
    def conjugate(
        self, out: Array | None = None, *, where: Array | Literal[True] | None = True, dtype: DTypeLike | None = None
    ) -> Array: ...
    def cumprod(self, axis: _Axes | None = None, dtype: DTypeLike | None = None, out: Array | None = None) -> Array: ...
    def cumsum(self, axis: _Axes | None = None, dtype: DTypeLike | None = None, out: Array | None = None) -> Array: ...
    def dot(self, b: Array, out: Array | None = None) -> Array: ...
    def max(
        self,
        axis: _Axes | None = None,
        out: Array | None = None,
        keepdims: _bool = False,
        initial: Any = None,
        where: Array | Literal[True] | None = None,
    ) -> Array: ...
    def mean(
        self,
        axis: _Axes | None = None,
        dtype: DTypeLike | None = None,
        out: Array | None = None,
        keepdims: _bool = False,
        *,
        where: Array | Literal[True] | None = None,
    ) -> Array: ...
    def min(
        self,
        axis: _Axes | None = None,
        out: Array | None = None,
        keepdims: _bool = False,
        initial: Any = None,
        where: Array | Literal[True] | None = None,
    ) -> Array: ...
    def prod(
        self,
        axis: _Axes | None = None,
        dtype: DTypeLike | None = None,
        out: Array | None = None,
        keepdims: _bool = False,
        initial: Any = None,
        where: Array | Literal[True] | None = None,
    ) -> Array: ...
    def ptp(self, axis: _Axes | None = None, out: Array | None = None, keepdims: _bool = False) -> Array: ...
    def repeat(self, repeats: Any, axis: _Axes | None = None) -> Array: ...
    def round(self, decimals: int = 0, out: Array | None = None) -> Array: ...
    def searchsorted(self, v: Any, side: Literal["left", "right"] = "left", sorter: Array | None = None) -> Array: ...
    def std(
        self,
        axis: _Axes | None = None,
        dtype: DTypeLike | None = None,
        out: Array | None = None,
        ddof: float | None = None,
        keepdims: _bool = False,
        *,
        where: Array | Literal[True] | None = None,
        mean: Array | None = None,
        correction: float | None = None,
    ) -> Array: ...
    def sum(
        self,
        axis: _Axes | None = None,
        dtype: DTypeLike | None = None,
        out: Array | None = None,
        keepdims: _bool = False,
        initial: Any = None,
        where: Array | Literal[True] | None = None,
    ) -> Array: ...
    def trace(
        self,
        offset: int = 0,
        axis1: SupportsIndex = 0,
        axis2: SupportsIndex = 1,
        dtype: DTypeLike | None = None,
        out: Array | None = None,
    ) -> Array: ...
    def var(
        self,
        axis: _Axes | None = None,
        dtype: DTypeLike | None = None,
        out: Array | None = None,
        ddof: float | None = None,
        keepdims: _bool = False,
        *,
        where: Array | Literal[True] | None = None,
        mean: Array | None = None,
        correction: float | None = None,
    ) -> Array: ...
    def sort(
        self,
        axis: SupportsIndex = -1,
        kind: Any = None,
        order: None = None,
        *,
        descending: _bool = False,
        stable: _bool = True,
    ) -> None: ...
    def partition(self, kth: Any, axis: SupportsIndex = -1, kind: Any = "introselect", order: None = None) -> None: ...
    def fill(self, value: Any) -> None: ...
    def tofile(self, fid: Any, sep: str = "", format: str = "%s") -> None: ...
    def dump(self, file: Any) -> None: ...
    def dumps(self) -> bytes: ...
    @property
    def data(self) -> memoryview: ...
    @property
    def flat(self) -> FlatElements: ...
    @flat.setter
    def flat(self, value: Any) -> None: ...
    def tobytes(self, order: Literal["C", "F", "A"] = "C") -> bytes: ...
    def __contains__(self, value: Any) -> _bool: ...
    def __add__(self, other: Any, /) -> Array: ...
    def __radd__(self, other: Any, /) -> Array: ...
    def __iadd__(self, other: Any, /) -> Array: ...
    def __sub__(self, other: Any, /) -> Array: ...
    def __rsub__(self, other: Any, /) -> Array: ...
    def __isub__(self, other: Any, /) -> Array: ...
    def __mul__(self, other: Any, /) -> Array: ...
    def __rmul__(self, other: Any, /) -> Array: ...
    def __imul__(self, other: Any, /) -> Array: ...
    def __truediv__(self, other: Any, /) -> Array: ...
    def __rtruediv__(self, other: Any, /) -> Array: ...
    def __itruediv__(self, other: Any, /) -> Array: ...
    def __floordiv__(self, other: Any, /) -> Array: ...
    def __rfloordiv__(self, other: Any, /) -> Array: ...
    def __ifloordiv__(self, other: Any, /) -> Array: ...
    def __mod__(self, other: Any, /) -> Array: ...
    def __rmod__(self, other: Any, /) -> Array: ...
    def __imod__(self, other: Any, /) -> Array: ...
    def __pow__(self, other: Any, /) -> Array: ...
    def __rpow__(self, other: Any, /) -> Array: ...
    def __ipow__(self, other: Any, /) -> Array: ...
    def __and__(self, other: Any, /) -> Array: ...
    def __rand__(self, other: Any, /) -> Array: ...
    def __iand__(self, other: Any, /) -> Array: ...
    def __or__(self, other: Any, /) -> Array: ...
    def __ror__(self, other: Any, /) -> Array: ...
    def __ior__(self, other: Any, /) -> Array: ...
    def __xor__(self, other: Any, /) -> Array: ...
    def __rxor__(self, other: Any, /) -> Array: ...
    def __ixor__(self, other: Any, /) -> Array: ...
    def __lshift__(self, other: Any, /) -> Array: ...
    def __rlshift__(self, other: Any, /) -> Array: ...
    def __ilshift__(self, other: Any, /) -> Array: ...
    def __rshift__(self, other: Any, /) -> Array: ...
    def __rrshift__(self, other: Any, /) -> Array: ...
    def __irshift__(self, other: Any, /) -> Array: ...
    def __neg__(self) -> Array: ...
    def __pos__(self) -> Array: ...
    def __abs__(self) -> Array: ...
    def __invert__(self) -> Array: ...
    def __lt__(self, other: Any, /) -> Array: ...
    def __le__(self, other: Any, /) -> Array: ...
    def __gt__(self, other: Any, /) -> Array: ...
    def __ge__(self, other: Any, /) -> Array: ...
    def __eq__(self, other: Any, /) -> Array: ...  # type: ignore[override]
    def __ne__(self, other: Any, /) -> Array: ...  # type: ignore[override]
    def __matmul__(self, other: Array, /) -> Array: ...
    def __rmatmul__(self, other: Array, /) -> Array: ...
    def __imatmul__(self, other: Array, /) -> Array: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @shape.setter
    def shape(self, value: int | Sequence[int]) -> None: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> numpy.dtype[Any]: ...
    @dtype.setter
    def dtype(self, value: DTypeLike) -> None: ...
    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def itemsize(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    @property
    def flags(self) -> ArrayFlags: ...
    @property
    def base(self) -> Array | None: ...
    @property
    def ctypes(self) -> Any: ...
    def setflags(self, write: _bool | None = None, align: _bool | None = None, uic: _bool | None = None) -> None: ...
    def resize(self, *new_shape: int | Sequence[int] | None, refcheck: _bool = True) -> None: ...
    def byteswap(self, inplace: _bool = False) -> Array: ...
    def __class_getitem__(cls, item: Any, /) -> Any: ...
    @property
    def T(self) -> Array: ...
    @property
    def queue(self) -> Queue: ...
    @property
    def device(self) -> Device: ...
    @property
    def context(self) -> Context: ...
    # On SYCL devices these are objects of dpctl's classes, elsewhere of ours.
    @property
    def sycl_queue(self) -> Any: ...
    @property
    def sycl_device(self) -> Any: ...
    @property
    def sycl_context(self) -> Any: ...
    @property
    def usm_type(self) -> UsmType: ...
    @property
    def mT(self) -> Array: ...
    @property
    def real(self) -> Array: ...
    @real.setter
    def real(self, value: Array | _Elements, /) -> None: ...
    @property
    def imag(self) -> Array: ...
    @imag.setter
    def imag(self, value: Array | _Elements, /) -> None: ...
    @overload
    def reshape(self, shape: _Shape, /, *, order: _Order = "C", copy: _bool | None = None) -> Array: ...
    @overload
    def reshape(self, *shape: SupportsIndex, order: _Order = "C", copy: _bool | None = None) -> Array: ...
    @overload
    def transpose(self, axes: Sequence[SupportsIndex] | None, /) -> Array: ...
    @overload
    def transpose(self, *axes: SupportsIndex) -> Array: ...
    def squeeze(self, axis: _Axes | None = None) -> Array: ...
    def swapaxes(self, axis1: SupportsIndex, axis2: SupportsIndex) -> Array: ...
    def ravel(self, order: _Order = "C") -> Array: ...
    def flatten(self, order: _Order = "C") -> Array: ...
    def diagonal(self, offset: int = 0, axis1: SupportsIndex = 0, axis2: SupportsIndex = 1) -> Array: ...
    def view(self, dtype: DTypeLike | None = None) -> Array: ...
    def take(
        self,
        indices: Array | _Indices,
        axis: SupportsIndex | None = None,
        out: Array | None = None,
        mode: _BoundsMode = "raise",
    ) -> Array: ...
    def nonzero(self) -> tuple[Array, ...]: ...
    def put(self, indices: Array | _Indices, values: Array | _Elements, mode: _BoundsMode = "raise") -> None: ...
    def compress(
        self, condition: Array | _Indices, axis: SupportsIndex | None = None, out: Array | None = None
    ) -> Array: ...
    def copy(self, order: _Order = "C") -> Array: ...
    def copy_to(self, queue: Place | None = None, *, usm_type: UsmType | None = None) -> Array: ...
    def make_available(self, queue: Place) -> Array: ...
    def collocate(self, other: Array | _OnSyclQueue) -> Array: ...
    def to_device(self, device: Place, /, *, stream: None = None) -> Array: ...
    def asarray(
        self,
        queue: Place | None = None,
        usm_type: UsmType | None = None,
        *,
        device: Place | None = None,
        dtype: DTypeLike | None = None,
        copy: _bool | None = None,
        order: str | None = None,
    ) -> Array: ...
    def as_array(
        self,
        queue: Place | None = None,
        usm_type: UsmType | None = None,
        *,
        device: Place | None = None,
        dtype: DTypeLike | None = None,
        copy: _bool | None = None,
        order: str | None = None,
    ) -> Array: ...
    def item(self, *index: _IndexItem) -> Any: ...
    def tolist(self) -> Any: ...
    def wait(self) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Array]: ...
    def __getitem__(self, key: _Index, /) -> Array: ...
    def __setitem__(self, key: _Index, value: Array | _Elements, /) -> None: ...
    def __bool__(self) -> _bool: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __complex__(self) -> complex: ...
    def __index__(self) -> int: ...
    def __copy__(self) -> Array: ...
    def __deepcopy__(self, _memo: Any) -> Array: ...
    def __reduce__(self) -> tuple[Callable[..., Array], tuple[Any, ...]]: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __array_namespace__(self, *, api_version: str | None = None) -> ModuleType | OffloadNamespace: ...
    @property
    def __array_module__(self) -> ModuleType | OffloadNamespace: ...
    def __array__(self, dtype: DTypeLike | None = None, copy: _bool | None = None) -> numpy.typing.NDArray[Any]: ...
    __array_ufunc__: ClassVar[None]
    def __array_function__(self, _function: Any, _types: Any, _arguments: Any, _options: Any) -> NotImplementedType: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[Any, int] | None = None,
        copy: _bool | None = None,
    ) -> CapsuleType: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]: ...

def empty(
    shape: _Shape,
    dtype: DTypeLike | None = None,
    order: _Order = "C",
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def zeros(
    shape: _Shape,
    dtype: DTypeLike | None = None,
    order: _Order = "C",
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def ones(
    shape: _Shape,
    dtype: DTypeLike | None = None,
    order: _Order = "C",
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def full(
    shape: _Shape,
    fill_value: _Scalar | Array,
    dtype: DTypeLike | None = None,
    order: _Order = "C",
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def empty_like(
    prototype: Array,
    dtype: DTypeLike | None = None,
    order: _Order | None = None,
    subok: _bool = True,
    shape: _Shape | None = None,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def zeros_like(
    a: Array,
    dtype: DTypeLike | None = None,
    order: _Order | None = None,
    subok: _bool = True,
    shape: _Shape | None = None,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def ones_like(
    a: Array,
    dtype: DTypeLike | None = None,
    order: _Order | None = None,
    subok: _bool = True,
    shape: _Shape | None = None,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def full_like(
    a: Array,
    fill_value: _Scalar | Array | Sequence[Any],
    dtype: DTypeLike | None = None,
    order: _Order | None = None,
    subok: _bool = True,
    shape: _Shape | None = None,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def base_repr(number: int, base: int = 2, padding: int = 0) -> str: ...
def binary_repr(num: int, width: int | None = None) -> str: ...

ndindex = numpy.ndindex
s_ = numpy.s_
index_exp = numpy.index_exp

def arange(
    start: _Scalar | Array | None = None,
    stop: _Scalar | Array | None = None,
    step: _Scalar | Array | None = None,
    dtype: DTypeLike | None = None,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
@overload
def linspace(
    start: _Scalar | Array,
    stop: _Scalar | Array,
    num: SupportsIndex | None = None,
    endpoint: _bool = True,
    retstep: Literal[False] = False,
    dtype: DTypeLike | None = None,
    axis: int = 0,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
@overload
def linspace(
    start: _Scalar | Array,
    stop: _Scalar | Array,
    num: SupportsIndex | None = None,
    endpoint: _bool = True,
    *,
    retstep: Literal[True],
    dtype: DTypeLike | None = None,
    axis: int = 0,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> tuple[Array, Any]: ...
def eye(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: DTypeLike | None = None,
    order: _Order = "C",
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def identity(
    n: int,
    dtype: DTypeLike | None = None,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def tri(
    N: int,
    M: int | None = None,
    k: int = 0,
    dtype: DTypeLike | None = None,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def asarray(
    a: _ArrayData,
    dtype: DTypeLike | None = None,
    order: _Order | None = None,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
    copy: _bool | None = None,
) -> Array: ...

as_array = asarray
asanyarray = asarray

def reshape(a: Array, shape: _Shape, order: _Order = "C", *, copy: _bool | None = None) -> Array: ...
def permute_dims(a: Array, axes: Sequence[SupportsIndex] | None = None) -> Array: ...
def transpose(a: Array, axes: Sequence[SupportsIndex] | None = None) -> Array: ...
def matmul(
    x1: Array,
    x2: Array,
    /,
    out: Array | None = None,
    *,
    axes: Sequence[_Axes] | None = None,
    dtype: DTypeLike | None = None,
) -> Array: ...
def matrix_transpose(x: Array, /) -> Array: ...
def expand_dims(a: Array, axis: _Axes = 0) -> Array: ...
def squeeze(a: Array, axis: _Axes | None = None) -> Array: ...
def flip(m: Array, axis: _Axes | None = None) -> Array: ...
def moveaxis(a: Array, source: _Axes, destination: _Axes) -> Array: ...
def swapaxes(a: Array, axis1: SupportsIndex, axis2: SupportsIndex) -> Array: ...
def broadcast_to(array: Array, shape: _Shape, subok: _bool = False) -> Array: ...
def broadcast_arrays(*args: Array, subok: _bool = False) -> tuple[Array, ...]: ...
def broadcast_shapes(*shapes: _Shape) -> tuple[int, ...]: ...
def ravel(a: Array, order: _Order = "C") -> Array: ...
def diagonal(a: Array, offset: int = 0, axis1: SupportsIndex = 0, axis2: SupportsIndex = 1) -> Array: ...
def take(
    a: Array,
    indices: Array | _Indices,
    axis: SupportsIndex | None = None,
    out: Array | None = None,
    mode: _BoundsMode = "raise",
) -> Array: ...
def take_along_axis(arr: Array, indices: Array | _Indices, axis: int | None = -1) -> Array: ...
def put_along_axis(arr: Array, indices: Array | _Indices, values: Array | _Elements, axis: int | None) -> None: ...
def put(a: Array, ind: Array | _Indices, v: Array | _Elements, mode: _BoundsMode = "raise") -> None: ...
def nonzero(a: Array) -> tuple[Array, ...]: ...
def flatnonzero(a: Array) -> Array: ...
def argwhere(a: Array) -> Array: ...
def compress(
    condition: Array | _Indices, a: Array, axis: SupportsIndex | None = None, out: Array | None = None
) -> Array: ...
def extract(condition: Array | _Indices, arr: Array) -> Array: ...
def place(arr: Array, mask: Array | _Indices, vals: Array | _Elements) -> None: ...
def putmask(a: Array, mask: Array | _Indices, values: Array | _Elements) -> None: ...
def sliding_window_view(
    x: Array,
    window_shape: _Shape,
    axis: _Axes | None = None,
    *,
    subok: _bool = False,
    writeable: Literal[False] = False,
) -> Array: ...
def from_dlpack(
    x: _SupportsDLPack, /, *, device: Place | None = None, queue: Place | None = None, copy: _bool | None = None
) -> Array: ...
def asnumpy(x: _ArrayData, /, *, copy: _bool | None = None) -> numpy.typing.NDArray[Any]: ...
def devices() -> list[Device]: ...
def get_current_queue() -> Queue: ...
def set_global_queue(queue: Place) -> Queue: ...
def reset_global_queue() -> None: ...
def is_in_device_context() -> _bool: ...
def get_execution_queue(*arrays: _Argument) -> Queue: ...
def get_coerced_usm_type(*arrays: _Argument | UsmType) -> UsmType: ...
def queues_equivalent(*queues: Place) -> _bool: ...
def memory_stats(device: Place | None = None) -> dict[str, int]: ...
def empty_cache() -> int: ...

_Extents: TypeAlias = SupportsIndex | tuple[SupportsIndex, ...] | Range
_Function = TypeVar("_Function", bound=Callable[..., Any])

@final
class Range:
    def __new__(cls, *extents: SupportsIndex | tuple[SupportsIndex, ...]) -> Range: ...
    @property
    def global_size(self) -> tuple[int, ...]: ...
    def __eq__(self, other: object, /) -> _bool: ...
    def __hash__(self) -> int: ...

@final
class NdRange:
    def __new__(cls, global_size: _Extents, local_size: _Extents) -> NdRange: ...
    @property
    def global_size(self) -> tuple[int, ...]: ...
    @property
    def local_size(self) -> tuple[int, ...]: ...
    def __eq__(self, other: object, /) -> _bool: ...
    def __hash__(self) -> int: ...

@final
class Kernel:
    # Only the decorator makes kernels.
    def __new__(cls, no_constructor: Never, /) -> Kernel: ...
    __name__: str
    __wrapped__: Callable[..., Any]
    # Two numbers are two axes; a local size is a tuple of its own.
    def __getitem__(
        self, launch_size: _Extents | NdRange | tuple[_Extents, tuple[SupportsIndex, ...] | Range | None], /
    ) -> KernelLauncher: ...
    def __call__(self, *args: Any, depends: Sequence[Event] | None = None, **kwargs: Any) -> Event: ...
    def inspect(self, *args: Any, device: Place | None = None, stage: str = "ir", **kwargs: Any) -> str: ...
    @property
    def signatures(self) -> list[str]: ...

@final
class KernelLauncher:
    # Only brackets behind a kernel make launchers.
    def __new__(cls, no_constructor: Never, /) -> KernelLauncher: ...
    def __call__(self, *args: Any, depends: Sequence[Event] | None = None, **kwargs: Any) -> Event: ...
    def inspect(self, *args: Any, device: Place | None = None, stage: str = "ir", **kwargs: Any) -> str: ...
    @property
    def kernel(self) -> Kernel: ...
    @property
    def global_size(self) -> tuple[int, ...]: ...
    @property
    def local_size(self) -> tuple[int, ...] | None: ...

@final
class DeviceFunction:
    # Only the decorator makes device functions.
    def __new__(cls, no_constructor: Never, /) -> DeviceFunction: ...
    __name__: str
    __wrapped__: Callable[..., Any]
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

class JitFunction:
    # The decorator makes jit functions.
    def __init__(
        self,
        function: Callable[..., Any],
        *,
        fastmath: _bool = False,
        parallel: _bool | None = None,
        boundscheck: _bool | None = None,
        error_model: str = "python",
    ) -> None: ...
    __name__: str
    __wrapped__: Callable[..., Any]
    @property
    def signatures(self) -> list[str]: ...
    @property
    def py_func(self) -> Callable[..., Any]: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def explain(self, *args: Any, device: Place | None = None, **kwargs: Any) -> str: ...
    def explain_dict(self, *args: Any, device: Place | None = None, **kwargs: Any) -> dict[str, Any]: ...
    def inspect(self, *args: Any, device: Place | None = None, stage: str = ..., **kwargs: Any) -> str: ...

@overload
def kernel(function: Callable[..., Any], /, *, fastmath: _bool = False) -> Kernel: ...
@overload
def kernel(function: None = None, /, *, fastmath: _bool = False) -> Callable[[Callable[..., Any]], Kernel]: ...

# What it makes is called as the function itself is.
@overload
def device_func(function: _Function, /) -> _Function: ...
@overload
def device_func(function: None = None, /) -> Callable[[_Function], _Function]: ...

# Functions for kernels; the compiler knows their types.
def get_global_id(axis: int = 0) -> int: ...
def get_global_size(axis: int = 0) -> int: ...
def get_local_id(axis: int = 0) -> int: ...
def get_local_size(axis: int = 0) -> int: ...
def get_group_id(axis: int = 0) -> int: ...
def get_num_groups(axis: int = 0) -> int: ...
def local_array(shape: int | tuple[int, ...], dtype: DTypeLike) -> Any: ...
def private_array(shape: int | tuple[int, ...], dtype: DTypeLike) -> Any: ...
def barrier(fence: Literal["local", "global"] = "global") -> None: ...

class device_context:
    def __init__(
        self,
        selector: Place,
        *,
        on_serial: Literal["error", "offload", "host", "single_task"] = "error",
        cost_model: _bool = True,
    ) -> None: ...
    def __enter__(self) -> Queue: ...
    def __exit__(self, *exc_info: object) -> Literal[False]: ...

offload_to_device = device_context

class profile:
    def __init__(self) -> None: ...
    def __enter__(self) -> profile: ...
    def __exit__(self, *exc_info: object) -> Literal[False]: ...
    @property
    def events(self) -> list[Any]: ...
    def to_dict(self) -> dict[str, Any]: ...
    def table(self) -> str: ...
    def save_chrome_trace(self, path: str | os.PathLike[str]) -> None: ...
    def save_html(self, path: str | os.PathLike[str]) -> None: ...

class QueueManager:
    name: str
    def __init__(self, name: str) -> None: ...
    @overload
    def set_default_queue(self, queue: None) -> None: ...
    @overload
    def set_default_queue(self, queue: Place) -> Queue: ...
    def current(self, selector: Place) -> AbstractContextManager[Queue]: ...
    def get_queue(self) -> Queue: ...

class OffloadNamespace:
    __name__: str
    def __init__(
        self, queue: Queue, source: ModuleType | None = None, root: OffloadNamespace | None = None
    ) -> None: ...
    def get_queue(self) -> Queue: ...
    def __array_namespace_info__(self) -> NamespaceInfo: ...
    # The functions and parts of the module; their queue is fixed.
    def __getattr__(self, name: str) -> Any: ...

def offload_to(selector: Place) -> OffloadNamespace: ...

@final
@type_check_only
class _Config:
    @property
    def debug(self) -> _bool: ...
    @debug.setter
    def debug(self, value: _bool) -> None: ...
    @property
    def strict_host_access(self) -> _bool: ...
    @strict_host_access.setter
    def strict_host_access(self, value: _bool) -> None: ...
    @property
    def warn_on_mixed_usm(self) -> _bool: ...
    @warn_on_mixed_usm.setter
    def warn_on_mixed_usm(self, value: _bool) -> None: ...

config: Final[_Config]

bool = numpy.bool
bool_ = numpy.bool_
cdouble = numpy.cdouble
complex64 = numpy.complex64
complex128 = numpy.complex128
complexfloating = numpy.complexfloating
csingle = numpy.csingle
ulonglong = numpy.ulonglong
longlong = numpy.longlong
ulong = numpy.ulong
long = numpy.long
uintc = numpy.uintc
intc = numpy.intc
ushort = numpy.ushort
short = numpy.short
ubyte = numpy.ubyte
byte = numpy.byte
double = numpy.double
dtype = numpy.dtype
float16 = numpy.float16
float32 = numpy.float32
float64 = numpy.float64
floating = numpy.floating
generic = numpy.generic
half = numpy.half
inexact = numpy.inexact
int8 = numpy.int8
int16 = numpy.int16
int32 = numpy.int32
int64 = numpy.int64
int_ = numpy.int_
integer = numpy.integer
intp = numpy.intp
number = numpy.number
signedinteger = numpy.signedinteger
single = numpy.single
uint = numpy.uint
uint8 = numpy.uint8
uint16 = numpy.uint16
uint32 = numpy.uint32
uint64 = numpy.uint64
uintp = numpy.uintp
unsignedinteger = numpy.unsignedinteger

def frexp(
    x: Array,
    out1: Array | None = None,
    out2: Array | None = None,
    /,
    *,
    out: tuple[Array | None, Array | None] = ...,
    where: Array | _bool = True,
    casting: str = "same_kind",
    order: str = "K",
    dtype: DTypeLike | None = None,
    subok: _bool = True,
) -> tuple[Array, Array]: ...

ldexp: ufunc
