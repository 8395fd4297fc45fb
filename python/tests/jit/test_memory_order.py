"""In which order the axes of results lie in memory: as in NumPy, where that is known while compiling."""

import itertools

import numpy as np
import pytest

import colocate as cl


def sums(x, y):
    return x + y, x * 2, np.where(x > y, x, y), -x, x > y, x - x.mean(axis=0), x.T + y.T


def likes(x, y):
    return (
        np.zeros_like(x),
        np.ones_like(y),
        np.full_like(x, 3),
        np.zeros_like(x, order="C"),
        np.ones_like(y, order="F"),
    )


def copies(x, y):
    return (
        x.copy(),
        np.copy(x),
        np.array(y),
        x.astype(np.float32),
        x.copy("K"),
        x.copy(order="F"),
        x.astype(int, order="C"),
    )


def flat(x, y):
    z = x + y
    return z.ravel(), z.ravel("A"), z.ravel(order="K"), z.flatten(), z.reshape(-1), z.T, z.strides


def repeated(x, y):
    u = x
    for i in range(3):
        u = u * 2
        if i == 1:
            u = u + y
    return u, u.ravel("K")


def swapped(x, y):
    a, b = x, y
    for _ in range(3):
        a, b = b, a + b
    return a, b


def written(x, y):
    z = np.empty_like(x)
    z[:] = x + y
    z[1:] = x[:-1]
    z[0] += 1
    x[:, 1] = 5
    y += x
    return z, x, y, z.sum(), (x * y).max()


def by_loops(x, y):
    z = np.empty_like(x)
    for i in cl.prange(x.shape[0]):
        for j in range(x.shape[1]):
            z[i, j] = x[i, j] + i * y[i, j]
    return z


def made(x, y):
    return np.zeros(x.shape, order="F"), np.ones(y.shape, order="C"), np.full(x.shape, 2.0, order="F")


def layout(value):
    if isinstance(value, tuple):
        return [layout(item) for item in value]
    if isinstance(value, np.ndarray):
        return value.dtype, value.shape, value.strides, value.tolist()
    return value


ORDERS = list(itertools.product("CF", "CF"))
FUNCTIONS = [sums, likes, copies, flat, repeated, swapped, written, by_loops, made]


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(("first", "second"), ORDERS)
def test_results_lie_as_in_numpy(function, first, second):
    x, y = np.arange(20.0).reshape(4, 5), np.linspace(-8, 11, 20).reshape(4, 5)
    wanted = function(x.copy(first), y.copy(second))
    assert layout(cl.jit(function)(x.copy(first), y.copy(second))) == layout(wanted)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_results_lie_as_in_numpy_on_devices(function, device):
    x, y = np.asfortranarray(np.arange(20.0).reshape(4, 5)), np.ones((4, 5), order="F")
    wanted = function(x.copy("K"), y.copy("K"))
    with cl.device_context(device):
        assert layout(cl.jit(function)(x.copy("K"), y.copy("K"))) == layout(wanted)


def turned(x):
    u = x.transpose(1, 0, 2)
    v = u + 1
    for _ in range(2):
        v = v + u
    return v, np.swapaxes(x, 0, 2) * 2, x[0] + 1, x[:, 0] + 1, x + np.arange(4.0)


@pytest.mark.parametrize("order", ["C", "F"])
def test_any_order_of_axes_is_kept(order):
    x = np.arange(24.0).reshape(2, 3, 4).copy(order)
    assert layout(cl.jit(turned)(x)) == layout(turned(x))


def test_an_argument_in_fortran_order_is_returned_itself():
    x = np.ones((3, 4), order="F")
    assert cl.jit(lambda x: x)(x) is x
    assert cl.jit(lambda x, y: x is y)(x, x) is True
