# NumPy's namespace with arrays in shared memory, for type checkers.

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, SupportsIndex

from colocate import DTypeLike, Place
from colocate._dparray import DPArray as DPArray

_Extents = SupportsIndex | Sequence[SupportsIndex]
_Order = Literal["C", "F"]

def empty(
    shape: _Extents,
    dtype: DTypeLike = ...,
    order: _Order = "C",
    *,
    queue: Place | None = None,
    device: Place | None = None,
) -> DPArray: ...
def zeros(
    shape: _Extents,
    dtype: DTypeLike = ...,
    order: _Order = "C",
    *,
    queue: Place | None = None,
    device: Place | None = None,
) -> DPArray: ...
def ones(
    shape: _Extents,
    dtype: DTypeLike = ...,
    order: _Order = "C",
    *,
    queue: Place | None = None,
    device: Place | None = None,
) -> DPArray: ...
def full(
    shape: _Extents,
    fill_value: Any,
    dtype: DTypeLike | None = None,
    order: _Order = "C",
    *,
    queue: Place | None = None,
    device: Place | None = None,
) -> DPArray: ...
def asarray(
    a: Any,
    dtype: DTypeLike | None = None,
    order: Literal["C", "F", "A", "K"] | None = None,
    *,
    copy: bool | None = None,
    queue: Place | None = None,
    device: Place | None = None,
) -> DPArray: ...

# As NumPy's, and queue= or device= beside.
def arange(*args: Any, queue: Place | None = None, device: Place | None = None, **kwargs: Any) -> DPArray: ...
def array(object: Any, *, queue: Place | None = None, device: Place | None = None, **kwargs: Any) -> DPArray: ...
def ascontiguousarray(a: Any, *, queue: Place | None = None, device: Place | None = None, **kwargs: Any) -> DPArray: ...
def asfortranarray(a: Any, *, queue: Place | None = None, device: Place | None = None, **kwargs: Any) -> DPArray: ...
def copy(a: Any, *, queue: Place | None = None, device: Place | None = None, **kwargs: Any) -> DPArray: ...
def diag(v: Any, k: int = 0, *, queue: Place | None = None, device: Place | None = None) -> DPArray: ...
def empty_like(
    prototype: Any, *args: Any, queue: Place | None = None, device: Place | None = None, **kwargs: Any
) -> DPArray: ...
def eye(*args: Any, queue: Place | None = None, device: Place | None = None, **kwargs: Any) -> DPArray: ...
def frombuffer(
    buffer: Any, *args: Any, queue: Place | None = None, device: Place | None = None, **kwargs: Any
) -> DPArray: ...
def fromfunction(
    function: Callable[..., Any],
    shape: _Extents,
    *,
    queue: Place | None = None,
    device: Place | None = None,
    **kwargs: Any,
) -> DPArray: ...
def fromiter(
    iter: Iterable[Any], *args: Any, queue: Place | None = None, device: Place | None = None, **kwargs: Any
) -> DPArray: ...
def full_like(
    a: Any, fill_value: Any, *args: Any, queue: Place | None = None, device: Place | None = None, **kwargs: Any
) -> DPArray: ...
def geomspace(*args: Any, queue: Place | None = None, device: Place | None = None, **kwargs: Any) -> DPArray: ...
def identity(n: int, *, queue: Place | None = None, device: Place | None = None, **kwargs: Any) -> DPArray: ...
def linspace(*args: Any, queue: Place | None = None, device: Place | None = None, **kwargs: Any) -> DPArray: ...
def loadtxt(*args: Any, queue: Place | None = None, device: Place | None = None, **kwargs: Any) -> DPArray: ...
def logspace(*args: Any, queue: Place | None = None, device: Place | None = None, **kwargs: Any) -> DPArray: ...
def ones_like(
    a: Any, *args: Any, queue: Place | None = None, device: Place | None = None, **kwargs: Any
) -> DPArray: ...
def tri(*args: Any, queue: Place | None = None, device: Place | None = None, **kwargs: Any) -> DPArray: ...
def zeros_like(
    a: Any, *args: Any, queue: Place | None = None, device: Place | None = None, **kwargs: Any
) -> DPArray: ...

# Everything else is NumPy's.
def __getattr__(name: str) -> Any: ...
