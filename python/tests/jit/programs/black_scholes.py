"""Prices of European options, by the closed formula; the normal distribution by a polynomial."""

import numpy as np


def normal(x):
    k = 1 / (1 + 0.2316419 * np.abs(x))
    poly = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
    tail = np.exp(-0.5 * x * x) / np.sqrt(2 * np.pi) * poly
    return np.where(x >= 0, 1 - tail, tail)


def program(price, strike, years, rate, volatility):
    root = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + 0.5 * volatility**2) * years) / root
    d2 = d1 - root
    discounted = strike * np.exp(-rate * years)
    call = price * normal(d1) - discounted * normal(d2)
    return call, call - price + discounted


def arguments():
    generator = np.random.default_rng(2)
    return generator.uniform(10, 50, 500), generator.uniform(10, 50, 500), generator.uniform(0.5, 2, 500), 0.03, 0.2
