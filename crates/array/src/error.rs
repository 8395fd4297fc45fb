//! What can go wrong with an array.

use colocate_dtype::{LayoutError, index::IndexError};
use colocate_runtime as runtime;
use thiserror::Error;

/// The result of an array operation.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure.
#[derive(Clone, Debug, Error)]
#[allow(missing_docs)]
pub enum Error {
    #[error(transparent)]
    Runtime(#[from] runtime::Error),
    #[error(transparent)]
    Layout(#[from] LayoutError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Compile(std::sync::Arc<colocate_compile::Error>),
    #[error("the array is read-only")]
    ReadOnly,
    #[error(
        "its elements would lie outside the {bytes} bytes it is said to have: they span bytes {low} to {high}"
    )]
    OutsideMemory {
        low: isize,
        high: isize,
        bytes: usize,
    },
    #[error("the queue of {queue} cannot use memory of {memory} in place")]
    NotAccessible { queue: String, memory: String },
    #[error(
        "elements of type {from} cannot be assigned to an array of type {to} without conversion"
    )]
    DType {
        from: colocate_dtype::DType,
        to: colocate_dtype::DType,
    },
    #[error(
        "matrices of shapes {a:?} and {b:?} cannot be multiplied: the first one's columns must be as many as the second one's rows"
    )]
    MatrixShapes { a: Vec<usize>, b: Vec<usize> },
    #[error(transparent)]
    Linalg(#[from] colocate_dense::Failure),
}
