"""What the jit benchmark runs: the programs with their arguments, and how each compiler takes them."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, SimpleNamespace

import jit_programs as p
import numpy as np


@dataclass(frozen=True)
class Program:
    """A program in its two ways, and what it runs on; ``numba_loops`` where Numba needs other loops."""

    name: str
    arguments: Callable
    arrays: Callable | None = None
    loops: Callable | None = None
    numba_loops: Callable | None = None
    rtol: float = 1e-9


def random(*shapes):
    """Arguments of numbers between 0 and 1."""
    return lambda rng: [rng.random(shape) for shape in shapes]


def option_arguments(rng):
    n = 1_000_000
    return [rng.uniform(10, 50, n), rng.uniform(10, 50, n), rng.uniform(0.5, 2, n), 0.03, 0.2]


def two_grids(*shape):
    def make(rng):
        a = rng.random(shape)
        return [a, a.copy(), 10]

    return make


PROGRAMS = [
    Program("Black-Scholes, 1e6 f64", option_arguments, p.black_scholes_arrays, p.black_scholes_loops),
    Program("pairwise distances, 1000 x 8 f64", random((1000, 8), (1000, 8)), p.pairwise_arrays, p.pairwise_loops),
    Program("k-means step, 1e5 x 4, 8 centres", random((100_000, 4), (8, 4)), p.k_means_arrays, p.k_means_loops),
    Program("jacobi-2d, 1000 f64, 10 steps", two_grids(1000, 1000), p.jacobi_arrays, p.jacobi_loops),
    Program("heat-3d, 100 f64, 10 steps", two_grids(100, 100, 100), p.heat_arrays, p.heat_loops),
    Program("n-body, 2000 f64", random(2000, 2000, 2000, 2000), p.n_body_arrays, p.n_body_loops, rtol=1e-6),
    Program(
        "mandelbrot, 400 x 500, 100 turns",
        lambda rng: [np.linspace(-2, 0.5, 500), np.linspace(-1.25, 1.25, 400), 100],
        p.mandelbrot_arrays,
        p.mandelbrot_loops,
        rtol=1e-2,
    ),
    Program("softmax, 2000 x 500 f64", random((2000, 500)), p.softmax_arrays, p.softmax_loops),
    Program("conv2d, 800 x 800 by 5 x 5 f64", random((800, 800), (5, 5)), p.convolution_arrays, p.convolution_loops),
    Program(
        "histogram, 1e7 of 256 bins",
        lambda rng: [rng.integers(0, p.BINS, 10_000_000)],
        p.histogram_arrays,
        p.histogram_loops,
        p.histogram_in_parts,
    ),
    Program("Monte-Carlo pi, 2e6", lambda rng: [2_000_000], p.pi_arrays, p.pi_loops, rtol=1e-2),
    Program("matrix chain, 500 f64", random(*[(500, 500)] * 4), p.chain_arrays),
    Program(
        "reductions with conditions, 5e6 f64", random(5_000_000, 5_000_000), p.conditions_arrays, p.conditions_loops
    ),
    Program("stencil with boundary, 2000 f64", random((2000, 2000)), p.boundary_arrays, p.boundary_loops),
    Program("prefix sums, 5e6 f64", random(5_000_000, 5_000_000), p.prefix_arrays, p.prefix_loops),
    Program("scalar loop, 1e7 steps", lambda rng: [10_000_000], None, p.scalar_loops),
]


def compiled(compile_, **replaced):
    """The programs compiled, with other things under some of their global names."""
    space = vars(p) | replaced
    # `prange` is a function, too, but not one of the programs.
    own = {name: value for name, value in vars(p).items() if getattr(value, "__module__", None) == p.__name__}
    for name, function in own.items():
        space[name] = compile_(FunctionType(function.__code__, space, name, function.__defaults__))
    return SimpleNamespace(**{name: space[name] for name in own})


def for_numba(**options):
    """The programs as Numba compiles them, in parallel."""
    import numba

    warnings.simplefilter("ignore", numba.NumbaPerformanceWarning)
    return compiled(numba.njit(parallel=True, **options), prange=numba.prange)
