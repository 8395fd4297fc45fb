"""Logistic regression by gradient descent with momentum."""

import numpy as np


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


def program(x, labels, rate, momentum, steps):
    weights = np.zeros(x.shape[1])
    velocity = np.zeros(x.shape[1])
    losses = np.empty(steps)
    for step in range(steps):
        p = sigmoid(x @ weights)
        losses[step] = -np.mean(labels * np.log(p + 1e-12) + (1 - labels) * np.log(1 - p + 1e-12))
        gradient = x.T @ (p - labels) / len(labels)
        velocity = momentum * velocity - rate * gradient
        weights += velocity
    return weights, losses


def arguments():
    generator = np.random.default_rng(10)
    x = generator.normal(size=(60, 4))
    return x, (x @ np.array([1.0, -2.0, 0.5, 0.0]) > 0).astype(np.float64), 0.5, 0.9, 20
