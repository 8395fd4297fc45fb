"""A loop whose end each item finds for itself."""

import colocate as cl


@cl.kernel
def mandelbrot(left, top, step, limit, counts):
    row, column = cl.get_global_id(0), cl.get_global_id(1)
    a, b = left + column * step, top - row * step
    x = y = 0.0
    count = 0
    while x * x + y * y <= 4.0 and count < limit:
        x, y = x * x - y * y + a, 2.0 * x * y + b
        count += 1
    counts[row, column] = count
