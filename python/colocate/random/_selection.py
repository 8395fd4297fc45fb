"""Choosing from what is there: choice, permutation, shuffle."""

import numpy as np

import colocate as cl
from colocate._errors import InvalidArgumentError
from colocate.random import _parameters as p
from colocate.random._parameters import check_place

# From here on, few numbers out of many are drawn without a list of all.
_MANY = 1 << 16


class Selection:
    """The methods of a generator that choose and reorder."""

    __slots__ = ()

    def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
        """Random elements of an array, or random numbers below an integer.

        Parameters
        ----------
        a : int or array
            An integer stands for the numbers below it.
        size : int or tuple of int, optional
            Default: ``()``.
        replace : bool
            Whether an element may come more than once.
        p : array or list of float, optional
            The probabilities, which sum to 1; default: all are the same. They are read by the host.
        axis : int
            Along which elements are taken.
        shuffle : bool
            Has no effect: what is chosen without replacement comes in random order anyway.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> sorted(rng.choice(5, size=5, replace=False).tolist())
        [0, 1, 2, 3, 4]
        >>> rng.choice(3, size=4, p=[0.0, 1.0, 0.0]).tolist()
        [1, 1, 1, 1]
        """
        check_place("choice", self.queue, a=a, p=p)
        count = _population("choice", a, axis)
        shape = _shape(size)
        wanted = 1
        for extent in shape:
            wanted *= extent
        if count == 0 and wanted:
            raise InvalidArgumentError("choice: a is empty, and nothing can be chosen from it")
        weights = None if p is None else _probabilities(p, count)
        if not replace and wanted > count:
            raise InvalidArgumentError(f"choice: {wanted} elements without replacement out of {count} cannot be had")
        if replace:
            indices = self._with_replacement(count, weights, shape)
        else:
            indices = cl.reshape(self._without_replacement(count, weights, wanted), shape)
        return _taken(a, indices, axis)

    def _with_replacement(self, count, weights, shape):
        if weights is None:
            if count == 0:
                return cl.empty(shape, dtype=np.int64, queue=self.queue)
            return self.integers(0, count, size=shape)
        # Summed on the host, in order: the same on every device.
        cumulative = np.cumsum(weights)
        cumulative /= cumulative[-1]
        cumulative = cl.asarray(cumulative, queue=self.queue)
        return self._bit_generator._stream.choose_categories(cumulative, shape)

    def _without_replacement(self, count, weights, wanted):
        if weights is not None:
            possible = int(np.count_nonzero(weights))
            if possible < wanted:
                raise InvalidArgumentError(
                    f"choice: {wanted} elements without replacement, but only {possible} have a probability above 0"
                )
            # Who comes first if each waits an exponential time, the shorter the more probable it is.
            with np.errstate(divide="ignore"):
                scale = cl.asarray(1.0 / weights, queue=self.queue)
            return cl.argsort(self._fill("choice", "exponential", (scale,), None, np.float64))[:wanted]
        if count > _MANY and wanted < count // 8:
            return self._bit_generator._stream.distinct(count, wanted, self.queue)
        return self._order(count)[:wanted]

    def _order(self, count):
        """A random order of numbers: that of random keys."""
        keys = self._fill("permutation", "bits", (), (count,), np.uint64)
        return cl.argsort(keys, stable=True)

    def permutation(self, x, axis=0):
        """The elements of an array, or the numbers below an integer, in random order.

        Parameters
        ----------
        x : int or array
            An integer stands for the numbers below it.
        axis : int
            Along which they are reordered; what is beside one another stays so.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> sorted(rng.permutation(4).tolist())
        [0, 1, 2, 3]
        """
        count = _population("permutation", x, axis)
        return _taken(x, self._order(count), axis)

    def shuffle(self, x, axis=0):
        """Reorders an array along an axis, in place.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> x = cl.asarray([1, 2, 3, 4], device=rng.device)
        >>> rng.shuffle(x)
        >>> sorted(x.tolist())
        [1, 2, 3, 4]
        """
        if not p.is_array(x):
            raise TypeError(f"shuffle: x is a {type(x).__qualname__}, not an array of colocate")
        x[...] = self.permutation(x, axis=axis)

    def permuted(self, x, axis=None, out=None):
        """The elements of an array in random order, each line along an axis in an order of its own.

        Parameters
        ----------
        x : array
            Stays as it is.
        axis : int, optional
            Default: all elements are one line.
        out : array, optional
            Takes the result; it may be `x`.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> x = cl.asarray([[1, 2, 3], [4, 5, 6]], device=rng.device)
        >>> sorted(rng.permuted(x, axis=1)[1].tolist())
        [4, 5, 6]
        """
        if not p.is_array(x):
            raise TypeError(f"permuted: x is a {type(x).__qualname__}, not an array of colocate")
        if axis is None:
            flat = cl.reshape(x, (-1,))
            result = cl.reshape(cl.take(flat, self._order(x.size), axis=0), x.shape)
        else:
            _population("permuted", x, axis)
            keys = self._fill("permuted", "bits", (), x.shape, np.uint64)
            result = cl.take_along_axis(x, cl.argsort(keys, axis=axis, stable=True), axis=axis)
        if out is None:
            return result
        if tuple(out.shape) != tuple(x.shape):
            raise InvalidArgumentError(f"permuted: out has shape {tuple(out.shape)}, not {tuple(x.shape)}")
        out[...] = result
        return out


def _shape(size):
    return () if size is None else p.shape_of(size)


def _population(function, a, axis):
    """How many there are to choose from."""
    if not p.is_array(a):
        count = p.whole(function, "a", a)
        if count < 0:
            raise InvalidArgumentError(f"{function}: there are no {count} numbers to choose from")
        return count
    if a.ndim == 0:
        return _population(function, int(a), axis)
    if not -a.ndim <= axis < a.ndim:
        raise cl.AxisError(f"{function}: axis {axis} is out of bounds for an array of {a.ndim} dimensions")
    return a.shape[axis]


def _taken(a, indices, axis):
    """What is at the indices, which are the result themselves for an integer."""
    if not p.is_array(a) or a.ndim == 0:
        return indices
    if indices.ndim == 1:
        return cl.take(a, indices, axis=axis)
    axis = axis % a.ndim
    flat = cl.take(a, cl.reshape(indices, (-1,)), axis=axis)
    return cl.reshape(flat, a.shape[:axis] + indices.shape + a.shape[axis + 1 :])


def _probabilities(weights, count):
    """Probabilities on the host, found valid."""
    weights = p.host_values("choice", "p", weights)
    if weights.shape != (count,):
        raise InvalidArgumentError(f"choice: p has shape {weights.shape}, but there are {count} to choose from")
    if not np.all(weights >= 0):
        raise InvalidArgumentError("choice: probabilities p must be at least 0")
    if abs(weights.sum() - 1.0) > 1e-8:
        raise InvalidArgumentError(f"choice: probabilities p must sum to 1, not {weights.sum()!r}")
    return weights
