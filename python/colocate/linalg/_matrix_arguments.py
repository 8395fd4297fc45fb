"""What matrix arguments must be, and what numbers like theirs are computed in."""

import numpy as np

import colocate as cl
from colocate._arguments import one_array
from colocate._errors import LinAlgError
from colocate._native import matrix_transpose


def adjoint(x):
    """Conjugated and transposed."""
    transposed = matrix_transpose(x)
    return cl.conj(transposed) if x.dtype.kind == "c" else transposed


def matrices(function, x, square=False):
    one_array(function, x)
    if x.ndim < 2:
        raise LinAlgError(f"{function}: x has {x.ndim} axes, and a matrix has two")
    if square and x.shape[-1] != x.shape[-2]:
        raise LinAlgError(f"{function}: x has matrices of {x.shape[-2]} rows and {x.shape[-1]} columns")
    return x


def float_dtype(x):
    """The dtype of floats that numbers like those of ``x`` are measured in."""
    if x.dtype.kind in "biu":
        return np.dtype(np.float64)
    return np.finfo(x.dtype).dtype


def in_floats(x):
    return cl.astype(x, np.float64) if x.dtype.kind in "biu" else x
