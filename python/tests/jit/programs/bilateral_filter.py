"""A filter that smooths a picture but keeps its edges: weights by distance and by brightness."""

import math

import numpy as np

import colocate as cl


def program(picture, radius, space, range_):
    rows, columns = picture.shape
    out = np.empty_like(picture)
    for i in cl.prange(rows):
        for j in range(columns):
            weights, total = 0.0, 0.0
            for di in range(-radius, radius + 1):
                for dj in range(-radius, radius + 1):
                    y, x = i + di, j + dj
                    if y < 0 or y >= rows or x < 0 or x >= columns:
                        continue
                    difference = picture[y, x] - picture[i, j]
                    w = math.exp(-(di * di + dj * dj) / (2 * space**2) - difference**2 / (2 * range_**2))
                    weights += w
                    total += w * picture[y, x]
            out[i, j] = total / weights
    return out


def arguments():
    return np.random.default_rng(1).random((24, 19)), 2, 1.5, 0.2
