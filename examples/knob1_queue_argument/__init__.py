"""Knob 1: every function takes the queue, as its first argument.

What it is: the caller names the queue of each allocation and of each computation, as in oneMKL (rule R6.5). The
package has no default, keeps no state, and infers nothing.

When to choose it: for a low-level package, whose callers hold queues anyway and want to read at every call where the
work goes. The price is that no function has the signature of its NumPy namesake.

Data may be allocated on one queue and computed with on another. The call names the computation queue, so bringing the
data over is no guess: it is used in place where that queue can reach it, and copied where it cannot (rule R2.5).

>>> import colocate as cl
>>> import knob1_queue_argument as pkg1
>>> allocation_queue = cl.Queue("native:cpu")
>>> computation_queue = cl.Queue("native:cpu", in_order=False)
>>> a = pkg1.allocate(allocation_queue, (50, 10), 2.0)
>>> b = pkg1.allocate(allocation_queue, (10, 30), 3.0)
>>> c = pkg1.gemm(computation_queue, a, b)
>>> c.shape, float(c[0, 0])
((50, 30), 60.0)
>>> a.queue == allocation_queue, c.queue == computation_queue
(True, True)

A queue that was forgotten is an error, not a default:

>>> pkg1.gemm(None, a, b)
Traceback (most recent call last):
    ...
TypeError: the first argument names the queue: a Queue, a Device or a selector, not None
"""

import numpy as np

import colocate as cl

__all__ = ["allocate", "compute", "gemm"]


def allocate(queue, shape, fill_value=0.0, *, usm_type="device"):
    """A new array on ``queue``."""
    return cl.full(shape, fill_value, queue=_named(queue), usm_type=usm_type)


def gemm(queue, a, b):
    """The matrix product, computed on ``queue``, where the result stays."""
    return _run(_named(queue), np.matmul, a, b)


def compute(queue, a, b):
    """The elementwise sum, computed on ``queue``; it stands for any other function."""
    return _run(_named(queue), np.add, a, b)


def _named(queue):
    # colocate would take None for the current queue and an array for the array's queue, and here both are mistakes.
    if queue is None or isinstance(queue, cl.Array):
        kind = "None" if queue is None else "an Array"
        raise TypeError(f"the first argument names the queue: a Queue, a Device or a selector, not {kind}")
    return queue


def _run(queue, function, *arrays):
    # Asked before anything moves, because it also refuses NumPy arrays (R3.5).
    usm_type = cl.get_coerced_usm_type(*arrays)
    arrays = [cl.asarray(array, queue=queue) for array in arrays]
    # colocate has no array arithmetic yet: NumPy computes on the host, and the result goes where a kernel would put it.
    return cl.asarray(function(*map(cl.asnumpy, arrays)), queue=queue, usm_type=usm_type)
