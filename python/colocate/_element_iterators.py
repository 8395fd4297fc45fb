"""Iterators over the elements of arrays that know their position, in the language of jit functions.

Where a jit function makes an iterator with flags, an object of the class here is made in its place.
"""


def _position(number, shape):
    position = ()
    for extent in shape[::-1]:
        position = (number % extent, *position)
        number //= extent
    return position


class MultiIndex:
    """What ``numpy.nditer(a, flags=["multi_index"])`` gives for an array in C order."""

    def __init__(self, array):
        if array.size == 0:
            raise ValueError("Iteration of zero-sized operands is not enabled")
        if not array.flags.c_contiguous:
            raise TypeError(
                "numpy.nditer goes over this array as it lies in memory; in jit functions go over np.ndindex(a.shape)"
            )
        self.array = array
        self.shape = array.shape
        self.ndim = array.ndim
        self.itersize = array.size
        self.iterindex = 0
        self.begun = False
        self.finished = False
        self.multi_index = _position(0, array.shape)

    def iternext(self):
        self.iterindex += 1
        self.finished = self.iterindex >= self.itersize
        if not self.finished:
            self.multi_index = _position(self.iterindex, self.shape)
        return not self.finished

    def reset(self):
        self.iterindex = 0
        self.begun = False
        self.finished = False
        self.multi_index = _position(0, self.shape)

    def __iter__(self):
        return self

    def __next__(self):
        if self.begun:
            self.iternext()
        self.begun = True
        if self.finished:
            raise StopIteration
        return self.array[self.multi_index]

    def __getitem__(self, operand):
        return self.array[self.multi_index]

    def __setitem__(self, operand, value):
        self.array[self.multi_index] = value
