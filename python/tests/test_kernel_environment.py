"""What kernels see of the program around them, and what happens when it changes."""

import functools
import math
import sys
import types

import numpy as np
import pytest

import colocate as cl
from colocate import get_global_id
from colocate import get_global_id as where

FACTOR = 2.0
PAIR = (1, (2.5, 3))
NAME = "text"
LIST = [1, 2]
ARRAY = np.ones(3)


def plain(x):
    return x + FACTOR


@cl.device_func
def square(x):
    return x * x


@cl.device_func
def hypotenuse(x, y=4.0, *, scale=1.0):
    return scale * math.sqrt(square(x) + square(y))


def run(kernel, device, n=1, dtype="float64"):
    """What the kernel leaves in an array of zeros."""
    x = cl.zeros(n, dtype=dtype, device=device)
    kernel(x)
    return x.tolist()


class TestGlobals:
    def test_a_changed_global_is_noticed(self, device, monkeypatch):
        @cl.kernel
        def k(a):
            a[get_global_id(0)] = FACTOR

        assert run(k, device) == [2.0]
        monkeypatch.setitem(globals(), "FACTOR", 5.0)
        assert run(k, device) == [5.0]
        monkeypatch.setitem(globals(), "FACTOR", np.float32(0.1))
        assert run(k, device) == [float(np.float32(0.1))]
        monkeypatch.setitem(globals(), "FACTOR", 3)
        assert run(k, device) == [3.0]

    def test_an_equal_number_compiles_nothing_again(self, device, monkeypatch):
        @cl.kernel
        def k(a):
            a[where(0)] = FACTOR

        run(k, device)
        text = k.inspect(stage="hir")
        monkeypatch.setitem(globals(), "FACTOR", float("2.0"))
        assert run(k, device) == [2.0] and k.inspect(stage="hir") == text

    def test_a_global_that_vanishes_is_an_error(self, device, monkeypatch):
        @cl.kernel
        def k(a):
            a[0] = FACTOR

        run(k, device)
        monkeypatch.delitem(globals(), "FACTOR")
        with pytest.raises(cl.CompileError, match="`FACTOR` is not defined"):
            run(k, device)

    def test_a_global_that_hides_a_builtin_is_noticed(self, device, monkeypatch):
        @cl.kernel
        def k(a):
            a[0] = abs(-3.0)

        assert run(k, device) == [3.0]
        monkeypatch.setitem(globals(), "abs", plain)
        assert run(k, device) == [-1.0]

    def test_globals_of_called_functions_are_watched(self, device, monkeypatch):
        @cl.kernel
        def k(a):
            a[0] = plain(1.0)

        assert run(k, device) == [3.0]
        monkeypatch.setitem(globals(), "FACTOR", 10.0)
        assert run(k, device) == [11.0]

    def test_a_function_that_is_replaced_is_noticed(self, device, monkeypatch):
        @cl.kernel
        def k(a):
            a[0] = square(3.0)

        assert run(k, device) == [9.0]

        @cl.device_func
        def cube(x):
            return x * x * x

        monkeypatch.setitem(globals(), "square", cube)
        assert run(k, device) == [27.0]

    def test_tuples(self, device):
        @cl.kernel
        def k(a):
            a[0] = PAIR[0] + PAIR[1][0] + PAIR[1][1]

        assert run(k, device) == [6.5]

    @pytest.mark.parametrize("name", ["LIST", "ARRAY"])
    def test_what_cannot_be_captured_is_said(self, device, name):
        source = {"LIST": lambda: use_list, "ARRAY": lambda: use_array}[name]()
        with pytest.raises(cl.CompileError, match="CL0139") as caught:
            run(source, device)
        assert caught.value.diagnostics[0]["source"].startswith(name)


@cl.kernel
def use_list(a):
    a[0] = LIST[0]


@cl.kernel
def use_array(a):
    a[0] = ARRAY[0]


class TestClosures:
    def test_variables_of_the_enclosing_function(self, device):
        def make(n, dtype):
            @cl.kernel
            def k(a):
                a[cl.get_global_id(0)] = dtype(n) / 2

            return k

        assert run(make(3, np.float32), device) == [1.5]
        assert run(make(4, np.float32), device) == [2.0]

    def test_a_changed_variable_is_noticed(self, device):
        n = 1

        @cl.kernel
        def k(a):
            a[0] = n

        assert run(k, device) == [1.0]
        n = 7
        assert run(k, device) == [7.0]

    def test_functions_from_the_enclosing_function(self, device):
        by = 3

        def local(x):
            return by * x

        @cl.kernel
        def k(a):
            a[0] = local(local(2.0))

        assert run(k, device) == [18.0]
        by = 10
        assert run(k, device) == [200.0]

    def test_a_variable_without_a_value_yet(self, device):
        @cl.kernel
        def k(a):
            a[0] = later

        with pytest.raises(cl.CompileError, match="`later` is not defined"):
            run(k, device)
        later = 4
        assert run(k, device) == [4.0]


class TestModules:
    def test_math_and_numpy(self, device):
        @cl.kernel
        def k(a):
            a[0] = math.pi + np.e + math.floor(2.5) + np.abs(-1.0) + np.float64(0.5)

        assert run(k, device) == [pytest.approx(math.pi + math.e + 2 + 1 + 0.5)]

    def test_names_taken_out_of_modules(self, device):
        from math import sqrt

        from numpy import hypot as h

        @cl.kernel
        def k(a):
            a[get_global_id(0)] = sqrt(16.0) + h(3.0, 4.0)

        assert run(k, device) == [9.0]

    def test_modules_of_the_users_own_are_watched(self, device, monkeypatch):
        module = types.ModuleType("settings")
        module.n = 3
        monkeypatch.setitem(sys.modules, "settings", module)
        monkeypatch.setitem(globals(), "settings", module)
        assert run(use_settings, device) == [3.0]
        module.n = 8
        assert run(use_settings, device) == [8.0]

    def test_a_missing_attribute_has_a_near_match(self, device):
        @cl.kernel
        def k(a):
            a[0] = np.sinn(1.0)

        with pytest.raises(cl.CompileError, match="`sin`"):
            run(k, device)

    def test_classes_and_namespaces_hold_constants(self, device):
        class Constants:
            speed = 3.0

        space = types.SimpleNamespace(n=4)

        @cl.kernel
        def k(a):
            a[0] = Constants.speed + space.n

        assert run(k, device) == [7.0]
        Constants.speed = 5.0
        space.n = 5
        assert run(k, device) == [10.0]

    def test_the_package_by_any_name(self, device):
        import colocate as other

        @cl.kernel
        def k(a):
            a[other.get_global_id(0)] = other.float32(0.1)

        assert run(k, device) == [float(np.float32(0.1))]


@cl.kernel
def use_settings(a):
    a[0] = settings.n  # noqa: F821


class TestFunctions:
    def test_device_functions_call_one_another(self, device):
        @cl.kernel
        def k(a):
            i = cl.get_global_id(0)
            a[i] = hypotenuse(3.0) + hypotenuse(3.0, y=0.0, scale=2)

        assert run(k, device) == [11.0]

    def test_kernels_do_not_call_kernels(self, device):
        @cl.kernel
        def k(a):
            use_list(a)

        with pytest.raises(cl.CompileError, match="CL0138"):
            run(k, device)

    def test_lambdas_are_not_compiled(self, device):
        k = cl.kernel(lambda a: a[0])
        with pytest.raises(cl.CompileError, match="CL0125") as caught:
            run(k, device)
        assert caught.value.diagnostics[0]["source"].startswith("lambda a: a[0]")

    def test_decorators_above_and_nested_functions_have_source(self, device):
        def passing(f):
            return f

        @cl.kernel
        @functools.partial(lambda decorate, f: decorate(f), passing)
        def k(
            a,  # a comment (with brackets
            text="""
def not_this():
    """,
        ):
            # comments
            a[
                0  # in brackets, a line may begin anywhere
            ] = 1

            a[0] += 1  # the last line

        x = cl.zeros(1, device=device)
        k(x, None)
        assert x.tolist() == [2.0]

    def test_dispatchers_of_numba_are_their_functions(self, device):
        class Dispatcher:
            def __init__(self, function):
                self.py_func = function

            def __call__(self, *args):
                raise AssertionError("not called")

        dispatcher = Dispatcher(plain)

        @cl.kernel
        def k(a):
            a[0] = dispatcher(1.0)

        assert run(k, device) == [3.0]


class TestSource:
    def test_source_from_standard_input_is_not_there(self):
        space = {"cl": cl}
        number = 1
        # Code with a `while` is not written anew.
        exec(f"@cl.kernel\ndef k(a):\n    while a[0] < {number}:\n        a[0] += 1\n", space)
        with pytest.raises(cl.CompileError, match="CL0102") as caught:
            space["k"](cl.zeros(1, device="native:cpu"))
        assert "<string>" in str(caught.value) and caught.value.diagnostics[0]["help"]

    def test_cells_of_notebooks_have_source(self):
        import linecache

        text = "@cl.kernel\ndef k(a):\n    a[0] = 1\n\n\nprint"
        name = "<ipython-input-1>"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        space = {"cl": cl}
        exec(compile(text, name, "exec"), space)
        x = cl.zeros(1, device="native:cpu")
        space["k"](x)
        assert x.tolist() == [1.0]

    def test_messages_name_the_file_and_the_line(self):
        @cl.kernel
        def k(a):
            a[0] = unknown  # noqa: F821

        with pytest.raises(cl.CompileError) as caught:
            k(cl.zeros(1, device="native:cpu"))
        (one,) = caught.value.diagnostics
        assert (one["code"], one["file"], one["source"]) == ("CL0103", __file__, "unknown")
        assert one["line"] == k.__wrapped__.__code__.co_firstlineno + 2
        assert f"{__file__}:{one['line']}" in str(caught.value)
        assert one["page"] == "docs/errors/CL0103.md" and one["page"] in str(caught.value)

    def test_all_mistakes_come_at_once(self):
        @cl.kernel
        def k(a):
            a[0] = unknown  # noqa: F821
            a[0, 1] = 1
            a["x"] = 2

        with pytest.raises(TypeError) as caught:
            k(cl.zeros(1, device="native:cpu"))
        assert len(caught.value.diagnostics) == 3

    def test_a_kernel_that_failed_compiles_once_the_mistake_is_gone(self, monkeypatch):
        @cl.kernel
        def k(a):
            a[0] = coming  # noqa: F821

        x = cl.zeros(1, device="native:cpu")
        with pytest.raises(cl.CompileError):
            k(x)
        monkeypatch.setitem(globals(), "coming", 6)
        k(x)
        assert x.tolist() == [6.0]

    def test_a_group_function_needs_a_local_size(self):
        @cl.kernel
        def k(a):
            cl.barrier()

        with pytest.raises(cl.CompileError, match="CL0116"):
            k(cl.zeros(1, device="native:cpu"))
