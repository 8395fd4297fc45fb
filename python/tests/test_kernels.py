"""Launching kernels: index spaces, queues, events, and what is refused (R4.1, R4.3 to R4.7)."""

import gc
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest

import colocate as cl


@cl.kernel
def add(a, b, c):
    i = cl.get_global_id(0)
    c[i] = a[i] + b[i]


@cl.kernel
def places(out):
    i, j, k = cl.get_global_id(0), cl.get_global_id(1), cl.get_global_id(2)
    out[i, j, k] = 100 * i + 10 * j + k


@cl.kernel
def fill(a, value):
    a[cl.get_global_id(0)] = value


@cl.kernel
def groups(a):
    i = cl.get_global_id(0)
    a[i] = 100 * cl.get_group_id(0) + 10 * cl.get_num_groups(0) + cl.get_local_id(0) + 1000 * cl.get_local_size(0)


@cl.kernel
def groups_2d(a):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    a[i, j] = 10 * cl.get_local_id(0) + cl.get_local_id(1) + 100 * cl.get_group_id(0) + 1000 * cl.get_group_id(1)


@cl.kernel
def matmul(a, b, c):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    acc = 0.0
    for k in range(a.shape[1]):
        acc += a[i, k] * b[k, j]
    c[i, j] = acc


def zeros(n, device, dtype="int64"):
    return cl.zeros(n, dtype=dtype, device=device)


class TestIndexSpaces:
    def test_a_kernel_of_arrays_runs_on_their_queue(self, device):  # R4.1
        a, b = np.random.rand(7, 5), np.random.rand(5, 4)
        x, y, z = cl.asarray(a, device=device), cl.asarray(b, device=device), cl.zeros((7, 4), device=device)
        event = matmul[7, 4](x, y, z)
        event.wait()
        assert event.status == "complete"
        np.testing.assert_allclose(cl.asnumpy(z), a @ b)

    def test_one_number_is_one_axis(self, device):  # R4.5
        x = zeros(8, device)
        fill[5](x, 3)
        assert x.tolist() == [3] * 5 + [0] * 3

    @pytest.mark.parametrize("space", [(2, 3, 4), cl.Range(2, 3, 4), cl.Range((2, 3, 4))], ids=str)
    def test_three_axes(self, device, space):  # R4.5
        x = zeros((2, 3, 4), device)
        places[space](x)
        i, j, k = np.indices((2, 3, 4))
        assert np.array_equal(cl.asnumpy(x), 100 * i + 10 * j + k)

    def test_without_brackets_the_first_arrays_shape_counts(self, device):  # R4.5
        x = zeros((2, 3, 4), device)
        places(x)
        assert x[1, 2, 3].tolist() == 123

    @pytest.mark.parametrize(
        "space",
        [(6, (3,)), ((6,), (3,)), ((6,), 3), cl.NdRange(6, 3), cl.NdRange((6,), (3,)), (cl.Range(6), cl.Range(3))],
        ids=str,
    )
    def test_a_local_size_makes_groups(self, device, space):  # R4.5
        x = zeros(6, device)
        groups[space](x)
        assert x.tolist() == [3020, 3021, 3022, 3120, 3121, 3122]

    def test_groups_of_two_axes(self, device):
        x = zeros((4, 6), device)
        groups_2d[(4, 6), (2, 3)](x)
        i, j = np.indices((4, 6))
        assert np.array_equal(cl.asnumpy(x), 10 * (i % 2) + j % 3 + 100 * (i // 2) + 1000 * (j // 3))

    def test_two_numbers_are_two_axes_and_no_local_size(self):
        launcher = groups_2d[4, 6]
        assert launcher.global_size == (4, 6) and launcher.local_size is None

    def test_launchers_know_their_space(self):
        launcher = groups[(8,), (4,)]
        assert (launcher.global_size, launcher.local_size) == ((8,), (4,)) and launcher.kernel is groups
        assert "groups[(8), (4)]" in repr(launcher)

    @pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 1000, 100_000])
    def test_any_number_of_items(self, device, n):
        a = np.arange(n, dtype=float)
        x, z = cl.asarray(a, device=device), cl.empty(n, device=device)
        add[n](x, x, z)
        assert np.array_equal(cl.asnumpy(z), 2 * a)

    def test_an_empty_space_of_two_axes(self, device):
        x = zeros((3, 0), device)
        groups_2d[(4, 0), (2, 3)](x).wait()

    def test_numpy_integers_are_extents(self, device):
        x = zeros(4, device)
        fill[np.int32(4)](x, 1)
        assert x.tolist() == [1] * 4

    def test_a_0d_array_is_one_item(self, device):
        @cl.kernel
        def add_one(a):
            a[()] += 1

        x = cl.zeros((), device=device)
        add_one(x)
        assert float(x) == 1.0

    @pytest.mark.parametrize("wrong", ["4", 4.0, [4], None, (4, "x")])
    def test_what_is_no_size_is_refused(self, wrong):
        with pytest.raises(TypeError, match=r"an int or a tuple of one to three"):
            fill[wrong]

    @pytest.mark.parametrize("wrong", [-1, 2**64, (), (1, 2, 3, 4), ((4,), (2, 2)), ((4, 4), 2)])
    def test_sizes_that_cannot_be_are_refused(self, wrong):
        with pytest.raises(cl.InvalidArgumentError):
            fill[wrong]

    def test_ranges_compare_and_show(self):
        assert cl.Range(2, 3) == cl.Range((2, 3)) != cl.Range(3, 2)
        assert hash(cl.NdRange(4, 2)) == hash(cl.NdRange((4,), (2,)))
        assert repr(cl.NdRange((4, 4), (2, 2))) == "colocate.NdRange((4, 4), (2, 2))"


class TestLimits:
    def test_a_local_size_divides_the_global_size(self, device):  # R4.5
        x = zeros(10, device)
        with pytest.raises(cl.InvalidArgumentError, match=r"4 does not divide the global size 10.*up to 12"):
            groups[10, (4,)](x)
        assert x.tolist() == [0] * 10

    def test_no_group_has_no_items(self, device):
        with pytest.raises(cl.InvalidArgumentError, match="extent of 0"):
            groups[10, (0,)](zeros(10, device))

    def test_a_group_too_large_is_told_the_limit(self, device):
        limit = device.max_work_group_size
        n = 2 * limit
        with pytest.raises(cl.InvalidArgumentError, match=r"allows? \d+|may have \d+"):
            groups[n, (n,)](zeros(n, device))

    def test_the_product_of_the_extents_counts(self, device):
        side = int(device.max_work_group_size**0.5) * 2
        with pytest.raises(cl.InvalidArgumentError, match="a group may have"):
            groups_2d[(side, side), (side, side)](zeros((side, side), device))

    def test_local_memory_is_limited(self, device):
        size = device.local_mem_size // 8 + 1

        @cl.kernel
        def greedy(a):
            shared = cl.local_array(size, np.float64)
            shared[cl.get_local_id(0)] = 1.0
            cl.barrier()
            a[cl.get_global_id(0)] = shared[0]

        with pytest.raises(cl.InvalidArgumentError, match=rf"{8 * size} bytes.*may have {device.local_mem_size}"):
            greedy[4, (4,)](cl.zeros(4, device=device))

    def test_more_items_than_can_be_counted(self, device):
        with pytest.raises(cl.InvalidArgumentError, match="more items than can be counted"):
            places[2**40, 2**40, 2**40](zeros((1, 1, 1), device))

    def test_without_brackets_there_must_be_an_array(self, device):
        @cl.kernel
        def nothing(n):
            pass

        with cl.device_context(device), pytest.raises(cl.InvalidArgumentError, match=r"nothing\[global_size\]"):
            nothing(3)

    def test_an_array_of_four_axes_is_no_space(self, device):
        with pytest.raises(cl.InvalidArgumentError, match="4 axes"):
            fill(zeros((1, 1, 1, 1), device), 1)


class TestQueues:
    def test_arrays_of_queues_that_differ_are_refused_by_name(self, device):  # R4.1
        x = cl.ones(4, queue=cl.Queue(device))
        y = cl.ones(4, queue=cl.Queue(device, in_order=False))
        with pytest.raises(cl.ExecutionPlacementError) as caught:
            add[4](x, x, y)
        text = str(caught.value)
        assert text.startswith("add: ") and "c = colocate.asarray(c, queue=a.queue)" in text
        assert y.tolist() == [1.0] * 4

    def test_equivalent_queues_are_one_place(self, device):  # R4.1
        x, y = cl.ones(4, queue=cl.Queue(device)), cl.ones(4, queue=cl.Queue(device))
        add[4](x, y, y)
        assert y.tolist() == [2.0] * 4

    def test_numpy_and_device_arrays_do_not_mix(self, device):  # R4.3
        x = cl.ones(4, device=device)
        with pytest.raises(TypeError, match=r"argument 'b' is a numpy.ndarray") as caught:
            add[4](x, np.ones(4), x)
        assert isinstance(caught.value, cl.HostDataError)
        with cl.device_context(device), pytest.raises(cl.HostDataError, match="'a'"):
            add[4](np.ones(4), x, x)

    def test_a_context_that_contradicts_the_arrays(self, device):  # R4.4
        x = cl.ones(4, device=device)
        with cl.device_context(cl.Queue(device, in_order=False)):
            with pytest.raises(cl.ExecutionPlacementError, match=r"(?s)R4.4") as caught:
                add[4](x, x, x)
        assert "a  device memory" in str(caught.value)
        assert x.tolist() == [1.0] * 4

    def test_a_context_that_agrees_with_the_arrays(self, device):  # R4.4
        x = cl.ones(4, device=device)
        with cl.device_context(cl.Queue(device)):
            add[4](x, x, x)
        assert x.tolist() == [2.0] * 4

    def test_numbers_alone_have_no_place(self):
        with pytest.raises(cl.ExecutionPlacementError, match="the queue cannot be determined"):
            fill[4](1, 2)

    def test_mixed_usm_types_warn_if_wanted(self, device):
        x, y = cl.ones(4, device=device), cl.ones(4, device=device, usm_type="shared")
        add[4](x, y, y)
        cl.config.warn_on_mixed_usm = True
        try:
            with pytest.warns(cl.PerformanceWarning):
                add[4](x, y, y)
        finally:
            cl.config.warn_on_mixed_usm = False
        assert y.tolist() == [3.0] * 4

    def test_every_usm_type_works(self, device):
        for kind in ("device", "shared", "host"):
            x = cl.ones(100, device=device, usm_type=kind)
            add(x, x, x)
            assert x.tolist() == [2.0] * 100

    def test_sub_devices_run_kernels(self, device):
        parts = device.create_sub_devices(1) if device.backend == "native" and device.max_compute_units > 1 else []
        for part in parts:
            x = cl.ones(1000, device=part)
            add(x, x, x)
            assert x.tolist() == [2.0] * 1000

    def test_arrays_of_dpnp_are_arguments(self, sycl_device):
        import dpnp

        x = dpnp.arange(6.0, device="opencl:cpu")
        y = dpnp.zeros(6, device="opencl:cpu")
        add[6](x, x, y).wait()
        assert dpnp.asnumpy(y).tolist() == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]


@cl.kernel
def slow(a, turns):
    i = cl.get_global_id(0)
    x = a[i]
    for _ in range(turns):
        x = x * 1.0000001 + 1e-9
    a[i] = x


class TestEvents:
    def test_a_launch_does_not_wait(self, device):  # R4.6
        x = cl.ones(200_000, device=device)
        event = slow(x, 20_000)
        assert event.status != "complete"
        event.wait()
        assert event.status == "complete"

    def test_launches_on_the_same_memory_are_ordered(self, device):  # R4.6
        x = cl.zeros(100_000, device=device, dtype="int64")
        y = cl.zeros(100_000, device=device, dtype="int64")
        one = cl.ones(100_000, device=device, dtype="int64")
        for _ in range(20):
            add(x, one, y)
            add(y, one, x)
        assert set(cl.asnumpy(x)) == {40}

    def test_out_of_order_queues_are_ordered_by_the_memory(self, device):  # R4.6
        q = cl.Queue(device, in_order=False)
        x = cl.zeros(50_000, queue=q, dtype="int64")
        one = cl.ones(50_000, queue=q, dtype="int64")
        for _ in range(30):
            add(x, one, x)
        assert set(cl.asnumpy(x)) == {30}

    def test_depends_orders_a_launch_after_others(self, device):  # R4.6
        q = cl.Queue(device, in_order=False)
        x, y = cl.ones(100_000, queue=q), cl.ones(10, queue=q)
        first = slow(x, 10_000)
        second = fill(y, 2.0, depends=[first])
        second.wait()
        assert first.status == "complete"
        assert y.tolist() == [2.0] * 10

    @pytest.mark.parametrize("wrong", [3, [3], ["x"]])
    def test_depends_takes_events(self, device, wrong):
        with pytest.raises(TypeError, match="depends= takes a list"):
            fill(cl.ones(3, device=device), 1.0, depends=wrong)

    def test_no_parameter_may_be_called_depends(self):
        with pytest.raises(cl.InvalidArgumentError, match="depends"):

            @cl.kernel
            def k(a, depends):
                pass

    def test_profiling_queues_keep_a_kernels_times(self, device):  # R4.6
        q = cl.Queue(device, enable_profiling=True)
        event = slow(cl.ones(10_000, queue=q), 1000)
        event.wait()
        assert event.profiling_submit <= event.profiling_start < event.profiling_end

    def test_memory_stays_until_the_kernel_has_ended(self, device):
        result = cl.zeros(100_000, device=device)
        for _ in range(10):
            x = cl.full(100_000, 3.0, device=device)
            add(x, x, result)
            del x  # its memory may be used again, but only after the kernel
            y = cl.full(100_000, 7.0, device=device)
            del y
        assert set(cl.asnumpy(result)) == {6.0}

    def test_reading_an_array_waits_for_its_kernel(self, device):
        x = cl.ones(100_000, device=device)
        slow(x, 2000)
        assert float(x[99_999]) > 1.0


class TestGroups:
    def test_tiled_matmul_with_local_memory(self, device):  # R4.5
        tile = 4

        @cl.kernel
        def tiled(a, b, c):
            i, j = cl.get_global_id(0), cl.get_global_id(1)
            li, lj = cl.get_local_id(0), cl.get_local_id(1)
            ta = cl.local_array((tile, tile), a.dtype)
            tb = cl.local_array((tile, tile), b.dtype)
            acc = 0.0
            for t in range(a.shape[1] // tile):
                ta[li, lj] = a[i, t * tile + lj]
                tb[li, lj] = b[t * tile + li, j]
                cl.barrier()
                for k in range(tile):
                    acc += ta[li, k] * tb[k, lj]
                cl.barrier()
            c[i, j] = acc

        a, b = np.random.rand(16, 12), np.random.rand(12, 8)
        x, y, z = (cl.asarray(v, device=device) for v in (a, b, np.zeros((16, 8))))
        tiled[(16, 8), (tile, tile)](x, y, z)
        np.testing.assert_allclose(cl.asnumpy(z), a @ b)

    def test_group_reductions(self, device):  # R4.5
        @cl.kernel
        def reduce(a, out):
            i, g = cl.get_global_id(0), cl.get_group_id(0)
            total, low, high = cl.group.sum(a[i]), cl.group.min(a[i]), cl.group.max(a[i])
            some, every = cl.group.any(a[i] > 14), cl.group.all(a[i] > 7)
            if cl.get_local_id(0) == 0:
                out[g, 0], out[g, 1], out[g, 2] = total, low, high
                out[g, 3], out[g, 4] = some, every

        a = np.arange(16)
        x, out = cl.asarray(a, device=device), cl.zeros((2, 5), dtype="int64", device=device)
        reduce[16, (8,)](x, out)
        assert cl.asnumpy(out).tolist() == [[28, 0, 7, 0, 0], [92, 8, 15, 1, 1]]

    @pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64", "float32", "float64"])
    def test_atomics(self, device, dtype):  # R4.5
        @cl.kernel
        def count(a):
            i = cl.get_global_id(0)
            cl.atomic.add(a, 0, 1)
            cl.atomic.sub(a, 1, 1)
            cl.atomic.min(a, 2, i)
            cl.atomic.max(a, 3, i)
            cl.atomic.exchange(a, 4, 5)
            cl.atomic.compare_exchange(a, 5, 0, 7)

        x = cl.asarray(np.array([0, 1000, 50, 0, 0, 0], dtype=dtype), device=device)
        count[1000](x)
        assert x.tolist() == [1000, 0, 0, 999, 5, 7]

    def test_bitwise_atomics(self, device):
        @cl.kernel
        def bits(a):
            i = cl.get_global_id(0)
            cl.atomic.or_(a, 0, 1 << i)
            cl.atomic.and_(a, 1, ~(1 << i))
            cl.atomic.xor(a, 2, 1 << i)

        x = cl.asarray(np.array([0, 0xFFFF, 0xFF], dtype=np.int32), device=device)
        bits[8](x)
        assert x.tolist() == [0xFF, 0xFF00, 0]

    def test_private_arrays(self, device):
        @cl.kernel
        def sort4(a):
            i = cl.get_global_id(0)
            mine = cl.private_array(4, a.dtype)
            for k in range(4):
                mine[k] = a[i, k]
            for k in range(3):
                for m in range(3 - k):
                    if mine[m] > mine[m + 1]:
                        mine[m], mine[m + 1] = mine[m + 1], mine[m]
            for k in range(4):
                a[i, k] = mine[k]

        a = np.random.default_rng(0).integers(0, 100, (50, 4))
        x = cl.asarray(a, device=device)
        sort4[50](x)
        assert np.array_equal(cl.asnumpy(x), np.sort(a, axis=1))


class TestDebug:
    @pytest.fixture(autouse=True)
    def debug(self):
        cl.config.debug = True
        yield
        cl.config.debug = False

    @pytest.mark.parametrize("index", (-6, 5, -(2**62)))
    def test_debug_mode_reports_the_index_as_it_was_written(self, device, index):
        # R4.7
        @cl.kernel
        def reach(a, where):
            a[where[cl.get_global_id(0)]] = 1

        with pytest.raises(cl.KernelBoundsError) as caught:
            reach[1](cl.zeros(5, device=device), cl.asarray(np.array([index]), device=device))
        assert caught.value.index == (index,)
        assert caught.value.shape == (5,)

    def test_an_access_outside_names_everything(self, device):  # R4.7
        @cl.kernel
        def shifted(source, target):
            i = cl.get_global_id(0)
            target[i] = source[i + 3, 1]

        with pytest.raises(cl.KernelBoundsError) as caught:
            shifted[4](cl.zeros((4, 2), device=device), cl.zeros(4, device=device))
        error = caught.value
        assert isinstance(error, IndexError)
        assert (error.kernel, error.array, error.shape) == ("shifted", "source", (4, 2))
        assert error.index[0] in (4, 5, 6) and error.index[1] == 1
        assert error.file == __file__
        line = Path(__file__).read_text().splitlines()[error.line - 1]
        assert line.strip() == "target[i] = source[i + 3, 1]" and line in str(error)
        assert f"{__file__}:{error.line}" in str(error)

    def test_a_negative_index_beyond_the_beginning(self, device):  # R4.7
        @cl.kernel
        def back(a):
            i = cl.get_global_id(0)
            a[i - 5] = 1.0

        with pytest.raises(cl.KernelBoundsError, match="'a'"):
            back[3](cl.zeros(3, device=device))

    def test_what_stays_inside_is_left_alone(self, device):  # R4.7
        x = cl.ones(100, device=device)
        add(x, x, x)
        assert x.tolist() == [2.0] * 100

    def test_local_arrays_are_checked_too(self, device):  # R4.7
        @cl.kernel
        def local(a):
            shared = cl.local_array(4, a.dtype)
            i = cl.get_local_id(0)
            shared[i + 1] = a[i]
            cl.barrier()
            a[i] = shared[i]

        with pytest.raises(cl.KernelBoundsError, match=r"'shared'.*\(4,\)"):
            local[4, (4,)](cl.zeros(4, device=device))

    def test_numpy_arguments_are_checked_too(self, device):  # R4.7
        a = np.zeros(3)
        with cl.device_context(device), pytest.raises(cl.KernelBoundsError, match=r"'a'.*\(3,\)"):
            fill[5](a, 1.0)

    def test_the_setting_can_be_undone(self, device):
        x = cl.ones(4, device=device)
        cl.config.debug = False
        add(x, x, x)
        cl.config.debug = True
        with pytest.raises(cl.KernelBoundsError):
            add[5](x, x, x)


def test_debug_mode_can_come_from_the_environment(run_python):  # R4.7
    code = "import colocate as cl; print(cl.config.debug)"
    assert run_python(code, COLOCATE_DEBUG="1") == "True\n"
    assert run_python(code, COLOCATE_DEBUG="0") == "False\n"
    assert "debug=False" in repr(cl.config)


class TestObjects:
    def test_a_kernel_wraps_its_function(self):
        @cl.kernel(fastmath=True)
        def documented(a):
            """What it does."""

        assert documented.__name__ == "documented" and documented.__doc__ == "What it does."
        assert documented.__wrapped__.__name__ == "documented" and documented.__module__ == __name__
        assert repr(documented) == "<colocate.Kernel documented(a)>"
        assert "documented" in documented._repr_html_()

    @pytest.mark.parametrize("decorate", [cl.kernel, cl.device_func])
    @pytest.mark.parametrize("wrong", [3, "f", len, cl.Range(1)])
    def test_only_functions_can_be_decorated(self, decorate, wrong):
        with pytest.raises(TypeError, match="takes a Python function"):
            decorate(wrong)

    def test_starred_parameters_are_refused(self):
        with pytest.raises(TypeError, match="starred"):

            @cl.kernel
            def k(*arrays):
                pass

    def test_fastmath_may_reassociate_and_gives_about_the_same(self, device):
        @cl.kernel(fastmath=True)
        def poly(a):
            i = cl.get_global_id(0)
            a[i] = a[i] * a[i] + 2.0 * a[i] + 1.0

        x = cl.asarray(np.linspace(0, 1, 100), device=device)
        poly(x)
        np.testing.assert_allclose(cl.asnumpy(x), (np.linspace(0, 1, 100) + 1) ** 2, rtol=1e-12)

    def test_the_signatures_are_listed(self, device):
        @cl.kernel
        def k(a, n):
            a[cl.get_global_id(0)] = n

        assert k.signatures == []
        k(cl.ones(3, device=device), 2)
        k(cl.ones(3, device=device, dtype="float32"), 2)
        assert k.signatures == ["a: float32[1d], n: int64", "a: float64[1d], n: int64"]
        assert "a: float32[1d], n: int64" in k._repr_html_()

    def test_index_functions_raise_outside_of_kernels(self):
        for function in (cl.get_global_id, cl.barrier, cl.atomic.add, cl.group.sum):
            with pytest.raises(cl.OutsideKernelError, match="inside a kernel"):
                function(0)

    def test_a_device_function_is_also_a_python_function(self):
        @cl.device_func
        def twice(x, *, by=2):
            """Doubles."""
            return by * x

        assert twice(4) == 8 and twice(4, by=3) == 12 and twice.__doc__ == "Doubles."
        assert repr(twice) == "<colocate.DeviceFunction twice>"

    def test_kernels_are_collected(self, device):
        def make():
            captured = 3

            @cl.kernel
            def k(a):
                a[cl.get_global_id(0)] = captured

            k(cl.ones(3, device=device))
            k.myself = k
            return weakref.ref(k)

        reference = make()
        gc.collect()
        assert reference() is None

    def test_threads_may_launch_the_same_kernel(self, device):
        @cl.kernel
        def inc(a, n):
            i = cl.get_global_id(0)
            a[i] = a[i] + n

        failures = []

        def work(number):
            try:
                x = cl.zeros(1000, device=device, dtype="int64")
                for _ in range(30):
                    inc(x, number)
                assert set(cl.asnumpy(x)) == {30 * number}
            except BaseException as failure:
                failures.append(failure)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not failures


class TestInspection:
    def test_every_stage_of_a_launched_kernel(self):
        x = cl.ones(4, device="native:cpu")
        add(x, x, x).wait()
        seen = {stage: add.inspect(stage=stage) for stage in ("hir", "ir", "core", "llvm", "asm", "spirv", "cuda")}
        assert "float64" in seen["hir"] and "kernel add" in seen["ir"] and "define" in seen["llvm"]
        assert "OpEntryPoint" in seen["spirv"] and "__global__" in seen["cuda"] and seen["asm"]

    def test_arguments_choose_the_types(self):
        text = add.inspect(cl.ones(2, dtype="int16"), cl.ones(2, dtype="int8"), cl.ones(2, dtype="int32"))
        assert "int16[1]" in text and "int8[1]" in text
        assert "rank 2" in add[2, 2].inspect(cl.ones(2), cl.ones(2), cl.ones(2), stage="ir")
        assert "float32" in add.inspect(*[np.ones(2, np.float32)] * 3, stage="hir")

    def test_a_device_chooses_the_target(self, device):
        stage = "asm" if device.backend == "native" else "spirv"
        assert add.inspect(*[cl.ones(2)] * 3, device=device, stage=stage)

    def test_a_kernel_that_was_never_compiled_says_so(self):
        @cl.kernel
        def k(a):
            pass

        with pytest.raises(cl.InvalidArgumentError, match=r"k.inspect\(a, b"):
            k.inspect()

    def test_an_unknown_stage_is_refused(self):
        with pytest.raises(cl.InvalidArgumentError, match="there are hir, ir"):
            add.inspect(*[cl.ones(2)] * 3, stage="ptx")
