"""The simulator itself: it must see every difference, or the tests that use it say nothing."""

import numpy as np
import pytest
from kernel_simulator import check, same, simulate

import colocate as cl


@pytest.mark.parametrize(
    ("expected", "got"),
    (
        (np.array([1, 2]), np.array([1, 3])),
        (np.array([1, 2]), np.array([1.0, 2.0])),
        (np.array([1, 2]), np.array([[1, 2]])),
        (np.array([0.0]), np.array([-0.0])),
        (np.array([np.nan]), np.array([0.0])),
        (np.array([np.inf]), np.array([np.finfo(float).max])),
        (np.array([1.0]), np.array([1.0 + 2**-52])),
        (np.array([1 + 2j]), np.array([1 - 2j])),
        ((np.array([1]), np.array([2])), (np.array([1]), np.array([1]))),
    ),
)
def test_differences_are_seen(expected, got):
    same(expected, expected)
    with pytest.raises(AssertionError):
        same(expected, got)


def test_units_in_the_last_place_are_counted():
    one = np.array([1.0, -1.0], np.float32)
    near = one + np.array([3, -3], np.float32) * np.spacing(np.float32(1))
    same(one, near, ulps=3)
    with pytest.raises(AssertionError):
        same(one, near, ulps=2)


@cl.kernel
def shifted(x, out):
    i, at, size = cl.get_global_id(0), cl.get_local_id(0), cl.get_local_size(0)
    shared = cl.local_array(4, np.int64)
    shared[at] = x[i]
    cl.barrier()
    out[i] = shared[(at + 1) % size] + cl.group.sum(x[i]) * 10


def test_items_of_a_group_meet_at_barriers():
    out = np.zeros(6, np.int64)
    simulate(shifted, (6,), np.arange(6), out, local=(3,))
    assert out.tolist() == [31, 32, 30, 124, 125, 123]


@cl.kernel
def fails(x):
    if cl.get_local_id(0) == 1:
        x[100] = 1
    cl.barrier()


def test_an_item_that_raises_ends_its_group():
    with pytest.raises(IndexError):
        simulate(fails, (4,), np.zeros(4), local=(4,))


def test_index_functions_are_as_before_afterwards():
    with pytest.raises(IndexError):
        simulate(fails, (4,), np.zeros(4), local=(4,))
    with pytest.raises(cl.OutsideKernelError):
        cl.get_global_id(0)


def test_a_kernel_that_computes_something_else_is_seen(device):
    calls = []

    @cl.kernel
    def kernel(x):
        x[cl.get_global_id(0)] = 1

    class Other:
        """Launches the kernel, but simulates another function."""

        def __wrapped__(self, x):
            calls.append(1)
            x[0] = 2

        def __getitem__(self, space):
            return kernel[space]

    with pytest.raises(AssertionError, match=r"Python gives np.float64\(2.0\), the kernel np.float64\(1.0\)"):
        check(device, Other(), 1, np.zeros(1))
    assert calls
