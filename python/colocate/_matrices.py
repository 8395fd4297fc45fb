"""Triangles and diagonals of matrices."""

import operator

import numpy as np

import colocate as cl
from colocate import _native
from colocate._arguments import check, new, one_array
from colocate._errors import InvalidArgumentError

__all__ = [
    "diag",
    "diag_indices",
    "diag_indices_from",
    "diagflat",
    "fill_diagonal",
    "mask_indices",
    "tril",
    "tril_indices",
    "tril_indices_from",
    "triu",
    "triu_indices",
    "triu_indices_from",
    "vander",
]


def _band(x, k, dtype=bool):
    """True on and below a diagonal of matrices shaped as `x` ends."""
    rows, columns = x.shape[-2:] if x.ndim > 1 else (x.shape[-1], x.shape[-1])
    return _native.tri(rows, columns, k, dtype, queue=x.queue, usm_type=x.usm_type)


def _triangle(function, x, k, keep_lower):
    x = one_array(function, x, "m")
    if x.ndim == 0:
        raise InvalidArgumentError(f"{function}: a 0-d array has no diagonals")
    zero = cl.zeros_like(x, shape=())
    if keep_lower:
        return cl.where(_band(x, k), x, zero)
    return cl.where(_band(x, k - 1), zero, x)


def tril(m, k=0):
    """The lower triangle of each matrix; zeros above diagonal ``k``.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.tril(cl.ones((2, 3), dtype="int64")).tolist()
    [[1, 0, 0], [1, 1, 0]]
    """
    return _triangle("tril", m, operator.index(k), True)


def triu(m, k=0):
    """The upper triangle of each matrix; zeros below diagonal ``k``.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.triu(cl.ones((2, 3), dtype="int64")).tolist()
    [[1, 1, 1], [0, 1, 1]]
    """
    return _triangle("triu", m, operator.index(k), False)


def tril_indices(n, k=0, m=None, *, device=None, queue=None, usm_type=None):
    """Row and column numbers of the lower triangle of an ``n`` by ``m`` matrix.

    Examples
    --------
    >>> import colocate as cl
    >>> [x.tolist() for x in cl.tril_indices(2)]
    [[0, 1, 1], [0, 0, 1]]
    """
    return cl.nonzero(_native.tri(n, m, k, bool, device=device, queue=queue, usm_type=usm_type))


def triu_indices(n, k=0, m=None, *, device=None, queue=None, usm_type=None):
    """Row and column numbers of the upper triangle of an ``n`` by ``m`` matrix.

    Examples
    --------
    >>> import colocate as cl
    >>> [x.tolist() for x in cl.triu_indices(2)]
    [[0, 0, 1], [0, 1, 1]]
    """
    below = _native.tri(n, m, k - 1, bool, device=device, queue=queue, usm_type=usm_type)
    return cl.nonzero(cl.logical_not(below))


def _matrix(function, arr):
    arr = one_array(function, arr, "arr")
    if arr.ndim != 2:
        raise InvalidArgumentError(f"{function}: the array must be a matrix, not of {arr.ndim} dimensions")
    return arr


def tril_indices_from(arr, k=0):
    """:func:`tril_indices` of a matrix, where it is.

    Examples
    --------
    >>> import colocate as cl
    >>> [x.tolist() for x in cl.tril_indices_from(cl.ones((2, 2)))]
    [[0, 1, 1], [0, 0, 1]]
    """
    return cl.nonzero(_band(_matrix("tril_indices_from", arr), k))


def triu_indices_from(arr, k=0):
    """:func:`triu_indices` of a matrix, where it is.

    Examples
    --------
    >>> import colocate as cl
    >>> [x.tolist() for x in cl.triu_indices_from(cl.ones((2, 2)))]
    [[0, 0, 1], [0, 1, 1]]
    """
    return cl.nonzero(cl.logical_not(_band(_matrix("triu_indices_from", arr), k - 1)))


def mask_indices(n, mask_func, k=0, *, device=None, queue=None, usm_type=None):
    """Row and column numbers of what a function such as :func:`triu` leaves of a square matrix.

    Examples
    --------
    >>> import colocate as cl
    >>> [x.tolist() for x in cl.mask_indices(2, lambda x, k: cl.triu(x, k=k))]
    [[0, 0, 1], [0, 1, 1]]
    """
    ones = _native.ones((n, n), "int64", device=device, queue=queue, usm_type=usm_type)
    return cl.nonzero(mask_func(ones, k) != 0)


def _write_diagonal(matrix, values, k):
    """Sets a diagonal of a contiguous matrix."""
    rows, columns = matrix.shape
    length = max(0, min(rows + min(k, 0), columns - max(k, 0)))
    if length:
        first = k if k >= 0 else -k * columns
        flat = cl.reshape(matrix, (-1,))
        flat[first : first + (length - 1) * (columns + 1) + 1 : columns + 1] = values


def diag(v, k=0):
    """The diagonal ``k`` of a matrix as a view, or a matrix with a vector on that diagonal.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.diag(cl.asarray([1, 2])).tolist()
    [[1, 0], [0, 2]]
    >>> cl.diag(cl.asarray([[1, 2], [3, 4]]), k=1).tolist()
    [2]
    """
    v = one_array("diag", v, "v")
    k = operator.index(k)
    if v.ndim == 2:
        return cl.diagonal(v, offset=k)
    if v.ndim != 1:
        raise InvalidArgumentError(f"diag: the array must be a vector or a matrix, not of {v.ndim} dimensions")
    extent = v.shape[0] + abs(k)
    result = cl.zeros_like(v, shape=(extent, extent))
    _write_diagonal(result, v, k)
    return result


def diagflat(v, k=0):
    """A matrix with the flattened array on its diagonal ``k``.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.diagflat(cl.asarray([[1], [2]])).tolist()
    [[1, 0], [0, 2]]
    """
    return diag(cl.reshape(one_array("diagflat", v, "v"), (-1,)), k)


def diag_indices(n, ndim=2, *, device=None, queue=None, usm_type=None):
    """Indices of the main diagonal of an array of ``ndim`` axes with ``n`` elements each.

    Examples
    --------
    >>> import colocate as cl
    >>> [x.tolist() for x in cl.diag_indices(2)]
    [[0, 1], [0, 1]]
    """
    return (_native.arange(n, device=device, queue=queue, usm_type=usm_type),) * ndim


def diag_indices_from(arr):
    """:func:`diag_indices` of an array whose axes are equally long, where it is.

    Examples
    --------
    >>> import colocate as cl
    >>> [x.tolist() for x in cl.diag_indices_from(cl.ones((2, 2)))]
    [[0, 1], [0, 1]]
    """
    arr = one_array("diag_indices_from", arr, "arr")
    if arr.ndim < 2 or len(set(arr.shape)) != 1:
        raise InvalidArgumentError(f"diag_indices_from: {arr.shape} is no shape of two or more equal extents")
    return diag_indices(arr.shape[0], arr.ndim, queue=arr.queue, usm_type=arr.usm_type)


def fill_diagonal(a, val, wrap=False):
    """Sets the main diagonal of an array in place.

    Parameters
    ----------
    a : array
        Of two axes, or of more that are equally long.
    val : scalar, array or list
        Repeated if it is too short.
    wrap : bool
        Whether the diagonal begins again at the end of a tall matrix.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.zeros((2, 2))
    >>> cl.fill_diagonal(x, 3)
    >>> x.tolist()
    [[3.0, 0.0], [0.0, 3.0]]
    """
    check("fill_diagonal", a=a, val=val)
    a = one_array("fill_diagonal", a, "a")
    if a.ndim < 2:
        raise InvalidArgumentError("fill_diagonal: the array must have two or more dimensions")
    if a.ndim == 2:
        step = a.shape[1] + 1
        stop = a.size if wrap else min(a.size, a.shape[1] * a.shape[1])
    else:
        if len(set(a.shape)) != 1:
            raise InvalidArgumentError("fill_diagonal: of more than two dimensions all must be equally long")
        step = 1 + sum(a.shape[0] ** power for power in range(1, a.ndim))
        stop = a.size
    contiguous = a.flags["c_contiguous"]
    target = a if contiguous else a.copy()
    flat = cl.reshape(target, (-1,))[0:stop:step]
    if flat.size:
        values = val if isinstance(val, _native.Array) else np.asarray(val)
        if values.ndim and values.size:
            values = values if isinstance(val, _native.Array) else cl.asarray(val, queue=a.queue)
            flat[...] = cl.resize(values, flat.shape)
        else:
            flat[...] = val
    if not contiguous:
        a[...] = target


def vander(x, N=None, increasing=False):
    """The matrix whose columns are powers of a vector.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.vander(cl.asarray([1, 2, 3]), 3).tolist()
    [[1, 1, 1], [4, 2, 1], [9, 3, 1]]
    """
    x = one_array("vander", x)
    if x.ndim != 1:
        raise InvalidArgumentError(f"vander: the array must be a vector, not of {x.ndim} dimensions")
    columns = x.shape[0] if N is None else operator.index(N)
    result = new([x], (x.shape[0], columns), np.result_type(x.dtype, np.int64))
    powers = result if increasing else result[:, ::-1]
    for power in range(columns):
        if power == 0:
            powers[:, 0] = 1
        else:
            powers[:, power] = powers[:, power - 1] * x
    return result
