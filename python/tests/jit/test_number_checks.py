"""What Python and NumPy raise where a number changes its type: integers that do not fit, floats that are none."""

import math

import numpy as np
import pytest

import colocate as cl


def as_uint8(x):
    return np.uint8(x)


def as_uint64(x):
    return np.uint64(x)


def as_int32(x):
    return np.int32(x)


def stored(a, x):
    a[0] = x
    return a


def stored_everywhere(a, x):
    a[:] = x
    return a


def stored_where(a, x):
    a[a < 5] = x
    return a


def filled(a, x):
    a.fill(x)
    return a, np.full(3, x, a.dtype), np.full_like(a, x), np.array([x, 1], a.dtype)


def added(a, x):
    return a + x


def added_before(a, x):
    return x - a


def added_in_place(a, x):
    a[1] += x
    return a


def greatest(a, x):
    return np.maximum(a, x)


def number_and_integer(a, x):
    return a[0] * x


def divided(a, x):
    return a / x, a < x, x == a, np.arctan2(a, x), np.float64(a[0]) + x


FITTING = [stored, stored_everywhere, stored_where, filled, added, added_before, added_in_place, greatest]


class TestIntegersThatDoNotFit:
    @pytest.mark.parametrize(
        ("function", "value"),
        [(as_uint8, -1), (as_uint8, 300), (as_uint64, -1), (as_int32, 2**31), (as_int32, -(2**31) - 1)],
    )
    def test_conversions(self, run_both, function, value):
        run_both.raises(OverflowError, function, value)

    @pytest.mark.parametrize(
        ("function", "value"), [(as_uint8, 255), (as_uint64, 0), (as_int32, 2**31 - 1), (as_uint8, True)]
    )
    def test_conversions_of_those_that_fit(self, run_both, function, value):
        run_both(function, value)

    def test_numbers_of_numpys_wrap(self, run_both):
        run_both(as_uint8, np.int64(300))
        run_both(stored, np.zeros(2, "u1"), np.int64(-1))

    @pytest.mark.parametrize("function", [*FITTING, number_and_integer])
    def test_beside_arrays(self, run_both, function):
        for value in (-1, 300):
            wanted, raised = run_both.raises(OverflowError, function, np.arange(3, dtype="u1"), value)
            assert str(wanted) in str(raised)

    @pytest.mark.parametrize("function", [*FITTING, number_and_integer])
    def test_beside_arrays_if_they_fit(self, run_both, function):
        run_both(function, np.arange(3, dtype="u1"), 1)
        run_both(function, np.arange(3, dtype="i8"), -(2**40))

    def test_functions_that_do_not_mind(self, run_both):
        run_both(divided, np.arange(3, dtype="u1"), 300, rtol=1e-3)


def constant_conversion(x):
    if x > 0:
        return np.uint8(300)
    return np.uint8(3)


def constant_stored(a, x):
    if x > 0:
        a[1] = -1
    return a


def constant_added(a, x):
    if x > 0:
        return a + 300
    return a


def caught(a, x):
    try:
        a[0] = x
    except OverflowError:
        return -1
    return 1


class TestConstantsThatDoNotFit:
    def test_they_raise_only_where_they_are(self, run_both):
        run_both(constant_conversion, 0)
        run_both.raises(OverflowError, constant_conversion, 1)
        for function in (constant_stored, constant_added):
            run_both(function, np.zeros(2, "u1"), 0)
            wanted, raised = run_both.raises(OverflowError, function, np.zeros(2, "u1"), 1)
            assert str(wanted) in str(raised)

    def test_it_is_caught(self, run_both):
        run_both(caught, np.zeros(2, "u1"), 300)
        run_both(caught, np.zeros(2, "u1"), 30)


def in_turns(a):
    for i in cl.prange(a.size):
        if a[i] > 1:
            a[i] = 300
    return a


def test_constants_in_turns(run_both):
    run_both(in_turns, np.zeros(4, "u1"))
    run_both.raises(OverflowError, in_turns, np.arange(4, dtype="u1"))


def chosen(a, x):
    return np.where(a > 1, x, a)


def test_choices_wrap(run_both):
    run_both(chosen, np.arange(3, dtype="u1"), 300)


def left(a, b):
    return a << b


def right(a, b):
    return a >> b


def left_by_constant(a):
    return a << -3


class TestShifts:
    def test_by_negative_counts(self, run_both):
        for function in (left, right):
            run_both.raises(ValueError, function, 1, -3)
            run_both(function, -5, 3)
        run_both.raises(ValueError, left_by_constant, 1)

    def test_of_numpys_integers(self, run_both):
        run_both(left, np.int64(1), np.int64(3))
        run_both(right, np.arange(4), 1)


def whole(x):
    return int(x)


def of_its_type(b):
    return type(b)(np.inf)


def rounded(x):
    return round(x)


def below(x):
    return math.floor(x)


def above(x):
    return math.ceil(x)


def without_whole(x):
    try:
        return int(x)
    except (OverflowError, ValueError):
        return -1


class TestFloatsThatAreNoIntegers:
    @pytest.mark.parametrize("function", [whole, rounded, below, above])
    @pytest.mark.parametrize("convert", [float, np.float64, np.float32])
    def test_infinities_and_nan(self, run_both, function, convert):
        for value, kind in ((np.inf, OverflowError), (-np.inf, OverflowError), (np.nan, ValueError)):
            wanted, raised = run_both.raises(kind, function, convert(value))
            assert str(wanted) in str(raised)
        run_both(function, convert(2.75))

    def test_constants(self, run_both):
        run_both.raises(OverflowError, of_its_type, 3)

    def test_it_is_caught(self, run_both):
        for value in (1.5, np.inf, np.nan):
            run_both(without_whole, value)


def put_by_mask(a, x):
    a[a == 0] = x
    return a


def made(x):
    return np.array([x, 1.0], dtype=np.int32)


class TestFloatsInArraysOfIntegers:
    @pytest.mark.parametrize("function", [stored, stored_everywhere, put_by_mask])
    @pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.uint64])
    @pytest.mark.parametrize("convert", [float, np.float64, np.float32])
    @pytest.mark.filterwarnings("ignore:invalid value")
    def test_they_must_fit_where_numpy_looks(self, run_both, function, dtype, convert):
        for number in (np.nan, -np.inf, 1e30, 3e9, -1.0, 127.9, 128.0, -128.5, -129.0, 2.5, -(2.0**63)):
            value, place = convert(number), np.zeros(2, dtype)
            try:
                function(place.copy(), value)
            except (OverflowError, ValueError) as error:
                run_both.raises(type(error), function, place, value)
            else:
                run_both(function, place, value)

    def test_in_arrays_that_are_made(self, run_both):
        wanted, raised = run_both.raises(ValueError, made, np.nan)
        assert str(wanted) in str(raised)
        run_both(made, 2.5)

    def test_the_message_has_the_integer(self, run_both):
        wanted, raised = run_both.raises(OverflowError, stored, np.zeros(1, np.int32), 3e9)
        assert str(wanted) in str(raised)


def bounded(x, low, high):
    return np.clip(x, low, high)


class TestBounds:
    @pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.float32])
    def test_only_those_that_leave_nothing_raise(self, run_both, dtype):
        x = np.arange(5).astype(dtype)
        for low, high in ((-1, 300), (300, 400), (-300, -200), (0, -1), (-1, None), (None, 300)):
            try:
                bounded(x, low, high)
            except OverflowError as error:
                assert str(error) in str(run_both.raises(OverflowError, bounded, x, low, high)[1])
            else:
                run_both(bounded, x, low, high)

    def test_constants(self, run_both):
        run_both.raises(OverflowError, lambda x: np.clip(x, 300, 400), np.arange(5, dtype=np.uint8))


def power_modulo(a, e, m):
    return pow(a, e, m)


@pytest.mark.parametrize(
    "given",
    [
        (2, 100, 10**9),
        (2, 100, 2**32 + 1),
        (2, 7830457, 10**10),
        (-3, 5, 2**63 - 1),
        (3, -1, 11),
        (5, 3, -7),
        (7, 0, 1),
    ],
)
def test_a_power_with_a_modulus_is_that_of_python(run_both, given):
    run_both(power_modulo, *given)


def test_what_has_no_inverse_raises(run_both):
    run_both.raises(ValueError, power_modulo, 2, -1, 4)
    run_both.raises(ValueError, power_modulo, 2, 5, 0)


def negative_powers(k, x):
    return 10**-k, [2 ** -(i + 1) for i in range(k)], x**-k, 1 / 10**k


def test_a_power_that_is_written_negative_is_a_float(run_both):
    run_both(negative_powers, 3, 7)
    run_both.raises(ZeroDivisionError, negative_powers, 3, 0)


def whole_numbers(x, n):
    count = 0
    for i in range(n):
        if math.sqrt(i).is_integer():
            count += 1
    return count, x.is_integer(), (x / 3).is_integer(), np.float32(x).is_integer()


@pytest.mark.parametrize("x", [3.0, -2.5, math.inf, -math.inf, math.nan, 1e300, -0.0])
def test_a_float_says_whether_it_is_whole(run_both, x):
    run_both(whole_numbers, x, 30)


def whole_elements(a):
    count = 0
    for i in cl.prange(a.size):
        if float(a[i]).is_integer():
            count += 1
    return count


def test_turns_of_parallel_loops_ask_for_whole_numbers(run_both):
    run_both(whole_elements, np.array([1.0, 2.5, np.inf, np.nan, -3.0]))


LARGEST = 2**63 - 1


def compared(x):
    return (
        (x < 2**63, x <= 2**64, x > 2**70, x >= 2**70, x == 2**64, x != 2**64),
        (2**63 > x, 2**64 >= x, 2**70 < x, 2**70 <= x, 2**64 == x, 2**64 != x),
        (x > -(2**70), x <= -(2**70), -(2**70) == x, 0 <= x < 2**63),
    )


def looked_for(x):
    return x in (2**64, 2**65), [x, 1] == [2**64, 1], (2**64, x)[0] > x


def is_less(a, b):
    return a < b


def compared_in_a_call(x):
    return is_less(x, 2**64), is_less(2**64, x)


def joined(flag):
    y = (2**64, 1)
    if flag:
        y = (2, 1)
    return y[0] > 5


class TestConstantsBeyond64Bits:
    @pytest.mark.parametrize("x", (0, -5, 2**62, True, 0.5, 1e30, np.int8(3), np.uint64(7)))
    def test_all_other_integers_are_less_or_greater(self, run_both, x):
        run_both(compared, x)
        run_both(looked_for, x)
        run_both(compared_in_a_call, x)

    def test_they_may_be_chosen_by_a_flag(self, run_both):
        run_both(joined, True)
        run_both(joined, False)

    def test_what_no_variable_holds_is_refused(self):
        def index():
            items = [1, 2, 3]
            try:
                i = LARGEST + 1
            except OverflowError:
                return None
            items[i] = 5
            return items

        def counted_down(n):
            m = 2**64
            for _ in range(n):
                m = m - 1
            return m > n

        def halved(x):
            n = 2**63
            while n > x:
                n = n // 2
            return n

        for function, given in ((index, ()), (counted_down, (3,)), (halved, (5,))):
            with pytest.raises(cl.CompileError, match="CL0121"):
                cl.jit(function)(*given)


def quotient_of_two(x, y):
    return x / y


@pytest.mark.parametrize("x, y", [(1, 0), (1.0, 0), (1, 0.0), (1.0, 0.0)])
def test_the_message_of_a_division_by_zero_says_whether_one_of_them_was_a_float(run_both, x, y):
    wanted, raised = run_both.raises(ZeroDivisionError, quotient_of_two, x, y)
    assert str(wanted) == str(raised)
