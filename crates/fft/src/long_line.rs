//! One long line on several threads.
//!
//! A line of `rows × columns` numbers is seen as a matrix. Its columns are transformed and turned
//! by an angle that depends on the place; then its rows are transformed, and column `k` of row `j`
//! is number `k * rows + j` of the result. Both steps work on several columns or rows in the
//! cache at a time, so that memory is read and written in whole cache lines.

use crate::lines::{ABREAST, Group, Shared, gather, pitch, scatter, share_out};
use crate::{Direction, Float, plans};
use num_complex::Complex;
use rayon::ThreadPool;

/// Lines from this length on are worth it.
const LONG: usize = 1 << 15;

/// The rows and columns to cut a line into, if that is worth it: the two are nearly equal.
pub(crate) fn shape(length: usize) -> Option<(usize, usize)> {
    if length < LONG {
        return None;
    }
    let root = length.isqrt();
    // A matrix with rows much longer than columns would not fit into the cache in parts.
    (root / 4..=root)
        .rev()
        .find(|&rows| length.is_multiple_of(rows))
        .map(|rows| (rows, length / rows))
}

/// Angles `exp(∓2πi e / length)` for any `e`, as products of two from tables.
pub(crate) struct Turns<T> {
    fine: Vec<Complex<T>>,
    coarse: Vec<Complex<T>>,
    bits: u32,
}

impl<T: Float> Turns<T> {
    pub(crate) fn new(length: usize, direction: Direction) -> Turns<T> {
        let bits = length.ilog2() / 2 + 1;
        let turn = |exponent: usize| match direction {
            Direction::Forward => T::turn(exponent, length),
            Direction::Inverse => T::turn(exponent, length).conj(),
        };
        Turns {
            fine: (0..1 << bits).map(turn).collect(),
            coarse: (0..=length >> bits)
                .map(|high| turn(high << bits))
                .collect(),
            bits,
        }
    }

    /// The angle of an exponent below the length.
    #[inline(always)]
    pub(crate) fn at(&self, exponent: usize) -> Complex<T> {
        let low = exponent & ((1 << self.bits) - 1);
        self.coarse[exponent >> self.bits] * self.fine[low]
    }

    /// Turns number `n` of a column by `n * step`.
    fn apply(&self, column: &mut [Complex<T>], step: usize) {
        const STEPS: usize = 32;
        let steps: [Complex<T>; STEPS] =
            std::array::from_fn(|number| self.at(number.min(column.len() - 1) * step));
        for (number, part) in column.chunks_mut(STEPS).enumerate() {
            let first = self.at(number * STEPS * step);
            for (one, step) in part.iter_mut().zip(&steps) {
                *one = *one * (first * step);
            }
        }
    }
}

/// Transforms a line, and multiplies it by `factor`; the result is in `line`, as is the input unless
/// `from` is it.
pub(crate) fn transform<T: Float>(
    from: Option<&[Complex<T>]>,
    line: &mut [Complex<T>],
    (rows, columns): (usize, usize),
    direction: Direction,
    factor: f64,
    scratch: &mut [Complex<T>],
    pool: &ThreadPool,
) {
    let length = line.len();
    assert_eq!(length, rows * columns);
    assert_eq!(scratch.len(), length);
    let turns = Turns::<T>::new(length, direction);
    let zero = Complex::new(T::zero(), T::zero());
    let factor = T::from_double(factor);

    let plan = plans::complex::<T>(rows, direction);
    let column_pitch = pitch::<Complex<T>>(rows);
    let state = || {
        (
            vec![zero; column_pitch * ABREAST],
            vec![zero; plan.get_inplace_scratch_len()],
        )
    };
    let (out, to) = (Shared(line.as_mut_ptr()), Shared(scratch.as_mut_ptr()));
    let input = from.map_or(out.get().cast_const(), <[_]>::as_ptr);
    let input = Shared(input.cast_mut());
    share_out(
        Some(pool),
        length,
        columns.div_ceil(ABREAST),
        state,
        |(block, working), part| {
            let group = Group {
                outer: 0,
                inner: part * ABREAST,
                count: ABREAST.min(columns - part * ABREAST),
            };
            // SAFETY: nobody writes to the line now.
            unsafe { gather(input.get(), (rows, columns), group, block) };
            let lines = block.chunks_mut(column_pitch).take(group.count);
            for (number, column) in lines.enumerate() {
                let column = &mut column[..rows];
                plan.process_with_scratch(column, working);
                turns.apply(column, group.inner + number);
            }
            // SAFETY: every column is in one group.
            unsafe { scatter(block, to.get(), (rows, columns), group, |one| one) };
        },
    );

    let plan = plans::complex::<T>(columns, direction);
    let row_pitch = pitch::<Complex<T>>(columns);
    let state = || {
        (
            vec![zero; row_pitch * ABREAST],
            vec![zero; plan.get_inplace_scratch_len()],
        )
    };
    share_out(
        Some(pool),
        length,
        rows.div_ceil(ABREAST),
        state,
        |(block, working), part| {
            let first = part * ABREAST;
            let group = Group {
                outer: 0,
                inner: first,
                count: ABREAST.min(rows - first),
            };
            let lines = block.chunks_mut(row_pitch).take(group.count);
            for (number, row) in lines.enumerate() {
                let row = &mut row[..columns];
                // SAFETY: the row has been written, and nobody writes to it now.
                row.copy_from_slice(unsafe {
                    std::slice::from_raw_parts(to.get().add((first + number) * columns), columns)
                });
                plan.process_with_scratch(row, working);
            }
            // SAFETY: every row of the matrix is a column of the result, whose line has been read.
            unsafe { scatter(block, out.get(), (columns, rows), group, |one| one * factor) };
        },
    );
}
