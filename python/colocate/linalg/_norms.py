"""Norms of vectors and matrices, and condition numbers made of them."""

import math

import colocate as cl
from colocate import _native
from colocate._arguments import axis_numbers, one_array
from colocate._errors import InvalidArgumentError, LinAlgError
from colocate.linalg._equations import inv
from colocate.linalg._matrix_arguments import float_dtype, in_floats, matrices

__all__ = ["cond", "matrix_norm", "norm", "vector_norm"]


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
    magnitudes = cl.abs(in_floats(x))
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
        values = _native._svdvals(in_floats(x))
        if ord == "nuc" or values.shape[-1] == 0:
            result = cl.sum(values, axis=-1)
        else:
            result = values[..., 0 if ord == 2 else -1]
    elif ord in (1, -1, math.inf, -math.inf):
        sums = cl.sum(cl.abs(in_floats(x)), axis=-2 if abs(ord) == 1 else -1)
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
    matrices("linalg.cond", x)
    if 0 in x.shape[-2:]:
        raise LinAlgError("linalg.cond: an empty matrix has no condition number")
    if p is None or p in (2, -2):
        s = _native._svdvals(x)
        first, last = (-1, 0) if p == -2 else (0, -1)
        return _without_new_nan(x, s[..., first] / s[..., last])
    matrices("linalg.cond", x, square=True)
    try:
        inverse = inv(x)
    except LinAlgError:
        if x.ndim == 2:
            return cl.full_like(x, math.inf, dtype=float_dtype(x), shape=())
        return cl.stack([cond(matrix, p) for matrix in x])
    return _without_new_nan(x, matrix_norm(x, ord=p) * matrix_norm(inverse, ord=p))


def _without_new_nan(x, numbers):
    """Infinite where a condition number is NaN and no element of the matrix is."""
    undefined = cl.isnan(numbers)
    if x.dtype.kind in "fc":
        undefined = undefined & ~cl.any(cl.isnan(x), axis=(-2, -1))
    return cl.where(undefined, math.inf, numbers)


for _function in (vector_norm, matrix_norm, norm, cond):
    _function.__module__ = "colocate.linalg"
