"""What may be put into an array of which dtype: as NumPy has it."""

import numpy as np
import pytest

import colocate as cl

DTYPES = list(cl._dtypes.ALL)
MASK = [True, False, True]
WAYS = {
    "putmask": lambda m, x, values: m.putmask(x, m.asarray(MASK), values),
    "place": lambda m, x, values: m.place(x, m.asarray(MASK), values),
    "put": lambda m, x, values: m.put(x, [0, 2], values),
    "put_along_axis": lambda m, x, values: m.put_along_axis(x, m.asarray([0, 2, 1]), values, 0),
    "copyto": lambda m, x, values: m.copyto(x, values),
    "mask": lambda m, x, values: x.__setitem__(m.asarray([True] * 3), values),
    "slice": lambda m, x, values: x.__setitem__(slice(None), values),
}


def outcome(way, module, dtype, values):
    """The elements, or the exception."""
    x = module.ones(3, dtype=dtype)
    try:
        WAYS[way](module, x, values)
    except Exception as error:
        return error
    return x.tolist()


def agree(ours, theirs):
    if isinstance(theirs, Exception):
        return isinstance(ours, type(theirs))
    return ours == theirs


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("way", WAYS)
def test_values_of_every_dtype_go_where_numpy_lets_them(way):
    for into in DTYPES:
        for dtype in DTYPES:
            values = np.asarray([1, 0, 1]).astype(dtype)
            ours = outcome(way, cl, into, cl.asarray(values))
            assert agree(ours, outcome(way, np, into, values)), (dtype, into, ours)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "values", [True, 1, 300, -1, 1.5, 2j, float("nan"), float("inf"), [1, 2, 3], [1.5, 2, 3]], ids=str
)
def test_numbers_of_pythons_go_where_numpy_lets_them(way, values):
    for into in DTYPES:
        ours, theirs = outcome(way, cl, into, values), outcome(way, np, into, values)
        assert agree(ours, theirs) or str(ours) == str(theirs), (into, ours, theirs)


@pytest.mark.parametrize("way", ["putmask", "place"])
def test_numbers_of_numpys_go_where_a_mask_is_true(way):
    for into, value in (("float32", np.float32(2)), ("int64", np.float64(2.5))):
        assert outcome(way, cl, into, value) == outcome(way, np, into, value)
