"""Polynomials as objects are NumPy's, with coefficients on a queue."""

import operator

import numpy as np
import pytest

import colocate as cl

PAIRS = [([1, 2, 3], [2, 1]), ([0, 0, 1.5, 0.0, -2.0], [1.0]), ([1 + 2j, 3], [0, 2, 1]), ([0], [1, 1])]


def equal(ours, theirs):
    np.testing.assert_allclose(cl.asnumpy(ours.coeffs), theirs.coeffs, atol=1e-12)
    return ours.order == theirs.order and ours.variable == theirs.variable


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_polynomials_compute_as_numpys(first, second, device):
    p, q = (cl.poly1d(cl.asarray(one, device=device)) for one in (first, second))
    a, b = np.poly1d(first), np.poly1d(second)
    for operation in (operator.add, operator.sub, operator.mul):
        result = operation(p, q)
        assert equal(result, operation(a, b)) and result.coeffs.device == device
        assert equal(operation(p, 3), operation(a, 3)) and equal(operation(3, p), operation(3, a))
    for ours, theirs in zip(p / q, a / b, strict=True):
        assert equal(ours, theirs)
    assert equal(p / 2, a / 2) and equal(p**3, a**3) and equal(p**0, a**0) and equal(-p, -a)
    assert equal(p.deriv(), a.deriv()) and equal(p.deriv(2), a.deriv(2)) and equal(p.integ(2, 3), a.integ(2, 3))
    assert equal(p(q), a(b))
    x = np.asarray([-1.0, 0.5, 2.0])
    np.testing.assert_allclose(cl.asnumpy(p(cl.asarray(x, device=device))), a(x))
    np.testing.assert_allclose(cl.asnumpy(p(2)), a(2))
    np.testing.assert_allclose(np.sort_complex(cl.asnumpy(p.r)), np.sort_complex(a.r), atol=1e-7)
    assert str(p) == str(a) and len(p) == len(a) and [complex(c) for c in p] == list(a)


def test_polynomials_are_made_of_roots_and_lists():
    assert equal(cl.poly1d([1, 2, 3], r=True), np.poly1d([1, 2, 3], r=True))
    p = cl.poly1d([1, 2], variable="t", usm_type="shared")
    assert equal(p, np.poly1d([1, 2], variable="t")) and p.c.usm_type == "shared"
    assert equal(cl.poly1d(p), np.poly1d([1, 2], variable="t"))
    assert p == cl.poly1d([0, 1, 2]) and p != cl.poly1d([1, 3]) and p != 5
    assert p.c.tolist() == p.coef.tolist() == p.coefficients.tolist() and p.o == p.order == 1
    with pytest.raises(ValueError):
        cl.poly1d([[1, 2], [3, 4]])
    with pytest.raises(ValueError):
        p**-1


def test_coefficients_are_read_and_set_by_powers():
    given = cl.asarray([1.0, 2.0])
    p, a = cl.poly1d(given), np.poly1d([1.0, 2.0])
    for power, value in ((0, 5.0), (3, 7.0)):
        p[power], a[power] = value, value
    assert equal(p, a) and [float(p[n]) for n in range(6)] == [float(a[n]) for n in range(6)]
    assert given.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError):
        p[-1] = 1
