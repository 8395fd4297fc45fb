"""One function, any device: its parallel parts run on the host, where its arrays live, or where a context says.

Numbers such as R5.2 are those of docs/RULES.md. The byte counts tell what was copied between host and device; devices
that reach the host's memory need no copies. COLOCATE_NATIVE_DISCRETE=1 makes native devices such that they do.
"""

import numpy as np
from transcript import BOLD, heading, indented, listing, note, prompt, refusal, styled

import colocate as cl

N = 1000
X, Y = np.linspace(0, 1, N), np.ones(N)


@cl.jit
def combine(x, y):
    return np.sqrt(x * x + y * y)


@cl.jit(parallel=False)
def combine_serially(x, y):
    return np.sqrt(x * x + y * y)


@cl.jit
def serial_before(x):
    # Each element needs the one before, so this stays on the host.
    for i in range(1, x.size):
        x[i] += 0.5 * x[i - 1]


@cl.jit
def serial_between(y):
    for i in range(1, y.size):
        y[i] = 0.5 * (y[i] + y[i - 1])


@cl.jit
def with_host_work_between(x, y):
    a = 0.5
    serial_before(x)
    z = a * x + y
    serial_between(z)
    return np.sum(z)


@cl.jit
def with_a_print_between(x, y):
    a = 0.5
    serial_before(x)
    z = a * x + y
    print("nothing of the device is needed here")
    return np.sum(z)


def same(result, expected):
    """Says that both are the same; the example is wrong if they are not."""
    if not np.allclose(result, expected):
        raise SystemExit(f"the example is wrong: {result} in place of {expected}")
    return "the same as NumPy's"


def moved_by(function, *args):
    """What a call gives, and the bytes that it copies to and from the device."""
    before = cl.memory_stats()
    result = function(*args)
    after = cl.memory_stats()
    return result, *(after[way] - before[way] for way in ("host_to_device", "device_to_host"))


def show_places(devices):
    heading("The context chooses", "The function says nothing of devices (R5.3). Each kind is compiled for once.")
    listing(combine)
    expected = np.sqrt(X * X + Y * Y)
    prompt("combine(x, y)")
    indented(f"on the host, {same(combine(X, Y), expected)}")
    for device in devices:
        prompt(f'with cl.device_context("{device}"): combine(x, y)')
        with cl.device_context(device):
            indented(f"on {device}, {same(combine(X, Y), expected)}")
    heading("So do arrays", "Given device arrays it runs on their queue, and its results stay there (R5.1).")
    for device in devices:
        result = combine(cl.asarray(X, device=device), cl.asarray(Y, device=device))
        indented(f"{type(result).__name__} on {result.device}, {same(cl.asnumpy(result), expected)}")


def show_conflict(device):
    heading(
        "Two instructions that disagree", "parallel=False asks for serial code, a context for parallel code (R5.4)."
    )
    prompt(f'with cl.device_context("{device}"): combine_serially(x, y)')
    try:
        with cl.device_context(device):
            combine_serially(X, Y)
    except cl.ParallelConflictError as error:
        refusal(error)
    else:
        raise SystemExit("the example is wrong: the conflict was not seen")
    note("The context can say what is meant:")
    for decision in ("offload", "host", "single_task"):
        prompt(f'with cl.device_context("{device}", on_serial="{decision}"): combine_serially(x, y)')
        with cl.device_context(device, on_serial=decision):
            indented(same(combine_serially(X, Y), combine.py_func(X, Y)))


def show_movement(devices):
    heading("What moves", "Data is copied when its next use is on the other side, and not before (R5.7).")
    listing(with_host_work_between, with_a_print_between)
    z = X.copy()
    serial_before.py_func(z)
    z = 0.5 * z + Y
    without = np.sum(z)
    serial_between.py_func(z)
    for function, expected in ((with_host_work_between, np.sum(z)), (with_a_print_between, without)):
        for device in devices:
            prompt(f'with cl.device_context("{device}"): {function.__name__}(x, y)')
            with cl.device_context(device, cost_model=False):
                total, there, back = moved_by(function, X.copy(), Y)
            indented(f"{there} bytes to the device, {back} back; {same(total, expected)}")


def main():
    devices = cl.devices()
    print(styled(f"Automatic offload to {', '.join(map(str, devices))}", BOLD))
    show_places(devices)
    show_conflict(devices[0])
    show_movement(devices)


if __name__ == "__main__":
    main()
