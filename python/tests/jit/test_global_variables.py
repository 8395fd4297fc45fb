"""Variables of the module that jit functions assign to."""

import numpy as np
import pytest

import colocate as cl

counter = 0
total = 0.0
grid = np.zeros(3)
found = None


def counted(n):
    global counter
    for _ in range(n):
        counter += 1
    return counter


def bump(by):
    global counter
    counter += by
    return counter


def seen_by_others(n):
    before = counter
    bump(n)
    after = counter
    return before, after, bump(1), counter


def several(x):
    global counter, total
    counter, total = counter + 1, total + x.sum()
    return total, counter


def becoming_a_float(n):
    global counter
    counter = n * 2.5
    return counter


def arrays(x):
    global grid
    grid = grid + x
    return grid.sum(), grid


def made_when_wanted(n):
    global found
    if found is None:
        found = np.arange(n)
    return found.sum()


def calling_itself(n):
    global counter
    counter += 1
    if n > 1:
        return n * calling_itself(n - 1)
    return 1


def raising(n):
    global counter
    counter = n
    if n > 2:
        raise ValueError("too many")
    return counter


def call_twice(program, jit, *arguments):
    global counter, total, grid, found
    counter, total, grid, found = 0, 0.0, np.zeros(3), None
    compiled = jit(program)
    given = [compiled(*arguments), compiled(*arguments)]
    return given, counter, total, grid.tolist(), None if found is None else found.tolist()


@pytest.mark.parametrize(
    "program, argument",
    [
        (counted, 3),
        (seen_by_others, 4),
        (several, np.arange(3.0)),
        (becoming_a_float, 3),
        (made_when_wanted, 4),
        (calling_itself, 4),
    ],
)
def test_an_assignment_to_a_global_is_seen_by_everybody(program, argument):
    assert call_twice(program, cl.jit, argument) == call_twice(program, lambda f: f, argument)


def test_a_global_may_hold_an_array():
    (first, second), *_ = call_twice(arrays, cl.jit, np.ones(3))
    assert first[0] == 3 and second[0] == 6
    assert second[1].tolist() == grid.tolist() == [2, 2, 2]


def test_a_global_keeps_what_it_was_given_before_an_exception():
    global counter
    counter = 0
    compiled = cl.jit(raising)
    assert compiled(2) == counter == 2
    with pytest.raises(ValueError, match="too many"):
        compiled(3)
    assert counter == 3


def test_a_program_is_compiled_once_however_often_the_global_changes():
    global counter
    compiled = cl.jit(counted)
    for value in (5, 700, -3):
        counter = value
        assert compiled(2) == value + 2
    assert len(compiled.signatures) == 1
