"""Fourier transforms, against NumPy."""

import numpy as np
import pytest

import colocate as cl

LENGTHS = [1, 2, 3, 5, 8, 17, 60, 101, 1024]
NORMS = [None, "backward", "ortho", "forward"]
COMPLEX = ["fft", "ifft", "irfft", "hfft"]
REAL = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]


def numbers(shape, dtype="c16", seed=0):
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    x = 5 * rng.normal(size=shape)
    if dtype.kind == "c":
        x = x + 5j * rng.normal(size=shape)
    return (np.abs(x) if dtype.kind in "u?" else x).astype(dtype)


def assert_close(found, expected):
    found = cl.asnumpy(found)
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    tolerance = 1e-5 if expected.dtype in ("f4", "c8") else 1e-13
    scale = np.abs(expected).max(initial=1.0)
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * scale)


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("norm", NORMS)
def test_one_axis_agrees_with_numpy(device, length, norm):
    x = numbers((3, length))
    y = cl.asarray(x, device=device)
    for name in COMPLEX:
        if name in ("irfft", "hfft") and length == 1:
            continue
        assert_close(getattr(cl.fft, name)(y, norm=norm), getattr(np.fft, name)(x, norm=norm))
    for name in ("rfft", "ihfft"):
        assert_close(getattr(cl.fft, name)(y.real, norm=norm), getattr(np.fft, name)(x.real, norm=norm))


@pytest.mark.parametrize("dtype", ["?", "i1", "i4", "u8", "f2", "f4", "f8", "c8", "c16"])
def test_every_dtype_is_transformed_in_the_precision_of_numpy(device, dtype):
    x = numbers((2, 30), dtype)
    y = cl.asarray(x, device=device)
    for name in COMPLEX if np.dtype(dtype).kind == "c" else REAL:
        if dtype == "f2":
            # NumPy transforms float16 in single precision, or by version in half.
            assert_close(getattr(cl.fft, name)(y), getattr(np.fft, name)(x.astype("f4")))
        else:
            assert_close(getattr(cl.fft, name)(y), getattr(np.fft, name)(x))


@pytest.mark.parametrize("n", [1, 4, 7, 9, 20])
@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_any_axis_is_cut_or_filled_up(device, n, axis):
    x = numbers((6, 7, 8))
    y = cl.asarray(x, device=device)
    for name in COMPLEX:
        assert_close(getattr(cl.fft, name)(y, n=n, axis=axis), getattr(np.fft, name)(x, n=n, axis=axis))
    assert_close(cl.fft.rfft(y.real, n, axis), np.fft.rfft(x.real, n, axis))


@pytest.mark.parametrize("view", [np.transpose, lambda x: x[::-2], lambda x: x[:, ::3]])
def test_any_layout_is_transformed(device, view):
    x = numbers((20, 30))
    y = cl.asarray(x, device=device)
    y = y.T if view is np.transpose else view(y)
    for axis in (0, 1):
        assert_close(cl.fft.fft(y, axis=axis), np.fft.fft(view(x), axis=axis))


@pytest.mark.parametrize("length", [1 << 15, 1 << 16, 3 * 5 * 7 * 11 * 29, 40_009])
@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_long_lines_agree_with_numpy(device, length, dtype):
    x = numbers(length, dtype)
    y = cl.asarray(x, device=device)
    assert_close(cl.fft.fft(y), np.fft.fft(x))
    assert_close(cl.fft.ifft(y), np.fft.ifft(x))
    assert_close(cl.fft.rfft(y.real), np.fft.rfft(x.real))
    assert_close(cl.fft.irfft(y), np.fft.irfft(x))


@pytest.mark.parametrize("shape", [(300, 200), (4, 50, 60)])
def test_many_lines_agree_with_numpy(device, shape):
    x = numbers(shape)
    y = cl.asarray(x, device=device)
    for axis in range(len(shape)):
        assert_close(cl.fft.fft(y, axis=axis), np.fft.fft(x, axis=axis))


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(
    "arguments",
    [{}, {"axes": (0, 1)}, {"axes": (2, 0)}, {"axes": (-1,)}, {"s": (4, 9), "axes": (1, 2)}, {"s": (5, 5, 5)}],
)
def test_several_axes_agree_with_numpy(device, norm, arguments):
    x = numbers((4, 6, 5))
    y = cl.asarray(x, device=device)
    theirs = {"axes": tuple(range(-len(arguments["s"]), 0)), **arguments} if "s" in arguments else arguments
    for name in ("fftn", "ifftn", "irfftn"):
        assert_close(getattr(cl.fft, name)(y, norm=norm, **arguments), getattr(np.fft, name)(x, norm=norm, **theirs))
    assert_close(cl.fft.rfftn(y.real, norm=norm, **arguments), np.fft.rfftn(x.real, norm=norm, **theirs))


@pytest.mark.filterwarnings("ignore:Passing an array containing:DeprecationWarning")
@pytest.mark.parametrize("s", [(2, None), (None, 5), (None, None), (-1, None), (None, -1)])
def test_extents_that_are_not_given_agree_with_numpy(device, s):
    x = numbers((4, 6))
    y = cl.asarray(x, device=device)
    for name in ("fftn", "ifftn", "irfftn"):
        assert_close(getattr(cl.fft, name)(y, s=s, axes=(0, 1)), getattr(np.fft, name)(x, s=s, axes=(0, 1)))
    assert_close(cl.fft.rfftn(y.real, s=s, axes=(0, 1)), np.fft.rfftn(x.real, s=s, axes=(0, 1)))


def test_two_axes_agree_with_numpy(device):
    x = numbers((3, 8, 6))
    y = cl.asarray(x, device=device)
    for name in ("fft2", "ifft2", "irfft2"):
        assert_close(getattr(cl.fft, name)(y), getattr(np.fft, name)(x))
    assert_close(cl.fft.rfft2(y.real), np.fft.rfft2(x.real))


@pytest.mark.parametrize("n", [1, 2, 5, 8])
def test_frequencies_agree_with_numpy(device, n):
    assert_close(cl.fft.fftfreq(n, d=0.3, device=device), np.fft.fftfreq(n, 0.3))
    assert_close(cl.fft.rfftfreq(n, d=0.3, device=device), np.fft.rfftfreq(n, 0.3))
    assert cl.fft.fftfreq(n, dtype=cl.float32, device=device).dtype == np.float32
    x = np.arange(n * 3).reshape(n, 3)
    y = cl.asarray(x, device=device)
    for axes in (None, 0, (1,), (0, 1)):
        assert_close(cl.fft.fftshift(y, axes=axes), np.fft.fftshift(x, axes=axes))
        assert_close(cl.fft.ifftshift(y, axes=axes), np.fft.ifftshift(x, axes=axes))


def test_no_lines_are_transformed(device):
    y = cl.empty((0, 4), dtype="c16", device=device)
    assert cl.fft.fft(y).shape == (0, 4)
    assert cl.fft.rfft(y.real).shape == (0, 3)
    assert cl.fft.irfft(y, n=5).shape == (0, 5)


def test_what_cannot_be_transformed_is_refused(device):
    y = cl.ones(4, dtype="c16", device=device)
    with pytest.raises(TypeError):
        cl.fft.rfft(y)
    with pytest.raises(ValueError, match="0 elements"):
        cl.fft.fft(y, n=0)
    with pytest.raises(ValueError, match="0 elements"):
        cl.fft.fft(y[:0])
    with pytest.raises(ValueError, match="norm"):
        cl.fft.fft(y, norm="none")
    with pytest.raises(cl.AxisError):
        cl.fft.fft(y, axis=1)
    with pytest.raises(cl.AxisError):
        cl.fft.fft(cl.asarray(1.0, device=device))
    with pytest.raises(cl.HostDataError):
        cl.fft.fft(np.ones(3))


def test_results_have_the_memory_of_their_inputs(device):  # R3.3
    for usm_type in ("device", "shared", "host"):
        y = cl.asarray([2.0, 1.0], device=device, usm_type=usm_type)
        for result in (cl.fft.fft(y), cl.fft.rfft(y), cl.fft.irfft(y), cl.fft.fftshift(y)):
            assert result.usm_type == usm_type
            assert result.queue == y.queue


def test_transforms_come_after_what_was_submitted_before(device):
    y = cl.ones(1 << 17, device=device)
    for _ in range(5):
        y = y + 1.0
    assert complex(cl.fft.fft(y)[0]) == 6 * (1 << 17)
