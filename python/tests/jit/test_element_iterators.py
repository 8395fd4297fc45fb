"""Iterators over positions and elements; attributes of arrays; functions whose results depend on values."""

import numpy as np
import pytest

import colocate as cl


def positions(n, m):
    total = 0
    for i, j in np.ndindex(n, m):
        total += 10 * i + j
    return total


def positions_of_a_shape(x):
    total = 0.0
    for index in np.ndindex(x.shape):
        total += x[index]
    return total


def with_positions(x):
    total = 0.0
    for (i, j), value in np.ndenumerate(x):
        total += (i + 2 * j) * value
    return total


def each(x):
    total = 0.0
    for value in np.nditer(x):
        total += value.item()
    return total


@pytest.mark.parametrize("order", ("C", "F"))
def test_all_positions(run_both, order):
    x = np.asarray(np.arange(6.0).reshape(2, 3), order=order)
    run_both(positions, 2, 3)
    for program in (positions_of_a_shape, with_positions, each):
        run_both(program, x)


def flags(x):
    return x.flags.c_contiguous, x.flags.f_contiguous, x.flags["C_CONTIGUOUS"]


def test_flags_and_strides(run_both):
    for x in (np.ones((2, 3)), np.ones((2, 3)).T, np.ones((4, 3))[::2]):
        run_both(flags, x)


def grid(n):
    y, x = np.mgrid[0:n, 0:3]
    return x + 10 * y


def open_grid(n):
    y, x = np.ogrid[0:n, 0:3]
    return x + 10 * y


def test_grids(run_both):
    run_both(grid, 2)
    run_both(open_grid, 2)


def has(x, value):
    return value in x, value not in x


def test_membership(run_both):
    run_both(has, np.arange(5), 3)
    run_both(has, np.arange(5.0), 7.5)


def halves(x):
    a, b = np.split(x, 2)
    return a - b


def pieces(x, n):
    return np.array_split(x, n)


def test_a_number_of_results_that_is_known(run_both):
    run_both(halves, np.arange(10.0))


def test_a_number_of_results_that_depends_on_values(run_both):
    run_both(pieces, np.arange(10.0), 3)


def methods_of_numbers(x):
    return x[0].sum(), x[1].mean(), np.float32(x)


def test_numbers_have_the_methods_of_arrays(run_both):
    run_both(methods_of_numbers, np.arange(3.0))


def picked(x):
    return x[[2, 0]], x[[0, 1], [1, 2]]


def test_lists_as_indices(run_both):
    run_both(picked, np.arange(12.0).reshape(3, 4))


def eigenvalues(x):
    return np.linalg.eigvals(x)


def test_complex_results_are_never_cut_to_real_ones():
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    np.testing.assert_allclose(cl.jit(eigenvalues)(turn), np.linalg.eigvals(turn))


def slopes(w):
    steps = np.zeros(w.shape)
    it = np.nditer(w, flags=["multi_index"], op_flags=["readwrite"])
    while not it.finished:
        ix = it.multi_index
        kept = w[ix]
        w[ix] = kept + 0.5
        steps[ix] = (w**2).sum()
        w[ix] = kept
        it.iternext()
    return steps


def weighed(w):
    total, places = 0.0, []
    it = np.nditer(w, flags=["multi_index"])
    for x in it:
        i, j = it.multi_index
        total += x * (10 * i + j) + it[0]
        places.append(it.iterindex)
    return total, places, it.finished


def test_an_iterator_with_flags_knows_its_position(run_both):
    run_both(slopes, np.arange(6.0).reshape(2, 3))
    run_both(slopes, np.arange(4.0))
    run_both(weighed, np.arange(6.0).reshape(2, 3))
    run_both.raises(ValueError, slopes, np.zeros((0, 2)))


def test_an_iterator_with_flags_goes_over_arrays_in_c_order():
    with pytest.raises((TypeError, cl.CompileError), match="ndindex"):
        cl.jit(weighed)(np.arange(6.0).reshape(2, 3).T)


def diagonals(c, x):
    c = c.copy()
    for j in range(len(c)):
        c[j].flat[:: c.shape[2] + 1] += x
    turned = c[0].T
    turned.flat[1:3] = np.array([5.0, 6.0])
    turned.flat[0] *= 3
    return c, turned.flat[::2]


def test_a_slice_of_the_elements_of_a_part_changes(run_both):
    run_both(diagonals, np.zeros((2, 3, 3)), 0.5)
    run_both(diagonals, np.ones((2, 2, 4)), 0.5)
