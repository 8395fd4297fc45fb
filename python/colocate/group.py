"""Reductions over the items of a group, for kernels.

Each item gives a value, and all of them get the combination. They are meeting points as
:func:`colocate.barrier` is, and need a launch with a local size.

>>> import colocate as cl
>>> @cl.kernel
... def sums(a, out):
...     total = cl.group.sum(a[cl.get_global_id(0)])
...     if cl.get_local_id(0) == 0:
...         out[cl.get_group_id(0)] = total
>>> x = cl.asarray([1.0, 2.0, 3.0, 4.0], device="native:cpu")
>>> y = cl.zeros(2, device="native:cpu")
>>> sums[4, (2,)](x, y).wait()
>>> y.tolist()
[3.0, 7.0]
"""

from colocate._kernels import known_to_kernels

__all__ = ["all", "any", "max", "min", "prod", "sum"]


@known_to_kernels("colocate.group")
def sum(value):
    """The sum over the group.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def run(a):
    ...     i = cl.get_global_id(0)
    ...     a[i] = cl.group.sum(a[i])
    >>> x = cl.asarray([1, 2, 3, 4], device="native:cpu")
    >>> run[4, (2,)](x).wait()
    >>> x.tolist()
    [3, 3, 7, 7]
    """


@known_to_kernels("colocate.group")
def prod(value):
    """The product over the group.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def run(a):
    ...     i = cl.get_global_id(0)
    ...     a[i] = cl.group.prod(a[i])
    >>> x = cl.asarray([1, 2, 3, 4], device="native:cpu")
    >>> run[4, (2,)](x).wait()
    >>> x.tolist()
    [2, 2, 12, 12]
    """


@known_to_kernels("colocate.group")
def min(value):
    """The smallest value in the group.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def run(a):
    ...     i = cl.get_global_id(0)
    ...     a[i] = cl.group.min(a[i])
    >>> x = cl.asarray([1, 2, 3, 4], device="native:cpu")
    >>> run[4, (2,)](x).wait()
    >>> x.tolist()
    [1, 1, 3, 3]
    """


@known_to_kernels("colocate.group")
def max(value):
    """The largest value in the group.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def run(a):
    ...     i = cl.get_global_id(0)
    ...     a[i] = cl.group.max(a[i])
    >>> x = cl.asarray([1, 2, 3, 4], device="native:cpu")
    >>> run[4, (2,)](x).wait()
    >>> x.tolist()
    [2, 2, 4, 4]
    """


@known_to_kernels("colocate.group")
def any(value):
    """Whether the value is true for any item of the group.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def run(a):
    ...     i = cl.get_global_id(0)
    ...     a[i] = cl.group.any(a[i] == 4)
    >>> x = cl.asarray([1, 2, 3, 4], device="native:cpu")
    >>> run[4, (2,)](x).wait()
    >>> x.tolist()
    [0, 0, 1, 1]
    """


@known_to_kernels("colocate.group")
def all(value):
    """Whether the value is true for all items of the group.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def run(a):
    ...     i = cl.get_global_id(0)
    ...     a[i] = cl.group.all(a[i] < 4)
    >>> x = cl.asarray([1, 2, 3, 4], device="native:cpu")
    >>> run[4, (2,)](x).wait()
    >>> x.tolist()
    [1, 1, 0, 0]
    """
