"""Reading parts of arrays: positions, slices, new axes, masks, index arrays, views of views."""

import numpy as np
import pytest

import colocate as cl
from colocate import prange

from .samples import LAYOUTS, numbers


def elements(a):
    return a[0, 0], a[-1, -1], a[1][2], a[1, -2]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("bool", "int8", "float32", "float64", "complex128"))
def test_single_elements(run_both, layout, dtype):
    run_both(elements, LAYOUTS[layout](numbers((3, 4), dtype)))


def at(a, i, j):
    return a[i, j]


@pytest.mark.parametrize("position", [(0, 0), (-1, 2), (2, -4)], ids=str)
def test_positions_that_are_computed(run_both, position):
    run_both(at, numbers((3, 4), "float64"), *position)


@pytest.mark.parametrize("kind", (np.int8, np.uint8, np.int32, np.uint64))
def test_positions_of_all_integer_types(run_both, kind):
    run_both(at, numbers((3, 4), "float64"), kind(2), kind(1))


def cut(a, start, stop, step):
    return a[start:stop:step]


BOUNDS = [
    (None, None, None),
    (1, 5, None),
    (-3, None, None),
    (None, -2, None),
    (0, 100, 2),
    (-100, 3, 1),
    (5, 1, None),
    (None, None, -1),
    (6, 1, -2),
    (None, None, 3),
    (-2, -6, -1),
    (7, 7, 1),
]


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_slices_with_bounds_from_outside(run_both, bounds):
    run_both(cut, numbers(8, "int64"), *bounds)


@pytest.mark.parametrize("bounds", [bound for bound in BOUNDS if None not in bound], ids=str)
def test_slices_with_bounds_known_only_when_running(run_both, bounds):
    run_both(cut, numbers(8, "float64"), *[np.int64(one) for one in bounds])


def stencil_parts(a):
    return a[1:-1, 1:-1] + a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_shifted_slices_in_one_expression(run_both, layout):
    run_both(stencil_parts, LAYOUTS[layout](numbers((6, 7), "float64")))


def rows_and_columns(a):
    return a[1], a[:, 1], a[-1, :], a[..., 0], a[0, ...]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rows_and_columns(run_both, layout):
    run_both(rows_and_columns, LAYOUTS[layout](numbers((3, 4), "float64")))


def new_axes(a, b):
    return a[:, None] + b[None, :], a[np.newaxis].shape, (a[:, np.newaxis] * b).sum()


def test_new_axes(run_both):
    run_both(new_axes, numbers(3, "float64"), numbers(4, "float64", seed=1))


def ellipses(a):
    return a[..., 1], a[0, ..., 1], a[..., ::2, 0], a[..., None].shape


def test_ellipsis(run_both):
    run_both(ellipses, numbers((2, 3, 4), "int32"))


def backwards_and_transposed(a):
    return a[::-1], a[:, ::-1], a.T, a.T[::-1, 1:], a[::-1, ::-1].T


@pytest.mark.parametrize("layout", LAYOUTS)
def test_turned_views(run_both, layout):
    run_both(backwards_and_transposed, LAYOUTS[layout](numbers((3, 5), "float64")))


def views_of_views(a):
    b = a[1:]
    c = b[::2]
    d = c[:, 1:]
    return d[0], d + 1, c[-1, -1]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_views_of_views(run_both, layout):
    run_both(views_of_views, LAYOUTS[layout](numbers((7, 4), "float64")))


def masked(a):
    return a[a > 0], a[(a > 0) & (a < 2)].sum(), a[a != a].size


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("int32", "float64"))
def test_masks(run_both, layout, dtype):
    run_both(masked, LAYOUTS[layout](numbers((4, 5), dtype)))


def rows_by_mask(a, mask):
    return a[mask], a[mask, 1], a[:, mask[:3]]


def test_masks_of_one_axis(run_both):
    run_both(rows_by_mask, numbers((5, 3), "float64"), np.array([True, False, True, True, False]))


def taken(a, where):
    return a[where], a[where] * 2 + 1, a[where].sum()


@pytest.mark.parametrize("kind", ("int8", "int32", "int64", "uint8", "uint64"))
@pytest.mark.parametrize("layout", LAYOUTS)
def test_index_arrays(run_both, layout, kind):
    run_both(taken, LAYOUTS[layout](numbers(6, "float64")), np.array([5, 0, 0, 3], kind))


def test_index_arrays_count_from_the_end(run_both):
    run_both(taken, numbers(6, "float64"), np.array([-1, -6, 2]))


def test_index_arrays_with_two_axes(run_both):
    run_both(taken, numbers(6, "float64"), np.array([[0, 1, 2], [5, 4, 3]]))


def test_index_arrays_of_rows(run_both):
    run_both(taken, numbers((4, 3), "float64"), np.array([3, 1, 1]))


def taken_by_pairs(a, i, j):
    return a[i, j], a[i, 0], a[0, j], a[i[:, None], j]


def test_several_index_arrays(run_both):
    run_both(taken_by_pairs, numbers((4, 5), "int64"), np.array([0, 3, 1]), np.array([4, -1, 2]))


def taken_with_slices(a, i):
    return a[i, 1:], a[:, i], a[1:, i].sum()


def test_index_arrays_beside_slices(run_both):
    run_both(taken_with_slices, numbers((4, 4), "float64"), np.array([2, 0, 3]))


def taken_by_list(a):
    return a[[2, 0, 1]]


def test_lists_as_index(run_both):
    run_both(taken_by_list, numbers((3, 2), "float64"))


def functions(a, where):
    return np.take(a, where), a.take(where), np.take(a, where, axis=0), np.compress(a[:, 0] > 0, a, axis=0)


def test_take_and_compress(run_both):
    run_both(functions, numbers((4, 3), "float64"), np.array([1, 3, 0]))


def positions(a):
    return np.nonzero(a > 0), np.argwhere(a > 0), np.flatnonzero(a < 0), np.where(a > 1)


def test_where_true(run_both):
    run_both(positions, numbers((3, 4), "float64"))


def returned_views(a):
    return a[1:3], a.T, a[::-1]


def test_returned_views_share_the_arguments_memory(run_both):
    a = numbers((4, 4), "float64")
    if run_both.place == "plain":
        pytest.skip("about what jit returns")
    with run_both.context():
        parts = run_both.jit(returned_views)(a)
    for part in parts:
        assert np.shares_memory(part, a)


def slices_in_variables(a, n):
    inner = slice(1, n)
    return a[inner], a[inner, 0]


def test_slices_as_values(run_both):
    run_both(slices_in_variables, numbers((5, 3), "float64"), 4)


def diagonal_parts(a):
    return np.diag(a), np.diagonal(a), np.trace(a), np.triu(a), np.tril(a, -1)


def test_diagonals(run_both):
    run_both(diagonal_parts, numbers((4, 4), "float64"))


def by_ranges(a, r):
    n = len(a)
    a[range(n), range(n)] = 0
    a[:, range(1)] *= 2
    a[[0, 1], 1:] += 1
    return a[r], a[1:, r], a[range(n), ::-1], a[..., range(2)], a[range(0)]


def test_ranges_as_index(run_both):
    run_both(by_ranges, np.arange(9.0).reshape(3, 3), range(1, 3))


def meant(s, n):
    return s.indices(n), slice(1, None, 2).indices(n), [*range(*slice(None, -1).indices(n))]


def test_slices_say_which_positions_they_mean(run_both):
    for s in (slice(None), slice(-3, 20), slice(None, None, -2), slice(-20, 3, -1), slice(4, 1, 2)):
        for n in (0, 1, 6):
            run_both(meant, s, n)
    run_both.raises(ValueError, meant, slice(0, 1, 0), 3)
    run_both.raises(ValueError, meant, slice(0, 1), -1)


def beyond_the_end(a):
    b = np.zeros(6)
    part, inner = a[3:], a[1:][2:]
    b[4:] += 1
    b[: len(part)] = part * 2
    a[5:] = 7
    a[4:][1:] += a[5:]
    total = 0.0
    for i in prange(len(part)):
        total += part[i] + inner[i]
    kept = (a * 2)[2:][1:]
    return part, inner, inner.copy(), b, total, kept, a[4:9:3], a[3:] + a[3:7], np.sum(a[6:]), part.shape, a[2:-2]


@pytest.mark.parametrize("length", range(8))
@pytest.mark.parametrize("step", (1, 2, -1))
def test_slices_may_begin_beyond_the_end(run_both, length, step):
    run_both(beyond_the_end, np.arange(20.0)[::step][:length])


def corners(a, b):
    b[1:, 2:] = a[1:, 2:] - a[:-1, :-2]
    return a[2:, 1:], b[3:, :1], a[4:].sum(axis=0), a[:, 4:].sum(axis=0), a[2:, ::-1][1:, 1:]


@pytest.mark.parametrize("shape", [(0, 0), (1, 5), (5, 1), (2, 3), (4, 4)], ids=str)
def test_slices_of_several_axes_may_begin_beyond_the_end(run_both, shape):
    a = np.arange(float(np.prod(shape))).reshape(shape)
    run_both(corners, a, np.zeros(shape))


def parts_of_lists(items):
    head, tail = items[:2], items[2:]
    items[5:] = [7, 8]
    items[1:1] = [9]
    return head, tail, items, items[4:][3:]


@pytest.mark.parametrize("length", range(1, 8))
def test_slices_of_lists_may_begin_beyond_the_end(run_both, length):
    run_both(parts_of_lists, list(range(length)))


def test_neighbours_in_slices_are_loaded_from_one_array_by_constants():
    smooth = cl.jit(stencil_parts)
    smooth(numbers((6, 7), "float64"))
    region = smooth.inspect(stage="region ir").split("\n\n")[0]
    assert region.count("float64[2]") == 2, region
    assert "number: int64" not in region, region
