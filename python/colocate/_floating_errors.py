"""NumPy's settings of what happens when a float overflows, or is divided by zero.

Nothing is ever reported of what is computed on a queue. The settings count for what NumPy computes on the host.
"""

import numpy as np

__all__ = [
    "errstate",
    "geterr",
    "seterr",
]


class errstate(np.errstate):
    """NumPy's context of settings for floating-point errors, which computations on queues do not report.

    Programs that silence warnings of NumPy's run with it as they are.

    Examples
    --------
    >>> import colocate as cl
    >>> with cl.errstate(divide="ignore"):
    ...     (1 / cl.zeros(1)).tolist()
    [inf]
    """


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    """NumPy's settings for floating-point errors, which computations on queues do not report.

    Examples
    --------
    >>> import colocate as cl
    >>> old = cl.seterr(all="ignore")
    >>> _ = cl.seterr(**old)
    """
    return np.seterr(all, divide, over, under, invalid)


def geterr():
    """What :func:`seterr` set.

    Examples
    --------
    >>> import colocate as cl
    >>> sorted(cl.geterr())
    ['divide', 'invalid', 'over', 'under']
    """
    return np.geterr()


for _object in (errstate, seterr, geterr):
    _object.__module__ = "colocate"
