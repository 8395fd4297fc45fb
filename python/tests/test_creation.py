"""Sequences, arrays like others, and arrays of host data of all kinds, compared with NumPy."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given, settings

import colocate as cl
from colocate import _dtypes

NUMBERS = tuple(name for name in _dtypes.ALL if name != "bool")


def same(got, wanted):
    wanted = np.asarray(wanted)
    assert got.dtype == wanted.dtype and got.shape == wanted.shape, (got.dtype, wanted.dtype, got.shape, wanted.shape)
    np.testing.assert_array_equal(cl.asnumpy(got), wanted)


@pytest.mark.parametrize("dtype", (None, *NUMBERS))
@pytest.mark.parametrize("arguments", [(5,), (1, 7), (0, 10, 3), (7, 1, 2), (3.5,), (0.5, 5, 1.5), (2.0, 2.0)], ids=str)
def test_ranges_are_numpys(device, arguments, dtype):
    got, wanted = cl.arange(*arguments, dtype=dtype, device=device), np.arange(*arguments, dtype=dtype)
    assert got.dtype == wanted.dtype and got.shape == wanted.shape
    assert cl.asnumpy(got).tobytes() == wanted.tobytes()


@settings(deadline=None, max_examples=100)
@given(start=st.integers(-(2**40), 2**40), length=st.integers(-2, 50), step=st.integers(-9, 9), rest=st.integers(0, 8))
def test_integer_ranges_are_pythons(start, length, step, rest):
    assume(step != 0)
    stop = start + length * step + (rest % abs(step)) * (1 if step > 0 else -1)
    for device in cl.devices():
        assert cl.arange(start, stop, step, device=device).tolist() == list(range(start, stop, step))


@settings(deadline=None, max_examples=100)
@given(start=st.floats(-100, 100), width=st.floats(-50, 50), step=st.floats(-3, 3), dtype=st.sampled_from(["f4", "f8"]))
def test_float_ranges_are_numpys(start, width, step, dtype):
    assume(abs(step) > 0.01)
    wanted = np.arange(start, start + width, step, dtype=dtype)
    for device in cl.devices():
        same(cl.arange(start, start + width, step, dtype=dtype, device=device), wanted)


def test_the_second_number_of_a_range_is_rounded_once(device):
    start = 0.8048292134038064
    same(cl.arange(start, -1.2, -1.0, dtype="f4", device=device), np.arange(start, -1.2, -1.0, dtype="f4"))


def test_ranges_of_other_numbers(device):
    same(cl.arange(np.float32(3), device=device), np.arange(np.float32(3)))
    same(cl.arange(True, device=device), np.arange(True))
    same(cl.arange(2, dtype=bool, device=device), np.arange(2, dtype=bool))
    same(cl.arange(0, 4, 2, "complex64", device=device), np.arange(0, 4, 2, "complex64"))
    same(cl.arange(250, 260, dtype="uint8", device=device)[:6], np.arange(250, 256, dtype="uint8"))
    # Half floats are rounded once, which NumPy does twice.
    np.testing.assert_array_equal(
        cl.asnumpy(cl.arange(0, 1, 0.1, dtype="float16", device=device)), np.arange(0, 1, 0.1).astype("float16")
    )


def test_ranges_of_arrays_are_where_these_are(device):
    n = cl.asarray(3, device=device, usm_type="shared")
    x = cl.arange(n)
    assert x.tolist() == [0, 1, 2] and x.queue == n.queue and x.usm_type == "shared"
    assert cl.linspace(n, 5, 3).queue == n.queue
    assert cl.full(2, n).queue == n.queue and cl.full(2, n, usm_type="host").usm_type == "host"


def test_impossible_ranges_say_why(device):
    with pytest.raises(ZeroDivisionError):
        cl.arange(0, 5, 0, device=device)
    for bad in (lambda: cl.arange(0, float("nan")), lambda: cl.arange(1e30), lambda: cl.linspace(0, 1, -1)):
        with pytest.raises(ValueError):
            bad()
    with pytest.raises(OverflowError):
        cl.arange(300, 303, dtype="int8", device=device)
    with pytest.raises(TypeError, match="stop is a number"):
        cl.arange("3", device=device)


@pytest.mark.parametrize("dtype", (None, "int32", "uint8", "float16", "float32", "complex128"))
@pytest.mark.parametrize("endpoint", (True, False))
@pytest.mark.parametrize("ends", [(0, 1), (5, -3), (2, 2), (0, 5e-324), (-1.5, 7)], ids=str)
def test_linear_spaces_are_numpys(device, ends, endpoint, dtype):
    if dtype == "uint8" and min(ends) < 0:
        pytest.skip("what negative numbers become is not defined")
    for num in (0, 1, 2, 7, 50):
        wanted, step = np.linspace(*ends, num, endpoint, retstep=True, dtype=dtype)
        got, ours = cl.linspace(*ends, num, endpoint, retstep=True, dtype=dtype, device=device)
        same(got, wanted)
        np.testing.assert_array_equal(ours, step)


def test_linear_spaces_between_complex_numbers_and_arrays(device):
    same(cl.linspace(1 + 2j, 3 - 1j, 4, device=device), np.linspace(1 + 2j, 3 - 1j, 4))
    low, high = np.array([0, 1, 2]), np.array([[1.5], [2]])
    x, y = cl.asarray(low, device=device), cl.asarray(high, device=device)
    for axis in (0, 1, -1):
        for endpoint in (True, False):
            wanted = np.linspace(low, high, 5, endpoint, axis=axis)
            # NumPy computes all points in another way if one of the distances is zero.
            np.testing.assert_allclose(cl.asnumpy(cl.linspace(x, y, 5, endpoint, axis=axis)), wanted, rtol=1e-15)
    same(cl.linspace(x, 9, 4, dtype="int64"), np.linspace(low, 9, 4, dtype="int64"))
    _, step = cl.linspace(x, 9, 4, retstep=True)
    same(step, np.linspace(low, 9, 4, retstep=True)[1])
    with pytest.raises(cl.HostDataError):
        cl.linspace(x, high)


@pytest.mark.parametrize("dtype", ("float16", "float32", "complex64", "int8", "float64"))
@pytest.mark.parametrize("stop", (2, 2.0, 2j, np.float32(2), np.array([2, 3], "float32"), np.array([2, 3], "int16")))
def test_linear_spaces_between_arrays_have_numpys_dtypes(device, dtype, stop):
    low = np.array([0, 1], dtype)
    there = cl.asarray(stop, device=device) if isinstance(stop, np.ndarray) else stop
    got, wanted = (
        cl.linspace(cl.asarray(low, device=device), there, 4, retstep=True),
        np.linspace(low, stop, 4, retstep=True),
    )
    for ours, theirs in zip(got, wanted, strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(cl.asnumpy(ours), theirs, rtol=2e-3)


def test_logarithmic_spaces_are_numpys(device):
    def near(got, wanted):
        assert got.shape == wanted.shape and got.dtype == wanted.dtype
        np.testing.assert_allclose(cl.asnumpy(got), wanted, rtol=1e-13)

    near(cl.logspace(0, 3, 7, device=device), np.logspace(0, 3, 7))
    near(cl.logspace(0, 3, 4, base=2, endpoint=False, device=device), np.logspace(0, 3, 4, base=2, endpoint=False))
    same(cl.logspace(0, 3, 4, dtype="int64", device=device), np.logspace(0, 3, 4, dtype="int64"))
    near(cl.geomspace(1, 256, 9, device=device), np.geomspace(1, 256, 9))
    near(cl.geomspace(-1000, -1, 4, device=device), np.geomspace(-1000, -1, 4))
    near(cl.geomspace(1, 8, 3, endpoint=False, device=device), np.geomspace(1, 8, 3, endpoint=False))
    ends = np.array([1.0, 10.0]), np.array([100.0, 1000.0])
    ours = [cl.asarray(end, device=device) for end in ends]
    near(cl.geomspace(*ours, 3, axis=1), np.geomspace(*ends, 3, axis=1))
    with pytest.raises(ValueError, match="zero"):
        cl.geomspace(0, 1, device=device)


@pytest.mark.parametrize("dtype", tuple(_dtypes.ALL))
def test_bands_are_numpys(device, dtype):
    for arguments in ((3,), (2, 4), (4, 2), (0, 3)):
        for k in (-5, -1, 0, 1, 2):
            same(cl.eye(*arguments, k=k, dtype=dtype, device=device), np.eye(*arguments, k=k, dtype=dtype))
            same(cl.tri(*arguments, k=k, dtype=dtype, device=device), np.tri(*arguments, k=k, dtype=dtype))
    same(cl.identity(3, dtype, device=device), np.identity(3, dtype))
    same(cl.eye(3, 4, 1, dtype, device=device), np.eye(3, 4, 1, dtype))


@pytest.mark.parametrize("dtype", tuple(_dtypes.ALL))
def test_arrays_like_others(device, dtype):
    x = cl.zeros((2, 3), dtype=dtype, device=device, usm_type="shared").T
    for name, arguments in (("zeros_like", ()), ("ones_like", ()), ("full_like", (1,)), ("empty_like", ())):
        got = getattr(cl, name)(x, *arguments)
        assert got.shape == (3, 2) and got.dtype == x.dtype and got.queue == x.queue and got.usm_type == "shared"
        if name != "empty_like":
            same(got, getattr(np, name)(np.zeros((3, 2), dtype), *arguments))
        other = getattr(cl, name)(x, *arguments, dtype="float32", shape=(4,), usm_type="host")
        assert other.shape == (4,) and other.dtype == "float32" and other.usm_type == "host"
    assert cl.zeros_like(x, device="native:cpu").device == cl.Device("native:cpu")
    with pytest.raises(cl.HostDataError):
        cl.zeros_like(np.zeros(3))


def test_fills_take_arrays_and_lists(device):
    value = cl.asarray([1, 2, 3], device=device)
    same(cl.full((2, 3), value), np.full((2, 3), [1, 2, 3]))
    same(cl.full((2, 3), [1.5, 2, 3], device=device), np.full((2, 3), [1.5, 2, 3]))
    same(cl.full_like(value, value[2]), [3, 3, 3])
    same(cl.full_like(value, 2.7), [2, 2, 2])


def test_nested_lists_that_hold_arrays_are_stacked_where_these_are(device):
    x = cl.arange(3, device=device, usm_type="shared")
    got = cl.asarray([x, x + 1])
    same(got, [[0, 1, 2], [1, 2, 3]])
    assert got.queue == x.queue and got.usm_type == "shared"
    same(cl.asarray([x[0], 5, x[2]], dtype="float32"), np.array([0, 5, 2], "float32"))
    same(cl.asarray([[x[0], 1.5], (2, x[1])]), [[0, 1.5], [2, 1]])
    with pytest.raises(ValueError, match="same shape"):
        cl.asarray([x, x[:2]])
    with pytest.raises(cl.HostDataError):
        cl.asarray([x, np.ones(3)])
    other = cl.ones(3, queue=cl.Queue(device, enable_profiling=True))
    with pytest.raises(cl.ExecutionPlacementError):
        cl.asarray([x, other])


def test_array_copies_unless_told_otherwise(device):
    x = cl.zeros(3, device=device)
    y, z = cl.array(x), cl.array(x, copy=None)
    z[0] = 5
    assert x.tolist() == [5, 0, 0] and y.tolist() == [0, 0, 0]
    assert cl.array([1, 2], ndmin=3, device=device).shape == (1, 1, 2)
    assert cl.array(cl.ones((2, 3), device=device), order="F").flags["f_contiguous"]
    assert cl.array(cl.ones((2, 3), device=device).T, order="C").flags["c_contiguous"]
    assert cl.array(cl.asarray(3, device=device), order="F").shape == ()
    assert cl.array(x, order=None).tolist() == x.tolist()


def test_layouts_are_made_only_if_needed(device):
    x = cl.asarray(np.arange(6).reshape(2, 3), device=device)
    assert cl.ascontiguousarray(x) is not None and cl.ascontiguousarray(x.T).flags["c_contiguous"]
    f = cl.asfortranarray(x)
    assert f.flags["f_contiguous"] and f.tolist() == x.tolist()
    g = cl.asfortranarray(f)
    g[0, 0] = 100
    assert int(f[0, 0]) == 100 and int(x[0, 0]) == 0
    assert cl.copy(x, order="F").strides == (8, 16)
    for make in (cl.ascontiguousarray, cl.asfortranarray):
        assert make(cl.asarray(3, device=device)).shape == (1,)


@pytest.mark.filterwarnings("ignore:Casting complex:numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("source", tuple(_dtypes.ALL))
@pytest.mark.parametrize("target", tuple(_dtypes.ALL))
def test_conversions_are_numpys(device, source, target):
    a = np.array([0, 1, 2, 100]).astype(source)
    x = cl.asarray(a, device=device)
    same(cl.astype(x, target), a.astype(target))
    same(cl.astype(x[::-2], target), a[::-2].astype(target))


def test_conversions_copy_unless_told_otherwise(device):
    x = cl.zeros(2, device=device)
    cl.astype(x, "float64")[0] = 1
    assert x.tolist() == [0, 0]
    assert cl.astype(x, "float64", copy=False) is x
    with pytest.warns(np.exceptions.ComplexWarning):
        cl.astype(cl.asarray([1j], device=device), "float32")
    with pytest.raises(TypeError, match="casting"):
        cl.astype(x, "int64", casting="safe")
    assert cl.astype(x, "int8", device="native:cpu").device == cl.Device("native:cpu")


def test_buffers_and_iterables_become_arrays(device):
    data = np.arange(4, dtype="float32")
    same(cl.frombuffer(data.tobytes(), "float32", device=device), data)
    same(cl.frombuffer(data.tobytes(), "float32", 2, 4, device=device), data[1:3])
    same(cl.fromiter(iter([1, 2, 3]), "int16", device=device), np.array([1, 2, 3], "int16"))
    x = cl.ones((2, 3), device=device)
    assert (cl.ndim(x), cl.shape(x), cl.size(x), cl.size(x, 1)) == (2, (2, 3), 6, 3)


def test_asarray_takes_the_dtype_by_position():
    x = cl.asarray([1, 2], "float32")
    assert x.dtype == np.float32 and x.tolist() == [1.0, 2.0]


@pytest.mark.parametrize(
    ("start", "stop"),
    [
        (np.float32(0), np.float32(2)),
        (np.float32(0), 2.0),
        (0, np.float16(2)),
        (np.float32(0), np.float64(2)),
        (np.int8(0), np.int32(2)),
        (np.complex64(1j), 2),
        (np.float32(0), 2j),
        (0, 2),
        (0, 2j),
    ],
    ids=str,
)
def test_numbers_between_ends_have_their_dtype(start, stop):
    ours, theirs = cl.linspace(start, stop, 5), np.linspace(start, stop, 5)
    assert ours.dtype == theirs.dtype
    np.testing.assert_allclose(cl.asnumpy(ours), theirs, rtol=1e-3 if theirs.dtype == "float16" else 1e-6)


def test_numbers_between_arrays_of_one_element_have_their_dtype():
    ours = cl.linspace(cl.asarray(0, dtype="float32"), cl.asarray(1, dtype="float32"), 3)
    assert ours.dtype == "float32" and ours.tolist() == [0.0, 0.5, 1.0]


@pytest.mark.parametrize("order", ["K", "A", "C", "F", None])
@pytest.mark.parametrize("function", ["array", "asarray"])
def test_copies_of_host_data_and_arrays_lie_in_the_order_that_is_asked_for(function, order):
    plain = np.arange(24.0).reshape(2, 3, 4)
    for x in (plain, plain.T, plain.transpose(1, 2, 0), plain[:, ::-1], plain[..., ::2]):
        wanted = getattr(np, function)(x, order=order, copy=True)
        for source in (x, cl.from_dlpack(x)):
            got = getattr(cl, function)(source, order=order, copy=True)
            assert got.tolist() == wanted.tolist()
            if function == "array" or order is not None:
                assert got.strides == wanted.strides


def test_arrays_are_copied_only_if_they_lie_in_another_order():
    x = cl.asarray(np.arange(6.0).reshape(2, 3))
    assert cl.shares_memory(cl.asarray(x, order="C"), x) and cl.shares_memory(cl.asarray(x.T, order="F"), x)
    assert not cl.shares_memory(cl.asarray(x, order="F"), x)
    assert cl.asarray(x, order="F", dtype="float32").strides == (4, 8)
    with pytest.raises(ValueError, match="order"):
        cl.asarray(x, order="F", copy=False)
    with pytest.raises(ValueError, match="none of"):
        cl.asarray(x, order="X")
    with pytest.raises(ValueError, match="copy=False"):
        cl.array([1, 2], copy=False)


def test_arrays_like_others_keep_any_order_of_axes():
    x = np.arange(24.0).reshape(2, 3, 4).transpose(1, 2, 0)
    ours = cl.asarray(np.arange(24.0).reshape(2, 3, 4)).transpose(1, 2, 0)
    for name, more in (("empty_like", ()), ("zeros_like", ()), ("ones_like", ()), ("full_like", (7,))):
        got, wanted = getattr(cl, name)(ours, *more, order="K"), getattr(np, name)(x, *more, order="K")
        assert got.strides == wanted.strides and (name == "empty_like" or got.tolist() == wanted.tolist())
    assert ours.copy("K").strides == x.copy("K").strides
    assert cl.full((2, 3), cl.asarray([1, 2, 3]), order="F").tolist() == [[1, 2, 3], [1, 2, 3]]
    assert cl.full((2, 3), [1, 2, 3], order="F").strides == (8, 16)


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.zeros(-1),
        lambda m: m.zeros((2, -3)),
        lambda m: m.zeros(2.5),
        lambda m: m.zeros("a"),
        lambda m: m.eye(-1),
        lambda m: m.eye(2, -1),
        lambda m: m.identity(-1),
        lambda m: m.arange(),
        lambda m: m.arange(0, 5, 0),
    ],
)
def test_what_is_no_extent_is_refused_as_numpy_does_it(call):
    with pytest.raises(Exception) as theirs:
        call(np)
    with pytest.raises(theirs.type):
        call(cl)


def test_a_range_may_have_a_stop_by_name_only():
    assert cl.arange(stop=3).tolist() == np.arange(stop=3).tolist()


def test_multiples_are_as_complex_as_what_is_asked_for():
    for dtype in ("complex64", "complex128"):
        spiral = cl.geomspace(2.5, -5, 4, dtype=dtype)
        np.testing.assert_allclose(cl.asnumpy(spiral), np.geomspace(2.5, -5, 4, dtype=dtype), rtol=1e-5)
    for module in (cl, np):
        with pytest.raises(ValueError):
            module.geomspace(1, 8, -1)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_bases_may_be_as_many_as_the_ends(axis):
    bases, stops = np.asarray([2.0, 3.0]), np.asarray([6.0, 1.0])
    for start, stop in ((0, 6), (0, stops)):
        ours = cl.logspace(start, cl.asarray(stop), 6, base=cl.asarray(bases), axis=axis)
        np.testing.assert_allclose(cl.asnumpy(ours), np.logspace(start, stop, 6, base=bases, axis=axis))
