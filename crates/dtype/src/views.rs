//! Layouts made from layouts: axes in another order, split, joined, dropped or reversed.
//!
//! Nothing here touches memory. What always holds: a view's elements are elements of what it was
//! made from, so it lies inside the same allocation.

use crate::layout::{Dims, Layout, LayoutError, Strides};
use smallvec::SmallVec;

impl Layout {
    /// The axes in another order: axis `i` of the result is axis `axes[i]` of this.
    ///
    /// `axes` names every axis once.
    pub fn permuted(&self, axes: &[usize]) -> Layout {
        debug_assert_eq!(axes.len(), self.ndim());
        Layout::view(
            axes.iter().map(|&axis| self.shape()[axis]).collect(),
            axes.iter().map(|&axis| self.strides()[axis]).collect(),
            self.offset(),
        )
    }

    /// The same elements in the same row-major order with other extents; `None` if no strides do
    /// that, or if the sizes differ.
    pub fn reshaped(&self, shape: &[usize]) -> Option<Layout> {
        if shape.len() > Layout::MAX_NDIM || product(shape)? != self.size() {
            return None;
        }
        if self.size() == 0 || self.is_c_contiguous() {
            let packed = Layout::contiguous(shape, 1).ok()?;
            let strides = Strides::from_slice(packed.strides());
            return Some(Layout::view(
                Dims::from_slice(shape),
                strides,
                self.offset(),
            ));
        }
        self.regrouped(shape)
    }

    /// Groups of axes of both shapes with equal products; inside a group, the old axes must be one
    /// run, which the new axes then divide.
    fn regrouped(&self, shape: &[usize]) -> Option<Layout> {
        // Axes of extent 1 have no say in where elements lie.
        let old: SmallVec<[(usize, isize); 4]> = self
            .shape()
            .iter()
            .zip(self.strides())
            .filter(|(extent, _)| **extent != 1)
            .map(|(&extent, &stride)| (extent, stride))
            .collect();
        let mut strides: Strides = SmallVec::from_elem(1, shape.len());
        let (mut from, mut to) = (0, 0);
        while from < old.len() && to < shape.len() {
            let (first_from, first_to) = (from, to);
            let (mut old_count, mut new_count) = (old[from].0, shape[to]);
            from += 1;
            to += 1;
            while old_count != new_count {
                if old_count < new_count {
                    old_count *= old.get(from)?.0;
                    from += 1;
                } else {
                    new_count *= shape.get(to)?;
                    to += 1;
                }
            }
            let group = &old[first_from..from];
            let is_run = |pair: &[(usize, isize)]| pair[0].1 == pair[1].1 * pair[1].0 as isize;
            if !group.windows(2).all(is_run) {
                return None;
            }
            let mut step = group.last()?.1;
            for axis in (first_to..to).rev() {
                strides[axis] = step;
                step *= shape[axis] as isize;
            }
        }
        Some(Layout::view(
            Dims::from_slice(shape),
            strides,
            self.offset(),
        ))
    }

    /// The order along some axes reversed.
    pub fn flipped(&self, axes: &[usize]) -> Layout {
        let mut strides = Strides::from_slice(self.strides());
        let mut offset = self.offset();
        for &axis in axes {
            if self.shape()[axis] > 1 && !self.shape().contains(&0) {
                offset += (self.shape()[axis] as isize - 1) * strides[axis];
            }
            strides[axis] = -strides[axis];
        }
        Layout::view(Dims::from_slice(self.shape()), strides, offset)
    }

    /// An axis of extent 1 more, at position `axis` of the result.
    pub fn expanded(&self, axis: usize) -> Result<Layout, LayoutError> {
        if self.ndim() == Layout::MAX_NDIM {
            let got = self.ndim() + 1;
            return Err(LayoutError::TooManyDims { got });
        }
        let mut shape = Dims::from_slice(self.shape());
        let mut strides = Strides::from_slice(self.strides());
        shape.insert(axis, 1);
        strides.insert(axis, 0);
        Ok(Layout::view(shape, strides, self.offset()))
    }

    /// Without some axes, each of extent 1.
    pub fn squeezed(&self, axes: &[usize]) -> Layout {
        debug_assert!(axes.iter().all(|&axis| self.shape()[axis] == 1));
        self.without(axes)
    }

    fn without(&self, axes: &[usize]) -> Layout {
        let kept = |axis: &usize| !axes.contains(axis);
        let kept = || (0..self.ndim()).filter(kept);
        Layout::view(
            kept().map(|axis| self.shape()[axis]).collect(),
            kept().map(|axis| self.strides()[axis]).collect(),
            self.offset(),
        )
    }

    /// The elements whose index along `axis2` is `offset` more than along `axis1`; the axis they
    /// lie along is the last of the result. The two axes differ.
    pub fn diagonal(&self, offset: isize, axis1: usize, axis2: usize) -> Layout {
        debug_assert_ne!(axis1, axis2);
        let (rows, columns) = (self.shape()[axis1], self.shape()[axis2]);
        let (skipped_rows, skipped_columns) = if offset < 0 {
            (offset.unsigned_abs(), 0)
        } else {
            (0, offset.unsigned_abs())
        };
        let count = rows
            .saturating_sub(skipped_rows)
            .min(columns.saturating_sub(skipped_columns));
        let (down, right) = (self.strides()[axis1], self.strides()[axis2]);
        let rest = self.without(&[axis1, axis2]);
        let mut shape = Dims::from_slice(rest.shape());
        let mut strides = Strides::from_slice(rest.strides());
        shape.push(count);
        // With one element or none the stride is never used, and the sum may overflow.
        strides.push(if count > 1 { down + right } else { 1 });
        let first = if count > 0 && !self.shape().contains(&0) {
            skipped_rows as isize * down + skipped_columns as isize * right
        } else {
            0
        };
        Layout::view(shape, strides, self.offset() + first)
    }

    /// Every window of `length` neighbours along `axis`: the axis counts the windows, and a new
    /// last axis runs through one. The windows overlap; `length` is at most the extent.
    pub fn windows(&self, axis: usize, length: usize) -> Result<Layout, LayoutError> {
        debug_assert!(length <= self.shape()[axis]);
        let view = self.expanded(self.ndim())?;
        let (mut shape, mut strides) = (
            Dims::from_slice(view.shape()),
            Strides::from_slice(view.strides()),
        );
        let last = shape.len() - 1;
        shape[axis] = self.shape()[axis] - length + 1;
        shape[last] = length;
        strides[last] = strides[axis];
        Ok(Layout::view(shape, strides, view.offset()))
    }

    /// The same bytes counted in elements of another size; `None` if they do not divide so.
    ///
    /// If the sizes differ, the last axis must be a run without gaps; its extent changes.
    pub fn recast(&self, old_itemsize: usize, new_itemsize: usize) -> Option<Layout> {
        if old_itemsize == new_itemsize {
            return Some(self.clone());
        }
        let last = self.ndim().checked_sub(1)?;
        let mut shape = Dims::from_slice(self.shape());
        let mut strides = Strides::from_slice(self.strides());
        if shape[last] > 1 && strides[last] != 1 {
            return None;
        }
        let bytes = shape[last] * old_itemsize;
        if !bytes.is_multiple_of(new_itemsize) {
            return None;
        }
        let (old, new) = (old_itemsize as isize, new_itemsize as isize);
        for axis in 0..last {
            if shape[axis] > 1 && strides[axis] * old % new != 0 {
                return None;
            }
            strides[axis] = strides[axis] * old / new;
        }
        if self.size() > 0 && self.offset() * old % new != 0 {
            return None;
        }
        shape[last] = bytes / new_itemsize;
        strides[last] = 1;
        Some(Layout::view(shape, strides, self.offset() * old / new))
    }

    /// One half of each element, counted in halves: the first or the second.
    pub fn halved(&self, second: bool) -> Layout {
        Layout::view(
            Dims::from_slice(self.shape()),
            self.strides().iter().map(|stride| stride * 2).collect(),
            self.offset() * 2 + isize::from(second && self.size() > 0),
        )
    }
}

fn product(shape: &[usize]) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape
        .iter()
        .try_fold(1usize, |size, &extent| size.checked_mul(extent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{Item, apply};
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

    fn sliced(shape: &[usize], step: isize) -> Layout {
        let layout = Layout::contiguous(shape, 8).unwrap();
        let slice = Item::Slice {
            start: None,
            stop: None,
            step,
        };
        apply(&layout, &vec![slice; shape.len()]).unwrap()
    }

    #[test]
    fn a_transposed_matrix_has_no_flat_view() {
        let layout = Layout::contiguous(&[2, 3], 8).unwrap().transposed();
        assert_eq!(layout.reshaped(&[6]), None);
        assert_eq!(layout.reshaped(&[3, 2, 1]).unwrap().shape(), &[3, 2, 1]);
    }

    #[test]
    fn axes_without_gaps_between_them_are_joined_and_split() {
        let wide = Layout::contiguous(&[4, 6, 8], 8).unwrap();
        let rows = apply(
            &wide,
            &[Item::Slice {
                start: None,
                stop: None,
                step: 2,
            }],
        )
        .unwrap();
        let view = rows.reshaped(&[2, 3, 16]).unwrap();
        assert_eq!(positions(&view), positions(&rows));
    }

    #[test]
    fn bytes_are_counted_again_only_where_they_divide() {
        let layout = Layout::contiguous(&[2, 4], 4).unwrap();
        assert_eq!(layout.recast(4, 8).unwrap().shape(), &[2, 2]);
        assert_eq!(layout.recast(4, 2).unwrap().shape(), &[2, 8]);
        assert!(layout.recast(4, 16).is_some());
        assert!(layout.transposed().recast(4, 2).is_none());
        let odd = apply(
            &layout,
            &[
                Item::Ellipsis,
                Item::Slice {
                    start: Some(1),
                    stop: Some(3),
                    step: 1,
                },
            ],
        )
        .unwrap();
        assert!(odd.recast(4, 8).is_none());
    }

    proptest! {
        /// A view by new extents walks over the same elements in the same order.
        #[test]
        fn reshaping_keeps_the_order(
            shape in proptest::collection::vec(1usize..5, 1..5),
            step in prop_oneof![Just(1isize), Just(-1), Just(2)],
            cut in 1usize..5,
        ) {
            let layout = sliced(&shape, step);
            let size = layout.size();
            let wanted: Vec<usize> = if size.is_multiple_of(cut) { vec![cut, size / cut] } else { vec![size] };
            if let Some(view) = layout.reshaped(&wanted) {
                prop_assert_eq!(positions(&view), positions(&layout));
            } else {
                prop_assert!(!layout.is_c_contiguous());
            }
        }

        #[test]
        fn flipping_twice_changes_nothing(shape in proptest::collection::vec(0usize..4, 1..4)) {
            let layout = Layout::contiguous(&shape, 8).unwrap();
            let axes: Vec<usize> = (0..shape.len()).collect();
            let twice = layout.flipped(&axes).flipped(&axes);
            prop_assert_eq!(positions(&twice), positions(&layout));
            let mut reversed = positions(&layout);
            reversed.reverse();
            prop_assert_eq!(positions(&layout.flipped(&axes)), reversed);
        }

        #[test]
        fn a_diagonal_has_the_elements_of_the_definition(
            rows in 0usize..5, columns in 0usize..5, offset in -6isize..6,
        ) {
            let layout = Layout::contiguous(&[rows, columns], 8).unwrap();
            let wanted: Vec<isize> = (0..rows as isize)
                .filter(|row| (0..columns as isize).contains(&(row + offset)))
                .map(|row| row * columns as isize + row + offset)
                .collect();
            prop_assert_eq!(positions(&layout.diagonal(offset, 0, 1)), wanted);
        }

        #[test]
        fn windows_are_the_neighbours(extent in 1usize..7, length in 1usize..7) {
            prop_assume!(length <= extent);
            let layout = Layout::contiguous(&[extent], 8).unwrap();
            let wanted: Vec<isize> = (0..=extent - length)
                .flat_map(|start| (start..start + length).map(|i| i as isize))
                .collect();
            prop_assert_eq!(positions(&layout.windows(0, length).unwrap()), wanted);
        }
    }
}
