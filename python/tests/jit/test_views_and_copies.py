"""What shares memory and what does not: arrays without axes, views that cannot be written to, copies in an order."""

import numpy as np
import pytest

import colocate as cl

from .samples import LAYOUTS, numbers

ORDERED = {
    "C": lambda a: a,
    "Fortran": np.asfortranarray,
    "gaps": lambda a: np.repeat(a, 2, 1)[:, ::2],
    "turned": lambda a: a.T,
    "other": lambda a: np.ascontiguousarray(a.transpose(1, 0, 2)).transpose(1, 0, 2),
}


def flattened(a):
    return a.flatten("F"), a.flatten(order="C"), a.T.flatten("F"), (a + 1).flatten("F"), np.arange(3).flatten("F")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_flatten_counts_elements_in_the_order_that_is_asked_for(run_both, layout):
    run_both(flattened, LAYOUTS[layout](numbers((2, 3), "float64")))


def flattened_as_it_lies(a):
    return a.flatten("A"), a.flatten("K"), a.reshape(-1, 2, order="A"), a.reshape((2, -1), order="A")


@pytest.mark.parametrize("layout", ORDERED)
def test_the_order_of_memory_is_that_of_the_array(layout):
    a = ORDERED[layout](np.arange(24.0).reshape(2, 3, 4))
    for expected, actual in zip(flattened_as_it_lies(a), cl.jit(flattened_as_it_lies)(a), strict=True):
        np.testing.assert_array_equal(actual, expected)


def reshaped_in_fortran_order(a):
    return (
        a.reshape(-1, order="F"),
        a.reshape((3, -1), order="F"),
        a.reshape(2, 3, 2, order="F"),
        np.reshape(a, (2, -1), "F"),
        np.reshape(a, (2, -1), order="C"),
        (a * 2).reshape((4, 3), order="F"),
        np.arange(6).reshape((2, 3), order="F"),
    )


@pytest.mark.parametrize("layout", LAYOUTS)
def test_reshape_counts_elements_in_fortran_order(run_both, layout):
    run_both(reshaped_in_fortran_order, LAYOUTS[layout](numbers((4, 3), "float64")))


def written_through_fortran_order(a):
    b = a.reshape((3, 2), order="F")
    b[0, 1] = 100
    return a, b


@pytest.mark.parametrize("a", [np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.arange(6.0)])
def test_another_shape_in_fortran_order_is_a_view_where_it_can_be(run_both, a):
    run_both(written_through_fortran_order, a)


def whole_of_no_axes(a):
    b = a[...]
    b += 1
    b[...] = b * 2
    return a, b


def test_all_of_an_array_without_axes_shares_its_memory(run_both):
    run_both(whole_of_no_axes, np.array(1.0))


def elements_as_arrays(a):
    b = a[1, ...]
    b += 100
    c = a[..., 2]
    c[...] = 9
    e = a[0, ..., 1]
    e *= 2
    return a, c


@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4)])
def test_parts_that_are_named_by_an_ellipsis_share_memory(run_both, shape):
    run_both(elements_as_arrays, np.arange(np.prod(shape), dtype=float).reshape(shape))


def element_as_array(a):
    b = a[1, ...]
    b += 100
    d = a[..., 0]
    d[()] = -1
    return a, b * 2


def test_an_element_that_is_named_by_an_ellipsis_shares_memory(run_both):
    run_both(element_as_array, np.arange(3.0))


def lengths_of(points, still):
    x, y = points[..., 0], points[..., 1]
    if still:
        x = 0.0
    return np.sqrt(x * x + y * y)


@pytest.mark.parametrize("still", [False, True])
def test_elements_that_nobody_changes_are_numbers(run_both, still):
    run_both(lengths_of, np.arange(3.0), still)


def legendre(m, x):
    p = np.ones_like(x)
    if m > 0:
        p = (1 - x**2) ** (m / 2)
    return p


@pytest.mark.parametrize(("m", "x"), [(1, 0.5), (0, 0.5), (0, 3), (1, np.array([0.1, 0.5]))])
def test_an_array_like_a_number_meets_numbers(m, x):
    np.testing.assert_allclose(cl.jit(legendre)(m, x), legendre(m, x), rtol=1e-14)


def written_views(m):
    tries = 0
    try:
        np.diagonal(m)[0] = 1
    except ValueError:
        tries += 1
    try:
        m.diagonal()[0] = 1
    except ValueError:
        tries += 1
    try:
        d = np.diag(m)
        d += 1
    except ValueError:
        tries += 1
    try:
        np.broadcast_to(m, (2, 3, 3))[0, 0, 0] = 1
    except ValueError:
        tries += 1
    try:
        np.lib.stride_tricks.sliding_window_view(m[0], 2)[0, 0] = 1
    except ValueError:
        tries += 1
    matrix = np.diag(np.array([1.0, 2.0]))
    matrix[0, 1] = 5
    whole = np.broadcast_to(m, (2, 3, 3)).copy()
    whole[0, 0, 0] = 3
    return tries, m, matrix, whole


def test_views_that_numpy_makes_read_only_are_not_written_to(run_both):
    run_both(written_views, np.eye(3))


def roots(a):
    return a**0.5, np.power(a, 0.5), (a + 1) ** 0.5, a**2


@pytest.mark.parametrize("a", [np.array([-np.inf, -0.0, 4.0]), np.array([-np.inf, 4], np.float32), np.arange(3)])
def test_a_power_of_one_half_is_the_square_root(run_both, a):
    run_both(roots, a)


def test_squares_of_flags_are_small_integers(run_both):
    run_both(lambda a: (a**2, a**3), np.array([True, False]))


def totals(a, **options):
    return np.sum(a, **options), np.mean(a, **options)


@pytest.mark.parametrize("keepdims", [False, True])
def test_flags_among_keywords_by_two_stars_are_known(keepdims):
    a = np.arange(6.0).reshape(2, 3)
    for expected, actual in zip(
        totals(a, axis=1, keepdims=keepdims), cl.jit(totals)(a, axis=1, keepdims=keepdims), strict=True
    ):
        np.testing.assert_array_equal(actual, expected)


def turned(a):
    parts = (
        np.moveaxis(a, 0, -1),
        np.moveaxis(a, (0, 1), (-1, 0)),
        np.rollaxis(a, 2),
        np.rollaxis(a, 0, 2),
        np.rot90(a),
        np.rot90(a, 2, (1, 2)),
        np.rot90(a, k=-1),
        np.rot90(a, 4),
        np.atleast_2d(a[0, 0]),
        np.atleast_3d(a[0, 0]),
        np.atleast_3d(a[0]),
        np.atleast_1d(a),
        np.squeeze(a[:1], axis=0),
        a[:1, :, :1].squeeze(axis=(0, -1)),
    )
    number = 100
    for part in (
        np.moveaxis(a, 0, -1),
        np.rollaxis(a, 2),
        np.rot90(a),
        np.rot90(a, 2, (1, 2)),
        np.rot90(a, -1),
        np.atleast_3d(a[1]),
        a[1:].squeeze(axis=0),
    ):
        part[0, 1] = number
        number += 1
    return parts, a


@pytest.mark.parametrize("layout", ["C", "Fortran", "gaps"])
def test_turned_axes_are_views(run_both, layout):
    run_both(turned, ORDERED[layout](np.arange(24.0).reshape(2, 3, 4)))


def without_axis(a):
    return np.squeeze(a, axis=0)


def test_only_axes_of_one_element_are_squeezed_out(run_both):
    run_both.raises(ValueError, without_axis, np.ones((2, 3)))


def on_one_axis(x):
    wide = np.broadcast_to(x, (2, 3))
    a, b, c = wide.ravel(), wide.reshape(-1), wide.T.ravel()
    a[0], b[1], c[2] = 9.0, 8.0, 7.0
    return a, b, c, x


def test_repeated_elements_on_one_axis_are_a_copy(run_both):
    run_both(on_one_axis, np.arange(3.0))


def broadcast(x):
    return np.broadcast_to(x, (3,)), np.broadcast_to(x, (2, 3))


def test_broadcast_arrays_are_views_that_cannot_be_written():
    x = np.arange(3.0)
    for part in cl.jit(broadcast)(x):
        assert np.shares_memory(part, x)
        assert not part.flags.writeable


def without_axes(a):
    first = a[0, ..., 1]
    first[...] = 7.0
    kept = [a[1, 1, ...]]
    return first, a[..., 0, 0], kept, a[0, ..., 0] + 1, a


def test_an_index_with_an_ellipsis_gives_an_array_even_without_axes(run_both):
    run_both(without_axes, np.arange(4.0).reshape(2, 2))


def added_up(a):
    total = 0.0
    for i in range(3):
        total += a[i, ...]
    for i in cl.prange(3):
        a[i] = a[i, ...] * 2
    return total, a


def test_arrays_without_axes_are_numbers_in_arithmetic(run_both):
    run_both(added_up, np.arange(3.0))


def array_of_itself(a):
    b, c = np.array(a, copy=False), np.array(a, dtype=np.float64, copy=None)
    b[0] = 9
    c[1] = 8
    return a, b, c


def copied_by_asarray(a):
    b, c = np.asarray(a, copy=True), np.asanyarray(a, copy=True)
    b[0] = 9
    c[1] = 8
    return a, b, c


def copied_by_flag(a, copy):
    b, c = np.array(a, copy=copy), a.astype(np.float64, copy=copy)
    b[0] = 9
    c[1] = 8
    return a, b, c


def copied_if_needed(a):
    b = np.array(a, dtype=np.float32, copy=None)
    b[0] = 9
    return a, b, np.array((1, 2), copy=None)


def never_copied(a):
    return np.array(a, dtype=np.float32, copy=False)


class TestTheArgumentCopy:
    @pytest.mark.parametrize("program", [array_of_itself, copied_by_asarray, copied_if_needed])
    def test_says_whether_the_array_is_a_new_one(self, run_both, program):
        run_both(program, np.arange(3.0))

    @pytest.mark.parametrize("copy", [False, True])
    def test_may_be_an_argument(self, run_both, copy):
        run_both(copied_by_flag, np.arange(3.0), copy)

    def test_that_forbids_what_is_needed_raises(self, run_both):
        run_both.raises(ValueError, never_copied, np.arange(3.0))


def arrays_of_list(items):
    arrays = np.asarray(items), np.reshape(items, (2, 2)), np.ravel(items), np.atleast_2d(items)
    for number, array in enumerate(arrays):
        array[0] = number
    return arrays, items


def test_an_array_of_a_list_is_a_new_one(run_both):
    run_both(arrays_of_list, [1, 2, 3, 4])


def windows(a):
    found = np.lib.stride_tricks.sliding_window_view(a, 2, writeable=True)
    found[1, 0] = 9
    return a, found


def test_windows_can_be_written_to_where_that_is_asked_for():
    expected, actual = windows(np.arange(4.0)), cl.jit(windows)(np.arange(4.0))
    for one, other in zip(expected, actual, strict=True):
        np.testing.assert_array_equal(other, one)


def with_any_axes(a, n):
    return np.array(a, ndmin=n)


def test_ndmin_may_be_an_argument_that_adds_no_axes(run_both):
    for n in (-1, 0, 1, 2):
        run_both(with_any_axes, np.ones((2, 2)), n)
    with pytest.raises(TypeError, match="ndmin"):
        cl.jit(with_any_axes)(np.ones((2, 2)), 3)
    assert cl.jit(with_any_axes)([[1, 2], [3, 4.1]], 1).tolist() == [[1, 2], [3, 4.1]]
