import builtins
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy
from numpy.random import SeedSequence as SeedSequence
from numpy.typing import DTypeLike

from colocate import Array, Device, Place, Queue

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

Parameter: TypeAlias = float | numpy.number[Any] | Array
Whole: TypeAlias = int | numpy.integer[Any] | Array
Vector: TypeAlias = Array | Sequence[float]
Size: TypeAlias = int | Sequence[int] | None
Seed: TypeAlias = int | Sequence[int] | numpy.random.SeedSequence | None

def default_rng(
    seed: Seed | Philox | Generator = None,
    device: str | Device | Queue | None = None,
    queue: str | Device | Queue | None = None,
) -> Generator: ...

class Philox:
    def __init__(self, seed: Seed = None) -> None: ...
    @property
    def seed_seq(self) -> numpy.random.SeedSequence: ...
    @property
    def state(self) -> dict[str, Any]: ...
    @state.setter
    def state(self, value: dict[str, Any]) -> None: ...
    def advance(self, delta: int) -> Philox: ...
    def jumped(self, jumps: int = 1) -> Philox: ...
    def spawn(self, n_children: int) -> list[Philox]: ...

class Generator:
    def __init__(
        self,
        bit_generator: Philox,
        device: str | Device | Queue | None = None,
        queue: str | Device | Queue | None = None,
    ) -> None: ...
    @property
    def bit_generator(self) -> Philox: ...
    @property
    def queue(self) -> Queue: ...
    @property
    def device(self) -> Device: ...
    def spawn(self, n_children: int) -> list[Generator]: ...
    def random(self, size: Size = ..., dtype: DTypeLike = ..., out: Array | None = ...) -> Array: ...
    def uniform(
        self,
        low: Parameter = ...,
        high: Parameter = ...,
        size: Size = ...,
        dtype: DTypeLike = ...,
        out: Array | None = ...,
    ) -> Array: ...
    def standard_normal(self, size: Size = ..., dtype: DTypeLike = ..., out: Array | None = ...) -> Array: ...
    def normal(
        self,
        loc: Parameter = ...,
        scale: Parameter = ...,
        size: Size = ...,
        dtype: DTypeLike = ...,
        out: Array | None = ...,
    ) -> Array: ...
    def lognormal(self, mean: Parameter = ..., sigma: Parameter = ..., size: Size = ...) -> Array: ...
    def standard_exponential(
        self,
        size: Size = ...,
        dtype: DTypeLike = ...,
        method: Literal["zig", "inv"] = ...,
        out: Array | None = ...,
    ) -> Array: ...
    def exponential(self, scale: Parameter = ..., size: Size = ...) -> Array: ...
    def standard_gamma(
        self,
        shape: Parameter,
        size: Size = ...,
        dtype: DTypeLike = ...,
        out: Array | None = ...,
    ) -> Array: ...
    def gamma(self, shape: Parameter, scale: Parameter = ..., size: Size = ...) -> Array: ...
    def beta(self, a: Parameter, b: Parameter, size: Size = ...) -> Array: ...
    def chisquare(self, df: Parameter, size: Size = ...) -> Array: ...
    def noncentral_chisquare(self, df: Parameter, nonc: Parameter, size: Size = ...) -> Array: ...
    def f(self, dfnum: Parameter, dfden: Parameter, size: Size = ...) -> Array: ...
    def standard_t(self, df: Parameter, size: Size = ...) -> Array: ...
    def laplace(self, loc: Parameter = ..., scale: Parameter = ..., size: Size = ...) -> Array: ...
    def logistic(self, loc: Parameter = ..., scale: Parameter = ..., size: Size = ...) -> Array: ...
    def gumbel(self, loc: Parameter = ..., scale: Parameter = ..., size: Size = ...) -> Array: ...
    def standard_cauchy(self, size: Size = ...) -> Array: ...
    def rayleigh(self, scale: Parameter = ..., size: Size = ...) -> Array: ...
    def weibull(self, a: Parameter, size: Size = ...) -> Array: ...
    def pareto(self, a: Parameter, size: Size = ...) -> Array: ...
    def power(self, a: Parameter, size: Size = ...) -> Array: ...
    def triangular(self, left: Parameter, mode: Parameter, right: Parameter, size: Size = ...) -> Array: ...
    def vonmises(self, mu: Parameter, kappa: Parameter, size: Size = ...) -> Array: ...
    def wald(self, mean: Parameter, scale: Parameter, size: Size = ...) -> Array: ...
    def noncentral_f(self, dfnum: Parameter, dfden: Parameter, nonc: Parameter, size: Size = ...) -> Array: ...
    def integers(
        self,
        low: Whole | float,
        high: Whole | float | None = ...,
        size: Size = ...,
        dtype: DTypeLike = ...,
        endpoint: bool = ...,
    ) -> Array: ...
    def bytes(self, length: int) -> builtins.bytes: ...
    def poisson(self, lam: Parameter = ..., size: Size = ...) -> Array: ...
    def binomial(self, n: Whole, p: Parameter, size: Size = ...) -> Array: ...
    def geometric(self, p: Parameter, size: Size = ...) -> Array: ...
    def negative_binomial(self, n: Parameter, p: Parameter, size: Size = ...) -> Array: ...
    def hypergeometric(self, ngood: Whole, nbad: Whole, nsample: Whole, size: Size = ...) -> Array: ...
    def zipf(self, a: Parameter, size: Size = ...) -> Array: ...
    def logseries(self, p: Parameter, size: Size = ...) -> Array: ...
    def multivariate_normal(
        self,
        mean: Vector,
        cov: Array | Sequence[Sequence[float]],
        size: Size = ...,
        check_valid: Literal["warn", "raise", "ignore"] = ...,
        tol: float = ...,
        *,
        method: Literal["svd", "eigh", "cholesky"] = ...,
    ) -> Array: ...
    def dirichlet(self, alpha: Vector, size: Size = ...) -> Array: ...
    def multivariate_hypergeometric(
        self,
        colors: Array | Sequence[int],
        nsample: int,
        size: int | Sequence[int] | None = None,
        method: Literal["marginals", "count"] = "marginals",
    ) -> Array: ...
    def multinomial(
        self,
        n: Whole,
        pvals: Array | Sequence[float] | Sequence[Sequence[float]],
        size: Size = ...,
    ) -> Array: ...
    def choice(
        self,
        a: int | Array,
        size: Size = ...,
        replace: bool = ...,
        p: Vector | None = ...,
        axis: int = ...,
        shuffle: bool = ...,
    ) -> Array: ...
    def permutation(self, x: int | Array, axis: int = ...) -> Array: ...
    def shuffle(self, x: Array, axis: int = ...) -> None: ...
    def permuted(self, x: Array, axis: int | None = ..., out: Array | None = ...) -> Array: ...

class RandomState:
    def __init__(self, seed: Seed | Philox = None, device: Place | None = None, queue: Place | None = None) -> None: ...
    def seed(self, seed: Seed | Philox = None) -> None: ...
    def get_state(self) -> dict[str, Any]: ...
    def set_state(self, state: dict[str, Any]) -> None: ...
    def rand(self, *shape: int, device: Place | None = None, queue: Place | None = None) -> Array: ...
    def randn(self, *shape: int, device: Place | None = None, queue: Place | None = None) -> Array: ...
    def randint(
        self,
        low: Whole,
        high: Whole | None = None,
        size: Size = None,
        dtype: DTypeLike = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def random(self, size: Size = None, *, device: Place | None = None, queue: Place | None = None) -> Array: ...
    def random_sample(self, size: Size = None, *, device: Place | None = None, queue: Place | None = None) -> Array: ...
    def uniform(
        self,
        low: Parameter = ...,
        high: Parameter = ...,
        size: Size = ...,
        dtype: DTypeLike = ...,
        out: Array | None = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def standard_normal(
        self,
        size: Size = ...,
        dtype: DTypeLike = ...,
        out: Array | None = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def normal(
        self,
        loc: Parameter = ...,
        scale: Parameter = ...,
        size: Size = ...,
        dtype: DTypeLike = ...,
        out: Array | None = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def lognormal(
        self,
        mean: Parameter = ...,
        sigma: Parameter = ...,
        size: Size = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def standard_exponential(
        self,
        size: Size = ...,
        dtype: DTypeLike = ...,
        method: Literal["zig", "inv"] = ...,
        out: Array | None = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def exponential(
        self, scale: Parameter = ..., size: Size = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> Array: ...
    def standard_gamma(
        self,
        shape: Parameter,
        size: Size = ...,
        dtype: DTypeLike = ...,
        out: Array | None = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def gamma(
        self,
        shape: Parameter,
        scale: Parameter = ...,
        size: Size = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def beta(
        self, a: Parameter, b: Parameter, size: Size = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> Array: ...
    def chisquare(
        self, df: Parameter, size: Size = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> Array: ...
    def noncentral_chisquare(
        self,
        df: Parameter,
        nonc: Parameter,
        size: Size = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def f(
        self,
        dfnum: Parameter,
        dfden: Parameter,
        size: Size = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def standard_t(
        self, df: Parameter, size: Size = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> Array: ...
    def laplace(
        self,
        loc: Parameter = ...,
        scale: Parameter = ...,
        size: Size = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def logistic(
        self,
        loc: Parameter = ...,
        scale: Parameter = ...,
        size: Size = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def gumbel(
        self,
        loc: Parameter = ...,
        scale: Parameter = ...,
        size: Size = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def standard_cauchy(
        self, size: Size = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> Array: ...
    def rayleigh(
        self, scale: Parameter = ..., size: Size = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> Array: ...
    def weibull(
        self, a: Parameter, size: Size = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> Array: ...
    def pareto(
        self, a: Parameter, size: Size = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> Array: ...
    def power(
        self, a: Parameter, size: Size = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> Array: ...
    def triangular(
        self,
        left: Parameter,
        mode: Parameter,
        right: Parameter,
        size: Size = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def vonmises(
        self,
        mu: Parameter,
        kappa: Parameter,
        size: Size = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def wald(
        self,
        mean: Parameter,
        scale: Parameter,
        size: Size = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def noncentral_f(
        self,
        dfnum: Parameter,
        dfden: Parameter,
        nonc: Parameter,
        size: Size = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def bytes(self, length: int, *, device: Place | None = None, queue: Place | None = None) -> builtins.bytes: ...
    def poisson(
        self, lam: Parameter = ..., size: Size = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> Array: ...
    def binomial(
        self, n: Whole, p: Parameter, size: Size = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> Array: ...
    def geometric(
        self, p: Parameter, size: Size = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> Array: ...
    def negative_binomial(
        self, n: Parameter, p: Parameter, size: Size = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> Array: ...
    def hypergeometric(
        self,
        ngood: Whole,
        nbad: Whole,
        nsample: Whole,
        size: Size = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def zipf(
        self, a: Parameter, size: Size = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> Array: ...
    def logseries(
        self, p: Parameter, size: Size = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> Array: ...
    def multivariate_normal(
        self,
        mean: Vector,
        cov: Array | Sequence[Sequence[float]],
        size: Size = ...,
        check_valid: Literal["warn", "raise", "ignore"] = ...,
        tol: float = ...,
        *,
        method: Literal["svd", "eigh", "cholesky"] = ...,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def dirichlet(
        self, alpha: Vector, size: Size = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> Array: ...
    def multinomial(
        self,
        n: Whole,
        pvals: Array | Sequence[float] | Sequence[Sequence[float]],
        size: Size = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def choice(
        self,
        a: int | Array,
        size: Size = ...,
        replace: bool = ...,
        p: Vector | None = ...,
        axis: int = ...,
        shuffle: bool = ...,
        *,
        device: Place | None = None,
        queue: Place | None = None,
    ) -> Array: ...
    def permutation(
        self, x: int | Array, axis: int = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> Array: ...
    def shuffle(
        self, x: Array, axis: int = ..., *, device: Place | None = None, queue: Place | None = None
    ) -> None: ...

_shared: RandomState

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
get_state = _shared.get_state
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
rand = _shared.rand
randint = _shared.randint
randn = _shared.randn
random = _shared.random
random_sample = _shared.random_sample
ranf = _shared.random_sample
rayleigh = _shared.rayleigh
sample = _shared.random_sample
seed = _shared.seed
set_state = _shared.set_state
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
