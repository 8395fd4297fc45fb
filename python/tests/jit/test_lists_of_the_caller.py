"""Lists among the arguments: what is done to them is seen when the function returns, and when it raises."""

import pytest

import colocate as cl


def set_and_raised(a):
    a[0] = 9
    raise ValueError


def counted_too_far(a):
    for i in range(5):
        a[i] += 1


def made_longer(a, text):
    a.append(4)
    a[1] = 7
    return int(text) + a[0]


def looked_up(a, d):
    a.append(4)
    a[0] = d["q"]
    return a


def rows(a):
    a.append([1])
    a[0].append(5)
    raise KeyError(3)


def asserted(a):
    a.append(1)
    assert len(a) < 2, "too long"
    return a


def raised_in_a_call(a, n):
    def inner(b):
        b[0] = 5
        if n:
            raise ValueError("inner")

    inner(a)
    return a


def with_last_words(a, n):
    try:
        a[0] = 1
        if n > 1:
            raise ValueError
        a[1] = 2 // n
    finally:
        a[2] = 3
    return 1


def emptied(a):
    a.pop()
    a.pop()
    a.pop()


def two_lists(a, b):
    a[0] = 1
    b.append(2)
    for i in range(10):
        a[i] = b[i]


def other_numbers(a):
    a[0] = 0.5
    raise ValueError


def sorted_and_searched(a):
    a.sort()
    a.remove(1000)


def one_changes(a, b):
    b.append(a[0])
    return a[7]


class TestExceptions:
    @pytest.mark.parametrize(
        ("kind", "function", "arguments"),
        [
            (ValueError, set_and_raised, ([1, 2],)),
            (IndexError, counted_too_far, ([1, 2],)),
            (IndexError, counted_too_far, ([1.5],)),
            (ValueError, made_longer, ([1, 2], "x")),
            (KeyError, looked_up, ([1, 2], {"a": 1})),
            (KeyError, rows, ([[1], [2]],)),
            (AssertionError, asserted, ([1, 2],)),
            (ValueError, raised_in_a_call, ([1, 2], 1)),
            (ValueError, with_last_words, ([0, 0, 0], 2)),
            (ZeroDivisionError, with_last_words, ([0, 0, 0], 0)),
            (IndexError, emptied, ([1, 2],)),
            (IndexError, two_lists, ([5, 6, 7], [1])),
            (ValueError, other_numbers, ([1, 2],)),
            (ValueError, sorted_and_searched, ([3, 1, 2],)),
            (IndexError, one_changes, ([3], [4])),
        ],
    )
    def test_what_was_done_before_one_is_seen(self, run_both, kind, function, arguments):
        run_both.raises(kind, function, *arguments)
        (wanted, *_), (given, *_) = run_both.outcomes(function, arguments, {}, {})
        assert repr(given) == repr(wanted)

    def test_nothing_else_changes_where_none_is_raised(self, run_both):
        run_both(made_longer, [1, 2], "5")
        run_both(looked_up, [1, 2], {"q": 1})
        run_both(with_last_words, [0, 0, 0], 1)

    def test_explaining_a_function_changes_nothing(self):
        items = [1, 2]
        cl.jit(set_and_raised).explain(items)
        assert items == [1, 2]


def scaled(m, x):
    for row in m:
        for i in range(len(row)):
            row[i] = row[i] / x
    return m


def first_scaled(m, x):
    for i in range(len(m[0])):
        m[0][i] = m[0][i] / x
    return m


class TestListsGivenTwice:
    @pytest.mark.parametrize("function", (scaled, first_scaled))
    @pytest.mark.parametrize("x", (2, 0.5))
    def test_integers_in_them_may_become_floats(self, run_both, function, x):
        row = [2, 3]
        wanted, given = [row, row], [row[:]] * 2
        with run_both.context():
            assert function(wanted, x) == run_both.jit(function)(given, x)
        assert repr(given) == repr(wanted) and given[0] is given[1]


class Holder:
    def __init__(self, items):
        self.items = items


OUTSIDE = [1, 2]


def changed_by_both(whole, part):
    part.append(3)
    whole[0].append(4)
    whole[0] = part
    return len(part), len(whole[0])


def changed_inside_only(whole, part):
    whole[0].append(4)
    return len(part)


def changed_outside(part):
    part.append(3)
    OUTSIDE.append(4)
    return len(part), len(OUTSIDE)


def changed_by_a_function(function, part):
    first = function(5)
    part.append(6)
    return first, function(7), len(part)


def changed_in_an_object(holder, part):
    holder.items.append(3)
    part.append(4)
    return len(part), len(holder.items)


def read_only(whole, part):
    return len(whole[0]) + sum(part)


def one_inside_the_other():
    part = [1, 2]
    return [part, [5]], part


def one_in_a_dictionary():
    part = [1, 2]
    return {0: part}, part


def one_in_a_list_of_the_other():
    part = [1, 2]
    return [[part]][0], part


def one_outside():
    OUTSIDE[:] = [1, 2]
    return (OUTSIDE,)


def one_in_a_closure():
    part = [1]

    def put(x):
        part.append(x)
        return len(part)

    return put, part


def one_in_an_object():
    part = [1, 2]
    return Holder(part), part


class TestListsReachedInTwoWays:
    @pytest.mark.parametrize(
        ("function", "made"),
        [
            (changed_by_both, one_inside_the_other),
            (changed_by_both, one_in_a_dictionary),
            (changed_by_both, one_in_a_list_of_the_other),
            (changed_inside_only, one_inside_the_other),
            (changed_inside_only, one_in_a_dictionary),
            (changed_outside, one_outside),
            (changed_by_a_function, one_in_a_closure),
            (changed_in_an_object, one_in_an_object),
            (read_only, one_inside_the_other),
            (read_only, one_in_a_dictionary),
        ],
    )
    def test_they_are_one_list(self, run_both, function, made):
        given = made()
        wanted = function(*given), repr(given[-1])
        given = made()
        with run_both.context():
            assert (run_both.jit(function)(*given), repr(given[-1])) == wanted


def one_of_two(a, b, first):
    chosen = a if first else b
    chosen.append(7)
    return chosen


def put_into_a_list(a, n):
    both = [a, [n]]
    for one in both:
        one.append(n)
    return both


def swapped(a, b):
    a, b = b, a
    if len(a) > 1:
        a = b
    return a, b


class TestListsThatComeBack:
    def test_what_may_be_one_of_several_is_the_one_that_was_given(self):
        a, b = [1, 2], [3]
        assert cl.jit(one_of_two)(a, b, True) is a and a == [1, 2, 7]
        assert cl.jit(one_of_two)(a, b, False) is b and b == [3, 7]

    def test_so_is_one_in_a_list(self):
        a = [1, 2]
        both = cl.jit(put_into_a_list)(a, 5)
        assert both == [[1, 2, 5], [5, 5]] and both[0] is a

    def test_so_is_one_that_did_not_change(self):
        a, b = [1, 2], [3]
        one, other = cl.jit(swapped)(a, b)
        assert one is b and other is a and (a, b) == ([1, 2], [3])


def both_ways(items, named):
    items.append(5)
    for name in named:
        other = named[name]
        if other is not None:
            other.append(6)
    return len(items)


def test_a_list_that_is_also_in_a_dictionary_behind_none_is_one_list():
    items = [1, 2]
    assert cl.jit(both_ways)(items, {"first": None, "second": items}) == 4
    assert items == [1, 2, 5, 6]


class Linked:
    def __init__(self, items, after=None):
        self.items = items
        self.after = after


def changed_by_both(xs, holders):
    xs.append(1)
    for holder in holders:
        holder.items.append(7)
    return len(xs), xs[-1]


def changed_through_objects(xs, holders):
    for holder in holders:
        holder.items[0] = 9
    return xs[0]


def read_through_objects(xs, holders):
    xs[0] = 9
    return sum([holder.items[0] for holder in holders])


def changed_along_a_chain(xs, holder):
    xs.append(1)
    while holder is not None:
        holder.items[0] = 99
        holder = holder.after
    return xs[0], len(xs)


@pytest.mark.parametrize("program", [changed_by_both, changed_through_objects, read_through_objects])
@pytest.mark.parametrize("at", [0, 6])
def test_a_list_that_one_of_many_objects_has_is_one_list(program, at):
    def given():
        xs = [1, 2, 3]
        holders = [Linked([i]) for i in range(7)]
        holders[at] = Linked(xs)
        return xs, holders

    (xs, holders), (ys, others) = given(), given()
    assert cl.jit(program)(xs, holders) == program(ys, others)
    assert [one.items for one in holders] == [one.items for one in others]
    assert xs == ys and holders[at].items is xs


def test_a_list_at_the_end_of_a_chain_of_objects_is_one_list():
    def given():
        xs = [1, 2, 3]
        chain = Linked(xs)
        for i in range(6):
            chain = Linked([i], chain)
        return xs, chain

    (xs, chain), (ys, other) = given(), given()
    assert cl.jit(changed_along_a_chain)(xs, chain) == changed_along_a_chain(ys, other)
    assert xs == ys == [99, 2, 3, 1]
