"""The functions of NumPy's older random module: their names, shapes and places, with numbers of our own."""

import inspect

import numpy as np
import pytest

import colocate as cl

CALLS = {
    "rand": (2, 3),
    "randn": (2, 3),
    "randint": (0, 5, (2, 3)),
    "random": ((2, 3),),
    "random_sample": ((2, 3),),
    "ranf": ((2, 3),),
    "sample": ((2, 3),),
    "uniform": (1.0, 2.0, (2, 3)),
    "normal": (10.0, 0.1, (2, 3)),
    "standard_normal": ((2, 3),),
    "exponential": (1.0, (2, 3)),
    "poisson": (3.0, (2, 3)),
    "binomial": (10, 0.5, (2, 3)),
    "beta": (1.0, 2.0, (2, 3)),
    "choice": (5, (2, 3)),
    "permutation": (5,),
}


@pytest.mark.parametrize("name", CALLS)
def test_functions_of_the_module_draw_what_numpys_do(name, device):
    ours = getattr(cl.random, name)(*CALLS[name], device=device)
    theirs = getattr(np.random, name)(*CALLS[name])
    assert ours.device == device and ours.shape == theirs.shape and ours.dtype.kind == theirs.dtype.kind
    cl.random.seed(3)
    first = getattr(cl.random, name)(*CALLS[name], device=device)
    cl.random.seed(3)
    assert getattr(cl.random, name)(*CALLS[name], device=device).tolist() == first.tolist()


def test_every_function_of_numpys_is_there():
    skipped = {"BitGenerator", "MT19937", "PCG64", "PCG64DXSM", "SFC64", "random_integers", "get_bit_generator"}
    skipped |= {"set_bit_generator", "test", "mtrand", "bit_generator", "tomaxint"}
    theirs = {name for name in np.random.__all__ if name not in skipped}
    assert theirs <= set(cl.random.__all__)
    assert cl.random.SeedSequence is np.random.SeedSequence


@pytest.mark.parametrize("name", [name for name in CALLS if name not in ("rand", "randn", "ranf", "sample", "choice")])
def test_arguments_have_the_names_that_numpy_gives_them(name):
    ours, theirs = (inspect.signature(getattr(module.random, name)) for module in (cl, np))
    wanted = list(theirs.parameters)
    assert list(ours.parameters)[: len(wanted)] == wanted


def test_numbers_are_those_of_a_generator():
    cl.random.seed(11)
    rng = cl.random.default_rng(11)
    assert cl.random.rand(4).tolist() == rng.random(4).tolist()
    assert cl.random.randint(9, size=4).tolist() == rng.integers(9, size=4).tolist()
    assert cl.random.normal(size=4).tolist() == rng.normal(size=4).tolist()


def test_numbers_are_drawn_where_the_arrays_are(device):
    queue = cl.Queue(device)
    loc = cl.asarray([0.0, 100.0], queue=queue)
    assert cl.random.normal(loc, 1.0).queue == queue and cl.random.normal(loc=loc).queue == queue
    assert sorted(cl.random.permutation(loc).tolist()) == [0.0, 100.0]
    cl.random.shuffle(loc)
    assert sorted(loc.tolist()) == [0.0, 100.0]
    assert set(cl.random.choice(loc, 5).tolist()) <= {0.0, 100.0}
    with cl.device_context(queue):
        assert cl.random.rand(3).queue == queue
    assert cl.random.RandomState(1, queue=queue).rand(3).queue == queue
    xp = cl.offload_to(queue)
    assert xp.random.rand(3).queue == queue and xp.random.normal(size=3).queue == queue


def test_a_state_is_kept_and_set():
    state = cl.random.RandomState(5)
    kept = state.get_state()
    first = state.uniform(size=3).tolist()
    state.set_state(kept)
    assert state.uniform(size=3).tolist() == first
    assert state.rand().shape == () and isinstance(state.bytes(4), bytes)
    assert cl.random.RandomState(cl.random.Philox(5)).uniform(size=3).tolist() == first
