"""Making arrays: shapes and dtypes given in all ways, ranges, grids, copies, random numbers."""

import numpy as np
import pytest

from .samples import DTYPES, LAYOUTS, numbers


def filled(n, m):
    return np.zeros(n), np.ones((n, m)), np.full((m, n), 2.5), np.full(n, 7), np.zeros((n,)), np.zeros((2, n, m))


@pytest.mark.parametrize("n", (0, 1, 5))
def test_shapes_known_only_when_running(run_both, n):
    run_both(filled, n, 3)


def zeros_of(dtype):
    def make(n):
        return np.zeros(n, dtype), np.ones(n, dtype=dtype), np.full(n, 3, dtype=dtype), np.zeros((n, 2), dtype=dtype)

    return make


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes_as_types(run_both, dtype):
    run_both(zeros_of(getattr(np, dtype if dtype != "bool" else "bool_")), 4)


@pytest.mark.parametrize("dtype", ("bool", "int32", "f4", "complex64", "d"))
def test_dtypes_as_text(run_both, dtype):
    run_both(zeros_of(dtype), 4)


@pytest.mark.parametrize("dtype", (bool, int, float, complex))
def test_dtypes_as_python_types(run_both, dtype):
    run_both(zeros_of(dtype), 4)


@pytest.mark.parametrize("dtype", ("int16", "float32", "complex128"))
def test_dtypes_as_dtype_objects(run_both, dtype):
    run_both(zeros_of(np.dtype(dtype)), 4)


def same_dtype(a):
    return np.zeros(a.shape, a.dtype), np.ones(len(a), dtype=a.dtype), np.empty(a.shape, a.dtype).shape


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_dtype_of_another_array(run_both, dtype):
    run_both(same_dtype, numbers((3, 2), dtype))


def like(a):
    return (
        np.zeros_like(a),
        np.ones_like(a),
        np.full_like(a, 2),
        np.empty_like(a).shape,
        np.zeros_like(a, dtype=np.int8),
    )


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("int32", "float64", "complex64"))
def test_arrays_like_others(run_both, layout, dtype):
    run_both(like, LAYOUTS[layout](numbers((3, 4), dtype)))


def uninitialised(n):
    a = np.empty(n)
    for i in range(n):
        a[i] = i * 0.5
    b = np.empty((n, 2), dtype=np.int32)
    b[:, 0] = 1
    b[:, 1] = np.arange(n)
    return a, b


def test_empty_arrays_that_are_filled(run_both):
    run_both(uninitialised, 6)


def ranges(n):
    return (
        np.arange(n),
        np.arange(2, n),
        np.arange(n, 0, -1),
        np.arange(0, n, 3),
        np.arange(0.0, 1.0, 0.25),
        np.arange(n, dtype=np.float32),
        np.arange(float(n)),
        np.arange(5, 1),
    )


def test_ranges(run_both):
    run_both(ranges, 10)


def spaces(n):
    return np.linspace(0, 1, n), np.linspace(-2.0, 3.0, 7), np.linspace(0, 1, n, endpoint=False), np.linspace(3, 1, 4)


def test_spaces(run_both):
    run_both(spaces, 5)


def logarithmic():
    return np.logspace(0, 2, 5), np.geomspace(1, 16, 5)


def test_logarithmic_spaces(run_both):
    run_both(logarithmic)


def matrices(n):
    return np.eye(n), np.eye(n, n + 1), np.identity(n), np.eye(n, dtype=np.int64), np.eye(n, k=1), np.tri(n)


def test_matrices(run_both):
    run_both(matrices, 3)


def diagonals(a):
    return np.diag(a), np.diag(a, 1), np.vander(a, 3)


def test_matrices_of_vectors(run_both):
    run_both(diagonals, numbers(3, "float64"))


def written_out():
    return np.array([1, 2, 3]), np.array([[1.0, 2.0], [3.0, 4.0]]), np.array((1, 2.5)), np.array([True, False])


def test_arrays_written_out(run_both):
    run_both(written_out)


def from_numbers(x, y):
    return np.array([x, y, x + y]), np.array([[x, 0.0], [0.0, y]]), np.array([x, y], dtype=np.float32), np.array(x)


def test_arrays_of_computed_numbers(run_both):
    run_both(from_numbers, 1.5, 2.5)


def copies(a):
    b = a.copy()
    b[0] = 100
    c = np.copy(a)
    c += 1
    d = np.array(a)
    d[-1] = -100
    e = np.asarray(a)
    e[1] = 7
    return b, c, d


@pytest.mark.parametrize("layout", LAYOUTS)
def test_copies_are_independent(run_both, layout):
    run_both(copies, LAYOUTS[layout](numbers((3, 4), "float64")))


def contiguous_copies(a):
    return np.ascontiguousarray(a), np.asfortranarray(a), np.atleast_2d(a), np.atleast_1d(a)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_copies_in_an_order(run_both, layout):
    run_both(contiguous_copies, LAYOUTS[layout](numbers((2, 3), "int64")))


def grids(a, b):
    x, y = np.meshgrid(a, b)
    u, v = np.meshgrid(a, b, indexing="ij")
    return x * 2 + y, u - v


def test_mesh_grids(run_both):
    run_both(grids, numbers(3, "float64"), numbers(4, "float64", seed=1))


def sliced_grids():
    i, j = np.mgrid[0:3, 0:4]
    x, y = np.ogrid[0:3, 0:4]
    return i + j, x * y


def test_grids_by_slices(run_both):
    run_both(sliced_grids)


def indices(n):
    i, j = np.indices((n, 3))
    return i * 10 + j


def test_indices(run_both):
    run_both(indices, 2)


def seeded(n):
    np.random.seed(42)
    return np.random.rand(n), np.random.normal(0, 1, n), np.random.randint(0, 10, n), np.random.random()


def test_random_numbers_of_a_seed_are_the_same_each_time(run_both):
    program = run_both.jit(seeded)
    with run_both.context():
        first, second = program(5), program(5)
    for one, other, plain in zip(first, second, seeded(5), strict=True):
        np.testing.assert_array_equal(one, other)
        assert np.shape(one) == np.shape(plain)


def spread(n):
    a = np.random.uniform(-1, 1, n)
    b = np.random.standard_normal(n)
    return a.min() >= -1, a.max() < 1, np.abs(a.mean()) < 0.1, np.abs(b.std() - 1) < 0.1


def test_random_numbers_are_spread_as_asked(run_both):
    run_both(spread, 10_000)


def allocated_in_a_loop(n):
    total = 0.0
    for i in range(n):
        a = np.ones(100) * i
        b = np.zeros(i)
        total += a.sum() + b.size
    return total


def test_arrays_made_in_a_loop(run_both):
    run_both(allocated_in_a_loop, 50)


def negative_extent(n):
    return np.zeros(n)


def test_negative_extents_are_errors(run_both):
    run_both.raises(ValueError, negative_extent, -1)


def from_functions(n):
    def square(i):
        return i * i + n

    whole = np.fromfunction(lambda i, j: (i + 2 * j) % 3, (n, 4), dtype=np.int64)
    return np.fromfunction(lambda i, j: 10 * i + j, (n, n)), whole, np.fromfunction(square, (n,))


@pytest.mark.parametrize("n", (1, 5))
def test_arrays_of_what_functions_give(run_both, n):
    run_both(from_functions, n)


def counted_to(start, stop, step):
    return np.arange(start, stop, step)


def counted_for_nothing(stop):
    np.arange(0, stop)
    return 1


def counted_by_nothing():
    return np.arange(0, 10, 0)


@pytest.mark.parametrize(
    "kind, message, given",
    [
        (ValueError, "Maximum allowed size exceeded", (0, np.inf, 1)),
        (ValueError, "Maximum allowed size exceeded", (0.0, 1e30, 1)),
        (ValueError, "arange: cannot compute length", (0, 10, np.nan)),
        (ZeroDivisionError, "float division by zero", (0, 10, 0.0)),
        (ZeroDivisionError, "division by zero", (0, 10, 0)),
    ],
)
def test_what_cannot_be_counted_raises_what_it_raises_in_numpy(run_both, kind, message, given):
    wanted, raised = run_both.raises(kind, counted_to, *given)
    assert str(wanted) == str(raised) == message


def test_an_arange_that_nobody_uses_raises_all_the_same(run_both):
    run_both.raises(ValueError, counted_for_nothing, np.inf)
    run_both.raises(ZeroDivisionError, counted_by_nothing)
    run_both(counted_to, 0.0, 1.0, 0.25)
