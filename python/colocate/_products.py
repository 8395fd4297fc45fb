"""Products of arrays that are made of matrix products, elementwise products and sums."""

import math
import operator

import numpy as np

import colocate as cl
from colocate import _native
from colocate._arguments import axis_number, check, one_array, promoted, stored
from colocate._errors import DTypeError, InvalidArgumentError
from colocate._native import matmul

__all__ = [
    "cross",
    "dot",
    "inner",
    "kron",
    "matvec",
    "outer",
    "tensordot",
    "trace",
    "vdot",
    "vecdot",
    "vecmat",
]


def _both(function, x1, x2, names=("x1", "x2")):
    check(function, **dict(zip(names, (x1, x2), strict=True)))
    for name, x in zip(names, (x1, x2), strict=True):
        one_array(function, x, name)


def tensordot(a, b, axes=2):
    """Sums of products over axes of one array and axes of another.

    Parameters
    ----------
    a, b : arrays
    axes : int or two sequences of ints
        How many of the last axes of ``a`` meet as many of the first of ``b``, or which meet which.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.tensordot(cl.ones((2, 3)), cl.ones((3, 4)), axes=1).tolist()
    [[3.0, 3.0, 3.0, 3.0], [3.0, 3.0, 3.0, 3.0]]
    """
    _both("tensordot", a, b, "ab")
    if hasattr(axes, "__index__"):
        count = operator.index(axes)
        if count < 0 or count > min(a.ndim, b.ndim):
            raise InvalidArgumentError(f"tensordot: axes={axes} is not between 0 and the number of axes of both")
        left, right = list(range(a.ndim - count, a.ndim)), list(range(count))
    else:
        left, right = ([each] if hasattr(each, "__index__") else list(each) for each in axes)
        left = [axis_number("tensordot", axis, a.ndim) for axis in left]
        right = [axis_number("tensordot", axis, b.ndim) for axis in right]
    if len(left) != len(right) or any(a.shape[i] != b.shape[j] for i, j in zip(left, right, strict=False)):
        raise InvalidArgumentError(
            f"tensordot: axes {left} of shape {a.shape} and axes {right} of shape {b.shape} do not fit"
        )
    if len(set(left)) != len(left) or len(set(right)) != len(right):
        raise InvalidArgumentError("tensordot: an axis is named twice")
    kept_left = [axis for axis in range(a.ndim) if axis not in left]
    kept_right = [axis for axis in range(b.ndim) if axis not in right]
    shape = (*(a.shape[axis] for axis in kept_left), *(b.shape[axis] for axis in kept_right))
    depth = math.prod(a.shape[axis] for axis in left)
    rows = math.prod(a.shape[axis] for axis in kept_left)
    columns = math.prod(b.shape[axis] for axis in kept_right)
    first = cl.reshape(cl.permute_dims(a, (*kept_left, *left)), (rows, depth))
    second = cl.reshape(cl.permute_dims(b, (*right, *kept_right)), (depth, columns))
    return cl.reshape(matmul(first, second), shape)


def _computed_with(function, dtype, *arrays):
    """The arrays as what is computed with."""
    if dtype is None:
        return arrays
    for x in arrays:
        if not np.can_cast(x.dtype, dtype, "same_kind"):
            raise DTypeError(f"{function}: dtype={np.dtype(dtype)} is what is computed with, and no {x.dtype}")
    return tuple(x.astype(dtype, copy=False) for x in arrays)


def vecdot(x1, x2, /, out=None, *, axis=-1, dtype=None):
    """Sums of products along an axis, the first factor conjugated.

    Parameters
    ----------
    x1, x2 : arrays that are broadcast against each other
    out : array, optional
        Takes the result.
    axis : int
        Along which the vectors lie.
    dtype : optional
        What is computed with.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.vecdot(cl.asarray([[1, 2], [3, 4]]), cl.asarray([1, 1])).tolist()
    [3, 7]
    """
    _both("vecdot", x1, x2)
    first, second = axis_number("vecdot", axis, x1.ndim), axis_number("vecdot", axis, x2.ndim)
    if x1.shape[first] != x2.shape[second]:
        raise InvalidArgumentError(
            f"vecdot: vectors of {x1.shape[first]} and {x2.shape[second]} elements do not fit together"
        )
    x1, x2 = _computed_with("vecdot", dtype, x1, x2)
    left = cl.conj(x1) if x1.dtype.kind == "c" else x1
    if x1.ndim == 1 and x2.ndim == 1:
        return stored("vecdot", matmul(left, x2), out)
    left, right = cl.moveaxis(left, first, -1), cl.moveaxis(x2, second, -1)
    dtype = promoted([x1, x2])
    if dtype.kind == "b":
        return stored("vecdot", cl.any(left & right, axis=-1), out)
    return stored("vecdot", cl.sum(left * right, axis=-1, dtype=dtype), out)


def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    """The sum along a diagonal of two axes.

    Parameters
    ----------
    a : array with at least two axes
    offset : int
        How far above the main diagonal; below it if negative.
    axis1, axis2 : int
        The rows and the columns.
    dtype : optional
        Of the sum; by default as :func:`sum` has it.
    out : array, optional
        Takes the result.

    Examples
    --------
    >>> import colocate as cl
    >>> int(cl.trace(cl.asarray([[1, 2], [3, 4]])))
    5
    """
    one_array("trace", a, "a")
    return stored("trace", cl.sum(cl.diagonal(a, offset=offset, axis1=axis1, axis2=axis2), axis=-1, dtype=dtype), out)


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """Vector products in three dimensions, or how much of them points out of the plane of two.

    Parameters
    ----------
    a, b : arrays that are broadcast against each other
    axisa, axisb, axisc : int
        Where the vectors lie in either and in the result; extents are 3, or 2 of vectors in a plane.
        Of two vectors in a plane the result has no such axis.
    axis : int, optional
        All three at once.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.cross(cl.asarray([1, 0, 0]), cl.asarray([0, 1, 0])).tolist()
    [0, 0, 1]
    """
    _both("cross", a, b, "ab")
    axisa, axisb, axisc = (axisa, axisb, axisc) if axis is None else (axis, axis, axis)
    a, b = (cl.moveaxis(x, axis_number("cross", axis, x.ndim), -1) for x, axis in ((a, axisa), (b, axisb)))
    lengths = a.shape[-1], b.shape[-1]
    if not set(lengths) <= {2, 3}:
        raise InvalidArgumentError(f"cross: vectors have 2 or 3 elements, not {lengths[0]} and {lengths[1]}")
    if lengths == (2, 2):
        return _cross_part(a, b, 0, 1)
    return cl.moveaxis(cl.stack(cross_parts(a, b), axis=-1), -1, axisc)


def cross_parts(a, b):
    """The three elements of a vector product; the vectors lie along the last axes."""
    return [_cross_part(a, b, i, j) for i, j in ((1, 2), (2, 0), (0, 1))]


def _cross_part(a, b, i, j):
    """``a[i] * b[j] - a[j] * b[i]`` without the product that an element of no vector would have part in."""
    first = a[..., i] * b[..., j] if i < a.shape[-1] and j < b.shape[-1] else None
    second = a[..., j] * b[..., i] if j < a.shape[-1] and i < b.shape[-1] else None
    if first is None:
        return -second
    return first if second is None else first - second


def matvec(x1, x2, /, out=None, *, dtype=None):
    """Products of matrices and vectors.

    Parameters
    ----------
    x1 : array of matrices
    x2 : array of vectors, in its last axis
    out : array, optional
        Takes the result.
    dtype : optional
        What is computed with.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.matvec(cl.asarray([[1, 2], [3, 4]]), cl.asarray([1, 1])).tolist()
    [3, 7]
    """
    _both("matvec", x1, x2)
    if x1.ndim < 2 or x2.ndim < 1:
        raise InvalidArgumentError(f"matvec: shapes {x1.shape} and {x2.shape} are not of matrices and of vectors")
    x1, x2 = _computed_with("matvec", dtype, x1, x2)
    return stored("matvec", matmul(x1, x2[..., None])[..., 0], out)


def vecmat(x1, x2, /, out=None, *, dtype=None):
    """Products of vectors, conjugated, and matrices.

    Parameters
    ----------
    x1 : array of vectors, in its last axis
    x2 : array of matrices
    out : array, optional
        Takes the result.
    dtype : optional
        What is computed with.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.vecmat(cl.asarray([1, 1]), cl.asarray([[1, 2], [3, 4]])).tolist()
    [4, 6]
    """
    _both("vecmat", x1, x2)
    if x1.ndim < 1 or x2.ndim < 2:
        raise InvalidArgumentError(f"vecmat: shapes {x1.shape} and {x2.shape} are not of vectors and of matrices")
    x1, x2 = _computed_with("vecmat", dtype, x1, x2)
    vectors = cl.conj(x1) if x1.dtype.kind == "c" else x1
    return stored("vecmat", matmul(vectors[..., None, :], x2)[..., 0, :], out)


def vdot(a, b, /):
    """The sum of products of all elements in row-major order, the first factor conjugated.

    Examples
    --------
    >>> import colocate as cl
    >>> int(cl.vdot(cl.asarray([[1, 2], [3, 4]]), cl.asarray([1, 1, 1, 1])))
    10
    """
    _both("vdot", a, b, "ab")
    return vecdot(cl.reshape(a, (-1,)), cl.reshape(b, (-1,)))


def dot(a, b, out=None):
    """NumPy's ``dot``: inner products of vectors, products of matrices, sums over the last axis of
    ``a`` and the last but one of ``b`` in general. Scalars multiply.

    Examples
    --------
    >>> import colocate as cl
    >>> float(cl.dot(cl.asarray([1.0, 2.0]), cl.asarray([3.0, 4.0])))
    11.0
    """
    check("dot", a=a, b=b)
    if not isinstance(a, _native.Array) or not isinstance(b, _native.Array) or a.ndim == 0 or b.ndim == 0:
        return stored("dot", cl.multiply(a, b), out)
    if b.ndim <= 2 and a.ndim >= 1:
        return matmul(a, b, out=out)
    return stored("dot", tensordot(a, b, axes=((-1,), (-2,))), out)


def inner(a, b, /):
    """Sums of products over the last axes. Scalars multiply.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.inner(cl.asarray([[1, 2], [3, 4]]), cl.asarray([1, 1])).tolist()
    [3, 7]
    """
    check("inner", a=a, b=b)
    if not isinstance(a, _native.Array) or not isinstance(b, _native.Array) or a.ndim == 0 or b.ndim == 0:
        return cl.multiply(a, b)
    if a.shape[-1] != b.shape[-1]:
        raise InvalidArgumentError(f"inner: the last axes of shapes {a.shape} and {b.shape} do not fit")
    return tensordot(a, b, axes=((-1,), (-1,)))


def outer(a, b, out=None):
    """Every product of an element of ``a`` with an element of ``b``; both are flattened.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.outer(cl.asarray([1, 2]), cl.asarray([3, 4])).tolist()
    [[3, 4], [6, 8]]
    """
    _both("outer", a, b, "ab")
    return stored("outer", cl.multiply(cl.reshape(a, (-1, 1)), cl.reshape(b, (1, -1))), out)


def kron(a, b):
    """The Kronecker product: blocks that are ``b`` times each element of ``a``.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.kron(cl.asarray([1, 10]), cl.asarray([[1, 2]])).tolist()
    [[1, 2, 10, 20]]
    """
    check("kron", a=a, b=b)
    if not isinstance(a, _native.Array) or not isinstance(b, _native.Array):
        return cl.multiply(a, b)
    ndim = max(a.ndim, b.ndim)
    left = (*(1,) * (ndim - a.ndim), *a.shape)
    right = (*(1,) * (ndim - b.ndim), *b.shape)
    spread = cl.reshape(a, [extent for each in left for extent in (each, 1)])
    blocks = cl.reshape(b, [extent for each in right for extent in (1, each)])
    return cl.reshape(spread * blocks, [i * j for i, j in zip(left, right, strict=True)])


def matmul_along(x1, x2, out, axes, dtype):
    """:func:`matmul` of matrices in other axes than the last two."""
    _both("matmul", x1, x2)
    axes = [(one,) if hasattr(one, "__index__") else tuple(one) for one in axes]
    ranks = [min(x.ndim, 2) for x in (x1, x2)]
    ranks.append(max(sum(ranks) - 2, 0))
    if [len(one) for one in axes] != ranks:
        raise InvalidArgumentError(
            f"matmul: axes={axes} should name {ranks[0]} axes of x1, {ranks[1]} of x2 and {ranks[2]} of the result"
        )
    first, second = (cl.moveaxis(x, one, tuple(range(-len(one), 0))) for x, one in zip((x1, x2), axes[:2], strict=True))
    product = matmul(first, second, dtype=dtype)
    return stored("matmul", cl.moveaxis(product, tuple(range(-len(axes[2]), 0)), axes[2]), out)
