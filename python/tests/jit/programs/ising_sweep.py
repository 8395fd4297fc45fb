"""Sweeps of a spin lattice by the checkerboard rule, with random numbers given from outside."""

import numpy as np

import colocate as cl


def program(spins, chances, beta):
    rows, columns = spins.shape
    for sweep in range(chances.shape[0]):
        for colour in range(2):
            for i in cl.prange(rows):
                for j in range((i + colour) % 2, columns, 2):
                    around = (
                        spins[(i - 1) % rows, j]
                        + spins[(i + 1) % rows, j]
                        + spins[i, (j - 1) % columns]
                        + spins[i, (j + 1) % columns]
                    )
                    energy = 2.0 * spins[i, j] * around
                    if energy <= 0 or chances[sweep, i, j] < np.exp(-beta * energy):
                        spins[i, j] = -spins[i, j]
    return np.sum(spins), np.mean(spins)


def arguments():
    generator = np.random.default_rng(13)
    return generator.choice(np.array([-1, 1]), (12, 16)), generator.random((5, 12, 16)), 0.44
