"""How arrays print. NumPy's printing options hold for colocate's arrays, too."""

import numpy as np

from colocate import _native


def _edges(x, edge):
    """The corners of a large array, with one more element between them for NumPy to leave out."""
    for axis, extent in enumerate(x.shape):
        if extent > 2 * edge + 1:
            before = (slice(None),) * axis
            short = _native.empty((*x.shape[:axis], 2 * edge + 1, *x.shape[axis + 1 :]), dtype=x.dtype, queue=x.queue)
            short[(*before, slice(edge + 1))] = x[(*before, slice(edge + 1))]
            if edge:
                short[(*before, slice(-edge, None))] = x[(*before, slice(-edge, None))]
            x = short
    return x


def text(x, **options):
    """The elements as NumPy would print them; of a large array only those that show are copied."""
    current = {**np.get_printoptions(), **{key: value for key, value in options.items() if value is not None}}
    threshold, edge = current["threshold"], current["edgeitems"]
    whole = x.size <= threshold
    shown = _native.asnumpy(x if whole else _edges(x, edge))
    options = {**options, "threshold": max(shown.size, 1) if whole else 0}
    return np.array2string(shown, **options)


def elements(x):
    """The elements as ``repr`` shows them."""
    return text(x, separator=", ", prefix="Array(")


def array(x):
    """``repr(x)``."""
    place = f"device={str(x.device)!r}, usm_type={x.usm_type!r}"
    shape = f", shape={x.shape}" if x.size > np.get_printoptions()["threshold"] or x.size == 0 else ""
    return f"Array({elements(x)}{shape}, dtype={x.dtype.name}, {place})"
