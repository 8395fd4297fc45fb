"""The options of ``jit``: Numba's, each honoured or refused with a reason; signatures; contexts (R5.3, R5.4)."""

import asyncio
import threading

import numpy as np
import pytest

import colocate as cl


def add(x, y):
    return x + y


def divide(x, y):
    return x / y


@pytest.mark.parametrize(
    "options",
    [
        {"nopython": True},
        {"cache": True},
        {"cache": False},
        {"nogil": True},
        {"nogil": False},
        {"inline": "always"},
        {"inline": "never"},
        {"debug": True},
        {"fastmath": True},
        {"fastmath": {"reassoc", "contract"}},
        {"parallel": True},
        {"parallel": False},
        {"parallel": {"reduction": True}},
        {"boundscheck": True},
        {"boundscheck": None},
        {"error_model": "numpy"},
        {"forceobj": False},
        {"locals": {}},
        {"target": "cpu"},
    ],
    ids=str,
)
def test_an_option_that_is_accepted_changes_no_result(options):
    x = np.linspace(0, 1, 100)
    assert np.array_equal(cl.jit(**options)(add)(x, x), x + x)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"nopython": False}, "no object mode"),
        ({"forceobj": True}, "no object mode"),
        ({"looplift": True}, "no object mode"),
        ({"locals": {"x": "float32"}}, "numpy.float32"),
        ({"pipeline_class": object}, "Numba's compiler"),
        ({"target": "cuda"}, "device_context"),
        ({"inline": "sometimes"}, "'never' or 'always'"),
        ({"error_model": "c"}, "'python' or 'numpy'"),
        ({"fastmath": {"quick"}}, "contract"),
        ({"fastmath": 3}, "True or False"),
        ({"boundscheck": "yes"}, "True or False"),
        ({"parallel": 2}, "True or False"),
    ],
    ids=str,
)
def test_an_option_that_is_refused_says_why(options, reason):
    with pytest.raises(cl.InvalidArgumentError, match=reason):
        cl.jit(**options)


def test_an_unknown_option_is_a_type_error_that_lists_the_known_ones():
    with pytest.raises(TypeError, match=r"'fastmth'.*fastmath"):
        cl.jit(fastmth=True)


@pytest.mark.parametrize("wrong", [3, print, int, np.sin, [3]], ids=str)
def test_what_is_no_function_is_refused(wrong):
    with pytest.raises((TypeError, ValueError)):
        cl.jit(wrong)(wrong)


@pytest.mark.parametrize("decorator", [cl.jit, cl.njit])
def test_the_decorator_works_with_and_without_brackets(decorator):
    assert decorator(add)(1, 2) == decorator()(add)(1, 2) == decorator(fastmath=True)(add)(1, 2) == 3


def test_a_jit_function_is_named_and_documented_as_the_function():
    @cl.jit
    def documented(x):
        """Says something."""
        return x

    assert (documented.__name__, documented.__doc__) == ("documented", "Says something.")
    assert documented.py_func(3) == 3


def test_a_jit_function_can_be_decorated_again():
    again = cl.jit(fastmath=True)(cl.jit(add))
    assert again.py_func is add
    assert again(1, 2) == 3


def test_prange_is_range_in_python():
    assert list(cl.prange(3)) == [0, 1, 2]
    assert list(cl.prange(5, 1, -2)) == [5, 3]


class TestErrorModel:
    def test_dividing_by_zero_raises_as_in_python(self):
        with pytest.raises(ZeroDivisionError):
            cl.jit(divide)(1.0, 0.0)

    def test_dividing_by_zero_gives_an_infinity_as_in_numpy(self):
        assert cl.jit(error_model="numpy")(divide)(1.0, 0.0) == np.inf


class TestBoundsCheck:
    def test_an_index_outside_raises(self):
        @cl.jit(boundscheck=True)
        def read(x, i):
            return x[i]

        assert read(np.arange(3.0), 2) == 2
        with pytest.raises(IndexError):
            read(np.arange(3.0), 3)


class TestSignatures:
    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("float64(float64[:], int64)", "float64(float64[:], int64)"),
            ("f8(f8[:,:],i4)", "float64(float64[:, :], int32)"),
            ("void(f4[::1], b1)", "void(float32[::1], bool)"),
            ("(double, boolean)", "(float64, bool)"),
            ("int64[:,::1](c16[::1,:], intp)", "int64[:, ::1](complex128[::1, :], int64)"),
            ("types.float32(numba.types.int8, UniTuple(u1, 2))", "float32(int8, Tuple((uint8, uint8)))"),
            ("none(optional(f8), Tuple((i8, f8[:])))", "void(optional(float64), Tuple((int64, float64[:])))"),
        ],
    )
    def test_text_is_read_as_numba_reads_it(self, text, shown):
        assert cl.jit(text)(add).signatures == [shown]

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            ("float64(", "no expression"),
            ("float64", "no signature"),
            ("float65(float64, float64)", "'float65' is no type"),
            ("float64(float64[1], float64)", "neither : nor ::1"),
            ("float64(float64[::1, ::1], float64)", "no array type"),
            ("float64(pyobject, float64)", "'pyobject' is no type"),
            ("float64(float64)", "takes 2"),
        ],
    )
    def test_text_that_is_none_is_refused_at_its_place(self, text, reason):
        with pytest.raises(cl.InvalidArgumentError, match=reason):
            cl.jit(text)(add)

    def test_numbers_are_converted(self):
        whole = cl.jit("int64(int64, int64)")(add)
        assert whole(2.9, True) == 3
        assert isinstance(whole(2.9, True), np.int64)
        assert cl.jit("float32(float64, float64)")(add)(1, 2).dtype == np.float32

    def test_numbers_are_wrapped_as_in_c(self):
        assert cl.jit("int8(int8, int8)")(add)(300, 0) == 44
        assert cl.jit("uint64(uint64, uint64)")(add)(-1, 0) == 2**64 - 1

    def test_arrays_must_be_of_the_type_named(self):
        typed = cl.jit("float64[:](float64[::1], float64)")(add)
        x = np.arange(6.0)
        assert np.array_equal(typed(x, 1), x + 1)
        for wrong in (x.astype("f4"), x[::2], x.reshape(2, 3), 1.0):
            with pytest.raises(TypeError, match="no signature fits; there are float64"):
                typed(wrong, 1)

    def test_objects_of_pythons_are_taken_as_they_are(self):
        assert cl.jit("(unicode_type, unicode_type)")(add)("a", "b") == "ab"
        last = cl.jit("float64(List(float64), int64)")(lambda items, i: items.append(1.5) or items[i])
        items = [0.5]
        assert last(items, -1) == 1.5
        assert items == [0.5, 1.5]
        assert last.signatures == ["float64(list(float64), int64)"]
        with pytest.raises(TypeError, match="no signature fits"):
            last([1, 2], 0)
        assert cl.jit("(DictType(unicode_type, int8),)")(lambda d: d["a"])({"a": 3}) == 3
        with pytest.raises(TypeError, match="no signature fits"):
            cl.jit("(Set(int64),)")(lambda items: len(items))([1])

    def test_the_signature_that_fits_best_is_taken(self):
        typed = cl.jit(["float32(float32, float32)", "float64(float64, float64)", "int64(int64, int64)"])(add)
        assert isinstance(typed(1, 2), np.int64)
        assert isinstance(typed(1.5, 2), np.float64)
        assert isinstance(typed(np.float32(1), np.float32(2)), np.float32)

    def test_complex_numbers_are_not_made_real(self):
        with pytest.raises(TypeError, match="no signature fits"):
            cl.jit("float64(float64, float64)")(add)(1j, 2)

    def test_keywords_and_defaults_are_bound(self):
        @cl.jit("float64(float64, float64)")
        def scale(x, factor=2.0):
            return x * factor

        assert scale(3) == 6
        assert scale(factor=5, x=1) == 5

    def test_a_compiled_caller_converts_too(self):
        half = cl.jit("float64(int64)")(halved)

        @cl.jit
        def caller(x):
            return half(x)

        assert caller(5.7) == 2.5 == half(5.7)

    def test_a_function_that_returns_nothing_says_void(self):
        @cl.jit("void(float64[:])")
        def clear(x):
            x[:] = 0

        x = np.ones(3)
        assert clear(x) is None
        assert not x.any()


def halved(x):
    return x / 2


class TestContexts:
    def test_one_function_serves_all_contexts(self, device):  # R5.3
        f = cl.jit(add)
        x = np.linspace(0, 1, 50)
        outside = f(x, x)
        with cl.device_context(device):
            inside = f(x, x)
            with cl.device_context("native:cpu"):
                nested = f(x, x)
        assert np.array_equal(outside, x + x)
        assert np.array_equal(inside, x + x)
        assert np.array_equal(nested, x + x)

    def test_a_serial_function_is_refused_in_a_context(self, device):  # R5.4
        f = cl.jit(parallel=False)(add)
        x = np.ones(4)
        assert np.array_equal(f(x, x), x + x)
        with cl.device_context(device), pytest.raises(cl.ParallelConflictError, match="on_serial"):
            f(x, x)

    @pytest.mark.parametrize("on_serial", ["offload", "host"])
    def test_the_context_may_decide_otherwise(self, device, on_serial):  # R5.4
        f = cl.jit(parallel=False)(add)
        x = np.linspace(0, 1, 33)
        with cl.device_context(device, on_serial=on_serial):
            assert np.array_equal(f(x, x), x + x)

    def test_a_single_task_is_had_where_the_host_is_the_device(self, device):  # R5.4
        f = cl.jit(parallel=False)(add)
        x = np.linspace(0, 1, 33)
        with cl.device_context(device, on_serial="single_task"):
            if "native" in str(device):
                assert np.array_equal(f(x, x), x + x)
            else:
                with pytest.raises(cl.ParallelConflictError, match='"offload"'):
                    f(x, x)

    def test_an_unknown_decision_is_refused(self):
        with pytest.raises(cl.InvalidArgumentError, match='"error", "offload", "host", "single_task"'):
            cl.device_context("native:cpu", on_serial="never")

    @pytest.mark.parametrize("cost_model", [True, False])
    def test_the_cost_model_changes_no_result(self, device, cost_model):  # R5.11
        x = np.linspace(0, 1, 33)
        with cl.device_context(device, cost_model=cost_model):
            assert np.array_equal(cl.jit(add)(x, x), x + x)

    def test_other_threads_are_not_in_the_context(self):  # R6.1
        serial = cl.jit(parallel=False)(add)
        results = []
        with cl.device_context("native:cpu"):
            thread = threading.Thread(target=lambda: results.append(serial(1, 2)))
            thread.start()
            thread.join()
        assert results == [3]

    def test_asyncio_tasks_have_contexts_of_their_own(self):  # R6.1
        serial = cl.jit(parallel=False)(add)

        async def inside(entered, left):
            with cl.device_context("native:cpu"):
                entered.set()
                await left.wait()
                with pytest.raises(cl.ParallelConflictError):
                    serial(1, 2)

        async def outside(entered, left):
            await entered.wait()
            result = serial(1, 2)
            left.set()
            return result

        async def both():
            events = asyncio.Event(), asyncio.Event()
            return await asyncio.gather(inside(*events), outside(*events))

        assert asyncio.run(both())[1] == 3


class TestFunctionsAsArguments:
    def test_functions_and_jit_functions(self, device):
        @cl.jit
        def apply(function, x):
            return function(x, 2)

        x = np.linspace(0, 1, 20)
        with cl.device_context(device):
            assert np.array_equal(apply(add, x), x + 2)
            assert np.array_equal(apply(cl.jit(divide), x), x / 2)
            assert np.array_equal(apply(add, x), x + 2)

    def test_ufuncs(self):
        @cl.jit
        def apply(function, x):
            return function(x)

        x = np.linspace(0, 1, 20)
        assert np.array_equal(apply(np.square, x), x * x)

    def test_dtypes(self):
        @cl.jit
        def converted(x, dtype):
            return x.astype(dtype)

        assert converted(np.ones(3), np.float32).dtype == np.float32
        assert converted(np.ones(3), np.dtype("int16")).dtype == np.int16

    def test_what_is_neither_is_refused(self):
        with pytest.raises(TypeError, match="is a object"):
            cl.jit(add)(object(), 2)


def test_fastmath_keeps_infinities_and_nan(run_both):
    def softmax(x):
        e = np.exp(x - np.max(x))
        return e / np.sum(e)

    def nearest(points, centres):
        best = -1.0
        found = 0
        for i in range(centres.size):
            distance = np.sqrt((points - centres[i]) ** 2)
            if best > distance or best == -1:
                best = distance
                found = i
        return found

    run_both(softmax, np.array([0.0, -2000.0, 1000.0, -np.inf]), options={"fastmath": True}, rtol=1e-6)
    run_both(nearest, 1.0, np.array([5.0, np.nan, 2.0]), options={"fastmath": True})


def reciprocal_roots(x, out):
    for i in cl.prange(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = 1 / np.sqrt(x[i, j])
    return out


@pytest.mark.parametrize("dtype", ("float32", "float64"))
def test_fast_reciprocal_roots_of_zero_and_infinity(dtype):
    x = np.array([[0.0, np.inf, 4.0, np.nan, 1e-30, 1e30] * 7] * 3, dtype)
    with np.errstate(all="ignore"):
        expected = 1 / np.sqrt(x)
    tolerance = 1e-6 if dtype == "float32" else 1e-14
    found = cl.jit(reciprocal_roots, fastmath=True)(x, np.empty_like(x))
    np.testing.assert_allclose(found, expected, rtol=tolerance)
    found = cl.jit(lambda x: 1 / np.sqrt(x), fastmath=True)(x)
    np.testing.assert_allclose(found, expected, rtol=tolerance)
