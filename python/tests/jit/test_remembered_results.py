"""Functions that remember what they gave: `functools.cache` and `lru_cache`."""

import functools

import numpy as np
import pytest

import colocate as cl


@functools.lru_cache
def fibonacci(k):
    if k < 2:
        return k
    return fibonacci(k - 1) + fibonacci(k - 2)


@functools.cache
def ways(i, j):
    if i == 0 or j == 0:
        return 1
    return ways(i - 1, j) + ways(i, j - 1)


def sum_of_fibonacci(n):
    total = 0
    for i in range(n):
        total += fibonacci(i)
    return total


def all_ways(n):
    return ways(n, n)


@pytest.mark.parametrize(("function", "n"), [(sum_of_fibonacci, 80), (all_ways, 17)])
def test_functions_outside_are_computed_once_for_each_argument(run_both, function, n):
    run_both(function, n)


def edits(a, b):
    @functools.cache
    def distance(i, j):
        if i >= len(a):
            return len(b) - j
        if j >= len(b):
            return len(a) - i
        differs = int(a[i] != b[j])
        return min(1 + distance(i + 1, j), 1 + distance(i, j + 1), differs + distance(i + 1, j + 1))

    return distance(0, 0)


def best_cut(prices, n):
    @functools.lru_cache(maxsize=None)
    def best(n):
        if n == 0:
            return 0
        most = -1
        for i in range(1, n + 1):
            most = max(most, prices[i - 1] + best(n - i))
        return most

    return best(n)


def pairs(n):
    @functools.lru_cache(None)
    def pair(n, flag=True):
        if n == 0:
            return (1, 2.5)
        n -= 1
        a, b = pair(n, False)
        c, d = pair(n)
        return (a + c, b + d)

    return pair(n)


PRICES = [1, 5, 8, 9, 10, 17, 17, 20, 24, 30] * 4


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (edits, ("zooicoarchaeologist", "zoologistoarchaeo")),
        (best_cut, (PRICES, 40)),
        (best_cut, (np.array(PRICES) / 2, 40)),
        (pairs, (40,)),
    ],
)
def test_functions_inside_are_computed_once_for_each_argument(run_both, function, arguments):
    run_both(function, *arguments)


def test_jit_stands_above_a_cache():
    @cl.jit
    @functools.lru_cache(maxsize=None)
    def steps(n):
        return 1 if n < 3 else steps(n - 1) + steps(n - 2) + steps(n - 3)

    @cl.jit(fastmath=True)
    @functools.cache
    def twice(x):
        return 2 * x

    # Without a memory it would not end.
    a, b, c = 1, 1, 1
    for _ in range(58):
        a, b, c = b, c, a + b + c
    assert steps(60) == c
    assert twice(1.5) == 3.0


def test_a_cache_under_jit_is_the_compiled_functions():
    @cl.jit
    @functools.lru_cache(maxsize=2)
    def made(n):
        return [n, n + 1]

    assert made(1) is made(1)
    assert made(1) == [1, 2]
    assert (made.cache_info().hits, made.cache_info().maxsize) == (2, 2)
    made.cache_clear()
    with pytest.raises(TypeError, match="unhashable"):
        made(np.ones(2))
