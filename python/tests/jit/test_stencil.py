"""Stencils: kernels with relative indices, as Numba's decorator of that name has them."""

import numpy as np
import pytest

import colocate as cl


@cl.stencil
def slope(a):
    return 0.5 * (a[1] - a[-1])


@cl.stencil(cval=-1)
def laplace(a):
    return a[0, 1] + a[0, -1] + a[1, 0] + a[-1, 0] - 4 * a[0, 0]


@cl.stencil(neighborhood=((-2, 0),))
def recent(a):
    total = 0.0
    for k in range(-2, 1):
        total += a[k]
    return total


@cl.stencil(standard_indexing=("weights",))
def weighted(a, weights):
    return weights[0] * a[-1] + weights[1] * a[0] + weights[2] * a[1]


@cl.stencil
def limited(a, limit):
    if a[0] > limit:
        return limit
    return a[0]


def laplace_of(a, border):
    expected = np.full(a.shape, border, dtype=a.dtype)
    expected[1:-1, 1:-1] = a[1:-1, 2:] + a[1:-1, :-2] + a[2:, 1:-1] + a[:-2, 1:-1] - 4 * a[1:-1, 1:-1]
    return expected


@pytest.fixture
def a():
    return np.linspace(0, 1, 12) ** 2


@pytest.fixture
def grid():
    return np.arange(30.0).reshape(5, 6) ** 2


class TestFromPython:
    def test_the_border_is_zero(self, a):
        expected = np.zeros_like(a)
        expected[1:-1] = 0.5 * (a[2:] - a[:-2])
        assert np.allclose(slope(a), expected)

    def test_the_border_is_what_cval_says(self, grid):
        assert np.array_equal(laplace(grid), laplace_of(grid, -1))

    @pytest.mark.parametrize("dtype", ["int32", "float32", "complex128"])
    def test_the_dtype_is_the_kernels(self, grid, dtype):
        result = laplace(grid.astype(dtype))
        assert result.dtype == dtype
        assert np.allclose(result, laplace_of(grid.astype(dtype), -1))
        assert slope(np.arange(5, dtype="int32")).dtype == np.float64

    def test_out_keeps_its_border_unless_cval_is_given(self, a, grid):
        out = np.full_like(a, 7)
        assert slope(a, out=out) is out
        assert (out[0], out[-1]) == (7, 7)
        assert np.allclose(out[1:-1], 0.5 * (a[2:] - a[:-2]))
        out = np.full_like(grid, 7)
        laplace(grid, out=out)
        assert np.array_equal(out, laplace_of(grid, -1))

    def test_a_neighbourhood_for_indices_that_vary(self, a):
        expected = np.zeros_like(a)
        expected[2:] = a[2:] + a[1:-1] + a[:-2]
        assert np.allclose(recent(a), expected)

    def test_standard_indices(self, a):
        weights = np.array([0.25, 0.5, 0.25])
        expected = np.zeros_like(a)
        expected[1:-1] = np.convolve(a, weights, "valid")
        assert np.allclose(weighted(a, weights), expected)

    def test_branches_and_numbers(self, a):
        assert np.array_equal(limited(a, 0.3), np.minimum(a, 0.3))

    def test_arrays_smaller_than_the_neighbourhood_are_border(self):
        assert np.array_equal(slope(np.ones(1)), [0])
        assert np.array_equal(laplace(np.ones((1, 3))), [[-1, -1, -1]])
        assert slope(np.ones(0)).shape == (0,)

    def test_several_arrays(self, a):
        @cl.stencil
        def product(a, b):
            return a[-1] * b[0]

        expected = np.zeros_like(a)
        expected[1:] = a[:-1] * (a[1:] + 1)
        assert np.allclose(product(a, a + 1), expected)
        with pytest.raises(ValueError, match="b is smaller than a"):
            product(a, a[:-1])

    def test_constant_indices_by_name(self, a):
        ahead = 2

        @cl.stencil
        def kernel(a):
            back = -1
            return a[ahead] + a[back] + a[np.int8(1) - 1] + a[ahead - 3]

        expected = np.zeros_like(a)
        expected[1:-2] = a[3:] + a[:-3] + a[1:-2] + a[:-3]
        assert kernel.neighborhood == ((-1, 2),)
        assert np.allclose(kernel(a), expected)

    def test_a_lambda(self, a):
        kernel = cl.stencil(lambda a: a[-1] + a[1])
        expected = np.zeros_like(a)
        expected[1:-1] = a[:-2] + a[2:]
        assert np.allclose(kernel(a), expected)

    def test_kernels_of_one_name_are_not_confused(self, a):
        def make(factor):
            if factor > 0:

                @cl.stencil
                def kernel(a):
                    return a[0] + 1

            else:

                @cl.stencil
                def kernel(a):
                    return a[0] - 1

            return kernel

        up, down = make(1), make(-1)
        assert np.array_equal(up(a), a + 1)
        assert np.array_equal(down(a), a - 1)

    def test_globals_are_looked_up_again(self, a, monkeypatch):
        assert np.array_equal(scaled(a), 2 * a)
        monkeypatch.setitem(globals(), "SCALE", 3)
        assert np.array_equal(scaled(a), 3 * a)

    def test_on_a_device(self, device, grid):
        with cl.device_context(device):
            assert np.array_equal(laplace(grid), laplace_of(grid, -1))


SCALE = 2


@cl.stencil
def scaled(a):
    return SCALE * a[0]


class TestInsideJitFunctions:
    def test_a_call(self, device, grid):
        @cl.jit
        def step(grid):
            return grid + 0.1 * laplace(grid)

        with cl.device_context(device):
            assert np.allclose(step(grid), grid + 0.1 * laplace_of(grid, -1))

    def test_a_call_with_out(self, device, a):
        @cl.jit
        def slopes(a, out):
            slope(a, out=out)
            return np.sum(out)

        out = np.zeros_like(a)
        with cl.device_context(device):
            total = slopes(a, out)
        assert np.allclose(out[1:-1], 0.5 * (a[2:] - a[:-2]))
        assert np.isclose(total, out.sum())

    def test_repeated(self, grid):
        @cl.jit
        def steps(grid, n):
            for _ in range(n):
                grid = grid + 0.01 * laplace(grid)
            return grid

        expected = grid
        for _ in range(4):
            expected = expected + 0.01 * laplace_of(expected, -1)
        assert np.allclose(steps(grid, 4), expected)


class TestRefusals:
    def refused(self, kernel, reason, **options):
        with pytest.raises(cl.InvalidArgumentError, match=reason):
            cl.stencil(**options)(kernel)

    def test_an_index_that_varies_needs_a_neighbourhood(self):
        def kernel(a):
            k = 1
            k += 1
            return a[k]

        self.refused(kernel, "neighborhood=")

    def test_numbers_of_indices_must_agree(self):
        def kernel(a):
            return a[0] + a[0, 1]

        self.refused(kernel, "2 indices, but another has 1")

    def test_the_neighbourhood_must_fit(self):
        def kernel(a):
            return a[0, 1]

        self.refused(kernel, "1 axes", neighborhood=((-1, 1),))

    def test_a_kernel_does_not_write(self):
        def kernel(a):
            a[0] = 1
            return a[0]

        self.refused(kernel, "assigns to a")

    def test_a_kernel_returns_something(self):
        def kernel(a):
            a[0]

        self.refused(kernel, "returns nothing")

    def test_a_kernel_reads_its_first_array(self):
        def kernel(a, b):
            return b[0]

        self.refused(kernel, "never reads a")

    def test_out_is_taken(self):
        def kernel(a, out):
            return a[0] + out

        self.refused(kernel, "'out'")

    def test_the_mode_is_constant(self):
        with pytest.raises(cl.InvalidArgumentError, match="'constant'"):
            cl.stencil("wrap")

    def test_unknown_options(self):
        with pytest.raises(TypeError, match="'border'"):
            cl.stencil(border=1)


@cl.stencil(neighborhood=((-5, 0),))
def running_sum(a):
    total = a[-5]
    for i in range(-4, 1):
        total += a[i]
    return 0.3 * total


def test_an_array_that_is_not_computed_yet():
    @cl.jit
    def program(n):
        a = np.arange(n)
        return running_sum(a)

    wanted = np.zeros(20)
    for i in range(5, 20):
        wanted[i] = 0.3 * np.arange(i - 5, i + 1).sum()
    np.testing.assert_allclose(program(20), wanted)


def decorated_inside(x):
    @cl.stencil
    def around(a):
        return a[-1] + a[1]

    return around(x)


def with_options_inside(x):
    @cl.stencil(cval=1.0, neighborhood=((-2, 2),))
    def mean(a):
        total = 0.0
        for i in range(-2, 3):
            total += a[i]
        return total / 5

    out = np.zeros_like(x)
    mean(x, out=out)
    return mean(x) + out


def of_a_lambda(x):
    return cl.stencil(lambda a: a[-1] * 2.0)(x)


@pytest.mark.parametrize("program", [decorated_inside, with_options_inside, of_a_lambda])
def test_a_stencil_may_be_made_inside(program):
    x = np.arange(8.0)
    compiled = cl.jit(program)
    for _ in range(2):
        np.testing.assert_array_equal(compiled(x), program(x))


def test_a_stencil_inside_does_not_know_the_variables_around_it():
    def scaled(x, w):
        @cl.stencil
        def by(a):
            return w * a[-1]

        return by(x)

    with pytest.raises(cl.CompileError, match="make it a parameter"):
        cl.jit(scaled)(np.arange(4.0), 2.0)


factor = 3.0


@cl.stencil
def by_factor(a):
    return factor * a[-1]


def test_a_name_of_the_kernel_that_means_something_else_is_seen():
    global factor

    def inside(x):
        @cl.stencil
        def own(a):
            return factor * a[-1]

        return own(x), by_factor(x)

    compiled, x = cl.jit(inside), np.arange(4.0)
    try:
        for value in (3.0, 10.0, 2):
            factor = value
            for found in compiled(x):
                np.testing.assert_array_equal(found, [0, 0, factor, 2 * factor])
    finally:
        factor = 3.0
