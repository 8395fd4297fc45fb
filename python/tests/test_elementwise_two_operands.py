"""Elementwise functions of two real operands give NumPy's values: integers exactly, floats within a few units."""

import numpy as np
import pytest
from elementwise_cases import BINARY, COMPLEX, DTYPES, check_values, edges, result_dtype, samples

import colocate as cl


@pytest.mark.parametrize("name", sorted(set(BINARY) - {"ldexp"}))
def test_functions_of_two_real_operands(name, device):
    for dtype in DTYPES:
        if dtype in COMPLEX or result_dtype(name, dtype, dtype) is None:
            continue
        every = edges(dtype)
        left, right = np.repeat(every, every.size), np.tile(every, every.size)
        many = samples(dtype)
        left, right = np.concatenate([left, many]), np.concatenate([right, np.roll(many[::-1], 1)])
        if name == "pow" and np.dtype(dtype).kind == "i":
            right = np.abs(right) & np.array(0x3F, dtype)
        if name == "floor_divide":
            # Where one of two is infinite, the standard says something else than NumPy does.
            kept = np.isinf(left.astype(np.float64)) == np.isinf(right.astype(np.float64))
            left, right = left[kept], right[kept]
        check_values(name, device, left, right)


def test_floor_division_of_infinities_is_the_standards(device):
    inf = np.inf
    cases = {
        (inf, 2.0): inf,
        (inf, -2.0): -inf,
        (-inf, 0.0): -inf,
        (1.0, -inf): -0.0,
        (-1.0, inf): -0.0,
        (1.0, inf): 0.0,
    }
    left, right = np.array(list(cases)).T
    found = cl.asnumpy(cl.floor_divide(cl.asarray(left, device=device), cl.asarray(right, device=device)))
    wanted = np.array(list(cases.values()))
    np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(wanted))


def test_integers_of_both_kinds_are_compared_by_value(device):
    signed = np.array([-1, 0, 1, 2**63 - 1, -(2**63)])
    unsigned = np.array([2**64 - 1, 0, 1, 2**63 - 1, 2**63], np.uint64)
    for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
        for left, right in ((signed, unsigned), (unsigned, signed)):
            left, right = np.repeat(left, 5), np.tile(right, 5)
            found = getattr(cl, name)(cl.asarray(left, device=device), cl.asarray(right, device=device))
            np.testing.assert_array_equal(cl.asnumpy(found), getattr(np, name)(left, right))


def test_operands_of_different_dtypes_are_promoted(device):
    for left, right in (("int8", "uint8"), ("uint64", "int8"), ("float16", "int16"), ("bool", "float32")):
        x, y = samples(left, 50), samples(right, 50)
        with np.errstate(all="ignore"):
            expected = np.add(x, y)
        found = cl.add(cl.asarray(x, device=device), cl.asarray(y, device=device))
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(cl.asnumpy(found), expected)
