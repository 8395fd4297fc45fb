"""Solves a symmetric positive definite system by conjugate gradients."""

import numpy as np


def program(a, b, tolerance):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rr = r @ r
    turns = 0
    while np.sqrt(rr) > tolerance and turns < 200:
        ap = a @ p
        alpha = rr / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        following = r @ r
        p = r + following / rr * p
        rr = following
        turns += 1
    return x


RTOL = 1e-6


def arguments():
    generator = np.random.default_rng(4)
    m = generator.random((30, 30))
    return m @ m.T + 30 * np.eye(30), generator.random(30), 1e-10
