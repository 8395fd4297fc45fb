"""Numbers that are ints on some ways and floats on others are shown as what they are."""

import math
import statistics

import numpy as np
import pytest

import colocate as cl


def chosen(n):
    t = 20 if n == 3 else 0.5
    return f"{t}% {t!r} {t:.2f} {t:>4}", str(t), "%s" % t, "{} {}".format(t, [t]), t * 2 > 3


def by_branches(n):
    if n == 3:
        t = 20
    else:
        t = 0.5
    print(t, [t], (t, n))
    return t * 1.5


def from_either_to_another(n):
    t = 1.5
    if n == 3:
        t = 20
    u = t
    if n == 4:
        u = 7
    return f"{u} {t}"


def of_a_function(n):
    def f(n):
        if n > 3:
            return 2
        return 2.5

    a, b, c = f(n), f(n + 1), f(n - 1)
    return f"{a} {b} {c}"


def inside_a_loop(n):
    text = ""
    for i in range(n):
        t = i if i % 2 else 1.25
        text += f"{t} "
    return text


def of_another_turn(n):
    text, kept = "", 0.25
    for x in (1, 2.5, 3):
        t = x if n == 3 else 1.25
        text += f"{t} {kept};"
        kept = t
    return text


def beside_numpys(n):
    a = np.arange(4.0)
    total = 0 if n > 3 else a.sum()
    return f"{total}", f"{np.float64(n)}"


def made_floats(n):
    t = 5 if n == 3 else 0.5
    return str(float(t)), str(t + 1.0), str(np.sqrt(t))


@pytest.mark.parametrize("n", [3, 4])
@pytest.mark.parametrize(
    "program",
    [
        chosen,
        by_branches,
        from_either_to_another,
        of_a_function,
        inside_a_loop,
        of_another_turn,
        beside_numpys,
        made_floats,
    ],
)
def test_an_int_that_shares_a_variable_with_a_float_is_shown_as_an_int(run_both, program, n):
    run_both(program, n)


def limited(x):
    y = max(0, x)
    print(y)
    return str(max(0, x)), f"{min(x, 1, 3.5)} {max(3, 2.5)} {max(1, 2.5)}", math.sqrt(y), max(1, 2.5)


@pytest.mark.parametrize("x", [-1.0, 2.5])
def test_the_largest_of_an_int_and_a_float_is_shown_as_what_it_is(run_both, x):
    run_both(limited, x)


def shown_means(d):
    return f"{statistics.mean(d)} {statistics.median(d)}"


def used_means(d):
    m = statistics.mean(d)
    return m > 2, m == 3, max(m, 1), -m, abs(m), int(m), float(m), round(m, 1), math.sqrt(m), m * 2 + 1


def standardized(d):
    mu, sigma = statistics.mean(d), statistics.stdev(d)
    return [round((x - mu) / sigma, 3) for x in d]


def added_means(d):
    total, found = 0, {}
    for i in range(3):
        total += statistics.mean(d)
        found[i] = statistics.mean(d) * i
    return total, found, np.ones(3) * statistics.mean(d)


@pytest.mark.parametrize("program", [shown_means, used_means, standardized, added_means])
@pytest.mark.parametrize("d", [[1, 2, 3], [1, 2], [1, 2, 4], [1.5, 2.5]])
def test_what_python_makes_an_int_or_a_float_of_is_either(run_both, program, d):
    run_both(program, d)


def exactly(value):
    if isinstance(value, (list, tuple)):
        return [exactly(one) for one in value]
    return type(value), value


def returned_choice(x):
    return 1 if x > 0 else 2.5


def returned_variable(x):
    y = 0
    if x > 0:
        y = x / 2
    return y, x > 0, [y, 3]


def returned_largest(x):
    return max(0, x), min(2, x, 7)


def returned_by_a_function(x):
    def f(v):
        if v > 0:
            return 1
        return v * 0.5

    return f(x), (f(-x), f(x))


def returned_bool(x):
    y = True if x > 0 else 7
    z = 0.5
    if x > 0:
        z = False
    elif x < -1:
        z = 3
    return y, z, f"{y} {z}"


def appended(x):
    found = []
    for i in range(4):
        found.append(i if i % 2 else i * x)
    return found


@pytest.mark.parametrize("x", [2.5, -1.0, -2.5])
@pytest.mark.parametrize(
    "program",
    [returned_choice, returned_variable, returned_largest, returned_by_a_function, returned_bool, appended],
)
def test_a_number_that_is_returned_is_of_the_type_that_the_way_gives_it(run_both, program, x):
    assert exactly(run_both(program, x)) == exactly(program(x))


def either_flag_or_number(k):
    flag = True
    if k == 1:
        flag = 5
    return flag


def is_true(k):
    return either_flag_or_number(k) is True


def is_of_the_type(k):
    return type(either_flag_or_number(k)) is bool


def is_an_instance(k):
    return isinstance(either_flag_or_number(k), bool)


def is_whole(k):
    t = 20 if k else 0.5
    return isinstance(t, int)


def is_a_number(k):
    t = 20 if k else 0.5
    return isinstance(t, (int, float)), isinstance(t, str)


@pytest.mark.parametrize("program", [is_true, is_of_the_type, is_an_instance, is_whole])
def test_who_asks_for_the_type_that_the_way_gives_a_number_is_refused(program):
    with pytest.raises(cl.CompileError, match="of which type this number is depends on the path"):
        cl.jit(program)(1)


def test_a_number_is_one_whatever_the_way(run_both):
    run_both(is_a_number, 0)
    run_both(is_a_number, 1)
