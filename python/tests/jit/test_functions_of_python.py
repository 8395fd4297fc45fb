"""Functions of Python's standard library over lists, those that give functions, methods by their class."""

import functools
import gc
import operator
import os
import random
from operator import itemgetter

import numpy as np
import pytest


def drawn(items, seed):
    random.seed(seed)
    random.shuffle(items)
    one = random.choice(items)
    some = random.sample(items, 2)
    more = random.choices(items, k=4)
    weighed = random.choices(items, weights=[1, 2, 3], k=2)
    far = random.sample(range(1000), 3)
    return (
        sorted(items),
        one in items,
        len(set(some)),
        [x in items for x in more],
        len(weighed),
        len(far),
        max(far) < 1000,
    )


@pytest.mark.parametrize("items", [[3, 1, 2], ["a", "b", "c"]])
def test_random_selections(run_both, items):
    run_both(drawn, items, 3)


def by_items(pairs):
    return sorted(pairs, key=itemgetter(1)), sorted(pairs, key=itemgetter(1, 0)), max(pairs, key=operator.itemgetter(0))


def test_itemgetter(run_both):
    run_both(by_items, [(1, 5), (2, 3)])


def counted(items, table):
    operator.delitem(table, 1)
    return operator.countOf(items, 2), operator.indexOf(items, 2), table


def test_operators_of_containers(run_both):
    run_both(counted, [1, 2, 2], {1: 2, 3: 4})


def partly(x):
    power = functools.partial(pow, 2)
    line = functools.partial(lambda a, b, c: a + b * c, 1, 2)
    return power(x), line(x)


def test_partial(run_both):
    run_both(partly, 3)


def wave(x, a=1.0, b=2.0):
    return np.exp(-a * x) * np.sin(b * x)


def partly_by_name(x, b):
    damped = functools.partial(wave, a=0.5)
    fixed = functools.partial(wave, x, b=b)
    nearest = sorted([1.0, 2.0, 3.0], key=functools.partial(distance, to=b))
    return damped(x), damped(x, b=3.0), fixed(a=2.0), fixed(b=1.0), nearest


def distance(x, to):
    return abs(x - to)


def test_partial_with_names(run_both):
    run_both(partly_by_name, np.arange(3.0), 2.2)


def by_class(items, found, c):
    set.add(found, 9)
    list.append(items, 4)
    return list.count(items, 4), str.upper("ab"), complex.conjugate(c), dict.fromkeys(items), dict.fromkeys("ab", 0.5)


def test_methods_by_their_class(run_both):
    run_both(by_class, [1, 2], {1}, 1 + 2j)


def zipped_with_text(n):
    return [(i, letter) for i, letter in zip(range(n), "abcdef")]


def test_zip_with_a_string(run_both):
    run_both(zipped_with_text, 4)


def with_namespace(xp, n):
    return xp.zeros(n) + xp.arange(n)


def test_modules_are_arguments(run_both):
    run_both(with_namespace, np, 3)


def products(x):
    return np.dot(x, [2, 3]), np.dot((1, 2), (3, 4)), np.inner(x, (2, 3)), np.vdot(x, [1, 2]), np.outer([1, 2], x)


@pytest.mark.parametrize("dtype", ["int64", "float32", "complex128"])
def test_products_with_lists(run_both, dtype):
    run_both(products, np.arange(2).astype(dtype))


def compared(x):
    return (1, 2) == x, x == (1, 2), [1, 2] < x, x != [1, 3]


def test_comparisons_with_tuples(run_both):
    run_both(compared, np.arange(2))


def called_if_it_can_be(f, x):
    return (f(x), True) if callable(f) else (f, callable(x))


def test_callable_is_known(run_both):
    run_both(called_if_it_can_be, abs, -2)
    run_both(called_if_it_can_be, 3, -2)


def has_items(x):
    return hasattr(x, "__iter__"), hasattr(x, "__len__"), hasattr(x, "__call__")


@pytest.mark.parametrize("given", [3, 2.5, None, (1, 2), [1, 2], [], "ab", {1: 2}, {1}, np.arange(3)])
def test_whether_something_has_items_is_known(run_both, given):
    run_both(has_items, given)


def paths(folder, name):
    whole = os.path.join(folder, name)
    there = os.path.exists(whole), os.path.isabs(whole)
    return whole, len(whole), os.path.basename(whole), os.path.splitext(name), there


def size_of(path):
    return os.path.getsize(path)


def test_functions_of_paths(run_both, tmp_path):
    run_both(paths, str(tmp_path), "a.txt")
    run_both.raises(FileNotFoundError, size_of, str(tmp_path / "a.txt"))
    (tmp_path / "a.txt").write_text("four")
    run_both(paths, str(tmp_path), "a.txt")
    run_both(size_of, str(tmp_path / "a.txt"))


def is_one_of(x):
    return (
        isinstance(x, int | float | None),
        isinstance(x, None | str),
        isinstance(x, int | np.integer | type(None)),
        isinstance(x, (int | str, float)),
        isinstance(x, np.ndarray | object),
    )


@pytest.mark.parametrize("x", [1, 2.5, "a", None, np.int32(1), np.zeros(2)], ids=repr)
def test_isinstance_of_unions(run_both, x):
    run_both(is_one_of, x)


@pytest.mark.parametrize("program", [lambda x: sum([x], ""), lambda x: sum([], ""), lambda x: sum((), start="")])
def test_texts_are_not_added_up(run_both, program):
    wanted, raised = run_both.raises(TypeError, program, "a")
    assert str(wanted) == str(raised)


def test_neither_are_texts_one_by_one_or_bytes(run_both):
    run_both.raises(TypeError, lambda n: sum((str(i) for i in range(n)), ""), 3)
    run_both.raises(TypeError, lambda x: sum([x], b""), b"a")


def number_of(flag):
    try:
        return ord("ab") if flag else ord("a")
    except TypeError as e:
        return len(str(e))


def test_the_number_of_what_is_no_character_is_an_error(run_both):
    run_both(number_of, True)
    run_both(number_of, False)


def collected(n):
    was_on = gc.isenabled()
    gc.disable()
    off = gc.isenabled()
    if was_on:
        gc.enable()
    return gc.collect() >= 0, off, gc.isenabled() == was_on, n


def test_garbage_is_collected(run_both):
    run_both(collected, 3)
