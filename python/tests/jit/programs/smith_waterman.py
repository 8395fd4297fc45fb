"""The best alignment of parts of two sequences: its score and where it ends."""

import numpy as np


def program(s, t, match, mismatch, gap):
    rows, columns = len(s) + 1, len(t) + 1
    score = np.zeros((rows, columns), np.int32)
    best, at = 0, (0, 0)
    for i in range(1, rows):
        for j in range(1, columns):
            diagonal = score[i - 1, j - 1] + (match if s[i - 1] == t[j - 1] else mismatch)
            score[i, j] = max(0, diagonal, score[i - 1, j] + gap, score[i, j - 1] + gap)
            if score[i, j] > best:
                best, at = score[i, j], (i, j)
    return best, at, score


def arguments():
    generator = np.random.default_rng(26)
    return generator.integers(0, 4, 30), generator.integers(0, 4, 26), 3, -3, -2
