# Settings for floating-point errors, for type checkers.

from typing import Literal, TypeAlias

import numpy

_What: TypeAlias = Literal["ignore", "warn", "raise", "call", "print", "log"]

class errstate(numpy.errstate): ...

def seterr(
    all: _What | None = None,
    divide: _What | None = None,
    over: _What | None = None,
    under: _What | None = None,
    invalid: _What | None = None,
) -> dict[str, str]: ...
def geterr() -> dict[str, str]: ...
