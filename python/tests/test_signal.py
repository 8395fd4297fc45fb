"""Interpolation, derivatives, convolutions, polynomials and choices, compared with NumPy."""

import numpy as np
import pytest

import colocate as cl

RNG = np.random.default_rng(2)


def same(got, wanted, rtol=1e-12, atol=1e-12):
    if isinstance(wanted, list | tuple):
        assert len(got) == len(wanted)
        for ours, theirs in zip(got, wanted, strict=True):
            same(ours, theirs, rtol, atol)
        return
    wanted = np.asarray(wanted)
    assert got.shape == wanted.shape and got.dtype == wanted.dtype, (got.shape, wanted.shape, got.dtype, wanted.dtype)
    np.testing.assert_allclose(cl.asnumpy(got), wanted, rtol=rtol, atol=atol)


def on(device):
    return lambda value: cl.asarray(value, device=device) if isinstance(value, np.ndarray) else value


@pytest.mark.parametrize("options", ({}, {"left": 1j, "right": 2}, {"period": 3.5}), ids=str)
@pytest.mark.parametrize("first", (complex(np.inf, 0), complex(1, -np.inf), complex(np.inf, np.nan), 1 + 2j))
def test_parts_of_complex_numbers_are_interpolated_by_themselves(device, first, options):
    x, xp, fp = np.array([0.5, 1, 2, 3, 3.5, np.nan]), np.array([1.0, 3.0]), np.array([first, 1.0])
    with np.errstate(invalid="ignore"):
        wanted = np.interp(x, xp, fp, **options)
    same(cl.interp(*map(on(device), (x, xp, fp)), **options), wanted)


def test_interpolation_is_numpys(device):
    to = on(device)
    x, xp, fp = np.array([[-1, 0, 0.25], [1, 2.5, np.nan]]), np.array([0.0, 1, 2, 4]), np.array([3.0, -1, 5, 5])
    same(cl.interp(to(x), to(xp), to(fp)), np.interp(x, xp, fp))
    same(cl.interp(to(x), to(xp), to(fp), left=-7, right=9), np.interp(x, xp, fp, left=-7, right=9))
    same(cl.interp(to(x), to(xp), to(fp), period=3), np.interp(x, xp, fp, period=3))
    same(cl.interp(to(x), to(xp), to(fp + 2j)), np.interp(x, xp, fp + 2j))
    same(cl.interp(to(x), to(xp[:1]), to(fp[:1])), np.interp(x, xp[:1], fp[:1]))
    many = RNG.uniform(-1, 5, 10_000)
    same(cl.interp(to(many), to(xp), to(fp)), np.interp(many, xp, fp))


@pytest.mark.parametrize("points", ([0, 1, np.nan], [0, 1, np.inf], [np.nan, 1, 2], [-np.inf, 0, 5]), ids=str)
def test_points_are_exact_beside_what_is_not_finite(device, points):
    to = on(device)
    x, xp, fp = np.array([0, 1, 0.5, 1.5, 2, 3, -1]), np.array([0.0, 1, 2]), np.array(points, dtype="float64")
    same(cl.interp(to(x), to(xp), to(fp)), np.interp(x, xp, fp))
    with pytest.raises(TypeError):
        cl.interp(to(x + 1j), to(xp), to(fp))


def test_gradients_are_numpys(device):
    to = on(device)
    f = RNG.normal(size=(5, 6))
    rows, columns = np.cumsum(RNG.uniform(0.5, 2, 5)), np.cumsum(RNG.uniform(0.5, 2, 6))
    for order in (1, 2):
        same(cl.gradient(to(f), edge_order=order), np.gradient(f, edge_order=order))
        same(cl.gradient(to(f), 2.0, edge_order=order), np.gradient(f, 2.0, edge_order=order))
        same(
            cl.gradient(to(f), to(rows), to(columns), edge_order=order), np.gradient(f, rows, columns, edge_order=order)
        )
        same(cl.gradient(to(f), 0.5, axis=1, edge_order=order), np.gradient(f, 0.5, axis=1, edge_order=order))
    same(cl.gradient(to(np.array([1, 4, 9]))), np.gradient(np.array([1, 4, 9])))
    same(cl.gradient(to(f.astype("float32")[0])), np.gradient(f.astype("float32")[0]), rtol=1e-5)
    with pytest.raises(ValueError):
        cl.gradient(to(np.ones(1)))
    number = to(np.array(3.0))
    assert cl.gradient(number) == cl.gradient(number, 1.2) == np.gradient(3.0, 1.2) == ()
    for bad in (
        lambda: cl.gradient(to(f > 0)),
        lambda: cl.gradient(number, to(rows)),
        lambda: cl.gradient(number, 1, 2),
    ):
        with pytest.raises(TypeError):
            bad()


def test_integrals_are_numpys(device):
    to = on(device)
    y, x = RNG.normal(size=(4, 5)), np.sort(RNG.normal(size=5))
    same(cl.trapezoid(to(y)), np.trapezoid(y))
    same(cl.trapezoid(to(y), to(x)), np.trapezoid(y, x))
    same(cl.trapezoid(to(y), dx=0.1, axis=0), np.trapezoid(y, dx=0.1, axis=0))
    same(cl.trapezoid(to(y), to(y + 1), axis=0), np.trapezoid(y, y + 1, axis=0))
    same(cl.trapezoid(to(np.array([1, 2, 4]))), np.trapezoid(np.array([1, 2, 4])))
    same(cl.trapezoid(to(y), to(x > x.mean())), np.trapezoid(y, x > x.mean()))


@pytest.mark.parametrize("mode", ("full", "same", "valid"))
@pytest.mark.parametrize("sizes", [(1, 1), (7, 3), (3, 7), (40, 20), (20, 40), (700, 300)], ids=str)
def test_convolutions_are_numpys(device, mode, sizes):
    to = on(device)
    for dtype in ("int64", "float32", "float64", "complex128"):
        a, v = ((RNG.integers(-9, 9, size) * (1 + 1j if dtype == "complex128" else 1)).astype(dtype) for size in sizes)
        for name in ("convolve", "correlate"):
            wanted = getattr(np, name)(a, v, mode)
            same(getattr(cl, name)(to(a), to(v), mode), wanted, rtol=1e-4, atol=1e-2 if dtype == "float32" else 1e-8)


@pytest.mark.parametrize("mode", ("full", "same", "valid"))
@pytest.mark.parametrize("sizes", [(5, 4), (1000, 600), (3000, 700)], ids=str)
@pytest.mark.parametrize("odd", [1e20, np.nan, np.inf], ids=str)
def test_convolutions_with_an_odd_element_are_numpys(device, mode, sizes, odd):
    to = on(device)
    for places in ((0, None), (None, 3), (2, 1)):
        a, v = (RNG.normal(size=size) for size in sizes)
        for vector, place in zip((a, v), places, strict=True):
            if place is not None:
                vector[place] = odd
        for name in ("convolve", "correlate"):
            same(getattr(cl, name)(to(a), to(v), mode), getattr(np, name)(a, v, mode), rtol=1e-9, atol=1e-9)


def test_bad_convolutions_say_why(device):
    x = cl.ones(3, device=device)
    for bad in (lambda: cl.convolve(x, x[:0]), lambda: cl.convolve(x, x, "most"), lambda: cl.correlate(x[None], x)):
        with pytest.raises(ValueError):
            bad()


def test_numbers_are_convolved_but_not_correlated(device):
    x, number = cl.asarray([1.0, 2.0], device=device), cl.asarray(3.0, device=device)
    same(cl.convolve(x, number), np.convolve([1.0, 2.0], 3.0))
    for bad in (lambda: cl.correlate(x, number), lambda: cl.correlate(number, number), lambda: cl.correlate(x, 3.0)):
        with pytest.raises(ValueError):
            bad()


def test_phases_are_unwrapped_as_numpy_does(device):
    to = on(device)
    p = np.cumsum(RNG.uniform(-3, 6, (3, 20)), axis=1) % (2 * np.pi)
    same(cl.unwrap(to(p)), np.unwrap(p))
    same(cl.unwrap(to(p), axis=0, discont=4), np.unwrap(p, axis=0, discont=4))
    whole = np.array([0, 5, 1, 7, 2])
    same(cl.unwrap(to(whole), period=8), np.unwrap(whole, period=8))


def test_bessels_function_is_numpys(device):
    x = np.concatenate([np.linspace(-30, 30, 201), [0, 8, 8.0001, 700]])
    same(cl.i0(cl.asarray(x, device=device)), np.i0(x), rtol=2e-15)


def test_real_parts_are_taken_if_the_others_are_nothing(device):
    to = on(device)
    for a, tol in (
        (np.array([1 + 1e-16j]), 100),
        (np.array([1 + 1e-3j]), 100),
        (np.array([1 + 1e-3j]), 0.1),
        (np.ones(2), 100),
    ):
        same(cl.real_if_close(to(a), tol), np.real_if_close(a, tol))


@pytest.mark.parametrize("bitorder", ("big", "little"))
def test_bits_are_packed_as_numpy_does(device, bitorder):
    to = on(device)
    bits, octets = RNG.integers(0, 2, (3, 13)).astype(bool), RNG.integers(0, 256, (3, 4)).astype("uint8")
    for axis in (None, 0, 1, -1):
        same(cl.packbits(to(bits), axis, bitorder), np.packbits(bits, axis, bitorder))
        for count in (None, 5, -3, 40):
            same(cl.unpackbits(to(octets), axis, count, bitorder), np.unpackbits(octets, axis, count, bitorder))


def test_polynomials_are_numpys(device):
    to = on(device)
    p, q = np.array([3, 0, -2, 1]), np.array([2, 5])
    x = np.array([[0, 1], [2, -3]])
    for name in ("polyadd", "polysub", "polymul"):
        same(getattr(cl, name)(to(p), to(q)), getattr(np, name)(p, q))
        same(getattr(cl, name)(to(q), to(p * 1.5)), getattr(np, name)(q, p * 1.5))
    same(cl.polyval(to(p), to(x)), np.polyval(p, x))
    same(cl.polyval([1.5, 2], to(x)), np.polyval([1.5, 2], x))
    same(cl.polydiv(to(p.astype(float)), to(q.astype(float))), np.polydiv(p.astype(float), q.astype(float)))
    same(cl.polyder(to(p)), np.polyder(p))
    same(cl.polyder(to(p), 2), np.polyder(p, 2))
    same(cl.polyint(to(p)), np.polyint(p))
    same(cl.polyint(to(p), 2, [3, 4]), np.polyint(p, 2, [3, 4]))
    same(cl.poly(to(np.array([1.0, 2, -3]))), np.poly([1.0, 2, -3]))
    same(cl.poly(to(np.array([1 + 1j, 1 - 1j]))), np.poly([1 + 1j, 1 - 1j]))


@pytest.mark.parametrize("dtype", ("float64", "float32", "int64"))
def test_products_of_polynomials_begin_with_no_zeros(device, dtype):
    to = on(device)
    vectors = [np.array(p, dtype=dtype) for p in ([0, 1, 1], [1, 0], [0, 0], [], [2])]
    for p in vectors:
        for q in vectors:
            same(cl.polymul(to(p), to(q)), np.polymul(p, q))
    same(cl.polymul([0.0, 1, 2], to(vectors[0])), np.polymul([0.0, 1, 2], vectors[0]))


@pytest.mark.parametrize("dtype", ("float16", "float32", "float64", "int8", "complex64", "complex128"))
def test_polynomials_of_roots_have_numpys_dtype(device, dtype):
    roots = np.array([1, 2, -3], dtype=dtype)
    same(cl.poly(cl.asarray(roots, device=device)), np.poly(roots), rtol=1e-6)


def test_a_matrix_without_elements_has_no_polynomial(device):
    with pytest.raises(ValueError):
        cl.poly(cl.ones((0, 0), device=device))


def test_fits_and_roots_are_numpys(device):
    pytest.importorskip("colocate.linalg")
    to = on(device)
    x = np.linspace(-1, 1, 30)
    y = np.polyval([1, -2, 0.5], x) + RNG.normal(size=30) * 0.1
    same(cl.polyfit(to(x), to(y), 2), np.polyfit(x, y, 2), rtol=1e-9)
    both = np.stack([y, y * 2], axis=1)
    same(cl.polyfit(to(x), to(both), 3), np.polyfit(x, both, 3), rtol=1e-9)
    w = RNG.uniform(1, 2, 30)
    same(cl.polyfit(to(x), to(y), 2, w=to(w)), np.polyfit(x, y, 2, w=w), rtol=1e-9)
    got, wanted = cl.polyfit(to(x), to(y), 1, cov=True), np.polyfit(x, y, 1, cov=True)
    same(got[1], wanted[1], rtol=1e-8)
    for cov in (True, "unscaled"):
        got, wanted = cl.polyfit(to(x), to(both), 1.0, cov=cov), np.polyfit(x, both, 1.0, cov=cov)
        same(got[1], wanted[1], rtol=1e-8)


@pytest.mark.parametrize("dtype", ("float64", "float32", "complex128", "int64"))
def test_roots_are_real_where_numpys_are(device, dtype):
    for p in ([1, -6, 11, -6], [0, 2, 0, 0], [1, 0, 1], [1, -3, 2, 0], [1, 2], [3], [0, 0]):
        p = np.array(p, dtype=dtype)
        got, wanted = cl.asnumpy(cl.roots(cl.asarray(p, device=device))), np.roots(p)
        assert got.dtype == wanted.dtype
        got, wanted = (np.sort_complex(np.round(values, 4)) for values in (got, wanted))
        np.testing.assert_allclose(got, wanted, atol=2e-4)


def test_choices_are_numpys(device):
    to = on(device)
    x = np.arange(6).reshape(2, 3)
    got = cl.select([to(x < 2), to(x > 3)], [to(x * 1.5), to(x * 10)], -1)
    same(got, np.select([x < 2, x > 3], [x * 1.5, x * 10], -1))
    choices = [x, x * 10, np.array([7, 8, 9])]
    for mode in ("wrap", "clip"):
        same(cl.choose(to(x), [to(c) for c in choices], mode=mode), np.choose(x, choices, mode=mode))
    same(cl.choose(to(x % 3), [to(c) for c in choices]), np.choose(x % 3, choices))
    with pytest.raises(ValueError):
        cl.choose(to(x), [to(c) for c in choices])
    y = np.linspace(-2, 2, 7)
    functions = [lambda v: -v, lambda v: v * 10, 5]
    same(cl.piecewise(to(y), [to(y < -1), to(y > 1)], functions), np.piecewise(y, [y < -1, y > 1], functions))
    z = cl.zeros(3, device=device)
    cl.copyto(z, cl.asarray([1, 2, 3], device=device), where=cl.asarray([True, False, True], device=device))
    assert z.tolist() == [1, 0, 3]
    with pytest.raises(TypeError):
        cl.copyto(cl.zeros(3, dtype="int8", device=device), z)


CONDITIONS = (True, False, [True, False, True], [[True, False, True]], np.array([False, True, True]))


@pytest.mark.parametrize("condlist", CONDITIONS, ids=str)
@pytest.mark.parametrize("funclist", ([5], [lambda v: v * 2, 7]), ids=len)
def test_conditions_of_pieces_are_what_they_are_in_numpy(device, condlist, funclist):
    to, x = on(device), np.array([1.0, 2.0, 3.0])
    same(cl.piecewise(to(x), to(condlist), funclist), np.piecewise(x, condlist, funclist))


@pytest.mark.parametrize("condlist", (True, [True], [False], np.array([True])), ids=str)
def test_one_element_has_pieces(device, condlist):
    to, x = on(device), np.array(3.0)
    same(cl.piecewise(to(x), to(condlist), [5, 6]), np.piecewise(x, condlist, [5, 6]))


SOURCES = (True, 4, -4, 3.5, 1j, np.float64(2), np.int64(3), [1, 0], [1.5, 2.0], np.array([1, 2], "int16"), np.ones(2))


@pytest.mark.parametrize("dtype", ("bool", "int8", "uint8", "int64", "float32", "complex64"))
@pytest.mark.parametrize("source", SOURCES, ids=repr)
@pytest.mark.parametrize("where", (True, np.array([True, False])), ids=("everywhere", "somewhere"))
def test_what_is_copied_or_refused_is_numpys(device, dtype, source, where):
    to, host = on(device), np.zeros(2, dtype)
    there = to(host)
    try:
        np.copyto(host, source, where=where)
    except (TypeError, OverflowError) as refused:
        with pytest.raises(type(refused)):
            cl.copyto(there, to(source), where=to(where))
    else:
        cl.copyto(there, to(source), where=to(where))
    same(there, host)


def test_only_bools_say_where_to_copy(device):
    x = cl.zeros(2, device=device)
    with pytest.raises(TypeError, match="bools"):
        cl.copyto(x, 1, where=cl.asarray([1, 0], device=device))
    cl.copyto(x[:1], 5, where=[False])
    cl.copyto(x[1:], 5.5, casting="unsafe", where=[True])
    assert x.tolist() == [0, 5.5]


def test_functions_are_applied_along_and_over_axes(device):
    a = np.arange(24).reshape(2, 3, 4)
    x = cl.asarray(a, device=device)
    for axis in (0, 1, -1):
        same(cl.apply_along_axis(cl.sum, axis, x), np.apply_along_axis(np.sum, axis, a))
        same(cl.apply_along_axis(lambda v: v[:2] * 2, axis, x), np.apply_along_axis(lambda v: v[:2] * 2, axis, a))
    same(cl.apply_along_axis(cl.diag, 1, x), np.apply_along_axis(np.diag, 1, a))
    same(cl.apply_over_axes(cl.sum, x, [0, 2]), np.apply_over_axes(np.sum, a, [0, 2]))


def test_polynomials_keep_the_width_of_their_coefficients():
    u, v = np.asarray([3, 5, 2], "float32"), np.asarray([2, 1], "float32")
    for ours, theirs in zip(cl.polydiv(cl.asarray(u), cl.asarray(v)), np.polydiv(u, v), strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_allclose(cl.asnumpy(ours), theirs, rtol=1e-5)
    assert cl.poly(cl.ones(0)).shape == np.shape(np.poly(np.ones(0)))


@pytest.mark.parametrize("name", ["bartlett", "blackman", "hamming", "hanning", "kaiser"])
@pytest.mark.parametrize("size", [np.uint8(10), np.uint64(5), np.int8(1), np.uint8(0)])
def test_windows_are_as_long_as_numpys_numbers_say(name, size):
    more = [2.0] if name == "kaiser" else []
    ours, theirs = getattr(cl, name)(size, *more), getattr(np, name)(size, *more)
    np.testing.assert_allclose(cl.asnumpy(ours), theirs, atol=1e-15)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0)])
def test_no_bits_are_packed_into_no_bytes(shape):
    for axis in (None, 0, -1):
        ours, theirs = (module.packbits(module.zeros(shape, "uint8"), axis=axis) for module in (cl, np))
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
