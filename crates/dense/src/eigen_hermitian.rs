//! Eigenvalues and eigenvectors of symmetric and Hermitian matrices.

use crate::buffer::{Buffer, stack};
use crate::eigen_tridiagonal::eigen_tridiagonal;
use crate::number::Number;
use crate::ql_iteration::ql_values;
use crate::scaling::bring_into_range;
use crate::threads::on_threads;
use crate::{Element, Matrix, Result, Threads};
use faer::dyn_stack::MemStack;
use faer::linalg::evd::tridiag::{tridiag_in_place, tridiag_in_place_scratch};
use faer::linalg::householder::{
    apply_block_householder_sequence_on_the_left_in_place_scratch,
    apply_block_householder_sequence_on_the_left_in_place_with_conj,
};
use faer::linalg::qr::no_pivoting::factor::recommended_block_size;
use faer::{Conj, Par, Spec};

/// Which half of a Hermitian matrix is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Triangle {
    /// On and below the diagonal.
    Lower,
    /// On and above it.
    Upper,
}

/// The eigenvalues in ascending order and, as columns, orthonormal eigenvectors.
///
/// # Safety
/// `a` is square and valid for reads; `values`, a column of as many rows, and `vectors`, of the
/// same extents as `a`, are valid for writes; nothing overlaps.
pub(crate) unsafe fn eigen_hermitian<T: Element>(
    a: Matrix<T>,
    triangle: Triangle,
    values: Matrix<T::Float>,
    vectors: Option<Matrix<T>>,
    threads: Option<&Threads>,
) -> Result<()> {
    on_threads(threads, |par| {
        let n = a.rows;
        let mut lower = Buffer::<T>::zeros(n, n)?;
        for column in 0..n {
            for row in column..n {
                let (of, conjugate) = match triangle {
                    Triangle::Lower => ((row, column), false),
                    Triangle::Upper => ((column, row), true),
                };
                // SAFETY: the caller's word.
                let mut value = unsafe { *a.at(of.0, of.1) };
                if conjugate {
                    value = value.conjugate();
                }
                if row == column {
                    // By definition; what is stored there is not looked at.
                    value = T::from_parts(value.real_part(), T::Float::from_double(0.0));
                }
                // SAFETY: an element of our own buffer.
                unsafe { lower.matrix().at(row, column).write(value) };
            }
        }
        let factor = bring_into_range(&mut lower)?;
        let mut found = match vectors {
            Some(_) => Some(Buffer::<T>::zeros(n, n)?),
            None => None,
        };
        let diagonal = match n {
            0 => Vec::new(),
            _ => decompose(&mut lower, found.as_mut(), par)?,
        };
        for (index, value) in diagonal.into_iter().enumerate() {
            // SAFETY: the caller's word.
            unsafe { values.at(index, 0).write(value.scaled(factor)) };
        }
        if let (Some(found), Some(vectors)) = (found, vectors) {
            // SAFETY: the caller's word.
            unsafe { found.write_to(vectors) };
        }
        Ok(())
    })
}

/// Makes a matrix tridiagonal, and decomposes that.
fn decompose<T: Element>(
    lower: &mut Buffer<T>,
    vectors: Option<&mut Buffer<T>>,
    par: Par,
) -> Result<Vec<T::Float>> {
    let n = lower.view().nrows();
    let block = recommended_block_size::<T>(n, n);
    let mut reflections = Buffer::<T>::zeros(block, n - 1)?;
    let needed = tridiag_in_place_scratch::<T>(n, par, Spec::default());
    tridiag_in_place(
        lower.view_mut(),
        reflections.view_mut(),
        par,
        MemStack::new(&mut stack(needed)?),
        Spec::default(),
    );
    let tridiagonal = lower.view();
    let mut diagonal: Vec<T::Float> = (0..n).map(|i| tridiagonal[(i, i)].real_part()).collect();
    // Elements beside the diagonal may be complex; rows are multiplied so that they become real.
    let mut turns = vec![T::from_double(1.0); n];
    let mut beside = Vec::with_capacity(n - 1);
    for i in 1..n {
        let element = tridiagonal[(i, i - 1)];
        let length = element.real_part().hypot(element.imaginary_part());
        let is_real = size_of::<T>() == size_of::<T::Float>();
        beside.push(if is_real { element.real_part() } else { length });
        turns[i] = match is_real || length.magnitude() == 0.0 {
            true => turns[i - 1],
            false => turns[i - 1] * element.scaled(1.0 / length.magnitude()),
        };
    }
    let Some(vectors) = vectors else {
        let double = |value: &T::Float| value.to_f64();
        let mut wide: Vec<f64> = diagonal.iter().map(double).collect();
        let beside: Vec<f64> = beside.iter().map(double).collect();
        ql_values(&mut wide, &beside)?;
        return Ok(wide.into_iter().map(T::Float::from_double).collect());
    };
    let mut real = Buffer::<T::Float>::zeros(n, n)?;
    eigen_tridiagonal(&mut diagonal, &mut beside, real.view_mut(), par)?;
    let (from, mut to) = (real.view(), vectors.view_mut());
    for column in 0..n {
        for row in 0..n {
            let value = T::from_parts(from[(row, column)], T::Float::from_double(0.0));
            to[(row, column)] = turns[row] * value;
        }
    }
    let needed = apply_block_householder_sequence_on_the_left_in_place_scratch::<T>(n, block, n);
    apply_block_householder_sequence_on_the_left_in_place_with_conj(
        tridiagonal.submatrix(1, 0, n - 1, n - 1),
        reflections.view(),
        Conj::No,
        to.subrows_mut(1, n - 1),
        par,
        MemStack::new(&mut stack(needed)?),
    );
    Ok(diagonal)
}
