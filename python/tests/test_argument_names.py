"""Arguments have NumPy's names and places."""

import inspect

import numpy as np
import pytest

import colocate as cl

# For classes derived from NumPy's, other packages' arrays, and arrays of objects.
NOT_OURS = {"subok", "like", "ndmax"}
POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
NAMED = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def python_functions():
    """Those of our functions that are written in Python, beside NumPy's of the same names."""
    for part in ("", "linalg", "fft"):
        ours, theirs = (getattr(module, part) if part else module for module in (cl, np))
        for name in ours.__all__:
            function, reference = getattr(ours, name), getattr(theirs, name, None)
            if inspect.isfunction(function) and callable(reference) and not isinstance(reference, np.ufunc):
                yield pytest.param(function, reference, id=f"{part}.{name}" if part else name)


@pytest.mark.parametrize(("ours", "theirs"), list(python_functions()))
def test_every_argument_has_the_name_that_numpy_gives_it(ours, theirs):
    given = inspect.signature(ours).parameters.values()
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in given):
        pytest.skip("hands its arguments on")
    wanted = {one.name for one in inspect.signature(theirs).parameters.values() if one.kind in NAMED}
    assert wanted - NOT_OURS <= {one.name for one in given if one.kind in NAMED}


@pytest.mark.parametrize(("ours", "theirs"), list(python_functions()))
def test_arguments_by_position_come_in_the_order_of_numpys(ours, theirs):
    given = list(inspect.signature(ours).parameters.values())
    if any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in given):
        pytest.skip("takes any number of arguments")
    if ours is cl.clip:
        pytest.skip("the standard's names of the limits are those by position, and NumPy's are keywords")
    given, wanted = (
        [one for one in parameters if one.kind in POSITIONAL and one.name not in NOT_OURS]
        for parameters in (given, inspect.signature(theirs).parameters.values())
    )
    assert len(given) >= len(wanted)
    for one, expected in zip(given, wanted, strict=False):
        assert expected.kind is inspect.Parameter.POSITIONAL_ONLY or one.name == expected.name


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
        cl.clip(cl.asarray(X), 0, 1, a_min=0)


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
