"""Explicit signatures of jit functions, such as ``"float64(float64[:], int64)"``.

They are written as for Numba: as text, as types of Numba's, or as a list of either. Numba itself is not needed. A
function with signatures takes what fits one of them: arrays must be of the type named; numbers are converted.
"""

import ast
import collections.abc
import enum
from dataclasses import dataclass

import numpy

from colocate import _native
from colocate._errors import InvalidArgumentError

# Names of scalar types as Numba has them, beside NumPy's own.
_SCALARS = {
    "b1": "bool",
    "bool_": "bool",
    "boolean": "bool",
    "byte": "uint8",
    "char": "int8",
    "uchar": "uint8",
    "short": "int16",
    "ushort": "uint16",
    "intc": "int32",
    "uintc": "uint32",
    "int": "int64",
    "int_": "int64",
    "uint": "uint64",
    "intp": "int64",
    "uintp": "uint64",
    "ssize_t": "int64",
    "size_t": "uint64",
    "long_": "int64",
    "ulong": "uint64",
    "longlong": "int64",
    "ulonglong": "uint64",
    "float": "float64",
    "float_": "float32",
    "double": "float64",
    "complex": "complex128",
    **{f"i{size}": f"int{8 * size}" for size in (1, 2, 4, 8)},
    **{f"u{size}": f"uint{8 * size}" for size in (1, 2, 4, 8)},
    **{f"f{size}": f"float{8 * size}" for size in (2, 4, 8)},
    **{f"c{size}": f"complex{8 * size}" for size in (8, 16)},
}
_DTYPES = [
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
]

# How well an argument fits: as it is, by a conversion that loses nothing, by one that may.
EXACT, SAFE, UNSAFE = range(3)


@dataclass(frozen=True)
class Scalar:
    """A number."""

    dtype: numpy.dtype

    def __str__(self):
        return self.dtype.name

    def fit(self, value):
        found = _scalar_dtype(value)
        if found is None or (found.kind == "c" and self.dtype.kind != "c"):
            return None
        if found == self.dtype:
            return EXACT
        return SAFE if numpy.can_cast(found, self.dtype) else UNSAFE

    def convert(self, value):
        if isinstance(value, numpy.generic) and value.dtype == self.dtype:
            return value
        if self.dtype.kind in "iu" and isinstance(value, float | numpy.floating):
            value = int(value)
        if isinstance(value, int) and self.dtype.kind in "iu":
            # As C does, and Numba: the lowest bits.
            value = numpy.array(value & (1 << 64) - 1, dtype=numpy.uint64)
        return numpy.asarray(value).astype(self.dtype)[()]


@dataclass(frozen=True)
class Array:
    """An array; the layout is C, F or A for any."""

    dtype: numpy.dtype
    ndim: int
    layout: str = "A"
    writable: bool = True

    def __str__(self):
        axes = [":"] * self.ndim
        if self.layout != "A" and self.ndim:
            axes[0 if self.layout == "F" else -1] = "::1"
        return f"{self.dtype.name}[{', '.join(axes)}]"

    def fit(self, value):
        if not isinstance(value, numpy.ndarray | _native.Array):
            return None
        flags = value.flags
        fits = (
            value.dtype == self.dtype
            and value.ndim == self.ndim
            and (self.layout != "C" or flags.c_contiguous)
            and (self.layout != "F" or flags.f_contiguous)
            and (not self.writable or getattr(flags, "writeable", True))
        )
        return EXACT if fits else None

    def convert(self, value):
        return value


@dataclass(frozen=True)
class Tuple:
    """A tuple of known length."""

    items: tuple

    def __str__(self):
        return f"Tuple(({', '.join(map(str, self.items))}))"

    def fit(self, value):
        if not isinstance(value, tuple) or len(value) != len(self.items):
            return None
        fits = [item.fit(one) for item, one in zip(self.items, value, strict=True)]
        return None if None in fits else max(fits, default=EXACT)

    def convert(self, value):
        converted = [item.convert(one) for item, one in zip(self.items, value, strict=True)]
        return type(value)(*converted) if hasattr(value, "_fields") else tuple(converted)


@dataclass(frozen=True)
class Instance:
    """An object of Python's own, or a typed container of Numba's: of which class it is, and of what its items are."""

    name: str
    items: tuple = ()

    def __str__(self):
        return f"{self.name}({', '.join(map(str, self.items))})" if self.items else self.name

    def fit(self, value):
        cls = type(value)
        typed = cls.__module__.startswith("numba.typed.") and cls.__name__.lower() == self.name
        if not typed and not isinstance(value, _CLASSES[self.name]):
            return None
        # All items of a container are of one type.
        first = next(iter(value.items() if self.name == "dict" else value), None) if self.items else None
        if first is None:
            return EXACT
        parts = first if self.name == "dict" else (first,)
        return EXACT if all(map(_is_item, self.items, parts)) else None

    def convert(self, value):
        return value


def _is_item(item, value):
    """Whether a container of such items may hold a value: nothing in it is converted."""
    dtype = _scalar_dtype(value)
    if not isinstance(item, Scalar) or dtype is None:
        return item.fit(value) == EXACT
    kinds = [one.kind.replace("u", "i") for one in (dtype, item.dtype)]
    return kinds[0] == kinds[1]


_CLASSES = {
    "str": str,
    "bytes": bytes,
    "list": list,
    "set": set,
    "dict": dict,
    "slice": slice,
    "range": range,
    "record": numpy.void,
    "datetime64": numpy.datetime64,
    "timedelta64": numpy.timedelta64,
    "enumeration": enum.Enum,
    "function": collections.abc.Callable,
}

# What the classes of Numba's types of objects are called.
_OF_NUMBA = {
    "UnicodeType": "str",
    "Bytes": "bytes",
    "UnicodeCharSeq": "str",
    "CharSeq": "bytes",
    "List": "list",
    "ListType": "list",
    "Set": "set",
    "SetType": "set",
    "DictType": "dict",
    "SliceType": "slice",
    "RangeType": "range",
    "Record": "record",
    "NPDatetime": "datetime64",
    "NPTimedelta": "timedelta64",
    "EnumMember": "enumeration",
    "IntEnumMember": "enumeration",
    "Dispatcher": "function",
    "CPUDispatcher": "function",
    "Function": "function",
    "FunctionType": "function",
    "UndefinedFunctionType": "function",
}


@dataclass(frozen=True)
class Nothing:
    """``None``."""

    def __str__(self):
        return "none"

    def fit(self, value):
        return EXACT if value is None else None

    def convert(self, value):
        return None


@dataclass(frozen=True)
class Optional:
    """A type, or ``None``."""

    type: object

    def __str__(self):
        return f"optional({self.type})"

    def fit(self, value):
        return EXACT if value is None else self.type.fit(value)

    def convert(self, value):
        return None if value is None else self.type.convert(value)


@dataclass(frozen=True)
class Signature:
    """What a function takes and, if it says so, what it returns."""

    arguments: tuple
    result: object = None

    def __str__(self):
        arguments = ", ".join(map(str, self.arguments))
        result = "void" if self.result == Nothing() else self.result or ""
        return f"{result}({arguments})"

    def fit(self, values):
        """How badly the arguments fit: the conversions that may lose something, and the others. None if not at all."""
        if len(values) != len(self.arguments):
            return None
        fits = [one.fit(value) for one, value in zip(self.arguments, values, strict=True)]
        return None if None in fits else (fits.count(UNSAFE), fits.count(SAFE))

    def convert(self, values):
        return [one.convert(value) for one, value in zip(self.arguments, values, strict=True)]


def _scalar_dtype(value):
    """The dtype that a number has by itself, or None."""
    if isinstance(value, numpy.generic):
        return value.dtype if value.dtype.name in _DTYPES else None
    for python, dtype in ((bool, "bool"), (int, "int64"), (float, "float64"), (complex, "complex128")):
        if isinstance(value, python):
            return numpy.dtype(dtype)
    return None


def _wrong(text, why):
    return InvalidArgumentError(f"the signature {text!r}: {why}; write such as 'float64(float64[:], int64)'")


def _named(name):
    """The type of a name, or None."""
    if name in ("void", "none", "None"):
        return Nothing()
    if name in ("unicode_type", "string"):
        return Instance("str")
    name = _SCALARS.get(name, name)
    return Scalar(numpy.dtype(name)) if name in _DTYPES else None


class _Reader:
    """Reads the text of one signature."""

    def __init__(self, text):
        self.text = text

    def wrong(self, node, why):
        place = ast.get_source_segment(self.text.strip(), node) or self.text
        return _wrong(self.text, f"{place!r} {why}")

    def signature(self):
        try:
            tree = ast.parse(self.text.strip(), mode="eval").body
        except SyntaxError as error:
            raise _wrong(self.text, f"it is no expression ({error.msg})") from None
        if isinstance(tree, ast.Tuple):
            return Signature(tuple(map(self.type, tree.elts)))
        if isinstance(tree, ast.Call) and self.constructor(tree) is None:
            if tree.keywords:
                raise self.wrong(tree, "has keywords")
            return Signature(tuple(map(self.type, tree.args)), self.type(tree.func))
        # `(int64)` is an argument in brackets.
        if self.text.strip().startswith("("):
            return Signature((self.type(tree),))
        raise self.wrong(tree, "is a type, and no signature")

    def name(self, node):
        """The last part of a name such as ``numba.types.float64``."""
        if isinstance(node, ast.Attribute):
            return node.attr
        return node.id if isinstance(node, ast.Name) else None

    def constructor(self, node):
        name = self.name(node.func)
        known = ("Tuple", "UniTuple", "optional", "Optional", "Array", *_CONTAINERS)
        return name if name in known else None

    def type(self, node):
        if isinstance(node, ast.Constant) and node.value is None:
            return Nothing()
        if isinstance(node, ast.Subscript):
            return self.array(node)
        if isinstance(node, ast.Call):
            return self.constructed(node)
        found = _named(self.name(node))
        if found is None:
            raise self.wrong(node, "is no type that colocate has")
        return found

    def array(self, node):
        item = self.type(node.value)
        axes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        steps = []
        for axis in axes:
            plain = isinstance(axis, ast.Slice) and axis.lower is None and axis.upper is None
            step = axis.step if plain else None
            one = isinstance(step, ast.Constant) and step.value == 1
            if not plain or (step is not None and not one):
                raise self.wrong(node, "has an axis that is neither : nor ::1")
            steps.append(one)
        if not isinstance(item, Scalar) or sum(steps) > 1 or any(steps[1:-1]):
            raise self.wrong(node, "is no array type")
        layout = "C" if steps[-1] else "F" if steps[0] else "A"
        return Array(item.dtype, len(axes), layout)

    def constructed(self, node):
        kind = self.constructor(node)
        arguments = node.args
        if kind == "Tuple" and len(arguments) == 1 and isinstance(arguments[0], ast.Tuple | ast.List):
            return Tuple(tuple(map(self.type, arguments[0].elts)))
        if kind == "UniTuple" and len(arguments) == 2 and isinstance(arguments[1], ast.Constant):
            return Tuple((self.type(arguments[0]),) * arguments[1].value)
        if kind in ("optional", "Optional") and len(arguments) == 1:
            return Optional(self.type(arguments[0]))
        if kind == "Array" and len(arguments) == 3 and all(isinstance(one, ast.Constant) for one in arguments[1:]):
            return Array(self.type(arguments[0]).dtype, arguments[1].value, arguments[2].value)
        if kind in _CONTAINERS and len(arguments) == (2 if kind == "DictType" else 1):
            return Instance(_OF_NUMBA[kind], tuple(map(self.type, arguments)))
        raise self.wrong(node, "is no type that colocate has")


#: The types of containers that are written with those of their items.
_CONTAINERS = ("List", "ListType", "Set", "SetType", "DictType")


def _dtype_of_items(found):
    """The dtype of an array's items, which may be records, texts and dates."""
    kind = type(found).__name__
    if kind in ("UnicodeCharSeq", "CharSeq"):
        return numpy.dtype(f"{'S' if kind == 'CharSeq' else 'U'}{found.count}")
    if kind == "Record":
        return numpy.dtype(found.dtype)
    if kind in ("NPDatetime", "NPTimedelta"):
        name = "datetime64" if kind == "NPDatetime" else "timedelta64"
        return numpy.dtype(f"{name}[{found.unit}]" if found.unit else name)
    return _numba_type(found).dtype


def _instance_of_numba(found):
    """An object of Python's own as one of Numba's types has it, or None."""
    kind = _OF_NUMBA.get(type(found).__name__)
    if kind is None:
        return None
    items = (found.key_type, found.value_type) if kind == "dict" else (getattr(found, "dtype", None),)
    return Instance(kind, tuple(map(_numba_type, items)) if kind in ("list", "set", "dict") else ())


def _numba_type(found):
    """One of our types for one of Numba's, which need not be imported to be recognised."""
    kind = type(found).__name__
    if kind == "Array":
        return Array(_dtype_of_items(found.dtype), found.ndim, found.layout, found.mutable)
    if hasattr(found, "types") and "Tuple" in kind:
        return Tuple(tuple(map(_numba_type, found.types)))
    if kind == "Omitted":
        return _numba_type_of_value(found.value)
    if kind == "Optional":
        return Optional(_numba_type(found.type))
    if hasattr(found, "literal_value"):
        return _numba_type_of_value(found.literal_value)
    known = _instance_of_numba(found) or _named(str(found))
    if known is None:
        raise InvalidArgumentError(f"the signature has {found}, which is no type that colocate has")
    return known


def _numba_type_of_value(value):
    dtype = _scalar_dtype(value)
    return Nothing() if dtype is None else Scalar(dtype)


def parse(given):
    """The signatures of whatever a decorator takes: text, a signature of Numba's, a tuple of types, or a list."""
    if isinstance(given, list):
        return [signature for one in given for signature in parse(one)]
    if isinstance(given, str):
        return [_Reader(given).signature()]
    if isinstance(given, tuple):
        return [Signature(tuple(map(_type_of_item, given)))]
    if hasattr(given, "args") and hasattr(given, "return_type"):
        result = given.return_type
        return [Signature(tuple(map(_numba_type, given.args)), None if result is None else _numba_type(result))]
    raise InvalidArgumentError(f"{given!r} is no signature; write such as 'float64(float64[:], int64)'")


def _type_of_item(item):
    return _Reader(item).type(ast.parse(item, mode="eval").body) if isinstance(item, str) else _numba_type(item)
