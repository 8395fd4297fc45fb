//! What can go wrong while a function runs.

use colocate_dtype::LayoutError;
use std::any::Any;
use thiserror::Error;

/// The result of anything here.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure.
#[derive(Debug, Error)]
pub enum Error {
    /// Of the array library or the runtime below it.
    #[error(transparent)]
    Array(#[from] colocate_array::Error),
    /// Of the compiler.
    #[error(transparent)]
    Compile(#[from] colocate_compile::Error),
    /// An extent below zero.
    #[error("negative dimensions are not allowed")]
    NegativeExtent,
    /// A shape that does not hold as many elements as there are.
    #[error("cannot reshape array of size {size} into shape {shape}")]
    Reshape {
        /// How many there are.
        size: usize,
        /// As the user wrote it.
        shape: String,
    },
    /// A shape of more bytes than a pointer can count.
    #[error(
        "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size."
    )]
    TooLarge,
    /// Functions that call one another too often.
    #[error("maximum recursion depth exceeded")]
    Recursion,
    /// A library function is to change an array in place that it cannot be shown.
    #[error(
        "{function} cannot change the array {array} in place: its elements are not aligned; copy it first"
    )]
    Misaligned {
        /// Which function.
        function: String,
        /// Which array.
        array: String,
    },
    /// A library function does not take arrays on the queue.
    #[error("the function does not take arrays on the queue")]
    NotOnQueue,
    /// What the caller raised in one of its callbacks; an exception.
    #[error("an exception of the caller")]
    Raised(Box<dyn Any + Send>),
    /// A mistake of ours.
    #[error("{0}")]
    Internal(String),
}

impl From<colocate_runtime::Error> for Error {
    fn from(failure: colocate_runtime::Error) -> Error {
        Error::Array(failure.into())
    }
}

impl From<LayoutError> for Error {
    fn from(failure: LayoutError) -> Error {
        match failure {
            LayoutError::TooLarge { .. } => Error::TooLarge,
            other => Error::Array(other.into()),
        }
    }
}
