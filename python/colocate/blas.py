"""Products and sums of vectors and matrices on a queue that is named at each call (R6.5).

Arrays must live on a queue equivalent to the one that is named; nothing is moved.

>>> import colocate as cl
>>> q = cl.Queue("native:cpu")
>>> a = cl.ones((2, 3), queue=q)
>>> cl.blas.gemm(q, a, a, trans_b=True).tolist()
[[3.0, 3.0], [3.0, 3.0]]
"""

import colocate as cl
from colocate import _native
from colocate._arguments import one_array
from colocate._errors import InvalidArgumentError
from colocate._named_queue import check_on_queue
from colocate._native import matmul

__all__ = ["asum", "axpy", "dot", "gemm", "gemv", "nrm2", "scal"]


def _on_queue(function, queue, **arrays):
    """Refuses arrays that do not live on the queue, and host data."""
    for name, x in arrays.items():
        one_array(f"blas.{function}", x, name)
    check_on_queue(f"blas.{function}", _native._as_queue(queue), **arrays)


def _shaped(function, name, x, ndim):
    if x.ndim != ndim:
        raise InvalidArgumentError(f"blas.{function}: {name} has {x.ndim} axes, not {ndim}")


def _turned(x, how):
    """The matrix itself (``False`` or ``"n"``), its transpose (``True`` or ``"t"``) or its adjoint (``"c"``)."""
    how = {False: "n", True: "t"}.get(how, how)
    if how not in ("n", "t", "c"):
        raise InvalidArgumentError(f'blas: {how!r}: write False or "n", True or "t", or "c"')
    if how == "n":
        return x
    x = cl.permute_dims(x, (1, 0))
    return cl.conj(x) if how == "c" and x.dtype.kind == "c" else x


def _combined(product, alpha, beta, addend):
    if not (isinstance(alpha, int) and alpha == 1):
        product = product * alpha
    if addend is None or (isinstance(beta, int | float) and beta == 0):
        return product
    return product + (addend if isinstance(beta, int) and beta == 1 else addend * beta)


def gemm(queue, a, b, alpha=1, beta=0, c=None, *, trans_a=False, trans_b=False):
    """``alpha * (a @ b) + beta * c``, with ``a`` and ``b`` transposed if asked for.

    Parameters
    ----------
    queue : queue, device or selector
    a, b, c : arrays with two axes
    alpha, beta : scalars
    trans_a, trans_b : bool, or {"n", "t", "c"}
        Transposed or adjoint.

    Examples
    --------
    >>> import colocate as cl
    >>> q = cl.Queue("native:cpu")
    >>> a = cl.eye(2, queue=q)
    >>> cl.blas.gemm(q, a, a, alpha=2, beta=1, c=a).tolist()
    [[3.0, 0.0], [0.0, 3.0]]
    """
    arrays = {"a": a, "b": b} | ({} if c is None else {"c": c})
    _on_queue("gemm", queue, **arrays)
    for name, x in arrays.items():
        _shaped("gemm", name, x, 2)
    return _combined(matmul(_turned(a, trans_a), _turned(b, trans_b)), alpha, beta, c)


def gemv(queue, a, x, alpha=1, beta=0, y=None, *, trans=False):
    """``alpha * (a @ x) + beta * y``.

    Examples
    --------
    >>> import colocate as cl
    >>> q = cl.Queue("native:cpu")
    >>> cl.blas.gemv(q, cl.ones((2, 3), queue=q), cl.ones(3, queue=q)).tolist()
    [3.0, 3.0]
    """
    arrays = {"a": a, "x": x} | ({} if y is None else {"y": y})
    _on_queue("gemv", queue, **arrays)
    for name, each in arrays.items():
        _shaped("gemv", name, each, 2 if name == "a" else 1)
    return _combined(matmul(_turned(a, trans), x), alpha, beta, y)


def axpy(queue, x, y, alpha=1):
    """``alpha * x + y``.

    Examples
    --------
    >>> import colocate as cl
    >>> q = cl.Queue("native:cpu")
    >>> cl.blas.axpy(q, cl.ones(2, queue=q), cl.ones(2, queue=q), 2).tolist()
    [3.0, 3.0]
    """
    _on_queue("axpy", queue, x=x, y=y)
    return _combined(x, alpha, 1, y)


def dot(queue, x, y, *, conjugate=False):
    """The sum of products of two vectors, the first conjugated if asked for.

    Examples
    --------
    >>> import colocate as cl
    >>> q = cl.Queue("native:cpu")
    >>> float(cl.blas.dot(q, cl.ones(3, queue=q), cl.ones(3, queue=q)))
    3.0
    """
    _on_queue("dot", queue, x=x, y=y)
    for name, each in (("x", x), ("y", y)):
        _shaped("dot", name, each, 1)
    return cl.vecdot(x, y) if conjugate else matmul(x, y)


def nrm2(queue, x):
    """The length of a vector.

    Examples
    --------
    >>> import colocate as cl
    >>> q = cl.Queue("native:cpu")
    >>> float(cl.blas.nrm2(q, cl.asarray([3.0, 4.0], queue=q)))
    5.0
    """
    _on_queue("nrm2", queue, x=x)
    return cl.linalg.vector_norm(x)


def asum(queue, x):
    """The sum of absolute values; of a complex number, those of its parts.

    Examples
    --------
    >>> import colocate as cl
    >>> q = cl.Queue("native:cpu")
    >>> float(cl.blas.asum(q, cl.asarray([3.0, -4.0], queue=q)))
    7.0
    """
    _on_queue("asum", queue, x=x)
    if x.dtype.kind == "c":
        return cl.sum(cl.abs(cl.real(x)) + cl.abs(cl.imag(x)))
    return cl.sum(cl.abs(x))


def scal(queue, alpha, x):
    """``alpha * x``, in a new array.

    Examples
    --------
    >>> import colocate as cl
    >>> q = cl.Queue("native:cpu")
    >>> cl.blas.scal(q, 2.0, cl.ones(2, queue=q)).tolist()
    [2.0, 2.0]
    """
    _on_queue("scal", queue, x=x)
    return x * alpha
