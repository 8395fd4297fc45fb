"""Writing into arrays: elements, slices, masks, index arrays, in place, and where memory overlaps."""

import numpy as np
import pytest

import colocate as cl

from .samples import DTYPES, LAYOUTS, REAL, numbers


def set_elements(a):
    a[0, 0] = 1
    a[-1, -1] = a[0, 1]
    a[1, 2] += 2
    a[2, 0] *= 3


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("int8", "int64", "float32", "float64", "complex64"))
def test_elements(run_both, layout, dtype):
    run_both(set_elements, LAYOUTS[layout](numbers((3, 4), dtype)))


def fill(a, value):
    a[:] = value


@pytest.mark.parametrize("dtype", DTYPES)
def test_whole_arrays_from_a_number(run_both, dtype):
    run_both(fill, numbers((3, 4), dtype), 1)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_whole_arrays_from_a_row(run_both, layout):
    run_both(fill, LAYOUTS[layout](numbers((3, 4), "float64")), numbers(4, "float64", seed=1))


@pytest.mark.parametrize("source", REAL)
@pytest.mark.parametrize("dtype", ("bool", "int8", "uint16", "int64", "float32"))
def test_assignment_converts_to_the_arrays_dtype(run_both, dtype, source):
    if np.dtype(source).kind in "i" and np.dtype(dtype).kind == "u":
        source = "uint8"
    run_both(fill, numbers(6, dtype), np.abs(numbers(6, source, seed=1)))


def set_parts(a, b):
    a[1:-1] = b[1:-1] * 2
    a[::2, 0] = 5
    a[0] = a[1]
    a[:, -1] = b[:, 0]
    a[1, 1:3] = a[2, :2]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_slices(run_both, layout):
    run_both(set_parts, LAYOUTS[layout](numbers((5, 4), "float64")), numbers((5, 4), "float64", seed=1))


def augmented(a, b):
    a += b
    a *= 2
    a -= 1
    a /= b + 20
    return a


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("float32", "float64", "complex128"))
def test_augmented_assignment_changes_the_argument(run_both, layout, dtype):
    run_both(augmented, LAYOUTS[layout](numbers((3, 4), dtype)), numbers(4, dtype, seed=1))


def augmented_integers(a, b):
    a += b
    a //= 2
    a %= 5
    a <<= 1
    a |= 1
    a ^= b
    a &= 63
    a >>= 1


@pytest.mark.parametrize("dtype", ("int8", "int64", "uint32"))
def test_augmented_assignment_of_integers(run_both, dtype):
    run_both(augmented_integers, numbers(9, dtype), numbers(9, dtype, seed=1))


def rebound(a, b):
    a = a + b
    a += 1
    return a


def test_rebinding_a_name_leaves_the_argument_alone(run_both):
    run_both(rebound, numbers(4, "float64"), numbers(4, "float64", seed=1))


def augmented_views(a):
    a[1:] += a[:-1].copy()
    row = a[0]
    row *= 10
    column = a[:, 1]
    column[1:] -= 3


@pytest.mark.parametrize("layout", LAYOUTS)
def test_augmented_assignment_to_views(run_both, layout):
    run_both(augmented_views, LAYOUTS[layout](numbers((4, 3), "float64")))


def masks(a):
    a[a < 0] = 0
    a[a > 2] *= 2
    a[a == 1] += 5


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("int32", "float64"))
def test_masks(run_both, layout, dtype):
    run_both(masks, LAYOUTS[layout](numbers((4, 5), dtype)))


def masked_values(a, b, mask):
    a[mask] = b[mask]
    b[~mask] = -1


def test_masked_values(run_both):
    mask = numbers(8, "bool")
    run_both(masked_values, numbers(8, "float64"), numbers(8, "float64", seed=1), mask)


def mask_filled_in_order(a, values):
    a[a > 0] = values


def test_a_mask_takes_values_in_order(run_both):
    a = numbers(12, "float64")
    run_both(mask_filled_in_order, a, np.arange(np.count_nonzero(a > 0)) + 100.0)


def scattered(a, where, values):
    a[where] = values
    a[where[:2]] += 1


def test_index_arrays(run_both):
    run_both(scattered, numbers(7, "float64"), np.array([4, 0, -1]), numbers(3, "float64", seed=1))


def test_index_arrays_of_rows(run_both):
    run_both(scattered, numbers((7, 2), "float64"), np.array([4, 0, -1]), numbers((3, 2), "float64", seed=1))


def scattered_twice(a, where, values):
    a[where] = values


def test_of_equal_positions_the_last_one_counts(run_both):
    run_both(scattered_twice, np.zeros(3), np.array([1, 1, 0, 1]), np.array([5.0, 6.0, 7.0, 8.0]))


def counted_once(a, where):
    a[where] += 1


def test_augmented_assignment_counts_equal_positions_once(run_both):
    run_both(counted_once, np.zeros(4), np.array([1, 1, 2, 1]))


def shifted(a):
    a[1:] = a[:-1]
    a[:-2] = a[2:]


@pytest.mark.parametrize("n", (2, 5, 1000, 70_000))
def test_overlapping_slices_are_read_before_they_are_written(run_both, n):
    run_both(shifted, np.arange(n, dtype="float64"))


def turned(a):
    a[:] = a[::-1]


@pytest.mark.parametrize("n", (1, 2, 7, 70_001))
def test_an_array_turned_in_place(run_both, n):
    run_both(turned, np.arange(n))


def transposed(a):
    a[:] = a.T + 1


def test_an_array_transposed_in_place(run_both):
    run_both(transposed, numbers((40, 40), "float64"))


def two_arguments(a, b):
    a[:] = b * 2
    return b.sum()


def test_arguments_that_overlap(run_both):
    memory = np.arange(20.0)
    run_both(two_arguments, memory[1:11], memory[0:10])


def the_same_twice(a, b):
    a += 1
    b *= 2
    return a


def test_the_same_array_twice(run_both):
    memory = np.arange(6.0)
    run_both(the_same_twice, memory, memory)


def swapped_parts(a):
    a[0], a[1] = a[1].copy(), a[0].copy()
    a[0, 0], a[1, 0] = a[1, 0], a[0, 0]


def test_parts_swapped(run_both):
    run_both(swapped_parts, numbers((3, 3), "float64"))


def swapped_names(a, b):
    for _ in range(3):
        a, b = b, a
        a[0] += 1
    return a, b


def test_names_swapped_in_a_loop(run_both):
    run_both(swapped_names, numbers(3, "float64"), numbers(3, "float64", seed=1))


def filled(a):
    a.fill(3)
    a[1:].fill(4)


def test_fill(run_both):
    run_both(filled, numbers((3, 2), "int32"))


def sorted_in_place(a):
    a.sort()
    a[::-1].sort()


def test_sorting_in_place(run_both):
    run_both(sorted_in_place, numbers(11, "float64"))


def parts_of_complex(a):
    a.real = 1
    a.imag[1:] += 2


def test_parts_of_complex_numbers(run_both):
    run_both(parts_of_complex, numbers(4, "complex128"))


def functions(a, where):
    np.put(a, where, 7)
    np.fill_diagonal(a, -1)
    np.copyto(a[0], 2)


def test_functions_that_write(run_both):
    run_both(functions, numbers((4, 4), "float64"), np.array([1, 6, 14]))


def empty_parts(a):
    a[3:3] = 5
    a[a > 1e9] = 1
    a[5:2] += 1


def test_nothing_is_written_where_nothing_is_named(run_both):
    run_both(empty_parts, numbers(6, "float64"))


def reshaped_in_place(x, n):
    doubled, rows = 2 * x, x.copy()
    doubled.shape = rows.shape = n, -1
    rows[0] += 1
    doubled.shape = doubled.size
    grid, other = np.mgrid[0:n, 0:2]
    grid.shape = other.shape = 2 * n
    if n > 2:
        rows.shape = -1, n
    return doubled, rows.sum(axis=0), grid - other


@pytest.mark.parametrize("n", (2, 3))
def test_shapes_of_own_arrays(run_both, n):
    run_both(reshaped_in_place, numbers(12, "float64"), n)


def two_rows(u, v):
    u[0], v[0] = u[0] + v[0], v[0] + u[0] * 2


def one_value_for_two_rows(u, v):
    u[0] = v[0] = u[0] * 2 + v[0]


def a_row_and_a_name(u, v):
    u[0], s = u[1] * 2, u[0] * 3
    t, u[1] = u[1] * 2, v[1]
    return s, t


def whole_arrays(u, v):
    u[:], v[:] = u + v, v + 2 * u


def columns_with_a_copy(u, v):
    u[:, 0], u[:, 1] = u[:, 1], u[:, 0] + 0
    (u[0], v[0]), v[1] = (np.sin(u[0] + v[0]), np.cos(v[0] + u[0] * 2)), u[0] * 3


def views_of_each_other(u, v):
    u[0], u[1] = u[1], u[0]
    v[:, 0], v[:, 1] = v[:, 1], v[:, 0]


def in_a_parallel_loop(u, v):
    for i in cl.prange(2):
        u[i], v[i] = u[i] + v[i], v[i] - u[i] * 2


@pytest.mark.parametrize(
    "function",
    [
        two_rows,
        one_value_for_two_rows,
        a_row_and_a_name,
        whole_arrays,
        columns_with_a_copy,
        views_of_each_other,
        in_a_parallel_loop,
    ],
)
def test_right_sides_are_computed_before_any_target_changes(run_both, function):
    run_both(function, numbers((2, 3), "float64"), numbers((2, 3), "float64", seed=1))


def bumped(a):
    a[0] += 100.0
    return 1.0


def added(x, k):
    return x.sum() + k


def changed_by_an_argument(a):
    return added(a * 2, bumped(a)), added(k=bumped(a), x=a * 2), np.add(a * 2, bumped(a))


def changed_by_an_operand(a):
    return a * 2 + bumped(a), (a * 2, bumped(a), a * 3)


def changed_by_an_inner_function(a):
    def change():
        a[0] = 7
        return 1

    return a * 3 + change()


def changed_by_what_is_added(a):
    b = a * 2
    b += bumped(a)
    b *= a * bumped(a)
    b -= bumped(b)
    return b


def changed_elsewhere(a):
    compared = a * 2 > bumped(a)
    listed = [a * 2, a + bumped(a)][0]
    return compared, listed, (a * 2).dot(a.T + bumped(a)), added(*(a * 2, bumped(a)))


def changed_in_a_parallel_loop(a):
    out = np.zeros_like(a)
    for i in cl.prange(2):
        out[i] = a[i] * 2 + bumped(a[i])
    return out


@pytest.mark.parametrize(
    "function",
    [
        changed_by_an_argument,
        changed_by_an_operand,
        changed_by_an_inner_function,
        changed_by_what_is_added,
        changed_elsewhere,
        changed_in_a_parallel_loop,
    ],
)
def test_a_part_of_an_expression_does_not_change_the_parts_before_it(run_both, function):
    run_both(function, numbers((2, 3), "float64"))


def starred(a, words):
    low, *middle, high = sorted(a)
    first, *rest = [x * 2 for x in a]
    *start, last = words
    return low, middle, high, first, rest, start, last


def test_starred_targets_of_lists(run_both):
    run_both(starred, numbers(5, "float64").tolist(), ["x", "y", "z"])
    run_both.raises(ValueError, starred, [1.0], ["x"])


def test_a_starred_target_takes_the_rest_of_a_range(run_both):
    def starred(n):
        i, *j = range(3)
        *k, m = range(n)
        return i, j, k, m

    run_both(starred, 4)
    run_both(starred, 1)


def into_element(a, b):
    a[0] = b


def into_elements(a, b):
    for i in range(len(a)):
        a[i] = b


def into_part_without_axes(a, b):
    a[1, ...] = b


def into_flat(a, b):
    a.flat[1] = b


def onto_element(a, b):
    a[0] += b


def sequence_into_element(a):
    a[0] = [1, 2]


class TestSeveralItemsForOneElement:
    @pytest.mark.parametrize("program", [into_element, into_elements, into_part_without_axes, into_flat, onto_element])
    def test_are_refused(self, run_both, program):
        run_both.raises(ValueError, program, np.zeros(3), np.arange(1.0, 4))

    @pytest.mark.parametrize("value", [np.ones(1), np.ones((1, 1)), np.zeros(0), [1, 2], (1, 2)])
    def test_are_refused_whatever_they_are(self, run_both, value):
        run_both.raises(ValueError, into_element, np.zeros(3), value)

    def test_are_refused_where_they_are_written_down(self, run_both):
        run_both.raises(ValueError, sequence_into_element, np.zeros(3))
        run_both.raises(TypeError, into_element, np.zeros(3, "complex128"), np.ones(1))

    def test_that_is_a_truth_value(self, run_both):
        run_both(into_element, np.zeros(3, "bool"), np.ones(1))
        run_both.raises(ValueError, into_element, np.zeros(3, "bool"), np.ones(2))

    def test_arrays_without_axes_and_parts_of_one_item_are_taken(self, run_both):
        run_both(into_element, np.zeros(3), np.array(2.5))
        run_both(into_part_without_axes, np.zeros(3), np.ones((1, 1)))
