"""Functions of the array library that a program calls: what they are given, and what they give."""

import itertools
import random

import numpy as np
import pytest

import colocate as cl

from .samples import numbers

MATRIX = np.eye(3) * 2 + 0.1


def moved(a, axes):
    return np.transpose(a, axes=axes), a.transpose(axes)


@pytest.mark.parametrize("axes", itertools.permutations((0, 1, 2)), ids=str)
def test_axes_may_be_arguments(run_both, axes):
    run_both(moved, numbers((2, 3, 4), "float64"), axes)


def summed(a, axes):
    return a.sum(axis=axes)


@pytest.mark.parametrize("axes", [(0,), (0, 1), (0, 1, 2), (1, 2)], ids=str)
def test_axes_of_reductions_may_be_arguments(run_both, axes):
    run_both(summed, numbers((2, 3, 4), "int64"), axes)


def decomposed(a):
    return np.linalg.eigh(a), np.linalg.svd(a), np.linalg.qr(a), np.linalg.slogdet(a)


def test_named_results_keep_their_classes():
    expected, got = decomposed(MATRIX), cl.jit(decomposed)(MATRIX)
    assert [type(one) for one in got] == [type(one) for one in expected]
    np.testing.assert_allclose(got[0].eigenvalues, expected[0].eigenvalues)


def by_name(a):
    result = np.linalg.eigh(a)
    values, vectors = result
    return result.eigenvalues, values + result[0], vectors.shape, np.linalg.slogdet(a).sign


def test_named_results_are_asked_by_name(run_both):
    run_both(by_name, MATRIX)


def crossed(a, b):
    return np.cross(a, b), np.cross(a[0], b[0])


def test_vectors_of_space_are_crossed(run_both):
    run_both(crossed, numbers((4, 3), "float64"), numbers((4, 3), "float64", seed=1))


def angles(z, degrees):
    return np.angle(z, degrees), np.angle(z[0], degrees), np.angle(z, deg=True)


@pytest.mark.parametrize("degrees", (True, False))
def test_angles_in_degrees(run_both, degrees):
    run_both(angles, np.array([1 + 1j, -2.0, 3j]), degrees)


def put(a, places, values):
    a[places] = values
    return a


def test_places_with_slices_may_be_arguments(run_both):
    places = (1, np.array([0, 2]), slice(1, 3))
    run_both(put, numbers((3, 3, 4), "float64"), places, numbers((2, 2), "float64"))


def only(a):
    return a.item()


def test_the_only_element(run_both):
    run_both(only, np.array([[2.5]]))
    with pytest.raises(ValueError, match="size 1"):
        cl.jit(only)(numbers(2, "float64"))


def bits(x, n):
    as_int = np.float32(x).view(np.int32)
    as_float = np.uint64(n).view(np.float64)
    return as_int, as_float, (as_int ^ np.int32(1)).view(np.float32), np.float64(x).view("int64")


@pytest.mark.parametrize("x", (1.5, -0.0, float("inf")))
def test_bits_of_a_number_as_another(run_both, x):
    run_both(bits, x, 4607182418800017408)


@cl.kernel
def magic(a, out):
    i = cl.get_global_id(0)
    guess = np.int32(0x5F3759DF) - (a[i].view(np.int32) >> np.int32(1))
    y = guess.view(np.float32)
    out[i] = y * (np.float32(1.5) - np.float32(0.5) * a[i] * y * y)


def test_bits_in_kernels():
    a = np.linspace(0.1, 100, 50).astype("float32")
    device = cl.asarray(a)
    out = cl.empty_like(device)
    magic[cl.Range(50)](device, out)
    np.testing.assert_allclose(cl.asnumpy(out), 1 / np.sqrt(a), rtol=2e-3)


def wrong_bits(x):
    return np.float32(x).view(np.int64)


def test_bits_of_another_size_are_refused():
    with pytest.raises(cl.CompileError, match="the bits of float32 are no int64"):
        cl.jit(wrong_bits)(1.0)


def seen_as(a):
    return a.view(np.float64), a.view(np.complex64)


def test_bytes_are_seen_as_wider_numbers(run_both):
    run_both(seen_as, np.zeros(32, np.int8))


def parted(a):
    return np.partition(a, 110)[110], np.argpartition(a, 110)[110]


def test_positions_that_are_written_down_may_be_large(run_both):
    run_both(parted, np.arange(200.0))


def by_written_items(a, b):
    return np.lexsort((a, [1, 5, 1, 4, 3, 4, 4])), np.cross(b, ((4, 5, 6), (1, 2, 3)))


def test_items_that_are_written_down_say_how_long_an_array_is(run_both):
    run_both(by_written_items, np.array([1, 2, 3, 4, 3, 2, 1]), np.array([[1, 2, 3], [4, 5, 6]]))


def crossed_with_rows(a, b):
    return np.cross(a, b)


def test_tuples_of_rows_say_how_many_rows_an_array_has(run_both):
    run_both(crossed_with_rows, np.array([[1, 2, 3], [4, 5, 6]]), ((4, 5, 6), (1, 2, 3)))


def drawn(n):
    random.seed(1)
    return [random.randrange(3, n, 3) for _ in range(5)]


def test_ranges_to_draw_from_may_begin_beyond_the_first_numbers(run_both):
    run_both(drawn, 100)


def used_up_by_median(a):
    before = a * 2
    return np.median(a, overwrite_input=True), before


def set_by_the_operator(a):
    before = a * 2
    a.__setitem__(0, 1.5)
    a.__iadd__(before)
    return before, a * 3


def sorted_by_the_class(a):
    before = a * 2
    np.ndarray.sort(a)
    return before, a * 3


def shuffled_by_name(a):
    before = a * 2
    np.random.default_rng(3).shuffle(x=a)
    return before, a * 3


@pytest.mark.parametrize("program", [used_up_by_median, set_by_the_operator, sorted_by_the_class, shuffled_by_name])
def test_what_read_an_array_before_it_was_changed_is_as_it_was(run_both, program):
    run_both(program, np.array([3.0, 1.0, 2.0, 5.0, 4.0]))
