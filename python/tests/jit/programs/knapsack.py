"""The most valuable things that one can carry, and which these are."""

import numpy as np


def program(weights, values, capacity):
    n = len(weights)
    best = np.zeros((n + 1, capacity + 1), dtype=np.int64)
    for i in range(1, n + 1):
        for c in range(capacity + 1):
            best[i, c] = best[i - 1, c]
            if weights[i - 1] <= c:
                best[i, c] = max(best[i, c], best[i - 1, c - weights[i - 1]] + values[i - 1])
    taken = np.zeros(n, np.bool_)
    c = capacity
    for i in range(n, 0, -1):
        if best[i, c] != best[i - 1, c]:
            taken[i - 1] = True
            c -= weights[i - 1]
    return best[n, capacity], taken


def arguments():
    generator = np.random.default_rng(16)
    return generator.integers(1, 15, 12), generator.integers(1, 50, 12), 40
