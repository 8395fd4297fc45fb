"""Strings in jit functions."""


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
