"""The decorators ``jit`` and ``njit``: the options that Numba's have, each honoured or refused with a reason.

The functions that they make are ``_native.JitFunction``; one with signatures is a :class:`TypedJitFunction` around it.
"""

import functools
import types

from colocate import _native, _signatures
from colocate._errors import InvalidArgumentError
from colocate._generated import function_from

__all__ = [
    "TypedJitFunction",
    "jit",
    "njit",
    "prange",
]

# What a set for fastmath= must hold to permit all that fast mathematics here makes use of.
_FAST = frozenset({"nsz", "arcp", "contract", "reassoc"})
_FAST_FLAGS = _FAST | {"nnan", "ninf", "afn", "fast"}

# Options that change nothing here, whatever they say, and why.
_WITHOUT_EFFECT = {
    "cache": "compiled code is always kept on disk",
    "nogil": "Python's lock is always let go while long work runs",
    "inline": "the compiler decides",
    "debug": "errors name lines of the source in any case",
}

# Options that are refused if they are set, and why.
_REFUSED = {
    "forceobj": "there is no object mode; leave the decorator away to run a function in Python",
    "looplift": "there is no object mode whose loops could be lifted",
    "locals": "types follow from values; write x = numpy.float32(...) where x is assigned",
    "pipeline_class": "colocate does not use Numba's compiler",
}

_OPTIONS = ("nopython", "fastmath", "parallel", "error_model", "boundscheck", "target")


def _check_flag(name, value, *others):
    if value is None or isinstance(value, bool) or value in others:
        return
    raise InvalidArgumentError(f"{name}={value!r}: write True or False")


def _fast_math(value):
    if isinstance(value, set | frozenset | list | tuple):
        unknown = sorted(set(value) - _FAST_FLAGS)
        if unknown:
            raise InvalidArgumentError(f"fastmath has {unknown[0]!r}; there are {', '.join(sorted(_FAST_FLAGS))}")
        # A permission for less is kept by computing strictly.
        return "fast" in value or set(value) >= _FAST
    if isinstance(value, dict):
        return _fast_math({name for name, on in value.items() if on})
    _check_flag("fastmath", value)
    return bool(value)


def _parallel(value):
    if isinstance(value, dict):
        # Numba's dictionary switches kinds of regions on and off; here the compiler decides on each.
        return any(value.values()) if value else True
    _check_flag("parallel", value)
    return value


def _native_options(options):
    """What ``_native.JitFunction`` takes, from the options of a decorator."""
    for name, why in _REFUSED.items():
        if options.get(name):
            raise InvalidArgumentError(f"{name}={options[name]!r}: {why}")
    known = {*_OPTIONS, *_REFUSED, *_WITHOUT_EFFECT}
    for name in options:
        if name not in known:
            raise TypeError(f"jit has no option {name!r}; there are {', '.join(sorted(known - set(_REFUSED)))}")
    if options.get("nopython") not in (None, True):
        raise InvalidArgumentError("nopython=False: there is no object mode to fall back to (R5.9)")
    if options.get("target") not in (None, "cpu"):
        raise InvalidArgumentError(
            f"target={options['target']!r}: a jit function names no device; call it with arrays of one, or in "
            "colocate.device_context(...) (R5.3)"
        )
    inline = options.get("inline", "never")
    if inline not in ("never", "always") and not callable(inline):
        raise InvalidArgumentError(f"inline={inline!r}: write 'never' or 'always'")
    error_model = options.get("error_model", "python")
    if error_model not in ("python", "numpy"):
        raise InvalidArgumentError(f"error_model={error_model!r}: write 'python' or 'numpy'")
    boundscheck = options.get("boundscheck")
    _check_flag("boundscheck", boundscheck)
    return {
        "fastmath": _fast_math(options.get("fastmath", False)),
        "parallel": _parallel(options.get("parallel")),
        "boundscheck": boundscheck,
        "error_model": error_model,
    }


def _converting_text(function, signature):
    """A function that converts its arguments and its result as the signature says, for callers that are compiled."""
    code = function.__code__
    parameters = code.co_varnames[: code.co_argcount]
    names = {"_function": function}
    # That of a lambda is no name.
    name = function.__name__ if function.__name__.isidentifier() else "converting"
    lines = [f"def {name}({', '.join(parameters)}):"]

    def converted(value, kind):
        if not isinstance(kind, _signatures.Scalar):
            return value
        names[f"_{kind}"] = kind.dtype.type
        return f"_{kind}({value})"

    arguments = [converted(*pair) for pair in zip(parameters, signature.arguments, strict=True)]
    call = f"_function({', '.join(arguments)})"
    lines.append(
        f"    {call}"
        if signature.result == _signatures.Nothing()
        else f"    return {converted(call, signature.result)}"
    )
    return function_from(name, "\n".join(lines) + "\n", names)


class TypedJitFunction:
    """A jit function with explicit signatures: it takes what fits one of them, and converts numbers.

    Made by :func:`jit` with a signature. ``signatures`` has them as text.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.jit("float32(int64)")
    ... def half(x):
    ...     return x / 2
    >>> half.signatures
    ['float32(int64)']
    """

    def __init__(self, function, signatures, options):
        positional = function.__code__.co_argcount
        for one in signatures:
            if len(one.arguments) != positional:
                raise InvalidArgumentError(
                    f"the signature {one} is for {len(one.arguments)} arguments, "
                    f"but {function.__name__} takes {positional}"
                )
        self._signatures = signatures
        self._jit = _native.JitFunction(function, **options)
        functools.update_wrapper(self, function)
        self.py_func = function
        self._text = function if len(signatures) > 1 else _converting_text(function, signatures[0])

    @property
    def signatures(self):
        """The signatures, as text.

        Examples
        --------
        >>> import colocate as cl
        >>> @cl.jit(["f8(f8)", "i8(i8)"])
        ... def twice(x):
        ...     return 2 * x
        >>> twice.signatures
        ['float64(float64)', 'int64(int64)']
        """
        return [str(one) for one in self._signatures]

    @property
    def _colocate_text(self):
        """What a compiled caller calls."""
        return self._text

    def _bound(self, args, kwargs):
        """The signature that fits best, and the converted arguments."""
        if kwargs or len(args) != self.py_func.__code__.co_argcount:
            import inspect

            bound = inspect.signature(self.py_func).bind(*args, **kwargs)
            bound.apply_defaults()
            args = bound.args
        fits = [(fit, one) for one in self._signatures if (fit := one.fit(args)) is not None]
        if not fits:
            given = ", ".join(map(_described, args))
            raise TypeError(f"{self.__name__}({given}): no signature fits; there are {', '.join(self.signatures)}")
        best = min(fits, key=lambda pair: pair[0])[1]
        return best, best.convert(args)

    def __call__(self, *args, **kwargs):
        signature, converted = self._bound(args, kwargs)
        result = self._jit(*converted)
        if signature.result is None:
            return result
        if signature.result.fit(result) is None and signature.result != _signatures.Nothing():
            raise TypeError(f"{self.__name__} returned {_described(result)}, but its signature is {signature}")
        return signature.result.convert(result)

    def explain(self, *args, device=None, **kwargs):
        """As :meth:`JitFunction.explain`, for arguments as the signature has them.

        Examples
        --------
        >>> import colocate as cl
        >>> @cl.jit("float64(float64)")
        ... def half(x):
        ...     return x / 2
        >>> "half" in half.explain(3)
        True
        """
        return self._jit.explain(*self._bound(args, kwargs)[1], device=device)

    def __getattr__(self, name):
        return getattr(self._jit, name)

    def __repr__(self):
        return f"<colocate.TypedJitFunction {self.__name__}: {', '.join(self.signatures)}>"


def _described(value):
    """An argument's type for a message."""
    shape = getattr(value, "ndim", 0)
    if shape:
        return f"{value.dtype}[{', '.join(':' * shape)}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_described, value))})"
    return type(value).__name__


def _function_under(decorated):
    """The Python function under whatever a decorator may be given, or None."""
    if isinstance(decorated, functools._lru_cache_wrapper):
        # Its own memory goes around the compiled function; the compiler sees from the text that it has one.
        decorated = decorated.__wrapped__
    if isinstance(decorated, types.FunctionType):
        return decorated
    inner = getattr(decorated, "py_func", None)
    return inner if isinstance(inner, types.FunctionType) else None


def _remembering(decorated, made):
    """A jit function with the memory that the function under it was given."""
    if isinstance(decorated, functools._lru_cache_wrapper):
        return functools.lru_cache(**decorated.cache_parameters())(made)
    return made


def jit(signature_or_function=None, **options):
    """Makes a Python function one whose data-parallel parts run wherever the data or the context says.

    On NumPy arrays it runs on the host, on all its cores; on device arrays, on their queue; inside a
    :func:`device_context`, on that device (R5.1, R5.2). The options are Numba's. Each is honoured, or refused with a
    reason; ``docs/jit.md`` has the table.

    Parameters
    ----------
    signature_or_function : a Python function, or a signature
        Without a signature, the function is compiled for the types of the arguments it is called with, once for each
        combination and kind of device. With one, such as ``"float64(float64[:], int64)"``, or a list of them, it takes
        what fits, and numbers are converted.
    fastmath : bool or set of str
        Let the compiler re-associate and contract floating-point operations, and assume that there are no NaN and
        infinities.
    parallel : bool, optional
        ``False`` makes it serial; such a function is refused inside a device context, unless the context says
        otherwise (R5.4).
    error_model : {"python", "numpy"}
        Whether a number divided by zero raises, or gives an infinity.
    boundscheck : bool, optional
        Whether indices are checked.
    nopython, cache, nogil, inline, debug
        Accepted; what they ask for is always so.

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> @cl.jit
    ... def norm(x):
    ...     return np.sqrt(np.sum(x * x))
    >>> float(norm(np.array([3.0, 4.0])))
    5.0
    """
    function = _function_under(signature_or_function)
    if function is not None:
        return _remembering(signature_or_function, _native.JitFunction(function, **_native_options(options)))
    signatures = []
    if signature_or_function is not None:
        if callable(signature_or_function) and not hasattr(signature_or_function, "return_type"):
            raise TypeError(f"jit takes a Python function, not {signature_or_function!r}")
        signatures = _signatures.parse(signature_or_function)
    settings = _native_options(options)

    def decorate(decorated):
        function = _function_under(decorated)
        if function is None:
            raise TypeError(f"jit takes a Python function, not {decorated!r}")
        if signatures:
            return _remembering(decorated, TypedJitFunction(function, signatures, settings))
        return _remembering(decorated, _native.JitFunction(function, **settings))

    return decorate


def njit(signature_or_function=None, **options):
    """The same as :func:`jit`, for programs that say so.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.njit(fastmath=True)
    ... def twice(x):
    ...     return 2 * x
    >>> twice(4)
    8
    """
    return jit(signature_or_function, **options)


def prange(*bounds):
    """A range whose turns are independent: inside a jit function they run in parallel.

    Variables that each turn adds to (or multiplies, or takes the smallest or largest of) are reductions. In plain
    Python it is ``range``.

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> @cl.jit
    ... def count(x, limit):
    ...     found = 0
    ...     for i in cl.prange(x.size):
    ...         if x[i] > limit:
    ...             found += 1
    ...     return found
    >>> int(count(np.arange(10), 6))
    3
    >>> list(cl.prange(3))
    [0, 1, 2]
    """
    return range(*bounds)


prange.__kernel_name__ = "colocate.prange"


def from_numba(dispatcher):
    """Our function for one of Numba's, with the options that it was made with.

    Its ``py_func`` may be another's, copied by ``functools.wraps``; ``__wrapped__`` is its own.
    """
    options = {name: value for name, value in dispatcher.targetoptions.items() if name in _OPTIONS}
    # Numba may compile such a function in its own ways; here there is one.
    options.pop("nopython", None)
    options.pop("target", None)
    settings = _native_options(options)
    signatures = _fixed_signatures(dispatcher)
    if signatures:
        return TypedJitFunction(dispatcher.__wrapped__, signatures, settings)
    return _native.JitFunction(dispatcher.__wrapped__, **settings)


def _fixed_signatures(dispatcher):
    """The signatures that a function of Numba's was given, if it takes no others."""
    if getattr(dispatcher, "_can_compile", True):
        return []
    return _signatures.parse(list(dispatcher.nopython_signatures))


def compiled_text_of(dispatcher):
    """What a compiled caller calls instead of a function of Numba's."""
    function = dispatcher.__wrapped__
    signatures = _fixed_signatures(dispatcher)
    if len(signatures) != 1:
        return function
    # Kept with the function that it is for, since functools.wraps copies attributes.
    known = getattr(dispatcher, "_colocate_text", None)
    if known is None or known[0] is not function:
        known = dispatcher._colocate_text = function, _converting_text(function, signatures[0])
    return known[1]


TypedJitFunction.__module__ = jit.__module__ = njit.__module__ = prange.__module__ = "colocate"
