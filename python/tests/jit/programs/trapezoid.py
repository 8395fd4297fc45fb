"""An integral by the trapezoid rule, refined until two results agree."""

import math

import colocate as cl


def curve(x):
    return math.exp(-x * x) * math.cos(3 * x)


def area(a, b, n):
    h = (b - a) / n
    total = 0.5 * (curve(a) + curve(b))
    for i in cl.prange(1, n):
        total += curve(a + i * h)
    return total * h


def program(a, b, tolerance):
    n = 8
    before = area(a, b, n)
    while True:
        n *= 2
        now = area(a, b, n)
        if abs(now - before) < tolerance:
            return now, n
        before = now


def arguments():
    return -1.0, 2.0, 1e-7
