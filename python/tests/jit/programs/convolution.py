"""A two-dimensional convolution by loops over the picture and the kernel, without padding."""

import numpy as np

import colocate as cl


def program(picture, kernel):
    rows, columns = picture.shape
    height, width = kernel.shape
    out = np.zeros((rows - height + 1, columns - width + 1), picture.dtype)
    for i in cl.prange(out.shape[0]):
        for j in range(out.shape[1]):
            total = 0.0
            for p in range(height):
                for q in range(width):
                    total += picture[i + p, j + q] * kernel[height - 1 - p, width - 1 - q]
            out[i, j] = total
    return out


def arguments():
    generator = np.random.default_rng(5)
    return generator.random((20, 25)), generator.random((3, 5))
