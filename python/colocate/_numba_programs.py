"""Programs written for Numba, inside a device context (R5.8).

Nothing here imports Numba: everything looks at what the program itself has imported, and without Numba none of it
runs. The call of a function of Numba's reaches :func:`function_of` through ``crates/python/src/numba_hook.rs``; names
that stand for objects of Numba's reach :func:`meaning` through the compiler's environment.
"""

import contextlib
import functools
import linecache
import sys
import warnings

import numpy

from colocate import _jit_classes, _native, _outside_functions
from colocate._errors import PerformanceWarning
from colocate._executed_text import lines_of
from colocate._generated import function_from

REGISTRY = "numba.core.registry"


class _WatchImports:
    """Finds nothing itself: tells colocate when Numba, imported inside a device context, is there.

    It stands before all other finders while a context is entered and Numba is not imported.
    """

    def __init__(self):
        self._asking = False

    def find_spec(self, name, path=None, target=None):
        if name != REGISTRY or self._asking:
            return None
        self._asking = True
        try:
            from importlib.util import find_spec

            spec = find_spec(name)
        finally:
            self._asking = False
        if spec is not None and spec.loader is not None:
            spec.loader = _TellingLoader(spec.loader)
        return spec


class _TellingLoader:
    """A loader that loads as another does, and tells colocate afterwards."""

    def __init__(self, loader):
        self._loader = loader

    def create_module(self, spec):
        return self._loader.create_module(spec)

    def exec_module(self, module):
        self._loader.exec_module(module)
        module.__spec__.loader = module.__loader__ = self._loader
        _native._numba_is_imported()

    def __getattr__(self, name):
        return getattr(self._loader, name)


_watch = _WatchImports()


def enter():
    """A device context is entered."""
    if not _native._enter_numba_scope() and _watch not in sys.meta_path:
        sys.meta_path.insert(0, _watch)


def leave():
    """A device context is left."""
    if _native._leave_numba_scope() and _watch in sys.meta_path:
        sys.meta_path.remove(_watch)


def _is_numbas_own(function):
    """Whether it belongs to Numba itself, as the parts of its library that are compiled by itself do.

    Its tests are programs like any other.
    """
    module = getattr(function, "__module__", None) or ""
    return module.partition(".")[0] == "numba" and not module.startswith("numba.tests.")


def _has_source(function):
    """Whether there is text to compile."""
    code = function.__code__
    lines = linecache.getlines(code.co_filename, function.__globals__) or lines_of(code)
    if lines[code.co_firstlineno - 1 :]:
        return True
    from colocate._code_text import text_of

    return text_of(function) is not None


def function_of(dispatcher):
    """Our function for one of Numba's, or None if the call is to stay with Numba.

    Numba's own functions, and what it generates (constructors of its classes), are not the program's text. A
    function of the program's without text cannot be compiled by us, which is said once.
    """
    from colocate import _jit

    function = dispatcher.__wrapped__
    if _is_numbas_own(function) or _is_generated(function):
        return None
    if not _has_source(function):
        warnings.warn(
            f"{function.__qualname__} is called in a device context, but its source text is not available, "
            "so Numba runs it on the host",
            PerformanceWarning,
            stacklevel=2,
        )
        return None
    return _jit.from_numba(dispatcher)


def _is_generated(function):
    """Whether Numba wrote it for a class of its own: constructors, and what calls methods."""
    return "__numba_cls_" in function.__globals__ or "__numba_self_" in function.__code__.co_varnames


def _scalar_type(numba_type):
    """NumPy's scalar type for a number type of Numba's."""
    try:
        return numpy.dtype(str(numba_type)).type
    except (TypeError, ValueError):
        return numpy.bool_ if str(numba_type) in ("bool", "boolean") else None


def _same(container):
    """What ``literal_unroll`` and ``literally`` are to a compiler that knows all types anyway."""
    return container


def of_elements(function, *args):
    """Calls a function of numbers for every element of arrays that are broadcast together.

    Examples
    --------
    >>> from colocate._numba_programs import of_elements
    >>> of_elements(max, [1, 5], 3)
    array([3, 5])
    """
    return numpy.vectorize(function)(*args)


of_elements.__kernel_name__ = "colocate.of_elements"


class _Called:
    """A function that is called as it is; the operands from the number ``nin`` on are written to."""

    def __init__(self, function, name, nin):
        self._function = function
        self.__name__ = name
        self.nin = nin

    def __call__(self, *args, **keywords):
        return self._function(*args, **keywords)


def _called(function, name, nin):
    """A stand-in for a function that the compiled function calls as it is, on arrays of the host."""
    called = _Called(function, name, nin)

    def stand_in(*args, **keywords):
        return called(*args, **keywords)

    stand_in.__kernel_name__ = _outside_functions.name_of(called)
    return stand_in


# What stands for functions of ``numba.vectorize`` and ``numba.guvectorize``, by their addresses, and what these are.
_of_arrays = {}


def _once(make):
    """Makes one stand-in for each function, which is kept."""

    @functools.wraps(make)
    def known(found):
        entry = _of_arrays.get(id(found))
        if entry is None:
            entry = _of_arrays[id(found)] = make(found), found
        return entry[0]

    return known


@_once
def _generalised(found):
    """What ``numba.guvectorize`` made."""
    builder = found.gufunc_builder
    writable = getattr(builder, "writable_args", ())
    operands = builder.signature.partition("->")[0].count("(")
    return _called(found, found.__name__, 0 if writable else operands)


def _fits(x, dtype):
    """Whether a ufunc with a loop for operands of a dtype uses it for such an operand."""
    if isinstance(x, bool):
        return True
    if isinstance(x, int):
        return numpy.issubdtype(dtype, numpy.number)
    if isinstance(x, float):
        return numpy.issubdtype(dtype, numpy.inexact)
    if isinstance(x, complex):
        return numpy.issubdtype(dtype, numpy.complexfloating)
    return numpy.can_cast(numpy.asarray(x).dtype, dtype)


@_once
def _elementwise(found):
    """What ``numba.vectorize`` made of a function, as a function of arrays.

    One with signatures has a loop for each, and takes the first that its operands fit, as all ufuncs do. Other ways to
    use it are Numba's own.
    """
    function = found._dispatcher.py_func
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    given = ", ".join(names)
    known = {"_of_elements": of_elements, "_function": function, "_fits": _fits}
    lines = [f"def elementwise({given}, out=None):"]
    loops = found.types if found._frozen else []
    for number, loop in enumerate(loops):
        taken, made = loop.split("->")
        types = [numpy.dtype(code).type for code in taken]
        known |= {f"_type_{number}_{place}": one for place, one in enumerate([*types, numpy.dtype(made).type])}
        converted = ", ".join(f"_type_{number}_{place}({name})" for place, name in enumerate(names))
        text = f"def of_one({given}):\n    return _type_{number}_{len(names)}(_function({converted}))\n"
        known[f"_loop_{number}"] = function_from("of_one", text, dict(known))
        fits = " and ".join(f"_fits({name}, _type_{number}_{place})" for place, name in enumerate(names))
        lines += [f"    {'el' * (number > 0)}if {fits}:", f"        made = _of_elements(_loop_{number}, {given})"]
    lines += [
        "    else:\n        raise TypeError('no loop of the ufunc takes these operands')"
        if loops
        else f"    made = _of_elements(_function, {given})",
        "    if out is None:\n        return made",
        "    out[...] = made",
        "    return out\n",
    ]
    made = function_from("elementwise", "\n".join(lines), known)
    if function.__name__.isidentifier():
        made.__name__ = function.__name__
    for name, operands in (("at", 0), ("reduce", 1), ("reduceat", 2), ("accumulate", 1), ("outer", 2)):
        if hasattr(found, name):
            setattr(made, name, _called(getattr(found, name), name, operands))
    for name in ("nin", "nout", "nargs", "identity", "signature"):
        setattr(made, name, getattr(found, name, None))
    return made


def _about_threads(name):
    """A stand-in for one of Numba's functions about its threads, which the compiled function calls by name."""

    def function(*args):
        return getattr(sys.modules["numba"], name)(*args)

    function.__kernel_name__ = f"numba.{name}"
    return function


_ABOUT_THREADS = {
    name: _about_threads(name)
    for name in (
        "get_num_threads",
        "get_parallel_chunksize",
        "get_thread_id",
        "set_num_threads",
        "set_parallel_chunksize",
    )
}


class _Chunks:
    """What ``numba.parallel_chunksize`` is: the size is that of Numba's, which the program may ask for."""

    def __init__(self, size):
        if not isinstance(size, int):
            raise ValueError("parallel_chunksize takes only a single integer argument.")
        self.size = size
        self.before = 0

    def __enter__(self):
        self.before = _set_chunks(self.size)

    def __exit__(self, kind, error, traceback):
        _set_chunks(self.before)


_set_chunks = _ABOUT_THREADS["set_parallel_chunksize"]


def plain_block(**_types):
    """What ``numba.objmode`` and its like are to a compiler of the whole language: nothing at all.

    Examples
    --------
    >>> from colocate._numba_programs import plain_block
    >>> with plain_block(y="float64"):
    ...     y = 1.5
    >>> y
    1.5
    """
    return contextlib.nullcontext()


plain_block.__kernel_name__ = "colocate.plain_block"


def meaning(found):
    """What the compiler is to take instead of an object of Numba's; None if it has no other meaning."""
    from colocate import _jit, _stencil

    module = getattr(found, "__module__", None) or ""
    name = getattr(found, "__name__", None)
    if module == "numba.misc.special":
        return {"prange": _jit.prange, "pndindex": numpy.ndindex, "literal_unroll": _same, "literally": _same}.get(name)
    if module == "numba.stencils.stencil" and name == "stencil":
        return _stencil.stencil
    if module == "numba.np.ufunc.parallel":
        return _ABOUT_THREADS.get(name)
    if module.startswith("numba.typed"):
        return {"List": list, "Dict": dict, "Set": set}.get(name)
    kind = type(found)
    if not kind.__module__.startswith("numba."):
        return None
    if _jit_classes.is_jit_class(found):
        return _jit_classes.class_for(found.class_type)
    if kind.__name__ == "_ParallelChunksize":
        return _Chunks
    if kind.__module__ == "numba.core.withcontexts":
        return plain_block
    if kind.__name__ == "StencilFunc":
        return _stencil.from_numba(found)
    if kind.__name__ == "DUFunc":
        return _elementwise(found)
    if kind.__name__ == "GUFunc":
        return _generalised(found)
    if hasattr(found, "py_func"):
        return _jit.compiled_text_of(found)
    if kind.__name__ == "CFunc":
        return found.__wrapped__
    if kind.__name__ == "UnicodeType":
        return str
    if kind.__module__.startswith("numba.core.types"):
        return _scalar_type(found)
    return None
