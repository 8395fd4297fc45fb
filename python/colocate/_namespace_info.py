"""What the Array API standard lets programs ask of a namespace."""

import numpy as np

from colocate import _dtypes, _native
from colocate._errors import InvalidArgumentError

__all__ = [
    "NamespaceInfo",
    "__array_api_version__",
    "__array_namespace_info__",
]

__array_api_version__ = "2025.12"

_KINDS = {
    "bool": ("bool",),
    "signed integer": ("int8", "int16", "int32", "int64"),
    "unsigned integer": ("uint8", "uint16", "uint32", "uint64"),
    "real floating": ("float32", "float64"),
    "complex floating": ("complex64", "complex128"),
}
_KINDS["integral"] = (*_KINDS["signed integer"], *_KINDS["unsigned integer"])
_KINDS["numeric"] = (*_KINDS["integral"], *_KINDS["real floating"], *_KINDS["complex floating"])


class NamespaceInfo:
    """What there is in a namespace, by the Array API standard; from ``__array_namespace_info__()``.

    Examples
    --------
    >>> import colocate as cl
    >>> info = cl.__array_namespace_info__()
    >>> info.default_dtypes()["integral"]
    dtype('int64')
    """

    def __init__(self, queue=None):
        self._queue = queue

    def _device(self, device):
        if device is not None:
            return _native._as_queue(device).device
        return self.default_device()

    def capabilities(self):
        """Whether masks and shapes that depend on data work, and how many axes there may be.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.__array_namespace_info__().capabilities()["boolean indexing"]
        True
        """
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self):
        """The device that new arrays go to now.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.__array_namespace_info__().default_device() == cl.get_current_queue().device
        True
        """
        return (self._queue or _native.get_current_queue()).device

    def default_dtypes(self, *, device=None):
        """The dtypes of results whose dtype nobody names.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.__array_namespace_info__().default_dtypes()["real floating"]
        dtype('float64')
        """
        self._device(device)
        return {
            "real floating": np.dtype("float64"),
            "complex floating": np.dtype("complex128"),
            "integral": np.dtype("int64"),
            "indexing": np.dtype("int64"),
        }

    def dtypes(self, *, device=None, kind=None):
        """The standard's dtypes that a device has, by name.

        Parameters
        ----------
        device : optional
            Default: :meth:`default_device`.
        kind : str or tuple of str, optional
            Only of these kinds; see :func:`isdtype`.

        Examples
        --------
        >>> import colocate as cl
        >>> sorted(cl.__array_namespace_info__().dtypes(kind="unsigned integer"))
        ['uint16', 'uint32', 'uint64', 'uint8']
        """
        kinds = ("bool", "numeric") if kind is None else kind if isinstance(kind, tuple) else (kind,)
        unknown = [one for one in kinds if one not in _KINDS]
        if unknown:
            raise InvalidArgumentError(f"dtypes: {unknown[0]!r} is none of {', '.join(_KINDS)}")
        names = {name for one in kinds for name in _KINDS[one]}
        if not self._device(device).has_aspect_fp64:
            names -= {"float64", "complex128"}
        return {name: dtype for name, dtype in _dtypes.ALL.items() if name in names}

    def devices(self):
        """The devices there are.

        Examples
        --------
        >>> import colocate as cl
        >>> cl.Device("native:cpu") in cl.__array_namespace_info__().devices()
        True
        """
        return tuple(_native.devices()) if self._queue is None else (self._queue.device,)


def __array_namespace_info__():
    """What there is in the namespace, by the Array API standard.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.__array_namespace_info__().dtypes(kind="bool")
    {'bool': dtype('bool')}
    """
    return NamespaceInfo()


NamespaceInfo.__module__ = "colocate"
