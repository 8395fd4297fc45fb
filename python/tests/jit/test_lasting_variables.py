"""Functions that change variables of the functions around them, also after those have ended."""

import numpy as np

import colocate as cl


def counter(start=0, step=1):
    count = start

    def more():
        nonlocal count
        count += step
        return count

    return more


def average():
    total, n = 0, 0

    def add(x):
        nonlocal total, n
        total += x
        n += 1
        return total / n

    def mean():
        return total / n

    return add, mean


def smoothed(alpha):
    state = None

    def update(x):
        nonlocal state
        state = x if state is None else alpha * x + (1 - alpha) * state
        return state

    return update


def summed(n):
    state = np.zeros(n)

    def add(a):
        nonlocal state
        state = state + a
        return state

    return add


def test_each_function_that_is_made_has_variables_of_its_own(run_both):
    def counted(n):
        one, other = counter(), counter(10, 5)
        found = []
        for i in range(n):
            found.append(one())
            if i % 2:
                found.append(other())
        return found, one(), other()

    run_both(counted, 4)


def test_functions_share_the_variables_of_the_one_that_made_them(run_both):
    def averaged(xs):
        add, mean = average()
        for x in xs:
            add(x)
        return mean()

    run_both(averaged, np.arange(5.0))


def test_a_variable_that_is_none_at_first(run_both):
    def filtered(xs):
        update = smoothed(0.3)
        return [update(x) for x in xs]

    run_both(filtered, np.arange(5.0))


def test_arrays_that_outlive_their_function(run_both):
    def added(n):
        add = summed(n)
        for k in range(3):
            last = add(k * 1.0)
        return last, add(1.0)

    run_both(added, 3)


def repeat(function, n):
    for i in range(n):
        function(i * 0.5)


def test_a_variable_whose_type_rises_in_a_loop_of_another_function_keeps_its_value(run_both):
    def total(n):
        total = 7

        def add(x):
            nonlocal total
            total += x

        repeat(add, n)
        return total

    run_both(total, 5)


def test_parallel_loops_see_variables_that_outlived_their_function(run_both):
    def scaled(n):
        add, mean = average()
        add(3.0)
        out = np.zeros(n)
        for i in cl.prange(n):
            out[i] = mean() * i
        add(5.0)
        return out, mean()

    run_both(scaled, 4)


def counted_in_a_parameter(x, n):
    def add():
        nonlocal x
        x += 1
        return x

    total = 0
    for _ in range(n):
        total += add()
    while x < 10:
        add()
    return x, total


def replaced_parameter(a):
    def double():
        nonlocal a
        a = a * 2

    double()
    double()
    return a


def test_inner_functions_change_parameters(run_both):
    run_both(counted_in_a_parameter, 3, 4)
    run_both(counted_in_a_parameter, 3.5, 2)
    run_both(replaced_parameter, np.arange(3.0))
