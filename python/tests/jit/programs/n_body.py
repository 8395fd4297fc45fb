"""Bodies that attract each other: forces between all pairs, a leapfrog step, the energy."""

import numpy as np


def accelerations(position, mass, softening):
    difference = position[np.newaxis, :, :] - position[:, np.newaxis, :]
    distance = np.sum(difference**2, axis=2) + softening**2
    return np.sum(difference * (mass[np.newaxis, :] / distance**1.5)[:, :, np.newaxis], axis=1)


def energy(position, velocity, mass, softening):
    kinetic = 0.5 * np.sum(mass * np.sum(velocity**2, axis=1))
    potential = 0.0
    for i in range(len(mass)):
        for j in range(i):
            d = position[i] - position[j]
            potential -= mass[i] * mass[j] / np.sqrt(np.dot(d, d) + softening**2)
    return kinetic + potential


def program(position, velocity, mass, dt, steps):
    a = accelerations(position, mass, 0.1)
    for _ in range(steps):
        velocity += 0.5 * dt * a
        position += dt * velocity
        a = accelerations(position, mass, 0.1)
        velocity += 0.5 * dt * a
    return energy(position, velocity, mass, 0.1)


def arguments():
    generator = np.random.default_rng(21)
    return generator.normal(size=(20, 3)), generator.normal(size=(20, 3)) * 0.1, generator.random(20) + 0.5, 0.01, 10
