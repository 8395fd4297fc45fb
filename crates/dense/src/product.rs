//! Products of matrices.

use crate::{Matrix, c32, c64};
use faer::linalg::matmul::matmul;
use faer::{Accum, Par};
use half::f16;
use half::slice::HalfFloatSliceExt;

/// An element type whose matrices can be multiplied.
pub trait Multiply: Copy + Send + Sync + 'static {
    /// Zero.
    const ZERO: Self;

    /// `out = a b`; no extent is zero.
    ///
    /// # Safety
    /// As for [`product`].
    unsafe fn multiply(out: Matrix<Self>, a: Matrix<Self>, b: Matrix<Self>);

    /// The sum, in the sense in which the product sums.
    fn plus(self, other: Self) -> Self;
}

/// `out = a b`, on the calling thread. What `out` held before does not matter.
///
/// # Safety
/// The extents fit; `a` and `b` are valid for reads and `out` for writes; the elements of `out`
/// are distinct and none of them belongs to `a` or `b`.
pub unsafe fn product<T: Multiply>(out: Matrix<T>, a: Matrix<T>, b: Matrix<T>) {
    assert!(out.rows == a.rows && out.columns == b.columns && a.columns == b.rows);
    if out.rows == 0 || out.columns == 0 {
        return;
    }
    if a.columns == 0 {
        // SAFETY: the caller's word.
        return unsafe { out.fill(T::ZERO) };
    }
    // SAFETY: the caller's word.
    unsafe { T::multiply(out, a, b) };
}

macro_rules! by_faer {
    ($($type:ty, $zero:expr, $one:expr;)*) => {$(
        impl Multiply for $type {
            const ZERO: $type = $zero;

            unsafe fn multiply(out: Matrix<$type>, a: Matrix<$type>, b: Matrix<$type>) {
                // SAFETY: the caller's word.
                let (out, a, b) = unsafe { (out.view_mut(), a.view(), b.view()) };
                matmul(out, Accum::Replace, a, b, $one, Par::Seq);
            }

            fn plus(self, other: $type) -> $type {
                self + other
            }
        }
    )*};
}

by_faer! {
    f32, 0.0, 1.0;
    f64, 0.0, 1.0;
    c32, c32::new(0.0, 0.0), c32::new(1.0, 0.0);
    c64, c64::new(0.0, 0.0), c64::new(1.0, 0.0);
}

/// In float32 throughout, rounded once at the end.
impl Multiply for f16 {
    const ZERO: f16 = f16::ZERO;

    unsafe fn multiply(out: Matrix<f16>, a: Matrix<f16>, b: Matrix<f16>) {
        // SAFETY: the caller's word.
        let (wide_a, wide_b) = unsafe { (widened(a), widened(b)) };
        let mut wide = vec![0.0f32; out.rows * out.columns];
        let matrix = |data: &[f32], rows, columns| {
            Matrix::row_major(data.as_ptr().cast_mut(), rows, columns)
        };
        let target = Matrix::row_major(wide.as_mut_ptr(), out.rows, out.columns);
        // SAFETY: vectors of our own with these extents.
        unsafe {
            f32::multiply(
                target,
                matrix(&wide_a, a.rows, a.columns),
                matrix(&wide_b, b.rows, b.columns),
            );
        }
        let mut narrow = vec![f16::ZERO; wide.len()];
        narrow.convert_from_f32_slice(&wide);
        let narrow = Matrix::row_major(narrow.as_mut_ptr(), out.rows, out.columns);
        // SAFETY: the caller's word for `out`; the other is ours.
        unsafe { out.assign(narrow, |element| element) };
    }

    fn plus(self, other: f16) -> f16 {
        f16::from_f32(self.to_f32() + other.to_f32())
    }
}

/// # Safety
/// The elements are valid for reads.
unsafe fn widened(from: Matrix<f16>) -> Vec<f32> {
    let mut packed = vec![f16::ZERO; from.rows * from.columns];
    let target = Matrix::row_major(packed.as_mut_ptr(), from.rows, from.columns);
    // SAFETY: the caller's word for `from`; the other is ours.
    unsafe { target.assign(from, |element| element) };
    let mut wide = vec![0.0; packed.len()];
    packed.convert_to_f32_slice(&mut wide);
    wide
}
