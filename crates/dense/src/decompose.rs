//! The decompositions, by element type.
//!
//! They are methods of a trait so that their code is made once, here, and not again in every
//! crate that calls them.

use crate::{
    Determinant, Element, Matrix, Multiply, Result, Threads, Triangle, c32, c64, cholesky,
    eigen_general, eigen_hermitian, lu, qr, svd,
};

/// An element type whose matrices can be decomposed.
///
/// # Safety
/// Of all functions: the extents fit each other; what is named an input is valid for reads, what
/// is named an output for writes; outputs overlap nothing, and their elements are distinct.
pub trait Decompose: Element + Multiply {
    /// The output `x` with `a x = b`, of the inputs `a` (square) and `b`.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn solve(
        a: Matrix<Self>,
        b: Matrix<Self>,
        x: Matrix<Self>,
        threads: Option<&Threads>,
    ) -> Result<()>;

    /// The output `out`, the inverse of the input `a` (square).
    ///
    /// # Safety
    /// See the trait.
    unsafe fn inverse(a: Matrix<Self>, out: Matrix<Self>, threads: Option<&Threads>) -> Result<()>;

    /// The determinant of the input `a` (square); 0 without an inverse.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn determinant(a: Matrix<Self>, threads: Option<&Threads>) -> Result<Determinant<Self>>;

    /// The lower triangular output `l` with `l l^H = a`. Only the lower triangle of the input `a`
    /// (square) is looked at.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn cholesky(a: Matrix<Self>, l: Matrix<Self>, threads: Option<&Threads>) -> Result<()>;

    /// The outputs `q` with orthonormal columns and `r`, upper triangular, with `q r = a`. `q`
    /// has as many columns as `r` has rows: the smaller extent of `a`, or all its rows.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn qr(
        a: Matrix<Self>,
        q: Option<Matrix<Self>>,
        r: Matrix<Self>,
        threads: Option<&Threads>,
    ) -> Result<()>;

    /// The outputs `u`, `values`, `vh` with `u diag(values) vh = a`, the values (a column) in
    /// descending order. `u` has as many columns and `vh` as many rows as there are values, or
    /// both are square.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn svd(
        a: Matrix<Self>,
        values: Matrix<Self::Float>,
        vectors: Option<(Matrix<Self>, Matrix<Self>)>,
        threads: Option<&Threads>,
    ) -> Result<()>;

    /// The outputs `values` (a column), eigenvalues of the Hermitian input `a` in ascending order,
    /// and `vectors`, as columns orthonormal eigenvectors.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn eigen_hermitian(
        a: Matrix<Self>,
        triangle: Triangle,
        values: Matrix<Self::Float>,
        vectors: Option<Matrix<Self>>,
        threads: Option<&Threads>,
    ) -> Result<()>;

    /// The outputs `values` (a column), eigenvalues of the input `a` (square) in no particular
    /// order, and `vectors`, as columns of length 1 eigenvectors.
    ///
    /// # Safety
    /// See the trait.
    unsafe fn eigen_general(
        a: Matrix<Self>,
        values: Matrix<Self::Complex>,
        vectors: Option<Matrix<Self::Complex>>,
        threads: Option<&Threads>,
    ) -> Result<()>;
}

macro_rules! decompose {
    ($($type:ty)*) => {$(
        impl Decompose for $type {
            unsafe fn solve(
                a: Matrix<Self>,
                b: Matrix<Self>,
                x: Matrix<Self>,
                threads: Option<&Threads>,
            ) -> Result<()> {
                // SAFETY: passed on.
                unsafe { lu::solve(a, b, x, threads) }
            }

            unsafe fn inverse(
                a: Matrix<Self>,
                out: Matrix<Self>,
                threads: Option<&Threads>,
            ) -> Result<()> {
                // SAFETY: passed on.
                unsafe { lu::inverse(a, out, threads) }
            }

            unsafe fn determinant(
                a: Matrix<Self>,
                threads: Option<&Threads>,
            ) -> Result<Determinant<Self>> {
                // SAFETY: passed on.
                unsafe { lu::determinant(a, threads) }
            }

            unsafe fn cholesky(
                a: Matrix<Self>,
                l: Matrix<Self>,
                threads: Option<&Threads>,
            ) -> Result<()> {
                // SAFETY: passed on.
                unsafe { cholesky::cholesky(a, l, threads) }
            }

            unsafe fn qr(
                a: Matrix<Self>,
                q: Option<Matrix<Self>>,
                r: Matrix<Self>,
                threads: Option<&Threads>,
            ) -> Result<()> {
                // SAFETY: passed on.
                unsafe { qr::qr(a, q, r, threads) }
            }

            unsafe fn svd(
                a: Matrix<Self>,
                values: Matrix<Self::Float>,
                vectors: Option<(Matrix<Self>, Matrix<Self>)>,
                threads: Option<&Threads>,
            ) -> Result<()> {
                // SAFETY: passed on.
                unsafe { svd::svd(a, values, vectors, threads) }
            }

            unsafe fn eigen_hermitian(
                a: Matrix<Self>,
                triangle: Triangle,
                values: Matrix<Self::Float>,
                vectors: Option<Matrix<Self>>,
                threads: Option<&Threads>,
            ) -> Result<()> {
                // SAFETY: passed on.
                unsafe { eigen_hermitian::eigen_hermitian(a, triangle, values, vectors, threads) }
            }

            unsafe fn eigen_general(
                a: Matrix<Self>,
                values: Matrix<Self::Complex>,
                vectors: Option<Matrix<Self::Complex>>,
                threads: Option<&Threads>,
            ) -> Result<()> {
                // SAFETY: passed on.
                unsafe { eigen_general::eigen_general(a, values, vectors, threads) }
            }
        }
    )*};
}

decompose! { f32 f64 c32 c64 }
