"""array-api-extra: functions that packages build from the standard."""

import numpy as np
import pytest

import colocate as cl

xpx = pytest.importorskip("array_api_extra")

RNG = np.random.default_rng(7)
A = RNG.normal(size=(4, 6))
B = RNG.normal(size=(4, 6))
WHOLE = RNG.integers(0, 5, 40)
SQUARE = RNG.normal(size=(5, 5))

CASES = {
    "atleast_nd": lambda x: xpx.atleast_nd(x, ndim=4),
    "cov": lambda x: xpx.cov(x),
    "expand_dims": lambda x: xpx.expand_dims(x, axis=(0, 2)),
    "pad": lambda x: xpx.pad(x, (1, 2), constant_values=3.0),
    "sinc": xpx.sinc,
    "isclose": lambda x: xpx.isclose(x, x + 1e-12),
    "create_diagonal": lambda x: xpx.create_diagonal(x[0, :], offset=1),
    "kron": lambda x: xpx.kron(x, x[:2, :2]),
    "partition": lambda x: x[:, :0] + xpx.partition(x, 3, axis=1)[:, 3:4],
    "at_set": lambda x: xpx.at(x, (slice(None), 2)).set(5.0),
    "at_add_mask": lambda x: xpx.at(x, x > 0).add(1.0),
    "at_multiply": lambda x: xpx.at(x)[1:3, ::2].multiply(2.0),
    "at_min": lambda x: xpx.at(x)[0, :].min(0.0),
    "nan_to_num": lambda x: xpx.nan_to_num(x / (x * (x > 0))),
    "argpartition": lambda x: xpx.argpartition(x[0, :], 2)[2:3],
}


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
@pytest.mark.parametrize("name", CASES)
def test_functions_of_one_array(same_as_numpy, name):
    same_as_numpy(CASES[name], A)


def test_functions_of_several_arrays(same_as_numpy):
    same_as_numpy(lambda x, y: xpx.apply_where(x > 0, (x, y), lambda a, b: a + b, lambda a, b: a - b), A, B)
    # The order of these is left open.
    same_as_numpy(lambda x, y: sorted(map(int, xpx.setdiff1d(x, y))), WHOLE, WHOLE[WHOLE > 2])
    same_as_numpy(lambda x, y: sorted(map(int, xpx.union1d(x, y))), WHOLE, WHOLE + 3)
    same_as_numpy(lambda x, y: xpx.isin(x, y), WHOLE, WHOLE[:3])
    same_as_numpy(lambda x: xpx.one_hot(x, 5, dtype=np.dtype("float32")), WHOLE)
    same_as_numpy(lambda x: xpx.nunique(x), WHOLE)
    same_as_numpy(lambda x, y: xpx.searchsorted(x, y), np.sort(A[0]), B[1])


def test_helpers_that_ask_the_namespace(device):
    assert xpx.default_dtype(cl, "real floating") == cl.float64
    assert xpx.broadcast_shapes((2, 1), (1, 3)) == (2, 3)


def test_lazy_apply_reads_arrays_on_the_host(same_on_native):
    same_on_native(lambda x: xpx.lazy_apply(np.sin, x, as_numpy=True, shape=x.shape, dtype=x.dtype), A)
