"""Functions that ``exec`` made, whose text only the program has."""

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


def test_a_text_that_nobody_has():
    function = made("def forgotten(x):\n    return x + {}\n".format(3), "forgotten")
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
