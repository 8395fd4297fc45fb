"""Steps of a linear support vector machine by subgradients of the hinge loss."""

import numpy as np


def program(x, labels, strength, steps):
    w, bias = np.zeros(x.shape[1]), 0.0
    for step in range(1, steps + 1):
        rate = 1.0 / (strength * step)
        margins = labels * (x @ w + bias)
        wrong = margins < 1
        w = (1 - rate * strength) * w
        if wrong.any():
            w += rate * (x[wrong] * labels[wrong][:, None]).sum(axis=0) / len(labels)
            bias += rate * labels[wrong].sum() / len(labels)
    loss = 0.5 * strength * w @ w + np.maximum(0, 1 - labels * (x @ w + bias)).mean()
    return w, bias, loss


def arguments():
    generator = np.random.default_rng(29)
    x = generator.normal(size=(40, 3))
    return x, np.where(x[:, 0] - x[:, 1] > 0.1, 1.0, -1.0), 0.1, 20
