"""Arguments that functions write to."""

import numpy as np
import pytest

import colocate as cl

from .test_movement import own_folder, run  # noqa: F401

PROGRAMS = """
def sums(a, b, c, m, o, i):
    np.cumsum(a, None, None, o)

def items(a, b, c, m, o, i):
    np.take(a, i, None, o)

def items_by_the_method(a, b, c, m, o, i):
    a.take(i, None, o)

def largest(a, b, c, m, o, i):
    m.max(0, o)

def products(a, b, c, m, o, i):
    np.dot(m, a, o)

def rounded(a, b, c, m, o, i):
    np.around(a + 1j * b, 1, o)

def two_results(a, b, c, m, o, i):
    np.divmod(a, b, o, c)

def two_named_results(a, b, c, m, o, i):
    np.modf(a, out=(o, c))

def of_a_function_of_numbers(a, b, c, m, o, i):
    np.logaddexp(a, b, o)

def of_a_method_of_one(a, b, c, m, o, i):
    np.add.reduce(m, 0, None, o)

def swapped(a, b, c, m, o, i):
    a.byteswap(True)
"""


def program(name):
    text = PROGRAMS.split(f"def {name}(")[1].split("\n\n")[0]
    head, body = text.split(":\n", 1)
    return (
        f"def program({head}:\n    before, sums = o * 2 + c, a + 1\n{body}\n    return before, sums, o * 3 + c, a * 2\n"
    )


CHECK = """
def arguments():
    a = np.linspace(-3.0, 4.0, 6)
    m = np.outer(a, a) - 1
    o = np.ones(6, complex if {complex} else float)
    return a, np.linspace(1.0, 2.0, 6), np.full(6, 7.0), m, o, np.array([3, 1, 0, 2, 5, 4])

own, others = arguments(), arguments()
wanted = program(*own)
if {device}:
    with cl.device_context("native:cpu", cost_model=False):
        found = cl.jit(program)(*others)
else:
    found = cl.jit(program)(*others)
for one, other in zip((*wanted, *own), (*found, *others), strict=True):
    np.testing.assert_allclose(one, other, rtol=1e-12)
"""


@pytest.mark.parametrize("name", [line[4:].split("(")[0] for line in PROGRAMS.splitlines() if line.startswith("def ")])
@pytest.mark.parametrize("device", (False, True))
def test_what_is_written_by_position_is_seen(name, device):  # R5.7
    run(program(name) + CHECK.replace("{complex}", str(name == "rounded")).replace("{device}", str(device)))


def test_real_eigenvalues_are_real_where_the_host_is_not_reached():
    run("""
    @cl.jit
    def values(a):
        return np.linalg.eigvals(a), np.linalg.eig(a)[1]

    with cl.device_context("native:cpu", cost_model=False):
        assert [one.dtype for one in values(np.eye(3))] == [np.float64, np.float64]
        assert [one.dtype for one in values(np.array([[0.0, 1], [-1, 0]]))] == [np.complex128, np.complex128]
    """)


def test_arrays_in_dictionaries_are_only_read_where_the_host_is_not_reached():  # R5.7, R5.9
    run("""
    @cl.jit
    def sums(d):
        return (d["x"] * 2).sum() + d["y"].sum()

    @cl.jit
    def item(d):
        d["x"][0] = 5.0

    @cl.jit
    def whole(d):
        x = d["x"]
        x[1:][:] = d["y"][1:] + 1

    @cl.jit
    def place(d):
        np.add(d["x"], 1, d["y"])

    @cl.jit
    def place_of_library(d):
        np.cumsum(d["x"], 0, None, d["y"])

    @cl.jit
    def each(d):
        for one in d.values():
            one[1] = 2.0

    with cl.device_context("native:cpu", cost_model=False):
        given = {"x": np.arange(3.0), "y": np.ones(3)}
        assert sums(given) == 9
        for function in (item, whole, place, place_of_library, each):
            try:
                function(given)
            except cl.CompileError as e:
                assert "only read where its memory is on a device" in str(e)
            else:
                raise AssertionError(function)
    """)


def test_a_result_is_not_put_into_an_array_that_is_only_read():
    @cl.jit
    def added(a, b):
        np.add(a, 1, out=b)
        return b

    b = np.zeros(3)
    assert added(np.ones(3), b).tolist() == [2, 2, 2]
    b.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        added(np.ones(3), b)
