"""Array methods that are functions of the namespace with the array as their first argument."""

import builtins
import inspect
import operator
import pickle
import types
from functools import wraps

import numpy

import colocate
from colocate._flat import flat
from colocate._taking import take

METHODS = (
    "all",
    "any",
    "argmax",
    "argmin",
    "argpartition",
    "argsort",
    "astype",
    "choose",
    "clip",
    "cumprod",
    "cumsum",
    "diagonal",
    "dot",
    "max",
    "mean",
    "min",
    "nonzero",
    "prod",
    "ptp",
    "put",
    "ravel",
    "repeat",
    "reshape",
    "round",
    "searchsorted",
    "squeeze",
    "std",
    "sum",
    "swapaxes",
    "trace",
    "transpose",
    "var",
)


def fill(self, value):
    """Sets every element to a value.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.zeros(2)
    >>> x.fill(3)
    >>> x.tolist()
    [3.0, 3.0]
    """
    self[...] = value


def sort(self, axis=-1, kind=None, order=None, *, descending=False, stable=True):
    """Sorts the array in place; :func:`colocate.sort` gives a sorted copy.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.asarray([3, 1, 2])
    >>> x.sort()
    >>> x.tolist()
    [1, 2, 3]
    """
    axis = operator.index(axis)
    self[...] = colocate.sort(self, axis=axis, kind=kind, order=order, descending=descending, stable=stable)


def partition(self, kth, axis=-1, kind="introselect", order=None):
    """Partitions the array in place; :func:`colocate.partition` gives a partitioned copy.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.asarray([3, 1, 2])
    >>> x.partition(0)
    >>> int(x[0])
    1
    """
    self[...] = colocate.partition(self, kth, axis=operator.index(axis), kind=kind, order=order)


def tobytes(self, order="C"):
    """The elements as bytes; copies them to the host.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.asarray([1, 2], dtype="int8").tobytes()
    b'\\x01\\x02'
    """
    return colocate.asnumpy(self).tobytes(order)


def tofile(self, fid, sep="", format="%s"):
    """Writes the elements to a file, as bytes or as text; the arguments are those of ``numpy.ndarray.tofile``.

    Examples
    --------
    >>> import colocate as cl, tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     cl.asarray([1, 2]).tofile(file.name, sep=",")
    ...     file.read()
    b'1,2'
    """
    colocate.asnumpy(self).tofile(fid, sep, format)


def dump(self, file):
    """Writes the array to a file, so that ``pickle.load`` brings it back to where it was.

    Parameters
    ----------
    file : path or binary file

    Examples
    --------
    >>> import colocate as cl, io, pickle
    >>> file = io.BytesIO()
    >>> cl.asarray([1, 2]).dump(file)
    >>> pickle.loads(file.getvalue()).tolist()
    [1, 2]
    """
    if hasattr(file, "write"):
        pickle.dump(self, file)
    else:
        with open(file, "wb") as opened:
            pickle.dump(self, opened)


def dumps(self):
    """The bytes that :meth:`dump` writes.

    Examples
    --------
    >>> import colocate as cl, pickle
    >>> pickle.loads(cl.asarray([1, 2]).dumps()).tolist()
    [1, 2]
    """
    return pickle.dumps(self)


def byteswap(self, inplace=False):
    """The elements with the bytes of each number in the other order, as another kind of processor writes them.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.asarray([1, 256], dtype="int16").byteswap().tolist()
    [256, 1]
    """
    swapped = self if inplace else self.copy()
    size = self.itemsize // (2 if self.dtype.kind == "c" else 1)
    if size > 1:
        parts = (swapped.real, swapped.imag) if self.dtype.kind == "c" else (swapped,)
        for part in parts:
            bytes_ = part[..., None].view("uint8")
            bytes_[...] = bytes_[..., ::-1].copy()
    return swapped


def ctypes_of(self):
    """Address, shape and strides for C functions, as NumPy has them; refused where the host cannot read (R2.3)."""
    return numpy.asarray(self).ctypes


def compress(self, condition, axis=None, out=None):
    """The parts along an axis where a condition is true: :func:`colocate.compress` as a method.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.asarray([1, 2, 3]).compress([True, False, True]).tolist()
    [1, 3]
    """
    return colocate.compress(condition, self, axis, out)


def contains(self, value):
    """``value in x``: whether any element equals the value."""
    return builtins.bool(colocate.any(self == value))


def conj(self, *args, **kwargs):
    """The complex conjugate; of bools a copy, where :func:`colocate.conj` gives numbers.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.asarray([1 + 2j]).conj().tolist(), cl.asarray([True]).conj().tolist()
    ([(1-2j)], [True])
    """
    if self.dtype.kind == "b" and not args and not kwargs:
        return self.copy()
    return colocate.conj(self, *args, **kwargs)


def format_array(self, spec):
    """``format(x, spec)``: of a 0-d array as of its element."""
    return format(self.item() if self.ndim == 0 else str(self), spec)


def dask_token(self):
    """What tells this array's contents from others, for dask."""
    from colocate import _dask

    return _dask.tokenise(self)


def rounded(self, ndigits=None):
    """``round(x, ndigits)`` of an array of one element, as of a number."""
    if self.ndim:
        raise TypeError("only an array of one element is rounded by round(); colocate.round rounds all elements")
    return round(self.item(), ndigits)


OWN = {
    "__class_getitem__": classmethod(types.GenericAlias),
    "byteswap": byteswap,
    "compress": compress,
    "ctypes": property(ctypes_of, doc=ctypes_of.__doc__),
    "data": property(
        memoryview, doc="The elements in place, as a buffer; refused where the host cannot read them (R2.3)."
    ),
    "dump": dump,
    "dumps": dumps,
    "fill": fill,
    "flat": flat,
    "__round__": rounded,
    "sort": sort,
    "partition": partition,
    "take": take,
    "tobytes": tobytes,
    "tofile": tofile,
    "__contains__": contains,
    "__format__": format_array,
    "conj": conj,
    "conjugate": conj,
    "__dask_tokenize__": dask_token,
    # Above NumPy's arrays, so that packages that choose by it choose ours.
    "__array_priority__": 100.0,
}


def _as_method(function):
    if inspect.isfunction(function):
        return function

    @wraps(function)
    def method(self, *args, **kwargs):
        return function(self, *args, **kwargs)

    return method


def install(array_class, namespace):
    """Gives the class those of the methods that it does not define itself."""
    for name, method in OWN.items():
        setattr(array_class, name, method)
    for name in METHODS:
        if name not in vars(array_class) and name in namespace:
            setattr(array_class, name, _as_method(namespace[name]))
