"""Objects of Numba's classes as arguments of jit functions."""

import numpy as np
import pytest

import colocate as cl

numba = pytest.importorskip("numba", reason="Numba is not installed")


@numba.experimental.jitclass([("count", numba.int32), ("values", numba.float64[:]), ("scale", numba.float32)])
class Table:
    def __init__(self, count, size):
        self.count = count
        self.values = np.zeros(size)
        self.scale = 0.5

    @property
    def size(self):
        return self.values.size

    @property
    def double(self):
        return self.count * 2

    @double.setter
    def double(self, value):
        self.count = value // 2

    def add(self, by):
        for i in range(self.size):
            self.values[i] += by
        self.count += 1
        return self.count

    @staticmethod
    def larger(x, y):
        return x if x > y else y

    def __getitem__(self, i):
        return self.values[i]

    def __setitem__(self, i, value):
        self.values[i] = value

    def __len__(self):
        return self.values.size

    def __add__(self, other):
        return self.count + other.count


def tables():
    return Table(3, 4), Table(5, 2)


def shown(table):
    return table.count, table.values.tolist(), table.scale


def read(a, b):
    return a.count, a.values.sum(), a.scale, a.size, a.double, a.larger(a.count, b.count), len(a), a + b, a[1]


def changed(a, b):
    a.add(2.0)
    b.count = 9
    b.scale = 0.1
    b.double = b.double + 4
    b[1] = a[0]
    a.values = np.ones(3)
    total = 0
    for one in (a, b):
        total += one.count
    return total, b.scale, a.size


def asked(a, b):
    return isinstance(a, Table), isinstance(a, int), isinstance(b, Table)


@pytest.mark.parametrize("program", (read, changed, asked))
@pytest.mark.parametrize("place", ("host", "native:cpu"))
def test_objects_of_numbas_classes_are_used_where_they_are(program, place):  # R5.8
    own, others = tables(), tables()
    wanted = program(*own)
    if place == "host":
        found = cl.jit(program)(*others)
    else:
        with cl.device_context(place):
            found = numba.njit(program)(*others)
    assert found == wanted
    assert [shown(one) for one in others] == [shown(one) for one in own]


def test_an_object_that_is_returned_is_the_callers():
    given, _ = tables()
    assert cl.jit(lambda table: table)(given) is given


def test_jit_functions_make_no_objects_of_numbas_classes():
    with pytest.raises(cl.CompileError, match="objects of the class Table cannot be made"):
        cl.jit(lambda n: Table(n, 2).count)(3)
