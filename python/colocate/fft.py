"""Fourier transforms: the ``fft`` extension of the Array API, and NumPy's functions beside it.

All lengths are transformed in O(n log n), in the precision of the input: float32 and complex64 (and
float16) in single, everything else in double precision. On native devices the transforms are work of
the array's queue like any other. On other devices the elements are copied to the host, transformed there
and copied back, and the call waits for that.

>>> import colocate as cl
>>> cl.abs(cl.fft.fft(cl.asarray([1.0, 0.0, 0.0, 0.0]))).tolist()
[1.0, 1.0, 1.0, 1.0]
"""

import operator
from math import prod, sqrt

import numpy as np

import colocate as cl
from colocate import _native
from colocate._arguments import axis_number, axis_numbers, one_array, stored
from colocate._errors import DTypeError, InvalidArgumentError

__all__ = [
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]

_SWAPPED = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


def _factor(function, norm, length, inverse):
    if norm not in _SWAPPED:
        raise InvalidArgumentError(f"{function}: norm={norm!r} is none of 'backward', 'ortho' and 'forward'")
    if norm == "ortho":
        return 1 / sqrt(length)
    scaled = (norm == "forward") != inverse
    return 1 / length if scaled else 1.0


def _length(function, n):
    n = operator.index(n)
    if n < 1:
        raise InvalidArgumentError(f"{function}: an axis of {n} elements cannot be transformed")
    return n


def _real(function, x):
    if x.dtype.kind == "c":
        raise DTypeError(f"{function} takes real numbers; use {function.replace('r', '', 1)} for complex ones")
    return x


def _one(function, x, n, axis, norm, kind):
    """One axis; `n` is the extent of it that numbers, not half of them, have."""
    one_array(function, x, "a")
    axis = axis_number(function, axis, x.ndim)
    if kind == "real_forward":
        _real(function, x)
    if n is None:
        n = 2 * (x.shape[axis] - 1) if kind == "real_inverse" else x.shape[axis]
    n = _length(function, n)
    return _native._fft(function, x, kind, axis, n, _factor(function, norm, n, kind.endswith("inverse")))


def fft(a, n=None, axis=-1, norm="backward", out=None):
    """The discrete Fourier transform along an axis.

    Parameters
    ----------
    a : Array
        Real or complex numbers.
    n : int, optional
        How many elements are transformed: the first ones, or all with zeros after them.
    axis : int
        The axis along which to transform.
    norm : {"backward", "ortho", "forward"}
        Whether the inverse transform is divided by ``n``, both by its root, or this one by ``n``.
    out : Array, optional
        Takes the result.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.fft(cl.asarray([1.0, 0.0, 0.0, 0.0])).tolist()
    [(1+0j), (1+0j), (1+0j), (1+0j)]
    """
    return stored("fft", _one("fft", a, n, axis, norm, "forward"), out)


def ifft(a, n=None, axis=-1, norm="backward", out=None):
    """The inverse of :func:`fft`, with the same parameters.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.ifft(cl.asarray([4.0, 0.0, 0.0, 0.0])).tolist()
    [(1+0j), (1+0j), (1+0j), (1+0j)]
    """
    return stored("ifft", _one("ifft", a, n, axis, norm, "inverse"), out)


def rfft(a, n=None, axis=-1, norm="backward", out=None):
    """:func:`fft` of real numbers: the first half, of which the other is the conjugate.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.rfft(cl.asarray([1.0, 0.0, 0.0, 0.0])).real.tolist()
    [1.0, 1.0, 1.0]
    """
    return stored("rfft", _one("rfft", a, n, axis, norm, "real_forward"), out)


def irfft(a, n=None, axis=-1, norm="backward", out=None):
    """The inverse of :func:`rfft`; ``n`` is the extent of the result, by default an even number.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.irfft(cl.asarray([1.0, 1.0, 1.0])).tolist()
    [1.0, 0.0, 0.0, 0.0]
    """
    return stored("irfft", _one("irfft", a, n, axis, norm, "real_inverse"), out)


def hfft(a, n=None, axis=-1, norm="backward", out=None):
    """The transform, which is real, of numbers of which the first half is given: the rest is its conjugate.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.hfft(cl.asarray([1.0, 1.0, 1.0])).tolist()
    [4.0, 0.0, 0.0, 0.0]
    """
    one_array("hfft", a, "a")
    if norm not in _SWAPPED:
        _factor("hfft", norm, 1, False)
    return stored(
        "hfft", _one("hfft", cl.conj(a) if a.dtype.kind == "c" else a, n, axis, _SWAPPED[norm], "real_inverse"), out
    )


def ihfft(a, n=None, axis=-1, norm="backward", out=None):
    """The inverse of :func:`hfft`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.ihfft(cl.asarray([4.0, 0.0, 0.0, 0.0])).real.tolist()
    [1.0, 1.0, 1.0]
    """
    one_array("ihfft", a, "a")
    if norm not in _SWAPPED:
        _factor("ihfft", norm, 1, True)
    return stored("ihfft", cl.conj(_one("ihfft", a, n, axis, _SWAPPED[norm], "real_forward")), out)


def _axes_and_lengths(function, x, s, axes, half):
    """The axes, and the extents of what is transformed along them; `half` if the last axis has half."""
    one_array(function, x, "a")
    if s is not None:
        s = [n if n is None else operator.index(n) for n in s]
    if axes is None:
        if s is not None and len(s) > x.ndim:
            raise InvalidArgumentError(f"{function}: s names more axes than the {x.ndim} there are")
        axes = range(x.ndim) if s is None else range(x.ndim - len(s), x.ndim)
    axes = axis_numbers(function, tuple(axes), x.ndim)
    s = [None] * len(axes) if s is None else s
    if len(s) != len(axes):
        raise InvalidArgumentError(f"{function}: s and axes must have the same length")
    present = [x.shape[axis] for axis in axes]
    default = [*present[:-1], 2 * (present[-1] - 1)] if half and axes else present
    given = zip(s, default, present, strict=True)
    return axes, [_length(function, whole if n is None else here if n == -1 else n) for n, whole, here in given]


def _complex(x):
    return x if x.dtype.kind == "c" else x.astype(np.complex64 if x.dtype in ("f2", "f4") else np.complex128)


def _many(function, x, s, axes, norm, kind):
    axes, lengths = _axes_and_lengths(function, x, s, axes, False)
    factor = _factor(function, norm, prod(lengths), kind == "inverse")
    if not axes:
        return _complex(x)
    for number, (axis, n) in enumerate(zip(reversed(axes), reversed(lengths), strict=True)):
        x = _native._fft(function, x, kind, axis, n, 1.0 if number else factor)
    return x


def fftn(a, s=None, axes=None, norm="backward", out=None):
    """The transform along several axes.

    Parameters
    ----------
    a : Array
        Real or complex numbers.
    s : sequence of int or None, optional
        How many elements are transformed along each axis; ``None`` and -1 for as many as there are.
    axes : sequence of int, optional
        Which axes; by default all, or the last ones if ``s`` is given.
    norm, out
        As for :func:`fft`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.fftn(cl.ones((2, 2))).tolist()
    [[(4+0j), 0j], [0j, 0j]]
    """
    return stored("fftn", _many("fftn", a, s, axes, norm, "forward"), out)


def ifftn(a, s=None, axes=None, norm="backward", out=None):
    """The inverse of :func:`fftn`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.ifftn(cl.ones((2, 2))).tolist()
    [[(1+0j), 0j], [0j, 0j]]
    """
    return stored("ifftn", _many("ifftn", a, s, axes, norm, "inverse"), out)


def rfftn(a, s=None, axes=None, norm="backward", out=None):
    """:func:`fftn` of real numbers: the first half along the last of the axes.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.rfftn(cl.ones((2, 2))).tolist()
    [[(4+0j), 0j], [0j, 0j]]
    """
    axes, lengths = _axes_and_lengths("rfftn", a, s, axes, False)
    _real("rfftn", a)
    if not axes:
        raise InvalidArgumentError("rfftn: there must be at least one axis")
    factor = _factor("rfftn", norm, prod(lengths), False)
    a = _native._fft("rfftn", a, "real_forward", axes[-1], lengths[-1], factor)
    for axis, n in reversed(list(zip(axes[:-1], lengths[:-1], strict=True))):
        a = _native._fft("rfftn", a, "forward", axis, n, 1.0)
    return stored("rfftn", a, out)


def irfftn(a, s=None, axes=None, norm="backward", out=None):
    """The inverse of :func:`rfftn`; ``s`` are the extents of the result.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.irfftn(cl.ones((2, 2))).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    axes, lengths = _axes_and_lengths("irfftn", a, s, axes, True)
    if not axes:
        raise InvalidArgumentError("irfftn: there must be at least one axis")
    factor = _factor("irfftn", norm, prod(lengths), True)
    for axis, n in zip(axes[:-1], lengths[:-1], strict=True):
        a = _native._fft("irfftn", a, "inverse", axis, n, 1.0)
    return stored("irfftn", _native._fft("irfftn", a, "real_inverse", axes[-1], lengths[-1], factor), out)


def fft2(a, s=None, axes=(-2, -1), norm="backward", out=None):
    """:func:`fftn` along two axes.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.fft2(cl.ones((2, 2))).tolist()
    [[(4+0j), 0j], [0j, 0j]]
    """
    return stored("fft2", _many("fft2", a, s, axes, norm, "forward"), out)


def ifft2(a, s=None, axes=(-2, -1), norm="backward", out=None):
    """The inverse of :func:`fft2`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.ifft2(cl.ones((2, 2))).tolist()
    [[(1+0j), 0j], [0j, 0j]]
    """
    return stored("ifft2", _many("ifft2", a, s, axes, norm, "inverse"), out)


def rfft2(a, s=None, axes=(-2, -1), norm="backward", out=None):
    """:func:`rfftn` along two axes.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.rfft2(cl.ones((2, 2))).tolist()
    [[(4+0j), 0j], [0j, 0j]]
    """
    return rfftn(a, s, axes, norm, out)


def irfft2(a, s=None, axes=(-2, -1), norm="backward", out=None):
    """The inverse of :func:`rfft2`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.irfft2(cl.ones((2, 2))).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    return irfftn(a, s, axes, norm, out)


def fftfreq(n, d=1.0, device=None, *, dtype=None, queue=None, usm_type=None):
    """The frequencies of the elements of :func:`fft`, in cycles by unit of the sample spacing ``d``.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.fftfreq(4, d=0.5).tolist()
    [0.0, 0.5, -1.0, -0.5]
    """
    n = _length("fftfreq", n)
    place = {"device": device, "queue": queue, "usm_type": usm_type}
    number = cl.arange(n, dtype=np.int64, **place)
    number = cl.where(number < (n + 1) // 2, number, number - n)
    return _frequencies("fftfreq", number, n, d, dtype)


def rfftfreq(n, d=1.0, device=None, *, dtype=None, queue=None, usm_type=None):
    """The frequencies of the elements of :func:`rfft`, in cycles by unit of the sample spacing ``d``.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.rfftfreq(4, d=0.5).tolist()
    [0.0, 0.5, 1.0]
    """
    n = _length("rfftfreq", n)
    number = cl.arange(n // 2 + 1, dtype=np.int64, device=device, queue=queue, usm_type=usm_type)
    return _frequencies("rfftfreq", number, n, d, dtype)


def _frequencies(function, number, n, d, dtype):
    frequencies = cl.multiply(number, 1.0 / (n * float(d)))
    if dtype is None:
        return frequencies
    dtype = np.dtype(dtype)
    if dtype.kind != "f":
        raise DTypeError(f"{function}: frequencies are real numbers, not {dtype}")
    return frequencies.astype(dtype, copy=False)


def _shifted(function, x, axes, steps):
    one_array(function, x)
    axes = axis_numbers(function, axes, x.ndim)
    return cl.roll(x, tuple(steps(x.shape[axis]) for axis in axes), axis=axes) if axes else x.copy()


def fftshift(x, axes=None):
    """Moves the element of frequency zero to the middle.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.fftshift(cl.fft.fftfreq(4)).tolist()
    [-0.5, -0.25, 0.0, 0.25]
    """
    return _shifted("fftshift", x, axes, lambda n: n // 2)


def ifftshift(x, axes=None):
    """The inverse of :func:`fftshift`.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fft.ifftshift(cl.fft.fftshift(cl.fft.fftfreq(5))).tolist() == cl.fft.fftfreq(5).tolist()
    True
    """
    return _shifted("ifftshift", x, axes, lambda n: -(n // 2))
