"""What ``functools.singledispatch`` makes of functions, written as functions that ask what their first argument is."""

import functools

from ._generated import function_from


def dispatched(function):
    """Such a function in words that jit functions are made of, and what it depends on; None if it is something else."""
    dispatch = getattr(function, "dispatch", None)
    if getattr(function, "__globals__", None) is not vars(functools) or not hasattr(function, "registry"):
        return None
    cells = zip(dispatch.__code__.co_freevars, dispatch.__closure__, strict=True)
    registry = {name: cell.cell_contents for name, cell in cells}["registry"]
    written = _written(function.__name__, tuple(registry.items()))
    return written and (written, registry)


@functools.lru_cache(maxsize=256)
def _written(name, registered):
    # What is derived comes before what it is derived from.
    def depth(cls):
        return sum(issubclass(cls, other) for other, _ in registered)

    chosen = sorted(registered, key=lambda one: depth(one[0]), reverse=True)
    if any(_may_be_both(one, other) for one, _ in chosen for other, _ in chosen):
        return None
    names, lines = {}, [f"def {name}(first, *rest, **named):"]
    for number, (cls, function) in enumerate(chosen):
        names[f"class_{number}"], names[f"function_{number}"] = cls, function
        test = "" if cls is object else f"if isinstance(first, class_{number}): "
        lines.append(f"    {test}return function_{number}(first, *rest, **named)")
    return function_from(name, "\n".join(lines) + "\n", names)


def _may_be_both(one, other):
    """Whether an object may be of two classes of which none is derived from the other: its own class decides then."""
    if issubclass(one, other) or issubclass(other, one):
        return False
    return any(issubclass(derived, other) for derived in _derived(one))


def _derived(cls):
    for derived in type.__subclasses__(cls):
        yield derived
        yield from _derived(derived)
