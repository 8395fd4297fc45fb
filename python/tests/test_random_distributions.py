"""What generators draw: the right distribution, the same bits on every device."""

import math

import numpy as np
import pytest

import colocate as cl

COUNT = 100_000

_erf = np.vectorize(math.erf, otypes=[float])
_lgamma = np.vectorize(math.lgamma, otypes=[float])


def phi(x):
    """The cumulative normal distribution."""
    return 0.5 * (1 + _erf(np.asarray(x) / math.sqrt(2)))


def wald_cdf(x, mu=3.0, scale=2.0):
    root = np.sqrt(scale / x)
    return phi(root * (x / mu - 1)) + math.exp(2 * scale / mu) * phi(-root * (x / mu + 1))


def vonmises_cdf(x, kappa=2.0):
    grid = np.linspace(-np.pi, np.pi, 200_001)
    density = np.exp(kappa * np.cos(grid))
    sums = np.concatenate([[0], np.cumsum((density[1:] + density[:-1]) / 2)])
    return np.interp(x, grid, sums / sums[-1])


def triangular_cdf(x, left=-1.0, mode=0.5, right=2.0):
    rising = (x - left) ** 2 / ((right - left) * (mode - left))
    falling = 1 - (right - x) ** 2 / ((right - left) * (right - mode))
    return np.where(x < mode, rising, falling)


def gamma3_cdf(x):
    return 1 - np.exp(-x) * (1 + x + x * x / 2)


CONTINUOUS = {
    "random": (lambda r, n: r.random(n), lambda x: x),
    "uniform": (lambda r, n: r.uniform(-3, 5, n), lambda x: (x + 3) / 8),
    "standard_normal": (lambda r, n: r.standard_normal(n), phi),
    "normal": (lambda r, n: r.normal(5, 2, n), lambda x: phi((x - 5) / 2)),
    "lognormal": (lambda r, n: r.lognormal(0.5, 0.7, n), lambda x: phi((np.log(x) - 0.5) / 0.7)),
    "standard_exponential": (lambda r, n: r.standard_exponential(n), lambda x: 1 - np.exp(-x)),
    "exponential": (lambda r, n: r.exponential(3.0, n), lambda x: 1 - np.exp(-x / 3)),
    "standard_gamma": (lambda r, n: r.standard_gamma(3.0, n), gamma3_cdf),
    "gamma below 1": (lambda r, n: r.gamma(0.5, 2.0, n), lambda x: _erf(np.sqrt(x / 2))),
    "beta": (lambda r, n: r.beta(2, 3, n), lambda x: 6 * x**2 - 8 * x**3 + 3 * x**4),
    "beta below 1": (lambda r, n: r.beta(0.5, 0.5, n), lambda x: 2 / np.pi * np.arcsin(np.sqrt(x))),
    "chisquare": (lambda r, n: r.chisquare(2, n), lambda x: 1 - np.exp(-x / 2)),
    "f": (lambda r, n: r.f(2, 5, n), lambda x: 1 - (1 + 0.4 * x) ** -2.5),
    "standard_t": (lambda r, n: r.standard_t(2, n), lambda x: 0.5 + x / (2 * np.sqrt(2 + x * x))),
    "laplace": (
        lambda r, n: r.laplace(1, 2, n),
        lambda x: np.where(x < 1, np.exp((x - 1) / 2) / 2, 1 - np.exp((1 - x) / 2) / 2),
    ),
    "logistic": (lambda r, n: r.logistic(1, 2, n), lambda x: 1 / (1 + np.exp((1 - x) / 2))),
    "gumbel": (lambda r, n: r.gumbel(1, 2, n), lambda x: np.exp(-np.exp((1 - x) / 2))),
    "standard_cauchy": (lambda r, n: r.standard_cauchy(n), lambda x: 0.5 + np.arctan(x) / np.pi),
    "rayleigh": (lambda r, n: r.rayleigh(2, n), lambda x: 1 - np.exp(-x * x / 8)),
    "weibull": (lambda r, n: r.weibull(1.7, n), lambda x: 1 - np.exp(-(x**1.7))),
    "pareto": (lambda r, n: r.pareto(3, n), lambda x: 1 - (1 + x) ** -3.0),
    "power": (lambda r, n: r.power(2.5, n), lambda x: x**2.5),
    "triangular": (lambda r, n: r.triangular(-1, 0.5, 2, n), triangular_cdf),
    "vonmises": (lambda r, n: r.vonmises(0, 2, n), vonmises_cdf),
    "vonmises narrow": (lambda r, n: r.vonmises(0, 4e6, n), lambda x: phi(x * 2000)),
    "vonmises flat": (lambda r, n: r.vonmises(0, 0, n), lambda x: (x + np.pi) / (2 * np.pi)),
    "wald": (lambda r, n: r.wald(3, 2, n), wald_cdf),
}


ZETA = np.sum(np.arange(1.0, 10_000) ** -3.5)


def poisson_pmf(lam):
    return lambda k: np.exp(k * math.log(lam) - lam - _lgamma(k + 1))


def log_choose(n, k):
    return math.lgamma(n + 1) - _lgamma(k + 1) - _lgamma(n - k + 1)


def binomial_pmf(n, p):
    return lambda k: np.where(
        k <= n, np.exp(log_choose(n, np.minimum(k, n)) + k * math.log(p) + (n - k) * math.log1p(-p)), 0
    )


def negative_binomial_pmf(n, p):
    return lambda k: np.exp(_lgamma(k + n) - math.lgamma(n) - _lgamma(k + 1) + n * math.log(p) + k * math.log1p(-p))


def hypergeometric_pmf(good, bad, sample):
    def pmf(k):
        inside = (k <= good) & (sample - k <= bad) & (k <= sample)
        k = np.where(inside, k, max(0, sample - bad))
        total = math.lgamma(good + bad + 1) - math.lgamma(sample + 1) - math.lgamma(good + bad - sample + 1)
        return np.where(inside, np.exp(log_choose(good, k) + log_choose(bad, sample - k) - total), 0)

    return pmf


DISCRETE = {
    "integers": (lambda r, n: r.integers(0, 7, n), lambda k: np.where(k < 7, 1 / 7, 0)),
    "integers wide": (lambda r, n: r.integers(0, 10 << 40, n) >> 40, lambda k: np.where(k < 10, 0.1, 0)),
    "poisson": (lambda r, n: r.poisson(3, n), poisson_pmf(3)),
    "poisson large": (lambda r, n: r.poisson(50, n), poisson_pmf(50)),
    "binomial": (lambda r, n: r.binomial(10, 0.3, n), binomial_pmf(10, 0.3)),
    "binomial large": (lambda r, n: r.binomial(100, 0.4, n), binomial_pmf(100, 0.4)),
    "binomial flipped": (lambda r, n: r.binomial(300, 0.9, n), binomial_pmf(300, 0.9)),
    "geometric": (lambda r, n: r.geometric(0.3, n), lambda k: np.where(k > 0, 0.3 * 0.7 ** (k - 1.0), 0)),
    "negative_binomial": (lambda r, n: r.negative_binomial(3, 0.4, n), negative_binomial_pmf(3, 0.4)),
    "zipf": (lambda r, n: r.zipf(3.5, n), lambda k: np.where(k > 0, np.maximum(k, 1) ** -3.5 / ZETA, 0)),
    "logseries": (
        lambda r, n: r.logseries(0.7, n),
        lambda k: np.where(k > 0, -(0.7**k) / np.maximum(k, 1) / math.log(0.3), 0),
    ),
    "hypergeometric": (lambda r, n: r.hypergeometric(15, 10, 8, n), hypergeometric_pmf(15, 10, 8)),
    "hypergeometric large": (
        lambda r, n: r.hypergeometric(500, 700, 300, n),
        hypergeometric_pmf(500, 700, 300),
    ),
    "hypergeometric most": (
        lambda r, n: r.hypergeometric(700, 50, 600, n),
        hypergeometric_pmf(700, 50, 600),
    ),
}

MOMENTS = {
    "noncentral_chisquare": (lambda r, n: r.noncentral_chisquare(3, 20, n), 23, 2 * 43),
    "noncentral_f": (lambda r, n: r.noncentral_f(4, 20, 3, n), 20 * 7 / (4 * 18), None),
    "poisson huge": (lambda r, n: r.poisson(1e15, n), 1e15, 1e15),
    "binomial huge": (lambda r, n: r.binomial(2**50, 0.25, n), 2**48, 3 * 2**46),
    "gamma tiny": (lambda r, n: r.gamma(0.05, 1, n), 0.05, 0.05),
    "gamma large": (lambda r, n: r.gamma(1e6, 1, n), 1e6, 1e6),
}


@pytest.mark.parametrize("name", CONTINUOUS)
def test_continuous_numbers_follow_their_distribution(name):
    draw, cdf = CONTINUOUS[name]
    x = np.sort(cl.asnumpy(draw(cl.random.default_rng(20261115, device="native:cpu"), COUNT)))
    below = cdf(x)
    steps = np.arange(COUNT + 1) / COUNT
    distance = max(np.max(steps[1:] - below), np.max(below - steps[:-1]))
    assert distance * math.sqrt(COUNT) < 1.95  # Kolmogorov and Smirnov at one in a thousand


@pytest.mark.parametrize("name", DISCRETE)
def test_whole_numbers_follow_their_distribution(name):
    draw, pmf = DISCRETE[name]
    x = cl.asnumpy(draw(cl.random.default_rng(20261115, device="native:cpu"), COUNT))
    assert x.min() >= 0
    expected = COUNT * pmf(np.arange(x.max() + 1))
    found = np.bincount(x)
    assert np.all(expected[found > 0] > 0)
    often = expected > 10
    rest_found, rest_expected = found[~often].sum(), COUNT - expected[often].sum()
    chi2 = np.sum((found[often] - expected[often]) ** 2 / expected[often])
    chi2 += (rest_found - rest_expected) ** 2 / max(rest_expected, 10)
    degrees = often.sum()
    assert chi2 < degrees + 4.5 * math.sqrt(2 * degrees)


@pytest.mark.parametrize("name", MOMENTS)
def test_numbers_have_the_mean_and_variance_of_their_distribution(name):
    draw, mean, variance = MOMENTS[name]
    x = cl.asnumpy(draw(cl.random.default_rng(20261115, device="native:cpu"), COUNT)).astype(float)
    assert abs(x.mean() - mean) < 4.5 * x.std() / math.sqrt(COUNT)
    if variance is not None:
        kurtosis = np.mean(((x - x.mean()) / x.std()) ** 4)
        assert abs(x.var() / variance - 1) < 4.5 * math.sqrt(kurtosis / COUNT)


ALL = {**CONTINUOUS, **DISCRETE, **MOMENTS}


@pytest.mark.parametrize("name", ALL)
def test_all_devices_draw_the_same_bits(name, device):
    draw = ALL[name][0]
    here = draw(cl.random.default_rng(5, device=device), 1500)
    there = draw(cl.random.default_rng(5, device="native:cpu"), 1500)
    assert here.device == device
    assert cl.asnumpy(here).tobytes() == cl.asnumpy(there).tobytes()


@pytest.mark.parametrize("method", ["random", "standard_normal", "standard_exponential"])
def test_float32_numbers_are_the_same_on_all_devices_and_distributed_right(method, device):
    draw = lambda where: getattr(cl.random.default_rng(5, device=where), method)(COUNT, dtype=np.float32)  # noqa: E731
    x = cl.asnumpy(draw(device))
    assert x.dtype == np.float32
    assert x.tobytes() == cl.asnumpy(draw("native:cpu")).tobytes()
    below = np.asarray(CONTINUOUS[method][1](np.sort(x.astype(float))))
    assert np.max(np.abs(below - (np.arange(COUNT) + 0.5) / COUNT)) * math.sqrt(COUNT) < 1.95


def test_neighbouring_normal_numbers_are_not_correlated():
    x = cl.asnumpy(cl.random.default_rng(3, device="native:cpu").standard_normal(COUNT))
    for lag in (1, 2, 63, 64, 127, 128, 129, 256):
        assert abs(np.mean(x[:-lag] * x[lag:])) < 4.5 / math.sqrt(COUNT)
        squares = np.mean((x[:-lag] ** 2 - 1) * (x[lag:] ** 2 - 1)) / 2
        assert abs(squares) < 4.5 / math.sqrt(COUNT)


def test_elements_do_not_depend_on_how_many_are_drawn(device):
    for draw, _ in list(CONTINUOUS.values())[:8] + list(DISCRETE.values()):
        many = draw(cl.random.default_rng(11, device=device), 3000)
        few = draw(cl.random.default_rng(11, device=device), 77)
        assert cl.asnumpy(many)[:77].tobytes() == cl.asnumpy(few).tobytes()


def test_elements_do_not_depend_on_how_many_cores_there_are():
    device = cl.Device("native:cpu")
    (part, *_) = device.create_sub_devices(partition=1)
    draw = lambda where: cl.asnumpy(cl.random.default_rng(1, device=where).gamma(2.0, size=30_000))  # noqa: E731
    assert draw(part).tobytes() == draw(device).tobytes()


@pytest.mark.parametrize("dtype", [np.bool_, *"bhilBHIL"])
def test_integers_of_every_dtype_reach_both_ends(dtype, device):
    dtype = np.dtype(dtype)
    least, most = (0, 1) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    rng = cl.random.default_rng(2, device=device)
    whole = rng.integers(least, most, size=4000, dtype=dtype, endpoint=True)
    assert whole.dtype == dtype
    whole = cl.asnumpy(whole).astype(float)
    span = float(most) - float(least)
    assert whole.min() < least + 0.01 * span + 1 and whole.max() > most - 0.01 * span - 1
    top = cl.asnumpy(rng.integers(int(most) - 1, most, size=100, dtype=dtype, endpoint=True))
    assert set(top.tolist()) == {dtype.type(int(most) - 1).item(), dtype.type(most).item()}


def test_ends_of_integers_are_rounded_towards_zero(device):
    rng = cl.random.default_rng(2, device=device)
    for low, high in ((-1.2, 3.4), (np.float32(-1.9), 3)):
        assert set(cl.asnumpy(rng.integers(low, high, size=200)).tolist()) == {-1, 0, 1, 2}
    with pytest.raises(ValueError):
        rng.integers(0.5)


def test_integers_take_arrays(device):
    rng = cl.random.default_rng(2, device=device)
    low = cl.asarray([-5, 0, 100], device=device)
    high = cl.asarray([[-4], [101]], device=device)
    with pytest.raises(ValueError, match="low must be below high"):
        rng.integers(low, high)
    high = cl.asarray([[101], [110]], device=device)
    x = cl.asnumpy(rng.integers(low, high, size=(1000, 2, 3), dtype=np.int16))
    assert x.dtype == np.int16 and x.shape == (1000, 2, 3)
    assert np.all(x >= cl.asnumpy(low)) and np.all(x < cl.asnumpy(high))
    assert x[:, :, 2].min() == 100 and x[:, 0, 2].max() == 100 and x[:, 1, 2].max() == 109
    y = cl.asnumpy(rng.integers(low, 100, size=(50, 3), endpoint=True))
    assert np.all(y[:, 2] == 100)


def test_parameters_may_be_arrays_of_any_layout_and_are_broadcast(device):
    rng = cl.random.default_rng(4, device=device)
    loc = cl.asarray(np.arange(6.0).reshape(2, 3) * 100, device=device).T[::-1]
    scale = cl.asarray(np.asarray([0.1, 0.2], dtype=np.float32), device=device)
    x = rng.normal(loc, scale)
    assert x.shape == (3, 2)
    assert np.max(np.abs(cl.asnumpy(x) - cl.asnumpy(loc))) < 2
    y = rng.normal(loc, 0.1, size=(5, 3, 2))
    assert np.max(np.abs(cl.asnumpy(y) - cl.asnumpy(loc))) < 2
    lam = cl.asarray([0.0, 4.0, 1000.0], device=device)
    means = cl.asnumpy(rng.poisson(lam, size=(20_000, 3))).mean(axis=0)
    assert means[0] == 0 and abs(means[1] - 4) < 0.1 and abs(means[2] - 1000) < 2
    n = cl.asarray([0, 5, 1000], device=device)
    counts = cl.asnumpy(rng.binomial(n, cl.asarray([0.5, 1.0, 0.25], device=device), size=(1000, 3)))
    assert np.all(counts[:, 0] == 0) and np.all(counts[:, 1] == 5) and abs(counts[:, 2].mean() - 250) < 3


def test_one_array_of_parameters_gives_what_its_numbers_give(device):
    values = (0.3, 2.0, 40.0)
    for draw in (
        lambda r, a, n: r.exponential(a, n),
        lambda r, a, n: r.gamma(a, size=n),
        lambda r, a, n: r.poisson(a, n),
        lambda r, a, n: r.weibull(a, n),
        lambda r, a, n: r.vonmises(0.5, a, n),
    ):
        for value in values:
            one = draw(cl.random.default_rng(1, device=device), value, 300)
            many = draw(cl.random.default_rng(1, device=device), cl.full(300, value, device=device), 300)
            assert cl.asnumpy(one).tobytes() == cl.asnumpy(many).tobytes()


def test_size_and_dtype_say_what_comes_out(device):
    rng = cl.random.default_rng(4, device=device)
    assert rng.random().shape == () and 0 <= float(rng.random()) < 1
    assert rng.random((2, 0, 3)).shape == (2, 0, 3)
    assert rng.normal(size=[2, 3]).shape == (2, 3)
    assert rng.normal(1.0, 0.0, size=4).tolist() == [1.0] * 4
    assert rng.standard_gamma(2.0, size=3, dtype=np.float32).dtype == np.float32
    assert rng.poisson(4).dtype == np.int64
    assert rng.random(3).usm_type == "device"
    shared = cl.asarray([1.0, 2.0], device=device, usm_type="shared")
    assert rng.normal(shared).usm_type == "shared"


def test_out_takes_the_numbers_whatever_its_layout(device):
    rng = cl.random.default_rng(4, device=device)
    plain = cl.empty((300, 4), device=device)
    assert rng.standard_normal(out=plain) is plain
    turned = cl.zeros((4, 600), device=device)
    cl.random.default_rng(4, device=device).standard_normal(out=turned.T[::2])
    assert cl.asnumpy(turned.T[::2]).tobytes() == cl.asnumpy(plain).tobytes()
    assert not cl.asnumpy(turned.T[1::2]).any()
    with pytest.raises(ValueError, match="out has shape"):
        rng.random(3, out=plain)
    with pytest.raises(TypeError, match="float32"):
        rng.random(out=cl.empty(3, dtype=np.float32, device=device))
    with pytest.raises(TypeError, match="not an array of colocate"):
        rng.random(out=np.empty(3))


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda r: r.normal(0, -1), "normal: scale must be at least 0, not -1"),
        (lambda r: r.normal(0, math.nan), "scale"),
        (lambda r: r.uniform(0, math.inf), "high - low must be finite"),
        (lambda r: r.exponential(-1), "scale"),
        (lambda r: r.gamma(-1), "shape"),
        (lambda r: r.beta(0, 1), "a must be above 0"),
        (lambda r: r.binomial(-1, 0.5), "n must be"),
        (lambda r: r.binomial(3, 1.5), "p must be from 0 to 1"),
        (lambda r: r.binomial(2.5, 0.5), "whole number"),
        (lambda r: r.poisson(-1), "lam"),
        (lambda r: r.geometric(0), "p must be above 0"),
        (lambda r: r.hypergeometric(3, 4, 8), "nsample must be at most"),
        (lambda r: r.integers(5, 5), "must be below"),
        (lambda r: r.integers(0, 300, dtype=np.uint8), "high=300 is out of bounds for uint8"),
        (lambda r: r.integers(-1, 3, dtype=np.uint8), "low=-1 is out of bounds"),
        (lambda r: r.triangular(3, 2, 5), "left <= mode"),
        (lambda r: r.random(-1), "negative"),
        (lambda r: r.normal(cl.asarray([1.0, 2.0], device=r.device), 1, size=3), "cannot be broadcast"),
        (lambda r: r.normal(0, cl.asarray([1.0, -2.0], device=r.device)), "scale must be at least 0"),
        (lambda r: r.bytes(-1), "length"),
        (lambda r: r.dirichlet([1.0, -1.0]), "alpha must be at least 0"),
        (lambda r: r.dirichlet([0.0, 0.0]), "0 everywhere"),
        (lambda r: r.multinomial(3, [0.8, 0.8, 0.1]), "must sum to at most 1"),
        (lambda r: r.multivariate_normal([0, 0], [[1.0]]), "are needed"),
    ],
)
def test_bad_arguments_are_told(call, text, device):
    with pytest.raises(ValueError, match=text):
        call(cl.random.default_rng(4, device=device))


def test_parameters_of_the_host_and_of_other_devices_are_refused(device):
    rng = cl.random.default_rng(4, device=device)
    with pytest.raises(TypeError, match=r"R3\.5"):  # R3.5
        rng.normal(np.zeros(3))
    with pytest.raises(TypeError, match="argument 'scale' is a builtins"):
        rng.normal(0.0, [1.0, 2.0])
    with pytest.raises(TypeError, match="dtype complex128"):
        rng.normal(cl.zeros(3, dtype=np.complex128, device=device))
    queue = cl.Queue(device, enable_profiling=True)
    with pytest.raises(cl.ExecutionPlacementError, match="argument 'loc' lives on"):  # R3.1
        rng.normal(cl.zeros(3, queue=queue))
    with pytest.raises(cl.ExecutionPlacementError):
        rng.normal(out=cl.zeros(3, queue=queue))


def test_bytes_are_on_the_host(device):
    rng = cl.random.default_rng(4, device=device)
    data = rng.bytes(10_001)
    assert type(data) is bytes and len(data) == 10_001
    assert data == cl.random.default_rng(4, device="native:cpu").bytes(10_001)
    counts = np.bincount(np.frombuffer(data, dtype=np.uint8), minlength=256)
    assert np.sum((counts - 10_001 / 256) ** 2) / (10_001 / 256) < 255 + 4.5 * math.sqrt(510)
    assert rng.bytes(0) == b""


def test_colours_drawn_from_an_urn_have_the_right_mean_and_covariance(device):
    colours, drawn, count = np.array([16, 8, 4]), 6, 20_000
    rng = cl.random.default_rng(5, device=device)
    x = cl.asnumpy(rng.multivariate_hypergeometric(colours.tolist(), drawn, size=(count,)))
    share, total = colours / colours.sum(), colours.sum()
    spread = drawn * (np.diag(share) - np.outer(share, share)) * (total - drawn) / (total - 1)
    assert (x.sum(axis=1) == drawn).all() and (x >= 0).all() and (x <= colours).all()
    np.testing.assert_allclose(x.mean(axis=0), drawn * share, atol=0.05)
    np.testing.assert_allclose(np.cov(x.T), spread, atol=0.06)
    assert rng.multivariate_hypergeometric([3], 2).tolist() == [2]
    for colors, nsample in (([1, -1], 0), ([1, 2], 4), ([[1]], 1)):
        with pytest.raises(ValueError, match="multivariate_hypergeometric"):
            rng.multivariate_hypergeometric(colors, nsample)
