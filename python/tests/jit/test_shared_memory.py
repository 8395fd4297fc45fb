"""Parts of arrays share their memory, also if the arrays are results that were never looked at before."""

import numpy as np
import pytest

from .samples import numbers


def slice_of_a_result(x):
    a = x * 2
    b = a[1:]
    b[0] = 5
    return a, b


def result_changes_under_its_slice(x):
    a = x * 2
    b = a[1:]
    a[1] = 7
    return b


def transpose_as_target(x):
    a = x + 1
    a.T[0] = 5
    return a


def transpose_in_place(x):
    a = x + 1
    b = a.T
    b += 1
    return a


def reversed_rows(x):
    a = x + 1
    b = a[::-1]
    b[0] = 7
    return a


def row_of_a_result(x):
    a = x + 1
    b = a[1]
    b[:] = 9
    return a


def two_slices(x):
    a = x + 1
    b, c = a[1:], a[:-1]
    b[0] = -1
    return c


def slice_of_a_slice(x):
    a = x + 1
    b = a[1:][::-1]
    b[0] = 3
    return a


def new_axis(x):
    a = x + 1
    b = a[None]
    b[0, 0] = 44
    return a


def changed_in_a_loop(x):
    a = x + 1
    b = a[1:]
    for i in range(3):
        b[0, i] = i
    return a


def whole_in_place(x):
    a = x + 1
    b = a[1:]
    a += 1
    return b


def not_changed(x):
    a = x + 1
    b = a[1:] - a[:-1]
    return b


PROGRAMS = (
    slice_of_a_result,
    result_changes_under_its_slice,
    transpose_as_target,
    transpose_in_place,
    reversed_rows,
    row_of_a_result,
    two_slices,
    slice_of_a_slice,
    new_axis,
    changed_in_a_loop,
    whole_in_place,
    not_changed,
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_changes_are_seen_through_every_name(run_both, program):
    run_both(program, numbers((3, 4), "float64"))


def real_part(x):
    x.real = 3
    return x


def imaginary_slice(x):
    x.imag[1:] = 1
    return x


def parts_in_place(x):
    x.real += 2
    x.imag *= 3
    return x


@pytest.mark.parametrize("program", (real_part, imaginary_slice, parts_in_place))
@pytest.mark.parametrize("dtype", ("complex64", "complex128"))
def test_parts_of_complex_arrays_are_assigned_to(run_both, program, dtype):
    run_both(program, numbers((3, 4), dtype))


def flat_element(x, i):
    x.flat[i] = 44
    return x, x.flat[i]


@pytest.mark.parametrize("index", (0, 5, -1))
def test_flat_reaches_elements_in_any_order_of_memory(run_both, index):
    run_both(flat_element, numbers((3, 4), "float64"), index)
    run_both(flat_element, numbers((3, 4), "float64").T, index)
    run_both(flat_element, numbers((6, 4), "float64")[::2], index)


def flat_sum(x):
    total = 0.0
    for i, value in enumerate(x.flat):
        total += i * value
    return total


def test_flat_goes_along_the_axes(run_both):
    run_both(flat_sum, np.arange(12.0).reshape(3, 4))
    run_both(flat_sum, np.arange(12.0).reshape(3, 4).T)


def test_parts_of_complex_arrays_by_function(run_both):
    def program(a):
        np.real(a)[0] = 1
        np.imag(a)[1:] = 7
        return a, np.real(a) + np.imag(a), np.real(a.real)

    if run_both.place == "host":
        run_both(program, np.array([4.3 + 5.5j, 1j, 2 + 2j]))
