"""Values that are None on some paths: what is asked of them."""

import numpy as np
import pytest


def class_of_number(x):
    z = 10 if x > 4 else None
    if isinstance(z, int):
        return 1
    return 0


def class_of_float(x):
    z = None
    if x > 4:
        z = x * 1.5
    return isinstance(z, float), isinstance(z, (int, str)), isinstance(z, (bool, float)), not isinstance(z, float)


def class_of_array(x):
    z = np.zeros(3) if x > 4 else None
    if isinstance(z, np.ndarray):
        return z.sum() + 1
    return 0.0


@pytest.mark.parametrize("x", [3, 30])
def test_the_class_of_what_may_be_none(run_both, x):
    run_both(class_of_number, x)
    run_both(class_of_array, x)


@pytest.mark.parametrize("x", [3.0, 30.0])
def test_several_classes_of_what_may_be_none(run_both, x):
    run_both(class_of_float, x)


def without_a_value(z=None):
    if isinstance(z, (int, float)):
        return z + 1.0
    return 0.0


def test_the_class_of_a_parameter_that_is_left_out(run_both):
    run_both(without_a_value)
    run_both(without_a_value, 2)


def is_complex(x, c, there):
    y = x if there else None
    z = c if there else None
    return np.iscomplexobj(y), np.isrealobj(y), np.iscomplexobj(z), np.isrealobj(z)


@pytest.mark.parametrize("there", [True, False])
def test_whether_what_may_be_none_is_complex(run_both, there):
    run_both(is_complex, 1.5, 1j, there)
    run_both(is_complex, np.ones(2), np.ones(2) * 1j, there)


def word_or_none(n):
    word = "x" if n > 0 else None
    if n > 1:
        other = None
    else:
        other = "y"
    return word == "x", word is None, other != "y", word == other


@pytest.mark.parametrize("n", [0, 1, 2])
def test_texts_may_be_none(run_both, n):
    run_both(word_or_none, n)


def best_of(n):
    found = {}
    for name in ("none", "some"):
        best = (-1.0, None)
        for i in range(n if name == "some" else 0):
            if i > best[0]:
                best = (float(i), i * 0.5)
        found[name] = best
    total = 0.0
    for _, (at, value) in found.items():
        if value is not None:
            total += at + value
    return found, {"last": best}, found["none"][1] is None, total


def rows_with_gaps(n):
    rows = []
    rows.append((1, "a", None if n > 2 else 2.5))
    rows.append((2, "b", 0.5))
    return rows, sum(1 for _, _, value in rows if value is None), rows[0][2]


def looked_up(name):
    table = {"a": (1, None), "b": (2, 2.5)}
    first, second = table[name]
    return first, second, table.get(name), table.get("q", (0, None)), table[name][1] is None


@pytest.mark.parametrize("name", ["a", "b"])
def test_tuples_with_what_may_be_none_may_be_none(run_both, name):
    run_both(looked_up, name)
    run_both(found_in, [(1, None), (2, 0.5)], len(name) + 1)
    run_both(found_in, [(1, 0.5), (2, None)], 7)


def found_in(rows, wanted):
    found = None
    for row in [(number, value) for number, value in rows]:
        if row[0] == wanted:
            found = row
    if found is None:
        return "nothing", None
    return "something", found[1]


@pytest.mark.parametrize("n", [0, 3])
def test_what_may_be_none_is_put_into_containers_as_a_part_of_tuples(run_both, n):
    run_both(best_of, n)
    run_both(rows_with_gaps, n)


def settled(labels):
    before = None
    turns = 0
    while True:
        now = labels[min(turns, len(labels) - 1)]
        if before is not None and (now == before).all():
            break
        before = now
        turns += 1
    return turns, now == before


def test_an_array_is_compared_with_what_may_be_none(run_both):
    run_both(settled, np.array([[1, 2], [2, 2], [2, 2]]))
