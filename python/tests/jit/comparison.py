"""Runs a program as plain Python and compiled, on twins of the same arguments, and compares all that is seen of it."""

import contextlib
import os

import numpy as np

import colocate as cl

# With this set the programs are only run as plain Python, twice: do the tests say what they mean?
PLAIN = os.environ.get("COLOCATE_JIT_TESTS_PLAIN") == "1"
if PLAIN and not hasattr(cl, "prange"):
    cl.prange = range


def twin(value, known=None):
    """A copy with the same strides in memory, and with the same memory shared among its parts."""
    known = {} if known is None else known
    if isinstance(value, np.ndarray):
        return _array_twin(value, known)
    if isinstance(value, list):
        return [twin(one, known) for one in value]
    if isinstance(value, set):
        return set(value)
    if isinstance(value, dict):
        return {key: twin(one, known) for key, one in value.items()}
    if isinstance(value, tuple):
        parts = [twin(one, known) for one in value]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value.copy() if isinstance(value, np.void) else value


def _array_twin(array, known):
    base = array
    while isinstance(base.base, np.ndarray):
        base = base.base
    memory, _ = known.setdefault(id(base), (base.copy(order="K").ravel(order="K"), base))
    if memory.size == 0:
        return array.copy()
    offset = array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    copy = np.ndarray(array.shape, array.dtype, memory, offset, array.strides)
    copy.flags.writeable = array.flags.writeable
    return copy.view(type(array))


def _tolerance(dtype, rtol, single=False):
    if np.dtype(dtype).kind not in "fc":
        return None
    return rtol or (1e-5 if single or np.finfo(dtype).dtype == np.float32 else 1e-10)


def same(expected, actual, what="result", rtol=None):
    """Raises unless both are equal: exactly if they are integers, up to rounding if they are not."""
    if isinstance(expected, np.ndarray) and expected.ndim + isinstance(actual, np.ndarray) > 0:
        assert isinstance(actual, np.ndarray), f"{what}: {type(actual).__name__} in place of an array"
        assert actual.shape == expected.shape, f"{what}: shape {actual.shape} in place of {expected.shape}"
        assert actual.dtype == expected.dtype, f"{what}: {actual.dtype} in place of {expected.dtype}"
        _close(expected, actual, what, _tolerance(expected.dtype, rtol))
    elif isinstance(expected, (list, tuple)):
        assert isinstance(actual, type(expected)), f"{what}: {type(actual).__name__}, {type(expected).__name__} wanted"
        assert len(actual) == len(expected), f"{what}: {len(actual)} parts in place of {len(expected)}"
        for number, (one, other) in enumerate(zip(expected, actual, strict=True)):
            same(one, other, f"{what}[{number}]", rtol)
    elif isinstance(expected, dict):
        assert list(actual) == list(expected), f"{what}: the keys {list(actual)} in place of {list(expected)}"
        for key, value in expected.items():
            same(value, actual[key], f"{what}[{key!r}]", rtol)
    elif isinstance(expected, (bool, int, float, complex, np.generic, np.ndarray)):
        kinds = np.asarray(expected).dtype.kind, np.asarray(actual).dtype.kind
        assert kinds[0].replace("u", "i") == kinds[1].replace("u", "i"), f"{what}: {actual!r} in place of {expected!r}"
        single = any(isinstance(one, (np.float32, np.complex64)) for one in (expected, actual))
        _close(np.asarray(expected), np.asarray(actual), what, _tolerance(np.asarray(expected).dtype, rtol, single))
    else:
        assert actual == expected, f"{what}: {actual!r} in place of {expected!r}"


def _close(expected, actual, what, rtol):
    if rtol is None:
        np.testing.assert_array_equal(actual, expected, err_msg=what)
        return
    size = np.abs(expected[np.isfinite(expected)]).max(initial=0)
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=rtol * 1e-2 * size, err_msg=what)


def outcome(function, arguments, keywords):
    """What a call returns or raises: ``(value, None)`` or ``(None, exception)``."""
    with np.errstate(all="ignore"):
        try:
            return function(*arguments, **keywords), None
        except Exception as error:
            return None, error


class Runner:
    """Runs programs in one place: ``host``, or inside the context of a device."""

    def __init__(self, place):
        self.place = place

    def jit(self, function, **options):
        """The compiled function, or while only the tests are tried, the function itself."""
        return function if PLAIN else cl.jit(function, **options)

    def context(self):
        """What a call stands in."""
        if self.place == "host" or PLAIN:
            return contextlib.nullcontext()
        return cl.device_context(self.place, cost_model=False)

    def __call__(self, function, *arguments, rtol=None, options=None, **keywords):
        """Compares what both return and what becomes of the arguments; returns what the jit function returned."""
        expected, actual = self.outcomes(function, arguments, keywords, options or {})
        for _, _, _, error in (expected, actual):
            if error is not None:
                raise error
        for what, one, other in zip(("arguments", "keywords", "result"), expected[:3], actual[:3], strict=True):
            same(one, other, what, rtol)
        return actual[2]

    def raises(self, kind, function, *arguments, options=None, **keywords):
        """Both must raise such an exception; returns plain Python's and the jit function's."""
        (*_, wanted), (*_, result, raised) = self.outcomes(function, arguments, keywords, options or {})
        assert type(wanted) is kind, f"the test is wrong: plain Python ends with {wanted!r}"
        assert raised is not None, f"{wanted!r} is not raised; the result is {result!r}"
        if not isinstance(raised, kind):
            raise raised
        return wanted, raised

    def outcomes(self, function, arguments, keywords, options):
        """For plain Python and for the jit function: arguments, keywords, result, exception."""
        ends = []
        for context, program in (
            (contextlib.nullcontext(), function),
            (self.context(), self.jit(function, **options)),
        ):
            own_arguments, own_keywords = twin((arguments, tuple(keywords.values())))
            with context:
                result, error = outcome(program, own_arguments, dict(zip(keywords, own_keywords, strict=True)))
            ends.append((own_arguments, own_keywords, result, error))
        return ends
