"""Windows: weights that fade out towards both ends of a signal."""

import math

import numpy as np

import colocate as cl
from colocate import _native

__all__ = [
    "bartlett",
    "blackman",
    "hamming",
    "hanning",
    "kaiser",
]


def _positions(M, place):
    """Odd or even numbers from 1 - M to M - 1: twice the distances from the middle."""
    return _native.arange(1 - M, M, 2, "float64", **place)


def _window(M, weights, place):
    """The weights at ``M`` places; one place alone weighs 1."""
    # Differences of NumPy's unsigned numbers would be large ones.
    M = M.item() if isinstance(M, np.generic) else M
    if M < 1:
        return _native.empty(0, "float64", **place)
    if M == 1:
        return _native.ones(1, "float64", **place)
    return weights(_positions(M, place), M)


def bartlett(M, *, device=None, queue=None, usm_type=None):
    """A window of ``M`` weights that rises and falls on straight lines, from 0 to 1 and back.

    Parameters
    ----------
    M : int
        How many.
    device, queue, usm_type : optional
        As for :func:`empty`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.bartlett(5).tolist()
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    place = {"device": device, "queue": queue, "usm_type": usm_type}
    return _window(M, lambda n, M: 1 - cl.abs(n) / (M - 1), place)


def blackman(M, *, device=None, queue=None, usm_type=None):
    """A window of ``M`` weights that are sums of two cosines; the arguments are those of :func:`bartlett`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.round(cl.blackman(5), 2).tolist()
    [-0.0, 0.34, 1.0, 0.34, -0.0]
    """
    place = {"device": device, "queue": queue, "usm_type": usm_type}

    def weights(n, M):
        angles = n * (math.pi / (M - 1))
        return 0.42 + 0.5 * cl.cos(angles) + 0.08 * cl.cos(2 * angles)

    return _window(M, weights, place)


def hamming(M, *, device=None, queue=None, usm_type=None):
    """A window of ``M`` weights on a raised cosine from 0.08; the arguments are those of :func:`bartlett`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.round(cl.hamming(5), 2).tolist()
    [0.08, 0.54, 1.0, 0.54, 0.08]
    """
    place = {"device": device, "queue": queue, "usm_type": usm_type}
    return _window(M, lambda n, M: 0.54 + 0.46 * cl.cos(n * (math.pi / (M - 1))), place)


def hanning(M, *, device=None, queue=None, usm_type=None):
    """A window of ``M`` weights on a raised cosine from 0; the arguments are those of :func:`bartlett`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.round(cl.hanning(5), 2).tolist()
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """
    place = {"device": device, "queue": queue, "usm_type": usm_type}
    return _window(M, lambda n, M: 0.5 + 0.5 * cl.cos(n * (math.pi / (M - 1))), place)


def kaiser(M, beta, *, device=None, queue=None, usm_type=None):
    """A window of ``M`` weights made with the Bessel function :func:`i0`.

    Parameters
    ----------
    M : int
        How many.
    beta : float
        How far the window fades; 0 gives ones.
    device, queue, usm_type : optional
        As for :func:`empty`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.round(cl.kaiser(5, 2.0), 2).tolist()
    [0.44, 0.83, 1.0, 0.83, 0.44]
    """
    place = {"device": device, "queue": queue, "usm_type": usm_type}

    def weights(n, M):
        root = cl.sqrt(1 - (n / (M - 1)) ** 2)
        # The window's middle is its largest: i0(beta).
        largest = cl.i0(cl.full_like(n, float(beta), shape=(1,)))
        return cl.i0(root * float(beta)) / largest

    return _window(M, weights, place)


for _function in (bartlett, blackman, hamming, hanning, kaiser):
    _function.__module__ = "colocate"
