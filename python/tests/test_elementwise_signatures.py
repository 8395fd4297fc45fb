"""Elementwise functions take the dtypes that NumPy's take, and give the same ones."""

import itertools

import numpy as np
import pytest
from elementwise_cases import DTYPES, FUNCTIONS, reference, result_dtype

import colocate as cl

UFUNCS = sorted(name for name in FUNCTIONS if isinstance(reference(name), np.ufunc))
OTHERS = sorted(set(FUNCTIONS) - set(UFUNCS))


@pytest.mark.parametrize("name", UFUNCS)
def test_result_dtypes_are_those_of_numpys_ufunc(name):
    function = reference(name)
    for dtypes in itertools.product(DTYPES, repeat=function.nin):
        given = tuple(np.dtype(dtype) for dtype in dtypes)
        try:
            expected = function.resolve_dtypes((*given, *(None,) * function.nout))[function.nin]
        except TypeError:
            expected = None
        assert result_dtype(name, *dtypes) == expected, dtypes


@pytest.mark.parametrize("name", OTHERS)
def test_result_dtypes_are_those_of_numpys_function(name):
    for dtype in DTYPES:
        try:
            expected = reference(name)(np.ones(2, dtype)).dtype
        except TypeError:
            expected = None
        assert result_dtype(name, dtype) == expected, dtype


# NumPy refuses these, though it has a loop to which operands could be converted.
GIVEN_BY_US = {
    ("abs", "complex128", "float32"),
    ("ldexp", "int64", "float32"),
    ("ldexp", "float64", "float32"),
}


@pytest.mark.parametrize("name", UFUNCS)
def test_a_result_of_a_dtype_is_given_or_refused_as_numpy_does(name):
    theirs, ours = reference(name), getattr(cl, name)
    if not isinstance(ours, cl.ufunc):
        pytest.skip("it is made of several functions")
    for wanted in ("bool", "uint8", "int16", "float32", "float64", "complex64"):
        for dtype in ("bool", "uint8", "int64", "float64", "complex128"):
            if (name, dtype, wanted) in GIVEN_BY_US:
                continue
            operands = [np.ones(2, dtype) for _ in range(theirs.nin)]
            if name == "ldexp":
                operands[1] = np.ones(2, "int32")
            try:
                with np.errstate(all="ignore"):
                    expected = theirs(*operands, dtype=wanted)
            except TypeError:
                with pytest.raises(TypeError):
                    ours(*map(cl.asarray, operands), dtype=wanted)
                continue
            got = ours(*map(cl.asarray, operands), dtype=wanted)
            assert got.dtype == expected.dtype == wanted, (dtype, wanted)
            np.testing.assert_allclose(cl.asnumpy(got), expected, rtol=1e-3)


def test_integers_to_negative_powers_are_refused():
    base, exponents = cl.asarray([2, 3]), cl.asarray([1, -1])
    with pytest.raises(ValueError, match="negative integer powers"):
        base**exponents
    assert (base ** exponents.astype("float64")).tolist() == pytest.approx([2.0, 1 / 3])
    assert (base ** cl.asarray([1, 2], dtype="uint8")).tolist() == [2, 9]


def test_the_exponent_of_ldexp_may_be_a_number():
    for x in (np.asarray([1.5, -2.0]), np.asarray([1.5, -2.0], "float32")):
        got = cl.ldexp(cl.asarray(x), 3)
        assert got.dtype == x.dtype and got.tolist() == np.ldexp(x, 3).tolist()
    with pytest.raises(TypeError):
        cl.ldexp(cl.asarray([1.5]), 0.5)


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "subtract", "logical_or", "bitwise_xor", "hypot"])
def test_the_methods_of_ufuncs_are_numpys(name):
    ours, theirs = getattr(cl, name), getattr(np, name)
    x = np.asarray([[3, 1, 2], [5, 4, 7]])
    device = cl.asarray(x)
    for got, expected in [
        (ours.reduce(device, axis=1), theirs.reduce(x, axis=1)),
        (ours.accumulate(device, 1), theirs.accumulate(x, 1)),
        (ours.outer(device[0], device[1]), theirs.outer(x[0], x[1])),
        (ours.reduceat(device[1], [0, 2]), theirs.reduceat(x[1], [0, 2])),
    ]:
        assert got.dtype == expected.dtype
        np.testing.assert_allclose(cl.asnumpy(got), expected)


def test_a_function_of_one_operand_has_no_reduction():
    with pytest.raises(TypeError, match="two operands"):
        cl.exp.reduce(cl.asarray([1.0]))


@pytest.mark.parametrize(
    ("name", "x", "options"),
    [
        ("subtract", [-3, -1, 2], {"initial": 10}),
        ("divide", [2.0, 4.0], {"initial": 16.0}),
        ("hypot", [3.0, 4.0], {"initial": 1.0, "where": [True, False]}),
        ("hypot", [-1.0], {}),
        ("gcd", [-2], {}),
        ("bitwise_and", np.array([7, 3], "uint8"), {"where": [True, False]}),
        ("bitwise_and", np.array([], "uint8"), {}),
        ("logical_xor", [True, True], {"where": [True, False]}),
        ("subtract", [[1, 2, 3], [4, 5, 6]], {"axis": 1, "initial": 1, "where": [True, False, True]}),
        ("add", 3.0, {}),
        ("bitwise_or", 3, {"axis": -1}),
    ],
)
def test_reductions_begin_and_skip_as_numpys(name, x, options):
    x = np.asarray(x)
    expected = getattr(np, name).reduce(x, **options)
    if "where" in options:
        options = {**options, "where": cl.asarray(options["where"])}
    got = getattr(cl, name).reduce(cl.asarray(x), **options)
    assert got.dtype == expected.dtype
    np.testing.assert_allclose(cl.asnumpy(got), expected)


@pytest.mark.parametrize(
    ("name", "x", "places", "values"),
    [
        ("add", [0, 0, 0], [0, 0, 1], np.array([100, 100, 100], "int8")),
        ("add", [0, 0, 0], [0, 0, 1], np.array([True, True, True])),
        ("add", np.zeros(3, "int32"), [0, 0, 1], np.array([1.5, 1.5, 1.0])),
        ("multiply", np.array([3, 4], "int32"), [0], 2.5),
        ("power", [2.0, 3.0], [0, 0, 1], 2),
        ("floor_divide", [100, 7], [0, 0, 1], np.array([3, 5, 2])),
        ("maximum", [1.0, 2.0], [1, 1, 0], np.array([5.0, 3.0, 0.5])),
        ("add", np.zeros((2, 2)), ([0, 0, 1], [1, 1, 0]), 1.0),
    ],
)
def test_at_computes_as_numpy_does(name, x, places, values):
    x = np.array(x)
    device = cl.asarray(x)
    getattr(np, name).at(x, places, values)
    getattr(cl, name).at(device, places, cl.asarray(values) if isinstance(values, np.ndarray) else values)
    assert device.tolist() == x.tolist()


def test_at_with_one_operand_counts_each_time():
    x = cl.asarray([2, 3])
    cl.negative.at(x, [0, 0, 1])
    assert x.tolist() == [2, -3]


def test_integers_of_more_than_64_bits():
    x = np.array([1.0, 1e20])
    for function in (np.multiply, np.add, np.equal, np.less):
        got = getattr(cl, function.__name__)(cl.asarray(x), 10**20)
        np.testing.assert_array_equal(cl.asnumpy(got), function(x, 10**20))
    assert (cl.asarray([1, 2]) < 10**20).tolist() == [True, True]
    largest, smallest = np.array([2**64 - 1], "uint64"), np.array([-(2**63)])
    for x, number in ((largest, 2**64), (smallest, -(2**63) - 1)):
        for function in (np.equal, np.not_equal, np.less, np.greater):
            got = getattr(cl, function.__name__)(cl.asarray(x), number)
            assert got.tolist() == function(x, number).tolist()
    with pytest.raises(OverflowError, match="out of bounds for int64"):
        cl.asarray([1]) + 10**20


def test_comparison_with_a_list_is_no_silent_false():
    with pytest.raises(cl.HostDataError, match="asarray"):
        cl.asarray([1, 2]) == [1, 2]


def test_nothing_and_strings_equal_no_element():
    x = cl.asarray([1.0, np.nan])
    for other in (None, "a"):
        assert (x == other).tolist() == [False, False]
        assert (x != other).tolist() == [True, True]


@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe"])
@pytest.mark.parametrize("narrow", ["float32", "int32", "float64"])
def test_casting_is_numpys(casting, narrow):
    host = np.asarray([1.5, 2.5])
    for given in ({"out": np.zeros(2, dtype=narrow)}, {"dtype": narrow}):
        ours = {key: cl.asarray(value) if key == "out" else value for key, value in given.items()}
        try:
            expected = np.add(host, host, casting=casting, **given)
        except TypeError:
            with pytest.raises(TypeError):
                cl.add(cl.asarray(host), cl.asarray(host), casting=casting, **ours)
        else:
            result = cl.add(cl.asarray(host), cl.asarray(host), casting=casting, **ours)
            np.testing.assert_array_equal(cl.asnumpy(result), expected, strict=True)
    with pytest.raises(ValueError, match="same_kind"):
        cl.add(cl.asarray(host), 1, casting="loose")


def test_numpys_scalars_on_the_left_of_comparisons():
    x = cl.asarray([1.0, 3.0])
    assert (np.float64(2) < x).tolist() == [False, True]
    assert (np.int64(3) == x).tolist() == [False, True]


@pytest.mark.parametrize("call", [lambda m, x: m.sqrt(x, casting="no"), lambda m, x: m.add(x, x + 0.5, casting="no")])
def test_operands_are_not_converted_where_no_conversion_is_allowed(call):
    for module in (cl, np):
        with pytest.raises(TypeError):
            call(module, module.asarray([1, 4]))
        assert call(module, module.asarray([1.0, 4.0])).dtype == np.float64


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", UFUNCS)
def test_what_counts_as_no_conversion_is_numpys(name):
    ours, theirs = getattr(cl, name), getattr(np, name)
    for dtype in DTYPES:
        host = [np.ones(2, dtype)] * theirs.nin
        try:
            theirs(*host, casting="no")
        except TypeError:
            with pytest.raises(TypeError):
                ours(*map(cl.asarray, host), casting="no")
        else:
            ours(*map(cl.asarray, host), casting="no")


def test_several_dtypes_are_promoted_together():
    dtypes = ["bool", "int8", "int16", "int64", "uint8", "uint16", "uint64", "float16", "float32", "complex64"]
    for three in itertools.product(dtypes, repeat=3):
        arrays = [cl.ones(1, dtype) for dtype in three]
        expected = np.result_type(*three)
        assert cl.concat(arrays).dtype == cl.stack(arrays).dtype == cl.result_type(*arrays) == expected


def test_limits_of_another_dtype_are_not_brought_into_that_of_the_elements():
    for dtype, low, high in (("uint64", 2.5, -3), ("uint8", -1, 300.5), ("int8", 0.5, 200), ("uint8", -5, 300)):
        host = np.asarray([0, 9, 100], dtype)
        ours, theirs = cl.clip(cl.asarray(host), low, high), np.clip(host, low, high)
        np.testing.assert_array_equal(cl.asnumpy(ours), theirs, strict=True)
