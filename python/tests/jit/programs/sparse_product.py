"""A sparse matrix in compressed rows, times a vector; and its largest eigenvalue by iteration."""

import numpy as np

import colocate as cl


def product(starts, columns, values, x):
    y = np.zeros(len(starts) - 1)
    for i in cl.prange(len(y)):
        t = 0.0
        for k in range(starts[i], starts[i + 1]):
            t += values[k] * x[columns[k]]
        y[i] = t
    return y


def program(starts, columns, values, turns):
    x = np.ones(len(starts) - 1)
    largest = 0.0
    for _ in range(turns):
        y = product(starts, columns, values, x)
        largest = np.linalg.norm(y)
        x = y / largest
    return largest, x


def arguments():
    generator = np.random.default_rng(28)
    dense = np.where(generator.random((30, 30)) < 0.2, generator.random((30, 30)), 0) + np.eye(30)
    starts = np.concatenate(([0], np.cumsum((dense != 0).sum(axis=1))))
    return starts, np.nonzero(dense)[1].astype(np.int32), dense[dense != 0], 15
