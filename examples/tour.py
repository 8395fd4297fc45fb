"""A tour of colocate in a few seconds: where arrays live, how they move, and what decides where to compute.

Every line after ``>>>`` is run as it is shown. It works with the native device alone; where the SYCL packages are
installed, the second place is a SYCL device.
"""

import os
import shutil
import sys
import textwrap
import time

import numpy as np

import colocate as cl

COLOURS = sys.stdout.isatty() and "NO_COLOR" not in os.environ
BOLD, DIM, RED, CYAN = "1", "2", "31", "36"
WIDTH = min(shutil.get_terminal_size((100, 24)).columns, 100)

# Out of order, so that it is another place even where there is one device only: queues with other properties are not
# equivalent (R1.4).
SECOND_PLACE = 'cl.Queue("opencl:cpu,native:cpu:1,native:cpu:0", in_order=False)'

names = {"cl": cl, "np": np}


def styled(text, code):
    return f"\033[{code}m{text}\033[0m" if COLOURS else text


def heading(title, sentence):
    print(f"\n{styled(title, BOLD)}")
    note(sentence)


def note(text):
    print(textwrap.fill(text, WIDTH, initial_indent="  ", subsequent_indent="  "))


def indented(text):
    for line in text.splitlines():
        words = line.lstrip()
        indent = " " * (6 + len(line) - len(words))
        # A line too long for the terminal goes on further to the right than it began.
        print(textwrap.fill(words, WIDTH, initial_indent=indent, subsequent_indent=indent + "  "))


def run(source):
    """Shows a line, runs it, and shows its value as the interactive interpreter does."""
    print(f"  {styled('>>>', DIM)} {styled(source, CYAN)}")
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
        indented(styled(f"{type(error).__name__}:", RED) + f" {error}")
    else:
        raise SystemExit(f"the tour is wrong: {source} was not refused")


def table(rows):
    widths = [max(len(str(cell)) for cell in column) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        line = "  ".join(str(cell).ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        print(f"  {styled(line, DIM) if number == 0 else line}")


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
    note("Arrays have no arithmetic yet: NumPy adds on the host, and the sum goes to that queue.")
    run("cl.asarray(cl.asnumpy(x) + cl.asnumpy(y), queue=q)")


def show_device_context():
    heading("A default for a block of code", "New arrays go to the innermost context. Other threads do not notice.")
    run("with cl.device_context(there): w = cl.ones(3)")
    run("w.queue == there, cl.get_current_queue() == there")


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
        show_memory,
    ):
        chapter()
    heading("Where next", f"That took {time.perf_counter() - start:.1f} s.")
    print(
        f"  {styled('colocate doctor', CYAN)}                what this machine has, what is missing, and how to get it"
    )
    print(f"  {styled('examples/packages_together.py', CYAN)}  how packages let their users choose the place")


if __name__ == "__main__":
    main()
