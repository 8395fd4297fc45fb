"""Random kernels, made as source text, compute what Python computes."""

import itertools
import math

import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from kernel_simulator import check, copy_of, define, simulate

N = 19
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint32")
FLOATS = ("float32", "float64")


class Writer:
    """Writes kernels.

    Every variable keeps one type, and the branches of an expression have the same one, so that joined
    types cannot differ from those of the values. Python's integers stay far below 64 bits. What is
    left that Python raises for (divisions by zero, numbers that do not fit) is skipped by the test.
    """

    def __init__(self, rng, depth=2):
        self.rng = rng
        self.depth = depth
        self.numbers = itertools.count()
        self.narrow = rng.choice(INTEGERS)
        self.counters = []
        self.arrays = True

    def pick(self, *choices):
        return self.rng.choice(choices)

    def chance(self, probability):
        return self.rng.random() < probability

    # Expressions of integers come with what they are: "small" for Python's from 0 to 127, which fit
    # every dtype, "weak" for others of Python's, "strong" for NumPy's.

    def integer(self, depth=0):
        if depth > 1 or self.chance(0.35):
            return self.integer_leaf()
        kind = self.rng.randrange(9)
        if kind < 4:
            return self.integer_operation(depth)
        if kind == 4:
            text, strength = self.integer(depth + 1)
            return f"{self.pick('-', '~')}({text})", "weak" if strength == "small" else strength
        a, b = self.integer(depth + 1)[0], self.integer(depth + 1)[0]
        if kind == 5:
            return f"{self.pick('min', 'max')}(int({a}), int({b}))", "weak"
        if kind == 6:
            return f"(int({a}) if {self.condition(depth + 1)} else int({b}))", "weak"
        if kind == 7:
            return f"(int({a}) {self.pick('and', 'or')} int({b}))", "weak"
        return f"int({self.condition(depth + 1)})", "small"

    def integer_leaf(self):
        small = [
            ("v0", "small"),
            ("v1", "small"),
            ("i", "small"),
            ("p", "small"),
            (str(self.rng.randrange(21)), "small"),
        ]
        small += [(name, "small") for name in self.counters]
        strong = [("n0", "strong"), *self.elements("a"), *self.elements("b")]
        return self.rng.choice(small + strong)

    def elements(self, array):
        if not self.arrays:
            return []
        index = self.pick("i", "-1 - i", "(i + 1) % 19", "v0 % 19", "-(v1 % 19)", "i // 2")
        return [(f"{array}[{index}]", "strong")]

    def integer_operation(self, depth):
        (a, left), (b, right) = self.integer(depth + 1), self.integer(depth + 1)
        if "strong" in (left, right):
            a = f"np.int64({a})" if left == "weak" else a
            b = f"np.int64({b})" if right == "weak" else b
        strength = "strong" if "strong" in (left, right) else "weak"
        op = self.pick("+", "-", "*", "&", "|", "^", "//", "%", "<<", ">>")
        if op in ("//", "%"):
            b = self.pick("3", "7", "16", f"({b} | 1)")
        if op in ("<<", ">>"):
            b = f"({b} & 3)"
        return f"({a} {op} {b})", strength

    def floating(self, depth=0):
        if depth > 1 or self.chance(0.35):
            leaves = ["f0", "f1", "q", "m0", "0.1", "2.5", "1e3", self.integer_leaf()[0]]
            return self.rng.choice(leaves + [text for text, _ in self.elements("c")])
        a, b = self.floating(depth + 1), self.floating(depth + 1)
        kind = self.rng.randrange(8)
        if kind < 3:
            return f"({a} {self.pick('+', '-', '*')} {b})"
        if kind == 3:
            return f"({a} {self.pick('/', '//', '%')} {self.pick('0.75', '3', f'(abs({b}) + 0.5)')})"
        if kind == 4:
            return f"{self.pick('-', '')}{self.pick('abs', 'np.floor', 'float', 'np.float32', 'np.sign')}({a} + 0.0)"
        if kind == 5:
            return f"{self.pick('min', 'max')}(float({a}), float({b}))"
        if kind == 6:
            return f"(float({a}) if {self.condition(depth + 1)} else float({b}))"
        return f"{self.pick('math', 'np')}.sqrt(abs({a} + 0.0))"

    def condition(self, depth=0):
        kind = self.rng.randrange(7)
        if depth > 2 or kind < 4:
            make = self.pick(lambda d: self.integer(d)[0], self.floating)
            return f"{make(depth + 1)} {self.pick('<', '<=', '==', '!=', '>', '>=')} {make(depth + 1)}"
        if kind == 4:
            return f"({self.condition(depth + 1)} {self.pick('and', 'or')} {self.condition(depth + 1)})"
        if kind == 5:
            return f"not ({self.condition(depth + 1)})"
        return " < ".join(self.integer(depth + 1)[0] for _ in range(3))

    def block(self, depth, loop, function):
        statements = [self.statement(depth, loop, function) for _ in range(self.rng.randrange(1, self.depth + 1))]
        return [f"    {line}" for line in itertools.chain(*statements)]

    def statement(self, depth, loop, function):
        kind = self.rng.randrange(12)
        if depth > self.depth or kind < 5:
            return [self.assignment(function)]
        if kind < 8:
            lines = [f"if {self.condition()}:", *self.block(depth + 1, loop, function)]
            if self.chance(0.3):
                lines += [f"elif {self.condition()}:", *self.block(depth + 1, loop, function)]
            if self.chance(0.5):
                lines += ["else:", *self.block(depth + 1, loop, function)]
            return lines
        if kind < 10:
            return self.loop(depth, loop, function)
        if kind == 10 and loop:
            return [f"if {self.condition()}:", f"    {self.pick('break', 'continue')}"]
        if function:
            return [f"if {self.condition()}:", f"    return int({self.integer()[0]}) % 100"]
        return [self.assignment(function)]

    def assignment(self, function):
        kind = self.rng.randrange(8)
        v = self.pick("v0", "v1")
        if kind < 2:
            return f"{v} = int({self.integer()[0]}) % 100"
        if kind == 2:
            return f"v0, v1 = int({self.integer()[0]}) % 100, v0"
        if kind == 3:
            return f"n0 = np.{self.narrow}(np.int64({self.integer()[0]}))"
        if kind == 4:
            return f"m0 = np.float32({self.floating()})"
        if kind == 5:
            return f"{self.pick('f0', 'f1')} {self.pick('=', '+=', '-=')} float({self.floating()})"
        if function:
            return f"{v} = (v0 * 3 + v1) % 100"
        if kind == 6:
            return f"{v} = helper(v1, int({self.integer()[0]}) % 50)"
        return f"ints[2, i] {self.pick('=', '+=', '^=')} int({self.integer()[0]}) % 1000"

    def loop(self, depth, loop, function):
        name = f"k{next(self.numbers)}"
        if self.chance(0.3):
            lines = [f"{name} = 0", f"while {name} < {self.rng.randrange(1, 5)} and {self.condition()}:"]
            lines.append(f"    {name} += 1")
        elif self.chance(0.2):
            lines = [f"for {name} in {self.pick('(1, 5, 2)', '(v0, 3, v1)')}:"]
        else:
            bounds = self.pick("3", "v0 % 5", "1, 6, 2", "5, 0, -2", "v1 % 4, 6", "0")
            lines = [f"for {name} in range({bounds}):"]
        self.counters.append(name)
        lines += self.block(depth + 1, True, function)
        self.counters.pop()
        if self.chance(0.2):
            lines += ["else:", *self.block(depth + 1, loop, function)]
        return lines

    def program(self):
        self.arrays = False
        lines = ["def helper(v0, v1):", "    i, p, q, f0, f1 = v1, 3, 0.5, 1.5, 0.0", f"    n0 = np.{self.narrow}(5)"]
        lines += ["    m0 = np.float32(0.1)", *self.block(1, False, True), "    return (v0 + v1) % 100"]
        self.arrays = True
        lines += ["@cl.kernel", "def kernel(a, b, c, p, q, ints, floats):", "    i = cl.get_global_id(0)"]
        lines += ["    v0, v1 = i, 7", "    f0, f1 = float(c[i]), q"]
        lines += [f"    n0 = np.{self.narrow}(a[i])", "    m0 = np.float32(c[i])"]
        for _ in range(3):
            lines += self.block(0, False, False)
        lines += ["    ints[0, i] = v0", "    ints[1, i] = v1", "    ints[3, i] = n0"]
        lines += ["    floats[0, i] = f0", "    floats[1, i] = f1", "    floats[2, i] = m0"]
        return "\n".join(lines) + "\n"


def arguments(rng):
    """Arguments with values at the edges of narrow dtypes and ordinary ones."""
    a, b = (np.dtype(rng.choice(INTEGERS)) for _ in range(2))
    values = [rng.randrange(-100, 128) for _ in range(2 * N)]
    arrays = []
    for dtype, part in ((a, values[:N]), (b, values[N:])):
        limits = np.iinfo(dtype)
        array = np.array([max(value, limits.min) for value in part], dtype)
        if dtype.itemsize < 4:
            array[rng.randrange(N)] = limits.max
        arrays.append(array)
    c = np.array([rng.randrange(-40, 40) / 8 for _ in range(N)], rng.choice(FLOATS))
    return *arrays, c, rng.randrange(50), rng.choice([0.5, -1.25, 3.0]), np.zeros((4, N), np.int64), np.zeros((3, N))


@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(rng=st.randoms(use_true_random=False))
def test_a_random_kernel_computes_what_python_computes(device, rng):
    kernel, given = define(Writer(rng).program(), "kernel", math=math), arguments(rng)
    try:
        simulate(kernel, (N,), *(copy_of(argument) for argument in given))
    except (ZeroDivisionError, OverflowError, ValueError, TypeError):
        assume(False)
    check(device, kernel, N, *given)
