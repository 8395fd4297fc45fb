"""A Python number takes the dtype of the arrays that it meets."""

import colocate as cl


@cl.kernel
def saxpy(alpha, x, y):
    i = cl.get_global_id(0)
    y[i] += alpha * x[i]
