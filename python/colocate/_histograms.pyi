# Histograms, for type checkers.

from builtins import bool as _bool
from collections.abc import Sequence
from typing import Any, SupportsIndex

from colocate import Array

def bincount(x: Array, /, weights: Array | None = None, minlength: SupportsIndex = 0) -> Array: ...
def digitize(x: Array, bins: Any, right: _bool = False) -> Array: ...
def histogram_bin_edges(
    a: Array, bins: Any = 10, range: tuple[float, float] | None = None, weights: Array | None = None
) -> Array: ...
def histogram(
    a: Array,
    bins: Any = 10,
    range: tuple[float, float] | None = None,
    density: _bool | None = None,
    weights: Array | None = None,
) -> tuple[Array, Array]: ...
def histogramdd(
    sample: Array | Sequence[Array],
    bins: Any = 10,
    range: Sequence[tuple[float, float] | None] | None = None,
    density: _bool | None = None,
    weights: Array | None = None,
) -> tuple[Array, tuple[Array, ...]]: ...
def histogram2d(
    x: Array,
    y: Array,
    bins: Any = 10,
    range: Sequence[tuple[float, float] | None] | None = None,
    density: _bool | None = None,
    weights: Array | None = None,
) -> tuple[Array, Array, Array]: ...
