"""Memory lives as long as anybody uses it, and the interpreter exits cleanly (R7.3)."""

import gc
import weakref

import numpy as np
import pytest

import colocate as cl


def test_views_keep_the_memory_alive(device):  # R7.3
    x = cl.asarray(np.arange(100_000.0), device=device)
    tail = x[-3:]
    del x
    junk = [cl.zeros(100_000, device=device) for _ in range(3)]
    assert tail.tolist() == [99_997, 99_998, 99_999]
    del junk


def test_exports_keep_the_memory_alive():  # R7.3
    for export in (np.asarray, np.from_dlpack, lambda x: np.frombuffer(x), cl.asnumpy):
        view = export(cl.full(100_000, 7.0, device="native:cpu"))
        junk = [cl.zeros(100_000, device="native:cpu") for _ in range(3)]
        assert (view == 7).all()
        del junk, view


def test_imports_keep_the_owner_alive(sycl_device):  # R7.3
    import dpnp

    ours = cl.asarray(dpnp.full(100_000, 7.0))
    theirs = dpnp.tensor.asarray(cl.full(100_000, 8.0, device=sycl_device))
    gc.collect()
    junk = [dpnp.zeros(100_000) for _ in range(3)] + [cl.zeros(100_000, device=sycl_device) for _ in range(3)]
    assert (cl.asnumpy(ours) == 7).all() and (dpnp.tensor.asnumpy(theirs) == 8).all()
    del junk


def test_imported_owners_are_let_go(device):  # R7.3
    class Owner(np.ndarray):
        pass

    a = np.zeros(10).view(Owner)
    gone = weakref.ref(a)
    x = cl.from_dlpack(a)
    view = x[2:]
    del a, x
    gc.collect()
    assert gone() is not None
    del view
    gc.collect()
    cl.zeros(1, device=device)
    assert gone() is None


def test_memory_in_use_by_pending_work_is_not_reused(device):
    # Each copy is dropped while it may still be running; the next allocation must not disturb it.
    for value in range(20):
        x = cl.full(1_000_000, value, dtype="float32", device=device)
        y = x.copy()
        del x
        z = cl.full(1_000_000, -1, dtype="float32", device=device)
        assert cl.asnumpy(y)[[0, -1]].tolist() == [value, value]
        del y, z


def test_arrays_can_be_weakly_referenced():
    x = cl.zeros(3, device="native:cpu")
    gone = weakref.ref(x)
    del x
    assert gone() is None


def test_cycles_through_a_namespace_are_collected(device):
    xp = cl.offload_to(device)
    xp.kept = xp.ones(3)
    gone = weakref.ref(xp.kept)
    del xp
    gc.collect()
    assert gone() is None


def test_sub_devices_and_their_threads_are_let_go(run_python):
    code = """
        import os, time, colocate as cl
        def threads():
            names = [open(f"/proc/self/task/{task}/comm").read() for task in os.listdir("/proc/self/task")]
            return sum(name.startswith("colocate-") for name in names)
        root = cl.Device("native:cpu")
        for _ in range(20):
            part = root.create_sub_devices(1)[0]
            cl.zeros(1_000_000, device=part).wait()
            del part
        for _ in range(100):
            if threads() == 0: break
            time.sleep(0.05)
        print(threads())
    """
    assert run_python(code) == "0\n"


def test_memory_does_not_grow_when_freed_faster_than_used(run_python):
    code = """
        import resource, colocate as cl
        for _ in range(2000): cl.zeros(1_000_000, device="native:cpu")
        stats = cl.memory_stats()
        print(stats["cached"] + stats["in_use"] < 500_000_000, stats["reused"] > 1500)
    """
    assert run_python(code) == "True True\n"


EXIT = """
import sys, numpy as np, colocate as cl
keep = []
for d in cl.devices():
    for usm_type in ("device", "shared", "host"):
        x = cl.ones(100_000, device=d, usm_type=usm_type)
        keep += [x, x[::2], x.__dlpack__(), x.__dlpack__(max_version=(1, 0)), x.__sycl_usm_array_interface__]
        keep.append(x.copy())  # perhaps still running
        keep.append(cl.Queue(d).submit_barrier())
    keep.append(cl.from_dlpack(np.ones(10)))
    keep.append(memoryview(cl.ones(10, device="native:cpu")))
"""

THEIRS = """
import dpnp, dpnp.tensor
for usm_type in ("device", "shared", "host"):
    x = cl.ones(100_000, device="opencl:cpu", usm_type=usm_type)
    t = dpnp.tensor.asarray(x)
    d = dpnp.ones(10, usm_type=usm_type)
    keep += [t, dpnp.asarray(x), dpnp.from_dlpack(x), cl.asarray(d), cl.from_dlpack(d), x.sycl_queue, d + 1]
sys.modules["keeper"] = keep
"""


@pytest.mark.parametrize(
    "tail", ["", "sys.modules['keeper'] = keep", "import builtins; builtins.keep = keep; sys.exit(0)"]
)
def test_the_interpreter_exits_with_live_arrays(run_python, tail):
    assert run_python(EXIT + tail) == ""


def test_the_interpreter_exits_with_live_arrays_shared_with_dpnp(run_python, sycl_device):
    assert run_python(EXIT + THEIRS) == ""


def test_threads_may_hold_arrays_at_exit(run_python):
    code = (
        EXIT
        + """
import threading, time
threading.Thread(target=lambda: time.sleep(0.2) or keep, daemon=True).start()
threading.Thread(target=lambda: [cl.zeros(1_000_000).copy() for _ in range(1000)], daemon=True).start()
time.sleep(0.05)
"""
    )
    assert run_python(code) == ""
