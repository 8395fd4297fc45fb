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
