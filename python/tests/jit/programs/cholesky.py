"""The Cholesky decomposition by loops, in place in the lower triangle."""

import numpy as np


def program(a):
    n = a.shape[0]
    for j in range(n):
        for k in range(j):
            a[j, j] -= a[j, k] * a[j, k]
        if a[j, j] <= 0:
            raise ValueError("not positive definite")
        a[j, j] = np.sqrt(a[j, j])
        for i in range(j + 1, n):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
    for i in range(n):
        a[i, i + 1 :] = 0
    return a


def arguments():
    b = np.random.default_rng(3).random((12, 12))
    return (b @ b.T + 12 * np.eye(12),)
