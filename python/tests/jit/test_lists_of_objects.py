"""Lists of texts, dictionaries and other objects of Python's: these are Python's own lists."""

import heapq
from collections import namedtuple

import pytest


def appended(n):
    found = []
    for i in range(n):
        found.append("x" * i)
    return found


def assigned(n):
    names = ["a", "b", "c"]
    names[n % 3] = "zz"
    names.append("q")
    names.sort(reverse=True)
    return names


def changed_by_methods(n):
    names = ["a"]
    names.insert(0, "b")
    names.extend(["c", "d"])
    names.reverse()
    last = names.pop()
    del names[n % 2]
    return names, last, names.index(names[0]), len(names), "c" in names


def of_tuples(n):
    rows = []
    for i in range(n):
        rows.append((i, f"n{i}", i * 0.5))
    total = 0.0
    for number, name, half in rows:
        if name != "n1":
            total += number + half + len(name)
    return total, rows


def of_dictionaries(n):
    found = []
    for i in range(n):
        found.append({i: i * 2})
    found[0][7] = 8
    return found, found[n - 1][n - 1]


def of_sets(n):
    found = [set(), {1}]
    found[0].add(n)
    found.append({4, n})
    return found, n in found[0]


def held_by_a_dictionary(n):
    numbers = [1, 2]
    held = {}
    held[n] = numbers
    numbers.append(5)
    return held, held[n]


def groups(n):
    found = {}
    for i in range(n):
        members = []
        for j in range(i):
            members.append(j)
        found[i] = members
    return found, sum(found[n - 1])


def nested(n):
    rows = []
    for i in range(n):
        row = []
        for j in range(i):
            row.append(str(j))
        rows.append(row)
    return rows, len(rows[n - 1])


def either(n):
    if n > 2:
        names = ["a", "b"]
    else:
        names = []
    names.append("c")
    return names


def counted_words(n):
    counts = {}
    order = []
    for word in ("the quick the fox " * n).split():
        if word not in counts:
            counts[word] = 0
            order.append(word)
        counts[word] += 1
    return [counts[word] for word in order], order


def shifted_letters(n):
    letters = []
    for letter in "hello":
        letters.append(chr((ord(letter) - 97 + n) % 26 + 97))
    letters.reverse()
    return "".join(letters)


def pairs_of_text(n):
    keys, values = [], []
    for part in "a=1;b=2".split(";"):
        key, value = part.split("=")
        keys.append(key)
        values.append(int(value) + n)
    return keys, sum(values)


def comprehensions(n):
    return ["fizz" if i % 3 == 0 else str(i) for i in range(n)], [{i, 1} for i in range(n)]


def operators(n):
    names = ["a"] + ["b"] * n
    names += ["c"]
    return names, names[1:3], names[::-1], names == ["a", "b", "c"], names != ["a"]


def of_functions(n):
    def add(names, name):
        names.append(name)

    names = []
    same = names
    for i in range(n):
        add(names, "abc"[i % 3])
    same.append("end")
    return names, sorted(names), max(names), len(set(names))


def out_of_range(n):
    names = ["a"]
    names.append("b")
    return names[n + 2]


def wrongly_unpacked(n):
    one, two = "a=b=c".split("=")
    return one + two


FUNCTIONS = (
    appended,
    assigned,
    changed_by_methods,
    of_tuples,
    of_dictionaries,
    of_sets,
    held_by_a_dictionary,
    groups,
    nested,
    either,
    counted_words,
    shifted_letters,
    pairs_of_text,
    comprehensions,
    operators,
    of_functions,
)


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("n", (1, 4))
def test_lists_of_objects(run_both, function, n):
    run_both(function, n)


@pytest.mark.parametrize(("function", "error"), [(out_of_range, IndexError), (wrongly_unpacked, ValueError)])
def test_wrong_uses_raise_what_python_does(run_both, function, error):
    run_both.raises(error, function, 1)


def of_arguments(names):
    ordered = sorted(names)
    ordered.append("z")
    return ordered, [name.upper() for name in names]


def test_lists_of_texts_among_arguments(run_both):
    run_both(of_arguments, ["b", "a", "c"])


def put_in_the_middle(names):
    names[1:3] = ["x"] + ["y", "z"]
    names[:0] = [names[-1]]
    return names


def transposed(matrix):
    matrix[:] = [list(column) for column in zip(*matrix)]
    return matrix


@pytest.mark.parametrize(
    ("function", "given"), [(put_in_the_middle, ["a", "b", "c"]), (transposed, [[1, 2, 3], [4, 5, 6]])]
)
def test_parts_are_replaced(run_both, function, given):
    run_both(function, given)


def small_ones(numbers, most):
    for i, x in enumerate(numbers):
        if x > most:
            numbers.pop(i)
    if most > 3:
        small_ones(numbers, most - 1)
    return numbers


def test_lists_may_become_shorter_while_they_are_gone_over(run_both):
    run_both(small_ones, [4, 9, 2, 5, 3, 0, 8, 7, 1], 5)


Event = namedtuple("Event", "time kind who")


def simulated(n):
    queue = []
    for i in range(n):
        heapq.heappush(queue, Event(float((7 * i) % n), "arrives", i))
    seen = []
    while queue:
        event = heapq.heappop(queue)
        seen.append((event.time, event.kind, event.who))
        if event.kind == "arrives":
            heapq.heappush(queue, Event(event.time + 2.5, "leaves", event.who))
    return seen


def in_order(names):
    heap = [(len(name), name) for name in names]
    heapq.heapify(heap)
    first = heapq.heappushpop(heap, (2, "zz")), heapq.heapreplace(heap, (1, "q"))
    return first, heap, heapq.heappop(heap)


def test_heaps_hold_texts(run_both):
    run_both(simulated, 20)
    run_both(in_order, ["abc", "d", "ef", "ghij"])
