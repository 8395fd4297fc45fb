"""Decompositions of matrices: factors, singular values and eigenvalues."""

from collections import namedtuple

from colocate import _native
from colocate._errors import InvalidArgumentError
from colocate.linalg._matrix_arguments import adjoint, matrices

__all__ = ["cholesky", "eig", "eigh", "eigvals", "eigvalsh", "qr", "svd", "svdvals"]

EighResult = namedtuple("EighResult", ["eigenvalues", "eigenvectors"])
EigResult = namedtuple("EigResult", ["eigenvalues", "eigenvectors"])
QRResult = namedtuple("QRResult", ["Q", "R"])
SVDResult = namedtuple("SVDResult", ["U", "S", "Vh"])


def cholesky(x, /, *, upper=False):
    """The triangular ``l`` with ``l @ l^H = x`` of positive definite matrices.

    Parameters
    ----------
    x : array of Hermitian matrices
        Only the lower triangle is looked at, or only the upper one.
    upper : bool
        Whether to give the upper triangular ``u`` with ``u^H @ u = x``.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.cholesky(cl.asarray([[4.0, 2.0], [2.0, 2.0]])).tolist()
    [[2.0, 0.0], [1.0, 1.0]]
    """
    if upper:
        return adjoint(_native._cholesky(adjoint(matrices("linalg.cholesky", x, square=True))))
    return _native._cholesky(x)


def qr(a, mode="reduced"):
    """``(Q, R)`` with orthonormal columns in ``Q``, upper triangular ``R``, and ``Q @ R = a``.

    Parameters
    ----------
    a : array of matrices
    mode : {"reduced", "complete", "r"}
        ``Q`` with as many columns as the smaller extent; a square ``Q``; ``R`` alone.

    Examples
    --------
    >>> import colocate as cl
    >>> q, r = cl.linalg.qr(cl.asarray([[3.0, 1.0], [4.0, 2.0]]))
    >>> cl.allclose(q @ r, cl.asarray([[3.0, 1.0], [4.0, 2.0]]))
    True
    """
    if mode not in ("reduced", "complete", "r"):
        raise InvalidArgumentError(f'linalg.qr: mode={mode!r}: write "reduced", "complete" or "r"')
    q, r = _native._qr(a, mode == "complete", mode != "r")
    return r if mode == "r" else QRResult(q, r)


def svd(a, full_matrices=True, compute_uv=True, hermitian=False):
    """``(U, S, Vh)`` with ``U @ diag(S) @ Vh = a``, the values in descending order.

    Parameters
    ----------
    a : array of matrices
    full_matrices : bool
        Whether ``U`` and ``Vh`` are square.
    compute_uv : bool
        Without them only ``S``.
    hermitian : bool
        Accepted for NumPy's sake.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.svd(cl.asarray([[0.0, 2.0], [1.0, 0.0]])).S.tolist()
    [2.0, 1.0]
    """
    if not compute_uv:
        return svdvals(a)
    return SVDResult(*_native._svd(a, bool(full_matrices)))


def svdvals(x, /):
    """Singular values in descending order.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.svdvals(cl.asarray([[0.0, 2.0], [1.0, 0.0]])).tolist()
    [2.0, 1.0]
    """
    return _native._svdvals(x)


def _is_upper(function, triangle):
    if str(triangle).upper() not in ("L", "U"):
        raise InvalidArgumentError(f'{function}: UPLO={triangle!r}: write "L" or "U"')
    return str(triangle).upper() == "U"


def eigh(a, UPLO="L"):
    """``(eigenvalues, eigenvectors)`` of Hermitian matrices, the values in ascending order.

    Parameters
    ----------
    a : array of square matrices
    UPLO : {"L", "U"}
        Which triangle is looked at.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.eigh(cl.asarray([[2.0, 0.0], [0.0, 1.0]])).eigenvalues.tolist()
    [1.0, 2.0]
    """
    return EighResult(*_native._eigh(a, _is_upper("linalg.eigh", UPLO)))


def eigvalsh(a, UPLO="L"):
    """Eigenvalues of Hermitian matrices in ascending order.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.eigvalsh(cl.asarray([[2.0, 0.0], [0.0, 1.0]])).tolist()
    [1.0, 2.0]
    """
    return _native._eigvalsh(a, _is_upper("linalg.eigvalsh", UPLO))


def eig(a):
    """``(eigenvalues, eigenvectors)`` of square matrices: always complex, in no particular order.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.eig(cl.asarray([[0.0, 0.0], [0.0, 0.0]])).eigenvalues.tolist()
    [0j, 0j]
    """
    return EigResult(*_native._eig(a))


def eigvals(a):
    """Eigenvalues of square matrices: always complex, in no particular order.

    Examples
    --------
    >>> import colocate as cl
    >>> cl.linalg.eigvals(cl.asarray([[3.0]])).tolist()
    [(3+0j)]
    """
    return _native._eigvals(a)


for _function in (cholesky, qr, svd, svdvals, eigh, eigvalsh, eig, eigvals):
    _function.__module__ = "colocate.linalg"
