//! What can go wrong below the runtime.

use thiserror::Error;

/// The result of talking to a backend.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure of the world, with what was tried and where.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Error {
    /// No memory of the size asked for.
    #[error(
        "cannot allocate {requested} bytes of {kind} memory on {device}: {available} bytes are \
         available of {total} in all; this process holds {held} bytes of it"
    )]
    OutOfMemory {
        requested: usize,
        kind: &'static str,
        device: String,
        available: u64,
        total: u64,
        held: u64,
    },
    /// The backend cannot do this at all.
    #[error("{device} cannot {operation}")]
    Unsupported { operation: String, device: String },
    /// The request makes no sense for this device.
    #[error("cannot {operation} on {device}: {why}")]
    Invalid {
        operation: String,
        device: String,
        why: String,
    },
    /// The vendor's library said no.
    #[error("cannot {operation} on {device}: {call} failed: {report}")]
    Call {
        operation: String,
        device: String,
        call: &'static str,
        report: String,
    },
    /// The backend's library is not there or not usable.
    #[error("the {backend} backend cannot be loaded: {why}")]
    Load { backend: &'static str, why: String },
    /// Work failed after it was submitted.
    #[error("work submitted to {device} failed: {why}")]
    Work { device: String, why: String },
    /// The object belongs to the parent of this process.
    #[error(
        "cannot {operation} on {device} in a forked child: the device's driver does not survive \
         fork; start workers with the \"spawn\" or \"forkserver\" method, or use \"native:cpu\""
    )]
    Forked { operation: String, device: String },
}

impl Error {
    /// Shorthand for [`Error::Unsupported`].
    pub fn unsupported(operation: &str, device: &str) -> Error {
        Error::Unsupported {
            operation: operation.into(),
            device: device.into(),
        }
    }

    /// Shorthand for [`Error::Invalid`].
    pub fn invalid(operation: &str, device: &str, why: impl Into<String>) -> Error {
        Error::Invalid {
            operation: operation.into(),
            device: device.into(),
            why: why.into(),
        }
    }
}
