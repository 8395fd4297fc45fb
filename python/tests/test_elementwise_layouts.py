"""Elementwise functions of arrays of any layout."""

import numpy as np
import pytest

import colocate as cl

BASE = np.arange(1.0, 241.0).reshape(4, 5, 12) / 7

LAYOUTS = {
    "contiguous": lambda x: x,
    "0-d": lambda x: x[1, 2, 3],
    "empty": lambda x: x[:, :0],
    "one element": lambda x: x[:1, :1, :1],
    "one axis": lambda x: x[0, 0],
    "every third": lambda x: x[..., ::3],
    "backwards": lambda x: x[::-1, ::-1, ::-1],
    "transposed": lambda x: x.transpose(2, 1, 0),
    "middle axis taken": lambda x: x[:, 2],
    "new axes": lambda x: x[None, :, None],
    "column": lambda x: x[:, :, :1],
    "five axes": lambda x: x[None, :, None, ::2, ::-1],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("float64", "int16", "complex64"))
def test_functions_of_one_operand(layout, dtype, device):
    x = BASE.astype(dtype)
    view = LAYOUTS[layout](cl.asarray(x, device=device))
    for name in ("negative", "square", "sqrt"):
        found = getattr(cl, name)(view)
        expected = getattr(np, name)(LAYOUTS[layout](x))
        assert found.shape == expected.shape
        np.testing.assert_allclose(cl.asnumpy(found), expected, rtol=1e-6)


@pytest.mark.parametrize("left", LAYOUTS)
@pytest.mark.parametrize("right", LAYOUTS)
def test_functions_of_two_operands_broadcast(left, right, device):
    x, y = cl.asarray(BASE, device=device), cl.asarray(BASE + 3, device=device)
    try:
        expected = LAYOUTS[left](BASE) * LAYOUTS[right](BASE + 3)
    except ValueError:
        with pytest.raises(ValueError):
            cl.multiply(LAYOUTS[left](x), LAYOUTS[right](y))
        return
    found = cl.multiply(LAYOUTS[left](x), LAYOUTS[right](y))
    assert found.shape == expected.shape
    np.testing.assert_array_equal(cl.asnumpy(found), expected)


@pytest.mark.parametrize("layout", sorted(set(LAYOUTS) - {"0-d", "empty", "one element"}))
def test_out_takes_the_result_where_it_lies(layout, device):
    x = cl.asarray(BASE, device=device)
    target = cl.zeros(BASE.shape, device=device)
    out = LAYOUTS[layout](target)
    assert cl.exp(LAYOUTS[layout](x) / 40, out=out) is out
    expected = np.zeros(BASE.shape)
    LAYOUTS[layout](expected)[...] = np.exp(LAYOUTS[layout](BASE) / 40)
    np.testing.assert_allclose(cl.asnumpy(target), expected, rtol=1e-14)


def test_out_may_overlap_what_is_read(device):
    x = cl.asarray(np.arange(1000.0), device=device)
    cl.add(x[1:], x[:-1], out=x[:-1])
    expected = np.arange(1000.0)
    np.add(expected[1:], expected[:-1], out=expected[:-1])
    np.testing.assert_array_equal(cl.asnumpy(x), expected)
    y = cl.asarray(np.arange(1000.0), device=device)
    cl.negative(y, out=y[::-1])
    np.testing.assert_array_equal(cl.asnumpy(y), -np.arange(1000.0)[::-1])


def test_where_leaves_the_other_elements_alone(device):
    x = cl.asarray(BASE, device=device)
    mask = BASE > 10
    out = cl.full(BASE.shape, -1.0, device=device)
    cl.square(x, out=out, where=cl.asarray(mask, device=device))
    np.testing.assert_array_equal(cl.asnumpy(out), np.where(mask, BASE**2, -1))


@pytest.mark.parametrize("dtype", ("float64", "float32", "int16", "uint8"))
def test_arrays_that_no_cache_keeps(dtype):
    # They are written in another way, wherever they begin.
    size = (36 << 20) // np.dtype(dtype).itemsize
    values = np.arange(size + 16).astype(dtype)
    x, out = cl.asarray(values, device="native:cpu"), cl.zeros(size + 16, dtype, device="native:cpu")
    for first in (0, 1, 5):
        out[...] = 0
        cl.add(x[first : first + size], 1, out=out[first : first + size])
        found = cl.asnumpy(out)
        np.testing.assert_array_equal(found[first : first + size], values[first : first + size] + np.array(1, dtype))
        assert not found[:first].any() and not found[first + size :].any()
    rows = size // 1001
    plane, target = x[: rows * 1001].reshape(rows, 1001), cl.zeros((rows, 1003), dtype, device="native:cpu")
    cl.multiply(plane, 2, out=target[:, 1:-1])
    np.testing.assert_array_equal(cl.asnumpy(target)[:, 1:-1], cl.asnumpy(plane) * np.array(2, dtype))
    assert not cl.asnumpy(target)[:, 0].any() and not cl.asnumpy(target)[:, -1].any()
