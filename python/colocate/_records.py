"""Records, arguments of jit functions: taken apart into their fields, and put together again."""

import functools
from typing import Any, NamedTuple

import numpy

from colocate._generated import function_from


class Part(NamedTuple):
    """What stands at a position of a field of texts or dates, which are Python's own objects in jit functions.

    It is looked up when it is read, and known by its place until then, so that it can be assigned to.
    """

    field: Any
    position: Any


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

    part = Part

    def __init__(self, dtype, array=numpy.ndarray):
        self.dtype = dtype
        self.array = array
        self.names = dtype.names
        self.own_axes = [len(dtype[name].shape) for name in dtype.names]
        for name in dtype.names:
            if len(entry := dtype.fields[name]) > 2:
                setattr(self, f"title {entry[2]}", name)

    def __call__(self, *fields):
        fields = [field.field[field.position] if isinstance(field, Part) else field for field in fields]
        first = numpy.asarray(fields[0])
        shape = first.shape[: first.ndim - self.own_axes[0]]
        if shape and (memory := self._memory(fields, shape)):
            return numpy.asarray(memory).view(self.dtype).view(self.array)
        whole = numpy.empty(shape, self.dtype)
        for name, field in zip(self.names, fields, strict=True):
            whole[name] = field
        return whole.view(self.array) if shape else whole[()]

    def _memory(self, fields, shape):
        """The part of an array of records whose fields they are; None if they are something else."""
        first = fields[0]
        whole = getattr(first, "base", None)
        if not isinstance(whole, numpy.ndarray) or whole.dtype != self.dtype:
            return None
        steps = first.strides[: len(shape)]
        address = first.__array_interface__["data"][0] - self.dtype.fields[self.names[0]][1]
        for name, field in zip(self.names, fields, strict=True):
            if (
                getattr(field, "base", None) is not whole
                or field.__array_interface__["data"][0] != address + self.dtype.fields[name][1]
                or field.shape[: len(shape)] != shape
                or field.strides[: len(shape)] != steps
            ):
                return None
        return _Memory(whole, address, self.dtype.itemsize, not first.flags.writeable, shape, steps)

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
            # The compiler knows dtypes of numbers; texts and dates are Python's own.
            given = dtype.base if dtype.base.kind in "biufc" else dtype.base.str
            known[f"_{number}"] = getattr(records_of(dtype.base), name) if nested else given
            fields.append(f"_{number}({shape})" if nested else f"_make({shape}, _{number})")
        return function_from(name, f"def {name}(shape):\n    return _records({', '.join(fields)})\n", known)


def _joined(shape, own):
    return (*shape, *own) if isinstance(shape, tuple) else (shape, *own)


class UnknownField:
    """A field of a dtype that jit functions do not have, such as objects."""

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
    """Memory of records, which may be part of an array's."""

    def __init__(self, owner, address, itemsize, read_only, shape=(), strides=()):
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "shape": shape,
            "strides": strides,
            "typestr": f"|V{itemsize}",
            "data": (address, read_only),
        }


def taken_apart(records):
    """The type of an array of records, or of one of them, and its fields, which share its memory."""
    dtype = records.dtype
    array = numpy.recarray if isinstance(records, numpy.recarray) else numpy.ndarray
    if isinstance(records, numpy.void):
        address = numpy.frombuffer(records, numpy.uint8).__array_interface__["data"][0]
        read_only = records.base is not None and not records.base.flags.writeable
        memory = _Memory(records, address, dtype.itemsize, read_only)
        records = numpy.asarray(memory).view(numpy.dtype((numpy.void, dtype)))
    else:
        records = records.view(numpy.ndarray)
    return records_of(dtype, array), [_field(records, name) for name in dtype.names]


def _field(records, name):
    dtype = records.dtype[name].base
    if dtype.names is not None or dtype.kind in "biufc":
        return records[name]
    if dtype.kind in "USMm" and _has_numbers(records.dtype):
        return records[name] if records.ndim else Part(records[name], ())
    return _unknown.setdefault(dtype, UnknownField(dtype))


def _has_numbers(dtype):
    """Whether a field of numbers has the axes that the records have, which are then known by it."""
    plain = [dtype[name] for name in dtype.names if not dtype[name].shape]
    return any(one.kind in "biufc" or (one.names is not None and _has_numbers(one)) for one in plain)
