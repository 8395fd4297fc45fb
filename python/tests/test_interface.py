"""``__sycl_usm_array_interface__`` (R7.1), against the real dpctl and dpnp."""

import numpy as np
import pytest

import colocate as cl


class Offered:
    """An object of some other package."""

    def __init__(self, **interface):
        self.__sycl_usm_array_interface__ = interface


def describe(x, **changes):
    """An array as another package would offer it."""
    offered = Offered(**{**x.__sycl_usm_array_interface__, **changes})
    offered.keep = x
    return offered


def test_our_arrays_are_read_back_without_a_copy(device):  # R7.1
    x = cl.asarray(np.arange(12.0).reshape(3, 4), device=device)
    for view in (x, x[1:, ::2], x[::-1], x.T, x[2], x[1, 1]):
        y = cl.asarray(describe(view))
        assert y.queue == x.queue and y.usm_type == "device"
        assert cl.asnumpy(y).tolist() == cl.asnumpy(view).tolist()
    y = cl.asarray(describe(x))
    y[0, 0] = 99
    assert float(x[0, 0]) == 99


def test_every_form_of_syclobj_is_understood(sycl_device):  # R7.1
    import dpctl

    x = cl.asarray([1.0, 2.0, 3.0], device=sycl_device)
    theirs = dpctl.get_device_cached_queue("opencl:cpu")
    forms = {
        "our queue": x.queue,
        "our context": x.context,
        "a dpctl queue": theirs,
        "a dpctl context": theirs.sycl_context,
        "a queue capsule": theirs._get_capsule(),
        "a context capsule": theirs.sycl_context._get_capsule(),
        "our queue's capsule": x.queue._get_capsule(),
        "our context's capsule": x.context._get_capsule(),
        "a selector": "opencl:cpu:0",
        "a short selector": "opencl",
        "a triple of strings": ["opencl", "cpu", 0],
        "a triple of dpctl's enumerations": (dpctl.backend_type.opencl, dpctl.device_type.cpu, 0),
        "a triple of codes": (1 << 18, 1 << 2, 0),
        "a relative id": 0,
    }
    for name, form in forms.items():
        y = cl.asarray(describe(x, syclobj=form))
        assert y.queue == x.queue, name
        y[0] = 42
        assert float(x[0]) == 42, name
        x[0] = 1


def test_a_queue_of_another_package_keeps_its_identity(sycl_device):  # R7.1
    import dpctl

    theirs = dpctl.SyclQueue("opencl:cpu", property="in_order")
    ours = cl.Queue(theirs)
    assert ours.in_order and ours.device == sycl_device and ours == cl.Queue(theirs)
    assert ours != sycl_device.default_queue
    assert cl.zeros(3, queue=theirs).queue == ours
    assert dpctl.SyclQueue(ours._get_capsule()) == theirs
    with cl.device_context(theirs) as queue:
        assert queue == ours


def test_a_queue_that_others_know_waits_for_their_work(sycl_device):  # R7.1, R1.3
    import dpctl.memory

    ours = cl.Queue("opencl:cpu")
    ours.submit_barrier().wait()
    theirs = dpctl.SyclQueue(ours._get_capsule())
    memory = [dpctl.memory.MemoryUSMDevice(256 << 20, queue=theirs) for _ in range(2)]
    for _ in range(3):
        copied = theirs.memcpy_async(*memory, memory[0].nbytes)
        ours.wait()
        assert copied.execution_status == dpctl.event_status_type.complete


def test_bad_descriptions_are_refused_not_believed(device):  # R7.1
    x = cl.asarray(np.arange(8.0), device=device)
    lies = {
        "a null address": {"data": (0, False)},
        "an address that is no memory of the device": {"data": (np.zeros(8).ctypes.data, False)},
        "an address beyond the machine": {"data": (2**64 - 8, False)},
        "a negative address": {"data": (-8, False)},
        "no address": {"data": None},
        "too large a shape": {"shape": (1 << 40,)},
        "a shape beyond counting": {"shape": (2**62, 2**62)},
        "a negative shape": {"shape": (-1,)},
        "no shape": {"shape": None},
        "strides of another rank": {"strides": (1, 1)},
        "strides that leave the memory": {"strides": (1 << 40,)},
        "strides that leave it downwards": {"strides": (-(1 << 40),)},
        "strides that overflow": {"strides": (2**62,)},
        "an offset that leaves the memory": {"offset": 1 << 40},
        "an offset of another kind": {"offset": "x"},
        "an unknown type": {"typestr": "|O8"},
        "a big-endian type": {"typestr": ">f8"},
        "a type of another kind": {"typestr": 3},
        "another version": {"version": 7},
        "a queue that is none": {"syclobj": object()},
        "no queue": {"syclobj": None},
        "a device that is not there": {"syclobj": "cuda:gpu:5"},
        "a triple with nonsense": {"syclobj": ("x", "y", 0)},
        "a negative relative id": {"syclobj": -1},
    }
    for name, lie in lies.items():
        with pytest.raises((ValueError, TypeError, LookupError)) as caught:
            cl.asarray(describe(x, **lie))
        assert isinstance(caught.value, cl.Error), (name, caught.value)
    for missing in ("data", "shape", "typestr", "version", "syclobj"):
        interface = dict(x.__sycl_usm_array_interface__)
        del interface[missing]
        with pytest.raises(ValueError, match=missing):
            cl.asarray(Offered(**interface))


def test_an_interface_that_is_no_dictionary_is_refused():
    class Wrong:
        __sycl_usm_array_interface__ = 3

    with pytest.raises(ValueError, match="no dictionary"):
        cl.asarray(Wrong())


def test_dead_and_foreign_capsules_are_refused(sycl_device):
    import dpctl

    capsule = dpctl.get_device_cached_queue("opencl:cpu")._get_capsule()
    cl.Queue(capsule)
    with pytest.raises(ValueError, match="consumed"):
        cl.Queue(capsule)
    wrong = np.zeros(3).__dlpack__()
    with pytest.raises(ValueError, match="dltensor"):
        cl.Queue(wrong)
    x = cl.ones(3, device=sycl_device)
    for syclobj in (capsule, wrong):
        with pytest.raises(ValueError):
            cl.asarray(describe(x, syclobj=syclobj))


def test_read_only_memory_stays_read_only(device):
    x = cl.ones(3, device=device)
    address = x.__sycl_usm_array_interface__["data"][0]
    y = cl.asarray(describe(x, data=(address, True)))
    assert not y.flags["writable"] and y.__sycl_usm_array_interface__["data"][1]
    with pytest.raises(ValueError, match="read-only"):
        y[0] = 1


def test_native_queues_are_not_given_to_sycl():
    queue = cl.Queue("native:cpu")
    for give in (queue._get_capsule, queue.context._get_capsule):
        with pytest.raises(ValueError, match="SYCL"):
            give()


class TestDpnp:
    """Sharing with the real dpnp."""

    def test_our_array_becomes_theirs_without_a_copy_and_back(self, sycl_device):  # R7.1
        import dpnp
        import dpnp.tensor as dpt

        a = np.arange(12.0).reshape(3, 4)
        for usm_type in ("device", "shared", "host"):
            x = cl.asarray(a, device=sycl_device, usm_type=usm_type)
            # dpnp 0.20 does not read negative strides here, not even its own.
            for index in (np.s_[...], np.s_[1:, ::2], np.s_[2]):
                theirs = dpt.asarray(x[index])
                assert theirs.usm_type == usm_type and theirs.sycl_queue == x.sycl_queue
                np.testing.assert_array_equal(dpt.asnumpy(theirs), a[index])
                back = cl.asarray(theirs)
                assert back.queue == x.queue and back.usm_type == usm_type
                back[...] = 7
                np.testing.assert_array_equal(cl.asnumpy(x[index]), np.full(a[index].shape, 7.0))
                x[...] = cl.asarray(a, device=sycl_device)
            assert dpt.asarray(x)._pointer == x.__sycl_usm_array_interface__["data"][0]
            assert dpnp.asnumpy(dpnp.asarray(x)).tolist() == a.tolist()

    def test_their_array_becomes_ours_without_a_copy(self, sycl_device):  # R7.1
        import dpnp

        theirs = dpnp.arange(10)
        for index in (np.s_[...], np.s_[2:], np.s_[::-3]):
            ours = cl.asarray(theirs[index])
            assert ours.queue == sycl_device.default_queue
            assert cl.asnumpy(ours).tolist() == dpnp.asnumpy(theirs[index]).tolist()
        ours = cl.asarray(theirs)
        ours[0] = 77
        assert int(theirs[0]) == 77

    def test_arrays_mix_with_theirs(self, sycl_device):
        import dpnp

        x = cl.asarray([1.0, 2.0, 3.0], device=sycl_device)
        total = dpnp.asarray(x) + dpnp.ones(3)
        assert cl.asarray(total).tolist() == [2, 3, 4]
        assert cl.get_execution_queue(x, cl.asarray(total)) == x.queue

    def test_work_is_ordered_with_theirs_on_their_out_of_order_queue(self, sycl_device):
        import dpnp

        n = 2_000_000
        for round_ in range(10):
            theirs = dpnp.full(n, float(round_))
            for _ in range(4):
                theirs = theirs + 1.0  # submitted, perhaps not done
            ours = cl.asarray(theirs).copy()  # must come after
            ours[:1000] = -1.0
            doubled = dpnp.asarray(ours) * 2.0  # must come after that
            got = cl.asnumpy(cl.asarray(doubled))
            assert got[999] == -2.0 and got[1000] == got[-1] == 2.0 * (round_ + 4)

    def test_asnumpy_takes_their_arrays(self, sycl_device):
        import dpnp

        assert cl.asnumpy(dpnp.arange(3)).tolist() == [0, 1, 2]

    def test_arrays_on_their_other_queues_come_with_those(self, sycl_device):  # R7.1
        import dpctl
        import dpnp

        queue = dpctl.SyclQueue("opencl:cpu")
        ours = cl.asarray(dpnp.ones(3, sycl_queue=queue))
        assert ours.queue == cl.Queue(queue) != sycl_device.default_queue
        with pytest.raises(cl.ExecutionPlacementError):
            cl.get_execution_queue(ours, cl.ones(3, device=sycl_device))

    def test_memory_objects_of_dpctl_are_read(self, sycl_device):
        import dpctl.memory

        memory = dpctl.memory.MemoryUSMShared(16, queue=dpctl.get_device_cached_queue("opencl:cpu"))
        memory.copy_from_host(bytes(range(16)))
        x = cl.asarray(memory)
        assert x.usm_type == "shared" and x.tolist() == list(range(16))
