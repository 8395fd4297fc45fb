"""``DPArray``: NumPy arrays in memory that the host and a device share (R8.1)."""

import copy
import pickle

import numpy as np
import pytest

import colocate as cl
from colocate import dparray


def lies_in_usm(array):
    return isinstance(array, cl.DPArray) and array.usm is not None and array.usm.usm_type == "shared"


@pytest.fixture
def a(device):
    return dparray.asarray(np.linspace(0, 1, 24).reshape(4, 6), device=device)


@pytest.fixture
def plain(a):
    return np.asarray(a)


class TestMaking:
    @pytest.mark.parametrize("name", ["zeros", "ones", "empty"])
    @pytest.mark.parametrize("order", ["C", "F"])
    def test_shapes_dtypes_and_orders(self, device, name, order):
        made = getattr(dparray, name)((2, 3), "float32", order, device=device)
        assert lies_in_usm(made)
        assert made.device == device
        assert (made.shape, made.dtype) == ((2, 3), np.float32)
        assert made.flags.c_contiguous == (order == "C")
        if name != "empty":
            assert np.all(made == (name == "ones"))

    @pytest.mark.parametrize(
        "make",
        [
            lambda np: np.full((2, 2), 7),
            lambda np: np.arange(5),
            lambda np: np.arange(1, 2, 0.25, dtype="float32"),
            lambda np: np.linspace(0, 1, 7),
            lambda np: np.eye(3),
            lambda np: np.array([[1, 2], [3, 4]], dtype="int16"),
            lambda np: np.asarray([True, False]),
            lambda np: np.array(5.0),
            lambda np: np.zeros(0),
            lambda np: np.full_like(np.ones(3), 2),
            lambda np: np.sin(np.ones(3)),
            lambda np: np.linalg.inv(np.eye(3) * 2),
            lambda np: np.where(np.arange(4) > 1, np.pi, 0.0),
        ],
    )
    def test_the_namespace_makes_what_numpys_makes(self, make):
        expected, made = make(np), make(dparray)
        assert lies_in_usm(made)
        assert made.dtype == expected.dtype
        assert np.array_equal(made, expected)

    def test_the_class_itself_makes_arrays(self, device):
        assert lies_in_usm(cl.DPArray((2, 3), dtype="int8", device=device))

    def test_it_follows_the_current_queue(self, device):
        with cl.device_context(device) as queue:
            assert dparray.ones(3).queue == queue

    def test_a_dtype_that_no_device_has_is_refused(self):
        with pytest.raises(cl.DTypeError):
            dparray.zeros(3, dtype="datetime64[s]")

    def test_asarray_does_not_copy_without_need(self, a):
        assert dparray.asarray(a) is a
        assert dparray.asarray(a, copy=True) is not a
        assert dparray.asarray(a, dtype="float32").dtype == np.float32


class TestNumpyOnIt:
    @pytest.mark.parametrize(
        "function",
        [
            np.sin,
            lambda a: a + 1,
            lambda a: 2 * a - a.T.copy().T,
            lambda a: a @ a.T,
            lambda a: a > 0.5,
            lambda a: np.add.outer(a[0], a[1]),
            lambda a: np.add.accumulate(a, axis=1),
            lambda a: np.add(a, a, dtype="float32"),
            lambda a: np.sum(a, axis=0),
            lambda a: np.concatenate([a, a]),
            lambda a: np.sort(a, axis=None),
            lambda a: np.where(a > 0.5, a, 0),
            lambda a: a[a > 0.5],
            lambda a: a[[0, 2]],
            lambda a: a[1:, ::2],
            lambda a: a.T,
            lambda a: a.reshape(8, 3),
            lambda a: a.T.ravel(),
            lambda a: a.copy(),
            lambda a: a.astype("complex64"),
            lambda a: a.cumsum(axis=0),
            lambda a: a.argsort(axis=1),
            lambda a: a.mean(axis=1),
            lambda a: a.repeat(2),
            lambda a: np.linalg.svd(a)[0],
            lambda a: np.fft.fft(a),
        ],
    )
    def test_results_are_numpys_and_lie_in_usm(self, a, plain, function):  # R8.1
        result = function(a)
        assert lies_in_usm(result)
        assert result.queue == a.queue
        assert np.array_equal(np.asarray(result), function(plain))
        assert result.dtype == function(plain).dtype

    def test_large_results_are_not_copied(self, device):
        a = dparray.ones(1 << 16, device=device)
        before = cl.memory_stats()["in_use"]
        result = a * 2.0
        grown = cl.memory_stats()["in_use"] - before
        assert lies_in_usm(result)
        assert result.nbytes <= grown < 2 * result.nbytes

    def test_numbers_come_out_as_numbers(self, a):
        assert type(a.sum()) is np.float64
        assert type(a[0, 0]) is np.float64
        assert a.tolist() == np.asarray(a).tolist()

    def test_views_share_memory(self, a):
        view = a[1:3]
        assert lies_in_usm(view)
        view[...] = 7
        assert np.all(np.asarray(a)[1:3] == 7)
        assert view.usm.shape == (2, 6)

    def test_out_is_given_back_itself(self, a):
        out = dparray.empty_like(a)
        assert np.multiply(a, 2, out=out) is out
        assert np.sum(a, axis=0, out=out[0]).base is not None
        b = a
        b += 1
        assert b is a

    def test_results_that_no_device_can_have_are_numpys(self, a):
        assert type(np.char.add(np.array(["x"]), "y")) is np.ndarray
        assert type(a.astype("U8")) is np.ndarray

    def test_the_subclass_is_printed_by_its_name(self):
        assert repr(dparray.arange(2)) == "DPArray([0, 1])"

    def test_device_arrays_are_not_mixed_with_it(self, a):  # R3.5
        with pytest.raises(TypeError):
            a + cl.ones(a.shape, queue=a.queue)


class TestCopies:
    @pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda a: pickle.loads(pickle.dumps(a))])
    @pytest.mark.parametrize("view", [lambda a: a, lambda a: a.T, lambda a: a[::2, 1:]])
    def test_a_copy_lies_in_usm_of_its_own(self, a, duplicate, view):
        original = view(a)
        made = duplicate(original)
        assert lies_in_usm(made)
        assert np.array_equal(made, original)
        assert not np.shares_memory(made, original)

    def test_the_memory_lives_as_long_as_a_view(self, device):  # R7.3
        view = dparray.arange(1000, device=device)[10:20]
        assert np.array_equal(view, np.arange(10, 20))


class TestSharing:
    def test_it_becomes_an_array_without_a_copy(self, a):
        x = cl.asarray(a)
        assert (x.usm_type, x.queue) == ("shared", a.queue)
        x[0, 0] = 9
        x.wait()
        assert np.asarray(a)[0, 0] == 9

    def test_views_become_arrays_with_their_strides(self, a):
        assert np.array_equal(cl.asnumpy(cl.asarray(a[::-2, 1:])), np.asarray(a)[::-2, 1:])

    def test_other_packages_see_usm(self, sycl_device):
        import dpctl.memory

        a = dparray.arange(5.0, device=sycl_device)
        memory = dpctl.memory.as_usm_memory(a)
        assert memory.get_usm_type() == "shared"
        assert memory._pointer == a.ctypes.data

    def test_an_array_that_came_to_lie_elsewhere_says_so(self):
        stray = np.ones(3).view(cl.DPArray)
        assert stray.usm is None
        with pytest.raises(AttributeError, match=r"dparray\.asarray"):
            _ = stray.queue


@cl.jit
def sine(a):
    a[:] = np.sin(a)


@cl.jit
def sine_and_two(a):
    a[:] = np.sin(a)
    b = a + 2
    return b


class TestJit:
    def test_outside_a_context_it_runs_on_the_host(self, device):  # R8.1
        a = dparray.ones(100, device=device)
        sine(a)
        assert np.allclose(a, np.sin(1))

    def test_inside_a_context_it_is_changed_in_place(self, device):  # R8.1
        a = dparray.ones(100, device=device)
        with cl.device_context(device):
            sine(a)
        assert lies_in_usm(a)
        assert np.allclose(a, np.sin(1))

    def test_results_are_dparrays(self, device):  # R8.1
        a = dparray.ones(100, device=device)
        outside = sine_and_two(a)
        with cl.device_context(device):
            inside = sine_and_two(a)
        assert lies_in_usm(outside) and lies_in_usm(inside)
        assert np.allclose(outside, np.sin(1) + 2)
        assert np.allclose(inside, np.sin(np.sin(1)) + 2)

    def test_nothing_is_copied(self, run_python):  # R8.1
        run_python(
            """
            import linecache, numpy as np, colocate as cl
            from colocate import dparray
            text = "def double(a, b):\\n    b[:] = a * 2\\n    return b + 1\\n"
            linecache.cache["double.py"] = (len(text), None, text.splitlines(True), "double.py")
            names = {}
            exec(compile(text, "double.py", "exec"), names)
            double = cl.jit(names["double"])
            def moved(run):
                before = cl.memory_stats()
                run()
                after = cl.memory_stats()
                return [after[key] - before[key] for key in ("host_to_device", "device_to_host")]
            shared = dparray.ones(1000), dparray.zeros(1000)
            plain = np.ones(1000), np.zeros(1000)
            with cl.device_context("native:cpu"):
                assert moved(lambda: double(*shared)) == [0, 0]
                assert np.all(shared[1] == 2)
                assert min(moved(lambda: double(*plain))) >= 8000
            """,
            COLOCATE_NATIVE_DISCRETE="1",
        )

    def test_views_are_used_in_place(self, device):
        a = dparray.ones((10, 10), device=device)
        with cl.device_context(device):
            sine(a[::2, 1:])
        expected = np.ones((10, 10))
        expected[::2, 1:] = np.sin(1)
        assert np.allclose(a, expected)
