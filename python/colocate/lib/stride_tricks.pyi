# Views that have an element in several places, for type checkers.

from colocate import broadcast_arrays as broadcast_arrays
from colocate import broadcast_shapes as broadcast_shapes
from colocate import broadcast_to as broadcast_to
from colocate import sliding_window_view as sliding_window_view

__all__ = ["broadcast_arrays", "broadcast_shapes", "broadcast_to", "sliding_window_view"]
