"""Functions that call themselves over a text, and those that hold functions of their own."""

import math
import time

import pytest

import colocate as cl


def run_length(s):
    return 0 if not s else 1 + run_length(s[1:])


def is_palindrome(s):
    return True if len(s) <= 1 else s[0] == s[-1] and is_palindrome(s[1:-1])


def distance(a, b):
    if not a or not b:
        return len(a) + len(b)
    if a[0] == b[0]:
        return distance(a[1:], b[1:])
    return 1 + min(distance(a[1:], b), distance(a, b[1:]), distance(a[1:], b[1:]))


def turned(n, way):
    if n == 0:
        return 0
    return turned(n - 1, "up" if way == "down" else "down") + (1 if way == "up" else 10)


class TestTexts:
    def test_a_text_may_become_shorter_with_each_call(self, run_both):
        run_both(run_length, "abcdef")
        run_both(is_palindrome, "abcdcba")
        run_both(is_palindrome, "abcdba")
        run_both(distance, "kitten", "sitting")

    def test_a_few_texts_are_known_while_compiling(self, run_both):
        run_both(turned, 5, "up")

    def test_long_texts_are_compiled_as_fast_as_short_ones(self):
        def timed(text):
            begun = time.perf_counter()
            assert cl.jit(run_length)(text) == len(text)
            return time.perf_counter() - begun

        timed("abcd")
        assert timed("abcdefghijklmnopqrstuvwxyz") < 20 * timed("abcdefg")


def with_one_inside(m):
    def down(u):
        def is_over():
            return u == 0

        if is_over():
            return 1
        return down(u - 1) + down(u - 1)

    return down(m)


def with_two_inside(m):
    def down(u):
        def is_over():
            return u == 0

        def next_one(v):
            return down(v) + 1

        if is_over():
            return 1
        return next_one(u - 1)

    return down(m)


def with_one_of_two_inside(m):
    def down(u):
        if u > 1:

            def more(t):
                return t + u

        else:

            def more(t):
                return t

        if u == 0:
            return 1
        return more(down(u - 1))

    return down(m)


def with_an_import_inside(m):
    def down(u):
        from math import gcd

        if u == 0:
            return 1
        return gcd(u, 6) + down(u - 1)

    return down(m) + math.gcd(m, 2)


@pytest.mark.parametrize("function", (with_one_inside, with_two_inside, with_one_of_two_inside, with_an_import_inside))
def test_an_inner_function_that_calls_itself_may_define_others(run_both, function):
    run_both(function, 4)
