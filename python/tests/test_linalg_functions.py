"""Functions composed of products and decompositions against NumPy and SciPy."""

import math

import numpy as np
import pytest

import colocate as cl


def numbers(shape, dtype="float64", seed=0):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(dtype)


def close(found, expected, bound=1e-10):
    found, expected = cl.asnumpy(found), np.asarray(expected)
    assert found.shape == expected.shape
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=bound, atol=bound)


@pytest.mark.parametrize("dtype", ["float64", "complex128", "int64"])
@pytest.mark.parametrize("ord", [0, 1, 2, 3, -1, 0.5, math.inf, -math.inf])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_vector_norm(device, dtype, ord, axis, keepdims):
    a = (numbers((3, 4), "float64") * 5).astype(dtype) + np.asarray(1, dtype)
    x = cl.asarray(a, device=device)
    expected = np.linalg.vector_norm(
        a.astype("float64") if dtype == "int64" else a, axis=axis, keepdims=keepdims, ord=ord
    )
    close(cl.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord), expected)


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("ord", ["fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf])
def test_matrix_norm_and_norm(device, dtype, ord):
    a = numbers((2, 3, 4), dtype)
    x = cl.asarray(a, device=device)
    for keepdims in (False, True):
        close(
            cl.linalg.matrix_norm(x, ord=ord, keepdims=keepdims), np.linalg.matrix_norm(a, ord=ord, keepdims=keepdims)
        )
        close(
            cl.linalg.norm(x, ord, axis=(0, 2), keepdims=keepdims),
            np.linalg.norm(a, ord, axis=(0, 2), keepdims=keepdims),
        )
    close(cl.linalg.norm(x[0], ord), np.linalg.norm(a[0], ord))


def test_norm_without_arguments(device):
    a = numbers((2, 3, 4))
    x = cl.asarray(a, device=device)
    close(cl.linalg.norm(x), np.linalg.norm(a))
    close(cl.linalg.norm(x, axis=1), np.linalg.norm(a, axis=1))
    with pytest.raises(cl.InvalidArgumentError):
        cl.linalg.norm(x, 2)
    with pytest.raises(cl.InvalidArgumentError):
        cl.linalg.matrix_norm(x, ord=3)


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
@pytest.mark.parametrize("shape", [(4, 3), (3, 4), (2, 3, 3), (0, 3), (3, 0), (0, 2, 2)])
def test_pinv_and_matrix_rank(device, dtype, shape):
    a = numbers(shape, dtype)
    if a.size:
        a[..., -1, :] = a[..., 0, :]
    x = cl.asarray(a, device=device)
    close(cl.linalg.pinv(x), np.linalg.pinv(a, rtol=1e-12))
    found = cl.linalg.matrix_rank(x)
    np.testing.assert_array_equal(cl.asnumpy(found), np.linalg.matrix_rank(a))
    np.testing.assert_array_equal(cl.asnumpy(cl.linalg.matrix_rank(x, rtol=1.5)), np.zeros(shape[:-2]))


@pytest.mark.parametrize("a", [3.0, 0.0, [1.0, 2.0], [0.0, 0.0], []], ids=str)
def test_vectors_and_numbers_have_a_rank(device, a):
    assert int(cl.linalg.matrix_rank(cl.asarray(a, device=device))) == np.linalg.matrix_rank(a)


@pytest.mark.parametrize("dtype", ["int64", "float32", "complex128"])
@pytest.mark.parametrize("shape", [(0, 3), (2, 3, 0)])
def test_pinv_of_nothing_keeps_the_dtype(device, dtype, shape):
    a = np.zeros(shape, dtype)
    close(cl.linalg.pinv(cl.asarray(a, device=device)), np.linalg.pinv(a))


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5, 10, -1, -3])
def test_matrix_power(device, n):
    a = numbers((2, 3, 3)) + 3 * np.eye(3)
    close(cl.linalg.matrix_power(cl.asarray(a, device=device), n), np.linalg.matrix_power(a, n), 1e-9)


def test_matrix_power_of_one_is_a_copy(device):
    x = cl.ones((2, 2), device=device)
    y = cl.linalg.matrix_power(x, 1)
    y[0, 0] = 5
    assert float(x[0, 0]) == 1


@pytest.mark.parametrize("p", [None, 1, -1, 2, -2, math.inf, -math.inf, "fro"])
def test_cond(device, p):
    a = numbers((2, 3, 3))
    close(cl.linalg.cond(cl.asarray(a, device=device), p), np.linalg.cond(a, p))


@pytest.mark.parametrize("p", [None, 2, -2, 1, "fro"])
@pytest.mark.parametrize("dtype", ["float64", "float32", "complex64", "int64"])
def test_cond_of_zeros_is_infinite(device, p, dtype):
    for shape in ((2, 2), (3, 2, 2)):
        a = np.zeros(shape, dtype)
        close(cl.linalg.cond(cl.asarray(a, device=device), p), np.linalg.cond(a, p))


def test_cond_of_singular_matrices_is_infinite(device):
    x = cl.asarray([[1.0, 2.0], [2.0, 4.0]], device=device)
    assert float(cl.linalg.cond(x, 1)) == math.inf
    both = cl.stack([x, cl.eye(2, device=device)])
    assert cl.asnumpy(cl.linalg.cond(both, 1)).tolist() == [math.inf, 1.0]


@pytest.mark.parametrize("shape", [(5, 3), (3, 3), (3, 5)])
@pytest.mark.parametrize("columns", [None, 2])
def test_lstsq(device, shape, columns):
    a = numbers(shape)
    b = numbers((shape[0],) if columns is None else (shape[0], columns), seed=1)
    x, residuals, rank, s = cl.linalg.lstsq(cl.asarray(a, device=device), cl.asarray(b, device=device))
    expected = np.linalg.lstsq(a, b)
    close(x, expected[0])
    close(residuals, expected[1])
    assert rank == expected[2]
    close(s, expected[3])


@pytest.mark.parametrize("dtype", ["float64", "complex128", "float32"])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 30.0])
def test_expm(device, dtype, scale):
    linalg = pytest.importorskip("scipy.linalg")
    a = (numbers((2, 4, 4), dtype) * scale).astype(dtype)
    expected = linalg.expm(a)
    found = cl.asnumpy(cl.linalg.expm(cl.asarray(a, device=device)))
    assert found.dtype == a.dtype
    bound = 1e-4 if dtype == "float32" else 1e-9
    np.testing.assert_allclose(found, expected, rtol=bound, atol=bound * np.abs(expected).max())


def test_expm_of_simple_matrices(device):
    x = cl.asarray([[0.0, 1.0], [0.0, 0.0]], device=device)
    close(cl.linalg.expm(x), [[1.0, 1.0], [0.0, 1.0]])
    rotation = cl.asarray([[0.0, -20.0], [20.0, 0.0]], device=device)
    close(cl.linalg.expm(rotation), [[math.cos(20), -math.sin(20)], [math.sin(20), math.cos(20)]])


def test_multi_dot(device):
    arrays = [numbers(shape, seed=at) for at, shape in enumerate([(10, 30), (30, 5), (5, 60), (60,)])]
    close(cl.linalg.multi_dot([cl.asarray(a, device=device) for a in arrays]), np.linalg.multi_dot(arrays))
    with pytest.raises(cl.InvalidArgumentError):
        cl.linalg.multi_dot([cl.ones((2, 3), device=device), cl.ones((2, 3), device=device)])


def test_tensorsolve_and_tensorinv(device):
    a, b = numbers((2, 3, 6)) + np.eye(6).reshape(2, 3, 6), numbers((2, 3), seed=1)
    x, y = cl.asarray(a, device=device), cl.asarray(b, device=device)
    close(cl.linalg.tensorsolve(x, y), np.linalg.tensorsolve(a, b))
    close(cl.linalg.tensorinv(x), np.linalg.tensorinv(a))


@pytest.mark.parametrize("axis", [-1, 0])
def test_cross(device, axis):
    a, b = numbers((3, 3)), numbers((3, 3), seed=1)
    x, y = cl.asarray(a, device=device), cl.asarray(b, device=device)
    close(cl.linalg.cross(x, y, axis=axis), np.linalg.cross(a, b, axis=axis))
    close(cl.linalg.cross(x, y[0]), np.linalg.cross(a, b[0]))
    with pytest.raises(cl.InvalidArgumentError):
        cl.linalg.cross(x[:, :2], y[:, :2])


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("dtype", ["int64", "uint8", "float32", "complex128"])
def test_cross_of_vectors_in_a_plane(device, dtype):
    a, b = np.arange(1, 13).reshape(4, 3).astype(dtype), np.arange(13, 1, -1).reshape(4, 3).astype(dtype)
    x, y = cl.asarray(a, device=device), cl.asarray(b, device=device)
    for one, other in ((2, 2), (2, 3), (3, 2), (3, 3)):
        close(cl.cross(x[:, :one], y[:, :other]), np.cross(a[:, :one], b[:, :other]))
        close(cl.cross(x[0, :one], y[:, :other]), np.cross(a[0, :one], b[:, :other]))
    close(cl.cross(x[:2], y[:3], axis=0), np.cross(a[:2], b[:3], axis=0))
    with pytest.raises(ValueError):
        cl.cross(x[:, :1], y)
    with pytest.raises(ValueError):
        cl.linalg.cross(x[:, :2], y[:, :2])


def test_diagonal_trace_outer_transpose(device):
    a = numbers((2, 3, 4))
    x = cl.asarray(a, device=device)
    for offset in (-1, 0, 2):
        close(cl.linalg.diagonal(x, offset=offset), np.linalg.diagonal(a, offset=offset))
        close(cl.linalg.trace(x, offset=offset), np.linalg.trace(a, offset=offset))
    close(cl.linalg.outer(x[0, 0], x[0, 1]), np.outer(a[0, 0], a[0, 1]))
    close(cl.linalg.matrix_transpose(x), np.swapaxes(a, -1, -2))
    close(cl.matrix_transpose(x), np.swapaxes(a, -1, -2))
    with pytest.raises(cl.InvalidArgumentError):
        cl.matrix_transpose(x[0, 0])


def test_results_have_the_names_of_the_standard(device):
    x = cl.eye(2, device=device)
    assert cl.linalg.qr(x)._fields == ("Q", "R")
    assert cl.linalg.svd(x)._fields == ("U", "S", "Vh")
    assert cl.linalg.slogdet(x)._fields == ("sign", "logabsdet")
    assert cl.linalg.eigh(x)._fields == cl.linalg.eig(x)._fields == ("eigenvalues", "eigenvectors")


def test_two_tolerances_are_one_too_many():
    for module in (cl, np):
        x = module.eye(2)
        with pytest.raises(ValueError):
            module.linalg.pinv(x, 0.1, rtol=0.1)
        with pytest.raises(ValueError):
            module.linalg.matrix_rank(x, 0.1, rtol=0.1)
