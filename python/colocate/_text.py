"""How arrays print."""

import numpy as np

from colocate import _native

# More elements than this are not copied from the device just to be left out of the text.
_EDGE = 3
_SHOW_ALL = 1000


def _preview(x):
    """A NumPy array that prints as ``x`` does, with only the elements that show."""
    if x.size <= _SHOW_ALL:
        return np.array(x.tolist(), dtype=x.dtype).reshape(x.shape), False
    edges = x
    for axis, extent in enumerate(x.shape):
        if extent > 2 * _EDGE:
            index = (slice(None),) * axis
            head, tail = edges[index + (slice(_EDGE),)], edges[index + (slice(-_EDGE, None),)]
            joined = _native.empty(
                edges.shape[:axis] + (2 * _EDGE + 1,) + edges.shape[axis + 1 :],
                dtype=x.dtype,
                queue=x.queue,
            )
            joined[index + (slice(_EDGE),)] = head
            joined[index + (slice(_EDGE, _EDGE + 1),)] = head[index + (slice(1),)]
            joined[index + (slice(_EDGE + 1, None),)] = tail
            edges = joined
    return np.array(edges.tolist(), dtype=x.dtype).reshape(edges.shape), True


def elements(x):
    """The elements as NumPy would print them."""
    preview, shortened = _preview(x)
    threshold = 1 if shortened else _SHOW_ALL + 1
    return np.array2string(preview, separator=", ", threshold=threshold, edgeitems=_EDGE, prefix="Array(")


def array(x):
    """``repr(x)``."""
    place = f"device={x.device.selector or x.device!r}, usm_type={x.usm_type!r}"
    shape = f", shape={x.shape}" if x.size > _SHOW_ALL or x.size == 0 else ""
    return f"Array({elements(x)}{shape}, dtype={x.dtype.name}, {place})"
