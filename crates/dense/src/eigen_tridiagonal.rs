//! Eigenvalues and eigenvectors of symmetric tridiagonal matrices, by divide and conquer.
//!
//! A matrix is torn into two halves and a matrix of rank one. From the eigenvectors of the halves
//! follow those of the whole: its eigenvalues are roots of a secular equation
//! (`secular_equation`), and its eigenvectors are those of the halves times those of a diagonal
//! matrix plus one of rank one. The latter are computed from the roots as if these were exact,
//! for a `z` slightly other than the given one (Gu and Eisenstat); so they are orthogonal however
//! close roots lie. Where an element of `z` is negligible, or two poles are nearly equal, an
//! eigenvector is known already (deflation).

use crate::buffer::Buffer;
use crate::number::Number;
use crate::ql_iteration::ql_iteration;
use crate::secular_equation::{Root, Secular};
use crate::{Element, Matrix, Result};
use faer::linalg::matmul::matmul;
use faer::prelude::{Reborrow, ReborrowMut};
use faer::{Accum, MatMut, Par};

/// Up to this size the QR iteration is quicker.
const LEAF: usize = 32;
/// Halves of at least this size may be worked on at the same time, and so may roots.
const PARALLEL: usize = 128;
/// Roots a thread finds at once.
const PART: usize = 32;

/// Eigenvalues in ascending order in place of the diagonal, eigenvectors in the columns of
/// `vectors`. `beside` has the elements beside the diagonal and is used up.
pub(crate) fn eigen_tridiagonal<T: Number + Element<Float = T>>(
    diagonal: &mut [T],
    beside: &mut [T],
    vectors: MatMut<'_, T>,
    par: Par,
) -> Result<()> {
    let mut vectors = vectors;
    let n = diagonal.len();
    if n <= LEAF {
        return solve_leaf(diagonal, beside, vectors);
    }
    let cut = n / 2;
    let weight = beside[cut - 1];
    diagonal[cut - 1] -= Number::abs(weight);
    diagonal[cut] -= Number::abs(weight);
    {
        let (first, second) = diagonal.split_at_mut(cut);
        let (left, right) = beside.split_at_mut(cut);
        let (top, _, _, bottom) = vectors.rb_mut().split_at_mut(cut, cut);
        let one = || eigen_tridiagonal(first, &mut left[..cut - 1], top, par);
        let other = || eigen_tridiagonal(second, right, bottom, par);
        match par {
            Par::Rayon(_) if cut >= PARALLEL => {
                let (one, other) = rayon::join(one, other);
                one.and(other)?;
            }
            _ => {
                one()?;
                other()?;
            }
        }
    }
    join_halves(diagonal, weight, cut, vectors, par)
}

fn solve_leaf<T: Number + Element<Float = T>>(
    diagonal: &mut [T],
    beside: &mut [T],
    vectors: MatMut<'_, T>,
) -> Result<()> {
    let mut vectors = vectors;
    vectors.fill(<T as Number>::ZERO);
    for i in 0..diagonal.len() {
        vectors[(i, i)] = <T as Number>::ONE;
    }
    let matrix = Matrix {
        pointer: vectors.as_ptr_mut(),
        rows: vectors.nrows(),
        columns: vectors.ncols(),
        row_stride: vectors.row_stride(),
        column_stride: vectors.col_stride(),
    };
    // SAFETY: the matrix is borrowed mutably.
    unsafe { ql_iteration(diagonal, beside, matrix) }
}

/// The rank-one problem in the basis of the halves' eigenvectors, which are sorted by eigenvalue.
struct Joined<T> {
    /// Which column of the halves is the n-th in order.
    order: Vec<usize>,
    values: Vec<T>,
    z: Vec<T>,
    rho: T,
    /// Those that take part in the secular equation, and those whose vectors are known.
    kept: Vec<usize>,
    deflated: Vec<usize>,
    /// Rotations that made elements of `z` zero: two columns, cosine and sine.
    rotations: Vec<(usize, usize, T, T)>,
}

impl<T: Number> Joined<T> {
    fn new(values: &[T], z: &[T], cut: usize, rho: T) -> Joined<T> {
        let n = values.len();
        let mut order = Vec::with_capacity(n);
        let (mut i, mut j) = (0, cut);
        while order.len() < n {
            if j == n || (i < cut && values[i] <= values[j]) {
                order.push(i);
                i += 1;
            } else {
                order.push(j);
                j += 1;
            }
        }
        let mut joined = Joined {
            values: order.iter().map(|&column| values[column]).collect(),
            z: order.iter().map(|&column| z[column]).collect(),
            order,
            rho,
            kept: Vec::with_capacity(n),
            deflated: Vec::new(),
            rotations: Vec::new(),
        };
        joined.deflate();
        joined
    }

    fn deflate(&mut self) {
        let largest = |values: &[T]| {
            let larger = |most: T, &value: &T| most.max(value.abs());
            values.iter().fold(T::ZERO, larger)
        };
        let scale = largest(&self.values).max(largest(&self.z));
        let negligible = T::from_f64(8.0) * T::EPSILON * scale;
        let mut last: Option<usize> = None;
        for next in 0..self.values.len() {
            if self.rho * self.z[next].abs() <= negligible {
                self.deflated.push(next);
                continue;
            }
            if let Some(previous) = last {
                let length = self.z[next].hypot(self.z[previous]);
                let (cosine, sine) = (self.z[next] / length, -self.z[previous] / length);
                let (low, high) = (self.values[previous], self.values[next]);
                if ((high - low) * cosine * sine).abs() <= negligible {
                    self.z[next] = length;
                    self.z[previous] = T::ZERO;
                    self.values[previous] = low * cosine * cosine + high * sine * sine;
                    self.values[next] = low * sine * sine + high * cosine * cosine;
                    self.rotations.push((previous, next, cosine, sine));
                    self.deflated.push(previous);
                } else {
                    self.kept.push(previous);
                }
            }
            last = Some(next);
        }
        self.kept.extend(last);
    }
}

/// What a column of the result is made of.
#[derive(Clone, Copy)]
enum Source {
    /// A dense column of the small problem.
    Dense(usize),
    /// An eigenvector of a half.
    Known(usize),
}

fn join_halves<T: Number + Element<Float = T>>(
    diagonal: &mut [T],
    weight: T,
    cut: usize,
    vectors: MatMut<'_, T>,
    par: Par,
) -> Result<()> {
    let mut vectors = vectors;
    let n = diagonal.len();
    let zero = <T as Number>::ZERO;
    let root_half = Number::sqrt(T::from_f64(0.5));
    let sign = if weight < zero { -root_half } else { root_half };
    let z: Vec<T> = (0..n)
        .map(|column| match column < cut {
            true => vectors[(cut - 1, column)] * root_half,
            false => vectors[(cut, column)] * sign,
        })
        .collect();
    let rho = T::from_f64(2.0) * Number::abs(weight);
    let joined = Joined::new(diagonal, &z, cut, rho);
    let poles: Vec<T> = joined.kept.iter().map(|&k| joined.values[k]).collect();
    let squares: Vec<T> = joined
        .kept
        .iter()
        .map(|&k| joined.z[k] * joined.z[k])
        .collect();
    let secular = Secular {
        poles: &poles,
        squares: &squares,
        offset: <T as Number>::ONE / rho,
    };
    let count = poles.len();
    // Columns that a rotation has mixed are dense, too.
    let mixed: Vec<usize> = joined
        .deflated
        .iter()
        .copied()
        .filter(|&k| {
            joined
                .rotations
                .iter()
                .any(|&(one, other, ..)| one == k || other == k)
        })
        .collect();
    let mut small = Buffer::<T>::zeros(n, count + mixed.len())?;
    let roots = small_vectors(&secular, &joined, &small, par);
    for (column, &k) in mixed.iter().enumerate() {
        small.view_mut()[(joined.order[k], count + column)] = <T as Number>::ONE;
    }
    for &(one, other, cosine, sine) in joined.rotations.iter().rev() {
        let mut view = small.view_mut();
        let (one, other) = (joined.order[one], joined.order[other]);
        for column in 0..view.ncols() {
            let (a, b) = (view[(one, column)], view[(other, column)]);
            view[(one, column)] = cosine * a - sine * b;
            view[(other, column)] = sine * a + cosine * b;
        }
    }
    let mut found: Vec<(T, Source)> = roots
        .iter()
        .enumerate()
        .map(|(column, root)| (poles[root.pole] + root.distance, Source::Dense(column)))
        .collect();
    for &k in &joined.deflated {
        let source = match mixed.iter().position(|&each| each == k) {
            Some(column) => Source::Dense(count + column),
            None => Source::Known(joined.order[k]),
        };
        found.push((joined.values[k], source));
    }
    found.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap_or(std::cmp::Ordering::Equal));
    let mut result = Buffer::<T>::zeros(n, n)?;
    // Dense columns come first, in one product for each half.
    let dense = small.view().ncols();
    {
        let (above, below) = small.view().split_at_row(cut);
        let (top, bottom) = result
            .view_mut()
            .subcols_mut(0, dense)
            .split_at_row_mut(cut);
        let (first, _, _, second) = vectors.rb().split_at(cut, cut);
        let one = <T as Number>::ONE;
        matmul(top, Accum::Replace, first, above, one, par);
        matmul(bottom, Accum::Replace, second, below, one, par);
    }
    let mut place = dense;
    let mut sources = Vec::with_capacity(n);
    for &(_, source) in &found {
        sources.push(match source {
            Source::Dense(column) => column,
            Source::Known(column) => {
                let rows = if column < cut { 0..cut } else { cut..n };
                let mut view = result.view_mut();
                for row in rows {
                    view[(row, place)] = vectors[(row, column)];
                }
                place += 1;
                place - 1
            }
        });
    }
    for (column, (&source, &(value, _))) in sources.iter().zip(&found).enumerate() {
        diagonal[column] = value;
        let from = result.view();
        vectors.rb_mut().col_mut(column).copy_from(from.col(source));
    }
    Ok(())
}

/// The roots, and the eigenvectors of the small problem in the first columns of `to`, whose rows
/// are the halves' columns.
fn small_vectors<T: Number>(
    secular: &Secular<'_, T>,
    joined: &Joined<T>,
    to: &Buffer<T>,
    par: Par,
) -> Vec<Root<T>> {
    let count = secular.poles.len();
    let mut roots = vec![
        Root {
            pole: 0,
            distance: T::ZERO
        };
        count
    ];
    in_parts(par, &mut roots, |first, part| {
        find_roots(secular, first, part)
    });
    let roots = roots;
    let mut weights = vec![T::ZERO; count];
    in_parts(par, &mut weights, |first, part| {
        find_weights(secular.poles, &roots, first, part);
    });
    for (weight, &k) in weights.iter_mut().zip(&joined.kept) {
        let length = weight.abs().sqrt();
        *weight = if joined.z[k] < T::ZERO {
            -length
        } else {
            length
        };
    }
    let weights = weights;
    let rows: Vec<usize> = joined.kept.iter().map(|&k| joined.order[k]).collect();
    let matrix = to.matrix();
    let mut columns: Vec<usize> = (0..count).collect();
    in_parts(par, &mut columns, |first, part| {
        // The columns of this part, which nobody else writes to.
        let columns = matrix.part(0..matrix.rows, first..first + part.len());
        find_columns(secular.poles, &roots[first..], &weights, &rows, columns);
    });
    roots
}

/// Works on pieces of a list, on several threads if there are any.
fn in_parts<E: Send>(par: Par, list: &mut [E], work: impl Fn(usize, &mut [E]) + Sync) {
    use rayon::prelude::*;
    match par {
        Par::Rayon(_) if list.len() >= PARALLEL => {
            let parts = list.par_chunks_mut(PART).enumerate();
            parts.for_each(|(number, part)| work(number * PART, part));
        }
        _ => work(0, list),
    }
}

/// A function that is compiled for the processor's wider vectors, too.
macro_rules! wide {
    ($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),* $(,)?) $body:block) => {
        $(#[$doc])*
        fn $name<T: Number>($($argument: $type),*) {
            #[inline(always)]
            fn plain<T: Number>($($argument: $type),*) $body
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn with_avx2<T: Number>($($argument: $type),*) {
                    plain($($argument),*);
                }
                if std::arch::is_x86_feature_detected!("avx2")
                    && std::arch::is_x86_feature_detected!("fma")
                {
                    // SAFETY: the processor has what it takes.
                    return unsafe { with_avx2($($argument),*) };
                }
            }
            plain($($argument),*);
        }
    };
}

wide! {
    /// The roots from a number on.
    fn find_roots(secular: &Secular<'_, T>, first: usize, roots: &mut [Root<T>]) {
        let mut scratch = vec![T::ZERO; secular.poles.len()];
        for (number, root) in roots.iter_mut().enumerate() {
            *root = secular.root(first + number, &mut scratch);
        }
    }
}

wide! {
    /// Squares of the `z` for which the roots are exact, from a number on.
    fn find_weights(poles: &[T], roots: &[Root<T>], first: usize, weights: &mut [T]) {
        let own = &poles[first..first + weights.len()];
        weights.fill(T::ONE);
        for (k, root) in roots.iter().enumerate() {
            let (from, at) = (poles[root.pole], poles[k]);
            let skipped = k.wrapping_sub(first);
            let halves = match skipped < own.len() {
                true => [0..skipped, skipped + 1..own.len()],
                false => [0..own.len(), 0..0],
            };
            for half in halves {
                for (weight, &pole) in weights[half.clone()].iter_mut().zip(&own[half]) {
                    *weight = *weight * (((from - pole) + root.distance) / (at - pole));
                }
            }
            if skipped < own.len() {
                weights[skipped] = weights[skipped] * ((from - at) + root.distance);
            }
        }
    }
}

wide! {
    /// Normalised eigenvectors, a column for each root.
    fn find_columns(
        poles: &[T],
        roots: &[Root<T>],
        weights: &[T],
        rows: &[usize],
        columns: Matrix<T>,
    ) {
        let mut vector = vec![T::ZERO; poles.len()];
        for (number, root) in roots.iter().enumerate().take(columns.columns) {
            let from = poles[root.pole];
            let mut sums = [T::ZERO; 8];
            for ((element, &weight), &pole) in vector.iter_mut().zip(weights).zip(poles) {
                *element = weight / ((pole - from) - root.distance);
            }
            for part in vector.chunks(8) {
                for (sum, &element) in sums.iter_mut().zip(part) {
                    *sum = *sum + element * element;
                }
            }
            let square = sums.into_iter().fold(T::ZERO, |total, sum| total + sum);
            let scale = T::ONE / square.sqrt();
            for (&row, &element) in rows.iter().zip(&vector) {
                // SAFETY: an element of a column that is ours alone.
                unsafe { columns.at(row, number).write(element * scale) };
            }
        }
    }
}
