"""Generator expressions inside jit functions: their items are computed while they are gone over."""

import itertools

import numpy as np
import pytest

import colocate as cl

from .samples import numbers


def loop_that_changes_what_it_reads(a):
    total = 0.0
    for y in (x * 2 for x in a if x > 1):
        a[3] = 50.0
        if y > 120:
            break
        total += y
    else:
        total = -total
    return total


def several_sources(n):
    total = 0
    for i, j in ((i, j) for i in range(n) for j in range(i) if i % 2):
        total += i * j
    return total


def several_sources_left_early(n):
    total = 0
    for i, j in ((i, j) for i in range(n) for j in range(i)):
        if i * j > 6:
            break
        total += i + j
    return total


def without_end(n):
    total = 0
    for x in (i * i for i in itertools.count()):
        if x > n:
            break
        total += x
    return total


def own_variables(n):
    x = 7
    found = []
    for y in (x + 1 for x in range(n)):
        found.append(y)
    return found, x


def factor_changes(n):
    factor = 2
    items = (i * factor for i in range(n))
    factor = 10
    return sum(items)


def operand_changes(a):
    items = (x + 1 for x in a)
    a[0] = 100.0
    found = []
    for y in items:
        found.append(y)
    return found


def list_grows(n):
    values = [1, 2, 3]
    items = (x * n for x in values)
    values.append(7)
    return list(items)


def array_is_replaced(a):
    b = a * 2
    items = (x + b[0] for x in a)
    b = b + 1
    return max(items)


def several_levels(values):
    total = 0
    for x in (p for p in (q * 2 for q in (r + 1 for r in values))):
        values[-1] = 100
        total += x
    return total


def own_names_of_lambdas(values):
    found = []
    for x in ((lambda y: y + 1)(y * 10) for y in values):
        found.append(x)
    return found


def fails_where_it_is_read(values):
    items = (10 // y for y in values)
    try:
        return sum(items)
    except ZeroDivisionError:
        return -5


def nobody_reads_it(values):
    items = (10 // y for y in values)  # noqa: F841
    return 3


def result_goes_into_the_operand(x):
    items = (v * x[0] for v in x)
    np.multiply(x, 2.0, x)
    return sum(items)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (several_levels, ([1, 2, 3],)),
        (own_names_of_lambdas, ([1, 2, 3],)),
        (fails_where_it_is_read, ([1, 0],)),
        (fails_where_it_is_read, ([1, 2],)),
        (nobody_reads_it, ([1, 0],)),
        (result_goes_into_the_operand, (np.arange(3.0) + 1,)),
        (loop_that_changes_what_it_reads, (np.arange(8.0),)),
        (loop_that_changes_what_it_reads, (np.arange(4.0),)),
        (several_sources, (6,)),
        (several_sources_left_early, (6,)),
        (without_end, (50,)),
        (own_variables, (3,)),
        (factor_changes, (5,)),
        (operand_changes, (np.arange(4.0),)),
        (list_grows, (2,)),
        (array_is_replaced, (numbers(5, "float64"),)),
    ],
)
def test_items_are_computed_when_they_are_wanted(run_both, function, arguments):
    run_both(function, *arguments)


def first_large(a):
    return next(i for i in range(len(a)) if a[i] > 2)


def first_or_none(a):
    return next((i for i in range(len(a)) if a[i] > 2), None)


def first_word(text):
    return next(word for word in text.split() if len(word) > 3)


def position(values):
    return next((i for i, x in enumerate(values) if x == 3), -1)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (first_large, (np.arange(6.0),)),
        (first_or_none, (np.arange(6.0),)),
        (first_or_none, (np.zeros(3),)),
        (first_word, ("a bc defg hijk",)),
        (position, ([1, 2, 3],)),
        (position, ([1, 2],)),
    ],
)
def test_the_next_item(run_both, function, arguments):
    run_both(function, *arguments)


def test_no_next_item(run_both):
    run_both.raises(StopIteration, first_large, np.zeros(3))
    run_both.raises(StopIteration, first_word, "a b")


def numbers_up_to(n):
    yield from range(n)


def read_twice(n):
    items = numbers_up_to(n)
    return list(items), list(items)


def test_what_is_used_up_is_said_so():
    with pytest.raises(cl.CompileError, match="used up after the first"):
        cl.jit(read_twice)(3)


def squares_at_once(n):
    return list(itertools.islice((z * z for z in itertools.count()), n))


def squares_under_a_name(n):
    squares = (z * z for z in itertools.count())
    return list(itertools.islice(squares, n))


def test_what_has_no_end_is_refused_where_it_would_be_computed_at_once(run_both):
    with pytest.raises(cl.CompileError, match="has no end"):
        cl.jit(squares_at_once)(3)
    run_both(squares_under_a_name, 3)


class Maker:
    def __init__(self):
        self.n = 3

    @property
    def function(self):
        print("asked")

        def made(a):
            return [a, self.n]

        return made


def over_a_property():
    return sum(a for a in Maker().function(1)), list(a for a in Maker().function(1)), [a for a in Maker().function(1)]


def test_what_a_generator_expression_goes_over_is_computed_once(run_both):
    run_both(over_a_property)


def after_the_first(items):
    numbered = enumerate(items)
    turned = reversed(items)
    doubled = map(lambda x: x * 2, items)
    paired = zip(items, "abcd", strict=False)
    some = filter(lambda x: x > 1, items)
    firsts = next(numbered), next(turned), next(doubled), next(paired), next(some)
    return firsts, list(numbered), list(turned), sum(doubled), dict(paired), [x for x in some], next(some, None)


def gone_over_in_two_loops(items):
    numbered, total = enumerate(items), 0
    for i, x in numbered:
        total += i * x
        if x == 1:
            break
    for i, x in numbered:
        total += 100 * i * x
    return total, list(numbered)


def squares_after_the_first(n):
    squares = (i * i for i in range(n))
    return next(squares), next(squares), list(squares)


@pytest.mark.parametrize("program", [after_the_first, gone_over_in_two_loops])
def test_who_comes_first_uses_an_iterator_up_for_the_others(run_both, program):
    run_both(program, [3, 1, 2, 5])
    run_both(squares_after_the_first, 5)
    run_both.raises(StopIteration, squares_after_the_first, 1)


def is_among(n):
    return 4 in numbers_up_to(n), 4 not in numbers_up_to(n), 4 in itertools.takewhile(lambda x: x < 3, range(n))


def test_in_of_a_generator(run_both):
    run_both(is_among, 5)
    run_both(is_among, 4)


def from_named_generators(n):
    squares, numbers = (i * i for i in range(n)), numbers_up_to(n)
    some = np.fromiter((i * i for i in range(n)), np.float64, n - 2)
    return np.fromiter(squares, np.float32), np.fromiter(numbers, dtype=np.int64), some


def test_arrays_of_named_generators(run_both):
    run_both(from_named_generators, 5)


def twice(items):
    return list(items), list(items)


def after_first(items):
    first = next(items)
    return [(first, item) for item in items]


def given_to_functions(values):
    return (
        twice(enumerate(values)),
        twice(items=map(abs, values)),
        twice(x * 2 for x in values),
        after_first(zip(values, values, strict=True)),
        after_first(reversed(values)),
    )


def named_together(values):
    numbered, count = enumerate(values), len(values)
    a = b = zip(values, values, strict=True)
    return next(numbered), list(numbered), count, list(a), list(b)


def first_of_generator(n):
    return next(numbers_up_to(n)), next(numbers_up_to(0), -1)


def generator_read_twice(n):
    return twice(numbers_up_to(n))


def test_functions_use_up_the_iterators_that_they_are_given(run_both):
    run_both(given_to_functions, [3, -1, 2])
    run_both(named_together, [3, -1, 2])
    run_both(first_of_generator, 3)
    with pytest.raises(cl.CompileError, match="used up after the first"):
        cl.jit(generator_read_twice)(3)
