"""Other people's packages on our arrays: the place where they run, and the comparison with NumPy."""

import numpy as np
import pytest

import colocate as cl


def to_numpy(result):
    """A result as NumPy knows it: arrays of ours inside tuples, lists and objects with fields are copied."""
    if isinstance(result, cl.Array):
        return cl.asnumpy(result)
    if isinstance(result, (tuple, list)):
        return [to_numpy(one) for one in result]
    if hasattr(result, "__dataclass_fields__"):
        return [to_numpy(getattr(result, name)) for name in result.__dataclass_fields__]
    return result


def check_kind(result, device):
    """Every array in a result is ours, and lies on the device."""
    if isinstance(result, (tuple, list)):
        for one in result:
            check_kind(one, device)
    else:
        assert isinstance(result, (cl.Array, bool, int, float)), f"{type(result).__name__} came back"
        if isinstance(result, cl.Array):
            assert result.device == device


class Comparison:
    """Calls functions with NumPy's arrays and with ours, and compares."""

    def __init__(self, device):
        self.device = device

    def ours(self, *arrays):
        """NumPy arrays as arrays of ours; anything else stays."""
        made = [
            cl.asarray(one, device=self.device, copy=True) if isinstance(one, np.ndarray) else one for one in arrays
        ]
        return made[0] if len(made) == 1 else made

    def __call__(self, function, *arrays, rtol=1e-6, atol=1e-9):
        """The function gives the same for ours, as arrays of ours on the same device."""
        expected = function(*(one.copy() if isinstance(one, np.ndarray) else one for one in arrays))
        got = function(*(self.ours(one) for one in arrays))
        check_kind(got, self.device)
        self.close(got, expected, rtol, atol)

    def close(self, got, expected, rtol=1e-6, atol=1e-9):
        """Shapes, dtypes and values are the same."""
        got, expected = to_numpy(got), to_numpy(expected)
        if isinstance(expected, list):
            assert len(got) == len(expected)
            for one, other in zip(got, expected, strict=True):
                self.close(one, other, rtol, atol)
            return
        got, expected = np.asarray(got), np.asarray(expected)
        assert got.shape == expected.shape
        assert got.dtype == expected.dtype
        np.testing.assert_allclose(got, expected, rtol=rtol, atol=atol)


@pytest.fixture
def same_as_numpy(device):
    """A comparison on each device, which is the current one meanwhile."""
    with cl.device_context(device):
        yield Comparison(device)


@pytest.fixture
def same_on_native():
    """For functions that read arrays on the host, which they can where memory is the host's (R2.3)."""
    device = cl.Device("native:cpu")
    with cl.device_context(device):
        yield Comparison(device)
