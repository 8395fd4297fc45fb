"""Prints the seconds that the first call of a vector addition takes in this process.

    python first_call.py colocate SELECTOR | numba | numba-cached | jax

What comes before does not count: the imports, the search for devices, and the arrays.
"""

import sys
import time

N = 1000


def colocate_call(selector):
    import numpy as np
    from colocate_kernels import add

    import colocate

    a, b, c = (colocate.asarray(np.ones(N, "f4"), device=selector) for _ in range(3))
    a.wait()
    kernel = colocate.kernel(add)
    return lambda: kernel[N](a, b, c).wait()


def numba_call(cache):
    import numba
    import numpy as np
    from numba_loops import add

    a, b, c = (np.ones(N, "f4") for _ in range(3))
    function = numba.njit(parallel=True, cache=cache)(add)
    return lambda: function(a, b, c)


def jax_call():
    import jax
    import jax.numpy as jnp
    from jax_functions import add

    a, b = (jax.block_until_ready(jnp.ones(N, "f4")) for _ in range(2))
    function = jax.jit(add)
    return lambda: function(a, b).block_until_ready()


def main():
    """Prepares what the arguments ask for, and times it."""
    match sys.argv[1:]:
        case ["colocate", selector]:
            call = colocate_call(selector)
        case ["numba"]:
            call = numba_call(cache=False)
        case ["numba-cached"]:
            call = numba_call(cache=True)
        case ["jax"]:
            call = jax_call()
    start = time.perf_counter()
    call()
    print(time.perf_counter() - start)


if __name__ == "__main__":
    main()
