"""Sets and dictionaries in jit functions."""

import numpy as np


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
