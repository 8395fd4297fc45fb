"""A tour of colocate in a few seconds: where arrays live, how they move, what decides where to compute, and kernels.

Every line after ``>>>`` is run as it is shown. It works with the native device alone; where the SYCL packages are
installed, the second place is a SYCL device.
"""

import sys
import time

import numpy as np
from transcript import BOLD, CYAN, heading, indented, listing, note, prompt, refusal, styled, table

import colocate as cl

# Out of order, so that it is another place even where there is one device only: queues with other properties are not
# equivalent (R1.4).
SECOND_PLACE = 'cl.Queue("opencl:cpu,native:cpu:1,native:cpu:0", in_order=False)'


@cl.kernel
def smooth(a, b):
    i = cl.get_global_id(0)
    left, right = max(i - 1, 0), min(i + 1, a.size - 1)
    b[i] = (a[left] + a[i] + a[right]) / 3


@cl.kernel
def smooth_with_mistakes(a, b):
    i = cl.get_global_id(0)
    b[i] = np.hypott(a[i - 1], a[i, 1]) / a.length


names = {"cl": cl, "np": np, "smooth": smooth, "smooth_with_mistakes": smooth_with_mistakes}


def run(source):
    """Shows a line, runs it, and shows its value as the interactive interpreter does."""
    prompt(source)
    shown, sys.displayhook = sys.displayhook, lambda value: value is None or indented(repr(value))
    try:
        exec(compile(source + "\n", "<tour>", "single"), names)
    finally:
        sys.displayhook = shown


def run_refused(source):
    """Runs a line that colocate must refuse, and shows the error's own words."""
    try:
        run(source)
    except cl.Error as error:
        refusal(error)
    else:
        raise SystemExit(f"the tour is wrong: {source} was not refused")


def host_reads(x):
    try:
        np.asarray(x)
    except cl.HostAccessError:
        return "by a copy, asnumpy(x)"
    return "in place"


def show_devices():
    heading("Devices", "What can compute here. A selector names one: backend:type:index, each part optional.")
    rows = [("selector", "name", "units", "memory", "float64")]
    for device in cl.devices():
        memory = f"{device.global_mem_size / 2**30:.0f} GiB"
        float64 = "yes" if device.has_aspect("fp64") else "no"
        rows.append((device.selector, device.name, device.max_compute_units, memory, float64))
    table(rows)


def show_arrays():
    heading("An array knows its place", "It carries the queue it lives on, and with it the device and the context.")
    run('here = cl.Device("native:cpu").default_queue')
    run("x = cl.asarray(np.arange(4.0), queue=here)")
    run("x.device, x.usm_type")


def show_moves():
    heading("Data moves when you say so", "copy_to always copies; collocate and asarray copy only if they must.")
    run(f"there = {SECOND_PLACE}")
    run("y = x.copy_to(there)")
    run("y")
    run("y.collocate(x).device")


def show_numpy():
    heading("NumPy looks at the same memory", "What the host can reach becomes a view at no cost, whatever its size.")
    run('s = cl.zeros(4, queue=there, usm_type="shared")')
    run("view = np.asarray(s)")
    run("view[0] = 42")
    run("s[0], view.ctypes.data == s.__sycl_usm_array_interface__['data'][0]")


def show_usm_types():
    heading("Three kinds of memory", "How the host reads each. Device memory is never copied behind your back.")
    places = {array.device: array.queue for array in (names["x"], names["y"])}
    rows = [("usm_type", *(device.selector for device in places))]
    for usm_type in ("device", "shared", "host"):
        arrays = [cl.zeros(1, queue=queue, usm_type=usm_type) for queue in places.values()]
        rows.append((usm_type, *map(host_reads, arrays)))
    table(rows)


def show_placement():
    heading("Compute goes where the data is", "Arrays that live in two places are not mixed, and nothing is guessed.")
    run_refused("cl.get_execution_queue(x, y)")
    note("The message holds the fix:")
    run("y = cl.asarray(y, queue=x.queue)")
    run("q = cl.get_execution_queue(x, y)")
    note("Arrays have no operators yet, only kernels: NumPy adds on the host, and the sum goes to that queue.")
    run("cl.asarray(cl.asnumpy(x) + cl.asnumpy(y), queue=q)")


def show_device_context():
    heading("A default for a block of code", "New arrays go to the innermost context. Other threads do not notice.")
    run("with cl.device_context(there): w = cl.ones(3)")
    run("w.queue == there, cl.get_current_queue() == there")


def show_kernels():
    heading("Kernels", "A kernel computes one element. Its launch runs it for all, on the queue of the arrays.")
    listing(smooth)
    run("wave = np.sin(np.arange(1000.0)).astype(np.float32)")
    note("Each device compiles it for itself at the first launch, unless an earlier process has:")
    rows = [("device", "first launch", "second launch", "b[1]")]
    for device in cl.devices():
        names["a"], names["b"] = a, b = cl.asarray(names["wave"], device=device), cl.empty(1000, "f4", device=device)
        times = [milliseconds_of_launch(a, b) for _ in range(2)]
        rows.append((device, *times, f"{float(b[1]):.6f}"))
    table(rows)
    note("NumPy arrays need a context that says where, and are written when the launch returns:")
    run("result = np.empty_like(wave)")
    run('with cl.device_context("native:cpu"): smooth(wave, result)')
    run("result[1]")


def milliseconds_of_launch(a, b):
    start = time.perf_counter()
    smooth(a, b).wait()
    return f"{(time.perf_counter() - start) * 1e3:.2f} ms"


def show_compile_errors():
    heading("What the compiler says", "All mistakes of a kernel at once, in your own source.")
    run_refused("smooth_with_mistakes(a, b)")


def show_memory():
    heading("Nothing is hidden", "memory_stats counts what is held, and freed memory that is kept for the next array.")
    run("big = cl.ones((1024, 1024), queue=there)")
    run("cl.memory_stats(there.device)['in_use']")
    run("del big")
    run("{key: cl.memory_stats(there.device)[key] for key in ('in_use', 'cached', 'peak')}")


def main():
    start = time.perf_counter()
    print(styled(f"colocate {cl.__version__}: compute goes where the data is", BOLD))
    for chapter in (
        show_devices,
        show_arrays,
        show_moves,
        show_numpy,
        show_usm_types,
        show_placement,
        show_device_context,
        show_kernels,
        show_compile_errors,
        show_memory,
    ):
        chapter()
    heading("Where next", f"That took {time.perf_counter() - start:.1f} s.")
    for what, why in (
        ("colocate doctor", "what this machine has, what is missing, and how to get it"),
        ("examples/kernels.py", "kernels, from the first launch to the machine code"),
        ("examples/kernel_placement.py", "which arrays may meet in a launch"),
        ("examples/packages_together.py", "how packages let their users choose the place"),
    ):
        print(f"  {styled(what.ljust(31), CYAN)}{why}")


if __name__ == "__main__":
    main()
