"""A product of matrices, one element for each item."""

import colocate as cl


@cl.kernel
def matmul(a, b, c):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    acc = 0.0
    for k in range(a.shape[1]):
        acc += a[i, k] * b[k, j]
    c[i, j] = acc
