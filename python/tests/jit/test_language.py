"""Python's own functions, operators as functions, values that may be None, lists and named tuples as arguments."""

import cmath
import functools
import operator
from collections import namedtuple

import numpy as np
import pytest

import colocate as cl

Point = namedtuple("Point", "x y")


def by_functions(a, b):
    return (
        operator.add(a, b),
        operator.sub(a, b),
        operator.floordiv(a, b),
        operator.lt(a, b),
        operator.neg(a),
        operator.not_(a),
        operator.contains((a, b), a),
    )


def test_operators_are_functions_too(run_both):
    run_both(by_functions, 7, 3)
    run_both(by_functions, 7.5, -3.0)


def in_place(a, b):
    operator.iadd(a, b)
    return a


def test_an_operator_in_place_changes_the_array(run_both):
    run_both(in_place, np.arange(4.0), 2.0)


def in_place_by_functions(items, others, table, x):
    added = operator.iadd(items, [3])
    grown = operator.ior(others, {2})
    operator.imul(items, 2)
    operator.ior(table, {5: 6})
    return added, grown, items, operator.iadd(x, 2), operator.iconcat(items, [x])


def test_operators_in_place_change_lists_sets_and_dictionaries(run_both):
    run_both(in_place_by_functions, [1, 2], {1}, {3: 4}, 5)


class Counted:
    def __init__(self, n):
        self.n = n

    def __add__(self, other):
        return Counted(-1)

    def __iadd__(self, other):
        self.n += other.n
        return self

    def __imatmul__(self, other):
        self.n *= other.n
        return self


def of_objects(a, b):
    same = operator.iadd(a, b)
    other = operator.imatmul(a, b)
    return same.n, other.n, a.n, (a + b).n


def of_made_objects(a, b):
    return of_objects(Counted(a), Counted(b))


def test_operators_in_place_ask_the_class(run_both):
    run_both(of_made_objects, 2, 3)
    given = Counted(2)
    assert cl.jit(of_objects)(given, Counted(3)) == (15, 15, 15, -1)
    assert given.n == 15


def given_back(items):
    items.append(3)
    return items, [items]


@pytest.mark.parametrize("items", [[1, 2], [1.5], []])
def test_a_list_that_is_returned_is_the_callers(items):
    found, others = cl.jit(given_back)(items)
    assert found is items
    assert others[0] is items
    assert items[-1] == 3


def imported(x):
    import math
    from operator import mul

    return mul(math.sqrt(x), 2.0)


def test_modules_can_be_imported_inside(run_both):
    run_both(imported, 9.0)


def types_of(x):
    if isinstance(x, int):
        return 1
    if isinstance(x, (float, complex)):
        return 2
    if isinstance(x, tuple):
        return 3
    return 4 if isinstance(x, np.ndarray) else 5


@pytest.mark.parametrize("x", [1, True, 2.5, 1j, (1, 2), np.ones(2), "text", None])
def test_classes_are_told_apart_while_compiling(run_both, x):
    run_both(types_of, x)


def items(n):
    squares = list(map(lambda i: i * i, range(n)))
    odd = list(filter(lambda i: i % 2 == 1, range(n)))
    return (
        sum(squares),
        odd,
        functools.reduce(lambda a, b: a * 2 + b, squares, 1),
        functools.reduce(lambda a, b: a + b, range(1, n)),
        sorted(squares, reverse=True),
        list(reversed(range(n))),
        any(x > 5 for x in squares),
        all(x >= 0 for x in squares),
        sum(range(n)),
        min(squares),
        max(squares),
    )


def test_functions_that_go_over_items(run_both):
    run_both(items, 6)


def of_tuples(a, b):
    return (
        (a, b) < (b, a),
        (a, 1) <= (a, 1, 2),
        (a, b) > (a, b),
        (a, b, 3).index(b),
        (a, b, a).count(a),
        max((a, b)),
        any((a, b)),
    )


def test_tuples_are_compared_item_by_item(run_both):
    run_both(of_tuples, 1, 2)
    run_both(of_tuples, 2, 1)
    run_both(of_tuples, 2, 2)


def of_ranges(a, b, c):
    r = range(a, b, c)
    return len(r), r.start, r.stop, r.step, 5 in r, r == range(a, b, c), [i for i in reversed(r)]


def test_ranges_are_values(run_both):
    run_both(of_ranges, 0, 10, 3)
    run_both(of_ranges, 10, -4, -5)
    run_both(of_ranges, 3, 3, 1)


def of_texts(name):
    total = 0
    for letter in name:
        total += ord(letter)
    return total, len(name), name[0] == "a", "b" in name, int("12") + int("ff", 16), float("2.5")


def test_strings_are_known_while_compiling(run_both):
    run_both(of_texts, "abc")


def complex_functions(z):
    return cmath.exp(z), cmath.sqrt(z), cmath.phase(z), cmath.polar(z), cmath.isnan(z), cmath.sin(z)


def test_functions_of_complex_numbers(run_both):
    run_both(complex_functions, 0.5 + 0.25j)


def power(a, b, m):
    return pow(a, b, m)


def test_powers_with_a_modulus(run_both):
    run_both(power, 7, 123, 1000)
    run_both(power, -7, 12, 13)


def found(values, wanted):
    position = None
    for i in range(len(values)):
        if values[i] == wanted:
            position = i
            break
    if position is None:
        return None
    return position + 1


def test_a_variable_may_be_none_on_some_paths(run_both):
    run_both(found, np.array([3, 5, 7]), 5)
    run_both(found, np.array([3, 5, 7]), 6)


def perhaps(x):
    a = None
    if x > 2:
        a = x * 2
    return a, a is None, a == 6


def test_none_or_a_number_is_returned(run_both):
    run_both(perhaps, 1)
    run_both(perhaps, 3)


def needs_it(x):
    a = None
    if x > 2:
        a = x
    return a + 1


def test_none_where_a_number_is_needed_raises(run_both):
    run_both(needs_it, 3)
    with pytest.raises(TypeError):
        cl.jit(needs_it)(1)


def divisions(a, b):
    return a / b, a // b, a % b


def test_python_numbers_are_not_divided_by_zero(run_both):
    run_both(divisions, 7, 2)
    run_both(divisions, 7.5, 2.0)
    for a, b in [(1, 0), (1.0, 0.0), (1, 0.0)]:
        with pytest.raises(ZeroDivisionError):
            cl.jit(divisions)(a, b)


def of_list(values):
    total = 0
    for x in values:
        total += x
    return total, len(values), values[-1], 3 in values, values[1:]


def test_lists_of_numbers_are_arguments(run_both):
    run_both(of_list, [1, 2, 3])
    run_both(of_list, [1.5, 2.5])


def changing(values):
    values.append(7)
    values[0] = -1
    return len(values)


def test_changes_of_a_list_are_seen_outside():
    values = [1, 2, 3]
    assert cl.jit(changing)(values) == 4
    assert values == [-1, 2, 3, 7]


def joined(n):
    a = [0] * n
    a[1] = 5
    b = a + [1, 2]
    return a, b, b.index(5), a == [0, 5] + [0] * (n - 2)


def test_lists_are_repeated_joined_and_compared(run_both):
    run_both(joined, 4)


def rows(matrix):
    total = 0.0
    for row in matrix:
        for x in row:
            total += x
    return total, matrix[0]


def test_lists_of_lists_are_arguments(run_both):
    run_both(rows, [[1.0, 2.0], [3.0, 4.0]])


def moved(p, by):
    return Point(p.x + by, y=p.y * 2), p[0], len(p)


def test_named_tuples_come_and_go(run_both):
    run_both(moved, Point(1, 2.5), 3)


def applied(f, x):
    return f(x) + 1


def test_functions_are_arguments(run_both):
    run_both(applied, lambda x: x * 3, 2)
    run_both(applied, abs, -2.5)


def test_a_lambda_is_compiled(run_both):
    run_both(lambda x, y=2: (x + y, [x, y]), 3)


def test_messages_speak_of_jit_functions():
    def f(x):
        async def later():
            return x

        return later

    with pytest.raises(cl.CompileError, match="async functions cannot be defined in a jit function"):
        cl.jit(f)(1)
