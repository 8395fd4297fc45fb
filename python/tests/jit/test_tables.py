"""Dictionaries and sets of numbers, which jit functions keep as tables until Python must see them."""

from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import colocate as cl


def same(got, wanted):
    """Equal, of the same types, in the same order."""
    assert type(got) is type(wanted), (got, wanted)
    if isinstance(wanted, dict):
        assert list(map(repr, got.items())) == list(map(repr, wanted.items()))
    elif isinstance(wanted, (set, list, tuple)):
        assert list(map(repr, got)) == list(map(repr, wanted))
    else:
        assert repr(got) == repr(wanted)


def outcome(function, *arguments):
    try:
        return "gives", function(*arguments)
    except (KeyError, RuntimeError, TypeError, ValueError, ZeroDivisionError) as error:
        return "raises", (type(error), error.args)


def compare(function, *arguments):
    wanted = outcome(function, *arguments)
    got = outcome(cl.jit(function), *arguments)
    assert got[0] == wanted[0], (got, wanted)
    same(got[1], wanted[1])


def all_operations(codes, keys, values):
    d = {}
    seen = []
    for i in range(len(codes)):
        code, k, v = codes[i], keys[i], values[i]
        if code == 0:
            d[k] = v
        elif code == 1:
            d[k] = d.get(k, 0) + 1
        elif code == 2:
            if k in d:
                del d[k]  # noqa: RUF051
        elif code == 3:
            seen.append(d.setdefault(k, v))
        elif code == 4:
            seen.append(d.pop(k, 7))
        elif code == 5:
            for key in d:
                seen.append(key)
        elif code == 6:
            for key, value in d.items():
                seen.append(key * value)
        elif code == 7:
            total = 0
            for value in d.values():
                total += value
            seen.append(total)
        elif code == 8:
            seen.append(len(d))
        elif code == 9:
            found = d.get(k)
            if found is not None:
                seen.append(found)
        elif code == 10 and k == 0:
            d.clear()
        elif code == 11:
            d.update({k: v})
        elif code == 12:
            seen.append(d[k])
        elif code == 13 and d:
            seen.append(sorted(d)[0])
    return d, seen


compiled_operations = cl.jit(all_operations)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 13), st.integers(-3, 12), st.integers(-5, 5)), max_size=60))
def test_any_operations_in_any_order_give_what_python_gives(steps):
    rows = np.array(steps, dtype=np.int64).reshape(-1, 3)
    wanted = outcome(all_operations, *rows.T.tolist())
    got = outcome(compiled_operations, *rows.T.tolist())
    assert got[0] == wanted[0]
    for a, b in zip(got[1], wanted[1], strict=True):
        same(a, b)
    # The same with NumPy's numbers as keys and values.
    arrays = [np.ascontiguousarray(column) for column in rows.T]
    wanted = outcome(all_operations, *arrays)
    got = outcome(compiled_operations, *arrays)
    assert got[0] == wanted[0]
    if got[0] == "gives":
        # Sums of both kinds of numbers are NumPy's here, whichever they are made of.
        assert list(got[1][0].items()) == list(wanted[1][0].items())
        assert list(map(repr, got[1][0])) == list(map(repr, wanted[1][0]))
        assert list(got[1][1]) == list(wanted[1][1])


def set_operations(codes, keys):
    s = set()
    seen = []
    for i in range(len(codes)):
        code, k = codes[i], keys[i]
        if code <= 1:
            s.add(k)
        elif code == 2:
            s.discard(k)
        elif code == 3:
            seen.append(k in s)
        elif code == 4:
            seen.append(len(s) > 3)
        elif code == 5 and k == 0:
            s.clear()
        elif code == 6:
            s.remove(k)
    return s, seen


compiled_set_operations = cl.jit(set_operations)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(-40, 4000)), max_size=120))
def test_sets_are_in_pythons_order_however_they_came_about(steps):
    codes, keys = [code for code, _ in steps], [key for _, key in steps]
    wanted = outcome(set_operations, codes, keys)
    got = outcome(compiled_set_operations, codes, keys)
    assert got[0] == wanted[0]
    for a, b in zip(got[1], wanted[1], strict=True):
        same(a, b)


def float_keys(xs):
    d = {}
    for x in xs:
        d[x] = d.get(x, 0) + 1
    return d


@pytest.mark.parametrize(
    "xs",
    [
        [0.0, -0.0, 1.0, 1.5, 1.5, 1e300, -1e300],
        [-0.0, 0.0],
        [float("inf"), float("-inf"), float("inf")],
        [2.0**53, 2.0**63, 2.0**64, -(2.0**63)],
    ],
)
def test_floats_are_keys_as_in_python(xs):
    compare(float_keys, xs)


def test_one_nan_is_a_key_of_its_own():
    got = cl.jit(float_keys)([float("nan"), 2.0, 1.0])
    assert [str(key) for key in got] == ["nan", "2.0", "1.0"]


def mixed_keys(n):
    d = {}
    d[1] = 1
    d[1.0] = 2
    d[True] = 3
    d[np.int64(1)] = 4
    d[0.5] = 5
    return d, 1 in d, 1.0 in d, 0.5 in d, 2 in d, n in d


def test_numbers_of_several_types_that_are_equal_are_one_key():
    plain, compiled = mixed_keys(1), cl.jit(mixed_keys)(1)
    same(compiled[1:], plain[1:])
    assert compiled[0] == plain[0]


def values_of_two_types(n):
    d = {}
    for i in range(n):
        d[i] = 0
    for i in range(0, n, 2):
        d[i] += 0.5
    return sum(d.values()), len(d)


def test_values_that_turn_into_floats_one_by_one():
    compare(values_of_two_types, 5)


def weights_of_arrays(keys, weights):
    d = {}
    for k, w in zip(keys, weights):
        if k not in d:
            d[k] = 0.0
        d[k] += w
    return d


def test_values_are_pythons_or_numpys_floats_as_they_were_put_in():
    compare(weights_of_arrays, np.array([1, 2, 1, 3]), np.array([0.5, 1.5, 2.5, 3.5]))


def tuple_keys(n):
    seen = {(0, 0): 1}
    for i in range(n):
        seen[i % 3, i % 2] = seen.get((i % 3, i % 2), 0) + i
    total = 0
    for (a, b), count in seen.items():
        total += (a + 10 * b) * count
    return seen, total, (1, 1) in seen, (5, 5) in seen


def test_tuples_are_keys_and_are_unpacked():
    compare(tuple_keys, 20)


def nested_tuples(n):
    d = {}
    for i in range(n):
        d[(i % 2, (i % 3, 1.5))] = (i, i * 0.5)
    return d


def test_tuples_in_tuples():
    compare(nested_tuples, 9)


def missing(n):
    d = {1: 2}
    return d[n]


def missing_pop(n):
    d = {1: 2}
    return d.pop(n)


def missing_delete(n):
    d = {(1, 2): 2}
    del d[(n, 2)]
    return d


@pytest.mark.parametrize("function", [missing, missing_pop, missing_delete])
@pytest.mark.parametrize("n", [1, 5])
def test_a_missing_key_is_a_key_error_with_the_key(function, n):
    compare(function, n)


def caught(n):
    d = {0: 1}
    found = 0
    for i in range(n):
        try:
            found += d[i]
        except KeyError:
            found += 100
    d[7] = 7
    return found, d


def test_a_missing_key_is_caught():
    compare(caught, 4)


def grows_meanwhile(n):
    d = {0: 0, 1: 1}
    for k in d:
        d[k + n] = 1
    return d


def shrinks_meanwhile(n):
    d = {0: 0, 1: 1}
    for k in d:
        del d[k]
    return d


def values_change_meanwhile(n):
    d = {i: i for i in range(n)}
    for k in d:
        d[k] = d[k] * 2
    return d


def keys_are_exchanged_meanwhile(n):
    d = {0: 0, 1: 1}
    turns = 0
    for k in d:
        del d[k]
        d[k + n] = 1
        turns += 1
        if turns > 20:
            break
    return turns


def a_default_is_made_meanwhile(n):
    d = defaultdict(int)
    d[0] = 1
    for k in d:
        d[k + n]
    return d


def defaults_are_read_meanwhile(n):
    d = defaultdict(int)
    for i in range(n):
        d[i] = i
    return sum([d[k] for k in d]), [v + d[k] for k, v in d.items()]


@pytest.mark.parametrize(
    "function",
    [
        grows_meanwhile,
        shrinks_meanwhile,
        values_change_meanwhile,
        keys_are_exchanged_meanwhile,
        a_default_is_made_meanwhile,
        defaults_are_read_meanwhile,
    ],
)
def test_changes_by_the_loop_over_a_dictionary_are_seen_as_in_python(function):
    compare(function, 5)


def two_names(n):
    a = {1: 1}
    b = a
    keys = a.keys()
    for i in range(n):
        b[i] = i
    size = len(keys)
    text = str(a)
    a[100] = 5
    return a is b, size, len(keys), len(b), text, b


def test_all_names_and_views_of_a_dictionary_see_what_becomes_of_it():
    compare(two_names, 4)


def in_the_middle(n):
    d = {i: i * i for i in range(n)}
    total = 0
    for k in d:
        total += k
        if k == 2:
            total += len(str(d))
    return total, d


def test_a_loop_goes_on_after_python_has_seen_its_dictionary():
    compare(in_the_middle, 6)


def defaults(xs):
    d = defaultdict(int)
    f = defaultdict(float)
    for x in xs:
        d[x] += 1
        f[x % 2] += 0.5
    before = len(d)
    read = d[99]
    return d, f, before, read, len(d), 99 in d, 98 in d


def test_a_default_dictionary_makes_what_is_not_there():
    compare(defaults, [1, 2, 1, 3])


def counters(xs):
    c = Counter()
    for x in xs:
        c[x] += 1
    absent = c[1000]
    return c, absent, len(c), c.most_common(1)


def test_a_counter_counts_and_keeps_nothing_that_is_not_there():
    compare(counters, [3, 1, 3, 3])


def many_small(n):
    total = 0
    for i in range(n):
        d = {i: 1}
        s = {i, i + 1}
        d[i] += len(s)
        for k, v in d.items():
            total += v + k % 2
    return total


def test_containers_of_a_turn_end_with_it():
    compare(many_small, 300)


def numpy_values(x):
    d = {}
    for i in range(len(x)):
        d[i] = x[i]
    return d, d[0], d.get(50)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "complex64", "complex128"])
def test_values_of_every_dtype_stay_what_they_are(dtype):
    compare(numpy_values, np.array([1, 2, 3]).astype(dtype))


def keys_of_dtype(x):
    s = set()
    d = {}
    for value in x:
        s.add(value)
        d[value] = 1
    return s, d


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "complex64"])
def test_keys_of_every_dtype_stay_what_they_are(dtype):
    compare(keys_of_dtype, np.array([1, 2, 3, 0]).astype(dtype))


def test_large_unsigned_keys():
    compare(keys_of_dtype, np.array([2**64 - 1, 2**63, 5], dtype=np.uint64))


def one_of_two(n):
    a = {1: 1}
    b = {2: 2}
    c = a if n > 0 else b
    c[3] = 3
    return a, b


@pytest.mark.parametrize("n", [0, 1])
def test_a_dictionary_that_may_be_one_of_two(n):
    compare(one_of_two, n)


def held_by_another(n):
    outer = {}
    inner = {1: 2}
    outer[0] = inner
    inner[3] = n
    return outer, inner, outer[0] is inner


def test_a_dictionary_in_a_dictionary_is_the_same_one():
    compare(held_by_another, 4)
