"""Functions: calls, arguments of all kinds, closures, nested functions, recursion, other jit functions."""

import math
from operator import itemgetter

import numpy as np
import pytest

import colocate as cl

from .comparison import PLAIN
from .samples import LAYOUTS, numbers

SCALE = 2.5
TABLE = np.array([1.0, 10.0, 100.0])
OPTIONS = (3, 0.5)


def square(x):
    return x * x


def calls(a, x):
    return square(a), square(x), square(square(x) + 1)


def test_plain_functions_that_are_called(run_both):
    run_both(calls, numbers(3, "float64"), 3)


def two_results(a):
    return a.min(), a.max()


def uses_both(a):
    low, high = two_results(a)
    return (a - low) / (high - low)


def test_functions_with_several_results(run_both):
    run_both(uses_both, numbers(5, "float64"))


def add_into(a, b):
    a += b


def changes(a, b):
    add_into(a, b)
    add_into(a[1:], 1)
    return a.sum()


def test_functions_that_change_their_arguments(run_both):
    run_both(changes, numbers(4, "float64"), numbers(4, "float64", seed=1))


def defaults(a, factor=2, *, shift=0.5, name=None):
    return a * factor + shift if name is None else a


def test_defaults(run_both):
    run_both(defaults, numbers(3, "float64"))
    run_both(defaults, numbers(3, "float64"), 3)
    run_both(defaults, numbers(3, "float64"), 3, shift=1)
    run_both(defaults, numbers(3, "float64"), shift=2.5, factor=1)
    run_both(defaults, numbers(3, "float64"), name=1)


def keyword_calls(x, y):
    return defaults(x, shift=y), defaults(x, factor=y), defaults(factor=3, a=y)


def test_keywords_in_calls(run_both):
    run_both(keyword_calls, 3, 4.5)


def star(*values):
    total = 0.0
    for v in values:
        total += v
    return total, len(values)


@pytest.mark.parametrize("values", ((), (1,), (1.5, 2, 3)), ids=str)
def test_any_number_of_arguments(run_both, values):
    run_both(star, *values)


def passes_star(t):
    return star(*t), star(1, *t, 2)


def test_tuples_spread_over_arguments(run_both):
    run_both(passes_star, (3, 4.5))


def global_names(a):
    return a * SCALE + OPTIONS[0], TABLE[1] + TABLE.sum(), len(OPTIONS)


def test_global_names(run_both):
    run_both(global_names, numbers(3, "float64"))


def test_closures(run_both):
    factor, offsets = 3, np.array([1.0, 2.0])

    def program(a):
        return a * factor + offsets

    run_both(program, numbers(2, "float64"))


def test_functions_captured_by_closures(run_both):
    def make(function, n):
        def program(x):
            for _ in range(n):
                x = function(x)
            return x

        return program

    run_both(make(square, 2), 3)
    run_both(make(math.sqrt, 3), 256.0)
    run_both(make(lambda x: x + 0.5, 4), 1.0)


def nested(a, k):
    def inner(x):
        return x * k + offset

    offset = 1.5
    return inner(a), inner(2)


def test_nested_functions(run_both):
    run_both(nested, numbers(3, "float64"), 2)


def nested_twice(x):
    def outer(y):
        def inner(z):
            return x + y * z

        return inner(y + 1)

    return outer(3)


def test_functions_nested_in_nested_functions(run_both):
    run_both(nested_twice, 2.5)


def lambdas(a):
    double = lambda x: x * 2
    pick = lambda x, y=3: x if x > y else y
    return double(a), pick(2), pick(5, 7), double(pick(9))


def test_lambdas(run_both):
    run_both(lambdas, numbers(3, "float64"))


def apply_twice(function, x):
    return function(function(x))


def passes_functions(x):
    return apply_twice(square, x), apply_twice(lambda v: v - 1, x)


def test_functions_as_arguments_of_functions(run_both):
    run_both(passes_functions, 3.0)


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


@pytest.mark.parametrize("n", (0, 1, 15))
def test_recursion(run_both, n):
    run_both(factorial, n)
    run_both(fibonacci, n)


def test_recursion_in_an_argument(run_both):
    run_both(ackermann, 2, 3)


def power_by_squaring(x, n):
    if n == 0:
        return 1.0
    half = power_by_squaring(x, n // 2)
    return half * half * (x if n % 2 else 1.0)


def test_recursion_of_floats(run_both):
    run_both(power_by_squaring, 1.01, 77)


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def test_functions_that_call_each_other(run_both):
    run_both(is_even, 10)
    run_both(is_even, 7)


def calls_recursion(a):
    out = np.zeros(len(a), np.int64)
    for i in range(len(a)):
        out[i] = fibonacci(a[i])
    return out


def test_recursive_functions_in_loops(run_both):
    run_both(calls_recursion, np.arange(10))


def quicksort(a, low, high):
    if low < high:
        pivot, i = a[high], low
        for j in range(low, high):
            if a[j] < pivot:
                a[i], a[j] = a[j], a[i]
                i += 1
        a[i], a[high] = a[high], a[i]
        quicksort(a, low, i - 1)
        quicksort(a, i + 1, high)


def flood(grid, i, j, paint):
    if i < 0 or j < 0 or i >= grid.shape[0] or j >= grid.shape[1] or grid[i, j] != 0:
        return 0
    grid[i, j] = paint
    count = 1
    for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
        count += flood(grid, i + di, j + dj, paint)
    return count


def queens(board, row):
    if row == len(board):
        return 1
    found = 0
    for column in range(len(board)):
        free = True
        for before in range(row):
            if board[before] == column or abs(board[before] - column) == row - before:
                free = False
                break
        if free:
            board[row] = column
            found += queens(board, row + 1)
    return found


def largest(a):
    if len(a) == 1:
        return a[0]
    middle = len(a) // 2
    return max(largest(a[:middle]), largest(a[middle:]))


def memoised(n, memo):
    if n < 2:
        return n
    if memo[n] < 0:
        memo[n] = memoised(n - 1, memo) + memoised(n - 2, memo)
    return memo[n]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_recursion_on_arrays(run_both, layout):
    run_both(quicksort, LAYOUTS[layout](numbers(60, "float64")), 0, 59)
    run_both(largest, LAYOUTS[layout](numbers(37, "float32")))
    run_both(memoised, 40, LAYOUTS[layout](np.full(41, -1)))


def test_recursion_on_arrays_of_two_axes(run_both):
    grid = np.zeros((9, 7), np.int32)
    grid[3, :5] = 1
    run_both(flood, grid, 5, 5, 7)
    run_both(flood, grid[::-1, 1:], 5, 5, 7)


def test_recursion_that_tries_and_goes_back(run_both):
    run_both(queens, np.zeros(6, np.int64), 0)


def added_up(a, n):
    if n == len(a):
        return 0.0
    return a[n] + added_up(a, n + 1)


def repeated(n, k):
    if n == 0:
        return 0
    return k + repeated(n - 1, k)


def maybe_found(n):
    if n < 0:
        return None
    if n == 0:
        return 5
    return maybe_found(n - 2)


@pytest.mark.parametrize("dtype", ("float32", "float64", "complex128", "int16"))
def test_recursion_that_returns_one_type_or_another(run_both, dtype):
    run_both(added_up, numbers(5, dtype), 0)
    run_both(repeated, 3, np.dtype(dtype).type(4))
    run_both(maybe_found, 4)
    run_both(maybe_found, 5)


def extended_gcd(a, b):
    if b == 0:
        return a, 1, 0
    g, x, y = extended_gcd(b, a % b)
    return g, y, x - (a // b) * y


def test_recursion_that_returns_tuples(run_both):
    run_both(extended_gcd, 240, 46)


def simpson(f, a, b):
    return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))


def adaptive(f, ends, eps, whole):
    a, b = ends
    middle = (a + b) / 2
    left, right = simpson(f, a, middle), simpson(f, middle, b)
    if abs(left + right - whole) <= 15 * eps:
        return left + right
    return adaptive(f, (a, middle), eps / 2, left) + adaptive(f, (middle, b), eps / 2, right)


def integral(a, b):
    def wave(x):
        return x * x * math.sin(x)

    return adaptive(square, (a, b), 1e-9, simpson(square, a, b)), wave(a)


def test_functions_and_tuples_are_passed_on(run_both):
    run_both(integral, 0.5, 3.0)


def outside_a_recursive_index(a, n):
    return a[n] + outside_a_recursive_index(a, n + 1)


def test_an_index_outside_in_a_recursion_raises(run_both):
    run_both.raises(IndexError, outside_a_recursive_index, numbers(3, "float64"), 0)


def endless(n):
    return endless(n + 1) + 1


def test_recursion_without_end_is_an_error(run_both):
    run_both.raises(RecursionError, endless, 0)


def test_jit_functions_call_jit_functions(run_both):
    @run_both.jit
    def jit_square(x):
        return x * x

    @run_both.jit
    def jit_norm(a):
        return np.sqrt(np.sum(jit_square(a)))

    @run_both.jit
    def program(a):
        return a / jit_norm(a), jit_square(3)

    a = numbers(4, "float64")
    with run_both.context():
        first, second = program(a)
    np.testing.assert_allclose(first, a / np.sqrt(np.sum(a**2)))
    assert second == 9


def test_jit_functions_as_decorators_with_and_without_options():
    if PLAIN:
        pytest.skip("about jit")

    @cl.jit
    def one(x):
        return x + 1

    @cl.jit()
    def two(x):
        return x + 2

    @cl.jit(parallel=True, fastmath=False)
    def three(x):
        return x + 3

    assert (one(1), two(1), three(1)) == (2, 3, 4)
    assert one.__name__ == "one"
    assert one.py_func(5) == 6


def test_new_types_of_arguments_are_compiled_anew(run_both):
    def program(a, b):
        return a + b

    for a, b in [
        (1, 2),
        (1.5, 2),
        (np.float32(1), 2),
        (numbers(3, "int32"), 2),
        (numbers(3, "float32"), numbers(3, "float64")),
    ]:
        run_both(program, a, b)


def test_a_changed_global_is_seen(run_both, monkeypatch):
    monkeypatch.setitem(globals(), "SCALE", 4.0)
    run_both(global_names, numbers(3, "float64"))


def with_docstring(a):
    """Says what it does."""
    "and more"
    return a + 1


def test_text_that_stands_alone(run_both):
    run_both(with_docstring, 1)


def annotated(a: np.ndarray, n: int = 3) -> float:
    total: float = 0.0
    for _ in range(n):
        total += a[0]
    return total


def test_annotations(run_both):
    run_both(annotated, numbers(2, "float64"))


def prints(x):
    print("x is", x)
    print("twice", x * 2, sep=": ")
    return x


def test_print(run_both, capfd):
    program = run_both.jit(prints)
    with run_both.context():
        assert program(3) == 3
    assert capfd.readouterr().out.split("\n")[:2] == ["x is 3", "twice: 6"]


def defaults_of_the_definition(n):
    factor, values = 2 * n, np.ones(n)

    def scaled(x, by=factor, of=values, seen=[]):
        seen.append(x)
        return x * by + of.sum(), len(seen)

    factor, values = 0, np.zeros(n)
    return scaled(1), scaled(2), scaled(3, by=1), (lambda x=factor + 1: x)()


def defaults_in_a_loop(n):
    total = 0
    for i in range(n):
        total += (lambda x, i=i: x * i)(n)
    return total


def defaults_of_functions_made(n):
    def made(k):
        def product(x, by=k + 1):
            return x * by

        return product

    first, second = made(n), made(10)
    return first(2), second(2)


@pytest.mark.parametrize(
    "function", (defaults_of_the_definition, defaults_in_a_loop, defaults_of_functions_made), ids=lambda f: f.__name__
)
def test_defaults_are_computed_where_functions_are_defined(run_both, function):
    run_both(function, 4)


def called_as_a_builtin(x):
    def filter(values):
        return values[1:] - values[:-1]

    steps = filter(x)
    return steps.sum(), steps.max(), steps


def test_functions_that_are_called_as_a_builtin(run_both):
    run_both(called_as_a_builtin, np.arange(6.0) ** 2)


def keep(x, kept=[]):
    kept.append(x)
    return len(kept)


def count_key(x, counts={}):
    counts[x] = counts.get(x, 0) + 1
    return counts[x], len(counts)


def fill(items, x):
    items.append(x)


def filled(x, items=[]):
    fill(items, x)
    return len(items)


def test_a_default_that_another_function_fills_is_one_object():
    @cl.jit
    def both():
        return filled(1), filled(2)

    filled.__defaults__[0].clear()
    assert both() == (1, 2)
    assert filled.__defaults__[0] == [1, 2]


def test_a_default_that_changes_is_one_object_for_all_calls():
    @cl.jit
    def kept():
        return keep(1.5), keep(2.5)

    @cl.jit
    def counted():
        return count_key(1), count_key(2), count_key(1)

    keep.__defaults__[0].clear()
    count_key.__defaults__[0].clear()
    assert kept() == (1, 2)
    assert kept() == (3, 4)
    assert keep.__defaults__[0] == [1.5, 2.5, 1.5, 2.5]
    assert counted() == ((1, 1), (1, 2), (2, 2))


def named():
    return abs, math.floor, np.sin, float, np.iinfo(np.int8), np.finfo(np.float32)


def test_functions_of_libraries_and_limits_of_dtypes_are_results():
    *functions, integers, floats = cl.jit(named)()
    assert functions == [abs, math.floor, np.sin, float]
    assert (integers.min, integers.max, floats.eps) == (-128, 127, np.finfo(np.float32).eps)


def getter(first, second, which):
    if which:
        return lambda items: items[first]
    return lambda items: (items[first], items[second])


def with_getter(first, second, items):
    get = getter(first, second, False)
    of_python = itemgetter(second, first, second)
    first = 100
    return get(items), of_python(items)


def test_a_function_made_after_a_branch_keeps_what_it_was_made_with(run_both):
    run_both(with_getter, 0, 2, (4, 5, 6))
    run_both(with_getter, 1, 0, [4, 5, 6])
    run_both(with_getter, 1, 0, np.arange(3.0))


def asked(x):
    here = [hasattr(x, name) for name in ("__hash__", "__len__", "__eq__")]
    return here, hasattr(x, "real"), hasattr(x, "nothing"), hasattr(x, "append"), hasattr([x, 2], "real")


@pytest.mark.parametrize("x", [1.5, 2, "ab", (1, 2), [1], np.ones(2)], ids=str)
def test_what_every_object_has_is_there(run_both, x):
    run_both(asked, x)


def classes(x, word):
    return x.__class__ is float, word.__class__.__name__, x.__class__ is type(x), (x + 1).__class__


def test_numbers_and_texts_have_a_class(run_both):
    run_both(classes, 1.5, "a")
    run_both(classes, np.float32(1.5), "a")


def chosen(a, b, which):
    x = a
    if which:
        x = a + 10
        return lambda v: v + x
    x = x + b
    return lambda v: v * x


def chosen_among_named(n):
    def add(v):
        return v + n

    def twice(v):
        return add(add(v))

    if n > 100:
        return add
    return twice


def found_in_a_loop(n):
    for k in range(3):
        if k == n:
            return lambda: k * 100
    return lambda: -1


def with_chosen(a, b):
    function = chosen(a, b, a > b)
    return function(3), chosen_among_named(a)(1), found_in_a_loop(a)()


@pytest.mark.parametrize("a", [0, 1, 7, 700])
def test_which_function_is_given_may_depend_on_values(run_both, a):
    run_both(with_chosen, a, 5)


def assigned_later(a, n):
    def total():
        return a.sum() + b.sum() + later + always

    b, always = a + 1, 100
    a = a + n
    if n > 2:
        later = n
        return total
    b[0] = 50
    later = 2
    return total


def with_assigned_later(a, n):
    return assigned_later(a, n)()


@pytest.mark.parametrize("n", [1, 5])
def test_functions_that_are_returned_see_what_variables_were_given_last(run_both, n):
    run_both(with_assigned_later, np.arange(3.0), n)


def of_two_lists(n):
    items = [1, 2]
    total = lambda: len(items)
    if n > 2:
        return total
    items = (1, 2, 3)
    return total


def with_one_of_two_lists(n):
    return of_two_lists(n)()


def test_arrays_and_lists_that_depend_on_how_a_function_was_left_are_refused():
    with pytest.raises(cl.CompileError, match="how the function around was left"):
        cl.jit(with_one_of_two_lists)(1)


def zero_or_function(f, x):
    if f is None or f == 0:
        return 0 * x
    if f != "one" and f != 1:
        return f(x)
    return x


def test_a_function_is_no_number_and_no_text():
    compiled = cl.jit(zero_or_function)
    for f in (None, "one", math.sin, lambda x: x + 1):
        assert compiled(f, 0.5) == zero_or_function(f, 0.5)
