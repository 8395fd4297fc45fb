//! Products of matrices.

use super::batch::Batch;
use super::{aligned, uses};
use crate::host_work::{self, is_this_processor};
use crate::launch::{Arguments, KernelKey, launch};
use crate::{Array, Error, Result};
use colocate_dense::{Matrix, Multiply, c32, c64, f16, product};
use colocate_dtype::{DType, Dims, Kind, broadcast_shapes};
use colocate_kernels::matmul as kernels;
use colocate_runtime::hal::HostTask;
use colocate_runtime::{Access, UsmKind};
use std::cell::UnsafeCell;
use std::sync::Arc;

/// Multiplications that are done in about 30 microseconds, less than a hand-off is worth.
const SMALL: usize = 400_000;
/// From this many multiplications on, a product is worth waiting for.
const LARGE: usize = 8_000_000;
/// Sides of tiles are multiples of this, as wide as any library's own blocks.
const BLOCK: usize = 64;
/// A common extent of at least this many elements for each part may be divided between threads.
const DEEP: usize = 16 << 10;

/// The matrix product as in NumPy: the last two axes are matrices, the others are broadcast, and
/// an array of one axis is a row on the left and a column on the right. Both have one dtype.
pub fn matmul(a: &Array, b: &Array, kind: UsmKind) -> Result<Array> {
    let (from_left, from_right) = (a.shape().len() == 1, b.shape().len() == 1);
    let left = if from_left { a.expanded(0)? } else { a.clone() };
    let right = if from_right {
        b.expanded(1)?
    } else {
        b.clone()
    };
    let (rank_left, rank_right) = (left.shape().len(), right.shape().len());
    let (m, n) = (left.shape()[rank_left - 2], right.shape()[rank_right - 1]);
    let depth = left.shape()[rank_left - 1];
    if depth != right.shape()[rank_right - 2] {
        return Err(mismatch(a, b));
    }
    let outer = broadcast_shapes(
        &left.shape()[..rank_left - 2],
        &right.shape()[..rank_right - 2],
    )?;
    let with = |tail: [usize; 2]| outer.iter().copied().chain(tail).collect::<Dims>();
    let shape = with([m, n]);
    let result = Array::empty(&shape, a.dtype(), kind, a.queue())?;
    if result.size() > 0 {
        let left = left.broadcast_to(&with([m, depth]))?;
        let right = right.broadcast_to(&with([depth, n]))?;
        multiply(&result, &left, &right)?;
    }
    match (from_left, from_right) {
        (false, false) => Ok(result),
        (true, true) => Ok(result.squeezed(&[shape.len() - 2, shape.len() - 1])),
        (true, false) => Ok(result.squeezed(&[shape.len() - 2])),
        (false, true) => Ok(result.squeezed(&[shape.len() - 1])),
    }
}

fn mismatch(a: &Array, b: &Array) -> Error {
    Error::MatrixShapes {
        a: a.shape().to_vec(),
        b: b.shape().to_vec(),
    }
}

/// All three have the same batch; the result is contiguous and not empty.
fn multiply(result: &Array, left: &Array, right: &Array) -> Result<()> {
    if !is_for_the_host(result, left) {
        return launch_tiles(result, left, right);
    }
    let (result, left, right) = one_matrix(result, left, right)
        .unwrap_or_else(|| (result.clone(), left.clone(), right.clone()));
    let (left, right) = (aligned(&left)?, aligned(&right)?);
    macro_rules! by_dtype {
        ($($dtype:ident $type:ty),* $(,)?) => {
            match result.dtype() {
                $(DType::$dtype => submit::<$type>(&result, left, right),)*
            }
        };
    }
    by_dtype! {
        Bool bool, Int8 i8, Int16 i16, Int32 i32, Int64 i64, UInt8 u8, UInt16 u16, UInt32 u32,
        UInt64 u64, Float16 f16, Float32 f32, Float64 f64, Complex64 c32, Complex128 c64,
    }
}

/// Whether the product is computed by the host's own algorithm, which is better than a kernel where it can be had.
/// Small ones are left to a kernel where the host's would have to wait for what comes before.
fn is_for_the_host(result: &Array, left: &Array) -> bool {
    let queue = result.queue();
    if queue.runs_host_tasks() {
        return true;
    }
    let depth = left.shape().last().copied().unwrap_or(0);
    let large = result.size().saturating_mul(depth) > LARGE;
    let floats = matches!(result.dtype().kind(), Kind::Float | Kind::Complex);
    large && floats && is_this_processor(queue)
}

/// A batch on the left whose rows follow one another, times one matrix: a product of two matrices.
fn one_matrix(result: &Array, left: &Array, right: &Array) -> Option<(Array, Array, Array)> {
    let rank = result.shape().len();
    if rank == 2 {
        return None;
    }
    let same = right.layout().strides()[..rank - 2]
        .iter()
        .zip(right.shape());
    if !same
        .into_iter()
        .all(|(&stride, &extent)| stride == 0 || extent == 1)
    {
        return None;
    }
    let rows = result.shape()[..rank - 1].iter().product();
    let (depth, n) = (right.shape()[rank - 2], right.shape()[rank - 1]);
    let left = left.reshaped_view(&[rows, depth])?;
    let result = result.reshaped_view(&[rows, n])?;
    let first: Vec<_> = (0..rank - 2)
        .map(|_| colocate_dtype::index::Item::At(0))
        .collect();
    Some((result, left, right.index(&first).ok()?))
}

/// How a product is divided between threads.
struct Division {
    /// Matrices a part has at least, if they are not divided.
    matrices: usize,
    /// Tiles of a matrix.
    rows: usize,
    columns: usize,
}

impl Division {
    fn new(count: usize, m: usize, n: usize, threads: usize) -> Division {
        let wanted = if threads > 1 { 2 * threads } else { 1 };
        if count >= wanted {
            return Division {
                matrices: count.div_ceil(4 * wanted),
                rows: 1,
                columns: 1,
            };
        }
        let (mut rows, mut columns) = (1, 1);
        while count * rows * columns < wanted {
            let (height, width) = (m / rows, n / columns);
            if height >= width && height >= 2 * BLOCK {
                rows *= 2;
            } else if width >= 2 * BLOCK {
                columns *= 2;
            } else {
                break;
            }
        }
        Division {
            matrices: 1,
            rows,
            columns,
        }
    }
}

/// A part of an extent, cut at multiples of the block.
fn cut(extent: usize, parts: usize, number: usize) -> std::ops::Range<usize> {
    let step = extent
        .div_ceil(parts)
        .next_multiple_of(if parts > 1 { BLOCK } else { 1 });
    (step * number).min(extent)..(step * (number + 1)).min(extent)
}

fn submit<T: Multiply>(result: &Array, left: Array, right: Array) -> Result<()> {
    let (out, a, b) = (Batch::of(result), Batch::of(&left), Batch::of(&right));
    let ((m, n), depth) = (out.matrix, a.matrix.1);
    let count = out.count();
    let work = count
        .saturating_mul(m)
        .saturating_mul(n)
        .saturating_mul(depth.max(1));
    let is_fast = matches!(result.dtype(), DType::Float32 | DType::Float64);
    let small = work.saturating_mul(if is_fast { 1 } else { 4 }) <= SMALL;
    let threads = result.queue().device().info().max_compute_units as usize;
    let division = Division::new(count, m, n, if small { 1 } else { threads });
    let tiles = division.rows * division.columns;
    let parts = count.div_ceil(division.matrices) * tiles;
    let deep = (depth / DEEP).min(threads);
    if !small && count == 1 && parts < threads && deep > 1 && m * n <= BLOCK * BLOCK {
        return submit_deep::<T>(result, &left, &right, deep);
    }
    let task = HostTask {
        parts,
        small,
        run: Box::new(move |part| {
            let (group, tile) = (part / tiles, part % tiles);
            let first = group * division.matrices;
            let rows = cut(m, division.rows, tile / division.columns);
            let columns = cut(n, division.columns, tile % division.columns);
            for number in first..(first + division.matrices).min(count) {
                // SAFETY: the memory is named in `uses`; parts write to different tiles of a
                // contiguous result, and the result is new.
                unsafe {
                    product(
                        out.get::<T>(number).part(rows.clone(), columns.clone()),
                        a.get::<T>(number).part(rows.clone(), 0..depth),
                        b.get::<T>(number).part(0..depth, columns.clone()),
                    );
                }
            }
        }),
    };
    let (read, written) = ([left, right], [result.clone()]);
    // SAFETY: the task touches only these.
    unsafe { host_work::run("matmul", result.queue(), &uses(&read, &written), task) }
}

/// A small matrix as a sum over a long common extent: each part sums a piece of it.
fn submit_deep<T: Multiply>(
    result: &Array,
    left: &Array,
    right: &Array,
    parts: usize,
) -> Result<()> {
    let (out, a, b) = (Batch::of(result), Batch::of(left), Batch::of(right));
    let ((m, n), depth) = (out.matrix, a.matrix.1);
    let partial = Arc::new(Partial::new(T::ZERO, parts * m * n));
    let sums = partial.clone();
    let summed = HostTask {
        parts,
        small: false,
        run: Box::new(move |part| {
            let range = cut(depth, parts, part);
            let place = sums.at(part * m * n);
            // SAFETY: the memory is named in `uses`; each part writes to its own sums, which
            // nobody reads before all parts are done.
            unsafe {
                product(
                    Matrix::row_major(place, m, n),
                    a.get::<T>(0).part(0..m, range.clone()),
                    b.get::<T>(0).part(range, 0..n),
                );
            }
        }),
    };
    let combined = HostTask {
        parts: 1,
        small: true,
        run: Box::new(move |_| {
            let to = out.get::<T>(0);
            for i in 0..m * n {
                // SAFETY: all parts are done, since they write to the result, too.
                let terms = (0..parts).map(|part| unsafe { *partial.at(part * m * n + i) });
                let sum = terms.fold(T::ZERO, T::plus);
                // SAFETY: an element of the result, whose memory is named in `uses`.
                unsafe { to.at(i / n, i % n).write(sum) };
            }
        }),
    };
    let (read, written) = ([left.clone(), right.clone()], [result.clone()]);
    let uses = uses(&read, &written);
    // SAFETY: the tasks touch only these. Both write to the result, so the second comes second.
    unsafe {
        host_work::run("matmul", result.queue(), &uses, summed)?;
        host_work::run("matmul", result.queue(), &uses, combined)
    }
}

/// Sums that parts write to, each to its own.
struct Partial<T>(Box<[UnsafeCell<T>]>);

// SAFETY: no two parts touch the same element.
unsafe impl<T: Send> Sync for Partial<T> {}

impl<T: Copy> Partial<T> {
    fn new(value: T, count: usize) -> Partial<T> {
        Partial((0..count).map(|_| UnsafeCell::new(value)).collect())
    }

    /// The address of an element and of those after it.
    fn at(&self, first: usize) -> *mut T {
        UnsafeCell::raw_get(self.0[first..].as_ptr())
    }
}

/// On a device with kernels only.
fn launch_tiles(result: &Array, left: &Array, right: &Array) -> Result<()> {
    let rank = result.shape().len();
    let count = result.shape()[..rank - 2].iter().product();
    let (m, n) = (result.shape()[rank - 2], result.shape()[rank - 1]);
    let depth = left.shape()[rank - 1];
    if depth == 0 {
        let zero = [0; 16];
        result.queue().fill(
            result.usm(),
            0,
            &zero[..result.dtype().itemsize()],
            result.size(),
        )?;
        return Ok(());
    }
    let left = left.reshaped(&[count, m, depth])?;
    let right = right.reshaped(&[count, depth, n])?;
    let dtype = result.dtype();
    let mut arguments = Arguments::new();
    arguments.contiguous(result, Access::Write, &[count, m, n]);
    for factor in [&left, &right] {
        let layout = factor.layout();
        arguments.strided(factor, Access::Read, layout.shape(), layout.strides());
    }
    let local = kernels::group(dtype);
    let global = [
        count,
        m.div_ceil(kernels::side(dtype) as usize) * local[1],
        n.next_multiple_of(local[2]),
    ];
    let key = KernelKey::new("matmul", &[dtype as u32]);
    let build = || kernels::matmul(dtype);
    // SAFETY: the parameters of `kernels::matmul`; what lies outside the matrices is not touched.
    unsafe {
        launch(
            result.queue(),
            &key,
            build,
            &arguments,
            &global,
            Some(&local),
        )
    }?;
    Ok(())
}
