"""Arrays in memory that host and device share: NumPy works on them, and so does a device, without a copy (R8.1).

The byte counts are of copies between host and device, of which there are none here, also where native devices are made
to behave like discrete ones (COLOCATE_NATIVE_DISCRETE=1).
"""

import numpy as np
from transcript import BOLD, heading, indented, listing, note, prompt, styled

import colocate as cl
from colocate import dparray

N = 100


@cl.jit
def sine_in_place(a):
    a[:] = np.sin(a)


@cl.jit
def sine_and_more(a):
    a[:] = np.sin(a)
    return a + 2


@cl.jit
def sine_into(a, b):
    a[:] = np.sin(a)
    b[:] = a + 2


@cl.jit
def sine_and_host_work(a, b):
    a[:] = np.sin(a)
    b[:] = a + 2
    # Each turn needs the one before: this runs on the host, in the same memory.
    for i in range(1, b.size):
        b[i] = 0.5 * (b[i] + b[i - 1])


def copied_by(function, *args):
    """What a call gives, and the bytes that were copied for it, both ways."""
    ways = ("host_to_device", "device_to_host")
    before = cl.memory_stats()
    result = function(*args)
    after = cl.memory_stats()
    return result, sum(after[way] - before[way] for way in ways)


def same(shared, plain):
    """Says that all arrays are the same; the example is wrong if they are not."""
    for one, other in zip(shared, plain, strict=True):
        if not np.allclose(one, other):
            raise SystemExit(f"the example is wrong: {one} in place of {other}")
    return "the same as NumPy's"


def show(function, count, device):
    """Calls a function outside and inside a context, on shared arrays and on NumPy's, and compares."""
    shared = [dparray.ones(N, device=device) for _ in range(count)]
    plain = [np.ones(N) for _ in range(count)]
    names = "ab"[:count]
    function(*shared)
    function.py_func(*plain)
    prompt(f"{function.__name__}({', '.join(names)})")
    indented(f"on the host, {same(shared, plain)}")
    with cl.device_context(device, cost_model=False):
        result, copied = copied_by(function, *shared)
    expected = function.py_func(*plain)
    prompt(f'with cl.device_context("{device}"): {function.__name__}({", ".join(names)})')
    indented(f"on {device}, {copied} bytes copied, {same(shared, plain)}")
    if result is not None:
        indented(f"gives a {type(result).__name__} of {result.usm_type} memory, {same([result], [expected])}")


def main():
    devices = cl.devices()
    print(styled(f"Arrays shared with {', '.join(map(str, devices))}", BOLD))
    note("dparray.ones and its like make DPArrays: NumPy arrays, in USM shared memory.")
    a = dparray.ones(3, device=devices[0])
    prompt("a = dparray.ones(3)")
    prompt("np.sin(a) + a[::-1]")
    indented(repr(np.sin(a) + a[::-1]))
    chapters = (
        ("One array, changed in place", "The memory stays reachable on both sides.", sine_in_place, 1),
        ("One that comes back", "Results of functions of DPArrays are DPArrays.", sine_and_more, 1),
        ("Two arguments", "Both stay where they are.", sine_into, 2),
        (
            "Host work behind device work",
            "The loop runs on the host, and nothing is moved for it.",
            sine_and_host_work,
            2,
        ),
    )
    for title, sentence, function, count in chapters:
        heading(title, sentence)
        listing(function)
        for device in devices:
            show(function, count, device)


if __name__ == "__main__":
    main()
