"""Attributes of arrays and of functions that NumPy's have, too."""

import pickle

import numpy as np
import pytest

import colocate as cl

X = np.arange(12.0).reshape(3, 4)
VIEWS = [np.s_[...], np.s_[::2, 1:], np.s_[::-1], np.s_[1]]
KEYS = [np.s_[3], np.s_[-1], np.s_[1:3], np.s_[::2], np.s_[...], [0, 2]]


@pytest.mark.parametrize("view", VIEWS, ids=str)
@pytest.mark.parametrize("transposed", [False, True])
def test_elements_are_read_as_if_there_were_one_axis(view, transposed, device):
    theirs, ours = X[view], cl.asarray(X, device=device)[view]
    if transposed:
        theirs, ours = theirs.T, ours.T
    assert [float(value) for value in ours.flat] == list(theirs.flat)
    assert len(ours.flat) == len(theirs.flat) and ours.flat.base is ours
    assert ours.flat.copy().tolist() == theirs.flat.copy().tolist()
    for key in KEYS:
        assert ours.flat[key].tolist() == theirs.flat[key].tolist()
    copied = ours.flat[:2]
    copied[...] = -1
    assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("view", VIEWS, ids=str)
@pytest.mark.parametrize("key", KEYS, ids=str)
@pytest.mark.parametrize("value", [7.0, [1.0, 2.0, 3.0]], ids=str)
def test_elements_are_set_as_if_there_were_one_axis(view, key, value, device):
    theirs, ours = X.copy(), cl.asarray(X, device=device, copy=True)
    if isinstance(key, int) and isinstance(value, list):
        value = value[0]
    theirs[view].T.flat[key] = value
    ours[view].T.flat[key] = value
    assert ours.tolist() == theirs.tolist()
    ours[view].T.flat[key] = cl.asarray(value, device=device) + 1
    theirs[view].T.flat[key] = np.asarray(value) + 1
    assert ours.tolist() == theirs.tolist()


def test_all_elements_are_set_at_once(device):
    x, y = cl.zeros((2, 3), device=device), np.zeros((2, 3))
    for value in (5, [1, 2], range(6)):
        x.flat, y.flat = list(value) if isinstance(value, range) else value, value
        assert x.tolist() == y.tolist()
    with pytest.raises(cl.HostDataError):
        x.flat = np.ones(6)
    with pytest.raises(IndexError):
        x.flat[6]


def test_the_host_reads_elements_in_place(device):
    x = cl.asarray(X, device=device, usm_type="shared", copy=True)
    assert isinstance(x.data, memoryview) and np.asarray(x.data).tolist() == X.tolist()
    np.asarray(x.data)[0, 0] = 99
    assert float(x[0, 0]) == 99


def test_arrays_are_written_to_files(tmp_path, device):
    x = cl.asarray(X, device=device)
    for options in ({}, {"sep": " ", "format": "%.2f"}):
        x.T.tofile(tmp_path / "ours", **options)
        X.T.tofile(tmp_path / "theirs", **options)
        assert (tmp_path / "ours").read_bytes() == (tmp_path / "theirs").read_bytes()
    x.dump(tmp_path / "pickled")
    for back in (pickle.loads((tmp_path / "pickled").read_bytes()), pickle.loads(x.dumps())):
        assert back.device == device and back.tolist() == X.tolist()


@pytest.mark.parametrize("name", ["add", "multiply", "exp", "isnan", "logical_and", "maximum", "hypot", "arctan2"])
def test_functions_tell_what_numpys_tell(name):
    ours, theirs = getattr(cl, name), getattr(np, name)
    assert ours.identity == theirs.identity and ours.signature is None and ours.ntypes == len(ours.types)
    assert set(ours.types) <= set(theirs.types) and ours.types
    for one in ours.types:
        given, result = one.split("->")
        assert ours.result_dtype(*given) == result


def test_functions_that_are_no_ufuncs_of_numpys_have_types():
    assert "d->?" in cl.isposinf.types and cl.real.identity is None


SHAPES = [12, -1, (12,), [3, 4], (4, 3), (2, -1), (2, 2, 3), (1, 12), (3, 1, 4), (5,), (-1, -1), (0,), (-2, -6)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("view", [*VIEWS, np.s_[:, ::2], np.s_[:, :3], np.s_[:, None]], ids=str)
@pytest.mark.parametrize("transposed", [False, True])
def test_the_shape_is_set_where_no_copy_is_needed(shape, view, transposed, device):
    theirs, ours = X[view], cl.asarray(X, device=device)[view]
    if transposed:
        theirs, ours = theirs.T, ours.T
    try:
        theirs.shape = shape
    except (AttributeError, ValueError) as failure:
        before = ours.shape
        with pytest.raises(type(failure)):
            ours.shape = shape
        assert ours.shape == before
    else:
        ours.shape = shape
        assert ours.shape == theirs.shape and ours.tolist() == theirs.tolist()
        for extent, stride, expected in zip(ours.shape, ours.strides, theirs.strides, strict=True):
            assert extent == 1 or not theirs.size or stride == expected


def test_an_array_whose_shape_is_set_is_the_same_memory(device):
    x = cl.zeros((2, 3), device=device)
    row = x[0]
    x.shape = 6
    x[:3] = 7
    assert row.tolist() == [7, 7, 7] and (x + 1).shape == (6,) and x.reshape(3, 2).base is x
    with pytest.raises(AttributeError):
        del x.shape


@pytest.mark.parametrize("dtype", ["float64", "uint8", "int16", "complex128", "int64"])
@pytest.mark.parametrize("shape", [(4, 4), (4, 3), ()], ids=str)
def test_the_dtype_is_set_where_the_bytes_divide(dtype, shape, device):
    theirs = np.ones(shape)
    ours = cl.asarray(theirs, device=device, copy=True)
    try:
        theirs.dtype = dtype
    except ValueError:
        with pytest.raises(ValueError, match="do not divide"):
            ours.dtype = dtype
    else:
        ours.dtype = dtype
        assert ours.dtype == theirs.dtype and ours.tolist() == theirs.tolist()


def test_the_base_is_the_array_whose_memory_is_viewed(device):
    x = cl.asarray(X, device=device, copy=True)
    assert x.base is None and (x + 1).base is None and x.copy().base is None and x[[0, 1]].base is None
    views = [x[1:], x[0, 1], x.T, x.reshape(-1), x[1:][::2].T, x.view("int64"), cl.flip(x), cl.expand_dims(x, 0)]
    views += [x.ravel(), x.real, x.diagonal(), cl.broadcast_to(x, (2, 3, 4)), cl.moveaxis(x, 0, 1), next(iter(x))]
    for view in views:
        assert view.base is x and not view.flags.owndata
    assert x.flags.owndata and x.T.ravel().base is None


def test_the_flags_are_numpys(device):
    for view in (*VIEWS, np.s_[:, ::2], np.s_[:1], np.s_[:0]):
        theirs, ours = X[view], cl.asarray(X, device=device)[view]
        for t, o in ((theirs, ours), (theirs.T, ours.T), (theirs.copy(), ours.copy())):
            # NumPy's farray is true of arrays that are not Fortran-contiguous, too.
            names = [name for name in dir(t.flags) if not name.startswith("_") and name != "farray"]
            assert {name: getattr(o.flags, name) for name in names} == {name: getattr(t.flags, name) for name in names}
            for key in ("C", "F", "O", "W", "A", "X", "B", "CA", "FNC", "FORC", "OWNDATA", "WRITEABLE"):
                assert o.flags[key] == t.flags[key]
            assert str(o.flags) == str(t.flags)
    with pytest.raises(KeyError):
        ours.flags["nothing"]
    with pytest.raises(KeyError):
        ours.flags["C"] = True


def test_arrays_are_made_read_only_and_writable_again(device):
    x = cl.zeros(3, device=device)
    for clear, again in (
        (lambda: x.setflags(write=False), lambda: x.setflags(write=True)),
        (lambda: setattr(x.flags, "writeable", False), lambda: x.flags.__setitem__("WRITEABLE", True)),
    ):
        clear()
        with pytest.raises(ValueError, match="read-only"):
            x[0] = 1
        view = x[:2]
        with pytest.raises(ValueError, match="cannot be made writable"):
            view.flags.writeable = True
        again()
        x[0] = 1
        view.flags.writeable = True
        view[1] = 2
    assert x.tolist() == [1, 2, 0]
    with pytest.raises(ValueError, match="cannot be made writable"):
        cl.broadcast_to(x, (2, 3)).setflags(write=True)


@pytest.mark.parametrize("shape", [6, 20, (2, 2), (5, 4), 0, (), (3, 4), (30, 2)], ids=str)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("refcheck", [True, False])
def test_arrays_are_resized_as_numpys_are(shape, order, refcheck, device):
    theirs = np.array(X, order=order)
    ours = cl.array(X, device=device, order=order)
    other = None if refcheck else ours[:]
    theirs.resize(shape, refcheck=False)
    ours.resize(shape, refcheck=refcheck)
    assert ours.shape == theirs.shape and ours.tolist() == theirs.tolist() and ours.flags.owndata
    assert other is None or other.tolist() == X.tolist()


def test_an_array_that_grows_keeps_its_elements(device):
    x = cl.arange(3, device=device)
    for length in range(4, 60):
        x.resize(length)
        x[-1] = length
    assert x.tolist() == [0, 1, 2, *range(4, 60)]
    x.resize(2)
    x.resize(2, 2)
    assert x.tolist() == [[0, 1], [0, 0]]


def test_memory_that_others_use_is_not_resized(device):
    x = cl.arange(3, device=device)
    view = x[1:]
    with pytest.raises(ValueError, match="use the same memory"):
        x.resize(9)
    with pytest.raises(ValueError, match="not its own"):
        view.resize(9)
    del view
    shared = cl.arange(3, device=device, usm_type="shared")
    held = memoryview(shared)
    with pytest.raises(ValueError, match="use the same memory"):
        shared.resize(900)
    shared.resize(900, refcheck=False)
    assert held.tolist() == [0, 1, 2] and shared[:4].tolist() == [0, 1, 2, 0]


@pytest.mark.parametrize("dtype", ["int16", "float64", "complex64", "int8", "bool"])
def test_bytes_are_swapped(dtype, device):
    theirs = np.arange(6).reshape(2, 3).astype(dtype)
    ours = cl.asarray(theirs, device=device, copy=True)
    assert ours.T.byteswap().tobytes() == theirs.T.byteswap().tobytes() and ours.tolist() == theirs.tolist()
    assert ours.byteswap(inplace=True) is ours and ours.tobytes() == theirs.byteswap().tobytes()


def test_c_functions_get_the_address(device):
    x = cl.asarray(X, device=device, usm_type="shared")
    assert x.ctypes.data == np.asarray(x).ctypes.data and list(x.ctypes.shape) == [3, 4]
