"""Variables that have no value on the way that was taken: in called and inner functions, after `del`."""

import numpy as np
import pytest

import colocate as cl


def last_turn(n):
    for j in range(n):
        pass
    return j


def of_a_call(n):
    return last_turn(n)


def of_calls_in_a_loop(n):
    total = 0
    for k in range(n, -1, -1):
        total += last_turn(k)
    return total


def chosen(flag):
    def given(flag):
        if flag:
            values = [1, 2]
        return values

    return given(flag)


def chosen_array(flag):
    def given(flag):
        if flag:
            values = np.ones(3)
        return values

    return given(flag).sum()


def called_twice(first, second):
    def given(flag):
        if flag:
            value = 1
        return value

    return given(first) + given(second)


def after_a_failure(text):
    def read(text):
        try:
            value = int(text)
        except ValueError:
            pass
        return value

    try:
        return read(text)
    except UnboundLocalError:
        return -1


def of_itself(n):
    if n == 0:
        y = 1
    elif n > 5:
        y = of_itself(n - 1)
    return y


def calls_one_that_calls_itself(n):
    return of_itself(n)


class TestCalledFunctions:
    def test_reading_one_raises(self, run_both):
        run_both(of_a_call, 3)
        run_both.raises(UnboundLocalError, of_a_call, 0)

    def test_each_call_begins_without_values(self, run_both):
        run_both.raises(UnboundLocalError, of_calls_in_a_loop, 3)
        run_both(called_twice, True, True)
        run_both.raises(UnboundLocalError, called_twice, True, False)

    @pytest.mark.parametrize("function", (chosen, chosen_array))
    def test_lists_and_arrays_are_no_empty_ones(self, run_both, function):
        run_both(function, True)
        run_both.raises(UnboundLocalError, function, False)

    def test_the_caller_may_catch_it(self, run_both):
        run_both(after_a_failure, "5")
        run_both(after_a_failure, "x")

    def test_functions_that_call_themselves_tell_it(self, run_both):
        run_both(calls_one_that_calls_itself, 0)
        for n in (3, 6):
            run_both.raises(UnboundLocalError, of_itself, n)
            run_both.raises(UnboundLocalError, calls_one_that_calls_itself, n)


def number_around(flag):
    if flag:
        a = 3

    def inner():
        return a

    return inner()


def text_around(flag):
    if flag:
        a = "x"

    def inner():
        return a

    return inner()


def dictionary_around(flag):
    if flag:
        a = {}

    def inner():
        return a

    return inner()


def read_by_one_that_calls_itself(flag):
    if flag:
        a = 3

    def inner(n):
        return a if n == 0 else inner(n - 1)

    return inner(2)


def not_read_by_one_that_calls_itself(flag):
    if flag:
        a = 3

    def inner(n):
        return 0 if n == 0 else inner(n - 1) + (a if flag else 1)

    return inner(2)


def set_by_an_inner_function(flag):
    def outer(flag):
        if flag:
            z = 1

        def give():
            nonlocal z
            z = 5

        if not flag:
            give()
        return z

    return outer(flag)


later = 7


def read_before_it_is_given(n):
    def inner():
        return later

    r = inner()
    later = 3
    return r + later + n


class TestInnerFunctions:
    @pytest.mark.parametrize("function", (number_around, text_around, dictionary_around, read_by_one_that_calls_itself))
    def test_reading_one_of_the_function_around_raises(self, run_both, function):
        run_both(function, True)
        _, raised = run_both.raises(NameError, function, False)
        assert type(raised) is NameError and "free variable 'a'" in str(raised)

    def test_one_that_nobody_reads_does_no_harm(self, run_both):
        run_both(not_read_by_one_that_calls_itself, True)
        run_both(not_read_by_one_that_calls_itself, False)

    def test_an_inner_function_may_give_it_one(self, run_both):
        run_both(set_by_an_inner_function, True)
        run_both(set_by_an_inner_function, False)

    def test_a_global_of_the_same_name_is_another_variable(self):
        with pytest.raises(cl.CompileError, match="before it has a value"):
            cl.jit(read_before_it_is_given)(1)


def deleted(flag):
    x = 10
    if flag:
        del x
    return x


def deleted_dictionary(flag):
    x = {1: 2}
    if flag:
        del x
    return x


def deleted_parameter(x, flag):
    if flag:
        del x
    return x


def deleted_in_a_turn(n, last):
    total, x = 0, 5
    for i in range(n):
        total += x
        if i == last:
            del x
    return total


def deleted_in_a_call(flag):
    def inner(flag):
        x = 10
        if flag:
            del x
        return x

    return inner(flag)


def given_again(n):
    x = n
    del x
    x = n + 1
    return x


def named_like_an_exception(flag):
    e = 1
    try:
        if flag:
            raise ValueError("x")
    except ValueError as e:
        assert str(e) == "x"
    return e


class TestDeletedVariables:
    @pytest.mark.parametrize("function", (deleted, deleted_dictionary, deleted_in_a_call, named_like_an_exception))
    def test_reading_one_raises(self, run_both, function):
        run_both(function, False)
        run_both.raises(UnboundLocalError, function, True)

    def test_parameters_may_be_deleted(self, run_both):
        run_both(deleted_parameter, 4, False)
        run_both.raises(UnboundLocalError, deleted_parameter, 4, True)

    def test_later_turns_tell_it(self, run_both):
        run_both(deleted_in_a_turn, 3, 2)
        run_both.raises(UnboundLocalError, deleted_in_a_turn, 3, 1)

    def test_a_name_may_be_given_a_value_again(self, run_both):
        run_both(given_again, 3)


def deleted_twice(flag):
    if flag:
        value = 1
    del value
    return 2


def test_what_has_no_value_cannot_be_deleted(run_both):
    run_both(deleted_twice, True)
    run_both.raises(UnboundLocalError, deleted_twice, False)

    def never():
        del nothing

    with pytest.raises(cl.CompileError, match="`nothing` is used before it has a value"):
        cl.jit(never)()


def named_in_a_choice(flag, value):
    result = 2.0 if flag else (chosen := value)
    return result, chosen


def named_in_a_comprehension(n):
    found = [(last := i) for i in range(n)]
    return found, last


def test_what_an_expression_names_has_a_value_only_where_it_was_computed(run_both):
    run_both(named_in_a_choice, False, 5.0)
    run_both.raises(UnboundLocalError, named_in_a_choice, True, 5.0)
    run_both(named_in_a_comprehension, 3)
    run_both.raises(UnboundLocalError, named_in_a_comprehension, 0)
