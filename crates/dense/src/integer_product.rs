//! Products of matrices of integers (wrapping, as everywhere in NumPy) and booleans.
//!
//! A strip of `b`, some columns wide, is packed so that its rows lie one after the other; then
//! small tiles of the result are kept in registers while a row of `a` and the strip go by.

use crate::{Matrix, Multiply};

/// Rows of a tile.
const HEIGHT: usize = 4;
/// Rows of a strip that are packed at once.
const DEPTH: usize = 256;

/// Arithmetic that cannot fail.
trait Ring: Copy + Send + Sync + 'static {
    const NOTHING: Self;
    fn times_plus(self, other: Self, sum: Self) -> Self;
    fn sum(self, other: Self) -> Self;
}

macro_rules! rings {
    ($($type:ty)*) => {$(
        impl Ring for $type {
            const NOTHING: $type = 0;
            #[inline(always)]
            fn times_plus(self, other: $type, sum: $type) -> $type {
                sum.wrapping_add(self.wrapping_mul(other))
            }
            #[inline(always)]
            fn sum(self, other: $type) -> $type {
                self.wrapping_add(other)
            }
        }

        impl Multiply for $type {
            const ZERO: $type = 0;

            unsafe fn multiply(out: Matrix<$type>, a: Matrix<$type>, b: Matrix<$type>) {
                // SAFETY: passed on.
                unsafe { multiply::<$type, { 64 / size_of::<$type>() }>(out, a, b) };
            }

            fn plus(self, other: $type) -> $type {
                self.sum(other)
            }
        }
    )*};
}

rings! { i8 i16 i32 i64 u8 u16 u32 u64 }

impl Ring for bool {
    const NOTHING: bool = false;
    #[inline(always)]
    fn times_plus(self, other: bool, sum: bool) -> bool {
        sum | (self & other)
    }
    #[inline(always)]
    fn sum(self, other: bool) -> bool {
        self | other
    }
}

/// Sums are disjunctions and products conjunctions.
impl Multiply for bool {
    const ZERO: bool = false;

    unsafe fn multiply(out: Matrix<bool>, a: Matrix<bool>, b: Matrix<bool>) {
        // SAFETY: passed on.
        unsafe { multiply::<bool, 64>(out, a, b) };
    }

    fn plus(self, other: bool) -> bool {
        self | other
    }
}

/// # Safety
/// As for [`crate::product`].
unsafe fn multiply<T: Ring, const WIDTH: usize>(out: Matrix<T>, a: Matrix<T>, b: Matrix<T>) {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has what it takes; the rest is the caller's word.
            return unsafe { multiply_avx2::<T, WIDTH>(out, a, b) };
        }
    }
    // SAFETY: the caller's word.
    unsafe { multiply_anywhere::<T, WIDTH>(out, a, b) };
}

/// # Safety
/// As for [`crate::product`], on a processor with AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn multiply_avx2<T: Ring, const WIDTH: usize>(out: Matrix<T>, a: Matrix<T>, b: Matrix<T>) {
    // SAFETY: the caller's word.
    unsafe { multiply_anywhere::<T, WIDTH>(out, a, b) };
}

/// # Safety
/// As for [`crate::product`].
#[inline(always)]
unsafe fn multiply_anywhere<T: Ring, const WIDTH: usize>(
    out: Matrix<T>,
    a: Matrix<T>,
    b: Matrix<T>,
) {
    let mut strip = vec![[T::NOTHING; WIDTH]; DEPTH.min(a.columns)];
    let mut rows = [[T::NOTHING; HEIGHT]; DEPTH];
    for left in (0..out.columns).step_by(WIDTH) {
        let width = WIDTH.min(out.columns - left);
        for first in (0..a.columns).step_by(DEPTH) {
            let depth = DEPTH.min(a.columns - first);
            for (k, packed) in strip[..depth].iter_mut().enumerate() {
                for (j, element) in packed[..width].iter_mut().enumerate() {
                    // SAFETY: an element of `b`.
                    *element = unsafe { *b.at(first + k, left + j) };
                }
            }
            for top in (0..out.rows).step_by(HEIGHT) {
                let height = HEIGHT.min(out.rows - top);
                for i in 0..height {
                    for (k, row) in rows[..depth].iter_mut().enumerate() {
                        // SAFETY: an element of `a`.
                        row[i] = unsafe { *a.at(top + i, first + k) };
                    }
                }
                let mut tile = [[T::NOTHING; WIDTH]; HEIGHT];
                for (row, packed) in rows[..depth].iter().zip(&strip) {
                    for i in 0..HEIGHT {
                        for j in 0..WIDTH {
                            tile[i][j] = row[i].times_plus(packed[j], tile[i][j]);
                        }
                    }
                }
                for (i, sums) in tile[..height].iter().enumerate() {
                    for (j, &sum) in sums[..width].iter().enumerate() {
                        let to = out.at(top + i, left + j);
                        // SAFETY: an element of `out`, which an earlier turn has set.
                        unsafe { to.write(if first == 0 { sum } else { (*to).sum(sum) }) };
                    }
                }
            }
        }
    }
}
