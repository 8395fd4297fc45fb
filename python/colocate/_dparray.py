"""``DPArray``: a NumPy array whose elements lie in USM ``shared`` memory (R8.1).

NumPy computes on it on the host. What comes of that is a ``DPArray`` again: results are made in shared memory at once
where their shape is known before, and moved there otherwise; views stay views. Everything that NumPy is asked to do
is done on plain views of the same memory, so no result can be a ``DPArray`` by its class alone.
"""

import functools

import numpy

from colocate import _native
from colocate._errors import DTypeError

__all__ = [
    "DPArray",
]

# Below this number of elements a copy costs less than finding out the result's shape and dtype.
_WORTH_PREPARING = 1 << 13


def from_usm(array):
    """One of our arrays, of memory that the host reaches, as a DPArray over the same memory."""
    if array.flags.c_contiguous and array.flags.writeable:
        return numpy.ndarray.__new__(DPArray, array.shape, array.dtype, array)
    return numpy.asarray(array).view(DPArray)


def allocate(shape, dtype=float, order="C", queue=None, device=None):
    """A DPArray of any elements."""
    dtype = numpy.dtype(dtype)
    if order not in ("F", "f"):
        return from_usm(_native.empty(shape, dtype=dtype, usm_type="shared", queue=queue, device=device))
    shape = (shape,) if isinstance(shape, int | numpy.integer) else tuple(shape)
    return allocate(shape[::-1], dtype, "C", queue, device).transpose()


def moved(plain, queue=None, device=None):
    """A DPArray with the elements of a NumPy array, in the same order of axes."""
    order = "F" if plain.flags.f_contiguous and not plain.flags.c_contiguous else "C"
    made = allocate(plain.shape, plain.dtype, order, queue, device)
    numpy.copyto(made.view(numpy.ndarray), plain)
    return made


def _queue_of(*values):
    """The queue of the first DPArray, also inside lists and tuples; None if there is none."""
    for value in values:
        if isinstance(value, DPArray):
            memory = value.usm
            if memory is not None:
                return memory.queue
        elif isinstance(value, list | tuple):
            found = _queue_of(*value)
            if found is not None:
                return found
    return None


class _Plain:
    """Arguments as plain NumPy arrays, and the way back from what NumPy makes of them."""

    def __init__(self):
        self._known = {}

    def __call__(self, value):
        if isinstance(value, DPArray):
            plain = value.view(numpy.ndarray)
            self._known[id(plain)] = (plain, value)
            return plain
        if isinstance(value, list):
            return [self(one) for one in value]
        if type(value) is tuple:
            return tuple(self(one) for one in value)
        if isinstance(value, dict):
            return {name: self(one) for name, one in value.items()}
        return value

    def back(self, result, queue):
        """The result as DPArrays: an argument itself, a view of one, or a new array in shared memory."""
        if isinstance(result, numpy.ndarray):
            if id(result) in self._known:
                return self._known[id(result)][1]
            if type(result) not in (numpy.ndarray, DPArray):
                return result
            view = result.view(DPArray)
            if view.usm is not None:
                return view
            try:
                return moved(result, queue)
            except DTypeError:
                # Text, dates and objects: no device has them.
                return result.view(numpy.ndarray)
        if isinstance(result, list):
            return [self.back(one, queue) for one in result]
        if isinstance(result, tuple):
            items = [self.back(one, queue) for one in result]
            return type(result)(*items) if hasattr(result, "_fields") else tuple(items)
        return result


def _prepared(ufunc, inputs, queue):
    """Arrays for the results of a ufunc; None if what they are is not known before, or not worth it."""
    if ufunc.signature is not None:
        return None
    shapes = [numpy.shape(one) for one in inputs]
    shape = numpy.broadcast_shapes(*shapes)
    if numpy.prod(shape, dtype=object) < _WORTH_PREPARING:
        return None
    kinds = [one.dtype if hasattr(one, "dtype") else type(one) for one in inputs]
    if any(kind not in (bool, int, float, complex) and not isinstance(kind, numpy.dtype) for kind in kinds):
        return None
    dtypes = ufunc.resolve_dtypes((*kinds, *[None] * ufunc.nout))[ufunc.nin :]
    arrays = [one for one in inputs if isinstance(one, numpy.ndarray) and one.shape == shape]
    is_fortran = arrays and all(one.flags.f_contiguous and not one.flags.c_contiguous for one in arrays)
    return tuple(allocate(shape, dtype, "F" if is_fortran else "C", queue) for dtype in dtypes)


class DPArray(numpy.ndarray):
    """A NumPy array in memory that the host and a device share.

    ``DPArray(shape, dtype)`` makes one with any elements; :mod:`colocate.dparray` has the functions that make others.
    NumPy's functions, operators and methods run on it on the host and give DPArrays. A function of :func:`jit` that is
    called outside a device context runs on the host, too; inside one whose device reaches the memory, nothing is
    copied. ``usm`` is the memory as an :class:`Array`; ``queue``, ``device`` and ``context`` are its.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype
    order : {"C", "F"}
    queue, device : Queue, Device or str, optional
        Whose memory; by default that of the current queue.

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> a = cl.dparray.ones(3, device="native:cpu")
    >>> np.sin(a) + 1
    DPArray([1.84147098, 1.84147098, 1.84147098])
    >>> a.usm.usm_type, a.device.selector
    ('shared', 'native:cpu:0')
    """

    def __new__(cls, shape, dtype=float, order="C", queue=None, device=None):
        made = allocate(shape, dtype, order, queue, device)
        return made if cls is DPArray else made.view(cls)

    @property
    def usm(self):
        """The elements as an :class:`Array` over the same memory; ``None`` if they came to lie in other memory.

        Examples
        --------
        >>> import colocate as cl
        >>> a = cl.dparray.zeros(4, device="native:cpu")
        >>> a.usm[1] = 5
        >>> a.usm.wait()
        >>> a
        DPArray([0., 5., 0., 0.])
        """
        return _native._array_of_dparray(self)

    def _memory(self):
        memory = self.usm
        if memory is None:
            raise AttributeError("this array does not lie in USM; colocate.dparray.asarray(x) makes one that does")
        return memory

    @property
    def queue(self):
        """The queue whose context the memory belongs to."""
        return self._memory().queue

    @property
    def device(self):
        """The device that shares the memory with the host."""
        return self._memory().device

    @property
    def context(self):
        """The context that the memory belongs to."""
        return self._memory().context

    @property
    def usm_type(self):
        """``"shared"``."""
        return self._memory().usm_type

    @property
    def sycl_queue(self):
        """As of an :class:`Array`."""
        return self._memory().sycl_queue

    @property
    def __sycl_usm_array_interface__(self):
        return self._memory().__sycl_usm_array_interface__

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        if any(isinstance(one, _native.Array) for one in inputs):
            return NotImplemented
        plain = _Plain()
        queue = _queue_of(*inputs, *(out or ()))
        inputs = [plain(one) for one in inputs]
        if out is not None:
            options["out"] = plain(out)
        elif method == "__call__" and not options:
            prepared = _prepared(ufunc, inputs, queue)
            if prepared is not None:
                results = getattr(ufunc, method)(*inputs, out=plain(prepared))
                return plain.back(results, queue)
        if isinstance(options.get("where"), DPArray):
            options["where"] = plain(options["where"])
        return plain.back(getattr(ufunc, method)(*inputs, **options), queue)

    def __array_function__(self, function, types, args, kwargs):
        if not all(issubclass(one, numpy.ndarray) for one in types):
            return NotImplemented
        plain = _Plain()
        result = function(*plain(tuple(args)), **plain(dict(kwargs)))
        return plain.back(result, _queue_of(self, *args, *kwargs.values()))

    def __array_wrap__(self, array, context=None, return_scalar=False):
        if return_scalar:
            return array[()]
        return _Plain().back(array, _queue_of(self))

    def __getitem__(self, index):
        found = super().__getitem__(index)
        if type(found) is not DPArray or found.usm is not None:
            return found
        # Elements that were picked are a new array.
        return _Plain().back(found, _queue_of(self))

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return _unpickled, (numpy.array(self, order="K", subok=False),)


def _unpickled(plain):
    return moved(plain)


# Methods that make arrays, or may have to, and how each is called in its example.
_METHODS = {
    "all": "all()",
    "any": "any()",
    "argmax": "argmax()",
    "argmin": "argmin()",
    "argpartition": "argpartition(1)",
    "argsort": "argsort()",
    "astype": "astype('float32')",
    "byteswap": "byteswap()",
    "choose": "choose([5, 6, 7, 8])",
    "clip": "clip(1, 2)",
    "compress": "compress([True, False])",
    "conj": "conj()",
    "conjugate": "conjugate()",
    "copy": "copy()",
    "cumprod": "cumprod()",
    "cumsum": "cumsum()",
    "diagonal": "diagonal()",
    "dot": "dot([1, 2])",
    "flatten": "flatten()",
    "max": "max()",
    "mean": "mean()",
    "min": "min()",
    "nonzero": "nonzero()",
    "prod": "prod()",
    "ravel": "ravel()",
    "repeat": "repeat(2)",
    "reshape": "reshape(4)",
    "round": "round()",
    "searchsorted": "ravel().searchsorted(1)",
    "std": "std()",
    "sum": "sum()",
    "take": "take([0, 2])",
    "trace": "trace()",
    "var": "var()",
}


def _method(name, example):
    original = getattr(numpy.ndarray, name)

    @functools.wraps(original)
    def method(self, *args, **kwargs):
        plain = _Plain()
        result = original(plain(self), *plain(args), **plain(kwargs))
        return plain.back(result, _queue_of(self))

    method.__doc__ = f"""As ``numpy.ndarray.{name}``; an array that comes of it lies in shared memory.

    Examples
    --------
    >>> import colocate as cl, numpy as np
    >>> a = cl.dparray.array([[0, 1], [2, 3]], device="native:cpu")
    >>> np.array_equal(a.{example}, np.asarray(a).{example})
    True
    """
    return method


for _name, _example in _METHODS.items():
    setattr(DPArray, _name, _method(_name, _example))

DPArray.__module__ = "colocate"
_native._use_dparray_class(DPArray)
