"""Distances between all pairs of points, by whole arrays and by loops."""

import numpy as np

import colocate as cl


def program(a, b):
    squares = np.sum(a * a, axis=1)[:, None] + np.sum(b * b, axis=1)[None, :] - 2 * a @ b.T
    by_arrays = np.sqrt(np.maximum(squares, 0))
    by_loops = np.zeros((len(a), len(b)))
    for i in cl.prange(len(a)):
        for j in range(len(b)):
            t = 0.0
            for k in range(a.shape[1]):
                t += (a[i, k] - b[j, k]) ** 2
            by_loops[i, j] = np.sqrt(t)
    return by_loops, np.max(np.abs(by_arrays - by_loops)) < 1e-9


def arguments():
    generator = np.random.default_rng(24)
    return generator.random((30, 4)), generator.random((20, 4))
