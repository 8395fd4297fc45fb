"""Devices, selectors, sub-devices."""

import copy
import pickle

import pytest

import colocate as cl
from colocate import _native


def test_the_native_device_is_always_there():  # R1.1
    assert cl.devices()[0].selector == "native:cpu:0"


def test_sycl_devices_report_the_backend_they_sit_on(sycl_device):  # R1.1
    assert sycl_device.backend == "opencl"
    assert cl.Device("sycl:cpu") == sycl_device


def test_an_absent_backend_is_silent(run_python):  # R1.1
    code = """
        import sys, importlib.util
        real = importlib.util.find_spec
        importlib.util.find_spec = lambda name, *rest: None if name == "dpctl" else real(name, *rest)
        import colocate as cl
        print([str(d) for d in cl.devices()])
    """
    assert run_python(code) == "['native:cpu:0']\n"


def test_a_root_device_has_one_default_context(device):  # R1.2
    assert device.default_context == device.default_context
    assert device.default_context == cl.Context(device) == cl.ones(1, device=device).context
    assert device.default_context.devices == [device]
    assert hash(device.default_context) == hash(cl.Context(device))
    assert str(device) in repr(device.default_context) and str(device) in device.default_context._repr_html_()


@pytest.mark.parametrize("selector", ["cpu", "CPU:0", "native", "Native:CPU:0", "native:cpu", "gpu, cpu", "0"])
def test_every_part_of_a_selector_is_optional(selector):  # R1.5
    assert cl.Device(selector) == cl.Device("native:cpu:0")


def test_alternatives_are_tried_in_order():  # R1.5
    assert cl.Device("native:cpu:77,cuda:gpu,native:cpu").selector == "native:cpu:0"


def test_a_missing_device_is_an_error_that_lists_what_there_is():  # R1.5
    with pytest.raises(cl.DeviceNotFoundError, match=r"native:cpu:99.*native:cpu:0 \(.*colocate doctor"):
        cl.Device("native:cpu:99")
    assert issubclass(cl.DeviceNotFoundError, LookupError)


@pytest.mark.parametrize("selector", ["", "tpu", "cpu:native", "cpu:0:0", "a:b:c", "native:cpu:-1", ",", "cpu:1e3"])
def test_a_selector_that_cannot_be_read_says_how_to_write_one(selector):
    with pytest.raises(cl.DeviceNotFoundError, match=r"backend:type:index.*native:cpu:0"):  # R1.5
        cl.Device(selector)


@pytest.mark.parametrize("wrong", [3.5, object(), ["cpu"], b"cpu"])
def test_a_device_is_not_made_from_anything(wrong):
    with pytest.raises(ValueError, match="names no device or queue"):
        cl.Device(wrong)


def test_devices_are_values(device):
    same = cl.Device(device.selector)
    assert device == same and hash(device) == hash(same)
    assert device != object() and device != device.selector
    assert {device: 1}[same] == 1
    assert pickle.loads(pickle.dumps(device)) == device
    assert copy.copy(device) == copy.deepcopy(device) == device


def test_a_device_pickles_by_its_selector_into_another_process(device, run_python):
    data = pickle.dumps(device)
    assert run_python(f"import pickle; print(pickle.loads({data!r}).selector)") == f"{device.selector}\n"


def test_reprs_name_the_device(device):
    assert device.selector in repr(device) and device.name in repr(device)
    assert str(device) == device.selector
    assert device.selector in device._repr_html_() and "<table>" in device._repr_html_()


def test_every_fact_of_the_table_is_a_property_with_its_type(device):
    facts, aspects = _native._device_tables()
    python_types = {"str": str, "int": int, "bool": bool, "list of int": list}
    for name, kind, documentation in facts:
        assert isinstance(getattr(device, name), python_types[kind]), name
        assert getattr(type(device), name).__doc__ == documentation
    assert set(device.info()) == {name for name, _, _ in facts}
    assert {name for name, _, _ in aspects} >= device.aspects
    for name, _, _ in aspects:
        assert device.has_aspect(name) == getattr(device, f"has_aspect_{name}") == (name in device.aspects)


def test_facts_of_a_cpu_make_sense(device):
    assert device.device_type == "cpu" and device.has_aspect("cpu") and not device.has_aspect("gpu")
    assert device.max_compute_units >= 1
    assert device.global_mem_size > 1 << 28
    assert device.max_work_item_dims == 3 and len(device.max_work_item_sizes3d) == 3
    assert device.name and device.vendor and device.driver_version


def test_sycl_facts_are_those_of_dpctl(sycl_device):
    import dpctl

    theirs = dpctl.SyclDevice("opencl:cpu")
    for name in ("name", "vendor", "driver_version", "max_compute_units", "global_mem_size", "local_mem_size"):
        assert getattr(sycl_device, name) == getattr(theirs, name)
    for aspect in ("fp16", "fp64", "usm_shared_allocations", "usm_system_allocations", "queue_profiling", "gpu"):
        assert sycl_device.has_aspect(aspect) == getattr(theirs, f"has_aspect_{aspect}")


def test_an_unknown_aspect_is_an_error(device):
    with pytest.raises(ValueError, match="there are: cpu, gpu"):
        device.has_aspect("flies")


class TestSubDevices:
    """R1.6."""

    @pytest.fixture(autouse=True)
    def needs_two_units(self, device):
        if device.max_compute_units < 2:
            pytest.skip("one compute unit cannot be split")

    def test_a_count_gives_equal_parts(self, device):  # R1.6
        parts = device.create_sub_devices(1)
        assert len(parts) == device.max_compute_units
        assert all(part.max_compute_units == 1 and part.parent_device == device for part in parts)
        assert all(part.selector is None for part in parts)
        assert device.parent_device is None

    def test_counts_give_one_part_each(self, device):  # R1.6
        counts = [1, device.max_compute_units - 1]
        parts = device.create_sub_devices(partition=counts)
        assert [part.max_compute_units for part in parts] == counts

    @pytest.mark.parametrize("wrong", [0, -1, 10**6, [], [0, 1], [10**6, 1], "L9_cache", 1.5, None])
    def test_impossible_partitions_say_why(self, device, wrong):
        with pytest.raises(ValueError, match=r"compute units|partition="):
            device.create_sub_devices(wrong)

    def test_a_part_is_a_device(self, device):
        part = device.create_sub_devices(1)[0]
        x = cl.full((3, 5), 2.5, device=part)
        assert x.device == part and x.queue == part.default_queue
        assert x.tolist() == [[2.5] * 5] * 3

    def test_a_context_spans_parts_and_one_computes_on_anothers_memory(self, device):  # R1.6
        parts = device.create_sub_devices(1)
        context = cl.Context(parts)
        queues = [cl.Queue(context, part) for part in parts]
        x = cl.full(4, 7, queue=queues[1], usm_type="shared")
        y = cl.asarray(x, queue=queues[0], copy=False)
        y[0] = 1
        assert x.tolist() == [1, 7, 7, 7]
        # The parts are different devices all the same, so mixing their arrays is refused.
        with pytest.raises(cl.ExecutionPlacementError):
            cl.get_execution_queue(x, y)

    def test_parts_pickle(self, device):
        part = device.create_sub_devices([1])[0]
        again = pickle.loads(pickle.dumps(part))
        assert again.parent_device == device and again.max_compute_units == 1


def test_a_context_does_not_mix_devices(sycl_device):
    native = cl.Device("native:cpu")
    with pytest.raises(ValueError, match="one root device"):
        cl.Context([native, sycl_device])
    with pytest.raises(ValueError, match="not a device of this context"):
        cl.Queue(cl.Context(native), sycl_device)


def test_a_native_part_is_a_real_subset_of_the_cores(run_python):  # R1.6
    code = """
        import os, threading
        import colocate as cl
        parts = cl.Device("native:cpu").create_sub_devices(1)
        def affinities():
            found = {}
            for task in os.listdir("/proc/self/task"):
                if open(f"/proc/self/task/{task}/comm").read().startswith("colocate-"):
                    found[task] = frozenset(os.sched_getaffinity(int(task)))
            return found
        seen = set()
        for part in parts:
            before = affinities()
            cl.zeros(1 << 20, device=part).queue.wait()
            new = [cores for task, cores in affinities().items() if task not in before]
            assert len(new) == 1 and len(new[0]) == 1, new
            seen |= new[0]
        assert seen == os.sched_getaffinity(0), seen
        print("ok")
    """
    assert run_python(code) == "ok\n"


def test_native_parts_follow_the_topology():  # R1.6
    device = cl.Device("native:cpu")
    for domain in ("numa", "L3_cache", "L2_cache", "L1_cache"):
        try:
            parts = device.create_sub_devices(domain)
        except ValueError as error:
            assert "cannot be split by" in str(error)
            continue
        assert sum(part.max_compute_units for part in parts) == device.max_compute_units
    with pytest.raises(ValueError, match="L4_cache"):
        device.create_sub_devices("L4_cache")


def test_the_environment_chooses_the_default_device(run_python):  # R1.7
    code = "import colocate as cl; print(cl.Device(), cl.get_current_queue().device, cl.zeros(1).device)"
    assert run_python(code, COLOCATE_DEVICE="native:cpu:1", COLOCATE_NATIVE_DEVICES="2") == "native:cpu:1 " * 2 + (
        "native:cpu:1\n"
    )
    assert run_python(code, COLOCATE_DEVICE="") == "native:cpu:0 native:cpu:0 native:cpu:0\n"
    code = """
        import colocate as cl
        try: cl.zeros(1)
        except cl.DeviceNotFoundError as error: print("listed" if "native:cpu:0" in str(error) else error)
    """
    assert run_python(code, COLOCATE_DEVICE="cuda:gpu:7") == "listed\n"


def test_the_environment_presents_several_native_devices(run_python):  # R1.7
    code = """
        import colocate as cl
        a, b, c = [d for d in cl.devices() if d.backend == "native"]
        assert len({a, b, c}) == 3 and a.default_context != b.default_context
        x, y = cl.ones(3, device=a), cl.ones(3, device="native:cpu:2")
        try: cl.get_execution_queue(x, y)
        except cl.ExecutionPlacementError as error: print(str(error).count("memory on"))
        print(cl.asarray(x, device=c).device == c)
    """
    assert run_python(code, COLOCATE_NATIVE_DEVICES="3") == "2\nTrue\n"


@pytest.mark.parametrize(
    "setting",
    [{"COLOCATE_NATIVE_DEVICES": "zero"}, {"COLOCATE_NATIVE_DEVICES": "0"}, {"COLOCATE_NATIVE_DISCRETE": "x"}],
)
def test_a_bad_setting_is_an_error_when_devices_are_asked_for(run_python, setting):
    code = """
        import colocate as cl
        for ask in (cl.devices, lambda: cl.zeros(3), lambda: cl.Queue("cpu")):
            try: ask()
            except cl.BackendError as error: print("write" in str(error))
    """
    assert run_python(code, **setting) == "True\n" * 3


def test_discrete_native_devices_keep_host_and_device_apart(run_python):  # R1.7
    code = """
        import numpy as np, colocate as cl
        a = np.arange(1000.0)
        moved = lambda: tuple(cl.memory_stats()[k] for k in ("host_to_device", "device_to_host"))
        assert moved() == (0, 0)
        x = cl.asarray(a)
        assert moved() == (8000, 0)
        for read in (np.asarray, memoryview, np.from_dlpack, lambda x: x.__dlpack__(dl_device=(1, 0), copy=False)):
            try: read(x)
            except (TypeError, BufferError, RuntimeError) as error: pass
            else: raise AssertionError(read)
        assert moved() == (8000, 0)
        b = cl.asnumpy(x)
        assert moved() == (8000, 8000) and (a == b).all()
        b[0] = 5
        assert cl.asnumpy(x)[0] == 0
        s = cl.ones(3, usm_type="shared"); np.asarray(s)[1] = 9; assert s.tolist() == [1, 9, 1]
        # Host memory is not used in place, either.
        y = cl.from_dlpack(a); a[0] = -1
        assert float(y[0]) == 0 and y.usm_type == "device"
        try: cl.from_dlpack(a, copy=False)
        except ValueError: print("ok")
        # Strided views are gathered on the device.
        m = np.arange(12).reshape(3, 4)
        assert (cl.asnumpy(cl.asarray(m).T[::-1]) == m.T[::-1]).all()
        v = cl.zeros((3, 4)); v[:, 1] = 5; assert v.tolist() == [[0, 5, 0, 0]] * 3
    """
    assert run_python(code, COLOCATE_NATIVE_DISCRETE="1") == "ok\n"
