//! The Cholesky decomposition.

use crate::buffer::{Buffer, stack};
use crate::threads::on_threads;
use crate::{Element, Failure, Matrix, Result, Threads};
use faer::Spec;
use faer::dyn_stack::MemStack;
use faer::linalg::cholesky::llt::factor;

/// The lower triangular `l` with `l l^H = a`; only the lower triangle of `a` is looked at, and
/// above the diagonal `l` is zero.
///
/// # Safety
/// Both are square and of the same extents; `a` is valid for reads, `l` for writes, and they do
/// not overlap.
pub(crate) unsafe fn cholesky<T: Element>(
    a: Matrix<T>,
    l: Matrix<T>,
    threads: Option<&Threads>,
) -> Result<()> {
    on_threads(threads, |par| {
        // SAFETY: the caller's word.
        let mut lower = unsafe { Buffer::copy_of(a) }?;
        let needed = factor::cholesky_in_place_scratch::<T>(a.rows, par, Spec::default());
        factor::cholesky_in_place(
            lower.view_mut(),
            Default::default(),
            par,
            MemStack::new(&mut stack(needed)?),
            Spec::default(),
        )
        .map_err(|_| Failure::NotPositiveDefinite)?;
        let mut view = lower.view_mut();
        for column in 0..a.columns {
            for row in 0..column {
                view[(row, column)] = T::from_double(0.0);
            }
        }
        // A NaN passes all comparisons with zero.
        if (0..a.rows).any(|i| !view[(i, i)].magnitude().is_finite()) {
            return Err(Failure::NotPositiveDefinite);
        }
        // SAFETY: the caller's word.
        unsafe { lower.write_to(l) };
        Ok(())
    })
}
