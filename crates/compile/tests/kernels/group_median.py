"""A private array that is sorted, and a reduction over the items of a group."""

import colocate as cl
import numpy as np

WINDOW = 3


@cl.kernel
def group_median(values, largest):
    i, group = cl.get_global_id(0), cl.get_group_id(0)
    window = cl.private_array(WINDOW, np.int32)
    for k in range(WINDOW):
        new = values[i + k]
        slot = k
        while slot > 0 and window[slot - 1] > new:
            window[slot] = window[slot - 1]
            slot -= 1
        window[slot] = new
    median = cl.group.max(window[WINDOW // 2])
    if cl.get_local_id(0) == 0:
        largest[group] = median
