"""Array programs that nobody thought of: random expressions, slices, assignments and reductions."""

import linecache
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import colocate as cl

from .comparison import PLAIN, Runner
from .samples import LAYOUTS, numbers

EXAMPLES = int(os.environ.get("COLOCATE_RANDOM_PROGRAMS", "60"))
SETTINGS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)

UNARY = (
    "np.sin({})",
    "np.exp(-np.abs({}))",
    "np.sqrt(np.abs({}))",
    "-{}",
    "np.abs({})",
    "np.tanh({})",
    "np.square({})",
)
BINARY = (
    "({} + {})",
    "({} - {})",
    "({} * {})",
    "np.maximum({}, {})",
    "({} / (2 + np.abs({})))",
    "np.where({} > 0, {}, 0.5)",
)
SCALARS = (
    "{}.sum()",
    "{}.max()",
    "{}.min()",
    "np.mean({})",
    "np.sum({} > 0)",
    "np.argmax({} > 0)",
    "np.prod(np.sign({}))",
)
BY_AXIS = ("{}.sum(axis={})", "{}.max(axis={})", "np.mean({}, axis={})", "np.any({} > 1, axis={})")
KINDS = (
    "bind",
    "bind",
    "in_place",
    "part",
    "part_in_place",
    "mask",
    "reduce",
    "axis",
    "view",
    "loop",
    "branch",
    "copy",
)
DTYPES = ("float64", "float32", "int64", "int32", "uint8", "bool", "complex128")


@st.composite
def slices(draw, extent):
    """A slice that leaves something."""
    start = draw(st.integers(0, extent - 1))
    stop = draw(st.integers(start + 1, extent))
    step = draw(st.sampled_from((1, 1, 2, 3, -1, -2)))
    if step > 0:
        return f"{start}:{stop}:{step}", len(range(start, stop, step))
    first = stop - 1
    return (
        (f"{first}::{step}", len(range(first, -1, step)))
        if start == 0
        else (
            f"{first}:{start - 1}:{step}",
            len(range(first, start - 1, step)),
        )
    )


@st.composite
def expressions(draw, names, depth):
    """An expression of arrays of one shape."""
    if depth == 0:
        leaf = draw(st.sampled_from((*names, "number")))
        return str(draw(st.sampled_from((2, 0.5, -1.25, 3)))) if leaf == "number" else leaf
    if draw(st.booleans()):
        return draw(st.sampled_from(UNARY)).format(draw(expressions(names, depth - 1)))
    return draw(st.sampled_from(BINARY)).format(
        draw(expressions(names, depth - 1)), draw(expressions(names, depth - 1))
    )


@st.composite
def programs(draw):
    """The source of a function of a, b (matrices) and v (a row), with statements that read and write them."""
    rows, columns = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    lines, names, results = [], ["a", "b", "v"], []
    for number in range(draw(st.integers(1, 6))):
        expression = draw(expressions(names, draw(st.integers(0, 3))))
        kind = draw(st.sampled_from(KINDS))
        name = f"t{number}"
        if kind == "bind":
            lines.append(f"{name} = a * 0 + {expression}")
            names.append(name)
        elif kind == "in_place":
            lines.append(f"a {draw(st.sampled_from(('+=', '-=', '*=')))} {expression}")
        elif kind in ("part", "part_in_place"):
            cut, length = draw(slices(rows))
            shift = draw(st.integers(0, rows - length))
            operator = "=" if kind == "part" else "+="
            lines.append(f"a[{cut}] {operator} (b * 1 + {expression})[{shift}:{shift + length}]")
        elif kind == "mask":
            lines.append(f"a[a > {draw(st.sampled_from((0, 0.5, -1)))}] = {draw(st.sampled_from((0.25, 2, -3)))}")
        elif kind == "reduce":
            lines.append(f"{name} = {draw(st.sampled_from(SCALARS)).format(f'(b + {expression})')}")
            names.append(name)
            results.append(name)
        elif kind == "axis":
            axis = draw(st.sampled_from((0, 1, -1)))
            lines.append(f"{name} = {draw(st.sampled_from(BY_AXIS)).format(f'(b + {expression})', axis)}")
            results.append(name)
        elif kind == "view":
            cut, _ = draw(slices(rows))
            other, _ = draw(slices(columns))
            lines.append(f"{name} = a[{cut}, {other}]")
            lines.append(f"{name} {draw(st.sampled_from(('+=', '*=')))} 0.5")
            results.append(f"{name} * 1")
        elif kind == "loop":
            lines.append(f"for i in range({draw(st.integers(0, 3))}):")
            lines.append(f"    a += i * 0.25 + {expression}")
        elif kind == "branch":
            lines.append(f"if (b + {expression}).sum() > 0:")
            lines.append("    a *= 0.5")
            lines.append("else:")
            lines.append("    a = a - 0.25")
        else:
            lines.append(f"{name} = a.copy()")
            lines.append("a[0] = v")
            names.append(name)
    body = "\n    ".join(lines)
    last = draw(expressions(names, 2))
    source = f"def program(a, b, v):\n    {body}\n    return a, {last}, {', '.join(results) or '0'}\n"
    layouts = draw(st.tuples(*[st.sampled_from(sorted(LAYOUTS))] * 2))
    dtype = draw(st.sampled_from(("float64", "float64", "float32")))
    other = draw(st.sampled_from(DTYPES[:5]))
    return source, (rows, columns), layouts, (dtype, other)


def function_of(source):
    """The function, with its source where tools look for it."""
    file = f"<random program {hash(source)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    space = {"np": np}
    exec(compile(source, file, "exec"), space)
    return space["program"]


def run(place, drawn):
    source, shape, layouts, dtypes = drawn
    a = LAYOUTS[layouts[0]](numbers(shape, dtypes[0]))
    b = LAYOUTS[layouts[1]](numbers(shape, dtypes[1], seed=1))
    v = numbers(shape[1], "float64", seed=2)
    try:
        with np.errstate(all="ignore"):
            expected = function_of(source)(a.copy(), b.copy(), v.copy())
    except (TypeError, ValueError, OverflowError):
        return
    parts = [part for part in (expected if isinstance(expected, tuple) else (expected,)) if np.ndim(part) > 0]
    if any(not np.all(np.isfinite(part)) or np.any(np.abs(part) > 1e12) for part in parts):
        return
    # Rounding differs in the last digit, and programs make it grow.
    Runner(place)(function_of(source), a, b, v, rtol=2e-3 if "float32" in dtypes else 1e-7)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@given(programs())
@SETTINGS
def test_random_programs_on_the_host(drawn):
    run("host", drawn)


def absence(selector):
    """Why there is no such device; nothing if there is one."""
    try:
        cl.Device(selector)
    except cl.DeviceNotFoundError as error:
        return str(error)
    return ""


@pytest.mark.skipif(PLAIN, reason="the same as on the host")
@pytest.mark.skipif(bool(absence("opencl:cpu")), reason=absence("opencl:cpu"))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@given(programs())
@SETTINGS
def test_random_programs_on_a_device(drawn):
    run("opencl:cpu", drawn)
