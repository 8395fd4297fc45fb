"""What bodies do to one another: an item for each, a loop over all."""

import math

import colocate as cl

SOFTENING = 1e-3


@cl.kernel
def n_body(position, mass, acceleration):
    i = cl.get_global_id(0)
    x, y, z = position[i, 0], position[i, 1], position[i, 2]
    ax = ay = az = 0.0
    for j in range(len(mass)):
        dx = position[j, 0] - x
        dy = position[j, 1] - y
        dz = position[j, 2] - z
        squared = dx * dx + dy * dy + dz * dz + SOFTENING
        scale = mass[j] / (squared * math.sqrt(squared))
        ax += dx * scale
        ay += dy * scale
        az += dz * scale
    acceleration[i, 0] = ax
    acceleration[i, 1] = ay
    acceleration[i, 2] = az
