"""Functions of other packages that jit functions call as they are: ufuncs, and those of scipy.special."""

import numpy as np
import pytest

import colocate as cl

special = pytest.importorskip("scipy.special")
jv, binom, airy = special.jv, special.binom, special.airy
added = np.frompyfunc(lambda a, b: a + b, 2, 1)


def of_another_package(x, n):
    return jv(0, x), binom(n, 2), jv(n, x.astype(np.float32)) * 2, airy(x + 1), jv(0, [1.0, 2.0]), jv((0, 1), 1)


def one_by_one(x):
    total = 0.0
    for i in range(len(x)):
        total += special.jv(1, x[i])
    return total


def test_ufuncs(run_both):
    run_both(of_another_package, np.linspace(0.5, 3, 4), 5)
    run_both(one_by_one, np.linspace(0.5, 3, 4))
    run_both(one_by_one, np.linspace(0.5, 3, 4).astype("float32"))


def into_places(x, a, b):
    jv(0, x, a)
    jv(1, x, out=b)
    return a.sum() + b


def test_ufuncs_with_places_for_results(run_both):
    run_both(into_places, np.linspace(0.5, 3, 4), np.zeros(4), np.zeros(4))


def written_in_python(x):
    return special.jvp(1, x, 1), special.spherical_jn(1, x), special.comb(5, 2), special.gamma(x), special.erf(0.5)


def test_functions_of_scipy_special(run_both):
    run_both(written_in_python, np.linspace(0.5, 3, 4))


def derived(x, n):
    return special.jvp(1, x, n)


def test_what_they_raise_is_raised(run_both):
    run_both(derived, np.ones(2), 2)
    run_both.raises(ValueError, derived, np.ones(2), -1)


def sum_by_python(x):
    return added(x, 2)


def test_ufuncs_of_python_functions_take_numbers(run_both):
    run_both(sum_by_python, 3)
    with pytest.raises(cl.CompileError, match="ndarray"):
        cl.jit(sum_by_python)(np.ones(3))


def decompositions():
    linalg = pytest.importorskip("scipy.linalg")

    @cl.jit
    def solved(a, b):
        values, vectors = linalg.eigh(a)
        return linalg.inv(a), linalg.solve(a, b), linalg.expm(a), linalg.det(a), values, np.abs(vectors)

    return solved, solved.py_func


def test_functions_of_linear_algebra_are_called():
    a = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
    jitted, plain = decompositions()
    for got, wanted in zip(jitted(a, np.ones(3)), plain(a, np.ones(3)), strict=True):
        np.testing.assert_allclose(got, wanted)
    with pytest.raises(np.linalg.LinAlgError):
        jitted(np.zeros((3, 3)), np.ones(3))


def test_functions_of_signals_and_images_are_called():
    signal, ndimage = pytest.importorskip("scipy.signal"), pytest.importorskip("scipy.ndimage")

    def smoothed(a):
        both = signal.convolve2d(a, np.ones((2, 2)), mode="same")
        return both, ndimage.gaussian_filter(a, 1.0), signal.lfilter([1.0], [1.0, -0.5], a[0])

    a = np.arange(12.0).reshape(3, 4)
    for got, wanted in zip(cl.jit(smoothed)(a), smoothed(a), strict=True):
        np.testing.assert_allclose(got, wanted)


def test_what_functions_of_packages_write_to_is_told():
    ndimage, linalg = pytest.importorskip("scipy.ndimage"), pytest.importorskip("scipy.linalg")

    def named(a, out):
        before = out * 2
        ndimage.gaussian_filter(a, 1.0, output=out)
        return before, out * 3

    def by_position(a, out):
        before = out * 2
        ndimage.median_filter(a, 3, None, out)
        return before, out * 3

    def overwritten(a, out):
        before = a * 2
        return linalg.inv(a, overwrite_a=True), before

    for function in (named, by_position, overwritten):
        own, others = [(np.arange(16.0).reshape(4, 4) % 5, np.ones((4, 4))) for _ in range(2)]
        for got, wanted in zip(cl.jit(function)(*own), function(*others), strict=True):
            np.testing.assert_allclose(got, wanted, atol=1e-12)
