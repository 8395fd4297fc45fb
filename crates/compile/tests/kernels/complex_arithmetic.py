"""Complex numbers: all four operations, a constant, parts and the absolute value."""

import colocate as cl


@cl.kernel
def complex_arithmetic(z, w, quotient, size):
    i = cl.get_global_id(0)
    rotated = z[i] * 1j - w[i]
    quotient[i] = (rotated + z[i].conjugate()) / w[i]
    size[i] = abs(rotated) + z[i].real
