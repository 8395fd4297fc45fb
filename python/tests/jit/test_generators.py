"""Jit functions that yield, iterated over by Python."""

import gc
import os
import threading

import numpy as np
import pytest

import colocate as cl

from .samples import numbers


def counted(n):
    for i in range(n):
        yield i


def chosen(n):
    for i in range(n):
        if i == 7:
            return
        if i % 3:
            yield i * 0.5
        else:
            yield -1.0


def straight(x):
    yield x
    yield x + 1
    x *= 3
    yield x


def elements(a):
    for i in range(a.size):
        yield a[i]


def pairs(a):
    for index, value in np.ndenumerate(a):
        yield index, value


def rows(a, scale):
    for i in range(a.shape[0]):
        yield a[i] * scale


def maybe(n):
    for i in range(n):
        yield None if i % 2 else i


def nested(n):
    yield from range(n)
    yield from counted(2)


def texts(words):
    for word in words:
        yield word + "!"


def windows(a, width):
    held = [0.0]
    for i in range(width, a.size + 1):
        held.append(a[i - width : i].sum())
        yield held[-1], len(held)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (counted, (5,)),
        (counted, (0,)),
        (chosen, (20,)),
        (straight, (3,)),
        (straight, (2.5,)),
        (elements, (numbers(5, "float32"),)),
        (elements, (numbers(5, "int16")[::-2],)),
        (pairs, (numbers(6, "float64").reshape(2, 3),)),
        (rows, (numbers(6, "float64").reshape(2, 3), 2.0)),
        (maybe, (4,)),
        (nested, (3,)),
        (texts, (["a", "b"],)),
        (windows, (numbers(7, "float64"), 3)),
    ],
)
def test_items_come_one_by_one(run_both, function, arguments):
    compiled = run_both.jit(function)
    with run_both.context():
        found = list(compiled(*arguments))
    expected = list(function(*arguments))
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_equal(one, other)
        assert type(one) is type(other)


def endless(a):
    i = 0
    while True:
        a[0] += 1
        yield i
        i += 1


def test_nothing_is_done_before_it_is_wanted():
    a = np.zeros(1)
    items = cl.jit(endless)(a)
    assert a[0] == 0
    assert [next(items) for _ in range(3)] == [0, 1, 2]
    assert a[0] == 3
    items.close()
    assert a[0] == 3
    with pytest.raises(StopIteration):
        next(items)


def test_what_is_dropped_ends():
    before = threading.active_count()
    items = [cl.jit(endless)(np.zeros(1)) for _ in range(5)]
    assert [next(one) for one in items] == [0] * 5
    assert threading.active_count() == before + 5
    items.clear()
    gc.collect()
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and thread.name.startswith("Thread"):
            thread.join(timeout=10)
    assert threading.active_count() <= before


def failing(n):
    for i in range(n):
        if i == 2:
            raise ValueError("two")
        yield i


def catching(n):
    for i in range(n):
        try:
            yield i
        except KeyError:
            yield -i


def test_exceptions_go_both_ways():
    items = cl.jit(failing)(5)
    assert next(items) == 0 and next(items) == 1
    with pytest.raises(ValueError, match="two"):
        next(items)
    with pytest.raises(StopIteration):
        next(items)
    items = cl.jit(catching)(5)
    assert next(items) == 0 and next(items) == 1
    assert items.throw(KeyError("x")) == -1
    assert next(items) == 2
    with pytest.raises(IndexError):
        items.throw(IndexError)
    with pytest.raises(TypeError, match="sent"):
        cl.jit(counted)(3).send(1)


def test_mistakes_are_seen_at_the_call():
    @cl.jit
    def wrong(a):
        yield a.nothing

    with pytest.raises(cl.CompileError, match="nothing"):
        wrong(np.ones(3))
    with pytest.raises(TypeError):
        cl.jit(counted)()


def test_two_at_once_and_representation():
    compiled = cl.jit(counted)
    a, b = compiled(3), compiled(3)
    assert [pair for pair in zip(a, b, strict=True)] == [(0, 0), (1, 1), (2, 2)]
    assert repr(a) == "<generator of the jit function counted>"
    assert iter(a) is a


def test_device_arrays_are_yielded_where_they_are():
    x = cl.asarray(np.arange(6.0).reshape(2, 3))
    found = list(cl.jit(rows)(x, 2.0))
    assert all(isinstance(row, type(x)) for row in found)
    np.testing.assert_array_equal(cl.asnumpy(found[1]), [6, 8, 10])


def appended(items):
    for i in range(3):
        items.append(i)
        yield len(items)


def own_list(n):
    items = []
    for i in range(n):
        items.append(i)
        yield items


def stops_wrongly(n):
    yield n
    raise StopIteration


def test_lists_are_shared_with_the_caller():
    items = [5]
    found = cl.jit(appended)(items)
    assert next(found) == 2 and items == [5, 0]
    items.append(9)
    assert next(found) == 4
    found.close()
    assert items == [5, 0, 9, 1]
    assert list(cl.jit(own_list)(3)) == [[0, 1, 2]] * 3


def test_what_python_refuses():
    items = cl.jit(stops_wrongly)(1)
    assert next(items) == 1
    with pytest.raises(RuntimeError, match="StopIteration"):
        next(items)


def test_a_child_leaves_the_function_alone():
    items = cl.jit(counted)(3)
    assert next(items) == 0
    child = os.fork()
    if child == 0:
        try:
            next(items)
        except RuntimeError:
            del items
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert next(items) == 1
