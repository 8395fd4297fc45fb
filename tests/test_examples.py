"""The examples: every script runs, and the four packages do what their documentation says.

Scripts and everything that needs a second device run in processes of their own, because the environment variables that
make devices are read once, when a process first asks for one.
"""

import doctest
import os
import pty
import re
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import numpy as np
import pytest

import colocate as cl

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))

import knob1_queue_argument as pkg1
import knob2_package_queue as pkg2
import knob3_compute_follows_data as pkg3
import knob4_global_manager as pkg4

EXAMPLES = Path(pkg1.__file__).parent.parent
SCRIPTS = sorted(path.name for path in EXAMPLES.glob("*.py"))
PACKAGES = [pkg1, pkg2, pkg3, pkg4]

# In a process where dpctl cannot be imported, colocate finds no SYCL, as on a machine without the packages.
RUN_WITHOUT_SYCL = "import runpy, sys; sys.modules['dpctl'] = None; runpy.run_path(sys.argv[1], run_name='__main__')"


def environment(variables):
    """This process's environment, but of the variables that change what the examples print only those given."""
    changing = ("COLOCATE_", "COLUMNS", "NO_COLOR")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(changing)}
    python_path = os.pathsep.join(filter(None, [str(EXAMPLES), os.environ.get("PYTHONPATH")]))
    return inherited | {"PYTHONPATH": python_path} | variables


def output_of(*arguments, **variables):
    """What a Python process prints, which must succeed and complain of nothing."""
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        env=environment(variables),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return done.stdout


def run_with_two_devices(program, **variables):
    """Runs a program of asserts in a process with native:cpu:0 and native:cpu:1."""
    preamble = """
        import colocate as cl, numpy as np
        import knob1_queue_argument as pkg1, knob2_package_queue as pkg2
        import knob3_compute_follows_data as pkg3, knob4_global_manager as pkg4
        zero, one = (cl.Device(f"native:cpu:{i}").default_queue for i in (0, 1))
    """
    code = textwrap.dedent(preamble) + textwrap.dedent(program)
    output_of("-c", code, COLOCATE_NATIVE_DEVICES="2", COLOCATE_DEVICE="native:cpu:0", **variables)


def words_of(text):
    """The text without the line breaks that fit it to a terminal."""
    return " ".join(text.split())


@pytest.fixture
def here():
    return cl.Queue("native:cpu")


@pytest.fixture
def there():
    """A queue of the same device that is not equivalent to ``here``, since its properties differ (R1.4)."""
    return cl.Queue("native:cpu", in_order=False)


@pytest.fixture(autouse=True)
def undo_default_queues():
    yield
    pkg2.set_default_queue(None)
    pkg3.set_default_queue(None)
    cl.reset_global_queue()


class TestScripts:
    @pytest.mark.parametrize("script", SCRIPTS)
    def test_runs_and_prints_where_things_are(self, script):
        assert "native:cpu:0" in output_of(EXAMPLES / script)

    @pytest.mark.parametrize("script", SCRIPTS)
    def test_runs_without_the_sycl_packages(self, script):  # R1.1
        printed = output_of("-c", RUN_WITHOUT_SYCL, EXAMPLES / script)
        assert "native:cpu:0" in printed
        assert "opencl:cpu:0" not in printed

    @pytest.mark.parametrize("script", SCRIPTS)
    def test_runs_where_native_devices_are_discrete(self, script):  # R1.7
        variables = {"COLOCATE_NATIVE_DEVICES": "2", "COLOCATE_NATIVE_DISCRETE": "1"}
        assert "native:cpu:0" in output_of(EXAMPLES / script, **variables)


class TestOffload:
    def test_shows_that_data_moves_only_when_the_other_side_uses_it(self):  # R5.7
        printed = output_of(EXAMPLES / "jit_offload.py", COLOCATE_NATIVE_DISCRETE="1")
        between, printing = printed.split('context("native:cpu:0"): with_a_print_between')
        assert "24000 bytes to the device, 8000 back" in between
        assert "16000 bytes to the device, 0 back" in printing

    def test_shows_that_shared_arrays_are_not_copied(self):  # R8.1
        printed = output_of(EXAMPLES / "dparray_offload.py", COLOCATE_NATIVE_DISCRETE="1")
        assert set(re.findall(r"(\d+) bytes copied", printed)) == {"0"}

    def test_shows_numbas_functions_compiled_by_us(self):  # R5.8
        pytest.importorskip("numba", reason="Numba is not installed")
        printed = output_of(EXAMPLES / "numba_offload.py")
        assert "compiled by colocate alone" in printed
        assert "compiled by Numba, too" in printed

    def test_programs_for_numba_do_without_it(self):
        without = "import runpy, sys; sys.modules['numba'] = None; runpy.run_path(sys.argv[1], run_name='__main__')"
        assert "Numba is not installed" in output_of("-c", without, EXAMPLES / "numba_offload.py")


class TestTour:
    def test_lists_both_devices_where_there_are_two(self):  # R1.7
        devices = output_of(EXAMPLES / "tour.py", COLOCATE_NATIVE_DEVICES="2").split("\n\n")[1]
        assert "native:cpu:0" in devices
        assert "native:cpu:1" in devices

    def test_moves_data_to_the_second_native_device_where_there_is_no_sycl(self):  # R2.5
        printed = output_of("-c", RUN_WITHOUT_SYCL, EXAMPLES / "tour.py", COLOCATE_NATIVE_DEVICES="2")
        assert "Array([0., 1., 2., 3.], dtype=float64, device='native:cpu:1', usm_type='device')" in printed

    def test_shows_the_refusal_in_its_own_words_and_then_what_the_fix_makes_possible(self):  # R3.1
        printed = words_of(output_of(EXAMPLES / "tour.py"))
        refusal, fixed = printed.split("The message holds the fix:")
        assert "ExecutionPlacementError: get_execution_queue: the arrays live on queues that are not" in refusal
        assert "y = colocate.asarray(y, queue=x.queue) (rule R3.1)" in refusal
        assert "Array([0., 2., 4., 6.], dtype=float64, device='native:cpu:0'" in fixed

    def test_shows_that_numpy_looks_at_the_same_memory(self):  # R2.3
        chapter = output_of(EXAMPLES / "tour.py").partition("NumPy looks at the same memory")[2].split("\n\n")[0]
        assert "(Array(42., " in chapter
        assert chapter.rstrip().endswith("True)")

    def test_shows_that_discrete_device_memory_needs_a_copy(self):  # R2.3
        printed = output_of(EXAMPLES / "tour.py", COLOCATE_NATIVE_DISCRETE="1")
        assert any(line.split()[:2] == ["device", "by"] for line in printed.splitlines())

    def test_runs_a_kernel_on_every_device(self):  # R4.1
        printed = output_of(EXAMPLES / "tour.py", COLOCATE_NATIVE_DEVICES="2")
        chapter = printed.partition("\nKernels\n")[2].partition("\n\n")[0]
        launched = [line.split() for line in chapter.splitlines() if line.startswith("  native:cpu:")]
        assert [words[0] for words in launched] == ["native:cpu:0", "native:cpu:1"]
        assert {words[-1] for words in launched} == {"0.583589"}

    def test_runs_a_kernel_on_numpy_arrays(self):  # R4.2
        assert "np.float32(0.5835895)" in output_of(EXAMPLES / "tour.py")

    def test_shows_all_mistakes_that_the_compiler_finds(self):
        chapter = output_of(EXAMPLES / "tour.py").partition("What the compiler says")[2]
        assert chapter.count("error[CL") == 3
        assert "help: did you mean `hypot`?" in chapter

    def test_ends_with_a_pointer_to_the_doctor(self):
        assert "colocate doctor" in output_of(EXAMPLES / "tour.py").rpartition("\n\n")[2]

    def test_prints_plain_text_into_a_pipe(self):
        assert "\033" not in output_of(EXAMPLES / "tour.py")

    @pytest.mark.parametrize(("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
    def test_uses_bold_headings_on_a_terminal_that_wants_them(self, variables, coloured):
        ours, theirs = pty.openpty()
        command = [sys.executable, str(EXAMPLES / "tour.py")]
        # A terminal holds only so much until somebody reads, so it is read while the tour runs.
        with subprocess.Popen(command, env=environment(variables), stdout=theirs, stderr=theirs) as tour:
            os.close(theirs)
            printed = b"".join(iter(lambda: read_terminal(ours), b""))
        os.close(ours)
        assert tour.returncode == 0
        assert (b"\033[1mDevices\033[0m" in printed) == coloured


def read_terminal(descriptor):
    """The next bytes; none at the end, which Linux reports as an error once the other side is closed."""
    try:
        return os.read(descriptor, 4096)
    except OSError:
        return b""


@pytest.fixture(scope="module")
def kernels_printed():
    return output_of(EXAMPLES / "kernels.py", COLOCATE_NATIVE_DEVICES="2")


class TestKernels:
    def test_every_result_is_numpys(self, kernels_printed):  # R4.5
        assert kernels_printed.count("as NumPy") >= 5 * len(cl.devices())
        assert "NOT" not in kernels_printed

    def test_both_ways_to_add_up_give_what_numpy_gives(self, kernels_printed):  # R4.5
        rows = [line.split() for line in kernels_printed.partition("by group.sum")[2].splitlines()[1:3]]
        for device, *totals in rows:
            assert device.startswith("native:cpu:")
            assert len(totals) == 3
            assert len({float(total) for total in totals}) == 1

    def test_a_launch_that_depends_on_another_comes_after_it(self, kernels_printed):  # R4.6
        rows = kernels_printed.partition("after second.wait()")[2].splitlines()[1:3]
        assert all("first is complete" in row for row in rows)

    def test_shows_where_a_kernel_reaches_outside_of_an_array(self, kernels_printed):  # R4.7
        last = words_of(kernels_printed.partition("Bounds checks")[2])
        assert "shift_left reaches outside the array 'a': the index (8,) is not inside the shape (8,)" in last
        assert "b[i] = a[i + 1]" in last


class TestPages:
    """The programs in the pages of documentation about kernels run, and print what the pages say."""

    def program(self, page, first_line, tmp_path):
        blocks = re.findall(r"```python\n(.*?)```", (EXAMPLES.parent / page).read_text(), re.DOTALL)
        start = next(number for number, block in enumerate(blocks) if first_line in block)
        path = tmp_path / "first_kernel.py"
        path.write_text("\n".join(blocks[start:]))
        return path

    def test_the_guide_to_kernels(self, tmp_path):
        assert output_of(self.program("docs/kernels.md", "def add(a, b, c)", tmp_path)) == ""

    def test_the_first_kernel(self, tmp_path):
        printed = output_of(self.program("README.md", "def matmul(a, b, c)", tmp_path))
        page = (EXAMPLES.parent / "README.md").read_text()
        message = re.search(r"```text\n(error.*?)```", page, re.DOTALL)[1]
        assert printed.replace(f"{tmp_path}/", "") == f"True\nTrue\n\n{message}"


@pytest.fixture(scope="module")
def placement_printed():
    return output_of(EXAMPLES / "kernel_placement.py", COLOCATE_NATIVE_DEVICES="2")


class TestKernelPlacement:
    def test_runs_what_the_rules_allow(self, placement_printed):  # R4.1, R4.2, R4.4
        allowed = placement_printed.partition("\nAllowed\n")[2].partition("\nRefused\n")[0]
        assert allowed.count(">>>") == allowed.count("      c = [0.0, ") == 7
        assert allowed.count("native:cpu:1: the same") == 7

    def test_shows_why_the_others_are_refused(self, placement_printed):  # R4.2, R4.3, R4.4
        refused = placement_printed.partition("\nRefused\n")[2].partition("\nTwo devices\n")[0]
        assert refused.count(">>>") == refused.count("Error: scale: ") == 6
        assert refused.count("native:cpu:1: the same") == 6
        assert "c = [" not in refused

    def test_two_devices_are_two_places(self, placement_printed):  # R3.1
        refusal, _, moved = placement_printed.partition("\nTwo devices\n")[2].partition("Data moves if you say so")
        assert "a  device memory on native:cpu:0" in refusal
        assert "b  device memory on native:cpu:1" in refusal
        assert "c = [0.0, 1.0, 4.0, 9.0] on native:cpu:1" in moved


@pytest.fixture(scope="module")
def printed():
    return output_of(EXAMPLES / "packages_together.py", COLOCATE_NATIVE_DEVICES="2")


class TestPackagesTogether:
    def place_of(self, printed, what):
        return next(line for line in printed.splitlines() if line.strip().startswith(what)).split(" on the ")[1]

    def test_uses_two_devices_where_there_are_two(self, printed):
        first, second = printed.splitlines()[:2]
        assert "native:cpu:0" in first
        assert "native:cpu:1" in second

    @pytest.mark.parametrize("call", ["pkg1.gemm", "pkg2.dot", "pkg3.dot", "pkg4.dot"])
    def test_without_a_choice_all_packages_use_the_default_queue(self, printed, call):  # R6.1, R6.3
        assert self.place_of(printed, call) == "first queue"

    @pytest.mark.parametrize(
        "call",
        ["pkg1.compute(SECOND", "pkg2.compute of copies", "pkg3.compute of copies", "pkg4.compute of copies"],
    )
    def test_each_package_computes_on_the_queue_the_user_chose(self, printed, call):
        assert self.place_of(printed, call) == "second queue"

    def test_one_package_s_choice_does_not_affect_another(self, printed):  # R6.3
        assert self.place_of(printed, "pkg2.allocate, in pkg2.current(SECOND)") == "second queue"
        assert self.place_of(printed, "pkg3.allocate, in pkg2.current(SECOND)") == "first queue"

    def test_data_decides_for_the_package_that_follows_it(self, printed):  # R3.1
        assert self.place_of(printed, "pkg3.compute(c)") == "second queue"
        assert "pkg2.compute(c) is refused" in printed


class TestAllPackages:
    @pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
    def test_documentation_examples_hold(self, package):
        result = doctest.testmod(package)
        assert result.attempted > 0
        assert result.failed == 0

    @pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
    def test_source_stays_short_enough_to_read_at_a_glance(self, package):
        assert len(Path(package.__file__).read_text().splitlines()) < 80

    @pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
    def test_everything_that_is_public_has_documentation(self, package):
        assert all(getattr(package, name).__doc__ for name in package.__all__)

    @pytest.mark.parametrize("package", [pkg2, pkg3, pkg4], ids=lambda package: package.__name__)
    @pytest.mark.parametrize(
        ("first", "second", "result"),
        [
            ("host", "host", "host"),
            ("host", "shared", "shared"),
            ("shared", "device", "device"),
            ("device", "host", "device"),
        ],
    )
    def test_result_has_the_usm_type_that_the_rule_says(self, package, here, first, second, result):  # R3.3
        with cl.device_context(here):
            a, b = package.allocate((2, 2), usm_type=first), package.allocate((2, 2), usm_type=second)
            assert package.dot(a, b).usm_type == result
            assert package.compute(a, b).usm_type == result

    @pytest.mark.parametrize("package", [pkg2, pkg3, pkg4], ids=lambda package: package.__name__)
    def test_numpy_arrays_are_not_mixed_with_arrays(self, package, here):  # R3.5
        with cl.device_context(here), pytest.raises(TypeError, match=r"numpy\.ndarray.*R3\.5"):
            package.dot(package.allocate((2, 2)), np.ones((2, 2)))

    @pytest.mark.parametrize("package", [pkg2, pkg3, pkg4], ids=lambda package: package.__name__)
    def test_numpy_arrays_alone_have_no_queue_to_compute_on(self, package):  # R3.6
        with pytest.raises(cl.ExecutionPlacementError, match="the queue cannot be determined"):
            package.dot(np.ones((2, 2)), np.ones((2, 2)))

    @pytest.mark.parametrize("package", [pkg2, pkg3, pkg4], ids=lambda package: package.__name__)
    def test_arrays_of_two_queues_are_refused(self, package, here, there):  # R3.1
        a, b = cl.ones((2, 2), queue=here), cl.ones((2, 2), queue=there)
        with cl.device_context(here), pytest.raises(cl.ExecutionPlacementError, match="not equivalent"):
            package.dot(a, b)

    @pytest.mark.parametrize("package", [pkg2, pkg3, pkg4], ids=lambda package: package.__name__)
    def test_arrays_of_equivalent_queues_may_be_mixed(self, package, here):  # R1.4, R3.1
        twin = cl.Queue("native:cpu")
        assert twin != here
        a, b = cl.full((2, 2), 2.0, queue=here), cl.full((2, 2), 3.0, queue=twin)
        with cl.device_context(here):
            result = package.dot(a, b)
        assert result.queue == here
        assert result.tolist() == [[12.0, 12.0], [12.0, 12.0]]


class TestKnob1QueueArgument:
    def test_computes_the_product_on_the_queue_it_is_given(self, here, there):  # R6.5
        a, b = pkg1.allocate(here, (2, 3), 2.0), pkg1.allocate(here, (3, 4), 5.0)
        c = pkg1.gemm(there, a, b)
        assert (a.queue, b.queue, c.queue) == (here, here, there)
        assert c.tolist() == [[30.0] * 4] * 2

    def test_takes_a_selector_or_a_device_for_a_queue(self):  # R1.5
        device = cl.Device("native:cpu:0")
        for place in ("native:cpu:0", device, device.default_queue):
            assert pkg1.allocate(place, 3).queue == device.default_queue

    def test_ignores_every_default(self, here, there):  # R6.5
        cl.set_global_queue(there)
        with cl.device_context(there):
            assert pkg1.compute(here, pkg1.allocate(here, 3), pkg1.allocate(there, 3)).queue == here

    @pytest.mark.parametrize("function", [pkg1.gemm, pkg1.compute])
    def test_a_queue_left_out_is_an_error(self, here, function):
        a = pkg1.allocate(here, (2, 2))
        with pytest.raises(TypeError, match="missing 1 required positional argument"):
            function(a, a)
        with pytest.raises(TypeError, match=r"the first argument names the queue: .* not None"):
            function(None, a, a)

    def test_a_queue_in_the_wrong_position_is_an_error(self, here):
        a = pkg1.allocate(here, (2, 2))
        with pytest.raises(TypeError, match=r"the first argument names the queue: .* not an Array"):
            pkg1.gemm(a, a, here)
        with pytest.raises(cl.DTypeError, match="cannot be an extent of a shape"):
            pkg1.allocate((2, 2), here)

    def test_numpy_arrays_are_not_mixed_with_arrays_and_the_argument_is_named(self, here):  # R3.5
        with pytest.raises(TypeError, match=r"argument 2 .*R3\.5"):
            pkg1.gemm(here, pkg1.allocate(here, (2, 2)), np.ones((2, 2)))

    def test_result_has_the_usm_type_that_the_rule_says(self, here, there):  # R3.3
        a, b = pkg1.allocate(here, 3, usm_type="shared"), pkg1.allocate(here, 3, usm_type="host")
        assert pkg1.compute(there, a, b).usm_type == "shared"

    def test_brings_data_over_from_another_device(self):  # R2.5, R6.5
        for discrete in ("0", "1"):
            run_with_two_devices(
                """
                a, b = pkg1.allocate("native:cpu:0", (2, 3), 2.0), pkg1.allocate(zero, (3, 2), 5.0)
                c = pkg1.gemm("native:cpu:1", a, b)
                assert c.device.selector == "native:cpu:1"
                assert a.device.selector == "native:cpu:0"
                assert c.tolist() == [[30.0, 30.0], [30.0, 30.0]]
                """,
                COLOCATE_NATIVE_DISCRETE=discrete,
            )

    def test_a_selector_that_fits_nothing_lists_what_there_is(self):  # R1.5
        with pytest.raises(cl.DeviceNotFoundError, match="native:cpu:0"):
            pkg1.allocate("native:cpu:99", 3)


class TestKnob2PackageQueue:
    def test_follows_colocate_until_its_user_chooses(self, here, there):  # R6.3
        with cl.device_context(here):
            assert pkg2.get_queue() == here
            pkg2.set_default_queue(there)
            assert pkg2.get_queue() == there
            pkg2.set_default_queue(None)
            assert pkg2.get_queue() == here

    def test_current_holds_for_a_block_and_the_innermost_counts(self, here, there):  # R6.3
        pkg2.set_default_queue(here)
        with pkg2.current(there) as entered:
            assert entered == there
            with pkg2.current(here):
                assert pkg2.allocate(3).queue == here
            assert pkg2.allocate(3).queue == there
        assert pkg2.allocate(3).queue == here

    def test_current_is_left_by_an_exception_too(self, here, there):  # R6.3
        pkg2.set_default_queue(here)
        with pytest.raises(RuntimeError), pkg2.current(there):
            raise RuntimeError
        assert pkg2.get_queue() == here

    def test_current_is_not_seen_by_other_threads(self, here, there):  # R6.1, R6.3
        pkg2.set_default_queue(here)
        seen = []
        with pkg2.current(there):
            thread = threading.Thread(target=lambda: seen.append(pkg2.get_queue()))
            thread.start()
            thread.join()
        assert seen == [here]

    def test_copy_to_without_a_queue_goes_to_the_package_s_queue(self, here, there):  # R2.5
        x = cl.ones(3, queue=here)
        with cl.device_context(here), pkg2.current(there):
            assert pkg2.copy_to(x).queue == there
            assert x.copy_to().queue == here
            assert pkg2.copy_to(x, here).queue == here

    def test_copy_to_always_copies(self, here):  # R2.5
        with pkg2.current(here):
            x = pkg2.allocate(3, 1.0)
            y = pkg2.copy_to(x)
            y[0] = 5.0
        assert x.tolist() == [1.0, 1.0, 1.0]

    def test_arrays_that_are_elsewhere_are_refused_until_they_are_copied(self, here, there):  # R4.4
        with pkg2.current(here):
            a, b = pkg2.allocate((2, 2), 2.0), pkg2.allocate((2, 2), 3.0)
        with pkg2.current(there):
            with pytest.raises(cl.ExecutionPlacementError, match=r"x = knob2_package_queue\.copy_to\(x\)"):
                pkg2.dot(a, b)
            assert pkg2.dot(pkg2.copy_to(a), pkg2.copy_to(b)).queue == there

    def test_does_not_affect_colocate_or_the_other_packages(self, here, there):  # R6.3
        pkg3.set_default_queue(here)
        with cl.device_context(here), pkg2.current(there):
            assert cl.get_current_queue() == here
            assert pkg3.allocate(3).queue == here
            assert pkg4.allocate(3).queue == here

    def test_a_selector_that_fits_nothing_changes_nothing(self, here):  # R1.5
        pkg2.set_default_queue(here)
        with pytest.raises(cl.DeviceNotFoundError):
            pkg2.set_default_queue("native:cpu:99")
        with pytest.raises(cl.DeviceNotFoundError):
            pkg2.current("nowhere")
        assert pkg2.get_queue() == here

    def test_moves_work_to_a_second_device(self):  # R6.3
        run_with_two_devices(
            """
            pkg2.set_default_queue("native:cpu:1")
            a = pkg2.allocate((2, 2), 2.0)
            assert pkg2.dot(a, a).queue == one
            with pkg2.current("native:cpu:0"):
                copy = pkg2.copy_to(a)
                assert pkg2.compute(copy, copy).queue == zero
                assert pkg2.compute(copy, copy).tolist() == [[4.0, 4.0], [4.0, 4.0]]
            """
        )


class TestKnob3ComputeFollowsData:
    def test_its_queue_is_for_allocations_only(self, here, there):  # R3.1, R6.3
        with pkg3.current(here):
            a = pkg3.allocate((2, 2), 2.0)
        pkg3.set_default_queue(there)
        assert pkg3.allocate(1).queue == there
        assert pkg3.dot(a, a).queue == here

    def test_no_context_changes_where_it_computes(self, here, there):  # R3.1
        a = cl.ones((2, 2), queue=here)
        with cl.device_context(there), pkg3.current(there):
            assert pkg3.dot(a, a).queue == here

    def test_a_refusal_speaks_of_its_parameters_and_the_fix_works(self, here, there):  # R3.1
        a, b = cl.ones((2, 2), queue=here), cl.ones((2, 2), queue=there)
        with pytest.raises(cl.ExecutionPlacementError) as refusal:
            pkg3.dot(a, b)
        assert "b = colocate.asarray(b, queue=a.queue)" in str(refusal.value)
        b = cl.asarray(b, queue=a.queue)
        assert pkg3.dot(a, b).queue == here

    def test_a_refusal_leaves_no_array_behind(self, here, there):  # R3.1
        a, b = cl.ones((2, 2), queue=here), cl.ones((2, 2), queue=there)
        before = cl.memory_stats()["allocations"]
        with pytest.raises(cl.ExecutionPlacementError):
            pkg3.dot(a, b)
        assert cl.memory_stats()["allocations"] == before

    def test_scalars_have_no_place_and_follow_the_arrays(self, here):  # R3.4
        result = pkg3.compute(cl.ones(2, queue=here), 2.5)
        assert result.queue == here
        assert result.tolist() == [3.5, 3.5]

    def test_takes_arrays_of_any_other_package(self, here):
        with pkg2.current(here):
            a = pkg2.allocate(3, 1.0)
        assert pkg3.compute(a).queue == here
        assert pkg3.compute(a, pkg1.allocate(here, 3, 2.0)).tolist() == [3.0, 3.0, 3.0]

    def test_works_on_each_device_where_its_data_is_and_refuses_to_mix_them(self):  # R3.1
        run_with_two_devices(
            """
            with pkg3.current("native:cpu:1"):
                a = pkg3.allocate((2, 2), 2.0)
            assert a.queue == one and pkg3.dot(a, a).queue == one
            moved = a.copy_to("native:cpu:0")
            assert pkg3.dot(moved, moved).queue == zero
            try:
                pkg3.dot(a, moved)
            except cl.ExecutionPlacementError as error:
                assert "native:cpu:0" in str(error) and "native:cpu:1" in str(error)
            else:
                raise AssertionError("arrays of two devices were mixed")
            assert pkg3.dot(a, moved.collocate(a)).queue == one
            """
        )


class TestKnob4GlobalManager:
    def test_allocates_and_computes_on_the_current_queue(self, here):  # R6.2
        with cl.device_context(here):
            a = pkg4.allocate((2, 2), 2.0)
            assert a.queue == here
            assert pkg4.dot(a, a).queue == here

    def test_follows_the_global_queue_and_a_context_before_it(self, here, there):  # R6.1, R6.2
        cl.set_global_queue(here)
        assert pkg4.allocate(3).queue == here
        with cl.device_context(there):
            assert pkg4.allocate(3).queue == there
        assert pkg4.allocate(3).queue == here

    def test_arrays_that_are_elsewhere_are_refused_until_they_are_copied(self, here, there):  # R4.4
        with cl.device_context(here):
            a = pkg4.allocate((2, 2), 2.0)
        with cl.device_context(there):
            with pytest.raises(cl.ExecutionPlacementError, match=r"x = x\.copy_to\(\)"):
                pkg4.compute(a)
            assert pkg4.compute(a.copy_to()).queue == there

    def test_one_choice_moves_everything_to_a_second_device(self):  # R6.1
        run_with_two_devices(
            """
            cl.set_global_queue("native:cpu:1")
            a = pkg4.allocate((2, 2), 2.0)
            assert pkg4.dot(a, a).queue == one
            with cl.device_context("native:cpu:0"):
                assert pkg4.compute(a.copy_to()).queue == zero
            """
        )
