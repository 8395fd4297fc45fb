# Functions of element types, for type checkers.

from builtins import bool as _bool
from typing import Any, Literal

import numpy

from colocate import Array, DTypeLike

_Casting = Literal["no", "equiv", "safe", "same_kind", "unsafe"]

euler_gamma: float
e: float
inf: float
nan: float
newaxis: None
pi: float

def can_cast(from_: DTypeLike | Array, to: DTypeLike, casting: _Casting = "safe") -> _bool: ...
def result_type(*arrays_and_dtypes: Any) -> numpy.dtype[Any]: ...
def promote_types(type1: DTypeLike, type2: DTypeLike) -> numpy.dtype[Any]: ...
def min_scalar_type(a: Any) -> numpy.dtype[Any]: ...
def issubdtype(arg1: Any, arg2: Any) -> _bool: ...
def isdtype(dtype: DTypeLike, kind: Any) -> _bool: ...

class finfo:
    dtype: numpy.dtype[Any]
    bits: int
    precision: int
    nmant: int
    nexp: int
    iexp: int
    machep: int
    negep: int
    minexp: int
    maxexp: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    tiny: float
    smallest_subnormal: float
    resolution: float
    epsneg: float
    def __init__(self, type: DTypeLike | Array, /) -> None: ...

class iinfo:
    dtype: numpy.dtype[Any]
    bits: int
    max: int
    min: int
    def __init__(self, type: DTypeLike | Array, /) -> None: ...
