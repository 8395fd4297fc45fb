"""Points gathered around centres that move to the mean of what is nearest to them."""

import numpy as np

import colocate as cl


def program(points, centres, turns):
    n, k = points.shape[0], centres.shape[0]
    nearest = np.zeros(n, np.int64)
    for _ in range(turns):
        for i in cl.prange(n):
            best, least = 0, np.inf
            for c in range(k):
                d = 0.0
                for axis in range(points.shape[1]):
                    d += (points[i, axis] - centres[c, axis]) ** 2
                if d < least:
                    best, least = c, d
            nearest[i] = best
        for c in range(k):
            mine = nearest == c
            if np.any(mine):
                centres[c] = points[mine].sum(axis=0) / np.sum(mine)
    return nearest, centres


def arguments():
    points = np.random.default_rng(14).random((200, 3))
    return points, points[:5].copy(), 6
