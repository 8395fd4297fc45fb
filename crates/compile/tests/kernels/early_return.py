"""A function that is inlined and leaves in the middle of a loop."""

import colocate as cl


@cl.device_func
def first_above(row, threshold):
    for k in range(row.size):
        if row[k] > threshold:
            return k
    return -1


@cl.kernel
def early_return(table, threshold, found):
    i = cl.get_global_id(0)
    found[i] = first_above(table[i], threshold)
