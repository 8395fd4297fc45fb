# Comparisons, for type checkers.

from builtins import bool as _bool

import numpy

from colocate import Array

_Operand = Array | int | float | complex | numpy.generic

def array_equal(a1: _Operand, a2: _Operand, equal_nan: _bool = False) -> _bool: ...
def array_equiv(a1: _Operand, a2: _Operand) -> _bool: ...
def isclose(
    a: _Operand, b: _Operand, rtol: float | Array = 1e-05, atol: float | Array = 1e-08, equal_nan: _bool = False
) -> Array: ...
def allclose(
    a: _Operand, b: _Operand, rtol: float | Array = 1e-05, atol: float | Array = 1e-08, equal_nan: _bool = False
) -> _bool: ...
