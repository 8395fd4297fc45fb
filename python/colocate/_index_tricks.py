"""Arrays joined by what is written between brackets: ``r_`` and ``c_``."""

import operator

import numpy as np

import colocate as cl
from colocate import _native
from colocate._arguments import Array, check
from colocate._errors import InvalidArgumentError

__all__ = [
    "c_",
    "r_",
]


class Joining:
    """Joins what is between the brackets: arrays, lists, numbers, and ranges as slices.

    ``r_`` joins along the first axis, ``c_`` along the last, with vectors as columns. ``1:6:2`` is
    ``arange(1, 6, 2)``, and ``0:1:5j`` is ``linspace(0, 1, 5)``. A first item such as ``"0,2"`` names the
    axis and the least number of axes, and ``"0,2,0"`` also where those of an item go among them.
    What is no array follows the first one; without any, it goes to the current queue.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.r_[cl.asarray([1, 2]), 0, 4:6].tolist()
    [1, 2, 0, 4, 5]
    >>> cl.c_[cl.asarray([1, 2]), cl.asarray([3, 4])].tolist()
    [[1, 3], [2, 4]]
    """

    def __init__(self, name, axis, ndmin, first_axis):
        self._name = name
        self._defaults = (axis, ndmin, first_axis)

    def __getitem__(self, key):
        items = key if isinstance(key, tuple) else (key,)
        axis, ndmin, first_axis = self._defaults
        if items and isinstance(items[0], str):
            axis, ndmin, first_axis = self._directive(items[0])
            items = items[1:]
        if not items:
            raise InvalidArgumentError(f"{self._name}: there is nothing to join")
        arrays = [item for item in items if isinstance(item, Array)]
        place = {}
        if arrays:
            others = [item for item in items if not isinstance(item, slice)]
            check(self._name, items=others)
            place = {"queue": arrays[0].queue, "usm_type": _native.get_coerced_usm_type(*arrays)}
        elif any(isinstance(item, np.ndarray) for item in items):
            check(self._name, items=[item for item in items if isinstance(item, np.ndarray)])
        parts = [_part(item, place) for item in items]
        # Numbers have the type of what they are joined with, where that holds them.
        kinds = [item if _is_number(item) else part.dtype for item, part in zip(items, parts, strict=True)]
        dtype = np.result_type(*kinds)
        return cl.concat([_with_axes(part, ndmin, first_axis).astype(dtype, copy=False) for part in parts], axis=axis)

    def _directive(self, text):
        try:
            numbers = [int(number) for number in text.split(",")]
        except ValueError:
            numbers = []
        if not 1 <= len(numbers) <= 3:
            raise InvalidArgumentError(f"{self._name}: {text!r} is not an axis, or two or three numbers")
        return (*numbers, *self._defaults[len(numbers) :])

    def __repr__(self):
        return f"colocate.{self._name}"


def _is_number(item):
    return isinstance(item, bool | int | float | complex)


def _part(item, place):
    """One item as an array."""
    if isinstance(item, Array):
        return item
    if not isinstance(item, slice):
        return _native.asarray(item, **place)
    start, step = (0 if item.start is None else item.start), (1 if item.step is None else item.step)
    if isinstance(step, complex):
        return _native.linspace(start, item.stop, operator.index(int(abs(step))), **place)
    return _native.arange(start, item.stop, step, **place)


def _with_axes(part, ndmin, first_axis):
    """With axes of one element added, before its own or from a place on."""
    ndmin = max(ndmin, 1)
    added = ndmin - part.ndim
    if added <= 0:
        return part
    part_ndim, part = part.ndim, part[(None,) * added]
    if first_axis == -1 or part_ndim == 0:
        return part
    before = first_axis + added + 1 if first_axis < 0 else first_axis
    axes = list(range(ndmin))
    return cl.permute_dims(part, tuple(axes[:before] + axes[added:] + axes[before:added]))


Joining.__module__ = "colocate"
r_ = Joining("r_", 0, 1, -1)
c_ = Joining("c_", -1, 2, 0)
