"""Unusual arguments and surroundings: threads, tasks, forks, interrupts, and arrays that lie oddly in memory."""

import asyncio
import os
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

import colocate as cl


def run_file(folder, text, **environment):
    """Runs a program in a file of its own, in a process of its own; what it printed."""
    path = folder / "program.py"
    path.write_text(textwrap.dedent(text))
    done = subprocess.run(
        [sys.executable, path], env={**os.environ, **environment}, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def has_sycl():
    try:
        cl.Device("opencl:cpu")
    except cl.DeviceNotFoundError:
        return False
    return True


needs_sycl = pytest.mark.skipif(not has_sycl(), reason="there is no opencl:cpu")


# Arrays that lie oddly in memory.


def doubled_sum(x):
    return np.sum(x * 2)


def increased(x):
    x += 1
    return x


def summed_by_a_loop(x):
    total = x.dtype.type(0)
    for i in range(x.shape[0]):
        total += x[i]
    return total


def shifted(a, b):
    b[1:] = a[:-1] + 1
    return b


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 2)])
def test_arrays_without_elements(run_both, shape):
    run_both(doubled_sum, np.zeros(shape))
    run_both(increased, np.zeros(shape))


def test_arrays_without_axes(run_both):
    run_both(doubled_sum, np.array(3.0))
    run_both(increased, np.array(3.0))


@pytest.mark.parametrize("view", [np.s_[::-1], np.s_[::-3], np.s_[7:2:-2], np.s_[5:5:-1]])
def test_negative_strides(run_both, view):
    x = np.arange(10.0)[view]
    for function in (doubled_sum, increased, summed_by_a_loop):
        run_both(function, x)


def test_memory_that_is_not_aligned(run_both):
    x = np.zeros(4 * 8 + 1, np.uint8)[1:].view(np.float64)
    x[:] = [1, 2, 3, 4]
    assert not x.flags.aligned
    compiled = [run_both.jit(one) for one in (doubled_sum, summed_by_a_loop, increased)]
    with run_both.context():
        assert compiled[0](x) == 20 and compiled[1](x) == 10
        assert compiled[2](x).tolist() == [2, 3, 4, 5]
    assert x.tolist() == [2, 3, 4, 5]


def test_memory_that_may_only_be_read(run_both):
    x = np.arange(4.0)
    x.flags.writeable = False
    run_both(doubled_sum, x)
    run_both(summed_by_a_loop, x)
    run_both.raises(ValueError, increased, x)


def test_one_element_shown_many_times(run_both):
    x = np.broadcast_to(np.float64(2), (3, 3))
    compiled = run_both.jit(doubled_sum)
    with run_both.context():
        assert compiled(x) == 36


@pytest.mark.parametrize(("first", "second"), [(np.s_[:], np.s_[:]), (np.s_[2:], np.s_[:-2]), (np.s_[:-2], np.s_[2:])])
def test_arguments_that_overlap(run_both, first, second):
    x = np.arange(8.0)
    run_both(shifted, x[first], x[second])


@pytest.mark.parametrize(
    "array",
    [
        np.arange(4, dtype=">f8"),
        np.array([1, "a"], dtype=object),
        np.ones(2, dtype=np.longdouble),
    ],
    ids=["other byte order", "objects", "longdouble"],
)
def test_dtypes_that_there_are_not(array):
    with pytest.raises(cl.CompileError, match=r"argument 'x' has the dtype .*there are bool, int8"):
        cl.jit(doubled_sum)(array)


def test_numbers_of_dtypes_that_there_are_not():
    with pytest.raises(cl.CompileError, match=r"argument 'x' is a numpy.longdouble"):
        cl.jit(doubled_sum)(np.longdouble(1))


def test_more_memory_than_there_is(run_both):
    def program(n):
        return np.zeros(n) + 1

    run_both.raises(ValueError, program, -1)
    compiled = cl.jit(program)
    with run_both.context():
        with pytest.raises(MemoryError):
            compiled(10**14)
        with pytest.raises((MemoryError, ValueError)):
            compiled(2**62)
        assert compiled(2).tolist() == [1, 1]


@pytest.mark.parametrize("depth", [10**5, 10**8])
def test_recursion_without_end(depth):
    @cl.jit
    def deep(n):
        if n == 0:
            return 0
        return deep(n - 1) + 1

    assert deep(500) == 500
    with pytest.raises(RecursionError):
        deep(depth)
    assert deep(500) == 500


# Threads, tasks, processes.


def test_threads_with_arguments_of_different_types():
    @cl.jit
    def work(a, k):
        b = a * k
        for _ in range(3):
            b = b + a
        return b.sum()

    dtypes = ("float64", "float32", "int64", "int32", "uint8", "complex128", "int16", "uint64")
    wrong = []

    def run(dtype):
        a = np.arange(1000).astype(dtype)
        wanted = work.py_func(a, 2)
        try:
            for _ in range(20):
                if not np.allclose(work(a, 2), wanted, rtol=1e-5):
                    wrong.append(dtype)
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=run, args=(dtype,)) for dtype in dtypes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(work.signatures) == len(dtypes)


@needs_sycl
def test_tasks_with_contexts_of_their_own():
    @cl.jit
    def work(x):
        return x * 2

    async def task(device):
        places = []
        with cl.device_context(device, cost_model=False):
            for size in range(1, 6):
                places.append(work.explain_dict(np.ones(size))["device"])
                assert work(np.ones(size)).tolist() == [2] * size
                await asyncio.sleep(0)
        return places

    async def all_of_them():
        return await asyncio.gather(*(task(device) for device in ("native:cpu", "opencl:cpu", "native:cpu")))

    for found, device in zip(asyncio.run(all_of_them()), ("native", "opencl", "native"), strict=True):
        assert all(place.startswith(device) for place in found)


FORK = """
import os, signal
import numpy as np
import colocate as cl

@cl.jit
def total(x):
    return np.sum(x * 2)

@cl.jit
def by_loop(x):
    t = 0.0
    for i in cl.prange(x.shape[0]):
        t += x[i]
    return t

x = np.ones(1_000_000)

def in_child(check):
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        try:
            print(check(), flush=True)
        except BaseException as error:
            print(type(error).__name__, error, flush=True)
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_child_goes_on_with_jit_functions(tmp_path):  # R1.8
    text = """
assert total(x) == 2_000_000 and by_loop(x) == 1_000_000
def check():
    @cl.jit
    def largest(x):
        return np.max(x + 1)
    return total(x) + by_loop(x) + largest(x)
in_child(check)
assert total(x) == 2_000_000
"""
    assert float(run_file(tmp_path, FORK + text)) == 3_000_002


@needs_sycl
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_child_is_told_that_a_driver_does_not_survive(tmp_path):  # R1.8
    text = """
def check():
    with cl.device_context("opencl:cpu", cost_model=False):
        return total(x)
assert check() == 2_000_000
in_child(check)
assert check() == 2_000_000
"""
    assert "does not survive fork" in run_file(tmp_path, FORK + text)


@pytest.mark.skipif(os.name != "posix", reason="signals are sent")
def test_an_interrupt_arrives_when_the_call_ends(tmp_path):
    text = """
import os, signal, threading
import numpy as np
import colocate as cl

@cl.jit
def spin(n):
    s = 0.0
    for i in range(n):
        s = np.sin(s + i)
    return s

spin(3)
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    for _ in range(10_000):
        spin(1_000_000)
    print("never")
except KeyboardInterrupt:
    print("interrupted")
assert spin(3) == spin.py_func(3)
"""
    assert run_file(tmp_path, text) == "interrupted\n"


@pytest.mark.skipif(os.name != "posix", reason="signals are sent")
def test_an_interrupt_arrives_between_regions(tmp_path):
    text = """
import os, signal, threading
import numpy as np
import colocate as cl

@cl.jit
def simulate(x, steps):
    for i in range(steps):
        x = x * 0.5 + 1
        x[0] = i
    return x

simulate(np.ones(10), 2)
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    simulate(np.ones(100_000), 10**9)
except KeyboardInterrupt:
    print("interrupted")
assert simulate(np.ones(3), 1).tolist() == [0, 1.5, 1.5]
"""
    assert run_file(tmp_path, text) == "interrupted\n"


# The function itself.


def test_the_stub_tells_all_that_a_jit_function_has():
    import ast
    from pathlib import Path

    stub = ast.parse(Path(cl.__file__).with_suffix(".pyi").read_text())
    (shown,) = (node for node in stub.body if isinstance(node, ast.ClassDef) and node.name == "JitFunction")
    names = {node.name for node in shown.body if isinstance(node, ast.FunctionDef)}
    names |= {node.target.id for node in shown.body if isinstance(node, ast.AnnAssign)}

    @cl.jit
    def function(x):
        return x

    real = {name for name in dir(function) if not name.startswith("_")}
    assert real <= names
    assert {name for name in names if not name.startswith("__")} <= real


def test_constants_that_were_changed_in_the_code():
    def program(x):
        factor = 256
        if "switch":
            return x * factor
        return x

    code = program.__code__
    program.__code__ = code.replace(co_consts=tuple({256: 42}.get(one, one) for one in code.co_consts))
    assert program(2) == 84
    assert cl.jit(program)(2) == 84


def test_constants_that_cannot_be_put_into_the_text():
    def program(x):
        return x + 3 * 5

    code = program.__code__
    program.__code__ = code.replace(co_consts=tuple({15: 4}.get(one, one) for one in code.co_consts))
    with pytest.raises(cl.CompileError, match=r"a constant is 4 in its code, and 15 in the text"):
        cl.jit(program)(2)
