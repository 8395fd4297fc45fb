"""array-api-compat: how packages find out what they were given."""

import pytest

import colocate as cl

compat = pytest.importorskip("array_api_compat")


def test_our_arrays_are_recognised(device):
    x = cl.ones((2, 3), device=device)
    assert compat.is_array_api_obj(x)
    assert compat.array_namespace(x, 1.0, None, x) is cl
    assert compat.array_namespace(x, api_version="2024.12") is cl
    assert compat.device(x) == device
    assert compat.size(x) == 6
    for other in ("numpy", "cupy", "torch", "dask", "jax", "pydata_sparse", "ndonnx", "dpnp"):
        assert not getattr(compat, f"is_{other}_array")(x)
        assert not getattr(compat, f"is_{other}_namespace")(cl)


def test_our_arrays_are_eager_and_writeable(device):
    x = cl.ones((2, 3), device=device)
    assert compat.is_writeable_array(x)
    assert not compat.is_lazy_array(x)
    assert not compat.is_lazy_array(cl.zeros((0, 2), device=device))


def test_arrays_move(device):
    x = cl.asarray([1.0, 2.0], device=device)
    moved = compat.to_device(x, cl.Device("native:cpu"))
    assert moved.device == cl.Device("native:cpu")
    assert moved.tolist() == [1, 2]


def test_mixtures_with_numpy_are_refused(device):
    numpy = pytest.importorskip("numpy")
    with pytest.raises(TypeError):
        compat.array_namespace(cl.ones(2, device=device), numpy.ones(2))


def test_a_bound_namespace_is_found(device):  # R6.4
    xp = cl.offload_to(device)
    assert compat.array_namespace(xp.ones(2)) is xp
