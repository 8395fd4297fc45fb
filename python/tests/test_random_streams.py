"""Seeds, states and streams of generators."""

import ast
import copy
import doctest
import inspect
import json
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest

import colocate as cl


def draws(rng):
    """Some numbers of several kinds."""
    return [rng.random(5).tolist(), rng.integers(0, 100, 5).tolist(), rng.gamma(2.0, size=5).tolist()]


def test_the_same_seed_gives_the_same_numbers_and_another_others():
    assert draws(cl.random.default_rng(1)) == draws(cl.random.default_rng(1))
    assert draws(cl.random.default_rng(1)) != draws(cl.random.default_rng(2))
    assert draws(cl.random.default_rng()) != draws(cl.random.default_rng())
    assert draws(cl.random.default_rng([1, 2])) != draws(cl.random.default_rng([2, 1]))
    sequence = np.random.SeedSequence(1)
    assert draws(cl.random.default_rng(sequence)) == draws(cl.random.default_rng(1))


KNOWN = {
    "random": [0.5776617213327583, 0.46900094949894067, 0.5590057593647016],
    "standard_normal": [0.8934391577906886, 0.2883319436953236, -0.9589135915111886],
    "integers": [430, 887, 899, 29, 894],
    "gamma": [2.1103399483949348, 3.4119506821001018],
    "poisson": [21, 15, 21, 15, 17],
    "permutation": [0, 4, 3, 1, 5, 2],
}


def test_known_numbers_stay_what_they_are(device):
    """A change here changes everybody's results."""
    rng = cl.random.default_rng(42, device=device)
    assert rng.random(3).tolist() == KNOWN["random"]
    assert rng.standard_normal(3).tolist() == KNOWN["standard_normal"]
    assert rng.integers(0, 1000, 5).tolist() == KNOWN["integers"]
    assert rng.gamma(2.5, size=2).tolist() == KNOWN["gamma"]
    assert rng.poisson(20.0, size=5).tolist() == KNOWN["poisson"]
    assert rng.permutation(6).tolist() == KNOWN["permutation"]


def test_one_draw_after_another_gives_new_numbers(device):
    rng = cl.random.default_rng(1, device=device)
    seen = [float(rng.random()) for _ in range(50)]
    assert len(set(seen)) == 50


def test_a_state_can_be_saved_and_set(device):
    rng = cl.random.default_rng(1, device=device)
    rng.random(1000)
    state = json.loads(json.dumps(rng.bit_generator.state))
    first = draws(rng)
    assert draws(rng) != first
    rng.bit_generator.state = state
    assert draws(rng) == first
    other = cl.random.default_rng(99, device=device)
    other.bit_generator.state = state
    assert draws(other) == first


@pytest.mark.parametrize(
    "state",
    [
        {},
        7,
        {"bit_generator": "PCG64", "state": {"key": [1, 2], "position": 0}},
        {"bit_generator": "Philox4x32", "state": {"key": [1], "position": 0}},
        {"bit_generator": "Philox4x32", "state": {"key": [1, 2**32], "position": 0}},
        {"bit_generator": "Philox4x32", "state": {"key": [1, 2], "position": -1}},
    ],
)
def test_what_is_no_state_is_refused(state):
    with pytest.raises(ValueError, match="is not a state of Philox4x32"):
        cl.random.Philox(1).state = state


def test_generators_can_be_pickled_and_copied(device):
    rng = cl.random.default_rng(1, device=device)
    rng.random(10)
    twins = [pickle.loads(pickle.dumps(rng)), copy.deepcopy(rng)]
    assert all(twin.device == device for twin in twins)
    first = draws(rng)
    assert all(draws(twin) == first for twin in twins)
    children = [draws(child) for child in rng.spawn(2)]
    assert [draws(child) for child in twins[0].spawn(2)] == children


def test_spawned_generators_are_independent(device):
    rng = cl.random.default_rng(1, device=device)
    children = rng.spawn(3)
    assert all(child.queue == rng.queue for child in children)
    numbers = [cl.asnumpy(one.standard_normal(20_000)) for one in [rng, *children, *rng.spawn(1)]]
    for i, a in enumerate(numbers):
        for b in numbers[:i]:
            assert abs(np.corrcoef(a, b)[0, 1]) < 4.5 / np.sqrt(20_000)


def test_advancing_and_jumping_move_along_the_stream():
    bits = cl.random.Philox(1)
    rng = cl.random.Generator(bits, device="native:cpu")
    state = bits.state
    first = rng.standard_gamma(1.5, size=100).tolist()
    bits.state = state
    bits.advance(40)
    assert rng.standard_gamma(1.5, size=60).tolist() == first[40:]
    bits.advance(-100)
    assert bits.state == state
    ahead = bits.jumped(3)
    assert bits.state == state
    assert ahead.state == copy.deepcopy(bits).advance(3 << 64).state
    assert bits.advance(2**96).state == state


def test_a_draw_does_not_straddle_what_counters_hold(device):
    bits = cl.random.Philox(1)
    state = bits.state
    state["state"]["position"] = 2**64 - 3
    rng = cl.random.Generator(bits, device=device)
    bits.state = state
    x = rng.standard_gamma(1.5, size=10).tolist()
    assert len(set(x)) == 10
    assert bits.state["state"]["position"] == 2**64 + 10


def test_threads_share_a_generator_without_drawing_the_same_number():
    rng = cl.random.default_rng(1, device="native:cpu")
    seen = [[] for _ in range(4)]

    def work(mine):
        for _ in range(50):
            mine.append(cl.asnumpy(rng.random(20)))

    threads = [threading.Thread(target=work, args=(mine,)) for mine in seen]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    numbers = np.concatenate([x for mine in seen for x in mine])
    assert len(set(numbers.tolist())) == len(numbers)


def test_a_generator_is_on_the_current_queue_unless_told_otherwise(device):
    with cl.device_context(device) as queue:
        assert cl.random.default_rng(1).queue == queue
    rng = cl.random.default_rng(1, device=device)
    assert cl.random.default_rng(rng) is rng
    moved = cl.random.default_rng(rng, device="native:cpu")
    assert moved.bit_generator is rng.bit_generator and moved.device.backend == "native"
    with pytest.raises(TypeError, match="not a colocate"):
        cl.random.Generator(np.random.PCG64(1))


PUBLIC = [cl.random, cl.random.default_rng, cl.random.Philox, cl.random.Generator]
METHODS = [
    getattr(kind, name) for kind in (cl.random.Philox, cl.random.Generator) for name in dir(kind) if name[0] != "_"
]


@pytest.mark.parametrize("thing", [*PUBLIC, *METHODS], ids=lambda thing: getattr(thing, "__qualname__", ""))
def test_everything_has_a_docstring_whose_example_runs(thing):
    text = inspect.getdoc(thing)
    assert text and ">>>" in text
    runner = doctest.DocTestRunner()
    report = []
    runner.run(doctest.DocTestParser().get_doctest(text, {}, "random", None, 0), out=report.append)
    assert runner.failures == 0, "".join(report)


def test_the_stub_declares_every_method():
    stub = Path(cl.random.__file__).with_suffix(".pyi")
    classes = {node.name: node for node in ast.parse(stub.read_text()).body if isinstance(node, ast.ClassDef)}
    for kind in (cl.random.Philox, cl.random.Generator):
        declared = {node.name: node for node in classes[kind.__name__].body if isinstance(node, ast.FunctionDef)}
        for name in dir(kind):
            if name[0] == "_":
                continue
            assert name in declared, name
            if inspect.isfunction(getattr(kind, name)):
                arguments = declared[name].args
                names = [one.arg for one in [*arguments.args, *arguments.kwonlyargs]]
                assert names == list(inspect.signature(getattr(kind, name)).parameters), name


def test_the_methods_take_what_those_of_numpy_take():
    for name in dir(np.random.Generator):
        ours = getattr(cl.random.Generator, name, None)
        if name[0] == "_" or ours is None or not callable(ours):
            continue
        try:
            wanted = set(inspect.signature(getattr(np.random.Generator, name)).parameters) - {"self"}
        except ValueError:  # before NumPy 2.4
            pytest.skip("this NumPy does not tell")
        missing = wanted - set(inspect.signature(ours).parameters)
        assert not missing, f"{name} takes no {missing}"
