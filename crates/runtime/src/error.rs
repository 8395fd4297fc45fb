//! What can go wrong, with enough said to act on it.

use colocate_hal as hal;
use thiserror::Error;

/// The result of a runtime operation.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure.
#[derive(Clone, Debug, Error, PartialEq)]
#[allow(missing_docs)]
pub enum Error {
    /// A backend failed.
    #[error(transparent)]
    Backend(#[from] hal::Error),
    /// No device fits a selector (R1.5).
    #[error("no device matches {selector:?}; {there_is}")]
    DeviceNotFound { selector: String, there_is: String },
    /// A selector that cannot be read.
    #[error(
        "{selector:?} is not a device selector: {why}; write backend:type:index, for example \"cpu\", \"gpu:1\" or \"opencl:gpu\"; {there_is}"
    )]
    BadSelector {
        selector: String,
        why: String,
        there_is: String,
    },
    /// A device that is no member of the context.
    #[error("{device} is not a device of this context, which has {members}")]
    NotInContext { device: String, members: String },
    /// An object of another backend where that cannot be.
    #[error("{0}")]
    Mismatch(String),
    /// A pointer that is no memory of the context it is said to belong to.
    #[error("the address {address:#x} is no USM allocation of {context}")]
    NotUsm { address: usize, context: String },
    /// A launch that cannot be.
    #[error("the kernel {kernel} cannot be launched: {why}")]
    Launch { kernel: String, why: String },
}
