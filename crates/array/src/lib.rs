//! The array container.
//!
//! An [`Array`] is an allocation, a layout over it, a dtype and the queue it lives on. This
//! crate creates arrays, views them, and moves their elements between layouts, queues and the
//! host. What always holds: every element of an array's layout lies inside its allocation, and
//! the queue can access that allocation.
//!
//! Until the kernel compiler is there, elements of a strided view on a device that is not the
//! host are gathered on the host; `transfer` is the only place that knows.

mod array;
mod error;
mod strided_copy;
mod transfer;

pub use array::Array;
pub use error::{Error, Result};
