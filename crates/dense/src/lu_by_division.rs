//! The LU decomposition and its solutions without reciprocals, for pivots whose reciprocals overflow.
//!
//! It is one loop in the plain order, slower than faer's blocks: `lu` comes here only if a pivot is so small.

use crate::Element;
use crate::buffer::Buffer;
use faer::MatMut;
use faer::prelude::{Reborrow, ReborrowMut};

/// Whether the numbers of a matrix are all finite.
pub(crate) fn is_finite<T: Element>(matrix: &Buffer<T>) -> bool {
    let view = matrix.view();
    (0..view.ncols())
        .all(|column| (0..view.nrows()).all(|row| view[(row, column)].magnitude().is_finite()))
}

/// L below the diagonal and U on and above it, in place; the order of the rows, and how many were exchanged. Ends
/// at a pivot of zero.
pub(crate) fn factor<T: Element>(matrix: &mut Buffer<T>) -> (Vec<usize>, usize) {
    let mut whole = matrix.view_mut();
    let n = whole.nrows();
    let mut order: Vec<usize> = (0..n).collect();
    let mut exchanges = 0;
    for step in 0..n {
        let mut best = step;
        for row in step + 1..n {
            if whole[(row, step)].magnitude() > whole[(best, step)].magnitude() {
                best = row;
            }
        }
        let pivot = whole[(best, step)];
        if pivot.magnitude() == 0.0 {
            break;
        }
        if best != step {
            order.swap(step, best);
            exchanges += 1;
            for column in 0..n {
                let kept = whole[(step, column)];
                whole[(step, column)] = whole[(best, column)];
                whole[(best, column)] = kept;
            }
        }
        for row in step + 1..n {
            whole[(row, step)] = whole[(row, step)].over(pivot);
        }
        for column in step + 1..n {
            let upper = whole[(step, column)];
            for row in step + 1..n {
                let product = whole[(row, step)] * upper;
                whole[(row, column)] -= product;
            }
        }
    }
    (order, exchanges)
}

/// `x` with `l u x = b`, in place of `b`, whose rows are in the order of the factors.
pub(crate) fn solve<T: Element>(factors: &Buffer<T>, right: MatMut<'_, T>) {
    let mut right = right;
    let both = factors.view();
    let n = both.nrows();
    for column in 0..right.ncols() {
        for step in 0..n {
            for row in step + 1..n {
                let product = both[(row, step)] * right.rb()[(step, column)];
                right.rb_mut()[(row, column)] -= product;
            }
        }
        for step in (0..n).rev() {
            let found = right.rb()[(step, column)].over(both[(step, step)]);
            right[(step, column)] = found;
            for row in 0..step {
                let product = both[(row, step)] * found;
                right.rb_mut()[(row, column)] -= product;
            }
        }
    }
}
