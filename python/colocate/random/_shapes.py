"""Continuous distributions of particular shapes."""

import numpy as np

from colocate._errors import InvalidArgumentError
from colocate.random import _parameters as p


class Shapes:
    """The other continuous distributions of a generator."""

    __slots__ = ()

    def laplace(self, loc=0.0, scale=1.0, size=None):
        """Laplace: exponential to both sides.

        Parameters
        ----------
        loc : number or array
            The middle.
        scale : number or array
            At least 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.laplace(size=4).shape
        (4,)
        """
        return self._draw("laplace", "laplace", (("loc", loc, p.ANY), ("scale", scale, p.NOT_NEGATIVE)), size)

    def logistic(self, loc=0.0, scale=1.0, size=None):
        """Logistic.

        Parameters
        ----------
        loc : number or array
            The middle.
        scale : number or array
            At least 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.logistic(size=4).shape
        (4,)
        """
        return self._draw("logistic", "logistic", (("loc", loc, p.ANY), ("scale", scale, p.NOT_NEGATIVE)), size)

    def gumbel(self, loc=0.0, scale=1.0, size=None):
        """Gumbel, of the largest of many numbers.

        Parameters
        ----------
        loc : number or array
            The mode.
        scale : number or array
            At least 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.gumbel(size=4).shape
        (4,)
        """
        return self._draw("gumbel", "gumbel", (("loc", loc, p.ANY), ("scale", scale, p.NOT_NEGATIVE)), size)

    def standard_cauchy(self, size=None):
        """Cauchy with mode 0: the ratio of two normal numbers.

        Parameters
        ----------
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.standard_cauchy(4).shape
        (4,)
        """
        return self._draw("standard_cauchy", "standard_cauchy", (), size)

    def rayleigh(self, scale=1.0, size=None):
        """Rayleigh: the length of a vector of two normal numbers.

        Parameters
        ----------
        scale : number or array
            The mode, at least 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> float(rng.rayleigh(size=9).min()) > 0
        True
        """
        return self._draw("rayleigh", "rayleigh", (("scale", scale, p.NOT_NEGATIVE),), size)

    def weibull(self, a, size=None):
        """Weibull with scale 1.

        Parameters
        ----------
        a : number or array
            The shape, at least 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.weibull(1.5, size=4).shape
        (4,)
        """
        return self._draw("weibull", "weibull", (("a", a, p.NOT_NEGATIVE),), size)

    def pareto(self, a, size=None):
        """Pareto of the second kind, or Lomax, which begins at 0.

        Parameters
        ----------
        a : number or array
            The shape, above 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> float(rng.pareto(3, size=9).min()) > 0
        True
        """
        return self._draw("pareto", "pareto", (("a", a, p.POSITIVE),), size)

    def power(self, a, size=None):
        """From 0 to 1 with density a·x^(a - 1).

        Parameters
        ----------
        a : number or array
            Above 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> float(rng.power(3, size=9).max()) < 1
        True
        """
        return self._draw("power", "power", (("a", a, p.POSITIVE),), size)

    def triangular(self, left, mode, right, size=None):
        """A triangle of density over an interval.

        Parameters
        ----------
        left, mode, right : numbers or arrays
            In this order; `left` is below `right`.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> x = rng.triangular(0, 1, 5, size=9)
        >>> 0 < float(x.min()) and float(x.max()) < 5
        True
        """
        names = ("left", "mode", "right")
        given = [p.number("triangular", name, x) for name, x in zip(names, (left, mode, right), strict=True)]
        left, mode, right = given
        for smaller, larger, text in ((left, mode, "left <= mode"), (mode, right, "mode <= right")):
            if p.fails(larger - smaller, lambda x: x >= 0):
                raise InvalidArgumentError(f"triangular: {text} must hold")
        if p.fails(right - left, lambda x: x > 0):
            raise InvalidArgumentError("triangular: left < right must hold")
        return self._fill("triangular", "triangular", (left, mode, right), size, np.float64)

    def vonmises(self, mu, kappa, size=None):
        """Von Mises: an angle about `mu`, from -π to π.

        Parameters
        ----------
        mu : number or array
            The mode.
        kappa : number or array
            The concentration, at least 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.vonmises(0.0, 4.0, size=4).shape
        (4,)
        """
        return self._draw("vonmises", "vonmises", (("mu", mu, p.ANY), ("kappa", kappa, p.NOT_NEGATIVE)), size)

    def wald(self, mean, scale, size=None):
        """Wald, or inverse Gaussian.

        Parameters
        ----------
        mean, scale : numbers or arrays
            Above 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> float(rng.wald(3, 2, size=9).min()) > 0
        True
        """
        return self._draw("wald", "wald", (("mean", mean, p.POSITIVE), ("scale", scale, p.POSITIVE)), size)

    def noncentral_f(self, dfnum, dfden, nonc, size=None):
        """The noncentral F distribution.

        Parameters
        ----------
        dfnum, dfden : numbers or arrays
            Degrees of freedom of numerator and denominator, above 0.
        nonc : number or array
            The noncentrality of the numerator, at least 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.noncentral_f(3, 20, 3.0, size=4).shape
        (4,)
        """
        arrays = [x for x in (dfnum, dfden, nonc) if p.is_array(x)]
        size = p.result_shape("noncentral_f", arrays, size)
        above = self.noncentral_chisquare(dfnum, nonc, size)
        below = self.chisquare(dfden, size)
        return (above * dfden) / (below * dfnum)
