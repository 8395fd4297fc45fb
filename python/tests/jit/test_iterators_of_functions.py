"""Functions that go over generators, or take functions: what they give comes one by one."""

import itertools

import numpy as np
import pytest

import colocate as cl


def halves(x):
    while True:
        yield x
        x = x / 2


def doubled_numbers(n):
    return list(itertools.islice(map(lambda x: x * 2, itertools.count()), n))


def odd_numbers(n):
    return list(itertools.islice(filter(lambda x: x % 2, itertools.count()), n))


def counted(n):
    for k, v in enumerate(halves(1.0)):
        if k == n:
            break
    return k, v


def zipped_after(n):
    total = 0.0
    for k, v in zip(range(n), halves(1.0)):
        total += k * v
    return total


def zipped_before(a):
    total = 0.0
    for v, x in zip(halves(1.0), a):
        total += x * v
    return total


def sliced(n):
    return list(itertools.islice(halves(1.0), n)), list(itertools.islice(halves(8.0), 1, n, 2))


def last_before(limit):
    for v in halves(1.0):
        if v < limit:
            break
    return v


def cut(items):
    return (
        list(itertools.takewhile(lambda x: x < 3, items)),
        list(itertools.dropwhile(lambda x: x < 3, items)),
        list(itertools.filterfalse(lambda x: x % 2, items)),
    )


def accumulated(items):
    largest = list(itertools.accumulate(items, max))
    return list(itertools.accumulate(items, lambda a, b: a * b)), largest


def star_mapped(items):
    return list(itertools.starmap(lambda a, b: a * 10 + b, [(x, x + 1) for x in items]))


def grouped(items):
    found = []
    for key, group in itertools.groupby(items, lambda x: x // 2):
        found.append((key, list(group)))
    return found


def numbers_up_to(n):
    yield from range(n)


def increased(items):
    for item in items:
        yield item + 1


def increased_and_doubled(items):
    for item in increased(items):
        yield item * 2


def until_two(items):
    for item in items:
        if item == 2:
            return
        yield item


def left_through_several(n):
    found = []
    for x in increased_and_doubled(numbers_up_to(n)):
        found.append(x)
        if x == 4:
            break
    return found


def ended_through_several(n):
    return [x for x in until_two(increased(numbers_up_to(n)))]


def left_with_positions(items):
    for i, (p, q) in enumerate(zip(halves(1.0), items)):
        if i == 1:
            break
    return i, p, q


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (left_through_several, (5,)),
        (ended_through_several, (5,)),
        (left_with_positions, ([3, 1, 2],)),
        (doubled_numbers, (4,)),
        (odd_numbers, (3,)),
        (counted, (4,)),
        (zipped_after, (5,)),
        (zipped_after, (0,)),
        (zipped_before, (np.arange(4.0),)),
        (sliced, (4,)),
        (sliced, (0,)),
        (last_before, (0.1,)),
        (cut, ([1, 2, 3, 1, 5],)),
        (accumulated, ([1, 2, 3, 1, 5],)),
        (star_mapped, ([1, 2],)),
        (grouped, ([1, 2, 3, 1, 5],)),
    ],
)
def test_items_come_one_by_one(run_both, function, arguments):
    run_both(function, *arguments)


def counted_for_ever(k):
    while True:
        yield k
        k += 1


def paired_with_a_text(k):
    return [(a, b) for a, b in zip(counted_for_ever(k), "xyz", strict=False)]


def paired_with_a_list(k):
    after = [a * b for a, b in zip([10, 20], counted_for_ever(k), strict=False)]
    before = [a - b for a, b in zip(counted_for_ever(k), (10, 20), strict=False)]
    return after, before


def test_what_has_no_end_is_paired_with_what_has_one(run_both):
    run_both(paired_with_a_text, 3)
    run_both(paired_with_a_list, 3)


def test_what_has_no_end_is_made_no_list():
    for function in (
        lambda k: list(counted_for_ever(k)),
        lambda k: [a + b + c for a, b, c in zip([1, 2], counted_for_ever(k), counted_for_ever(k), strict=False)],
    ):
        with pytest.raises(cl.CompileError, match="without an end"):
            cl.jit(function)(3)


def test_zip_ends_where_the_shortest_does(run_both):
    def zipped(text):
        pairs = [(a, b) for a, b in zip(counted_for_ever(3), "xyz")]
        lists = [(a, b) for a, b in zip(counted_for_ever(3), [10, 20])]
        after = [(a, b) for a, b in zip((10, 20), counted_for_ever(3))]
        three = [(a, b, c) for a, b, c in zip([1, 2, 3], counted_for_ever(3), text)]
        return pairs, lists, after, three

    run_both(zipped, "ab")


def test_what_has_no_end_is_not_made_a_list():
    @cl.jit
    def zipped():
        total = 0
        for a, b in zip(counted_for_ever(3), counted_for_ever(4)):
            total += a * b
            if total > 100:
                break
        return total

    with pytest.raises(cl.CompileError, match="without an end"):
        zipped()


def test_sums_of_what_comes_one_by_one(run_both):
    def sums(n):
        return list(itertools.accumulate(itertools.takewhile(lambda k: k < n, counted_for_ever(1))))

    run_both(sums, 5)


def test_what_a_generator_returns_is_the_value_of_yield_from(run_both):
    def inner(n):
        for i in range(n):
            if i > 2:
                return i * 100
            yield i
        return -1

    def nothing():
        yield 5

    def outer(n):
        r = yield from inner(n)
        yield r
        s = yield from nothing()
        yield 1 if s is None else 0

    def listed(n):
        return list(outer(n))

    run_both(listed, 2)
    run_both(listed, 6)


def test_a_generator_may_try_what_is_no_yield(run_both):
    def quotients(xs):
        for x in xs:
            try:
                q = 10 // x
            except ZeroDivisionError as error:
                q = len(str(error))
            yield q

    def listed(xs):
        return list(quotients(xs))

    run_both(listed, [1, 0, 5])


def weighted_pairs(a, names):
    total = 0.0
    for (i, x), (j, y) in itertools.product(enumerate(a), repeat=2):
        total += i * x - j * y * 2
    return total, [(i, name, x) for i, (name, x) in itertools.product(range(2), zip(names, a, strict=True))]


def test_products_of_what_is_numbered_or_paired(run_both):
    run_both(weighted_pairs, [1.0, 2.0, 3.0], ["a", "b", "c"])
    run_both(weighted_pairs, np.arange(2.0), ["a", "b"])


def with_a_generator_expression(values):
    return (x + 1 for x in values)


def with_a_map(values):
    return map(lambda x: x + 1, values)


def with_a_name(values):
    found = (x for x in values if x > 1)
    return found, len(values)


def with_reversed(values):
    return reversed(values)


def with_pairs(values):
    return zip(values, [x * 10 for x in values])


@pytest.mark.parametrize("program", [with_a_generator_expression, with_a_map, with_reversed, with_pairs])
def test_who_calls_gets_an_iterator(program):
    found = cl.jit(program)([1, 2, 3])
    assert next(found) == next(program([1, 2, 3]))
    rest = program([1, 2, 3])
    next(rest)
    assert list(found) == list(rest)
    assert list(found) == []


def test_an_iterator_beside_other_results_is_one():
    found, count = cl.jit(with_a_name)([1, 2, 3])
    assert (next(found), list(found), count) == (2, [3], 3)
