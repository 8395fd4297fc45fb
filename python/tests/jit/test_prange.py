"""Parallel loops: what is private, what is reduced, what would race, what is raised."""

import numpy as np
import pytest

import colocate as cl

from .samples import LAYOUTS, numbers


def elementwise(a, b):
    out = np.empty_like(a)
    for i in cl.prange(a.shape[0]):
        out[i] = a[i] * 2 + b[i]
    return out


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("int32", "float32", "float64", "complex128"))
def test_independent_turns(run_both, layout, dtype):
    run_both(elementwise, LAYOUTS[layout](numbers(50, dtype)), numbers(50, dtype, seed=1))


@pytest.mark.parametrize("n", (0, 1, 2, 63, 1000, 100_003))
def test_lengths(run_both, n):
    run_both(elementwise, numbers(n, "float64"), numbers(n, "float64", seed=1))


def bounds(n, start, step):
    out = np.zeros(n, np.int64)
    for i in cl.prange(start, n, step):
        out[i] = i + 1
    return out


@pytest.mark.parametrize("range_", [(0, 1), (3, 1), (2, 3), (15, 1), (20, 1)], ids=str)
def test_ranges_with_start_and_step(run_both, range_):
    run_both(bounds, 16, *range_)


def total(a):
    result = 0.0
    for i in cl.prange(len(a)):
        result += a[i] * a[i]
    return result


@pytest.mark.parametrize("n", (0, 1, 100, 200_001))
def test_sums(run_both, n):
    run_both(total, numbers(n, "float64"))


def total_from_zero(a):
    result = 0
    for i in cl.prange(len(a)):
        result += a[i]
    return result


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("dtype", ("uint8", "int8", "int32", "int64", "float32", "float64"))
def test_sums_have_the_type_of_what_is_added(run_both, dtype):
    a = numbers(100, dtype)
    run_both(total_from_zero, a)
    run_both(total, a)
    assert type(cl.jit(total_from_zero)(a)) is type(total_from_zero(a))
    assert cl.jit(total_from_zero)(a[:0]) == 0


def product(a):
    result = 1.0
    for i in cl.prange(len(a)):
        result *= 1 + a[i] * 1e-3
    return result


def test_products(run_both):
    run_both(product, numbers(500, "float64"))


def extremes(a):
    low, high = np.inf, -np.inf
    for i in cl.prange(len(a)):
        low = min(low, a[i])
        high = max(high, a[i])
    return low, high


def test_extremes_by_functions(run_both):
    run_both(extremes, numbers(1000, "float64"))


def extremes_by_conditions(a):
    low, high = a[0], a[0]
    for i in cl.prange(len(a)):
        if a[i] < low:
            low = a[i]
        if a[i] > high:
            high = a[i]
    return low, high


@pytest.mark.parametrize("dtype", ("int32", "float64"))
def test_extremes_by_conditions(run_both, dtype):
    run_both(extremes_by_conditions, numbers(1000, dtype))


def bits(a):
    both, either, parity = -1, 0, 0
    for i in cl.prange(len(a)):
        both &= a[i]
        either |= a[i]
        parity ^= a[i]
    return both, either, parity


def test_bits(run_both):
    run_both(bits, numbers(300, "int64"))


def several(a):
    count, s, largest = 0, 0.0, -1e30
    for i in cl.prange(len(a)):
        if a[i] > 0:
            count += 1
            s += a[i]
        largest = max(largest, a[i])
    return count, s, largest


def test_several_reductions_in_one_loop(run_both):
    run_both(several, numbers(5000, "float64"))


@pytest.mark.parametrize("dtype", ("int8", "uint8", "int16", "float32"))
def test_reductions_of_narrow_types(run_both, dtype):
    def sum_of(a):
        result = 0
        for i in cl.prange(len(a)):
            result += a[i]
        return result

    run_both(sum_of, np.ones(100, dtype))


def differences(a):
    result = 100.0
    for i in cl.prange(len(a)):
        result -= a[i]
    return result


def test_subtraction_is_a_sum_too(run_both):
    run_both(differences, numbers(100, "float64"))


def rows(a):
    result = np.zeros(a.shape[1])
    for i in cl.prange(a.shape[0]):
        result += a[i]
    return result


def test_sums_of_arrays(run_both):
    run_both(rows, numbers((300, 7), "float64"))


def sums_in_places(a, groups, n):
    result = np.zeros(n)
    for i in cl.prange(len(a)):
        result[groups[i]] += a[i]
    return result


def test_elements_added_to_where_another_array_says(run_both):
    run_both(sums_in_places, numbers(10_000, "float64"), np.arange(10_000) * 7919 % 13, 13)


def histogram(b, n):
    hist = np.zeros(n, np.int64)
    for i in cl.prange(len(b)):
        hist[b[i]] += 1
    return hist


@pytest.mark.parametrize("bins", (1, 4, 1000))
def test_histograms_are_right_however_often_they_run(run_both, bins):
    b = np.arange(20_000) * 104_729 % bins
    for _ in range(5):
        run_both(histogram, b, bins)


def histogram_of_argument(hist, b):
    for i in cl.prange(len(b)):
        hist[b[i]] += 1.0


@pytest.mark.parametrize("dtype", ("int32", "int64", "float32", "float64"))
def test_histograms_into_an_argument(run_both, dtype):
    run_both(histogram_of_argument, np.ones(3, dtype), np.arange(3000) % 3)


def largest_in_places(a, groups, n):
    result = np.full(n, -1e30)
    for i in cl.prange(len(a)):
        result[groups[i]] = max(result[groups[i]], a[i])
    return result


def test_extremes_in_places_are_right_or_refused(run_both):
    try:
        run_both(largest_in_places, numbers(5000, "float64"), np.arange(5000) % 7, 7)
    except cl.CompileError as error:
        assert "result" in str(error)


def depends_on_the_one_before(a):
    for i in cl.prange(1, len(a)):
        a[i] = a[i - 1] + 1


def test_turns_that_depend_on_each_other_are_right_or_refused(run_both):
    try:
        run_both(depends_on_the_one_before, np.zeros(10_000))
    except cl.CompileError as error:
        assert "prange" in str(error) or "a[i" in str(error)


def last_one_wins(a):
    last = 0.0
    for i in cl.prange(len(a)):
        last = a[i]
    return last


def test_a_value_carried_out_is_the_last_one_or_refused(run_both):
    try:
        run_both(last_one_wins, numbers(5000, "float64"))
    except cl.CompileError as error:
        assert "last" in str(error)


def private(a):
    out = np.zeros_like(a)
    for i in cl.prange(len(a)):
        t = a[i]
        for _ in range(3):
            t = t * 0.5 + 1
        if t > 1:
            u = t - 1
        else:
            u = 1 - t
        out[i] = t * u
    return out


def test_variables_set_inside_are_private(run_both):
    run_both(private, numbers(2000, "float64"))


def nested(a, b):
    n, m, k = a.shape[0], b.shape[1], a.shape[1]
    out = np.zeros((n, m))
    for i in cl.prange(n):
        for j in range(m):
            t = 0.0
            for p in range(k):
                t += a[i, p] * b[p, j]
            out[i, j] = t
    return out


@pytest.mark.parametrize("layout", LAYOUTS)
def test_loops_inside(run_both, layout):
    run_both(nested, LAYOUTS[layout](numbers((17, 9), "float64")), numbers((9, 11), "float64", seed=1))


def nested_prange(a):
    out = np.zeros_like(a)
    for i in cl.prange(a.shape[0]):
        for j in cl.prange(a.shape[1]):
            out[i, j] = a[i, j] * (i + j)
    return out


def test_parallel_loops_inside_parallel_loops(run_both):
    run_both(nested_prange, numbers((20, 30), "float64"))


def inner_total(a):
    out = np.zeros(a.shape[0])
    for i in cl.prange(a.shape[0]):
        t = 0.0
        for j in cl.prange(a.shape[1]):
            t += a[i, j]
        out[i] = t
    return out


def test_reductions_of_the_inner_loop(run_both):
    run_both(inner_total, numbers((20, 30), "float64"))


def whole_rows(a):
    out = np.zeros_like(a)
    for i in cl.prange(a.shape[0]):
        out[i] = a[i] / a[i].sum() + a[i, ::-1]
    return out


def test_array_expressions_inside(run_both):
    run_both(whole_rows, np.abs(numbers((20, 6), "float64")))


def private_arrays(a):
    out = np.zeros(len(a))
    for i in cl.prange(len(a)):
        t = np.zeros(3)
        for j in range(3):
            t[j] = a[i] * (j + 1)
        out[i] = t[0] + t[1] * t[2]
    return out


def test_arrays_made_inside_are_private(run_both):
    run_both(private_arrays, numbers(1000, "float64"))


def two_loops(a):
    b = np.empty_like(a)
    for i in cl.prange(len(a)):
        b[i] = a[i] * 2
    s = 0.0
    for i in cl.prange(len(b)):
        s += b[len(b) - 1 - i] * i
    return s


def test_a_loop_sees_what_the_one_before_wrote(run_both):
    run_both(two_loops, numbers(3000, "float64"))


def inside_a_loop(a, turns):
    for _ in range(turns):
        b = a.copy()
        for i in cl.prange(1, len(a) - 1):
            a[i] = 0.5 * (b[i - 1] + b[i + 1])
    return a


def test_parallel_loops_inside_ordinary_ones(run_both):
    run_both(inside_a_loop, numbers(300, "float64"), 5)


def helper(x, y):
    return x * x + y


def calls(a):
    out = np.empty_like(a)
    for i in cl.prange(len(a)):
        out[i] = helper(a[i], 1.0) if a[i] > 0 else helper(1.0, a[i])
    return out


def test_functions_called_inside(run_both):
    run_both(calls, numbers(500, "float64"))


def skips(a):
    s = 0.0
    for i in cl.prange(len(a)):
        if a[i] < 0:
            continue
        s += a[i]
    return s


def test_continue_inside(run_both):
    run_both(skips, numbers(500, "float64"))


def raising(a):
    s = 0.0
    for i in cl.prange(len(a)):
        if a[i] > 100:
            raise ValueError("too large")
        s += a[i]
    return s


def test_exceptions_raised_inside_arrive(run_both):
    a = numbers(1000, "float64")
    run_both(raising, a)
    a[577] = 1000
    _, raised = run_both.raises(ValueError, raising, a)
    assert "too large" in str(raised)


def asserting(a):
    for i in cl.prange(len(a)):
        assert a[i] < 100, "out of bounds"
        a[i] = 0


def test_assertions_inside_arrive(run_both):
    a = numbers(1000, "float64")
    a[-1] = 1000
    _, raised = run_both.raises(AssertionError, asserting, a)
    assert "out of bounds" in str(raised)


def outside(a, where):
    out = np.zeros(len(where))
    for i in cl.prange(len(where)):
        out[i] = a[where[i]]
    return out


def test_positions_outside_of_an_array_are_errors(run_both):
    where = np.arange(100) % 10
    run_both(outside, numbers(10, "float64"), where)
    where[50] = 10
    run_both.raises(IndexError, outside, numbers(10, "float64"), where)


def by_zero(a, b):
    out = np.zeros(len(a), np.int64)
    for i in cl.prange(len(a)):
        out[i] = int(a[i]) // int(b[i])
    return out


def test_division_by_zero_inside_is_an_error(run_both):
    b = np.ones(100, np.int64)
    run_both(by_zero, np.arange(100), b)
    b[40] = 0
    run_both.raises(ZeroDivisionError, by_zero, np.arange(100), b)


def monte_carlo(n):
    inside = 0
    for i in cl.prange(n):
        x = (i * 0.754877666) % 1.0
        y = (i * 0.569840296) % 1.0
        if x * x + y * y <= 1.0:
            inside += 1
    return 4.0 * inside / n


def test_a_loop_without_arrays(run_both):
    run_both(monte_carlo, 100_000)


def mean_and_variance(a):
    s = 0.0
    for i in cl.prange(len(a)):
        s += a[i]
    mean = s / len(a)
    v = 0.0
    for i in cl.prange(len(a)):
        v += (a[i] - mean) ** 2
    return mean, v / len(a)


def test_a_reduction_used_in_the_next_loop(run_both):
    run_both(mean_and_variance, numbers(10_000, "float64"))


def test_variables_around_an_attempt_keep_their_values(run_both):
    def nearest(points, found, centres, n, k):
        for i in cl.prange(n):
            best = -1
            for j in range(k):
                distance = abs(points[i] - centres[j])
                if best > distance or best == -1:
                    best = distance
                    found[i] = j
        return found

    def sums(points, found, total, count, n, k):
        for i in cl.prange(k):
            total[i] = 0
            count[i] = 0
        for i in range(n):
            total[found[i]] += points[i]
            count[found[i]] += 1
        return total, count

    def update(centres, total, count, k):
        for i in cl.prange(k):
            if count[i] != 0 and total[i] / count[i] >= 0:
                centres[i] = total[i] / count[i]

    def steps(points, found, centres, count, turns):
        n = points.shape[0]
        k = centres.shape[0]
        total = np.zeros_like(centres)
        for _ in range(turns):
            nearest(points, found, centres, n, k)
            sums(points, found, total, count, n, k)
            update(centres, total, count, k)
        return centres

    def program(points, found, centres, count, turns):
        steps(points, found, centres, count, turns)
        return count

    points = np.random.default_rng(3).random(100)
    run_both(program, points, np.zeros(100, dtype=int), points[:7].copy(), np.zeros(7, dtype=int), 3)


def used_after_its_source_changed(a, w):
    for i in cl.prange(a.shape[0]):
        x = a[i] * 2.0
        a[i, 0] = 7.0
        w[i, 0] = x[0]
    return a, w


def used_in_a_loop_that_changes_its_source(a, w):
    for i in cl.prange(a.shape[0]):
        x = a[i] * 2.0
        for j in range(a.shape[1]):
            a[i, j] = j
            w[i, j] = x[j]
    return a, w


def filled(a, w):
    for i in cl.prange(a.shape[0]):
        x = a[i] * 2.0
        x.fill(3.0)
        w[i, 0] = x[0]
    return w


def put_out(a, w):
    for i in cl.prange(a.shape[0]):
        x = a[i] * 2.0
        np.add(x, 1.0, out=x)
        w[i, 0] = x[0]
    return w


def put_out_by_position(a, w):
    for i in cl.prange(a.shape[0]):
        x = a[i] * 2.0
        np.abs(x, x)
        w[i, 0] = x[0]
    return w


def changed_in_part(a, w):
    for i in cl.prange(a.shape[0]):
        x = a[i] * 2.0
        y = x[:2]
        y += 1.0
        w[i, 0] = x[0]
    return w


def changed_as_a_whole(a, w):
    for i in cl.prange(a.shape[0]):
        x = a[i] * 2.0
        y = x[:2]
        x += 1.0
        w[i, 0] = y[0]
    return w


def scaled_rows(a, w):
    for i in cl.prange(a.shape[0]):
        x = a[i] / a[i].sum()
        w[i] = x
        a[i] = x
    return a, w


@pytest.mark.parametrize(
    "program",
    [
        used_after_its_source_changed,
        used_in_a_loop_that_changes_its_source,
        filled,
        put_out,
        put_out_by_position,
        changed_in_part,
        changed_as_a_whole,
        scaled_rows,
    ],
)
def test_array_expressions_are_of_their_time(run_both, program):
    run_both(program, numbers((20, 9), "float64"), np.zeros((20, 9)))


def uses_of_lists(items, a):
    found = np.zeros((6, 2))
    for i in cl.prange(2):
        found[0, i] = len(items)
        found[1, i] = sum(items)
        found[2, i] = max(items)
        found[3, i] = 2.0 in items
        found[4, i] = np.sum(items)
        found[5, i] = np.asarray(items)[i] * a[i]
    return found


def lengths_of_lists(items):
    found = np.zeros(3)
    for i in cl.prange(3):
        found[i] = len(items) * i
    return found


def test_loops_that_use_lists_run_on_the_host(run_both):
    run_both(uses_of_lists, [1.0, 2.0], np.ones(2))
    run_both(lengths_of_lists, [1.0, 2.0])
