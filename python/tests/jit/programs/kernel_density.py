"""The density of points, each smeared out by a bell curve, at other points."""

import numpy as np


def program(samples, where, width):
    z = (where[:, np.newaxis] - samples[np.newaxis, :]) / width
    density = np.exp(-0.5 * z**2).sum(axis=1) / (len(samples) * width * np.sqrt(2 * np.pi))
    return density, where[np.argmax(density)]


def arguments():
    generator = np.random.default_rng(15)
    return np.concatenate((generator.normal(-2, 1, 80), generator.normal(3, 0.5, 60))), np.linspace(-6, 6, 70), 0.4
