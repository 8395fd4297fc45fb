"""Namespaces that are bound to one queue (R6.4)."""

import inspect

import numpy as np
import pytest

import colocate as cl


@pytest.fixture
def xp(device):
    return cl.offload_to(device)


def belongs(x, xp):
    assert x.__array_module__ is xp and x.__array_namespace__() is xp and x.queue == xp.get_queue()
    return x


def test_numpy_arrays_and_arrays_of_any_queue_are_brought_over(xp):  # R6.4
    elsewhere = cl.ones(3, queue=cl.Queue("native:cpu", enable_profiling=True))
    assert belongs(xp.add(np.ones(3), elsewhere), xp).tolist() == [2, 2, 2]
    assert belongs(xp.concat([np.ones(1), elsewhere]), xp).shape == (4,)
    assert belongs(xp.where(np.array([True, False, True]), elsewhere, 0), xp).tolist() == [1, 0, 1]
    assert belongs(xp.full_like(elsewhere, 3), xp).tolist() == [3, 3, 3]
    assert belongs(xp.pad(array=np.ones(2), pad_width=1), xp).tolist() == [0, 1, 1, 0]
    assert belongs(xp.isclose(np.ones(2), b=elsewhere[:2]), xp).tolist() == [True, True]


def test_what_comes_in_sequences_belongs_too(xp):
    for x in xp.split(np.arange(4), 2):
        belongs(x, xp)
    for x in xp.meshgrid(np.arange(2), np.arange(3)):
        belongs(x, xp)
    x = belongs(xp.arange(6), xp)
    belongs(x[1:], xp)
    belongs(x + 1, xp)
    belongs(xp.reshape(x, (2, 3)).T, xp)


def test_creation_uses_the_queue_of_the_namespace(xp):
    for x in (
        xp.zeros(3),
        xp.ones(3, dtype="int8"),
        xp.arange(3),
        xp.linspace(0, 1, 3),
        xp.eye(2),
        xp.asarray([1, 2]),
        xp.asarray(np.ones(2)),
        xp.from_dlpack(np.ones(2)),
        xp.empty_like(np.ones(2)),
        xp.tri(3),
    ):
        belongs(x, xp)
    assert xp.zeros(3, device=xp.get_queue().device).shape == (3,)
    assert xp.zeros(3, queue=xp.get_queue()).shape == (3,)
    with pytest.raises(TypeError, match="its queue is fixed"):
        xp.zeros(3, queue=cl.Queue("native:cpu", enable_profiling=True))


def test_in_place_functions_change_what_they_are_given(xp):
    x = xp.zeros((2, 2))
    xp.fill_diagonal(x, 5)
    assert x.tolist() == [[5, 0], [0, 5]]
    out = xp.empty(2)
    assert xp.add(xp.ones(2), np.ones(2), out=out) is out
    assert out.tolist() == [2, 2]
    with pytest.raises(TypeError):
        xp.add(xp.ones(2), 1, out=np.empty(2))


def test_in_place_functions_change_what_they_are_given_by_name(xp):
    x = xp.zeros(3)
    xp.put(a=x, ind=[0], v=5)
    xp.place(arr=x, mask=np.asarray([False, True, False]), vals=[7])
    xp.putmask(a=x, mask=np.asarray([False, False, True]), values=9)
    assert x.tolist() == [5, 7, 9]
    elsewhere = np.zeros(3)
    with pytest.raises(TypeError):
        xp.put(a=elsewhere, ind=[0], v=5)


def test_the_namespace_has_everything_the_plain_one_has(xp):
    for name in cl.__all__:
        assert hasattr(xp, name), name
    assert set(cl.__all__) <= set(dir(xp))
    assert xp.float32 is cl.float32 and xp.pi == cl.pi and xp.Array is cl.Array
    assert xp.__array_api_version__ == cl.__array_api_version__
    assert not hasattr(xp, "no_such_function")
    assert xp.add is xp.add


def test_parts_of_functions_are_bound_too(xp):
    assert xp.add.nin == 2
    if hasattr(cl.add, "reduce"):
        assert float(belongs(xp.add.reduce(np.ones(3)), xp)) == 3
        assert belongs(xp.multiply.outer(np.arange(2), np.arange(3)), xp).shape == (2, 3)


def test_functions_keep_their_names_and_documentation(xp):
    assert xp.concat.__name__ == "concat" and xp.concat.__doc__ == cl.concat.__doc__
    assert inspect.isfunction(xp.arange)
    assert "offload_to" in repr(xp)


def test_the_namespace_describes_its_own_device(xp):
    info = xp.__array_namespace_info__()
    assert info.default_device() == xp.get_queue().device and info.devices() == (xp.get_queue().device,)


def test_random_numbers_of_a_namespace_are_drawn_on_its_queue(device):  # R6.4
    xp = cl.offload_to(device)
    drawn = xp.random.default_rng(1).normal(size=4)
    assert drawn.queue == xp.get_queue()
    plain = cl.random.default_rng(1, device=device).normal(size=4)
    assert cl.asnumpy(drawn).tolist() == cl.asnumpy(plain).tolist()
