"""Complex numbers as such: their angles."""

from colocate._elementwise import rad2deg
from colocate._native import ufunc

_angle = ufunc("angle", "")


def angle(z, deg=False, *, out=None):
    """The angle of complex numbers, in radians.

    Parameters
    ----------
    z : array
        Complex numbers, or real ones, whose angle is 0 or pi.
    deg : bool
        Whether to give degrees.
    out : array, optional
        Takes the result.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.angle(cl.asarray([1 + 1j, -1]), deg=True).tolist()
    [45.0, 180.0]
    """
    radians = _angle(z, out=out)
    return rad2deg(radians, out=out) if deg else radians


angle.__module__ = "colocate"
