"""dask.array with our arrays as chunks."""

import numpy as np
import pytest

import colocate as cl

da = pytest.importorskip("dask.array")

A = np.linspace(-1, 3, 60).reshape(6, 10)
B = np.cos(np.arange(60.0)).reshape(10, 6)


@pytest.fixture(autouse=True)
def one_thread():
    """The device context of a test is its thread's own (R6.1)."""
    import dask

    with dask.config.set(scheduler="synchronous"):
        yield


def chunked(x, chunks=(3, 5)):
    """A dask array over ours, or NumPy's."""
    return da.from_array(x, chunks=chunks, asarray=False)


CASES = {
    "arithmetic": lambda d: d * 2 + d**2 - 1,
    "ufunc": lambda d: np.exp(d),
    "sum": lambda d: d.sum(),
    "sum of an axis": lambda d: d.sum(axis=0),
    "mean": lambda d: d.mean(axis=1),
    "std": lambda d: d.std(),
    "max": lambda d: d.max(axis=0),
    "argmax": lambda d: d.argmax(axis=1),
    "transpose": lambda d: d.T,
    "slice": lambda d: d[1:5, ::2],
    "list index": lambda d: d[:, [7, 0, 3]],
    "reshape": lambda d: d.reshape(60),
    "concatenate": lambda d: da.concatenate([d, d + 1], axis=1),
    "stack": lambda d: da.stack([d, d]),
    "where": lambda d: da.where(d > 0, d, 0.0),
    "map_blocks": lambda d: d.map_blocks(lambda block: block * 3, dtype=d.dtype),
    "rechunk": lambda d: d.rechunk((2, 10)) + 1,
    "cumsum": lambda d: d.cumsum(axis=1),
    "clip": lambda d: d.clip(0, 1),
    "overlap": lambda d: d.map_overlap(lambda block: block, depth=1, boundary="reflect", dtype=d.dtype),
    "roll": lambda d: da.roll(d, 2, axis=1),
    "any": lambda d: (d > 2).any(axis=0),
    "boolean index": lambda d: d[d > 0],
}


@pytest.mark.parametrize("name", CASES)
def test_operations(same_as_numpy, name):
    same_as_numpy(lambda x: CASES[name](chunked(x)).compute(), A)


def test_products_of_matrices(same_as_numpy):
    same_as_numpy(lambda x, y: (chunked(x) @ chunked(y, (5, 3))).compute(), A, B)
    same_as_numpy(lambda x, y: da.tensordot(chunked(x), chunked(y, (5, 3)), axes=1).compute(), A, B)


def test_the_meta_is_ours(device):
    with cl.device_context(device):
        d = chunked(cl.asarray(A))
        assert isinstance(d._meta, cl.Array)
        assert isinstance((d.sum(axis=0) + 1)._meta, cl.Array)


def test_names_depend_on_the_contents(device):
    with cl.device_context(device):
        x, y = cl.asarray(A), cl.asarray(A + 1)
        assert chunked(x).name == chunked(cl.asarray(A)).name
        assert chunked(x).name != chunked(y).name
