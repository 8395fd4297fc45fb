"""Programs of several kinds that once went wrong."""

import copy
import math
import numbers as numbers_of_python
from collections import defaultdict, namedtuple
from fractions import Fraction

import numpy as np
import pytest

import colocate as cl

from .samples import numbers


def neighbours(a):
    n, m = a.shape
    total = 0.0
    for i in range(n):
        for j in range(m):
            for di, dj in ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)):
                p, q = i + di, j + dj
                if 0 <= p < n and 0 <= q < m and a[p, q] > 0:
                    total += a[p, q]
    return total


def test_many_chained_comparisons(run_both):
    run_both(neighbours, numbers((5, 6), "float64"))


def coarse(u):
    if len(u) <= 3:
        return u
    r = u[::2].copy()
    e = coarse(r)
    return u + e[0]


def test_recursion_with_an_array_under_a_name(run_both):
    run_both(coarse, np.ones(9))


def chosen_columns(d):
    columns = list(range(2))
    for turn in range(3):
        sums = d[:, columns].sum(axis=1)
        if turn == 1:
            break
        columns = [1, 0]
    total = 0.0
    for one in sums:
        total += one
    return total


def test_an_array_of_a_loop_that_is_left(run_both):
    run_both(chosen_columns, numbers((3, 3), "float64"))


def on_other_ways(n):
    if n > 2:
        if n > 3:
            m = 0
        else:
            x = np.zeros(3)
            m = x.shape[0]
    else:
        x = np.zeros(4)
        m = x.shape[0]
    return m


@pytest.mark.parametrize("n", [1, 3, 5])
def test_an_array_that_is_set_on_other_ways(run_both, n):
    run_both(on_other_ways, n)


def by_name(x):
    return (
        np.sum(a=x),
        np.cumsum(a=x, axis=0),
        np.linalg.inv(a=x + 4 * np.eye(3)),
        np.sort(a=x, axis=0),
        np.mean(a=x, axis=1, keepdims=True),
        np.clip(a=x, a_min=0, a_max=1),
        np.cross(a=x, b=x + np.arange(3.0)),
    )


def test_arrays_given_by_name(run_both):
    run_both(by_name, numbers((3, 3), "float64"), rtol=1e-12)


def twice(function):
    def doubled(x):
        return 2 * function(x)

    return doubled


def decorated(n):
    def times(k):
        def decorate(function):
            def scaled(x):
                return k * function(x)

            return scaled

        return decorate

    @times(3)
    @twice
    def inner(x):
        return x + 1

    return inner(n)


def test_decorators_of_inner_functions(run_both):
    run_both(decorated, 3)


def flat_parts(a):
    a.flat[2:6][0:2] += 5
    b = a.flat[1:4]
    b[0] = 99
    a.flat[5:] = 7
    return b, a.flat[3]


def test_parts_of_flat_are_copies(run_both):
    run_both(flat_parts, np.arange(8.0).reshape(2, 4))


def powers(a, b):
    return a**b, np.power(a, b)


def test_negative_powers_of_integers(run_both):
    run_both(powers, np.array([2, 3]), np.array([1, 2]))
    run_both(powers, np.array([2.0, 3.0]), np.array([-1, 2]))
    for base, exponent in [(np.array([2, 3]), np.array([1, -2])), (np.array([2, 3]), -1), (2, np.array([1, -2]))]:
        run_both.raises(ValueError, powers, base, exponent)


def extremes(values):
    return min(values), max(values)


@pytest.mark.parametrize("values", [[3.0, math.nan, 1.0], [math.nan, 1.0, 2.0], [2.0, 1.0, 3.0]])
def test_least_and_largest_with_nan(run_both, values):
    run_both(extremes, values)
    run_both(extremes, np.array(values))
    run_both(extremes, np.array(values, "float32"))


def gathered(x, positions):
    total = 0.0
    for _ in range(2):
        y = x[positions]
        total += y.sum()
        x[0] += 1
    return total, y


@pytest.mark.parametrize("dtype", ["int64", "int8", "uint8", "uint64"])
def test_positions_in_loops(run_both, dtype):
    run_both(gathered, numbers(5, "float64"), np.array([0, 4, 2], dtype))
    run_both(gathered, numbers((5, 2), "float32"), np.array([], dtype))
    run_both.raises(IndexError, gathered, numbers(5, "float64"), np.array([0, 5], dtype))
    if dtype.startswith("i"):
        run_both(gathered, numbers(5, "float64"), np.array([-5, -1], dtype))
        run_both.raises(IndexError, gathered, numbers(5, "float64"), np.array([0, -6], dtype))
    else:
        # NumPy takes the largest of 64 bits for -1.
        run_both(gathered, numbers(5, "float64"), np.array([0, 2**64 - 1], "uint64"))


def products(a, b):
    return a @ b, np.dot(a, b), a.dot(b)


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex64", "int64", "int8", "uint8", "bool"])
def test_products_of_vectors(run_both, dtype):
    a, b = numbers(50, dtype, 1), numbers(50, dtype, 2)
    run_both(products, a, b, rtol=1e-5)
    run_both(products, a[::-2], b[:25], rtol=1e-5)
    run_both(products, a[:0], b[:0])
    for short in (1, 3):
        run_both.raises(ValueError, products, a, b[:short])


def products_of_rows(a, b, out):
    for i in cl.prange(a.shape[0]):
        out[i] = np.dot(a[i], b[i])
    return out


@pytest.mark.parametrize("dtype", ["float64", "int8", "bool"])
def test_products_of_vectors_in_parallel_loops(run_both, dtype):
    a, b = numbers((3, 40), dtype, 1), numbers((3, 40), dtype, 2)
    run_both(products_of_rows, a, b, np.zeros(3, dtype), rtol=1e-12)


def pairs_counted(n):
    found = {}
    for x in range(n):
        found[(x % 2, 1)] = found.get((x % 2, 1), 0) + 1
    return sorted([k for k, v in found.items()])


def words_by_count(words):
    found = {}
    for word in words:
        found[word] = found.get(word, 0) + 1
    return {v: k for k, v in found.items()}


def positions_of(words):
    found = defaultdict(list)
    for position, word in enumerate(words):
        found[word].append(position)
    first = [word for word in found][0] + "!"
    return first, sorted(found.keys()), [sum(where) for _, where in found.items()]


def test_dictionaries_whose_keys_are_learned_late(run_both):
    run_both(pairs_counted, 5)
    run_both(words_by_count, ["a", "b", "a"])
    run_both(positions_of, ["b", "a", "b"])


def quadrature(f, a, b, tolerance):
    def simpson(a, b):
        return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))

    m = (a + b) / 2
    whole, halves = simpson(a, b), simpson(a, m) + simpson(m, b)
    if abs(halves - whole) < tolerance:
        return halves
    return quadrature(f, a, m, tolerance / 2) + quadrature(f, m, b, tolerance / 2)


def integrals(x):
    total = 0.0
    for k in (1, 2):
        total += quadrature(lambda t: math.sin(t) + t * t, 0.0, x * k, 1e-8)
    return total + quadrature(lambda t: math.exp(-t), 0.0, x, 1e-8)


def test_recursion_that_takes_functions(run_both):
    run_both(integrals, 2.0, rtol=1e-12)


def copies(items, a):
    x, y, z = copy.copy(items), copy.deepcopy(items), copy.deepcopy(a)
    x[0] = 9
    y[0] = 8
    z[0] = 5
    return x, y, z


def copied_pair(items):
    pair = copy.deepcopy((items, 3))
    pair[0][0] = 9
    return pair


def test_copies(run_both):
    run_both(copies, [1, 2, 3], np.arange(3.0))
    with pytest.raises(cl.CompileError):
        cl.jit(copied_pair)([1, 2])


def squares(x):
    return x * x


FUNCTIONS = {"square": squares, "sine": np.sin}


def by_their_names(name, x):
    table = {"gauss": lambda r: math.exp(-r * r), "inverse": lambda r: 1 / (1 + r)}
    if name not in FUNCTIONS:
        return table[name](x)
    return FUNCTIONS[name](x)


@pytest.mark.parametrize("name", ["square", "sine", "gauss", "inverse"])
def test_dictionaries_of_functions(run_both, name):
    run_both(by_their_names, name, 0.5)


def test_functions_that_are_replaced_in_a_dictionary(monkeypatch):
    function = cl.jit(by_their_names)
    assert function("square", 3.0) == 9
    monkeypatch.setitem(FUNCTIONS, "square", lambda_free)
    assert function("square", 3.0) == 27


def lambda_free(x):
    return x**3


def results(a):
    found = {}
    found["mean"] = a.mean()
    found["count"] = len(a)
    found["name"] = "abc"
    found["data"] = a * 2
    return found["mean"], found["count"], found["name"], found["data"], len(found)


def more_in_it(n):
    found = {"ok": True, "text": "fine"}
    if n > 2:
        found["ok"] = False
        found["why"] = n
    numbers = {"a": 1}
    numbers["b"] = 2
    total = 0
    for key in numbers:
        total += numbers[key]
    return found, total, numbers


def test_dictionaries_that_get_more_names(run_both):
    run_both(results, np.arange(3.0))
    run_both(more_in_it, 1)
    run_both(more_in_it, 5)


def scalar_powers(a, n):
    return a[0] ** n


def test_negative_powers_of_elements(run_both):
    run_both(scalar_powers, np.array([2, 3]), 2)
    run_both.raises(ValueError, scalar_powers, np.array([2, 3]), -1)


def blocks(a, b):
    return np.block([a, b]), np.block([[a, b], [b, a]])


@pytest.mark.parametrize("shape", [2, (2, 2), (2, 2, 2)])
def test_blocks(run_both, shape):
    run_both(blocks, np.ones(shape), np.zeros(shape))


def along_axes(a):
    return (
        np.apply_along_axis(lambda row: row.sum(), 1, a),
        np.apply_along_axis(lambda column: column * 2, 0, a),
        np.block([[a, a + 1], [a - 1, a]]),
        np.squeeze(a.sum(axis=0, keepdims=True)),
        np.squeeze(np.ones((1, 3, 1))),
    )


def test_functions_of_numpy_that_were_not_there(run_both):
    run_both(along_axes, numbers((2, 3), "float64"))


def kinds(x):
    return isinstance(x, int | float), isinstance(x, float | None), type(x).__name__, f"{type(x)}", str(type(x))


@pytest.mark.parametrize("x", [3, 2.5, True, "text"])
def test_classes(run_both, x):
    run_both(kinds, x)


def over_range(numbers, n):
    total = 0
    for i in numbers:
        total += i * n
    return total, len(numbers), numbers[1]


STEPS = range(3, 20, 4)


def over_global_range(n):
    return [i * n for i in STEPS], len(STEPS), 7 in STEPS


def test_ranges_from_outside(run_both):
    run_both(over_range, range(2, 20, 3), 2)
    run_both(over_global_range, 3)


RECORDS = np.array([(1, 2.5), (3, 4.5)], dtype=[("a", "i4"), ("b", "f4")])
ONE = RECORDS.view(np.recarray)[0]


def global_records(i, out):
    for j in range(len(out)):
        out[j] = RECORDS[j]["a"] * 2
    return RECORDS[i]["a"], RECORDS["b"].sum(), out, ONE.a


def test_records_from_outside(run_both):
    run_both(global_records, 1, np.zeros(2))


def checked(n):
    assert n > 0, f"wrong {n} {1 // (n - 5)}"
    return n


def test_messages_of_assertions_that_hold_are_not_computed(run_both):
    run_both(checked, 5)
    run_both.raises(AssertionError, checked, 0)


def numbers_of_other_modules(x, y):
    return math.remainder(x, y), math.lcm(4, 6, 10), complex("1+2j")


def test_more_functions_of_numbers(run_both):
    run_both(numbers_of_other_modules, 5.0, 3.0)


def test_expressions_that_use_others_several_times(run_both):
    # Shapes that grow like a tree would take hours to compile.
    lines = ["def grown(a, b):", "    u = a + b"]
    for _ in range(16):
        lines += ["    h = a + b * u * b + b * u**2 * b + b * u**3", "    u = -a / h"]
    names = {}
    text = "\n".join([*lines, "    return u"])
    exec(text, names)
    run_both(names["grown"], np.arange(1.0, 4.0), np.array([2.0, 0.5, 1.0]))
    run_both(names["grown"], np.arange(1.0, 4.0), np.array([2.0]))
    run_both.raises(ValueError, names["grown"], np.arange(3.0), np.arange(2.0))


def test_lists_in_parallel_loops(run_both):
    def of_tuples(n):
        places = [(0, c) for c in range(n)]
        found = np.zeros(4)
        for i in cl.prange(2):
            for _j, k in places:
                found[i] += k
        return found

    def of_arrays(arrays):
        rows = []
        for i in cl.prange(2):
            rows.append(arrays[i][0])
        return rows

    run_both(of_tuples, 3)
    run_both(of_arrays, (np.ones((2, 3)), np.ones((2, 4))))


def test_one_number_is_looked_up(run_both):
    def places(a, numbers):
        found = np.zeros((3, len(numbers)), np.int64)
        for i in cl.prange(len(numbers)):
            found[0, i] = np.searchsorted(a, numbers[i])
            found[1, i] = np.searchsorted(a, numbers[i], side="right")
            found[2, i] = a.searchsorted(numbers[i], "left")
        return found

    def between(numbers, xp, fp):
        return [np.interp(x, xp, fp) for x in numbers], np.interp(0.3, xp, fp)

    numbers = np.array([-1, 0, 0.25, 0.5, 0.75, 1, 2, np.nan, np.inf])
    run_both(places, np.array([0.0, 0.5, 0.5, 1.0, np.nan]), numbers)
    run_both(places, np.array([1, 3, 5]), np.array([0, 1, 3, 6]))
    run_both(places, np.array([]), numbers)
    run_both(places, np.array([0.1], np.float32), np.array([0.1, np.float32(0.1)]))
    run_both(between, np.array([np.nan, 2.0]), np.array([1.0]), np.array([5.0]))
    run_both(between, numbers[:5], np.array([0.1, 1], np.float32), np.array([5.0, 6.0]))
    run_both(between, numbers, np.array([0.0, 0.5, 1.0]), np.array([1.0, 2.0, np.inf]))
    run_both(between, numbers[:5], np.array([0, 1, 2]), np.array([1, 5, 3]))


def test_classes_of_values(run_both):
    def asked(x):
        return (
            isinstance(x, numbers_of_python.Number),
            isinstance(x, numbers_of_python.Integral),
            isinstance(x, Fraction),
        )

    for x in (1, 2.5, 1j, np.float32(2), np.arange(2), "text", [1], None, True):
        run_both(asked, x)


def test_names_of_exceptions(run_both):
    def described(x):
        try:
            return str(np.zeros(2)[x])
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    run_both(described, 1)
    run_both(described, 5)


def simpson(f, a, b):
    return (b - a) / 6 * (f(a) + 4 * f((a + b) / 2) + f(b))


def adaptive(f, a, b, depth=0):
    m = (a + b) / 2
    whole, halves = simpson(f, a, b), simpson(f, a, m) + simpson(f, m, b)
    if abs(whole - halves) < 1e-9 or depth > 20:
        return halves
    return adaptive(f, a, m, depth + 1) + adaptive(f, m, b, depth + 1)


def test_functions_with_variables_from_around_go_into_recursion(run_both):
    def integrals(ws):
        shift = np.array([1.0, 2.0])
        total = 0.0
        for w in ws:
            total += adaptive(lambda x: np.sin(w * x) * shift[0] + shift[1], 0.0, 1.0)
        return total

    run_both(integrals, np.array([1.0, 2.0, 5.0]))


Event = namedtuple("Event", "time kind number")


def test_named_tuples_with_texts_in_containers(run_both):
    def events(n):
        made = [Event(float((i * 7) % 5), "ab"[i % 2], i) for i in range(n)]
        made.sort()
        by_name = {}
        for event in made:
            by_name["e" + str(event.number)] = event
        last = made[-1]
        return [e.number for e in made], max(made, key=lambda e: (e.time, e.number)), last.kind, by_name["e1"], made

    run_both(events, 6)


def test_lists_in_tuples_in_containers(run_both):
    def merged(counts):
        return [(f, i, [s]) for i, (s, f) in enumerate(sorted(counts.items()))]

    def looked_up(k):
        tasks = {"a": (3, []), "b": (2, ["a"])}
        return tasks[k][0], tasks

    def added(n):
        out = []
        for i in range(n):
            c = [i, i + 1]
            out.append((c, "even" if i % 2 == 0 else "odd"))
        return out

    run_both(merged, {"a": 2, "b": 1})
    run_both(looked_up, "b")
    run_both(added, 3)


def test_places_of_texts_in_texts(run_both):
    def places(letters):
        return ["ACGT".index(c) for c in letters["a"]], sorted(letters, key=lambda k: "xab".rindex(k))

    run_both(places, {"b": "A", "a": "GATTACA"})
    run_both.raises(ValueError, places, {"a": "Z"})


def test_numbers_are_chosen_by_weights(run_both):
    def chosen(x):
        rng = np.random.default_rng(0)
        np.random.seed(0)
        p = x**2 / (x**2).sum()
        return rng.choice(len(x), p=p), np.random.choice(len(x), p=p)

    run_both(chosen, np.array([1.0, 2.0, 0.5]))


def test_signs_to_negative_powers(run_both):
    def alternating(n):
        return sum((-1) ** (i + j) / (1 + i * i + j * j) for i in range(-n, n + 1) for j in range(-n, n + 1))

    run_both(alternating, 2)


def test_named_tuples_tell_their_fields(run_both):
    def told(x):
        event = Event(x, "a", 2)
        return event._fields, event._asdict(), dict(h=[x, 1], k="text")

    run_both(told, 1.5)


def test_older_generators_of_random_numbers(run_both):
    def drawn(seed):
        rng = np.random.RandomState(seed)
        return rng.rand(3), rng.randint(0, 10, 4), rng.normal(0.0, 1.0, size=3), rng.uniform(), rng.choice(5)

    run_both(drawn, 3)


def test_elements_go_into_functions(run_both):
    def counted(a):
        least = np.stack((a, a + 1)).argmin(0)
        return np.bincount(least.flat, minlength=2), np.sum(a.flat), sorted(a.flat)

    run_both(counted, np.array([[1, 2], [2, 3]]))


def test_the_largest_of_starred_items_are_at_least_two(run_both):
    def largest(items):
        return max(*items), min(*items)

    run_both(largest, [3, 1, 2])
    run_both.raises(TypeError, largest, [3])


def drawn_from_ranges(n):
    rng = np.random.default_rng(3)
    return rng.choice(range(n)), rng.choice(range(2, n, 2), size=3), rng.permutation(range(n))


def test_generators_draw_from_ranges(run_both):
    run_both(drawn_from_ranges, 10)
