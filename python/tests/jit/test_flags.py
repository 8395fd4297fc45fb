"""Flags among the arguments may decide what a function gives."""

import numpy as np
import pytest

import colocate as cl


def with_or_without_sum(x, full=False):
    if full:
        return x, x.sum()
    return x


def kept_axes(x, keep):
    return np.sum(x, axis=0, keepdims=keep)


def averages(x, returned):
    return np.average(x, axis=None, weights=None, returned=returned)


def scaled_or_zero(x, flag):
    if flag:
        y = x * 2
    else:
        y = 0
    return y


@pytest.mark.parametrize("function", [with_or_without_sum, kept_axes, averages, scaled_or_zero])
@pytest.mark.parametrize("flag", [True, False])
def test_both_values(run_both, function, flag):
    run_both(function, np.arange(6.0).reshape(2, 3), flag)


def until(done, n):
    count = 0
    while not done:
        count += 1
        if count > n:
            done = True
    return count, done, not done, done + 1


@pytest.mark.parametrize("flag", [True, False])
def test_flags_that_change(run_both, flag):
    run_both(until, flag, 3)


def test_functions_that_need_no_constants_are_compiled_once():
    function = cl.jit(until)
    function(True, 3)
    function(False, 3)
    assert len(function.signatures) == 1


def test_what_does_not_help_is_not_told():
    def wrong(flag):
        return open("nothing") if flag else 1

    with pytest.raises(cl.CompileError, match="open"):
        cl.jit(wrong)(True)


def on_a_cube(n, axis, twice):
    x = np.arange(2.0**n).reshape((2,) * n)
    x = np.moveaxis(x, 0, axis)
    return 2 * x if twice else x


@pytest.mark.parametrize("n", [1, 2, 3])
def test_small_integers_say_how_many_axes_there_are(run_both, n):
    run_both(on_a_cube, n, n - 1, True)
    run_both(on_a_cube, n, 0, False)


def test_large_integers_do_not_say_how_many_axes_there_are():
    with pytest.raises(cl.CompileError, match="extent"):
        cl.jit(on_a_cube)(17, 0, False)


def as_many_axes(x, flag, n):
    if flag:
        return x.reshape((2,) * n)
    return x, 1


def test_a_flag_that_is_known_may_be_followed_by_numbers_that_are():
    function = cl.jit(as_many_axes)
    assert function(np.arange(8.0), False, 3)[1] == 1
    assert function(np.arange(8.0), True, 3).shape == (2, 2, 2)


SHOWN = False


def only_shown(n):
    total = 0
    for step in range(n):
        if step % 2 == 0 and SHOWN:
            total += "cannot be added"
        if step > 3 or not SHOWN or "never read".missing:
            total += step
    return total


def test_what_a_constant_rules_out_is_not_compiled(run_both):
    run_both(only_shown, 5)


def item_of_several(items, i):
    return items[i]


def test_small_integers_say_which_item_of_a_tuple_is_meant():
    function = cl.jit(item_of_several)
    for i in (0, 1, 2, -1):
        assert function((4, 3.5, "text"), i) == (4, 3.5, "text")[i]
