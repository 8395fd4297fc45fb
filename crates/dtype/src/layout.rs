//! Shapes, strides and the memory they span.

use smallvec::SmallVec;
use thiserror::Error;

/// Extents of the axes; on the stack up to four of them.
pub type Dims = SmallVec<[usize; 4]>;
/// Distances between neighbours along each axis, in elements; may be negative or zero.
pub type Strides = SmallVec<[isize; 4]>;

/// Where the elements of an array lie relative to the start of its allocation, in elements.
///
/// Invariant: for a layout made by this module's constructors and views, every element lies
/// inside the allocation that the first layout was made for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    shape: Dims,
    strides: Strides,
    offset: isize,
}

/// A shape or stride that cannot be.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)]
pub enum LayoutError {
    #[error(
        "an array of shape {shape:?} with {itemsize}-byte elements has more bytes than a pointer can count"
    )]
    TooLarge { shape: Vec<usize>, itemsize: usize },
    #[error("{got} strides were given for {ndim} dimensions")]
    StrideCount { got: usize, ndim: usize },
    #[error("too many dimensions: {got}, the most is {max}", max = Layout::MAX_NDIM)]
    TooManyDims { got: usize },
    #[error("cannot broadcast shape {from:?} to {to:?}")]
    Broadcast { from: Vec<usize>, to: Vec<usize> },
    #[error("cannot reshape an array of size {size} into shape {shape:?}")]
    Reshape { size: usize, shape: Vec<usize> },
    #[error("shapes {a:?} and {b:?} do not fit together: extents must be equal, or one of them 1")]
    Mismatch { a: Vec<usize>, b: Vec<usize> },
}

impl Layout {
    /// As in NumPy 2.
    pub const MAX_NDIM: usize = 64;

    /// A row-major layout from offset 0. Fails if the bytes do not fit in `isize`.
    pub fn contiguous(shape: &[usize], itemsize: usize) -> Result<Layout, LayoutError> {
        if shape.len() > Self::MAX_NDIM {
            return Err(LayoutError::TooManyDims { got: shape.len() });
        }
        let mut strides: Strides = SmallVec::from_elem(0, shape.len());
        let mut step: isize = 1;
        for (stride, &extent) in strides.iter_mut().zip(shape).rev() {
            *stride = step;
            step = isize::try_from(extent.max(1))
                .ok()
                .and_then(|extent| step.checked_mul(extent))
                .and_then(|step| step.checked_mul(itemsize as isize).map(|_| step))
                .ok_or_else(|| LayoutError::TooLarge {
                    shape: shape.to_vec(),
                    itemsize,
                })?;
        }
        Ok(Layout {
            shape: Dims::from_slice(shape),
            strides,
            offset: 0,
        })
    }

    /// A layout somebody else describes. Fails where its extent overflows; whether it lies
    /// inside an allocation is for the caller to check with [`Layout::span`].
    pub fn strided(
        shape: &[usize],
        strides: &[isize],
        offset: isize,
        itemsize: usize,
    ) -> Result<Layout, LayoutError> {
        if strides.len() != shape.len() {
            return Err(LayoutError::StrideCount {
                got: strides.len(),
                ndim: shape.len(),
            });
        }
        Layout::contiguous(shape, itemsize)?;
        let layout = Layout {
            shape: Dims::from_slice(shape),
            strides: Strides::from_slice(strides),
            offset,
        };
        let too_large = || LayoutError::TooLarge {
            shape: shape.to_vec(),
            itemsize,
        };
        let (low, high) = layout.checked_span().ok_or_else(too_large)?;
        for end in [low, high] {
            end.checked_mul(itemsize as isize).ok_or_else(too_large)?;
        }
        Ok(layout)
    }

    /// A view of the same memory; only for this crate's index arithmetic, which keeps it inside.
    pub(crate) fn view(shape: Dims, strides: Strides, offset: isize) -> Layout {
        Layout {
            shape,
            strides,
            offset,
        }
    }

    /// The extents.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The strides, in elements.
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// Where the first element lies, in elements from the start of the allocation.
    pub fn offset(&self) -> isize {
        self.offset
    }

    /// Number of axes.
    pub fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// Number of elements.
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }

    /// The lowest element offset and one past the highest; equal for an empty layout.
    pub fn span(&self) -> (isize, isize) {
        self.checked_span()
            .expect("a layout's span was checked when it was made")
    }

    fn checked_span(&self) -> Option<(isize, isize)> {
        if self.size_is_zero() {
            return Some((self.offset, self.offset));
        }
        let (mut low, mut high) = (self.offset, self.offset);
        for (&extent, &stride) in self.shape.iter().zip(&self.strides) {
            let reach = stride.checked_mul(isize::try_from(extent - 1).ok()?)?;
            let end = if reach < 0 { &mut low } else { &mut high };
            *end = end.checked_add(reach)?;
        }
        Some((low, high.checked_add(1)?))
    }

    fn size_is_zero(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Row-major without gaps.
    pub fn is_c_contiguous(&self) -> bool {
        self.follows(self.shape.iter().zip(&self.strides).rev())
    }

    /// Column-major without gaps.
    pub fn is_f_contiguous(&self) -> bool {
        self.follows(self.shape.iter().zip(&self.strides))
    }

    fn follows<'a>(&self, inner_to_outer: impl Iterator<Item = (&'a usize, &'a isize)>) -> bool {
        if self.size_is_zero() {
            return true;
        }
        let mut step = 1;
        for (&extent, &stride) in inner_to_outer {
            if extent != 1 {
                if stride != step {
                    return false;
                }
                step *= extent as isize;
            }
        }
        true
    }

    /// Axes reversed.
    pub fn transposed(&self) -> Layout {
        Layout {
            shape: self.shape.iter().rev().copied().collect(),
            strides: self.strides.iter().rev().copied().collect(),
            offset: self.offset,
        }
    }

    /// The same elements repeated to a larger shape, by strides of zero.
    pub fn broadcast_to(&self, shape: &[usize]) -> Result<Layout, LayoutError> {
        let mismatch = || LayoutError::Broadcast {
            from: self.shape.to_vec(),
            to: shape.to_vec(),
        };
        let lead = shape.len().checked_sub(self.ndim()).ok_or_else(mismatch)?;
        let mut strides: Strides = SmallVec::from_elem(0, shape.len());
        for (axis, (&extent, &stride)) in self.shape.iter().zip(&self.strides).enumerate() {
            if extent == shape[lead + axis] {
                strides[lead + axis] = stride;
            } else if extent != 1 {
                return Err(mismatch());
            }
        }
        Ok(Layout {
            shape: Dims::from_slice(shape),
            strides,
            offset: self.offset,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn enormous_shapes_are_refused_not_wrapped() {
        for shape in [
            &[usize::MAX][..],
            &[1 << 40, 1 << 40],
            &[0, usize::MAX],
            &[isize::MAX as usize, 2],
        ] {
            assert!(matches!(
                Layout::contiguous(shape, 8),
                Err(LayoutError::TooLarge { .. })
            ));
        }
    }

    #[test]
    fn lying_strides_are_refused() {
        assert!(Layout::strided(&[3], &[isize::MAX], 0, 8).is_err());
        assert!(Layout::strided(&[3], &[1, 1], 0, 8).is_err());
        assert!(Layout::strided(&[3], &[isize::MIN], 0, 8).is_err());
        assert!(Layout::strided(&[3], &[1], isize::MAX, 8).is_err());
    }

    proptest! {
        #[test]
        fn a_contiguous_layout_spans_its_size(shape in proptest::collection::vec(0usize..6, 0..5)) {
            let layout = Layout::contiguous(&shape, 8).unwrap();
            let (low, high) = layout.span();
            prop_assert_eq!((high - low) as usize, layout.size());
            prop_assert!(layout.is_c_contiguous());
            prop_assert!(layout.transposed().is_f_contiguous());
        }

        #[test]
        fn broadcasting_keeps_the_span(shape in proptest::collection::vec(1usize..4, 0..4), extra in 1usize..4) {
            let layout = Layout::contiguous(&shape, 8).unwrap();
            let mut wide = vec![extra];
            wide.extend(&shape);
            let spread = layout.broadcast_to(&wide).unwrap();
            prop_assert_eq!(spread.span(), layout.span());
        }
    }
}
