//! Eigenvalues and eigenvectors of matrices without symmetry.

use crate::buffer::{Buffer, stack};
use crate::scaling::bring_into_range;
use crate::threads::on_threads;
use crate::{Element, Failure, Matrix, Result, Threads, c32, c64};
use faer::diag::DiagMut;
use faer::dyn_stack::MemStack;
use faer::linalg::evd::{ComputeEigenvectors, evd_cplx, evd_real, evd_scratch};
use faer::prelude::Reborrow;
use faer::{Par, Spec};

/// The eigenvalues in no particular order and, as columns of length 1, eigenvectors.
///
/// # Safety
/// `a` is square and valid for reads; `values`, a column of as many rows, and `vectors`, of the
/// same extents as `a`, are valid for writes; nothing overlaps.
pub(crate) unsafe fn eigen_general<T: Spectrum>(
    a: Matrix<T>,
    values: Matrix<T::Complex>,
    vectors: Option<Matrix<T::Complex>>,
    threads: Option<&Threads>,
) -> Result<()> {
    on_threads(threads, |par| {
        let n = a.rows;
        // SAFETY: the caller's word.
        let mut scaled = unsafe { Buffer::copy_of(a) }?;
        let factor = bring_into_range(&mut scaled)?;
        let mut found = vec![T::Complex::from_double(0.0); n];
        let mut columns = match vectors {
            Some(_) => Some(Buffer::zeros(n, n)?),
            None => None,
        };
        if n > 0 {
            T::decompose(&scaled, &mut found, columns.as_mut(), par)?;
        }
        for (index, value) in found.iter().enumerate() {
            // SAFETY: the caller's word.
            unsafe { values.at(index, 0).write(value.scaled(factor)) };
        }
        if let (Some(mut columns), Some(vectors)) = (columns, vectors) {
            normalise(&mut columns);
            // SAFETY: the caller's word.
            unsafe { columns.write_to(vectors) };
        }
        Ok(())
    })
}

/// Brings columns to length 1.
fn normalise<T: Element>(columns: &mut Buffer<T>) {
    let mut view = columns.view_mut();
    for column in 0..view.ncols() {
        let length = view.rb().col(column).norm_l2().magnitude();
        if length > 0.0 {
            for row in 0..view.nrows() {
                view[(row, column)] = view[(row, column)].scaled(1.0 / length);
            }
        }
    }
}

/// An element type whose matrices' eigenvalues can be found.
pub(crate) trait Spectrum: Element {
    fn decompose(
        a: &Buffer<Self>,
        values: &mut [Self::Complex],
        vectors: Option<&mut Buffer<Self::Complex>>,
        par: Par,
    ) -> Result<()>;
}

fn wanted<T>(vectors: &Option<T>) -> ComputeEigenvectors {
    match vectors {
        Some(_) => ComputeEigenvectors::Yes,
        None => ComputeEigenvectors::No,
    }
}

macro_rules! spectra {
    ($($float:ty, $complex:ty;)*) => {$(
        impl Spectrum for $float {
                    fn decompose(
                a: &Buffer<$float>,
                values: &mut [$complex],
                vectors: Option<&mut Buffer<$complex>>,
                par: Par,
            ) -> Result<()> {
                let n = values.len();
                let (mut real, mut imaginary) = (vec![0.0; n], vec![0.0; n]);
                let mut pairs = match vectors {
                    Some(_) => Some(Buffer::<$float>::zeros(n, n)?),
                    None => None,
                };
                let needed = evd_scratch::<$float>(
                    n, ComputeEigenvectors::No, wanted(&vectors), par, Spec::default(),
                );
                evd_real(
                    a.view(),
                    DiagMut::from_slice_mut(&mut real),
                    DiagMut::from_slice_mut(&mut imaginary),
                    None,
                    pairs.as_mut().map(Buffer::view_mut),
                    par,
                    MemStack::new(&mut stack(needed)?),
                    Spec::default(),
                )
                .map_err(|_| Failure::NoConvergence)?;
                for (index, value) in values.iter_mut().enumerate() {
                    *value = <$complex>::new(real[index], imaginary[index]);
                }
                if let (Some(pairs), Some(vectors)) = (pairs, vectors) {
                    unpack(pairs.view(), &imaginary, vectors.view_mut());
                }
                Ok(())
            }
        }

        impl Spectrum for $complex {
                    fn decompose(
                a: &Buffer<$complex>,
                values: &mut [$complex],
                vectors: Option<&mut Buffer<$complex>>,
                par: Par,
            ) -> Result<()> {
                let needed = evd_scratch::<$complex>(
                    values.len(), ComputeEigenvectors::No, wanted(&vectors), par, Spec::default(),
                );
                evd_cplx(
                    a.view(),
                    DiagMut::from_slice_mut(values),
                    None,
                    vectors.map(Buffer::view_mut),
                    par,
                    MemStack::new(&mut stack(needed)?),
                    Spec::default(),
                )
                .map_err(|_| Failure::NoConvergence)
            }
        }
    )*};
}

spectra! {
    f32, c32;
    f64, c64;
}

/// Two conjugate eigenvalues share two real columns: the parts of the first one's vector.
fn unpack<T: Element>(
    pairs: faer::MatRef<'_, T::Float>,
    imaginary: &[T::Float],
    vectors: faer::MatMut<'_, T>,
) {
    let mut vectors = vectors;
    let zero = T::Float::from_double(0.0);
    let n = imaginary.len();
    let mut column = 0;
    while column < n {
        let is_pair = imaginary[column] != zero && column + 1 < n;
        for row in 0..n {
            let real = pairs[(row, column)];
            if is_pair {
                let vector = T::from_parts(real, pairs[(row, column + 1)]);
                vectors[(row, column)] = vector;
                vectors[(row, column + 1)] = vector.conjugate();
            } else {
                vectors[(row, column)] = T::from_parts(real, zero);
            }
        }
        column += if is_pair { 2 } else { 1 };
    }
}
