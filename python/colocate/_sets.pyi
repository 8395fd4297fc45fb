# Sets of elements, for type checkers.

from builtins import bool as _bool
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, SupportsIndex, overload

from colocate import Array

class UniqueAllResult(NamedTuple):
    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array

class UniqueCountsResult(NamedTuple):
    values: Array
    counts: Array

class UniqueInverseResult(NamedTuple):
    values: Array
    inverse_indices: Array

@overload
def unique(
    ar: Array,
    return_index: Literal[False] = False,
    return_inverse: Literal[False] = False,
    return_counts: Literal[False] = False,
    axis: SupportsIndex | None = None,
    *,
    equal_nan: _bool = True,
    sorted: _bool = True,
) -> Array: ...
@overload
def unique(
    ar: Array,
    return_index: _bool = False,
    return_inverse: _bool = False,
    return_counts: _bool = False,
    axis: SupportsIndex | None = None,
    *,
    equal_nan: _bool = True,
    sorted: _bool = True,
) -> Any: ...
def unique_all(x: Array) -> UniqueAllResult: ...
def unique_counts(x: Array) -> UniqueCountsResult: ...
def unique_inverse(x: Array) -> UniqueInverseResult: ...
def unique_values(x: Array) -> Array: ...
def union1d(ar1: Array, ar2: Array) -> Array: ...
@overload
def intersect1d(
    ar1: Array, ar2: Array, assume_unique: _bool = False, return_indices: Literal[False] = False
) -> Array: ...
@overload
def intersect1d(
    ar1: Array, ar2: Array, assume_unique: _bool = False, *, return_indices: Literal[True]
) -> tuple[Array, Array, Array]: ...
def setdiff1d(ar1: Array, ar2: Array, assume_unique: _bool = False) -> Array: ...
def setxor1d(ar1: Array, ar2: Array, assume_unique: _bool = False) -> Array: ...
def isin(
    element: Array | complex | Sequence[complex],
    test_elements: Array | complex | Sequence[complex],
    assume_unique: _bool = False,
    invert: _bool = False,
    *,
    kind: str | None = None,
) -> Array: ...
def in1d(
    ar1: Array,
    ar2: Array | complex,
    assume_unique: _bool = False,
    invert: _bool = False,
    *,
    kind: str | None = None,
) -> Array: ...
