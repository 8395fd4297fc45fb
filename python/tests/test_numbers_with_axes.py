"""0-d arrays have no axes, but some of NumPy's functions let their first one be named, and others do not."""

import inspect

import numpy as np
import pytest

import colocate as cl

AXES = [None, 0, -1, 1]
# What functions need beside the array.
MORE = {
    "append": (1,), "argpartition": (0,), "array_split": (2,), "delete": (0,), "nanpercentile": (50,),
    "nanquantile": (0.5,), "partition": (0,), "percentile": (50,), "quantile": (0.5,), "repeat": (2,), "roll": (1,),
    "split": (1,), "take": ([0],),
}  # fmt: skip
# The array is not their first argument, or is one of several; arrays of bools have no differences with us.
TESTED_ALONE = {"apply_along_axis", "compress", "insert", "put_along_axis", "searchsorted", "take_along_axis"}
# Positions in the result: None is 0 with us, as the standard has it.
ANSWER_MORE = {"expand_dims"}
# NumPy asks for differences first, and we for the axis.
OTHER_ORDER = {"unwrap"}


def functions_with_an_axis():
    # Transforms of numbers are what NumPy's implementation happens to make of them.
    for part in ("", "linalg"):
        ours, theirs = (getattr(module, part) if part else module for module in (cl, np))
        for name in ours.__all__:
            function, reference = getattr(ours, name), getattr(theirs, name, None)
            if not callable(function) or inspect.isclass(function) or not inspect.isroutine(reference):
                continue
            # Of this one Python cannot tell the parameters.
            if reference is np.fromstring:
                continue
            parameters = inspect.signature(reference).parameters
            named = [axis for axis in ("axis", "axes") if axis in parameters]
            if named and name not in TESTED_ALONE | ANSWER_MORE | OTHER_ORDER:
                yield pytest.param(function, reference, name, named[0], id=f"{part}.{name}" if part else name)


def outcome(call):
    """What a call gives, or the exception that it raises."""
    try:
        result = call()
    except Exception as error:
        return error
    results = result if isinstance(result, list | tuple) else [result]
    return [cl.asnumpy(one) if isinstance(one, cl.Array) else np.asarray(one) for one in results]


def agree(ours, theirs):
    """The same elements, or an exception that whoever expects NumPy's catches."""
    if isinstance(theirs, Exception):
        kinds = (np.exceptions.AxisError, IndexError, ValueError, TypeError)
        return isinstance(ours, next(kind for kind in kinds if isinstance(theirs, kind)))
    if isinstance(ours, Exception):
        return False
    return len(ours) == len(theirs) and all(
        got.dtype == wanted.dtype and got.shape == wanted.shape and np.array_equal(got, wanted)
        for got, wanted in zip(ours, theirs, strict=True)
    )


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize(("ours", "theirs", "name", "keyword"), list(functions_with_an_axis()))
def test_functions_take_and_refuse_the_axes_of_numbers_as_numpys_do(ours, theirs, name, keyword, axis):
    x, more = np.asarray(2.5), MORE.get(name, ())
    got = outcome(lambda: ours(cl.asarray(x), *more, **{keyword: axis}))
    wanted = outcome(lambda: theirs(x, *more, **{keyword: axis}))
    assert agree(got, wanted), (got, wanted)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize(
    "call",
    [
        lambda m, x, axis: m.compress([True], x, axis=axis),
        lambda m, x, axis: x.compress([True], axis=axis),
        lambda m, x, axis: m.insert(x, 0, 7, axis=axis),
        lambda m, x, axis: m.take_along_axis(x, m.asarray([0]), axis=axis),
        lambda m, x, axis: m.moveaxis(x, axis, axis),
        lambda m, x, axis: m.swapaxes(x, axis, axis),
        lambda m, x, axis: m.concatenate([x, x], axis=axis),
        lambda m, x, axis: m.stack([x, x], axis=axis),
        lambda m, x, axis: m.packbits(x > 0, axis=axis),
        lambda m, x, axis: x.copy().sort(axis=axis),
        lambda m, x, axis: x.copy().partition(0, axis=axis),
    ],
)
def test_functions_of_more_take_and_refuse_the_axes_of_numbers_as_numpys_do(call, axis):
    x = np.asarray(2.5)
    got, wanted = outcome(lambda: call(cl, cl.asarray(x), axis)), outcome(lambda: call(np, x, axis))
    assert agree(got, wanted), (got, wanted)


@pytest.mark.parametrize(
    "name", ["cumsum", "cumprod", "argmax", "argmin", "take", "sum", "max", "mean", "std", "squeeze"]
)
@pytest.mark.parametrize("axis", AXES)
def test_methods_take_and_refuse_the_axes_of_numbers_as_numpys_do(name, axis):
    x, more = np.asarray(2.5), MORE.get(name, ())
    got = outcome(lambda: getattr(cl.asarray(x), name)(*more, axis=axis))
    wanted = outcome(lambda: getattr(x, name)(*more, axis=axis))
    assert agree(got, wanted), (got, wanted)


def test_sizes_along_several_axes():
    x = cl.ones((2, 3, 4))
    assert cl.size(x, (0, 2)) == 8 and cl.size(x, ()) == 1
    with pytest.raises(cl.AxisError):
        cl.size(x, 3)
