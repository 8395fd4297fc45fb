//! The kernels of the array library, as IR.
//!
//! Each module builds kernels of one family for given dtypes and layout classes. Nothing here
//! allocates, launches or knows a queue: `colocate-array` decides which kernel a call needs, gives it
//! its arguments and launches it.

pub mod compaction;
pub mod correlate;
pub mod elementary;
pub mod elementwise;
pub mod fill;
pub mod formula;
pub mod histogram;
pub mod indexed;
pub mod map;
pub mod matmul;
pub mod random;
pub mod reduce;
pub mod scan;
pub mod sort;
