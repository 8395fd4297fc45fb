# Sums of products, for type checkers.

from builtins import bool as _bool
from collections.abc import Sequence
from typing import Any

from colocate import Array, DTypeLike

def einsum(
    *operands: str | Array | Sequence[Any],
    out: Array | None = None,
    optimize: _bool | str | Sequence[Any] = "greedy",
    dtype: DTypeLike | None = None,
    order: str = "K",
    casting: str | None = None,
) -> Array: ...
def einsum_path(
    *operands: str | Array | Sequence[Any],
    optimize: _bool | str | Sequence[Any] = "greedy",
    einsum_call: _bool = False,
) -> tuple[list[Any], str]: ...
