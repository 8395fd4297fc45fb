//! Eigenvalues of symmetric tridiagonal matrices, and eigenvectors of small ones, by the implicit
//! QL iteration with Wilkinson's shifts.

use crate::number::Number;
use crate::{Failure, Matrix, Result};

/// Iterations for each eigenvalue, on average; two are usual.
const MOST_STEPS: usize = 40;

/// Eigenvalues in ascending order in place of the diagonal. The columns of `vectors` are
/// multiplied by the eigenvectors; `beside`, the elements beside the diagonal, is used up.
///
/// # Safety
/// `vectors` has as many columns as there are elements on the diagonal, is valid for reads and
/// writes, and nobody else uses it.
pub(crate) unsafe fn ql_iteration<T: Number>(
    diagonal: &mut [T],
    beside: &mut [T],
    vectors: Matrix<T>,
) -> Result<()> {
    let n = diagonal.len();
    let (one, two) = (T::ONE, T::from_f64(2.0));
    // Below it, numbers have too few digits for an iteration to end.
    let tiny = T::SMALLEST / T::EPSILON;
    if n > 1 && diagonal[0].abs() > diagonal[n - 1].abs() {
        // The iteration ends quickly if elements grow along the diagonal.
        diagonal.reverse();
        beside[..n - 1].reverse();
        for column in 0..n / 2 {
            // SAFETY: the caller's word.
            unsafe { exchange(vectors, column, n - 1 - column) };
        }
    }
    let mut left = MOST_STEPS * n;
    for first in 0..n {
        loop {
            let mut last = first;
            while last + 1 < n {
                let around = diagonal[last].abs() + diagonal[last + 1].abs();
                if beside[last].abs() <= T::EPSILON * around || beside[last].abs() <= tiny {
                    break;
                }
                last += 1;
            }
            if last == first {
                break;
            }
            left = left.checked_sub(1).ok_or(Failure::NoConvergence)?;
            let slope = (diagonal[first + 1] - diagonal[first]) / (two * beside[first]);
            let length = slope.hypot(one);
            let signed = if slope < T::ZERO { -length } else { length };
            let mut g = diagonal[last] - diagonal[first] + beside[first] / (slope + signed);
            let (mut sine, mut cosine, mut shift) = (one, one, T::ZERO);
            let mut stopped = false;
            for i in (first..last).rev() {
                let (f, b) = (sine * beside[i], cosine * beside[i]);
                let r = f.hypot(g);
                // What is beside the end of the block is negligible, and there may be nothing.
                if i + 1 < last {
                    beside[i + 1] = r;
                }
                if r == T::ZERO {
                    diagonal[i + 1] = diagonal[i + 1] - shift;
                    stopped = true;
                    break;
                }
                (sine, cosine) = (f / r, g / r);
                let h = diagonal[i + 1] - shift;
                let t = (diagonal[i] - h) * sine + two * cosine * b;
                shift = sine * t;
                diagonal[i + 1] = h + shift;
                g = cosine * t - b;
                // SAFETY: the caller's word.
                unsafe { rotate(vectors, i, cosine, sine) };
            }
            if !stopped {
                diagonal[first] = diagonal[first] - shift;
                beside[first] = g;
            }
        }
    }
    // By selection: exchanging columns costs more than comparing.
    for place in 0..n {
        let smallest = (place..n).fold(place, |best, i| {
            if diagonal[i] < diagonal[best] {
                i
            } else {
                best
            }
        });
        if smallest == place {
            continue;
        }
        diagonal.swap(place, smallest);
        // SAFETY: the caller's word.
        unsafe { exchange(vectors, place, smallest) };
    }
    Ok(())
}

/// Exchanges two columns.
///
/// # Safety
/// As for [`ql_iteration`].
unsafe fn exchange<T: Number>(vectors: Matrix<T>, one: usize, other: usize) {
    for row in 0..vectors.rows {
        // SAFETY: two elements of the matrix; the caller's word.
        unsafe { vectors.at(row, one).swap(vectors.at(row, other)) };
    }
}

/// Turns the columns `i` and `i + 1` in their plane.
///
/// # Safety
/// As for [`ql_iteration`].
unsafe fn rotate<T: Number>(vectors: Matrix<T>, i: usize, cosine: T, sine: T) {
    for row in 0..vectors.rows {
        let (left, right) = (vectors.at(row, i), vectors.at(row, i + 1));
        // SAFETY: two elements of the matrix; the caller's word.
        unsafe {
            let (a, b) = (*left, *right);
            *right = sine * a + cosine * b;
            *left = cosine * a - sine * b;
        }
    }
}

/// Eigenvalues alone, in ascending order in place of the diagonal: the same iteration on the
/// squares of the elements beside the diagonal, without roots (Pal, Walker and Kahan).
pub(crate) fn ql_values(diagonal: &mut [f64], beside: &[f64]) -> Result<()> {
    let n = diagonal.len();
    let mut squares: Vec<f64> = beside.iter().map(|element| element * element).collect();
    if n > 1 && diagonal[0].abs() > diagonal[n - 1].abs() {
        // The iteration ends quickly if elements grow along the diagonal.
        diagonal.reverse();
        squares.reverse();
    }
    let negligible = f64::EPSILON * f64::EPSILON;
    let mut left = MOST_STEPS * n;
    for first in 0..n {
        loop {
            let mut last = first;
            while last + 1 < n {
                let around = (diagonal[last] * diagonal[last + 1]).abs();
                if squares[last] <= negligible * around || squares[last] <= f64::MIN_POSITIVE {
                    break;
                }
                last += 1;
            }
            if last == first {
                break;
            }
            left = left.checked_sub(1).ok_or(Failure::NoConvergence)?;
            let root = squares[first].sqrt();
            let slope = (diagonal[first + 1] - diagonal[first]) / (2.0 * root);
            let shift = diagonal[first] - root / (slope + slope.hypot(1.0).copysign(slope));
            let (mut cosine, mut sine) = (1.0, 0.0);
            let mut gamma = diagonal[last] - shift;
            let mut p = gamma * gamma;
            for i in (first..last).rev() {
                let square = squares[i];
                let r = p + square;
                if i + 1 < last {
                    squares[i + 1] = sine * r;
                }
                let before = cosine;
                (cosine, sine) = (p / r, square / r);
                let (old, alpha) = (gamma, diagonal[i]);
                gamma = cosine * (alpha - shift) - sine * old;
                diagonal[i + 1] = old + (alpha - gamma);
                p = match cosine == 0.0 {
                    true => before * square,
                    false => gamma * gamma / cosine,
                };
            }
            squares[first] = sine * p;
            diagonal[first] = shift + gamma;
        }
    }
    diagonal.sort_by(f64::total_cmp);
    Ok(())
}
