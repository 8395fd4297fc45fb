"""SciPy with SCIPY_ARRAY_API=1, which `python/tests/conftest.py` sets before anybody imports it."""

import numpy as np
import pytest

import colocate as cl

scipy = pytest.importorskip("scipy")
fft, ndimage, signal, special, stats = (
    pytest.importorskip(f"scipy.{name}") for name in ("fft", "ndimage", "signal", "special", "stats")
)

RNG = np.random.default_rng(11)
A = RNG.normal(size=(6, 20))
B = RNG.normal(0.3, 1.2, size=(6, 20))
POSITIVE = RNG.uniform(0.2, 3, size=(6, 20))

# Written with the functions of the standard: these run where the arrays are.
ON_THE_DEVICE = {
    "special.logsumexp": lambda x: special.logsumexp(x, axis=1),
    "special.softmax": lambda x: special.softmax(x, axis=1),
    "special.log_softmax": lambda x: special.log_softmax(x, axis=0),
    "stats.zscore": lambda x: stats.zscore(x, axis=1),
    "stats.gmean": lambda x: stats.gmean(abs(x), axis=1),
    "stats.hmean": lambda x: stats.hmean(abs(x), axis=1),
    "stats.pmean": lambda x: stats.pmean(abs(x), 3),
    "stats.moment": lambda x: stats.moment(x, order=3, axis=1),
    "stats.skew": lambda x: stats.skew(x, axis=1),
    "stats.kurtosis": lambda x: stats.kurtosis(x, axis=1),
    "stats.variation": lambda x: stats.variation(x, axis=0),
    "stats.sem": lambda x: stats.sem(x, axis=1),
    "stats.circmean": lambda x: stats.circmean(x, axis=1),
    "stats.tmean": lambda x: stats.tmean(x, (-1, 1)),
    "fft.fft": lambda x: fft.fft(x, axis=1),
    "fft.rfftn": fft.rfftn,
    "fft.irfft": lambda x: fft.irfft(x + 0j, axis=1),
    "fft.fftshift": fft.fftshift,
    "signal.hilbert": lambda x: signal.hilbert(x, axis=1),
}
# Compiled code of SciPy's: it reads the arrays on the host.
ON_THE_HOST = {
    "special.expit": special.expit,
    "special.gammaln": lambda x: special.gammaln(abs(x) + 1),
    "special.erf": special.erf,
    "special.ndtr": special.ndtr,
    "ndimage.gaussian_filter": lambda x: ndimage.gaussian_filter(x, 1.0),
    "ndimage.median_filter": lambda x: ndimage.median_filter(x, 3),
    "signal.medfilt": lambda x: signal.medfilt(x, 3),
    "signal.detrend": lambda x: signal.detrend(x, axis=1),
    "stats.normaltest": lambda x: tuple(stats.normaltest(x, axis=1)),
}


@pytest.mark.parametrize("name", ON_THE_DEVICE)
def test_functions_of_the_standard(same_as_numpy, name):
    same_as_numpy(ON_THE_DEVICE[name], A)


@pytest.mark.parametrize("name", ON_THE_HOST)
def test_compiled_functions(same_on_native, name):
    same_on_native(ON_THE_HOST[name], A)


def test_tests_of_two_samples(same_on_native):
    same_on_native(lambda x, y: tuple(stats.ttest_ind(x, y, axis=1)), A, B)
    same_on_native(lambda x, y: tuple(stats.ttest_rel(x, y, axis=1)), A, B)
    same_on_native(lambda x, y: tuple(stats.pearsonr(x, y, axis=1)), A, B)


def test_entropies(same_on_native):
    same_on_native(lambda x, y: stats.entropy(x, y, axis=1), POSITIVE, POSITIVE[:, ::-1])
    same_on_native(lambda x: stats.differential_entropy(x, axis=1), A)


def test_convolutions(same_as_numpy):
    same_as_numpy(lambda x, y: signal.fftconvolve(x, y, mode="same", axes=1), A, B)
    same_as_numpy(lambda x, y: signal.convolve(x, y, method="fft"), A[0], B[1])


def test_cluster_vq(same_on_native):
    vq = pytest.importorskip("scipy.cluster.vq")
    same_on_native(vq.whiten, A)
    same_on_native(lambda x, y: vq.vq(x, y), A, A[:2] + 0.1)


def test_elementwise_solvers(same_as_numpy):
    elementwise = pytest.importorskip("scipy.optimize.elementwise")

    def root(c):
        result = elementwise.find_root(lambda x, c: x * x - c, (c * 0, c + 1), args=(c,))
        return result.x, result.success

    same_as_numpy(root, POSITIVE[0])


def test_derivatives(same_as_numpy):
    differentiate = pytest.importorskip("scipy.differentiate")
    xp_exp = lambda x: x.__array_namespace__().exp(x)  # noqa: E731
    same_as_numpy(lambda x: differentiate.derivative(xp_exp, x).df, A[0], rtol=1e-6)


def test_integrals(same_as_numpy):
    integrate = pytest.importorskip("scipy.integrate")
    same_as_numpy(lambda x: integrate.trapezoid(x, axis=1), A)
    same_as_numpy(lambda x: integrate.cumulative_trapezoid(x, axis=1), A)
    same_as_numpy(lambda a, b: integrate.tanhsinh(lambda x: x * x, a, b).integral, A[0], A[0] + 1)


def test_rotations(same_on_native):
    transform = pytest.importorskip("scipy.spatial.transform")

    def turn(quaternions, vectors):
        rotation = transform.Rotation.from_quat(quaternions)
        return rotation.as_matrix(), rotation.apply(vectors), rotation.inv().as_rotvec()

    same_on_native(turn, RNG.normal(size=(5, 4)), RNG.normal(size=(5, 3)))


def test_interpolation(same_on_native):
    interpolate = pytest.importorskip("scipy.interpolate")
    x = np.sort(RNG.uniform(0, 5, 12))
    same_on_native(lambda x, y, at: interpolate.make_interp_spline(x, y)(at), x, A[0, :12], np.linspace(x[0], x[-1], 7))


def test_mixtures_with_numpy_are_refused(device):
    with cl.device_context(device), pytest.raises(TypeError):
        stats.ttest_ind(cl.asarray(A, device=device), B)
