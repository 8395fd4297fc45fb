# Python code for every element, for type checkers.

from collections.abc import Callable, Iterator
from typing import Any

from colocate import Array

def ndenumerate(arr: Array) -> Iterator[tuple[tuple[int, ...], Any]]: ...

class vectorize:
    pyfunc: Callable[..., Any]
    def __init__(
        self,
        pyfunc: Callable[..., Any],
        otypes: Any = None,
        doc: str | None = None,
        excluded: Any = None,
        cache: bool = False,
        signature: str | None = None,
    ) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
