"""Elementwise functions of one real operand give NumPy's values: integers exactly, floats within a few units."""

import numpy as np
import pytest
from elementwise_cases import COMPLEX, DTYPES, UNARY, check_values, edges, result_dtype, samples

import colocate as cl


def agrees(found, expected):
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(cl.asnumpy(found), expected)


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


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint32", "int64", "uint64"])
def test_integers_are_rounded_to_units_beyond_their_dtype(dtype, device):
    host = np.array([0, 1, 15, 25, 127], dtype)
    there = cl.asarray(host, device=device)
    for decimals in (-1, -2, -3, -6, -12, -18):
        agrees(cl.round(there, decimals), np.round(host, decimals))
        out = cl.ones_like(there)
        assert cl.round(there, decimals, out=out) is out
        agrees(out, np.round(host, decimals))


@pytest.mark.parametrize("options", [{"nan": [7.0, 8.0]}, {"posinf": 5}, {"neginf": [1.0, 2.0], "nan": 3}], ids=str)
def test_what_takes_the_place_of_nan_may_be_an_array(options, device):
    host = np.array([[np.nan, 1.0], [-np.inf, np.inf]])
    ours = {name: cl.asarray(value, device=device) for name, value in options.items()}
    agrees(cl.nan_to_num(cl.asarray(host, device=device), **ours), np.nan_to_num(host, **options))
    with pytest.raises(ValueError):
        cl.nan_to_num(cl.asarray(host[0], device=device), nan=cl.zeros((2, 2), device=device))


def test_numbers_of_the_host_are_refused_with_a_message():
    for bad in (lambda: cl.nan_to_num(1.0), lambda: cl.round(14.0, -1)):
        with pytest.raises(cl.HostDataError, match="asarray"):
            bad()


def test_a_choice_has_two_sides(device):
    x = cl.ones(2, device=device)
    with pytest.raises(ValueError):
        cl.where(x > 0, x)


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_the_reciprocal_of_the_integer_zero_is_numpys(dtype, device):
    x = np.asarray([0, 1, 2, 7], dtype=dtype)
    with np.errstate(all="ignore"):
        assert cl.reciprocal(cl.asarray(x, device=device)).tolist() == np.reciprocal(x).tolist()


@pytest.mark.parametrize("decimals", [-1, 1])
def test_the_parts_of_complex_numbers_are_rounded_each(decimals, device):
    x = np.asarray([complex(np.nan, 12.34), complex(np.inf, -1.26), 25 + 35j, -0.5 - 0.25j])
    np.testing.assert_array_equal(cl.asnumpy(cl.round(cl.asarray(x, device=device), decimals)), np.round(x, decimals))
