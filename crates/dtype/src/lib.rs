//! What an array's elements are and how they are laid out.
//!
//! * [`DType`]: the element types, their sizes and names.
//! * [`promote_types`], [`promote_all`]: which type holds the values of two others, or of several.
//! * [`Layout`]: shape, strides and offset, with every size checked for overflow.
//! * [`order_of_result`] and others: how new arrays lie in memory.
//! * [`index`]: basic indexing (integers, slices, `...`, new axes) as layout arithmetic.
//!
//! Everything here is plain arithmetic: nothing allocates device memory, nothing knows a
//! device or Python.

mod broadcast;
pub mod index;
mod layout;
mod memory_order;
mod promotion;
mod types;
mod views;

pub use broadcast::broadcast_shapes;
pub use layout::{Dims, Layout, LayoutError, Strides};
pub use memory_order::{AxisOrder, inverse_order, order_of_copy, order_of_joined, order_of_result};
pub use promotion::{promote_all, promote_types};
pub use types::{DType, Kind};
