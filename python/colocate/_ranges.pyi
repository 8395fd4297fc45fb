# Numbers on a logarithmic scale, for type checkers.

from builtins import bool as _bool
from typing import SupportsIndex

import numpy

from colocate import Array, DTypeLike, Place, UsmType

_Operand = Array | int | float | complex | numpy.generic

def logspace(
    start: _Operand,
    stop: _Operand,
    num: SupportsIndex = 50,
    endpoint: _bool = True,
    base: _Operand = 10.0,
    dtype: DTypeLike | None = None,
    axis: int = 0,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def geomspace(
    start: _Operand,
    stop: _Operand,
    num: SupportsIndex = 50,
    endpoint: _bool = True,
    dtype: DTypeLike | None = None,
    axis: int = 0,
    *,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
