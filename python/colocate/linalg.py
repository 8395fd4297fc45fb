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

import itertools
import math
from collections import namedtuple

import numpy as np

import colocate as cl
from colocate import _native
from colocate._arguments import axis_number, axis_numbers, check, one_array, promoted, settled, several_arrays
from colocate._errors import InvalidArgumentError, LinAlgError
from colocate._native import _solve, matmul, matrix_transpose
from colocate._products import cross_parts, tensordot, vecdot
from colocate._products import outer as _outer

EighResult = namedtuple("EighResult", ["eigenvalues", "eigenvectors"])
EigResult = namedtuple("EigResult", ["eigenvalues", "eigenvectors"])
QRResult = namedtuple("QRResult", ["Q", "R"])
SlogdetResult = namedtuple("SlogdetResult", ["sign", "logabsdet"])
SVDResult = namedtuple("SVDResult", ["U", "S", "Vh"])

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


def _adjoint(x):
    """Conjugated and transposed."""
    transposed = matrix_transpose(x)
    return cl.conj(transposed) if x.dtype.kind == "c" else transposed


def _matrices(function, x, square=False):
    one_array(function, x)
    if x.ndim < 2:
        raise LinAlgError(f"{function}: x has {x.ndim} axes, and a matrix has two")
    if square and x.shape[-1] != x.shape[-2]:
        raise LinAlgError(f"{function}: x has matrices of {x.shape[-2]} rows and {x.shape[-1]} columns")
    return x


def _float_dtype(x):
    """The dtype of floats that numbers like those of ``x`` are measured in."""
    if x.dtype.kind in "biu":
        return np.dtype(np.float64)
    return np.finfo(x.dtype).dtype


def _in_floats(x):
    return cl.astype(x, np.float64) if x.dtype.kind in "biu" else x


def solve(a, b):
    """The ``x`` with ``a @ x = b``.

    Parameters
    ----------
    a : array of square matrices
    b : array
        One vector, if it has one axis, else matrices.

    Raises
    ------
    LinAlgError
        If a matrix is singular.

    Examples
    --------
    >>> import colocate as cl
    >>> a = cl.asarray([[2.0, 0.0], [0.0, 4.0]])
    >>> cl.linalg.solve(a, cl.asarray([2.0, 2.0])).tolist()
    [1.0, 0.5]
    """
    check("linalg.solve", a=a, b=b)
    one_array("linalg.solve", b, "b")
    if b.ndim == 1:
        return cl.squeeze(_solve(a, cl.expand_dims(b, axis=-1)), axis=-1)
    return _solve(a, b)


def inv(a):
    """Inverses of square matrices; ``LinAlgError`` if one is singular.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.inv(cl.asarray([[2.0, 0.0], [0.0, 4.0]])).tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    return _native._inv(a)


def det(a):
    """Determinants of square matrices.

    Examples
    --------
    >>> import colocate as cl
    >>> float(cl.linalg.det(cl.asarray([[2.0, 1.0], [0.0, 4.0]])))
    8.0
    """
    return _native._det(a)


def slogdet(a):
    """Signs of determinants and logarithms of their absolute values, as ``(sign, logabsdet)``.

    Examples
    --------
    >>> import colocate as cl
    >>> sign, logarithm = cl.linalg.slogdet(cl.asarray([[0.0, 1.0], [1.0, 0.0]]))
    >>> float(sign), float(logarithm)
    (-1.0, 0.0)
    """
    return SlogdetResult(*_native._slogdet(a))


def cholesky(x, /, *, upper=False):
    """The triangular ``l`` with ``l @ l^H = x`` of positive definite matrices.

    Parameters
    ----------
    x : array of Hermitian matrices
        Only the lower triangle is looked at, or only the upper one.
    upper : bool
        Whether to give the upper triangular ``u`` with ``u^H @ u = x``.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.cholesky(cl.asarray([[4.0, 2.0], [2.0, 2.0]])).tolist()
    [[2.0, 0.0], [1.0, 1.0]]
    """
    if upper:
        return _adjoint(_native._cholesky(_adjoint(_matrices("linalg.cholesky", x, square=True))))
    return _native._cholesky(x)


def qr(a, mode="reduced"):
    """``(Q, R)`` with orthonormal columns in ``Q``, upper triangular ``R``, and ``Q @ R = a``.

    Parameters
    ----------
    a : array of matrices
    mode : {"reduced", "complete", "r"}
        ``Q`` with as many columns as the smaller extent; a square ``Q``; ``R`` alone.

    Examples
    --------
    >>> import colocate as cl
    >>> q, r = cl.linalg.qr(cl.asarray([[3.0, 1.0], [4.0, 2.0]]))
    >>> cl.allclose(q @ r, cl.asarray([[3.0, 1.0], [4.0, 2.0]]))
    True
    """
    if mode not in ("reduced", "complete", "r"):
        raise InvalidArgumentError(f'linalg.qr: mode={mode!r}: write "reduced", "complete" or "r"')
    q, r = _native._qr(a, mode == "complete", mode != "r")
    return r if mode == "r" else QRResult(q, r)


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    """``(U, S, Vh)`` with ``U @ diag(S) @ Vh = a``, the values in descending order.

    Parameters
    ----------
    a : array of matrices
    full_matrices : bool
        Whether ``U`` and ``Vh`` are square.
    compute_uv : bool
        Without them only ``S``.
    hermitian : bool
        Accepted for NumPy's sake.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.svd(cl.asarray([[0.0, 2.0], [1.0, 0.0]])).S.tolist()
    [2.0, 1.0]
    """
    if not compute_uv:
        return svdvals(a)
    return SVDResult(*_native._svd(a, bool(full_matrices)))


def svdvals(x, /):
    """Singular values in descending order.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.svdvals(cl.asarray([[0.0, 2.0], [1.0, 0.0]])).tolist()
    [2.0, 1.0]
    """
    return _native._svdvals(x)


def _is_upper(function, triangle):
    if str(triangle).upper() not in ("L", "U"):
        raise InvalidArgumentError(f'{function}: UPLO={triangle!r}: write "L" or "U"')
    return str(triangle).upper() == "U"


def eigh(a, UPLO="L"):
    """``(eigenvalues, eigenvectors)`` of Hermitian matrices, the values in ascending order.

    Parameters
    ----------
    a : array of square matrices
    UPLO : {"L", "U"}
        Which triangle is looked at.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.eigh(cl.asarray([[2.0, 0.0], [0.0, 1.0]])).eigenvalues.tolist()
    [1.0, 2.0]
    """
    return EighResult(*_native._eigh(a, _is_upper("linalg.eigh", UPLO)))


def eigvalsh(a, UPLO="L"):
    """Eigenvalues of Hermitian matrices in ascending order.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.eigvalsh(cl.asarray([[2.0, 0.0], [0.0, 1.0]])).tolist()
    [1.0, 2.0]
    """
    return _native._eigvalsh(a, _is_upper("linalg.eigvalsh", UPLO))


def eig(a):
    """``(eigenvalues, eigenvectors)`` of square matrices: always complex, in no particular order.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.eig(cl.asarray([[0.0, 0.0], [0.0, 0.0]])).eigenvalues.tolist()
    [0j, 0j]
    """
    return EigResult(*_native._eig(a))


def eigvals(a):
    """Eigenvalues of square matrices: always complex, in no particular order.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.eigvals(cl.asarray([[3.0]])).tolist()
    [(3+0j)]
    """
    return _native._eigvals(a)


def _cutoff(x, s, rtol):
    """The value below which singular values count as zero."""
    if rtol is None:
        rtol = max(x.shape[-2:]) * float(np.finfo(s.dtype).eps)
    if isinstance(rtol, _native.Array):
        rtol = cl.expand_dims(rtol, axis=-1)
    return cl.max(s, axis=-1, keepdims=True) * rtol


def pinv(a, rcond=None, hermitian=False, *, rtol=None):
    """Pseudo-inverses, from singular values.

    Parameters
    ----------
    a : array of matrices
    rtol, rcond : float or array, optional
        Singular values smaller than this times the largest count as zero.
    hermitian : bool
        Accepted for NumPy's sake.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.pinv(cl.asarray([[2.0], [0.0]])).tolist()
    [[0.5, 0.0]]
    """
    _matrices("linalg.pinv", a)
    rtol = rcond if rtol is None else rtol
    check("linalg.pinv", a=a, rtol=rtol)
    u, s, vh = _native._svd(a, False)
    if s.shape[-1] == 0:
        return matrix_transpose(cl.zeros_like(a))
    keep = s > _cutoff(a, s, rtol)
    one = cl.ones_like(s)
    inverted = cl.where(keep, one / cl.where(keep, s, one), cl.zeros_like(s))
    return matmul(_adjoint(vh), cl.expand_dims(inverted, axis=-1) * _adjoint(u))


def matrix_rank(A, tol=None, hermitian=False, *, rtol=None):
    """How many singular values are not zero.

    Parameters
    ----------
    A : array of matrices
        A vector or a single number has rank 1 unless it is zero.
    tol : float or array, optional
        Singular values up to this one count as zero.
    hermitian : bool
        Accepted for NumPy's sake.
    rtol : float or array, optional
        As ``tol``, in units of the largest singular value.

    Examples
    --------
    >>> import colocate as cl
    >>> int(cl.linalg.matrix_rank(cl.asarray([[1.0, 2.0], [2.0, 4.0]])))
    1
    """
    one_array("linalg.matrix_rank", A, "A")
    check("linalg.matrix_rank", A=A, tol=tol, rtol=rtol)
    if A.ndim < 2:
        return cl.astype(cl.any(A), np.int64)
    s = _native._svdvals(A)
    if s.shape[-1] == 0:
        return cl.zeros_like(A, dtype=np.int64, shape=A.shape[:-2])
    if tol is None:
        tol = _cutoff(A, s, rtol)
    elif isinstance(tol, _native.Array):
        tol = cl.expand_dims(tol, axis=-1)
    return cl.sum(s > tol, axis=-1, dtype=np.int64)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    """Lengths of vectors.

    Parameters
    ----------
    x : array
    axis : int, tuple of ints, optional
        Along which the vectors lie; everything is one vector without it.
    keepdims : bool
        Whether the result keeps these axes, with extent 1.
    ord : float
        ``inf``: the largest absolute value, ``-inf`` the smallest, ``0``: how many are not zero,
        ``p``: ``sum(abs(x)**p) ** (1/p)``.

    Examples
    --------
    >>> import colocate as cl
    >>> float(cl.linalg.vector_norm(cl.asarray([3.0, 4.0])))
    5.0
    """
    one_array("linalg.vector_norm", x)
    axes = axis_numbers("linalg.vector_norm", axis, x.ndim)
    magnitudes = cl.abs(_in_floats(x))
    options = {"axis": axes, "keepdims": keepdims}
    if ord == math.inf:
        if any(x.shape[axis] == 0 for axis in axes):
            return cl.sum(magnitudes, **options)
        return cl.max(magnitudes, **options)
    if ord == -math.inf:
        return cl.min(magnitudes, **options)
    if ord == 0:
        return cl.sum(cl.astype(magnitudes != 0, magnitudes.dtype), **options)
    if ord == 1:
        return cl.sum(magnitudes, **options)
    if ord == 2:
        return cl.sqrt(cl.sum(magnitudes * magnitudes, **options))
    return cl.sum(magnitudes**ord, **options) ** (1.0 / ord)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    """Norms of matrices.

    Parameters
    ----------
    x : array of matrices
    keepdims : bool
        Whether the result keeps the last two axes, with extent 1.
    ord : {"fro", "nuc", 1, -1, 2, -2, inf, -inf}
        The root of the sum of squares; the sum of singular values; the largest or smallest sum of a
        column; the largest or smallest singular value; the largest or smallest sum of a row.

    Examples
    --------
    >>> import colocate as cl
    >>> float(cl.linalg.matrix_norm(cl.asarray([[3.0, 0.0], [0.0, 4.0]])))
    5.0
    """
    one_array("linalg.matrix_norm", x)
    if x.ndim < 2:
        raise InvalidArgumentError(f"linalg.matrix_norm: x has {x.ndim} axes, and a matrix has two")
    if ord is None or ord == "fro":
        return vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    if ord == "nuc" or ord in (2, -2):
        values = _native._svdvals(_in_floats(x))
        if ord == "nuc" or values.shape[-1] == 0:
            result = cl.sum(values, axis=-1)
        else:
            result = values[..., 0 if ord == 2 else -1]
    elif ord in (1, -1, math.inf, -math.inf):
        sums = cl.sum(cl.abs(_in_floats(x)), axis=-2 if abs(ord) == 1 else -1)
        result = cl.sum(sums, axis=-1) if sums.shape[-1] == 0 else (cl.max if ord > 0 else cl.min)(sums, axis=-1)
    else:
        raise InvalidArgumentError(f"linalg.matrix_norm: there is no norm {ord!r} of a matrix")
    return cl.reshape(result, (*result.shape, 1, 1)) if keepdims else result


def norm(x, ord=None, axis=None, keepdims=False):
    """NumPy's ``norm``: of vectors along one axis, of matrices along two, of everything without.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.norm(cl.asarray([[3.0, 4.0], [6.0, 8.0]]), axis=1).tolist()
    [5.0, 10.0]
    """
    one_array("linalg.norm", x)
    if axis is None:
        if ord is None:
            return vector_norm(x, keepdims=keepdims)
        if x.ndim not in (1, 2):
            raise InvalidArgumentError("linalg.norm: with ord, x has one or two axes, or axis says which")
        axes = tuple(range(x.ndim))
    else:
        axes = axis_numbers("linalg.norm", axis, x.ndim)
    if len(axes) == 1:
        if isinstance(ord, str):
            raise InvalidArgumentError(f"linalg.norm: there is no norm {ord!r} of a vector")
        return vector_norm(x, axis=axes[0], keepdims=keepdims, ord=2 if ord is None else ord)
    if len(axes) != 2:
        raise InvalidArgumentError(f"linalg.norm: a norm is of one axis or of two, not of {len(axes)}")
    rest = [axis for axis in range(x.ndim) if axis not in axes]
    result = matrix_norm(cl.permute_dims(x, (*rest, *axes)), ord=ord)
    if keepdims:
        result = cl.reshape(result, tuple(1 if axis in axes else n for axis, n in enumerate(x.shape)))
    return result


def cond(x, p=None):
    """Condition numbers: the norm of a matrix times that of its inverse; infinite without one.

    Parameters
    ----------
    x : array of matrices
        Square ones, unless the norm is made of singular values.
    p : {None, 1, -1, 2, -2, inf, -inf, "fro", "nuc"}
        The norm; ``None`` is 2.

    Examples
    --------
    >>> import colocate as cl
    >>> float(cl.linalg.cond(cl.asarray([[4.0, 0.0], [0.0, 2.0]])))
    2.0
    """
    _matrices("linalg.cond", x)
    if 0 in x.shape[-2:]:
        raise LinAlgError("linalg.cond: an empty matrix has no condition number")
    if p is None or p in (2, -2):
        s = _native._svdvals(x)
        first, last = (-1, 0) if p == -2 else (0, -1)
        return _without_new_nan(x, s[..., first] / s[..., last])
    _matrices("linalg.cond", x, square=True)
    try:
        inverse = inv(x)
    except LinAlgError:
        if x.ndim == 2:
            return cl.full_like(x, math.inf, dtype=_float_dtype(x), shape=())
        return cl.stack([cond(matrix, p) for matrix in x])
    return _without_new_nan(x, matrix_norm(x, ord=p) * matrix_norm(inverse, ord=p))


def _without_new_nan(x, numbers):
    """Infinite where a condition number is NaN and no element of the matrix is."""
    undefined = cl.isnan(numbers)
    if x.dtype.kind in "fc":
        undefined = undefined & ~cl.any(cl.isnan(x), axis=(-2, -1))
    return cl.where(undefined, math.inf, numbers)


def matrix_power(a, n):
    """Square matrices multiplied ``n`` times; their inverses, if ``n`` is negative.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.matrix_power(cl.asarray([[1, 1], [0, 1]]), 5).tolist()
    [[1, 5], [0, 1]]
    """
    _matrices("linalg.matrix_power", a, square=True)
    if not hasattr(n, "__index__"):
        raise TypeError("linalg.matrix_power: the exponent is an integer")
    n = n.__index__()
    if n == 1:
        return a.asarray(copy=True)
    if n < 0:
        a, n = inv(a), -n
    if n == 0:
        one = cl.eye(a.shape[-1], dtype=a.dtype, queue=a.queue, usm_type=a.usm_type)
        return cl.zeros_like(a) + one if a.dtype.kind != "b" else cl.zeros_like(a) | one
    result = None
    while n:
        if n & 1:
            result = a if result is None else matmul(result, a)
        n >>= 1
        if n:
            a = matmul(a, a)
    return result


def expm(x, /):
    """Matrix exponentials, by scaling, a Padé approximation and squaring.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.expm(cl.zeros((2, 2))).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    x = _in_floats(_matrices("linalg.expm", x, square=True))
    if x.size == 0:
        return cl.zeros_like(x)
    largest = float(cl.max(matrix_norm(x, ord=1)))
    if not math.isfinite(largest):
        return cl.full_like(x, math.nan)
    # Beyond 5.37 the approximation of degree 13 is not exact to double precision.
    squarings = max(0, math.ceil(math.log2(largest / 5.37))) if largest > 0 else 0
    x = x * 2.0**-squarings
    b = [math.comb(13, k) * math.factorial(26 - k) for k in range(14)]
    b = [value / b[0] for value in b]
    one = cl.eye(x.shape[-1], dtype=x.dtype, queue=x.queue, usm_type=x.usm_type)
    x2 = matmul(x, x)
    x4 = matmul(x2, x2)
    x6 = matmul(x4, x2)
    odd = matmul(x6, x6 * b[13] + x4 * b[11] + x2 * b[9]) + x6 * b[7] + x4 * b[5] + x2 * b[3] + one * b[1]
    odd = matmul(x, odd)
    even = matmul(x6, x6 * b[12] + x4 * b[10] + x2 * b[8]) + x6 * b[6] + x4 * b[4] + x2 * b[2] + one * b[0]
    result = _solve(even - odd, even + odd)
    for _ in range(squarings):
        result = matmul(result, result)
    return result


def lstsq(a, b, rcond=None):
    """The ``x`` that makes ``a @ x - b`` shortest, and of these the shortest.

    Parameters
    ----------
    a : array, one matrix
    b : array, one vector or one matrix
    rcond : float, optional
        Singular values smaller than this times the largest count as zero.

    Returns
    -------
    x : array
    residuals : array
        Squares of what is left, if there are more rows than columns and these are independent.
    rank : int
    s : array
        Singular values of ``a``.

    Examples
    --------
    >>> import colocate as cl
    >>> a = cl.asarray([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    >>> x, residuals, rank, s = cl.linalg.lstsq(a, cl.asarray([1.0, 3.0, 5.0]))
    >>> cl.allclose(x, cl.asarray([1.0, 2.0])), rank
    (True, 2)
    """
    check("linalg.lstsq", a=a, b=b)
    one_array("linalg.lstsq", b, "b")
    _matrices("linalg.lstsq", a)
    if a.ndim != 2 or b.ndim not in (1, 2) or a.shape[0] != b.shape[0]:
        raise LinAlgError(f"linalg.lstsq: arrays of shapes {a.shape} and {b.shape} do not fit")
    m, n = a.shape
    dtype = promoted([_in_floats(a), _in_floats(b)])
    a, right = cl.astype(a, dtype), cl.astype(b, dtype)
    right = cl.expand_dims(right, axis=1) if b.ndim == 1 else right
    u, s, vh = _native._svd(a, False)
    if s.shape[0] == 0:
        x, rank = cl.zeros_like(right, shape=(n, right.shape[1])), 0
    else:
        keep = s > _cutoff(a, s, rcond)
        rank = int(cl.sum(keep))
        one = cl.ones_like(s)
        inverted = cl.where(keep, one / cl.where(keep, s, one), cl.zeros_like(s))
        x = matmul(_adjoint(vh), cl.expand_dims(inverted, axis=1) * matmul(_adjoint(u), right))
    if rank == n and m > n:
        left = cl.abs(right - matmul(a, x))
        residuals = cl.sum(left * left, axis=0)
    else:
        residuals = cl.zeros_like(s, shape=(0,))
    x = cl.squeeze(x, axis=1) if b.ndim == 1 else x
    return settled(x, a, b), settled(residuals, a, b), rank, settled(s, a, b)


def multi_dot(arrays, *, out=None):
    """The product of several matrices, in the order that takes the fewest operations.

    Examples
    --------
    >>> import colocate as cl
    >>> a, b = cl.ones((2, 3)), cl.ones((3, 4))
    >>> cl.linalg.multi_dot([a, b, cl.ones(4)]).tolist()
    [12.0, 12.0]
    """
    arrays = several_arrays("linalg.multi_dot", arrays)
    if len(arrays) < 2:
        raise InvalidArgumentError("linalg.multi_dot: a product needs at least two arrays")
    first, last = arrays[0].ndim == 1, arrays[-1].ndim == 1
    if first:
        arrays[0] = cl.expand_dims(arrays[0], axis=0)
    if last:
        arrays[-1] = cl.expand_dims(arrays[-1], axis=1)
    if any(x.ndim != 2 for x in arrays):
        raise LinAlgError("linalg.multi_dot: matrices have two axes, only the first and the last may have one")
    if any(left.shape[1] != right.shape[0] for left, right in itertools.pairwise(arrays)):
        raise InvalidArgumentError(f"linalg.multi_dot: matrices of shapes {[x.shape for x in arrays]} do not fit")
    sides = [arrays[0].shape[0], *(x.shape[1] for x in arrays)]
    count = len(arrays)
    # best[i, j]: what the product of the matrices i to j costs, and where it is cut.
    best = {(i, i): (0, i) for i in range(count)}
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            best[i, j] = min(
                (best[i, k][0] + best[k + 1, j][0] + sides[i] * sides[k + 1] * sides[j + 1], k) for k in range(i, j)
            )

    def product(i, j):
        if i == j:
            return arrays[i]
        cut = best[i, j][1]
        return matmul(product(i, cut), product(cut + 1, j))

    result = product(0, count - 1)
    axes = tuple(axis for axis, dropped in enumerate((first, last)) if dropped)
    result = cl.squeeze(result, axis=axes) if axes else result
    if out is None:
        return result
    one_array("linalg.multi_dot", out, "out")[...] = result
    return out


def tensorsolve(a, b, axes=None):
    """The ``x`` with ``tensordot(a, x, x.ndim) = b``.

    Examples
    --------
    >>> import colocate as cl
    >>> a = cl.reshape(cl.eye(4) * 2, (2, 2, 2, 2))
    >>> cl.linalg.tensorsolve(a, cl.ones((2, 2))).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    check("linalg.tensorsolve", a=a, b=b)
    one_array("linalg.tensorsolve", b, "b")
    if axes is not None:
        moved = axis_numbers("linalg.tensorsolve", axes, a.ndim)
        a = cl.permute_dims(a, (*(axis for axis in range(a.ndim) if axis not in moved), *moved))
    shape = a.shape[b.ndim :]
    size = math.prod(shape)
    if a.size != size * size:
        raise LinAlgError(f"linalg.tensorsolve: an array of shape {a.shape} is no square matrix for {b.shape}")
    return cl.reshape(solve(cl.reshape(a, (size, size)), cl.reshape(b, (-1,))), shape)


def tensorinv(a, ind=2):
    """The inverse of the linear map that ``tensordot(a, x, ind)`` is.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.tensorinv(cl.reshape(cl.eye(4) * 2, (4, 2, 2)), ind=1).shape
    (2, 2, 4)
    """
    one_array("linalg.tensorinv", a, "a")
    if ind <= 0:
        raise InvalidArgumentError("linalg.tensorinv: ind is positive")
    size = math.prod(a.shape[ind:])
    return cl.reshape(inv(cl.reshape(a, (size, -1))), a.shape[ind:] + a.shape[:ind])


def cross(x1, x2, /, *, axis=-1):
    """Vector products in three dimensions.

    Parameters
    ----------
    x1, x2 : arrays that are broadcast against each other
    axis : int
        The one of extent 3 along which the vectors lie.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.cross(cl.asarray([1, 0, 0]), cl.asarray([0, 1, 0])).tolist()
    [0, 0, 1]
    """
    check("linalg.cross", x1=x1, x2=x2)
    vectors = []
    for name, x in (("x1", x1), ("x2", x2)):
        one_array("linalg.cross", x, name)
        at = axis_number("linalg.cross", axis, x.ndim)
        if x.shape[at] != 3:
            raise InvalidArgumentError(f"linalg.cross: {name} has {x.shape[at]} elements along axis {axis}, not 3")
        vectors.append(cl.moveaxis(x, at, -1))
    ndim = max(x1.ndim, x2.ndim)
    return cl.stack(cross_parts(*vectors), axis=axis if axis < 0 else axis - ndim)


def diagonal(x, /, *, offset=0):
    """Diagonals of matrices; a view.

    Parameters
    ----------
    x : array of matrices
    offset : int
        How far above the main diagonal; below it if negative.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.diagonal(cl.asarray([[1, 2], [3, 4]])).tolist()
    [1, 4]
    """
    return cl.diagonal(x, offset=offset, axis1=-2, axis2=-1)


def trace(x, /, *, offset=0, dtype=None):
    """Sums of the diagonals of matrices.

    Parameters
    ----------
    x : array of matrices
    offset : int
        How far above the main diagonal; below it if negative.
    dtype : optional
        Of the sums; by default as :func:`sum` has it.

    Examples
    --------
    >>> import colocate as cl
    >>> int(cl.linalg.trace(cl.asarray([[1, 2], [3, 4]])))
    5
    """
    return cl.sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def outer(x1, x2, /):
    """Every product of an element of one vector with an element of another.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.outer(cl.asarray([1, 2]), cl.asarray([3, 4])).tolist()
    [[3, 4], [6, 8]]
    """
    check("linalg.outer", x1=x1, x2=x2)
    for name, x in (("x1", x1), ("x2", x2)):
        if one_array("linalg.outer", x, name).ndim != 1:
            raise InvalidArgumentError(f"linalg.outer: {name} has {x.ndim} axes, and a vector has one")
    return _outer(x1, x2)
