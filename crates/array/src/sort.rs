//! Sorting and searching.
//!
//! On devices that run host tasks sorting is the business of `colocate-sort`; on others rows are
//! merged by the kernels of `colocate_kernels::sort`. Either way the axis is brought to the end first.

use crate::launch::{Arguments, KernelKey, launch};
use crate::reduce::aligned;
use crate::{Array, Result, host_work};
use colocate_dtype::{DType, inverse_order};
use colocate_kernels::sort::{BLOCK, PART, Search, Sort, merge, search, sort_blocks};
use colocate_runtime::{Access, UsmKind};
use colocate_sort::{self as host, Element, Order};
use half::f16;
use num_complex::Complex;
use rayon::ThreadPool;
use smallvec::SmallVec;

/// Rows with together fewer elements are sorted where the call is made.
const SMALL: usize = 2048;

/// What to find.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Whether the greatest come first.
    pub descending: bool,
    /// If given, only the elements at these places (ascending) have to be where they belong, with
    /// lesser ones before and greater ones after them.
    pub places: Option<&'a [usize]>,
}

/// The elements in order along an axis; stable.
pub fn sort(x: &Array, axis: usize, request: Request<'_>, kind: UsmKind) -> Result<Array> {
    run(x, axis, request, kind, false)
}

/// The indices that put the elements in order along an axis; stable, unless only some places are
/// asked for.
pub fn argsort(x: &Array, axis: usize, request: Request<'_>, kind: UsmKind) -> Result<Array> {
    run(x, axis, request, kind, true)
}

fn run(
    x: &Array,
    axis: usize,
    request: Request<'_>,
    kind: UsmKind,
    indices: bool,
) -> Result<Array> {
    // As a copy that is sorted in place would; positions are row-major.
    let kept = match indices {
        true => None,
        false => x.layout().order_of_copy(),
    };
    let mut order = match &kept {
        None => (0..x.shape().len()).collect::<SmallVec<[usize; 4]>>(),
        Some(kept) => kept.clone(),
    };
    let is_last = order.last() == Some(&axis);
    order.retain(|one| *one != axis);
    order.push(axis);
    let moved = x.permuted(&order);
    let dtype = if indices { DType::Int64 } else { x.dtype() };
    let result = Array::empty(moved.shape(), dtype, kind, x.queue())?;
    if result.size() > 0 {
        let rows = if moved.layout().is_c_contiguous() {
            aligned(&moved)?
        } else {
            moved.copy_to(x.queue(), kind)?
        };
        if x.queue().runs_host_tasks() {
            by_host(&rows, &result, request, indices)?;
        } else {
            let to = if indices {
                result.clone()
            } else {
                as_bytes(&result)
            };
            by_kernels(&as_bytes(&rows), &to, request.descending, indices)?;
        }
    }
    let result = result.permuted(&inverse_order(&order));
    if is_last {
        return Ok(result);
    }
    let placed = Array::empty_in_order(x.shape(), &kept, dtype, kind, x.queue())?;
    placed.assign(&result)?;
    Ok(placed)
}

macro_rules! by_dtype {
    ($dtype:expr, $function:ident($($argument:expr),*)) => {
        match $dtype {
            DType::Bool | DType::UInt8 => $function::<u8>($($argument),*),
            DType::Int8 => $function::<i8>($($argument),*),
            DType::UInt16 => $function::<u16>($($argument),*),
            DType::Int16 => $function::<i16>($($argument),*),
            DType::UInt32 => $function::<u32>($($argument),*),
            DType::Int32 => $function::<i32>($($argument),*),
            DType::UInt64 => $function::<u64>($($argument),*),
            DType::Int64 => $function::<i64>($($argument),*),
            DType::Float16 => $function::<f16>($($argument),*),
            DType::Float32 => $function::<f32>($($argument),*),
            DType::Float64 => $function::<f64>($($argument),*),
            DType::Complex64 => $function::<Complex<f32>>($($argument),*),
            DType::Complex128 => $function::<Complex<f64>>($($argument),*),
        }
    };
}

fn by_host(rows: &Array, result: &Array, request: Request<'_>, indices: bool) -> Result<()> {
    let length = *rows.shape().last().expect("there is an axis to sort along");
    let bytes = by_dtype!(rows.dtype(), scratch_bytes(length, indices));
    let kind = UsmKind::Device;
    let scratch = Array::empty(&[bytes], DType::UInt8, kind, rows.queue())?;
    let work = Work {
        from: rows.pointer() as usize,
        to: result.pointer() as usize,
        scratch: scratch.pointer() as usize,
        scratch_bytes: bytes,
        size: rows.size(),
        length,
        order: match request.descending {
            false => Order::Ascending,
            true => Order::Descending,
        },
        places: request.places.map(SmallVec::from_slice),
        indices,
    };
    let dtype = rows.dtype();
    let arrays = [
        (rows, Access::Read),
        (result, Access::Write),
        (&scratch, Access::Write),
    ];
    let used = if bytes > 0 { &arrays[..] } else { &arrays[..2] };
    // SAFETY: rows and result have as many elements as is said, each of its dtype, and contiguous.
    unsafe {
        host_work::submit(
            "sort",
            rows.queue(),
            used,
            rows.size() <= SMALL,
            move |pool| {
                by_dtype!(dtype, run_work(&work, pool));
            },
        )
    }
}

fn scratch_bytes<T: Element>(length: usize, indices: bool) -> usize {
    host::scratch_bytes::<T>(length, indices)
}

/// Sorting as a host task: addresses, because it outlives the call.
struct Work {
    from: usize,
    to: usize,
    scratch: usize,
    scratch_bytes: usize,
    size: usize,
    length: usize,
    order: Order,
    places: Option<SmallVec<[usize; 4]>>,
    indices: bool,
}

/// Runs inside the host task alone, while the memory is its own.
fn run_work<T: Element>(work: &Work, pool: Option<&ThreadPool>) {
    let Work { size, length, .. } = *work;
    // SAFETY: `by_host` gives the addresses of arrays of this many elements, and the queue sees to it
    // that nobody else uses them now. An empty scratch has no memory.
    let (from, scratch) = unsafe {
        let scratch: &mut [u8] = match work.scratch_bytes {
            0 => &mut [],
            bytes => std::slice::from_raw_parts_mut(work.scratch as *mut u8, bytes),
        };
        (
            std::slice::from_raw_parts(work.from as *const T, size),
            scratch,
        )
    };
    if work.indices {
        // SAFETY: as above; the result is of int64.
        let to = unsafe { std::slice::from_raw_parts_mut(work.to as *mut i64, size) };
        match &work.places {
            None => host::argsort_rows(from, to, length, work.order, scratch, pool),
            Some(places) => host::argpartition_rows(from, to, length, places, scratch, pool),
        }
    } else {
        // SAFETY: as above; the result has the rows' dtype.
        let to = unsafe { std::slice::from_raw_parts_mut(work.to as *mut T, size) };
        match &work.places {
            None => host::sort_rows(from, to, length, work.order, scratch, pool),
            Some(places) => host::partition_rows(from, to, length, places, scratch, pool),
        }
    }
}

fn by_kernels(rows: &Array, result: &Array, descending: bool, indices: bool) -> Result<()> {
    let length = *rows.shape().last().expect("there is an axis to sort along");
    let shape = [rows.size() / length, length];
    let queue = rows.queue();
    let sort = Sort {
        dtype: rows.dtype(),
        descending,
        indices,
    };
    let passes = length.div_ceil(BLOCK).next_power_of_two().ilog2() as usize;
    let new = |dtype| Array::empty(&shape, dtype, UsmKind::Device, queue);
    // Every launch goes from one to the other; the last one ends in the result.
    let key_places = match indices {
        false => [result.clone(), new(sort.dtype)?],
        true => [new(sort.dtype)?, new(sort.dtype)?],
    };
    let index_places = match indices {
        false => None,
        true => Some([result.clone(), new(DType::Int64)?]),
    };
    let mut now = passes % 2;
    let mut arguments = Arguments::new();
    arguments.contiguous(rows, Access::Read, &shape);
    arguments.contiguous(&key_places[now], Access::Write, &shape);
    if let Some(places) = &index_places {
        arguments.contiguous(&places[now], Access::Write, &shape);
    }
    let key = KernelKey::new("sort_blocks", &sort.words());
    let space = [shape[0], length.div_ceil(BLOCK)];
    // SAFETY: all arrays have this shape, and blocks end where rows end.
    unsafe { launch(queue, &key, || sort_blocks(&sort), &arguments, &space, None) }?;
    let space = [shape[0], length.div_ceil(PART)];
    let key = KernelKey::new("merge", &sort.words());
    for pass in 0..passes {
        let mut arguments = Arguments::new();
        arguments.contiguous(&key_places[now], Access::Read, &shape);
        arguments.contiguous(&key_places[1 - now], Access::Write, &shape);
        if let Some(places) = &index_places {
            arguments.contiguous(&places[now], Access::Read, &shape);
            arguments.contiguous(&places[1 - now], Access::Write, &shape);
        }
        arguments.int64((BLOCK << pass) as i64);
        // SAFETY: all arrays have this shape, and parts end where rows end.
        unsafe { launch(queue, &key, || merge(&sort), &arguments, &space, None) }?;
        now = 1 - now;
    }
    Ok(())
}

/// Bools as bytes: in that form drivers compare them correctly.
fn as_bytes(array: &Array) -> Array {
    match array.dtype() {
        DType::Bool => array
            .viewed_as(DType::UInt8)
            .expect("a bool is as large as a byte"),
        _ => array.clone(),
    }
}

/// Where elements would have to be inserted into a sorted array of one axis and the same dtype: before
/// those that are equal, or after them. With a sorter (int64, as long) elements are read through it.
pub fn search_sorted(
    sorted: &Array,
    wanted: &Array,
    right: bool,
    sorter: Option<&Array>,
    kind: UsmKind,
) -> Result<Array> {
    let queue = wanted.queue();
    let result = Array::empty(wanted.shape(), DType::Int64, kind, queue)?;
    if result.size() == 0 {
        return Ok(result);
    }
    let packed = |array: &Array| -> Result<Array> {
        let packed = if array.layout().is_c_contiguous() {
            aligned(array)?
        } else {
            array.copy_to(queue, kind)?
        };
        Ok(as_bytes(&packed))
    };
    let (sorted, wanted) = (packed(sorted)?, packed(wanted)?);
    let sorter = sorter.map(packed).transpose()?;
    let what = Search {
        dtype: sorted.dtype(),
        right,
        sorter: sorter.is_some(),
    };
    let size = result.size();
    let length = sorted.size();
    let mut arguments = Arguments::new();
    arguments.contiguous(&sorted, Access::Read, &[length]);
    arguments.contiguous(&wanted, Access::Read, &[size]);
    arguments.contiguous(&result, Access::Write, &[size]);
    if let Some(sorter) = &sorter {
        arguments.contiguous(sorter, Access::Read, &[length]);
    }
    let key = KernelKey::new("search_sorted", &what.words());
    // SAFETY: the arrays are as long as is said, and the kernel reads elements inside them only.
    unsafe { launch(queue, &key, || search(&what), &arguments, &[size], None) }?;
    drop(arguments);
    Ok(result)
}
