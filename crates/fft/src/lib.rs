//! Fourier transforms on host memory, in float32 and float64, of every length.
//!
//! An array is seen as `outer × length × inner` elements in C order, and is transformed along the
//! middle axis. Lines of the array are shared out among the threads of the pool; a single long
//! line is cut into a matrix whose columns and rows are transformed in turn (`long_line`), so that
//! all threads work on it. Without a pool everything happens on the caller. The transforms of
//! single lines in the cache are those of `rustfft` and `realfft`.
//!
//! Nothing is normalised: each function multiplies its result by a factor that the caller chooses.
//! Nothing here knows a queue or a device.

mod complex;
mod lines;
mod long_line;
mod long_real;
mod plans;
mod real;

pub use complex::transform;
pub use num_complex::Complex;
pub use plans::Float;
pub use real::{complex_to_real, real_to_complex};

/// Which way to transform.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// With a negative exponent.
    Forward,
    /// With a positive exponent.
    Inverse,
}

/// How an array is seen: `length` is that of the lines to be transformed, as real or complex
/// numbers in the array without loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extents {
    /// Elements before the axis.
    pub outer: usize,
    /// Elements of the axis.
    pub length: usize,
    /// Elements after the axis.
    pub inner: usize,
}

/// The elements that the forward transform of so many real numbers has.
pub fn half_length(length: usize) -> usize {
    length / 2 + 1
}
