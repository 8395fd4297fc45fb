# Stencils, for type checkers.

from collections.abc import Callable, Sequence
from typing import Any, Literal, overload

from colocate import Place

_Function = Callable[..., Any]

class StencilFunction:
    __name__: str
    __wrapped__: _Function
    kernel: _Function
    options: dict[str, Any]
    py_func: _Function
    def __init__(self, kernel: _Function, options: dict[str, Any]) -> None: ...
    @property
    def neighborhood(self) -> tuple[tuple[int, int], ...]: ...
    def __call__(self, *args: Any, out: Any = None) -> Any: ...
    def explain(self, *args: Any, out: Any = None, device: Place | None = None) -> str: ...

@overload
def stencil(func_or_mode: _Function) -> StencilFunction: ...
@overload
def stencil(
    func_or_mode: Literal["constant"] = "constant",
    *,
    cval: complex = 0,
    neighborhood: Sequence[tuple[int, int]] | None = None,
    standard_indexing: Sequence[str] = (),
) -> Callable[[_Function], StencilFunction]: ...
