"""Random numbers, drawn where they are needed.

A :class:`Generator` has the methods of NumPy's ``Generator`` and draws on a queue of its own: arrays that
it makes live there, and arrays that it is given as parameters must. For the same seed it gives the same
numbers on every device, bit for bit, because it is counter-based and computes with nothing but operations
that every device rounds correctly. The numbers are not those of NumPy for the same seed.

>>> import colocate as cl
>>> rng = cl.random.default_rng(7, device="native:cpu")
>>> x = rng.normal(10.0, 2.0, size=(1000, 3))
>>> x.shape, x.dtype, x.device == rng.device
((1000, 3), dtype('float64'), True)

NumPy's older functions are there, too: :func:`seed`, :func:`rand`, :func:`randn`, :func:`randint` and so on
draw from one :class:`RandomState` that all share, where the arrays among their arguments are or else on the
current queue. Their numbers are those of :class:`Generator`, and not NumPy's for the same seed.
"""

from numpy.random import SeedSequence

from colocate.random._generator import Generator, default_rng
from colocate.random._legacy import (
    RandomState,
    beta,
    binomial,
    bytes,
    chisquare,
    choice,
    dirichlet,
    exponential,
    f,
    gamma,
    geometric,
    get_state,
    gumbel,
    hypergeometric,
    laplace,
    logistic,
    lognormal,
    logseries,
    multinomial,
    multivariate_normal,
    negative_binomial,
    noncentral_chisquare,
    noncentral_f,
    normal,
    pareto,
    permutation,
    poisson,
    power,
    rand,
    randint,
    randn,
    random,
    random_sample,
    ranf,
    rayleigh,
    sample,
    seed,
    set_state,
    shuffle,
    standard_cauchy,
    standard_exponential,
    standard_gamma,
    standard_normal,
    standard_t,
    triangular,
    uniform,
    vonmises,
    wald,
    weibull,
    zipf,
)
from colocate.random._philox import Philox

__all__ = [
    "Generator",
    "Philox",
    "RandomState",
    "SeedSequence",
    "beta",
    "binomial",
    "bytes",
    "chisquare",
    "choice",
    "default_rng",
    "dirichlet",
    "exponential",
    "f",
    "gamma",
    "geometric",
    "get_state",
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
    "rand",
    "randint",
    "randn",
    "random",
    "random_sample",
    "ranf",
    "rayleigh",
    "sample",
    "seed",
    "set_state",
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
]

for _object in (Generator, Philox, RandomState, default_rng):
    _object.__module__ = "colocate.random"
