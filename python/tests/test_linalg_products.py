"""Products of matrices and vectors against NumPy: dtypes, layouts, broadcasting, devices."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import colocate as cl

SETTINGS = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
EXACT = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64", "complex64", "complex128"]
TOLERANCE = {"float16": 5e-3, "float32": 1e-5, "complex64": 1e-5, "float64": 1e-13, "complex128": 1e-13}


def numbers(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.random(shape) < 0.3
    if kind in "iu":
        return rng.integers(0, 100, shape).astype(dtype)
    values = rng.standard_normal(shape)
    if kind == "c":
        values = values + 1j * rng.standard_normal(shape)
    return values.astype(dtype)


def layouts(a, device):
    """The array in several layouts: plain, transposed, backwards, with gaps."""
    yield cl.asarray(a, device=device)
    yield cl.asarray(np.ascontiguousarray(np.swapaxes(a, -1, -2)), device=device).mT
    yield cl.asarray(np.ascontiguousarray(a[..., ::-1, ::-1]), device=device)[..., ::-1, ::-1]
    wide = np.zeros((*a.shape[:-1], 2 * a.shape[-1]), a.dtype)
    wide[..., ::2] = a
    yield cl.asarray(wide, device=device)[..., ::2]


def close(x, expected, scale=1.0):
    found = cl.asnumpy(x)
    expected = np.asarray(expected)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    if expected.dtype.kind in "biu":
        np.testing.assert_array_equal(found, expected)
    else:
        bound = TOLERANCE[expected.dtype.name] * scale
        np.testing.assert_allclose(found, expected, rtol=bound, atol=bound * max(1.0, np.abs(expected).max(initial=0)))


@pytest.mark.parametrize("dtype", FLOATS[1:])
def test_large_products_come_after_what_was_submitted_before(device, dtype):
    a, b = numbers((210, 220), dtype), numbers((220, 230), dtype, 1)
    expected = a @ b
    for x, y in zip(layouts(a, device), layouts(b, device), strict=True):
        # The factors are still being computed, and so is what lies where the product will.
        for _ in range(3):
            product = (x * 2) @ (y * 2)
            close(product * 0.25, expected, scale=10)
            del product
    stacked = cl.asarray(np.stack([a, 2 * a]), device=device) @ cl.asarray(b, device=device)
    close(stacked, np.stack([expected, 2 * expected]), scale=10)
    long = numbers((4, 2_000_000 // 4), dtype)
    close(cl.asarray(long, device=device) @ cl.asarray(long.T, device=device), long @ long.T, scale=100)


@pytest.mark.parametrize("dtype", EXACT + FLOATS)
def test_products_of_matrices_in_every_layout(device, dtype):
    a, b = numbers((5, 7), dtype), numbers((7, 3), dtype, 1)
    expected = (a.astype("float32") @ b.astype("float32")).astype(dtype) if dtype == "float16" else a @ b
    for x in layouts(a, device):
        for y in layouts(b, device):
            close(x @ y, expected)


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("shape", [(33, 65, 17), (100, 1, 100), (1, 300, 1), (64, 64, 64), (129, 257, 130)])
def test_products_larger_than_a_tile(device, dtype, shape):
    m, k, n = shape
    a, b = numbers((m, k), dtype), numbers((k, n), dtype, 1)
    wide = {"float16": "float32", "bool": "bool"}.get(dtype, dtype)
    close(
        cl.asarray(a, device=device) @ cl.asarray(b, device=device), (a.astype(wide) @ b.astype(wide)).astype(dtype), 10
    )


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "complex128"])
def test_large_products_are_divided_between_threads(dtype):
    a, b = numbers((300, 200), dtype), numbers((200, 410), dtype, 1)
    x, y = cl.asarray(a, device="native:cpu"), cl.asarray(b, device="native:cpu")
    close(x @ y, a @ b, 10)
    close(y.mT @ x.mT, b.T @ a.T, 10)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "bool", "float16"])
def test_long_sums_are_divided_between_threads(dtype):
    a, b = numbers((2, 200_000), dtype), numbers((200_000, 3), dtype, 1)
    wide = "float32" if dtype == "float16" else dtype
    expected = (a.astype(wide) @ b.astype(wide)).astype(dtype)
    x, y = cl.asarray(a, device="native:cpu"), cl.asarray(b, device="native:cpu")
    close(x @ y, expected, 100)
    close(x[0] @ y[:, 0], expected[0, 0], 100)


@pytest.mark.parametrize(
    "shapes",
    [
        ((3,), (3,)),
        ((3,), (3, 4)),
        ((2, 3), (3,)),
        ((5, 2, 3), (3,)),
        ((3,), (5, 3, 2)),
        ((5, 2, 3), (3, 4)),
        ((2, 3), (5, 3, 4)),
        ((5, 1, 2, 3), (4, 3, 2)),
        ((5, 2, 3), (5, 3, 4)),
        ((0, 2, 3), (3, 4)),
        ((0, 3), (3, 4)),
        ((2, 0), (0, 4)),
        ((5, 2, 0), (0, 4)),
        ((2, 3), (3, 0)),
        ((0,), (0,)),
    ],
)
@pytest.mark.parametrize("dtype", ["float64", "int32"])
def test_batches_are_broadcast(device, shapes, dtype):
    a, b = numbers(shapes[0], dtype), numbers(shapes[1], dtype, 1)
    close(cl.matmul(cl.asarray(a, device=device), cl.asarray(b, device=device)), a @ b)


def test_a_batch_with_gaps_times_one_matrix(device):
    a, b = numbers((4, 6, 5), "float64"), numbers((5, 3), "float64", 1)
    x, y = cl.asarray(a, device=device), cl.asarray(b, device=device)
    close(x[::2, ::-1] @ y, a[::2, ::-1] @ b)
    close(cl.permute_dims(x, (1, 0, 2)) @ y, a.transpose(1, 0, 2) @ b)


@given(data=st.data())
@SETTINGS
def test_products_of_any_shape(device, data):
    extent = st.integers(0, 40)
    m, k, n = data.draw(extent), data.draw(extent), data.draw(extent)
    batch = data.draw(st.lists(st.integers(0, 3), max_size=2))
    dtype = data.draw(st.sampled_from(["int16", "float32", "float64", "complex64"]))
    a = numbers((*batch, m, k), dtype)
    b = numbers((*(data.draw(st.sampled_from([each, 1])) for each in batch), k, n), dtype, 1)
    x = data.draw(st.sampled_from(list(layouts(a, device))))
    y = data.draw(st.sampled_from(list(layouts(b, device))))
    close(x @ y, a @ b, 4)


def test_mixed_dtypes_are_promoted(device):
    a, b = numbers((2, 3), "int32"), numbers((3, 2), "float32", 1)
    close(cl.asarray(a, device=device) @ cl.asarray(b, device=device), a @ b)


def test_out_and_in_place(device):
    a, b = numbers((3, 3), "float64"), numbers((3, 3), "float64", 1)
    x, y = cl.asarray(a, device=device), cl.asarray(b, device=device)
    out = cl.zeros((3, 3), device=device)
    assert cl.matmul(x, y, out=out) is out
    close(out, a @ b)
    kept = x
    x @= y
    assert x is kept
    close(x, a @ b)
    # What is written to is also read.
    cl.matmul(x, x, out=x)
    close(x, (a @ b) @ (a @ b))


def test_what_does_not_fit_is_refused(device):
    x = cl.ones((2, 3), device=device)
    with pytest.raises(cl.InvalidArgumentError, match="cannot be multiplied"):
        x @ x
    with pytest.raises(cl.InvalidArgumentError, match="no axis"):
        cl.matmul(cl.sum(x), x)
    with pytest.raises(TypeError):
        x @ 2.0
    with pytest.raises(cl.HostDataError):  # R3.5
        x @ np.ones((3, 2))
    with pytest.raises(cl.HostDataError):
        np.ones((2, 2)) @ x
    with pytest.raises(cl.InvalidArgumentError, match="out has the shape"):
        cl.matmul(x, x.mT, out=cl.ones(2, device=device))
    with pytest.raises(cl.DTypeError):
        cl.matmul(x, x.mT, out=cl.ones((2, 2), dtype="int32", device=device))


def test_products_on_queues_that_disagree_are_refused():
    x = cl.ones((2, 2), queue=cl.Queue("native:cpu"))
    y = cl.ones((2, 2), queue=cl.Queue("native:cpu", in_order=False))
    with pytest.raises(cl.ExecutionPlacementError):  # R3.1
        x @ y


def test_the_results_memory_follows_the_operands(device):
    host, shared = (cl.ones((2, 2), device=device, usm_type=kind) for kind in ("host", "shared"))
    assert (host @ host).usm_type == "host"
    assert (host @ shared).usm_type == "shared"  # R3.3


@pytest.mark.parametrize("axes", [0, 1, 2, ((0,), (1,)), ((1, 0), (0, 1)), ((-1,), (0,)), (1, 0)])
def test_tensordot(device, axes):
    a, b = numbers((3, 3, 3), "float64"), numbers((3, 3, 3), "float64", 1)
    close(cl.tensordot(cl.asarray(a, device=device), cl.asarray(b, device=device), axes=axes), np.tensordot(a, b, axes))


@pytest.mark.parametrize("dtype", ["int8", "float32", "complex64", "bool"])
def test_vecdot_dot_inner_outer_kron_vdot(device, dtype):
    a, b = numbers((4, 3), dtype), numbers((4, 3), dtype, 1)
    x, y = cl.asarray(a, device=device), cl.asarray(b, device=device)
    close(cl.vecdot(x, y), np.vecdot(a, b))
    close(cl.vecdot(x, y, axis=0), np.vecdot(a, b, axis=0))
    close(cl.vecdot(x, y[0]), np.vecdot(a, b[0]))
    close(cl.vdot(x, y), np.vdot(a, b))
    close(cl.dot(x, y.T), np.dot(a, b.T))
    close(cl.dot(x, y[0]), np.dot(a, b[0]))
    close(cl.dot(x, y[0, 0]), np.dot(a, b[0, 0]))
    close(cl.inner(x, y), np.inner(a, b))
    close(cl.outer(x, y), np.outer(a, b))
    close(cl.kron(x, y[0]), np.kron(a, b[0]))
    cube = numbers((2, 3, 4), dtype, 2)
    close(cl.dot(x[:, :3], cl.asarray(cube, device=device)), np.dot(a[:, :3], cube))


@pytest.mark.parametrize(
    "expression",
    [
        "ij,jk->ik",
        "ij,jk",
        "ij,kj->ik",
        "ij,ij->",
        "ij->ji",
        "ij->j",
        "ii",
        "ii->i",
        "iij->ij",
        "ij,jk,kl->il",
        "ij,jk,kl,lm->im",
        "i,j->ij",
        "i,i->i",
        "bij,bjk->bik",
        "...ij,...jk->...ik",
        "...i->...",
        "i...,i...->...",
        "ijk,jil->kl",
        "ij,ik,il->jkl",
        "ij,jj->i",
        "ba",
        "a,ab,abc->abc",
        " ij , jk -> ik ",
        "->",
        ",i->i",
    ],
)
@pytest.mark.parametrize("dtype", ["float64", "int32", "complex64"])
def test_einsum(device, expression, dtype):
    terms = expression.replace(" ", "").split("->")[0].split(",")
    arrays = [numbers((3,) * len(term.replace("...", "xy")), dtype, at) for at, term in enumerate(terms)]
    expected = np.einsum(expression, *arrays)
    close(cl.einsum(expression, *(cl.asarray(a, device=device) for a in arrays)), expected, 10)


def test_einsum_with_lists_and_out_and_extents_of_one(device):
    a, b = numbers((2, 3), "float64"), numbers((3, 4), "float64", 1)
    x, y = cl.asarray(a, device=device), cl.asarray(b, device=device)
    close(cl.einsum(x, [0, 1], y, [1, 2], [0, 2]), a @ b)
    close(cl.einsum(x, [0, 1], y, [1, 2]), a @ b)
    close(cl.einsum(x, [Ellipsis, 1], [1, Ellipsis]), a.T)
    out = cl.zeros((2, 4), device=device)
    assert cl.einsum("ij,jk", x, y, out=out, optimize=True) is out
    close(out, a @ b)
    narrow = numbers((1, 3), "float64")
    expected = np.einsum("...i,...i->...", narrow, a)
    close(cl.einsum("...i,...i->...", cl.asarray(narrow, device=device), x), expected)
    path, text = cl.einsum_path("ij,jk,kl->il", x, y, y.mT)
    close(cl.einsum("ij,jk,kl->il", x, y, y.mT, optimize=path), a @ b @ b.T, 10)
    assert "ij,jk,kl->il" in text


@pytest.mark.parametrize("expression", ["ij->ijk", "ij->ii", "i->i", "ij,jk", "i$->i", "i-j"])
def test_expressions_that_make_no_sense_are_refused(expression):
    with pytest.raises(cl.InvalidArgumentError, match="einsum"):
        cl.einsum(expression, cl.ones((2, 2), device="native:cpu"))


@pytest.mark.parametrize("expression", ["ii", "ii->i", "ii,ij"])
def test_diagonals_are_of_squares(device, expression):
    x = cl.ones((1, 3), device=device)
    for function in (cl.einsum, cl.einsum_path):
        with pytest.raises(ValueError, match="diagonal"):
            function(expression, *(x for _ in expression.split(",")))


def test_blas_on_a_named_queue(device):
    q = cl.Queue(device)
    a, b, c = (numbers((3, 3), "float64", seed) for seed in range(3))
    x, y, z = (cl.asarray(each, queue=q) for each in (a, b, c))
    close(cl.blas.gemm(q, x, y), a @ b)
    close(cl.blas.gemm(q, x, y, alpha=2.0, beta=0.5, c=z, trans_a=True), 2 * a.T @ b + 0.5 * c)
    close(cl.blas.gemv(q, x, y[0]), a @ b[0])
    close(cl.blas.axpy(q, x, y, 3.0), 3 * a + b)
    close(cl.blas.dot(q, x[0], y[0]), a[0] @ b[0])
    close(cl.blas.nrm2(q, x[0]), np.linalg.norm(a[0]))
    close(cl.blas.asum(q, x[0]), np.abs(a[0]).sum())
    close(cl.blas.scal(q, 2.0, x), 2 * a)
    other = cl.ones((3, 3), queue=cl.Queue(device, in_order=False))
    with pytest.raises(cl.ExecutionPlacementError, match=r"R6\.5"):
        cl.blas.gemm(q, x, other)
    with pytest.raises(cl.HostDataError):
        cl.blas.gemm(q, a, b)


def test_products_in_a_forked_child(run_python):
    run_python(
        """
        import os
        import colocate as cl
        x = cl.ones((400, 400), device="native:cpu")
        assert float((x @ x)[0, 0]) == 400
        s = cl.linalg.svdvals(x)
        child = os.fork()
        if child == 0:
            assert float((x @ x)[0, 0]) == 400
            assert abs(float(cl.linalg.svdvals(x)[0]) - 400) < 1e-9
            os._exit(0)
        _, status = os.waitpid(child, 0)
        assert status == 0
        """
    )


@pytest.mark.parametrize(
    ("left", "right", "axes"),
    [
        ((2, 3), (3, 4), [(0, 1), (0, 1), (1, 0)]),
        ((3, 2, 5), (5, 4, 3), [(1, 2), (0, 1), (0, 1)]),
        ((3, 2, 5), (5,), [(1, 2), (0,), (0,)]),
        ((3, 2, 5), (5,), [(1, 2), 0, -1]),
        ((5,), (5, 4), [(0,), (0, 1), 0]),
        ((5,), (5,), [(0,), (0,), ()]),
    ],
)
def test_matrices_lie_in_the_axes_that_are_named(left, right, axes):
    a, b = numbers(left, "float64"), numbers(right, "float64", 1)
    wanted = np.matmul(a, b, axes=axes)
    got = cl.matmul(cl.asarray(a), cl.asarray(b), axes=axes)
    assert got.shape == wanted.shape
    np.testing.assert_allclose(cl.asnumpy(got), wanted, rtol=1e-13)
    out = cl.empty(wanted.shape)
    assert cl.matmul(cl.asarray(a), cl.asarray(b), out, axes=axes) is out
    np.testing.assert_allclose(cl.asnumpy(out), wanted, rtol=1e-13)


@pytest.mark.parametrize("axes", [[(0, 1)], [(0, 1), (0, 1)], [(0,), (0, 1), (0, 1)], [(0, 5), (0, 1), (0, 1)]])
def test_axes_that_are_too_few_or_not_there_are_refused(axes):
    a = np.ones((3, 3))
    for module in (cl, np):
        with pytest.raises(ValueError):
            module.matmul(module.asarray(a), module.asarray(a), axes=axes)


def test_products_of_vectors_go_where_they_are_wanted_and_are_computed_with_what_is_asked_for(device):
    matrices, vectors = np.arange(12.0).reshape(2, 2, 3), np.asarray([1.0, 2.0, 3.0])
    a, v = cl.asarray(matrices, device=device), cl.asarray(vectors, device=device)
    for name, operands, host in (
        ("matvec", (a, v), (matrices, vectors)),
        ("vecmat", (v, a.mT), (vectors, matrices.mT)),
        ("vecdot", (a, v), (matrices, vectors)),
    ):
        expected = getattr(np, name)(*host)
        out = cl.empty(expected.shape, device=device)
        assert getattr(cl, name)(*operands, out=out) is out
        assert out.tolist() == expected.tolist()
        single = getattr(cl, name)(*operands, dtype="float32")
        assert single.dtype == np.float32 and single.tolist() == expected.tolist()
        with pytest.raises(TypeError):
            getattr(cl, name)(*operands, dtype="int64")
    with pytest.raises(TypeError):
        cl.matmul(a, a.mT, dtype="int64")


def test_einsum_gives_views_that_can_be_written_to(device):
    x = cl.asarray(np.arange(9.0).reshape(3, 3), device=device)
    cl.einsum("ii->i", x)[...] = 7
    cl.einsum("ij->ji", x)[0, 1] = -1
    assert x.tolist() == [[7, 1, 2], [-1, 7, 5], [6, 7, 7]]
    x.flags.writeable = False
    assert not cl.einsum("ii->i", x).flags.writeable


def test_einsum_has_the_keywords_of_numpys():
    x = cl.asarray(np.arange(6.0).reshape(2, 3))
    assert cl.einsum("ij,jk->ik", x, x.T, order="F").flags.f_contiguous
    assert cl.einsum("ij->j", x, dtype="int32", casting="unsafe").tolist() == [3, 5, 7]
    for refused in ({"dtype": "int32"}, {"dtype": "float32", "casting": "safe"}, {"out": cl.zeros(3, "int32")}):
        with pytest.raises(TypeError):
            cl.einsum("ij->j", x, **refused)
