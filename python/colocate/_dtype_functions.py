"""Functions of element types; nothing here touches an array's elements, except the smallest type of
a scalar.
"""

import numpy as np

from colocate import _dtypes, _native
from colocate._arguments import Array, no_array
from colocate._errors import DTypeError

__all__ = [
    "can_cast",
    "e",
    "euler_gamma",
    "finfo",
    "iinfo",
    "inf",
    "isdtype",
    "issubdtype",
    "min_scalar_type",
    "nan",
    "newaxis",
    "pi",
    "promote_types",
    "result_type",
]

e = float(np.e)
euler_gamma = float(np.euler_gamma)
inf = float("inf")
nan = float("nan")
newaxis = None
pi = float(np.pi)


def _known(dtype):
    """A dtype that arrays can have."""
    if dtype.name not in _dtypes.ALL:
        raise DTypeError(f"{dtype} is no dtype of colocate arrays; there are {', '.join(_dtypes.ALL)}")
    return _dtypes.ALL[dtype.name]


def _dtype_of(function, value):
    if isinstance(value, Array):
        return value.dtype
    if isinstance(value, np.ndarray):
        raise no_array(function, "x", value)
    return _known(np.dtype(value))


def can_cast(from_, to, casting="safe"):
    """Whether elements of one dtype, or those of an array, may be converted to another dtype.

    Parameters
    ----------
    from_ : dtype or array
        What is to be converted.
    to : dtype
        To what.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}
        What is allowed, as in NumPy.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.can_cast(cl.int32, cl.int64), cl.can_cast(cl.int64, cl.int32)
    (True, False)
    """
    if isinstance(from_, bool | int | float | complex):
        raise DTypeError("can_cast takes dtypes and arrays, not Python scalars")
    return np.can_cast(_dtype_of("can_cast", from_), _known(np.dtype(to)), casting)


def result_type(*arrays_and_dtypes):
    """The dtype of what is computed of arrays, dtypes and scalars together.

    Python scalars are weak: they change the kind of the result (integer, float, complex), but do
    not make it wider.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.result_type(cl.int8, cl.uint8), cl.result_type(cl.ones(2, dtype="float32"), 1.0)
    (dtype('int16'), dtype('float32'))
    """
    if not arrays_and_dtypes:
        raise DTypeError("result_type takes at least one array or dtype")
    types = []
    for value in arrays_and_dtypes:
        if isinstance(value, bool | int | float | complex | np.generic):
            types.append(value)
        else:
            types.append(_dtype_of("result_type", value))
    return _known(np.result_type(*types))


def promote_types(type1, type2):
    """The smallest dtype that holds what both hold.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.promote_types("int32", "float32")
    dtype('float64')
    """
    return _known(np.promote_types(type1, type2))


def min_scalar_type(a):
    """The smallest dtype that holds a scalar; of an array with axes, its own dtype.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.min_scalar_type(300)
    dtype('uint16')
    """
    if isinstance(a, Array):
        if a.ndim:
            return a.dtype
        a = _native.asnumpy(a)[()]
    return _known(np.min_scalar_type(a))


def isdtype(dtype, kind):
    """Whether a dtype is of a kind.

    Parameters
    ----------
    dtype
        What is asked about.
    kind : dtype, str or tuple of these
        ``"bool"``, ``"signed integer"``, ``"unsigned integer"``, ``"integral"``,
        ``"real floating"`` (which float16 is, too), ``"complex floating"`` or ``"numeric"``.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.isdtype(cl.float32, "real floating"), cl.isdtype(cl.float32, (cl.float64, "integral"))
    (True, False)
    """
    return np.isdtype(np.dtype(dtype), kind)


def issubdtype(arg1, arg2):
    """Whether a dtype is, or is a kind of, another in NumPy's tree of types.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.issubdtype(cl.ones(2).dtype, cl.floating)
    True
    """
    return np.issubdtype(arg1, arg2)


class finfo:
    """Limits of a floating-point dtype; of a complex one, those of its parts.

    Parameters
    ----------
    type : dtype or array

    Attributes
    ----------
    bits : int
    eps, max, min, smallest_normal, tiny, smallest_subnormal, resolution, epsneg : float
    precision, nmant, nexp, iexp, machep, negep, minexp, maxexp : int
    dtype

    Examples
    --------
    >>> import colocate as cl
    >>> cl.finfo("float32").eps == 2**-23, cl.finfo(cl.complex128).bits
    (True, 64)
    """

    def __init__(self, type, /):
        dtype = _dtype_of("finfo", type)
        if dtype.kind not in "fc":
            raise DTypeError(f"finfo: {dtype} is no floating-point dtype")
        numbers = np.finfo(dtype)
        self.dtype = np.dtype(numbers.dtype)
        self.bits = int(numbers.bits)
        for name in ("eps", "max", "min", "smallest_normal", "tiny", "smallest_subnormal", "resolution", "epsneg"):
            setattr(self, name, float(getattr(numbers, name)))
        for name in ("precision", "nmant", "nexp", "iexp", "machep", "negep", "minexp", "maxexp"):
            setattr(self, name, int(getattr(numbers, name)))

    def __repr__(self):
        return f"finfo(resolution={self.resolution}, min={self.min}, max={self.max}, dtype={self.dtype})"


class iinfo:
    """Limits of an integer dtype.

    Parameters
    ----------
    type : dtype or array

    Attributes
    ----------
    bits, max, min : int
    dtype

    Examples
    --------
    >>> import colocate as cl
    >>> cl.iinfo("int8").max
    127
    """

    def __init__(self, type, /):
        self.dtype = _dtype_of("iinfo", type)
        if self.dtype.kind not in "iu":
            raise DTypeError(f"iinfo: {self.dtype} is no integer dtype")
        numbers = np.iinfo(self.dtype)
        self.bits, self.max, self.min = int(numbers.bits), int(numbers.max), int(numbers.min)

    def __repr__(self):
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"


for _class in (finfo, iinfo):
    _class.__module__ = "colocate"
