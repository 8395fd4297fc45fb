//! Sorting on host memory, for every element type of the array library.
//!
//! All functions work on rows: the input is a whole number of rows of the same length, one after
//! the other, and each row is sorted on its own. Many rows are shared out among the threads of
//! the pool; a single long row is cut up, so that all threads work on it. Without a pool
//! everything happens on the caller.
//!
//! The order: numbers ascend, `-0.0` equals `0.0`, and a NaN is greater than every number, as in
//! NumPy. Complex numbers compare by their real, then by their imaginary parts, and come in four
//! classes: no part is NaN, the imaginary part is, the real part is, both are. A descending sort
//! is by the reversed order, so that NaNs come first. Sorting and argsorting are stable in both
//! directions.
//!
//! How it works: an element becomes an [`item`](items) that carries an unsigned rank in the
//! right order (and, for argsorting, its index). A long row is first split by sampled splitters
//! into buckets that fit into a core's cache (`buckets`); a bucket is sorted by radix (`radix`)
//! or, if its ranks do not fit into a word, by comparison. Where the processor has AVX-512, items
//! that are words are split and sorted by vectors instead (`words`, `vectors`). Nothing here knows a queue or a device.

mod buckets;
mod elements;
mod items;
mod radix;
mod rows;
mod vectors;
mod words;

pub use elements::Element;
pub use rows::{argpartition_rows, argsort_rows, partition_rows, scratch_bytes, sort_rows};

/// Which way to sort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The least first, NaNs last.
    Ascending,
    /// The greatest first, NaNs before all.
    Descending,
}
