"""``colocate.profile``: what it records, and what it makes of it."""

import asyncio
import inspect
import itertools
import json
import re
import threading
from pathlib import Path

import numpy as np
import pytest

import colocate as cl

HERE = __file__


def of(p, category):
    """The records of a category."""
    return [event for event in p.events if event.category == category]


def line_of(text):
    """The line of this file that has a mark."""
    with open(HERE, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if f"# {text}" in line)


def fresh_kernel(constant):
    """A kernel that nobody has compiled: its code has the constant in it."""

    @cl.kernel
    def scaled(a):
        i = cl.get_global_id(0)
        a[i] = a[i] * constant

    return scaled


class TestKernels:
    def test_a_kernel_has_its_name_size_place_and_line(self, device):
        x = cl.ones(1000, device=device)
        with cl.profile() as p:
            y = x * 3  # mark: multiplied
        (kernel,) = of(p, "kernel")
        assert (kernel.name, kernel.items, kernel.device) == ("multiply", 1000, str(device))
        assert kernel.queue.startswith("queue #")
        assert (kernel.file, kernel.line) == (HERE, line_of("mark: multiplied"))
        assert y.tolist() == [3.0] * 1000

    def test_kernels_are_timed_where_they_run(self, device):
        x = cl.ones(1_000_000, device=device)
        with cl.profile() as p:
            for _ in range(20):
                x = x + 1
            x.queue.wait()
        kernels = of(p, "kernel")
        assert len(kernels) == 20
        assert {kernel.timing for kernel in kernels} == {"device"}
        for earlier, later in itertools.pairwise(kernels):
            assert 0 <= earlier.submitted <= earlier.start < earlier.end <= later.start
        assert kernels[-1].end <= p.to_dict()["duration"]

    def test_the_work_of_an_out_of_order_queue_is_at_least_seen(self, device):
        queue = cl.Queue(device, in_order=False)
        x = cl.ones(1000, queue=queue)
        with cl.profile() as p:
            x += 1
        (kernel,) = of(p, "kernel")
        assert kernel.timing == ("device" if device.backend == "native" else "seen")
        assert kernel.submitted <= kernel.start < kernel.end

    def test_a_queue_that_keeps_times_anyway_is_timed(self, device):
        x = cl.ones(1000, queue=cl.Queue(device, enable_profiling=True))
        with cl.profile() as p:
            x += 1
        assert of(p, "kernel")[0].timing == "device"

    def test_host_algorithms_are_work_of_the_queue(self):
        x = cl.asarray(np.arange(1000.0)[::-1], device="native:cpu")
        with cl.profile() as p:
            cl.sort(x)
        assert [task.name for task in of(p, "host task")] == ["sort"]

    def test_explicit_kernels_belong_to_the_line_that_launches_them(self, device):
        kernel = fresh_kernel(2.0)
        x = cl.ones(10, device=device)
        with cl.profile() as p:
            kernel(x)  # mark: launched
        assert of(p, "kernel")[0].line == line_of("mark: launched")

    def test_the_end_of_the_block_waits_for_its_work(self, device):
        x = cl.ones(1_000_000, device=device)
        with cl.profile() as p:
            for _ in range(10):
                x = x * 1.5
        assert x.queue.submit_barrier() is not None
        assert all(kernel.end > kernel.start for kernel in of(p, "kernel"))


class TestCopies:
    def test_copies_have_direction_bytes_reason_and_line(self, device):
        with cl.profile() as p:
            x = cl.asarray(np.arange(100.0), device=device)  # mark: up
            x.item(3)  # mark: down
        up, *_, down = of(p, "copy")
        assert (up.name, up.bytes, up.line) == ("host to device", 800, line_of("mark: up"))
        assert up.why == "host data becomes an array"
        assert (down.name, down.bytes, down.line) == ("device to host", 8, line_of("mark: down"))
        assert down.why == "the host wants the elements"

    def test_the_sums_are_those_of_the_counters(self, device):
        keys = ("host_to_device", "device_to_host", "device_to_device")
        before = cl.memory_stats()
        with cl.profile() as p:
            x = cl.asarray(np.arange(1000.0), device=device)
            y = x.copy()
            cl.asnumpy(y)
            y.tolist()
        after = cl.memory_stats()
        moved = p.to_dict()["summary"]["bytes_moved"]
        assert list(moved.values()) == [after[key] - before[key] for key in keys]
        assert moved["device to device"] == 8000

    def test_arguments_that_are_staged_are_named(self, run_python):
        # The kernel must have a source file, so the program is written to one.
        code = """
            import runpy, sys, tempfile, pathlib
            folder = pathlib.Path(tempfile.mkdtemp())
            (folder / "program.py").write_text('''
            import numpy as np, colocate as cl
            @cl.kernel
            def add_one(a, b):
                i = cl.get_global_id(0)
                b[i] = a[i] + 1
            a, b = np.ones(500), np.zeros(500)
            with cl.profile() as p, cl.device_context("native:cpu"):
                add_one(a, b)
            assert b.tolist() == [2.0] * 500
            for copy in p.to_dict()["copies"]:
                print(copy["direction"], copy["bytes"], copy["why"])
            '''.replace("\\n            ", "\\n"))
            runpy.run_path(str(folder / "program.py"))
        """
        out = run_python(code, COLOCATE_NATIVE_DISCRETE="1")
        # b is overwritten, so only a goes there, and only b comes back.
        assert sorted(out.splitlines()) == [
            "device to host 4000 'b' is written by add_one",
            "host to device 4000 'a' is an argument of add_one",
        ]


class TestCompiling:
    def test_the_stages_of_a_new_kernel_are_timed(self, device):
        x = cl.ones(10, device=device)
        kernel = fresh_kernel(float(np.random.default_rng().random()))
        with cl.profile() as p:
            kernel(x)
        (found,) = [one for one in p.to_dict()["compile"] if one["name"] == "scaled"]
        wanted = {"native": ["LLVM", "link"], "opencl": ["SPIR-V", "driver"]}[device.backend]
        stages = found["stages"]
        assert [stage for stage in stages if stage not in ("load", "store")] == ["front end", "IR passes", *wanted]
        assert all(took > 0 for took in stages.values())
        assert p.to_dict()["summary"]["compiled"] == 1
        assert found["total"] == sum(stages.values())

    def test_a_kernel_that_is_ready_is_not_compiled(self, device):
        x = cl.ones(10, device=device)
        kernel = fresh_kernel(3.0)
        kernel(x)
        with cl.profile() as p:
            kernel(x)
        assert not of(p, "compile")
        assert len(of(p, "kernel")) == 1

    def test_code_that_is_in_memory_is_found_there(self, device):
        x = cl.ones(10, device=device)
        constant = float(np.random.default_rng().random())
        fresh_kernel(constant)(x)
        with cl.profile() as p:
            fresh_kernel(constant)(x)
        assert p.to_dict()["summary"]["memory_hits"] == 1
        assert p.to_dict()["summary"]["compiled"] == 0

    def test_code_that_is_on_disk_is_found_there(self, run_python, tmp_path):
        code = """
            import colocate as cl
            x = cl.ones(10, device="native:cpu")
            with cl.profile() as p:
                x + x
            summary = p.to_dict()["summary"]
            print(summary["compiled"], summary["disk_hits"])
        """
        assert run_python(code, COLOCATE_CACHE_DIR=str(tmp_path)) == "1 0\n"
        assert run_python(code, COLOCATE_CACHE_DIR=str(tmp_path)) == "0 1\n"


class TestMemory:
    def test_what_is_taken_and_given_back_is_counted(self, device):
        with cl.profile() as p:
            x = cl.empty(1000, device=device)
            del x
            y = cl.empty(1000, device=device)
        memory = p.to_dict()["memory"]
        assert (memory["allocations"], memory["bytes"], memory["peak"], memory["left"]) == (2, 16000, 8000, 8000)
        assert [event.name for event in of(p, "allocation")] == ["device", "device"]
        assert of(p, "allocation")[1].why == "kept memory"
        assert y.shape == (1000,)


class TestBlocks:
    def test_only_what_happens_inside_is_recorded(self):
        x = cl.ones(10, device="native:cpu")
        x + x
        with cl.profile() as p:
            pass
        x + x
        assert p.events == []
        assert p.to_dict()["summary"]["kernels"] == 0

    def test_profiles_nest_and_overlap(self):
        x = cl.ones(10, device="native:cpu")
        with cl.profile() as outer:
            x + x
            with cl.profile() as inner:
                x * x
            x - x
        assert [event.name for event in of(inner, "kernel")] == ["multiply"]
        assert [event.name for event in of(outer, "kernel")] == ["add", "multiply", "subtract"]
        first, second = cl.profile(), cl.profile()
        first.__enter__()
        x + x
        second.__enter__()
        x * x
        first.__exit__(None, None, None)
        x - x
        second.__exit__(None, None, None)
        assert [event.name for event in of(first, "kernel")] == ["add", "multiply"]
        assert [event.name for event in of(second, "kernel")] == ["multiply", "subtract"]

    def test_other_threads_are_recorded_by_name(self):
        x = cl.ones(10, device="native:cpu")
        begin, end = threading.Barrier(2, timeout=20), threading.Barrier(2, timeout=20)

        def work():
            begin.wait()
            x.tolist()
            fresh_kernel(float(np.random.default_rng().random()))(x)
            end.wait()
            end.wait()

        thread = threading.Thread(target=work, name="worker")
        thread.start()
        with cl.profile() as p:
            begin.wait()
            end.wait()
        end.wait()
        thread.join()
        assert "worker" in [one["name"] for one in p.to_dict()["threads"]]
        assert [event.name for event in of(p, "kernel")] == ["scaled"]

    def test_many_threads_at_once_lose_nothing(self, device):
        x = cl.ones(100, device=device)

        def work():
            for _ in range(100):
                x + x

        with cl.profile() as p:
            threads = [threading.Thread(target=work) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert p.to_dict()["summary"]["kernels"] == 400

    def test_tasks_are_recorded(self):
        async def work(x):
            await asyncio.sleep(0)
            return x + x

        async def main():
            x = cl.ones(10, device="native:cpu")
            return await asyncio.gather(*(work(x) for _ in range(5)))

        with cl.profile() as p:
            asyncio.run(main())
        assert p.to_dict()["summary"]["kernels"] == 5

    def test_an_exception_leaves_the_block_and_the_profile_is_there(self):
        x = cl.ones(10, device="native:cpu")
        with pytest.raises(ZeroDivisionError), cl.profile() as p:
            x + x
            _ = 1 / 0
        assert p.to_dict()["summary"]["kernels"] == 1

    def test_a_profile_is_used_once_and_read_afterwards(self):
        p = cl.profile()
        with pytest.raises(cl.Error, match="has not begun"):
            p.table()
        assert repr(p) == "<colocate.profile, not begun>"
        with p:
            with pytest.raises(cl.Error, match="still runs"):
                p.to_dict()
            assert repr(p) == "<colocate.profile, running>"
        with pytest.raises(cl.Error, match="one block"), p:
            pass
        assert re.fullmatch(r"<colocate.profile of .*, 0 events>", repr(p))

    def test_a_forked_child_goes_on(self, run_python):
        code = """
            import os, colocate as cl
            x = cl.ones(1000, device="native:cpu")
            with cl.profile() as p:
                x + x
                child = os.fork()
                x * x
            names = [event.name for event in p.events if event.category == "kernel"]
            if child == 0:
                os._exit(0 if names == ["add", "multiply"] else 1)
            assert os.waitpid(child, 0)[1] == 0
            print(names)
        """
        assert run_python(code) == "['add', 'multiply']\n"


class TestOrder:
    def test_results_are_right_whenever_a_profile_comes_and_goes(self, device):
        queue = device.default_queue
        x = cl.zeros(100_000, dtype="int64", queue=queue)
        for step in range(30):
            if step % 3 == 0:
                with cl.profile():
                    x = x * 2 + 1
                    x = x - 1
            else:
                x = x + step
        expected = 0
        for step in range(30):
            expected = expected * 2 if step % 3 == 0 else expected + step
        assert cl.all(x == expected)

    def test_work_of_other_packages_keeps_its_place(self, sycl_device):
        dpnp = pytest.importorskip("dpnp")
        x = cl.ones(200_000, device=sycl_device)
        for _ in range(5):
            with cl.profile() as p:
                y = x * 3
                theirs = dpnp.asarray(y) + 1
                back = cl.asarray(theirs) * 2
            assert cl.all(back == 8)
            assert {kernel.timing for kernel in of(p, "kernel")} == {"device"}


LISTING = """
import numpy as np, colocate as cl

@cl.jit
def foo(x, y):
    a = 0.5
    y = a * x + y
    print("between")
    return np.sum(y)

x, y = np.arange(1000.0), np.ones(1000)
expected = foo(x, y)
with cl.profile() as p, cl.device_context("native:cpu"):
    assert foo(x, y) == expected
for event in p.events:
    if event.category in ("call", "region", "kernel", "copy"):
        print(event.category, event.name, event.line, event.bytes, event.why, sep="; ")
"""


class TestJit:
    @pytest.fixture
    def rows(self, run_python, tmp_path):
        """What happens in the block: category, name, line, bytes, why."""
        (tmp_path / "program.py").write_text(LISTING)

        def run(**variables):
            printed = run_python(f"import runpy; runpy.run_path({str(tmp_path / 'program.py')!r})", **variables)
            return [line.split("; ") for line in printed.splitlines() if "; " in line]

        return run

    def test_calls_and_regions_have_their_lines(self, rows):
        found = rows()
        assert [row[1:3] for row in found if row[0] == "call"] == [["foo", "14"]]
        regions = [row[2] for row in found if row[0] == "region"]
        assert regions and set(regions) <= {"7", "9"}
        # Kernels belong to the lines of their regions, not to the line of the call.
        assert [row[2] for row in found if row[0] == "kernel"] == regions
        assert not [row for row in found if row[0] == "copy"]

    def test_what_moves_says_why(self, rows):
        found = rows(COLOCATE_NATIVE_DISCRETE="1")
        up = [row for row in found if row[1] == "host to device" and row[3] == "8000"]
        assert len(up) == 2 and all("reads it" in row[4] for row in up)
        # Nothing comes back but the sum (R5.7).
        assert not [row for row in found if row[1] == "device to host" and int(row[3]) > 8]


class TestReports:
    @pytest.fixture
    def p(self):
        x = cl.asarray(np.arange(1000.0), device="native:cpu")
        with cl.profile() as p:
            for _ in range(3):
                y = x * 2 + 1
            z = cl.asnumpy(cl.sort(y).copy())
            cl.asarray(z, device="native:cpu")
            fresh_kernel(float(np.random.default_rng().random()))(x)
        return p

    def test_the_table_has_every_part(self, p):
        text = p.table()
        assert text == str(p)
        parts = ["time by kernel", "time by source line", "copies", "compiling", "longest gaps"]
        assert [part for part in parts if f"\n{part}" not in text] == []
        head = text.splitlines()[0]
        assert re.fullmatch(r"colocate profile: .* [mµn]?s, 8 kernels, \d cop(y|ies), 1 queue", head)
        row = next(line for line in text.splitlines() if line.strip().startswith("multiply"))
        assert re.search(r"native:cpu:0 +3 ", row)
        assert "y = x * 2 + 1" in text and "LLVM" in text
        assert max(map(len, text.splitlines())) < 200

    def test_the_dictionary_is_plain_data(self, p):
        data = json.loads(json.dumps(p.to_dict()))
        assert data == p.to_dict()
        assert data["summary"]["kernels"] == 8
        assert data["summary"]["busy"] + data["summary"]["gaps"] == data["duration"]
        assert sum(row["total"] for row in data["kernels"]) == data["summary"]["kernel_time"]
        gaps = [row["end"] - row["start"] for row in data["gaps"]]
        assert gaps == sorted(gaps, reverse=True) and sum(gaps) <= data["summary"]["gaps"]
        line = next(row for row in data["lines"] if "x * 2 + 1" in row["source"])
        assert (line["file"], line["calls"]) == (HERE, 6)
        assert len(data["events"]) == len(p.events)

    def test_gaps_tell_what_the_host_did_in_them(self, p):
        data = p.to_dict()
        compiling = [(row["end"] - row["start"], row["host"].get("compile", 0)) for row in data["gaps"]]
        assert all(within <= length for length, within in compiling)
        assert 0.9 * data["summary"]["compile_time"] < sum(within for _, within in compiling)

    def test_the_chrome_trace_is_one(self, p, tmp_path):
        p.save_chrome_trace(tmp_path / "trace.json")
        trace = json.loads((tmp_path / "trace.json").read_text())
        events = trace["traceEvents"]
        named = {(event["pid"], event["tid"]) for event in events if event["name"] == "thread_name"}
        spans = [event for event in events if event["ph"] == "X"]
        assert {(event["pid"], event["tid"]) for event in spans} <= named
        assert all(event["dur"] > 0 and event["ts"] >= 0 for event in spans)
        kernels = [event for event in spans if event["cat"] == "kernel"]
        assert len(kernels) == 7 and kernels[0]["args"]["line"].startswith(HERE)
        processes = {event["args"]["name"] for event in events if event["name"] == "process_name"}
        assert processes == {"host", "native:cpu:0"}
        memory = [event["args"]["bytes"] for event in events if event["ph"] == "C"]
        assert len(memory) > 5

    def test_the_page_stands_alone(self, p, tmp_path):
        p.save_html(tmp_path / "profile.html")
        page = (tmp_path / "profile.html").read_text(encoding="utf-8")
        assert "http://" not in page and "https://" not in page and "//cdn" not in page
        assert 'rel="stylesheet"' not in page and "src=" not in page
        notebook = p._repr_html_()
        assert notebook.startswith("<iframe") and "srcdoc=" in notebook

    def test_every_method_has_an_example(self):
        for name, method in inspect.getmembers(cl.profile):
            if not name.startswith("_"):
                assert ">>> " in inspect.getdoc(method), name


class TestCosts:
    def test_a_device_tells_what_it_costs(self, device):
        costs = device.costs()
        assert set(costs) == {
            "launch",
            "to_device_latency",
            "to_device_rate",
            "to_host_latency",
            "to_host_rate",
            "stream_rate",
            "operation_rate",
        }
        assert all(value > 0 for value in costs.values())
        assert costs["launch"] < 0.1 and costs["stream_rate"] > 1e7
        assert device.costs() == costs

    def test_the_doctor_shows_it(self, capsys):
        from colocate import _cli

        assert _cli.main(["doctor", "-v"]) == 0
        assert re.search(r"measured: a launch [\d.e+]+ µs; a copy there", capsys.readouterr().out)
        assert _cli.main(["doctor", "--json", "-v"]) == 0
        native = json.loads(capsys.readouterr().out)[0]
        assert native["costs"][0]["launch"] > 0


class TestPage:
    def test_the_program_of_the_guide_runs(self, run_python):
        guide = Path(HERE).parents[2] / "docs" / "profile.md"
        blocks = re.findall(r"```python\n(.*?)```", guide.read_text(encoding="utf-8"), re.DOTALL)
        printed = run_python("\n".join(blocks))
        assert printed.startswith("colocate profile: ") and "a launch takes" in printed

    def test_the_guide_knows_every_category_and_stage(self):
        guide = (Path(HERE).parents[2] / "docs" / "profile.md").read_text(encoding="utf-8")
        x = cl.ones(10, device="native:cpu")
        with cl.profile() as p:
            fresh_kernel(float(np.random.default_rng().random()))(x)
            fresh_kernel(2.5)(cl.asarray([1.0], device="native:cpu"))
            x.tolist()
            x.queue.wait()
        seen = {event.category for event in p.events} | {event.why for event in of(p, "compile")}
        assert len(seen) > 8
        assert [name for name in sorted(seen) if f"`{name}`" not in guide] == []


def test_what_the_host_does_for_a_queue_has_a_place(device):
    x = cl.ones((600, 600), device=device)
    with cl.profile() as p:
        x @ x
    products = [event for event in p.events if event.name == "matmul"]
    assert products and all(event.device in ("host", str(device.filter_string)) for event in products)
    assert "None" not in str(p)
