"""The element types: NumPy's scalar types, which stand for dtypes wherever one is asked for.

``float32(3)`` makes a number, and ``x.dtype == float32`` compares an array's dtype, which is an instance of
NumPy's ``dtype``, with it.
"""

import numpy

_NAMES = [
    "bool",
    "bool_",
    "byte",
    "cdouble",
    "complex64",
    "complex128",
    "complexfloating",
    "csingle",
    "double",
    "dtype",
    "float16",
    "float32",
    "float64",
    "floating",
    "generic",
    "half",
    "inexact",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "intc",
    "integer",
    "intp",
    "long",
    "longlong",
    "number",
    "short",
    "signedinteger",
    "single",
    "ubyte",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintc",
    "uintp",
    "ulong",
    "ulonglong",
    "unsignedinteger",
    "ushort",
]

globals().update({name: getattr(numpy, name) for name in _NAMES})
__all__ = list(_NAMES)

_OF_ELEMENTS = (
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "complex64", "complex128",
)  # fmt: skip

ALL = {name: numpy.dtype(name) for name in _OF_ELEMENTS}
