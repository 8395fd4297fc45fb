"""Every mix of arrays that a launch may or may not be given, and the way out of each refusal (R3.1–3.5, R4.1–4.4).

The cases are those of the documents that the rules come from: three arguments on one queue, on queues that are
equivalent or not, of any kinds of memory, of NumPy arrays, inside and outside of device contexts.
"""

import functools
import gc
import itertools

import numpy as np
import pytest

import colocate as cl


@cl.kernel
def product(a, b, c):
    i = cl.get_global_id(0)
    c[i] = a[i] * b[i]


@cl.kernel
def blend(a, b, c):
    """An expression with intermediate values; a kernel stores its result, since it returns none."""
    i = cl.get_global_id(0)
    d = c[i] * b[i]
    e = a[i] + d
    c[i] = d + e


FACTORS = [1.0, 2.0, 3.0, 4.0]
SQUARES = [1.0, 4.0, 9.0, 16.0]

# Which of the arguments a, b, c are of another kind than the rest: every mix that is one.
MIXES = [mix for mix in itertools.product((False, True), repeat=3) if len(set(mix)) == 2]


def mix_name(mix):
    return " and ".join(name for name, other in zip("abc", mix, strict=True) if other) + " differ"


def device_array(queue, usm_type="device"):
    return cl.asarray(FACTORS, queue=queue, usm_type=usm_type)


def host_array():
    return np.array(FACTORS)


@pytest.fixture
def here(device):
    return cl.Queue(device)


@pytest.fixture
def twin(device):
    """Another queue, equivalent to ``here`` (R1.4)."""
    return cl.Queue(device)


@pytest.fixture(params=[{"in_order": False}, {"enable_profiling": True}], ids=["out of order", "profiling"])
def there(request, device):
    """A queue that is not equivalent to ``here``, since one of its properties differs (R1.4)."""
    return cl.Queue(device, **request.param)


COUNTERS = ("allocations", "reused", "host_to_device", "device_to_host", "device_to_device")


def moved_and_allocated():
    stats = cl.memory_stats()
    return [stats[key] for key in COUNTERS]


def refused(kernel, *arguments, error=cl.ExecutionPlacementError):
    """The message of a launch that must be refused, and must compute, allocate and copy nothing (R3.1)."""
    values = [np.array(cl.asnumpy(argument)) for argument in arguments]
    gc.collect()
    before = moved_and_allocated()
    with pytest.raises(error) as caught:
        kernel(*arguments)
    assert moved_and_allocated() == before
    for argument, expected in zip(arguments, values, strict=True):
        assert np.array_equal(cl.asnumpy(argument), expected)
    return str(caught.value)


class TestArraysAlone:
    @pytest.mark.parametrize("kernel", [product, blend], ids=lambda kernel: kernel.__name__)
    def test_of_one_queue(self, kernel, here):  # R4.1
        a, b, c = (device_array(here) for _ in range(3))
        kernel(a, b, c).wait()
        assert c.tolist() == {product: SQUARES, blend: [3.0, 10.0, 21.0, 36.0]}[kernel]
        assert c.queue == here

    @pytest.mark.parametrize("mix", MIXES, ids=mix_name)
    def test_of_equivalent_queues(self, mix, here, twin):  # R1.4, R4.1
        assert here != twin
        a, b, c = (device_array(twin if other else here) for other in mix)
        product(a, b, c)
        assert c.tolist() == SQUARES

    @pytest.mark.parametrize("mix", MIXES, ids=mix_name)
    def test_of_queues_that_are_not_equivalent(self, mix, here, there):  # R3.1, R4.1
        a, b, c = (device_array(there if other else here) for other in mix)
        text = refused(product, a, b, c)
        assert text.startswith("product: the arrays live on queues that are not equivalent")
        for name, array in (("a", a), ("b", b), ("c", c)):
            assert f"  {name}  device memory on {array.device}, queue #" in text
            assert (f"  {name} = colocate.asarray({name}, queue=a.queue)" in text) == (array.queue != a.queue)

    @pytest.mark.parametrize("mix", MIXES, ids=mix_name)
    def test_the_line_in_the_message_is_the_way_out(self, mix, here, there):  # R2.4, R3.1
        names = dict(zip("abc", (device_array(there if other else here) for other in mix), strict=True))
        text = refused(product, *names.values())
        fixes = [line.strip() for line in text.splitlines() if " = colocate.asarray(" in line]
        for fix in fixes:
            exec(fix, {"colocate": cl}, names)
        product(names["a"], names["b"], names["c"])
        assert names["c"].tolist() == SQUARES
        assert names["c"].queue == names["a"].queue

    @pytest.mark.parametrize(
        "bring",
        [
            lambda a, b: cl.asarray(a, queue=b.queue),
            lambda a, b: cl.as_array(a, queue=b.queue),
            lambda a, b: a.asarray(b.queue),
            lambda a, b: a.collocate(b),
            lambda a, b: a.make_available(b.queue),
            lambda a, b: a.copy_to(b.queue),
        ],
        ids=["asarray", "as_array", "method", "collocate", "make_available", "copy_to"],
    )
    def test_every_way_of_bringing_data_over_makes_the_launch_possible(self, bring, here, there):  # R2.4, R2.5
        a, b, c = device_array(here), device_array(there), device_array(there)
        refused(product, a, b, c)
        product(bring(a, b), b, c)
        assert c.tolist() == SQUARES

    @pytest.mark.parametrize("kinds", list(itertools.product(("device", "shared", "host"), repeat=3)), ids=" ".join)
    def test_kinds_of_memory_may_be_mixed(self, kinds, here):  # R3.2
        a, b, c = (device_array(here, kind) for kind in kinds)
        product(a, b, c)
        assert c.tolist() == SQUARES
        assert c.usm_type == kinds[2]

    @pytest.mark.parametrize("kind", ["shared", "host"])
    def test_memory_that_all_reach_is_still_of_one_queue(self, kind, here, there):  # R3.1, R3.2
        refused(product, device_array(here, kind), device_array(there, kind), device_array(here, kind))

    def test_a_number_follows_the_arrays(self, here):  # R3.4
        @cl.kernel
        def scale(a, factor, c):
            i = cl.get_global_id(0)
            c[i] = a[i] * factor

        for factor in (2, 2.0, np.float32(2), True):
            c = device_array(here)
            scale(device_array(here), factor, c)
            assert c.tolist() == [factor * value for value in FACTORS]

    def test_an_array_without_axes_is_not_a_number(self, here, there):  # R3.4
        @cl.kernel
        def scale(a, factor, c):
            i = cl.get_global_id(0)
            c[i] = a[i] * factor[()]

        refused(scale, device_array(here), cl.full((), 2.0, queue=there), device_array(here))

    def test_arrays_in_tuples_count_as_well(self, here, there):  # R3.1
        @cl.kernel
        def total(c, pair):
            i = cl.get_global_id(0)
            c[i] = pair[0][i] + pair[1][i]

        c = device_array(here)
        with pytest.raises(cl.ExecutionPlacementError, match="not equivalent"):
            total(c, (device_array(here), device_array(there)))
        with pytest.raises(cl.HostDataError):
            total(c, (device_array(here), host_array()))
        assert c.tolist() == FACTORS
        total(c, (device_array(here), device_array(here)))
        assert c.tolist() == [2.0, 4.0, 6.0, 8.0]

    def test_a_kernel_returns_no_array(self, here):  # R4.1
        @cl.kernel
        def returning(a, b):
            return a[0] * b[0]

        with pytest.raises(cl.CompileError, match="CL0120"):
            returning(device_array(here), device_array(here))


class TestArraysInContexts:
    def test_a_context_of_their_queue(self, here):  # R4.4
        c = device_array(here)
        with cl.offload_to_device(here):
            product(device_array(here), device_array(here), c)
        assert c.tolist() == SQUARES

    def test_a_context_of_an_equivalent_queue(self, here, twin):  # R1.4, R4.4
        c = device_array(here)
        with cl.offload_to_device(twin):
            product(device_array(here), device_array(here), c)
        assert c.tolist() == SQUARES
        assert c.queue == here

    def test_a_context_of_another_queue(self, here, there):  # R4.4
        arrays = [device_array(here) for _ in range(3)]
        with cl.offload_to_device(there):
            text = refused(product, *arrays)
        assert text.startswith(f"product: the device context says {there.device}, queue #")
        assert text.endswith("(rule R4.4)")

    def test_the_lines_in_the_message_are_the_way_out(self, here, there):  # R4.4
        names = {name: device_array(here) for name in "abc"}
        with cl.offload_to_device(there):
            text = refused(product, *names.values())
            fixes = [line.strip() for line in text.splitlines() if " = colocate.asarray(" in line]
            assert len(fixes) == 3
            for fix in fixes:
                exec(fix, {"colocate": cl}, names)
            product(*names.values())
        assert names["c"].tolist() == SQUARES
        assert names["c"].queue == there

    def test_the_innermost_context_counts(self, here, there):  # R4.4, R6.2
        arrays = [device_array(here) for _ in range(3)]
        with cl.offload_to_device(here), cl.offload_to_device(there):
            refused(product, *arrays)
        with cl.offload_to_device(there), cl.offload_to_device(here):
            product(*arrays)
        assert arrays[2].tolist() == SQUARES

    def test_arrays_of_two_queues_are_refused_whatever_the_context(self, here, there):  # R3.1, R4.4
        arrays = device_array(here), device_array(there), device_array(there)
        for queue in (here, there):
            with cl.offload_to_device(queue):
                refused(product, *arrays)

    def test_new_arrays_of_the_context_agree_with_it(self, there):  # R4.4, R6.2
        with cl.offload_to_device(there):
            c = cl.zeros(4)
            product(cl.full(4, 3.0), cl.full(4, 5.0), c)
        assert (c.tolist(), c.queue) == ([15.0] * 4, there)

    def test_a_global_queue_contradicts_nothing(self, here, there):  # R4.4, R6.1
        c = device_array(here)
        cl.set_global_queue(there)
        try:
            product(device_array(here), device_array(here), c)
        finally:
            cl.reset_global_queue()
        assert c.tolist() == SQUARES


class TestNumpyArraysAlone:
    def test_outside_of_a_context(self):  # R4.2
        text = refused(product, host_array(), host_array(), host_array())
        assert "the queue cannot be determined" in text and text.endswith("(rule R4.2)")

    @pytest.mark.parametrize("context", [cl.offload_to_device, cl.device_context])
    def test_inside_a_context_of_any_queue(self, context, here, there):  # R4.2, R4.6
        for queue in (here, there):
            a, b, c = host_array(), host_array(), host_array()
            with context(queue) as entered:
                assert entered == queue
                product(a, b, c)
                assert c.tolist() == SQUARES  # without waiting
            assert a.tolist() == b.tolist() == FACTORS

    def test_inside_a_context_that_a_selector_names(self, device):  # R1.5, R4.2
        c = host_array()
        with cl.offload_to_device(device.selector):
            blend(host_array(), host_array(), c)
        assert c.tolist() == [3.0, 10.0, 21.0, 36.0]

    def test_after_the_context_there_is_none(self, here):  # R4.2
        with cl.offload_to_device(here):
            product(host_array(), host_array(), host_array())
        refused(product, host_array(), host_array(), host_array())

    def test_one_kernel_serves_any_number_of_contexts(self, here, there):  # R4.2
        results = []
        for queue in (here, there, here):
            c = host_array()
            with cl.offload_to_device(queue):
                product(host_array(), host_array(), c)
            results.append(c.tolist())
        assert results == [SQUARES] * 3

    def test_a_wrapper_can_supply_a_context_where_there_is_none(self, here, there):  # R4.2, R6.2
        used = []

        def at_home(kernel):
            @functools.wraps(kernel)
            def launch(*arguments):
                if cl.is_in_device_context():
                    used.append(cl.get_current_queue())
                    return kernel(*arguments)
                with cl.offload_to_device(here):
                    return launch(*arguments)

            return launch

        c = host_array()
        at_home(product)(host_array(), host_array(), c)
        with cl.offload_to_device(there):
            at_home(product)(host_array(), host_array(), c)
        assert used == [here, there]
        assert c.tolist() == SQUARES


class TestNumpyArraysBesideArrays:
    def mixture(self, mix, queue):
        return [host_array() if host else device_array(queue) for host in mix]

    def check(self, text, mix):
        host, ours = "abc"[mix.index(True)], "abc"[mix.index(False)]
        assert f"argument '{host}' is a numpy.ndarray, and argument '{ours}' is a device array" in text
        assert f"{host} = colocate.asarray({host}, queue={ours}.queue)" in text
        assert "R3.5" in text and "R4.3" in text

    @pytest.mark.parametrize("mix", MIXES, ids=mix_name)
    def test_outside_of_a_context(self, mix, here):  # R3.5, R4.3
        self.check(refused(product, *self.mixture(mix, here), error=cl.HostDataError), mix)

    @pytest.mark.parametrize("mix", MIXES, ids=mix_name)
    def test_inside_a_context_of_another_queue(self, mix, here, there):  # R3.5, R4.3
        with cl.offload_to_device(there):
            self.check(refused(product, *self.mixture(mix, here), error=TypeError), mix)

    @pytest.mark.parametrize("mix", MIXES, ids=mix_name)
    def test_inside_a_context_of_the_arrays_own_queue(self, mix, here):  # R3.5, R4.3
        with cl.offload_to_device(here):
            self.check(refused(product, *self.mixture(mix, here), error=TypeError), mix)

    @pytest.mark.parametrize("kind", ["shared", "host"])
    def test_memory_that_the_host_reaches_is_still_a_device_array(self, kind, here):  # R3.5, R4.3
        refused(product, device_array(here, kind), host_array(), host_array(), error=cl.HostDataError)

    @pytest.mark.parametrize("mix", MIXES, ids=mix_name)
    def test_bringing_the_host_data_over_is_the_way_out(self, mix, here):  # R2.4, R4.3
        a, b, c = (cl.asarray(argument, queue=here) for argument in self.mixture(mix, here))
        product(a, b, c)
        assert c.tolist() == SQUARES

    def test_a_view_of_an_array_for_the_host_is_host_data(self):  # R3.5, R4.3
        x = cl.asarray(FACTORS, device="native:cpu", usm_type="shared")
        refused(product, x, np.asarray(x), x, error=cl.HostDataError)


class TestSubDevices:
    @pytest.fixture
    def queues(self, device):
        """Queues of two parts of a device that share a context, and so their memory."""
        if device.max_compute_units < 2:
            pytest.skip(f"{device} has no parts")
        parts = device.create_sub_devices(partition=1)[:2]
        context = cl.Context(parts)
        return [cl.Queue(context, part) for part in parts]

    def test_sharing_a_context_is_not_enough(self, queues):  # R1.6, R3.1
        refused(product, device_array(queues[0]), device_array(queues[1]), device_array(queues[1]))

    @pytest.mark.parametrize("kind", ["device", "shared", "host"])
    def test_who_wants_it_computes_on_one_part_with_data_of_the_other(self, queues, kind):  # R2.4, R2.5
        a, b, c = device_array(queues[0], kind), device_array(queues[1]), device_array(queues[1])
        product(a.make_available(queues[1]), b, c)
        assert c.tolist() == SQUARES
        assert c.device == queues[1].device

    def test_shared_memory_moves_between_the_parts_without_a_copy(self, queues):  # R2.4
        a, b = device_array(queues[0], "shared"), device_array(queues[1])
        product(b, b, a.asarray(queues[1], copy=False))
        assert a.tolist() == SQUARES


def test_devices_of_two_backends_are_two_places():  # R3.1
    if "opencl:cpu:0" not in map(str, cl.devices()):
        pytest.skip("no opencl:cpu:0; `colocate doctor` tells why")
    native, sycl = cl.Queue("native:cpu"), cl.Queue("opencl:cpu")
    for mix in MIXES:
        arrays = [device_array(sycl if other else native) for other in mix]
        text = refused(product, *arrays)
        assert "on native:cpu:0," in text and "on opencl:cpu:0," in text
        product(*(array.collocate(arrays[0]) for array in arrays[1:]), arrays[0])
        assert arrays[0].tolist() == SQUARES


@pytest.mark.parametrize("discrete", ["0", "1"])
def test_root_devices_are_two_places(run_python, tmp_path, discrete):  # R1.7, R3.1, R4.2, R4.4
    program = tmp_path / "program.py"
    program.write_text(
        """
import colocate as cl, numpy as np

@cl.kernel
def product(a, b, c):
    i = cl.get_global_id(0)
    c[i] = a[i] * b[i]

zero, one = (cl.Device(f"native:cpu:{n}") for n in (0, 1))
a, b, c = cl.full(4, 3.0, device=zero), cl.full(4, 5.0, device=one), cl.zeros(4, device=one)

def outcome(*arguments):
    try:
        product(*arguments)
    except cl.Error as error:
        return type(error).__name__
    return "ran"

print(outcome(a, b, c))
moved = a.copy_to(one)
print(outcome(moved, b, c), c.tolist())
with cl.offload_to_device(zero):
    print(outcome(moved, b, c), outcome(moved, b, np.zeros(4)))
with cl.offload_to_device(one):
    n = np.full(4, 2.0)
    print(outcome(moved, b, c), outcome(n, n, n), n.tolist())
"""
    )
    code = f"import runpy; runpy.run_path({str(program)!r})"
    out = run_python(code, COLOCATE_NATIVE_DEVICES="2", COLOCATE_NATIVE_DISCRETE=discrete)
    assert out.splitlines() == [
        "ExecutionPlacementError",
        "ran [15.0, 15.0, 15.0, 15.0]",
        "ExecutionPlacementError HostDataError",
        "ran ran [4.0, 4.0, 4.0, 4.0]",
    ]
