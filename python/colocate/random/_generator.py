"""The generator: where it draws, and what all distributions share."""

import numpy as np

from colocate import _native
from colocate.random import _parameters
from colocate.random._continuous import Continuous
from colocate.random._discrete import Discrete
from colocate.random._multivariate import Multivariate
from colocate.random._philox import Philox
from colocate.random._selection import Selection
from colocate.random._shapes import Shapes


def default_rng(seed=None, device=None, queue=None):
    """A generator of random numbers on a device.

    Parameters
    ----------
    seed : None, int, sequence of int, numpy.random.SeedSequence, Philox or Generator
        ``None`` takes fresh entropy from the system. Of a generator, one with the same bit generator; the
        generator itself if neither device nor queue is given.
    device, queue : optional
        Where it draws: a selector string, a :class:`Device` or a :class:`Queue`; default: the current queue.

    Examples
    --------
    >>> import colocate as cl
    >>> a = cl.random.default_rng(7, device="native:cpu")
    >>> b = cl.random.default_rng(7, device="native:cpu")
    >>> a.integers(0, 10, size=5).tolist() == b.integers(0, 10, size=5).tolist()
    True
    """
    if isinstance(seed, Generator):
        if device is None and queue is None:
            return seed
        seed = seed.bit_generator
    if not isinstance(seed, Philox):
        seed = Philox(seed)
    return Generator(seed, device=device, queue=queue)


def _rebuild(bit_generator, device):
    return Generator(bit_generator, device=device)


class Generator(Continuous, Shapes, Discrete, Multivariate, Selection):
    """Draws random numbers on one queue; made by :func:`default_rng`.

    The methods are those of ``numpy.random.Generator``. They differ in what follows from the data's place:
    results are arrays on the generator's queue, 0-d ones for ``size=None``, and parameters are numbers
    or arrays on an equivalent queue (R3.1). Whether array parameters are valid is found out on the device, for
    which the call waits.

    A generator may be used from several threads. It can be pickled; what comes back draws on the device of the
    same name.

    Parameters
    ----------
    bit_generator : Philox
    device, queue : optional
        As for :func:`default_rng`.

    Examples
    --------
    >>> import colocate as cl
    >>> rng = cl.random.Generator(cl.random.Philox(7), device="native:cpu")
    >>> rng.random(4).shape
    (4,)
    """

    __slots__ = ("_bit_generator", "_queue")

    def __init__(self, bit_generator, device=None, queue=None):
        if not isinstance(bit_generator, Philox):
            raise TypeError(f"bit_generator is a {type(bit_generator).__qualname__}, not a colocate.random.Philox")
        self._bit_generator = bit_generator
        self._queue = _native._target_queue(device, queue)

    @property
    def bit_generator(self):
        """Where its bits come from; its ``state`` can be saved and set.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> state = rng.bit_generator.state
        >>> first = rng.random(3).tolist()
        >>> rng.bit_generator.state = state
        >>> rng.random(3).tolist() == first
        True
        """
        return self._bit_generator

    @property
    def queue(self):
        """The queue it draws on.

        Examples
        --------
        >>> import colocate as cl
        >>> rng = cl.random.default_rng(7)
        >>> rng.random(3).queue == rng.queue
        True
        """
        return self._queue

    @property
    def device(self):
        """The device it draws on.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.random.default_rng(7, device="native:cpu").device.backend
        'native'
        """
        return self._queue.device

    def spawn(self, n_children):
        """New generators on the same queue whose streams have nothing to do with one another.

        Examples
        --------
        >>> import colocate as cl
        >>> a, b = cl.random.default_rng(7).spawn(2)
        >>> a.random(3).tolist() == b.random(3).tolist()
        False
        """
        return [Generator(child, queue=self._queue) for child in self._bit_generator.spawn(n_children)]

    def _draw(self, function, distribution, named, size, dtype=np.float64, out=None):
        """Draws; `named` are triples of name, value and rule of the parameters."""
        parameters = tuple(_parameters.number(function, name, value) for name, value, _ in named)
        for (name, _, rule), value in zip(named, parameters, strict=True):
            _parameters.check(function, name, value, rule)
        return self._fill(function, distribution, parameters, size, dtype, out)

    def _fill(self, function, distribution, parameters, size, dtype, out=None):
        """Draws with parameters that are valid."""
        if out is not None and not _parameters.is_array(out):
            raise TypeError(f"{function}: out is a {type(out).__qualname__}, not an array of colocate")
        shape = _parameters.result_shape(function, parameters, size, out)
        return self._bit_generator._stream.fill(function, distribution, parameters, shape, dtype, self._queue, out)

    def _float_dtype(self, function, dtype):
        dtype = np.dtype(dtype)
        if dtype not in (np.float32, np.float64):
            raise TypeError(f"{function}: dtype {dtype} is not supported; write float32 or float64")
        return dtype

    def __reduce__(self):
        return _rebuild, (self._bit_generator, str(self.device))

    def __repr__(self):
        return f"<colocate.random.Generator on {self.device}>"
