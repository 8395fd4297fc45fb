"""How often a walker at random is at each page: power iteration until nothing changes."""

import numpy as np


def program(links, damping, tolerance):
    n = links.shape[0]
    degree = links.sum(axis=0)
    transition = np.where(degree > 0, links / np.maximum(degree, 1), 1.0 / n)
    rank = np.full(n, 1.0 / n)
    turns = 0
    while True:
        following = damping * (transition @ rank) + (1 - damping) / n
        change = np.abs(following - rank).sum()
        rank = following
        turns += 1
        if change < tolerance or turns == 100:
            break
    return rank, turns, np.argsort(-rank)[:3]


def arguments():
    return (np.random.default_rng(23).random((18, 18)) < 0.2).astype(np.float64), 0.85, 1e-8
