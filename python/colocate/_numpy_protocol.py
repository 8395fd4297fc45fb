"""NumPy's functions, called on our arrays, are ours (R3.5).

``array_ufunc`` and ``array_function`` are what the protocols of those names call. They find the
function of this namespace that NumPy's stands for; placement, dtypes and refusals (NumPy arrays
beside ours, for one) are then that function's business. Nothing is computed by NumPy here, and what
we have no function for raises ``TypeError`` with its name.
"""

import inspect
from functools import cache

import numpy

import colocate
from colocate import _ufunc_methods

# NumPy's names, where ours is another one.
_ALIASES = {
    "amax": "max",
    "amin": "min",
    "concatenate": "concat",
    "cumprod": "cumulative_prod",
    "cumsum": "cumulative_sum",
    "transpose": "permute_dims",
}

# Keywords that change nothing about what is computed, with the values for which that is so.
_NEUTRAL = {
    "casting": ("same_kind",),
    "order": ("K", "C", "A", None),
    "subok": (True, False),
    "like": (None,),
}

# Keywords of NumPy's functions, where ours are called otherwise.
_KEYWORDS = {
    "reshape": {"newshape": "shape"},
}


def array_ufunc(x, ufunc, method, *inputs, **kwargs):
    """A ufunc of NumPy's, called on arrays of ours.

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> x = cl.asarray([1.0, 4.0])
    >>> np.sqrt(x).tolist(), np.add.reduce(x).item()
    ([1.0, 2.0], 5.0)
    """
    name = ufunc.__name__
    ours = _our_ufunc(ufunc)
    if ours is None:
        raise TypeError(f"numpy.{name} has no counterpart in colocate")
    options = _without_neutral(f"numpy.{name}", kwargs)
    # A scalar of NumPy's on the left of a comparison arrives as an array.
    inputs = tuple(one[()] if isinstance(one, numpy.ndarray) and one.ndim == 0 else one for one in inputs)
    if method != "__call__":
        return getattr(_ufunc_methods, method)(ufunc, ours, inputs, options)
    out = options.pop("out", None)
    if ufunc.nout == 1:
        if out is not None and out[0] is not None:
            options["out"] = out[0]
        return ours(*inputs, **options)
    results = ours(*inputs, **options)
    if out is None:
        return results
    return tuple(_stored(result, target) for result, target in zip(results, out, strict=True))


def array_function(x, function, types, args, kwargs):
    """A function of NumPy's, called on arrays of ours.

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> x = cl.asarray([1.0, 2.0])
    >>> np.shape(x), np.squeeze(x[None]).tolist()
    ((2,), [1.0, 2.0])
    """
    for one in types:
        if not issubclass(one, (colocate.Array, numpy.ndarray)):
            return NotImplemented
    special = _SPECIAL.get(function)
    if special is not None:
        return special(*args, **kwargs)
    where = _public_name(function)
    ours = _our_function(function)
    if ours is None:
        raise TypeError(f"{where} has no counterpart in colocate; colocate.asnumpy(x) gives NumPy's function a copy")
    options = _without_neutral(where, kwargs, _takes_order(ours))
    for theirs, name in _KEYWORDS.get(function.__name__, {}).items():
        if theirs in options:
            options[name] = options.pop(theirs)
    # Of some of ours the first arguments go by position only, or have other names.
    for name in _leading_names(function, ours)[len(args) :]:
        if name not in options:
            break
        args = (*args, options.pop(name))
    return ours(*args, **options)


@cache
def _our_ufunc(ufunc):
    # By identity: other packages have ufuncs of the same names.
    name = ufunc.__name__
    theirs = getattr(numpy, name, None)
    return getattr(colocate, name, None) if theirs is ufunc else None


@cache
def _our_function(function):
    namespace = {"numpy": "", "numpy.linalg": "linalg", "numpy.fft": "fft"}.get(function.__module__)
    if namespace is None:
        return None
    theirs, ours = numpy, colocate
    if namespace:
        theirs, ours = getattr(numpy, namespace), getattr(colocate, namespace, None)
    name = function.__name__
    if getattr(theirs, name, None) is not function:
        return None
    return getattr(ours, name, None) or getattr(ours, _ALIASES.get(name, name), None)


def _public_name(function):
    return f"{getattr(function, '__module__', None) or 'numpy'}.{function.__name__}"


@cache
def _leading_names(function, ours):
    """NumPy's names of the arguments that our function takes by position only; of the first one in any case."""
    names = list(inspect.signature(function).parameters)
    try:
        kinds = [parameter.kind for parameter in inspect.signature(ours).parameters.values()]
    except (TypeError, ValueError):
        kinds = []
    return names[: max(1, kinds.count(inspect.Parameter.POSITIONAL_ONLY))]


@cache
def _takes_order(function):
    try:
        return "order" in inspect.signature(function).parameters
    except (TypeError, ValueError):
        return False


def _without_neutral(where, kwargs, takes_order=False):
    options = {}
    for key, value in kwargs.items():
        if key not in _NEUTRAL or (key == "order" and takes_order):
            options[key] = value
        elif value not in _NEUTRAL[key]:
            raise TypeError(f"{where} on colocate arrays does not take {key}={value!r}")
    return options


def _stored(result, target):
    if target is None:
        return result
    if not isinstance(target, colocate.Array):
        raise colocate.HostDataError(
            f"out is {type(target).__name__}, host data; results of colocate arrays go to colocate arrays"
        )
    target[...] = result
    return target


def _dtype_or_scalar(x):
    return x.dtype if isinstance(x, colocate.Array) else x


def _printed(function):
    """Printing needs the elements, and says so by its name."""

    def printed(x, *args, **kwargs):
        return function(colocate.asnumpy(x), *args, **kwargs)

    return printed


# What is about an array rather than computed from it, or is spelled otherwise with us.
_SPECIAL = {
    numpy.ndim: lambda a: a.ndim,
    numpy.shape: lambda a: a.shape,
    numpy.size: colocate.size,
    numpy.result_type: lambda *operands: numpy.result_type(*map(_dtype_or_scalar, operands)),
    numpy.can_cast: lambda from_, to, casting="safe": numpy.can_cast(_dtype_or_scalar(from_), to, casting),
    numpy.min_scalar_type: lambda a: a.dtype,
    numpy.copyto: colocate.copyto,
    numpy.array_repr: lambda arr, *_args, **_kwargs: repr(arr),
    numpy.array_str: _printed(numpy.array_str),
    numpy.array2string: _printed(numpy.array2string),
}
