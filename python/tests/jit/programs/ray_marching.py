"""A picture of balls, by rays that go on until they are near one of them."""

import math

import numpy as np

import colocate as cl


def distance(x, y, z, balls):
    least = y + 1.0
    for b in range(balls.shape[0]):
        d = math.sqrt((x - balls[b, 0]) ** 2 + (y - balls[b, 1]) ** 2 + (z - balls[b, 2]) ** 2) - balls[b, 3]
        least = min(least, d)
    return least


def program(rows, columns, balls, limit):
    picture = np.zeros((rows, columns), np.float32)
    for i in cl.prange(rows):
        for j in range(columns):
            dx, dy, dz = (j - columns / 2) / columns, (rows / 2 - i) / rows, 1.0
            length = math.sqrt(dx * dx + dy * dy + dz * dz)
            dx, dy, dz = dx / length, dy / length, dz / length
            travelled = 0.0
            shade = 0.0
            for _ in range(limit):
                d = distance(dx * travelled, dy * travelled, dz * travelled, balls)
                if d < 1e-3:
                    shade = 1.0 / (1.0 + 0.1 * travelled * travelled)
                    break
                travelled += d
                if travelled > 20.0:
                    break
            picture[i, j] = shade
    return picture


def arguments():
    return 16, 20, np.array([[0.0, 0.0, 4.0, 1.0], [1.5, 0.5, 6.0, 1.2], [-1.0, -0.5, 3.0, 0.4]]), 64
