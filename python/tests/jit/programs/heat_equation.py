"""Heat spreading on a plate with fixed edges, and how far it is from equilibrium."""

import numpy as np


def program(u, alpha, steps):
    change = 0.0
    for _ in range(steps):
        inner = u[1:-1, 1:-1]
        laplacian = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4 * inner
        change = np.max(np.abs(laplacian))
        u[1:-1, 1:-1] = inner + alpha * laplacian
    return change


def arguments():
    u = np.zeros((20, 30))
    u[0] = 1
    u[:, -1] = 0.5
    return u, 0.2, 15
