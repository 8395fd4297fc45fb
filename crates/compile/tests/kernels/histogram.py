"""Items that change the same elements, atomically."""

import colocate as cl


@cl.kernel
def histogram(values, counts):
    i = cl.get_global_id(0)
    cl.atomic.add(counts, values[i], 1)
