"""Axes of length 1 that are left out, where only the arguments tell which those are."""

import numpy as np
import pytest

import colocate as cl

SHAPES = [(4, 3), (4, 1), (1, 3), (1, 1), (1, 3, 1)]


def of(shape):
    return np.arange(float(np.prod(shape))).reshape(shape)


def squeezed(x):
    turned = x.T.squeeze()
    return np.squeeze(x), x.squeeze() + 1, turned, turned.ndim, x[None].squeeze().shape


@pytest.mark.parametrize("shape", SHAPES)
def test_arguments_are_squeezed(run_both, shape):
    run_both(squeezed, of(shape))


def test_arguments_in_other_orders_are_squeezed(run_both):
    run_both(squeezed, np.asfortranarray(of((2, 3, 1))))
    run_both(squeezed, np.asfortranarray(of((1, 3, 2))))
    run_both(squeezed, of((2, 3, 1))[::-1])


def means(x, axis=0):
    return np.mean(x, axis=axis, keepdims=True).squeeze()


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_what_is_kept_of_an_axis_is_squeezed(run_both, axis):
    run_both(means, of((4, 3)), axis)
    run_both(means, of((1, 3)), axis)


def product(a, x):
    return (a @ x).squeeze()


def test_products_are_squeezed(run_both):
    run_both(product, of((3, 3)), of((3, 1)))
    run_both(product, of((1, 3)), of((3, 1)))
    run_both(product, of((3, 3)), of((3, 2)))


def changed(x):
    y = x.squeeze()
    y += 1
    return x


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_left_shares_memory(run_both, shape):
    run_both(changed, of(shape))


def by_flag(x, flag):
    return x.squeeze() if flag else x


@pytest.mark.parametrize("flag", [True, False])
def test_flags_and_extents_are_known_together(run_both, flag):
    run_both(by_flag, of((1, 3)), flag)


def test_every_call_is_told_by_its_own_arguments():
    compiled = cl.jit(lambda x: x.squeeze().shape)
    for shape in (*SHAPES, *SHAPES):
        assert compiled(of(shape)) == of(shape).squeeze().shape


def every_one(arrays):
    return [a * 2 for a in arrays], [np.zeros_like(a) for a in arrays], [a.sum() for a in arrays]


def test_a_comprehension_over_arrays_of_several_kinds(run_both):
    run_both(every_one, [np.ones((3, 3)), np.ones(3)])
    run_both(every_one, [np.ones(3), np.ones(3)])
    run_both(every_one, [np.ones(3), np.ones(3, "int64")])
