"""A product of matrices whose groups share tiles in local memory."""

import colocate as cl
import numpy as np

TILE = 16


@cl.kernel
def tiled_matmul(a, b, c):
    i, j = cl.get_global_id(0), cl.get_global_id(1)
    row, column = cl.get_local_id(0), cl.get_local_id(1)
    a_tile = cl.local_array((TILE, TILE), np.float32)
    b_tile = cl.local_array((TILE, TILE), np.float32)
    acc = np.float32(0)
    for tile in range(a.shape[1] // TILE):
        a_tile[row, column] = a[i, tile * TILE + column]
        b_tile[row, column] = b[tile * TILE + row, j]
        cl.barrier(fence="local")
        for k in range(TILE):
            acc += a_tile[row, k] * b_tile[k, column]
        cl.barrier(fence="local")
    c[i, j] = acc
