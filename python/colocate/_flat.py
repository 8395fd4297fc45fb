"""The elements of an array of any shape as if it had one axis."""

import colocate as cl
from colocate._arguments import beside, check

__all__ = [
    "FlatElements",
]


class FlatElements:
    """``x.flat``: the elements of an array, row by row, to be iterated, read and set.

    Examples
    --------
    >>> import colocate as cl
    >>> x = cl.asarray([[1, 2], [3, 4]])
    >>> x.flat[2].item(), x.flat[1:3].tolist(), [int(value) for value in x.flat]
    (3, [2, 3], [1, 2, 3, 4])
    >>> x.flat[::3] = 0
    >>> x.tolist()
    [[0, 2], [3, 0]]
    """

    __slots__ = ("_array",)

    def __init__(self, array):
        self._array = array

    @property
    def base(self):
        """The array."""
        return self._array

    def copy(self):
        """The elements as an array of one axis.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.ones((2, 2)).flat.copy().shape
        (4,)
        """
        return self._array.flatten()

    def __len__(self):
        return self._array.size

    def __iter__(self):
        return iter(self._array.reshape(-1))

    def __getitem__(self, key):
        # A copy whatever the key, as in NumPy, where none is a view either.
        return self._array.reshape(-1)[key].copy()

    def __setitem__(self, key, value):
        x = self._array
        # Of an array with gaps this is a copy, which goes back at the end.
        flat = x.reshape(-1)
        flat[key] = _as_often_as_needed(x, value, flat[key].size)
        if not cl.shares_memory(flat, x):
            x[...] = flat.reshape(x.shape)

    def __repr__(self):
        return f"<colocate.FlatElements of {self._array!r}>"


def _as_often_as_needed(x, value, count):
    """Values for so many elements: from the first one again when there are too few."""
    check("x.flat[...] = y", x=x, y=value)
    values = beside(x, value)
    if values.ndim == 0 or values.size == 0:
        return values
    return cl.resize(values, (count,)) if values.size != count else values.reshape(-1)


def _assign(self, value):
    FlatElements(self)[:] = value


FlatElements.__module__ = "colocate"
flat = property(FlatElements, _assign, doc="The elements as if there were one axis: a :class:`FlatElements`.")
