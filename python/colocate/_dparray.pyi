# NumPy arrays in shared memory, for type checkers.

from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex

import numpy

from colocate import Array, Context, Device, DTypeLike, Place, Queue

_Extents = SupportsIndex | Sequence[SupportsIndex]

class DPArray(numpy.ndarray[Any, Any]):
    def __new__(
        cls,
        shape: _Extents,
        dtype: DTypeLike = ...,
        order: Literal["C", "F"] = "C",
        queue: Place | None = None,
        device: Place | None = None,
    ) -> DPArray: ...
    @property
    def usm(self) -> Array | None: ...
    @property
    def queue(self) -> Queue: ...
    @property
    def device(self) -> Device: ...  # type: ignore[override]
    @property
    def context(self) -> Context: ...
    @property
    def usm_type(self) -> Literal["shared"]: ...
    @property
    def sycl_queue(self) -> Any: ...
    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]: ...
