"""Prints the seconds that the first call of a program of the jit benchmark takes in this process.

    python jit_first_call.py colocate | numba | numba-cached | jax  NUMBER  arrays | loops

What comes before does not count: the imports, the search for devices, and the arrays.
"""

import sys
import time

import jit_cases
import numpy as np


def shrunk(argument):
    """The first few elements: the call is to show what compiling costs."""
    if isinstance(argument, np.ndarray):
        return np.ascontiguousarray(argument[tuple(slice(0, 50) for _ in argument.shape)])
    return min(argument, 50) if isinstance(argument, int) else argument


def main():
    """Prepares what the arguments ask for, and times it."""
    who, number, way = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    program = jit_cases.PROGRAMS[number]
    arguments = [shrunk(one) for one in program.arguments(np.random.default_rng(1))]
    function = getattr(program, way)
    if who == "colocate":
        import colocate

        colocate.devices()
        call = colocate.jit(function)
    elif who == "jax":
        import jax
        import jit_jax

        arguments = [jax.numpy.asarray(one) if isinstance(one, np.ndarray) else one for one in arguments]
        compiled = getattr(jit_jax.compiled(), function.__name__.rsplit("_", 1)[0])

        def call(*arguments):
            return jax.block_until_ready(compiled(*arguments))

    else:
        if way == "loops" and program.numba_loops:
            function = program.numba_loops
        call = getattr(jit_cases.for_numba(cache=who == "numba-cached"), function.__name__)
    start = time.perf_counter()
    call(*arguments)
    print(time.perf_counter() - start)


if __name__ == "__main__":
    main()
