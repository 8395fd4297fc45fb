# Choices and applied functions, for type checkers.

from builtins import bool as _bool
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy

from colocate import Array

_Operand = Array | int | float | complex | numpy.generic
_Casting = Literal["no", "equiv", "safe", "same_kind", "unsafe"]

def select(condlist: Sequence[Array] | Array, choicelist: Sequence[_Operand], default: _Operand = 0) -> Array: ...
def piecewise(
    x: Array, condlist: Sequence[Any] | Array | _bool, funclist: Sequence[Any], *args: Any, **kw: Any
) -> Array: ...
def choose(a: Array, choices: Sequence[_Operand], out: Array | None = None, mode: str = "raise") -> Array: ...
def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: Array, *args: Any, **kwargs: Any) -> Array: ...
def apply_over_axes(func: Callable[..., Any], a: Array, axes: Any) -> Array: ...
def copyto(
    dst: Array, src: _Operand | Sequence[Any], casting: _Casting = "same_kind", where: Array | _bool = True
) -> None: ...
