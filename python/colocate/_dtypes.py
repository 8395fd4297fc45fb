"""The element types: NumPy's scalar types, which stand for dtypes wherever one is asked for.

``float32(3)`` makes a number, and ``x.dtype == float32`` compares an array's dtype, which is an instance of
NumPy's ``dtype``, with it.
"""

from numpy import (
    bool,
    bool_,
    cdouble,
    complex64,
    complex128,
    complexfloating,
    csingle,
    double,
    dtype,
    float16,
    float32,
    float64,
    floating,
    generic,
    half,
    inexact,
    int8,
    int16,
    int32,
    int64,
    int_,
    integer,
    intp,
    number,
    signedinteger,
    single,
    uint,
    uint8,
    uint16,
    uint32,
    uint64,
    uintp,
    unsignedinteger,
)

_OF_ELEMENTS = (
    bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64, complex64, complex128,
)  # fmt: skip

ALL = {dtype(kind).name: dtype(kind) for kind in _OF_ELEMENTS}

__all__ = [
    "bool",
    "bool_",
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
    "integer",
    "intp",
    "number",
    "signedinteger",
    "single",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintp",
    "unsignedinteger",
]
