"""Complex numbers in kernels."""

import numpy as np
import pytest
from kernel_simulator import check

import colocate as cl


def values(dtype):
    parts = np.array([0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 0.125])
    real, imaginary = np.meshgrid(parts, parts)
    return (real + 1j * imaginary).ravel().astype(dtype)


@cl.kernel
def arithmetic(x, y, out, real):
    i = cl.get_global_id(0)
    a, b = x[i], y[i]
    out[0, i] = a + b
    out[1, i] = a - b
    out[2, i] = a * b
    out[3, i] = a * 2 + 1j
    out[4, i] = 3 - a
    out[5, i] = a + b.real
    out[6, i] = -a
    out[7, i] = a.conjugate()
    out[8, i] = np.conj(a) * a
    out[9, i] = a * a.imag
    out[10, i] = complex(a.real, b.imag) if a == b else b
    out[11, i] += a
    out[11, i] *= b
    out[12, i] = (1 + 2j) * (3 - 1j)
    out[13, i] = a**2
    real[0, i] = a.real
    real[1, i] = a.imag
    real[2, i] = a == b
    real[3, i] = a != 1
    real[4, i] = np.real(a) - np.imag(b)
    real[5, i] = 1 if a else 2
    real[6, i] = np.isnan(a) + np.isfinite(b)


@pytest.mark.parametrize("dtype", ("complex64", "complex128"))
def test_arithmetic(device, dtype):
    x = values(dtype)
    y = np.roll(x, 5)
    y[::3] = x[::3]
    check(device, arithmetic, x.size, x, y, np.zeros((14, x.size), dtype), np.zeros((7, x.size), x.real.dtype))


@cl.kernel
def division(x, y, out, sizes):
    i = cl.get_global_id(0)
    out[0, i] = x[i] / y[i]
    out[1, i] = 1 / y[i]
    out[2, i] = x[i] / 4
    sizes[0, i] = abs(x[i])
    sizes[1, i] = np.abs(x[i] * 2)
    sizes[2, i] = np.angle(x[i])


@pytest.mark.parametrize("dtype", ("complex64", "complex128"))
def test_division_and_magnitude(device, dtype):
    x = values(dtype)
    y = np.roll(x[x != 0], 7)
    check(device, division, y.size, x, y, np.zeros((3, y.size), dtype), np.zeros((3, y.size), x.real.dtype), ulps=4)


@cl.kernel
def functions(x, out):
    i = cl.get_global_id(0)
    a = x[i]
    out[0, i] = np.exp(a)
    out[1, i] = np.log(a)
    out[2, i] = np.sqrt(a)
    out[3, i] = np.sin(a)
    out[4, i] = np.cos(a)
    out[5, i] = np.sinh(a)
    out[6, i] = np.cosh(a)
    out[7, i] = np.tanh(a)
    out[8, i] = a**1.5
    out[9, i] = a**3


@pytest.mark.parametrize("dtype", ("complex64", "complex128"))
def test_functions_are_close_in_the_plane(device, dtype):
    # A part that is almost zero beside the other one has no digits to compare, so that the
    # distance in the plane counts.
    x = values(dtype)
    x = x[x != 0]
    out = np.zeros((10, x.size), dtype)
    given = cl.asarray(x, device=device), cl.asarray(out, device=device)
    functions[x.size](*given).wait()
    got = cl.asnumpy(given[1])
    expected = [np.exp(x), np.log(x), np.sqrt(x), np.sin(x), np.cos(x), np.sinh(x), np.cosh(x), np.tanh(x), x**1.5]
    expected = np.array([*expected, x**3])
    tolerance = 16 * np.finfo(dtype).eps * np.maximum(np.abs(expected), np.finfo(dtype).tiny)
    distance = np.abs(got - expected)
    assert (distance <= tolerance).all(), (distance / tolerance).max(axis=1)


@cl.kernel
def mixed(f4, f8, i4, c8, c16, out8, out16):
    i = cl.get_global_id(0)
    out8[0, i] = c8[i] * f4[i]
    out8[1, i] = f4[i] * 1j
    out8[2, i] = c8[i] + 0.1
    out16[0, i] = c8[i] * f8[i]
    out16[1, i] = c8[i] + i4[i]
    out16[2, i] = c16[i] * c8[i]
    out16[3, i] = complex(f8[i], i4[i])
    out16[4, i] = i4[i] * 1j
    out16[5, i] = np.complex64(c16[i]) + np.complex128(f4[i])


def test_promotion_to_complex(device):
    x = values("complex128")
    n = x.size
    real = x.real + 0.1
    arrays = real.astype(np.float32), real, np.arange(n, dtype=np.int32), x.astype(np.complex64), x
    check(device, mixed, n, *arrays, np.zeros((3, n), np.complex64), np.zeros((6, n), np.complex128))


@cl.kernel
def loop(x, out):
    i = cl.get_global_id(0)
    z = 0
    for k in range(5):
        z = z * x[i] + k
        if abs(z) > 10:
            break
    out[i] = z


def test_a_variable_becomes_complex_in_a_loop(device):
    x = values("complex128")
    check(device, loop, x.size, x, np.zeros(x.size, complex))
