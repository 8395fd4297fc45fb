"""A program for Numba, not a line of it changed: inside a device context its functions run on that device (R5.8).

Outside of contexts Numba compiles and runs them as ever. Where Numba is not installed there is nothing to show.
"""

import functools

import numpy as np
from transcript import BOLD, heading, indented, note, prompt, refusal, styled

import colocate as cl

try:
    import numba
except ImportError:
    numba = None

X = np.linspace(0, 1, 1000)

if numba is not None:

    @numba.jit
    def hypotenuse(x, y):
        return np.sqrt(x * x + y * y)

    @numba.njit
    def longest(x, y):
        # A function of Numba's that calls another: both are ours inside a context.
        return np.max(hypotenuse(x, y))

    @numba.njit(parallel=True)
    def count_above(x, limit):
        found = 0
        for i in numba.prange(x.size):
            if x[i] > limit:
                found += 1
        return found

    @numba.jit(parallel=False)
    def hypotenuse_serially(x, y):
        return np.sqrt(x * x + y * y)


def offloading_jit(selector):
    """A decorator for those who do not want to write contexts: without one around the call, it opens one itself."""

    def decorate(function):
        compiled = numba.jit(function)

        @functools.wraps(function)
        def call(*args, **kwargs):
            if cl.is_in_device_context():
                return compiled(*args, **kwargs)
            with cl.device_context(selector):
                return compiled(*args, **kwargs)

        call.compiled = compiled
        return call

    return decorate


gpujit = offloading_jit("gpu,cpu")


def compiled_by(function):
    return "Numba" if function.overloads else "colocate alone"


def show_context(devices):
    heading("Nothing is changed", "The functions are numba.jit's; who compiles them depends on where they are called.")
    for device in devices:
        prompt(f'with cl.device_context("{device}"): longest(x, x), count_above(x, 0.75)')
        with cl.device_context(device):
            indented(f"{float(longest(X, X)):.6f}, {int(count_above(X, 0.75))}, compiled by {compiled_by(longest)}")
    prompt("longest(x, x)")
    indented(f"{longest(X, X):.6f}, compiled by {compiled_by(longest)}, too")


def show_decorator():
    heading(
        "A decorator of one's own", "It opens a context unless there is one; the program's functions stay as they are."
    )

    @gpujit
    def scaled(x, factor):
        return factor * x

    prompt("scaled(x, 2.0)")
    indented(f"sum {float(np.sum(scaled(X, 2.0))):.3f}, compiled by {compiled_by(scaled.compiled)}")
    with cl.device_context("native:cpu"):
        prompt('with cl.device_context("native:cpu"): scaled(x, 2.0)')
        indented(f"sum {float(np.sum(scaled(X, 2.0))):.3f}: the context that is there counts")


def show_conflict(device):
    heading("A function that says parallel=False", "It is refused in a context, unless the context decides (R5.4).")
    prompt(f'with cl.device_context("{device}"): hypotenuse_serially(x, x)')
    try:
        with cl.device_context(device):
            hypotenuse_serially(X, X)
    except cl.ParallelConflictError as error:
        refusal(error)
    else:
        raise SystemExit("the example is wrong: the conflict was not seen")
    prompt(f'with cl.device_context("{device}", on_serial="offload"): hypotenuse_serially(x, x)')
    with cl.device_context(device, on_serial="offload"):
        if not np.allclose(hypotenuse_serially(X, X), np.sqrt(2 * X * X)):
            raise SystemExit("the example is wrong: the result is not NumPy's")
        indented("the same as NumPy's")


def main():
    devices = cl.devices()
    print(styled(f"Programs for Numba on {', '.join(map(str, devices))}", BOLD))
    if numba is None:
        note("Numba is not installed.")
        return
    show_context(devices)
    show_decorator()
    show_conflict(devices[0])


if __name__ == "__main__":
    main()
