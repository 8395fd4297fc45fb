"""Powers, exponentials and chains of matrix products, and the standard's products of vectors and diagonals."""

import itertools
import math

import colocate as cl
from colocate._arguments import axis_number, check, one_array, several_arrays
from colocate._errors import InvalidArgumentError, LinAlgError
from colocate._native import _solve, matmul
from colocate._products import cross_parts
from colocate._products import outer as _outer
from colocate.linalg._equations import inv
from colocate.linalg._matrix_arguments import in_floats, matrices
from colocate.linalg._norms import matrix_norm

__all__ = ["cross", "diagonal", "expm", "matrix_power", "multi_dot", "outer", "trace"]


def matrix_power(a, n):
    """Square matrices multiplied ``n`` times; their inverses, if ``n`` is negative.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.matrix_power(cl.asarray([[1, 1], [0, 1]]), 5).tolist()
    [[1, 5], [0, 1]]
    """
    matrices("linalg.matrix_power", a, square=True)
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
    x = in_floats(matrices("linalg.expm", x, square=True))
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


for _function in (matrix_power, expm, multi_dot, cross, diagonal, trace, outer):
    _function.__module__ = "colocate.linalg"
