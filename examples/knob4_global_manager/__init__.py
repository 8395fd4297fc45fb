"""Knob 4: the package asks colocate for the current queue.

What it is: the package has no controls. It allocates and computes on ``cl.get_current_queue()``, which its user chooses
for a block with ``cl.device_context`` and for the process with ``cl.set_global_queue`` (rules R6.1 and R6.2).

When to choose it: for packages that are used together and should all follow one choice. It behaves like knob 2, with
nothing to write for the author and nothing to learn for the user. The price is that users cannot send two such packages
to two places, except by one ``with`` block around each call.

>>> import colocate as cl
>>> import knob4_global_manager as pkg4
>>> with cl.device_context("native:cpu") as q:
...     a, b = pkg4.allocate((50, 10), 2.0), pkg4.allocate((10, 30), 3.0)
...     c = pkg4.dot(a, b)
>>> c.queue == q, float(c[0, 0])
(True, 60.0)
>>> with cl.device_context(cl.Queue("native:cpu", in_order=False)) as other:
...     d = pkg4.dot(a.copy_to(), b.copy_to())
>>> d.queue == other
True
>>> with cl.device_context(other):  # doctest: +ELLIPSIS
...     pkg4.dot(a, b)
Traceback (most recent call last):
    ...
colocate.ExecutionPlacementError: the arrays live on ...,
but the current queue is ...
Bring each over first: x = x.copy_to()
"""

import numpy as np

import colocate as cl

__all__ = ["allocate", "compute", "dot"]


def allocate(shape, fill_value=0.0, *, usm_type="device"):
    """A new array on colocate's current queue."""
    return cl.full(shape, fill_value, usm_type=usm_type)


def dot(a, b):
    """The matrix product, computed on colocate's current queue."""
    return _run(np.dot, a, b)


def compute(*arrays):
    """The elementwise sum, computed on colocate's current queue; it stands for any other function."""
    return _run(lambda *elements: sum(elements), *arrays)


def _run(function, *arrays):
    queue, data_queue = cl.get_current_queue(), cl.get_execution_queue(*arrays)
    if not data_queue.equivalent(queue):
        raise cl.ExecutionPlacementError(
            f"the arrays live on {data_queue},\nbut the current queue is {queue}.\n"
            "Bring each over first: x = x.copy_to()"
        )
    # colocate has no array arithmetic yet: NumPy computes on the host, and the result goes where a kernel would put it.
    result = function(*map(cl.asnumpy, arrays))
    return cl.asarray(result, queue=queue, usm_type=cl.get_coerced_usm_type(*arrays))
