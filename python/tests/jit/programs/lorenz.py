"""The Lorenz attractor, by the classical method of Runge and Kutta."""

import numpy as np


def derivative(state, sigma, rho, beta):
    x, y, z = state[0], state[1], state[2]
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


def program(state, dt, steps, sigma=10.0, rho=28.0, beta=8.0 / 3.0):
    path = np.empty((steps + 1, 3))
    path[0] = state
    for i in range(steps):
        k1 = derivative(state, sigma, rho, beta)
        k2 = derivative(state + 0.5 * dt * k1, sigma, rho, beta)
        k3 = derivative(state + 0.5 * dt * k2, sigma, rho, beta)
        k4 = derivative(state + dt * k3, sigma, rho, beta)
        state = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        path[i + 1] = state
    return path


def arguments():
    return np.array([1.0, 1.0, 1.05]), 0.01, 60
