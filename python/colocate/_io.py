"""Arrays in files: NumPy's own formats, and text. Elements pass through the host."""

from collections.abc import Mapping

import numpy as np

from colocate import _native
from colocate._arguments import check, one_array
from colocate._errors import DTypeError

__all__ = [
    "ArrayFile",
    "genfromtxt",
    "load",
    "loadtxt",
    "save",
    "savetxt",
    "savez",
    "savez_compressed",
]


def save(file, arr, allow_pickle=True):
    """Writes an array to a ``.npy`` file. Nothing is ever pickled, whatever ``allow_pickle`` says.

    Examples
    --------
    >>> import colocate as cl, io
    >>> file = io.BytesIO()
    >>> cl.save(file, cl.arange(3))
    >>> _ = file.seek(0)
    >>> cl.load(file).tolist()
    [0, 1, 2]
    """
    np.save(file, _native.asnumpy(one_array("save", arr, "arr")), allow_pickle=False)


def savez(file, *args, **kwds):
    """Writes several arrays to a ``.npz`` file; those without a name are ``arr_0`` and so on.

    Examples
    --------
    >>> import colocate as cl, io
    >>> file = io.BytesIO()
    >>> cl.savez(file, cl.arange(3), y=cl.ones(2))
    >>> _ = file.seek(0)
    >>> with cl.load(file) as arrays:
    ...     sorted(arrays), arrays["y"].tolist()
    (['arr_0', 'y'], [1.0, 1.0])
    """
    _save_several(np.savez, "savez", file, args, kwds)


def savez_compressed(file, *args, **kwds):
    """:func:`savez` into a smaller file.

    Examples
    --------
    >>> import colocate as cl, io
    >>> file = io.BytesIO()
    >>> cl.savez_compressed(file, x=cl.zeros(1000))
    >>> len(file.getvalue()) < 1000
    True
    """
    _save_several(np.savez_compressed, "savez_compressed", file, args, kwds)


def _save_several(writer, function, file, args, named):
    arrays = {f"arr_{position}": x for position, x in enumerate(args)} | named
    for name, x in arrays.items():
        one_array(function, x, name)
    writer(
        file,
        *[_native.asnumpy(x) for x in args],
        allow_pickle=False,
        **{name: _native.asnumpy(x) for name, x in named.items()},
    )


class ArrayFile(Mapping):
    """The arrays of a ``.npz`` file, by name; each is read and brought over when it is asked for.

    Examples
    --------
    >>> import colocate as cl, io
    >>> file = io.BytesIO()
    >>> cl.savez(file, x=cl.ones(2))
    >>> _ = file.seek(0)
    >>> cl.load(file)
    <colocate.ArrayFile of 'x'>
    """

    def __init__(self, archive, place):
        self._archive = archive
        self._place = place

    @property
    def files(self):
        """The names."""
        return list(self._archive.files)

    def __getitem__(self, name):
        return _native.asarray(self._archive[name], **self._place)

    def __iter__(self):
        return iter(self._archive.files)

    def __len__(self):
        return len(self._archive.files)

    def close(self):
        """Closes the file.

        Examples
        --------
        >>> import colocate as cl, io
        >>> file = io.BytesIO()
        >>> cl.savez(file, x=cl.ones(2))
        >>> _ = file.seek(0)
        >>> cl.load(file).close()
        """
        self._archive.close()

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        self.close()

    def __repr__(self):
        return f"<colocate.ArrayFile of {', '.join(map(repr, self))}>"


ArrayFile.__module__ = "colocate"


def load(
    file,
    mmap_mode=None,
    allow_pickle=False,
    fix_imports=True,
    encoding="ASCII",
    *,
    max_header_size=10000,
    device=None,
    queue=None,
    usm_type=None,
):
    """The array of a ``.npy`` file, or the arrays of a ``.npz`` file by their names.

    Parameters
    ----------
    file : path or file
        What is read.
    mmap_mode : optional
        As in NumPy: the file is mapped and read while it is brought over.
    allow_pickle, fix_imports, encoding
        For NumPy's sake: pickled objects are refused, since no array holds them.
    max_header_size : int
        As in NumPy.
    device, queue, usm_type : optional
        As for :func:`empty`.

    Examples
    --------
    >>> import colocate as cl, io
    >>> file = io.BytesIO()
    >>> cl.save(file, cl.ones(2))
    >>> _ = file.seek(0)
    >>> cl.load(file, usm_type="shared").usm_type
    'shared'
    """
    place = {"device": device, "queue": queue, "usm_type": usm_type}
    try:
        found = np.load(file, mmap_mode=mmap_mode, allow_pickle=False, max_header_size=max_header_size)
    except ValueError as error:
        if allow_pickle and "pickle" in str(error):
            raise DTypeError("load: the file holds pickled objects, and arrays hold numbers only") from error
        raise
    if isinstance(found, np.lib.npyio.NpzFile):
        return ArrayFile(found, place)
    return _native.asarray(found, **place)


def savetxt(fname, X, *args, **kwargs):
    """Writes an array of at most two axes as text; the arguments are those of :func:`numpy.savetxt`.

    Examples
    --------
    >>> import colocate as cl, io
    >>> file = io.StringIO()
    >>> cl.savetxt(file, cl.asarray([[1, 2], [3, 4]]), fmt="%d")
    >>> file.getvalue()
    '1 2\\n3 4\\n'
    """
    check("savetxt", X=X)
    np.savetxt(fname, _native.asnumpy(one_array("savetxt", X, "X")), *args, **kwargs)


def loadtxt(fname, *args, device=None, queue=None, usm_type=None, **kwargs):
    """An array from text; the other arguments are those of :func:`numpy.loadtxt`.

    Examples
    --------
    >>> import colocate as cl, io
    >>> cl.loadtxt(io.StringIO("1 2\\n3 4")).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return _native.asarray(np.loadtxt(fname, *args, **kwargs), device=device, queue=queue, usm_type=usm_type)


def genfromtxt(fname, *args, device=None, queue=None, usm_type=None, **kwargs):
    """An array from text with gaps; the other arguments are those of :func:`numpy.genfromtxt`.

    Examples
    --------
    >>> import colocate as cl, io
    >>> cl.genfromtxt(io.StringIO("1,\\n3,4"), delimiter=",", filling_values=0).tolist()
    [[1.0, 0.0], [3.0, 4.0]]
    """
    return _native.asarray(np.genfromtxt(fname, *args, **kwargs), device=device, queue=queue, usm_type=usm_type)
