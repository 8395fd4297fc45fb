//! What the LU decomposition gives: solutions, inverses, determinants.

use crate::buffer::{Buffer, stack};
use crate::lu_by_division;
use crate::number::Number;
use crate::threads::on_threads;
use crate::{Element, Failure, Matrix, Result, Threads};
use faer::dyn_stack::MemStack;
use faer::linalg::lu::partial_pivoting::{factor, inverse as inverse_from, solve as solve_from};
use faer::perm::PermRef;
use faer::{Par, Spec};

/// Right-hand sides up to which solutions are found by one thread.
const FEW: usize = 16;

/// Rows up to which the plain loop is faster than faer's blocks.
const SMALL: usize = 8;

/// L below the diagonal and U on and above it, with the rows permuted.
struct Factors<T> {
    both: Buffer<T>,
    forward: Vec<usize>,
    backward: Vec<usize>,
    exchanges: usize,
    by_division: bool,
}

impl<T: Element> Factors<T> {
    /// # Safety
    /// The elements are valid for reads.
    unsafe fn of(a: Matrix<T>, par: Par) -> Result<Factors<T>> {
        let n = a.rows;
        // SAFETY: passed on.
        let mut both = unsafe { Buffer::copy_of(a) }?;
        if n <= SMALL {
            return Ok(Self::by_division(both));
        }
        let (mut forward, mut backward) = (vec![0; n], vec![0; n]);
        let needed = factor::lu_in_place_scratch::<usize, T>(n, n, par, Spec::default());
        let (info, _) = factor::lu_in_place(
            both.view_mut(),
            &mut forward,
            &mut backward,
            par,
            MemStack::new(&mut stack(needed)?),
            Spec::default(),
        );
        let factors = Factors {
            both,
            forward,
            backward,
            exchanges: info.transposition_count,
            by_division: false,
        };
        if factors.pivots_have_reciprocals() {
            return Ok(factors);
        }
        // SAFETY: passed on.
        let both = unsafe { Buffer::copy_of(a) }?;
        if !lu_by_division::is_finite(&both) {
            return Ok(factors);
        }
        Ok(Self::by_division(both))
    }

    fn by_division(both: Buffer<T>) -> Factors<T> {
        let mut both = both;
        let (forward, exchanges) = lu_by_division::factor(&mut both);
        Factors {
            both,
            forward,
            backward: Vec::new(),
            exchanges,
            by_division: true,
        }
    }

    /// faer multiplies by the reciprocals of the pivots. Those of subnormal numbers are infinite.
    fn pivots_have_reciprocals(&self) -> bool {
        let diagonal = self.both.view();
        let pivots = (0..diagonal.nrows()).map(|i| diagonal[(i, i)].magnitude());
        let mut meaningful = pivots.take_while(|&pivot| pivot != 0.0);
        // NaN is none.
        meaningful.all(|pivot| pivot >= <T::Float as Number>::SMALLEST.to_f64())
    }

    fn permutation(&self) -> PermRef<'_, usize> {
        PermRef::new_checked(&self.forward, &self.backward, self.forward.len())
    }

    fn is_singular(&self) -> bool {
        is_singular(&self.both)
    }
}

/// Whether a pivot is exactly zero.
fn is_singular<T: Element>(both: &Buffer<T>) -> bool {
    let diagonal = both.view();
    (0..diagonal.nrows()).any(|i| diagonal[(i, i)].magnitude() == 0.0)
}

/// `x` with `a x = b`.
///
/// # Safety
/// The matrices have fitting extents; `a` and `b` are valid for reads, `x` for writes, and `x`
/// overlaps neither.
pub(crate) unsafe fn solve<T: Element>(
    a: Matrix<T>,
    b: Matrix<T>,
    x: Matrix<T>,
    threads: Option<&Threads>,
) -> Result<()> {
    if a.rows <= SMALL {
        // SAFETY: passed on.
        return unsafe { solve_by_division(a, b, x) };
    }
    on_threads(threads, |par| {
        // A row-major matrix is its transpose in column-major order: no element changes places.
        let transposed = a.column_stride.unsigned_abs() < a.row_stride.unsigned_abs();
        let stored = if transposed { a.transposed() } else { a };
        // SAFETY: the caller's word.
        let factors = unsafe { Factors::of(stored, par) }?;
        if factors.is_singular() {
            return Err(Failure::Singular);
        }
        if factors.by_division {
            // SAFETY: the caller's word.
            return unsafe { solve_by_division(a, b, x) };
        }
        // SAFETY: the caller's word.
        let mut right = unsafe { Buffer::copy_of(b) }?;
        let needed = solve_from::solve_in_place_scratch::<usize, T>(a.rows, b.columns, par);
        let mut memory = stack(needed)?;
        // A few columns are no work for several threads.
        let par = if b.columns < FEW { Par::Seq } else { par };
        let work = if transposed {
            solve_from::solve_transpose_in_place
        } else {
            solve_from::solve_in_place
        };
        let (both, permutation) = (factors.both.view(), factors.permutation());
        work(
            both,
            both,
            permutation,
            right.view_mut(),
            par,
            MemStack::new(&mut memory),
        );
        // SAFETY: the caller's word.
        unsafe { right.write_to(x) };
        Ok(())
    })
}

/// As `solve`, for pivots without reciprocals.
///
/// # Safety
/// As for `solve`.
unsafe fn solve_by_division<T: Element>(a: Matrix<T>, b: Matrix<T>, x: Matrix<T>) -> Result<()> {
    // SAFETY: the caller's word.
    let mut both = unsafe { Buffer::copy_of(a) }?;
    let (order, _) = lu_by_division::factor(&mut both);
    if is_singular(&both) {
        return Err(Failure::Singular);
    }
    let mut right = Buffer::zeros(b.rows, b.columns)?;
    let mut view = right.view_mut();
    for (to, &from) in order.iter().enumerate() {
        for column in 0..b.columns {
            // SAFETY: an element of `b`, which the caller vouches for.
            view[(to, column)] = unsafe { *b.at(from, column) };
        }
    }
    lu_by_division::solve(&both, right.view_mut());
    // SAFETY: the caller's word.
    unsafe { right.write_to(x) };
    Ok(())
}

/// The inverse of `a`.
///
/// # Safety
/// Both are square and of the same extents; `a` is valid for reads, `out` for writes, and they
/// do not overlap.
pub(crate) unsafe fn inverse<T: Element>(
    a: Matrix<T>,
    out: Matrix<T>,
    threads: Option<&Threads>,
) -> Result<()> {
    on_threads(threads, |par| {
        // The inverse of the transpose is the transpose of the inverse.
        let transposed = a.column_stride.unsigned_abs() < a.row_stride.unsigned_abs();
        let (stored, out) = match transposed {
            true => (a.transposed(), out.transposed()),
            false => (a, out),
        };
        // SAFETY: the caller's word.
        let factors = unsafe { Factors::of(stored, par) }?;
        if factors.is_singular() {
            return Err(Failure::Singular);
        }
        let n = a.rows;
        let mut result = Buffer::zeros(n, n)?;
        if factors.by_division {
            let mut view = result.view_mut();
            for (to, &from) in factors.forward.iter().enumerate() {
                view[(to, from)] = T::from_double(1.0);
            }
            lu_by_division::solve(&factors.both, result.view_mut());
            // SAFETY: the caller's word.
            unsafe { result.write_to(out) };
            return Ok(());
        }
        let mut memory = stack(inverse_from::inverse_scratch::<usize, T>(n, par))?;
        let both = factors.both.view();
        inverse_from::inverse(
            result.view_mut(),
            both,
            both,
            factors.permutation(),
            par,
            MemStack::new(&mut memory),
        );
        // SAFETY: the caller's word.
        unsafe { result.write_to(out) };
        Ok(())
    })
}

/// A determinant, as a product and as the logarithm of its absolute value.
#[derive(Clone, Copy, Debug)]
pub struct Determinant<T: Element> {
    /// The determinant; may overflow.
    pub value: T,
    /// One of absolute value 1, or 0.
    pub sign: T,
    /// The logarithm of the absolute value.
    pub logarithm: T::Float,
}

/// The determinant of `a`; never fails for want of an inverse.
///
/// # Safety
/// `a` is square and valid for reads.
pub(crate) unsafe fn determinant<T: Element>(
    a: Matrix<T>,
    threads: Option<&Threads>,
) -> Result<Determinant<T>> {
    let transposed = a.column_stride.unsigned_abs() < a.row_stride.unsigned_abs();
    let stored = if transposed { a.transposed() } else { a };
    // SAFETY: the caller's word.
    let factors = on_threads(threads, |par| unsafe { Factors::of(stored, par) })?;
    let zero = T::from_double(0.0);
    if factors.is_singular() {
        return Ok(Determinant {
            value: zero,
            sign: zero,
            logarithm: T::Float::from_double(f64::NEG_INFINITY),
        });
    }
    let odd = factors.exchanges % 2 == 1;
    let mut sign = T::from_double(if odd { -1.0 } else { 1.0 });
    let mut value = sign;
    let mut logarithm = 0.0f64;
    let both = factors.both.view();
    for i in 0..a.rows {
        let pivot = both[(i, i)];
        value *= pivot;
        let (re, im) = (
            pivot.real_part().magnitude(),
            pivot.imaginary_part().magnitude(),
        );
        let length = re.hypot(im);
        // The reciprocal of a subnormal length is infinite.
        let (pivot, near_one) = match length < f64::MIN_POSITIVE {
            true => (pivot.scaled(2f64.powi(100)), length * 2f64.powi(100)),
            false => (pivot, length),
        };
        sign *= pivot.scaled(1.0 / near_one);
        logarithm += length.ln();
    }
    Ok(Determinant {
        value,
        sign,
        logarithm: T::Float::from_double(logarithm),
    })
}
