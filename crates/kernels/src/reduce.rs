//! Reductions: kernels that make one value of many along an axis.
//!
//! A [`Reducer`] says what is computed; two shapes of kernel compute it:
//! - [`inner`]: a group of items walks along the reduced axis together, neighbours reading
//!   neighbours, and merges its states in the end.
//! - [`outer`]: each item walks along the reduced axis for elements of its own on another axis,
//!   along which neighbours read neighbours.
//!
//! Both take a chunk of the axis of constant length; if there are several, they leave states
//! behind, which a kernel of the same shape with [`Source::States`] merges. How chunks are cut
//! depends on extents alone, and nothing is combined by atomics, so the same input gives the same
//! bits whoever runs which part. Sums are short chains that are merged in a tree.
//!
//! Arrays are parameters of rank 1 with an offset and strides as numbers: element `i` of a
//! dimension with stride `s` lies `i * s` further. The caller points them at their lowest address, so that
//! no index is negative.

pub mod inner;
pub mod outer;
pub(crate) mod places;
mod reducer;

pub use places::Kept;
pub use reducer::{Finish, Fold, Present, Quantity, Reducer};

use smallvec::SmallVec;

/// Where states come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// Elements of the input.
    Elements,
    /// What kernels before have left: one array for each part of the state.
    States,
}

/// What kernels leave behind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Target {
    /// The result.
    Result,
    /// One array for each part of the state.
    States,
}

/// A reduction kernel of either shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Reduction {
    /// What is computed.
    pub reducer: Reducer,
    /// From what.
    pub source: Source,
    /// To what.
    pub target: Target,
    /// How many dimensions are kept.
    pub kept: u8,
    /// Whether neighbours lie side by side in all arrays that are read.
    pub unit: bool,
    /// Items of a group, a power of two.
    pub group: u16,
    /// How many elements along the axis a group or an item takes.
    pub chunk: u32,
    /// How many places an item has on the last kept dimension; for [`outer`].
    pub places: u16,
    /// How many elements an item takes for a place before it goes on to the next, less than 16; for [`outer`].
    pub at_once: u8,
}

impl Reduction {
    /// What tells this kernel from others of its shape.
    pub fn words(&self) -> SmallVec<[u32; 8]> {
        let mut words: SmallVec<[u32; 8]> = SmallVec::from_slice(&self.reducer.words());
        words.push(
            u32::from(self.kept)
                | u32::from(self.unit) << 8
                | u32::from(self.source == Source::States) << 9
                | u32::from(self.target == Target::States) << 10
                | u32::from(self.at_once) << 11
                | u32::from(self.group) << 16,
        );
        words.extend([self.chunk, self.places.into()]);
        words
    }
}
