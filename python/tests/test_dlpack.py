"""DLPack 1, both ways, with real producers and consumers (R7.2)."""

import ctypes

import numpy as np
import pytest

import colocate as cl
from colocate import _dtypes

DTYPES = tuple(_dtypes.ALL)
VIEWS = [np.s_[...], np.s_[1:, ::2], np.s_[::-1, ::-1], np.s_[2], np.s_[0:0], np.s_[1, 1, ...]]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("index", VIEWS)
def test_numpy_reads_our_arrays_in_place(dtype, index):  # R7.2
    a = np.arange(12).reshape(3, 4).astype(dtype)
    x = cl.asarray(a, device="native:cpu")[index]
    got = np.from_dlpack(x)
    assert got.dtype == a.dtype and got.tolist() == a[index].tolist()
    if got.size:
        got[...] = 0
        assert not np.any(cl.asnumpy(x))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("index", VIEWS)
def test_we_read_numpy_arrays_in_place(dtype, index):  # R7.2
    a = np.arange(12).reshape(3, 4).astype(dtype)
    x = cl.from_dlpack(a[index])
    assert x.device == cl.Device("native:cpu") and x.usm_type == ("host" if x.size else x.usm_type)
    assert x.dtype == a.dtype and x.tolist() == a[index].tolist()
    if x.size:
        x[...] = 0
        assert not np.any(a[index])


def test_devices_are_told_as_dlpack_does(device):  # R7.2
    kind = 1 if device.backend == "native" else 14
    assert cl.ones(1, device=device).__dlpack_device__() == (kind, 0)


def test_both_versions_of_the_capsule_are_made():
    x = cl.ones(3, device="native:cpu")
    assert '"dltensor"' in repr(x.__dlpack__())
    assert '"dltensor_versioned"' in repr(x.__dlpack__(max_version=(1, 0)))
    assert '"dltensor"' in repr(x.__dlpack__(max_version=(0, 8)))


def test_a_capsule_nobody_takes_is_freed():
    before = cl.memory_stats()["in_use"]
    for version in (None, (1, 1)):
        for _ in range(10):
            cl.ones(100_000, device="native:cpu").__dlpack__(max_version=version)
    assert cl.memory_stats()["in_use"] == before


def test_read_only_is_passed_on():  # R7.2
    a = np.arange(3.0)
    a.flags.writeable = False
    x = cl.from_dlpack(a)
    assert not x.flags["writable"]
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    assert not np.from_dlpack(x).flags.writeable
    with pytest.raises(BufferError, match="DLPack 1"):
        x.__dlpack__()
    assert memoryview(x).readonly


def test_copies_are_made_as_asked(device):  # R7.2
    x = cl.ones(3, device=device, usm_type="shared")
    y = cl.from_dlpack(x, copy=True)
    y[0] = 5
    assert x.tolist() == [1, 1, 1]
    a = np.ones(3)
    z = cl.from_dlpack(a, copy=True)
    a[0] = 7
    assert z.tolist() == [1, 1, 1]
    w = np.from_dlpack(x, device="cpu", copy=True)
    w[0] = 9
    assert x.tolist() == [1, 1, 1]


def test_from_dlpack_brings_data_to_a_device(device):  # R7.2
    a = np.arange(6.0).reshape(2, 3)
    x = cl.from_dlpack(a, device=device)
    assert x.device == device and x.tolist() == a.tolist()
    for other in cl.devices():
        assert cl.from_dlpack(x, device=other).tolist() == a.tolist()
        assert cl.from_dlpack(x, queue=cl.Queue(other)).device == other
    if device.backend != "native":
        with pytest.raises(ValueError, match="copy=False"):
            cl.from_dlpack(a, device=device, copy=False)


def test_an_array_cannot_be_exported_to_a_device_it_is_not_on(device):
    with pytest.raises(BufferError, match="to_device"):
        cl.ones(3, device=device).__dlpack__(dl_device=(2, 0))
    with pytest.raises(BufferError, match="stream"):
        cl.ones(3, device=device, usm_type="shared").__dlpack__(dl_device=(1, 0), stream=1)


def test_the_cost_of_sharing_does_not_depend_on_size(run_python):  # R7.2
    # Counted, not timed: no byte is copied, whatever the size.
    code = """
        import numpy as np, colocate as cl
        for n in (10, 10_000_000):
            before = cl.memory_stats()
            x = cl.from_dlpack(np.zeros(n)); np.from_dlpack(x); np.asarray(x); cl.asarray(x)
            assert cl.memory_stats() == before
        print("ok")
    """
    assert run_python(code) == "ok\n"


def test_dpnp_and_we_share_by_dlpack(sycl_device):  # R7.2
    import dpnp

    x = cl.asarray(np.arange(6.0).reshape(2, 3), device=sycl_device)
    theirs = dpnp.from_dlpack(x)
    theirs[0, 0] = 50
    assert float(x[0, 0]) == 50
    ours = cl.from_dlpack(theirs)
    assert ours.queue == x.queue
    ours[1, 2] = 60
    assert float(x[1, 2]) == 60 and float(theirs[1, 2]) == 60
    assert cl.from_dlpack(dpnp.arange(10)[::-2]).tolist() == list(range(10))[::-2]


@cl.kernel
def halve_towards_two(a, turns):
    i = cl.get_global_id(0)
    x = a[i]
    for _ in range(turns):
        x = x * 0.5 + 1.0
    a[i] = x


@pytest.mark.parametrize("options", [{}, {"in_order": False}, {"enable_profiling": True}], ids=str)
def test_consumers_without_a_stream_come_after_pending_work(sycl_device, options):  # R7.2
    import dpnp

    queue = cl.Queue("opencl:cpu", **options)
    for _ in range(3):
        x = cl.ones(1000, queue=queue)
        halve_towards_two(x, 400_000)
        assert dpnp.asnumpy(dpnp.from_dlpack(x) + 1).tolist() == [3.0] * 1000


def test_streams_order_the_consumers_work(sycl_device):  # R7.2
    import dpctl

    x = cl.full(1_000_000, 3.0, device=sycl_device)
    queue = dpctl.SyclQueue("opencl:cpu")
    for stream in (None, queue, cl.Queue(queue), sycl_device.default_queue):
        x.__dlpack__(stream=stream)
    with pytest.raises(ValueError, match="stream"):
        x.__dlpack__(stream=3)


def test_producers_are_told_our_queue(sycl_device):  # R7.2
    import dpctl
    import dpnp

    theirs = dpctl.SyclQueue("opencl:cpu")
    for value in range(5):
        busy = dpnp.full(2_000_000, float(value), sycl_queue=theirs)
        for _ in range(5):
            busy += 1.0  # pending on a queue that is not ours
        assert set(cl.asnumpy(cl.from_dlpack(busy))[::100_000].tolist()) == {value + 5.0}


def test_torch_and_we_share():  # R7.2
    torch = pytest.importorskip("torch", reason="torch is not installed")
    x = cl.asarray(np.arange(6.0).reshape(2, 3), device="native:cpu")
    tensor = torch.from_dlpack(x[:, ::2])
    tensor[0, 0] = 41.0
    assert float(x[0, 0]) == 41
    back = cl.from_dlpack(tensor)
    back[1, 1] = 5
    assert float(x[1, 2]) == 5
    assert cl.asarray(torch.ones(3)).tolist() == [1, 1, 1]


class Producer:
    """A producer under the test's control."""

    def __init__(self, capsule, device=(1, 0)):
        self.capsule, self.device = capsule, device

    def __dlpack__(self, **options):
        return self.capsule

    def __dlpack_device__(self):
        return self.device


def test_old_producers_are_read():
    class Old(Producer):
        def __dlpack__(self):
            return np.arange(3.0).__dlpack__()

    assert cl.from_dlpack(Old(None)).tolist() == [0, 1, 2]


def test_dead_and_foreign_capsules_are_refused(sycl_device):
    for version in (None, (1, 0)):
        capsule = np.arange(3.0).__dlpack__(max_version=version)
        cl.from_dlpack(Producer(capsule))
        with pytest.raises(ValueError, match="consumed"):
            cl.from_dlpack(Producer(capsule))
    for wrong in (sycl_device.default_queue._get_capsule(), 3, None, b"x"):
        with pytest.raises(ValueError, match="no DLPack capsule"):
            cl.from_dlpack(Producer(wrong))


def test_tensors_that_lie_are_refused():
    class Tensor(ctypes.Structure):
        _fields_ = (
            ("data", ctypes.c_void_p),
            ("device_type", ctypes.c_int32),
            ("device_id", ctypes.c_int32),
            ("ndim", ctypes.c_int32),
            ("code", ctypes.c_uint8),
            ("bits", ctypes.c_uint8),
            ("lanes", ctypes.c_uint16),
            ("shape", ctypes.POINTER(ctypes.c_int64)),
            ("strides", ctypes.POINTER(ctypes.c_int64)),
            ("byte_offset", ctypes.c_uint64),
            ("context", ctypes.c_void_p),
            ("deleter", ctypes.c_void_p),
        )

    memory = np.zeros(4)
    new_capsule = ctypes.pythonapi.PyCapsule_New
    new_capsule.restype, new_capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)

    def offer(shape=(4,), strides=None, **changes):
        fields = {
            "data": memory.ctypes.data,
            "device_type": 1,
            "ndim": len(shape),
            "code": 2,
            "bits": 64,
            "lanes": 1,
            "shape": (ctypes.c_int64 * max(len(shape), 1))(*shape),
            "strides": (ctypes.c_int64 * len(strides))(*strides) if strides else None,
            **changes,
        }
        tensor = Tensor(**{name: value for name, value in fields.items() if value is not None})
        alive.append((tensor, fields))
        return Producer(new_capsule(ctypes.addressof(tensor), b"dltensor", None))

    alive = []
    assert cl.from_dlpack(offer()).tolist() == [0] * 4
    for lie in (
        {"data": 0},
        {"shape": (-1,)},
        {"shape": (2**62, 2**62)},
        {"ndim": -1},
        {"ndim": 1000},
        {"bits": 7},
        {"code": 9},
        {"lanes": 4},
        {"strides": (2**62,)},
        {"device_type": 2},
        {"byte_offset": 3},
    ):
        with pytest.raises((ValueError, TypeError, BufferError)):
            cl.from_dlpack(offer(**lie))


def test_what_offers_no_dlpack_is_a_type_error():
    with pytest.raises(TypeError, match="asarray"):
        cl.from_dlpack([1, 2])
    with pytest.raises((ValueError, BufferError), match="device type 2"):
        cl.from_dlpack(Producer(np.ones(2).__dlpack__(), device=(2, 0)))


def test_who_names_the_cpu_gets_a_copy_where_there_is_no_other_way(sycl_device):  # R2.3
    x = cl.asarray([1.0, 2.0], device=sycl_device)
    assert x.__dlpack__(dl_device=(1, 0)) is not None
    with pytest.raises(TypeError):
        x.__dlpack__(dl_device=(1, 0), copy=False)
