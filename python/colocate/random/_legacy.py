"""NumPy's older interface: a state that all share, and functions of the module that draw from it.

The numbers are colocate's own, those of :class:`Generator` for the same seed, and not NumPy's.
"""

import inspect
from functools import wraps

import numpy as np

from colocate import _native
from colocate.random._generator import Generator
from colocate.random._philox import Philox

_DISTRIBUTIONS = (
    "beta",
    "binomial",
    "bytes",
    "chisquare",
    "choice",
    "dirichlet",
    "exponential",
    "f",
    "gamma",
    "geometric",
    "gumbel",
    "hypergeometric",
    "laplace",
    "logistic",
    "lognormal",
    "logseries",
    "multinomial",
    "multivariate_normal",
    "negative_binomial",
    "noncentral_chisquare",
    "noncentral_f",
    "normal",
    "pareto",
    "permutation",
    "poisson",
    "power",
    "rayleigh",
    "shuffle",
    "standard_cauchy",
    "standard_exponential",
    "standard_gamma",
    "standard_normal",
    "standard_t",
    "triangular",
    "uniform",
    "vonmises",
    "wald",
    "weibull",
    "zipf",
)


class RandomState:
    """Draws random numbers by NumPy's older names; :class:`Generator` is the newer interface.

    It has no queue of its own unless one is named: it draws where the arrays among the arguments are, or else
    on the current queue. The numbers are those of a :class:`Generator` with the same seed, and not NumPy's.
    Every method takes ``device=`` and ``queue=``, too.

    Parameters
    ----------
    seed : optional
        As for :func:`default_rng`.
    device, queue : optional
        Where to draw.

    Examples
    --------
    >>> import colocate as cl
    >>> state = cl.random.RandomState(7)
    >>> state.rand(2, 3).shape
    (2, 3)
    >>> state.randint(0, 1, size=3).tolist()
    [0, 0, 0]
    """

    def __init__(self, seed=None, device=None, queue=None):
        named = device is not None or queue is not None
        self._queue = _native._target_queue(device, queue) if named else None
        self.seed(seed)

    def seed(self, seed=None):
        """Begins again with another seed.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.random.seed(7)
        >>> first = cl.random.rand(3).tolist()
        >>> cl.random.seed(7)
        >>> cl.random.rand(3).tolist() == first
        True
        """
        self._bit_generator = seed if isinstance(seed, Philox) else Philox(seed)

    def get_state(self):
        """What :meth:`set_state` goes back to.

        Examples
        --------
        >>> import colocate as cl
        >>> state = cl.random.get_state()
        >>> first = cl.random.rand(3).tolist()
        >>> cl.random.set_state(state)
        >>> cl.random.rand(3).tolist() == first
        True
        """
        return self._bit_generator.state

    def set_state(self, state):
        """Goes back to a state of :meth:`get_state`.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.random.set_state(cl.random.get_state())
        """
        self._bit_generator.state = state

    def rand(self, *shape, device=None, queue=None):
        """Numbers from 0 on and below 1, in an array of a shape.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.random.rand(2, 3).shape
        (2, 3)
        """
        return self._generator((), device, queue).random(shape or None)

    def randn(self, *shape, device=None, queue=None):
        """Numbers of the standard normal distribution, in an array of a shape.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.random.randn(2, 3).shape
        (2, 3)
        """
        return self._generator((), device, queue).standard_normal(shape or None)

    def randint(self, low, high=None, size=None, dtype=np.int64, *, device=None, queue=None):
        """Integers from ``low`` on and below ``high``, or from 0 on and below ``low``.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.random.randint(3, 4, size=2).tolist()
        [3, 3]
        """
        return self._generator((low, high), device, queue).integers(low, high, size, dtype)

    def random(self, size=None, *, device=None, queue=None):
        """Numbers from 0 on and below 1; :meth:`random_sample`, ``ranf`` and ``sample`` are other names of it.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.random.random((2, 3)).shape
        (2, 3)
        """
        return self._generator((), device, queue).random(size)

    random_sample = random

    def _generator(self, arguments, device, queue):
        """A generator of this state's numbers: where it is told, where arrays are, on its queue or the current one."""
        if device is None and queue is None:
            arrays = (value for value in arguments if isinstance(value, _native.Array))
            queue = next((array.queue for array in arrays), self._queue)
        return Generator(self._bit_generator, device, queue)

    def __repr__(self):
        return "<colocate.random.RandomState>"


def _drawn(name):
    """The generator's method of a name, of the state."""
    drawing = getattr(Generator, name)

    @wraps(drawing)
    def method(self, *args, device=None, queue=None, **kwargs):
        generator = self._generator((*args, *kwargs.values()), device, queue)
        return drawing(generator, *args, **kwargs)

    signature = inspect.signature(drawing)
    places = [inspect.Parameter(place, inspect.Parameter.KEYWORD_ONLY, default=None) for place in ("device", "queue")]
    method.__signature__ = signature.replace(parameters=[*signature.parameters.values(), *places])
    return method


for _name in _DISTRIBUTIONS:
    setattr(RandomState, _name, _drawn(_name))

# The state that the functions of the module draw from.
_shared = RandomState()

seed = _shared.seed
get_state = _shared.get_state
set_state = _shared.set_state
rand = _shared.rand
randn = _shared.randn
randint = _shared.randint
random = _shared.random
random_sample = _shared.random_sample
ranf = _shared.random_sample
sample = _shared.random_sample
beta = _shared.beta
binomial = _shared.binomial
bytes = _shared.bytes
chisquare = _shared.chisquare
choice = _shared.choice
dirichlet = _shared.dirichlet
exponential = _shared.exponential
f = _shared.f
gamma = _shared.gamma
geometric = _shared.geometric
gumbel = _shared.gumbel
hypergeometric = _shared.hypergeometric
laplace = _shared.laplace
logistic = _shared.logistic
lognormal = _shared.lognormal
logseries = _shared.logseries
multinomial = _shared.multinomial
multivariate_normal = _shared.multivariate_normal
negative_binomial = _shared.negative_binomial
noncentral_chisquare = _shared.noncentral_chisquare
noncentral_f = _shared.noncentral_f
normal = _shared.normal
pareto = _shared.pareto
permutation = _shared.permutation
poisson = _shared.poisson
power = _shared.power
rayleigh = _shared.rayleigh
shuffle = _shared.shuffle
standard_cauchy = _shared.standard_cauchy
standard_exponential = _shared.standard_exponential
standard_gamma = _shared.standard_gamma
standard_normal = _shared.standard_normal
standard_t = _shared.standard_t
triangular = _shared.triangular
uniform = _shared.uniform
vonmises = _shared.vonmises
wald = _shared.wald
weibull = _shared.weibull
zipf = _shared.zipf
