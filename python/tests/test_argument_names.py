"""Arguments have NumPy's names and places."""

import numpy as np
import pytest

import colocate as cl

X = np.asarray([[3.0, -1.0, 2.0], [0.5, 4.0, -2.0]])
Y = np.asarray([[1.0, 0.0, 5.0], [2.0, 2.0, 1.0]])
SQUARE = X[:, :2]


@pytest.mark.parametrize(
    ("name", "arrays", "options"),
    [
        ("clip", {"a": X}, {"a_min": 0, "a_max": 3}),
        ("clip", {"a": X}, {"min": 0, "max": 3}),
        ("repeat", {"a": X}, {"repeats": 2, "axis": 1}),
        ("tile", {"A": X}, {"reps": 2}),
        ("percentile", {"a": X}, {"q": 50}),
        ("searchsorted", {"a": np.sort(X[0]), "v": Y}, {}),
        ("cov", {"m": X, "y": Y}, {}),
        ("corrcoef", {"x": X, "y": Y}, {}),
        ("isin", {"element": X, "test_elements": Y}, {}),
        ("tril", {"m": X}, {"k": 1}),
        ("round", {"a": X}, {"decimals": 1}),
        ("angle", {"z": X + 1j * Y}, {"deg": True}),
        ("tensordot", {"a": X, "b": Y.T}, {"axes": 1}),
        ("union1d", {"ar1": X, "ar2": Y}, {}),
        ("linalg.solve", {"a": SQUARE, "b": Y[:, 0]}, {}),
        ("linalg.matrix_power", {"a": SQUARE}, {"n": 3}),
        ("fft.fft", {"a": X}, {"n": 4}),
    ],
)
def test_functions_take_their_arguments_by_name(name, arrays, options):
    ours, theirs = cl, np
    for part in name.split("."):
        ours, theirs = getattr(ours, part), getattr(theirs, part)
    got = ours(**{key: cl.asarray(value) for key, value in arrays.items()}, **options)
    np.testing.assert_allclose(cl.asnumpy(got), theirs(**arrays, **options), rtol=1e-12)


def test_functions_of_several_arrays_take_them_by_name():
    x, y = cl.asarray(X), cl.asarray(Y)
    assert cl.stack(arrays=[x, y]).shape == (2, 2, 3)
    assert cl.fft.fftfreq(n=4).tolist() == np.fft.fftfreq(n=4).tolist()


def test_methods_take_their_arguments_by_name():
    x = cl.asarray(X)
    assert x.astype(dtype="float32").dtype == "float32"
    assert x.clip(min=0).tolist() == X.clip(min=0).tolist()
    assert x[0].searchsorted(v=1.0).tolist() == X[0].searchsorted(v=1.0)


def test_limits_under_both_names_are_refused():
    with pytest.raises(ValueError, match="a_min"):
        cl.clip(cl.asarray(X), 0, 1, min=0)


@pytest.mark.parametrize("deg", [False, True])
def test_angles_come_in_degrees_and_where_they_are_wanted(deg):
    z = np.asarray([1 + 1j, -2j, -1.0])
    out = cl.empty(3)
    assert cl.angle(cl.asarray(z), deg, out=out) is out
    np.testing.assert_allclose(cl.asnumpy(out), np.angle(z, deg))


def test_numpys_functions_pass_names_on():
    x = cl.asarray(X)
    assert np.take(x, indices=[0, 2], axis=1).tolist() == X[:, [0, 2]].tolist()
    assert np.clip(a=x, a_min=0, a_max=1).tolist() == X.clip(0, 1).tolist()
