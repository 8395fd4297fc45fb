# Reductions, scans and statistics, for type checkers.

from builtins import bool as _bool
from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex

import numpy

from colocate import Array, DTypeLike

_Axes = SupportsIndex | Sequence[SupportsIndex] | None
_Scalar = int | float | complex | numpy.generic
_Method = Literal[
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
    "linear",
    "median_unbiased",
    "normal_unbiased",
    "lower",
    "higher",
    "midpoint",
    "nearest",
]

def all(
    a: Array,
    axis: _Axes | None = None,
    out: Array | None = None,
    keepdims: _bool = False,
    *,
    where: Array | Literal[True] | None = None,
) -> Array: ...
def any(
    a: Array,
    axis: _Axes | None = None,
    out: Array | None = None,
    keepdims: _bool = False,
    *,
    where: Array | Literal[True] | None = None,
) -> Array: ...
def argmax(a: Array, axis: _Axes | None = None, out: Array | None = None, *, keepdims: _bool = False) -> Array: ...
def argmin(a: Array, axis: _Axes | None = None, out: Array | None = None, *, keepdims: _bool = False) -> Array: ...
def count_nonzero(a: Array, axis: _Axes | None = None, *, keepdims: _bool = False) -> Array: ...
def cumprod(a: Array, axis: _Axes | None = None, dtype: DTypeLike | None = None, out: Array | None = None) -> Array: ...
def cumsum(a: Array, axis: _Axes | None = None, dtype: DTypeLike | None = None, out: Array | None = None) -> Array: ...
def cumulative_prod(
    x: Array,
    /,
    *,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: Array | None = None,
    include_initial: _bool = False,
) -> Array: ...
def cumulative_sum(
    x: Array,
    /,
    *,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: Array | None = None,
    include_initial: _bool = False,
) -> Array: ...
def max(
    a: Array,
    axis: _Axes | None = None,
    out: Array | None = None,
    keepdims: _bool = False,
    initial: _Scalar | None = None,
    where: Array | Literal[True] | None = None,
) -> Array: ...
def mean(
    a: Array,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: Array | None = None,
    keepdims: _bool = False,
    *,
    where: Array | Literal[True] | None = None,
) -> Array: ...
def min(
    a: Array,
    axis: _Axes | None = None,
    out: Array | None = None,
    keepdims: _bool = False,
    initial: _Scalar | None = None,
    where: Array | Literal[True] | None = None,
) -> Array: ...
def nancumprod(
    a: Array, axis: _Axes | None = None, dtype: DTypeLike | None = None, out: Array | None = None
) -> Array: ...
def nancumsum(
    a: Array, axis: _Axes | None = None, dtype: DTypeLike | None = None, out: Array | None = None
) -> Array: ...
def nanmax(
    a: Array,
    axis: _Axes | None = None,
    out: Array | None = None,
    keepdims: _bool = False,
    initial: _Scalar | None = None,
    where: Array | Literal[True] | None = None,
) -> Array: ...
def nanmean(
    a: Array,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: Array | None = None,
    keepdims: _bool = False,
    *,
    where: Array | Literal[True] | None = None,
) -> Array: ...
def nanmin(
    a: Array,
    axis: _Axes | None = None,
    out: Array | None = None,
    keepdims: _bool = False,
    initial: _Scalar | None = None,
    where: Array | Literal[True] | None = None,
) -> Array: ...
def nanprod(
    a: Array,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: Array | None = None,
    keepdims: _bool = False,
    initial: _Scalar | None = None,
    where: Array | Literal[True] | None = None,
) -> Array: ...
def nanstd(
    a: Array,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: Array | None = None,
    ddof: float | None = None,
    keepdims: _bool = False,
    *,
    where: Array | Literal[True] | None = None,
    mean: Array | None = None,
    correction: float | None = None,
) -> Array: ...
def nansum(
    a: Array,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: Array | None = None,
    keepdims: _bool = False,
    initial: _Scalar | None = None,
    where: Array | Literal[True] | None = None,
) -> Array: ...
def nanvar(
    a: Array,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: Array | None = None,
    ddof: float | None = None,
    keepdims: _bool = False,
    *,
    where: Array | Literal[True] | None = None,
    mean: Array | None = None,
    correction: float | None = None,
) -> Array: ...
def prod(
    a: Array,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: Array | None = None,
    keepdims: _bool = False,
    initial: _Scalar | None = None,
    where: Array | Literal[True] | None = None,
) -> Array: ...
def std(
    a: Array,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: Array | None = None,
    ddof: float | None = None,
    keepdims: _bool = False,
    *,
    where: Array | Literal[True] | None = None,
    mean: Array | None = None,
    correction: float | None = None,
) -> Array: ...
def sum(
    a: Array,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: Array | None = None,
    keepdims: _bool = False,
    initial: _Scalar | None = None,
    where: Array | Literal[True] | None = None,
) -> Array: ...
def var(
    a: Array,
    axis: _Axes | None = None,
    dtype: DTypeLike | None = None,
    out: Array | None = None,
    ddof: float | None = None,
    keepdims: _bool = False,
    *,
    where: Array | Literal[True] | None = None,
    mean: Array | None = None,
    correction: float | None = None,
) -> Array: ...
def amax(
    a: Array,
    axis: _Axes | None = None,
    out: Array | None = None,
    keepdims: _bool = False,
    initial: _Scalar | None = None,
    where: Array | Literal[True] | None = None,
) -> Array: ...
def amin(
    a: Array,
    axis: _Axes | None = None,
    out: Array | None = None,
    keepdims: _bool = False,
    initial: _Scalar | None = None,
    where: Array | Literal[True] | None = None,
) -> Array: ...
def ptp(a: Array, axis: _Axes | None = None, out: Array | None = None, keepdims: _bool = False) -> Array: ...
def nanargmax(a: Array, axis: _Axes | None = None, out: Array | None = None, *, keepdims: _bool = False) -> Array: ...
def nanargmin(a: Array, axis: _Axes | None = None, out: Array | None = None, *, keepdims: _bool = False) -> Array: ...
def diff(
    a: Array, n: int = 1, axis: _Axes = -1, prepend: Array | None = None, append: Array | None = None
) -> Array: ...
def average(
    a: Array,
    axis: _Axes | None = None,
    weights: Array | None = None,
    returned: _bool = False,
    *,
    keepdims: _bool = False,
) -> Any: ...
def quantile(
    a: Array,
    q: Array | float | Sequence[float],
    axis: _Axes | None = None,
    out: Array | None = None,
    overwrite_input: _bool = False,
    method: _Method = "linear",
    keepdims: _bool = False,
    *,
    weights: Array | None = None,
) -> Array: ...
def percentile(
    a: Array,
    q: Array | float | Sequence[float],
    axis: _Axes | None = None,
    out: Array | None = None,
    overwrite_input: _bool = False,
    method: _Method = "linear",
    keepdims: _bool = False,
    *,
    weights: Array | None = None,
) -> Array: ...
def nanquantile(
    a: Array,
    q: Array | float | Sequence[float],
    axis: _Axes | None = None,
    out: Array | None = None,
    overwrite_input: _bool = False,
    method: _Method = "linear",
    keepdims: _bool = False,
    *,
    weights: Array | None = None,
) -> Array: ...
def nanpercentile(
    a: Array,
    q: Array | float | Sequence[float],
    axis: _Axes | None = None,
    out: Array | None = None,
    overwrite_input: _bool = False,
    method: _Method = "linear",
    keepdims: _bool = False,
    *,
    weights: Array | None = None,
) -> Array: ...
def median(
    a: Array,
    axis: _Axes | None = None,
    out: Array | None = None,
    overwrite_input: _bool = False,
    keepdims: _bool = False,
) -> Array: ...
def nanmedian(
    a: Array,
    axis: _Axes | None = None,
    out: Array | None = None,
    overwrite_input: _bool = False,
    keepdims: _bool = False,
) -> Array: ...
def cov(
    m: Array,
    y: Array | None = None,
    rowvar: _bool = True,
    bias: _bool = False,
    ddof: float | None = None,
    fweights: Array | None = None,
    aweights: Array | None = None,
    *,
    dtype: DTypeLike | None = None,
) -> Array: ...
def corrcoef(x: Array, y: Array | None = None, rowvar: _bool = True, *, dtype: DTypeLike | None = None) -> Array: ...
