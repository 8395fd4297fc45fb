"""Orthonormal columns by the modified Gram-Schmidt method."""

import numpy as np


def program(a):
    n = a.shape[1]
    q = a.copy()
    r = np.zeros((n, n))
    for k in range(n):
        r[k, k] = np.sqrt(np.sum(q[:, k] ** 2))
        q[:, k] /= r[k, k]
        for j in range(k + 1, n):
            r[k, j] = np.dot(q[:, k], q[:, j])
            q[:, j] -= r[k, j] * q[:, k]
    return q, r


def arguments():
    return (np.random.default_rng(11).random((15, 8)) + np.eye(15, 8),)
