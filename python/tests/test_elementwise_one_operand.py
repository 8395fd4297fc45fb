"""Elementwise functions of one real operand give NumPy's values: integers exactly, floats within a few units."""

import numpy as np
import pytest
from elementwise_cases import COMPLEX, DTYPES, UNARY, check_values, edges, result_dtype, samples

import colocate as cl


@pytest.mark.parametrize("name", sorted(set(UNARY) - {"sinc"}))
def test_functions_of_one_real_operand(name, device):
    for dtype in DTYPES:
        if dtype not in COMPLEX and result_dtype(name, dtype) is not None:
            x = np.concatenate([edges(dtype), samples(dtype)])
            if name == "reciprocal" and x.dtype.kind in "iu":
                x = x[x != 0]  # What NumPy divides as floats and converts back has no value at zero.
            check_values(name, device, x)


@pytest.mark.parametrize("dtype", ("int8", "float16", "float32", "float64"))
def test_sinc_is_one_at_zero_and_falls_off(device, dtype):
    x = np.concatenate([samples(dtype)[np.abs(samples(dtype)) < 100], np.array([0, 0], dtype)])
    found = cl.asnumpy(cl.sinc(cl.asarray(x, device=device)))
    assert found.dtype == np.sinc(x).dtype
    unit = np.finfo(found.dtype).eps
    np.testing.assert_allclose(found, np.sinc(x.astype(np.float64)), atol=300 * unit, rtol=0)
    assert (found[-2:] == 1).all()


@pytest.mark.parametrize("dtype", ("float16", "float32", "float64"))
def test_ldexp_rounds_once_and_frexp_is_its_inverse(device, dtype):
    x = np.concatenate([edges(dtype), samples(dtype)])
    x = x[np.isfinite(x)]
    mantissa, exponent = cl.frexp(cl.asarray(x, device=device))
    expected = np.frexp(x)
    np.testing.assert_array_equal(cl.asnumpy(mantissa), expected[0])
    np.testing.assert_array_equal(cl.asnumpy(exponent), expected[1])
    for power in (0, 1, -1, 30, -30, -1080, 1080, -2100, 2100, 2**31 - 1, -(2**31)):
        with np.errstate(all="ignore"):
            expected = np.ldexp(x, power)
        powers = cl.full(x.shape, power, dtype="int32", device=device)
        found = cl.ldexp(cl.asarray(x, device=device), powers)
        np.testing.assert_array_equal(cl.asnumpy(found), expected)
