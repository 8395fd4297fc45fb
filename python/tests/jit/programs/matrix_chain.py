"""A product of matrices in the order that needs the fewest multiplications."""

import numpy as np


def cheapest(sizes):
    n = len(sizes) - 1
    cost = np.zeros((n, n))
    for length in range(1, n):
        for i in range(n - length):
            j = i + length
            cost[i, j] = np.inf
            for k in range(i, j):
                price = cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                if price < cost[i, j]:
                    cost[i, j] = price
    return cost[0, n - 1]


def program(a, b, c, d):
    sizes = (a.shape[0], a.shape[1], b.shape[1], c.shape[1], d.shape[1])
    return cheapest(sizes), a @ (b @ (c @ d)), np.trace(a @ b)


def arguments():
    generator = np.random.default_rng(18)
    return generator.random((5, 12)), generator.random((12, 5)), generator.random((5, 9)), generator.random((9, 2))
