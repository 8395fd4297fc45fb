"""What NumPy has for programs and not for arrays, as it is."""

from numpy import base_repr, binary_repr, index_exp, ndindex, s_

__all__ = ["base_repr", "binary_repr", "index_exp", "ndindex", "s_"]
