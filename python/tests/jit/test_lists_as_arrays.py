"""Lists where NumPy wants arrays: stored into parts of arrays, beside arrays, and as arguments of functions."""

import numpy as np
import pytest

import colocate as cl


def complex_parts(z, items):
    z.imag = items
    z.real[:, 1] = (8, 9)
    z.real[0] = [1.5, 2, 3]
    return z


@pytest.mark.parametrize("items", [[5, 6, 7], (5, 6, 7), [[1, 2, 3], [4, 5, 6.5]]])
def test_parts_of_complex_arrays_are_assigned_from_lists(run_both, items):
    run_both(complex_parts, np.arange(6).reshape(2, 3) * (1 + 2j), items)


def wrong_part(z, items):
    z.imag = items
    return z


def test_a_list_of_another_length_is_no_part_of_a_complex_array(run_both):
    run_both.raises(ValueError, wrong_part, np.ones((2, 3), complex), [1, 2])


def flat_values(a):
    a.flat = [1, 2]
    b = np.zeros(5)
    b.flat = a
    c = np.ones((2, 2), np.int32)
    c.flat = 7
    d = np.zeros((2, 2))
    d.T.flat = range(4)
    e = np.zeros(4)
    e.flat = (1, 2.5, 3)
    return a, b, c, d, e


def test_flat_takes_values_one_after_the_other_and_again(run_both):
    run_both(flat_values, np.zeros((2, 3)))


def added_at(a, positions, places):
    np.add.at(a, [0, 0, 2], 10)
    np.add.at(a, positions, 100)
    np.subtract.at(a, places, [1, 2])
    table = np.zeros((2, 2))
    np.add.at(table, ([0, 0], [1, 1]), 1)
    np.maximum.at(table, [0], 2)
    return a, table


def test_lists_are_positions_in_what_ufuncs_do_at_them(run_both):
    run_both(added_at, np.array([1, 2, 3]), [0, 0, 2], np.array([1, 1]))


def loads(forces, by_node):
    for node, vector in by_node.items():
        forces[node : node + 2] += vector
    for node in by_node:
        forces[2:] = forces[2:] * by_node[node]
    return forces, np.sum(by_node[2]), np.abs(by_node[2]), np.add(by_node[2], 1)


@pytest.mark.parametrize("by_node", [{2: [1.0, -2.0]}, {2: [1.0, -2.0], 0: [3.0, 1.0]}])
def test_lists_in_dictionaries_stand_for_arrays(by_node):
    expected = loads(np.ones(4), by_node)
    for one, other in zip(expected, cl.jit(loads)(np.ones(4), by_node), strict=True):
        np.testing.assert_array_equal(other, one)


def history(values):
    seen = {"a": [], "b": []}
    for x in values:
        seen["a"].append(x)
        seen["b"].append(x * x)
    return np.log(seen["a"]), np.mean(seen["b"]), values * seen["b"], values < seen["b"], np.dot(seen["a"], values)


def test_lists_that_grow_in_dictionaries_stand_for_arrays(run_both):
    run_both(history, np.array([1.0, 2.0, 0.5]))


def rows_apart(d):
    pair = d[:2]
    return np.hypot(*d.T), np.arctan2(*pair), np.dot(*pair), d.transpose(*range(d.ndim)[::-1])


def test_rows_of_an_array_are_the_arguments_of_a_function_of_two(run_both):
    run_both(rows_apart, np.arange(8.0).reshape(4, 2))


def test_other_numbers_of_rows_than_a_function_takes_raise():
    with pytest.raises(TypeError, match="starred argument"):
        cl.jit(lambda d: np.hypot(*d))(np.ones((1, 3)))


def complex_into_real(a):
    b = np.zeros(2)
    b[:] = a
    c = np.zeros((2, 2), np.float32)
    c[0] = a * 2
    return b, c


@pytest.mark.filterwarnings("ignore:Casting complex")
def test_complex_arrays_lose_their_imaginary_part_in_real_ones(run_both):
    run_both(complex_into_real, np.array([1 + 1j, 2]))


def test_that_an_imaginary_part_is_lost_is_a_warning():
    with pytest.warns(np.exceptions.ComplexWarning, match="discards the imaginary part"):
        cl.jit(complex_into_real)(np.array([1 + 1j, 2]))


def arrays_of_nothing(rows):
    return np.asarray(rows), np.sum(rows), np.allclose(rows, 1), len(rows)


def filled(rows):
    rows[0].append(1)
    rows.append([2])
    return rows


@pytest.mark.parametrize("rows", [[[]], [[], []], [[[]]]], ids=str)
def test_empty_lists_in_a_list_are_floats(run_both, rows):
    run_both(arrays_of_nothing, rows)


def test_empty_lists_in_a_list_can_be_filled(run_both):
    run_both(filled, [[]])
    run_both(filled, [[], []])
