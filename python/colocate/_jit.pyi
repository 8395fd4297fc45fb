# Jit functions, for type checkers.

from builtins import bool as _bool
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, overload

from colocate import JitFunction, Place

_Function = Callable[..., Any]
_Signature = str | tuple[Any, ...] | list[Any]

class TypedJitFunction:
    __name__: str
    __wrapped__: _Function
    py_func: _Function
    def __init__(self, function: _Function, signatures: list[Any], options: dict[str, Any]) -> None: ...
    @property
    def signatures(self) -> list[str]: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def explain(self, *args: Any, device: Place | None = None, **kwargs: Any) -> str: ...

@overload
def jit(signature_or_function: _Function, **options: Any) -> JitFunction: ...
@overload
def jit(signature_or_function: _Signature, **options: Any) -> Callable[[_Function], TypedJitFunction]: ...
@overload
def jit(
    signature_or_function: None = None,
    *,
    nopython: Literal[True] | None = None,
    fastmath: _bool | Iterable[str] = False,
    parallel: _bool | Mapping[str, _bool] | None = None,
    error_model: Literal["python", "numpy"] = "python",
    boundscheck: _bool | None = None,
    cache: _bool = False,
    nogil: _bool = False,
    inline: Literal["never", "always"] | Callable[..., _bool] = "never",
    debug: _bool = False,
    target: Literal["cpu"] | None = None,
) -> Callable[[_Function], JitFunction]: ...
@overload
def njit(signature_or_function: _Function, **options: Any) -> JitFunction: ...
@overload
def njit(signature_or_function: _Signature, **options: Any) -> Callable[[_Function], TypedJitFunction]: ...
@overload
def njit(signature_or_function: None = None, **options: Any) -> Callable[[_Function], JitFunction]: ...
def prange(*bounds: int) -> range: ...
