"""The array container: creation, attributes, views, moves."""

import copy
import pickle

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.extra import numpy as hnp

import colocate as cl
from colocate import _dtypes

DTYPES = tuple(_dtypes.ALL)
USM_TYPES = ("device", "shared", "host")


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype_makes_the_round_trip(device, dtype):
    a = np.arange(24).reshape(2, 3, 4).astype(dtype)
    x = cl.asarray(a, device=device)
    assert isinstance(x.dtype, np.dtype) and x.dtype == a.dtype == getattr(cl, dtype)
    assert cl.asnumpy(x).dtype == a.dtype
    np.testing.assert_array_equal(cl.asnumpy(x), a)


@pytest.mark.parametrize("dtype", DTYPES)
def test_fills_are_those_of_numpy(device, dtype):
    for value in (0, 1, 7):
        np.testing.assert_array_equal(
            cl.asnumpy(cl.full((3, 5), value, dtype=dtype, device=device)), np.full((3, 5), value, dtype=dtype)
        )
    np.testing.assert_array_equal(cl.asnumpy(cl.zeros(9, dtype=dtype, device=device)), np.zeros(9, dtype))
    np.testing.assert_array_equal(cl.asnumpy(cl.ones(9, dtype=dtype, device=device)), np.ones(9, dtype))


def test_special_values_arrive_bit_by_bit(device):
    a = np.array([np.nan, np.inf, -np.inf, -0.0, 5e-324, np.finfo(float).max])
    assert cl.asnumpy(cl.asarray(a, device=device)).tobytes() == a.tobytes()
    assert cl.asnumpy(cl.full(3, -0.0, device=device)).tobytes() == np.full(3, -0.0).tobytes()


@pytest.mark.parametrize("usm_type", USM_TYPES)
def test_every_array_carries_its_place(device, usm_type):  # R2.1
    x = cl.empty((2, 3), device=device, usm_type=usm_type)
    assert x.queue == device.default_queue and x.device == device and x.context == device.default_context
    assert x.usm_type == usm_type
    for theirs, ours in ((x.sycl_queue, x.queue), (x.sycl_device, x.device), (x.sycl_context, x.context)):
        assert theirs == ours and ours == theirs and hash(theirs) == hash(ours)
    interface = x.__sycl_usm_array_interface__
    assert interface["shape"] == (2, 3) and interface["version"] == 1 and interface["typestr"] == "<f8"
    assert interface["syclobj"] == x.queue


def test_memory_is_of_type_device_unless_named(device):  # R2.2
    for x in (cl.empty(2, device=device), cl.zeros(2, device=device), cl.asarray([1], device=device)):
        assert x.usm_type == "device"


def test_attributes_are_numpys(device):
    a = np.zeros((2, 3, 4), dtype="int16")
    x = cl.asarray(a, device=device)
    for name in ("shape", "strides", "ndim", "size", "itemsize", "nbytes"):
        assert getattr(x, name) == getattr(a, name)
    assert x.T.shape == a.T.shape and x.T.strides == a.T.strides
    assert len(x) == 2
    assert x.flags.c_contiguous and not x.flags.f_contiguous and x.flags.writable
    assert x.T.flags["f_contiguous"] and not x[:, ::2].flags["c_contiguous"]


@pytest.mark.parametrize("shape", [(), (0,), (1,), (5,), (0, 3), (3, 0), (2, 3), (1, 1, 1), (2, 3, 4, 5), [2, 2], 7])
def test_shapes_of_all_kinds(device, shape):
    a, x = np.ones(shape), cl.ones(shape, device=device)
    assert x.shape == a.shape and x.size == a.size
    np.testing.assert_array_equal(cl.asnumpy(x), a)
    np.testing.assert_array_equal(cl.asnumpy(x.copy()), a)


@pytest.mark.parametrize("data", [3, 2.5, True, 1 + 2j, [1, 2], [[1.0], [2.0]], (1, 2), range(4), [], np.float32(3)])
def test_host_data_of_all_kinds_becomes_an_array(device, data):
    x = cl.asarray(data, device=device)
    wanted = np.asarray(data)
    assert x.dtype == wanted.dtype and x.shape == wanted.shape
    np.testing.assert_array_equal(cl.asnumpy(x), wanted)


def test_the_buffer_protocol_is_read(device):
    import array

    assert cl.asarray(array.array("d", [1, 2, 3]), device=device).tolist() == [1, 2, 3]
    assert cl.asarray(memoryview(b"\1\2"), device=device).tolist() == [1, 2]


def layouts():
    """Views of an array as programs make them."""
    index = st.one_of(
        st.integers(-3, 2),
        st.builds(slice, *[st.one_of(st.none(), st.integers(-5, 5))] * 2, st.sampled_from([1, 2, -1, -2])),
    )
    return st.lists(index, min_size=0, max_size=3).map(tuple)


@settings(deadline=None, max_examples=150)
@given(index=layouts(), transpose=st.booleans(), dtype=st.sampled_from(["int8", "float64", "complex128"]))
def test_views_are_numpys_views(index, transpose, dtype):
    for selector in cl.devices():
        a = np.arange(60).reshape(3, 4, 5).astype(dtype)
        x = cl.asarray(a, device=selector)
        wanted, got = a[index], x[index]
        if transpose:
            wanted, got = wanted.T, got.T
        assert got.shape == wanted.shape
        assert cl.asnumpy(got).tolist() == wanted.tolist()
        assert cl.asnumpy(got.copy()).tolist() == wanted.tolist()
        assert got.copy().flags["c_contiguous"]


@settings(deadline=None, max_examples=100)
@given(index=layouts(), dtype=st.sampled_from(["uint8", "float32", "complex128"]), data=st.data())
def test_assignment_to_views_is_numpys(index, dtype, data):
    a = np.arange(60).reshape(3, 4, 5).astype(dtype)
    shape = a[index].shape
    value = data.draw(st.one_of(st.just(7), hnp.arrays(dtype, shape, elements=st.integers(0, 9))))
    for selector in cl.devices():
        expected = a.copy()
        expected[index] = value
        x = cl.asarray(a, device=selector)
        x[index] = cl.asarray(value, device=selector) if isinstance(value, np.ndarray) else value
        assert cl.asnumpy(x).tolist() == expected.tolist()


def test_overlapping_assignment_reads_before_it_writes(device):
    a = np.arange(10.0)
    x = cl.asarray(a, device=device)
    a[1:] = a[:-1].copy()
    x[1:] = x[:-1]
    assert x.tolist() == a.tolist()
    x[::-1] = x
    assert x.tolist() == a[::-1].tolist()


def test_assignment_broadcasts_and_converts(device):
    x = cl.zeros((3, 4), device=device)
    x[...] = cl.asarray([1, 2, 3, 4], device=device)
    assert x.tolist() == [[1, 2, 3, 4]] * 3
    x[1] = 9
    x[2, :2] = [5, 6]
    assert x.tolist() == [[1, 2, 3, 4], [9] * 4, [5, 6, 3, 4]]
    with pytest.raises(ValueError, match="broadcast"):
        x[...] = cl.ones(3, device=device)


def test_newaxis_and_ellipsis(device):
    x = cl.ones((2, 3), device=device)
    assert x[None].shape == (1, 2, 3) and x[..., None].shape == (2, 3, 1) and x[1, ...].shape == (3,)


def test_iteration_gives_rows(device):
    assert [row.tolist() for row in cl.asarray([[1, 2], [3, 4]], device=device)] == [[1, 2], [3, 4]]
    with pytest.raises(TypeError, match="0-d"):
        iter(cl.asarray(1, device=device))


@pytest.mark.parametrize("index", [5, -6, (0, 0), 1.5, "a", (..., ...), [0, 7], slice(None, None, 0), slice("a")])
def test_bad_indices_are_index_errors(device, index):
    with pytest.raises(IndexError):
        cl.ones(5, device=device)[index]


def test_views_have_no_more_dimensions_than_arrays(device):
    x = cl.ones((2, 2), device=device)
    assert x[(None,) * 62].ndim == 64
    with pytest.raises(IndexError, match="72 dimensions"):
        x[(None,) * 70]


def test_huge_slice_ends_are_clamped(device):
    x = cl.asarray([1, 2, 3], device=device)
    assert x[-(10**30) : 10**30].tolist() == [1, 2, 3]
    with pytest.raises(IndexError, match=str(10**30)):
        x[10**30]


class TestAsarray:
    """R2.4."""

    def test_an_array_stays_in_place_where_its_queue_can_use_it(self, device):  # R2.4
        x = cl.ones(3, device=device)
        queue = cl.Queue(device)
        for y in (cl.asarray(x), cl.asarray(x, device=device), cl.asarray(x, queue=queue), x.asarray(queue)):
            y[0] = 5
            assert float(x[0]) == 5
            x[0] = 1
        assert cl.asarray(x, queue=queue).queue == queue
        assert cl.asarray(x, device=device).queue == x.queue

    def test_shared_and_host_memory_stays_in_place_across_parts_of_a_device(self, device):  # R2.4
        if device.max_compute_units < 2:
            pytest.skip("one compute unit cannot be split")
        parts = device.create_sub_devices(1)
        context = cl.Context(parts)
        one, two = (cl.Queue(context, part) for part in parts[:2])
        for usm_type in ("shared", "host"):
            x = cl.zeros(3, queue=one, usm_type=usm_type)
            cl.asarray(x, queue=two, copy=False)[0] = 1
            assert x.tolist() == [1, 0, 0]
        with pytest.raises(ValueError, match="copy=False"):
            cl.asarray(cl.zeros(3, queue=one), queue=two, copy=False)

    def test_copy_true_always_copies(self, device):  # R2.4
        x = cl.ones(3, device=device)
        y = cl.asarray(x, copy=True)
        y[0] = 5
        assert float(x[0]) == 1

    def test_copy_false_raises_where_a_copy_is_needed(self, device):  # R2.4
        x = cl.ones(3, device=device)
        for options in ({"dtype": "int32"}, {"usm_type": "shared"}):
            with pytest.raises(ValueError, match="copy=False, but"):
                cl.asarray(x, copy=False, **options)
        with pytest.raises(ValueError, match="copy=False, but host data"):
            cl.asarray(np.ones(3), device=device, copy=False)

    def test_other_contexts_need_a_copy(self, sycl_device):  # R2.4
        x = cl.asarray([1, 2], device="native:cpu", usm_type="shared")
        with pytest.raises(ValueError, match="copy=False"):
            cl.asarray(x, device=sycl_device, copy=False)
        y = cl.asarray(x, device=sycl_device)
        assert y.tolist() == [1, 2] and y.usm_type == "shared"

    def test_dtypes_and_usm_types_are_converted(self, device):
        x = cl.asarray([1.5, 2.5], device=device)
        assert cl.asarray(x, dtype="int64").tolist() == [1, 2]
        assert cl.asarray(x, usm_type="host").usm_type == "host"
        assert cl.asarray([1, 2], dtype=np.float32, device=device).dtype == np.float32
        for dtype in (float, "f8", np.float64, np.dtype("f8"), "double"):
            assert cl.asarray([1], dtype=dtype, device=device).dtype == np.float64

    def test_as_array_is_an_alias(self, device):  # R2.4
        assert cl.as_array is cl.asarray
        assert cl.ones(2, device=device).as_array(usm_type="shared").usm_type == "shared"

    def test_device_and_queue_must_agree(self, device, sycl_device):
        queue = cl.Queue(device)
        assert cl.zeros(1, device=device, queue=queue).queue == queue
        other = cl.Device("native:cpu") if device == sycl_device else sycl_device
        with pytest.raises(ValueError, match="disagree"):
            cl.zeros(1, device=other, queue=queue)


class TestMoving:
    """R2.5."""

    def test_copy_to_always_copies(self, device):  # R2.5
        x = cl.ones((2, 3), device=device, usm_type="shared")
        for queue in (x.queue, cl.Queue(device), device, device.selector):
            y = x.copy_to(queue)
            y[...] = 2
            assert x.tolist() == [[1] * 3] * 2 and y.usm_type == "shared"
        with cl.device_context(cl.Queue(device)) as queue:
            assert x.copy_to().queue == queue

    def test_make_available_copies_only_if_it_must(self, device):  # R2.5
        x = cl.ones(3, device=device)
        queue = cl.Queue(device)
        y = x.make_available(queue)
        y[0] = 7
        assert float(x[0]) == 7 and y.queue == queue

    def test_collocate_is_asarray_on_the_others_queue(self, device):  # R2.5
        other = cl.zeros(1, queue=cl.Queue(device))
        assert cl.ones(3, device=device).collocate(other).queue == other.queue

    def test_to_device_follows_the_array_api(self, device):  # R2.5
        x = cl.ones(3, queue=cl.Queue(device))
        assert x.to_device(device) is x and x.to_device(x.device) is x and x.to_device(device.selector) is x
        with pytest.raises(ValueError, match="stream"):
            x.to_device(device, stream=1)

    def test_data_moves_between_backends(self, sycl_device):  # R2.5
        a = np.arange(12.0).reshape(3, 4)
        for view in (np.s_[...], np.s_[::2, ::-1], np.s_[1], np.s_[:, 2]):
            for usm_type in USM_TYPES:
                x = cl.asarray(a, device="native:cpu", usm_type=usm_type)[view]
                y = x.to_device(sycl_device)
                assert y.device == sycl_device
                np.testing.assert_array_equal(cl.asnumpy(y), a[view])
                np.testing.assert_array_equal(cl.asnumpy(y.to_device("native:cpu")), a[view])
                np.testing.assert_array_equal(
                    cl.asnumpy(cl.asarray(a, device=sycl_device, usm_type=usm_type)[view].to_device("cpu")), a[view]
                )


def test_arrays_copy_and_pickle(device):
    x = cl.asarray([[1, 2], [3, 4]], device=device, usm_type="shared")[:, 1]
    for y in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert y.tolist() == [2, 4] and y.device == device and y.usm_type == "shared"
        y[0] = 9
        assert x.tolist() == [2, 4]


def test_reprs_show_elements_dtype_and_place(device):
    x = cl.asarray([[1, 2], [3, 4]], dtype="int8", device=device)
    assert repr(x) == f"Array([[1, 2],\n       [3, 4]], dtype=int8, device='{device}', usm_type='device')"
    large = repr(cl.zeros((1000, 1000), device=device))
    assert "..." in large and "shape=(1000, 1000)" in large and len(large) < 800
    assert "shape=(0, 3)" in repr(cl.zeros((0, 3), device=device))
    assert "<table>" in x._repr_html_() and "[3, 4]" in x._repr_html_()


def test_a_large_repr_copies_only_what_it_shows(run_python):
    code = """
        import colocate as cl
        x = cl.zeros((1000, 1000))
        before = cl.memory_stats()["device_to_host"]
        repr(x)
        print(cl.memory_stats()["device_to_host"] - before)
    """
    assert int(run_python(code, COLOCATE_NATIVE_DISCRETE="1")) < 1000


def test_arrays_are_not_hashable(device):
    with pytest.raises(TypeError):
        hash(cl.ones(3, device=device))
