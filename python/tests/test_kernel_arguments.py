"""What kernels are launched with: binding, numbers, layouts, NumPy arrays (R4.2, R3.4)."""

import re

import numpy as np
import pytest

import colocate as cl

INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
DTYPES = ("bool", *INTEGERS, "float16", "float32", "float64", "complex64", "complex128")


@cl.kernel
def add(a, b, c):
    i = cl.get_global_id(0)
    c[i] = a[i] + b[i]


@cl.kernel
def double(a, out):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    out[i, j] = 2 * a[i, j]


class TestBinding:
    @pytest.fixture
    def weighted(self):
        @cl.kernel
        def weighted(a, b, wa=2.0, *, wb=3.0):
            i = cl.get_global_id(0)
            a[i] = wa * a[i] + wb * b[i]

        return weighted

    def run(self, kernel, device, *args, **kwargs):
        x, y = cl.ones(3, device=device), cl.ones(3, device=device)
        kernel[3](x, y, *args, **kwargs)
        return float(x[0])

    def test_defaults_and_keywords(self, weighted, device):
        assert self.run(weighted, device) == 5.0
        assert self.run(weighted, device, 10.0) == 13.0
        assert self.run(weighted, device, wb=1.0) == 3.0
        assert self.run(weighted, device, wb=1.0, wa=1.0) == 2.0
        x, y = cl.ones(3, device=device), cl.zeros(3, device=device)
        weighted(b=x, a=y)
        assert y.tolist() == [3.0] * 3

    def test_the_first_parameter_gives_the_space_also_by_keyword(self, weighted, device):
        weighted(b=cl.ones(5, device=device), a=cl.ones(3, device=device)).wait()

    def test_positional_only(self, device):
        @cl.kernel
        def k(a, /, n):
            a[0] = n

        x = cl.zeros(1, device=device)
        k(x, n=4)
        assert x.tolist() == [4.0]
        with pytest.raises(TypeError, match="no parameter 'a' that can be named"):
            k(a=x, n=4)

    def test_wrong_arguments_are_named(self, weighted, device):
        x = cl.ones(3, device=device)
        with pytest.raises(TypeError, match=r"weighted misses 1 argument: 'b'"):
            weighted(x)
        with pytest.raises(TypeError, match=r"takes 3 positional arguments, but 4 were given"):
            weighted(x, x, 1.0, 2.0)
        with pytest.raises(TypeError, match=r"no parameter 'wc'.*it has a, b, wa, wb"):
            weighted(x, x, wc=1)
        with pytest.raises(TypeError, match=r"two values for the argument 'b'"):
            weighted(x, x, b=x)

    @pytest.mark.parametrize("wrong", [[1, 2], {"a": 1}, "text", object(), b"x", {1}, range(3)], ids=repr)
    def test_other_objects_are_refused_by_name(self, device, wrong):
        x = cl.ones(3, device=device)
        with pytest.raises(TypeError, match=r"argument 'b' is a .*takes arrays, numbers, None and tuples"):
            add(x, wrong, x)

    @pytest.mark.parametrize("dtype", ["datetime64[s]", "U3", object, ">f8", [("x", "f8")]], ids=str)
    def test_numpy_arrays_of_other_dtypes_are_refused_by_name(self, device, dtype):
        with cl.device_context(device), pytest.raises(cl.DTypeError, match="argument 'b' has the dtype"):
            add(np.ones(3), np.zeros(3, dtype), np.ones(3))


class TestNumbers:
    @pytest.fixture
    def store(self):
        @cl.kernel
        def store(out, value):
            out[0] = value + out[0]

        return store

    @pytest.mark.parametrize("value", [True, 3, -(2**63), 2.5, float("inf")])
    def test_python_numbers(self, store, device, value):  # R3.4
        x = cl.zeros(1, device=device, dtype="float64")
        store[1](x, value)
        assert float(x[0]) == float(value)

    def test_a_complex_number(self, store, device):
        x = cl.zeros(1, device=device, dtype="complex128")
        store[1](x, 2 - 3j)
        assert cl.asnumpy(x)[0] == 2 - 3j

    def test_python_numbers_take_the_arrays_dtype(self, device):  # R3.4
        @cl.kernel
        def scale(a, out, factor):
            i = cl.get_global_id(0)
            out[i] = a[i] * factor

        a = np.array([1.1, 2.3], dtype=np.float32)
        out = cl.zeros(2, device=device)
        scale(cl.asarray(a, device=device), out, 1.1)
        assert np.array_equal(cl.asnumpy(out), (a * 1.1).astype(np.float64))
        scale(cl.asarray(a, device=device), out, np.float64(1.1))
        assert np.array_equal(cl.asnumpy(out), a * np.float64(1.1))

    @pytest.mark.parametrize("dtype", DTYPES)
    def test_numpy_scalars_of_every_dtype(self, store, device, dtype):
        value = np.array([1], dtype=dtype)[0] if dtype == "bool" else np.array([100], dtype=dtype)[0]
        x = cl.zeros(1, device=device, dtype=dtype)
        store[1](x, value)
        assert cl.asnumpy(x)[0] == value

    def test_a_large_uint64(self, store, device):
        x = cl.zeros(1, device=device, dtype="uint64")
        store[1](x, np.uint64(2**64 - 3))
        assert x.tolist() == [2**64 - 3]

    def test_an_int_beyond_int64_is_refused_by_name(self, store, device):
        with pytest.raises(OverflowError, match=r"argument 'value': 9223372036854775808"):
            store[1](cl.zeros(1, device=device), 2**63)

    def test_tuples_and_none(self, device):
        @cl.kernel
        def k(out, pair, nested, extra=None):
            out[0] = pair[0] + pair[1] + nested[1][0]
            if extra is None:
                out[1] = 1
            else:
                out[1] = extra

        x = cl.zeros(2, device=device)
        k(x, (1, 2.5), (0, (10, 20)))
        assert x.tolist() == [13.5, 1.0]
        k(x, (1, 2), (0, (10, 20)), extra=7)
        assert x.tolist() == [13.0, 7.0]

    def test_arrays_in_tuples(self, device):
        @cl.kernel
        def k(out, arrays):
            i = cl.get_global_id(0)
            out[i] = arrays[0][i] + arrays[1][i]

        x, y, z = (cl.full(3, v, device=device) for v in (1.0, 2.0, 0.0))
        k(z, (x, y))
        assert z.tolist() == [3.0] * 3


LAYOUTS = {
    "contiguous": lambda a: a,
    "every other row": lambda a: a[::2],
    "every other column": lambda a: a[:, ::2],
    "reversed": lambda a: a[::-1, ::-1],
    "transposed": lambda a: a.T,
    "inner part": lambda a: a[1:-1, 2:],
    "empty": lambda a: a[:0],
    "one column": lambda a: a[:, 3:4],
}


class TestLayouts:
    @pytest.mark.parametrize("layout", LAYOUTS)
    @pytest.mark.parametrize("dtype", ["int8", "float16", "float32", "float64", "complex64"])
    def test_views_of_device_arrays(self, device, layout, dtype):
        view = LAYOUTS[layout]
        a = np.arange(48).reshape(6, 8).astype(dtype)
        x = cl.asarray(a, device=device)
        out = cl.zeros((8, 8), dtype=dtype, device=device)
        shape = view(a).shape
        target = out[: shape[0], : shape[1]]
        double(view(x), target)
        expected = np.zeros((8, 8), dtype)
        expected[: shape[0], : shape[1]] = 2 * view(a)
        assert np.array_equal(cl.asnumpy(out), expected)

    @pytest.mark.parametrize("layout", LAYOUTS)
    def test_writing_through_views(self, device, layout):
        view = LAYOUTS[layout]
        a = np.arange(48.0).reshape(6, 8)
        x = cl.asarray(a, device=device)
        double(view(x), view(x))
        expected = a.copy()
        view(expected)[...] *= 2
        assert np.array_equal(cl.asnumpy(x), expected)

    @pytest.mark.parametrize("layout", LAYOUTS)
    def test_views_of_numpy_arrays(self, device, layout):  # R4.2
        view = LAYOUTS[layout]
        a, out = np.arange(48.0).reshape(6, 8), np.zeros((6, 8))
        with cl.device_context(device):
            double(view(a), view(out))
        expected = np.zeros((6, 8))
        view(expected)[...] = 2 * view(a)
        assert np.array_equal(out, expected)
        assert np.array_equal(a, np.arange(48.0).reshape(6, 8))

    def test_broadcast_arrays(self, device):
        a = np.broadcast_to(np.arange(4.0), (3, 4))
        out = np.zeros((3, 4))
        with cl.device_context(device):
            double(a, out)
        assert np.array_equal(out, 2 * a)

    def test_unaligned_numpy_arrays(self, device):
        raw = np.zeros(8 * 12 + 1, dtype=np.uint8)
        a = raw[1:].view(np.float64).reshape(3, 4)
        assert not a.flags.aligned
        a[...] = np.arange(12.0).reshape(3, 4)
        with cl.device_context(device):
            double(a, a)
        assert np.array_equal(a, 2 * np.arange(12.0).reshape(3, 4))

    def test_fields_of_structures(self, device):
        table = np.zeros((2, 3), dtype=[("flag", "i1"), ("value", "f8")])
        table["value"] = np.arange(6.0).reshape(2, 3)
        with cl.device_context(device):
            double(table["value"], table["value"])
        assert np.array_equal(table["value"], 2 * np.arange(6.0).reshape(2, 3))

    def test_0d_arrays_are_arrays(self, device):  # R3.4
        @cl.kernel
        def scale(a, factor):
            i = cl.get_global_id(0)
            a[i] = a[i] * factor[()]

        x = cl.ones(3, device=device)
        scale(x, cl.full((), 4.0, device=device))
        assert x.tolist() == [4.0] * 3
        a = np.ones(3)
        with cl.device_context(device):
            scale(a, np.array(5.0))
        assert a.tolist() == [5.0] * 3


@cl.kernel
def prefix_step(a, b):
    i = cl.get_global_id(0)
    b[i] = a[i] + 1


class TestAliasing:
    def test_the_same_array_twice(self, device):
        x = cl.asarray(np.arange(5.0), device=device)
        add(x, x, x)
        assert x.tolist() == [0.0, 2.0, 4.0, 6.0, 8.0]
        a = np.arange(5.0)
        with cl.device_context(device):
            add(a, a, a)
        assert a.tolist() == [0.0, 2.0, 4.0, 6.0, 8.0]

    def test_overlapping_views_work_as_memory_does(self, device):
        @cl.kernel
        def even_to_odd(a, b):
            i = cl.get_global_id(0)
            if i % 2 == 0:
                b[i] = a[i] + 100

        expected = np.arange(9.0)
        expected[1::2] = expected[0:8:2] + 100  # b[i] is a[i + 1]
        a = np.arange(9.0)
        with cl.device_context(device):
            even_to_odd(a[:-1], a[1:])
        assert np.array_equal(a, expected)
        x = cl.asarray(np.arange(9.0), device=device)
        even_to_odd(x[:-1], x[1:])
        assert np.array_equal(cl.asnumpy(x), expected)

    def test_interleaved_views(self, device):
        a = np.arange(10.0)
        with cl.device_context(device):
            add(a[::2], a[1::2], a[1::2])
        assert a.tolist() == [0, 1, 2, 5, 4, 9, 6, 13, 8, 17]

    def test_a_view_in_other_dtype_sees_the_same_bytes(self, device):
        @cl.kernel
        def set_low_bytes(words, octets):
            i = cl.get_global_id(0)
            octets[8 * i] = words[i] + 1

        a = np.arange(4, dtype=np.int64)
        with cl.device_context(device):
            set_low_bytes[4](a, a.view(np.uint8))
        assert a.tolist() == [1, 2, 3, 4]

    def test_elements_that_share_memory(self, device):
        a = np.zeros(3)
        wide = np.lib.stride_tricks.as_strided(a, (4, 3), (0, 8))

        @cl.kernel
        def put(a):
            i, j = cl.get_global_id(0), cl.get_global_id(1)
            a[i, j] = j

        with cl.device_context(device):
            put(wide)
        assert a.tolist() == [0.0, 1.0, 2.0]


class TestReadOnly:
    def test_a_read_only_array_may_be_read(self, device):
        a = np.arange(3.0)
        a.flags.writeable = False
        out = np.zeros(3)
        with cl.device_context(device):
            add(a, a, out)
        assert out.tolist() == [0.0, 2.0, 4.0]

    def test_a_kernel_does_not_write_to_a_read_only_numpy_array(self, device):
        a = np.zeros(3)
        a.flags.writeable = False
        with cl.device_context(device), pytest.raises(cl.CompileError, match="read-only") as caught:
            add(np.ones(3), np.ones(3), a)
        assert caught.value.diagnostics[0]["code"] == "CL0119" and "`c`" in str(caught.value)
        assert a.tolist() == [0.0] * 3

    def test_nor_to_a_read_only_device_array(self):
        a = np.zeros(3)
        a.flags.writeable = False
        x = cl.from_dlpack(a)
        with pytest.raises(cl.CompileError, match="read-only"):
            add(x, x, x)


class TestNumpyArrays:
    def test_inside_a_context_they_are_used_and_written(self, device):  # R4.2
        a, b, c = np.arange(1000.0), np.ones(1000), np.zeros(1000)
        for context in (cl.device_context, cl.offload_to_device):
            c[:] = 0
            with context(device):
                event = add(a, b, c)
            assert event.status == "complete"  # R4.6: synchronous
            assert np.array_equal(c, a + b)

    def test_outside_of_a_context_they_are_refused(self):  # R4.2
        a = np.ones(3)
        with pytest.raises(cl.ExecutionPlacementError, match="the queue cannot be determined") as caught:
            add(a, a, a)
        text = str(caught.value)
        assert "'a' is a numpy.ndarray" in text and "device_context" in text and "colocate.asarray(a" in text

    def test_a_global_queue_is_no_context(self, device):  # R4.2
        cl.set_global_queue(device)
        try:
            with pytest.raises(cl.ExecutionPlacementError):
                add(np.ones(3), np.ones(3), np.ones(3))
        finally:
            cl.reset_global_queue()

    def test_elements_that_the_kernel_leaves_alone_stay(self, device):  # R4.2
        @cl.kernel
        def some(a):
            i = cl.get_global_id(0)
            if i % 2:
                a[i] = -1

        a = np.arange(6)
        with cl.device_context(device):
            some(a)
            assert a.tolist() == [0, -1, 2, -1, 4, -1]
            b = np.arange(6)
            add[3](a, a, b)
        assert b.tolist() == [0, -2, 4, 3, 4, 5]

    def test_subclasses_of_ndarray_are_arrays(self, device):
        class Own(np.ndarray):
            pass

        a = np.array([[1.0, 2.0]]).view(Own)
        out = np.zeros((1, 2))
        with cl.device_context(device):
            double(a, out)
        assert out.tolist() == [[2.0, 4.0]]

    def test_empty_and_0d(self, device):
        with cl.device_context(device):
            add(np.ones(0), np.ones(0), np.ones(0))
            x = np.array(3.0)

            @cl.kernel
            def inc(a):
                a[()] += 1

            inc(x)
        assert float(x) == 4.0

    def test_only_what_is_needed_is_copied(self, run_python, tmp_path):  # R4.2
        program = tmp_path / "program.py"
        program.write_text(
            """
import colocate as cl, numpy as np

@cl.kernel
def add(a, b, c):
    i = cl.get_global_id(0)
    c[i] = a[i] + b[i]

@cl.kernel
def halve(a):
    i = cl.get_global_id(0)
    a[i] = a[i] / 2

@cl.kernel
def touch(a, b):
    if cl.get_global_id(0) == 3:
        b[3] = 7

@cl.kernel
def shape(a, b):
    b[cl.get_global_id(0)] = a.shape[0]

def moved():
    stats = cl.memory_stats()
    return np.array([stats["host_to_device"], stats["device_to_host"]])

n = 1000
def run(kernel, *args, space=n):
    before = moved()
    with cl.device_context("native:cpu"):
        kernel[space](*args)
    return (moved() - before).tolist()

a, b, c = np.arange(1000.0), np.ones(1000), np.zeros(1000)
print(run(add, a, b, c), np.array_equal(c, a + b))
print(run(add, a, b, c, space=500))
print(run(halve, a), a[3])
print(run(touch, a, b), b[2:5].tolist())
print(run(shape, a, b), b[0])
view = np.zeros((1000, 2))[:, 0]
print(run(add, a, b, view), np.array_equal(view, a + b))
"""
        )
        code = f"import runpy; runpy.run_path({str(program)!r})"
        out = run_python(code, COLOCATE_NATIVE_DISCRETE="1")
        assert out.splitlines() == [
            "[16000, 8000] True",  # c is overwritten, so it is not copied in
            "[24000, 8000]",  # only half of c is
            "[8000, 8000] 1.5",
            "[8000, 8000] [1.0, 7.0, 1.0]",  # a is not used
            "[0, 8000] 1000.0",  # a's shape alone needs no copy
            "[16000, 8000] True",
        ]

    def test_a_device_that_reaches_host_memory_copies_nothing(self, device):  # R4.2
        if not device.has_aspect("usm_system_allocations"):
            pytest.skip(f"{device} does not reach host memory")
        a, c = np.arange(1000.0), np.zeros(2000)[::2]
        before = cl.memory_stats()
        with cl.device_context(device):
            add(a, a, c)
        assert np.array_equal(c, 2 * a)
        after = cl.memory_stats()
        for name in ("host_to_device", "device_to_host"):
            assert after[name] == before[name]


def test_everything_above_holds_on_a_discrete_device(run_python):
    """The native device of another process behaves as a discrete one; the tests are the same."""
    code = f"""
        import sys, pytest
        sys.exit(pytest.main(["-q", "-x", "-p", "no:cacheprovider", {__file__!r}, "-k",
            "native and (TestLayouts or TestAliasing or TestReadOnly or TestNumpyArrays) and not dlpack"]))
    """
    run_python(code, COLOCATE_NATIVE_DISCRETE="1")


def test_an_item_of_a_tuple_is_named_as_it_would_be_written(device):
    # R3.5, R4.3
    @cl.kernel
    def total(pair, out):
        i = cl.get_global_id(0)
        out[i] = pair[0][i] + pair[1][i]

    here = cl.ones(3, device=device)
    with pytest.raises(TypeError, match=re.escape("argument 'pair[1]' is a numpy.ndarray")):
        total((here, np.ones(3)), here)
    with pytest.raises(TypeError, match=re.escape("argument 'pair[1]' is a list")):
        total((here, [1.0]), here)
