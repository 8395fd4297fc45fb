"""Sorting by merging runs of growing length, with two buffers."""

import numpy as np


def program(a):
    n = len(a)
    source, target = a.copy(), np.empty_like(a)
    width = 1
    while width < n:
        for left in range(0, n, 2 * width):
            middle, right = min(left + width, n), min(left + 2 * width, n)
            i, j = left, middle
            for k in range(left, right):
                if i < middle and (j >= right or source[i] <= source[j]):
                    target[k] = source[i]
                    i += 1
                else:
                    target[k] = source[j]
                    j += 1
        source, target = target, source
        width *= 2
    return source


def arguments():
    return (np.random.default_rng(19).random(77),)
