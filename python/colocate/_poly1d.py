"""Polynomials as objects, whose coefficients are an array on a queue."""

import operator

import numpy as np

import colocate as cl
from colocate import _native
from colocate._arguments import beside
from colocate._errors import InvalidArgumentError
from colocate._polynomials import poly, polyadd, polyder, polydiv, polyint, polymul, polysub, polyval, roots

__all__ = [
    "poly1d",
]


class poly1d:
    """A polynomial in one variable.

    Its leading coefficients are looked at, for which the call waits: zeros are left out.

    Parameters
    ----------
    c_or_r : array or list
        The coefficients, the highest power first, or the roots.
    r : bool
        Whether they are roots.
    variable : str, optional
        What the variable is called in print; default: ``"x"``.
    device, queue, usm_type : optional
        Where the coefficients of a list go; as for :func:`asarray`.

    Examples
    --------
    >>> import colocate as cl
    >>> p = cl.poly1d([1, 2, 3])
    >>> print(p)
       2
    1 x + 2 x + 3
    >>> p(cl.asarray([0, 1])).tolist(), (p * p).coeffs.tolist(), p.deriv().coeffs.tolist()
    ([3, 6], [1, 4, 10, 12, 9], [2, 2])
    """

    # Above NumPy's arrays, which would take the polynomial for a sequence.
    __array_priority__ = 100.0
    __hash__ = None

    def __init__(self, c_or_r, r=False, variable=None, *, device=None, queue=None, usm_type=None):
        if isinstance(c_or_r, poly1d):
            variable = variable or c_or_r.variable
            c_or_r = c_or_r.coeffs
        given = cl.atleast_1d(_native.asarray(c_or_r, device=device, queue=queue, usm_type=usm_type))
        if r:
            given = poly(given)
        if given.ndim != 1:
            raise InvalidArgumentError("poly1d: coefficients are a vector")
        self._coefficients = _without_leading_zeros(given)
        self.variable = "x" if variable is None else variable

    @property
    def coeffs(self):
        """The coefficients, the highest power first."""
        return self._coefficients

    c = coef = coefficients = coeffs

    @property
    def order(self):
        """The highest power."""
        return self._coefficients.size - 1

    o = order

    @property
    def roots(self):
        """Where the polynomial is zero."""
        return roots(self._coefficients)

    r = roots

    def __call__(self, x):
        if not isinstance(x, poly1d):
            return polyval(self._coefficients, x)
        result = self._made(0)
        for factor in self._coefficients:
            result = result * x + factor
        return result

    def deriv(self, m=1):
        """The derivative, taken ``m`` times.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.poly1d([1, 1, 1]).deriv().coeffs.tolist()
        [2, 1]
        """
        return self._made(polyder(self._coefficients, m))

    def integ(self, m=1, k=0):
        """The integral, taken ``m`` times, with constants ``k``.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.poly1d([2.0, 1.0]).integ(k=5).coeffs.tolist()
        [1.0, 1.0, 5.0]
        """
        return self._made(polyint(self._coefficients, m, k))

    def _made(self, coefficients):
        """A polynomial where this one is, of an empty array the zero."""
        coefficients = beside(self._coefficients, coefficients)
        if coefficients.size == 0:
            coefficients = cl.zeros_like(self._coefficients, shape=(1,))
        return poly1d(coefficients, variable=self.variable)

    def _combined(self, function, other, swapped=False):
        other = other.coeffs if isinstance(other, poly1d) else beside(self._coefficients, other)
        both = (other, self._coefficients) if swapped else (self._coefficients, other)
        return self._made(function(*both))

    def __add__(self, other):
        return self._combined(polyadd, other)

    __radd__ = __add__

    def __sub__(self, other):
        return self._combined(polysub, other)

    def __rsub__(self, other):
        return self._combined(polysub, other, swapped=True)

    def __mul__(self, other):
        return self._combined(polymul, other)

    __rmul__ = __mul__

    def __truediv__(self, other):
        if not isinstance(other, poly1d):
            return self._made(self._coefficients / other)
        quotient, rest = polydiv(self._coefficients, other.coeffs)
        return self._made(quotient), self._made(rest)

    def __pow__(self, power):
        power = operator.index(power)
        if power < 0:
            raise InvalidArgumentError("poly1d: powers of polynomials are not negative")
        result = self._made(cl.ones_like(self._coefficients, shape=(1,)))
        for _ in range(power):
            result = result * self
        return result

    def __neg__(self):
        return self._made(-self._coefficients)

    def __pos__(self):
        return self

    def __eq__(self, other):
        if not isinstance(other, poly1d):
            return NotImplemented
        return self.coeffs.shape == other.coeffs.shape and bool(cl.all(self.coeffs == other.coeffs))

    def __getitem__(self, power):
        if not 0 <= power <= self.order:
            return cl.zeros_like(self._coefficients, shape=())
        return self._coefficients[self.order - power]

    def __setitem__(self, power, value):
        if power < 0:
            raise InvalidArgumentError("poly1d: there are no negative powers")
        if power > self.order:
            longer = cl.zeros_like(self._coefficients, shape=(power + 1,))
            longer[power - self.order :] = self._coefficients
            self._coefficients = longer
        self._coefficients[self.order - power] = value

    def __len__(self):
        return self.order

    def __iter__(self):
        return iter(self._coefficients)

    def __str__(self):
        return str(np.poly1d(_native.asnumpy(self._coefficients), variable=self.variable))

    def __repr__(self):
        return f"poly1d({self._coefficients!r})"


def _without_leading_zeros(coefficients):
    found = np.flatnonzero(_native.asnumpy(coefficients))
    first = int(found[0]) if found.size else max(coefficients.size - 1, 0)
    # A copy: setting a coefficient must not change the caller's array.
    return coefficients[first:].copy() if coefficients.size else cl.zeros_like(coefficients, shape=(1,))


poly1d.__module__ = "colocate"
