"""How the host reads arrays (R2.3)."""

import numpy as np
import pytest

import colocate as cl


@pytest.fixture
def strict():
    cl.config.strict_host_access = True
    yield
    cl.config.strict_host_access = False


READERS = [np.asarray, np.array, memoryview, lambda x: x.__dlpack__(dl_device=(1, 0), copy=False)]


def visible_types(device):
    return ("device", "shared", "host") if device.backend == "native" else ("shared", "host")


def test_memory_the_host_can_address_is_viewed_without_a_copy(device):  # R2.3
    for usm_type in visible_types(device):
        x = cl.asarray(np.arange(6.0).reshape(2, 3), device=device, usm_type=usm_type)
        for view in (np.asarray(x), np.asarray(memoryview(x)), cl.asnumpy(x)):
            view[0, 0] = 42
            assert float(x[0, 0]) == 42
            x[0, 0] = 0
            x.queue.wait()  # a view is taken after pending work, not told of later work
            assert view[0, 0] == 0
        assert np.asarray(x).ctypes.data == x.__sycl_usm_array_interface__["data"][0]


@pytest.mark.parametrize("usm_type", ["device", "shared", "host"])
def test_the_caller_may_choose_between_a_copy_and_a_view(device, usm_type):  # R2.3
    expected = np.arange(6.0).reshape(2, 3)[:, ::-1]
    x = cl.asarray(expected, device=device, usm_type=usm_type)
    mine = cl.asnumpy(x, copy=True)
    np.testing.assert_array_equal(mine, expected)
    mine[:] = 7
    np.testing.assert_array_equal(cl.asnumpy(x, copy=None), expected)
    if usm_type in visible_types(device):
        cl.asnumpy(x, copy=False)[0, 0] = 42
        assert float(x[0, 0]) == 42
    else:
        with pytest.raises(cl.HostAccessError, match="asnumpy"):
            cl.asnumpy(x, copy=False)


def test_the_choice_holds_for_what_is_no_array_of_ours():  # R2.3
    a = np.arange(3)
    assert cl.asnumpy(a, copy=False) is a
    assert not np.shares_memory(cl.asnumpy(a, copy=True), a)


def test_cpu_dlpack_views_it_too(device):  # R2.3
    for usm_type in visible_types(device):
        x = cl.zeros(3, device=device, usm_type=usm_type)
        np.from_dlpack(x, device="cpu")[0] = 5
        assert float(x[0]) == 5


def test_other_device_memory_is_never_copied_in_silence(sycl_device):  # R2.3
    x = cl.asarray([1, 2, 3], device=sycl_device)
    for read in READERS:
        with pytest.raises(TypeError, match=r"colocate\.asnumpy\(x\)"):
            read(x)
    assert isinstance(np.add(x, 1), cl.Array)
    assert isinstance(np.concatenate([x, x]), cl.Array)
    assert cl.asnumpy(x).tolist() == [1, 2, 3]


def test_strict_access_makes_native_device_memory_raise_too(strict):  # R2.3
    x = cl.asarray([1, 2, 3], device="native:cpu")
    for read in READERS:
        with pytest.raises(TypeError, match="asnumpy"):
            read(x)
    copied = cl.asnumpy(x)
    copied[0] = 9
    assert x.tolist() == [1, 2, 3]
    shared = cl.asarray([1], device="native:cpu", usm_type="shared")
    assert np.asarray(shared).tolist() == [1]
    assert "strict_host_access=True" in repr(cl.config)


def test_the_error_is_what_each_protocol_expects(sycl_device):  # R2.3
    x = cl.ones(3, device=sycl_device)
    with pytest.raises(cl.HostAccessError) as caught:
        np.asarray(x)
    assert isinstance(caught.value, (TypeError, BufferError, cl.Error))
    assert "usm_type" in str(caught.value)


def test_scalars_copy_what_they_need(device):  # R2.3
    assert int(cl.asarray(3, device=device)) == 3
    assert float(cl.asarray(2.5, device=device)) == 2.5
    assert complex(cl.asarray(1 + 2j, device=device)) == 1 + 2j
    assert bool(cl.asarray(False, device=device)) is False
    assert [10, 20, 30][cl.asarray(1, device=device)] == 20
    assert float(cl.asarray([[1.5, 2.5]], device=device)[0, 1]) == 2.5
    assert cl.asarray([[7]], device=device).item() == 7
    assert cl.asarray([7, 8], device=device).item(1) == 8
    assert "3" in repr(cl.asarray(3, device=device))


def test_what_is_no_scalar_says_so(device):
    x = cl.ones(3, device=device)
    for convert in (int, float, complex):
        with pytest.raises(TypeError, match="0-d"):
            convert(x)
    for several in (x, x[:0]):
        with pytest.raises(ValueError, match=r"x.any\(\)"):
            bool(several)
    assert bool(x[:1])
    assert not bool(cl.zeros((1, 1), device=device))
    with pytest.raises(TypeError):
        int(cl.asarray(1j, device=device))
    with pytest.raises(ValueError, match="NaN"):
        int(cl.asarray(np.nan, device=device))
    with pytest.raises(TypeError):
        [1, 2][cl.asarray(1.0, device=device)]
    with pytest.raises(ValueError, match="one element"):
        x.item()


@pytest.mark.parametrize("index", [np.s_[...], np.s_[::-1], np.s_[:, ::2], np.s_[1], np.s_[0:0]])
def test_buffers_have_the_layout_of_the_view(index):
    a = np.arange(12, dtype="int32").reshape(3, 4)
    x = cl.asarray(a, device="native:cpu")[index]
    view = memoryview(x)
    assert view.shape == a[index].shape and view.strides == a[index].strides and view.format == "i"
    assert view.tolist() == a[index].tolist()


def test_buffers_are_writable_and_keep_the_memory():
    x = cl.zeros(4, dtype="uint8", device="native:cpu")
    view = memoryview(x)
    view[1] = 9
    assert x.tolist() == [0, 9, 0, 0]
    del x
    assert bytes(view) == b"\0\x09\0\0"
    assert bytes(cl.ones(2, dtype="uint8", device="native:cpu")) == b"\1\1"


def test_numpy_asarray_honours_dtype_and_copy():
    x = cl.ones(3, device="native:cpu")
    assert np.asarray(x, dtype="int32").dtype == np.int32
    assert np.array(x, copy=True).ctypes.data != np.asarray(x).ctypes.data
    with pytest.raises(ValueError):
        np.array(x, dtype="int8", copy=False)


def test_views_wait_for_pending_work():  # R2.3
    # Large enough to run on other threads; a view taken at once must see the end of it.
    for value in range(1, 20):
        x = cl.full(2_000_000, value, dtype="float32", device="native:cpu")
        y = x.copy()
        assert np.asarray(y)[-1] == value and np.asarray(y)[0] == value
