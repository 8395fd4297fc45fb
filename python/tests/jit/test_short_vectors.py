"""Norms and vector products of a few numbers, which are code of the program's own."""

import numpy as np
import pytest

import colocate as cl
from colocate import prange

from .samples import LAYOUTS, numbers


def norms(x):
    return np.linalg.norm(x), np.linalg.norm(x + x), np.linalg.norm(x[:0]), np.linalg.norm(x, 1)


@pytest.mark.parametrize("dtype", ("float32", "float64", "complex64", "complex128", "int8", "uint64", "bool"))
def test_norms_have_numpys_values_and_dtypes(run_both, dtype):
    run_both(norms, numbers(7, dtype))
    run_both(np_norm, numbers((3, 4), dtype))


def np_norm(x):
    return np.linalg.norm(x), np.linalg.norm(x, axis=0), np.linalg.norm(x[0] + x[1])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_norms_of_all_layouts(run_both, layout):
    run_both(np_norm, LAYOUTS[layout](numbers((3, 4), "float64")))


def products(a, b):
    return np.cross(a, b), np.cross(a[::-1], b + a), np.cross(np.stack((a, b)), a), np.cross(a, b)[1]


@pytest.mark.parametrize(
    "dtypes", [("float64", "float64"), ("float32", "float64"), ("int64", "int32"), ("int8", "int8")]
)
def test_products_have_numpys_values_and_dtypes(run_both, dtypes):
    first, second = (numbers(3, dtype) for dtype in dtypes)
    run_both(products, first, second + second)


def product(a, b):
    return np.cross(a, b)


def test_products_of_other_lengths():
    run = cl.jit(product)
    with pytest.raises(ValueError, match="dimension must be 2 or 3"):
        run(np.ones(4), np.ones(4))
    with pytest.raises(ValueError, match=r"write a\[0\] \* b\[1\]"):
        run(np.ones(2), np.ones(2))


def torques(points, forces):
    total = np.zeros(3)
    far = np.zeros(len(points))
    for i in range(len(points)):
        total += np.cross(points[i] - points[0], forces[i])
    for i in prange(len(points)):
        far[i] = np.linalg.norm(points[i] - points[0]) + np.cross(points[i], forces[i])[2]
    return total, far


def test_points_and_directions_in_loops(run_both):
    run_both(torques, numbers((20, 3), "float64"), numbers((20, 3), "float64")[::-1])
