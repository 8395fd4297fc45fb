//! The singular value decomposition.

use crate::buffer::{Buffer, stack};
use crate::qr::Reflections;
use crate::scaling::bring_into_range;
use crate::threads::on_threads;
use crate::{Element, Failure, Matrix, Result, Threads};
use faer::diag::DiagMut;
use faer::dyn_stack::MemStack;
use faer::linalg::svd::{ComputeSvdVectors, SvdParams, svd as decompose, svd_scratch};
use faer::{Auto, Par, Spec};

/// From this many times as many rows as columns on, a QR decomposition first is less work.
const TALL: f64 = 11.0 / 6.0;

/// `u`, `values`, `vh` with `u diag(values) vh = a`, the values in descending order. `u` has as
/// many columns, and `vh` as many rows, as there are values, or is square. Both or neither.
///
/// # Safety
/// The extents fit; `a` is valid for reads, the others for writes (`values` as a column of as
/// many rows as the smaller extent of `a`), and nothing overlaps.
pub(crate) unsafe fn svd<T: Element>(
    a: Matrix<T>,
    values: Matrix<T::Float>,
    vectors: Option<(Matrix<T>, Matrix<T>)>,
    threads: Option<&Threads>,
) -> Result<()> {
    if a.rows < a.columns {
        // a^T = conj(v) s u^T.
        let vectors = vectors.map(|(u, vh)| (vh.transposed(), u.transposed()));
        // SAFETY: the same matrices.
        return unsafe { svd(a.transposed(), values, vectors, threads) };
    }
    on_threads(threads, |par| {
        // SAFETY: the caller's word.
        let mut scaled = unsafe { Buffer::copy_of(a) }?;
        let factor = bring_into_range(&mut scaled)?;
        let is_tall = a.rows as f64 > TALL * a.columns as f64 && a.columns > 0;
        let reflections = match is_tall {
            // SAFETY: our own buffer.
            true => Some(unsafe { Reflections::of(scaled.matrix(), par) }?),
            false => None,
        };
        if let Some(reflections) = &reflections {
            scaled = upper_triangle(&reflections.both, a.columns)?;
        }
        let (m, n) = (scaled.view().nrows(), scaled.view().ncols());
        let square = vectors.is_some_and(|(u, _)| u.columns == u.rows) && !is_tall;
        let mut u = match &vectors {
            Some(_) => Some(Buffer::<T>::zeros(m, if square { m } else { n })?),
            None => None,
        };
        let mut v = match &vectors {
            Some(_) => Some(Buffer::<T>::zeros(n, n)?),
            None => None,
        };
        let mut diagonal = vec![T::from_double(0.0); n];
        decompose_with(&scaled, &mut diagonal, u.as_mut(), v.as_mut(), square, par)?;
        for (index, value) in diagonal.iter().enumerate() {
            // SAFETY: the caller's word.
            unsafe { values.at(index, 0).write(value.real_part().scaled(factor)) };
        }
        let (Some((to_u, to_vh)), Some(mut u), Some(v)) = (vectors, u, v) else {
            return Ok(());
        };
        if let Some(reflections) = &reflections {
            let mut whole = Buffer::<T>::zeros(to_u.rows, to_u.columns)?;
            whole
                .view_mut()
                .submatrix_mut(0, 0, n, n)
                .copy_from(u.view());
            for i in n..to_u.columns {
                whole.view_mut()[(i, i)] = T::from_double(1.0);
            }
            reflections.apply(whole.view_mut(), par)?;
            u = whole;
        }
        // SAFETY: the caller's word; the buffers are ours.
        unsafe {
            u.write_to(to_u);
            to_vh.assign(v.matrix().transposed(), T::conjugate);
        }
        Ok(())
    })
}

fn upper_triangle<T: Element>(both: &Buffer<T>, n: usize) -> Result<Buffer<T>> {
    let mut upper = Buffer::zeros(n, n)?;
    let mut view = upper.view_mut();
    for column in 0..n {
        for row in 0..=column {
            view[(row, column)] = both.view()[(row, column)];
        }
    }
    Ok(upper)
}

fn decompose_with<T: Element>(
    a: &Buffer<T>,
    diagonal: &mut [T],
    u: Option<&mut Buffer<T>>,
    v: Option<&mut Buffer<T>>,
    square: bool,
    par: Par,
) -> Result<()> {
    let (m, n) = (a.view().nrows(), a.view().ncols());
    if n == 0 {
        if let Some(u) = u {
            for i in 0..u.view().ncols() {
                u.view_mut()[(i, i)] = T::from_double(1.0);
            }
        }
        return Ok(());
    }
    let which = match (&u, square) {
        (None, _) => ComputeSvdVectors::No,
        (Some(_), true) => ComputeSvdVectors::Full,
        (Some(_), false) => ComputeSvdVectors::Thin,
    };
    let params = SvdParams {
        // What is tall has been made square already.
        qr_ratio_threshold: f64::INFINITY,
        ..<SvdParams as Auto<T>>::auto()
    };
    let params = Spec::new(params);
    let mut memory = stack(svd_scratch::<T>(m, n, which, which, par, params))?;
    decompose(
        a.view(),
        DiagMut::from_slice_mut(diagonal),
        u.map(Buffer::view_mut),
        v.map(Buffer::view_mut),
        par,
        MemStack::new(&mut memory),
        params,
    )
    .map_err(|_| Failure::NoConvergence)
}
