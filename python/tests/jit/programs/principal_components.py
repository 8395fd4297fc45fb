"""The directions in which data spreads most, and the data seen along them."""

import numpy as np


def program(data, count):
    centred = data - data.mean(axis=0)
    covariance = centred.T @ centred / (len(data) - 1)
    values, vectors = np.linalg.eigh(covariance)
    order = np.argsort(values)[::-1]
    values = values[order]
    vectors = vectors[:, order][:, :count]
    for j in range(count):
        largest = np.argmax(np.abs(vectors[:, j]))
        if vectors[largest, j] < 0:
            vectors[:, j] *= -1
    return centred @ vectors, values / values.sum()


RTOL = 1e-8


def arguments():
    generator = np.random.default_rng(25)
    return generator.normal(size=(50, 5)) * np.array([5.0, 3.0, 2.0, 1.0, 0.5]), 2
