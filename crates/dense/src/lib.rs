//! Dense linear algebra on matrices in host memory.
//!
//! Everything works on a [`Matrix`], a pointer with extents and strides, so that arrays of any
//! layout can be used in place. Products ([`product`]) run on the calling thread: whoever wants
//! several threads gives each a tile of the result. Decompositions cannot be cut like that; they
//! take [`Threads`], or none for small matrices, where a hand-off costs more than it saves.
//!
//! The numerical work is faer's, except for integers and booleans and the QR decomposition, which
//! here keeps every column, however small what is left of it.
//!
//! This crate knows no array, no queue and no Python.

mod buffer;
mod cholesky;
mod decompose;
mod eigen_general;
mod eigen_hermitian;
mod eigen_tridiagonal;
mod element;
mod integer_product;
mod lu;
mod lu_by_division;
mod matrix;
mod number;
mod product;
mod ql_iteration;
mod qr;
mod scaling;
mod secular_equation;
mod svd;
mod threads;

pub use decompose::Decompose;
pub use eigen_hermitian::Triangle;
pub use element::Element;
pub use faer::{c32, c64};
pub use half::f16;
pub use lu::Determinant;
pub use matrix::Matrix;
pub use product::{Multiply, product};
/// Threads that a decomposition may use besides its caller.
pub use rayon::ThreadPool as Threads;

/// Why a decomposition has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Failure {
    /// No inverse.
    #[error("singular matrix")]
    Singular,
    /// No Cholesky factor.
    #[error("the matrix is not positive definite")]
    NotPositiveDefinite,
    /// Elements that are not finite, or an iteration without an end.
    #[error("the iteration did not converge")]
    NoConvergence,
    /// No room for the intermediate results.
    #[error("out of memory")]
    OutOfMemory,
}

/// A result of a decomposition.
pub type Result<T> = std::result::Result<T, Failure>;
