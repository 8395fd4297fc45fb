"""Uniform, normal, exponential and gamma numbers, and what is made of gamma."""

import math

import numpy as np

import colocate as cl
from colocate._errors import InvalidArgumentError
from colocate.random import _parameters as p


class Continuous:
    """The most used continuous distributions of a generator."""

    __slots__ = ()

    def random(self, size=None, dtype=np.float64, out=None):
        """Uniform from 0 to below 1.

        Parameters
        ----------
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.
        dtype : optional
            float32 or float64.
        out : array, optional
            Takes the numbers.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> x = rng.random(1000)
        >>> float(x.min()) >= 0 and float(x.max()) < 1
        True
        """
        dtype = self._float_dtype("random", dtype)
        return self._fill("random", "uniform", (0.0, 1.0), size, dtype, out)

    def uniform(self, low=0.0, high=1.0, size=None, dtype=np.float64, out=None):
        """Uniform from `low` to below `high`.

        Parameters
        ----------
        low, high : numbers or arrays
            The range, which must be finite; `high` may be below `low`, as for NumPy's ``RandomState``.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.
        dtype : optional
            float32 or float64.
        out : array, optional
            Takes the numbers.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.uniform(-1, 1, size=(2, 3)).shape
        (2, 3)
        """
        dtype = self._float_dtype("uniform", dtype)
        low, high = p.number("uniform", "low", low), p.number("uniform", "high", high)
        span = high - low
        if p.is_array(span):
            if not bool(cl.all(cl.isfinite(span))):
                raise InvalidArgumentError("uniform: high - low must be finite")
        elif not math.isfinite(span):
            raise InvalidArgumentError(f"uniform: high - low must be finite, not {span!r}")
        return self._fill("uniform", "uniform", (low, high), size, dtype, out)

    def standard_normal(self, size=None, dtype=np.float64, out=None):
        """Normal with mean 0 and standard deviation 1.

        Parameters
        ----------
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.
        dtype : optional
            float32 or float64.
        out : array, optional
            Takes the numbers.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.standard_normal(5, dtype=cl.float32).dtype
        dtype('float32')
        """
        dtype = self._float_dtype("standard_normal", dtype)
        return self._fill("standard_normal", "normal", (0.0, 1.0), size, dtype, out)

    def normal(self, loc=0.0, scale=1.0, size=None, dtype=np.float64, out=None):
        """Normal, or Gaussian.

        Parameters
        ----------
        loc : number or array
            The mean.
        scale : number or array
            The standard deviation, at least 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.
        dtype : optional
            float32 or float64.
        out : array, optional
            Takes the numbers.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> means = cl.asarray([0.0, 100.0], device=rng.device)
        >>> rng.normal(means, 0.1, size=(5, 2)).shape
        (5, 2)
        """
        dtype = self._float_dtype("normal", dtype)
        named = (("loc", loc, p.ANY), ("scale", scale, p.NOT_NEGATIVE))
        return self._draw("normal", "normal", named, size, dtype, out)

    def lognormal(self, mean=0.0, sigma=1.0, size=None):
        """The exponential of a normal number.

        Parameters
        ----------
        mean, sigma : numbers or arrays
            Of the normal number; `sigma` is at least 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> float(rng.lognormal(size=10).min()) > 0
        True
        """
        return self._draw("lognormal", "lognormal", (("mean", mean, p.ANY), ("sigma", sigma, p.NOT_NEGATIVE)), size)

    def standard_exponential(self, size=None, dtype=np.float64, method="zig", out=None):
        """Exponential with mean 1.

        Parameters
        ----------
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.
        dtype : optional
            float32 or float64.
        method : {"zig", "inv"}
            Has no effect: here there is one method.
        out : array, optional
            Takes the numbers.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> float(rng.standard_exponential(10).min()) > 0
        True
        """
        if method not in ("zig", "inv"):
            raise InvalidArgumentError(f'standard_exponential: method={method!r}: write "zig" or "inv"')
        dtype = self._float_dtype("standard_exponential", dtype)
        return self._fill("standard_exponential", "exponential", (1.0,), size, dtype, out)

    def exponential(self, scale=1.0, size=None):
        """Exponential.

        Parameters
        ----------
        scale : number or array
            The mean, at least 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.exponential(2.0, size=4).shape
        (4,)
        """
        return self._draw("exponential", "exponential", (("scale", scale, p.NOT_NEGATIVE),), size)

    def standard_gamma(self, shape, size=None, dtype=np.float64, out=None):
        """Gamma with scale 1.

        Parameters
        ----------
        shape : number or array
            At least 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.
        dtype : optional
            float32 or float64.
        out : array, optional
            Takes the numbers.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.standard_gamma(2.5, size=4).shape
        (4,)
        """
        dtype = self._float_dtype("standard_gamma", dtype)
        named = (("shape", shape, p.NOT_NEGATIVE), ("scale", 1.0, p.NOT_NEGATIVE))
        return self._draw("standard_gamma", "gamma", named, size, dtype, out)

    def gamma(self, shape, scale=1.0, size=None):
        """Gamma.

        Parameters
        ----------
        shape, scale : numbers or arrays
            At least 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.gamma(2.5, 2.0, size=4).shape
        (4,)
        """
        return self._draw("gamma", "gamma", (("shape", shape, p.NOT_NEGATIVE), ("scale", scale, p.NOT_NEGATIVE)), size)

    def beta(self, a, b, size=None):
        """Beta.

        Parameters
        ----------
        a, b : numbers or arrays
            Above 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> float(rng.beta(2, 3, size=10).max()) <= 1
        True
        """
        return self._draw("beta", "beta", (("a", a, p.POSITIVE), ("b", b, p.POSITIVE)), size)

    def chisquare(self, df, size=None):
        """Chi-square.

        Parameters
        ----------
        df : number or array
            Degrees of freedom, above 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.chisquare(3, size=4).shape
        (4,)
        """
        return self._draw("chisquare", "chisquare", (("df", df, p.POSITIVE),), size)

    def noncentral_chisquare(self, df, nonc, size=None):
        """Noncentral chi-square.

        Parameters
        ----------
        df : number or array
            Degrees of freedom, above 0.
        nonc : number or array
            The noncentrality, at least 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.noncentral_chisquare(3, 20, size=4).shape
        (4,)
        """
        return self._draw(
            "noncentral_chisquare",
            "noncentral_chisquare",
            (("df", df, p.POSITIVE), ("nonc", nonc, p.NOT_NEGATIVE)),
            size,
        )

    def f(self, dfnum, dfden, size=None):
        """The F distribution, of a ratio of chi-square numbers.

        Parameters
        ----------
        dfnum, dfden : numbers or arrays
            Degrees of freedom of numerator and denominator, above 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.f(2, 10, size=4).shape
        (4,)
        """
        return self._draw("f", "f", (("dfnum", dfnum, p.POSITIVE), ("dfden", dfden, p.POSITIVE)), size)

    def standard_t(self, df, size=None):
        """Student's t.

        Parameters
        ----------
        df : number or array
            Degrees of freedom, above 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.standard_t(5, size=4).shape
        (4,)
        """
        return self._draw("standard_t", "standard_t", (("df", df, p.POSITIVE),), size)
