"""Linear algebra: the standard's ``linalg`` extension, and what NumPy has beside it.

The last two axes of an array are a matrix, those before it a batch. Decompositions need float or
complex elements; integers become floats. On devices other than the CPU products are computed
there, while decompositions bring their matrices to the host and the results back. Decompositions
wait for their outcome, because it may be an error.

>>> import colocate as cl
>>> a = cl.asarray([[2.0, 0.0], [0.0, 4.0]])
>>> cl.linalg.solve(a, cl.asarray([2.0, 8.0])).tolist()
[1.0, 2.0]
"""

from colocate._errors import LinAlgError
from colocate._native import matmul, matrix_transpose
from colocate._products import tensordot, vecdot
from colocate.linalg._decompositions import EighResult as EighResult
from colocate.linalg._decompositions import EigResult as EigResult
from colocate.linalg._decompositions import QRResult as QRResult
from colocate.linalg._decompositions import SVDResult as SVDResult
from colocate.linalg._decompositions import cholesky, eig, eigh, eigvals, eigvalsh, qr, svd, svdvals
from colocate.linalg._equations import SlogdetResult as SlogdetResult
from colocate.linalg._equations import det, inv, lstsq, matrix_rank, pinv, slogdet, solve, tensorinv, tensorsolve
from colocate.linalg._matrix_products import cross, diagonal, expm, matrix_power, multi_dot, outer, trace
from colocate.linalg._norms import cond, matrix_norm, norm, vector_norm

__all__ = [
    "LinAlgError",
    "cholesky",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "expm",
    "inv",
    "lstsq",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "multi_dot",
    "norm",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "tensorinv",
    "tensorsolve",
    "trace",
    "vecdot",
    "vector_norm",
]
