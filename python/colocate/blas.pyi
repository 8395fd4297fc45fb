# Products on a queue that is named at each call, for type checkers.

from typing import Literal

from colocate import Array, Place

_Scalar = int | float | complex
_Turn = bool | Literal["n", "t", "c"]

__all__ = ["asum", "axpy", "dot", "gemm", "gemv", "nrm2", "scal"]

def gemm(
    queue: Place,
    a: Array,
    b: Array,
    alpha: _Scalar = 1,
    beta: _Scalar = 0,
    c: Array | None = None,
    *,
    trans_a: _Turn = False,
    trans_b: _Turn = False,
) -> Array: ...
def gemv(
    queue: Place,
    a: Array,
    x: Array,
    alpha: _Scalar = 1,
    beta: _Scalar = 0,
    y: Array | None = None,
    *,
    trans: _Turn = False,
) -> Array: ...
def axpy(queue: Place, x: Array, y: Array, alpha: _Scalar = 1) -> Array: ...
def dot(queue: Place, x: Array, y: Array, *, conjugate: bool = False) -> Array: ...
def nrm2(queue: Place, x: Array) -> Array: ...
def asum(queue: Place, x: Array) -> Array: ...
def scal(queue: Place, alpha: _Scalar, x: Array) -> Array: ...
