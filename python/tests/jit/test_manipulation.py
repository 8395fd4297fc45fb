"""Shapes changed, arrays joined, split, repeated, turned, sorted and searched; linear algebra and transforms."""

import numpy as np
import pytest

from .samples import LAYOUTS, numbers


def reshaped(a):
    return a.reshape(2, 6), a.reshape((3, 4)), a.reshape(-1), np.reshape(a, (4, -1)), a.reshape(2, 3, 2)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_reshape(run_both, layout):
    run_both(reshaped, LAYOUTS[layout](numbers((4, 3), "float64")))


def written_through(a):
    b = a.reshape(-1)
    b[0] = 100
    c = a.ravel()
    c[1] = 200
    a.flat[2] = 300
    d = a.flatten()
    d[3] = 400
    return d


def test_flat_views_of_contiguous_arrays_share_memory(run_both):
    run_both(written_through, numbers((2, 3), "float64"))


def axes_moved(a):
    return (
        a.T,
        a.transpose(),
        np.transpose(a, (1, 0, 2)),
        a.transpose(2, 0, 1),
        np.swapaxes(a, 0, 2),
        np.moveaxis(a, 0, -1),
    )


@pytest.mark.parametrize("layout", LAYOUTS)
def test_axes_moved(run_both, layout):
    run_both(axes_moved, LAYOUTS[layout](numbers((2, 3, 4), "float64")))


def joined(a, b):
    return (
        np.concatenate((a, b)),
        np.concatenate((a, b), axis=1),
        np.vstack((a, b)),
        np.hstack((a, b)),
        np.stack((a, b)),
        np.stack((a, b), axis=-1),
        np.dstack((a, b)),
        np.append(a, b),
        np.column_stack((a[0], b[0])),
    )


@pytest.mark.parametrize("layout", LAYOUTS)
def test_joined(run_both, layout):
    run_both(joined, LAYOUTS[layout](numbers((2, 3), "float64")), numbers((2, 3), "float64", seed=1))


def joined_dtypes(a, b):
    return np.concatenate((a, b)), np.hstack((b, a))


def test_joined_dtypes_promote(run_both):
    run_both(joined_dtypes, numbers(3, "int32"), numbers(2, "float32"))


def split(a):
    b, c = np.split(a, 2)
    parts = np.array_split(a, 3)
    return b + c, parts[0], parts[2]


def test_split(run_both):
    run_both(split, numbers(8, "float64"))


def repeated(a):
    return np.repeat(a, 2), np.repeat(a, 3, axis=0), np.tile(a, 2), np.tile(a, (2, 1))


def test_repeated(run_both):
    run_both(repeated, numbers((2, 3), "int32"))


def turned(a):
    return np.roll(a, 1), np.roll(a, -1, axis=0), np.flip(a), np.flip(a, 1), np.fliplr(a), np.flipud(a), np.rot90(a)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_turned(run_both, layout):
    run_both(turned, LAYOUTS[layout](numbers((3, 4), "float64")))


def sorted_copies(a):
    return np.sort(a), np.sort(a, axis=0), np.argsort(a), np.sort(a.ravel())[::-1]


@pytest.mark.parametrize("dtype", ("int8", "int64", "float32", "float64"))
def test_sort(run_both, dtype):
    values = np.random.default_rng(3).permutation(12).reshape(3, 4).astype(dtype)
    run_both(sorted_copies, values)


def searched(a, values):
    return (
        np.searchsorted(a, values),
        np.searchsorted(a, values, side="right"),
        np.searchsorted(a, 2.0),
        np.digitize(values, a),
    )


def test_searchsorted(run_both):
    run_both(searched, np.array([-1.0, 0.0, 2.0, 2.0, 5.0]), np.array([2.0, -3.0, 9.0, 0.5]))


def sets(a):
    return np.unique(a), np.isin(a, np.array([1, 3])), np.union1d(a, a + 1), np.intersect1d(a, a + 1)


def test_sets(run_both):
    run_both(sets, np.array([3, 1, 2, 3, 1, 7]))


def counted(a):
    return np.bincount(a), np.bincount(a, minlength=12), np.bincount(a, weights=a * 0.5)


def test_bincount(run_both):
    run_both(counted, np.array([0, 3, 3, 1, 9, 0]))


def histogram(a):
    counts, edges = np.histogram(a, bins=5)
    few, _ = np.histogram(a, bins=4, range=(-1.0, 1.0))
    return counts, edges, few


def test_histogram(run_both):
    run_both(histogram, numbers(40, "float64"))


def triangles(a):
    return np.tril(a), np.triu(a, 1), np.trace(a), np.diag(np.diag(a))


def test_triangles(run_both):
    run_both(triangles, numbers((4, 4), "float64"))


def interpolated(x, xs, ys):
    return np.interp(x, xs, ys), np.trapezoid(ys, xs), np.gradient(ys), np.convolve(xs, ys), np.correlate(xs, ys)


def test_interpolation_and_sums_of_curves(run_both):
    run_both(interpolated, np.array([-1.0, 0.5, 1.7, 9.0]), np.array([0.0, 1.0, 2.0, 4.0]), numbers(4, "float64"))


def polynomials(p, x):
    return np.polyval(p, x), p[0] * x**2 + p[1] * x + p[2]


def test_polynomials(run_both):
    run_both(polynomials, numbers(3, "float64"), numbers(5, "float64", seed=1))


def solved(a, b):
    return np.linalg.solve(a, b), np.linalg.inv(a), np.linalg.det(a)


def positive_definite(n, dtype="float64"):
    a = numbers((n, n), dtype)
    return a @ a.T.conj() + n * np.eye(n, dtype=dtype)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_linear_systems(run_both, layout):
    run_both(solved, LAYOUTS[layout](positive_definite(5)), numbers(5, "float64"), rtol=1e-8)


def decomposed(a):
    lower = np.linalg.cholesky(a)
    q, r = np.linalg.qr(a)
    values, vectors = np.linalg.eigh(a)
    u, s, v = np.linalg.svd(a)
    return lower, q @ r, values, vectors @ np.diag(values) @ vectors.T, s, (u * s) @ v


def test_decompositions(run_both):
    run_both(decomposed, positive_definite(4), rtol=1e-8)


def norms(a, v):
    return (
        np.linalg.norm(a),
        np.linalg.norm(v),
        np.linalg.norm(v, 1),
        np.linalg.norm(a, axis=1),
        np.linalg.norm(v, np.inf),
    )


def test_norms(run_both):
    run_both(norms, numbers((3, 4), "float64"), numbers(5, "float64"))


def transformed(a):
    f = np.fft.fft(a)
    return f, np.fft.ifft(f).real, np.fft.rfft(a), np.fft.fftfreq(len(a)), np.abs(np.fft.fftshift(f))


@pytest.mark.parametrize("n", (1, 8, 15))
def test_fourier_transforms(run_both, n):
    run_both(transformed, numbers(n, "float64"))


def two_dimensional(a):
    return np.fft.fft2(a), np.fft.ifft2(np.fft.fft2(a)).real


def test_fourier_transforms_of_two_axes(run_both):
    run_both(two_dimensional, numbers((4, 6), "float64"))


def padded(a):
    return np.pad(a, 1), np.pad(a, 1, mode="edge"), np.delete(a, 1, axis=0), np.insert(a, 1, 9.0, axis=0)


def test_padded(run_both):
    run_both(padded, numbers((3, 3), "float64"))


def together(a):
    b = np.sort(a, axis=1)[:, ::-1]
    c = np.cumsum(b, axis=0)
    return (c - c.mean()).T @ np.concatenate((a, b))[:4]


def test_library_functions_and_expressions_together(run_both):
    run_both(together, numbers((4, 3), "float64"))


def bad_reshape(a):
    return a.reshape(5, 5)


def test_shapes_that_do_not_fit_are_errors(run_both):
    run_both.raises(ValueError, bad_reshape, numbers(12, "float64"))


def bad_join(a, b):
    return np.concatenate((a, b))


def test_joints_that_do_not_fit_are_errors(run_both):
    run_both.raises(ValueError, bad_join, numbers((2, 3), "float64"), numbers((2, 2), "float64"))


def singular(a):
    return np.linalg.inv(a)


def test_singular_matrices_are_errors(run_both):
    run_both.raises(np.linalg.LinAlgError, singular, np.zeros((3, 3)))


def written_through_or_not(a):
    flat = a.ravel()
    flat[0] = 99
    rows = a[1:].ravel()
    rows[0] = 7
    packed = np.ascontiguousarray(a)
    packed[-1] = 5
    same = a.conj()
    same[1] += 1
    kept = a.astype(np.float64, copy=False)
    kept[0] += 2
    other = a.astype(np.float64)
    other[0] = -1
    return flat, rows, packed


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", [(6,), (3, 4)])
def test_views_and_copies_are_numpys(run_both, layout, shape):
    run_both(written_through_or_not, LAYOUTS[layout](numbers(shape, "float64")))
