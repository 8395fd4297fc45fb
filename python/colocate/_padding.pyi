# Padding, for type checkers.

from collections.abc import Callable
from typing import Any

from colocate import Array

def pad(array: Array, pad_width: Any, mode: str | Callable[..., Any] = "constant", **kwargs: Any) -> Array: ...
