"""After how many turns points of the plane leave a circle."""

import numpy as np

import colocate as cl


def escape(c, limit):
    z = 0j
    for turn in range(limit):
        if z.real * z.real + z.imag * z.imag > 4:
            return turn
        z = z * z + c
    return limit


def program(low, high, rows, columns, limit):
    turns = np.zeros((rows, columns), np.int32)
    for i in cl.prange(rows):
        for j in range(columns):
            x = low.real + (high.real - low.real) * j / columns
            y = low.imag + (high.imag - low.imag) * i / rows
            turns[i, j] = escape(complex(x, y), limit)
    return turns


def arguments():
    return -2 - 1.25j, 0.5 + 1.25j, 20, 30, 40
