"""Dictionaries whose strings have values of several types."""

import numpy as np
import pytest

import colocate as cl

from .samples import numbers


def read_out():
    d = {"a": 1, "b": 2j, "c": "d", "e": (1, 2.5)}
    return d["a"], d["b"], d["c"], d["e"], len(d), "a" in d, "z" in d


def simulated(settings):
    x = np.zeros(settings["steps"])
    for i in range(settings["steps"]):
        x[i] = i * settings["dt"]
    return x, settings["name"]


def changed(settings):
    settings["steps"] = 5
    settings["dt"] = settings["dt"] * 2
    return settings


def given_another():
    d = {"a": 1, "b": 2.5}
    d["c"] = 3
    return d


def by_name(name):
    d = {"a": 1.5, "b": 2}
    return d[name] + 1


def gone_over():
    d = {"a": 1, "b": 2.5}
    return sorted(d.keys()), [name for name in d], sum(d.values())


def described(a):
    return {"mean": a.mean(), "count": a.size, "twice": a * 2, "name": "a"}


def one_inside_the_other():
    d = {"a": {"b": 1, "c": "x"}, "e": 2}
    return d["a"]["b"], d["a"]["c"], d["e"]


def looked_for(settings):
    return settings.get("steps", 3), settings.get("other", "nothing")


def either(x):
    d = {"a": 1, "b": "s"}
    if x > 0:
        d["a"] = 7
    else:
        d = {"a": 2, "b": "t"}
    return d["a"], d["b"]


def missing(settings):
    return settings["nothing"]


SETTINGS = {"steps": 3, "dt": 0.5, "name": "abc"}


def test_values_have_types_of_their_own(run_both):
    run_both(read_out)
    for function in (simulated, changed, looked_for):
        run_both(function, SETTINGS)
    run_both(given_another)
    run_both(by_name, "a")
    run_both(by_name, "b")
    run_both(gone_over)
    run_both(one_inside_the_other)
    run_both(either, 1)
    run_both(either, -1)
    run_both.raises(KeyError, missing, SETTINGS)
    found = run_both.jit(read_out)()
    assert [type(one) for one in found] == [type(one) for one in read_out()]


def test_results_by_name():
    a = numbers(5, "float64")
    found, expected = cl.jit(described)(a), described(a)
    assert list(found) == list(expected)
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value) if name != "name" else None
    assert found["name"] == "a" and found["count"] == 5


def test_values_of_several_types_are_gone_over_one_by_one(run_both):
    def names_and_sums(n):
        settings = {"a": n, "b": 2.5, "x": np.ones(n)}
        total = 0.0
        for value in settings.values():
            total += np.sum(value)
        return [name for name, value in settings.items()], list(settings.keys()), total, len(settings)

    run_both(names_and_sums, 4)


def test_a_list_of_values_of_several_types_is_pythons(run_both):
    def values(settings):
        return [value for value in settings.values()]

    run_both(values, {"a": 1.0, "b": "text"})


def test_names_that_are_there_only_sometimes_raise_in_loops():
    @cl.jit
    def values(more):
        settings = {"a": 1, "b": "text"}
        if more > 0:
            settings["c"] = 2.5
        return sum([len(name) for name, value in settings.items()])

    assert values(1) == 3
    with pytest.raises(TypeError, match="has the names a, b"):
        values(0)


def test_dictionaries_are_joined(run_both):
    def joined(n):
        base = {"a": n, "b": 2.5}
        new = {**base, "a": "text", "q": np.arange(n)}
        both = base | {"u": 1}
        base.update({"k": 3})
        copy = dict(new)
        copy["b"] = 7.0
        return base, new, new["a"], both, {1: 2, 3: 4}, copy, new.copy(), {**base}

    run_both(joined, 3)


def test_values_are_taken_out_by_name(run_both):
    def taken(n):
        d = {"n": n, "x": np.ones(n), "name": "abc"}
        return d.get("zz"), d.get("n"), d.get("q", 1.5), d.pop("name"), d.pop("w", "v"), d

    run_both(taken, 3)


def test_stars_give_the_names(run_both):
    def starred():
        d = {"a": 1, "b": "x"}
        e = {1: 2, 3: 4}
        return [*d], (*d,), {*e}, sorted(d), isinstance(d, dict), "a" in d, "z" in d

    run_both(starred)


def test_a_dictionary_is_joined_in_place(run_both):
    def joined(more):
        d = {"a": 1, "b": "x"}
        other = d
        d |= {"c": 2.0}
        more |= {"z": 3}
        return other, d is other

    run_both(joined, {"y": 1, "x": "text"})


def test_a_dictionary_that_changes_in_a_loop_over_it_is_refused():
    @cl.jit
    def changed():
        d = {"a": "s", "b": 1}
        text = ""
        for _name, value in d.items():
            d["b"] = 100
            text += str(value)
        return text

    with pytest.raises(cl.CompileError, match="changed while it is gone over"):
        changed()


def test_a_dictionary_that_changes_after_its_values_were_taken_out_is_refused():
    @cl.jit
    def changed():
        d = {"a": 1, "b": "s"}
        pairs = d.items()
        d["a"] = 5
        return [str(value) for _name, value in pairs]

    with pytest.raises(cl.CompileError, match="changed after its values were taken out"):
        changed()


def joined_in_order():
    a = {"x": 1.5, "y": 2}

    def change():
        a["x"] = 9.5
        return 3

    return {**a, "y": change()}


def test_what_is_joined_is_read_in_order(run_both):
    run_both(joined_in_order)


def best_split(x):
    best = {"score": np.inf}
    for j in range(len(x)):
        score = x[j] ** 2 - x[j]
        if score < best["score"]:
            best = {"score": score, "place": j, "below": x < x[j]}
    return x[best["place"]], best["below"], best


def first_and_later(x):
    best = {}
    for j in range(len(x)):
        if not best or x[j] < best["score"]:
            best = {"score": x[j], "place": j}
    return x[: best["place"] + 1], best


def test_a_dictionary_is_replaced_by_one_with_more_names(run_both):
    run_both(best_split, np.array([3.0, 0.25, 1.0, 0.5]))
    run_both(first_and_later, np.array([3.0, 0.25, 1.0, 0.5]))


def test_a_name_that_the_dictionary_did_not_get_is_a_key_error(run_both):
    run_both.raises(KeyError, best_split, np.array([np.nan]))
