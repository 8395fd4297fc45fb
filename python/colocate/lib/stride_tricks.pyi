# Views that have an element in several places, for type checkers.

from builtins import bool as _bool
from collections.abc import Sequence
from typing import SupportsIndex

from colocate import Array
from colocate import broadcast_arrays as broadcast_arrays
from colocate import broadcast_shapes as broadcast_shapes
from colocate import broadcast_to as broadcast_to
from colocate import sliding_window_view as sliding_window_view

__all__ = ["as_strided", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "sliding_window_view"]

def as_strided(
    x: Array,
    shape: Sequence[SupportsIndex] | None = None,
    strides: Sequence[SupportsIndex] | None = None,
    subok: _bool = False,
    writeable: _bool = True,
) -> Array: ...
