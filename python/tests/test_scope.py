"""Who chooses the queue (R6.1 to R6.4)."""

import asyncio
import contextvars
import threading

import numpy as np
import pytest

import colocate as cl


@pytest.fixture(autouse=True)
def no_global_queue():
    yield
    cl.reset_global_queue()


def test_the_global_queue_is_set_and_reset(device):  # R6.1
    default = cl.get_current_queue()
    queue = cl.set_global_queue(device)
    assert queue == device.default_queue == cl.get_current_queue() == cl.zeros(1).queue
    cl.reset_global_queue()
    assert cl.get_current_queue() == default


def test_the_global_queue_is_seen_by_all_threads(device):  # R6.1
    queue = cl.set_global_queue(cl.Queue(device))
    seen = []
    thread = threading.Thread(target=lambda: seen.append(cl.get_current_queue()))
    thread.start()
    thread.join()
    assert seen == [queue]


def test_contexts_nest_and_the_innermost_counts(device):  # R6.2
    outer, inner = cl.Queue(device), cl.Queue(device)
    cl.set_global_queue("native:cpu")
    assert not cl.is_in_device_context()
    with cl.device_context(outer) as yielded:
        assert yielded == outer == cl.get_current_queue()
        with cl.device_context(inner):
            assert cl.get_current_queue() == inner == cl.zeros(1).queue
        assert cl.get_current_queue() == outer and cl.is_in_device_context()
    assert not cl.is_in_device_context()


def test_a_context_takes_selectors_devices_and_queues(device):  # R6.2
    for place in (device, device.selector, device.default_queue):
        with cl.device_context(place) as queue:
            assert queue == device.default_queue
    assert cl.offload_to_device is cl.device_context


def test_an_error_leaves_the_context(device):  # R6.2
    with pytest.raises(ZeroDivisionError), cl.device_context(device):
        1 / 0
    assert not cl.is_in_device_context()
    with pytest.raises(cl.DeviceNotFoundError):
        cl.device_context("cuda:gpu:9")


def test_a_context_object_can_be_entered_again(device):
    context = cl.device_context(device)
    with context, context:
        assert cl.is_in_device_context()
    assert not cl.is_in_device_context()
    with context:
        assert cl.get_current_queue() == device.default_queue


def test_threads_do_not_see_each_others_contexts(device):  # R6.1
    queues = [cl.Queue(device) for _ in range(4)]
    barrier = threading.Barrier(len(queues))
    results = []

    def work(queue):
        with cl.device_context(queue):
            barrier.wait()  # all are inside now
            results.append(cl.get_current_queue() == queue and cl.zeros(1).queue == queue)
            barrier.wait()

    with cl.device_context(cl.Queue(device)):
        threads = [threading.Thread(target=work, args=(queue,)) for queue in queues]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == [True] * 4


def test_a_thread_started_inside_does_not_inherit_unless_its_context_is_copied(device):  # R6.1
    seen = []
    with cl.device_context(device):
        plain = threading.Thread(target=lambda: seen.append(cl.is_in_device_context()))
        context = contextvars.copy_context()
        copied = threading.Thread(target=context.run, args=(lambda: seen.append(cl.is_in_device_context()),))
        for thread in (plain, copied):
            thread.start()
            thread.join()
    assert seen == [False, True]


def test_asyncio_tasks_do_not_see_each_others_contexts(device):  # R6.1
    async def work(queue, gate):
        with cl.device_context(queue):
            await gate.wait()
            await asyncio.sleep(0)
            return cl.get_current_queue() == queue

    async def main():
        gate = asyncio.Event()
        queues = [cl.Queue(device) for _ in range(5)]
        tasks = [asyncio.create_task(work(queue, gate)) for queue in queues]
        await asyncio.sleep(0)
        assert not cl.is_in_device_context()
        gate.set()
        return await asyncio.gather(*tasks)

    assert asyncio.run(main()) == [True] * 5


class TestQueueManager:
    """R6.3."""

    def test_a_package_has_its_own_controls(self, device):  # R6.3
        manager = cl.QueueManager("pkg")
        assert manager.get_queue() == cl.get_current_queue()
        queue = manager.set_default_queue(cl.Queue(device))
        assert manager.get_queue() == queue
        with manager.current(cl.Queue(device)) as inner:
            assert manager.get_queue() == inner
            with manager.current(device):
                assert manager.get_queue() == device.default_queue
            assert manager.get_queue() == inner
        assert manager.get_queue() == queue
        manager.set_default_queue(None)
        assert manager.get_queue() == cl.get_current_queue()
        assert "pkg" in repr(manager)

    def test_two_packages_do_not_affect_each_other(self, device):  # R6.3
        one, two = cl.QueueManager("one"), cl.QueueManager("two")
        before = two.get_queue(), cl.get_current_queue()
        one.set_default_queue(cl.Queue(device))
        with one.current(cl.Queue(device)):
            assert (two.get_queue(), cl.get_current_queue()) == before
        # Nor do two managers of one name.
        assert cl.QueueManager("one").get_queue() == before[0]

    def test_a_package_follows_colocate_until_told_otherwise(self, device):  # R6.3
        manager = cl.QueueManager("pkg")
        with cl.device_context(cl.Queue(device)) as queue:
            assert manager.get_queue() == queue
        manager.set_default_queue(device)
        with cl.device_context(cl.Queue(device)):
            assert manager.get_queue() == device.default_queue

    def test_threads_have_their_own_current_queue(self, device):  # R6.3
        manager = cl.QueueManager("pkg")
        seen = []
        with manager.current(cl.Queue(device)) as queue:
            thread = threading.Thread(target=lambda: seen.append(manager.get_queue() == queue))
            thread.start()
            thread.join()
        assert seen == [False]

    def test_names_are_checked(self):
        for name in ("", 3, None):
            with pytest.raises(TypeError, match="name"):
                cl.QueueManager(name)


class TestOffloadNamespace:
    """R6.4, for the functions there are so far."""

    def test_functions_are_bound_to_one_queue(self, device):  # R6.4
        xp = cl.offload_to(device)
        assert xp.get_queue() == device.default_queue
        with cl.device_context(cl.Queue(device)):
            for x in (xp.empty(2), xp.zeros((2, 3)), xp.ones(2), xp.full(2, 7), xp.asarray([1, 2])):
                assert x.queue == xp.get_queue()
                assert x.__array_module__ is xp and x.__array_namespace__() is xp
                assert x[0].__array_module__ is xp and x.copy().__array_module__ is xp

    def test_numpy_arrays_and_arrays_of_any_queue_are_brought_over(self, device):  # R6.4
        xp = cl.offload_to(cl.Queue(device))
        assert xp.asarray(np.arange(3)).queue == xp.get_queue()
        for other in cl.devices():
            x = cl.asarray([1, 2, 3], device=other)
            y = xp.asarray(x)
            assert y.queue == xp.get_queue() and xp.asnumpy(y).tolist() == [1, 2, 3]
            y[0] = 9
            assert (float(x[0]) == 9) == (other == device)  # in place where R2.4 allows
        assert cl.ones(1).__array_module__ is cl

    def test_the_queue_cannot_be_changed(self, device):  # R6.4
        xp = cl.offload_to(device)
        other = cl.Queue(device, enable_profiling=True)
        for options in ({"queue": other}, *({"device": one} for one in cl.devices() if one != device)):
            with pytest.raises(TypeError, match="fixed"):
                xp.zeros(3, **options)
        for options in ({"queue": cl.Queue(device)}, {"device": device}):
            assert xp.zeros(3, **options).queue == xp.get_queue()
        assert xp.zeros(3, queue=None, device=None).queue == xp.get_queue()
        assert str(device) in repr(xp)
        assert xp.zeros(3, dtype=xp.int16).dtype == np.int16


def test_contexts_of_generators_may_be_left_in_any_order():  # R6.2
    queues = [cl.Queue("native:cpu") for _ in range(3)]

    def inside(queue):
        with cl.device_context(queue):
            yield

    generators = [inside(queue) for queue in queues]
    for generator in generators:
        next(generator)
    assert cl.get_current_queue() == queues[2]
    generators[0].close()
    assert cl.get_current_queue() == queues[2]
    generators[2].close()
    assert cl.get_current_queue() == queues[1]
    generators[1].close()
    assert not cl.is_in_device_context()
