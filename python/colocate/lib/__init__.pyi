# What NumPy keeps in numpy.lib, for type checkers.

from colocate.lib import stride_tricks as stride_tricks

__all__ = ["stride_tricks"]
