"""numpy.roll of known axes: parts of regions, whatever is rolled and by how much."""

import numpy as np
import pytest

import colocate as cl
from colocate import prange

from .samples import LAYOUTS, numbers

SHIFTS = (0, 1, -1, 3, -8, 100, np.int32(2), np.uint8(1), True)


def rolled(u, shift):
    both = np.roll(u, (shift, 2 * shift), (0, 1))
    back = np.roll(both, -shift, axis=(0, 1))
    twice = np.roll(np.roll(u, shift, 1), shift, -1)
    return both, back, twice, np.roll(u, shift), np.roll(u[:, 0], shift), np.roll(u + u, shift, axis=1)


@pytest.mark.parametrize("shift", SHIFTS, ids=repr)
@pytest.mark.parametrize("shape", [(5, 7), (1, 4), (3, 1), (20, 33), (0, 3), (3, 0)], ids=str)
def test_arrays_are_rolled_as_by_numpy(run_both, shape, shift):
    if shape[1] == 0:
        run_both(lambda u, shift: np.roll(u, shift, 1), np.zeros(shape), shift)
    else:
        run_both(rolled, numbers(shape, "float64"), shift)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("bool", "int8", "float32", "complex128"))
def test_dtypes_and_layouts_are_rolled(run_both, layout, dtype):
    run_both(rolled, LAYOUTS[layout](numbers((6, 5), dtype)), 2)


def of_parts(u, shift):
    turned, part = np.roll(u.T, shift, 0), np.roll(u[::2, ::-1], shift, 1)
    return turned, part, np.roll(u, shift=shift, axis=(1, 1)), np.roll(u, 2, 1)[1, 0]


def test_parts_are_rolled(run_both):
    for shift in (1, -3, 7):
        run_both(of_parts, numbers((6, 5), "float64"), shift)


def in_place(u, shift):
    u[:] = np.roll(u, shift, 0)
    u += np.roll(u, 1, 1)
    u[1:] = np.roll(u, shift, 1)[:-1]
    return u


def kept(u, shift):
    before = np.roll(u, shift, 1)
    u[0, 0] = 99
    after = np.roll(u, shift, 0)
    u = u * 2
    return before, after, u


def again_and_again(u, shift):
    for _ in range(3):
        u = np.roll(u, shift, 0) + np.roll(u, -shift, 1)
    return u


@pytest.mark.parametrize("program", (in_place, kept, again_and_again))
def test_what_is_rolled_may_change(run_both, program):
    for shift in (1, -1, 4):
        run_both(program, numbers((4, 6), "float64"), shift)


def in_turns(u, n):
    out = np.zeros(n)
    for i in prange(n):
        out[i] = np.roll(u, i)[2] + np.sum(np.roll(u, -i) * u)
    return out


def test_turns_of_parallel_loops_roll(run_both):
    run_both(in_turns, numbers(6, "float64"), 9)


def laplacian(u):
    return np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u


def of_neighbours(u):
    offsets = sum(np.roll(u, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))
    return offsets + sum([np.roll(u, k, 0) for k in (1, -1)], u[0])


@pytest.mark.parametrize("program", (laplacian, of_neighbours))
def test_differences_of_neighbours_are_one_region(run_both, program):
    u = numbers((9, 12), "float64")
    run_both(program, u)
    explained = cl.jit(program).explain_dict(u)
    assert len(explained["regions"]) == 1


def twice(u, shift, axis):
    return np.roll(u, shift, axis)


def test_axes_that_are_not_there_raise(run_both):
    run_both.raises(np.exceptions.AxisError, twice, numbers((3, 4), "float64"), 1, 2)
    run_both.raises(np.exceptions.AxisError, twice, numbers((3, 4), "float64"), 1, (0, -3))


def sums_of_constants(x):
    return (
        sum(k * x for k in (1, 2, 3)),
        sum([a * b for a in (1, 2) for b in (3, 4.0)]),
        sum((k for k in (1, 2) if k > 5), 0.5),
        sum((x * k for k in (2, 3)), x),
        sum(True for _ in (1, 2, 3)),
    )


def test_sums_over_constants_are_written_out(run_both):
    run_both(sums_of_constants, 2)
    run_both(sums_of_constants, 2.5)
    run_both(sums_of_constants, numbers(4, "float32"))


def rolling(u, n):
    for _ in range(n):
        u = np.roll(u.reshape(2, -1), 1).reshape(u.shape)
    return u


def test_what_runs_many_times_is_one_line_of_the_explanation():
    text = cl.jit(rolling).explain(numbers(12, "float64"), 5)
    (line,) = [line for line in text.splitlines() if line.startswith("numpy.roll")]
    assert "5 times" in line
