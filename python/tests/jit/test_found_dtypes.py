"""Library functions whose dtype depends on the values that they are given."""

import numpy as np
import pytest

import colocate as cl

TURN = np.array([[0.0, -1.0], [1.0, 0.0]])


def roots(p):
    return np.roots(p)


def both_roots(p, q):
    return np.roots(p).sum(), np.roots(q.astype("complex128"))


def eigenvalues(a):
    return np.linalg.eig(a)[0], np.linalg.eigvals(a)


def polynomial(z):
    return np.poly(z), np.real_if_close(z), np.poly(z.real)


def in_the_field(x):
    return np.emath.sqrt(x), np.emath.log(x) + 1


def caught(a):
    values = []
    try:
        values.append(np.linalg.eigvals(a))
    except ValueError:
        return values
    return []


@pytest.mark.parametrize("times", range(2))
def test_what_a_library_function_finds_decides_the_dtype(run_both, times):
    real, complex_ones = np.array([1.0, -3, 2]), np.array([1.0, 0, 2])
    for p in (real, complex_ones, real):
        run_both(roots, p)
        run_both(both_roots, p, p)
    for a in (TURN, np.eye(2), TURN):
        run_both(eigenvalues, a)
        run_both(caught, a)
    for z in (np.array([1 + 2j, 1 - 1j]), np.array([1 + 0j, 2]), np.array([1 + 2j, 1 - 2j])):
        run_both(polynomial, z)
    for x in (-2.0, 2.0):
        run_both(in_the_field, x)


def test_one_function_serves_both_dtypes():
    compiled = cl.jit(roots)
    for p in ([1.0, -3, 2], [1.0, 0, 2], [1.0, -3, 2], [1.0, 0, 2]):
        expected, found = np.roots(np.array(p)), compiled(np.array(p))
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected)


def of_both_kinds(polynomials):
    return [np.roots(polynomials[i]).sum() for i in range(len(polynomials))]


def test_a_function_that_gives_both_in_one_call_gives_complex_numbers():
    polynomials = np.array([[1.0, -3, 2], [1, 0, 2], [1, -3, 2]])
    np.testing.assert_allclose(cl.jit(of_both_kinds)(polynomials), of_both_kinds(polynomials))


def design(order, cut):
    k = np.arange(1, order + 1)
    poles = cut * np.exp(1j * np.pi * (2 * k + order - 1) / (2 * order))
    a = np.poly((1 + poles) / (1 - poles)).real
    b = np.poly(-np.ones(order)).real
    b *= a.sum() / b.sum()
    return b, a


@pytest.mark.parametrize("order", [3, 4])
def test_what_library_functions_made_may_be_written_to_before(run_both, order):
    run_both(design, order, 0.3)


def told(p):
    print("here")
    p[0] = 0.0
    return np.linalg.eigvals(p.reshape(2, 2))


def test_what_was_seen_already_is_not_done_again(capsys):
    with pytest.raises(cl.CompileError, match="convert its argument first"):
        cl.jit(told)(np.array([5.0, -1, 1, 0]))
    assert capsys.readouterr().out == "here\n"
