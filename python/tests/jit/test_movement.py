"""What moves between host and device, counted where it is really copied (R5.7).

The functions run in a process of their own, on a native device that behaves like a discrete one.
"""

import os
import subprocess
import sys
import textwrap

import pytest

PRELUDE = """
import numpy as np
import colocate as cl

def moves(function, *arguments):
    facts = function.explain_dict(*arguments)
    return facts["bytes_to_device"], facts["bytes_to_host"]

x, y = np.full(100, 2.0), np.ones(100)
"""


def run(program):
    """Runs a program where native devices are discrete."""
    environment = dict(os.environ, COLOCATE_NATIVE_DISCRETE="1")
    # jit functions need a file to be read from.
    text = PRELUDE + textwrap.dedent(program)
    path = os.path.join(os.environ.get("PYTEST_TMP", "."), "program.py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    done = subprocess.run([sys.executable, path], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    """Programs are written where nothing else is."""
    monkeypatch.setenv("PYTEST_TMP", str(tmp_path))


def test_a_host_statement_that_reads_an_array_brings_it_over_once():
    # Listing 3.1: y is new, and looked at between the regions.
    run("""
    @cl.jit
    def foo(x, y):
        a = 0.5
        y = a * x + y
        seen = 0.0
        for i in range(y.size):
            if y[i] > seen:
                seen = y[i] + seen / 2
        r = np.sum(y)
        return r + seen

    assert foo(x, y) == foo.py_func(x, y)
    assert moves(foo, x, y) == (1600, 800)
    """)


def test_a_host_statement_that_touches_no_array_moves_nothing():
    # Listing 3.2.
    run("""
    @cl.jit
    def foo(x, y):
        a = 0.5
        y = a * x + y
        print("I do not need anything from the device")
        r = np.sum(y)
        return r

    assert foo(x, y) == 200.0
    assert moves(foo, x, y) == (1600, 0)
    """)


def test_written_arguments_come_back_once_and_overwritten_ones_do_not_go_there():
    # Listing 3.6.
    run("""
    @cl.jit
    def foo(a, b):
        a[:] = np.sin(a)
        b[:] = a + 2
        seen = b[0]
        return seen

    assert abs(foo(x, y) - np.sin(2.0) - 2) < 1e-14
    np.testing.assert_allclose(x, np.sin(2.0))
    np.testing.assert_allclose(y, np.sin(2.0) + 2)
    assert moves(foo, np.full(100, 2.0), np.ones(100)) == (800, 1600)
    """)


def test_nothing_is_copied_for_arrays_that_are_not_used():
    run("""
    @cl.jit
    def foo(a, b):
        return np.sum(a)

    assert moves(foo, x, y) == (800, 0)
    """)


def test_a_strided_argument_is_packed_on_its_way():
    run("""
    @cl.jit
    def foo(a):
        a += 1

    whole = np.zeros(100)
    foo(whole[::4])
    assert whole[::4].sum() == 25 and whole.sum() == 25
    facts = foo.explain_dict(np.zeros(100)[::4])
    assert facts["bytes_to_device"] == 200 and facts["bytes_to_host"] == 200
    """)


def test_arguments_that_overlap_stay_one_memory():
    run("""
    @cl.jit
    def foo(a, b):
        a[:] = 1
        b[:] = b + 1

    whole = np.zeros(10)
    foo(whole[:6], whole[4:])
    assert whole.tolist() == [1, 1, 1, 1, 2, 2, 1, 1, 1, 1]
    """)


def test_temporaries_of_loops_stay_on_the_device():
    run("""
    @cl.jit
    def foo(a):
        for _ in range(5):
            t = a * 0.5
            a[:] = t + 1
        return np.sum(a)

    assert moves(foo, x) == (800, 800)
    """)


def test_device_arrays_do_not_move():
    run("""
    @cl.jit
    def foo(a, b):
        return a * 2 + b

    a, b = cl.asarray(x), cl.asarray(y)
    before = foo(a, b)
    assert isinstance(before, cl.Array)
    assert moves(foo, a, b) == (0, 0)
    assert cl.asnumpy(before)[0] == 5
    """)


def test_a_device_array_that_the_host_writes_is_brought_back():
    run("""
    @cl.jit
    def foo(a):
        a[3] = 7.0
        return np.sum(a)

    a = cl.asarray(x)
    assert foo(a) == 205
    assert cl.asnumpy(a)[3] == 7
    """)


def test_explain_says_what_moved_and_why():
    run("""
    @cl.jit
    def foo(a):
        return np.sum(a)

    text = foo.explain(x)
    assert "moved a, 800 bytes to the device" in text, text
    assert "800 bytes went to the device, and 0 came back" in text, text
    """)


def test_what_is_a_copy_there_is_not_written_to_in_silence():
    # In NumPy these are views, and the write would be seen through `z`.
    run("""
    @cl.jit
    def part(z):
        r = z.real
        r[0] = 5
        return z

    @cl.jit
    def in_place(z):
        r = z.imag
        r += 1
        return z

    @cl.jit
    def diagonal(a):
        d = np.diagonal(a)
        d[0] = 5
        return a

    z = np.ones(4, complex)
    for function in (part, in_place):
        try:
            function(z)
        except cl.CompileError as error:
            assert "copy on this device" in str(error), error
        else:
            raise AssertionError("it wrote to a copy")

    try:
        diagonal(np.eye(3))
    except ValueError as error:
        assert "read-only" in str(error), error
    else:
        raise AssertionError("it wrote to a copy")
    """)


def test_arrays_in_lists_stay_where_they_are():
    # What a list refers to is on the device until the host looks at it, and is written through the list.
    run("""
    @cl.jit
    def foo(x, n):
        parts = []
        for i in range(n):
            parts.append(x * i)
        parts[1][2:] = 0.5
        for part in parts:
            part += 1.0
        return parts, parts[1][3] + len(parts)

    (got, last), (wanted, expected) = foo(x, 3), foo.py_func(x, 3)
    assert last == expected
    assert all((a == b).all() for a, b in zip(got, wanted, strict=True))
    """)


def test_lists_of_lists_live_with_the_host_part():
    run("""
    @cl.jit
    def foo(n):
        rows = [[0.5] * i for i in range(n)]
        for row in rows:
            row.append(1.0)
        rows[1][0] = 7.0
        return rows, np.array([sum(row) for row in rows])

    (rows, sums), (wanted, expected) = foo(4), foo.py_func(4)
    assert rows == wanted
    assert (sums == expected).all()
    """)


def test_fields_of_packed_records_that_overlap():
    # Their elements lie at places that are no multiples of their size, on the device, too.
    run("""
    def shifted(to, values):
        to[:] = values

    def added(to, values):
        to += values
        values *= 2

    def records():
        made = np.zeros(40, [("x", "f8"), ("n", "i4")])
        made["x"] = np.arange(40)
        return made

    for function in (shifted, added):
        compiled = cl.jit(function)
        for to, values in ((np.s_[1:], np.s_[:-1]), (np.s_[:-1], np.s_[1:]), (np.s_[::2], np.s_[1::2])):
            expected, found = records(), records()
            function(expected["x"][to], expected["x"][values])
            with cl.device_context("native"):
                compiled(found["x"][to], found["x"][values])
            assert (found == expected).all(), (function, to)
    """)


def test_records_and_yield_are_refused_where_memory_is_not_shared():
    run("""
    @cl.jit
    def put(a):
        a[0]["x"] = 1

    @cl.jit
    def counted(n):
        yield n

    with cl.device_context("native"):
        for call in (lambda: put(np.zeros(3, [("x", "f8")])), lambda: counted(3)):
            try:
                call()
            except cl.CompileError as error:
                assert "reaches the memory" in str(error), error
            else:
                raise AssertionError("it was not refused")
    """)


def test_arrays_from_outside_are_written_back_from_a_device():
    run("""
    table = np.zeros((4, 3))
    part = table[1:, ::2]

    @cl.jit
    def write(x, whole):
        table[0] = x * 2
        seen = table.sum()
        part[0] += 1
        whole[3] = part[0, 1]
        return seen, part.sum()

    with cl.device_context("native:cpu", cost_model=False):
        assert write(np.arange(3.0), table) == (6.0, 4.0)
    assert table.tolist() == [[0.0, 2.0, 4.0], [1.0, 0.0, 1.0], [0.0] * 3, [1.0] * 3]
    """)


def test_what_numpys_generators_shuffle_stays_whole():
    run("""
    @cl.jit
    def shuffled(generator, n):
        a = np.arange(n * 2).reshape(n, 2) + 0
        generator.shuffle(a)
        b = np.arange(n)
        generator.shuffle(b[1:])
        return a, b

    for make in (np.random.default_rng, np.random.RandomState):
        with cl.device_context("native:cpu", cost_model=False):
            found = shuffled(make(3), 10)
        expected = shuffled.py_func(make(3), 10)
        assert all(np.array_equal(*pair) for pair in zip(found, expected))
    """)


def test_python_makes_texts_and_tuples_of_arrays_as_of_numpys():
    run("""
    @cl.jit
    def texts(a):
        return f"{a}", str(a), "%s" % a, np.roll(a, tuple(a[:1].astype(int))), tuple(a)

    @cl.jit
    def seen(points):
        groups = {}
        for i, r in enumerate(points):
            groups.setdefault(tuple((r * 2).astype(int)), []).append(i)
        return groups

    a = np.arange(1.0, 4.0)
    with cl.device_context("native"):
        text, same, filled, rolled, items = texts(a)
        assert text == same == filled == str(a)
        assert rolled.tolist() == [3, 1, 2] and items == (1, 2, 3)
        points = np.arange(6.0).reshape(3, 2) / 4
        assert seen(points) == seen.py_func(points)
    """)


def test_views_with_turned_axes_are_written_through():
    run("""
    @cl.jit
    def views(a):
        np.moveaxis(a, 0, 1)[0, 0] = 66
        a.view()[0, 1] = 6
        np.rot90(a)[0, 0] = 5
        np.squeeze(a[1:], axis=0)[0] = 7
        np.atleast_2d(a[1])[0, 1] = 8
        return a

    with cl.device_context("native"):
        assert views(np.arange(6.0).reshape(2, 3)).tolist() == [[66, 6, 5], [7, 8, 5]]
    """)


def test_what_would_be_lost_is_refused():
    run("""
    @cl.jit
    def written(a):
        for x in np.nditer(a, op_flags=["readwrite"]):
            x[...] = 2 * x
        return a

    with cl.device_context("native"):
        try:
            written(np.ones(3))
        except cl.CompileError as error:
            assert "would be lost" in str(error), error
        else:
            raise AssertionError("it was not refused")
    """)
