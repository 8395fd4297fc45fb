"""The programs of the kernel benchmark that are natural as array expressions, in JAX."""

from types import SimpleNamespace

import jax
import jax.numpy as jnp
from jax.scipy.special import erf

BINS = 256

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")


def add(a, b):
    return a + b


def saxpy(factor, x, y):
    return factor * x + y


def black_scholes(price, strike, years, rate, volatility):
    spread = years * volatility * volatility * 2
    middle = jnp.log(price / strike) + rate * years
    scale = 1 / jnp.sqrt(spread)
    first = 0.5 + 0.5 * erf((middle + 0.25 * spread) * scale)
    second = 0.5 + 0.5 * erf((middle - 0.25 * spread) * scale)
    paid = jnp.exp(-rate * years) * strike
    value = price * first - paid * second
    return value, value - price + paid


def matmul(a, b):
    return a @ b


def histogram(values):
    return jnp.bincount(values, length=BINS)


def stencil(a):
    sides = a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:]
    return jnp.zeros_like(a).at[1:-1, 1:-1].set(0.5 * a[1:-1, 1:-1] + 0.125 * sides)


def mandelbrot(shape, limit):
    y0 = (-1.25 + 2.5 * jnp.arange(shape[0]) / shape[0])[:, None]
    x0 = (-2.0 + 2.5 * jnp.arange(shape[1]) / shape[1])[None, :]

    def step(_, state):
        x, y, steps = state
        inside = x * x + y * y <= 4.0
        moved_x, moved_y = x * x - y * y + x0, 2.0 * x * y + y0
        return jnp.where(inside, moved_x, x), jnp.where(inside, moved_y, y), steps + inside

    start = jnp.zeros(shape), jnp.zeros(shape), jnp.zeros(shape, jnp.int32)
    return jax.lax.fori_loop(0, limit, step, start)[2]


PROGRAMS = (add, saxpy, black_scholes, matmul, histogram, stencil)


def compiled():
    """All programs, to be compiled at their first call; the shape of the last one is a constant."""
    ready = {one.__name__: jax.jit(one) for one in PROGRAMS}
    return SimpleNamespace(**ready, mandelbrot=jax.jit(mandelbrot, static_argnums=(0, 1)))
