"""Random numbers, drawn where they are needed.

A :class:`Generator` has the methods of NumPy's ``Generator`` and draws on a queue of its own: arrays that
it makes live there, and arrays that it is given as parameters must. For the same seed it gives the same
numbers on every device, bit for bit, because it is counter-based and computes with nothing but operations
that every device rounds correctly. The numbers are not those of NumPy for the same seed.

>>> import colocate as cl
>>> rng = cl.random.default_rng(7, device="native:cpu")
>>> x = rng.normal(10.0, 2.0, size=(1000, 3))
>>> x.shape, x.dtype, x.device == rng.device
((1000, 3), dtype('float64'), True)
"""

from colocate.random._generator import Generator, default_rng
from colocate.random._philox import Philox

__all__ = ["Generator", "Philox", "default_rng"]

for _object in (Generator, Philox, default_rng):
    _object.__module__ = "colocate.random"
