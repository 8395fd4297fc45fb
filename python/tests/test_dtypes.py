"""Functions of element types, and what programs can ask of the namespace."""

import itertools

import numpy as np
import pytest

import colocate as cl
from colocate import _dtypes

DTYPES = tuple(_dtypes.ALL)


@pytest.mark.parametrize("first, second", itertools.product(DTYPES, DTYPES))
def test_promotion_and_casting_are_numpys(first, second):
    assert cl.promote_types(first, second) == np.promote_types(first, second)
    assert cl.result_type(getattr(cl, first), getattr(cl, second)) == np.result_type(first, second)
    for casting in ("no", "safe", "same_kind", "unsafe"):
        assert cl.can_cast(first, second, casting) == np.can_cast(first, second, casting)


@pytest.mark.parametrize("name", DTYPES)
def test_dtypes_are_numpys_scalar_types(device, name):
    kind = getattr(cl, name)
    assert kind is getattr(np, name) and kind(1) == 1 and kind(1).dtype == name
    x = cl.asarray([0, 1], dtype=kind, device=device)
    assert x.dtype == kind and kind == x.dtype and x.astype(kind).dtype == name
    assert cl.zeros_like(x, dtype=kind).dtype == cl.result_type(kind, x) == cl.promote_types(kind, kind) == kind
    assert cl.can_cast(kind, kind) and cl.isdtype(x.dtype, kind) and cl.isdtype(kind, x.dtype)
    assert cl.issubdtype(x.dtype, cl.generic) and cl.dtype(kind) == x.dtype
    info = cl.finfo if x.dtype.kind in "fc" else cl.iinfo
    if x.dtype.kind != "b":
        assert info(kind).bits == info(x).bits
    if name != "float16":  # which the standard does not know
        assert cl.__array_namespace_info__().dtypes()[name] == kind


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("scalar", (True, 1, 1.5, 1j), ids=str)
def test_python_scalars_are_weak(device, dtype, scalar):  # R3.4
    x = cl.ones(2, dtype=dtype, device=device)
    assert cl.result_type(x, scalar) == np.result_type(np.dtype(dtype), scalar)
    assert cl.result_type(x[0], scalar, "int8") == np.result_type(np.dtype(dtype), scalar, "int8")


def test_other_things_have_no_type_here(device):
    x = cl.ones(2, device=device)
    for bad in (lambda: cl.result_type(), lambda: cl.result_type(x, np.ones(2)), lambda: cl.result_type("S3")):
        with pytest.raises(TypeError):
            bad()
    with pytest.raises(TypeError):
        cl.can_cast(1, "int8")
    assert cl.can_cast(x, "complex128") and not cl.can_cast(x, "float32")
    assert cl.min_scalar_type(-300) == "int16" and cl.min_scalar_type(x) == "float64"
    assert cl.min_scalar_type(cl.asarray(3, device=device)) == "uint8"


@pytest.mark.parametrize("dtype", DTYPES)
def test_kinds_are_numpys(dtype):
    kinds = ("bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric")
    for kind in (*kinds, ("bool", "integral"), np.dtype("int8"), ("int8" and np.dtype("int8"), "bool")):
        assert cl.isdtype(getattr(cl, dtype), kind) == np.isdtype(np.dtype(dtype), kind)


@pytest.mark.parametrize("dtype", ("float16", "float32", "float64", "complex64", "complex128"))
def test_limits_of_floats_are_plain_numbers(device, dtype):
    wanted = np.finfo(dtype)
    for source in (dtype, np.dtype(dtype), cl.ones(2, dtype=dtype, device=device)):
        info = cl.finfo(source)
        for name in ("eps", "max", "min", "smallest_normal", "tiny", "resolution"):
            assert type(getattr(info, name)) is float and getattr(info, name) == float(getattr(wanted, name))
        assert info.bits == wanted.bits and info.dtype == wanted.dtype and "finfo" in repr(info)
    with pytest.raises(TypeError):
        cl.finfo("int8")


@pytest.mark.parametrize("dtype", ("int8", "int64", "uint8", "uint64"))
def test_limits_of_integers_are_plain_numbers(device, dtype):
    for source in (dtype, cl.ones(2, dtype=dtype, device=device)):
        info = cl.iinfo(source)
        assert (info.min, info.max, info.bits) == (np.iinfo(dtype).min, np.iinfo(dtype).max, np.iinfo(dtype).bits)
        assert type(info.max) is int and info.dtype == dtype and "iinfo" in repr(info)
    with pytest.raises(TypeError):
        cl.iinfo("float32")


def test_constants_are_numbers():
    assert (cl.e, cl.pi, cl.inf, cl.newaxis) == (np.e, np.pi, np.inf, None) and np.isnan(cl.nan)
    assert cl.__array_api_version__ == "2025.12"


def test_the_namespace_tells_what_it_has(device):
    info = cl.__array_namespace_info__()
    assert info.capabilities() == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}
    assert device in info.devices() and isinstance(info.devices(), tuple)
    with cl.device_context(device):
        assert info.default_device() == device
    assert info.default_dtypes(device=device) == {
        "real floating": cl.float64,
        "complex floating": cl.complex128,
        "integral": cl.int64,
        "indexing": cl.int64,
    }
    everything = info.dtypes(device=device)
    assert set(everything) == set(DTYPES) - {"float16"}
    assert set(info.dtypes(kind=("bool", "complex floating"))) == {"bool", "complex64", "complex128"}
    assert set(info.dtypes(kind="numeric")) == set(everything) - {"bool"}
    with pytest.raises(ValueError):
        info.dtypes(kind="real")
