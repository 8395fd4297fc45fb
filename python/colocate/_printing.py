"""Arrays as text, and the options for it, which are NumPy's own."""

import numpy as np

from colocate import _native, _text
from colocate._arguments import one_array

__all__ = [
    "array2string",
    "array_repr",
    "array_str",
    "get_printoptions",
    "printoptions",
    "set_printoptions",
]


def array2string(a, max_line_width=None, precision=None, suppress_small=None, separator=" ", prefix="", **options):
    """The elements as text; the arguments are those of :func:`numpy.array2string`.

    Of an array that is not shown whole, only what is shown is copied to the host.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.array2string(cl.asarray([1.0, 0.25]), precision=1)
    '[1.  0.2]'
    """
    one_array("array2string", a, "a")
    return _text.text(
        a,
        max_line_width=max_line_width,
        precision=precision,
        suppress_small=suppress_small,
        separator=separator,
        prefix=prefix,
        **options,
    )


def array_str(a, max_line_width=None, precision=None, suppress_small=None):
    """The elements as text, as ``str`` shows a NumPy array.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.array_str(cl.arange(3))
    '[0 1 2]'
    """
    if one_array("array_str", a, "a").ndim == 0:
        # A number, whatever the options say of arrays.
        return str(_native.asnumpy(a)[()])
    return array2string(a, max_line_width, precision, suppress_small)


def array_repr(arr, max_line_width=None, precision=None, suppress_small=None):
    """What ``repr`` gives, with other options.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.array_repr(cl.asarray([1, 2], device="native:cpu"))
    "Array([1, 2], dtype=int64, device='native:cpu:0', usm_type='device')"
    """
    one_array("array_repr", arr, "arr")
    options = {"linewidth": max_line_width, "precision": precision, "suppress": suppress_small}
    with np.printoptions(**{key: value for key, value in options.items() if value is not None}):
        return _text.array(arr)


def get_printoptions():
    """How arrays are printed now; NumPy's options hold for both.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.get_printoptions()["precision"]
    8
    """
    return np.get_printoptions()


def set_printoptions(*args, **kwargs):
    """Changes how arrays are printed, NumPy's and ours; the arguments are NumPy's.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.set_printoptions(precision=8)
    """
    np.set_printoptions(*args, **kwargs)


def printoptions(*args, **kwargs):
    """A context manager that changes how arrays are printed inside of it.

    Examples
    --------
    >>> import colocate as cl
    >>> with cl.printoptions(precision=2):
    ...     cl.array_str(cl.asarray([0.123456]))
    '[0.12]'
    """
    return np.printoptions(*args, **kwargs)
