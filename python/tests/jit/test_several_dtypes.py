"""Arrays whose dtype depends on the path taken."""

import numpy as np
import pytest

import colocate as cl

UNIT = np.eye(2)
SPIN = np.array([[0.0, -1j], [1j, 0.0]])


def chosen(a, k):
    return (a if k else np.eye(2)) @ np.array([1.0, 1j]), (UNIT if k else a) @ np.array([1j, 2.0])


def named(a, k):
    if k:
        x = UNIT
    else:
        x = a
    return x * 1j, (x + x.T).sum() * 1j


def at_site(op, n, site):
    whole = np.eye(1)
    for i in range(n):
        whole = np.kron(whole, op if i == site else np.eye(2))
    return whole


def integers(a, b, k):
    return (a if k else b).sum() / 2


@pytest.mark.parametrize("k", [0, 1])
def test_an_array_is_complex_if_it_is_on_one_path(run_both, k):
    run_both(chosen, SPIN, k)
    run_both(named, SPIN, k)
    run_both(at_site, SPIN, 3, k)
    run_both(integers, np.arange(3), np.arange(3) + 0.5, k)


def written_after(a, b, k):
    x = b if k else a
    b[0, 0] = 7.0
    return x * 1j


def written_outside(a, k):
    x = UNIT if k else a
    UNIT[0, 0] += 0.0
    return x * 1j


def written_itself(a, k):
    x = UNIT * 2 if k else a
    x[0, 0] = 7.0
    return x * 1j


def given_back(a, k):
    x = a if k else UNIT
    return x


def given_back_from_each_way(a, k):
    return a if k else UNIT


def masks(a, b, k):
    return UNIT[0][a if k else b] * 1.0


@pytest.mark.parametrize("k", [0, 1])
def test_each_way_of_a_return_gives_its_own_array(run_both, k):
    run_both(given_back_from_each_way, SPIN, k)


@pytest.mark.parametrize("k", [0, 1])
def test_a_small_number_says_which_kind_of_index_is_taken(run_both, k):
    run_both(masks, np.array([True, False]), np.array([1, 0]), k)


def test_what_would_be_a_copy_is_not_written_to_and_not_returned(run_both):
    with run_both.context():
        with pytest.raises(cl.CompileError, match="this is either"):
            run_both.jit(written_after)(SPIN, np.eye(2), 100)
        with pytest.raises(cl.CompileError, match="this is either"):
            run_both.jit(written_outside)(SPIN, 100)
        with pytest.raises(cl.CompileError, match="is only read"):
            run_both.jit(written_itself)(SPIN, 100)
        with pytest.raises(cl.CompileError, match="depends on the path taken"):
            run_both.jit(given_back)(SPIN, 100)
        with pytest.raises(cl.CompileError):
            run_both.jit(masks)(np.array([True, False]), np.array([1, 0]), 100)
