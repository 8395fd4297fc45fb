# Fourier transforms, for type checkers.

from collections.abc import Sequence
from typing import Literal, SupportsIndex

from colocate import Array, DTypeLike, Place, UsmType

_Norm = Literal["backward", "ortho", "forward"] | None

def fft(
    a: Array,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: _Norm = "backward",
    out: Array | None = None,
) -> Array: ...
def ifft(
    a: Array,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: _Norm = "backward",
    out: Array | None = None,
) -> Array: ...
def rfft(
    a: Array,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: _Norm = "backward",
    out: Array | None = None,
) -> Array: ...
def irfft(
    a: Array,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: _Norm = "backward",
    out: Array | None = None,
) -> Array: ...
def hfft(
    a: Array,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: _Norm = "backward",
    out: Array | None = None,
) -> Array: ...
def ihfft(
    a: Array,
    n: SupportsIndex | None = None,
    axis: SupportsIndex = -1,
    norm: _Norm = "backward",
    out: Array | None = None,
) -> Array: ...
def fftn(
    a: Array,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
    norm: _Norm = "backward",
    out: Array | None = None,
) -> Array: ...
def ifftn(
    a: Array,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
    norm: _Norm = "backward",
    out: Array | None = None,
) -> Array: ...
def rfftn(
    a: Array,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
    norm: _Norm = "backward",
    out: Array | None = None,
) -> Array: ...
def irfftn(
    a: Array,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
    norm: _Norm = "backward",
    out: Array | None = None,
) -> Array: ...
def fft2(
    a: Array,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] = (-2, -1),
    norm: _Norm = "backward",
    out: Array | None = None,
) -> Array: ...
def ifft2(
    a: Array,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] = (-2, -1),
    norm: _Norm = "backward",
    out: Array | None = None,
) -> Array: ...
def rfft2(
    a: Array,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] = (-2, -1),
    norm: _Norm = "backward",
    out: Array | None = None,
) -> Array: ...
def irfft2(
    a: Array,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] = (-2, -1),
    norm: _Norm = "backward",
    out: Array | None = None,
) -> Array: ...
def fftfreq(
    n: SupportsIndex,
    d: float = 1.0,
    device: Place | None = None,
    *,
    dtype: DTypeLike | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def rfftfreq(
    n: SupportsIndex,
    d: float = 1.0,
    device: Place | None = None,
    *,
    dtype: DTypeLike | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def fftshift(x: Array, axes: SupportsIndex | Sequence[SupportsIndex] | None = None) -> Array: ...
def ifftshift(x: Array, axes: SupportsIndex | Sequence[SupportsIndex] | None = None) -> Array: ...
