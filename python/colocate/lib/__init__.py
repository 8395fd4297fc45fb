"""What NumPy keeps in ``numpy.lib``: views that have an element in several places.

>>> import colocate as cl
>>> cl.lib.stride_tricks.sliding_window_view(cl.asarray([1, 2, 3]), 2).tolist()
[[1, 2], [2, 3]]
"""

from colocate.lib import stride_tricks

__all__ = ["stride_tricks"]
