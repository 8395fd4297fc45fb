"""NumPy's own functions on our arrays (R3.5), its testing tools, and copying and pickling."""

import copy
import pickle

import numpy as np
import pytest

import colocate as cl

A = np.linspace(-2, 3, 24).reshape(4, 6)

FUNCTIONS = {
    "exp": np.exp,
    "add": lambda x: np.add(x, 2),
    "maximum": lambda x: np.maximum(x, 0),
    "sum": lambda x: np.sum(x, axis=1),
    "mean": np.mean,
    "std": lambda x: np.std(x, axis=0),
    "concatenate": lambda x: np.concatenate([x, x], axis=1),
    "stack": lambda x: np.stack([x, x]),
    "where": lambda x: np.where(x > 0, x, -x),
    "transpose": np.transpose,
    "reshape": lambda x: np.reshape(x, (3, 8)),
    "moveaxis": lambda x: np.moveaxis(x, 0, 1),
    "sort": np.sort,
    "argsort": lambda x: np.argsort(x, axis=0),
    "cumsum": lambda x: np.cumsum(x, axis=1),
    "clip": lambda x: np.clip(x, -1, 1),
    "einsum": lambda x: np.einsum("ij,kj->ik", x, x),
    "tensordot": lambda x: np.tensordot(x, x, axes=([1], [1])),
    "linalg.norm": lambda x: np.linalg.norm(x, axis=1),
    "linalg.svdvals": lambda x: np.linalg.svdvals(x),
    "fft.rfft": lambda x: np.fft.rfft(x),
    "zeros_like": np.zeros_like,
    "unique": lambda x: np.unique(np.round(x)),
    "isnan": np.isnan,
    "any": np.any,
    "add.reduce": lambda x: np.add.reduce(x, axis=0),
    "multiply.accumulate": lambda x: np.multiply.accumulate(x, axis=1),
    "subtract.outer": lambda x: np.subtract.outer(x[0], x[1]),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_numpy_functions_are_ours(same_as_numpy, name):  # R3.5
    same_as_numpy(FUNCTIONS[name], A)


def test_numpy_functions_refuse_mixtures(device):  # R3.5
    x = cl.asarray(A, device=device)
    for call in (lambda: np.add(x, A), lambda: np.add(A, x), lambda: np.concatenate([x, A]), lambda: A * x):
        with pytest.raises(TypeError):
            call()


def test_facts_about_an_array(device):
    x = cl.asarray(A, device=device)
    assert np.shape(x) == (4, 6)
    assert np.ndim(x) == 2
    assert np.size(x) == 24
    assert np.result_type(x, np.float32) == np.float64
    assert np.iscomplexobj(x) is False


def test_numpy_testing(same_on_native):
    x, y = same_on_native.ours(A, A + 1e-12)
    np.testing.assert_allclose(x, y)
    np.testing.assert_allclose(x, A)
    np.testing.assert_array_equal(x, x)
    np.testing.assert_array_equal(x, A)
    np.testing.assert_array_almost_equal(x, y)
    np.testing.assert_array_less(x, x + 1)
    assert np.testing.assert_array_almost_equal_nulp(x, x) is None
    with pytest.raises(AssertionError, match="Mismatched elements: 24 / 24"):
        np.testing.assert_array_equal(x, x + 1)
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(x, y + 1)


def test_copies_are_independent(device):
    x = cl.asarray(A, device=device, usm_type="shared")
    for twin in (copy.copy(x), copy.deepcopy(x), copy.deepcopy({"x": [x]})["x"][0]):
        assert (twin.device, twin.usm_type) == (device, "shared")
        twin[0, 0] = 99
        assert cl.asnumpy(x)[0, 0] == A[0, 0]


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_come_back_where_they_were(device, protocol):
    for x in (cl.asarray(A, device=device, usm_type="host"), cl.asarray(A, device=device)[::2, ::-1]):
        back = pickle.loads(pickle.dumps(x, protocol))
        assert (back.device, back.usm_type, back.dtype) == (x.device, x.usm_type, x.dtype)
        np.testing.assert_array_equal(cl.asnumpy(back), cl.asnumpy(x))
