"""Compute follows data in every function of the public namespaces (R3.*), one recipe each."""

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest
from placement_recipes import RANDOM, RANDOM_WITHOUT_ARRAYS, RECIPES, WITHOUT_ARRAYS

import colocate as cl

USM_TYPES = ("device", "shared", "host")
EXTENSIONS = ("linalg", "fft")


def public_functions():
    """Every public function by name; those of the extensions with the extension's name before."""
    found = {}
    for prefix in ("", *EXTENSIONS):
        module = getattr(cl, prefix, None) if prefix else cl
        for name in getattr(module, "__all__", ()):
            member = getattr(module, name)
            if callable(member) and not isinstance(member, type):
                found[f"{prefix}.{name}" if prefix else name] = member
    return found


FUNCTIONS = public_functions()
TESTED = sorted(name for name in FUNCTIONS if name in RECIPES)
OF_SEVERAL = [name for name in TESTED if len(RECIPES[name].arrays) > 1]

for_each = pytest.mark.parametrize("name", TESTED)
for_each_of_several = pytest.mark.parametrize("name", OF_SEVERAL)


def arrays_in(result):
    """The arrays of a result, which may be a tuple, a list or an object of them."""
    if isinstance(result, cl.Array):
        yield result
    elif isinstance(result, (tuple, list)):
        for one in result:
            yield from arrays_in(one)


def arguments(name, queue, usm_types=("device",), recipes=RECIPES):
    """The arrays of a recipe on a queue; the last of the USM types is that of all further arrays."""
    values = list(recipes[name].arrays.values())
    kinds = itertools.chain(usm_types, itertools.repeat(usm_types[-1]))
    return [
        cl.asarray(value, queue=queue, usm_type=kind, copy=True) for value, kind in zip(values, kinds, strict=False)
    ]


def call(name, arrays):
    """The function, as its recipe says."""
    return RECIPES[name].call(FUNCTIONS[name], *arrays)


def other_places(device):
    """Queues that are not equivalent to the device's default queue: of the same device, and of others."""
    yield cl.Queue(device, in_order=False)
    for other in cl.devices():
        if other != device:
            yield other.default_queue


def mixtures(name, device):
    """Arguments of which one, in turn, is somewhere else."""
    for place in other_places(device):
        for position in range(len(RECIPES[name].arrays)):
            arrays = arguments(name, device.default_queue)
            arrays[position] = arguments(name, place)[position]
            yield arrays


def test_every_public_function_has_a_recipe():
    without = [name for name in FUNCTIONS if name not in RECIPES and name not in WITHOUT_ARRAYS]
    assert not without, f"no recipe in placement_recipes.py for {', '.join(sorted(without))}"


@for_each
def test_results_live_on_the_queue_of_the_arguments(name, device):  # R3.1
    queue = cl.Queue(device)
    for result in arrays_in(call(name, arguments(name, queue))):
        assert result.queue == queue


@for_each_of_several
def test_the_first_of_equivalent_queues_counts(name, device):  # R3.1
    queue = cl.Queue(device)
    first, *rest = arguments(name, queue)
    if RECIPES[name].views:
        pytest.skip("gives its arguments back, each on its own queue")
    rest = [one.asarray(queue=cl.Queue(device)) for one in rest]
    for result in arrays_in(call(name, [first, *rest])):
        assert result.queue == queue


@for_each
def test_results_have_the_usm_type_nearest_to_the_device(name, device):  # R3.3
    several = len(RECIPES[name].arrays) > 1
    for kinds in itertools.product(USM_TYPES, repeat=2 if several else 1):
        results = list(arrays_in(call(name, arguments(name, device.default_queue, kinds))))
        own = RECIPES[name].views and several
        wanted = list(kinds) if own else [cl.get_coerced_usm_type(*kinds)] * len(results)
        assert [one.usm_type for one in results] == wanted, f"for arguments of {kinds}"


@for_each_of_several
def test_arrays_on_other_queues_are_refused_and_nothing_happens(name, device):  # R3.1
    for arrays in mixtures(name, device):
        for one in arrays:
            one.wait()
        before = cl.memory_stats()
        with pytest.raises(cl.ExecutionPlacementError):
            call(name, arrays)
        assert cl.memory_stats() == before


@for_each_of_several
def test_numpy_arrays_are_not_mixed_in(name, device):  # R3.5
    recipe = RECIPES[name]
    for position, (argument, value) in enumerate(recipe.arrays.items()):
        arrays = arguments(name, device.default_queue)
        arrays[position] = value.copy()
        if argument in recipe.host:
            continue
        # Members of a list are named by their position in it.
        with pytest.raises(cl.HostDataError, match=rf"('{argument}'|\[\d\]).*R3\.[56]") as caught:
            call(name, arrays)
        assert isinstance(caught.value, TypeError)


@for_each
def test_numpy_arrays_alone_have_no_queue(name):  # R3.6
    with pytest.raises(TypeError):
        call(name, [value.copy() for value in RECIPES[name].arrays.values()])
    with cl.device_context("native:cpu"), pytest.raises(TypeError):
        call(name, [value.copy() for value in RECIPES[name].arrays.values()])


@for_each
def test_arguments_are_left_as_they_were(name, device):
    if name in ("copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"):
        pytest.skip("is there to change its argument")
    arrays = arguments(name, device.default_queue)
    call(name, arrays)
    for array, value in zip(arrays, RECIPES[name].arrays.values(), strict=True):
        np.testing.assert_array_equal(cl.asnumpy(array), value)


def generator_methods():
    """The public methods of random generators."""
    names = (name for name in dir(cl.random.Generator) if not name.startswith("_"))
    return [name for name in names if callable(getattr(cl.random.Generator, name))]


def test_every_method_of_generators_has_a_recipe():
    without = [name for name in generator_methods() if name not in RANDOM and name not in RANDOM_WITHOUT_ARRAYS]
    assert not without, f"no recipe in placement_recipes.py for {', '.join(without)}"


@pytest.mark.parametrize("name", sorted(set(RANDOM) & set(generator_methods())))
def test_generators_take_arrays_of_their_own_queue(name, device):  # R3.1, R3.5
    queue = cl.Queue(device)
    method = getattr(cl.random.default_rng(1, queue=queue), name)
    arrays = arguments(name, queue, recipes=RANDOM)
    for result in arrays_in(RANDOM[name].call(method, *arrays)):
        assert result.queue == queue
    for position, value in enumerate(RANDOM[name].arrays.values()):
        for place in other_places(device):
            elsewhere = cl.asarray(value, queue=place, copy=True)
            with pytest.raises(cl.ExecutionPlacementError):
                RANDOM[name].call(method, *arrays[:position], elsewhere, *arrays[position + 1 :])
        if len(arrays) > 1:
            with pytest.raises(TypeError):
                RANDOM[name].call(method, *arrays[:position], value.copy(), *arrays[position + 1 :])


@pytest.mark.skipif("COLOCATE_NATIVE_DEVICES" in os.environ, reason="runs inside itself")
def test_all_of_this_with_two_root_devices():  # R1.7, R3.1
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__]
    done = subprocess.run(
        [*command, "-k", "native and (refused or mixed or queue_of_the_arguments)"],
        env={**os.environ, "COLOCATE_NATIVE_DEVICES": "2"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert "passed" in done.stdout
