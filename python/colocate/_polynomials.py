"""Polynomials as arrays of coefficients, the highest power first."""

import operator

import numpy as np

import colocate as cl
from colocate import _native
from colocate._arguments import Array, beside, check, new, one_array, promoted, settled
from colocate._errors import DTypeError, InvalidArgumentError

__all__ = [
    "poly",
    "polyadd",
    "polyder",
    "polydiv",
    "polyfit",
    "polyint",
    "polymul",
    "polysub",
    "polyval",
    "roots",
]


def _coefficients(function, *given):
    """Vectors of coefficients in one place."""
    check(function, **{f"a{position + 1}": value for position, value in enumerate(given)})
    anchor = next(value for value in given if isinstance(value, Array))
    vectors = [cl.atleast_1d(beside(anchor, value)) for value in given]
    if any(vector.ndim != 1 for vector in vectors):
        raise InvalidArgumentError(f"{function}: coefficients are vectors")
    return vectors


def polyval(p, x):
    """The value of a polynomial at each element.

    Parameters
    ----------
    p : 1-d array or list of coefficients
        The polynomial.
    x : array or scalar
        Where.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.polyval([3, 0, 1], cl.asarray([1, 2])).tolist()
    [4, 13]
    """
    check("polyval", p=p, x=x)
    anchor = p if isinstance(p, Array) else x
    x = beside(anchor, x)
    if isinstance(p, Array):
        if p.ndim != 1:
            raise InvalidArgumentError("polyval: coefficients are a vector")
        factors, dtype = list(p), np.result_type(p.dtype, x.dtype)
    else:
        factors, dtype = list(p), np.result_type(np.asarray(p).dtype, x.dtype)
    result = cl.zeros_like(x, dtype)
    for factor in factors:
        result = result * x + factor
    return settled(result.asarray(dtype=dtype), p, x)


def _aligned(a1, a2):
    """Both as long as the longer one, with zeros in front."""
    length, dtype = max(a1.size, a2.size), promoted([a1, a2])
    results = []
    for a in (a1, a2):
        longer = cl.zeros_like(a, dtype, shape=(length,))
        longer[length - a.size :] = a
        results.append(longer)
    return results


def polyadd(a1, a2):
    """The sum of two polynomials.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.polyadd(cl.asarray([1, 2]), cl.asarray([9, 5, 4])).tolist()
    [9, 6, 6]
    """
    a1, a2 = _aligned(*_coefficients("polyadd", a1, a2))
    return a1 + a2


def polysub(a1, a2):
    """The difference of two polynomials.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.polysub(cl.asarray([2, 10, -2]), cl.asarray([3, 10, -4])).tolist()
    [-1, 0, 2]
    """
    a1, a2 = _aligned(*_coefficients("polysub", a1, a2))
    return a1 - a2


def polymul(a1, a2):
    """The product of two polynomials.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.polymul(cl.asarray([1, 2, 3]), cl.asarray([9, 5, 1])).tolist()
    [9, 23, 38, 17, 3]
    """
    return cl.convolve(*map(_without_leading_zeros, _coefficients("polymul", a1, a2)))


def _without_leading_zeros(p):
    """The shortest vector for a polynomial; the one that is zero everywhere has one coefficient, too."""
    trimmed = cl.trim_zeros(p, "f")
    return trimmed if trimmed.size else cl.zeros_like(p, shape=(1,))


def polydiv(u, v):
    """The quotient and the remainder of two polynomials.

    Examples
    --------
    >>> import colocate as cl
    >>> quotient, rest = cl.polydiv(cl.asarray([3.0, 5.0, 2.0]), cl.asarray([2.0, 1.0]))
    >>> quotient.tolist(), rest.tolist()
    ([1.5, 1.75], [0.25])
    """
    _native._check_placement("polydiv", u=u, v=v)
    u, v = _coefficients("polydiv", u, v)
    # A float of Python's makes floats of integers, and floats no wider.
    dtype = np.result_type(u.dtype, v.dtype, 1.0)
    rest, v = u.asarray(dtype=dtype, copy=True), v.asarray(dtype=dtype)
    steps = u.size - v.size + 1
    quotient = cl.zeros_like(rest, shape=(max(steps, 1),))
    for step in range(steps):
        factor = rest[step] / v[0]
        quotient[step] = factor
        rest[step : step + v.size] -= factor * v
    close = cl.asnumpy(cl.isclose(rest, 0, rtol=1e-14))
    first = int(np.argmin(close)) if not close.all() else close.size - 1
    return settled(quotient, u, v), settled(rest[first:], u, v)


def polyder(p, m=1):
    """The derivative of a polynomial.

    Parameters
    ----------
    p : 1-d array of coefficients
        The polynomial.
    m : int
        How many times.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.polyder(cl.asarray([1, 1, 1, 1])).tolist()
    [3, 2, 1]
    """
    (p,) = _coefficients("polyder", p)
    m = operator.index(m)
    if m < 0:
        raise InvalidArgumentError("polyder: a derivative is of an order from 0 on; polyint integrates")
    for _ in range(m):
        powers = cl.arange(p.size - 1, 0, -1, queue=p.queue, usm_type=p.usm_type)
        p = p[:-1] * powers
    return p


def polyint(p, m=1, k=None):
    """The integral of a polynomial.

    Parameters
    ----------
    p : 1-d array of coefficients
        The polynomial.
    m : int
        How many times.
    k : scalar or sequence of scalars, optional
        The constants of integration; zeros if not given.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.polyint(cl.asarray([3.0, 2.0, 1.0])).tolist()
    [1.0, 1.0, 1.0, 0.0]
    """
    (p,) = _coefficients("polyint", p)
    m = operator.index(m)
    if m < 0:
        raise InvalidArgumentError("polyint: an integral is of an order from 0 on; polyder differentiates")
    constants = np.zeros(m) if k is None else np.atleast_1d(cl.asnumpy(k) if isinstance(k, Array) else k)
    if constants.size == 1 and m > 1:
        constants = np.full(m, constants[0])
    if constants.size < m:
        raise InvalidArgumentError(f"polyint: {constants.size} constants do not fit {m} integrations")
    for step in range(m):
        powers = cl.arange(p.size, 0, -1, queue=p.queue, usm_type=p.usm_type)
        divided = p / powers
        p = new([p], (p.size + 1,), np.result_type(divided.dtype, constants.dtype))
        p[:-1] = divided
        p[-1] = constants[step].item()
    return p


def poly(seq_of_zeros):
    """The coefficients of the polynomial with these roots, or of a matrix' characteristic one.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.poly(cl.asarray([1.0, 2.0])).tolist()
    [1.0, -3.0, 2.0]
    """
    zeros = cl.atleast_1d(one_array("poly", seq_of_zeros, "seq_of_zeros"))
    if zeros.ndim == 2 and zeros.size:
        zeros = cl.linalg.eigvals(zeros)
    if zeros.ndim != 1:
        raise InvalidArgumentError("poly: roots are a vector, or a square matrix has them")
    # As in NumPy: halves are too short for products of many factors.
    dtype = zeros.dtype if zeros.dtype.kind in "fc" and zeros.dtype != np.float16 else np.dtype("float64")
    if zeros.size == 0:
        return cl.ones_like(zeros, "float64", shape=())
    result = cl.ones_like(zeros, dtype, shape=(1,))
    for zero in zeros:
        longer = cl.zeros_like(result, shape=(result.size + 1,))
        longer[:-1] = result
        longer[1:] -= result * zero
        result = longer
    if dtype.kind == "c":
        host = np.sort(cl.asnumpy(zeros))
        if np.all(host == np.sort(host.conj())):
            return cl.real(result).copy()
    return result


def roots(p):
    """The roots of a polynomial, in no particular order; real ones if all roots of real coefficients are.

    Examples
    --------
    >>> import colocate as cl
    >>> sorted(round(x, 6) for x in cl.roots(cl.asarray([1.0, -3.0, 2.0])).tolist())
    [1.0, 2.0]
    """
    (p,) = _coefficients("roots", p)
    found = np.flatnonzero(cl.asnumpy(p))
    if found.size == 0:
        return cl.empty_like(p, "float64", shape=(0,))
    trailing = p.size - int(found[-1]) - 1
    p = p[int(found[0]) : int(found[-1]) + 1]
    p = p if p.dtype.kind in "fc" else p.asarray(dtype="float64")
    if p.size < 2:
        return cl.zeros_like(p, "float64", shape=(trailing,))
    companion = cl.zeros_like(p, shape=(p.size - 1, p.size - 1))
    if p.size > 2:
        companion[1:, :-1] = cl.eye(p.size - 2, dtype=p.dtype, queue=p.queue)
    companion[0] = -p[1:] / p[0]
    values = cl.linalg.eigvals(companion)
    if p.dtype.kind == "f" and not bool(cl.any(cl.imag(values))):
        values = cl.real(values).copy()
    if trailing:
        values = cl.concat([values, cl.zeros_like(values, shape=(trailing,))])
    return values


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """The polynomial of a degree that fits points best, by least squares.

    Parameters
    ----------
    x : 1-d array
        Where the points are.
    y : 1-d array, or 2-d array of several columns
        Their values.
    deg : int, or float that is rounded towards zero
        The degree.
    rcond : float, optional
        How small a singular value counts as zero, relative to the largest.
    full : bool
        Whether to return residuals, rank, singular values and ``rcond``, too.
    w : 1-d array, optional
        Weights of the points.
    cov : bool or "unscaled"
        Whether to return the covariance of the coefficients, too.

    Examples
    --------
    >>> import colocate as cl
    >>> p = cl.polyfit(cl.asarray([0.0, 1.0, 2.0]), cl.asarray([1.0, 3.0, 5.0]), 1)
    >>> [round(x, 6) for x in p.tolist()]
    [2.0, 1.0]
    """
    check("polyfit", x=x, y=y, w=w)
    x, y = one_array("polyfit", x), one_array("polyfit", y, "y")
    order = int(deg) + 1
    if order < 1:
        raise InvalidArgumentError("polyfit: the degree must not be negative")
    if x.ndim != 1 or y.ndim not in (1, 2) or x.size == 0 or x.shape[0] != y.shape[0]:
        raise DTypeError(f"polyfit: x of {x.shape} and y of {y.shape} are no points")
    x = x if x.dtype.kind in "fc" else x.asarray(dtype="float64")
    y = y if y.dtype.kind in "fc" else y.asarray(dtype="float64")
    rcond = x.size * float(np.finfo(x.dtype).eps) if rcond is None else rcond
    left, right = cl.vander(x, order), y
    if w is not None:
        w = beside(x, w).asarray(dtype=x.dtype)
        if w.shape != x.shape:
            raise DTypeError(f"polyfit: weights of {w.shape} do not fit {x.shape}")
        left = left * w[:, None]
        right = right * (w[:, None] if right.ndim == 2 else w)
    scale = cl.sqrt(cl.sum(cl.abs(left) ** 2, axis=0))
    left = left / scale
    solution, residuals, rank, singular = cl.linalg.lstsq(left, right, rcond)
    solution = (solution.T / scale).T
    if full:
        return solution, residuals, rank, singular, rcond
    if not cov:
        return solution
    inverse = cl.linalg.inv(cl.matmul(left.T, left)) / (scale[:, None] * scale)
    inverse = inverse if y.ndim == 1 else inverse[:, :, None]
    if cov == "unscaled":
        return solution, inverse
    if x.size <= order:
        raise InvalidArgumentError("polyfit: there are too few points for a covariance")
    return solution, inverse * (residuals / (x.size - order))
