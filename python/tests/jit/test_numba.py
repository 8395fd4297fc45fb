"""Programs written for Numba, unchanged: inside a device context they are compiled by us (R5.8)."""

import asyncio
import functools
import gc
import sys
import threading
import weakref

import numpy as np
import pytest

import colocate as cl

numba = pytest.importorskip("numba", reason="Numba is not installed")

from numba import njit, prange  # noqa: E402
from numba.core.registry import CPUDispatcher  # noqa: E402

OFFSET = 10.0


@numba.jit
def axpy(a, x, y):
    return a * x + y


@njit
def square(x):
    return x * x


@njit
def norm(x):
    return np.sqrt(np.sum(square(x)))


@njit(parallel=True)
def count_above(x, limit):
    found = 0
    for i in prange(x.size):
        if x[i] > limit:
            found += 1
    return found


@njit
def with_offset(x):
    return x + OFFSET


@njit(parallel=False)
def serial(x):
    return x + 1


@njit("float32(int64)")
def half(x):
    return x / 2


@njit
def quarter(x):
    return half(half(x))


@njit
def apply(function, x):
    return function(x)


@njit
def as_float32(x):
    return numba.float32(x) / numba.float32(3)


@numba.stencil
def slope(a):
    return 0.5 * (a[1] - a[-1])


@njit
def steepest(a):
    return np.max(slope(a))


@njit
def unrolled(values):
    total = 0.0
    for one in numba.literal_unroll(values):
        total += one
    return total


@njit
def in_plain_python(x):
    with numba.objmode(y="float64"):
        y = np.sort(x)[0] * 2
    with numba.parallel_chunksize(4):
        for i in prange(x.size):
            y += x[i]
    return y


@njit
def of_threads(n):
    numba.set_num_threads(n)
    for i in prange(5):
        n += i
    return n + numba.get_num_threads() + numba.get_thread_id()


@njit
def in_chunks(n):
    before = numba.set_parallel_chunksize(n)
    now = numba.get_parallel_chunksize()
    numba.set_parallel_chunksize(before)
    return now, before


@njit
def in_two_chunks(n):
    before = numba.get_parallel_chunksize()
    with numba.parallel_chunksize(n):
        outer = numba.get_parallel_chunksize()
        with numba.parallel_chunksize(n + 1):
            inner = numba.get_parallel_chunksize()
        again = numba.get_parallel_chunksize()
    return before, outer, inner, again, numba.get_parallel_chunksize()


def takes_anything(_found):
    return 1


def is_hooked():
    return "__call__" in vars(CPUDispatcher)


def compiled_by_numba(function):
    return bool(function.overloads)


@pytest.fixture
def x():
    return np.linspace(0, 2, 101)


class TestResults:
    def test_array_expressions(self, device, x):  # R5.8
        with cl.device_context(device):
            result = axpy(0.5, x, x)
        assert isinstance(result, np.ndarray)
        assert np.array_equal(result, 0.5 * x + x)
        assert not compiled_by_numba(axpy)

    def test_functions_that_call_functions(self, device, x):
        with cl.device_context(device):
            assert np.isclose(norm(x), np.linalg.norm(x))
        assert not compiled_by_numba(norm) and not compiled_by_numba(square)

    def test_loops_over_numbas_prange(self, device, x):
        with cl.device_context(device):
            assert count_above(x, 1.5) == np.count_nonzero(x > 1.5)

    def test_globals_are_the_programs_own_and_looked_up_again(self, device, x, monkeypatch):
        with cl.device_context(device):
            assert np.array_equal(with_offset(x), x + 10)
            monkeypatch.setitem(globals(), "OFFSET", 20.0)
            assert np.array_equal(with_offset(x), x + 20)

    def test_signatures_convert_numbers(self, device):
        with cl.device_context(device):
            ours = half(5.7)
        assert ours == half(5.7) == np.float32(2.5)

    def test_signatures_of_called_functions_convert_numbers(self, device):
        with cl.device_context(device):
            ours = quarter(7)
        assert ours == quarter(7) == 1.5

    def test_functions_as_arguments(self, device, x):
        with cl.device_context(device):
            assert np.array_equal(apply(square, x), x * x)

    def test_types_of_numbas_as_conversions(self, device):
        with cl.device_context(device):
            assert as_float32(1) == np.float32(1) / np.float32(3)

    def test_types_of_arrays_as_arguments(self):
        assert cl.jit(takes_anything)(numba.float64[:]) == 1

    def test_numbas_functions_about_its_threads(self, device):
        before = numba.get_num_threads()
        try:
            with cl.device_context(device):
                assert of_threads(1) == 12
            assert numba.get_num_threads() == 1
        finally:
            numba.set_num_threads(before)

    def test_numbas_functions_about_chunks(self, device):
        with cl.device_context(device):
            assert in_chunks(4) == (4, numba.get_parallel_chunksize())

    def test_the_size_of_chunks_is_set_inside_a_block(self, device):
        with cl.device_context(device):
            assert in_two_chunks(4) == (0, 4, 5, 4, 0)

    def test_stencils_of_numbas(self, device, x):
        with cl.device_context(device):
            assert np.isclose(steepest(x * x), np.max(0.5 * (x[2:] ** 2 - x[:-2] ** 2)))

    @pytest.mark.parametrize(
        "given",
        [
            [1.5, 2.5],
            {1, 2},
            "text",
            slice(1, 5, 2),
            np.zeros(2, [("a", "i4"), ("b", "f8")]),
            np.array(["ab", "c"]),
            np.zeros(3, "M8[s]"),
        ],
    )
    def test_signatures_have_numbas_types_of_objects(self, device, given):
        typed = cl.jit((numba.typeof(given),))(takes_anything)
        assert typed(given) == 1
        with pytest.raises(TypeError, match="no signature fits"):
            typed(1.5)

    def test_literal_unroll(self, device):
        with cl.device_context(device):
            assert unrolled((1, 2.5, np.float32(3))) == 6.5

    def test_blocks_of_plain_python(self, device, x):
        with cl.device_context(device):
            assert in_plain_python(x) == pytest.approx(x.min() * 2 + x.sum())

    def test_closures(self, device, x):
        def make(factor):
            @njit
            def scaled(x):
                return factor * x

            return scaled

        twice, thrice = make(2), make(3)
        with cl.device_context(device):
            assert np.array_equal(twice(x), 2 * x)
            assert np.array_equal(thrice(x), 3 * x)

    def test_keywords_and_defaults(self, device, x):
        @njit
        def scaled(x, factor=2.0):
            return factor * x

        with cl.device_context(device):
            assert np.array_equal(scaled(x), 2 * x)
            assert np.array_equal(scaled(factor=3.0, x=x), 3 * x)

    def test_what_we_cannot_compile_is_not_left_to_numba_in_silence(self, device):  # R5.9
        @njit
        def opened(name):
            with open(name) as file:
                return file

        with cl.device_context(device), pytest.raises(cl.CompileError):
            opened("abc")


class TestOptions:
    def test_parallel_false_conflicts(self, device):  # R5.4
        with cl.device_context(device), pytest.raises(cl.ParallelConflictError, match="on_serial"):
            serial(np.ones(3))
        assert serial(1) == 2

    @pytest.mark.parametrize("on_serial", ["offload", "host"])
    def test_parallel_false_as_the_context_says(self, device, on_serial):  # R5.4
        with cl.device_context(device, on_serial=on_serial):
            assert np.array_equal(serial(np.ones(3)), [2, 2, 2])

    def test_options_are_taken_over(self):
        @njit(error_model="numpy")
        def inverse(x):
            return 1.0 / x

        with cl.device_context("native:cpu"):
            assert inverse(0.0) == np.inf


class TestTheHook:
    def test_outside_of_contexts_there_is_none(self):
        assert not is_hooked()
        with cl.device_context("native:cpu"):
            assert is_hooked()
            with cl.device_context("native:cpu"):
                assert is_hooked()
            assert is_hooked()
        assert not is_hooked()

    def test_it_goes_when_an_exception_leaves_the_context(self):
        with pytest.raises(KeyError), cl.device_context("native:cpu"):
            raise KeyError
        assert not is_hooked()

    def test_outside_numba_compiles(self):
        @njit
        def twice(x):
            return 2 * x

        assert twice(4) == 8
        assert compiled_by_numba(twice)

    def test_other_threads_stay_with_numba(self):
        @njit
        def twice(x):
            return 2 * x

        results = []
        with cl.device_context("native:cpu"):
            thread = threading.Thread(target=lambda: results.append(twice(4)))
            thread.start()
            thread.join()
        assert results == [8]
        assert compiled_by_numba(twice)

    def test_asyncio_tasks_outside_stay_with_numba(self):
        @njit
        def twice(x):
            return 2 * x

        seen = []

        async def inside(entered, left):
            with cl.device_context("native:cpu"):
                seen.append((twice(4), compiled_by_numba(twice)))
                entered.set()
                await left.wait()

        async def outside(entered, left):
            await entered.wait()
            seen.append((twice(4), compiled_by_numba(twice)))
            left.set()

        async def both():
            events = asyncio.Event(), asyncio.Event()
            await asyncio.gather(inside(*events), outside(*events))

        asyncio.run(both())
        assert seen == [(8, False), (8, True)]

    def test_a_wrapper_is_not_taken_for_what_it_wraps(self):
        @njit
        def twice(x):
            return 2 * x

        with cl.device_context("native:cpu"):
            assert twice(4) == 8

            @njit
            @functools.wraps(twice)
            def more(x):
                return twice(x) + 1

            assert more(4) == 9

    def test_a_function_goes_when_nobody_has_it_any_more(self):
        @njit
        def twice(x):
            return 2 * x

        with cl.device_context("native:cpu"):
            twice(4)
        # Numba itself keeps the last few functions.
        CPUDispatcher._recent.clear()
        gone = weakref.ref(twice.py_func)
        del twice
        gc.collect()
        assert gone() is None

    def test_functions_without_source_stay_with_numba_and_that_is_said(self):
        names = {}
        exec("def twice(x):\n    while x < {}: x = -x\n    return 2 * x".format(0), names)
        twice = njit(names["twice"])
        with cl.device_context("native:cpu"):
            with pytest.warns(cl.PerformanceWarning, match="source text is not available"):
                assert twice(4) == 8
            assert twice(5) == 10

    def test_classes_of_numbas_stay_with_numba(self):
        from numba.experimental import jitclass

        @jitclass([("value", numba.float64)])
        class Box:
            def __init__(self, value):
                self.value = value

            def twice(self):
                return 2 * self.value

        with cl.device_context("native:cpu"):
            assert Box(2.0).twice() == 4

    def test_many_contexts_do_no_harm(self):
        for _ in range(1500):
            with cl.device_context("native:cpu"):
                pass
        assert axpy(1.0, 2.0, 3.0) == 5
        with cl.device_context("native:cpu"):
            assert axpy(1.0, 2.0, 3.0) == 5


def test_numba_may_be_imported_inside_a_context(run_python, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\n"
        "import colocate as cl\n"
        "assert 'numba' not in sys.modules\n"
        "with cl.device_context('native:cpu'):\n"
        "    import numba\n"
        "    @numba.njit\n"
        "    def twice(x):\n"
        "        return 2 * x\n"
        "    assert twice(4) == 8 and not twice.overloads\n"
        "assert not any(type(one).__module__.startswith('colocate') for one in sys.meta_path)\n"
        "assert type(sys.modules['numba.core.registry'].__loader__).__module__ != 'colocate._numba_programs'\n"
        "assert twice(4) == 8 and twice.overloads\n"
    )
    run_python(f"import runpy; runpy.run_path({str(program)!r})")


def test_without_numba_nothing_of_it_is_needed(run_python):
    run_python("""
        import sys
        sys.modules["numba"] = None
        import colocate as cl
        with cl.device_context("native:cpu"):
            assert cl.ones(3).size == 3
        assert "numba.core" not in sys.modules
    """)


def test_importing_colocate_does_not_import_numba(run_python):
    assert run_python("import sys, colocate; print('numba' in sys.modules)") == "False\n"
    assert "numba" in sys.modules


@pytest.mark.parametrize(("module", "is_ours"), [("numba.tests.test_made_up", True), ("numba.np.arrayobj", False)])
def test_tests_of_numba_are_programs_and_its_library_is_not(module, is_ours):
    def program(x):
        return np.sum(x) + 1

    program.__module__ = module
    compiled = njit(program)
    with cl.device_context("native:cpu"):
        assert compiled(np.ones(3)) == 4
    assert (compiled.nopython_signatures == []) == is_ours


@numba.vectorize
def bounded(x, least):
    if x < least:
        return least
    total = 0.0
    for i in range(3):
        total += x * i
    return total


@njit
def with_a_vectorized_function(a, b, out):
    w = a * 2 - b
    out[:] = bounded(w, 0.25) + 1
    return out.sum(), bounded(a[:, None], b), bounded(1.0, 2.0), bounded(a[::-2], 0)


@pytest.mark.parametrize("cost_model", (False, True))
def test_functions_of_elements(device, cost_model):  # R5.8
    rng = np.random.default_rng(5)
    a, b = rng.random(40), rng.random(40)
    expected_out, out = np.zeros(40), np.zeros(40)
    expected = with_a_vectorized_function(a, b, expected_out)
    with cl.device_context(device, cost_model=cost_model):
        found = with_a_vectorized_function(a, b, out)
    np.testing.assert_allclose(out, expected_out)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other)
    found = cl.jit(with_a_vectorized_function.py_func)(a, b, out)
    np.testing.assert_allclose(found[1], expected[1])


@numba.vectorize
def no_number(x):
    return (x, x)


def test_functions_of_elements_give_numbers():
    def program(a):
        return no_number(a)

    with pytest.raises(cl.CompileError):
        cl.jit(program)(np.ones(3))
