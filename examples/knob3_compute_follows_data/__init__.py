"""Knob 3: the package has a queue for allocations, and computation follows the data.

What it is: ``set_default_queue`` and ``with current(...)`` choose where new arrays go, and nothing else. Where a
function runs is told by its arguments: ``cl.get_execution_queue`` gives the queue they share (rule R3.1), and
``cl.get_coerced_usm_type`` the kind of memory of the result (rule R3.3). PyTorch works like this.

When to choose it: this is the one to take without a reason for another. With one queue it needs no thought, with
several an array is computed with where it is, whoever allocated it. The price is that arrays on different queues do not
mix, and the user brings them together.

>>> import colocate as cl
>>> import knob3_compute_follows_data as pkg3
>>> here, there = cl.Queue("native:cpu"), cl.Queue("native:cpu", in_order=False)
>>> with pkg3.current(here):
...     a, b = pkg3.allocate((50, 10), 2.0), pkg3.allocate((10, 30), 3.0)
>>> pkg3.dot(a, b).queue == here
True
>>> pkg3.dot(a.copy_to(there), b.copy_to(there)).queue == there
True
>>> pkg3.dot(a, b.copy_to(there))  # doctest: +ELLIPSIS
Traceback (most recent call last):
    ...
colocate.ExecutionPlacementError: ...
  b = colocate.asarray(b, queue=a.queue)
(rule R3.1)
"""

import numpy as np

import colocate as cl

__all__ = ["allocate", "compute", "current", "dot", "get_allocation_queue", "set_default_queue"]

_manager = cl.QueueManager(__name__)
set_default_queue = _manager.set_default_queue
current = _manager.current
get_allocation_queue = _manager.get_queue


def allocate(shape, fill_value=0.0, *, usm_type="device"):
    """A new array on the package's allocation queue."""
    return cl.full(shape, fill_value, queue=get_allocation_queue(), usm_type=usm_type)


def dot(a, b):
    """The matrix product, computed where ``a`` and ``b`` are."""
    # Asked here, and not in a function that all share, so that a refusal speaks of a and b.
    return _run(cl.get_execution_queue(a, b), np.dot, a, b)


def compute(*arrays):
    """The elementwise sum, computed where the arrays are; it stands for any other function."""
    return _run(cl.get_execution_queue(*arrays), lambda *elements: sum(elements), *arrays)


def _run(queue, function, *arrays):
    # colocate has no array arithmetic yet: NumPy computes on the host, and the result goes where a kernel would put it.
    result = function(*map(cl.asnumpy, arrays))
    return cl.asarray(result, queue=queue, usm_type=cl.get_coerced_usm_type(*arrays))
