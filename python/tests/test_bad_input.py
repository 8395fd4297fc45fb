"""Bad input is a Python exception with a message, never a crash."""

import pickle

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import colocate as cl
from colocate import _native

MAKERS = [cl.empty, cl.zeros, cl.ones, lambda shape, **options: cl.full(shape, 1.0, **options)]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    "shape",
    [-1, (-1,), (2, -3), 1.5, (1.5,), "ab", None, (2**64,), 2**70, (2**40, 2**40), (2**62, 2), [None], (0, 2**63)],
)
def test_shapes_that_cannot_be(device, make, shape):
    with pytest.raises((ValueError, TypeError)) as caught:
        make(shape, device=device)
    assert str(caught.value)


def test_too_many_dimensions(device):
    assert cl.empty((1,) * 64, device=device).ndim == 64
    with pytest.raises(ValueError, match="too many dimensions"):
        cl.empty((1,) * 65, device=device)


@pytest.mark.parametrize(
    "dtype", ["float31", "O", "U8", "datetime64[s]", object, ">f8", "f16", "V4", 3, [("a", "f8")], ""]
)
def test_dtypes_that_are_not_there(device, dtype):
    with pytest.raises(TypeError):
        cl.empty(3, dtype=dtype, device=device)
    with pytest.raises(TypeError):
        cl.asarray([1, 2], dtype=dtype, device=device)


def test_the_message_about_a_dtype_lists_those_there_are(device):
    with pytest.raises(cl.DTypeError, match="there are bool, int8"):
        cl.zeros(3, dtype="datetime64[s]", device=device)


@pytest.mark.parametrize(
    "data", ["text", ["a"], object(), [object()], np.array(["a"]), np.datetime64("2020"), {}, {1}, None]
)
def test_data_that_is_no_numbers(device, data):
    with pytest.raises((TypeError, ValueError)):
        cl.asarray(data, device=device)


def test_ragged_lists(device):
    with pytest.raises(ValueError):
        cl.asarray([[1, 2], [3]], device=device)


def test_big_endian_data_is_refused_with_its_dtype(device):
    with pytest.raises(TypeError, match=">i4"):
        cl.asarray(np.arange(3, dtype=">i4"), device=device)


@pytest.mark.parametrize("usm_type", ["", "Device", "fast", "hosts"])
def test_usm_types_that_are_not_there(device, usm_type):
    with pytest.raises(ValueError, match='write "device", "shared" or "host"'):
        cl.empty(3, device=device, usm_type=usm_type)


@pytest.mark.parametrize("value", ["x", [1, 2], None, 2**100, object()])
def test_values_that_cannot_be_filled_in(device, value):
    with pytest.raises((TypeError, ValueError, OverflowError)):
        cl.full(3, value, dtype="int32", device=device)


def test_a_bug_of_ours_is_an_exception_and_the_process_lives():
    with pytest.raises(cl.InternalError, match="an invariant does not hold"):
        _native._fail_internally()
    assert cl.ones(2, device="native:cpu").tolist() == [1, 1]


def test_a_fill_value_fits_the_shape(device):
    for value in ([7, 8], np.ones((2, 3))):
        with pytest.raises(ValueError):
            cl.full(3, value, device=device)


def test_a_context_and_a_queue_say_what_they_need(device):
    with pytest.raises(cl.DeviceNotFoundError):
        cl.Context("native:gpu")
    with pytest.raises(ValueError, match=r"Queue\(context, device\)"):
        cl.Queue(device.default_context)
    with pytest.raises(ValueError, match="takes an array"):
        cl.ones(2, device=device).collocate(device.default_queue)
    with pytest.raises(ValueError, match="names no device or queue"):
        cl.zeros(2, queue=cl.ones(2, device=device))
    for control in (cl.device_context, cl.set_global_queue, cl.QueueManager("p").current):
        with pytest.raises(ValueError, match="names no device or queue"):
            control(None)


def test_integers_that_do_not_fit_are_refused(device):
    with pytest.raises(OverflowError):
        cl.full(3, 300, dtype="uint8", device=device)
    x = cl.zeros(3, dtype="int8", device=device)
    with pytest.raises(OverflowError):
        x[0] = 1000


@pytest.mark.parametrize(
    "place", [{"device": 3}, {"device": object()}, {"queue": "tpu"}, {"queue": 1.5}, {"device": b"cpu"}]
)
def test_places_that_are_none(place):
    with pytest.raises((ValueError, TypeError)):
        cl.zeros(3, **place)


def test_unaligned_and_odd_numpy_arrays_are_read(device):
    raw = np.arange(33, dtype="uint8")
    unaligned = raw[1:].view("float64")
    records = np.zeros(4, dtype=[("a", "u1"), ("b", "f8")])
    records["b"] = range(4)
    broadcast = np.broadcast_to(np.arange(3.0), (4, 3))
    for a in (unaligned, records["b"], broadcast, np.arange(10.0)[::-2], np.asfortranarray(np.eye(3))):
        assert cl.asnumpy(cl.asarray(a, device=device)).tobytes() == a.tobytes()
    for a in (records["b"], unaligned):
        with pytest.raises((ValueError, BufferError)):
            cl.from_dlpack(a)


anything = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.binary(max_size=5),
    st.lists(st.integers(-5, 5), max_size=3),
    st.tuples(st.integers(-5, 5), st.integers(-5, 5)),
    st.just(np.arange(3)),
    st.builds(object),
    st.just(slice(None)),
    st.just(...),
)


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_nothing_a_caller_passes_crashes(data):
    x = cl.asarray([1, 2, 3], device="native:cpu")
    call = data.draw(
        st.sampled_from(
            [
                cl.empty,
                cl.zeros,
                cl.asarray,
                cl.from_dlpack,
                cl.asnumpy,
                cl.Device,
                cl.Queue,
                cl.Context,
                cl.get_execution_queue,
                cl.get_coerced_usm_type,
                cl.queues_equivalent,
                cl.memory_stats,
                cl.device_context,
                cl.QueueManager,
                x.__getitem__,
                x.copy_to,
                x.make_available,
                x.to_device,
                x.asarray,
                x.collocate,
                x.item,
            ]
        )
    )
    argument = data.draw(anything)
    if isinstance(argument, int) and abs(argument) > 10_000:
        argument %= 10_000  # plausible sizes would only fill the memory
    try:
        call(argument)
    except Exception as error:
        assert not type(error).__name__.startswith("Panic"), error


@pytest.mark.parametrize("kind", (np.exceptions.AxisError, cl.AxisError, ValueError, IndexError))
def test_axes_that_are_not_there_are_caught_by_any_of_their_names(device, kind):
    x = cl.ones((2, 3), device=device)
    for bad in (lambda: cl.sum(x, axis=2), lambda: cl.roll(x, 1, axis=-3)):
        with pytest.raises(kind, match="out of bounds for an array of 2 dimensions") as caught:
            bad()
        again = pickle.loads(pickle.dumps(caught.value))
        assert type(again) is cl.AxisError and str(again) == str(caught.value)
