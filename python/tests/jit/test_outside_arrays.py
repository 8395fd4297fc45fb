"""Arrays outside a jit function, which it reads where they are."""

import numpy as np

import colocate as cl

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
