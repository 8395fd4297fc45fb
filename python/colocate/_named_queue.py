"""Functions for arrays on a queue that the caller names (R6.5)."""

from colocate import _native
from colocate._errors import ExecutionPlacementError


def check_on_queue(function, queue, **arrays):
    """Refuses arrays that do not live on a queue equivalent to the one that is named."""
    for name, x in arrays.items():
        if not _native.queues_equivalent(queue, x.queue):
            raise ExecutionPlacementError(
                f"{function}: {name} lives on {x.queue}, which is not equivalent to the queue that is named, "
                f"{queue} (rule R6.5); bring it over first with colocate.asarray(x, queue=...)"
            )
