"""Functions in lists and dictionaries, inside jit functions and outside."""

import numpy as np
import pytest

import colocate as cl


def doubled(x):
    return 2 * x


def next_of(x):
    return x + 1


RATES = [(doubled, next_of), (next_of, doubled)]
METHODS = [("double", doubled), ("next", next_of), ("sine", np.sin)]
WEIGHTED = [["third", lambda x: x / 3, 0.5], ["square", lambda x: x * x, 2]]
STEPS = [doubled, next_of]


def ratios(x):
    return [a(x) / (a(x) + b(x)) for a, b in RATES]


def by_name(x):
    return {name: method(x) for name, method in METHODS}


def weighted(x):
    total = 0.0
    for name, method, weight in WEIGHTED:
        total += weight * method(x)
        print(name, weight)
    return total


def one_step(x, i):
    return STEPS[i](x), STEPS[-1](x), len(STEPS)


@pytest.mark.parametrize("function", [ratios, weighted])
def test_lists_of_functions_outside(run_both, function):
    run_both(function, 3.0)


def test_lists_of_names_and_functions_outside(run_both):
    run_both(by_name, np.arange(3.0))


@pytest.mark.parametrize("i", [0, 1, -1])
def test_an_item_of_a_list_of_functions(run_both, i):
    run_both(one_step, 3.0, i)
    run_both(one_of_those_written, 3.0, i)


def one_of_those_written(x, i):
    return [doubled, next_of][i](x)


def all_steps(x):
    for step in STEPS:
        x = step(x)
    return x


def test_a_list_of_functions_may_change_between_calls():
    function = cl.jit(all_steps)
    assert function(3.0) == 7
    STEPS.append(doubled)
    try:
        assert function(3.0) == 14
        STEPS[0] = next_of
        assert function(3.0) == 10
    finally:
        STEPS[:] = [doubled, next_of]
    assert function(3.0) == 7


def test_a_list_of_functions_outside_does_not_change_inside():
    @cl.jit
    def longer(x):
        STEPS.append(doubled)
        return x

    with pytest.raises(cl.CompileError):
        longer(3.0)
    assert STEPS == [doubled, next_of]


def damped(rate):
    def step(u, c):
        return u - c * rate(u)

    return step


def schemes(u):
    table = {"first": damped(doubled), "second": damped(next_of)}
    found = {}
    for name, scheme in table.items():
        v = u.copy()
        for _ in range(3):
            v = scheme(v, 0.1)
        found[name] = {"u": v, "size": np.abs(v).mean()}
    order = sorted(found, key=lambda name: found[name]["size"])
    return found, order, table["second"](1.0, 0.5)


def test_functions_that_others_return_are_put_into_a_dictionary(run_both):
    run_both(schemes, np.arange(4.0))


def named_steps():
    return {"double": doubled}


def test_a_dictionary_of_functions_does_not_leave_the_program():
    with pytest.raises(cl.CompileError, match="container"):
        cl.jit(named_steps)()
