# NumPy's exceptions and warnings, for type checkers.

from numpy.exceptions import ComplexWarning as ComplexWarning
from numpy.exceptions import DTypePromotionError as DTypePromotionError
from numpy.exceptions import RankWarning as RankWarning
from numpy.exceptions import TooHardError as TooHardError
from numpy.exceptions import VisibleDeprecationWarning as VisibleDeprecationWarning

from colocate import AxisError as AxisError

__all__ = [
    "AxisError",
    "ComplexWarning",
    "DTypePromotionError",
    "RankWarning",
    "TooHardError",
    "VisibleDeprecationWarning",
]
