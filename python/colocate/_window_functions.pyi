# Window functions, for type checkers.

from colocate import Array, Place, UsmType

def bartlett(
    M: int, *, device: Place | None = None, queue: Place | None = None, usm_type: UsmType | None = None
) -> Array: ...
def blackman(
    M: int, *, device: Place | None = None, queue: Place | None = None, usm_type: UsmType | None = None
) -> Array: ...
def hamming(
    M: int, *, device: Place | None = None, queue: Place | None = None, usm_type: UsmType | None = None
) -> Array: ...
def hanning(
    M: int, *, device: Place | None = None, queue: Place | None = None, usm_type: UsmType | None = None
) -> Array: ...
def kaiser(
    M: int, beta: float, *, device: Place | None = None, queue: Place | None = None, usm_type: UsmType | None = None
) -> Array: ...
