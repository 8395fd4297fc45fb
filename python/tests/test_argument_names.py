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
            # Of fromstring Python cannot tell the parameters.
            is_known = callable(reference) and not isinstance(reference, np.ufunc) and reference is not np.fromstring
            if inspect.isfunction(function) and is_known:
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


def compiled_functions():
    """Those of our functions that are compiled, where NumPy's of the same names take arguments by name."""
    for part in ("", "linalg", "fft"):
        ours, theirs = (getattr(module, part) if part else module for module in (cl, np))
        for name in ours.__all__:
            function, reference = getattr(ours, name), getattr(theirs, name, None)
            is_compiled = callable(function) and not inspect.isfunction(function) and not inspect.isclass(function)
            if is_compiled and callable(reference) and not isinstance(reference, np.ufunc):
                yield f"{part}.{name}" if part else name


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


MASK = X > 0
FOLDED = {"axis": 1, "keepdims": True}
SCANNED = {"axis": 0, "dtype": "float32"}
# Arguments by NumPy's names for each compiled function; arrays among them become ours.
BY_NAME = {
    **{name: {"a": X, **FOLDED, "initial": 1, "where": MASK} for name in ("sum", "prod", "nansum", "nanprod")},
    **{name: {"a": X, **FOLDED, "initial": 1, "where": MASK} for name in ("max", "min", "nanmax", "nanmin")},
    **{name: {"a": X, **FOLDED, "initial": 1, "where": MASK} for name in ("amax", "amin")},
    **{name: {"a": X, **FOLDED, "dtype": "float32", "where": MASK} for name in ("mean", "nanmean")},
    **{name: {"a": X, **FOLDED, "where": MASK} for name in ("any", "all")},
    **{name: {"a": X, **FOLDED} for name in ("argmax", "argmin", "count_nonzero")},
    **{name: {"a": X, **SCANNED} for name in ("cumsum", "cumprod", "nancumsum", "nancumprod")},
    **{name: {"a": X} for name in ("nonzero", "flatnonzero", "argwhere")},
    **{name: {"val": X + 1j * X} for name in ("real", "imag")},
    **{name: {"x": X} for name in ("sinc", "isposinf", "isneginf")},
    **{name: {"a": X, "axes": (1, 0)} for name in ("transpose", "permute_dims")},
    **{name: {"a": X, "dtype": "float32", "order": "F", "copy": True} for name in ("asarray", "asanyarray")},
    **{name: {"shape": (2, 3), "dtype": "int8", "order": "F"} for name in ("zeros", "ones")},
    **{
        name: {"a": X, "dtype": "int8", "order": "F", "subok": True, "shape": 3} for name in ("zeros_like", "ones_like")
    },
    "array": {"object": X, "dtype": "float32", "copy": True, "order": "F", "ndmin": 3},
    "broadcast_to": {"array": X, "shape": (2, 2, 3), "subok": False},
    "diagonal": {"a": X, "offset": 1, "axis1": 1, "axis2": 0},
    "expand_dims": {"a": X, "axis": 1},
    "extract": {"condition": MASK, "arr": X},
    "eye": {"N": 2, "M": 3, "k": 1, "dtype": "int8", "order": "F"},
    "flip": {"m": X, "axis": 1},
    "full": {"shape": (2, 3), "fill_value": 7, "dtype": "int8", "order": "F"},
    "full_like": {"a": X, "fill_value": 7, "dtype": "int8", "order": "F", "subok": True, "shape": 3},
    "identity": {"n": 3, "dtype": "int8"},
    "linspace": {"start": 0, "stop": 1, "num": 5, "endpoint": False, "dtype": "float32", "axis": 0},
    "moveaxis": {"a": X, "source": 0, "destination": 1},
    "ravel": {"a": X, "order": "F"},
    "reshape": {"a": X, "shape": (3, 2), "order": "F", "copy": True},
    "squeeze": {"a": X[None], "axis": 0},
    "swapaxes": {"a": X, "axis1": 0, "axis2": 1},
    "take_along_axis": {"arr": X, "indices": np.argsort(X), "axis": 1},
    "tri": {"N": 2, "M": 3, "k": 1, "dtype": "int8"},
}
# What is changed comes first.
CHANGES = {
    "place": {"arr": X, "mask": MASK, "vals": Y},
    "put": {"a": X, "ind": [0, 4], "v": [7.0, 8.0], "mode": "wrap"},
    "put_along_axis": {"arr": X, "indices": np.asarray([[1], [2]]), "values": 9.0, "axis": 1},
    "putmask": {"a": X, "mask": MASK, "values": Y},
}
# NumPy takes their arrays by position only, too.
BY_POSITION = {
    "broadcast_arrays", "broadcast_shapes", "cumulative_prod", "cumulative_sum", "from_dlpack", "linalg.matmul",
    "linalg.matrix_transpose", "matrix_transpose",
}  # fmt: skip
# Their elements are whatever was in memory, or the first argument has two meanings.
TESTED_ALONE = {"arange", "empty", "empty_like"}


def test_every_compiled_function_is_called_by_name_here():
    assert set(compiled_functions()) == {*BY_NAME, *CHANGES, *BY_POSITION, *TESTED_ALONE}


def with_our_arrays(arguments):
    return {name: cl.asarray(value) if isinstance(value, np.ndarray) else value for name, value in arguments.items()}


def by_name(function, arguments):
    """Calls a function of NumPy's by the names of its arguments, where it does not insist on their places."""
    parameters = inspect.signature(function).parameters
    placed = [name for name in arguments if parameters[name].kind is inspect.Parameter.POSITIONAL_ONLY]
    named = {name: value for name, value in arguments.items() if name not in placed}
    return function(*(arguments[name] for name in placed), **named)


@pytest.mark.parametrize("name", BY_NAME)
def test_compiled_functions_take_their_arguments_by_numpys_names(name):
    theirs = by_name(getattr(np, name), BY_NAME[name])
    ours = getattr(cl, name)(**with_our_arrays(BY_NAME[name]))
    ours, theirs = (result if isinstance(result, tuple) else (result,) for result in (ours, theirs))
    for got, wanted in zip(ours, theirs, strict=True):
        assert got.dtype == wanted.dtype
        np.testing.assert_allclose(cl.asnumpy(got), wanted, rtol=1e-6)


@pytest.mark.parametrize("name", CHANGES)
def test_compiled_functions_that_change_arrays_take_their_arguments_by_numpys_names(name):
    arguments = {key: value.copy() if isinstance(value, np.ndarray) else value for key, value in CHANGES[name].items()}
    changed = next(iter(arguments))
    ours = with_our_arrays(arguments)
    getattr(cl, name)(**ours)
    by_name(getattr(np, name), arguments)
    assert ours[changed].tolist() == arguments[changed].tolist()


def test_new_arrays_and_ranges_take_their_arguments_by_name():
    assert cl.empty(shape=(2, 3), dtype="int8", order="F").strides == (1, 2)
    assert cl.empty_like(prototype=cl.asarray(X), dtype="int8", order="F", subok=True, shape=(3, 2)).strides == (1, 3)
    assert cl.arange(start=1, stop=7, step=2, dtype="int8").tolist() == [1, 3, 5]


def test_a_keyword_that_there_is_not_is_refused():
    for call in (cl.sum, cl.add, cl.reshape, cl.zeros):
        with pytest.raises(TypeError):
            call(cl.asarray(X), nothing=None)


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
