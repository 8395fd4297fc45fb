"""Functions inside a jit function that leave it."""

import numpy as np
import pytest

import colocate as cl


def adder(x):
    return lambda y: x + y


def scaled_in_two_ways(a, k=2):
    def scaled(x, by=k, *, plus=0):
        return a * x * by + plus

    def both(x):
        return scaled(x) + scaled(x, by=1)

    return both, scaled


def factorial():
    def go(n):
        return 1 if n < 2 else n * go(n - 1)

    return go


def chosen(x):
    if x > 0:
        return lambda v: v
    return lambda v: -v


def of_an_inner_one(x):
    def make(y):
        def inner(z):
            return x + y + z

        return inner

    return make(2)


# fmt: off
def several_on_a_line(a):
    return (lambda x: x + a), (lambda x: x * a), (lambda: a)
# fmt: on


def test_functions_are_what_they_are_in_python(device):
    with cl.device_context(device):
        add = cl.jit(adder)(2.5)
        both, scaled = cl.jit(scaled_in_two_ways)(np.arange(3.0))
        go = cl.jit(factorial)()
        same, negative = (cl.jit(chosen)(x) for x in (1, -1))
        inner = cl.jit(of_an_inner_one)(1)
        plus, times, itself = cl.jit(several_on_a_line)(3)
    assert add(1) == 3.5
    assert both(2).tolist() == [0, 6, 12]
    assert scaled(1, plus=1).tolist() == [1, 3, 5]
    assert (scaled.__name__, scaled.__defaults__, scaled.__kwdefaults__) == ("scaled", (2,), {"plus": 0})
    assert go(5) == 120
    assert (same(4), negative(4)) == (4, -4)
    assert inner(10) == 13
    assert (plus(10), times(10), itself()) == (13, 30, 3)


def test_what_they_read_is_that_of_their_own_call():
    make = cl.jit(adder)
    one, other = make(1), make(2)
    assert (one(10), other(10)) == (11, 12)


def test_they_are_given_to_jit_functions_again():
    @cl.jit
    def twice(f, x):
        return f(f(x))

    assert twice(cl.jit(adder)(3), 1) == 7


def line_of(slope, offset):
    scale = 2

    def line(x):
        return (slope * x + offset) * scale

    scale += 1
    return line, lambda x: x + offset


def through(function, n):
    def around():
        def inner(x):
            return function(x) + n

        return inner

    return around()


def of_a_closure(n):
    def made(x):
        return lambda y: (x + y) * n

    return made


def test_what_they_read_may_be_changed_after_them_and_be_outside_of_the_program():
    line, shifted = cl.jit(line_of)(2, 1.5)
    assert (line(3), shifted(3)) == (22.5, 4.5)
    assert cl.jit(through)(abs, 3)(-2) == 5
    assert cl.jit(of_a_closure(10))(1)(2) == 30


def test_arrays_that_they_read_are_those_of_the_caller():
    def adding(a):
        def add(x):
            a[0] += x
            return a

        return add, a * 2

    a = np.zeros(2)
    add, _ = cl.jit(adding)(a)
    assert np.shares_memory(add(3), a)
    assert a.tolist() == [3, 0]


def counter():
    n = 0

    def count():
        nonlocal n
        n += 1
        return n

    return count


def changed_by_another(n):
    def change():
        nonlocal n
        n += 1

    def get():
        return n

    change()
    return get, change


def over_a_list(items):
    return lambda i: items[i]


@pytest.mark.parametrize("program, given", [(counter, ()), (changed_by_another, (1,)), (over_a_list, ([1, 2],))])
def test_functions_that_share_what_changes_stay(program, given):
    with pytest.raises(cl.CompileError, match="cannot leave the jit function"):
        cl.jit(program)(*given)


@cl.jit
def compiled(x):
    return x + 1


def one_of(f, g, first):
    f(1)
    return (f if first else g), f, compiled


def test_a_compiled_function_that_is_returned_is_itself():
    for first in (True, False):
        assert cl.jit(one_of)(compiled, adder, first) == one_of(compiled, adder, first)
