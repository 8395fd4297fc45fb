"""Arrays made of host data of all kinds, and copies of arrays in another form."""

import math
import warnings

import numpy as np

import colocate as cl
from colocate import _native
from colocate._arguments import Array, axis_numbers, beside, check, one_array
from colocate._errors import DTypeError, InvalidArgumentError

__all__ = [
    "asarray_chkfinite",
    "ascontiguousarray",
    "asfortranarray",
    "astype",
    "copy",
    "frombuffer",
    "fromfile",
    "fromiter",
    "fromstring",
    "ndim",
    "require",
    "shape",
    "size",
]


def stacked(nested):
    """One array of nested lists that hold arrays, where these are; what else they hold follows."""
    check("asarray", obj=nested)
    anchor = _first_array(nested)
    return _stacked(nested, anchor)


def _first_array(item):
    if isinstance(item, list | tuple):
        return next((found for part in item if (found := _first_array(part)) is not None), None)
    return item if isinstance(item, Array) else None


def _stacked(item, anchor):
    if not isinstance(item, list | tuple) or _first_array(item) is None:
        return beside(anchor, item)
    parts = [_stacked(part, anchor) for part in item]
    if any(part.shape != parts[0].shape for part in parts):
        raise InvalidArgumentError("asarray: the parts of a list must have the same shape")
    return cl.stack(parts)


def ascontiguousarray(a, dtype=None, *, device=None, queue=None, usm_type=None):
    """An array in row-major order without gaps, of at least one axis; a copy only if needed.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.ascontiguousarray(cl.ones((2, 3)).T).flags["c_contiguous"]
    True
    """
    x = _native.asarray(a, dtype, "C", device=device, queue=queue, usm_type=usm_type)
    return x if x.ndim else x[None]


def asfortranarray(a, dtype=None, *, device=None, queue=None, usm_type=None):
    """An array whose first axis varies fastest in memory, of at least one axis; a copy only if needed.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.asfortranarray(cl.ones((2, 3))).strides
    (8, 16)
    """
    x = _native.asarray(a, dtype, "F", device=device, queue=queue, usm_type=usm_type)
    return x if x.ndim else x[None]


def asarray_chkfinite(a, dtype=None, order=None, *, device=None, queue=None, usm_type=None):
    """:func:`asarray` that refuses infinities and NaN.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.asarray_chkfinite([1.0, 2.0]).tolist()
    [1.0, 2.0]
    """
    x = _native.asarray(a, dtype, order, device=device, queue=queue, usm_type=usm_type)
    if x.dtype.kind in "fc" and not bool(cl.all(cl.isfinite(x))):
        raise InvalidArgumentError("asarray_chkfinite: there are infinities or NaN among the elements")
    return x


# NumPy's names of what an array must be; every array is aligned, and of this class.
_REQUIREMENTS = {
    "C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F", "FORTRAN": "F",
    "W": "W", "WRITEABLE": "W", "O": "O", "OWNDATA": "O", "A": "A", "ALIGNED": "A", "E": "E", "ENSUREARRAY": "E",
}  # fmt: skip


def require(a, dtype=None, requirements=None, *, device=None, queue=None, usm_type=None):
    """An array of a dtype that is as it must be; a copy only if needed.

    Parameters
    ----------
    a, dtype, device, queue, usm_type
        As for :func:`asarray`.
    requirements : str or sequence of str, optional
        NumPy's names: ``"C"`` or ``"F"`` for the order in memory, ``"W"`` for one that can be written to,
        ``"O"`` for a copy. Every array is ``"A"``, aligned.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.require(cl.ones((2, 3)), requirements=["F"]).flags["f_contiguous"]
    True
    """
    names = [requirements] if isinstance(requirements, str) else list(requirements or [])
    unknown = [name for name in names if name.upper() not in _REQUIREMENTS]
    if unknown:
        raise InvalidArgumentError(f"require: {unknown[0]!r} is none of {', '.join(_REQUIREMENTS)}")
    wanted = {_REQUIREMENTS[name.upper()] for name in names}
    if {"C", "F"} <= wanted:
        raise InvalidArgumentError("require: an array is wanted in both orders")
    order = next((order for order in ("C", "F") if order in wanted), "K")
    x = _native.asarray(a, dtype, order, device=device, queue=queue, usm_type=usm_type)
    refused = ("O" in wanted and cl.shares_memory(x, a)) or ("W" in wanted and not x.flags.writable)
    return x.copy(order) if refused else x


def copy(a, order="K", subok=False):
    """A contiguous copy in the same place.

    Parameters
    ----------
    a : array
        What is copied.
    order : {"K", "C", "A", "F"}
        ``"F"`` for an array whose first axis varies fastest in memory, ``"K"`` and ``"A"`` for the order of ``a``.
    subok
        For NumPy's sake.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.zeros(2)
    >>> y = cl.copy(x)
    >>> y[0] = 1
    >>> x.tolist()
    [0.0, 0.0]
    """
    return one_array("copy", a, "a").copy(order)


def astype(x, dtype, order="K", casting="unsafe", *, copy=True, device=None):
    """The elements as another dtype.

    Parameters
    ----------
    x : array
        What is converted.
    dtype
        To what.
    order : {"K", "C", "A", "F"}
        ``"F"`` for an array whose first axis varies fastest in memory, ``"K"`` and ``"A"`` for the order of ``x``.
    casting : str
        Which conversions are allowed, as in NumPy.
    copy : bool
        Whether to copy even if nothing is to be converted.
    device : optional
        Where to; default: where ``x`` is.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.astype(cl.asarray([1.7, -1.7]), cl.int8).tolist()
    [1, -1]
    """
    x = one_array("astype", x)
    dtype = np.dtype(dtype)
    if not np.can_cast(x.dtype, dtype, casting):
        raise DTypeError(f"astype: {x.dtype} is not converted to {dtype} under casting={casting!r}")
    if x.dtype.kind == "c" and dtype.kind not in "cb":
        warnings.warn(
            "Casting complex values to real discards the imaginary part", np.exceptions.ComplexWarning, stacklevel=2
        )
    lies_so = {"C": x.flags.c_contiguous, "F": x.flags.f_contiguous}.get(order, True)
    if dtype == x.dtype and not copy and device is None and lies_so:
        return x
    return x.asarray(dtype=dtype, device=device, copy=True if copy else None, order=order)


def frombuffer(buffer, dtype=float, count=-1, offset=0, *, device=None, queue=None, usm_type=None):
    """An array of the bytes of an object, copied to a queue.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.frombuffer(b"\\x01\\x02", dtype="uint8").tolist()
    [1, 2]
    """
    data = np.frombuffer(buffer, dtype=dtype, count=count, offset=offset)
    return _native.asarray(data, device=device, queue=queue, usm_type=usm_type)


def fromfile(file, dtype=float, count=-1, sep="", offset=0, *, device=None, queue=None, usm_type=None):
    """An array of the numbers in a file, as bytes or as text: what :meth:`Array.tofile` wrote.

    Examples
    --------
    >>> import colocate as cl, tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     cl.asarray([1.5, 2.5]).tofile(file.name)
    ...     cl.fromfile(file.name).tolist()
    [1.5, 2.5]
    """
    data = np.fromfile(file, dtype=dtype, count=count, sep=sep, offset=offset)
    return _native.asarray(data, device=device, queue=queue, usm_type=usm_type)


def fromstring(string, dtype=float, count=-1, *, sep, device=None, queue=None, usm_type=None):
    """An array of the numbers in a text.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fromstring("1, 2, 3", dtype="int64", sep=",").tolist()
    [1, 2, 3]
    """
    data = np.fromstring(string, dtype=dtype, count=count, sep=sep)
    return _native.asarray(data, device=device, queue=queue, usm_type=usm_type)


def fromiter(iter, dtype, count=-1, *, device=None, queue=None, usm_type=None):
    """An array of the numbers that an iterable gives.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.fromiter((n * n for n in range(4)), dtype="int64").tolist()
    [0, 1, 4, 9]
    """
    data = np.fromiter(iter, dtype=dtype, count=count)
    return _native.asarray(data, device=device, queue=queue, usm_type=usm_type)


def ndim(a):
    """How many axes an array has.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.ndim(cl.ones((2, 3)))
    2
    """
    return a.ndim if isinstance(a, Array) else np.ndim(a)


def shape(a):
    """The extents of an array.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.shape(cl.ones((2, 3)))
    (2, 3)
    """
    return a.shape if isinstance(a, Array) else np.shape(a)


def size(a, axis=None):
    """How many elements an array has, in all or along axes.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.size(cl.ones((2, 3))), cl.size(cl.ones((2, 3)), 1)
    (6, 3)
    """
    if not isinstance(a, Array):
        return np.size(a, axis)
    if axis is None:
        return a.size
    return math.prod(a.shape[one] for one in axis_numbers("size", axis, a.ndim))
