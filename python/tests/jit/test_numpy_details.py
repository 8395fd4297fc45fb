"""What NumPy's functions give where one would not look: places for results, dtypes, the order of complex numbers."""

import itertools
import random

import numpy as np
import pytest

import colocate as cl

NAN = float("nan")


def into_third(a, b, c):
    np.add(a, b, c)
    return c


def into_named(a, b, c):
    return np.multiply(a, b, out=c)


def clipped_into(a, c):
    np.clip(a, 1, 2, out=c)
    np.negative(c, c)
    return c


class TestPlacesForResults:
    @pytest.mark.parametrize("shape", [(), (3,)])
    @pytest.mark.parametrize("function", [into_third, into_named])
    def test_of_two_numbers(self, run_both, function, shape):
        run_both(function, 1, 2, np.zeros(shape))
        run_both(function, 1.5, np.float32(2), np.zeros(shape))

    def test_of_a_number_and_an_array_without_axes(self, run_both):
        run_both(into_third, np.array(2.5), 2, np.zeros(()))

    def test_clip(self, run_both):
        run_both(clipped_into, 7, np.zeros(()))
        run_both(clipped_into, 0, np.zeros((), "int64"))


def operators(a, b):
    return a < b, a <= b, a > b, a >= b


def comparisons(a, b):
    return np.less(a, b), np.less_equal(a, b), np.greater(a, b), np.greater_equal(a, b)


def extremes(a, b):
    return np.maximum(a, b), np.minimum(a, b), np.fmax(a, b), np.fmin(a, b)


class TestComplexOrder:
    parts = (-1.0, 0.0, 2.0, NAN)
    some = np.array([complex(*pair) for pair in itertools.product(parts, parts)])
    pairs = np.array(list(itertools.product(some, some))).T

    @pytest.mark.parametrize("function", [operators, comparisons, extremes])
    @pytest.mark.parametrize("dtype", ["complex64", "complex128"])
    def test_arrays(self, run_both, function, dtype):
        a, b = self.pairs.astype(dtype)
        run_both(function, a, b)
        run_both(function, a, b.real)

    @pytest.mark.parametrize("function", [operators, comparisons, extremes])
    def test_numbers(self, run_both, function):
        for a, b in [(1 + 2j, 1 + 3j), (2 - 1j, 1 + 5j), (complex(1, NAN), 2), (2, complex(1, NAN))]:
            run_both(function, np.complex128(a), np.complex128(b))

    def test_a_number_of_python_beside_an_array(self, run_both):
        run_both(operators, self.some, 1j)


def exponentials(a):
    e, s, c = np.exp(a), np.sinh(a), np.cosh(a)
    return e.real, e.imag, s.real, s.imag, c.real, c.imag


def circular(a):
    s, c = np.sin(a), np.cos(a)
    return s.real, s.imag, c.real, c.imag


@pytest.mark.parametrize(
    ("dtype", "values"),
    [
        ("complex64", [89 + 1.5707963j, 88.9 + 1j, 95 + 1e-5j, -95 + 1e-5j, 150 + 1e-30j, 100]),
        ("complex128", [709.9 + 1j, 715 + 1.5707963267948966j, 711 + 1j, -1000 + 1e-300j, 720]),
    ],
)
def test_complex_exponentials_near_overflow(run_both, dtype, values):
    for value in values:
        run_both(exponentials, np.array([value], dtype))
        run_both(circular, np.array([complex(value.imag, value.real)], dtype))


def powers_of_two(a):
    return np.exp2(a)


def test_complex_powers_of_two(run_both):
    run_both(powers_of_two, np.array([1 + 2j, 3j]))


def conjugated(a):
    return np.conj(a), np.conjugate(a), a.conj()


def test_conjugated_truths_are_integers(run_both):
    run_both(conjugated, np.array([True, False]))


def float_pairs(a, b):
    return np.arctan2(a, b), np.hypot(a, b), np.copysign(a, b), np.heaviside(a, b)


@pytest.mark.parametrize(
    ("first", "second"), list(itertools.combinations(["bool", "i1", "u1", "i2", "u2", "i4", "e"], 2))
)
def test_floats_that_hold_two_integers(run_both, first, second):
    a, b = np.ones(2, first), np.ones(2, second)
    results = run_both(float_pairs, a, b, rtol=1e-3)
    assert [one.dtype for one in results] == [one.dtype for one in float_pairs(a, b)]


def common_divisor(a, b):
    return np.gcd(a, b)


def test_gcd(run_both):
    run_both(common_divisor, np.array([4, 0, 6]), np.array([6, 3, 4], "int8"))
    for a, b in [(np.array([4]), np.array([6], "uint64")), (np.array([True]), np.array([True]))]:
        with pytest.raises(TypeError):
            common_divisor(a, b)
        with pytest.raises(TypeError, match="gcd"):
            run_both.jit(common_divisor)(a, b)


def copied(x):
    y = x.copy()
    y[()] = 7
    return x, y, x.flatten()


def test_copies_without_axes(run_both):
    run_both(copied, np.array(3))


def least_row(x):
    return min(x), max(x)


def test_rows_that_are_compared(run_both):
    run_both(least_row, np.array([[1, 2]]))
    run_both(least_row, np.array([[3], [1], [2]]))
    run_both.raises(ValueError, least_row, np.array([[1, 2], [3, 4]]))
    run_both.raises(ValueError, least_row, np.ones((0, 2)))


def bits(n):
    random.seed(1)
    return random.getrandbits(n)


def test_random_bits(run_both):
    run_both(bits, 20)


def counted(n, m):
    total = 0
    for i in range(n):
        total += i + 1
    for i in range(m, 3):
        total += i
    return total


def test_truths_as_bounds_of_ranges(run_both):
    run_both(counted, True, False)


def products_in_the_plane(a, b):
    return np.cross(a, b)


def test_products_of_vectors_in_the_plane_are_refused_where_only_the_run_tells():
    a = np.array([[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(ValueError, match=r"write a\[\.\.\., 0\]"):
        cl.jit(products_in_the_plane)(a, a[::-1])
    with pytest.raises(ValueError, match="two components"):
        cl.jit(products_in_the_plane)(a, a[0])


def test_whether_an_array_owns_its_memory_is_not_answered():
    with pytest.raises(cl.CompileError, match="owns its memory"):
        cl.jit(lambda a: a.flags["OWNDATA"])(np.zeros(3))
    with pytest.raises(cl.CompileError, match="owns its memory"):
        cl.jit(lambda a: a[1:].flags.owndata)(np.zeros(3))


def number_as_an_array(a):
    x = a[1]
    whole = x.copy(), x.squeeze(), x.T, x.transpose(), x.shape, x.ndim, x.size, x.nbytes, x.itemsize
    sums = x.sum(), x.mean(), x.max(), x.min(), x.any(), x.all(), x.prod(), x.argmax()
    arrays = x.flatten(), x.ravel(), x.reshape(-1), x.reshape((1, 1)), x.repeat(3), x.cumsum()
    return whole, sums, arrays, x.tolist(), x.item(), a.sum().copy()


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int16", "uint8", "bool", "complex128"])
def test_numbers_have_the_methods_of_arrays(run_both, dtype):
    run_both(number_as_an_array, np.array([0, 3, 2], dtype))


def number_in_bounds(a):
    x = a[1]
    return x.clip(0, 2), x.round(), x.round(1), x.astype(np.int32), x.std(), x.var()


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_numbers_are_rounded_and_clipped(run_both, dtype):
    run_both(number_in_bounds, np.array([0, 2.75, 2], dtype))


def rounded_into(a, one, two):
    np.around(a, 1, one)
    a.round(-1, out=two)
    return one, two


def test_rounding_into_another_dtype(run_both):
    a = np.array([-2.25, 1.55, 2.75, 0.3, 123.45], np.float32)
    run_both(rounded_into, a, np.zeros(5), np.zeros(5))
    run_both(rounded_into, a.astype(float), np.zeros(5, np.float32), np.zeros(5))


def product_in_place(x, y):
    x @= y
    return x


def product_of_new_in_place(x, y):
    z = x + 1
    z @= y
    return z


def test_matrix_products_in_place(run_both):
    matrix, vector = np.arange(9.0).reshape(3, 3), np.arange(3.0)
    for program in (product_in_place, product_of_new_in_place):
        run_both(program, matrix, matrix.T.copy())
        run_both(program, vector, matrix)
        for x, y in ((vector, vector), (matrix, vector), (np.ones((2, 3)), np.ones((3, 1))), (vector, np.ones((3, 1)))):
            run_both.raises(ValueError, program, x, y)


def largest_of_number(x):
    return max(x)


def smallest_of_number(x):
    return min(x) + 1.5


def test_one_number_has_no_largest(run_both):
    run_both.raises(TypeError, largest_of_number, 1)
    run_both.raises(TypeError, smallest_of_number, 2.5)


def of_an_empty_list(a, b):
    return np.asarray(a), np.array(a) * 2, np.concatenate((np.array(a), b)), np.intersect1d(a, b), b[a], sum(a), len(a)


def test_a_list_without_items_is_an_array_of_floats(run_both):
    run_both(of_an_empty_list, [], np.arange(3))
    run_both(of_an_empty_list, [1], np.arange(3))


def angles(a, b):
    return np.rad2deg(a), np.deg2rad(a), np.degrees(a, out=b)


def test_angles_of_half_floats_are_rounded_once():
    a = np.linspace(0, 400, 4001, dtype="float16")
    expected, actual = angles(a, a.astype("float32")), cl.jit(angles)(a, a.astype("float32"))
    for one, other in zip(expected, actual, strict=True):
        np.testing.assert_array_equal(other, one)


def test_a_conversion_that_the_caller_forbids_is_refused():
    for rule in ("no", "equiv"):
        with pytest.raises(cl.CompileError, match="Cannot cast"):
            cl.jit(lambda a: np.exp(a, casting=rule))(np.arange(3))
        assert cl.jit(lambda a: np.add(a, 1.5, casting=rule))(np.ones(2)).tolist() == [2.5, 2.5]


def test_the_size_of_an_identity_matrix_must_be_there():
    with pytest.raises(cl.CompileError, match="None"):
        cl.jit(lambda: np.eye(None))()
    assert cl.jit(lambda: np.eye(2, None))().tolist() == [[1, 0], [0, 1]]


def rounded_somewhere(a, decimals, out):
    return np.round(a, decimals, out), a.round(decimals, out=out)


def test_rounding_goes_on_in_the_dtype_of_the_place(run_both):
    for decimals in (-1, 0, 1):
        run_both(rounded_somewhere, np.float32([-2.25, 1.05, 17.35]), decimals, np.zeros(3))
        run_both(rounded_somewhere, np.array([-2.25, 1.05, 17.35]), decimals, np.zeros(3, np.float32))
