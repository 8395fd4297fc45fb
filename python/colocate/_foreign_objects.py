"""Objects that jit functions hold without knowing what is in them: bytes, dates, arrays of texts, members as keys.

What is done with such an object is done by Python, and what that gives is found out by example. So a compiler needs two
things of an object: of what ``kind`` it is, a text, and an ``example`` of that kind.
"""

import array
import datetime
import re
import sys

import numpy as np

_DAY = datetime.datetime(2000, 1, 3, 4, 5, 6)


def _fraction(count, first):
    from fractions import Fraction

    return Fraction(first, 7)


def _decimal(count, first):
    from decimal import Decimal

    return Decimal(first) / 4


def _logger(count, first):
    import logging

    # One that nobody listens to.
    return logging.Logger("example", logging.CRITICAL + 1)


def _polynomial(name):
    def made(count, first):
        cls = getattr(np.polynomial, name)
        return cls([float(first + i) for i in range(count)])

    return made


#: The classes of polynomials, each in the module that is called like it.
_POLYNOMIALS = {
    f"numpy.polynomial.{module}.{name}": _polynomial(name)
    for module, name in (
        ("polynomial", "Polynomial"),
        ("chebyshev", "Chebyshev"),
        ("legendre", "Legendre"),
        ("hermite", "Hermite"),
        ("hermite_e", "HermiteE"),
        ("laguerre", "Laguerre"),
    )
}

#: How an example of a class is made of a number. Modules are not imported before a program has one of their objects.
_CLASSES = {
    "bytes": lambda count, first: _digits(count, first),
    "bytearray": lambda count, first: bytearray(_digits(count, first)),
    "memoryview": lambda count, first: memoryview(bytearray(_digits(count, first))),
    "fractions.Fraction": _fraction,
    "decimal.Decimal": _decimal,
    "datetime.date": lambda count, first: _DAY.date() + datetime.timedelta(first),
    "datetime.datetime": lambda count, first: _DAY + datetime.timedelta(first),
    "datetime.time": lambda count, first: datetime.time(first % 24, 5),
    "datetime.timedelta": lambda count, first: datetime.timedelta(first, 3),
    "logging.Logger": _logger,
    "logging.RootLogger": _logger,
    **_POLYNOMIALS,
}


def _name_of(cls):
    """The name of a class of those above; None if it is another."""
    name = f"{cls.__module__}.{cls.__name__}".removeprefix("builtins.")
    is_it = getattr(sys.modules.get(cls.__module__), cls.__name__, None) is cls
    return name if name in _CLASSES and is_it else None


_READ_ONLY = "memoryview of bytes"

#: What Python makes an int of some numbers, and a float of others.
_INT_OR_FLOAT = "int or float"

#: An item of a container whose items are of several types.
_ANYTHING = "object of several types"

#: Enumerations whose members are keys of dictionaries.
_enumerations = []


def _digits(count, first):
    return bytes(48 + (first + i) % 10 for i in range(count))


def kind(x):
    """The kind of an object; None if it is none of those here."""
    cls = type(x)
    if getattr(x, "tzinfo", None) is not None:
        # Examples have no time zone, and say nothing of what depends on it.
        return None
    if cls is memoryview and x.readonly:
        return _READ_ONLY
    if name := _name_of(cls):
        # Those of other numbers give others than examples do.
        known = name not in _POLYNOMIALS or all(x.dtype == np.float64 for x in (x.coef, x.domain, x.window))
        return name if known else None
    if cls in (re.Pattern, re.Match):
        pattern = x if cls is re.Pattern else x.re
        return f"re.{cls.__name__} {pattern.groups}" if isinstance(pattern.pattern, str) else None
    if cls is array.array:
        return f"array.array {x.typecode}"
    if isinstance(x, (np.datetime64, np.timedelta64, np.str_, np.bytes_)):
        return f"numpy {_code(x.dtype)}"
    if cls is np.poly1d:
        return f"numpy.poly1d {x.coeffs.dtype.str}" if x.coeffs.dtype.kind in "if" else None
    # Subclasses, such as matrices, have rules of their own. Numbers in another byte order are for devices: the host
    # must not compute with them in silence.
    if cls is np.ndarray and x.dtype.kind in "USMm":
        return f"numpy {_code(x.dtype)} array of {x.ndim} axes"
    return None


def _code(dtype):
    """A dtype without how long its texts are."""
    return dtype.kind if dtype.kind in "US" else dtype.str


def kind_of_members(enumeration):
    """The kind of an enumeration's members."""
    if enumeration not in _enumerations:
        _enumerations.append(enumeration)
    return f"{enumeration.__module__}.{enumeration.__qualname__} member {_enumerations.index(enumeration)}"


def example(kind, count, first):
    """An object of a kind, with so many items on each axis, made of a number."""
    if kind == "object":
        return object()
    if kind in (_INT_OR_FLOAT, _ANYTHING):
        return first if count % 2 else first + 0.5
    if kind.startswith("re."):
        cls, groups = kind.split(" ")
        pattern = re.compile("(7)?" * (0 if groups == "?" else int(groups)))
        return pattern if cls == "re.Pattern" else pattern.match("7")

    if " member " in kind:
        members = list(_enumerations[int(kind.split(" ")[-1])])
        return members[first % len(members)]
    if kind in _CLASSES:
        return _CLASSES[kind](count, first)
    if kind == _READ_ONLY:
        return memoryview(_digits(count, first))
    library, code, *of = kind.split(" ")
    if library == "numpy.poly1d":
        return np.poly1d(np.arange(first + 1, first + 1 + count).astype(code))
    if library == "array.array":
        text = code == "u"
        return array.array(code, "7" * count if text else [first + i for i in range(count)])
    dtype = np.dtype(code)
    shape = (count,) * int(of[2]) if of else ()
    numbers = (np.arange(count) + first).astype("U4" if dtype.kind in "US" else "i8")
    made = np.broadcast_to(numbers if shape else numbers[0], shape).copy()
    made = made.astype("S4") if dtype.kind == "S" else made.astype(dtype if dtype.kind != "U" else "U4")
    return made if of else made[()]
