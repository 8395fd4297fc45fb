//! One long line of real numbers on several threads.
//!
//! An even number of real numbers is seen as half as many complex ones, and these are transformed
//! as in `long_line`. What the even and the odd numbers contribute is then told apart, or before an
//! inverse transform put together, two elements at a time.

use crate::lines::{Shared, share_out};
use crate::long_line::{self, Turns};
use crate::{Direction, Float};
use num_complex::Complex;
use rayon::ThreadPool;

/// Pairs of elements that a thread takes at a time.
const PART: usize = 1 << 12;

/// The shape to cut half of a line into, if that is worth it.
pub(crate) fn shape(length: usize) -> Option<(usize, usize)> {
    match length.is_multiple_of(2) {
        true => long_line::shape(length / 2),
        false => None,
    }
}

/// The forward transform; `to` has an element more than half of the line, `scratch` just half.
pub(crate) fn forward<T: Float>(
    from: &[T],
    to: &mut [Complex<T>],
    shape: (usize, usize),
    factor: f64,
    scratch: &mut [Complex<T>],
    pool: &ThreadPool,
) {
    let half = from.len() / 2;
    assert_eq!(to.len(), half + 1);
    // SAFETY: two real numbers are laid out as one complex number.
    let pairs = unsafe { std::slice::from_raw_parts(from.as_ptr().cast(), half) };
    let (line, _) = to.split_at_mut(half);
    // Half of the factor, because means of two are wanted and sums are what is computed.
    let halved = factor / 2.0;
    let direction = Direction::Forward;
    long_line::transform(Some(pairs), line, shape, direction, halved, scratch, pool);
    let first = to[0] + to[0];
    to[0] = Complex::new(first.re + first.im, T::zero());
    to[half] = Complex::new(first.re - first.im, T::zero());
    let turns = Turns::<T>::new(from.len(), Direction::Forward);
    let array = Shared(to.as_mut_ptr());
    for_pairs(half, pool, |low, high| {
        // SAFETY: every pair is met once, and both are below `half`.
        unsafe {
            let (a, b) = (array.get().add(low), array.get().add(high));
            let (x, y) = (a.read(), b.read().conj());
            let (even, odd) = (x + y, x - y);
            let odd = turns.at(low) * Complex::new(odd.im, -odd.re);
            a.write(even + odd);
            b.write((even - odd).conj());
        }
    });
}

/// The inverse transform; `from` has an element more than half of the line, `scratch` just half.
pub(crate) fn inverse<T: Float>(
    from: &[Complex<T>],
    to: &mut [T],
    shape: (usize, usize),
    factor: f64,
    scratch: &mut [Complex<T>],
    pool: &ThreadPool,
) {
    let half = to.len() / 2;
    assert_eq!(from.len(), half + 1);
    // SAFETY: two real numbers are laid out as one complex number.
    let line: &mut [Complex<T>] =
        unsafe { std::slice::from_raw_parts_mut(to.as_mut_ptr().cast(), half) };
    // Both are real in every transform of real numbers; what they say else is ignored.
    let (first, last) = (from[0].re, from[half].re);
    line[0] = Complex::new(first + last, first - last);
    let turns = Turns::<T>::new(2 * half, Direction::Inverse);
    let array = Shared(line.as_mut_ptr());
    for_pairs(half, pool, |low, high| {
        let (x, y) = (from[low], from[high].conj());
        let (even, odd) = (x + y, turns.at(low) * (x - y));
        let odd = Complex::new(-odd.im, odd.re);
        // SAFETY: every pair is met once, and both are below `half`.
        unsafe {
            array.get().add(low).write(even + odd);
            array.get().add(high).write((even - odd).conj());
        }
    });
    let direction = Direction::Inverse;
    long_line::transform(None, line, shape, direction, factor, scratch, pool);
}

/// Calls `run` with all pairs of numbers from 1 on that add up to `half`, the lesser one first. In
/// the middle both may be the same.
fn for_pairs(half: usize, pool: &ThreadPool, run: impl Fn(usize, usize) + Sync) {
    let last = half / 2;
    let parts = last.div_ceil(PART);
    share_out(
        Some(pool),
        half,
        parts,
        || (),
        |(), part| {
            for low in part * PART + 1..=last.min((part + 1) * PART) {
                run(low, half - low);
            }
        },
    );
}
