# Grids and positions, for type checkers.

from builtins import bool as _bool
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, SupportsIndex

from colocate import Array, DTypeLike, Place, UsmType

_Shape = SupportsIndex | Iterable[SupportsIndex]

class _Grid:
    def __getitem__(self, key: slice | tuple[slice, ...]) -> Any: ...

def indices(
    dimensions: Sequence[SupportsIndex],
    dtype: DTypeLike | None = ...,
    sparse: _bool = False,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Any: ...
def meshgrid(
    *arrays: Array, indexing: Literal["xy", "ij"] = "xy", sparse: _bool = False, copy: _bool = True
) -> tuple[Array, ...]: ...

mgrid: _Grid
ogrid: _Grid

def ix_(*args: Array) -> tuple[Array, ...]: ...
def unravel_index(indices: Array, shape: _Shape, order: str | None = "C") -> tuple[Array, ...]: ...
def ravel_multi_index(
    multi_index: tuple[Any, ...] | Array,
    dims: Sequence[SupportsIndex],
    mode: str | Sequence[str] = "raise",
    order: str | None = "C",
) -> Array: ...
def fromfunction(
    function: Callable[..., Any],
    shape: _Shape,
    *,
    dtype: DTypeLike | None = ...,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
    **kwargs: Any,
) -> Any: ...
