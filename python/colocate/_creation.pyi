# Arrays of host data, for type checkers.

from builtins import bool as _bool
from collections.abc import Iterable
from typing import Any, Literal

from colocate import Array, DTypeLike, Place, UsmType

_Casting = Literal["no", "equiv", "safe", "same_kind", "unsafe"]

def array(
    object: Any,
    dtype: DTypeLike | None = None,
    *,
    copy: _bool | None = True,
    order: str | None = "K",
    subok: _bool = False,
    ndmin: int = 0,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def ascontiguousarray(
    a: Any,
    dtype: DTypeLike | None = None,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def asfortranarray(
    a: Any,
    dtype: DTypeLike | None = None,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def asarray_chkfinite(
    a: Any,
    dtype: DTypeLike | None = None,
    order: str | None = None,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def require(
    a: Any,
    dtype: DTypeLike | None = None,
    requirements: str | Iterable[str] | None = None,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def copy(a: Array, order: str = "K", subok: _bool = False) -> Array: ...
def astype(
    x: Array,
    dtype: DTypeLike,
    order: str = "K",
    casting: _Casting = "unsafe",
    *,
    copy: _bool = True,
    device: Place | None = None,
) -> Array: ...
def frombuffer(
    buffer: Any,
    dtype: DTypeLike | None = ...,
    count: int = -1,
    offset: int = 0,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def fromfile(
    file: Any,
    dtype: DTypeLike | None = ...,
    count: int = -1,
    sep: str = "",
    offset: int = 0,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def fromstring(
    string: str,
    dtype: DTypeLike | None = ...,
    count: int = -1,
    *,
    sep: str,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def fromiter(
    iter: Iterable[Any],
    dtype: DTypeLike,
    count: int = -1,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def ndim(a: Any) -> int: ...
def shape(a: Any) -> tuple[int, ...]: ...
def size(a: Any, axis: int | None = None) -> int: ...
