"""Arrays in files and as text."""

import io

import numpy as np
import pytest

import colocate as cl
from colocate import _dtypes


@pytest.mark.parametrize("dtype", tuple(_dtypes.ALL))
def test_arrays_come_back_from_files(device, dtype, tmp_path):
    a = np.arange(6).reshape(2, 3).astype(dtype)
    x = cl.asarray(a, device=device).T
    cl.save(tmp_path / "x.npy", x)
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), a.T)
    got = cl.load(tmp_path / "x.npy", device=device, usm_type="shared")
    assert got.dtype == x.dtype and got.tolist() == x.tolist() and got.usm_type == "shared" and got.device == device
    assert cl.load(tmp_path / "x.npy", mmap_mode="r", device=device).tolist() == x.tolist()


@pytest.mark.parametrize("writer", ("savez", "savez_compressed"))
def test_archives_hold_arrays_by_name(device, tmp_path, writer):
    x, y = cl.arange(3, device=device), cl.ones((2, 2), device=device)
    getattr(cl, writer)(tmp_path / "a.npz", x, second=y)
    with np.load(tmp_path / "a.npz") as theirs:
        assert sorted(theirs) == ["arr_0", "second"]
    with cl.load(tmp_path / "a.npz", device=device) as arrays:
        assert sorted(arrays) == sorted(arrays.files) == ["arr_0", "second"] and len(arrays) == 2
        assert arrays["arr_0"].tolist() == [0, 1, 2] and arrays["second"].device == device
        assert "second" in arrays and "third" not in arrays
    with pytest.raises(cl.HostDataError):
        getattr(cl, writer)(tmp_path / "b.npz", np.ones(3))


def test_text_files_are_numpys(device):
    a = np.array([[1.5, 2], [3, 4]])
    ours, theirs = io.StringIO(), io.StringIO()
    cl.savetxt(ours, cl.asarray(a, device=device), delimiter=",", fmt="%.2f", header="x")
    np.savetxt(theirs, a, delimiter=",", fmt="%.2f", header="x")
    assert ours.getvalue() == theirs.getvalue()
    ours.seek(0)
    got = cl.loadtxt(ours, delimiter=",", device=device)
    assert got.tolist() == a.tolist() and got.device == device
    assert cl.genfromtxt(io.StringIO("1,,3"), delimiter=",", device=device).tolist()[::2] == [1, 3]


def test_pickled_objects_are_not_loaded(tmp_path):
    np.save(tmp_path / "o.npy", np.array([object()]), allow_pickle=True)
    with pytest.raises(ValueError, match="pickle"):
        cl.load(tmp_path / "o.npy")


def test_text_is_numpys(device):
    a = np.random.default_rng(1).normal(size=(3, 40))
    x = cl.asarray(a, device=device)
    for options in ({}, {"precision": 2}, {"threshold": 5}, {"edgeitems": 1, "threshold": 10}, {"separator": ", "}):
        assert cl.array2string(x, **options) == np.array2string(a, **options)
    assert cl.array_str(x, precision=3) == np.array_str(a, precision=3)


def test_printing_options_hold_for_repr(device):
    x = cl.asarray([0.123456789, 100], device=device)
    with cl.printoptions(precision=2):
        assert "0.12," in repr(x) and cl.get_printoptions()["precision"] == 2
    assert "0.12345679" in repr(x)
    large = cl.zeros((50, 50), device=device)
    with cl.printoptions(threshold=10, edgeitems=1):
        assert "shape=(50, 50)" in repr(large) and repr(large).count("0.") == 4
    with cl.printoptions(threshold=10**6):
        assert "..." not in repr(large)
    assert cl.array_repr(x, precision=1).startswith("Array([  0.1, 100. ]")
    old = cl.get_printoptions()["precision"]
    cl.set_printoptions(precision=3)
    try:
        assert np.get_printoptions()["precision"] == 3
    finally:
        cl.set_printoptions(precision=old)


def test_only_what_shows_is_copied(device):
    x = cl.asarray(np.arange(10**6), device=device)
    assert repr(x).startswith("Array([     0,      1,      2, ..., 999997, 999998, 999999], shape=(1000000,)")


def test_numbers_are_read_from_files_and_texts(tmp_path, device):
    x = np.arange(5, dtype="int16")
    x.tofile(tmp_path / "bytes")
    x.tofile(tmp_path / "text", sep=" ")
    assert cl.fromfile(tmp_path / "bytes", dtype="int16", offset=2, device=device).tolist() == [1, 2, 3, 4]
    assert cl.fromfile(tmp_path / "text", dtype="int16", sep=" ", count=3, device=device).tolist() == [0, 1, 2]
    assert cl.fromstring("1 2.5", sep=" ", device=device).tolist() == [1.0, 2.5]
    assert cl.fromstring("1", sep=" ", device=device).device == device


def test_a_number_is_shown_whole_whatever_the_options(device):
    for value in (1.5875865732750897e-07, 3, True, 1 / 3 + 2j):
        a = np.asarray(value)
        with np.printoptions(precision=2, suppress=True, sign="+"):
            assert cl.array_str(cl.asarray(a, device=device)) == np.array_str(a)
