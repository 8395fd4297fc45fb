"""The variables of modules that jit functions assign to: an object that has them as attributes."""

import sys


class Variables:
    """The variables of a function whose module is not to be had, such as one of a text that was executed.

    Examples
    --------
    >>> from colocate._global_variables import Variables
    >>> names = {"x": 1}
    >>> Variables(names).x += 1
    >>> names
    {'x': 2}
    """

    def __init__(self, variables):
        self.__dict__ = variables


_known = {}


def holder_of(variables):
    """What has the variables of a module, a dictionary, as its attributes, and a name for it."""
    name = variables.get("__name__")
    module = sys.modules.get(name) if isinstance(name, str) else None
    # A module may have functions that say what an attribute is where there is none.
    if module is None or getattr(module, "__dict__", None) is not variables:
        if id(variables) not in _known:
            # The dictionary is kept, so that nothing else gets its number.
            _known[id(variables)] = Variables(variables)
        module = _known[id(variables)]
    return module, f"{name} {id(variables)}"


def can_be_assigned(holder):
    """Whether an object is one of those."""
    return isinstance(holder, Variables) or type(holder) is type(sys)
