# Arrays as text, for type checkers.

from builtins import bool as _bool
from contextlib import AbstractContextManager
from typing import Any

from colocate import Array

def array2string(
    a: Array,
    max_line_width: int | None = None,
    precision: int | None = None,
    suppress_small: _bool | None = None,
    separator: str = " ",
    prefix: str = "",
    **options: Any,
) -> str: ...
def array_str(
    a: Array, max_line_width: int | None = None, precision: int | None = None, suppress_small: _bool | None = None
) -> str: ...
def array_repr(
    arr: Array, max_line_width: int | None = None, precision: int | None = None, suppress_small: _bool | None = None
) -> str: ...
def get_printoptions() -> dict[str, Any]: ...
def set_printoptions(*args: Any, **kwargs: Any) -> None: ...
def printoptions(*args: Any, **kwargs: Any) -> AbstractContextManager[Any]: ...
