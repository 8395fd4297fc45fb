"""Sets and dictionaries in jit functions."""

import collections

import numpy as np
import pytest

import colocate as cl


def set_unique(a):
    s = set()
    for x in a:
        s.add(x)
    return len(s)


def test_set_unique(run_both):
    run_both(set_unique, np.array([3, 1, 2, 3, 1]))


def set_ops(n):
    a = set(range(n))
    b = {2, 4, 60}
    return a & b, a | b, b - a, a ^ b, a >= {1}, 3 in a, 60 not in b


def test_set_ops(run_both):
    run_both(set_ops, 10)


def set_arg(s, x):
    s.add(x)
    s.discard(1)
    return s, len(s), max(s), sorted(s)


def test_set_arg(run_both):
    run_both(set_arg, {1, 2, 3}, 4)


def set_comp(n):
    return {i * i % 3 for i in range(n)}


def test_set_comp(run_both):
    run_both(set_comp, 5)


def set_loop(n):
    s = {i for i in range(n)}
    t = 0
    for x in s:
        t += x
    return t, sum(s), min(s)


def test_set_loop(run_both):
    run_both(set_loop, 5)


def set_tuples(n):
    s = set()
    for i in range(n):
        s.add((i % 2, i % 3))
    return s, (1, 1) in s, (5, 5) in s


def test_set_tuples(run_both):
    run_both(set_tuples, 5)


def set_list(items):
    return list(set(items)), sorted(set(items))


def test_set_list(run_both):
    run_both(set_list, [1, 2, 2, 3])


def set_aug(n):
    s = {1}
    s |= {n}
    s -= {1}
    s.update([7, 8])
    s.remove(7)
    return s


def test_set_aug(run_both):
    run_both(set_aug, 4)


def set_float_widen(n):
    s = set()
    s.add(1)
    s.add(2.5)
    t = 0.0
    for x in s:
        t += x
    return t


def test_set_float_widen(run_both):
    run_both(set_float_widen, 4)


def dict_count(a):
    d = {}
    for x in a:
        if x in d:
            d[x] += 1
        else:
            d[x] = 1
    return d


def test_dict_count(run_both):
    run_both(dict_count, np.array([1, 2, 1, 3, 1]))


def dict_get(n):
    d = {i: i * 0.5 for i in range(n)}
    return d.get(2), d.get(77), d.get(77, -1.0), len(d), d[3]


def test_dict_get(run_both):
    run_both(dict_get, 5)


def dict_items(n):
    d = {i: i * i for i in range(n)}
    t = 0
    for k, v in d.items():
        t += k * v
    for k in d:
        t += k
    for v in d.values():
        t += v
    return t, list(d.keys())


def test_dict_items(run_both):
    run_both(dict_items, 5)


def dict_arg(d):
    d["c"] = d["a"] + d["b"]
    return d, "c" in d


def test_dict_arg(run_both):
    run_both(dict_arg, {"a": 1, "b": 2})


def dict_lists(n):
    d = {}
    for i in range(n):
        d[i] = [i]
    d[0].append(5)
    return d


def test_dict_lists(run_both):
    run_both(dict_lists, 3)


def dict_setdefault(n):
    d = {}
    for i in range(6):
        d.setdefault(i % n, 0)
        d[i % n] += i
    return d


def test_dict_setdefault(run_both):
    run_both(dict_setdefault, 3)


def dict_keyerror(n):
    d = {1: 2}
    try:
        return d[n]
    except KeyError:
        return -1


def test_dict_keyerror(run_both):
    run_both(dict_keyerror, 3)


def dict_str(n):
    d = dict(a=1, b=n)
    return d["a"] + d["b"], d


def test_dict_str(run_both):
    run_both(dict_str, 3)


def dict_memo(n):
    memo = {0: 0, 1: 1}
    for i in range(2, n + 10):
        memo[i] = memo[i - 1] + memo[i - 2]
    return memo[n + 9]


def test_dict_memo(run_both):
    run_both(dict_memo, 3)


def dict_zip(a, b):
    return dict(zip(a, b))


def test_dict_zip(run_both):
    run_both(dict_zip, [1, 2, 3], [4.0, 5.0, 6.0])


def views_follow(d):
    keys, values, items = d.keys(), d.values(), d.items()
    d[7] = 1.5
    total = 0.0
    for i, k in enumerate(keys):
        total += i * k
    for k, v in zip(keys, values):
        total += k * v
    return [k for k in keys], len(values), sorted(items), 7 in keys, total


def test_views_of_a_dictionary_follow_it(run_both):
    run_both(views_follow, {3: 1.0, 1: 2.0})


def unpacked_views(d):
    a, b = d.values()
    (p, q), (r, s) = d.items()
    x, *y = d.values()
    listed = [1]
    listed.extend(d.keys())
    listed += d.keys()
    listed.extend(d)
    first, second = d
    return a, b, p, q, r, s, x, y, [*d.values()], listed, first, second, [*d], [(i, k) for i, k in enumerate(d)]


def test_views_and_dictionaries_are_unpacked(run_both):
    run_both(unpacked_views, {0: 2.5, 1: 4.0})


def by_keys(d, words):
    by_value = sorted(d.items(), key=lambda pair: -pair[1])
    best = max(d, key=d.get), max(d, key=lambda k: d[k]), sorted(d, key=d.get, reverse=True)
    pairs = [("x", 3), ("y", 1), ("z", 2)]
    pairs.sort(key=lambda pair: pair[1])
    by_length = sorted(words, key=len), max(words, key=len), min(words, key=lambda w: (w[-1], w))
    return by_value, best, pairs, by_length, max(words), min(words), sorted(words, reverse=True)


def positions_by_text(words, text):
    positions = [0, 1, 2]
    positions.sort(key=lambda i: (words[i], i))
    suffixes = sorted(range(len(text)), key=lambda i: text[i:])
    return positions, suffixes, sorted([3, 1, 20], key=lambda i: str(i)), max([0, 1, 2], key=lambda i: words[i])


def letters(text):
    counts = {}
    for letter in text:
        counts[letter] = counts.get(letter, 0) + 1
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])), max(counts, key=counts.get)


def test_sorting_by_keys(run_both):
    run_both(by_keys, {3: 1.0, 1: 2.0, 5: 0.5}, ["pear", "fig", "banana"])
    run_both(positions_by_text, ["c", "a", "b"], "banana")
    run_both(letters, "mississippi")


def kinds(x):
    return [isinstance(x, c) for c in (set, dict, frozenset, list, tuple, str)]


def test_isinstance_of_containers(run_both):
    for one in ({1, 2}, {1: 2}, frozenset((1,)), [1], (1,), "a"):
        run_both(kinds, one)


def conditions(queue, n):
    turns = 0
    while queue and n > 0:
        queue.pop()
        n -= 1
        turns += 1
    while n > 0 and not queue:
        n -= 1
    chosen = 1 if queue and len(queue) > 1 else 2
    assert queue or n == 0
    return queue, turns, chosen, [i for i in range(3) if queue and i > 0], not (queue and queue[0] > 5)


def stripped(text):
    while text and text[-1] == "a":
        text = text[:-1]
    return text


def test_conditions_of_containers_and_numbers(run_both):
    run_both(conditions, [1, 2, 3], 2)
    run_both(conditions, [7], 5)
    run_both(stripped, "baaa")


def with_defaults(keys):
    seen = collections.defaultdict(lambda: -1)
    names = collections.defaultdict(lambda: "none")
    for key in keys:
        seen[key] += key
        names[key % 2] += "x"
    return seen[3], seen[99], len(seen), names[0], names[1]


def test_defaults_of_functions(run_both):
    run_both(with_defaults, [1, 2, 3, 3])


def counted(items):
    several = collections.Counter(items) - collections.Counter(set(items))
    both = collections.Counter(items) + several
    return sorted(several), sum(both.values()), (both & several)[items[0]]


def test_counters_are_added_and_subtracted(run_both):
    run_both(counted, [1, 1, 2, 3, 3, 3])


def is_square(matrix):
    return all(len(row) == len(matrix) for row in matrix)


def longest(words):
    most = 0
    for word in words:
        most = max(most, len(word.strip()))
    return most


@pytest.mark.parametrize("function", [is_square, longest])
def test_empty_lists_hold_whatever_the_function_takes(run_both, function):
    run_both(function, [])


def added(items, x):
    items.append(x)
    return items


def test_empty_lists_are_filled(run_both):
    run_both(added, [], 1.5)


def counted_and_grouped(counts, groups, numbers):
    for key in ("z", "a"):
        counts[key] += 3
    for i in range(4):
        groups[i % 2].append(i)
        numbers[i] += i
    total = 0
    for _, count in counts.items():
        total += count
    return total, counts["nothing"], sorted(counts), len(groups), sum(numbers.values()), counts & counts


def test_counters_and_dictionaries_with_defaults_are_arguments():
    def given():
        groups = collections.defaultdict(list, {0: [7]})
        return collections.Counter("aab"), groups, collections.defaultdict(int)

    expected, actual = given(), given()
    wanted = counted_and_grouped(*expected)
    found = cl.jit(counted_and_grouped)(*actual)
    assert found == wanted
    assert actual == expected
    assert type(found[-1]) is collections.Counter


def test_a_dictionary_of_lists_of_several_types_is_refused_by_our_exception():
    with pytest.raises(cl.CompileError, match="items of one type"):
        cl.jit(lambda d: len(d))({"A": [["B", 2], ["C", 5]]})


def written_sets(n):
    s = {28, 6, 70, 62, 57, 35, 26, 139, 22, 151, 108, 8, 7, 23, 55, 59, 129, 154}
    before = list(s)
    s.add(n)
    few = {17, 9, 1, 33, 25}
    words = {"one", "two", "three", "four", "five"}
    pairs = {(1, 2), (9, 2), (33, -1), (25, 4), (17, 0)}
    return (
        before,
        list(s),
        list(few),
        list(words),
        list(pairs),
        [i for i in {17, 9, 1, 33, 25}],
        list({n, 9, 1, 33, 25}),
    )


def gone_over(n):
    found = []
    for i in {17, 9, 1, 33, 25, 41}:
        found.append(i * n)
    return found, {i for i in {17, 9, 1, 33, 25}}, 9 in {17, 9, 1, 33, 25}


def test_sets_that_are_written_down_have_pythons_order(run_both):
    run_both(written_sets, 3)
    run_both(written_sets, 41)
    run_both(gone_over, 2)


def test_sets_of_a_file_of_code_have_the_order_that_they_have_there(run_python, tmp_path):
    (tmp_path / "module_with_sets.py").write_text(
        "def numbers():\n"
        "    s = {33, 25, 17, 9, 1, 41, 49}\n"
        "    return list(s), [i for i in {33, 25, 17, 9, 1, 41, 49}]\n"
        "def words():\n    return [one for one in {'alpha', 'beta', 'gamma', 'delta', 'eps', 'zeta', 'eta'}]\n"
    )
    code = f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        import colocate as cl
        from module_with_sets import numbers, words
        print(cl.jit(numbers)() == numbers(), cl.jit(words)() == words())
    """
    for _ in range(3):
        assert run_python(code) == "True True\n"


def followers(text):
    counts = collections.defaultdict(lambda: collections.defaultdict(int))
    for at in range(len(text) - 1):
        counts[text[at]][text[at + 1]] += 1
    return {a: dict(inner) for a, inner in counts.items()}


def in_groups(n):
    pairs = collections.defaultdict(lambda: [0, 0])
    lists = collections.defaultdict(lambda: collections.defaultdict(list))
    for i in range(n):
        pairs[i % 3][i % 2] += i
        lists[i % 3][i % 2].append(i)
    return dict(pairs), lists[0][0], lists[1][1], len(lists)


def test_what_is_not_there_is_a_new_container_each_time(run_both):
    run_both(followers, "abcabcaab")
    run_both(in_groups, 7)


def like_sets(d, e):
    made = {i: i for i in range(4)}
    views = d.keys() & e.keys(), d.keys() | {7}, d.keys() - {1}, {1, 9} - d.keys(), d.items() ^ e.items()
    return views, made.keys() & {2, 8}, sorted(made.keys() - d.keys()), d.keys() == e.keys()


def test_keys_and_items_of_dictionaries_are_like_sets(run_both):
    run_both(like_sets, {1: 2, 3: 4}, {3: 4, 5: 6})


def like_sets_too(items):
    return {1} | {2: 3}.keys(), items & {1}


def test_lists_are_not_like_sets(run_both):
    run_both.raises(TypeError, like_sets_too, [[1]][0:1])
