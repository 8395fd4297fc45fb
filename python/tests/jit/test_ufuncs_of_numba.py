"""What ``numba.vectorize``, ``guvectorize`` and ``cfunc`` made, in jit functions (R5.8)."""

import numpy as np
import pytest

import colocate as cl

numba = pytest.importorskip("numba", reason="Numba is not installed")


@numba.vectorize(["int64(int64, int64)", "float64(float64, float64)"], identity=0)
def added(a, b):
    return a + b


@numba.vectorize(["float64(float64)"])
def halved(x):
    return x / 2


product = numba.vectorize(lambda a, b: a * b)


@numba.guvectorize(["void(int64[:], int64, int64[:])", "void(float64[:], float64, float64[:])"], "(n),()->(n)")
def shifted(x, by, out):
    for i in range(x.shape[0]):
        out[i] = x[i] + by


@numba.guvectorize("(n)->()")
def summed(x, out):
    total = 0.0
    for one in x:
        total += one
    out[0] = total


@numba.cfunc("float64(float64)")
def doubled(x):
    return x * 2


def by_loops(a, b, n):
    return added(a, b), added(n, n), added(a, 2), halved(n), halved(b), product(a, b), added(1.5, 2)


def into_a_place(a, b):
    out = np.zeros(b.shape)
    given = added(a, b, out)
    added(b, b, out=b)
    return out, given.sum()


def by_methods(a, b, i):
    added.at(b, i, 2.0)
    return added.reduce(b, axis=1), added.reduce(a), added.accumulate(a), added.outer(a, a), added.nin, added.identity


def over_rows(a, b):
    out = np.zeros(b.shape[0])
    summed(b, out)
    made = np.zeros_like(b)
    shifted(b, 0.5, made)
    return out, made, shifted(a, 3)


def by_callbacks(x):
    return doubled(x) + 1


def same(found, wanted):
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        assert type(one) is type(other)
        assert getattr(one, "dtype", None) == getattr(other, "dtype", None)
        np.testing.assert_allclose(one, other)


@pytest.mark.parametrize(
    ("program", "arguments"),
    (
        (by_loops, lambda: (np.arange(3, dtype=np.int32), np.ones(3), 7)),
        (into_a_place, lambda: (np.arange(3), np.ones((2, 3)))),
        (by_methods, lambda: (np.arange(4), np.ones((2, 3)), np.array([1, 1]))),
        (over_rows, lambda: (np.arange(3), np.arange(6.0).reshape(2, 3))),
    ),
)
@pytest.mark.parametrize("place", ("host", "native:cpu"))
def test_functions_of_arrays_do_what_they_do_outside(program, arguments, place):  # R5.8
    own, others = arguments(), arguments()
    wanted = program(*own)
    if place == "host":
        found = cl.jit(program)(*others)
    else:
        with cl.device_context(place):
            found = cl.jit(program)(*others)
    same(found, wanted)
    same(others, own)


def of_complex(z):
    return halved(z)


def test_operands_that_no_loop_takes_are_said():
    with pytest.raises(TypeError):
        of_complex(np.ones(2, complex))
    with pytest.raises(TypeError, match="no loop"):
        cl.jit(of_complex)(np.ones(2, complex))


def test_callbacks_are_functions():
    assert cl.jit(by_callbacks)(3.0) == 7.0
    assert cl.jit(lambda f, x: f(x))(doubled, 2.0) == 4.0


def counted(x):
    return x * counted.factor


counted.factor = 3


def test_attributes_of_functions_are_read():
    program = cl.jit(lambda x: counted(x) + counted.factor)
    assert program(2) == 9
    counted.factor = 4
    assert program(2) == 12
    counted.factor = 3


@numba.njit
def doubled_by_numba(x):
    return x * 2


def handed_through(f):
    return f, f(2), doubled_by_numba, f is doubled_by_numba


def test_a_function_that_is_returned_is_the_callers():
    wanted = handed_through(doubled_by_numba)
    assert cl.jit(handed_through)(doubled_by_numba) == wanted
    with cl.device_context("native:cpu"):
        assert numba.njit(handed_through)(doubled_by_numba) == wanted
