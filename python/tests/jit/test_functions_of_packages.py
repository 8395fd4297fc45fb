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
