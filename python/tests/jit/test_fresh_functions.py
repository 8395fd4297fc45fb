"""Functions that are made anew for each call."""

import functools
import gc
import math
import weakref

import numpy as np

import colocate as cl


@cl.jit
def applied(f, x):
    return f(x) + 1


def compiled_for(function):
    return len(function.signatures)


def test_a_lambda_made_anew_is_compiled_for_once():
    @cl.jit
    def simpson(f, n):
        return sum([f(i / n) for i in range(n)])

    for _ in range(5):
        assert simpson(lambda x: x * x, 4) == 0.875
    assert compiled_for(simpson) == 1


def test_functions_differ_by_what_they_close_over():
    def scaled(by):
        return lambda x: by * x

    for by in (2, 3, 2.5, 2, True, np.float64(2)):
        assert applied(scaled(by), 4.0) == by * 4 + 1
    assert np.copysign(1, applied(scaled(-0.0), 4.0) - 1) == 1
    for values in (np.ones(2), np.zeros(2)):
        assert applied(scaled(values), 2.0).tolist() == (values * 2 + 1).tolist()


def test_functions_differ_by_their_defaults_and_by_inner_functions():
    def shifted(by):
        return lambda x, y=by: x + y

    def both(by):
        inner = scaled(by)
        return lambda x: inner(x)

    def scaled(by):
        return lambda x: by * x

    for by in (1, 2, 1):
        assert applied(shifted(by), 4.0) == by + 5
        assert applied(both(by), 4.0) == 4 * by + 1


def test_a_cell_that_changes_later_is_seen():
    by = 1

    def fresh():
        return lambda x: by * x

    first = fresh()
    assert applied(first, 4.0) == 5
    by = 3
    assert applied(fresh(), 4.0) == 13
    assert applied(first, 4.0) == 13


def test_functions_that_go_do_not_stay():
    class Large:
        pass

    def closed(of):
        return lambda x: x + (0 if of is None else 1)

    large = Large()
    gone = weakref.ref(large)
    function = closed(large)
    import colocate._same_functions as same_functions

    assert same_functions.representative(function) is function
    del large, function
    gc.collect()
    assert gone() is None


FACTOR = 2


def by_factor(x, y=FACTOR, *, z=FACTOR * np.arange(2)):
    return x * y + z


def test_defaults_are_what_they_were_when_the_function_was_defined(monkeypatch):
    @cl.jit
    def called(x):
        return by_factor(x), by_factor(x, z=1)

    expected = called.py_func(3.0)
    monkeypatch.setattr(f"{__name__}.FACTOR", 100)
    for one, other in zip(called(3.0), expected, strict=True):
        assert np.array_equal(one, other)


def test_functions_that_are_returned_are_the_ones_that_were_given():
    @cl.jit
    def chosen(f, g, first):
        return f if first else g

    def fresh():
        return lambda x: x + 1

    for _ in range(3):
        f, g = fresh(), fresh()
        assert chosen(f, g, True) is f
        assert chosen(f, g, False) is g


def test_functions_that_call_themselves_are_made_anew():
    def made():
        def factorial(n):
            return 1 if n < 2 else n * factorial(n - 1)

        return factorial

    for n in (3.0, 4.0, 3.0):
        assert applied(made(), n) == np.prod(np.arange(1, n + 1)) + 1


SIGN = 0.0


def test_a_zero_that_becomes_negative_is_seen(monkeypatch):
    signed = cl.jit(lambda x: math.copysign(x, SIGN))
    assert signed(2.0) == 2
    monkeypatch.setattr(f"{__name__}.SIGN", -0.0)
    assert signed(2.0) == -2


def with_a_list(x, y=[FACTOR], z={"k": FACTOR}):
    return x * y[0] + z["k"]


def test_defaults_in_brackets_are_what_they_were(monkeypatch):
    called = cl.jit(lambda x: with_a_list(x))
    monkeypatch.setattr(f"{__name__}.FACTOR", 100)
    assert called(3.0) == 8


def with_defaults(a, b=1, *, c=2):
    return 100 * a + 10 * b + c


def test_other_defaults_are_seen_by_the_next_call():
    compiled = cl.jit(lambda a: with_defaults(a))
    itself = cl.jit(with_defaults)
    before = with_defaults.__defaults__, with_defaults.__kwdefaults__
    try:
        assert compiled(1) == itself(1) == 112
        with_defaults.__defaults__ = (5,)
        assert compiled(1) == itself(1) == itself(1, c=2) == 152
        with_defaults.__kwdefaults__["c"] = 3
        assert compiled(1) == itself(1) == 153
        with_defaults.__kwdefaults__ = {"c": 2.5}
        assert compiled(1) == itself(1) == 152.5
        itself.__defaults__ = ("x",)
        assert with_defaults.__defaults__ == itself.__defaults__ == ("x",)
    finally:
        with_defaults.__defaults__, with_defaults.__kwdefaults__ = before[0], {"c": 2}
    assert compiled(1) == itself(1) == 112


def test_new_code_of_a_function_is_seen_by_the_next_call():
    def inner(a):
        return a + 1

    def other(a):
        return a * 7

    compiled = cl.jit(lambda a: inner(a))
    assert compiled(3) == 4
    inner.__code__ = other.__code__
    assert compiled(3) == 21


def weighted(a, b, weight=1):
    return (a + b) * weight


def test_what_a_partial_is_made_of_may_change():
    given = functools.partial(weighted, 1, weight=2)
    outside, argument = cl.jit(lambda x: given(x)), cl.jit(lambda f, x: f(x))
    assert outside(2) == argument(given, 2) == 6
    given.keywords["weight"] = 10
    assert outside(2) == argument(given, 2) == 30
    given.__setstate__((weighted, (5,), {"weight": 1}, {}))
    assert outside(2) == argument(given, 2) == 7


def partials_of_partials(x):
    def f(a, b, c, d=4):
        return 1000 * a + 100 * b + 10 * c + d

    first = functools.partial(f, 1)
    second = functools.partial(first, 2, d=7)
    third = functools.partial(second, d=8)
    return second(x), third(x), third(x, d=9), first(2, x)


def test_a_partial_may_be_made_of_a_partial(run_both):
    run_both(partials_of_partials, 3)


def test_keywords_of_a_partial_may_be_others_in_a_call():
    given, named = functools.partial(weighted, 1), functools.partial(weighted, 1, weight=2)
    compiled = cl.jit(lambda x: (given(x), given(x, weight=3), named(x), named(x, weight=5)))
    assert compiled(2) == (3, 9, 6, 15)


def of_a_pair(x, pair=(1, 2)):
    return x * pair[0] + pair[1]


def test_another_tuple_as_a_default_is_seen():
    compiled = cl.jit(lambda x: of_a_pair(x))
    assert compiled(5) == 7
    try:
        of_a_pair.__defaults__ = ((3, 4.5),)
        assert compiled(5) == 19.5
    finally:
        of_a_pair.__defaults__ = ((1, 2),)
    assert compiled(5) == 7
