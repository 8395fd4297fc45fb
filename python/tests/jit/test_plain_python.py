"""Programs of plain Python: what people write without thinking of arrays."""

import collections
import enum
import itertools
import math

import numpy as np
import pytest

import colocate as cl


def gen_sum(n):
    return sum(i * i for i in range(n)), max(i % 3 for i in range(n)), any(i == 2 for i in range(n))


def test_gen_sum(run_both):
    run_both(gen_sum, 4)


def star(t):
    a, *b = t
    *c, d = t
    return a, b, c, d


def test_star(run_both):
    run_both(star, (1, 2, 3, 4))


def walrus(n):
    if (m := n * 2) > 5:
        return m
    return 0


def test_walrus(run_both):
    run_both(walrus, 4)


def chained(n):
    a = b = c = n
    a += 1
    return a, b, c


def test_chained(run_both):
    run_both(chained, 4)


def for_else(n):
    for i in range(2, n):
        if n % i == 0:
            r = i
            break
    else:
        r = -1
    return r


def test_for_else(run_both):
    run_both(for_else, 7)


def while_else(n):
    i = 0
    while i < n:
        i += 1
        if i == 100:
            break
    else:
        i = -i
    return i


def test_while_else(run_both):
    run_both(while_else, 7)


def match_stmt(n):
    match n:
        case 1:
            return "one"
        case 2 | 3:
            return "two or three"
        case _:
            return "other"


def test_match_stmt(run_both):
    run_both(match_stmt, 3)


def match_tuple(a, b):
    match (a, b):
        case (0, y):
            return y
        case (x, 4) if x > 2:
            return x * 10
        case _:
            return -1


def test_match_tuple(run_both):
    run_both(match_tuple, 3, 4)


def func_choice(n):
    f = math.sin if n > 2 else math.cos
    return f(1.0)


def test_func_choice(run_both):
    run_both(func_choice, 3)


def g1(x):
    return x + 1


def g2(x):
    return x * 10


def func_choice2(n):
    f = g1 if n > 5 else g2
    return f(n)


def test_func_choice2(run_both):
    run_both(func_choice2, 3)


def func_choice3(n):
    if n > 5:
        f = g1
    else:
        f = g2
    return f(n)


def test_func_choice3(run_both):
    run_both(func_choice3, 3)


def nonlocal_counter(n):
    c = 0

    def inc(k):
        nonlocal c
        c += k

    for i in range(n):
        inc(i)
    return c


def test_nonlocal_counter(run_both):
    run_both(nonlocal_counter, 5)


def countdown(n):
    while n > 0:
        yield n
        n -= 1


def generator_for(n):
    t = 0
    for x in countdown(n):
        t += x
    return t


def test_generator_for(run_both):
    run_both(generator_for, 5)


def generator_list(n):
    return list(countdown(n)), sum(countdown(n))


def test_generator_list(run_both):
    run_both(generator_list, 5)


def generator_inner(n):
    def evens(m):
        for i in range(m):
            if i % 2 == 0:
                yield i

    t = 0
    for x in evens(n):
        if x == 4:
            break
        t += x
    return t


def test_generator_inner(run_both):
    run_both(generator_inner, 5)


def iter_next(n):
    it = iter(range(n))
    a = next(it)
    b = next(it)
    return a, b, next(it, -1)


def test_iter_next(run_both):
    run_both(iter_next, 5)


def iter_array(a):
    it = iter(a)
    return next(it) + next(it)


def test_iter_array(run_both):
    run_both(iter_array, np.arange(4.0))


def iter_list(items):
    it = iter(items)
    t = 0
    for x in it:
        t += x
    return t, next(it, 99)


def test_iter_list(run_both):
    run_both(iter_list, [1, 2, 3])


def is_ops(n):
    a = None
    b = True
    return a is None, b is True, n is None, b is not False


def test_is_ops(run_both):
    run_both(is_ops, 3)


def is_array(a):
    b = a
    c = a.copy()
    return a is b, a is c, a is not c


def test_is_array(run_both):
    run_both(is_array, np.arange(3.0))


class Color(enum.Enum):
    RED = 1
    GREEN = 2


def enum_arg(c):
    return c is Color.RED, c == Color.GREEN, c.value, Color.GREEN.value + 1


def test_enum_arg(run_both):
    run_both(enum_arg, Color.RED)


def enum_ret(c):
    if c == Color.RED:
        return Color.GREEN
    return Color.RED


def test_enum_ret(run_both):
    run_both(enum_ret, Color.RED)


class Num(enum.IntEnum):
    A = 3
    B = 5


def int_enum(n):
    return Num.A + n, Num.B > n, Num.A == 3


def test_int_enum(run_both):
    run_both(int_enum, 2)


def getattr_(a):
    return getattr(a, "ndim"), getattr(a, "size", 0), getattr(a, "nothing", 7), hasattr(a, "shape"), hasattr(a, "nope")


def test_getattr_(run_both):
    run_both(getattr_, np.ones(3))


def complex_round(z):
    return np.round(z), np.angle(z), np.angle(z, deg=True), np.angle(z, True)


def test_complex_round(run_both):
    run_both(complex_round, 1 + 2.5j)


def min_max_tuples(n):
    return min((n, 2), (1, 5)), max((1, 2), (1, 3), (0, 9)), min([3, 1, 2]), max(1, 2.5)


def test_min_max_tuples(run_both):
    run_both(min_max_tuples, 3)


def index_tuple(x):
    idx = (slice(None), 1, slice(0, 2))
    return x[idx]


def test_index_tuple(run_both):
    run_both(index_tuple, np.arange(24).reshape(2, 3, 4))


def index_mixed(x, i):
    return x[0, i, 1:3], x[:, 1, i], x[i, :, i]


def test_index_mixed(run_both):
    run_both(index_mixed, np.arange(24).reshape(2, 3, 4), np.array([0, 1]))


def nd_enum(a):
    t = 0.0
    for i, x in np.ndenumerate(a):
        t += i[0] * x
    return t


def test_nd_enum(run_both):
    run_both(nd_enum, np.arange(4.0))


def zero_d(a):
    a[()] = 5.0
    a[...] += 1
    return a, a + 1


def test_zero_d(run_both):
    run_both(zero_d, np.array(3.0))


def finfo(x):
    return np.finfo(np.float64).eps, np.iinfo(np.int32).max, np.finfo(x).max


def test_finfo(run_both):
    run_both(finfo, np.float32(1.5))


def fact(n):
    if n <= 1:
        return 1
    return n * fact(n - 1)


def test_fact(run_both):
    run_both(fact, 5)


def rec_complex(x):
    def f(z, k):
        if k == 0:
            return z
        return f(z * (1 + 1j), k - 1)

    return f(x + 0j, 3)


def test_rec_complex(run_both):
    run_both(rec_complex, 2.0)


def list_comp_cond(n):
    return [i if i % 2 else -i for i in range(n) if i != 3]


def test_list_comp_cond(run_both):
    run_both(list_comp_cond, 5)


def lambda_use(n):
    f = lambda x, y=2: x * y
    return f(n), f(n, 3)


def test_lambda_use(run_both):
    run_both(lambda_use, 5)


def tuple_loop(t):
    s = 0.0
    for x in t:
        s += x
    return s, len(t), t[1], t[::-1], 2.5 in t


def test_tuple_loop(run_both):
    run_both(tuple_loop, (1, 2.5, 3))


def rows(a):
    out = []
    for row in a:
        out.append(row.sum())
    return out


def test_rows(run_both):
    run_both(rows, np.arange(6).reshape(2, 3))


def kwargs_call(a, b):
    def f(x, *, y=1, z=2):
        return x + 10 * y + 100 * z

    return f(a, y=b), f(a, z=b)


def test_kwargs_call(run_both):
    run_both(kwargs_call, 3, 4)


def default_none(n, m=None):
    if m is None:
        m = n
    return n + m


def test_default_none(run_both):
    run_both(default_none, 3)


def ternary_chain(n):
    return "a" if n < 5 else "b" if n < 20 else "c"


def test_ternary_chain(run_both):
    run_both(ternary_chain, 10)


def multi_compare(n):
    return 1 < n <= 10 != 5


def test_multi_compare(run_both):
    run_both(multi_compare, 10)


def bits(n):
    return bin(n), hex(n), n.bit_length(), divmod(n, 7), abs(-n), pow(2, 5, 7)


def test_bits(run_both):
    run_both(bits, 255)


def float_methods(x):
    return x.is_integer(), int(x), round(x), round(x, 1), math.floor(x), x // 1, x % 1


def test_float_methods(run_both):
    run_both(float_methods, 2.7)


def sort_list(items):
    items.sort()
    m = sorted(items, reverse=True)
    return items, m, items[::-1], items.index(2)


def test_sort_list(run_both):
    run_both(sort_list, [3, 1, 2])


def while_walrus(n):
    t = 0
    while (n := n - 1) >= 0:
        t += n
    return t


def test_while_walrus(run_both):
    run_both(while_walrus, 3)


def del_var(n):
    x = n
    del x
    y = n
    return y


def test_del_var(run_both):
    run_both(del_var, 3)


def zip_enum(a, b):
    t = 0
    for i, (x, y) in enumerate(zip(a, b)):
        t += i * x * y
    return t


def test_zip_enum(run_both):
    run_both(zip_enum, np.arange(3), np.arange(3))


def map_filter(items):
    return list(map(lambda x: x * 2, items)), list(filter(lambda x: x > 2, items)), sum(map(int, items))


def test_map_filter(run_both):
    run_both(map_filter, [1.5, 2.5])


def global_use(n):
    return n * GLOBAL["k"]


def test_global_use(run_both):
    run_both(global_use, 3)


GLOBAL = {"k": 4}


def itertools_use(n):
    t = 0
    for a, b in itertools.combinations(range(n), 2):
        t += a * b
    for p in itertools.product(range(2), range(3)):
        t += p[0] - p[1]
    return t


def test_itertools_use(run_both):
    run_both(itertools_use, 4)


def perm(n):
    return list(itertools.permutations([1, 2, 3]))


def test_perm(run_both):
    run_both(perm, 4)


def assert_ok(n):
    assert n == 3
    assert n > 1, f"bad {n}"
    return n


def test_assert_ok(run_both):
    run_both(assert_ok, 3)


def str_mult(s, n):
    return s * n, n * "-", s + "d" * n


def test_str_mult(run_both):
    run_both(str_mult, "abc", 2)


def parse_ints(s):
    t = 0
    for w in s.split():
        t += int(w)
    return t


def test_parse_ints(run_both):
    run_both(parse_ints, "3 4 5")


def fib_tuple(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def test_fib_tuple(run_both):
    run_both(fib_tuple, 5)


def nested_dict(n):
    d = {}
    for i in range(n):
        d[(i, i + 1)] = i * 1.5
    return d[(1, 2)], (5, 6) in d, len(d)


def test_nested_dict(run_both):
    run_both(nested_dict, 3)


def swap(a):
    a[0], a[2] = a[2], a[0]
    return a


def test_swap(run_both):
    run_both(swap, np.array([1.0, 2.0, 3.0]))


Point = collections.namedtuple("Point", "x y")


def named(p):
    q = Point(p.x + 1, y=p.y)
    return q, q.x, p[1], q._replace(x=9)


def test_named(run_both):
    run_both(named, Point(1, 2.5))


def decided_early(values, texts):
    some = any(10 // (i - 1) > 0 for i in (2, 1))
    every = all(value >= 0 for value in values), all(value < 3 for value in values if value != 4)
    letters = any(text == "b" for text in texts), all(len(text) > 0 for text in texts)
    return some, every, letters, any(value for value in values[:0]), all(value for value in values[:0])


def test_any_and_all_stop_where_they_are_decided(run_both):
    run_both(decided_early, np.arange(5), ["a", "b"])


def some_larger(x):
    count = 0
    for i in cl.prange(len(x)):
        if any(x[i] > x[j] + 2 for j in range(len(x))):
            count += 1
    return count


def test_any_in_a_parallel_loop(run_both):
    run_both(some_larger, np.arange(9.0))


class Shape:
    def __init__(self, x, y):
        self.x = x
        self.y = y


class Square(Shape):
    pass


def of_which_class(p, n):
    if isinstance(p, Square):
        return n
    if not isinstance(p, (Shape, int)):
        return -n
    match p:
        case Shape(x=0.0):
            return 2 * n
        case Shape(x=a, y=b):
            return a * b
        case _:
            return -1.0


@pytest.mark.parametrize("given", [Shape(0.0, 1.0), Shape(2.0, 2.5), Square(1.0, 1.0), 2.5, 3])
def test_classes_of_objects_are_known(run_both, given):
    run_both(of_which_class, given, 3.5)


def of_builtin_classes(x):
    match x:
        case bool():
            return "bool"
        case int(n) if n > 10:
            return "large"
        case int() | float():
            return "number"
        case str(text):
            return text + "!"
        case (int(a), int(b)):
            return f"{a + b}"
        case _:
            return "other"


@pytest.mark.parametrize("given", [True, 3, 30, 2.5, "text", (1, 2), (1, 2.5)])
def test_match_on_classes(run_both, given):
    run_both(of_builtin_classes, given)


def whole(x):
    return int(x), math.floor(x), round(x)


def test_floats_that_become_integers_beyond_64_bits(run_both):
    for x in (-(2.0**63), 9223372036854774784.0, 2.5):
        run_both(whole, x)
    for x in (2.0**63, -1e30):
        with pytest.raises(OverflowError, match="64 bits"):
            run_both.jit(whole)(x)
