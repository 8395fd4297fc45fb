//! In which order the axes of new arrays lie in memory: NumPy's "K" order, that of what they are made from.
//!
//! An order names every axis, the slowest first. `None` stands for row-major order, the most common one.

use crate::layout::{Dims, Layout, LayoutError, Strides};
use smallvec::SmallVec;

/// Axes from the one that varies slowest in memory to the one that varies fastest; `None` if that is their own
/// order, as it is in row-major arrays.
pub type AxisOrder = Option<SmallVec<[usize; 4]>>;

/// The order of a result that is computed element by element from arrays that were broadcast to its shape, by
/// their strides. Axes along which an array is repeated say nothing; where arrays disagree, row-major order wins.
pub fn order_of_result(shape: &[usize], strides: &[&[isize]]) -> AxisOrder {
    let told = |array: &[isize], axis: usize| match shape[axis] {
        1 => 0,
        _ => array[axis].unsigned_abs(),
    };
    let mut fastest_first: SmallVec<[usize; 4]> = (0..shape.len()).rev().collect();
    insert_each(&mut fastest_first, |before, after| {
        let distances = strides
            .iter()
            .map(|array| (told(array, before), told(array, after)))
            .filter(|(before, after)| *before != 0 && *after != 0);
        said_by_all(distances.map(|(before, after)| before > after))
    });
    fastest_first.reverse();
    otherwise_row_major(fastest_first)
}

/// The order of arrays that are joined, by their layouts, which have the same number of axes.
pub fn order_of_joined(layouts: &[&Layout]) -> AxisOrder {
    let ndim = layouts.first().map_or(0, |layout| layout.ndim());
    let mut slowest_first: SmallVec<[usize; 4]> = (0..ndim).collect();
    insert_each(&mut slowest_first, |before, after| {
        let distances = layouts
            .iter()
            .filter(|layout| layout.shape()[before] != 1 && layout.shape()[after] != 1)
            .map(|layout| {
                let distance = |axis: usize| layout.strides()[axis].unsigned_abs();
                distance(before) < distance(after)
            });
        said_by_all(distances)
    });
    otherwise_row_major(slowest_first)
}

/// The order of a copy of an array that lies so.
pub fn order_of_copy(strides: &[isize], is_c_contiguous: bool, is_f_contiguous: bool) -> AxisOrder {
    if is_c_contiguous || strides.len() < 2 {
        return None;
    }
    let mut axes: SmallVec<[usize; 4]> = (0..strides.len()).collect();
    if is_f_contiguous {
        axes.reverse();
    } else {
        axes.sort_by_key(|&axis| std::cmp::Reverse(strides[axis].unsigned_abs()));
    }
    otherwise_row_major(axes)
}

/// The position of each axis in an order.
pub fn inverse_order(order: &[usize]) -> SmallVec<[usize; 4]> {
    let mut positions: SmallVec<[usize; 4]> = SmallVec::from_elem(0, order.len());
    for (position, &axis) in order.iter().enumerate() {
        positions[axis] = position;
    }
    positions
}

/// Sorts by insertion. `is_misplaced` says whether one axis must come after another that now comes after it, or
/// nothing; an axis passes those of which nothing is said only if it also passes one before them.
fn insert_each(axes: &mut [usize], is_misplaced: impl Fn(usize, usize) -> Option<bool>) {
    for next in 1..axes.len() {
        let mut place = next;
        for before in (0..next).rev() {
            match is_misplaced(axes[before], axes[next]) {
                Some(true) => place = before,
                Some(false) => break,
                None => {}
            }
        }
        axes[place..=next].rotate_right(1);
    }
}

/// Whether all say so; nothing if there is none.
fn said_by_all(said: impl Iterator<Item = bool>) -> Option<bool> {
    said.reduce(|all, one| all && one)
}

fn otherwise_row_major(axes: SmallVec<[usize; 4]>) -> AxisOrder {
    (!axes.is_sorted()).then_some(axes)
}

impl Layout {
    /// A layout without gaps from offset 0 whose axes lie in the given order.
    pub fn in_order(
        shape: &[usize],
        order: &AxisOrder,
        itemsize: usize,
    ) -> Result<Layout, LayoutError> {
        let Some(order) = order else {
            return Layout::contiguous(shape, itemsize);
        };
        let permuted: Dims = order.iter().map(|&axis| shape[axis]).collect();
        let plain = Layout::contiguous(&permuted, itemsize)?;
        let mut strides: Strides = SmallVec::from_elem(0, shape.len());
        for (&axis, &stride) in order.iter().zip(plain.strides()) {
            strides[axis] = stride;
        }
        Ok(Layout::view(Dims::from_slice(shape), strides, 0))
    }

    /// The order of a copy that lies as this does.
    pub fn order_of_copy(&self) -> AxisOrder {
        order_of_copy(
            self.strides(),
            self.is_c_contiguous(),
            self.is_f_contiguous(),
        )
    }

    /// The order of what is computed from each of the elements.
    pub fn order_of_result(&self) -> AxisOrder {
        if self.ndim() < 2 || self.is_c_contiguous() {
            return None;
        }
        order_of_result(self.shape(), &[self.strides()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(shape: &[usize], strides: &[&[isize]]) -> Option<Vec<usize>> {
        order_of_result(shape, strides).map(|order| order.to_vec())
    }

    #[test]
    fn a_result_lies_as_its_operands_do() {
        assert_eq!(order(&[2, 3], &[&[3, 1], &[3, 1]]), None);
        assert_eq!(order(&[2, 3], &[&[1, 2], &[1, 2]]), Some(vec![1, 0]));
        assert_eq!(order(&[2, 3, 4], &[&[1, 8, 2]]), Some(vec![1, 2, 0]));
        assert_eq!(order(&[2, 3], &[&[-1, -2]]), Some(vec![1, 0]));
    }

    #[test]
    fn row_major_order_wins_where_operands_disagree() {
        assert_eq!(order(&[2, 3], &[&[3, 1], &[1, 2]]), None);
        assert_eq!(order(&[2, 3], &[&[1, 2], &[3, 1]]), None);
    }

    #[test]
    fn repeated_axes_say_nothing() {
        assert_eq!(order(&[2, 3], &[&[0, 1], &[1, 0]]), None);
        assert_eq!(order(&[2, 3, 4], &[&[1, 0, 6]]), Some(vec![1, 2, 0]));
        assert_eq!(order(&[1, 3, 4], &[&[1, 1, 3]]), Some(vec![0, 2, 1]));
    }

    #[test]
    fn joined_arrays_keep_a_new_axis_where_it_is() {
        let column_major = Layout::strided(&[1, 2, 3], &[0, 1, 2], 0, 8).unwrap();
        let order = order_of_joined(&[&column_major, &column_major]);
        assert_eq!(order.unwrap().to_vec(), vec![0, 2, 1]);
    }
}
