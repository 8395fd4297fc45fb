"""Reductions: over everything, over axes, with dtypes, of all layouts, empty, and of conditions."""

import numpy as np
import pytest

from .samples import COMPLEX, DTYPES, FLOATS, LAYOUTS, REAL, numbers


def program_of(function, **keywords):
    """A program that reduces everything."""
    if keywords.get("axis") is not None and keywords.get("keepdims"):
        axis = keywords["axis"]

        def reduce(a):
            return function(a, axis=axis, keepdims=True)

    elif keywords.get("axis") is not None:
        axis = keywords["axis"]

        def reduce(a):
            return function(a, axis=axis)

    else:

        def reduce(a):
            return function(a)

    return reduce


ANY_DTYPE = ("sum", "prod", "any", "all", "count_nonzero", "mean")
ORDERED = ("min", "max", "argmin", "argmax", "ptp")
SPREAD = ("var", "std")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", ANY_DTYPE)
def test_everything_of_all_dtypes(run_both, function, dtype):
    run_both(program_of(getattr(np, function)), numbers((3, 5), dtype))


@pytest.mark.parametrize("dtype", [dtype for dtype in REAL if dtype != "bool"])
@pytest.mark.parametrize("function", ORDERED)
def test_everything_of_real_dtypes(run_both, function, dtype):
    run_both(program_of(getattr(np, function)), numbers((3, 5), dtype))


@pytest.mark.parametrize("dtype", ("int32", *FLOATS, *COMPLEX))
@pytest.mark.parametrize("function", SPREAD)
def test_spread(run_both, function, dtype):
    run_both(program_of(getattr(np, function)), numbers((4, 6), dtype))


@pytest.mark.parametrize("axis", (0, 1, -1))
@pytest.mark.parametrize(
    "function", ("sum", "prod", "min", "max", "mean", "var", "std", "any", "all", "argmin", "argmax")
)
def test_along_an_axis(run_both, function, axis):
    run_both(program_of(getattr(np, function), axis=axis), numbers((4, 5), "float64"))


@pytest.mark.parametrize("axis", ((0, 1), (0, 2), (-1, 0)), ids=str)
@pytest.mark.parametrize("function", ("sum", "max", "mean"))
def test_along_several_axes(run_both, function, axis):
    run_both(program_of(getattr(np, function), axis=axis), numbers((3, 4, 5), "float64"))


@pytest.mark.parametrize("function", ("sum", "min", "mean", "argmax"))
def test_axes_that_are_kept(run_both, function):
    run_both(program_of(getattr(np, function), axis=1, keepdims=True), numbers((3, 4), "float64"))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("function", ("sum", "max", "argmin", "all"))
def test_layouts(run_both, function, layout):
    run_both(program_of(getattr(np, function)), LAYOUTS[layout](numbers((4, 6), "float64")))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("axis", (0, 1, 2))
def test_layouts_along_axes(run_both, layout, axis):
    run_both(program_of(np.sum, axis=axis), LAYOUTS[layout](numbers((3, 4, 5), "float32")))


def methods(a):
    return a.sum(), a.prod(), a.min(), a.max(), a.mean(), a.var(), a.std(), a.argmin(), a.argmax(), a.any(), a.all()


def test_methods(run_both):
    run_both(methods, numbers((3, 3), "float64"))


def methods_along_an_axis(a):
    return a.sum(axis=0), a.min(axis=1), a.mean(1), a.argmax(axis=0), a.any(axis=1), a.sum(0, keepdims=True)


def test_methods_along_an_axis(run_both):
    run_both(methods_along_an_axis, numbers((3, 4), "float64"))


def builtin(a):
    return sum(a), min(a), max(a)


def test_builtin_functions_on_arrays(run_both):
    run_both(builtin, numbers(7, "float64"))


def with_dtype(a):
    return a.sum(dtype=np.float64), np.sum(a, dtype=np.int64), np.mean(a, dtype=np.float32)


def test_dtype_of_the_result(run_both):
    run_both(with_dtype, np.abs(numbers(9, "int8")))


def with_initial(a):
    return np.sum(a, initial=10), np.max(a, initial=100), np.min(a, initial=-100), np.prod(a, initial=2)


def test_initial_value(run_both):
    run_both(with_initial, numbers(5, "float64"))


def with_mask(a):
    return np.sum(a, where=a > 0), np.mean(a, where=a < 0), np.max(a, where=a < 1, initial=-50)


def test_elements_left_out(run_both):
    run_both(with_mask, numbers(9, "float64"))


def with_out(a, out):
    np.sum(a, axis=0, out=out)
    return out * 2


def test_results_written_where_out_says(run_both):
    run_both(with_out, numbers((3, 4), "float64"), np.zeros(4))


@pytest.mark.parametrize("function", ("sum", "prod", "any", "all"))
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)], ids=str)
def test_of_nothing(run_both, function, shape):
    run_both(program_of(getattr(np, function)), np.zeros(shape))
    run_both(program_of(getattr(np, function), axis=0), np.zeros(shape))


@pytest.mark.parametrize("function", ("min", "max", "argmin", "argmax"))
def test_extremes_of_nothing_are_errors(run_both, function):
    run_both.raises(ValueError, program_of(getattr(np, function)), np.zeros(0))


def test_of_a_single_number(run_both):
    run_both(program_of(np.sum), np.array(3.5))


@pytest.mark.parametrize("function", ("sum", "min", "max", "mean", "argmax", "argmin", "any"))
def test_nan_in_the_middle(run_both, function):
    a = numbers(20, "float64")
    a[[5, 11]] = np.nan
    run_both(program_of(getattr(np, function)), a)


@pytest.mark.parametrize(
    "function", ("nansum", "nanprod", "nanmin", "nanmax", "nanmean", "nanvar", "nanstd", "nanargmin")
)
def test_nan_left_out(run_both, function):
    a = numbers((4, 5), "float64")
    a[1, 2] = a[3, 0] = np.nan
    run_both(program_of(getattr(np, function)), a)


@pytest.mark.parametrize("function", ("median", "nanmedian"))
@pytest.mark.parametrize("n", (1, 6, 7))
def test_median(run_both, function, n):
    run_both(program_of(getattr(np, function)), numbers(n, "float64"))


def ranks(a):
    return np.percentile(a, 30), np.quantile(a, 0.75), np.average(a), np.average(a, weights=np.abs(a))


def test_ranks_and_weights(run_both):
    run_both(ranks, numbers(11, "float64"))


def first_of_equals(a):
    return a.argmax(), a.argmin(), np.argmax(a == 3)


def test_of_equal_elements_the_first_is_found(run_both):
    run_both(first_of_equals, np.array([2, 7, 3, 7, 1, 1, 3]))


@pytest.mark.parametrize("n", (1, 7, 63, 64, 65, 1000, 4097, 300_001))
def test_lengths_around_the_sizes_of_chunks(run_both, n):
    def reduce(a):
        return a.sum(), a.min(), a.max(), (a > 0).sum(), a.argmax()

    run_both(reduce, (np.arange(n) * 7919 % 1009 - 500).astype("float64"))


def fused(a, b):
    return np.sum(a * b), np.max(np.abs(a - b)), np.sqrt(np.sum((a - b) ** 2)), np.mean(a + b)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_expressions_inside_reductions(run_both, layout):
    run_both(fused, LAYOUTS[layout](numbers((4, 5), "float64")), numbers((4, 5), "float64", seed=1))


def conditions(a):
    return np.sum(a > 0), np.sum(a[a > 0]), np.any(a > 2), np.all(a < 9), np.count_nonzero(a < 0), (a[a > 0] * 2).mean()


def test_conditions(run_both):
    run_both(conditions, numbers(50, "float64"))


def normalised(a):
    centred = a - a.mean(axis=0)
    return centred / centred.std(axis=0), a / a.sum(axis=1)[:, None], a - a.max(axis=1, keepdims=True)


def test_reductions_inside_expressions(run_both):
    run_both(normalised, numbers((5, 4), "float64"))


def running(a):
    return np.cumsum(a), np.cumprod(a), a.cumsum(), np.cumsum(a.reshape(2, -1), axis=1), np.diff(a)


@pytest.mark.parametrize("dtype", ("int32", "float64", "complex128"))
def test_running_sums(run_both, dtype):
    run_both(running, numbers(8, dtype))


def products(a, b):
    return np.dot(a, b), a @ b, np.vdot(a, b), np.inner(a, b)


@pytest.mark.parametrize("dtype", ("int64", "float32", "float64", "complex128"))
def test_products_of_vectors(run_both, dtype):
    run_both(products, numbers(9, dtype), numbers(9, dtype, seed=1))


def matrix_products(a, b, v):
    return a @ b, np.dot(a, b), a.dot(v), v @ b.T, (a @ b).sum()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_products_of_matrices(run_both, layout, dtype):
    run_both(
        matrix_products,
        LAYOUTS[layout](numbers((3, 4), dtype)),
        numbers((4, 4), dtype, seed=1),
        numbers(4, dtype, seed=2),
    )


def test_integer_sums_are_of_the_platforms_width(run_both):
    run_both(program_of(np.sum), np.full(1000, 100, "int8"))
    run_both(program_of(np.prod), np.full(9, 100, "uint8"))
