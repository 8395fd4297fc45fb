//! Counting: which bin each element falls into, and how often each bin is named.
//!
//! The elements are cut into parts, each of which is counted in a row of its own; then the rows are
//! summed in their order. How many parts there are follows from the sizes alone, so that sums of
//! weights are the same every time.

use crate::launch::{Arguments, KernelKey, launch};
use crate::{Array, Result};
use colocate_ir::{DType, Literal};
use colocate_kernels::histogram;
use colocate_runtime::hal::HostTask;
use colocate_runtime::{Access, Use, UsmKind};
use std::ops::AddAssign;

/// Fewer elements than this are not worth a part of their own.
const PART: usize = 32 << 10;
/// More parts are of no use.
const MOST_PARTS: usize = 16;

/// The bin of each element among bins of equal width, or -1; `edges` are float64, `x` is real,
/// and both are contiguous and on one queue.
pub fn equal_bins(x: &Array, edges: &Array, width: f64) -> Result<Array> {
    let size = x.size();
    let bins = Array::empty(&[size], DType::Int64, UsmKind::Device, x.queue())?;
    if size == 0 {
        return Ok(bins);
    }
    let key = KernelKey::new("histogram::equal_bins", &[x.dtype() as u32]);
    let mut arguments = Arguments::new();
    arguments.contiguous(x, Access::Read, &[size]);
    arguments.contiguous(edges, Access::Read, &[edges.size()]);
    arguments.contiguous(&bins, Access::Write, &[size]);
    arguments.scalar(Literal::Float(DType::Float64, width));
    // SAFETY: the parameters of `histogram::equal_bins`; it looks at edges between the first and
    // the last only.
    unsafe {
        let build = || histogram::equal_bins(x.dtype());
        launch(x.queue(), &key, build, &arguments, &[size], None)?;
    }
    drop(arguments);
    Ok(bins)
}

/// How often each of `bins` bins is named, or the sum of the weights of those that name it. What
/// names no bin is left out. `named` is int64, `weights` float64; both contiguous, on one queue.
pub fn count(named: &Array, weights: Option<&Array>, bins: usize, kind: UsmKind) -> Result<Array> {
    let dtype = histogram::sum_dtype(weights.is_some());
    let queue = named.queue();
    let zero = [0u8; 8];
    if named.size() == 0 || bins == 0 {
        return Array::full(&[bins], dtype, kind, queue, &zero);
    }
    // As many counters as elements are affordable.
    let affordable = (2 * named.size() / bins).max(1);
    let parts = named.size().div_ceil(PART).min(MOST_PARTS).min(affordable);
    let part = named.size().div_ceil(parts);
    if parts == 1 {
        let sums = Array::full(&[1, bins], dtype, kind, queue, &zero)?;
        count_parts(named, weights, &sums, part)?;
        return sums.index(&[colocate_dtype::index::Item::At(0)]);
    }
    let rows = Array::full(&[parts, bins], dtype, UsmKind::Device, queue, &zero)?;
    count_parts(named, weights, &rows, part)?;
    let sums = Array::empty(&[bins], dtype, kind, queue)?;
    let key = KernelKey::new("histogram::sum_parts", &[dtype as u32]);
    let mut arguments = Arguments::new();
    arguments.contiguous(&rows, Access::Read, rows.shape());
    arguments.contiguous(&sums, Access::Write, sums.shape());
    // SAFETY: the parameters of `histogram::sum_parts`, and an item for each bin.
    unsafe {
        let build = || histogram::sum_parts(weights.is_some());
        launch(queue, &key, build, &arguments, &[bins], None)?;
    }
    drop(arguments);
    Ok(sums)
}

fn count_parts(named: &Array, weights: Option<&Array>, rows: &Array, part: usize) -> Result<()> {
    if named.queue().runs_host_tasks() {
        return match weights {
            None => submit_counts::<i64>(named, None, rows, part),
            Some(_) => submit_counts::<f64>(named, weights, rows, part),
        };
    }
    let key = KernelKey::new("histogram::count_parts", &[u32::from(weights.is_some())]);
    let mut arguments = Arguments::new();
    arguments.contiguous(named, Access::Read, &[named.size()]);
    if let Some(weights) = weights {
        arguments.contiguous(weights, Access::Read, &[weights.size()]);
    }
    arguments.contiguous(rows, Access::Write, rows.shape());
    arguments.int64(part as i64);
    // SAFETY: the parameters of `histogram::count_parts`, and an item for each row.
    unsafe {
        let build = || histogram::count_parts(weights.is_some());
        let items = [rows.shape()[0]];
        launch(named.queue(), &key, build, &arguments, &items, None)?;
    }
    Ok(())
}

/// What elements without a weight add.
trait Sum: Copy + AddAssign + Send + Sync + 'static {
    const ONE: Self;
}

impl Sum for i64 {
    const ONE: i64 = 1;
}

impl Sum for f64 {
    const ONE: f64 = 1.0;
}

/// The same as the kernel, as work of a native queue: counting is one element at a time, which
/// vector lanes do not help.
fn submit_counts<T: Sum>(
    named: &Array,
    weights: Option<&Array>,
    rows: &Array,
    part: usize,
) -> Result<()> {
    let (size, bins) = (named.size(), rows.shape()[1]);
    let [from, to] = [named, rows].map(|array| array.pointer() as usize);
    let amounts = weights.map(|weights| weights.pointer() as usize);
    let task = HostTask {
        parts: rows.shape()[0],
        small: size <= PART,
        run: Box::new(move |row| {
            let range = row * part..((row + 1) * part).min(size);
            // SAFETY: contiguous arrays of these sizes, named in `uses`; the row is this part's.
            let (named, sums) = unsafe {
                (
                    std::slice::from_raw_parts((from as *const i64).add(range.start), range.len()),
                    std::slice::from_raw_parts_mut((to as *mut T).add(row * bins), bins),
                )
            };
            let Some(amounts) = amounts else {
                for &bin in named {
                    if let Some(sum) = sums.get_mut(bin as usize) {
                        *sum += T::ONE;
                    }
                }
                return;
            };
            // SAFETY: as many weights as elements, of the sums' type.
            let amounts = unsafe {
                std::slice::from_raw_parts((amounts as *const T).add(range.start), range.len())
            };
            for (&bin, &amount) in named.iter().zip(amounts) {
                if let Some(sum) = sums.get_mut(bin as usize) {
                    *sum += amount;
                }
            }
        }),
    };
    let mut uses = vec![
        Use {
            usm: named.usm(),
            access: Access::Read,
        },
        Use {
            usm: rows.usm(),
            access: Access::Write,
        },
    ];
    uses.extend(weights.map(|weights| Use {
        usm: weights.usm(),
        access: Access::Read,
    }));
    // SAFETY: the task touches only these.
    unsafe { named.queue().host_task("histogram", &uses, task) }?;
    Ok(())
}
