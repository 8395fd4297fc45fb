"""Calling jit functions: how arguments are bound, where a call runs, what comes back, and what is kept."""

import gc
import pickle
import threading
import traceback
import warnings
import weakref
from typing import NamedTuple

import numpy as np
import pytest

import colocate as cl

SCALE = 3.0


@cl.jit
def axpy(a, x, y=1.0, *, minus=0.0):
    return a * x + y - minus


def test_defaults_and_keywords_are_bound_as_python_binds_them():
    x = np.arange(3.0)
    np.testing.assert_array_equal(axpy(2.0, x), [1, 3, 5])
    np.testing.assert_array_equal(axpy(2.0, y=x, x=x), [0, 3, 6])
    np.testing.assert_array_equal(axpy(2.0, x, minus=1.0), [0, 2, 4])


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((1.0,), {}, "missing 1 required positional argument: 'x'"),
        ((1.0, 2.0, 3.0, 4.0), {}, "takes 3 positional arguments but 4 were given"),
        ((1.0, 2.0), {"x": 3.0}, "got multiple values for argument 'x'"),
        ((1.0, 2.0), {"z": 3.0}, "unexpected keyword argument 'z'"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_in_pythons_words(args, kwargs, message):
    with pytest.raises(TypeError, match=message):
        axpy(*args, **kwargs)


def test_a_function_inside_another_is_named_as_python_names_it():
    @cl.jit
    def inner(a, b, *, c):
        return a + b + c

    for given in ((), (1,), (1, 2)):
        with pytest.raises(TypeError) as ours:
            inner(*given)
        with pytest.raises(TypeError) as pythons:
            inner.py_func(*given)
        assert str(ours.value) == str(pythons.value)


def test_an_object_that_is_no_data_is_refused_by_name():
    with pytest.raises(cl.CompileError, match=r"argument 'x' is a .*object"):
        axpy(1.0, object())


def test_arrays_of_other_dtypes_are_refused_by_name():
    for array in (np.array([1, "a"], object), np.arange(3, dtype=">f8"), np.arange(3, dtype="longdouble")):
        with pytest.raises(cl.CompileError, match="argument 'x' has the dtype"):
            axpy(1.0, array)


def test_arrays_with_rules_of_their_own_are_refused():
    with warnings.catch_warnings(action="ignore"):
        matrix = np.matrix([[1.0]])
    for array in (np.ma.masked_array([1.0, 2.0], [True, False]), matrix):
        with pytest.raises(cl.CompileError, match=r"argument 'x' is a numpy.*pass a plain array"):
            axpy(1.0, array)


class Doubled(np.ndarray):
    def __add__(self, other):
        return 2 * np.asarray(self) + other


class Noted(np.ndarray):
    def __array_finalize__(self, other):
        self.note = getattr(other, "note", None)


class Renamed(np.ndarray):
    def first(self):
        return self[0]


def test_arrays_of_classes_that_redefine_something_are_refused():
    for cls in (Doubled, Noted):
        with pytest.raises(cl.CompileError, match="whose own rules a jit function does not keep"):
            axpy(1.0, np.ones(2).view(cls))


def test_arrays_of_classes_that_redefine_nothing_are_taken(tmp_path):
    mapped = np.memmap(tmp_path / "numbers", "f8", "w+", shape=(2,))
    for array in (np.ones(2).view(Renamed), mapped):
        np.testing.assert_array_equal(axpy(2.0, array), 2.0 * np.asarray(array) + 1.0)


def test_functions_and_dtypes_are_told_apart_by_which_they_are():
    @cl.jit
    def apply(function, x, dtype):
        return function(x).astype(dtype)

    x = np.array([4.0, 9.0])
    assert apply(np.sqrt, x, np.int32).tolist() == [2, 3]
    assert apply(np.square, x, np.float32).dtype == np.float32


def test_starred_arguments_arrive_as_a_tuple():
    @cl.jit
    def total(first, *others):
        result = first
        for one in others:
            result += one
        return result

    assert total(1) == 1
    assert total(1, 2, 3.5) == 6.5


def test_numbers_come_back_as_python_has_them():
    @cl.jit
    def same(x):
        return x

    for value in (True, 3, 2.5, 1 + 2j, None):
        result = same(value)
        assert type(result) is type(value) and result == value
    for value in (np.float32(1.5), np.int8(-3), np.uint64(2**63), np.complex64(1 - 2j), np.bool_(True)):
        result = same(value)
        assert result.dtype == value.dtype and result == value


def test_tuples_come_back_as_tuples():
    @cl.jit
    def pair(x):
        return x + 1, (x.sum(), None)

    array, (total, nothing) = pair(np.ones(3))
    np.testing.assert_array_equal(array, [2, 2, 2])
    assert total == 3 and nothing is None


def test_an_argument_that_is_returned_is_the_callers_own_object():
    @cl.jit
    def same(x):
        return x

    x = np.ones(3)
    assert same(x) is x
    y = cl.ones(3, device="native:cpu")
    assert same(y) is y


def test_a_view_of_an_argument_shares_its_memory():
    @cl.jit
    def tail(x):
        return x[1:]

    x = np.arange(4.0)
    view = tail(x)
    assert view.base is x
    view[0] = 10
    assert x[1] == 10


def test_what_is_written_is_seen_in_the_callers_array():
    @cl.jit
    def clear(x):
        x[::2] = 0

    x = np.ones(5)
    assert clear(x) is None
    np.testing.assert_array_equal(x, [0, 1, 0, 1, 0])
    y = cl.ones(5, device="native:cpu")
    clear(y)
    assert y.tolist() == [0, 1, 0, 1, 0]


def test_a_result_outlives_everything_that_it_came_from():
    @cl.jit
    def make(n):
        return np.zeros(n) + 1

    results = [make(1000) for _ in range(50)]
    gc.collect()
    assert all(result.sum() == 1000 for result in results)
    assert all(result.flags.writeable for result in results)


def test_a_global_that_changes_is_seen():
    global SCALE

    @cl.jit
    def scaled(x):
        return SCALE * x

    x = np.ones(2)
    try:
        np.testing.assert_array_equal(scaled(x), [3, 3])
        SCALE = 4.0
        np.testing.assert_array_equal(scaled(x), [4, 4])
    finally:
        SCALE = 3.0


def test_a_closure_that_changes_is_seen():
    factor = 2

    @cl.jit
    def scaled(x):
        return factor * x

    assert scaled(5) == 10
    factor = 7
    assert scaled(5) == 35


def test_each_combination_of_types_is_compiled_once():
    @cl.jit
    def add(x, y):
        return x + y

    for _ in range(3):
        add(np.ones(2), 1)
        add(np.ones(2, "float32"), 1)
        add(np.ones(3), 2)
    assert add.signatures == ["float32[1d], int", "float64[1d], int"]


def test_functions_are_methods_where_a_class_has_them():
    class Model:
        factor = 2

        @cl.jit
        def scaled(self, x):
            return x * self.factor

    assert Model().scaled(3) == 6


def test_it_looks_like_its_function():
    assert axpy.__name__ == "axpy" and axpy.__module__ == __name__
    assert axpy.__wrapped__ is axpy.py_func
    assert repr(axpy) == "<colocate.JitFunction axpy(a, x, y, minus)>"
    assert pickle.loads(pickle.dumps(axpy)) is axpy


def test_functions_are_collected():
    @cl.jit
    def local(x):
        return local.py_func is None or x

    reference = weakref.ref(local)
    del local
    gc.collect()
    assert reference() is None


# Where it runs.


def test_device_arrays_decide_where_it_runs_and_where_results_are():
    x = cl.asarray(np.arange(4.0), device="native:cpu")
    result = axpy(2.0, x, x)
    assert isinstance(result, cl.Array) and result.queue == x.queue  # R5.1
    assert result.tolist() == [0, 3, 6, 9]


@pytest.mark.parametrize(
    ("kinds", "wanted"),
    [(("shared", "host"), "shared"), (("host", "host"), "host"), (("device", "shared"), "device")],
)
def test_results_have_the_memory_that_the_rule_says(kinds, wanted):
    x, y = (cl.ones(3, usm_type=kind, device="native:cpu") for kind in kinds)
    assert axpy(2.0, x, y).usm_type == wanted  # R3.3


def test_host_and_device_arrays_are_not_mixed():
    x = cl.ones(3, device="native:cpu")
    with pytest.raises(cl.HostDataError, match=r"argument 'y' is a numpy\.ndarray, and argument 'x'"):  # R3.5
        axpy(1.0, x, np.ones(3))


def test_arrays_of_other_queues_than_the_contexts_are_refused():
    x = cl.ones(3, device="native:cpu")
    other = cl.Queue("native:cpu", enable_profiling=True)
    with cl.device_context(other), pytest.raises(cl.ExecutionPlacementError, match=r"R4\.4"):
        axpy(1.0, x, x)


def test_in_a_context_numpy_arrays_stay_numpy_arrays():
    x = np.arange(3.0)
    with cl.device_context("native:cpu"):
        result = axpy(2.0, x, x)
    assert type(result) is np.ndarray
    np.testing.assert_array_equal(result, [0, 3, 6])


def test_serial_functions_conflict_with_a_context():
    serial = cl.jit(parallel=False)(axpy.py_func)
    x = np.ones(3)
    np.testing.assert_array_equal(serial(2.0, x), [3, 3, 3])
    with cl.device_context("native:cpu"), pytest.raises(cl.ParallelConflictError, match=r"R5\.4"):
        serial(2.0, x)
    for choice in ("offload", "host"):
        with cl.device_context("native:cpu", on_serial=choice):
            np.testing.assert_array_equal(serial(2.0, x), [3, 3, 3])


def test_small_regions_stay_on_the_host_unless_that_is_switched_off():
    try:
        cl.Device("opencl:cpu")
    except cl.DeviceNotFoundError as error:
        pytest.skip(str(error))

    @cl.jit
    def work(x):
        return np.sum(2 * x)

    x = np.ones(10)
    for cost_model in (True, False):
        with cl.device_context("opencl:cpu", cost_model=cost_model):
            assert work(x) == 20
            facts = work.explain_dict(x)
            assert facts["launches"][0]["on_host"] is cost_model  # R5.11
            assert ("stayed on the host" in work.explain(x)) is cost_model


def test_a_single_task_of_a_native_device_is_one_thread():
    serial = cl.jit(parallel=False)(axpy.py_func)
    with cl.device_context("native:cpu", on_serial="single_task"):
        np.testing.assert_array_equal(serial(2.0, np.ones(3)), [3, 3, 3])


# Exceptions.


def test_an_exception_arrives_with_the_line_that_raised_it():
    @cl.jit
    def check(x):
        if x < 0:
            raise ValueError("negative")
        return x

    assert check(1) == 1
    with pytest.raises(ValueError, match="negative") as caught:
        check(-1)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.filename == __file__ and last.line == 'raise ValueError("negative")'
    assert last.name == "check"


class OwnError(Exception):
    """An exception of the program's."""


def test_a_class_of_the_programs_own_is_raised():
    @cl.jit
    def check(x):
        if x > 3:
            raise OwnError("too many")
        return x

    with pytest.raises(OwnError, match="too many"):
        check(4)


def test_impossible_shapes_raise_as_in_numpy():
    @cl.jit
    def make(n):
        return np.zeros(n)

    with pytest.raises(ValueError, match="negative dimensions are not allowed"):
        make(-1)
    with pytest.raises((MemoryError, ValueError)):
        make(2**60)


def test_printing_is_pythons(capsys):
    @cl.jit
    def talk(x):
        print("x has", x.size, "elements, sum", x.sum())
        print(x)

    talk(np.ones(3))
    assert capsys.readouterr().out == "x has 3 elements, sum 3.0\n[1. 1. 1.]\n"


# Library functions.


def test_library_functions_give_what_numpy_gives():
    @cl.jit
    def work(x, m):
        return np.sort(x), np.linalg.solve(m, x), np.fft.rfft(x), np.cumsum(x)

    x = np.array([3.0, 1.0, 2.0])
    m = np.eye(3) * 2 + 0.5
    for one, other in zip(work(x, m), work.py_func(x, m), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_large_arrays_are_sorted_by_us_and_agree():
    @cl.jit
    def work(x):
        return np.argsort(x, kind="stable"), np.cumsum(x)

    x = np.random.default_rng(0).integers(0, 1000, 100_000)
    for one, other in zip(work(x), work.py_func(x), strict=True):
        np.testing.assert_array_equal(one, other)


def test_random_numbers_are_numpys_own():
    @cl.jit
    def draw(n):
        np.random.seed(7)
        return np.random.rand(n)

    np.testing.assert_array_equal(draw(5), draw.py_func(5))


def test_compiling_draws_no_random_numbers():
    @cl.jit
    def draw(n):
        return np.random.rand(n)

    np.random.seed(3)
    first = draw(4)
    np.random.seed(3)
    np.testing.assert_array_equal(first, np.random.rand(4))


def test_errors_of_library_functions_are_numpys():
    @cl.jit
    def invert(m):
        return np.linalg.inv(m)

    with pytest.raises(np.linalg.LinAlgError):
        invert(np.zeros((2, 2)))


# Threads.


def test_threads_call_one_function_at_the_same_time():
    @cl.jit
    def work(x):
        return np.sum(np.sqrt(x) + x)

    x = np.arange(10_000.0)
    wanted = work.py_func(x)
    results = []

    def run():
        results.extend(work(x) for _ in range(20))

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 80
    np.testing.assert_allclose(results, wanted, rtol=1e-12)


def test_a_jit_function_is_called_while_another_prints(capsys):
    @cl.jit
    def inner(x):
        return x.sum()

    class Talker:
        def __str__(self):
            return str(inner(np.ones(4)))

    @cl.jit
    def outer(x):
        y = np.sort(x)
        return y[0]

    assert outer(np.array([2.0, 1.0])) == 1.0
    print(Talker())
    assert capsys.readouterr().out == "4.0\n"


# Seeing it.


def test_explain_changes_nothing_and_prints_nothing(capsys):
    @cl.jit
    def work(x):
        x[:] = 2 * x
        print("working")

    x = np.ones(3)
    text = work.explain(x)
    np.testing.assert_array_equal(x, [1, 1, 1])
    assert "working" not in capsys.readouterr().out
    assert text.startswith("work(x: float64[1d]) on native:cpu:0: 1 region, 1 launch")
    assert "x[:] = 2 * x" in text


def test_explain_as_a_dictionary_has_the_regions():
    @cl.jit
    def work(x):
        return np.sum(2 * x)

    facts = work.explain_dict(np.ones(10))
    assert facts["function"] == "work" and facts["arguments"] == ["float64[1d]"]
    assert [region["launches"] for region in facts["regions"]] == [1]
    assert facts["regions"][0]["reads"] == ["x"]


def test_inspect_shows_each_stage():
    @cl.jit
    def work(x):
        return 2 * x

    with pytest.raises(cl.InvalidArgumentError, match="not compiled yet"):
        work.inspect()
    work(np.ones(3))
    assert "float64" in work.inspect()
    assert "host" in work.inspect(stage="host ir")
    assert "region" in work.inspect(stage="region ir")
    assert "define" in work.inspect(stage="llvm")
    with pytest.raises(cl.InvalidArgumentError, match="there are hir, host ir, region ir, llvm"):
        work.inspect(stage="no such")


class Shape(NamedTuple):
    width: float
    name: str = "square"


SQUARE = Shape(2.0)


def area(factor, shape=SQUARE):
    return factor * shape.width**2


def areas(factor):
    return area(factor) + area(factor, Shape(1.0)) + len(SQUARE.name)


def test_a_named_tuple_is_a_default(run_both):
    run_both(areas, 3.0)
    run_both(area, 3.0)
