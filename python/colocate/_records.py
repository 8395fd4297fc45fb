"""Records, arguments of jit functions: taken apart into their fields, and put together again."""

import numpy


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

    def __init__(self, dtype):
        self.dtype = dtype
        self.names = list(dtype.names)
        self.own_axes = [len(dtype[name].shape) for name in dtype.names]

    def __call__(self, *fields):
        first = numpy.asarray(fields[0])
        shape = first.shape[: first.ndim - self.own_axes[0]]
        whole = numpy.empty(shape, self.dtype)
        for name, field in zip(self.names, fields, strict=True):
            whole[name] = field
        return whole if shape else whole[()]


class UnknownField:
    """A field of a dtype that jit functions do not have, such as texts."""

    def __init__(self, dtype):
        self.dtype = dtype


_known = {}


def records_of(dtype):
    """The one type of records of a dtype."""
    # NumPy takes two dtypes for equal that give scalars of different classes.
    key = dtype, dtype.type
    if key not in _known:
        _known[key] = Records(dtype)
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
    if isinstance(records, numpy.void):
        records = numpy.asarray(_Memory(records)).view(numpy.dtype((numpy.void, dtype)))
    else:
        records = records.view(numpy.ndarray)
    return records_of(dtype), [_field(records, name) for name in dtype.names]


def _field(records, name):
    dtype = records.dtype[name].base
    if dtype.names is None and dtype.kind not in "biufc":
        return _unknown.setdefault(dtype, UnknownField(dtype))
    return records[name]
