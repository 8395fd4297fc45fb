"""A class for each point: that of most of its nearest neighbours."""

import numpy as np

import colocate as cl


def program(known, classes, unknown, k, kinds):
    out = np.empty(len(unknown), np.int64)
    for i in cl.prange(len(unknown)):
        nearest = np.full(k, np.inf)
        votes = np.zeros(k, np.int64)
        for j in range(len(known)):
            d = 0.0
            for axis in range(known.shape[1]):
                d += (known[j, axis] - unknown[i, axis]) ** 2
            place = k
            while place > 0 and d < nearest[place - 1]:
                place -= 1
            if place < k:
                for p in range(k - 1, place, -1):
                    nearest[p] = nearest[p - 1]
                    votes[p] = votes[p - 1]
                nearest[place] = d
                votes[place] = classes[j]
        most, best = 0, 0
        for kind in range(kinds):
            count = 0
            for p in range(k):
                if votes[p] == kind:
                    count += 1
            if count > most:
                most, best = count, kind
        out[i] = best
    return out


def arguments():
    generator = np.random.default_rng(22)
    return generator.random((60, 2)), generator.integers(0, 3, 60), generator.random((25, 2)), 5, 3
