# Sorting and searching, for type checkers.

from builtins import bool as _bool
from collections.abc import Sequence
from typing import Literal, SupportsIndex

from colocate import Array

_Kind = Literal["quicksort", "mergesort", "heapsort", "stable"]
_Places = SupportsIndex | Sequence[SupportsIndex] | Array

def sort(
    a: Array,
    axis: SupportsIndex | None = -1,
    kind: _Kind | None = None,
    order: None = None,
    *,
    descending: _bool = False,
    stable: _bool = True,
) -> Array: ...
def argsort(
    a: Array,
    axis: SupportsIndex | None = -1,
    kind: _Kind | None = None,
    order: None = None,
    *,
    descending: _bool = False,
    stable: _bool = True,
) -> Array: ...
def partition(
    a: Array,
    kth: _Places,
    axis: SupportsIndex | None = -1,
    kind: Literal["introselect"] = "introselect",
    order: None = None,
) -> Array: ...
def argpartition(
    a: Array,
    kth: _Places,
    axis: SupportsIndex | None = -1,
    kind: Literal["introselect"] = "introselect",
    order: None = None,
) -> Array: ...
def lexsort(keys: Array | Sequence[Array], axis: SupportsIndex = -1) -> Array: ...
def searchsorted(
    a: Array,
    v: Array | complex,
    side: Literal["left", "right"] = "left",
    sorter: Array | None = None,
) -> Array: ...
