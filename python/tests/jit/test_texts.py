"""Strings in jit functions."""

import string

import numpy as np
import pytest

import colocate as cl


def str_fstring(s, n):
    return f"{s} {n:03d} {n / 7:.3f} {n!r:>5} {{x}}"


def test_str_fstring(run_both):
    run_both(str_fstring, "hello", 3)


def str_methods(s):
    return s.upper(), s.lower(), s.replace("o", "0"), s.split(), s.startswith("He"), len(s), s[1], s[-3:], "lo" in s


def test_str_methods(run_both):
    run_both(str_methods, "Hello World")


def str_number(n):
    return str(n) + "!", "%d items" % n, "{} of {}".format(n, 2.5), repr(n * 0.5)


def test_str_number(run_both):
    run_both(str_number, 3)


def str_build(n):
    s = ""
    for i in range(n):
        s += str(i)
    return s


def test_str_build(run_both):
    run_both(str_build, 3)


def str_choose(n):
    s = "big" if n > 2 else "small"
    return s + "?", len(s), s == "big"


def test_str_choose(run_both):
    run_both(str_choose, 3)


def str_loop(s):
    c = 0
    for ch in s:
        if ch == ",":
            c += 1
    return c, s.count(","), s.split(",")


def test_str_loop(run_both):
    run_both(str_loop, "a,b,c")


def str_raise(n):
    if n > 3:
        raise ValueError(f"bad value {n}")
    return n


def test_str_raise(run_both):
    wanted, raised = run_both.raises(ValueError, str_raise, 5)
    assert str(raised) == str(wanted)


def str_int(n):
    return int(str(n)[::-1]), float("1.5") * n


def test_str_int(run_both):
    run_both(str_int, 12)


def str_join(n):
    return ",".join(["a", "b", "c"]), "-".join(("x", "y"))


def test_str_join(run_both):
    run_both(str_join, 3)


def str_at(i):
    digits = "0123456789abcdef"
    return digits[i] + digits[-i], digits[i] == "f", "xyz"[i % 3]


def test_str_at(run_both):
    for i in (1, 7, 15, -15):
        run_both(str_at, i)
    run_both.raises(IndexError, str_at, 16)


def str_hexadecimal(n):
    text = ""
    while n:
        text = "0123456789abcdef"[n % 16] + text
        n //= 16
    return text


def test_str_hexadecimal(run_both):
    run_both(str_hexadecimal, 48879)


def edit_distance(a, b):
    before = list(range(len(b) + 1))
    for i, x in enumerate(a):
        row = [i + 1]
        for j, y in enumerate(b):
            row.append(min(before[j + 1] + 1, row[j] + 1, before[j] + (x != y)))
        before = row
    return before[-1]


def test_long_texts_are_data_and_no_constants(run_both):
    run_both(edit_distance, "kitten" * 12, "sitting" * 12)
    run_both(edit_distance, "kitten", "sitting")


def distance_of_known_texts(n):
    return edit_distance("GATTACA" * 10, "GCATGCU" * 10) + n


def test_loops_over_long_texts_in_the_program_are_not_written_out(run_both):
    run_both(distance_of_known_texts, 1)


def letters_side_by_side(a, b):
    same = 0
    for x, y in zip(a, b):
        if x == y:
            same += 1
    return same


def test_long_texts_are_zipped(run_both):
    run_both(letters_side_by_side, "GATTACA" * 10, "GCATGCU" * 11)
    run_both(letters_side_by_side, "GATTACA" * 10, "GCAT")


def count_of_vowels(text):
    found = 0
    for letter in text:
        if letter in "aeiou":
            found += 1
    return found


def test_a_function_is_not_compiled_for_every_text_it_is_given():
    compiled = cl.jit(count_of_vowels)
    for number in range(60):
        text = f"word {number}"
        assert compiled(text) == count_of_vowels(text)
    assert len(compiled.signatures) < 20


def chosen_by_a_long_name(x, how):
    if how == "the sum of all of the elements of the array":
        return x.sum()
    return x * 2


def test_a_long_name_that_decides_about_types_is_a_constant(run_both):
    run_both(chosen_by_a_long_name, np.arange(3.0), "the sum of all of the elements of the array")
    run_both(chosen_by_a_long_name, np.arange(3.0), "twice each of the elements of the array, please")


def way(graph, a, b):
    if a == b:
        return [a]
    if a not in graph:
        return None
    return [a, *graph[a]]


def shown_ways(a, b):
    found = way({0: [1, 2], 1: [0]}, a, b)
    number = None if a > b else a
    print(found, (number, found))
    return f"from {a}: {found} {number!r}", str(found), repr(number), "{} {}".format(found, (1, number))


@pytest.mark.parametrize(("a", "b"), [(0, 1), (7, 1), (1, 1)])
def test_what_may_be_none_is_shown_as_what_it_is(run_both, capsys, a, b):
    run_both(shown_ways, a, b)
    first, second = capsys.readouterr().out.splitlines()
    assert first == second


TABLE = str.maketrans("ab", "cd")


def translated(text):
    pairs = str.maketrans("ATCG", "TAGC")
    swapped = text.translate(pairs)[::-1]
    one, other = text.translate(str.maketrans({"a": "1", "b": None})), text.translate(str.maketrans({"A": "1"}))
    without = text.translate(str.maketrans("", "", string.punctuation))
    return (
        swapped,
        one,
        other,
        without,
        text.translate(str.maketrans("abc", "xyz", "!")),
        text.translate(TABLE),
        pairs[65],
    )


@pytest.mark.parametrize("text", ["GATTACA, ab!", "GATTACA, ab!" * 9])
def test_letters_are_translated(run_both, text):
    run_both(translated, text)


NUMERALS = [
    "1_",
    "_1",
    "1__0",
    "+-1",
    "--1",
    "1_0",
    " 12 ",
    "1_._0",
    "1e_5",
    "1_0.5",
    "0_x1",
    "0x_f",
    "inf",
    "",
    "+",
    "1_0e1_0",
]


def numbers_in(text, base):
    try:
        whole = int(text)
    except ValueError:
        whole = -99
    try:
        of_base = int(text, base)
    except ValueError:
        of_base = -99
    try:
        fraction = float(text)
    except ValueError:
        fraction = -99.0
    return whole, of_base, fraction


@pytest.mark.parametrize("text", NUMERALS)
def test_texts_are_the_numbers_that_python_reads(run_both, text):
    for base in (0, 8, 16):
        run_both(numbers_in, text, base)


def test_zeros_before_a_number_are_no_number_where_the_prefix_says_the_base(run_both):
    for text in ("010", "0", "00", "-0b11", "0B1_1", "zz"):
        run_both(numbers_in, text, 0)
        run_both(numbers_in, text, 36)


def named_object(x):
    return str(object=x), str(object="a"), str()


def test_what_becomes_a_text_may_be_named(run_both):
    run_both(named_object, 3)
    run_both(named_object, "x")


def in_ranges(words):
    return [word in range(3) for word in words], "a" in range(3), None in range(3), (1,) not in range(3)


def test_texts_are_in_no_range(run_both):
    run_both(in_ranges, {"a": 1})


def numbers_of_numpy(text):
    return np.float64(text), np.float32(text), np.complex128(text), [np.float64(part) for part in text.split(".")]


def integers_of_numpy(text):
    return np.int64(text), np.uint8(text)


def test_texts_become_numbers_of_numpys_types(run_both):
    run_both(numbers_of_numpy, "1.5")
    run_both(integers_of_numpy, "15")
    run_both.raises(ValueError, integers_of_numpy, "15x")


def test_halves_of_characters_are_refused():
    def half():
        return "\ud800"

    with pytest.raises(cl.CompileError, match="a string with a surrogate cannot be used"):
        cl.jit(half)()


def of_halves(s):
    return s.isalnum(), len(s), s + "a", s == "a"


def test_halves_of_characters_are_texts():
    for text in ("\ud800", "a\udfff"):
        assert cl.jit(of_halves)(text) == of_halves(text)
