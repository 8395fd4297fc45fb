"""Arguments with stars in jit functions: keywords, and items of a number that is known only when the function runs."""

from collections import namedtuple

import numpy as np
import pytest

import colocate as cl


def line(x, a=1.0, b=2.0):
    return a * x + b


def smooth(x, w=3, **options):
    scale = options.get("scale", 1.0)
    if "shift" in options:
        scale = scale + options["shift"]
    return x * scale / w


def kept(**options):
    return options


def test_keywords_are_read(run_both):
    def calls(x):
        settings = {"a": 3.0, "b": 4.0}
        return (
            smooth(x),
            smooth(x, scale=2.0),
            smooth(x, 2, shift=1.5),
            line(x, **settings),
            line(x, **kept(b=5)),
        )

    run_both(calls, np.arange(4.0))


def changing(**options):
    first = options.pop("s", 2.0)
    options["z"] = 1
    return first, options, len(options)


def test_keywords_are_changed(run_both):
    def calls():
        return changing(s=3.0, q=2), changing(a="x")

    run_both(calls)


def gone_over(**options):
    total = 0
    for name in options:
        total += len(name)
    for value in options.values():
        total += value
    return total, len(options), list(options.keys()), [name for name, value in options.items()]


def test_keywords_are_gone_over(run_both):
    def calls():
        return gone_over(a=1, bb=2.5, c=3), gone_over()

    run_both(calls)


def missing(**options):
    return options["q"]


def test_a_keyword_that_is_missing(run_both):
    def caught():
        try:
            return missing(a=1)
        except KeyError:
            return -1

    def raised():
        return missing(a=1)

    run_both(caught)
    run_both.raises(KeyError, raised)


def positional(x, /, **options):
    return x, options.get("x", 5)


def test_a_name_of_a_positional_parameter_is_a_keyword(run_both):
    def calls():
        return positional(1, x=2), positional(3)

    run_both(calls)


def doubled(function):
    def wrapper(*args, **options):
        return 2 * function(*args, **options)

    return wrapper


@doubled
def decorated(x, y=2, *, z=3):
    return x + y * z


def test_decorators_pass_everything_on(run_both):
    def calls(x):
        return decorated(x), decorated(x, 5), decorated(x, z=1), decorated(x, y=7, z=2)

    run_both(calls, 1.5)
    run_both(decorated, 2.0)


def applied(function, x, **options):
    return function(x, **options)


def test_keywords_go_to_functions_that_are_arguments(run_both):
    def calls(x):
        return applied(line, x, a=2.0), applied(lambda v, p=1: v**p, x, p=2)

    run_both(calls, 3.0)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ((1.0,), {}),
        ((1.0, 2, 3), {"s": 4}),
        ((1.0,), {"off": 2.5}),
        ((1.0, 1), {"off": 2, "other": "x"}),
    ],
)
def test_a_jit_function_takes_keywords(given, named):
    def direct(x, *rest, s=1, **options):
        return x * s + options.get("off", 0) + len(rest)

    assert cl.jit(direct)(*given, **named) == direct(*given, **named)


def test_columns_of_rows(run_both):
    def of_texts(texts):
        return ["".join(column) for column in zip(*texts)]

    def of_lists(n):
        rows = [[i * j for j in range(4)] for i in range(n)]
        return [sum(column) for column in zip(*rows)], list(zip(*rows))

    def of_array(a):
        return [sum(column) for column in zip(*a)]

    def of_pairs(n):
        pairs = []
        for i in range(n):
            pairs.append((i, i * i))
        a, b = zip(*pairs)
        return a, b

    run_both(of_texts, ["abc", "def", "ghi"])
    run_both(of_lists, 3)
    run_both(of_array, np.arange(6.0).reshape(2, 3))
    run_both(of_pairs, 4)


def area(ax, ay, bx, by):
    return ax * by - ay * bx


Point = namedtuple("Point", "x y")


def test_items_are_as_many_as_the_function_takes(run_both):
    def calls(points):
        pairs = [tuple(row) for row in points]
        return area(*pairs[0], *pairs[1]), area(*points[0], *points[1]), area(1.0, 2.0, *points[0])

    def largest(items):
        return max(*items), min(*items)

    def named(a):
        point = Point(*a)
        return point.x + point.y

    run_both(calls, np.arange(6.0).reshape(3, 2))
    run_both(largest, [3, 1, 2])
    run_both(named, np.array([1.0, 2.0]))
    run_both.raises(TypeError, named, np.array([1.0, 2.0, 3.0]))


def queens(n, row=0, columns=(), up=(), down=()):
    if row == n:
        return 1
    total = 0
    for c in range(n):
        if c in columns or row + c in up or row - c in down:
            continue
        total += queens(n, row + 1, columns + (c,), up + (row + c,), down + (row - c,))
    return total


def test_recursion_takes_longer_and_longer_tuples(run_both):
    run_both(queens, 6)


def orders(text):
    if len(text) <= 1:
        return [text]
    found = []
    for i in range(len(text)):
        for rest in orders(text[:i] + text[i + 1 :]):
            found.append(text[i] + rest)
    return found


def test_recursion_is_not_compiled_for_each_text(run_both):
    # Compiled for each of them this would take minutes.
    run_both(orders, "abcdefg")


def of_columns(rows):
    total = 0
    for number, column in enumerate(zip(*rows)):
        if number == 0:
            rows[0][1] = 100
        total += sum(column)
    a, b = zip(*rows)
    return total, a, b, dict(zip(*rows)), [max(column) for column in zip(*rows)]


def test_columns_are_read_one_by_one(run_both):
    run_both(of_columns, [[1, 2], [3, 4]])


def with_name_of_its_own(**named):
    before = sum(named["a"] for _ in range(3))
    return [named for named in [1, 2, 3]], named["a"], before


def test_a_comprehension_has_names_of_its_own(run_both):
    run_both(lambda: with_name_of_its_own(a=1))


def test_a_keyword_that_is_given_twice_is_refused():
    @cl.jit
    def twice():
        settings = {"z": 1}
        return kept(**settings, z=9)

    with pytest.raises(cl.CompileError, match="the keyword `z` is given twice"):
        twice()


def by_other_names(x, **named):
    return x + named["a b"] + named["class"]


def test_keywords_need_not_be_identifiers(run_both):
    run_both(by_other_names, 1, **{"a b": 2, "class": 3})
    run_both(lambda named: by_other_names(1, **named), {"a b": 2, "class": 3.5})


def last_of(*items):
    return items[-1], len(items), items


def added_up(first, *rest):
    total = first
    for x in rest:
        total += x
    return total, len(rest)


def with_all_of(items):
    def scaled(*numbers, by=2):
        return [x * by for x in numbers]

    return last_of(1, 2, *items), added_up(5, *items), added_up(5, 6, *items), scaled(*items, by=3)


@pytest.mark.parametrize("items", [[3, 4], [1.5], [], np.arange(3)])
def test_starred_parameters_take_any_number_of_items(run_both, items):
    run_both(with_all_of, items)


def counted_down(n, *rest):
    return len(rest) if n == 0 else counted_down(n - 1, *rest)


def test_functions_that_call_themselves_take_no_open_rest():
    with pytest.raises(cl.CompileError, match="only a tuple can be passed with a star"):
        cl.jit(lambda items: counted_down(2, *items))([1, 2])


def moved(n, speed, angle):
    return n * speed + angle


PATTERNS = {"slow": dict(speed=1.0, angle=0.5), "fast": {"angle": 0.25, "speed": 4.0}}


def all_patterns(n):
    total = 0.0
    for name, pattern in PATTERNS.items():
        total += moved(n, **pattern) + len(name)
    return total, moved(n, **PATTERNS["fast"])


def from_outside(named, n):
    more = {name: value + 1 for name, value in named.items() if name != "speed"}
    return moved(n, **named), moved(n, 2.0, **more)


def test_the_names_in_a_dictionary_are_those_that_a_function_takes(run_both):
    run_both(all_patterns, 3)
    run_both(from_outside, {"speed": 1.5, "angle": 2.5}, 3)
    for wrong in ({"speed": 1.5}, {"speed": 1.5, "angle": 2.5, "more": 1.0}, {"speed": 1.5, "angles": 2.5}):
        run_both.raises(TypeError, from_outside, wrong, 3)


def read_names(x, **named):
    return {**named, "x": x}, {**named}, {"a": 0, **named}


def names_are_copied():
    first, second, third = read_names(3, a=1, b=2.5)
    second["c"] = 4
    return first, second, third, read_names(4)


def test_names_are_put_into_dictionaries(run_both):
    run_both(names_are_copied)
