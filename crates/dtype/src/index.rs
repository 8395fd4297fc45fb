//! Basic indexing: what `x[1, ::2, ..., None]` does to a layout.

use crate::layout::{Dims, Layout, Strides};
use thiserror::Error;

/// One item between the brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// An integer: takes one element along an axis and drops the axis.
    At(isize),
    /// A slice, already resolved to start, step and count by [`resolve_slice`] semantics.
    Slice {
        /// First index, `None` for the natural end of the axis.
        start: Option<isize>,
        /// End, exclusive.
        stop: Option<isize>,
        /// Step; never zero.
        step: isize,
    },
    /// `...`: as many full slices as are needed.
    Ellipsis,
    /// `None`: a new axis of extent 1.
    NewAxis,
}

/// An index that does not fit the array.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)]
pub enum IndexError {
    #[error("index {index} is out of bounds for axis {axis} with size {extent}")]
    OutOfBounds {
        index: isize,
        axis: usize,
        extent: usize,
    },
    #[error("too many indices: the array has {ndim} dimensions, but {given} were indexed")]
    TooMany { ndim: usize, given: usize },
    #[error("an index can only have a single ellipsis ('...')")]
    TwoEllipses,
    #[error("slice step cannot be zero")]
    ZeroStep,
    #[error("the view would have {got} dimensions, the most is {max}", max = Layout::MAX_NDIM)]
    TooManyDims { got: usize },
    #[error(
        "a mask does not fit the array it indexes: along axis {axis} the array has {extent} elements and the mask {mask}"
    )]
    Mask {
        axis: usize,
        extent: usize,
        mask: usize,
    },
    #[error("index arrays of shapes {} cannot be broadcast together", shown(.shapes))]
    Shapes { shapes: Vec<Vec<usize>> },
    #[error("cannot take elements from axis {axis}, which has none")]
    EmptyAxis { axis: usize },
}

fn shown(shapes: &[Vec<usize>]) -> String {
    let shapes: Vec<String> = shapes.iter().map(|shape| format!("{shape:?}")).collect();
    shapes.join(", ")
}

/// First index and count of a slice over an axis, by Python's rules.
fn resolve_slice(
    start: Option<isize>,
    stop: Option<isize>,
    step: isize,
    extent: usize,
) -> (isize, usize) {
    let extent = extent as isize;
    let (lowest, highest) = if step > 0 {
        (0, extent)
    } else {
        (-1, extent - 1)
    };
    let clamp = |index: isize| {
        let index = if index < 0 {
            index.saturating_add(extent)
        } else {
            index
        };
        index.clamp(lowest, highest)
    };
    let (natural_start, natural_stop) = if step > 0 {
        (0, extent)
    } else {
        (extent - 1, -1)
    };
    let start = start.map_or(natural_start, clamp);
    let stop = stop.map_or(natural_stop, clamp);
    let distance = if step > 0 { stop - start } else { start - stop };
    let count = if distance <= 0 {
        0
    } else {
        (distance as usize - 1) / step.unsigned_abs() + 1
    };
    (start, count)
}

/// The view that `items` select.
pub fn apply(layout: &Layout, items: &[Item]) -> Result<Layout, IndexError> {
    let used = items
        .iter()
        .filter(|item| matches!(item, Item::At(_) | Item::Slice { .. }))
        .count();
    if items.iter().filter(|i| **i == Item::Ellipsis).count() > 1 {
        return Err(IndexError::TwoEllipses);
    }
    let implied = layout.ndim().checked_sub(used).ok_or(IndexError::TooMany {
        ndim: layout.ndim(),
        given: used,
    })?;

    let (mut shape, mut strides) = (Dims::new(), Strides::new());
    let mut offset = layout.offset();
    let mut axis = 0;
    let keep = |axis: &mut usize, count: usize, shape: &mut Dims, strides: &mut Strides| {
        shape.extend_from_slice(&layout.shape()[*axis..*axis + count]);
        strides.extend_from_slice(&layout.strides()[*axis..*axis + count]);
        *axis += count;
    };
    for item in items {
        match *item {
            Item::NewAxis => {
                shape.push(1);
                strides.push(0);
            }
            Item::Ellipsis => keep(&mut axis, implied, &mut shape, &mut strides),
            Item::At(index) => {
                let extent = layout.shape()[axis];
                let wrapped = if index < 0 {
                    index.saturating_add(extent as isize)
                } else {
                    index
                };
                if wrapped < 0 || wrapped >= extent as isize {
                    return Err(IndexError::OutOfBounds {
                        index,
                        axis,
                        extent,
                    });
                }
                offset += wrapped * layout.strides()[axis];
                axis += 1;
            }
            Item::Slice { start, stop, step } => {
                if step == 0 {
                    return Err(IndexError::ZeroStep);
                }
                let stride = layout.strides()[axis];
                let (first, count) = resolve_slice(start, stop, step, layout.shape()[axis]);
                // The start of an empty slice may lie past the end: it must not move the offset.
                if count > 0 {
                    offset += first * stride;
                }
                shape.push(count);
                // With one element or none the stride is never used, and the product may overflow.
                strides.push(if count > 1 { stride * step } else { stride });
                axis += 1;
            }
        }
    }
    let rest = layout.ndim() - axis;
    keep(&mut axis, rest, &mut shape, &mut strides);
    if shape.len() > Layout::MAX_NDIM {
        return Err(IndexError::TooManyDims { got: shape.len() });
    }
    Ok(Layout::view(shape, strides, offset))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn positions(layout: &Layout) -> Vec<isize> {
        let mut all = vec![layout.offset()];
        for (&extent, &stride) in layout.shape().iter().zip(layout.strides()) {
            all = all
                .iter()
                .flat_map(|&base| (0..extent).map(move |i| base + i as isize * stride))
                .collect();
        }
        all
    }

    #[test]
    fn an_index_past_the_end_names_axis_and_size() {
        let layout = Layout::contiguous(&[2, 3], 4).unwrap();
        let error = apply(&layout, &[Item::At(0), Item::At(-4)]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "index -4 is out of bounds for axis 1 with size 3"
        );
    }

    #[test]
    fn an_ellipsis_fills_up_and_none_adds_an_axis() {
        let layout = Layout::contiguous(&[2, 3, 4], 4).unwrap();
        let view = apply(&layout, &[Item::NewAxis, Item::Ellipsis, Item::At(1)]).unwrap();
        assert_eq!(view.shape(), &[1, 2, 3]);
        assert_eq!(view.offset(), 1);
    }

    proptest! {
        /// The definition: a slice selects the indices that Python's `range` would.
        #[test]
        fn slices_select_what_a_walk_selects(
            extent in 0usize..8,
            start in proptest::option::of(-12isize..12),
            stop in proptest::option::of(-12isize..12),
            step in prop_oneof![-4isize..0, 1isize..5],
        ) {
            let layout = Layout::contiguous(&[extent], 1).unwrap();
            let view = apply(&layout, &[Item::Slice { start, stop, step }]).unwrap();
            let n = extent as isize;
            let norm = |i: isize| if i < 0 { i + n } else { i };
            let mut wanted = vec![];
            if step > 0 {
                let (mut i, end) = (start.map_or(0, norm).max(0), stop.map_or(n, norm).min(n));
                while i < end { wanted.push(i); i += step; }
            } else {
                let (mut i, end) = (start.map_or(n - 1, norm).min(n - 1), stop.map_or(-1, norm).max(-1));
                while i > end { wanted.push(i); i += step; }
            }
            prop_assert_eq!(positions(&view), wanted);
        }

        #[test]
        fn views_stay_inside_what_they_view(
            shape in proptest::collection::vec(1usize..5, 1..4),
            step in prop_oneof![-3isize..0, 1isize..4],
            start in proptest::option::of(-9isize..9),
        ) {
            let layout = Layout::contiguous(&shape, 8).unwrap();
            let view = apply(&layout, &[Item::Slice { start, stop: None, step }]).unwrap();
            let (low, high) = view.span();
            let (all_low, all_high) = layout.span();
            prop_assert!(low >= all_low && high <= all_high);
        }
    }
}
