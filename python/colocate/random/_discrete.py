"""Distributions of whole numbers."""

import numpy as np

import colocate as cl
from colocate._errors import InvalidArgumentError
from colocate.random import _parameters as q

_WORDS = 1 << 64


class Discrete:
    """The discrete distributions of a generator."""

    __slots__ = ()

    def integers(self, low, high=None, size=None, dtype=np.int64, endpoint=False):
        """Whole numbers from `low` to below `high`, each with exactly the same probability.

        Parameters
        ----------
        low, high : integers or arrays of integers
            Without `high`, from 0 to below `low`. Floats are rounded towards zero.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.
        dtype : optional
            Any integer dtype, or bool.
        endpoint : bool
            Whether `high` is one of the numbers.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> dice = rng.integers(1, 6, size=1000, endpoint=True)
        >>> int(dice.min()), int(dice.max())
        (1, 6)
        """
        dtype = np.dtype(dtype)
        if dtype.kind not in "biu":
            raise TypeError(f"integers: dtype {dtype} is not supported; write an integer dtype or bool")
        if high is None:
            low, high = 0, low
        low, high = (int(end) if isinstance(end, float | np.floating) else end for end in (low, high))
        low, high = q.whole("integers", "low", low), q.whole("integers", "high", high)
        least, most = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        if q.is_array(low) or q.is_array(high):
            return self._integers_between(low, high, size, dtype, endpoint, int(least), int(most))
        last = high if endpoint else high - 1
        if low < least:
            raise InvalidArgumentError(f"integers: low={low} is out of bounds for {dtype}")
        if last > most:
            raise InvalidArgumentError(f"integers: high={high} is out of bounds for {dtype}")
        if low > last:
            raise InvalidArgumentError(f"integers: low={low} must be {'at most' if endpoint else 'below'} high={high}")
        count = last - low + 1
        kind, bits = ("single", 32) if count <= 1 << 32 else ("double", 64)
        parameters = (low % _WORDS, count % _WORDS, (1 << bits) % count)
        return self._fill("integers", f"integers_below_{kind}", parameters, size, dtype)

    def _integers_between(self, low, high, size, dtype, endpoint, least, most):
        for name, x, top in (("low", low, most), ("high", high, most + (not endpoint))):
            info = np.iinfo(x.dtype) if q.is_array(x) and x.dtype.kind != "b" else None
            lowest, highest = (x, x) if not q.is_array(x) else (info.min, info.max) if info else (0, 1)
            too_low = lowest < least and q.fails(x, lambda x: x >= least)
            too_high = highest > top and q.fails(x, lambda x, top=top: x <= top)
            if too_low or too_high:
                raise InvalidArgumentError(f"integers: {name} is out of bounds for {dtype}")
        if not bool(cl.all(low <= high if endpoint else low < high)):
            raise InvalidArgumentError(f"integers: low must be {'at most' if endpoint else 'below'} high everywhere")
        # Modulo 2**64, as the kernel computes.
        first, last = (x.astype(np.uint64) if q.is_array(x) else x % _WORDS for x in (low, high))
        if not endpoint:
            last = last - 1 if q.is_array(last) else (last - 1) % _WORDS
        return self._fill("integers", "integers_between", (first, last), size, dtype)

    def bytes(self, length):
        """Random bytes, on the host.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> len(rng.bytes(10))
        10
        """
        length = q.whole("bytes", "length", length)
        if length < 0:
            raise InvalidArgumentError(f"bytes: length must be at least 0, not {length}")
        words = self._fill("bytes", "bits", (), (-(-length // 4),), np.uint32)
        return cl.asnumpy(words).astype("<u4").tobytes()[:length]

    def poisson(self, lam=1.0, size=None):
        """Poisson.

        Parameters
        ----------
        lam : number or array
            The mean, at least 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.poisson(4.0, size=4).dtype
        dtype('int64')
        """
        return self._draw("poisson", "poisson", (("lam", lam, q.POISSON_MEAN),), size, np.int64)

    def binomial(self, n, p, size=None):
        """Successes among `n` trials.

        Parameters
        ----------
        n : integer or array of integers
            At least 0.
        p : number or array
            The probability of a success.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> int(rng.binomial(10, 0.5, size=100).max()) <= 10
        True
        """
        n = q.whole("binomial", "n", n)
        named = (("n", n, q.COUNT), ("p", p, q.PROBABILITY))
        return self._draw("binomial", "binomial", named, size, np.int64)

    def geometric(self, p, size=None):
        """Trials up to the first success.

        Parameters
        ----------
        p : number or array
            The probability of a success, above 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> int(rng.geometric(0.5, size=100).min())
        1
        """
        named = (("p", p, q.POSITIVE_PROBABILITY),)
        return self._draw("geometric", "geometric", named, size, np.int64)

    def negative_binomial(self, n, p, size=None):
        """Failures before the `n`-th success.

        Parameters
        ----------
        n : number or array
            Above 0; need not be whole.
        p : number or array
            The probability of a success, above 0.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.negative_binomial(3, 0.5, size=4).shape
        (4,)
        """
        named = (("n", n, q.POSITIVE), ("p", p, q.POSITIVE_PROBABILITY))
        return self._draw("negative_binomial", "negative_binomial", named, size, np.int64)

    def hypergeometric(self, ngood, nbad, nsample, size=None):
        """Good ones among `nsample` drawn from an urn without putting back.

        Parameters
        ----------
        ngood, nbad, nsample : integers or arrays of integers
            From 0 to 10**9; `nsample` is at most ``ngood + nbad``.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> int(rng.hypergeometric(15, 10, 5, size=100).max()) <= 5
        True
        """
        names = ("ngood", "nbad", "nsample")
        given = [q.whole("hypergeometric", name, x) for name, x in zip(names, (ngood, nbad, nsample), strict=True)]
        for name, x in zip(names, given, strict=True):
            q.check("hypergeometric", name, x, q.URN)
        good, bad, sample = given
        if q.fails(good + bad - sample, lambda x: x >= 0):
            raise InvalidArgumentError("hypergeometric: nsample must be at most ngood + nbad")
        return self._fill("hypergeometric", "hypergeometric", tuple(given), size, np.int64)

    def zipf(self, a, size=None):
        """Zipf, or zeta: `k` has a probability in proportion to ``k**-a``.

        Parameters
        ----------
        a : number or array
            Above 1.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> int(rng.zipf(2.0, size=100).min())
        1
        """
        return self._draw("zipf", "zipf", (("a", a, q.ABOVE_ONE),), size, np.int64)

    def logseries(self, p, size=None):
        """The logarithmic series distribution: `k` has a probability in proportion to ``p**k / k``.

        Parameters
        ----------
        p : number or array
            From 0 to below 1.
        size : int or tuple of int, optional
            Default: the shape of the parameters together; of numbers alone, ``()``.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> int(rng.logseries(0.6, size=100).min())
        1
        """
        return self._draw("logseries", "logseries", (("p", p, q.BELOW_ONE),), size, np.int64)
