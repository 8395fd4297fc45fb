//! The index space that several arrays are walked over together, with as few axes as possible.
//!
//! Few kernels serve all layouts because every call is brought into this form first: axes of extent
//! 1 are dropped, axes are ordered by how far apart their neighbours lie, and neighbouring axes that
//! all arrays run through without a gap become one.

use colocate_dtype::{Dims, Strides};
use smallvec::SmallVec;

/// Extents, and the strides of each array along them.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    /// At least one; none is 1 unless it is the only one.
    pub extents: Dims,
    /// In elements, one list for each array.
    pub strides: SmallVec<[Strides; 4]>,
}

impl Space {
    /// The space of a shape that all arrays were broadcast to. The first array's strides decide the
    /// order of the axes before those of the others do.
    pub fn new(shape: &[usize], strides: &[&[isize]]) -> Space {
        let mut axes: SmallVec<[usize; 4]> =
            (0..shape.len()).filter(|&axis| shape[axis] != 1).collect();
        // By insertion: axes along which an array is repeated say nothing about the order, so it is
        // not a total one. Equally distant axes keep their order: the last one is the fastest.
        let is_outer = |a: usize, b: usize| {
            let distances = strides
                .iter()
                .map(|one| (one[a].unsigned_abs(), one[b].unsigned_abs()));
            let mut told = distances.filter(|(a, b)| *a != 0 && *b != 0 && a != b);
            told.next().is_none_or(|(a, b)| a > b)
        };
        for next in 1..axes.len() {
            let mut at = next;
            while at > 0 && !is_outer(axes[at - 1], axes[at]) {
                axes.swap(at - 1, at);
                at -= 1;
            }
        }
        let mut space = Space {
            extents: Dims::new(),
            strides: strides.iter().map(|_| Strides::new()).collect(),
        };
        for axis in axes {
            space.push(shape[axis], strides.iter().map(|one| one[axis]));
        }
        if space.extents.is_empty() {
            space.extents.push(1);
            space.strides.iter_mut().for_each(|one| one.push(0));
        }
        space
    }

    /// The space of arrays without gaps in the same order: one axis.
    pub fn flat(size: usize, arrays: usize) -> Space {
        Space {
            extents: smallvec::smallvec![size],
            strides: (0..arrays).map(|_| smallvec::smallvec![1]).collect(),
        }
    }

    /// Adds an axis inside the others, and joins it with the last one if no array has a gap there.
    fn push(&mut self, extent: usize, steps: impl Iterator<Item = isize> + Clone) {
        let joins = self.extents.last().is_some()
            && steps
                .clone()
                .zip(&self.strides)
                .all(|(step, one)| one.last() == step.checked_mul(extent as isize).as_ref());
        if joins {
            *self.extents.last_mut().expect("there is one") *= extent;
        } else {
            self.extents.push(extent);
        }
        for (step, one) in steps.zip(&mut self.strides) {
            if joins {
                *one.last_mut().expect("there is one") = step;
            } else {
                one.push(step);
            }
        }
    }

    /// Number of axes.
    pub fn rank(&self) -> usize {
        self.extents.len()
    }

    /// Whether an array, apart from axes along which it is repeated, lies in C order without gaps.
    pub fn is_contiguous(&self, array: usize) -> bool {
        let mut step = 1;
        for (&extent, &stride) in self.extents.iter().zip(&self.strides[array]).rev() {
            if stride == 0 {
                continue;
            }
            if stride != step {
                return false;
            }
            step *= extent as isize;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(shape: &[usize], strides: &[&[isize]]) -> (Vec<usize>, Vec<Vec<isize>>) {
        let space = Space::new(shape, strides);
        let strides = space.strides.iter().map(|one| one.to_vec()).collect();
        (space.extents.to_vec(), strides)
    }

    #[test]
    fn arrays_without_gaps_have_one_axis() {
        assert_eq!(
            space(&[2, 3, 4], &[&[12, 4, 1], &[12, 4, 1]]),
            (vec![24], vec![vec![1], vec![1]])
        );
    }

    #[test]
    fn column_major_arrays_have_one_axis_too() {
        assert_eq!(
            space(&[2, 3], &[&[1, 2], &[1, 2]]),
            (vec![6], vec![vec![1], vec![1]])
        );
    }

    #[test]
    fn a_row_that_is_repeated_keeps_two_axes() {
        assert_eq!(
            space(&[2, 3], &[&[3, 1], &[0, 1]]),
            (vec![2, 3], vec![vec![3, 1], vec![0, 1]])
        );
    }

    #[test]
    fn axes_of_extent_one_do_not_count() {
        assert_eq!(space(&[1, 5, 1], &[&[99, 1, 7]]), (vec![5], vec![vec![1]]));
        assert_eq!(space(&[], &[&[]]), (vec![1], vec![vec![0]]));
    }

    #[test]
    fn negative_strides_are_joined_where_they_fit() {
        assert_eq!(space(&[2, 3], &[&[-3, -1]]), (vec![6], vec![vec![-1]]));
        assert_eq!(space(&[2, 3], &[&[-3, 1]]), (vec![2, 3], vec![vec![-3, 1]]));
    }
}
