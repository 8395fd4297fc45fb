# Triangles and diagonals, for type checkers.

from builtins import bool as _bool
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

import numpy

from colocate import Array, Place, UsmType

_Operand = Array | int | float | complex | numpy.generic

def tril(m: Array, k: int = 0) -> Array: ...
def triu(m: Array, k: int = 0) -> Array: ...
def tril_indices(
    n: int,
    k: int = 0,
    m: int | None = None,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> tuple[Array, ...]: ...
def triu_indices(
    n: int,
    k: int = 0,
    m: int | None = None,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> tuple[Array, ...]: ...
def tril_indices_from(arr: Array, k: int = 0) -> tuple[Array, ...]: ...
def triu_indices_from(arr: Array, k: int = 0) -> tuple[Array, ...]: ...
def mask_indices(
    n: int,
    mask_func: Callable[..., Array],
    k: int = 0,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> tuple[Array, ...]: ...
def diag(v: Array, k: int = 0) -> Array: ...
def diagflat(v: Array, k: int = 0) -> Array: ...
def diag_indices(
    n: int, ndim: int = 2, *, device: Place | None = None, queue: Place | None = None, usm_type: UsmType | None = None
) -> tuple[Array, ...]: ...
def diag_indices_from(arr: Array) -> tuple[Array, ...]: ...
def fill_diagonal(a: Array, val: _Operand | Sequence[Any], wrap: _bool = False) -> None: ...
def vander(x: Array, N: SupportsIndex | None = None, increasing: _bool = False) -> Array: ...
