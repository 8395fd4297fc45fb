"""The element types, as NumPy's dtypes."""

from numpy import dtype as _dtype

bool = _dtype("bool")
int8 = _dtype("int8")
int16 = _dtype("int16")
int32 = _dtype("int32")
int64 = _dtype("int64")
uint8 = _dtype("uint8")
uint16 = _dtype("uint16")
uint32 = _dtype("uint32")
uint64 = _dtype("uint64")
float16 = _dtype("float16")
float32 = _dtype("float32")
float64 = _dtype("float64")
complex64 = _dtype("complex64")
complex128 = _dtype("complex128")

ALL = {name: value for name, value in globals().items() if isinstance(value, _dtype)}
