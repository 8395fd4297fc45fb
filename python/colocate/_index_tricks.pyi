# Arrays joined between brackets, for type checkers.

from typing import Any

from colocate import Array

class Joining:
    def __getitem__(self, key: Any) -> Array: ...

r_: Joining
c_: Joining
