"""Ordinary loops: over ranges, arrays, several things at once; while; break, continue and else."""

import numpy as np
import pytest

from .samples import DTYPES, LAYOUTS, numbers


def counted(n):
    total = 0
    for i in range(n):
        total += i * i % 7
    return total


@pytest.mark.parametrize("n", (0, 1, 10, 100_000))
def test_a_scalar_loop(run_both, n):
    run_both(counted, n)


def over_range(start, stop, step):
    seen, last = 0, -99
    for i in range(start, stop, step):
        seen = seen * 10 + i % 10
        last = i
    return seen, last


@pytest.mark.parametrize(
    "bounds", [(0, 5, 1), (5, 0, -1), (0, 10, 3), (3, 3, 1), (5, 0, 1), (-3, 4, 2), (9, -2, -4)], ids=str
)
def test_ranges(run_both, bounds):
    run_both(over_range, *bounds)


def zero_step(n):
    total = 0
    for i in range(0, 5, n):
        total += i
    return total


def test_a_step_of_zero_is_an_error(run_both):
    run_both.raises(ValueError, zero_step, 0)


def variable_after(n):
    i = -1
    for i in range(n):
        pass
    return i


@pytest.mark.parametrize("n", (0, 1, 4))
def test_the_variable_after_the_loop(run_both, n):
    run_both(variable_after, n)


def variable_changed(n):
    turns = 0
    for i in range(n):
        turns += 1
        i += 100
    return turns, i


def test_changing_the_variable_does_not_change_the_loop(run_both):
    run_both(variable_changed, 3)


def elementwise(a, b):
    c = np.zeros_like(a)
    for i in range(a.shape[0]):
        c[i] = a[i] * b[i] + 1
    return c


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [dtype for dtype in DTYPES if dtype != "bool"])
def test_loops_over_positions(run_both, layout, dtype):
    run_both(elementwise, LAYOUTS[layout](numbers(9, dtype)), numbers(9, dtype, seed=1))


def nested(a):
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if i != j:
                total += a[i, j] * (i - j)
    return total


@pytest.mark.parametrize("layout", LAYOUTS)
def test_nested_loops(run_both, layout):
    run_both(nested, LAYOUTS[layout](numbers((4, 5), "float64")))


def triangular(a):
    out = np.zeros_like(a)
    for i in range(len(a)):
        for j in range(i):
            out[i] += a[j] * (i - j)
    return out


def test_inner_bounds_that_depend_on_the_outer_loop(run_both):
    run_both(triangular, numbers(8, "float64"))


def over_elements(a):
    total = 0.0
    for x in a:
        total = total * 0.5 + x
    return total


@pytest.mark.parametrize("layout", LAYOUTS)
def test_loops_over_elements(run_both, layout):
    run_both(over_elements, LAYOUTS[layout](numbers(7, "float64")))


def over_rows(a):
    total = 0.0
    for row in a:
        total = total * 0.5 + row.sum() - row[0]
        row[0] = 0
    return total


@pytest.mark.parametrize("layout", LAYOUTS)
def test_loops_over_rows_see_views(run_both, layout):
    run_both(over_rows, LAYOUTS[layout](numbers((4, 3), "float64")))


def over_flat(a):
    total = 0.0
    for x in a.flat:
        total = total * 0.5 + x
    for x in a.ravel():
        total += x * x
    return total


@pytest.mark.parametrize("layout", LAYOUTS)
def test_loops_over_all_elements(run_both, layout):
    run_both(over_flat, LAYOUTS[layout](numbers((3, 4), "float64")))


def over_indices(a):
    total = 0.0
    for i, j in np.ndindex(a.shape):
        total += a[i, j] * (i + 2 * j)
    for index, x in np.ndenumerate(a):
        total -= x * index[0]
    return total


def test_loops_over_indices(run_both):
    run_both(over_indices, numbers((3, 4), "float64"))


def enumerated(a):
    total = 0.0
    for i, x in enumerate(a):
        total += i * x
    for i, x in enumerate(a, 5):
        total -= i * x * x
    return total


def test_enumerate(run_both):
    run_both(enumerated, numbers(6, "float64"))


def zipped(a, b):
    total = 0.0
    for x, y in zip(a, b):
        total += x * y
    for i, (x, y) in enumerate(zip(a, b[1:])):
        total += i * (x - y)
    for x, y, i in zip(a, b, range(3)):
        total -= x * y * i
    return total


def test_zip_ends_with_the_shortest(run_both):
    run_both(zipped, numbers(6, "float64"), numbers(8, "float64", seed=1))


def backwards(a):
    total = 0.0
    for x in a[::-1]:
        total = total * 0.5 + x
    for i in reversed(range(len(a))):
        total = total * 0.5 + a[i]
    return total


def test_backwards(run_both):
    run_both(backwards, numbers(6, "float64"))


def halved(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


@pytest.mark.parametrize("n", (1, 7, 27))
def test_while(run_both, n):
    run_both(halved, n)


def converging(x):
    guess, turns = 1.0, 0
    while abs(guess * guess - x) > 1e-12 * x:
        guess = 0.5 * (guess + x / guess)
        turns += 1
    return guess, turns


def test_while_something_converges(run_both):
    run_both(converging, 17.0)


def first_negative(a):
    for i in range(len(a)):
        if a[i] < 0:
            break
    else:
        return -1
    return i


@pytest.mark.parametrize("values", ([1, 2, -3, 4], [1, 2, 3], [-1]), ids=str)
def test_break_and_else(run_both, values):
    run_both(first_negative, np.array(values))


def skipping(a):
    total = 0.0
    for x in a:
        if x < 0:
            continue
        if x > 2:
            break
        total += x
    return total


def test_continue(run_both):
    run_both(skipping, np.array([1.0, -5.0, 0.5, -1.0, 2.0, 7.0, 1.0]))


def leaving_two_loops(a, wanted):
    found = (-1, -1)
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] == wanted:
                found = (i, j)
                break
        if found[0] >= 0:
            break
    return found


@pytest.mark.parametrize("wanted", (7, 100))
def test_break_leaves_one_loop(run_both, wanted):
    run_both(leaving_two_loops, np.arange(12).reshape(3, 4), wanted)


def returning(a, wanted):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] == wanted:
                return i, j
    return None


@pytest.mark.parametrize("wanted", (7, 100))
def test_return_leaves_all_loops_with_or_without_a_value(run_both, wanted):
    run_both(returning, np.arange(12).reshape(3, 4), wanted)


def while_true(n):
    i = 0
    while True:
        i += 1
        if i * i >= n:
            return i


def test_while_true(run_both):
    run_both(while_true, 50)


def recurrence(a):
    for i in range(1, len(a)):
        a[i] += 0.5 * a[i - 1]
    return a


@pytest.mark.parametrize("layout", LAYOUTS)
def test_loops_whose_turns_depend_on_each_other(run_both, layout):
    run_both(recurrence, LAYOUTS[layout](numbers(50, "float64")))


def prefix(a):
    out = np.empty_like(a)
    total = a.dtype.type(0)
    for i in range(a.size):
        total += a[i]
        out[i] = total
    return out


@pytest.mark.parametrize("dtype", ("int32", "int64", "float64"))
def test_running_sums_by_loops(run_both, dtype):
    run_both(prefix, numbers(40, dtype))


def in_place_reversal(a):
    n = len(a)
    for i in range(n // 2):
        a[i], a[n - 1 - i] = a[n - 1 - i], a[i]


def test_elements_swapped_in_a_loop(run_both):
    run_both(in_place_reversal, np.arange(7))


def gathers(a, where):
    out = np.zeros(len(where))
    for i in range(len(where)):
        out[i] = a[where[i]]
        a[where[i]] = 0
    return out


def test_loops_that_write_where_they_may_read_again(run_both):
    run_both(gathers, numbers(6, "float64"), np.array([3, 3, 0, 5, 0]))


def counts(values, n):
    out = np.zeros(n, np.int64)
    for v in values:
        out[v] += 1
    return out


def test_histograms_by_loops(run_both):
    run_both(counts, np.array([0, 1, 1, 4, 1, 0]), 5)


def expressions_in_loops(a, n):
    for _ in range(n):
        a = a * 0.5 + np.roll(a, 1) * 0.25
        a -= a.mean()
    return a


def test_array_expressions_in_loops(run_both):
    run_both(expressions_in_loops, numbers(16, "float64"), 5)


def relaxation(a, turns):
    b = a.copy()
    for _ in range(turns):
        b[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
        a, b = b, a
    return a


@pytest.mark.parametrize("turns", (0, 1, 4))
def test_two_arrays_that_take_turns(run_both, turns):
    run_both(relaxation, numbers((7, 8), "float64"), turns)


def growing(n):
    a = np.zeros(1)
    for i in range(n):
        a = np.append(a, a[-1] + i)
    return a


def test_arrays_that_grow_in_a_loop(run_both):
    run_both(growing, 6)


def mixed_types(n):
    x = 0
    for i in range(n):
        x = x + i * 0.5
    return x


@pytest.mark.parametrize("n", (1, 4))
def test_a_variable_that_becomes_a_float(run_both, n):
    run_both(mixed_types, n)


def small_integers(a):
    total = a[0]
    for i in range(1, len(a)):
        total = total + a[i]
    return int(total)


@pytest.mark.parametrize("dtype", ("int8", "uint8", "int16"))
def test_numpys_integers_wrap_in_loops(run_both, dtype):
    run_both(small_integers, np.full(100, 101, dtype))


def first_turn_sets(a):
    for i in range(len(a)):
        if i == 0:
            total = a[i] * 1
        else:
            total = total + a[i]
    return total


def later_turns_read(a):
    count = 0
    for row in a:
        if count > 0:
            best = max(best, row)
        else:
            best = row
        count += 1
    return best, count


def set_in_an_inner_loop(a, n):
    for _ in range(1, n):
        for i in range(n):
            if i == 0:
                held = a
            elif i < n - 1:
                held = held + a
    return held


def read_before(n):
    for i in range(n):
        if i == n - 1:
            return last
        if i > 5:
            last = i * 2  # noqa: F841 - the turn after this one reads it


def array_of_the_turn_before(a):
    total = 0.0
    for i in range(3):
        if i > 0:
            total += held.sum()
        held = a * i  # noqa: F841 - the turn after this one reads it
    turns = 0
    while turns == 0 or left[0] > 0:
        left = a[:2] - turns * 2
        turns += 1
    return total, left, turns


def in_an_inner_loop(n):
    total = 0
    for i in range(n):
        for _ in range(2):
            if i > 0:
                total += before
        if i > 0:
            total += sum([before * k for k in range(3)])
        before = i  # noqa: F841 - the turn after this one reads it
    return total


def tuple_of_the_turn_before(n):
    for i in range(n):
        if i == 0:
            pair = (1, 2)
        else:
            pair = (pair[1] + 1, pair[0])
    return pair


@pytest.mark.parametrize("dtype", ("int64", "float32"))
def test_a_turn_reads_what_an_earlier_one_set_first(run_both, dtype):
    run_both(first_turn_sets, numbers(6, dtype))
    run_both(first_turn_sets, numbers((4, 3), dtype))
    run_both(later_turns_read, numbers(6, dtype))
    run_both(set_in_an_inner_loop, numbers((2, 2), dtype), 5)
    run_both(read_before, 9)
    run_both(array_of_the_turn_before, numbers(5, dtype))
    run_both(in_an_inner_loop, 4)
    run_both(tuple_of_the_turn_before, 5)


def test_what_no_turn_has_set_raises(run_both):
    run_both.raises(UnboundLocalError, read_before, 3)
    run_both.raises(UnboundLocalError, first_turn_sets, numbers(0, "float64"))


def test_a_loop_without_turns_may_be_about_other_types(run_both):
    def unreached(x):
        while False:
            x.nothing()
        while isinstance(x, str):
            x = x.upper()
            break
        else:
            x = x + 1
        return x

    run_both(unreached, 3)
