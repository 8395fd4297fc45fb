"""How arrays print."""

import numpy as np

from colocate import _native

# Of an array with more elements than this, only those that show are copied from the device.
_SHOW_ALL = 1000
_EDGE = 3


def _edges(x):
    """The corners of a large array, with one more element between them for NumPy to leave out."""
    for axis, extent in enumerate(x.shape):
        if extent > 2 * _EDGE + 1:
            before = (slice(None),) * axis
            short = _native.empty((*x.shape[:axis], 2 * _EDGE + 1, *x.shape[axis + 1 :]), dtype=x.dtype, queue=x.queue)
            short[(*before, slice(_EDGE + 1))] = x[(*before, slice(_EDGE + 1))]
            short[(*before, slice(-_EDGE, None))] = x[(*before, slice(-_EDGE, None))]
            x = short
    return x


def elements(x):
    """The elements as NumPy would print them."""
    whole = x.size <= _SHOW_ALL
    shown = _native.asnumpy(x if whole else _edges(x))
    threshold = _SHOW_ALL + 1 if whole else 0
    return np.array2string(shown, separator=", ", threshold=threshold, edgeitems=_EDGE, prefix="Array(")


def array(x):
    """``repr(x)``."""
    place = f"device={str(x.device)!r}, usm_type={x.usm_type!r}"
    shape = f", shape={x.shape}" if x.size > _SHOW_ALL or x.size == 0 else ""
    return f"Array({elements(x)}{shape}, dtype={x.dtype.name}, {place})"
