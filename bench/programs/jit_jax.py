"""The programs of the jit benchmark in JAX: the same array expressions, and its own way where arrays are written."""

from types import SimpleNamespace

import jax
import jax.numpy as jnp
import jit_cases
from jax import lax
from jit_programs import BINS

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

# What is the same source with JAX's functions in place of NumPy's.
SAME = ("black_scholes", "pairwise", "n_body", "softmax", "chain", "boundary", "prefix")


def k_means(points, centres):
    squares = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    nearest = jnp.argmin(squares, axis=1)
    sums = jax.ops.segment_sum(points, nearest, centres.shape[0])
    counts = jnp.bincount(nearest, length=centres.shape[0])
    return sums / jnp.maximum(counts, 1)[:, None]


def jacobi(a, b, steps):
    def relax(a, b):
        inner = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        return b.at[1:-1, 1:-1].set(inner)

    def step(_, pair):
        a, b = pair
        b = relax(a, b)
        return relax(b, a), b

    return lax.fori_loop(0, steps, step, (a, b))[0]


def heat(a, b, steps):
    def step(_, pair):
        a, b = pair
        centre = a[1:-1, 1:-1, 1:-1]
        inner = (
            0.125 * (a[2:, 1:-1, 1:-1] - 2.0 * centre + a[:-2, 1:-1, 1:-1])
            + 0.125 * (a[1:-1, 2:, 1:-1] - 2.0 * centre + a[1:-1, :-2, 1:-1])
            + 0.125 * (a[1:-1, 1:-1, 2:] - 2.0 * centre + a[1:-1, 1:-1, :-2])
            + centre
        )
        return b.at[1:-1, 1:-1, 1:-1].set(inner), a

    return lax.fori_loop(0, steps, step, (a, b))[0]


def mandelbrot(xs, ys, limit):
    x0, y0 = xs[None, :], ys[:, None]

    def step(_, state):
        x, y, turns = state
        inside = x * x + y * y <= 4.0
        return jnp.where(inside, x * x - y * y + x0, x), jnp.where(inside, 2 * x * y + y0, y), turns + inside

    zeros = jnp.zeros((len(ys), len(xs)))
    return lax.fori_loop(0, limit, step, (zeros, zeros, zeros.astype(int)))[2]


def convolution(picture, kernel):
    return lax.conv(picture[None, None], kernel[None, None], (1, 1), "VALID")[0, 0]


def histogram(values):
    return jnp.bincount(values, length=BINS)


def pi(key, n):
    x, y = jax.random.uniform(key, (2, n))
    return 4.0 * jnp.sum(x * x + y * y < 1.0) / n


def conditions(a, b):
    large = jnp.sum(jnp.where(a > 0.5, a, 0.0))
    return large, jnp.sum(jnp.where(a > b, a - b, 0.0)), jnp.sum((a > 0.2) & (b < 0.8)), jnp.max(a * b)


def scalar(n):
    def step(i, state):
        total, x = state
        return total + i * i % 7, 0.999 * x + 1e-6 * i

    return lax.fori_loop(0, n, step, (jnp.int64(0), jnp.float64(0.5)))


def compiled():
    """The programs by the first part of their names."""
    same = jit_cases.compiled(lambda function: function, np=jnp)
    programs = {name: getattr(same, f"{name}_arrays") for name in SAME}
    own = {one.__name__: one for one in (k_means, jacobi, heat, mandelbrot, convolution, histogram, conditions, scalar)}
    key = jax.random.key(7)
    ready = {name: jax.jit(function) for name, function in (programs | own).items()}
    sized = jax.jit(pi, static_argnums=1)
    return SimpleNamespace(pi=lambda n: sized(key, n), **ready)
