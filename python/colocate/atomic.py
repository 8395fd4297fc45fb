"""Atomic operations on elements of arrays, for kernels.

Each changes ``array[index]`` in one step that no other item's can come into, and gives what the
element held before. The index is an int, or a tuple with one for every axis; arrays are global or
local, of integers or floats of 32 or 64 bits (bitwise operations: integers).

>>> import colocate as cl, numpy as np
>>> @cl.kernel
... def histogram(values, counts):
...     i = cl.get_global_id(0)
...     cl.atomic.add(counts, values[i], 1)
>>> values = cl.asarray([0, 2, 2, 1, 2], device="native:cpu")
>>> counts = cl.zeros(3, dtype="int32", device="native:cpu")
>>> histogram(values, counts).wait()
>>> counts.tolist()
[1, 1, 3]
"""

from colocate._kernels import known_to_kernels

__all__ = ["add", "and_", "compare_exchange", "exchange", "max", "min", "or_", "sub", "xor"]


@known_to_kernels("colocate.atomic")
def add(array, index, value):
    """Adds ``value`` to ``array[index]``; gives what was there before.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def run(a):
    ...     cl.atomic.add(a, 0, 2)
    >>> x = cl.asarray([10], device="native:cpu")
    >>> run[4](x).wait()
    >>> x.tolist()
    [18]
    """


@known_to_kernels("colocate.atomic")
def sub(array, index, value):
    """Subtracts ``value`` from ``array[index]``; gives what was there before.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def run(a):
    ...     cl.atomic.sub(a, 0, 2)
    >>> x = cl.asarray([10], device="native:cpu")
    >>> run[4](x).wait()
    >>> x.tolist()
    [2]
    """


@known_to_kernels("colocate.atomic")
def min(array, index, value):
    """Makes ``array[index]`` the smaller of itself and ``value``; gives what was there before.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def run(a):
    ...     cl.atomic.min(a, 0, cl.get_global_id(0) + 5)
    >>> x = cl.asarray([10], device="native:cpu")
    >>> run[4](x).wait()
    >>> x.tolist()
    [5]
    """


@known_to_kernels("colocate.atomic")
def max(array, index, value):
    """Makes ``array[index]`` the larger of itself and ``value``; gives what was there before.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def run(a):
    ...     cl.atomic.max(a, 0, cl.get_global_id(0))
    >>> x = cl.asarray([1], device="native:cpu")
    >>> run[4](x).wait()
    >>> x.tolist()
    [3]
    """


@known_to_kernels("colocate.atomic")
def and_(array, index, value):
    """Does ``array[index] &= value``; gives what was there before.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def run(a):
    ...     cl.atomic.and_(a, 0, 5)
    >>> x = cl.asarray([7], device="native:cpu")
    >>> run[4](x).wait()
    >>> x.tolist()
    [5]
    """


@known_to_kernels("colocate.atomic")
def or_(array, index, value):
    """Does ``array[index] |= value``; gives what was there before.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def run(a):
    ...     cl.atomic.or_(a, 0, cl.get_global_id(0))
    >>> x = cl.asarray([8], device="native:cpu")
    >>> run[4](x).wait()
    >>> x.tolist()
    [11]
    """


@known_to_kernels("colocate.atomic")
def xor(array, index, value):
    """Does ``array[index] ^= value``; gives what was there before.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def run(a):
    ...     cl.atomic.xor(a, 0, cl.get_global_id(0))
    >>> x = cl.asarray([8], device="native:cpu")
    >>> run[4](x).wait()
    >>> x.tolist()
    [8]
    """


@known_to_kernels("colocate.atomic")
def exchange(array, index, value):
    """Puts ``value`` into ``array[index]``; gives what was there before.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def run(a):
    ...     cl.atomic.exchange(a, 0, 5)
    >>> x = cl.asarray([8], device="native:cpu")
    >>> run[4](x).wait()
    >>> x.tolist()
    [5]
    """


@known_to_kernels("colocate.atomic")
def compare_exchange(array, index, expected, value):
    """Puts ``value`` into ``array[index]`` if that holds ``expected``; gives what was there before.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def run(a):
    ...     cl.atomic.compare_exchange(a, 0, 0, cl.get_global_id(0) // 4 + 7)
    >>> x = cl.asarray([0], device="native:cpu")
    >>> run[4](x).wait()
    >>> x.tolist()
    [7]
    """
