"""Systems of linear equations, and what tells whether they have a solution."""

import math
from collections import namedtuple

import numpy as np

import colocate as cl
from colocate import _native
from colocate._arguments import axis_numbers, check, one_array, promoted, settled
from colocate._errors import InvalidArgumentError, LinAlgError
from colocate._native import _solve, matmul, matrix_transpose
from colocate.linalg._matrix_arguments import adjoint, in_floats, matrices

__all__ = ["det", "inv", "lstsq", "matrix_rank", "pinv", "slogdet", "solve", "tensorinv", "tensorsolve"]

SlogdetResult = namedtuple("SlogdetResult", ["sign", "logabsdet"])


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
    matrices("linalg.pinv", a)
    if rcond is not None and rtol is not None:
        raise InvalidArgumentError("linalg.pinv: rcond and rtol are the same; give one of them")
    rtol = rcond if rtol is None else rtol
    check("linalg.pinv", a=a, rtol=rtol)
    u, s, vh = _native._svd(a, False)
    if s.shape[-1] == 0:
        return matrix_transpose(cl.zeros_like(a))
    keep = s > _cutoff(a, s, rtol)
    one = cl.ones_like(s)
    inverted = cl.where(keep, one / cl.where(keep, s, one), cl.zeros_like(s))
    return matmul(adjoint(vh), cl.expand_dims(inverted, axis=-1) * adjoint(u))


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
    if tol is not None and rtol is not None:
        raise InvalidArgumentError("linalg.matrix_rank: give tol or rtol, not both")
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
    matrices("linalg.lstsq", a)
    if a.ndim != 2 or b.ndim not in (1, 2) or a.shape[0] != b.shape[0]:
        raise LinAlgError(f"linalg.lstsq: arrays of shapes {a.shape} and {b.shape} do not fit")
    m, n = a.shape
    dtype = promoted([in_floats(a), in_floats(b)])
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
        x = matmul(adjoint(vh), cl.expand_dims(inverted, axis=1) * matmul(adjoint(u), right))
    if rank == n and m > n:
        left = cl.abs(right - matmul(a, x))
        residuals = cl.sum(left * left, axis=0)
    else:
        residuals = cl.zeros_like(s, shape=(0,))
    x = cl.squeeze(x, axis=1) if b.ndim == 1 else x
    return settled(x, a, b), settled(residuals, a, b), rank, settled(s, a, b)


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


for _function in (solve, inv, det, slogdet, pinv, matrix_rank, lstsq, tensorsolve, tensorinv):
    _function.__module__ = "colocate.linalg"
