"""Functions that NumPy's programs use around their computations: windows, questions, joining between brackets."""

import numpy as np
import pytest

import colocate as cl

X = np.asarray([[3.0, -1.5, 2.0], [0.5, 4.0, -2.0]])
Z = X + 1j * np.asarray([[0, 1, 0], [2, 0, 0]])


@pytest.mark.parametrize("count", [0, 1, 2, 5, 12])
@pytest.mark.parametrize("name", ["bartlett", "blackman", "hamming", "hanning", "kaiser"])
def test_windows_are_numpys_and_made_where_they_are_wanted(name, count, device):
    rest = (3.5,) if name == "kaiser" else ()
    window = getattr(cl, name)(count, *rest, device=device, usm_type="shared")
    assert window.device == device and window.usm_type == "shared"
    np.testing.assert_allclose(cl.asnumpy(window), getattr(np, name)(count, *rest), atol=1e-14)


@pytest.mark.parametrize("name", ["isreal", "iscomplex", "iscomplexobj", "isrealobj"])
@pytest.mark.parametrize("x", [X, Z, X.astype("int8")], ids=["real", "complex", "integers"])
def test_what_is_real_and_what_is_complex(name, x):
    ours, theirs = getattr(cl, name)(cl.asarray(x)), getattr(np, name)(x)
    assert np.asarray(ours.tolist() if isinstance(ours, cl.Array) else ours).tolist() == np.asarray(theirs).tolist()


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "float32", "float64", "complex64"])
def test_complex_numbers_are_sorted(dtype):
    x = Z.astype(dtype) if dtype.startswith("c") else np.abs(X).astype(dtype)
    ours, theirs = cl.sort_complex(cl.asarray(x)), np.sort_complex(x)
    assert ours.dtype == theirs.dtype and ours.tolist() == theirs.tolist()


def test_questions_about_arrays():
    x = cl.asarray(X)
    assert [cl.isscalar(one) for one in (1, 2.5, "a", np.float32(1), x, [1])] == [True, True, True, True, False, False]
    assert cl.isfortran(x.T) and not cl.isfortran(x) and not cl.isfortran(x[0])
    assert cl.common_type(x.astype("float32"), x.astype("float16")) is np.float32
    assert cl.common_type(x.astype("int8"), cl.asarray(Z)) is np.complex128
    assert cl.euler_gamma == np.euler_gamma


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (np.s_[:3], np.s_[3:]),
        (np.s_[::2], np.s_[1::2]),
        (np.s_[::2], np.s_[4:5]),
        (np.s_[::-1], np.s_[0:1]),
        (np.s_[2:2], np.s_[:]),
        (np.s_[0:6:3], np.s_[1:6:2]),
    ],
)
def test_arrays_that_share_elements(first, second, device):
    x, host = cl.arange(6, device=device), np.arange(6)
    for name in ("shares_memory", "may_share_memory"):
        expected = getattr(np, name)(host[first], host[second])
        assert getattr(cl, name)(x[first], x[second]) == expected
        assert getattr(np, name)(x[first], x[second]) == expected
        assert not getattr(cl, name)(x[first], x[second].copy()) and not getattr(cl, name)(x, host)


def test_shapes_that_are_broadcast():
    ours, theirs = cl.broadcast(cl.ones((3, 1)), cl.ones(4), 2), np.broadcast(np.ones((3, 1)), np.ones(4), 2)
    for name in ("shape", "ndim", "nd", "size", "numiter"):
        assert getattr(ours, name) == getattr(theirs, name)
    with pytest.raises(ValueError):
        cl.broadcast(cl.ones(2), cl.ones(3))


BRACKETS = [
    ("r_", np.s_[X[0], 0, 4:6]),
    ("r_", np.s_[X[0], [1, 2]]),
    ("r_", np.s_[X, X]),
    ("r_", np.s_["1", X, X]),
    ("r_", np.s_["-1", X, X]),
    ("r_", np.s_["0,2", X[0], X[1]]),
    ("r_", np.s_["1,2,0", X[0], X[1], X[0]]),
    ("r_", np.s_["0,3,0", X[0], X[1]]),
    ("r_", np.s_["0,3,1", X[0], X[1]]),
    ("r_", np.s_[X[0].astype("float32"), 1.5]),
    ("r_", np.s_[X[0].astype("int8"), 300.0]),
    ("r_", np.s_[0:1:5j, X[0]]),
    ("r_", np.s_[1:9:3]),
    ("r_", np.s_[5]),
    ("c_", np.s_[X[0], X[1]]),
    ("c_", np.s_[X, X[:, 0], 0:2]),
    ("c_", np.s_[X[0]]),
]


@pytest.mark.parametrize(("name", "items"), BRACKETS)
def test_arrays_are_joined_between_brackets(name, items):
    every = items if isinstance(items, tuple) else (items,)
    ours = getattr(cl, name)[tuple(cl.asarray(one) if isinstance(one, np.ndarray) else one for one in every)]
    theirs = getattr(np, name)[items]
    assert ours.dtype == theirs.dtype
    np.testing.assert_array_equal(cl.asnumpy(ours), theirs)


def test_what_is_joined_stays_where_it_is(device):
    x = cl.ones(2, queue=cl.Queue(device), usm_type="shared")
    joined = cl.r_[x, 0, 1:3]
    assert joined.queue == x.queue and joined.usm_type == "shared"
    with pytest.raises(cl.ExecutionPlacementError):
        cl.r_[x, cl.ones(2, queue=cl.Queue(device, in_order=False))]
    for items in (np.s_[x, np.ones(2)], np.s_[np.ones(2), 1]):
        with pytest.raises(cl.HostDataError):
            cl.r_[items]
    for wrong in ("r", "0,1,2,3", ()):
        with pytest.raises(ValueError):
            cl.r_[wrong]


def test_indices_are_numpys_own():
    assert cl.s_[1:2, ...] == np.s_[1:2, ...] and cl.index_exp[3] == (3,)
    assert list(cl.ndindex(2, 2)) == list(np.ndindex(2, 2))
    assert [(i, float(v)) for i, v in cl.ndenumerate(cl.asarray(X))] == list(np.ndenumerate(X))
    assert cl.binary_repr(5) == "101" and cl.base_repr(255, 16) == "FF"


def test_python_functions_are_called_for_every_element(device):
    x, y = cl.asarray(X, device=device), cl.asarray(X[0], device=device)
    larger = cl.vectorize(lambda a, b: a if a > b else b, otypes=["float64"])
    assert larger(x, y).tolist() == np.maximum(X, X[0]).tolist() and larger(x, y).queue == x.queue
    assert [one.tolist() for one in cl.vectorize(divmod)(x, 2)] == [one.tolist() for one in np.divmod(X, 2)]
    assert cl.vectorize(pow, excluded=["mod"])(y, 2).tolist() == (X[0] ** 2).tolist()
    with pytest.raises(TypeError):
        larger(X, X)


def test_arrays_that_are_as_they_must_be(device):
    assert cl.asarray_chkfinite([1, 2], "float32", device=device).dtype == "float32"
    with pytest.raises(ValueError, match="infinities"):
        cl.asarray_chkfinite([1.0, np.nan], device=device)
    x = cl.asarray(X, device=device)
    assert cl.shares_memory(cl.require(x), x) and cl.shares_memory(cl.require(x, requirements="C"), x)
    assert cl.require(x, "float32", ["F"]).strides == np.require(X, "float32", ["F"]).strides
    assert not cl.shares_memory(cl.require(x, requirements="O"), x)
    assert cl.require(cl.broadcast_to(x, (2, 2, 3)), requirements=["W"]).flags.writeable
    for wrong in (["C", "F"], "Q"):
        with pytest.raises(ValueError):
            cl.require(x, requirements=wrong)


@pytest.mark.parametrize("dtype", ["int64", "float32", "complex128"])
def test_matrices_times_vectors(dtype):
    matrices, vectors = (Z if dtype[0] == "c" else X).astype(dtype), np.asarray([[1, -2, 3], [0, 2, 1]]).astype(dtype)
    if dtype[0] == "c":
        vectors = vectors * (1 + 2j)
    for ours, theirs in (
        (cl.matvec(cl.asarray(matrices), cl.asarray(vectors)), np.matvec(matrices, vectors)),
        (cl.vecmat(cl.asarray(vectors), cl.asarray(matrices.T)), np.vecmat(vectors, matrices.T)),
    ):
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(cl.asnumpy(ours), theirs)
    with pytest.raises(ValueError):
        cl.matvec(cl.ones(3), cl.ones(3))
    with pytest.raises(ValueError):
        cl.vecmat(cl.ones(3), cl.ones(3))


def test_settings_for_floating_point_errors_are_numpys():
    with cl.errstate(divide="raise"):
        assert np.geterr() == cl.geterr() and cl.geterr()["divide"] == "raise"
        assert (cl.ones(1) / 0).tolist() == [np.inf]
    old = cl.seterr(over="ignore")
    assert np.geterr()["over"] == "ignore"
    cl.seterr(**old)
    assert cl.exceptions.ComplexWarning is np.exceptions.ComplexWarning
