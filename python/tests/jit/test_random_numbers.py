"""Random numbers: NumPy's and Python's own on the host, and streams of their own for the turns of parallel loops."""

import contextlib
import math
import random
import threading

import numpy as np
import pytest
from numpy.random import MT19937, PCG64
from numpy.random import random as unit_number

import colocate as cl
from colocate import prange

from .comparison import PLAIN

# Parallel loops draw other numbers than plain Python does.
streams = pytest.mark.skipif(PLAIN, reason="plain Python has no streams")


@pytest.fixture
def seeded(run_both):
    """Runs a function as plain Python and compiled after the same seed: results and states must be equal, exactly."""

    def check(function, *arguments, seed=11, calls=2):
        program = run_both.jit(function)
        ends = []
        for one, context in ((function, contextlib.nullcontext), (program, run_both.context)):
            np.random.seed(seed)
            random.seed(seed)
            with context():
                results = [one(*arguments) for _ in range(calls)]
            # One normal number shows whether one was kept for later.
            ends.append((results, np.random.standard_normal(3).tolist(), np.random.random(), random.random()))
        (wanted, *wanted_after), (found, *found_after) = ends
        for one, other in zip(wanted, found, strict=True):
            parts = zip(one, other, strict=True) if isinstance(one, tuple) else [(one, other)]
            for part, twin in parts:
                assert type(part) is type(twin)
                np.testing.assert_array_equal(twin, part)
        assert wanted_after == found_after

    return check


# In the host part: the very numbers of NumPy.


def units_in_a_loop(n):
    total = 0.0
    for _ in range(n):
        total += np.random.random() + np.random.rand() * np.random.random_sample() - np.random.ranf() / 3
        total += unit_number() * np.random.sample() + np.random.random(size=None)
    return total


def uniform_numbers(n, low, high):
    numbers = np.zeros(n)
    for i in range(n):
        numbers[i] = np.random.uniform(low, high) + np.random.uniform() + np.random.uniform(-2.5, high=1)
    return numbers


def normal_numbers(n, loc, scale):
    numbers = np.zeros(n)
    for i in range(n):
        numbers[i] = np.random.normal(loc, scale) + np.random.randn()
        if i % 3 == 0:
            numbers[i] += np.random.standard_normal() * np.random.random()
    return numbers


def an_odd_number_of_normal_numbers(n):
    total = 0.0
    for _ in range(2 * n + 1):
        total += np.random.normal()
    return total


def exponential_numbers(n, scale):
    numbers = np.zeros(n)
    for i in range(n):
        numbers[i] = np.random.exponential(scale) - np.random.standard_exponential() + np.random.exponential()
    return numbers


def whole_numbers(n, low, high):
    numbers = np.zeros((n, 6), np.int64)
    for i in range(n):
        numbers[i, 0] = np.random.randint(low, high)
        numbers[i, 1] = np.random.randint(7)
        numbers[i, 2] = np.random.randint(3, 4)
        numbers[i, 3] = np.random.randint(0, 2**32)
        numbers[i, 4] = np.random.randint(-(2**63), 2**63 - 1)
        numbers[i, 5] = np.random.randint(-5, high=2**40)
    return numbers


def with_other_functions_between(n):
    total = 0.0
    for i in range(n):
        total += np.random.random()
        total += np.random.gamma(2.0) + np.random.normal(0.0, 1.0, 3)[1]
        total += np.random.standard_normal() + np.random.random(5)[4]
        if i == n // 2:
            np.random.seed(i)
    return total


def on_some_paths(n):
    heads, longest, rejected = 0, 0, 0
    while heads < n:
        if np.random.random() < 0.5:
            heads += 1
            run = 0
            while np.random.random() < 0.75:
                run += 1
            longest = max(longest, run)
        else:
            x = np.random.uniform(-1, 1)
            while x * x + np.random.random() > 1.0 and rejected < 1000:
                rejected += 1
                x = np.random.uniform(-1, 1)
    return heads, longest, rejected


def steps_up(n):
    if n == 0 or np.random.random() < 0.1:
        return 0
    return 1 + steps_up(n - 1)


def a_recursive_walk(n):
    return steps_up(n), np.random.random()


def caught(n):
    found = 0.0
    for _ in range(n):
        try:
            x = np.random.random()
            if x > 0.5:
                raise ValueError("too large")
            found += x
        except ValueError:
            found -= np.random.random()
    return found


def numbers_of_python(n):
    total = 0.0
    for _ in range(n):
        total += random.random() + random.uniform(-1, 2)
        total += random.gauss(0.0, 1.0) + random.normalvariate(1.0, 2.0) * random.expovariate(0.5)
        total += random.randint(1, 6) + random.randrange(10) + random.randrange(2, 20, 3)
    return total


def test_units(seeded):
    seeded(units_in_a_loop, 1000)


def test_uniform_numbers(seeded):
    seeded(uniform_numbers, 500, -3.0, 12.5)
    seeded(uniform_numbers, 5, 1, 2)


@pytest.mark.parametrize("n", [1, 10, 47, 48, 49, 500])
def test_normal_numbers(seeded, n):
    seeded(normal_numbers, n, 1.5, 0.25)
    seeded(an_odd_number_of_normal_numbers, n)


def test_exponential_numbers(seeded):
    seeded(exponential_numbers, 1000, 2.5)


def test_whole_numbers(seeded):
    seeded(whole_numbers, 500, -10, 1000)


def test_other_functions_between_draws(seeded):
    seeded(with_other_functions_between, 50)


def test_draws_on_some_paths(seeded):
    seeded(on_some_paths, 300)


def test_draws_in_functions_that_call_themselves(seeded):
    seeded(a_recursive_walk, 40, calls=10)


def test_draws_in_a_try(seeded):
    seeded(caught, 200)


def test_numbers_of_pythons_module(seeded):
    seeded(numbers_of_python, 100)


def narrow(low, high):
    return np.random.randint(low, high)


def below(high):
    return np.random.randint(high)


def scaled(scale):
    return np.random.normal(0.0, scale) + np.random.exponential(scale)


def spread(low, high):
    return np.random.uniform(low, high)


def spread_out(low, high, n):
    return np.random.uniform(low, high, n)


def test_wrong_parameters_raise_what_numpy_raises(run_both):
    for kind, function, *arguments in (
        (ValueError, narrow, 3, 3),
        (ValueError, narrow, 5, -5),
        (ValueError, below, 0),
        (ValueError, scaled, -1.0),
        (OverflowError, spread, -1e308, 1e308),
        (OverflowError, spread, 0.0, math.inf),
        (OverflowError, spread_out, 0.0, math.inf, 3),
        (ValueError, spread_out, 0.0, 1.0, -3),
    ):
        wanted, raised = run_both.raises(kind, function, *arguments)
        assert str(wanted) == str(raised)


def drawn_before_a_failure(n):
    total = 0.0
    for _ in range(n):
        total += np.random.random() + np.random.standard_normal()
    if n > 0:
        raise KeyError("enough")
    return total


@pytest.mark.parametrize("n", [3, 300])
def test_after_a_failure_the_generator_is_free_and_right(run_both, n):
    np.random.seed(4)
    run_both.raises(KeyError, drawn_before_a_failure, n)
    ends = []
    program = run_both.jit(drawn_before_a_failure)
    for function, context in ((drawn_before_a_failure, contextlib.nullcontext), (program, run_both.context)):
        np.random.seed(4)
        with pytest.raises(KeyError), context():
            function(n)
        ends.append(np.random.standard_normal(3).tolist())
    assert ends[0] == ends[1]
    drawn = []
    thread = threading.Thread(target=lambda: drawn.append(np.random.random()))
    thread.start()
    thread.join(timeout=60)
    assert len(drawn) == 1


def test_other_generators(run_both):
    def draw(n):
        total = 0.0
        for _ in range(n):
            total += np.random.random() + np.random.randint(10) + np.random.randint(2**40) + np.random.normal()
        return total, np.random.random(n), np.random.random(30_000), np.random.exponential()

    program = run_both.jit(draw)
    before = np.random.get_bit_generator()
    try:
        for kind in (PCG64, MT19937):
            ends = []
            for function, context in ((draw, contextlib.nullcontext), (program, run_both.context)):
                np.random.set_bit_generator(kind(12))
                with context():
                    ends.append((*function(100), np.random.random()))
            for one, other in zip(*ends, strict=True):
                np.testing.assert_array_equal(other, one)
    finally:
        np.random.set_bit_generator(before)


# Arrays: the very numbers of NumPy.


def fills(n, m):
    a = np.random.random(n)
    b = np.random.rand(n, m)
    x = np.random.random()
    c = np.random.random_sample((m, n))
    d = np.random.uniform(-1.0, 3.0, n)
    k = np.random.randint(10)
    e = np.random.uniform(size=(n, m), high=x)
    f = np.random.ranf(n) + np.random.sample(size=n)
    g = np.random.normal(0.0, 1.0, n)
    return a, b, x, c, d, k, e, f, g, np.random.random(()), np.random.random((0, 3))


@pytest.mark.parametrize("n, m", [(0, 3), (1, 1), (7, 5), (3000, 7), (12_345, 3), (50_001, 2)])
def test_fills(seeded, n, m):
    seeded(fills, n, m)


def filled_and_changed(n):
    a = np.random.random(n)
    b = np.random.uniform(2.0, 3.0, n)
    a[::2] = 0.0
    b[0] = -1.0
    kept = b
    total = 0.0
    for _ in range(4):
        a = np.random.random(n)
        total += a[0] + a.sum()
        kept = kept + a
    return a, b, kept, total > 0


def test_what_is_filled_can_be_changed(seeded):
    seeded(filled_and_changed, 40_000)


def inside(n):
    x, y = np.random.random(n), np.random.random(n)
    return np.sum(x * x + y * y < 1.0)


def test_fills_go_into_other_expressions(seeded):
    seeded(inside, 100_000)


def test_threads_share_the_numbers(run_both):
    def draw(n, m):
        x = np.random.random(n)
        numbers = np.zeros(m)
        for i in range(m):
            numbers[i] = np.random.random()
        return x, numbers

    program = run_both.jit(draw)
    np.random.seed(1)
    wanted = np.random.random(4 * 5 * (30_000 + 1000))
    np.random.seed(1)
    found = []

    def work():
        for _ in range(5):
            found.append(program(30_000, 1000))

    with run_both.context():
        work()
    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    everything = np.concatenate([part for pair in found for part in pair])
    np.testing.assert_array_equal(np.sort(everything), np.sort(wanted))


# Parallel loops.


def turn_numbers(n, per_turn):
    out = np.empty((n, per_turn))
    for i in prange(n):
        for k in range(per_turn):
            out[i, k] = np.random.random()
    return out


def distributions(n):
    out = np.empty((n, 8))
    for i in prange(n):
        out[i, 0] = np.random.random()
        out[i, 1] = np.random.uniform(-2.0, 6.0)
        out[i, 2] = np.random.normal(3.0, 2.0)
        out[i, 3] = np.random.randn()
        out[i, 4] = np.random.exponential(0.5)
        out[i, 5] = np.random.randint(-3, 7)
        out[i, 6] = np.random.standard_normal()
        out[i, 7] = np.random.rand()
    return out


def distributions_of_python(n):
    out = np.empty((n, 7))
    for i in prange(n):
        out[i, 0] = random.random()
        out[i, 1] = random.uniform(-2.0, 6.0)
        out[i, 2] = random.gauss(3.0, 2.0)
        out[i, 3] = random.normalvariate(0.0, 1.0)
        out[i, 4] = random.expovariate(2.0)
        out[i, 5] = random.randint(-3, 6)
        out[i, 6] = random.randrange(10)
    return out


def pi(n):
    hits = 0
    for _ in prange(n):
        x, y = np.random.random(), np.random.random()
        if x * x + y * y < 1.0:
            hits += 1
    return 4.0 * hits / n


def is_region(program, *arguments):
    explained = program.explain_dict(*arguments)
    return len(explained["regions"]) == 1 and "turn by turn" not in program.explain(*arguments)


@streams
def test_loops_that_draw_are_regions():
    for function, *arguments in ((turn_numbers, 10, 3), (distributions, 10), (distributions_of_python, 10), (pi, 10)):
        assert is_region(cl.jit(function), *arguments)


@streams
def test_streams_follow_the_seed(run_both):
    for function, seed, others in (
        (distributions, np.random.seed, random.seed),
        (distributions_of_python, random.seed, np.random.seed),
    ):
        program = run_both.jit(function)
        with run_both.context():
            seed(5)
            others(1)
            first, second = program(1000), program(1000)
            seed(5)
            others(2)
            again = program(1000)
            seed(6)
            other = program(1000)
        np.testing.assert_array_equal(first, again)
        for one in (second, other):
            assert np.mean(first[:, 0] == one[:, 0]) < 0.01


@streams
def test_streams_are_the_same_on_every_device():
    program = cl.jit(distributions)
    found = []
    for device in (None, "native:cpu", "opencl:cpu"):
        np.random.seed(8)
        if device is None:
            found.append(program(5000))
            continue
        try:
            with cl.device_context(device, cost_model=False):
                found.append(program(5000))
        except cl.DeviceNotFoundError:
            continue
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=1e-14)
        exact = [0, 5, 7]
        np.testing.assert_array_equal(other[:, exact], found[0][:, exact])


@streams
def test_no_number_comes_twice(run_both):
    program = run_both.jit(turn_numbers)
    with run_both.context():
        np.random.seed(0)
        numbers = np.concatenate([program(1000, 20).ravel(), program(20, 1000).ravel()])
    assert np.unique(numbers).size == numbers.size
    assert numbers.min() >= 0.0 and numbers.max() < 1.0


def is_even(counts):
    """Whether counts differ by chance only: chi-square, within five standard deviations."""
    expected = counts.sum() / counts.size
    chi = ((counts - expected) ** 2 / expected).sum()
    freedom = counts.size - 1
    return abs(chi - freedom) < 5 * math.sqrt(2 * freedom)


@streams
def test_units_of_streams_are_even(run_both):
    program = run_both.jit(turn_numbers)
    with run_both.context():
        np.random.seed(3)
        numbers = program(20_000, 10)
    assert is_even(np.histogram(numbers, 100, (0, 1))[0])
    # Neighbours in a turn, and neighbouring turns, are independent.
    for x, y in ((numbers[:, :-1], numbers[:, 1:]), (numbers[:-1], numbers[1:])):
        cells = np.floor(x * 16).astype(int) * 16 + np.floor(y * 16).astype(int)
        assert is_even(np.bincount(cells.ravel(), minlength=256))
    # So are the low bits.
    low = np.floor(numbers.ravel() * 2.0**40) % 64
    assert is_even(np.bincount(low.astype(int), minlength=64))


def has_moments(numbers, mean, deviation):
    error = 5 * deviation / math.sqrt(numbers.size)
    return abs(numbers.mean() - mean) < error and abs(numbers.std() / deviation - 1) < 0.02


@streams
def test_moments_of_streams(run_both):
    n = 200_000
    with run_both.context():
        np.random.seed(17)
        random.seed(17)
        a = run_both.jit(distributions)(n)
        b = run_both.jit(distributions_of_python)(n)
    root = 1 / math.sqrt(12)
    for x in (a, b):
        assert has_moments(x[:, 0], 0.5, root)
        assert has_moments(x[:, 1], 2.0, 8 * root) and x[:, 1].min() >= -2 and x[:, 1].max() < 6
        assert has_moments(x[:, 2], 3.0, 2.0)
        assert has_moments(x[:, 3], 0.0, 1.0)
        assert has_moments(x[:, 4], 0.5, 0.5) and x[:, 4].min() >= 0
        assert is_even(np.bincount(x[:, 5].astype(int) + 3, minlength=10))
    assert is_even(np.bincount(b[:, 6].astype(int), minlength=10))
    # Normal numbers fall where they should, also far out.
    for x in ((a[:, 2] - 3) / 2, a[:, 3], a[:, 6]):
        inner = [np.mean(np.abs(x) < k) for k in (1, 2, 3)]
        np.testing.assert_allclose(inner, [0.6827, 0.9545, 0.9973], atol=0.005)
        assert abs(np.mean(x**4) - 3) < 0.15
    together = np.corrcoef(a.T)
    assert np.abs(together - np.eye(8)).max() < 0.015


@streams
def test_pi(run_both):
    program = run_both.jit(pi)
    with run_both.context():
        np.random.seed(2)
        assert abs(program(1_000_000) - math.pi) < 0.01


def drawn_on_paths(n):
    kinds = np.zeros(n, np.int64)
    tries = np.zeros(n, np.int64)
    ends = np.zeros(n)
    for i in prange(n):
        if np.random.random() < 0.25:
            kinds[i] = 1
            ends[i] = np.random.random()
            continue
        x, y = 2.0, 2.0
        while x * x + y * y >= 1.0:
            x, y = np.random.uniform(-1.0, 1.0), np.random.uniform(-1.0, 1.0)
            tries[i] += 1
        for _ in range(i % 3):
            x += 0.0 * np.random.random()
        ends[i] = x if np.random.random() < 0.5 and np.random.random() < 0.5 else y
    return kinds, tries, ends


@streams
def test_draws_on_some_paths_of_turns(run_both):
    program = run_both.jit(drawn_on_paths)
    assert is_region(program, 10)
    n = 100_000
    with run_both.context():
        np.random.seed(9)
        kinds, tries, ends = program(n)
        np.random.seed(9)
        again = program(n)
    for one, other in zip((kinds, tries, ends), again, strict=True):
        np.testing.assert_array_equal(one, other)
    assert abs(kinds.mean() - 0.25) < 0.01
    assert is_even(np.histogram(ends[kinds == 1], 50, (0, 1))[0])
    others = kinds == 0
    assert abs(tries[others].mean() - 4 / math.pi) < 0.01
    # The coordinate of a point in a disc.
    assert has_moments(ends[others], 0.0, 0.5)
    assert np.unique(ends).size == n


def step(x):
    if np.random.random() < 0.5:
        return x - 1
    return x + 1


def walks(n, steps):
    ends = np.zeros(n, np.int64)
    for i in prange(n):
        x = 0
        for _ in range(steps):
            x = step(x)
        ends[i] = x
    return ends


@streams
def test_draws_in_functions_that_turns_call(run_both):
    program = run_both.jit(walks)
    assert is_region(program, 10, 10)
    with run_both.context():
        np.random.seed(4)
        ends = program(20_000, 100)
    assert has_moments(ends, 0.0, 10.0)
    assert (ends % 2 == 0).all()


def launches(n, turns):
    totals = np.zeros(n)
    for t in range(n):
        total = 0.0
        for _ in prange(turns):
            total += np.random.random()
        totals[t] = total / turns
    return totals, np.random.random()


@streams
def test_each_launch_has_other_numbers(run_both):
    program = run_both.jit(launches)
    with run_both.context():
        np.random.seed(4)
        totals, after = program(50, 100)
    assert np.unique(totals).size == 50
    assert abs(totals.mean() - 0.5) < 0.02
    # A launch takes as much of NumPy's stream as one number does.
    np.random.seed(4)
    assert after == np.random.random(51)[50]


def wrong_in_a_turn(n, low, high, scale):
    out = np.zeros(n)
    for i in prange(n):
        out[i] = np.random.randint(low, high) + np.random.normal(0.0, scale)
    return out


@streams
def test_wrong_parameters_in_turns_raise(run_both):
    program = run_both.jit(wrong_in_a_turn)
    with run_both.context():
        assert program(10, 0, 5, 1.0).shape == (10,)
        with pytest.raises(ValueError, match="low >= high"):
            program(10, 5, 5, 1.0)
        with pytest.raises(ValueError, match="scale < 0"):
            program(10, 0, 5, -1.0)


def with_sizes(n):
    out = np.zeros((n, 3))
    for i in prange(n):
        out[i] = np.random.random(3)
    return out


def test_arrays_in_turns_are_numpys(seeded):
    seeded(with_sizes, 20)


def test_without_parallel_loops_the_numbers_are_numpys(run_both):
    program = cl.jit(turn_numbers, parallel=False) if not PLAIN else turn_numbers
    np.random.seed(3)
    wanted = turn_numbers(10, 5)
    np.random.seed(3)
    np.testing.assert_array_equal(program(10, 5), wanted)


def drawn_by(rng, n):
    total = 0.0
    for _ in range(n):
        total += rng.random()
    numbers = rng.normal(1.0, 2.0, n), rng.integers(0, 10, size=(n, 2)), rng.standard_normal((n,))
    return total, numbers, rng.uniform(1, 2), rng.poisson(3.0), rng.choice(np.arange(n))


def filled_by(rng, a):
    rng.random(out=a)
    b = np.arange(5.0)
    rng.shuffle(b)
    return a * 2, b, rng.permutation(4)


def sized_by(rng, size):
    return rng.random(size=size)


def own_generator(seed):
    rng = np.random.default_rng(seed)
    return rng.random(3), rng.exponential(2.0)


@pytest.mark.parametrize("case", [(drawn_by, 5), (filled_by, np.zeros(3)), *((sized_by, n) for n in (None, 2, (2, 3)))])
def test_generators_are_arguments(case):
    function, argument = case
    theirs, ours = np.random.default_rng(3), np.random.default_rng(3)
    expected = function(theirs, argument.copy() if isinstance(argument, np.ndarray) else argument)
    got = cl.jit(function)(ours, argument)
    np.testing.assert_equal(got, expected)
    assert ours.bit_generator.state == theirs.bit_generator.state
    with cl.device_context("native"):
        np.testing.assert_equal(cl.jit(function)(np.random.default_rng(3), argument), expected)


def test_generators_are_made_inside():
    np.testing.assert_equal(cl.jit(own_generator)(7), own_generator(7))


def unknown_draw(rng):
    return rng.nothing_of_that_name()


def test_a_generator_has_the_methods_it_has():
    with pytest.raises(cl.CompileError, match="nothing_of_that_name"):
        cl.jit(unknown_draw)(np.random.default_rng(1))


def shuffled_lists(generator, a, b):
    generator.shuffle(a)
    generator.shuffle(b)
    c = ["a", "b", "c", "d"]
    generator.shuffle(c)
    d = [(1, "x"), (2, "y"), (3, "z")]
    generator.shuffle(d)
    e = [i * i for i in range(5)]
    generator.shuffle(e)
    return a, c, d, e, generator.random()


def shuffled_globally(a):
    np.random.seed(3)
    b = ["a", "b", "c", "d"]
    np.random.shuffle(a)
    np.random.shuffle(b)
    return a, b, np.random.random()


def many_shuffled(generator, n):
    a = np.arange(n)
    generator.shuffle(a)
    return a


@pytest.mark.parametrize("make", [np.random.default_rng, np.random.RandomState])
def test_lists_are_shuffled_by_numpys_generators(run_both, make):
    def program(a, b, n):
        return shuffled_lists(make(5), a, b), many_shuffled(make(5), n)

    run_both(program, [3, 1, 2, 5, 4], [[1], [2], [3]], 40_000)


def test_lists_are_shuffled_by_numpys_global_generator(run_both):
    run_both(shuffled_globally, [3, 1, 2, 5, 4])


def integers_of_python(low, high, k, items, last):
    found = []
    for _ in range(40):
        found.append(random.randint(low, high))
        found.append(random.randrange(high))
        found.append(random.randrange(low, high))
        found.append(random.getrandbits(k))
        found.append(random.getrandbits(63))
        found.append(random.choice(items))
        found.append(random.randint(0, 2**63 - 1))
        found.append(random.randint(-last, last))
    return found


@pytest.mark.parametrize(("low", "high", "k"), ((0, 1, 32), (-5, 100, 1), (1, 2**40, 5), (7, 8, 0)))
def test_integers_of_pythons_generator_are_those_that_python_draws(low, high, k):
    items = [3, 1, 2]
    random.seed(5)
    expected, state = integers_of_python(low, high, k, items, 2**63 - 1), random.getstate()
    random.seed(5)
    assert cl.jit(integers_of_python)(low, high, k, items, 2**63 - 1) == expected
    assert random.getstate() == state


def from_range(low, high):
    return random.randint(low, high)


def below_of_python(high):
    return random.randrange(high)


def bits(k):
    return random.getrandbits(k)


@pytest.mark.parametrize(("function", "given"), ((from_range, (3, 1)), (below_of_python, (0,)), (bits, (-1,))))
def test_ranges_without_numbers_are_refused_in_pythons_words(function, given):
    with pytest.raises(ValueError) as expected:
        function(*given)
    with pytest.raises(ValueError) as found:
        cl.jit(function)(*given)
    assert str(found.value) == str(expected.value)
