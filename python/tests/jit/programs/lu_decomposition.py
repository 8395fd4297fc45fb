"""An LU decomposition with row pivots, and a system solved with it."""

import numpy as np


def decompose(a):
    n = len(a)
    order = np.arange(n)
    for k in range(n - 1):
        pivot = k + np.argmax(np.abs(a[k:, k]))
        if pivot != k:
            row = a[k].copy()
            a[k] = a[pivot]
            a[pivot] = row
            order[k], order[pivot] = order[pivot], order[k]
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return order


def program(a, b):
    order = decompose(a)
    x = b[order]
    n = len(x)
    for i in range(n):
        for j in range(i):
            x[i] -= a[i, j] * x[j]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            x[i] -= a[i, j] * x[j]
        x[i] /= a[i, i]
    return x


RTOL = 1e-8


def arguments():
    generator = np.random.default_rng(17)
    return generator.random((12, 12)) + np.eye(12), generator.random(12)
