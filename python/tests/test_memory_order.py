"""New arrays lie in memory as NumPy's do: in the order of what they are made from."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import colocate as cl


def meant(array):
    """The strides that say where elements are."""
    if array.size == 0:
        return None
    return tuple(stride for extent, stride in zip(array.shape, array.strides, strict=True) if extent != 1)


@st.composite
def layouts(draw, shape=None):
    """How an array of a shape is made from memory: extents there, steps, the order of axes, what is repeated."""
    if shape is None:
        shape = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    steps = [draw(st.sampled_from([1, 1, 1, 2, -1, -2])) for _ in shape]
    order = draw(st.permutations(range(len(shape))))
    repeated = [draw(st.integers(0, 5)) == 0 for _ in shape]
    return tuple(shape), steps, tuple(order), repeated


def lying(layout, start=0.0):
    """The NumPy array and ours of a layout."""
    shape, steps, order, repeated = layout
    extents = [1 if repeated[axis] else shape[axis] * abs(steps[axis]) for axis in order]
    memory = np.arange(start, start + np.prod(extents)).reshape(extents)

    def view(x, xp):
        back = [order.index(axis) for axis in range(len(order))]
        x = xp.permute_dims(x, tuple(back))
        slices = tuple(slice(None, None, 1 if again else step) for step, again in zip(steps, repeated, strict=True))
        return xp.broadcast_to(x[slices], shape)

    return view(memory, np), view(cl.asarray(memory, device="native:cpu"), cl)


def check(theirs, ours):
    assert ours.shape == theirs.shape and ours.tolist() == theirs.tolist()
    assert meant(ours) == meant(theirs)
    assert ours.flags.c_contiguous == theirs.flags.c_contiguous
    assert ours.flags.f_contiguous == theirs.flags.f_contiguous


ONE_ARRAY = {
    "x + 1": lambda xp, x: x + 1,
    "negative": lambda xp, x: xp.negative(x),
    "greater": lambda xp, x: x > 3,
    "another dtype": lambda xp, x: xp.add(x, 1, dtype="complex128"),
    "where": lambda xp, x: xp.where(x > 3, x, -1),
    "clip": lambda xp, x: xp.clip(x, 1, 5),
    "zeros_like": lambda xp, x: xp.zeros_like(x),
    "ones_like": lambda xp, x: xp.ones_like(x, order="A"),
    "full_like": lambda xp, x: xp.full_like(x, 7, dtype="int16"),
    "like in C order": lambda xp, x: xp.zeros_like(x, order="C"),
    "copy": lambda xp, x: xp.copy(x),
    "method copy": lambda xp, x: x.copy(),
    "copy A": lambda xp, x: x.copy(order="A"),
    "copy F": lambda xp, x: x.copy(order="F"),
    "astype": lambda xp, x: x.astype("float32"),
    "astype same": lambda xp, x: x.astype("float64"),
    "astype C": lambda xp, x: x.astype("int32", order="C"),
    "array": lambda xp, x: xp.array(x),
    "ravel K": lambda xp, x: xp.ravel(x, order="K"),
    "ravel A": lambda xp, x: xp.ravel(x, order="A"),
    "flatten K": lambda xp, x: x.flatten("K"),
    "cumsum": lambda xp, x: xp.cumsum(x, axis=0),
    "sort": lambda xp, x: xp.sort(x, axis=0),
    "sort along the last axis": lambda xp, x: xp.sort(x),
    "argsort": lambda xp, x: xp.argsort(x, axis=0, stable=True),
    "concatenate": lambda xp, x: xp.concatenate([x, x]),
    "concatenate with row-major": lambda xp, x: xp.concatenate([x, xp.ascontiguousarray(x)], axis=-1),
    "stack": lambda xp, x: xp.stack([x, x], axis=1),
    "roll": lambda xp, x: xp.roll(x, 1, axis=0),
}


@pytest.mark.parametrize("name", ONE_ARRAY)
@settings(max_examples=60, deadline=None)
@given(layout=layouts())
def test_results_lie_as_their_array_does(name, layout):
    theirs, ours = lying(layout)
    assert meant(ours) == meant(theirs)
    check(ONE_ARRAY[name](np, theirs), ONE_ARRAY[name](cl, ours))


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_results_of_several_arrays_lie_as_numpys_do(data):
    shape = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    pairs = []
    for _ in range(data.draw(st.integers(2, 3))):
        own = [data.draw(st.sampled_from([extent, extent, extent, 1])) for extent in shape]
        own = own[data.draw(st.integers(0, len(own) - 1)) if data.draw(st.booleans()) else 0 :]
        pairs.append(lying(data.draw(layouts(own))))
    theirs, ours = zip(*pairs, strict=True)
    check(theirs[0] + theirs[1], ours[0] + ours[1])
    if len(pairs) == 3:
        check(np.where(theirs[0] > 2, theirs[1], theirs[2]), cl.where(ours[0] > 2, ours[1], ours[2]))


@settings(max_examples=100, deadline=None)
@given(layout=layouts(), order=st.sampled_from(["K", "C", "F", "A"]))
def test_functions_are_told_the_order_of_their_result(layout, order):
    theirs, ours = lying(layout)
    check(np.negative(theirs, order=order), cl.negative(ours, order=order))
    check(np.add(theirs, theirs.copy("K"), order=order), cl.add(ours, ours.copy("K"), order=order))


@pytest.mark.parametrize("name", ["sum", "max", "mean", "argmax", "any", "var"])
@settings(max_examples=60, deadline=None)
@given(layout=layouts(), keepdims=st.booleans(), data=st.data())
def test_reductions_lie_as_numpys_do(name, layout, keepdims, data):
    theirs, ours = lying(layout)
    axis = data.draw(st.integers(0, theirs.ndim - 1))
    if name != "argmax" and data.draw(st.booleans()):
        axis = tuple(data.draw(st.sets(st.integers(0, theirs.ndim - 1), min_size=1)))
    theirs = getattr(np, name)(theirs, axis=axis, keepdims=keepdims)
    ours = getattr(cl, name)(ours, axis=axis, keepdims=keepdims)
    np.testing.assert_allclose(cl.asnumpy(ours), theirs)
    assert meant(ours) == meant(np.asarray(theirs))


def test_host_arrays_keep_their_order(device):
    x = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    for ours in (
        cl.asarray(x, device=device),
        cl.asarray(x, device=device, dtype="float32"),
        cl.array(x, device=device),
    ):
        assert ours.flags.f_contiguous and ours.tolist() == x.tolist()
    assert cl.asarray(x, device=device, order="C").flags.c_contiguous


def test_large_arrays_lie_as_numpys_do_too(device):
    x = np.arange(300.0 * 40 * 50).reshape(300, 40, 50).transpose(2, 0, 1)
    ours = cl.asarray(x, device=device)
    for function in (lambda x: x * 2, lambda x: x.sum(axis=1), lambda x: x.var(axis=0), lambda x: x.cumsum(axis=2)):
        ours_result, theirs = function(ours), function(x)
        np.testing.assert_allclose(cl.asnumpy(ours_result), theirs, rtol=1e-12)
        assert meant(ours_result) == meant(theirs)
    check(np.sort(-x, axis=1), cl.sort(-ours, axis=1))
    np.testing.assert_allclose(cl.asnumpy(cl.fft.fft(ours, axis=1)), np.fft.fft(x, axis=1), atol=1e-5)
    assert meant(cl.fft.fft(ours, axis=1)) == meant(np.fft.fft(x, axis=1))
