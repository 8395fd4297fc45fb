"""A picture whose grey values are spread evenly, through its histogram."""

import numpy as np

import colocate as cl


def program(picture):
    counts = np.zeros(256, np.int64)
    flat = picture.ravel()
    for i in cl.prange(flat.size):
        counts[flat[i]] += 1
    cumulated = np.cumsum(counts)
    least = cumulated[cumulated > 0].min()
    table = np.round((cumulated - least) / (flat.size - least) * 255).clip(0, 255).astype(np.uint8)
    return table[picture], counts


def arguments():
    return (np.random.default_rng(12).normal(100, 20, (30, 40)).clip(0, 255).astype(np.uint8),)
