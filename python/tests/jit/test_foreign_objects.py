"""Objects of which only Python knows what they do: bytes, dates, fractions, arrays of texts."""

import base64
import datetime
import statistics
import struct
import zlib
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from numpy.polynomial import Chebyshev, Polynomial

import colocate as cl

DAY = datetime.date(2020, 1, 1)
LETTERS = b"abc"


def checksum(data):
    c = 0xFFFFFFFF
    for b in data:
        c ^= b
        for _ in range(8):
            c = (c >> 1) ^ 0xEDB88320 if c & 1 else c >> 1
    return c ^ 0xFFFFFFFF


def weighted(data):
    n = 0
    for i in range(len(data)):
        n += data[i] * (i + 1)
    return n, data[-1], data[1:3], data[::-1]


def counted(data):
    found = {}
    for b in data:
        found[b] = found.get(b, 0) + 1
    return found


def pairs(data):
    seen = {}
    for i in range(len(data) - 1):
        seen[data[i : i + 2]] = i
    return seen


@pytest.mark.parametrize("function", [checksum, weighted, counted])
@pytest.mark.parametrize(
    "data", [b"hello, world", bytearray(b"hello"), memoryview(b"hello")], ids=lambda x: type(x).__name__
)
def test_items_of_bytes(run_both, function, data):
    if function is not weighted or not isinstance(data, memoryview):
        run_both(function, data)


def test_bytes_as_keys(run_both):
    run_both(pairs, b"abab")


def written_down(x):
    m = b"\x00abc\xff"
    return (
        m + x,
        m[1],
        len(m),
        m == b"\x00abc\xff",
        b"b" in m,
        97 in x,
        sum(m),
        max(x),
        list(x),
        sorted(x),
        bool(x),
        not m,
    )


def built(x):
    out = bytearray()
    for b in x:
        out.append(b ^ 1)
    out += b"end"
    out.extend([1, 2])
    return bytes(out), out


def sieve(n):
    s = bytearray(b"\x01") * n
    s[0] = s[1] = 0
    for i in range(2, int(n**0.5) + 1):
        if s[i]:
            for j in range(i * i, n, i):
                s[j] = 0
    return [i for i in range(n) if s[i]]


def changed(x):
    x[0] = 7
    x.append(1)
    x += b"z"
    del x[1]


def numbers_as_bytes(n):
    b = n.to_bytes(4, "big")
    return b, int.from_bytes(b, "little"), b.hex(), bytes.fromhex("0aff"), bytes(3), bytes([1, n % 7])


def encoded(s):
    return s.encode(), s.encode("utf-8").decode(), s.encode()[0]


def joined(parts):
    return b"".join(parts), b",".join([p for p in parts if len(p) > 1])


def perhaps(x, more):
    r = b""
    if more:
        r = x + b"!"
    return r


def test_bytes_that_are_made(run_both):
    run_both(written_down, b"xya")
    run_both(built, b"xyz")
    run_both(sieve, 100)
    run_both(changed, bytearray(b"abc"))
    run_both(numbers_as_bytes, 123456)
    run_both(encoded, "hello")
    run_both(joined, [b"a", b"bc"])
    run_both(perhaps, b"a", True)
    run_both(perhaps, b"a", False)


def beyond(x):
    return x[10]


def not_text(x):
    return x + "a"


def test_what_bytes_raise(run_both):
    run_both.raises(IndexError, beyond, b"abc")
    with pytest.raises(cl.CompileError, match="operator add"):
        cl.jit(not_text)(b"a")


def as_array(x):
    a = np.frombuffer(x, dtype=np.uint8)
    return a.sum(), a + 1


def bits(x):
    return struct.unpack(">i", struct.pack(">f", x))[0], zlib.crc32(struct.pack("<d", x)), base64.b64encode(b"abc")


def test_bytes_as_arrays_and_numbers(run_both):
    run_both(as_array, b"xyz")
    run_both(bits, 1.5)


def harmonic(n):
    s = Fraction(0)
    for k in range(1, n):
        s += Fraction(1, k)
    return s, s.numerator, s.denominator, float(s), -s, abs(s) > 2


def thirds(n):
    return Decimal(n) / Decimal(3) + Decimal("0.1"), max(Decimal(n), Decimal(3))


def test_fractions_and_decimals(run_both):
    run_both(harmonic, 10)
    run_both(thirds, 10)


def later(d, n):
    e = d + datetime.timedelta(days=n)
    return e, e.year, e.weekday(), (e - d).days, e > d, e.isoformat(), f"{e:%Y-%m}", str(d)


def leap_day(y):
    return datetime.date(y, 2, 28) + datetime.timedelta(days=1)


def test_dates(run_both):
    run_both(later, DAY, 40)
    run_both(later, datetime.datetime(2020, 1, 1, 3), 40)
    run_both(leap_day, 2020)


def from_outside(n):
    return LETTERS[n], DAY.year, LETTERS * 2


def test_objects_from_outside(run_both):
    run_both(from_outside, 1)


def categories(cats):
    levels, codes = np.unique(np.array(cats), return_inverse=True)
    return codes, [str(one) for one in levels], np.array(cats) == "a"


def texts(a):
    return a == "b", a[1], len(a), a.shape, a[::-1], np.char.upper(a)


def occurrences(a):
    n = 0
    for s in a:
        if s == "b":
            n += 1
    return n


def item(a, i):
    return a[i]


def test_arrays_of_texts(run_both):
    a = np.array(["a", "b", "cc"])
    run_both(categories, ["b", "a", "c", "a"])
    run_both(texts, a)
    run_both(occurrences, a)
    run_both(item, a, 1)
    run_both(item, a.astype("S"), 2)
    run_both(item, np.array("abc"), ())


def days(a, b):
    gap = (a - b) / np.timedelta64(1, "D")
    return a - b, gap, a < b, a[0] + np.timedelta64(3, "D"), a.max(), np.isnat(a)


def next_day(x):
    return x + np.timedelta64(1, "D"), x > np.datetime64("2020-01-01"), min(x, np.datetime64("2019-01-01"))


def test_numpy_dates(run_both):
    a = np.array(["2020-01-01", "2020-02-01"], "M8[D]")
    run_both(days, a, a[::-1].copy())
    run_both(next_day, np.datetime64("2020-03-01"))


def described(x):
    return statistics.mean(x), statistics.stdev(x), statistics.median(x)


def test_functions_of_statistics(run_both):
    run_both(described, [1.0, 2.0, 4.0])


def classes(x):
    return isinstance(x, bytes), isinstance(x, (bytes, bytearray)), isinstance(x, str), type(x) is bytes


@pytest.mark.parametrize("x", [b"a", bytearray(b"a"), "a"], ids=lambda x: type(x).__name__)
def test_classes_of_bytes(run_both, x):
    run_both(classes, x)


def written_over(data):
    a = np.frombuffer(data, np.uint8)
    a[0] = 65
    return a


def test_bytes_are_not_written_to(run_both):
    data = b"outside"
    run_both.raises(ValueError, written_over, data)
    run_both.raises(ValueError, written_over, memoryview(data))
    assert data == bytes([111, 117]) + b"tside"
    changed = bytearray(b"abc")
    assert cl.jit(written_over)(changed)[0] == changed[0] == 65


def test_what_depends_on_a_time_zone_is_not_told_by_examples_without_one():
    with pytest.raises(cl.CompileError, match="argument 'd' is a datetime"):
        cl.jit(lambda d: d.utcoffset())(datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC))


def parts(x):
    return [y for y in x]


def turns(x):
    n = 0
    for _ in x:
        n += 1
    return n


@pytest.mark.parametrize("function", [parts, turns])
def test_what_cannot_be_gone_over_is_refused(function):
    with pytest.raises(cl.CompileError, match=r"a fractions.Fraction has no items to go over"):
        cl.jit(function)(Fraction(1, 2))


def as_texts(a):
    return a.astype(str), a.astype("U"), a.astype("S5"), a.astype(dtype=np.str_), a.astype(str)[0]


def test_numbers_become_texts():
    for a in (np.arange(3), np.array([1.5, 2.0]), np.array([True, False])):
        for expected, actual in zip(as_texts(a), cl.jit(as_texts)(a), strict=True):
            np.testing.assert_array_equal(actual, expected)


def of_coefficients(c, x):
    p = Polynomial(c)
    q = p.deriv()
    total = 0.0
    for i in range(x.size):
        total += p(x[i])
    return p, p(x), q(2.0), (p * q + 1).coef, p.integ(), p.degree(), len(p), p.domain, total


def fitted(x, y):
    p, q = np.poly1d(np.polyfit(x, y, 2)), Chebyshev.fit(x, y, 2)
    return p(x), p.deriv()(0.5), p.order, (p - 1).coeffs, p * 2, q(x), q.convert().coef


def given_polynomials(p, q):
    return p(2), q(2), q.c, p.coef[0], q[1]


@pytest.mark.parametrize(
    ("program", "arguments"),
    (
        (of_coefficients, (np.array([1.0, 2.0, 3.0]), np.linspace(0, 1, 5))),
        (of_coefficients, (np.array([1, 2]), np.linspace(0, 1, 5))),
        (fitted, (np.linspace(0, 1, 5), np.linspace(0, 1, 5) ** 2)),
        (given_polynomials, (Polynomial([1.0, 2.0]), np.poly1d([1, 2, 3]))),
    ),
)
def test_polynomials_are_used(program, arguments):
    for expected, actual in zip(program(*arguments), cl.jit(program)(*arguments), strict=True):
        if isinstance(expected, (Polynomial, np.poly1d)):
            assert type(actual) is type(expected)
            expected, actual = expected.coef, actual.coef
        assert np.asarray(expected).dtype == np.asarray(actual).dtype
        np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-12)


def test_what_examples_do_not_tell_of_polynomials_is_refused():
    for program in (lambda p: p.roots, lambda p: p.r):
        with pytest.raises(cl.CompileError, match="whether the roots"):
            cl.jit(program)(np.poly1d([1, 2]))
    with pytest.raises(cl.CompileError, match="whether the roots"):
        cl.jit(lambda c: Polynomial(c).roots())(np.ones(3))
    with pytest.raises(cl.CompileError):
        cl.jit(lambda c: Polynomial(c))(np.ones(2, complex))


def filled_in_bytes(n):
    return b"Item-%d" % n, b"%d and %s, %5.2f" % (n, b"abc", 2.5), b"none"


def test_bytes_are_patterns(run_both):
    run_both(filled_in_bytes, 3)


def made_marks(n):
    mark, other = object(), object()
    total = 0
    for i in range(n):
        total += i
    return total, mark is mark, mark is other, mark == other, mark is None, isinstance(mark, int), str(type(mark))


def test_plain_objects_are_themselves_only():
    assert cl.jit(made_marks)(5) == made_marks(5)
