"""The value of an option by simulated paths, with random numbers given from outside."""

import numpy as np

import colocate as cl


def program(normals, price, strike, rate, volatility, years):
    paths, steps = normals.shape
    dt = years / steps
    total, square = 0.0, 0.0
    for i in cl.prange(paths):
        s = price
        average = 0.0
        for j in range(steps):
            s *= np.exp((rate - 0.5 * volatility**2) * dt + volatility * np.sqrt(dt) * normals[i, j])
            average += s
        payoff = max(average / steps - strike, 0.0) * np.exp(-rate * years)
        total += payoff
        square += payoff * payoff
    mean = total / paths
    return mean, np.sqrt((square / paths - mean * mean) / paths)


def arguments():
    return np.random.default_rng(20).normal(size=(400, 12)), 100.0, 98.0, 0.03, 0.25, 1.0
