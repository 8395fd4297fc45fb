"""Kernels from the first launch to the machine code, each shown, run on every device and checked with NumPy.

A kernel is a Python function that computes one element; a launch runs it for every place of an index space.
"""

import math
import time

import numpy as np
from transcript import BOLD, CYAN, heading, listing, note, prompt, refusal, styled, table, verbatim

import colocate as cl

DEVICES = cl.devices()
RANDOM = np.random.default_rng(2024)
TILE = 8
BINS = 16


@cl.kernel
def add_vectors(a, b, total):
    i = cl.get_global_id(0)
    total[i] = a[i] + b[i]


@cl.kernel
def write_places(out):
    row, column = cl.get_global_id(0), cl.get_global_id(1)
    out[row, column] = 10 * row + column


@cl.kernel
def write_groups(out):
    i = cl.get_global_id(0)
    out[i] = 10 * cl.get_group_id(0) + cl.get_local_id(0)


@cl.kernel
def multiply(a, b, c):
    row, column = cl.get_global_id(0), cl.get_global_id(1)
    acc = 0.0
    for k in range(a.shape[1]):
        acc += a[row, k] * b[k, column]
    c[row, column] = acc


@cl.kernel
def multiply_tiled(a, b, c):
    row, column = cl.get_global_id(0), cl.get_global_id(1)
    y, x = cl.get_local_id(0), cl.get_local_id(1)
    tile_a = cl.local_array((TILE, TILE), a.dtype)
    tile_b = cl.local_array((TILE, TILE), b.dtype)
    acc = 0.0
    for start in range(0, a.shape[1], TILE):
        tile_a[y, x] = a[row, start + x]
        tile_b[y, x] = b[start + y, column]
        cl.barrier()
        for k in range(TILE):
            acc += tile_a[y, k] * tile_b[k, x]
        cl.barrier()
    c[row, column] = acc


@cl.kernel
def sum_by_halving(values, sums):
    local, size = cl.get_local_id(0), cl.get_local_size(0)
    part = cl.local_array(256, values.dtype)
    part[local] = values[cl.get_global_id(0)]
    while size > 1:
        cl.barrier()
        size //= 2
        if local < size:
            part[local] += part[local + size]
    if local == 0:
        sums[cl.get_group_id(0)] = part[0]


@cl.kernel
def sum_by_group(values, sums):
    total = cl.group.sum(values[cl.get_global_id(0)])
    if cl.get_local_id(0) == 0:
        sums[cl.get_group_id(0)] = total


@cl.kernel
def count_values(values, counts):
    cl.atomic.add(counts, int(values[cl.get_global_id(0)] * BINS), 1)


@cl.device_func
def turns_until_far(x, y, limit):
    re = im = 0.0
    for turn in range(limit):
        re, im = re * re - im * im + x, 2.0 * re * im + y
        if re * re + im * im > 4.0:
            return turn
    return limit


@cl.kernel
def draw(picture, limit):
    row, column = cl.get_global_id(0), cl.get_global_id(1)
    height, width = picture.shape
    picture[row, column] = turns_until_far(3.0 * column / width - 2.2, 2.4 * row / height - 1.2, limit)


@cl.kernel
def median_of_five(signal, smooth):
    i = cl.get_global_id(0)
    window = cl.private_array(5, signal.dtype)
    for k in range(5):
        value = signal[min(max(i + k - 2, 0), signal.size - 1)]
        place = k
        while place > 0 and window[place - 1] > value:
            window[place] = window[place - 1]
            place -= 1
        window[place] = value
    smooth[i] = window[2]


@cl.kernel
def damp(a, turns):
    i = cl.get_global_id(0)
    for _ in range(turns):
        a[i] = a[i] * 0.5


@cl.kernel
def shift_left(a, b):
    i = cl.get_global_id(0)
    b[i] = a[i + 1]


def verdict(ours, numpys):
    return "as NumPy" if np.allclose(ours, numpys, rtol=1e-4) else "NOT as NumPy"


def milliseconds(event):
    """How long a kernel ran; its queue must have kept the time."""
    event.wait()
    return f"{(event.profiling_end - event.profiling_start) / 1e6:.2f} ms"


def show_first_kernel():
    heading("One item, one element", "Where an item stands is all that tells it apart. The launch follows the arrays.")
    listing(add_vectors)
    prompt("event = add_vectors(a, b, total)")
    a, b = RANDOM.random((2, 1000), dtype=np.float32)
    rows = [("device", "first launch", "second launch", "result")]
    for device in DEVICES:
        x, y, total = cl.asarray(a, device=device), cl.asarray(b, device=device), cl.empty(1000, a.dtype, device=device)
        times = []
        for _ in range(2):
            start = time.perf_counter()
            add_vectors(x, y, total).wait()
            times.append(f"{(time.perf_counter() - start) * 1e3:.2f} ms")
        rows.append((device, *times, verdict(cl.asnumpy(total), a + b)))
    table(rows)
    note("The first launch compiles, or finds what an earlier process compiled.")


def show_index_spaces():
    heading("Index spaces", "One to three axes. Without brackets, the shape of the first array.")
    listing(write_places)
    for device in DEVICES:
        whole, part = cl.zeros((3, 4), "int64", device=device), cl.zeros((3, 4), "int64", device=device)
        write_places(whole)
        write_places[2, 3](part)
        titles = (f"write_places(out), {device}", "write_places[2, 3](out)")
        table([titles, *zip(whole.tolist(), part.tolist(), strict=True)])
    note("A local size makes groups of items that can work together:")
    listing(write_groups)
    for device in DEVICES:
        out = cl.zeros(6, "int64", device=device)
        write_groups[cl.NdRange(6, 3)](out)
        table([(f"write_groups[cl.NdRange(6, 3)](out), {device}",), (out.tolist(),)])


def show_matrix_products():
    heading("Two matrix products", "The second one reads each element once a group, into memory that the group shares.")
    listing(multiply, multiply_tiled)
    a, b = RANDOM.random((2, 128, 128), dtype=np.float32)
    rows = [("device", "multiply[n, m]", "multiply_tiled[(n, m), (8, 8)]", "results")]
    for device in DEVICES:
        queue = cl.Queue(device, enable_profiling=True)
        x, y = cl.asarray(a, queue=queue), cl.asarray(b, queue=queue)
        plain, tiled = cl.zeros(a.shape, a.dtype, queue=queue), cl.zeros(a.shape, a.dtype, queue=queue)
        times = [milliseconds(multiply[a.shape](x, y, plain))]
        times.append(milliseconds(multiply_tiled[a.shape, (TILE, TILE)](x, y, tiled)))
        verdicts = {verdict(cl.asnumpy(c), a @ b) for c in (plain, tiled)}
        rows.append((device, *times, ", ".join(verdicts)))
    table(rows)


def show_reductions():
    heading("A group adds up", "By hand, in local memory, and by the function that does it.")
    listing(sum_by_halving, sum_by_group)
    values = RANDOM.random(4096, dtype=np.float32)
    rows = [("device", "by halving", "by group.sum", "NumPy")]
    for device in DEVICES:
        x = cl.asarray(values, device=device)
        totals = []
        for kernel in (sum_by_halving, sum_by_group):
            sums = cl.zeros(16, values.dtype, device=device)
            kernel[cl.NdRange(4096, 256)](x, sums)
            totals.append(cl.asnumpy(sums).sum())
        rows.append((device, *(f"{total:.2f}" for total in (*totals, values.sum()))))
    table(rows)


def show_atomics():
    heading("Many items, one element", "Atomic operations let no item's change get lost: a histogram.")
    listing(count_values)
    values = RANDOM.normal(0.5, 0.13, 20_000).clip(0.0, 0.999).astype(np.float32)
    expected = np.bincount((values * BINS).astype(int), minlength=BINS)
    for device in DEVICES:
        counts = cl.zeros(BINS, "int32", device=device)
        count_values(cl.asarray(values, device=device), counts)
        print(f"  {device!s:14}{bars(cl.asnumpy(counts))}  {verdict(cl.asnumpy(counts), expected)}")


def bars(counts):
    return "".join(" .:-=+*#%@"[math.ceil(9 * count / max(counts))] for count in counts)


def show_device_functions():
    heading("Functions that kernels call", "A device function is compiled into the kernel, and is still plain Python.")
    listing(turns_until_far, draw)
    height, width, limit = 16, 64, 40
    pictures = []
    for device in DEVICES:
        picture = cl.zeros((height, width), "int32", device=device)
        draw(picture, limit)
        pictures.append(cl.asnumpy(picture))
    verbatim("\n".join("".join(" .,:;*%@"[min(turns // 2, 7)] for turns in row) for row in pictures[0]))
    by_python = turns_until_far(3.0 * 40 / width - 2.2, 2.4 * 5 / height - 1.2, limit)
    alike = all(np.array_equal(picture, pictures[0]) for picture in pictures)
    note(f"Drawn by {', '.join(map(str, DEVICES))}, {'all alike' if alike else 'NOT all alike'}.")
    note(f"The element [5, 40] is {pictures[0][5, 40]}; turns_until_far called by Python itself says {by_python}.")


def show_private_arrays():
    heading("An array of each item's own", "A median filter sorts five neighbours in a private array.")
    listing(median_of_five)
    signal = np.sin(np.linspace(0, 6, 60))
    signal[[7, 20, 33, 46]] += 3.0
    padded = np.pad(signal, 2, mode="edge")
    expected = np.median(np.lib.stride_tricks.sliding_window_view(padded, 5), axis=1)
    rows = [("device", "largest before", "largest after", "result")]
    for device in DEVICES:
        x, smooth = cl.asarray(signal, device=device), cl.zeros(60, device=device)
        median_of_five(x, smooth)
        result = cl.asnumpy(smooth)
        rows.append((device, f"{signal.max():.2f}", f"{result.max():.2f}", verdict(result, expected)))
    table(rows)


def show_numpy_arguments():
    heading("NumPy arrays", "In a device context kernels take them, too, and are done when the launch returns.")
    prompt("with cl.offload_to_device(device): add_vectors(a, b, total)")
    a, b = RANDOM.random((2, 1000))
    rows = [("device", "result")]
    for device in DEVICES:
        total = np.empty(1000)
        with cl.offload_to_device(device):
            add_vectors(a, b, total)
        rows.append((device, verdict(total, a + b)))
    table(rows)
    note("examples/kernel_placement.py shows what else may be mixed, and what may not.")


def show_events():
    heading("A launch does not wait", "It returns an event. Later launches can be told to come after it.")
    listing(damp)
    prompt("first = damp(x, 2000)")
    prompt("second = damp(y, 1, depends=[first])")
    rows = [("device", "after the launch", "after second.wait()", "first took")]
    for device in DEVICES:
        queue = cl.Queue(device, in_order=False, enable_profiling=True)
        x, y = cl.ones(50_000, "float32", queue=queue), cl.ones(8, "float32", queue=queue)
        first = damp(x, 2000)
        second = damp(y, 1, depends=[first])
        before = first.status
        second.wait()
        rows.append((device, f"first is {before}", f"first is {first.status}", milliseconds(first)))
    table(rows)


def show_stages():
    heading("What the compiler makes of it", "The types that were inferred, and every stage down to machine code.")
    a = np.ones(2, np.float32)
    prompt('print(add_vectors.inspect(a, b, total, stage="hir"))')
    verbatim(add_vectors.inspect(a, a, a, stage="hir").partition("\n")[2].rstrip())
    rows = [("stage", "lines", "what it is")]
    for stage, meaning in (
        ("hir", "the source, with types"),
        ("ir", "the kernel in the compiler's own language"),
        ("core", "the same, as the code generators take it"),
        ("llvm", "for the CPU"),
        ("asm", "its machine code"),
        ("spirv", "for SYCL devices"),
        ("cuda", "for NVIDIA GPUs, which have no backend yet"),
    ):
        rows.append((stage, len(add_vectors.inspect(a, a, a, stage=stage).splitlines()), meaning))
    table(rows)
    prompt("add_vectors.signatures")
    verbatim("\n".join(add_vectors.signatures))


def show_bounds_checks():
    heading("Bounds checks", "Kernels check no index, unless they are asked to while a program is being written.")
    prompt("cl.config.debug = True")
    prompt("shift_left(a, b)")
    cl.config.debug = True
    for device in DEVICES:
        try:
            shift_left(cl.ones(8, device=device), cl.zeros(8, device=device))
        except cl.KernelBoundsError as error:
            refusal(error)
    cl.config.debug = False


def main():
    start = time.perf_counter()
    print(styled(f"Kernels on {', '.join(map(str, DEVICES))}", BOLD))
    for chapter in (
        show_first_kernel,
        show_index_spaces,
        show_matrix_products,
        show_reductions,
        show_atomics,
        show_device_functions,
        show_private_arrays,
        show_numpy_arguments,
        show_events,
        show_stages,
        show_bounds_checks,
    ):
        chapter()
    heading("Where next", f"That took {time.perf_counter() - start:.1f} s.")
    print(f"  {styled('docs/kernels.md', CYAN)}               the whole language, launches and settings")
    print(f"  {styled('examples/kernel_placement.py', CYAN)}  which arrays may meet in a launch")


if __name__ == "__main__":
    main()
