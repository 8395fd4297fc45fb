"""A fast Fourier transform by loops: bits reversed, then butterflies, in place."""

import cmath

import numpy as np


def program(x):
    n = len(x)
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j |= bit
        if i < j:
            x[i], x[j] = x[j], x[i]
    length = 2
    while length <= n:
        root = cmath.exp(-2j * cmath.pi / length)
        for start in range(0, n, length):
            w = 1 + 0j
            for k in range(length // 2):
                even = x[start + k]
                odd = x[start + k + length // 2] * w
                x[start + k] = even + odd
                x[start + k + length // 2] = even - odd
                w *= root
        length *= 2
    return x


def arguments():
    generator = np.random.default_rng(7)
    return (generator.random(64) + 1j * generator.random(64),)
