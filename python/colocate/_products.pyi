# Products of arrays, for type checkers.

from collections.abc import Sequence
from typing import SupportsIndex

import numpy

from colocate import Array, DTypeLike

_Operand = Array | int | float | complex | numpy.generic
_Axes = SupportsIndex | Sequence[SupportsIndex]

def tensordot(a: Array, b: Array, axes: SupportsIndex | tuple[_Axes, _Axes] = 2) -> Array: ...
def vecdot(
    x1: Array,
    x2: Array,
    /,
    out: Array | None = None,
    *,
    axis: SupportsIndex = -1,
    dtype: DTypeLike | None = None,
) -> Array: ...
def matvec(x1: Array, x2: Array, /, out: Array | None = None, *, dtype: DTypeLike | None = None) -> Array: ...
def vecmat(x1: Array, x2: Array, /, out: Array | None = None, *, dtype: DTypeLike | None = None) -> Array: ...
def vdot(a: Array, b: Array, /) -> Array: ...
def dot(a: _Operand, b: _Operand, out: Array | None = None) -> Array: ...
def inner(a: _Operand, b: _Operand, /) -> Array: ...
def outer(a: Array, b: Array, out: Array | None = None) -> Array: ...
def kron(a: _Operand, b: _Operand) -> Array: ...
def trace(
    a: Array,
    offset: int = 0,
    axis1: SupportsIndex = 0,
    axis2: SupportsIndex = 1,
    dtype: DTypeLike | None = None,
    out: Array | None = None,
) -> Array: ...
def cross(
    a: Array,
    b: Array,
    axisa: SupportsIndex = -1,
    axisb: SupportsIndex = -1,
    axisc: SupportsIndex = -1,
    axis: SupportsIndex | None = None,
) -> Array: ...
