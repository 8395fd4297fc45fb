"""What dask.array has to be told about our arrays as chunks.

dask looks for its own implementations by the class of a chunk, and calls ``__dask_tokenize__`` of
whatever it makes a collection of. So that call is where dask hears of ours; nothing here is
imported before.
"""

from functools import cache

from colocate import _native


def tokenise(x):
    """What names the array in a graph: equal for equal contents in equal places."""
    from dask.tokenize import normalize_token

    _register()
    return "colocate.Array", str(x.device), x.usm_type, normalize_token(_native.asnumpy(x))


@cache
def _register():
    """Registers the functions whose general form would mix NumPy arrays with ours (R3.5)."""
    try:
        from dask.array.dispatch import numel_lookup
    except ImportError:  # dask without arrays
        return
    numel_lookup.register(_native.Array, _count_elements)


def _count_elements(x, axis=None, keepdims=False, dtype="float64", **_):
    """How many elements are summed up into each element of a reduction."""
    axes = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    axes = {one % x.ndim for one in axes}
    count, shape = 1, []
    for number, extent in enumerate(x.shape):
        if number in axes:
            count *= extent
            if keepdims:
                shape.append(1)
        else:
            shape.append(extent)
    return _native.full(tuple(shape), count, dtype=dtype, queue=x.queue, usm_type=x.usm_type)
