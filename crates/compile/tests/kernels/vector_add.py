"""The smallest kernel that does something."""

import colocate as cl


@cl.kernel
def vector_add(a, b, c):
    i = cl.get_global_id(0)
    c[i] = a[i] + b[i]
