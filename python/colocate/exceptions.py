"""NumPy's exceptions and warnings by NumPy's names, where they can be met here.

>>> import colocate as cl
>>> try:
...     cl.sum(cl.ones(2), axis=5)
... except cl.exceptions.AxisError:
...     print("there is no such axis")
there is no such axis
"""

from numpy.exceptions import ComplexWarning, DTypePromotionError, RankWarning, TooHardError, VisibleDeprecationWarning

from colocate._errors import AxisError

__all__ = [
    "AxisError",
    "ComplexWarning",
    "DTypePromotionError",
    "RankWarning",
    "TooHardError",
    "VisibleDeprecationWarning",
]
