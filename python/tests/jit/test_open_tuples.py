"""Tuples whose length is known only when the function runs."""

import itertools

import numpy as np
import pytest

import colocate as cl


def as_tuple(items):
    return tuple(items)


@pytest.mark.parametrize("items", [[1, 2, 3], [1.5], [], ["a", "b"], [[1], [2, 3]], {4}, np.arange(3), np.ones((2, 2))])
def test_tuples_of_containers(run_both, items):
    run_both(as_tuple, items)


def of_generators(n):
    return tuple(i * 2 for i in range(n)), tuple([str(i) for i in range(n)]), tuple(map(abs, range(-n, 0)))


def test_tuples_of_generators(run_both):
    run_both(of_generators, 3)


def operators(items):
    t = tuple(items)
    parts = t[0], t[-1], t[1:], len(t), sum(t), max(t), t.count(2), t.index(2)
    return parts, t == (1, 2, 3), t < (1, 5), 2 in t, t * 2, t + (3,), (0, *t), isinstance(t, tuple)


def test_operators(run_both):
    run_both(operators, [1, 2, 3])


def as_keys(items):
    seen = set()
    counts = {}
    for end in range(len(items)):
        key = tuple(sorted(items[:end]))
        seen.add(key)
        counts[key + (7,)] = end
    return seen, counts, (1, 2) in seen


def test_keys(run_both):
    run_both(as_keys, [3, 1, 2])


def unpacked(items):
    a, b, c = tuple(items)
    return a + b * c


def test_unpacking(run_both):
    run_both(unpacked, [1, 2, 3])
    run_both.raises(ValueError, unpacked, [1, 2])


def grown(items):
    t = ()
    for item in items:
        t = t + (item,)
    u = ()
    for item in items:
        u += (item, item)
    return t, u


@pytest.mark.parametrize("items", [[1, 2], [], ["a"]])
def test_tuples_that_grow(run_both, items):
    run_both(grown, items)


def either(items, which):
    if which:
        t = tuple(items)
    else:
        t = (1,)
    return t, t[0]


@pytest.mark.parametrize("which", [True, False])
def test_one_of_several_lengths(run_both, which):
    run_both(either, [1, 2], which)


def repeated_and_cut(n):
    return (0,) * n, n * (1.5, 2.5), (1, 2, 3)[:n], [0] * n, 2 * (1, 2)


def test_repetition_and_slices(run_both):
    run_both(repeated_and_cut, 2)


def as_index(a, at):
    a[tuple(at)] = 5
    return a[tuple(at)]


def test_index_of_all_axes(run_both):
    run_both(as_index, np.arange(12).reshape(3, 4), [1, 2])
    run_both.raises(IndexError, as_index, np.arange(12).reshape(3, 4), [1, 7])


def test_index_of_some_axes_says_what_to_write():
    with pytest.raises(TypeError, match=r"write its items down: `a\[t\[0\], t\[1\]\]`"):
        cl.jit(as_index)(np.arange(12).reshape(3, 4), [1])


def combined(items, length):
    permutations = list(itertools.permutations(items))
    products = [one for one in itertools.product(items, repeat=length)]
    counted = [(at, one) for at, one in enumerate(itertools.combinations(items, length))]
    return permutations, products, counted, [sum(one) for one in itertools.combinations(items, 2)]


def test_combinations(run_both):
    run_both(combined, [1, 2, 3], 2)


def shapes(x):
    bigger = np.zeros(tuple(n + 1 for n in x.shape))
    listed = np.ones([n * 2 for n in x.shape])
    return bigger, listed, x[tuple([slice(0, 1) for _ in x.shape])]


def test_comprehensions_over_shapes_are_shapes(run_both):
    run_both(shapes, np.arange(6.0).reshape(2, 3))


def same_lists(rows):
    t = tuple(rows)
    t[0].append(5)
    return len(t[0]), tuple(range(len(rows)))


def test_a_tuple_holds_the_lists_themselves(run_both):
    run_both(same_lists, [[1], [2]])
