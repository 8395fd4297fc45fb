"""Records, arguments of jit functions: taken apart into their fields, and put together again."""

import functools

import numpy

from colocate._generated import function_from


class Records:
    """A type of records: what jit functions name it by, and what puts fields together.

    A field with axes of its own has that many more than the array of records.

    Examples
    --------
    >>> import numpy as np
    >>> from colocate._records import records_of
    >>> points = records_of(np.dtype([("x", "f8"), ("y", "i4")]))
    >>> points(np.array([1.5, 2.5]), np.array([3, 4]))
    array([(1.5, 3), (2.5, 4)], dtype=[('x', '<f8'), ('y', '<i4')])
    """

    def __init__(self, dtype, array=numpy.ndarray):
        self.dtype = dtype
        self.array = array
        self.names = list(dtype.names)
        self.own_axes = [len(dtype[name].shape) for name in dtype.names]

    def __call__(self, *fields):
        first = numpy.asarray(fields[0])
        shape = first.shape[: first.ndim - self.own_axes[0]]
        whole = numpy.empty(shape, self.dtype)
        for name, field in zip(self.names, fields, strict=True):
            whole[name] = field
        return whole.view(self.array) if shape else whole[()]

    @functools.cached_property
    def empty(self):
        """What ``numpy.empty`` of this dtype is in a jit function: nobody sees there that the fields lie apart."""
        return self._made_by("empty")

    @functools.cached_property
    def zeros(self):
        """The same of ``numpy.zeros``."""
        return self._made_by("zeros")

    @functools.cached_property
    def ones(self):
        """The same of ``numpy.ones``."""
        return self._made_by("ones")

    def _made_by(self, name):
        known = {"_records": self, "_make": getattr(numpy, name), "_joined": _joined}
        fields = []
        for number, field in enumerate(self.names):
            dtype = self.dtype[field]
            shape = f"_joined(shape, {dtype.shape})" if dtype.shape else "shape"
            nested = dtype.base.names is not None
            known[f"_{number}"] = getattr(records_of(dtype.base), name) if nested else dtype.base
            fields.append(f"_{number}({shape})" if nested else f"_make({shape}, _{number})")
        return function_from(name, f"def {name}(shape):\n    return _records({', '.join(fields)})\n", known)


def _joined(shape, own):
    return (*shape, *own) if isinstance(shape, tuple) else (shape, *own)


class UnknownField:
    """A field of a dtype that jit functions do not have, such as texts."""

    def __init__(self, dtype):
        self.dtype = dtype


_known = {}


def records_of(dtype, array=numpy.ndarray):
    """The one type of records of a dtype, in arrays of a class."""
    # NumPy takes two dtypes for equal that give scalars of different classes.
    key = dtype, dtype.type, array
    if key not in _known:
        _known[key] = Records(dtype, array)
    return _known[key]


_unknown = {}


class _Memory:
    """The memory of one record, which may be part of an array's."""

    def __init__(self, record):
        self.record = record
        address = numpy.frombuffer(record, numpy.uint8).__array_interface__["data"][0]
        read_only = record.base is not None and not record.base.flags.writeable
        self.__array_interface__ = {
            "version": 3,
            "shape": (),
            "typestr": f"|V{record.dtype.itemsize}",
            "data": (address, read_only),
        }


def taken_apart(records):
    """The type of an array of records, or of one of them, and its fields, which share its memory."""
    dtype = records.dtype
    array = numpy.recarray if isinstance(records, numpy.recarray) else numpy.ndarray
    if isinstance(records, numpy.void):
        records = numpy.asarray(_Memory(records)).view(numpy.dtype((numpy.void, dtype)))
    else:
        records = records.view(numpy.ndarray)
    return records_of(dtype, array), [_field(records, name) for name in dtype.names]


def _field(records, name):
    dtype = records.dtype[name].base
    if dtype.names is None and dtype.kind not in "biufc":
        return _unknown.setdefault(dtype, UnknownField(dtype))
    return records[name]
