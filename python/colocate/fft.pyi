# Fourier transforms, for type checkers.

from collections.abc import Sequence
from typing import Literal, SupportsIndex

from colocate import Array, DTypeLike, Place, UsmType

_Norm = Literal["backward", "ortho", "forward"] | None

def fft(x: Array, /, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: _Norm = "backward") -> Array: ...
def ifft(x: Array, /, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: _Norm = "backward") -> Array: ...
def rfft(x: Array, /, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: _Norm = "backward") -> Array: ...
def irfft(x: Array, /, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: _Norm = "backward") -> Array: ...
def hfft(x: Array, /, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: _Norm = "backward") -> Array: ...
def ihfft(x: Array, /, n: SupportsIndex | None = None, axis: SupportsIndex = -1, norm: _Norm = "backward") -> Array: ...
def fftn(
    x: Array,
    /,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
    norm: _Norm = "backward",
) -> Array: ...
def ifftn(
    x: Array,
    /,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
    norm: _Norm = "backward",
) -> Array: ...
def rfftn(
    x: Array,
    /,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
    norm: _Norm = "backward",
) -> Array: ...
def irfftn(
    x: Array,
    /,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] | None = None,
    norm: _Norm = "backward",
) -> Array: ...
def fft2(
    x: Array,
    /,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] = (-2, -1),
    norm: _Norm = "backward",
) -> Array: ...
def ifft2(
    x: Array,
    /,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] = (-2, -1),
    norm: _Norm = "backward",
) -> Array: ...
def rfft2(
    x: Array,
    /,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] = (-2, -1),
    norm: _Norm = "backward",
) -> Array: ...
def irfft2(
    x: Array,
    /,
    s: Sequence[SupportsIndex | None] | None = None,
    axes: Sequence[SupportsIndex] = (-2, -1),
    norm: _Norm = "backward",
) -> Array: ...
def fftfreq(
    n: SupportsIndex,
    /,
    d: float = 1.0,
    *,
    dtype: DTypeLike | None = None,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def rfftfreq(
    n: SupportsIndex,
    /,
    d: float = 1.0,
    *,
    dtype: DTypeLike | None = None,
    device: Place | None = None,
    queue: Place | None = None,
    usm_type: UsmType | None = None,
) -> Array: ...
def fftshift(x: Array, /, axes: SupportsIndex | Sequence[SupportsIndex] | None = None) -> Array: ...
def ifftshift(x: Array, /, axes: SupportsIndex | Sequence[SupportsIndex] | None = None) -> Array: ...
