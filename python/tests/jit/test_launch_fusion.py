"""What goes over one index space is one region, whatever becomes of its results in between."""

import linecache
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import colocate as cl

from .samples import numbers

EXAMPLES = int(os.environ.get("COLOCATE_RANDOM_PROGRAMS", "120"))


def regions(function, *arguments):
    plan = cl.jit(function).explain_dict(*arguments)
    return [one["what"] for one in plan["regions"]]


def statistics(a):
    low = a.min()
    high = a.max()
    mean = a.mean()
    square = np.sum(a * a)
    if high == low:
        return low, high, mean, 0.0
    return low, high, mean, square / a.size - mean * mean


def several_arrays(a, b):
    first = a.sum()
    other = b.sum()
    second = (a * 2).max()
    last = b.min()
    return first + other, second * last


def one_needs_the_other(a):
    mean = a.sum() / a.size
    spread = np.sum((a - mean) ** 2)
    return mean, spread, a.max()


def changed_in_between(a):
    before = a.sum()
    a[0] = 100.0
    after = a.sum()
    return before, after


def changed_through_a_view(a):
    b = a[1:]
    before = a.sum()
    b += 1
    after = a.sum()
    return before, after


def printed_in_between(a):
    first = a.sum()
    print(first)
    return first, a.max()


def in_a_loop(a, n):
    total = 0.0
    for i in range(n):
        total += a.sum() * i
        total -= a.max()
    return total


def in_branches(a, flag):
    s = a.sum()
    if flag:
        s = a.max() + a.min()
    return s, a.min()


def variables_used_again(a):
    s = a.sum()
    t = s
    s = a.max()
    t += s
    s = a.min()
    return s, t


def truths(a):
    return np.any(a > 0), np.all(a > -10), np.count_nonzero(a > 0.5), np.sum(a[a > 0])


def parallel_loops(a):
    s, m = 0.0, -1e300
    for i in cl.prange(len(a)):
        s += a[i]
    for i in cl.prange(len(a)):
        m = max(m, a[i])
    return s, m


def stored_and_reduced(a):
    b = a * 0.5 + 1
    largest = np.max(np.abs(b - a))
    return b, largest


def assigned_and_reduced(a):
    a[:] = a * 0.5 + 1
    return a.sum(), a.max()


def a_chain_of_assignments(a):
    b = np.zeros_like(a)
    c = np.ones_like(a)
    b[:] = a + 1
    c += b * 2
    b *= c
    return b, c, c.sum()


def neighbours_are_looked_at(a):
    b = np.zeros_like(a)
    b[:] = a * 2
    total = np.sum(b[1:] - b[:-1])
    b[1:] = b[:-1] + 1
    return b, total, b.sum()


def turned_around(a):
    b = np.zeros_like(a)
    b[:] = a
    c = b[::-1] + b
    b[:] = c
    return b, c, b.sum()


def a_view_of_it_is_read(a):
    b = np.zeros_like(a)
    c = b[:]
    b[:] = a + 1
    d = c * 2
    b[:] = d + c
    return b, c.sum(), d.sum()


def bound_to_another(a):
    b = np.zeros_like(a)
    for i in range(3):
        c = np.empty_like(a)
        c[:] = b + a
        s = c.sum()
        b = c
    return b, s


def swapped(a):
    b = a * 2
    c = np.zeros_like(a)
    for i in range(3):
        c[:] = b * 0.5 + a
        s = np.max(np.abs(c - b))
        b, c = c, b
    return b, c, s


PROGRAMS = [
    stored_and_reduced,
    assigned_and_reduced,
    a_chain_of_assignments,
    neighbours_are_looked_at,
    turned_around,
    a_view_of_it_is_read,
    bound_to_another,
    swapped,
    statistics,
    one_needs_the_other,
    changed_in_between,
    changed_through_a_view,
    printed_in_between,
    variables_used_again,
    truths,
    parallel_loops,
]


@pytest.mark.parametrize("n", (1, 5, 1000, 200_003))
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_results_are_those_of_one_after_the_other(run_both, program, n):
    run_both(program, numbers(n, "float64"))


@pytest.mark.parametrize("dtype", ("int32", "uint8", "float32", "complex64"))
def test_dtypes(run_both, dtype):
    a = numbers(100, dtype)
    run_both(variables_used_again if dtype != "complex64" else several_sums, a)


def several_sums(a):
    return a.sum(), (a * a).sum(), np.mean(a)


def test_planes(run_both):
    run_both(several_arrays, numbers((7, 9), "float64"), numbers((3, 4), "float64"))
    run_both(statistics, numbers((7, 9), "float64").T)
    run_both(in_branches, numbers(50, "float64"), True)
    run_both(in_branches, numbers(50, "float64"), False)
    run_both(in_a_loop, numbers(50, "float64"), 4)


def test_an_empty_array_is_said_to_be_one(run_both):
    run_both.raises(ValueError, statistics, np.empty(0))


def test_one_pass():
    assert regions(statistics, numbers(50, "float64")) == ["minimum, maximum, sum, sum"]
    assert regions(several_arrays, numbers(50, "float64"), numbers(9, "float64")) == ["sum, maximum", "sum, minimum"]
    assert regions(parallel_loops, numbers(50, "float64")) == ["prange loop"]


def test_arrays_are_written_and_reduced_in_one_pass():
    a = numbers(50, "float64")
    assert regions(stored_and_reduced, a) == ["maximum, array expression"]
    assert regions(assigned_and_reduced, a) == ["array assignment, sum, maximum"]
    assert regions(a_chain_of_assignments, a) == ["array assignment, sum"]
    assert regions(relaxed, numbers((9, 8), "float64"), numbers((9, 8), "float64")) == ["maximum, array expression"]
    assert regions(products, a, a + 1) == ["sum, maximum, minimum"]


def relaxed(u, f):
    new = (u + f) * 0.5
    change = np.max(np.abs(new - u))
    return new, change


def products(a, b):
    return np.sum(a * b), np.max(a), (a + b).min()


@pytest.mark.parametrize(
    "shapes", (((7,), (7,)), ((1,), (7,)), ((7,), (1,)), ((3, 1), (1, 4)), ((3, 4), (4,))), ids=str
)
def test_shapes_that_are_known_only_when_it_runs(run_both, shapes):
    a, b = (numbers(shape, "float64") for shape in shapes)
    run_both(relaxed, a, b)
    run_both(products, a, b)
    compiled = cl.jit(relaxed)
    for u, f in ((a, b), (b, a), (a, a)):
        new, change = compiled(u, f)
        np.testing.assert_array_equal(new, relaxed(u, f)[0])
        assert change == relaxed(u, f)[1]


def raises_in_between(a, b):
    a[:] = a + 1
    if b.size == 3:
        raise ValueError("three")
    return a.sum(), b.sum()


def test_what_was_written_before_an_exception_is_seen(run_both):
    run_both.raises(ValueError, raises_in_between, numbers(5, "float64"), numbers(3, "float64"))
    run_both(raises_in_between, numbers(5, "float64"), numbers(5, "float64"))
    a = numbers(0, "float64")
    run_both.raises(ValueError, assigned_and_reduced, a)
    compiled = cl.jit(no_maximum)
    a, b = np.zeros(4), np.zeros(0)
    with pytest.raises(ValueError, match="zero-size"):
        compiled(a, b)
    np.testing.assert_array_equal(a, np.ones(4))


def an_expression_in_a_branch(a, n):
    a += 1
    if n > 0:
        n * 2 + 1
    else:
        n - 3
    a *= 2


def one_branch_raises(a, n):
    a += 1
    if n > 5:
        raise ValueError("much")
    else:
        n * 2 + 1
    s = a.sum()
    a *= 2
    return s


def an_array_in_between(a, n):
    a += 1
    b = np.zeros(n)
    a *= 2
    return b.sum()


@pytest.mark.parametrize("n", (0, 3))
def test_branches_without_effect_in_between(run_both, n):
    run_both(an_expression_in_a_branch, numbers(9, "float64"), n)
    run_both(one_branch_raises, numbers(9, "float64"), n)
    run_both(an_array_in_between, numbers(9, "float64"), n)


def test_what_was_written_before_memory_is_short_is_seen(run_both):
    run_both.raises(ValueError, one_branch_raises, numbers(9, "float64"), 6)
    for function, n, error in ((an_array_in_between, -1, ValueError), (one_branch_raises, 6, ValueError)):
        a = np.arange(4.0)
        with pytest.raises(error):
            cl.jit(function)(a, n)
        np.testing.assert_array_equal(a, np.arange(1.0, 5.0))


def no_maximum(a, b):
    a[:] = a + 1
    return b.max() + a.max()


@pytest.mark.parametrize("offset", (0, 1, 4, 10))
def test_arguments_that_overlap(run_both, offset):
    memory = numbers(20, "float64")
    run_both(both_written, memory[:10], memory[offset : offset + 10])
    run_both(both_written, memory[:10], memory[offset : offset + 10][::-1])


def both_written(a, b):
    a[:] = b * 2
    s = (a + b).sum()
    b[:] = a + b
    t = (a * b).max()
    a += b
    return s, t, a.sum() + b.sum()


def test_nothing_else_runs():
    plan = cl.jit(products).explain_dict(numbers(9, "float64"), numbers(9, "float64"))
    assert [one["region"] for one in plan["launches"]] == [0] and len(plan["regions"]) == 1
    plan = cl.jit(products).explain_dict(numbers(9, "float64"), numbers(1, "float64"))
    assert all(plan["regions"][one["region"]]["launches"] for one in plan["launches"])


STATEMENTS = (
    "{x}[:] = {y} * 0.5 + {z}",
    "{x} += {y}",
    "{x}[1:] = {y}[:-1] - {z}[1:]",
    "{x}[::-1] = {y} + 1",
    "{x} = {y} - {z}",
    "{x} = {y}[:] ",
    "{x} = {y}.copy()",
    "{x} = np.abs({y}) + {z}[::-1]",
    "s += np.sum({y} - {z})",
    "s += np.max({y}) * 0.25",
    "s = np.sum({x} * 0.1) + np.min({y})",
    "{x}[2] = s * 0.01",
    "if s > 0:\n        {x} = {y} * 0.25",
    "for i in range(2):\n        {x} = {y} + {z} * 0.5\n        s += {x}.max()",
    "if np.sum({y}) < -1e9:\n        raise ValueError('small')",
)


@st.composite
def programs(draw):
    """The source of a function of three arrays, which may be parts of one memory."""
    name = st.sampled_from("abc")
    lines = []
    for _ in range(draw(st.integers(2, 7))):
        lines.append(draw(st.sampled_from(STATEMENTS)).format(x=draw(name), y=draw(name), z=draw(name)))
    body = "\n    ".join(lines)
    return f"def program(a, b, c):\n    s = 0.0\n    {body}\n    return a, b, c, s\n"


@given(source=programs(), offsets=st.tuples(*[st.sampled_from((0, 1, 2, 8, 16))] * 2))
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_random_programs(run_both, source, offsets):
    file = f"<fusion {hash(source)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    space = {"np": np}
    exec(compile(source, file, "exec"), space)
    memory = numbers(40, "float64")
    arrays = [memory[offset : offset + 8] for offset in (0, *offsets)]
    try:
        run_both(space["program"], *arrays)
    finally:
        del linecache.cache[file]


def test_passes_that_are_needed():
    assert regions(one_needs_the_other, numbers(50, "float64")) == ["sum", "sum, maximum"]
    assert len(regions(changed_in_between, numbers(50, "float64"))) == 2
    assert len(regions(printed_in_between, numbers(50, "float64"))) == 2


def each_line_reduces_the_one_before(x):
    x = np.sqrt(np.abs(x) + 1.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 2.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 3.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 4.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 5.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 6.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 7.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 8.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 9.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 10.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 11.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 12.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 13.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 14.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 15.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 16.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 17.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 18.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 19.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 20.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 21.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 22.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 23.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    x = np.sqrt(np.abs(x) + 24.5) * 0.5 + x * 0.25 - x.mean() * 0.1
    return x


def test_what_takes_many_steps_is_not_computed_again_for_every_reduction(run_both):
    x = np.linspace(0, 1, 1000)
    run_both(each_line_reduces_the_one_before, x)
    regions = cl.jit(each_line_reduces_the_one_before).explain_dict(x)["regions"]
    assert max(len(region["lines"]) for region in regions) < 12
