//! The array container.
//!
//! An [`Array`] is an allocation, a layout over it, a dtype and the queue it lives on. This
//! crate creates arrays, views them, and moves their elements between layouts, queues and the
//! host. What always holds: every element of an array's layout lies inside its allocation, and
//! the queue can access that allocation.

pub mod along_axis;
mod array;
pub mod compaction;
pub mod correlate;
pub mod costs;
pub mod creation;
pub mod elementwise;
mod error;
pub mod fft;
pub mod histogram;
mod host_moves;
mod host_work;
mod index_bounds;
mod index_launch;
pub mod indexing;
pub mod launch;
pub mod linalg;
pub mod mersenne_twister;
pub mod random;
pub mod reduce;
pub mod resize;
pub mod scan;
pub mod selection;
pub mod sort;
mod space;
mod strided_copy;
mod transfer;
mod views;

pub use array::Array;
pub use error::{Error, Result};
pub use indexing::Mode;
pub use strided_copy::copy_elements;
