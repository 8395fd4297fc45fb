# The elementwise functions, for type checkers.

from builtins import bool as _bool
from typing import Any, final

import numpy

from colocate import Array, DTypeLike

_Operand = Array | int | float | complex | numpy.generic

@final
class ufunc:
    def __new__(cls, name: str, doc: str, /) -> ufunc: ...
    def __call__(
        self,
        x1: _Operand,
        x2: _Operand = ...,
        x3: _Operand = ...,
        /,
        out: Array | None = None,
        *,
        where: Array | _bool = True,
        dtype: DTypeLike | None = None,
    ) -> Array: ...
    @property
    def nin(self) -> int: ...
    @property
    def nout(self) -> int: ...
    @property
    def nargs(self) -> int: ...
    @property
    def types(self) -> list[str]: ...
    @property
    def ntypes(self) -> int: ...
    @property
    def identity(self) -> int | bool | float | None: ...
    @property
    def signature(self) -> None: ...
    def result_dtype(self, *dtypes: DTypeLike) -> numpy.dtype[Any]: ...
    def reduce(
        self,
        array: Array,
        axis: int | tuple[int, ...] | None = 0,
        dtype: DTypeLike | None = None,
        out: Array | None = None,
        keepdims: bool = False,
        initial: Any = ...,
        where: Array | _bool = True,
    ) -> Array: ...
    def accumulate(
        self, array: Array, axis: int = 0, dtype: DTypeLike | None = None, out: Array | None = None
    ) -> Array: ...
    def reduceat(
        self,
        array: Array,
        indices: Any,
        axis: int = 0,
        dtype: DTypeLike | None = None,
        out: Array | None = None,
    ) -> Array: ...
    def outer(
        self, A: _Operand, B: _Operand, /, *, out: Array | None = None, dtype: DTypeLike | None = None
    ) -> Array: ...
    def at(self, a: Array, indices: Any, b: _Operand = ..., /) -> None: ...

abs: ufunc
absolute: ufunc
acos: ufunc
acosh: ufunc
add: ufunc
arccos: ufunc
arccosh: ufunc
arcsin: ufunc
arcsinh: ufunc
arctan: ufunc
arctan2: ufunc
arctanh: ufunc
asin: ufunc
asinh: ufunc
atan: ufunc
atan2: ufunc
atanh: ufunc
bitwise_and: ufunc
bitwise_count: ufunc
bitwise_invert: ufunc
bitwise_left_shift: ufunc
bitwise_not: ufunc
bitwise_or: ufunc
bitwise_right_shift: ufunc
bitwise_xor: ufunc
cbrt: ufunc
ceil: ufunc
conj: ufunc
conjugate: ufunc
copysign: ufunc
cos: ufunc
cosh: ufunc
deg2rad: ufunc
degrees: ufunc
divide: ufunc
equal: ufunc
exp: ufunc
exp2: ufunc
expm1: ufunc
fabs: ufunc
float_power: ufunc
floor: ufunc
floor_divide: ufunc
fmax: ufunc
fmin: ufunc
fmod: ufunc
gcd: ufunc
greater: ufunc
greater_equal: ufunc
heaviside: ufunc
hypot: ufunc
imag: ufunc
invert: ufunc
isfinite: ufunc
isinf: ufunc
isnan: ufunc
isneginf: ufunc
isposinf: ufunc
lcm: ufunc
left_shift: ufunc
less: ufunc
less_equal: ufunc
log: ufunc
log10: ufunc
log1p: ufunc
log2: ufunc
logaddexp: ufunc
logaddexp2: ufunc
logical_and: ufunc
logical_not: ufunc
logical_or: ufunc
logical_xor: ufunc
maximum: ufunc
minimum: ufunc
mod: ufunc
multiply: ufunc
negative: ufunc
nextafter: ufunc
not_equal: ufunc
positive: ufunc
pow: ufunc
power: ufunc
rad2deg: ufunc
radians: ufunc
real: ufunc
reciprocal: ufunc
remainder: ufunc
right_shift: ufunc
rint: ufunc
sign: ufunc
signbit: ufunc
sin: ufunc
sinc: ufunc
sinh: ufunc
spacing: ufunc
sqrt: ufunc
square: ufunc
subtract: ufunc
tan: ufunc
tanh: ufunc
true_divide: ufunc
trunc: ufunc

def where(condition: Array, x: _Operand | None = None, y: _Operand | None = None) -> Any: ...
def clip(
    a: Array,
    min: _Operand | None = None,
    max: _Operand | None = None,
    out: Array | None = None,
    *,
    a_min: _Operand | None = None,
    a_max: _Operand | None = None,
) -> Array: ...
def round(a: Array, decimals: int = 0, out: Array | None = None) -> Array: ...
def around(a: Array, decimals: int = 0, out: Array | None = None) -> Array: ...
def fix(x: Array, out: Array | None = None) -> Array: ...
def modf(
    x: Array,
    out1: Array | None = None,
    out2: Array | None = None,
    /,
    *,
    out: tuple[Array | None, Array | None] = ...,
    where: Array | _bool = True,
    casting: str = "same_kind",
    order: str = "K",
    dtype: DTypeLike | None = None,
    subok: _bool = True,
) -> tuple[Array, Array]: ...
def divmod(
    x1: _Operand,
    x2: _Operand,
    out1: Array | None = None,
    out2: Array | None = None,
    /,
    *,
    out: tuple[Array | None, Array | None] = ...,
    where: Array | _bool = True,
    casting: str = "same_kind",
    order: str = "K",
    dtype: DTypeLike | None = None,
    subok: _bool = True,
) -> tuple[Array, Array]: ...
def nan_to_num(
    x: Array,
    copy: _bool = True,
    nan: float | Array = 0.0,
    posinf: float | Array | None = None,
    neginf: float | Array | None = None,
) -> Array: ...
