"""Variables that inner functions change, where such a function calls itself or is returned."""

import pytest

import colocate as cl


def counted(n):
    count = 0

    def walk(k):
        nonlocal count
        count += 1
        if k > 0:
            walk(k - 1)
            walk(k - 2)

    walk(n)
    return count


def searched(n):
    total, best = 0.0, -1
    total = 0.0
    best = -1

    def search(i, value):
        nonlocal total, best
        if i == n:
            total += value
            if value > best:
                best = value
            return
        search(i + 1, value + i)
        search(i + 1, value * 2)

    search(0, 1)
    return best


def remembered(n):
    hits = 0
    known = {}

    def fib(k):
        nonlocal hits
        if k in known:
            hits += 1
            return known[k]
        result = k if k < 2 else fib(k - 1) + fib(k - 2)
        known[k] = result
        return result

    return fib(n), hits


def counter(start):
    def increase(by):
        nonlocal start
        start += by
        return start

    def read():
        return start

    return increase, read


def counters(n):
    first, value = counter(0)
    second, _ = counter(10.0)
    for i in range(n):
        first(i)
        second(1.5)
    return value(), first(0), second(0.0)


def renamed(n):
    x = n

    def grow():
        nonlocal x
        x += 1
        return x

    def doubled():
        return x * 2

    again = grow
    again()
    grow()
    return doubled(), x


def hidden(n):
    x = n

    def grow(k):
        nonlocal x
        x += k
        return grow(k - 1) if k > 0 else x

    return grow(3), [x for x in range(2)], x


@pytest.mark.parametrize("function", [counted, remembered, counters, renamed], ids=lambda one: one.__name__)
def test_they_are_shared(run_both, function):
    run_both(function, 6)


@pytest.mark.parametrize("function", [searched, hidden], ids=lambda one: one.__name__)
def test_what_cannot_be_held_so_is_refused_or_right(function):
    try:
        result = cl.jit(function)(5)
    except cl.CompileError:
        return
    assert result == function(5)
