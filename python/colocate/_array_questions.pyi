# Questions about arrays, for type checkers.

from builtins import bool as _bool
from typing import Any

import numpy

from colocate import Array

def isscalar(element: object) -> _bool: ...
def isfortran(a: Array) -> _bool: ...
def common_type(*arrays: Array) -> type[numpy.inexact[Any]]: ...
def shares_memory(a: object, b: object, max_work: int | None = None) -> _bool: ...
def may_share_memory(a: object, b: object, max_work: int | None = 0) -> _bool: ...

class broadcast:
    shape: tuple[int, ...]
    ndim: int
    nd: int
    size: int
    numiter: int
    def __init__(self, *args: Any) -> None: ...
