"""Arrays outside a jit function, which it reads and writes where they are."""

import numpy as np
import pytest

import colocate as cl

from .comparison import same

TABLE = np.arange(12.0).reshape(3, 4)
SPARSE = np.arange(20)[::3]
OTHER = np.array([1.0, 2.0])


def look_up(i, j):
    return TABLE[i, j] + SPARSE[i]


def in_a_loop(n):
    total = 0.0
    for i in range(n):
        if i > 0:
            total += TABLE[i].sum()
    return total


def whole(x):
    return x * TABLE + TABLE.T.sum()


def test_global_arrays_are_read(run_both):
    run_both(look_up, 2, 1)
    run_both(in_a_loop, 3)
    run_both(whole, np.ones((3, 4)))


def test_arrays_of_an_enclosing_function_are_read(run_both):
    weights = np.array([0.5, 0.25])

    def weighted(x):
        return (x * weights).sum()

    run_both(weighted, np.array([2.0, 4.0]))


def test_what_changes_in_them_is_seen():
    table = np.zeros(3)

    @cl.jit
    def first():
        return table[0]

    assert first() == 0
    table[0] = 5
    assert first() == 5


def test_another_array_of_the_name_is_seen():
    @cl.jit
    def total():
        return OTHER.sum()

    global OTHER
    before = OTHER
    try:
        assert total() == 3
        OTHER = np.array([[1, 2], [3, 4]])
        assert total() == 10
    finally:
        OTHER = before


SHARED = np.zeros(6)
TAIL = SHARED[2:]
PAIRS = ((np.zeros(2), 1), (np.zeros(3),))
FIXED = np.zeros(3)
FIXED.setflags(write=False)


def write_all(x):
    SHARED[0] = 7.0
    SHARED[1:] += x
    for i in range(2):
        SHARED[i] *= 2
    return SHARED.sum()


def write_in_tuple(x):
    PAIRS[0][0][0] = x
    PAIRS[1][0][:] = x + 1
    return PAIRS[0][0] * 2


def write_in_parallel(n):
    for i in cl.prange(n):
        SHARED[i] = i * i
    return SHARED.sum()


def write_both_ways(x):
    a = TAIL[0] + SHARED.sum()
    SHARED[2:] = x
    b = TAIL * 2
    TAIL[1] = -1.0
    SHARED[5] += SHARED[3]
    return a, b, SHARED + 0, TAIL.sum()


def write_by_function(values):
    np.copyto(SHARED, values)
    np.fill_diagonal(SHARED.reshape(2, 3), 9.0)
    SHARED[::2].sort()
    return SHARED[0]


def both(run, program, *arguments):
    """What plain Python and the jit function give, and what they leave in the arrays."""
    ends = []
    for function in (program, run.jit(program)):
        for array in (SHARED, *(part[0] for part in PAIRS)):
            array[:] = 1.0
        with run.context():
            result = function(*arguments)
        ends.append((result, SHARED.copy(), [part[0].copy() for part in PAIRS]))
    same(*ends)


def test_arrays_from_outside_are_written(run_both):
    both(run_both, write_all, np.arange(5.0))
    both(run_both, write_in_tuple, 4.0)
    both(run_both, write_in_parallel, 6)
    both(run_both, write_both_ways, 3.0)
    both(run_both, write_by_function, np.arange(6.0))


def test_an_array_of_an_enclosing_function_is_written(run_both):
    counts = np.zeros(4, np.int64)

    def count(x):
        for one in x:
            counts[one] += 1

    with run_both.context():
        run_both.jit(count)(np.array([1, 3, 3]))
    assert counts.tolist() == [0, 1, 0, 2]


def add_to_both(x):
    x[1] = 5.0
    before = SHARED[1]
    SHARED[1] += 1
    x[0] = SHARED[1]
    return before


def test_an_array_from_outside_that_is_an_argument_too(run_both):
    ends = []
    for function in (add_to_both, run_both.jit(add_to_both)):
        SHARED[:] = 0
        with run_both.context():
            ends.append((function(SHARED), SHARED.tolist()))
            ends[-1] += (function(SHARED[1:4]), SHARED.tolist())
    assert ends[0] == ends[1]


def write_fixed():
    FIXED[0] = 1.0


def test_a_read_only_array_from_outside_is_not_written(run_both):
    run_both.raises(ValueError, write_fixed)


def test_an_array_that_becomes_read_only_is_not_written():
    table = np.zeros(3)

    @cl.jit
    def write(x):
        table[0] = x

    write(1.0)
    table.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        write(2.0)
    assert table[0] == 1.0
