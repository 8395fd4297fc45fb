//! Whether arrays share elements.

use crate::slot::span;

/// Where an array's elements lie in one memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent<'a> {
    pub pointer: *mut u8,
    pub shape: &'a [usize],
    /// In bytes.
    pub strides: &'a [isize],
    pub itemsize: usize,
}

impl Extent<'_> {
    fn range(&self) -> (isize, isize) {
        let (low, high) = span(self.shape, self.strides, self.itemsize);
        let start = self.pointer as isize;
        (start + low, start + high)
    }

    /// Whether both are the same elements in the same order.
    pub(crate) fn is_same(&self, other: &Extent<'_>) -> bool {
        let steps = || self.strides.iter().zip(other.strides).zip(self.shape);
        self.pointer == other.pointer
            && self.itemsize == other.itemsize
            && self.shape == other.shape
            && steps().all(|((a, b), extent)| *extent <= 1 || a == b)
    }

    /// Whether some byte may belong to both. A false is sure.
    pub(crate) fn meets(&self, other: &Extent<'_>) -> bool {
        let (a, b) = (self.range(), other.range());
        if a.0 >= b.1 || b.0 >= a.1 {
            return false;
        }
        // All elements of both begin at multiples of one distance from a first one of theirs.
        let steps = |of: &Extent<'_>| {
            let counted = of.shape.iter().zip(of.strides);
            counted
                .filter(|(extent, _)| **extent > 1)
                .fold(0, |all, (_, stride)| divisor(all, stride.unsigned_abs()))
        };
        let step = divisor(steps(self), steps(other)) as isize;
        if step == 0 {
            return true;
        }
        let apart = (other.pointer as isize - self.pointer as isize).rem_euclid(step);
        apart < self.itemsize as isize || step - apart < other.itemsize as isize
    }
}

/// The greatest common divisor.
fn divisor(a: usize, b: usize) -> usize {
    match b {
        0 => a,
        _ => divisor(b, a % b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent<'a>(start: usize, shape: &'a [usize], strides: &'a [isize]) -> Extent<'a> {
        Extent {
            pointer: (4096 + start) as *mut u8,
            shape,
            strides,
            itemsize: 8,
        }
    }

    #[test]
    fn neighbours_that_are_shifted_meet() {
        let all = extent(0, &[10], &[8]);
        let shifted = extent(8, &[9], &[8]);
        assert!(all.meets(&shifted) && shifted.meets(&all));
        assert!(!all.is_same(&shifted) && all.is_same(&extent(0, &[10], &[8])));
    }

    #[test]
    fn even_and_odd_elements_do_not_meet() {
        let even = extent(0, &[5], &[16]);
        let odd = extent(8, &[5], &[16]);
        assert!(!even.meets(&odd) && !odd.meets(&even));
        assert!(even.meets(&extent(16, &[2], &[16])));
    }

    #[test]
    fn columns_of_a_matrix_do_not_meet() {
        let first = extent(0, &[4], &[32]);
        let second = extent(8, &[4], &[32]);
        assert!(!first.meets(&second));
        assert!(first.meets(&extent(0, &[4, 4], &[32, 8])));
    }

    #[test]
    fn a_reversed_array_meets_itself() {
        let there = extent(0, &[4], &[8]);
        let back = extent(24, &[4], &[-8]);
        assert!(there.meets(&back) && !there.is_same(&back));
    }
}
