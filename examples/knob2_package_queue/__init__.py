"""Knob 2: the package has a queue of its own, which allocates and computes.

What it is: a default that the package's user changes with ``set_default_queue``, or for a while with
``with current(...)``, as in CuPy and TensorFlow. One line, ``cl.QueueManager(name)``, gives a package these controls,
and no other package is affected by them (rule R6.3).

When to choose it: for a package with functions like NumPy's, whose users want to say once where everything happens.
The price is that data of another queue must be brought over first. That is never done in silence: where the arrays are
and where the package computes are two instructions, and if they disagree, the package asks.

>>> import colocate as cl
>>> import knob2_package_queue as pkg2
>>> q = pkg2.set_default_queue("native:cpu")
>>> a, b = pkg2.allocate((50, 10), 2.0), pkg2.allocate((10, 30), 3.0)
>>> pkg2.dot(a, b).queue == q
True
>>> other = cl.Queue("native:cpu", in_order=False)
>>> with pkg2.current(other):
...     c = pkg2.dot(pkg2.copy_to(a), pkg2.copy_to(b))
>>> c.queue == other, float(c[0, 0])
(True, 60.0)
>>> with pkg2.current(other):  # doctest: +ELLIPSIS
...     pkg2.dot(a, b)
Traceback (most recent call last):
    ...
colocate.ExecutionPlacementError: the arrays live on ...,
but the package computes on ...
Bring each over first: x = knob2_package_queue.copy_to(x)
>>> pkg2.set_default_queue(None)
"""

import numpy as np

import colocate as cl

__all__ = ["allocate", "compute", "copy_to", "current", "dot", "get_queue", "set_default_queue"]

_manager = cl.QueueManager(__name__)
set_default_queue = _manager.set_default_queue
current = _manager.current
get_queue = _manager.get_queue


def allocate(shape, fill_value=0.0, *, usm_type="device"):
    """A new array on the package's queue."""
    return cl.full(shape, fill_value, queue=get_queue(), usm_type=usm_type)


def copy_to(array, queue=None):
    """A copy of the array on ``queue``, which is the package's queue unless given.

    ``array.copy_to()`` without an argument goes to colocate's current queue, which this package's controls do not set.
    """
    return array.copy_to(get_queue() if queue is None else queue)


def dot(a, b):
    """The matrix product, computed on the package's queue."""
    return _run(np.dot, a, b)


def compute(*arrays):
    """The elementwise sum, computed on the package's queue; it stands for any other function."""
    return _run(lambda *elements: sum(elements), *arrays)


def _run(function, *arrays):
    queue, data_queue = get_queue(), cl.get_execution_queue(*arrays)
    if not data_queue.equivalent(queue):
        raise cl.ExecutionPlacementError(
            f"the arrays live on {data_queue},\nbut the package computes on {queue}.\n"
            f"Bring each over first: x = {__name__}.copy_to(x)"
        )
    # colocate has no array arithmetic yet: NumPy computes on the host, and the result goes where a kernel would put it.
    result = function(*map(cl.asnumpy, arrays))
    return cl.asarray(result, queue=queue, usm_type=cl.get_coerced_usm_type(*arrays))
