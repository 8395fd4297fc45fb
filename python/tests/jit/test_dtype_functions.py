"""Dtypes as values: functions about them, texts that name them, and conversions that their rules refuse."""

import numpy as np
import pytest

import colocate as cl


def common_dtypes(a, b, flags):
    return (
        np.zeros(1, np.result_type(a, 1.5)),
        np.zeros(1, np.result_type(b, 1.5)),
        np.zeros(1, np.result_type(b, a)),
        np.zeros(1, np.result_type(flags, 2)),
        np.zeros(1, np.result_type(np.int8, np.uint8, 3)),
        np.zeros(1, np.promote_types("i4", np.float32)),
    )


def test_result_type_and_promote_types_give_dtypes(run_both):
    run_both(common_dtypes, np.arange(3), np.ones(2, np.float32), np.array([True]))


def asked_of_dtypes(a, b, flags):
    return (
        np.issubdtype(a.dtype, np.integer),
        np.issubdtype(b.dtype, np.integer),
        np.issubdtype(np.float32, np.floating),
        np.issubdtype(flags.dtype, np.number),
        np.issubdtype(a.dtype, int),
        np.issubdtype(b.dtype, float),
        np.can_cast(np.int32, np.float32),
        np.can_cast("i2", "f4"),
        np.can_cast(a.dtype, np.int8, "same_kind"),
        np.can_cast(b.dtype, np.int8, casting="unsafe"),
        np.promote_types(np.int32, np.float32) == np.float64,
        "inexact" if np.issubdtype(b.dtype, np.inexact) else "exact",
    )


def test_what_is_asked_of_dtypes_is_answered_while_compiling(run_both):
    run_both(asked_of_dtypes, np.arange(3), np.ones(2, np.float32), np.array([True]))


def name_of_type(x):
    return type(x).__name__


@pytest.mark.parametrize("x", [3, 2.5, np.float32(1), np.int64(3), np.arange(3)])
def test_types_have_names(run_both, x):
    run_both(name_of_type, x)


def by_letters(a):
    return (
        a.astype("?"),
        a.astype("<i2"),
        a.astype("d"),
        a.astype("int"),
        a.astype("complex"),
        a.astype("single"),
        np.zeros(2, "?"),
        np.array([1, 2], "B"),
    )


def test_dtypes_are_named_by_letters(run_both):
    run_both(by_letters, np.arange(3.0))


def converted_by_rules(a):
    kept = []
    for rule in range(4):
        try:
            if rule == 0:
                a.astype(np.int32, casting="safe")
            elif rule == 1:
                a.astype(np.int32, casting="same_kind")
            elif rule == 2:
                a.astype(np.float32, casting="same_kind")
            else:
                a.astype(np.uint8, casting="unsafe")
            kept.append(rule)
        except TypeError:
            kept.append(-1)
    return kept


@pytest.mark.parametrize("dtype", ["float64", "int16", "bool"])
def test_astype_raises_where_the_rule_of_casting_forbids_it(run_both, dtype):
    run_both(converted_by_rules, np.ones(2, dtype))


def written_records(n):
    log = np.zeros(n, dtype=[("t", "f8"), ("e", np.int32)])
    for i in range(n):
        log[i] = (i, 2 * i)
    points = np.empty(2, [("p", float, (2,)), ("q", "i4")])
    points["p"] = 1.5
    points["q"] = 2
    return log["t"], log["e"], points["p"], points["q"], len(np.ones(2, np.dtype([("x", "f4")])))


def test_dtypes_of_records_are_written_down_in_the_call():
    for expected, actual in zip(written_records(3), cl.jit(written_records)(3), strict=True):
        np.testing.assert_array_equal(actual, expected)
        assert np.asarray(actual).dtype == np.asarray(expected).dtype


def rounded_flags(a, decimals):
    return np.round(a > 1, decimals)


@pytest.mark.parametrize("decimals", [0, 2])
def test_flags_are_rounded_to_no_decimals_only(decimals):
    a = np.arange(3.0)
    if decimals:
        with pytest.raises(TypeError, match="same_kind"):
            cl.jit(rounded_flags)(a, decimals)
    else:
        assert cl.jit(rounded_flags)(a, decimals).dtype == np.float16
