"""Exceptions: raised, asserted, and those of indices, shapes and division; bad programs never crash."""

import numpy as np
import pytest

import colocate as cl

from .comparison import PLAIN
from .samples import numbers


def raising(x):
    if x < 0:
        raise ValueError("negative", 3)
    return x


def test_raise_with_constant_arguments(run_both):
    run_both(raising, 1)
    wanted, raised = run_both.raises(ValueError, raising, -1)
    assert raised.args == wanted.args


@pytest.mark.parametrize(
    "kind", (ValueError, TypeError, RuntimeError, IndexError, KeyError, ArithmeticError, StopIteration)
)
def test_builtin_exceptions(run_both, kind):
    def program(x):
        if x:
            raise kind("no")
        return 1

    run_both(program, 0)
    run_both.raises(kind, program, 1)


class OwnError(Exception):
    pass


def raising_own(x):
    if x:
        raise OwnError("mine")
    return x


def test_exceptions_of_the_program(run_both):
    _, raised = run_both.raises(OwnError, raising_own, 1)
    assert raised.args == ("mine",)


def raising_class(x):
    if x:
        raise RuntimeError
    return x


def test_exceptions_without_arguments(run_both):
    _, raised = run_both.raises(RuntimeError, raising_class, 1)
    assert raised.args == ()


def asserting(x):
    assert x > 0
    assert x < 10, "too large"
    return x


def test_assert(run_both):
    run_both(asserting, 5)
    run_both.raises(AssertionError, asserting, -5)
    _, raised = run_both.raises(AssertionError, asserting, 50)
    assert "too large" in str(raised)


def after_writing(a):
    a[0] = 100
    if a[1] > 0:
        raise ValueError("late")
    a[0] = 200


def test_what_was_written_before_an_exception_stays_written(run_both):
    a = np.array([1.0, 2.0])
    program = run_both.jit(after_writing)
    with run_both.context(), pytest.raises(ValueError, match="late"):
        program(a)
    assert a[0] == 100


def nested_raise(x):
    return raising(x) + raising(x - 1)


def test_exceptions_from_called_functions(run_both):
    run_both.raises(ValueError, nested_raise, 0)


def in_a_loop(a):
    for i in range(len(a)):
        if a[i] > 2:
            raise ValueError("found")
    return 0


def test_exceptions_from_loops(run_both):
    run_both(in_a_loop, np.zeros(5))
    run_both.raises(ValueError, in_a_loop, np.arange(5))


def at(a, i):
    return a[i]


@pytest.mark.parametrize("i", (3, -4, 10**12))
def test_positions_outside(run_both, i):
    run_both(at, np.arange(3.0), 2)
    run_both.raises(IndexError, at, np.arange(3.0), i)


def put(a, i):
    a[i] = 1


def test_writing_outside(run_both):
    run_both.raises(IndexError, put, np.arange(3.0), 3)


def in_two_axes(a, i, j):
    return a[i, j]


@pytest.mark.parametrize("position", [(2, 0), (0, 3), (-3, 0), (0, -4)], ids=str)
def test_positions_outside_of_an_axis(run_both, position):
    run_both.raises(IndexError, in_two_axes, numbers((2, 3), "float64"), *position)


def gathered(a, where):
    return a[where].sum()


def test_index_arrays_outside(run_both):
    run_both.raises(IndexError, gathered, np.arange(3.0), np.array([0, 3]))
    run_both.raises(IndexError, gathered, np.arange(3.0), np.array([0, -4]))


def scattered(a, where):
    a[where] = 1


def test_writing_by_index_arrays_outside(run_both):
    run_both.raises(IndexError, scattered, np.arange(3.0), np.array([0, 3]))


def masked(a, mask):
    return a[mask]


def test_masks_of_the_wrong_length(run_both):
    run_both.raises(IndexError, masked, np.arange(3.0), np.array([True, False]))


def assigned_by_mask(a, mask):
    a[mask] = 7


@pytest.mark.parametrize("length", (1, 2, 4))
def test_assignments_by_masks_of_the_wrong_length(run_both, length):
    run_both(assigned_by_mask, np.arange(3.0), np.array([True, False, True]))
    run_both.raises(IndexError, assigned_by_mask, np.arange(3.0), np.ones(length, bool))


def multiplied_into(a, b):
    np.multiply(a, b, out=a)
    return a


def test_results_that_an_array_does_not_take():
    with pytest.raises(cl.CompileError, match="cannot be put back"):
        cl.jit(multiplied_into)(np.arange(3), np.ones(3))


def cast_into(a, b):
    np.multiply(a, b, out=a, casting="unsafe")
    return a


def test_results_that_an_array_takes_all_the_same(run_both):
    run_both(multiplied_into, np.arange(3.0), np.arange(3))
    run_both(cast_into, np.arange(3), np.full(3, 1.5))


def counted(step):
    return np.arange(0, -10, step)


def test_counting_without_a_step(run_both):
    run_both(counted, -3)
    run_both.raises(ZeroDivisionError, counted, 0)


def added(a, b):
    return a + b


@pytest.mark.parametrize("shapes", [(3, 4), ((2, 3), (2, 4)), ((2, 3), 2)], ids=str)
def test_shapes_that_do_not_broadcast(run_both, shapes):
    run_both.raises(ValueError, added, np.zeros(shapes[0]), np.zeros(shapes[1]))


def assigned(a, b):
    a[:] = b


def added_in_place(a, b):
    a += b


@pytest.mark.parametrize("program", (assigned, added_in_place), ids=lambda f: f.__name__)
def test_assignments_that_do_not_fit(run_both, program):
    run_both.raises(ValueError, program, np.zeros(3), np.zeros(4))
    run_both.raises(ValueError, program, np.zeros(3), np.zeros((2, 3)))


def multiplied(a, b):
    return a @ b


def test_matrices_that_do_not_fit(run_both):
    run_both.raises(ValueError, multiplied, np.zeros((2, 3)), np.zeros((2, 3)))


def divided(x, y):
    return x / y, x // y, x % y


@pytest.mark.parametrize("y", (0, 0.0), ids=repr)
def test_division_of_numbers_by_zero(run_both, y):
    run_both(divided, 7, 2)
    run_both.raises(ZeroDivisionError, divided, 7, y)


def unpacked(a):
    x, y = a
    return x + y


def test_unpacking_the_wrong_number(run_both):
    run_both(unpacked, np.array([1.0, 2.0]))
    run_both.raises(ValueError, unpacked, np.array([1.0, 2.0, 3.0]))


def read_only(a):
    a[0] = 1


def test_writing_to_what_cannot_be_written(run_both):
    a = np.arange(3.0)
    a.flags.writeable = False
    run_both.raises(ValueError, read_only, a)


def missing_arguments(a, b):
    return a + b


def test_wrong_arguments_of_calls():
    program = missing_arguments if PLAIN else cl.jit(missing_arguments)
    for arguments, keywords in [((), {}), ((1,), {}), ((1, 2, 3), {}), ((1, 2), {"c": 3}), ((1, 2), {"a": 3})]:
        with pytest.raises(TypeError):
            program(*arguments, **keywords)


def bad_programs():
    def unknown_name(a):
        return a + undefined_name

    def unknown_attribute(a):
        return a.no_such_thing

    def unknown_function(a):
        return np.no_such_function(a)

    def opens_files(a):
        return open("/nonexistent")

    def makes_dictionaries(a):
        return {object(): a}

    def yields(a):
        yield a[0]

    def imports(a):
        import os

        return os.getpid()

    def formats(a):
        return f"{a}"

    def defines_class(a):
        class Thing:
            pass

        return Thing()

    def calls_number(a):
        return a[0]()

    def adds_text(a):
        return a + "text"

    def indexes_number(a):
        return a[0][0]

    def uses_global(a):
        global SOMETHING
        SOMETHING = a.sum()
        return SOMETHING

    def asynchronous(a):
        with open("x") as f:
            return f

    return [value for value in locals().values() if callable(value)]


@pytest.mark.skipif(PLAIN, reason="about what jit refuses")
@pytest.mark.parametrize("program", bad_programs(), ids=lambda f: f.__name__)
def test_programs_outside_of_the_language_are_refused_at_the_place(run_both, program):
    with run_both.context():
        try:
            run_both.jit(program)(np.arange(3.0))
        except cl.CompileError as error:
            assert program.__name__ in str(error) or "test_errors.py" in str(error)
        except Exception as error:
            # What plain Python raises is as good.
            with pytest.raises(type(error)):
                program(np.arange(3.0))


class Unknown:
    pass


@pytest.mark.skipif(PLAIN, reason="about what jit refuses")
@pytest.mark.parametrize(
    "value", (Unknown(), {"a": 1}, {1, 2}, object, b"bytes", np.array(["text"]), np.array([None])), ids=repr
)
def test_arguments_of_unknown_types_are_refused(run_both, value):
    def program(a):
        return a + 1

    with run_both.context(), pytest.raises((cl.CompileError, TypeError)):
        run_both.jit(program)(value)


MASKED = np.ma.masked_array([1.0, 2.0], [True, False])
MATRIX = np.eye(2).view(np.matrix)
OF_OWN_RULES = (
    lambda a: np.ma.masked_array(a, mask=a > 0.5).mean(),
    lambda a: np.ma.masked_where(a > 0.5, a).sum(),
    lambda a: np.ma.masked_invalid(a).sum(),
    lambda a: np.asarray(np.matrix(a) * np.matrix(a)),
    lambda a: np.asmatrix(a) ** 2,
    lambda a: np.bmat([[a, a]]).shape,
    lambda a: MASKED.mean() + a,
    lambda a: MATRIX * MATRIX + a,
    lambda a: np.ma.masked,
)


@pytest.mark.skipif(PLAIN, reason="about what jit refuses")
@pytest.mark.parametrize("program", OF_OWN_RULES, ids=range(len(OF_OWN_RULES)))
def test_arrays_with_rules_of_their_own_are_refused(run_both, program):
    with run_both.context(), pytest.raises(cl.CompileError):
        run_both.jit(program)(np.ones((2, 2)))


@pytest.mark.skipif(PLAIN, reason="about what jit refuses")
def test_what_is_wrong_inside_a_function_of_the_package_is_said_of_the_call():
    def of_planes(a):
        return np.apply_along_axis(lambda row: np.zeros((2, 2)), 0, a)

    with pytest.raises(cl.CompileError, match="this call cannot be compiled") as refused:
        cl.jit(of_planes)(np.ones((3, 3)))
    (place,) = refused.value.diagnostics
    assert place["file"] == __file__ and place["source"].startswith("np.apply_along_axis")
    assert "_numpy_functions" not in str(refused.value)
