"""What a kernel may call to learn where it is, and to work with its group (R4.5).

The compiler knows these functions by name; called from Python itself they raise. Their
docstrings are their documentation.
"""

from colocate._errors import OutsideKernelError


def known_to_kernels(module):
    """Decorates a function that the compiler knows as ``module.name``."""

    def mark(function):
        name = f"{module}.{function.__name__}"

        # Its parameters are for readers; whatever it is called with, it raises.
        def outside(*args, **kwargs):
            raise OutsideKernelError(f"{name} works only inside a kernel: call it in a function with @colocate.kernel")

        outside.__name__ = function.__name__
        outside.__qualname__ = function.__qualname__
        outside.__module__ = module
        outside.__doc__ = function.__doc__
        outside.__annotations__ = function.__annotations__
        outside.__wrapped__ = function
        outside.__kernel_name__ = name
        return outside

    return mark


@known_to_kernels("colocate")
def get_global_id(axis=0):
    """The item's place on an axis of the whole index space: 0, 1, ... up to the global size.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def place(a):
    ...     a[cl.get_global_id(0)] = cl.get_global_id(0)
    >>> x = cl.zeros(4, dtype="int64", device="native:cpu")
    >>> place(x).wait()
    >>> x.tolist()
    [0, 1, 2, 3]
    """


@known_to_kernels("colocate")
def get_global_size(axis=0):
    """How many items there are along an axis.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def size(a):
    ...     a[cl.get_global_id(0)] = cl.get_global_size(0)
    >>> x = cl.zeros(3, dtype="int64", device="native:cpu")
    >>> size(x).wait()
    >>> x.tolist()
    [3, 3, 3]
    """


@known_to_kernels("colocate")
def get_local_id(axis=0):
    """The item's place in its group. Needs a launch with a local size.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def place(a):
    ...     a[cl.get_global_id(0)] = cl.get_local_id(0)
    >>> x = cl.zeros(6, dtype="int64", device="native:cpu")
    >>> place[6, (3,)](x).wait()
    >>> x.tolist()
    [0, 1, 2, 0, 1, 2]
    """


@known_to_kernels("colocate")
def get_local_size(axis=0):
    """How many items a group has along an axis. Needs a launch with a local size.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def size(a):
    ...     a[cl.get_global_id(0)] = cl.get_local_size(0)
    >>> x = cl.zeros(4, dtype="int64", device="native:cpu")
    >>> size[4, (2,)](x).wait()
    >>> x.tolist()
    [2, 2, 2, 2]
    """


@known_to_kernels("colocate")
def get_group_id(axis=0):
    """The group's place among the groups. Needs a launch with a local size.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def place(a):
    ...     a[cl.get_global_id(0)] = cl.get_group_id(0)
    >>> x = cl.zeros(4, dtype="int64", device="native:cpu")
    >>> place[4, (2,)](x).wait()
    >>> x.tolist()
    [0, 0, 1, 1]
    """


@known_to_kernels("colocate")
def get_num_groups(axis=0):
    """How many groups there are along an axis. Needs a launch with a local size.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def count(a):
    ...     a[cl.get_global_id(0)] = cl.get_num_groups(0)
    >>> x = cl.zeros(4, dtype="int64", device="native:cpu")
    >>> count[4, (2,)](x).wait()
    >>> x.tolist()
    [2, 2, 2, 2]
    """


@known_to_kernels("colocate")
def local_array(shape, dtype):
    """An array that the items of a group share; its elements are undefined at first.

    The shape is constant: numbers, or variables from outside the kernel. Needs a launch with a
    local size.

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> @cl.kernel
    ... def reverse(a):
    ...     shared = cl.local_array(4, a.dtype)
    ...     i = cl.get_local_id(0)
    ...     shared[i] = a[i]
    ...     cl.barrier()
    ...     a[i] = shared[3 - i]
    >>> x = cl.asarray([1, 2, 3, 4], device="native:cpu")
    >>> reverse[4, (4,)](x).wait()
    >>> x.tolist()
    [4, 3, 2, 1]
    """


@known_to_kernels("colocate")
def private_array(shape, dtype):
    """An array of each item's own; its elements are undefined at first. The shape is constant.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def triangle(a):
    ...     seen = cl.private_array(4, a.dtype)
    ...     for k in range(4):
    ...         seen[k] = k
    ...     i = cl.get_global_id(0)
    ...     total = 0
    ...     for k in range(i + 1):
    ...         total += seen[k]
    ...     a[i] = total
    >>> x = cl.zeros(4, dtype="int64", device="native:cpu")
    >>> triangle(x).wait()
    >>> x.tolist()
    [0, 1, 3, 6]
    """


@known_to_kernels("colocate")
def barrier(fence="global"):
    """All items of the group get here before any goes on, and see what the others have stored.

    With ``fence="local"`` only what they stored in local arrays. All items of a group must reach
    it, or none. Needs a launch with a local size.

    Examples
    --------
    >>> import colocate as cl
    >>> @cl.kernel
    ... def rotate(a):
    ...     i, n = cl.get_local_id(0), cl.get_local_size(0)
    ...     value = a[i]
    ...     cl.barrier()
    ...     a[(i + 1) % n] = value
    >>> x = cl.asarray([1, 2, 3], device="native:cpu")
    >>> rotate[3, (3,)](x).wait()
    >>> x.tolist()
    [3, 1, 2]
    """


PUBLIC = (
    get_global_id,
    get_global_size,
    get_local_id,
    get_local_size,
    get_group_id,
    get_num_groups,
    local_array,
    private_array,
    barrier,
)

__all__ = [one.__name__ for one in PUBLIC]
