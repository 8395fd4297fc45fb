"""Functions of complex numbers: NumPy's values, at infinities, NaN and on branch cuts too."""

import numpy as np
import pytest
from elementwise_cases import (
    BINARY,
    COMPLEX,
    UNARY,
    edges,
    exactly,
    reference,
    result_dtype,
    same_signs_of_zero,
    samples,
    ulp,
)

import colocate as cl

TAKEN = [name for name in UNARY if result_dtype(name, "complex128") is not None]

# In units of the last place of each part. Most functions of complex64 are computed in double precision.
BOUND = {"complex64": 1, "complex128": 12}
IN_THEIR_OWN_PRECISION = {"abs", "angle"}

# In these a part may be a difference of nearly equal numbers: the error is one of the whole number.
AS_A_WHOLE = {"exp2", "expm1", "log1p", "reciprocal", "sign", "sinc", "square"}


def is_close(name, dtype, found, expected):
    """Whether each result is as near as it should be."""
    if name in AS_A_WHOLE:
        with np.errstate(all="ignore"):
            error = np.abs(found - expected) / (np.finfo(dtype).eps * np.abs(expected))
        return (error <= 24) | (found == expected) | (ulp(found, expected) == 0)
    return ulp(found, expected) <= (4 if name in IN_THEIR_OWN_PRECISION else BOUND[dtype])


def operands(name, dtype):
    """Numbers for which NumPy's result in a wider precision is exact enough."""
    z = samples(dtype, 4000)
    if name == "exp2":
        return z[np.abs(z) < 10]  # The angle is a product, and NumPy rounds it.
    if name == "sinc":
        return z[(np.abs(z) < 0.9) & (np.abs(z) > 0.1)]
    if name == "expm1":
        return z[np.abs(z.real) < 80]  # NumPy's product of infinity and zero.
    if name == "log1p":
        return z[np.abs(z) > 1e-3]
    return z


@pytest.mark.parametrize("name", TAKEN)
def test_functions_of_one_complex_operand(name, device):
    for dtype in COMPLEX:
        z = operands(name, dtype)
        found = cl.asnumpy(getattr(cl, name)(cl.asarray(z, device=device)))
        if found.dtype.kind in "biu":
            np.testing.assert_array_equal(found, reference(name)(z))
            continue
        expected = exactly(reference(name), z)
        good = is_close(name, dtype, found, expected)
        worst = int(np.argmin(good))
        assert good.all(), f"{name} of {z[worst]} is {found[worst]}, not {expected[worst]}"


# What NumPy gives for expm1 is not what the standard says it should.
STANDARD = {
    complex(np.inf, 0.0): complex(np.inf, 0.0),
    complex(-np.inf, np.inf): complex(-1.0, 0.0),
    complex(-np.inf, np.nan): complex(-1.0, 0.0),
    complex(np.inf, np.nan): complex(np.inf, np.nan),
}


@pytest.mark.parametrize("name", sorted(set(TAKEN) - {"sinc"}))
def test_special_values_are_those_of_annex_g(name, device):
    for dtype in COMPLEX:
        z = edges(dtype)
        # Where the standard says something else than NumPy does.
        if name == "expm1":
            z = z[np.isfinite(z.real) & ~np.isnan(z.imag) & (z != 0)]
        elif name in ("tan", "tanh"):
            z = z[~np.isinf(z.imag if name == "tan" else z.real)]
        with np.errstate(all="ignore"):
            expected = reference(name)(z)
        found = cl.asnumpy(getattr(cl, name)(cl.asarray(z, device=device)))
        if found.dtype.kind == "b":
            np.testing.assert_array_equal(found, expected)
            continue
        good = (ulp(found, expected) <= 40) & same_signs_of_zero(found, expected)
        worst = int(np.argmin(good))
        assert good.all(), f"{name} of {z[worst]} is {found[worst]}, not {expected[worst]}"


def test_expm1_of_infinities_is_the_standards(device):
    z = np.array(list(STANDARD))
    found = cl.asnumpy(cl.expm1(cl.asarray(z, device=device)))
    np.testing.assert_array_equal(found, np.array(list(STANDARD.values())))


def test_signs_of_zeros_are_the_standards(device):
    def found(name, z):
        return getattr(cl, name)(cl.asarray([z], device=device)).item()

    for b in (0.5, 2.0, 3.0):
        assert str(found("tanh", complex(np.inf, b))) == "(1+0j)"
        assert str(found("tanh", complex(np.inf, -b))) == "(1-0j)"
    for zero in (0.0, -0.0):
        assert str(found("expm1", complex(zero, 0.0))) == "0j"


PAIRS = [name for name in BINARY if result_dtype(name, "complex128", "complex128") is not None]


@pytest.mark.parametrize("name", PAIRS)
def test_functions_of_two_complex_operands(name, device):
    for dtype in COMPLEX:
        x, y = samples(dtype, 1000), np.roll(samples(dtype, 1000)[::-1], 1)
        if name in ("pow", "float_power"):
            x, y = x[np.abs(x) < 100], y[np.abs(x) < 100]
            y = (y / np.maximum(1, np.abs(y) / 3)).astype(dtype)
        found = cl.asnumpy(getattr(cl, name)(cl.asarray(x, device=device), cl.asarray(y, device=device)))
        with np.errstate(all="ignore"):
            expected = reference(name)(x, y)
            if found.dtype.kind == "b":
                np.testing.assert_array_equal(found, expected)
                continue
            expected = exactly(reference(name), x, y)
        error = np.abs(found - expected) / np.where(expected == 0, 1, np.abs(expected))
        assert np.nanmax(error) <= 100 * np.finfo(found.dtype).eps, name


@pytest.mark.parametrize("name", ("log", "sqrt", "asin", "acos", "acosh", "atan", "asinh", "atanh", "log1p"))
def test_zeros_tell_the_sides_of_a_branch_cut(name, device):
    for dtype in COMPLEX:
        numbers = np.array([-3.0, -1.5, -0.5, 0.5, 1.5, 3.0])
        z = np.empty(24, dtype)
        z.real[:12], z.imag[:12] = np.repeat(numbers, 2), np.tile([0.0, -0.0], 6)
        z.imag[12:], z.real[12:] = np.repeat(numbers, 2), np.tile([0.0, -0.0], 6)
        found = cl.asnumpy(getattr(cl, name)(cl.asarray(z, device=device)))
        with np.errstate(all="ignore"):
            expected = getattr(np, name)(z)
        assert (ulp(found, expected) <= 40).all()
        assert same_signs_of_zero(found, expected).all()


def test_large_and_small_numbers_neither_overflow_nor_vanish(device):
    z = cl.asarray([1e300 + 1e300j, 1e-300 + 1e-300j, 3e-320 + 4e-320j], device=device)
    np.testing.assert_allclose(cl.asnumpy(cl.abs(z))[:2], [np.sqrt(2) * 1e300, np.sqrt(2) * 1e-300], rtol=1e-15)
    np.testing.assert_allclose(cl.asnumpy(cl.sqrt(z))[:2] ** 2, cl.asnumpy(z)[:2], rtol=1e-14)
    np.testing.assert_allclose(cl.asnumpy(cl.log(z)).real[:2], [691.1221014884936, -690.4289543079336], rtol=1e-15)
    # The exponential alone would overflow.
    large = np.array([709.8 + 0.78j])
    np.testing.assert_allclose(cl.asnumpy(cl.exp(cl.asarray(large, device=device))), np.exp(large), rtol=1e-12)


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "complex64"])
def test_conjugates_as_methods_keep_the_dtype(device, dtype):
    host = np.array([0, 1, 1j]).astype(dtype) if dtype == "complex64" else np.array([0, 1, 1], dtype)
    there = cl.asarray(host, device=device)
    for got, wanted in ((there.conj(), host.conj()), (there.conjugate(), host.conjugate())):
        assert got.dtype == wanted.dtype
        assert cl.asnumpy(got).tolist() == wanted.tolist()
