//! The QR decomposition, by blocks of Householder reflections.

use crate::buffer::{Buffer, stack};
use crate::scaling::bring_into_range;
use crate::threads::on_threads;
use crate::{Element, Failure, Matrix, Result, Threads};
use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::householder;
use faer::linalg::matmul::matmul;
use faer::linalg::qr::no_pivoting::factor::recommended_block_size;
use faer::prelude::{Reborrow, ReborrowMut};
use faer::{Accum, Conj, MatMut, Par};

/// A QR decomposition: R on and above the diagonal, the reflections below it, and the triangular
/// factors that make one transformation of a block of reflections.
pub(crate) struct Reflections<T> {
    pub both: Buffer<T>,
    factors: Buffer<T>,
}

impl<T: Element> Reflections<T> {
    /// # Safety
    /// The elements are valid for reads.
    pub unsafe fn of(a: Matrix<T>, par: Par) -> Result<Reflections<T>> {
        // SAFETY: passed on.
        Self::of_buffer(unsafe { Buffer::copy_of(a) }?, par)
    }

    /// Of a matrix in a buffer, which it keeps.
    fn of_buffer(both: Buffer<T>, par: Par) -> Result<Reflections<T>> {
        let mut both = both;
        let a = both.matrix();
        let size = a.rows.min(a.columns);
        let block = recommended_block_size::<T>(a.rows, a.columns);
        let mut factors = Buffer::zeros(block, size)?;
        let needed = StackReq::any_of(&[
            householder::apply_block_householder_transpose_on_the_left_in_place_scratch::<T>(
                a.rows, block, a.columns,
            ),
        ]);
        let mut memory = stack(needed)?;
        for first in (0..size).step_by(block) {
            let width = block.min(size - first);
            let rows = both.view_mut().subrows_mut(first, a.rows - first);
            let (panel, rest) = rows
                .subcols_mut(first, a.columns - first)
                .split_at_col_mut(width);
            let mut panel = panel;
            let mut factor = factors.view_mut().submatrix_mut(0, first, width, width);
            reflect_columns(panel.rb_mut(), factor.rb_mut())?;
            householder::upgrade_householder_factor(factor.rb_mut(), panel.rb(), width, 1, par);
            if rest.ncols() > 0 {
                householder::apply_block_householder_transpose_on_the_left_in_place_with_conj(
                    panel.rb(),
                    factor.rb(),
                    Conj::Yes,
                    rest,
                    par,
                    MemStack::new(&mut memory),
                );
            }
        }
        Ok(Reflections { both, factors })
    }

    /// Multiplies `matrix` by Q from the left.
    pub fn apply(&self, matrix: MatMut<'_, T>, par: Par) -> Result<()> {
        if self.factors.view().ncols() == 0 || matrix.ncols() == 0 {
            return Ok(());
        }
        let block = self.factors.view().nrows();
        let needed = householder::apply_block_householder_sequence_on_the_left_in_place_scratch::<T>(
            matrix.nrows(),
            block,
            matrix.ncols(),
        );
        let size = self.factors.view().ncols();
        householder::apply_block_householder_sequence_on_the_left_in_place_with_conj(
            self.both.view().subcols(0, size),
            self.factors.view(),
            Conj::No,
            matrix,
            par,
            MemStack::new(&mut stack(needed)?),
        );
        Ok(())
    }
}

/// Makes the columns of a panel triangular one by one; the reflections' weights go to the
/// diagonal of `weights`.
fn reflect_columns<T: Element>(panel: MatMut<'_, T>, weights: MatMut<'_, T>) -> Result<()> {
    let (mut panel, mut weights) = (panel, weights);
    let mut row = Buffer::<T>::zeros(1, panel.ncols())?;
    for column in 0..panel.ncols() {
        let (_, _, _, right) = panel.rb_mut().split_at_mut(column, column);
        let (first, rest) = right.split_at_col_mut(1);
        let (head, tail) = first.split_at_row_mut(1);
        let mut head = head;
        let mut tail = tail;
        let info =
            householder::make_householder_in_place(&mut head[(0, 0)], tail.rb_mut().col_mut(0));
        weights[(column, column)] = T::from_parts(info.tau, T::Float::from_double(0.0));
        let weight = info.tau.magnitude();
        // Nothing below the diagonal: nothing to reflect.
        if rest.ncols() == 0 || !weight.is_finite() {
            continue;
        }
        let (top, bottom) = rest.split_at_row_mut(1);
        let (mut top, mut bottom) = (top, bottom);
        let count = top.ncols();
        let mut products = row.view_mut().subcols_mut(0, count);
        products.copy_from(top.rb());
        let one = T::from_double(1.0);
        let adjoint = tail.rb().adjoint();
        matmul(
            products.rb_mut(),
            Accum::Add,
            adjoint,
            bottom.rb(),
            one,
            Par::Seq,
        );
        let factor = T::from_double(-1.0 / weight);
        matmul(
            bottom.rb_mut(),
            Accum::Add,
            tail.rb(),
            products.rb(),
            factor,
            Par::Seq,
        );
        for index in 0..count {
            top[(0, index)] += factor * products[(0, index)];
        }
    }
    Ok(())
}

/// `q` with orthonormal columns and the upper triangular `r` with `q r = a`. `q` has as many
/// columns as `r` has rows: the smaller extent of `a`, or all its rows. Without `q` only `r`.
///
/// # Safety
/// The extents fit; `a` is valid for reads, the others for writes, and nothing overlaps.
pub(crate) unsafe fn qr<T: Element>(
    a: Matrix<T>,
    q: Option<Matrix<T>>,
    r: Matrix<T>,
    threads: Option<&Threads>,
) -> Result<()> {
    on_threads(threads, |par| {
        // SAFETY: the caller's word.
        let mut scaled = unsafe { Buffer::copy_of(a) }?;
        // A column of subnormal numbers would count as one of zeros. Elements that are not finite stay as they are.
        let scale = match bring_into_range(&mut scaled) {
            Err(Failure::NoConvergence) => 1.0,
            other => other?,
        };
        let reflections = Reflections::of_buffer(scaled, par)?;
        let zero = T::from_double(0.0);
        let both = reflections.both.matrix();
        for row in 0..r.rows {
            for column in 0..r.columns {
                let value = match row <= column {
                    // SAFETY: an element of our own buffer.
                    true if scale == 1.0 => unsafe { *both.at(row, column) },
                    // SAFETY: as above.
                    true => unsafe { *both.at(row, column) }.scaled(scale),
                    false => zero,
                };
                // SAFETY: the caller's word.
                unsafe { r.at(row, column).write(value) };
            }
        }
        let Some(q) = q else { return Ok(()) };
        let mut result = Buffer::zeros(q.rows, q.columns)?;
        let mut view = result.view_mut();
        for i in 0..q.columns.min(q.rows) {
            view[(i, i)] = T::from_double(1.0);
        }
        reflections.apply(view, par)?;
        // SAFETY: the caller's word.
        unsafe { result.write_to(q) };
        Ok(())
    })
}
