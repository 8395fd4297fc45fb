"""Functions that call themselves and make arrays, or use lists, sets and dictionaries."""

import time
from collections import Counter

import numpy as np
import pytest

import colocate as cl
import colocate._jit_objects

from .samples import numbers


def fourier(x):
    n = x.size
    if n == 1:
        return x.astype(np.complex128)
    even, odd = fourier(x[::2]), fourier(x[1::2])
    twisted = np.exp(-2j * np.pi * np.arange(n // 2) / n) * odd
    return np.concatenate((even + twisted, even - twisted))


def fourier_of_lists(x):
    n = len(x)
    if n <= 1:
        return x.astype(np.complex128)
    even, odd = fourier_of_lists(x[0::2]), fourier_of_lists(x[1::2])
    twisted = [np.exp(-2j * np.pi * k / n) * odd[k] for k in range(n // 2)]
    return np.array([even[k] + twisted[k] for k in range(n // 2)] + [even[k] - twisted[k] for k in range(n // 2)])


def merged(a):
    n = a.size
    if n <= 1:
        return a.copy()
    left, right = merged(a[: n // 2]), merged(a[n // 2 :])
    out = np.empty(n, a.dtype)
    i = j = 0
    for k in range(n):
        if j >= right.size or (i < left.size and left[i] <= right[j]):
            out[k] = left[i]
            i += 1
        else:
            out[k] = right[j]
            j += 1
    return out


def quick(a):
    if a.size < 2:
        return a
    pivot, rest = a[0], a[1:]
    return np.concatenate((quick(rest[rest < pivot]), np.array([pivot]), quick(rest[rest >= pivot])))


def strassen(a, b):
    n = a.shape[0]
    if n <= 2:
        return a @ b
    h = n // 2
    m1 = strassen(a[:h, :h] + a[h:, h:], b[:h, :h] + b[h:, h:])
    m2 = strassen(a[h:, :h] + a[h:, h:], b[:h, :h])
    m3 = strassen(a[:h, :h], b[:h, h:] - b[h:, h:])
    m4 = strassen(a[h:, h:], b[h:, :h] - b[:h, :h])
    m5 = strassen(a[:h, :h] + a[:h, h:], b[h:, h:])
    m6 = strassen(a[h:, :h] - a[:h, :h], b[:h, :h] + b[:h, h:])
    m7 = strassen(a[:h, h:] - a[h:, h:], b[h:, :h] + b[h:, h:])
    c = np.empty_like(a)
    c[:h, :h] = m1 + m4 - m5 + m7
    c[:h, h:] = m3 + m5
    c[h:, :h] = m2 + m4
    c[h:, h:] = m1 - m2 + m3 + m6
    return c


def laplace(m):
    n = m.shape[0]
    if n == 1:
        return m[0, 0]
    total = 0.0
    for j in range(n):
        minor = np.concatenate((m[1:, :j], m[1:, j + 1 :]), axis=1)
        total += (-1) ** j * m[0, j] * laplace(minor)
    return total


def smoothed(u, f, level):
    for _ in range(3):
        u[1:-1] = 0.5 * (u[:-2] + u[2:] + f[1:-1])
    if level == 0:
        return u
    rest = f.copy()
    rest[1:-1] = f[1:-1] - 2 * u[1:-1] + u[:-2] + u[2:]
    coarse = smoothed(np.zeros(rest[::2].size), 4 * rest[::2], level - 1)
    u += np.interp(np.arange(u.size), np.arange(u.size)[::2], coarse)
    return u


def extremes(a):
    if a.size == 1:
        return a[0], a[0]
    low, high = extremes(a[: a.size // 2])
    other_low, other_high = extremes(a[a.size // 2 :])
    return min(low, other_low), max(high, other_high)


@pytest.mark.parametrize("dtype", ("float32", "float64", "complex128", "int32"))
def test_arrays_are_made_on_the_way(run_both, dtype):
    run_both(fourier, numbers(8, dtype))
    run_both(fourier_of_lists, numbers(8, dtype))
    if dtype != "complex128":
        run_both(merged, numbers(11, dtype))
        run_both(quick, numbers(9, dtype))
        run_both(extremes, numbers(7, dtype))
    run_both(laplace, numbers(9, dtype).reshape(3, 3))


def test_whole_matrices(run_both):
    run_both(strassen, numbers(64, "float64").reshape(8, 8), numbers(64, "float64").reshape(8, 8)[::-1].T)


def test_arguments_are_changed(run_both):
    run_both(smoothed, numbers(17, "float64"), numbers(17, "float64")[::-1], 2)


def fits(board, row, column, digit):
    if (board[row] == digit).any() or (board[:, column] == digit).any():
        return False
    top, left = row // 2 * 2, column // 2 * 2
    return not (board[top : top + 2, left : left + 2] == digit).any()


def sudoku(board):
    for row in range(4):
        for column in range(4):
            if board[row, column] == 0:
                for digit in range(1, 5):
                    if fits(board, row, column, digit):
                        board[row, column] = digit
                        if sudoku(board):
                            return True
                        board[row, column] = 0
                return False
    return True


def test_a_board_is_filled(run_both):
    board = np.zeros((4, 4), np.int64)
    board[0] = 3, 0, 4, 0
    board[2, 1] = 1
    run_both(sudoku, board)


def merged_list(a):
    if len(a) <= 1:
        return a
    left, right = merged_list(a[: len(a) // 2]), merged_list(a[len(a) // 2 :])
    out = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            out.append(left[i])
            i += 1
        else:
            out.append(right[j])
            j += 1
    return out + left[i:] + right[j:]


def quick_list(a):
    if len(a) < 2:
        return a
    pivot = a[0]
    return quick_list([x for x in a[1:] if x < pivot]) + [pivot] + quick_list([x for x in a[1:] if x >= pivot])


def permuted(items):
    if len(items) <= 1:
        return [items]
    found = []
    for i in range(len(items)):
        for rest in permuted(items[:i] + items[i + 1 :]):
            found.append([items[i]] + rest)
    return found


def exchanged(a, k, out):
    if k == len(a):
        out.append(a[:])
        return
    for i in range(k, len(a)):
        a[k], a[i] = a[i], a[k]
        exchanged(a, k + 1, out)
        a[k], a[i] = a[i], a[k]


def chosen(items, k, start, taken, out):
    if len(taken) == k:
        out.append(taken.copy())
        return
    for i in range(start, len(items)):
        taken.append(items[i])
        chosen(items, k, i + 1, taken, out)
        taken.pop()


def all_chosen(n, k):
    out = []
    chosen(list(range(n)), k, 0, [], out)
    return len(out), out[-1][0], out


def moved(n, a, b, c, moves):
    if n == 0:
        return 0
    before = moved(n - 1, a, c, b, moves)
    moves.append((a, c))
    return before + 1 + moved(n - 1, b, a, c, moves)


def halves(tree, depth):
    if depth == 0:
        return [tree]
    return halves(tree * 2, depth - 1) + halves(tree * 2 + 1, depth - 1)


@pytest.mark.parametrize("items", ([3, 1, 2, 9, 4], [0.5, -1.5, 2.0]))
def test_lists_go_in_and_out(run_both, items):
    run_both(merged_list, items)
    run_both(quick_list, items)
    run_both(permuted, items[:3])


def test_lists_are_changed(run_both):
    run_both(exchanged, [1, 2, 3], 0, [])
    run_both(exchanged, [1.5, 2.5], 0, [])
    run_both(chosen, [1, 2, 3, 4], 2, 0, [], [])
    run_both(all_chosen, 4, 3)
    run_both(moved, 3, 0, 1, 2, [])
    run_both(halves, 1, 3)


def reached(graph, node, seen, order):
    seen[node] = True
    order.append(node)
    for other in graph[node]:
        if not seen[other]:
            reached(graph, other, seen, order)


def placed(n, row, columns, rising, falling):
    if row == n:
        return 1
    count = 0
    for column in range(n):
        if column in columns or row + column in rising or row - column in falling:
            continue
        columns.add(column)
        rising.add(row + column)
        falling.add(row - column)
        count += placed(n, row + 1, columns, rising, falling)
        columns.remove(column)
        rising.remove(row + column)
        falling.remove(row - column)
    return count


def remembered(n, known):
    if n in known:
        return known[n]
    if n < 2:
        return n
    known[n] = remembered(n - 1, known) + remembered(n - 2, known)
    return known[n]


def gray(n):
    if n == 1:
        return ["0", "1"]
    shorter = gray(n - 1)
    return ["0" + s for s in shorter] + ["1" + s for s in shorter[::-1]]


def reversed_text(s):
    if s == "":
        return ""
    return reversed_text(s[1:]) + s[0]


def test_containers_are_shared(run_both):
    run_both(reached, [[1, 2], [3], [3], []], 0, [False] * 4, [])
    run_both(placed, 5, 0, set(), set(), set())
    run_both(remembered, 20, {})
    run_both(remembered, 20, {0: 0, 1: 1})
    run_both(gray, 3)
    run_both(reversed_text, "abc")


def position(a, x, low=0, high=None):
    if high is None:
        high = len(a)
    if low >= high:
        return None
    middle = (low + high) // 2
    if a[middle] == x:
        return middle
    if a[middle] < x:
        return position(a, x, middle + 1, high)
    return position(a, x, low, middle)


def test_some_find_nothing(run_both):
    run_both(position, [1, 3, 5, 7], 5)
    run_both(position, [1, 3, 5, 7], 4)
    run_both(position, numbers(6, "float64"), 99.0)


def endless(x):
    return endless(x * 2) + 1


def fails_deep_inside(x):
    if x.size == 1:
        raise ValueError("nothing left")
    return fails_deep_inside(x[1:] * 2)


def caught_on_the_way(x):
    if x.size == 1:
        raise ValueError("nothing left")
    try:
        return caught_on_the_way(x[1:] * 2)
    except ValueError:
        return x


def test_exceptions_come_through(run_both):
    run_both.raises(RecursionError, endless, numbers(3, "float64"))
    run_both.raises(ValueError, fails_deep_inside, numbers(5, "float64"))
    run_both(caught_on_the_way, numbers(5, "float64"))


def with_memory(n):
    known = {}

    def fibonacci(k):
        if k in known:
            return known[k]
        if k < 2:
            return k
        result = fibonacci(k - 1) + fibonacci(k - 2)
        known[k] = result
        return result

    return fibonacci(n), len(known)


def test_inner_functions_share_dictionaries(run_both):
    run_both(with_memory, 10)


def visited(neighbours, start):
    seen = set()
    order = []

    def visit(v):
        seen.add(v)
        order.append(v)
        for w in neighbours[v]:
            if w not in seen:
                visit(w)

    visit(start)
    return order


def test_inner_functions_share_sets_and_lists(run_both):
    run_both(visited, [[1, 2], [3], [3], []], 0)


def choices_of_bits(n):
    found = []
    path = []

    def extend(k):
        if k == n:
            found.append(tuple(path))
            return
        for bit in range(2):
            path.append(bit)
            extend(k + 1)
            path.pop()

    extend(0)
    return found


def test_backtracking(run_both):
    run_both(choices_of_bits, 3)


def sorted_inside(items):
    def quick(x):
        if len(x) <= 1:
            return x
        first = x[0]
        return quick([v for v in x[1:] if v < first]) + [first] + quick([v for v in x[1:] if v >= first])

    return quick(items)


def test_inner_functions_take_and_give_lists(run_both):
    run_both(sorted_inside, [3, 1, 2, 5, 4])


def packed_best(weights, values, room):
    known = {}

    def best(i, left):
        if i == len(weights):
            return 0.0
        if (i, left) in known:
            return known[(i, left)]
        result = best(i + 1, left)
        if weights[i] <= left:
            result = max(result, values[i] + best(i + 1, left - weights[i]))
        known[(i, left)] = result
        return result

    return best(0, room)


def test_inner_functions_read_lists_among_the_arguments(run_both):
    run_both(packed_best, [1, 2, 3], [6.0, 10.0, 12.0], 5)


def made_for(x):
    def go(k):
        return 0 if k == 0 else x + go(k - 1)

    return go(3)


def several_made():
    step = 1

    def counted(k):
        return 0 if k == 0 else step + counted(k - 1)

    first = counted(2)
    step = 2.5
    return made_for(1), made_for(2), made_for(3), first, counted(2)


def test_inner_functions_know_the_constants_around_them(run_both):
    run_both(several_made)


def words(n):
    found = []

    def extend(word, k):
        if k == 0:
            found.append(word)
            return
        extend(word + "a", k - 1)
        extend(word + "b", k - 1)

    extend("", n)
    return found


def test_inner_functions_extend_strings(run_both):
    run_both(words, 8)


def is_even(n):
    def even(k):
        return True if k == 0 else odd(k - 1)

    def odd(k):
        return False if k == 0 else even(k - 1)

    return even(n)


@pytest.mark.parametrize("n", [7, 8])
def test_inner_functions_call_each_other(run_both, n):
    run_both(is_even, n)


def counting_down(n):
    def down(k):
        yield k
        if k > 0:
            yield from down(k - 1)

    return list(down(n))


def test_inner_generators_that_call_themselves_are_refused():
    with pytest.raises(cl.CompileError, match="generator"):
        cl.jit(counting_down)(3)


def bezout(a, b):
    if b == 0:
        d, x, y = a, 1, 0
    else:
        d, p, q = bezout(b, a % b)
        x = q
        y = p - q * (a // b)
    return (d, x, y)


def test_what_a_function_gives_is_found_out_where_its_ways_meet(run_both):
    run_both(bezout, 240, 46)


def parentheses(partial, opened, closed, n, found):
    if opened == n and closed == n:
        found.append(partial)
        return
    if opened < n:
        parentheses(partial + "(", opened + 1, closed, n, found)
    if closed < opened:
        parentheses(partial + ")", opened, closed + 1, n, found)


def all_parentheses(n):
    found = []
    parentheses("", 0, 0, n, found)
    return found


def towers(n, a, b, c):
    if n == 0:
        return ""
    return towers(n - 1, a, c, b) + a + c + " " + towers(n - 1, b, a, c)


@pytest.mark.parametrize(("function", "arguments"), [(all_parentheses, (3,)), (towers, (3, "A", "B", "C"))])
def test_texts_that_each_call_changes(run_both, function, arguments):
    run_both(function, *arguments)


def ladder(word, path, end, words):
    if word == end:
        return path
    for i in range(len(word)):
        for c in "abcdefghijklmnopqrstuvwxyz":
            other = word[:i] + c + word[i + 1 :]
            if other in words:
                words.remove(other)
                found = ladder(other, [*path, other], end, words)
                if found:
                    return found
                words.add(other)
    return []


def test_a_function_is_not_compiled_for_each_list_of_texts(run_both, monkeypatch):
    made = []
    original = colocate._jit_objects.recursive

    def recursive(*how):
        made.append(original(*how))
        return made[-1]

    monkeypatch.setattr(colocate._jit_objects, "recursive", recursive)
    run_both(ladder, "hit", ["hit"], "cog", {"dog", "hot", "lot", "dot"})
    assert made
    # One for sets of texts, one for empty sets.
    assert all(len(one.signatures) <= 2 for one in made)


def checked(matrix):
    matrix = [list(row) for row in matrix]
    length = 0
    for row in matrix:
        if length == 0:
            length = len(row)
            result = True
        else:
            result = length == len(row)
    return result


def spiral(a):
    found = []
    if checked(a) and len(a) > 0:
        a = [list(row) for row in a]
        rows = len(a)
        if isinstance(a[0], list):
            columns = len(a[0])
        else:
            for x in a:
                print(x)
            return
        for i in range(columns):
            print(a[0][i])
        for i in range(1, rows):
            print(a[i][columns - 1])
        for i in range(rows - 2, 0, -1):
            print(a[i][0])
        rest = [row[1 : columns - 1] for row in a[1 : rows - 1]]
        if len(rest) > 0:
            spiral(rest)
        else:
            return
    else:
        print("none", found)


def test_a_call_whose_types_do_not_settle_is_not_left_out(capsys):
    given = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]
    spiral(given)
    expected = capsys.readouterr().out
    try:
        cl.jit(spiral)(given)
    except cl.CompileError:
        return
    assert capsys.readouterr().out == expected


def combinations(target, items):
    def count(left):
        if left < 0:
            return 0
        if left == 0:
            return 1
        return sum(count(left - item) for item in items)

    return count(target)


def cheapest(sizes):
    def cost(i, j):
        return min((cost(i, k) + sizes[i] * sizes[k] * sizes[j] + cost(k, j) for k in range(i + 1, j)), default=0)

    return cost(0, len(sizes) - 1)


def largest(sizes):
    def value(i, j):
        if j - i < 2:
            return 0.5 * sizes[i]
        return max([value(i, k) + value(k, j) for k in range(i + 1, j) if k != 7])

    return value(0, len(sizes) - 1)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [(combinations, (5, [1, 2, 5])), (cheapest, ([40, 20, 30, 10, 30],)), (largest, (np.array([4, 2, 3, 1, 3]),))],
)
def test_inner_functions_sum_and_compare_what_they_give(run_both, function, arguments):
    run_both(function, *arguments)


def smallest_of_none(n):
    def smallest(k):
        return min(smallest(i) for i in range(k)) + 1

    return smallest(n)


def test_the_smallest_of_nothing_is_an_error(run_both):
    run_both.raises(ValueError, smallest_of_none, 2)


def arrangements(items):
    found = []
    if len(items) == 0:
        return [[]]
    for _ in range(len(items)):
        first = items.pop(0)
        rest = arrangements(items.copy())
        for one in rest:
            one.append(first)
        found.extend(rest)
        items.append(first)
    return found


def half_numbers(n):
    if n == 0:
        return []
    found = half_numbers(n - 1)
    found.append(n / 2)
    return found


def squares(n):
    if n == 0:
        return {}
    found = squares(n - 1)
    found[n] = n * n
    return found


@pytest.mark.parametrize(("function", "given"), [(arrangements, [1, 2, 3]), (half_numbers, 4), (squares, 4)])
def test_containers_that_the_caller_fills(run_both, function, given):
    run_both(function, given)


def quarters(a):
    n, m = len(a), len(a) // 2
    upper, lower = range(m), range(m, n)
    return (
        [[a[i][j] for j in upper] for i in upper],
        [[a[i][j] for j in lower] for i in upper],
        [[a[i][j] for j in upper] for i in lower],
        [[a[i][j] for j in lower] for i in lower],
    )


def together(a, b, sign):
    return [[a[i][j] + sign * b[i][j] for j in range(len(a[i]))] for i in range(len(a))]


def strassen_of_lists(x, y):
    if len(x) == 1:
        return [[x[0][0] * y[0][0]]]
    a, b, c, d = quarters(x)
    e, f, g, h = quarters(y)
    t1 = strassen_of_lists(a, together(f, h, -1))
    t2 = strassen_of_lists(together(a, b, 1), h)
    t3 = strassen_of_lists(together(c, d, 1), e)
    t4 = strassen_of_lists(d, together(g, e, -1))
    t5 = strassen_of_lists(together(a, d, 1), together(e, h, 1))
    t6 = strassen_of_lists(together(b, d, -1), together(g, h, 1))
    t7 = strassen_of_lists(together(a, c, -1), together(e, f, 1))
    upper_left = together(together(together(t5, t4, 1), t2, -1), t6, 1)
    upper_right = together(t1, t2, 1)
    lower_left = together(t3, t4, 1)
    lower_right = together(together(together(t1, t5, 1), t3, -1), t7, -1)
    found = []
    for i in range(len(upper_left)):
        found.append(upper_left[i] + upper_right[i])
    for i in range(len(lower_left)):
        found.append(lower_left[i] + lower_right[i])
    return found


def test_many_calls_with_lists_of_lists(run_both):
    x = [[2, 1, 3, 0], [3, 4, 6, 0], [1, 4, 2, 0], [7, 6, 7, 0]]
    run_both(strassen_of_lists, x, x)


def marked(found, primes, k, number, limit, degrees):
    number *= primes[k]
    degrees[k] = degrees.get(k, 0) + 1
    found[number] = k + degrees[k]
    for i in range(k, len(primes)):
        if primes[i] * number > limit:
            break
        marked(found, primes, i, number, limit, degrees)


def all_marked(limit):
    primes = [i for i in range(2, limit) if all(i % j for j in range(2, i))]
    found = [0] * (limit + 1)
    degrees = {}
    for k in range(len(primes)):
        marked(found, primes, k, 1, limit, degrees)
    return sum(found), found[-5:], degrees


def filled(rows, seen, i, j):
    if i < 0 or j < 0 or i >= len(rows) or j >= len(rows[0]) or rows[i][j] != 0.0:
        return 0
    rows[i][j] = 0.5
    seen.add(i * 100 + j)
    return (
        1
        + filled(rows, seen, i + 1, j)
        + filled(rows, seen, i - 1, j)
        + filled(rows, seen, i, j=j + 1)
        + filled(rows, seen=seen, i=i, j=j - 1)
    )


def flood(n):
    rows = [[0.0 if (i * 7 + j * 3) % 5 else 1.0 for j in range(n)] for i in range(n)]
    seen = set()
    return filled(rows, seen, 0, 1), sum([sum(row) for row in rows]), len(seen)


def summed_from(items, at):
    if at == len(items):
        return 0
    items[at] += 1
    return items[at] + summed_from(items, at + 1)


def summed_of_both_lengths(n):
    short, long = list(range(5)), [i * 0.5 for i in range(n)]
    words = ["a"] * n
    return summed_from(short, 0), summed_from(long, n - 20), long[-1], joined_from(words, n - 3)


def joined_from(words, at):
    return "" if at == len(words) else words[at] + joined_from(words, at + 1)


def test_long_containers_that_are_handed_on_are_the_same_in_each_call(run_both):
    run_both(all_marked, 400)
    run_both(flood, 18)
    run_both(summed_of_both_lengths, 300)


def test_handing_on_a_long_list_does_not_copy_it():
    @cl.jit
    def last(items, at):
        return items[at] if at == len(items) - 1 else last(items, at + 1)

    items = [1] * 100_000

    def timed(calls):
        last(items, len(items) - calls)
        begun = time.perf_counter()
        last(items, len(items) - calls)
        return time.perf_counter() - begun

    # It is looked through once, where Python calls.
    assert timed(400) < 50 * timed(1)


def factors(n, found=None, factor=2):
    found = found or Counter()
    if n == factor:
        found[factor] += 1
        return found
    if n % factor > 0:
        return factors(n, found, factor + 1)
    found[factor] += 1
    return factors(n // factor, found, factor)


def factors_or_text(n):
    try:
        found = factors(n)
    except TypeError as error:
        return str(error)
    return sorted(found.items())


def test_a_counter_is_handed_on(run_both):
    run_both(factors_or_text, 360)
