"""`with` in jit functions."""

import contextlib
from contextlib import contextmanager, nullcontext, suppress

import numpy as np
import pytest

import colocate as cl


class Logged:
    def __init__(self, log, name):
        self.log, self.name = log, name

    def __enter__(self):
        self.log.append("in " + self.name)
        return self

    def __exit__(self, kind, value, traceback):
        self.log.append("out " + self.name)


class Taking:
    def __init__(self, log):
        self.log = log

    def __enter__(self):
        return 2.0

    def __exit__(self, kind, value, traceback):
        self.log.append("none" if kind is None else "some")
        return kind is ValueError


class Depth:
    def __init__(self):
        self.depth = 0

    def __enter__(self):
        self.depth += 1
        return self.depth

    def __exit__(self, *what):
        self.depth -= 1


@contextmanager
def tagged(log, name):
    log.append("<" + name)
    yield len(log)
    log.append(">" + name)


@contextmanager
def closing(log):
    try:
        yield
    finally:
        log.append("closed")


@contextmanager
def forgiving(log):
    try:
        yield 1
    except KeyError as e:
        log.append("forgiven")
        log.append(str(e))


class Timed:
    def __init__(self):
        self.sections = []

    @contextmanager
    def section(self, name):
        self.sections.append(name)
        yield self
        self.sections.append("end of " + name)


def test_suppress_takes_the_exceptions_that_it_names(run_both):
    def guarded(x):
        r = 0
        with suppress(ValueError, ZeroDivisionError):
            r = 1
            if x > 1:
                raise ValueError("too large")
            r = 10 // x
        with contextlib.suppress(KeyError):
            r += 1
        return r

    for x in (1, 2, 0):
        run_both(guarded, x)


def test_what_suppress_does_not_name_goes_on():
    @cl.jit
    def guarded(x):
        with suppress(KeyError):
            if x:
                raise ValueError("not this one")
        return x

    with pytest.raises(ValueError, match="not this one"):
        guarded(1)
    assert guarded(0) == 0


def test_nullcontext_gives_what_it_was_given(run_both):
    def entered(x):
        with nullcontext(x * 2) as a, nullcontext() as b:
            y = a + 1
        return y, a, b is None

    run_both(entered, 3.0)


def test_objects_are_entered_and_left(run_both):
    def logged(n):
        log = []
        with Logged(log, "a") as a, Logged(log, "b"):
            a.log.append("body")
        for i in range(n):
            with Logged(log, "loop"):
                if i == 1:
                    continue
                if i == 3:
                    break
                log.append(str(i))
        return log

    run_both(logged, 6)


def test_objects_are_left_when_the_function_returns_inside(run_both):
    def early(x):
        depth = Depth()
        with depth as d:
            if x > 0:
                return d, depth.depth
        return d, depth.depth

    run_both(early, 1)
    run_both(early, -1)


def test_objects_are_left_by_exceptions_too(run_both):
    def caught(x):
        log = []
        try:
            with Logged(log, "a"):
                if x > 0:
                    raise ValueError("x")
                log.append("body")
        except ValueError:
            log.append("caught")
        return log

    run_both(caught, 1)
    run_both(caught, 0)


def test_an_exit_that_says_so_takes_the_exception(run_both):
    def taken(x):
        log = []
        try:
            with Taking(log) as two:
                if x == 1:
                    raise ValueError("x")
                if x == 2:
                    raise KeyError("x")
                log.append(str(two))
        except KeyError:
            log.append("went on")
        return log

    for x in range(3):
        run_both(taken, x)


def test_functions_of_contextmanager_stand_around_the_body(run_both):
    def around(n):
        log = []
        for i in range(n):
            with tagged(log, "a") as size, closing(log):
                log.append(str(i + size))
        return log

    run_both(around, 3)


def test_a_function_of_contextmanager_sees_the_exception_of_the_body(run_both):
    def seen(x):
        log = []
        with forgiving(log) as one:
            log.append(str(one))
            if x:
                raise KeyError("k")
            log.append("end")
        try:
            with closing(log):
                if x:
                    raise ValueError("v")
        except ValueError:
            log.append("caught")
        return log

    run_both(seen, 0)
    run_both(seen, 1)


def test_methods_and_returned_values_in_contexts(run_both):
    def timed(x):
        timed = Timed()
        with timed.section("one"):
            y = x * 2
        return y, timed.sections

    def returned(a):
        log = []
        with closing(log):
            return a.sum() + len(log)

    run_both(timed, 2.5)
    run_both(returned, np.arange(4.0))


def test_what_cannot_be_entered_is_refused():
    @contextmanager
    def twice(x):
        if x:
            yield 1
        else:
            yield 2

    @cl.jit
    def entered(x):
        with twice(x) as y:
            x += y
        return x

    with pytest.raises(cl.CompileError, match="`with` of this"):
        entered(1)

    @cl.jit
    def left(n):
        log = []
        for i in range(n):
            with tagged(log, "a"):
                if i > 1:
                    break
        return log

    with pytest.raises(cl.CompileError, match="`with` of this"):
        left(3)
