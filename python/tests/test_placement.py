"""Compute follows data (R3.*)."""

import itertools
import warnings

import numpy as np
import pytest

import colocate as cl

RANK = {"device": 0, "shared": 1, "host": 2}


def test_a_function_runs_on_the_queue_of_its_first_array(device):  # R3.1
    x, y = cl.ones(3, queue=cl.Queue(device)), cl.ones(3, queue=cl.Queue(device))
    assert cl.get_execution_queue(x, y) == x.queue
    assert cl.get_execution_queue(y, x) == y.queue
    assert cl.get_execution_queue(x) == x.queue


def test_queues_that_are_not_equivalent_are_refused(device):  # R3.1
    x = cl.ones(3, queue=cl.Queue(device))
    for properties in ({"in_order": False}, {"enable_profiling": True}):
        y = cl.ones(3, queue=cl.Queue(device, **properties))
        with pytest.raises(cl.ExecutionPlacementError):
            cl.get_execution_queue(x, y)


def test_the_message_lists_every_argument_and_the_line_that_fixes_it(device):  # R3.1
    left = cl.ones(3, queue=cl.Queue(device))
    right = cl.ones(3, queue=cl.Queue(device, in_order=False), usm_type="shared")
    with pytest.raises(cl.ExecutionPlacementError) as caught:
        cl.get_execution_queue(left, 1.0, right)
    message = str(caught.value)
    assert message.count(str(device)) == 2
    for word in ("left", "right", "shared memory", "device memory", "out of order", "R3.1"):
        assert word in message
    fix = next(line for line in message.splitlines() if "asarray" in line).strip()
    assert fix == "right = colocate.asarray(right, queue=left.queue)"
    scope = {"colocate": cl, "left": left, "right": right}
    exec(fix, scope)
    assert cl.get_execution_queue(left, scope["right"]) == left.queue


def test_a_refusal_allocates_and_copies_nothing(sycl_device):  # R3.1
    x, y = cl.ones(1000, device="native:cpu"), cl.ones(1000, device=sycl_device)
    before = cl.memory_stats()
    with pytest.raises(cl.ExecutionPlacementError):
        cl.get_execution_queue(x, y)
    with pytest.raises(cl.ExecutionPlacementError):
        x[...] = y
    assert cl.memory_stats() == before


def test_usm_types_may_be_mixed(device):  # R3.2
    arrays = [cl.ones(3, device=device, usm_type=usm_type) for usm_type in RANK]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cl.get_execution_queue(*arrays) == device.default_queue


def test_mixing_warns_if_asked(device):  # R3.2
    x, y = cl.ones(3, device=device), cl.ones(3, device=device, usm_type="host")
    cl.config.warn_on_mixed_usm = True
    try:
        with pytest.warns(cl.PerformanceWarning, match="device, host"):
            cl.get_execution_queue(x, y)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            cl.get_execution_queue(x, x)
    finally:
        cl.config.warn_on_mixed_usm = False


@pytest.mark.parametrize(("one", "two"), list(itertools.product(RANK, RANK)))
def test_the_results_usm_type_is_the_nearest_to_the_device(device, one, two):  # R3.3
    x, y = cl.ones(1, device=device, usm_type=one), cl.ones(1, device=device, usm_type=two)
    wanted = min(one, two, key=RANK.get)
    assert cl.get_coerced_usm_type(x, y) == cl.get_coerced_usm_type(one, two) == wanted
    assert cl.get_coerced_usm_type(x, 2, y) == wanted


def test_usm_types_need_something_to_come_from():
    for arguments in ((), (1, 2)):
        with pytest.raises(ValueError, match="USM type"):
            cl.get_coerced_usm_type(*arguments)
    with pytest.raises(ValueError, match="usm_type="):
        cl.get_coerced_usm_type("fast")
    with pytest.raises(TypeError):
        cl.get_coerced_usm_type(np.ones(2))


def test_python_scalars_have_no_place(device):  # R3.4
    x = cl.ones(3, device=device)
    for scalar in (1, 2.5, 1j, True, np.float32(2)):
        assert cl.get_execution_queue(scalar, x) == x.queue


def test_arrays_of_no_dimension_are_arrays(device):  # R3.4
    scalar = cl.asarray(1.0, queue=cl.Queue(device, in_order=False))
    with pytest.raises(cl.ExecutionPlacementError):
        cl.get_execution_queue(cl.ones(3, device=device), scalar)


def test_numpy_arrays_are_not_mixed_with_ours(device):  # R3.5
    x, theirs = cl.ones(3, device=device), np.ones(3)
    with pytest.raises(TypeError, match=r"argument 2 \(theirs\).*numpy\.ndarray.*R3\.5"):
        cl.get_execution_queue(x, theirs)
    with pytest.raises(TypeError, match=r"R3\.5"):
        x[...] = theirs
    with cl.device_context(device), pytest.raises(TypeError):
        cl.get_execution_queue(theirs, x)
    for mix in (lambda: theirs + x, lambda: x + theirs, lambda: np.add(theirs, x), lambda: cl.add(x, theirs)):
        with pytest.raises(TypeError):
            mix()


def test_arrays_of_other_kinds_are_not_assigned_in_silence(device):  # R3.5
    import array

    x = cl.zeros(3, device=device)
    for data in (np.ones(3), memoryview(b"abc"), b"abc", array.array("d", [1, 2, 3])):
        with pytest.raises(TypeError, match=r"R3\.5"):
            x[...] = data
    x[...] = np.float32(2)
    x[:2] = [3, 4]
    assert x.tolist() == [3, 4, 2]


def test_other_host_data_is_not_mixed_either(device):  # R3.5
    for data in ([1, 2, 3], b"abc", "text", object()):
        with pytest.raises(TypeError, match="argument 2"):
            cl.get_execution_queue(cl.ones(3, device=device), data)


@pytest.mark.parametrize("arguments", [(), (1.5,), (np.ones(3),), (np.ones(3), 2), ([1, 2],)])
def test_host_data_alone_gives_no_queue(arguments):  # R3.6
    with pytest.raises(cl.ExecutionPlacementError, match=r"cannot be determined.*R3\.6"):
        cl.get_execution_queue(*arguments)
    with cl.device_context("native:cpu"), pytest.raises(cl.ExecutionPlacementError):
        cl.get_execution_queue(*arguments)


def test_creation_goes_where_it_is_told_else_to_the_current_queue(device):  # R3.6
    queue = cl.Queue(device)
    for make in (
        lambda **place: cl.empty(3, **place),
        lambda **place: cl.zeros(3, **place),
        lambda **place: cl.ones(3, **place),
        lambda **place: cl.full(3, 1, **place),
        lambda **place: cl.asarray([1, 2], **place),
        lambda **place: cl.asarray(np.ones(2), **place),
    ):
        assert make(queue=queue).queue == queue
        assert make(device=device).queue == device.default_queue
        with cl.device_context(queue):
            assert make().queue == queue


def test_queues_themselves_can_be_asked(device):
    one, two = cl.Queue(device), cl.Queue(device)
    assert cl.get_execution_queue(one, two) == one
    loose, x = cl.Queue(device, in_order=False), cl.ones(2, device=device)
    with pytest.raises(cl.ExecutionPlacementError, match=r"x = colocate\.asarray\(x, queue=loose\)"):
        cl.get_execution_queue(loose, x)
