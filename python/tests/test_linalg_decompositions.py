"""Decompositions put together again, and against NumPy: dtypes, batches, layouts, devices."""

import math

import numpy as np
import pytest

import colocate as cl

DTYPES = ["float32", "float64", "complex64", "complex128"]
TOLERANCE = {"float32": 2e-4, "complex64": 2e-4, "float64": 1e-11, "complex128": 1e-11}
SHAPES = [(4, 4), (6, 3), (3, 6), (2, 5, 3), (2, 3, 4, 4), (0, 3, 3), (3, 0), (0, 3), (0, 0), (40, 3), (1, 1)]
SQUARE = [(4, 4), (2, 3, 3), (2, 3, 2, 2), (0, 3, 3), (0, 0), (2, 0, 0), (1, 1), (30, 30)]


def numbers(shape, dtype="float64", seed=0):
    rng = np.random.default_rng(seed)
    values = rng.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(dtype)


def adjoint(a):
    return np.conj(np.swapaxes(a, -1, -2))


def hermitian(shape, dtype, seed=0):
    a = numbers(shape, dtype, seed)
    return a + adjoint(a)


def positive(shape, dtype):
    a = numbers(shape, dtype)
    return a @ adjoint(a) + shape[-1] * np.eye(shape[-1], dtype=dtype)


def close(found, expected, dtype):
    found = cl.asnumpy(found) if isinstance(found, cl.Array) else found
    expected = np.asarray(expected)
    assert found.shape == expected.shape
    assert found.dtype == expected.dtype
    bound = TOLERANCE[dtype]
    np.testing.assert_allclose(found, expected, rtol=bound, atol=bound * max(1.0, np.abs(expected).max(initial=0)))


def is_orthonormal(q, dtype):
    close(
        adjoint(q) @ q, np.broadcast_to(np.eye(q.shape[-1], dtype=q.dtype), (*q.shape[:-2], *[q.shape[-1]] * 2)), dtype
    )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("mode", ["reduced", "complete"])
def test_qr(device, dtype, shape, mode):
    a = numbers(shape, dtype)
    result = cl.linalg.qr(cl.asarray(a, device=device), mode=mode)
    q, r = cl.asnumpy(result.Q), cl.asnumpy(result.R)
    expected = np.linalg.qr(a, mode=mode)
    assert q.shape == expected.Q.shape and r.shape == expected.R.shape
    close(q @ r, a, dtype)
    is_orthonormal(q, dtype)
    np.testing.assert_array_equal(r, np.triu(r))
    if mode == "reduced":
        close(cl.linalg.qr(cl.asarray(a, device=device), mode="r"), r, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("full", [True, False])
def test_svd(device, dtype, shape, full):
    a = numbers(shape, dtype)
    x = cl.asarray(a, device=device)
    u, s, vh = (cl.asnumpy(each) for each in cl.linalg.svd(x, full_matrices=full))
    expected = np.linalg.svd(a, full_matrices=full)
    assert u.shape == expected.U.shape and vh.shape == expected.Vh.shape
    close(s, expected.S, dtype)
    k = s.shape[-1]
    close((u[..., :k] * s[..., None, :]) @ vh[..., :k, :], a, dtype)
    is_orthonormal(u, dtype)
    is_orthonormal(adjoint(vh), dtype)
    close(cl.linalg.svdvals(x), expected.S, dtype)
    close(cl.linalg.svd(x, compute_uv=False), expected.S, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SQUARE)
@pytest.mark.parametrize("UPLO", ["L", "U"])
def test_eigh(device, dtype, shape, UPLO):
    a = hermitian(shape, dtype)
    # The other triangle is not looked at.
    half = (np.tril if UPLO == "L" else np.triu)(a) + 7 * (np.triu if UPLO == "L" else np.tril)(
        np.ones(shape, dtype), 1 if UPLO == "L" else -1
    )
    x = cl.asarray(half, device=device)
    result = cl.linalg.eigh(x, UPLO=UPLO)
    w, v = cl.asnumpy(result.eigenvalues), cl.asnumpy(result.eigenvectors)
    close(w, np.linalg.eigvalsh(a), dtype)
    close(a @ v, v * w[..., None, :].astype(dtype), dtype)
    is_orthonormal(v, dtype)
    close(cl.linalg.eigvalsh(x, UPLO=UPLO), w, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SQUARE)
def test_eig(device, dtype, shape):
    a = numbers(shape, dtype)
    x = cl.asarray(a, device=device)
    result = cl.linalg.eig(x)
    w, v = cl.asnumpy(result.eigenvalues), cl.asnumpy(result.eigenvectors)
    assert w.dtype.kind == v.dtype.kind == "c"
    assert w.shape == shape[:-1] and v.shape == shape
    close(a.astype(v.dtype) @ v, v * w[..., None, :], dtype)
    np.testing.assert_allclose(np.linalg.norm(v, axis=-2), np.ones(shape[:-1]), rtol=1e-5)
    expected = np.linalg.eigvals(a).astype(w.dtype)
    values = cl.asnumpy(cl.linalg.eigvals(x))
    close(np.sort_complex(np.round(values.real, 3)), np.sort_complex(np.round(expected.real, 3)), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SQUARE)
def test_inverse_determinant_cholesky(device, dtype, shape):
    a = positive(shape, dtype)
    x = cl.asarray(a, device=device)
    close(cl.linalg.inv(x), np.linalg.inv(a), dtype)
    if shape[-1] < 10:
        # A larger one overflows in float32.
        close(cl.linalg.det(x), np.linalg.det(a), dtype)
    b = numbers(shape, dtype)
    sign, logarithm = cl.linalg.slogdet(cl.asarray(b, device=device))
    expected = np.linalg.slogdet(b)
    close(sign, expected.sign, dtype)
    close(logarithm, expected.logabsdet, dtype)
    lower = cl.asnumpy(cl.linalg.cholesky(x))
    close(lower @ adjoint(lower), a, dtype)
    np.testing.assert_array_equal(lower, np.tril(lower))
    close(cl.linalg.cholesky(x, upper=True), adjoint(lower), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "shapes",
    [
        ((3, 3), (3,)),
        ((3, 3), (3, 2)),
        ((4, 3, 3), (3, 2)),
        ((3, 3), (4, 3, 2)),
        ((4, 3, 3), (3,)),
        ((0, 3, 3), (3, 2)),
    ],
)
def test_solve(device, dtype, shapes):
    a, b = positive(shapes[0], dtype), numbers(shapes[1], dtype, 1)
    close(cl.linalg.solve(cl.asarray(a, device=device), cl.asarray(b, device=device)), np.linalg.solve(a, b), dtype)


def test_matrices_in_any_layout(device):
    a, b = positive((2, 5, 5), "float64"), numbers((2, 5, 5), "float64")
    x, y = cl.asarray(a, device=device), cl.asarray(b, device=device)
    close(cl.linalg.inv(x.mT), np.linalg.inv(np.swapaxes(a, -1, -2)), "float64")
    close(cl.linalg.solve(x.mT, y.mT), np.linalg.solve(np.swapaxes(a, -1, -2), np.swapaxes(b, -1, -2)), "float64")
    close(cl.linalg.svdvals(y[:, ::-1, ::2]), np.linalg.svd(b[:, ::-1, ::2], compute_uv=False), "float64")
    close(cl.linalg.det(y[:, 1::2, 1::2]), np.linalg.det(b[:, 1::2, 1::2]), "float64")
    spread = cl.broadcast_to(x[0], (3, 5, 5))
    close(cl.linalg.inv(spread), np.linalg.inv(np.broadcast_to(a[0], (3, 5, 5))), "float64")


def test_large_matrices_on_several_threads():
    a = numbers((200, 200), "float64")
    x = cl.asarray(a, device="native:cpu")
    u, s, vh = (cl.asnumpy(each) for each in cl.linalg.svd(x))
    close((u * s) @ vh, a, "float64")
    h = a + a.T
    w, v = (cl.asnumpy(each) for each in cl.linalg.eigh(cl.asarray(h, device="native:cpu")))
    close(h @ v, v * w, "float64")
    close(cl.linalg.solve(x, x), np.eye(200), "float64")
    many = numbers((40, 20, 20), "float64")
    close(cl.linalg.inv(cl.asarray(many, device="native:cpu")), np.linalg.inv(many), "float64")


def test_integers_become_floats_and_halves_are_refused(device):
    a = np.array([[2, 1], [1, 3]])
    close(cl.linalg.inv(cl.asarray(a, device=device)), np.linalg.inv(a), "float64")
    with pytest.raises(cl.DTypeError, match="float16"):
        cl.linalg.inv(cl.ones((2, 2), dtype="float16", device=device))


@pytest.mark.parametrize("dtype", DTYPES)
def test_singular_matrices_have_no_inverse(device, dtype):
    x = cl.asarray(np.array([[1, 2], [2, 4]], dtype), device=device)
    for name, call in {
        "inv": lambda: cl.linalg.inv(x),
        "solve": lambda: cl.linalg.solve(x, x),
        "batch": lambda: cl.linalg.inv(cl.stack([cl.eye(2, dtype=x.dtype, device=device), x])),
    }.items():
        with pytest.raises(cl.LinAlgError, match="singular"):
            call()
            pytest.fail(name)
    assert issubclass(cl.LinAlgError, np.linalg.LinAlgError)
    assert float(cl.abs(cl.linalg.det(x))) == 0
    assert float(cl.linalg.slogdet(x).logabsdet) == -math.inf


def test_matrices_without_a_decomposition(device):
    with pytest.raises(cl.LinAlgError, match="definite"):
        cl.linalg.cholesky(cl.asarray([[1.0, 2.0], [2.0, 1.0]], device=device))
    bad = cl.asarray([[1.0, math.nan], [2.0, 1.0]], device=device)
    for call in (cl.linalg.svd, cl.linalg.eigh, cl.linalg.eig):
        with pytest.raises(cl.LinAlgError, match="converge"):
            call(cl.asarray(bad.mT, copy=True))


def test_what_is_no_matrix_is_refused(device):
    for call in (cl.linalg.inv, cl.linalg.det, cl.linalg.eigh, cl.linalg.cholesky):
        with pytest.raises(cl.LinAlgError, match="square"):
            call(cl.ones((2, 3), device=device))
        with pytest.raises(cl.LinAlgError, match="axes"):
            call(cl.ones(3, device=device))
        with pytest.raises(cl.HostDataError):
            call(np.ones((2, 2)))
    with pytest.raises(cl.InvalidArgumentError):
        cl.linalg.solve(cl.ones((2, 2), device=device), cl.ones((3, 2), device=device))
    with pytest.raises(cl.InvalidArgumentError, match="mode"):
        cl.linalg.qr(cl.ones((2, 2), device=device), mode="raw")


def test_decompositions_stay_where_their_matrices_are(device):
    q = cl.Queue(device)
    x = cl.eye(3, queue=q, usm_type="shared")
    for result in (*cl.linalg.svd(x), *cl.linalg.qr(x), cl.linalg.inv(x), cl.linalg.det(x)):
        assert result.queue == q
        assert result.usm_type == "shared"


def test_lapack_on_a_named_queue(device):
    q = cl.Queue(device)
    x = cl.asarray(positive((3, 3), "float64"), queue=q)
    lapack = cl.lapack(queue=q)
    assert type(lapack.svd(x)).__name__ == "SVDResult"
    close(lapack.inv(x), np.linalg.inv(cl.asnumpy(x)), "float64")
    with pytest.raises(cl.ExecutionPlacementError, match=r"R6\.5"):
        lapack.svd(cl.ones((2, 2), queue=cl.Queue(device, in_order=False)))


SMALLEST = {"float32": 1e-41, "float64": 1e-310, "complex64": 1e-41, "complex128": 1e-310}


@pytest.mark.parametrize("dtype", DTYPES)
def test_subnormal_pivots_are_pivots(dtype, device):
    small = SMALLEST[dtype]
    diagonal = np.diag(np.asarray([small, 1, 2], dtype))
    x = cl.asarray(diagonal, device=device)
    right = np.asarray([small, 1, 6], dtype)
    for matrix in (x, cl.asarray(diagonal[::-1].copy(), device=device)):
        rows = cl.asarray(right if matrix is x else right[::-1].copy(), device=device)
        np.testing.assert_allclose(cl.asnumpy(cl.linalg.solve(matrix, rows)), [1, 1, 3])
    sign, logarithm = cl.linalg.slogdet(x)
    assert complex(sign.item()) == 1 and math.isclose(float(logarithm), math.log(2 * abs(diagonal[0, 0])), rel_tol=1e-5)
    assert abs(cl.linalg.det(x).item()) > 0
    assert cl.asnumpy(cl.linalg.inv(x))[1:, 1:].tolist() == [[1, 0], [0, 0.5]]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("size", [2, 9, 40])
def test_constant_matrices_are_singular_and_no_numbers_are_lost(dtype, size):
    for seed in range(20):
        x = cl.asarray(np.full((size, size), numbers((1,), dtype, seed)[0]))
        for call in (cl.linalg.inv, lambda x: cl.linalg.solve(x, x[0])):
            try:
                assert not cl.any(cl.isnan(call(x)))
            except cl.LinAlgError:
                pass
        assert abs(cl.linalg.det(x).item()) < 1e-5
        assert not cl.any(cl.isnan(cl.linalg.slogdet(x)[0]))


@pytest.mark.parametrize("dtype", DTYPES)
def test_subnormal_columns_have_a_direction(dtype):
    plain = np.asarray([[1, 2], [3, 4], [5, 6]])
    x = (plain * SMALLEST[dtype]).astype(dtype)
    q, r = cl.linalg.qr(cl.asarray(x))
    np.testing.assert_allclose(cl.asnumpy(q), np.linalg.qr(plain)[0], rtol=1e-2)
    np.testing.assert_allclose(cl.asnumpy(q) @ cl.asnumpy(r), x, rtol=1e-2)


@pytest.mark.parametrize("right", ["float32", "complex64", "float64"])
def test_integers_are_solved_as_float64(right):
    a, b = np.asarray([[1, 2], [3, 4]], "int8"), np.ones(2, right)
    assert cl.linalg.solve(cl.asarray(a), cl.asarray(b)).dtype == np.linalg.solve(a, b).dtype
