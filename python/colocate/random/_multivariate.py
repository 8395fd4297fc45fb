"""Distributions of vectors."""

import operator
import warnings

import numpy as np

import colocate as cl
from colocate import _native
from colocate._errors import InvalidArgumentError
from colocate.random import _parameters as p


class Multivariate:
    """The distributions of a generator whose draws are vectors."""

    __slots__ = ()

    def multivariate_normal(self, mean, cov, size=None, check_valid="warn", tol=1e-8, *, method="svd"):
        """Normal vectors.

        Parameters
        ----------
        mean : array or list
            n numbers.
        cov : array or nested list, n by n
            The covariance, symmetric and without negative eigenvalues. It is factored on the host.
        size : int or tuple of int, optional
            How many vectors; default: one.
        check_valid : {"warn", "raise", "ignore"}
            What is done if `cov` is no covariance.
        tol : float
            How far from symmetric and from positive it may be.
        method : {"svd", "eigh", "cholesky"}
            How it is factored.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.multivariate_normal([0.0, 1.0], [[2.0, 0.5], [0.5, 1.0]], size=5).shape
        (5, 2)
        """
        if method not in ("svd", "eigh", "cholesky"):
            raise InvalidArgumentError(f'multivariate_normal: method={method!r}: write "svd", "eigh" or "cholesky"')
        if check_valid not in ("warn", "raise", "ignore"):
            raise InvalidArgumentError(
                f'multivariate_normal: check_valid={check_valid!r}: write "warn", "raise" or "ignore"'
            )
        p.check_place("multivariate_normal", self.queue, mean=mean, cov=cov)
        mean = p.host_values("multivariate_normal", "mean", mean)
        cov = p.host_values("multivariate_normal", "cov", cov)
        count = mean.shape[0] if mean.ndim == 1 else -1
        if cov.shape != (count, count):
            raise InvalidArgumentError(
                f"multivariate_normal: mean has shape {mean.shape} and cov {cov.shape}; (n,) and (n, n) are needed"
            )
        factor, valid = _factor(cov, method, tol)
        if not valid and check_valid != "ignore":
            text = "multivariate_normal: cov is not symmetric positive-semidefinite"
            if check_valid == "raise":
                raise InvalidArgumentError(text)
            warnings.warn(text, RuntimeWarning, stacklevel=2)
        shape = () if size is None else p.shape_of(size)
        rows = int(np.prod(shape, dtype=np.int64))
        z = self.standard_normal((rows, count))
        factor, mean = (cl.asarray(np.ascontiguousarray(x), queue=self.queue) for x in (factor, mean))
        return cl.reshape(_native._combine_rows(z, factor, mean), (*shape, count))

    def dirichlet(self, alpha, size=None):
        """Vectors of positive numbers that sum to 1.

        Parameters
        ----------
        alpha : array or list of n numbers
            At least 0, and one of them more. Where it is 0, so is the number.
        size : int or tuple of int, optional
            How many vectors; default: one.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> x = rng.dirichlet([1.0, 2.0, 3.0], size=4)
        >>> x.shape, bool(abs(float(x[0].sum()) - 1) < 1e-12)
        ((4, 3), True)
        """
        if not p.is_array(alpha):
            alpha = cl.asarray(p.host_values("dirichlet", "alpha", alpha), queue=self.queue)
        if alpha.ndim != 1 or alpha.size == 0:
            raise InvalidArgumentError(f"dirichlet: alpha has shape {tuple(alpha.shape)}; (n,) is needed")
        p.check("dirichlet", "alpha", alpha, p.NOT_NEGATIVE)
        if not bool(cl.any(alpha > 0)):
            raise InvalidArgumentError("dirichlet: alpha is 0 everywhere, and no numbers of that sum to 1")
        shape = () if size is None else p.shape_of(size)
        rows = int(np.prod(shape, dtype=np.int64))
        x = self._fill("dirichlet", "log_gamma", (alpha,), (rows, alpha.size), np.float64)
        _native._normalise_logarithms(x)
        return cl.reshape(x, (*shape, alpha.size))

    def multinomial(self, n, pvals, size=None):
        """How `n` trials fall on categories.

        Parameters
        ----------
        n : integer or array of integers
            At least 0.
        pvals : array or list of numbers
            The probabilities, along the last axis; they sum to 1, or to less, which is left to the last one.
            They are checked on the host.
        size : int or tuple of int, optional
            Default: the shape of `n` and of `pvals` without its last axis.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> x = rng.multinomial(20, [1 / 6] * 6, size=3)
        >>> x.shape, x.sum(axis=1).tolist()
        ((3, 6), [20, 20, 20])
        """
        p.check_place("multinomial", self.queue, n=n, pvals=pvals)
        n = p.whole("multinomial", "n", n)
        p.check("multinomial", "n", n, p.COUNT)
        values = p.host_values("multinomial", "pvals", pvals)
        if values.ndim == 0 or values.shape[-1] == 0:
            raise InvalidArgumentError("multinomial: pvals must have at least one category")
        if not np.all((values >= 0) & (values <= 1)):
            raise InvalidArgumentError("multinomial: pvals must be from 0 to 1")
        if np.any(values[..., :-1].sum(axis=-1) > 1.0 + 1e-12):
            raise InvalidArgumentError("multinomial: pvals[:-1] must sum to at most 1")
        shapes = [values.shape[:-1]] + ([tuple(n.shape)] if p.is_array(n) else [])
        together = np.broadcast_shapes(*shapes)
        shape = together if size is None else p.shape_of(size)
        try:
            fits = np.broadcast_shapes(together, shape) == shape
        except ValueError:
            fits = False
        if not fits:
            raise InvalidArgumentError(
                f"multinomial: the parameters have shape {together} together, which cannot be broadcast to {shape}"
            )
        categories = values.shape[-1]
        rows = int(np.prod(shape, dtype=np.int64))
        if values.ndim == 1:
            values = values[None, :]
        else:
            values = np.broadcast_to(values, (*shape, categories)).reshape(rows, categories)
        values = cl.asarray(np.ascontiguousarray(values), queue=self.queue)
        if p.is_array(n):
            trials = cl.asarray(cl.broadcast_to(n.astype(np.int64), shape), copy=True)
            trials = cl.reshape(trials, (rows,))
        else:
            trials = cl.full((rows,), n, dtype=np.int64, queue=self.queue)
        out = cl.empty((rows, categories), dtype=np.int64, queue=self.queue)
        self._bit_generator._stream.multinomial(trials, values, out)
        return cl.reshape(out, (*shape, categories))

    def multivariate_hypergeometric(self, colors, nsample, size=None, method="marginals"):
        """How many of each colour are among `nsample` drawn from an urn without putting back.

        Parameters
        ----------
        colors : array or list of integers
            How many of each colour there are; they are read on the host.
        nsample : int
            At most their sum.
        size : int or tuple of int, optional
            How many draws; default: one.
        method : {"marginals", "count"}
            NumPy's; the numbers are the same for both.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> x = rng.multivariate_hypergeometric([16, 8, 4], 6, size=3)
        >>> x.shape, x.sum(axis=1).tolist()
        ((3, 3), [6, 6, 6])
        """
        name = "multivariate_hypergeometric"
        if method not in ("marginals", "count"):
            raise InvalidArgumentError(f'{name}: method={method!r}: write "marginals" or "count"')
        p.check_place(name, self.queue, colors=colors)
        counts = p.host_values(name, "colors", colors)
        if counts.ndim != 1 or (counts.dtype.kind not in "iu" and np.any(counts != np.floor(counts))):
            raise InvalidArgumentError(f"{name}: colors must be a vector of integers")
        if np.any(counts < 0):
            raise InvalidArgumentError(f"{name}: colors must be at least 0")
        nsample = operator.index(nsample)
        left = int(counts.sum())
        if not 0 <= nsample <= left:
            raise InvalidArgumentError(f"{name}: nsample must be from 0 to the sum of colors, {left}")
        shape = () if size is None else p.shape_of(size)
        out = cl.zeros((*shape, counts.size), dtype=np.int64, queue=self.queue)
        drawn = cl.full(shape, nsample, dtype=np.int64, queue=self.queue)
        # One colour after the other, each against all that come after it.
        for colour, count in enumerate(counts[:-1].tolist()):
            left -= int(count)
            out[..., colour] = self.hypergeometric(int(count), left, drawn, size=shape)
            drawn = drawn - out[..., colour]
        if counts.size:
            out[..., -1] = drawn
        return out


def _factor(cov, method, tol):
    """What normal rows are multiplied by, and whether the covariance is one."""
    symmetric = np.allclose(cov, cov.T, rtol=tol, atol=tol)
    if method == "cholesky":
        return np.linalg.cholesky(cov).T, symmetric
    if method == "eigh":
        values, vectors = np.linalg.eigh(cov)
        valid = symmetric and not np.any(values < -tol * max(1.0, np.abs(values).max(initial=0.0)))
        return (vectors * np.sqrt(np.maximum(values, 0.0))).T, valid
    _, values, right = np.linalg.svd(cov)
    back = np.dot(right.T * values, right)
    return np.sqrt(values)[:, None] * right, symmetric and np.allclose(back, cov, rtol=tol, atol=tol)
