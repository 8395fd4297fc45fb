"""Functions that ``exec`` made, whose text only the program has, or nobody."""

import textwrap

import numpy as np
import pytest

import colocate as cl
from colocate._executed_text import lines_of

TEXT = """
    def indented(x, n):
        for i in range(n):
            x = x + i
        return x
"""

LINE = "def one_line(a): return a * 2 + 1"


def made(text, name):
    names = {"np": np}
    exec(text, names)
    return names[name]


def test_texts_of_modules_and_variables():
    function = made(textwrap.dedent(TEXT), "indented")
    assert cl.jit(function)(1.5, 4) == function(1.5, 4)
    function = made(LINE, "one_line")
    assert np.array_equal(cl.jit(function)(np.arange(3)), [1, 3, 5])
    text = "def inner(x):\n    return np.sqrt(x)\ndef outer(x):\n    return inner(x) + 1\n"
    assert cl.jit(made(text, "outer"))(9.0) == 4.0


def test_several_functions_of_one_name():
    one = made("def same(x):\n    return x + 1\n", "same")
    other = made("def same(x):\n    return x + 2\n", "same")
    assert (cl.jit(one)(1), cl.jit(other)(1)) == (2, 3)


def test_kernels_too():
    text = "import colocate as cl\ndef double(a):\n    a[cl.get_global_id(0)] *= 2\n"
    names = {}
    exec(text, names)
    x = cl.ones(4)
    cl.kernel(names["double"])(x).wait()
    assert x.tolist() == [2, 2, 2, 2]


BODIES = [
    "return x + 3",
    "'Says what it does.'\n    y = x * 2\n    return y",
    "y = z = x + 1\n    y += z\n    return y, z",
    "np.add(x, 1, x)",
    "for i in range(len(x)):\n        x[i] += i\n        x[i:] *= 2\n    return x",
    "for i, (a, b) in enumerate(zip(x, x[::-1])):\n        if a > b:\n            x[i] = b\n    return x",
    "if x[0] > 0:\n        y = 1\n    else:\n        y = 2\n    return y",
    "if x.size > 2:\n        return x.sum(axis=0)\n    return np.max(x)",
    "(a, b), c = (x[0], x[1]), x[2]\n    a, b = b, a\n    return a, b, c",
    "a, b, c = x\n    c, a, b = a, b, c\n    return [a, b, c]",
    "d = {'a': x[0], 'b': x[1]}\n    s = {1, 2, 3}\n    s.add(4)\n    return d, s, [1, 2, 3]",
    "pass",
]


@pytest.mark.parametrize("body", BODIES)
def test_functions_of_which_only_the_code_is_left(run_both, body):
    run_both(made("".join(["de", "f left(x):\n    ", body]), "left"), np.array([3.0, 1.0, 2.0]))


def test_defaults_and_starred_parameters_of_functions_of_which_only_the_code_is_left():
    function = made("".join(["de", "f left(x, *rest, scale=2):\n    return scale * np.hypot(x, *rest)"]), "left")
    assert cl.jit(function)(3.0, 4.0) == 10.0
    assert cl.jit(function)(3.0, 4.0, scale=1) == 5.0


def test_kernels_of_which_only_the_code_is_left():
    function = made("".join(["de", "f left(a):\n    a[cl.get_global_id(0)] *= 2\n"]), "left")
    function.__globals__["cl"] = cl
    x = cl.ones(4)
    cl.kernel(function)(x).wait()
    assert x.tolist() == [2, 2, 2, 2]


def test_numba_functions_of_which_only_the_code_is_left():
    numba = pytest.importorskip("numba")
    function = numba.njit(made("".join(["de", "f left(x):\n    return np.sqrt(x)"]), "left"))
    # A warning would say that it is left to Numba.
    with cl.device_context("native:cpu"):
        assert function(np.array([4.0])) == [2.0]


def test_a_text_that_nobody_has_and_a_code_that_is_not_read():
    function = made("def forgotten(x):\n    while x < {}:\n        x += 1\n    return x".format(3), "forgotten")
    assert lines_of(function.__code__) == []
    with pytest.raises(cl.CompileError, match="is not available"):
        cl.jit(function)(1)


@pytest.mark.parametrize(
    "body",
    [
        "a + b",
        "-a * 2 - b ** 2",
        "a < b",
        "np.where(a > b, a, b)",
        "np.sum(a, axis=0) + b[0]",
        "a[1:] * b[:-1]",
        "a[None, :] @ b[:, None]",
        "a[..., 0]",
        "(a.sum(), b.max())",
        "np.linalg.norm(a)",
        "[a.size, b.size]",
        "3",
    ],
)
def test_lambdas_of_which_only_the_code_is_left(run_both, body):
    run_both(_evaluated(body), np.arange(3.0), np.array([2.0, 0.5, 1.0]))


def _evaluated(body):
    return eval("".join(["lam", "bda a, b: ", body]), {"np": np})


def test_lambdas_that_choose_are_refused_without_their_text():
    with pytest.raises(cl.CompileError, match="not available"):
        cl.jit(_evaluated("a if a else b"))(1, 2)


def test_a_set_that_was_loaded_in_another_order_is_the_same():
    text = "def f(x):\n    return x in {'alpha', 'beta', 'gamma', 'delta', 'eps', 'zeta', 'eta'}\n"
    function = made(text, "f")
    constants = [
        frozenset(sorted(one, reverse=True)) if isinstance(one, frozenset) else one
        for one in function.__code__.co_consts
    ]
    function.__code__ = function.__code__.replace(co_consts=tuple(constants))
    assert cl.jit(function)("beta")
