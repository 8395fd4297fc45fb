"""Reductions of expressions over one axis, which are computed and reduced in one region."""

import numpy as np
import pytest

import colocate as cl

from .samples import LAYOUTS, numbers


def fused(a, b):
    return (
        ((a - b) ** 2).sum(axis=1),
        np.mean(a * 2 + b, axis=0),
        (a + b).max(axis=-1, keepdims=True),
        np.min(a * b, 1),
        np.prod(a - b, axis=0),
        np.sum(a > b, axis=1),
        np.sqrt((a * a).sum(axis=0) + 1.0),
    )


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("int32", "uint8", "float32", "float64"))
def test_reductions_of_expressions_over_an_axis(run_both, layout, dtype):
    run_both(fused, LAYOUTS[layout](numbers((5, 7), dtype)), numbers((5, 7), dtype, seed=1), rtol=1e-5)


def distances(a, b):
    return np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2))


@pytest.mark.parametrize("shape", [(4, 5, 3), (1, 1, 1), (0, 2, 3), (3, 2, 0), (7, 6, 300)], ids=str)
def test_distances_between_rows(run_both, shape):
    n, m, axes = shape
    run_both(distances, numbers((n, axes), "float64"), numbers((m, axes), "float64", seed=1))


def largest_of_rows(a):
    return (a * 2).max(axis=1)


@pytest.mark.parametrize("shape", [(3, 0), (0, 3), (0, 0)], ids=str)
def test_the_largest_of_empty_rows(run_both, shape):
    try:
        largest_of_rows(np.zeros(shape))
    except ValueError:
        run_both.raises(ValueError, largest_of_rows, np.zeros(shape))
    else:
        run_both(largest_of_rows, np.zeros(shape))


def special(a):
    return (a + 0).max(axis=0), (a * 1).min(axis=1), (a + 0).sum(axis=1)


def test_nan_and_infinities_along_an_axis(run_both):
    run_both(special, np.array([[1.0, np.nan, 3.0], [np.inf, 2.0, -np.inf], [0.0, -0.0, 5.0]]))


def test_an_expression_that_is_reduced_over_an_axis_is_never_in_memory():
    plan = cl.jit(distances).explain_dict(numbers((8, 3), "float64"), numbers((9, 3), "float64"))
    assert [region["what"] for region in plan["regions"]] == ["array expression"] * len(plan["regions"])
    assert not plan["library"]


def test_long_sums_over_an_axis_stay_accurate():
    x = np.random.default_rng(0).random((2, 200_000), np.float32)
    rows = cl.jit(lambda a: (a + a).sum(axis=1))(x)
    np.testing.assert_allclose(rows, (x.astype(np.float64) * 2).sum(axis=1), rtol=3e-6)
