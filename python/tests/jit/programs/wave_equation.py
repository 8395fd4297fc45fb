"""A wave in three dimensions with reflecting walls, by a leapfrog in time."""

import numpy as np


def program(now, before, courant, steps):
    for _ in range(steps):
        after = np.zeros_like(now)
        after[1:-1, 1:-1, 1:-1] = (
            2 * now[1:-1, 1:-1, 1:-1]
            - before[1:-1, 1:-1, 1:-1]
            + courant**2
            * (
                now[2:, 1:-1, 1:-1]
                + now[:-2, 1:-1, 1:-1]
                + now[1:-1, 2:, 1:-1]
                + now[1:-1, :-2, 1:-1]
                + now[1:-1, 1:-1, 2:]
                + now[1:-1, 1:-1, :-2]
                - 6 * now[1:-1, 1:-1, 1:-1]
            )
        )
        before, now = now, after
    return now, np.sum(now**2)


def arguments():
    u = np.zeros((10, 11, 12))
    u[5, 5, 6] = 1
    return u, u.copy(), 0.4, 8
