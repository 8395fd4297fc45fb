"""Numba's typed lists and dictionaries as arguments: read, changed and returned as they are in Python."""

import contextlib

import numpy as np
import pytest

import colocate as cl

numba = pytest.importorskip("numba", reason="Numba is not installed")

from numba import types  # noqa: E402
from numba.typed import Dict, List  # noqa: E402


def listed(*items):
    made = List()
    for item in items:
        made.append(item)
    return made


def empty_floats():
    return List.empty_list(types.float64)


def table():
    made = Dict.empty(types.int64, types.float64)
    made[1], made[3] = 2.0, 4.0
    return made


def words():
    made = Dict.empty(types.unicode_type, types.int64)
    made["a"] = 2
    return made


def plain(value):
    """A value with lists and dictionaries in place of typed ones, and what classes they have."""
    if isinstance(value, List):
        return "typed", [plain(item) for item in value]
    if isinstance(value, Dict):
        return "typed", {key: plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return type(value), [plain(item) for item in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


@pytest.fixture(params=["host", "opencl:cpu"])
def alike(request):
    """Runs a function as plain Python and compiled, each on containers of its own."""
    context = contextlib.nullcontext
    if request.param != "host":
        try:
            cl.Device(request.param)
        except cl.DeviceNotFoundError as error:
            pytest.skip(str(error))

        def context():
            return cl.device_context(request.param, cost_model=False)

    def check(function, *makers):
        own, others = [make() for make in makers], [make() for make in makers]
        wanted = function(*own)
        with context():
            found = cl.jit(function)(*others)
        assert plain(found) == plain(wanted)
        assert plain(others) == plain(own)
        return found, others

    return check


def read(items):
    total = 0
    for x in items:
        total += x
    return len(items), items[0], items[-1], 2 in items, items == items, sum(items), [x + 1 for x in items], total


def test_typed_lists_are_read(alike):
    alike(read, lambda: listed(1, 2, 5))


def changed(items):
    items.append(4)
    items[0] = 9
    del items[1]
    return items


def shortened(items):
    items.pop()
    items.pop()
    return items, [items]


@pytest.mark.parametrize("function", [changed, shortened])
def test_what_is_done_to_a_typed_list_is_done_to_the_callers(alike, function):
    alike(function, lambda: listed(1, 2, 3))


def test_a_typed_list_that_is_returned_is_the_callers(alike):
    found, given = alike(changed, lambda: listed(1, 2, 3))
    assert found is given[0]


def filled(items):
    total = 0.0
    for x in items:
        total += x
    items.append(1.5)
    return total


def test_empty_typed_lists_are_filled(alike):
    alike(filled, empty_floats)


def inside(items):
    items[0].append(5)
    items.append(items[1])
    return items[1], len(items)


def test_typed_lists_in_typed_lists_change(alike):
    alike(inside, lambda: listed(listed(1), listed(2, 3)))


def of_arrays(items):
    items[0][1] = 5.0
    items.append(np.ones(2))
    return items[0] + items[-1]


def test_typed_lists_hold_arrays(alike):
    alike(of_arrays, lambda: listed(np.zeros(2), np.arange(2.0)))


def by_numpy(a, b):
    return np.isin(a, b), np.array(a), np.intersect1d(a, b), np.setdiff1d(a, b), np.setxor1d(a, b), np.sum(b)


@pytest.mark.parametrize("other", [lambda: listed(2, 3), empty_floats])
def test_functions_of_numpy_take_typed_lists(alike, other):
    alike(by_numpy, lambda: listed(1, 2, 3), other)


def with_keys(d):
    d[5] = 1.5
    d[1] += 1.0
    del d[3]
    return d, len(d), 5 in d, sorted(d), sum(d.values())


def test_typed_dictionaries_are_read_and_changed(alike):
    found, given = alike(with_keys, table)
    assert found[0] is given[0]


def of_words(d):
    d["b"] = d["a"] + 1
    return sorted(d)


def test_typed_dictionaries_have_keys_that_are_texts(alike):
    alike(of_words, words)


def given_twice(a, b):
    a.append(1)
    return len(b)


def test_a_typed_list_may_be_given_twice():
    items = listed(1)
    assert cl.jit(given_twice)(items, items) == 2
    assert list(items) == [1, 1]


def failing(d):
    d[1] = 7.0
    raise ValueError("after a change")


def test_a_typed_dictionary_keeps_what_was_done_before_an_exception():
    given = table()
    with pytest.raises(ValueError, match="after a change"):
        cl.jit(failing)(given)
    assert dict(given) == {1: 7.0, 3: 4.0}


def by_types(n):
    found = numba.typed.Dict.empty(key_type=numba.types.int64, value_type=numba.types.float64[:, ::1])
    rows = numba.typed.List.empty_list(numba.types.float64[:])
    for i in range(n):
        rows.append(np.full(i, 0.5))
        found[i] = np.full((i, 2), 1.5)
    return sum([row.sum() for row in rows]) + found[1].sum()


def test_types_of_arrays_say_what_containers_hold():
    assert cl.jit(by_types)(3) == 4.5


def of_sets(given):
    made = numba.typed.Set.empty(numba.int64)
    for x in given:
        made.add(x + 1)
    given.discard(2)
    given.add(8)
    return len(made), 2 in made, sorted(made)


@pytest.mark.skipif(not hasattr(numba.typed, "Set"), reason="this Numba has no typed sets")
def test_typed_sets_are_read_and_changed():
    given = numba.typed.Set.empty(numba.int64)
    for x in (1, 2, 5):
        given.add(x)
    assert cl.jit(of_sets)(given) == (3, True, [2, 3, 6])
    assert sorted(given) == [1, 5, 8]


@numba.njit
def for_numba(items, d):
    items.append(3)
    d[5] = 1.0
    return len(items) + len(d)


def test_programs_for_numba_pass_typed_containers():
    items, keys = listed(1), table()
    with cl.device_context("native:cpu"):
        assert for_numba(items, keys) == 5
    assert list(items) == [1, 3]
    assert dict(keys) == {1: 2.0, 3: 4.0, 5: 1.0}
