//! What a mask selects: its true elements' indices, and the elements of another array there.
//!
//! How many there are must be known before memory for them is, so both functions wait for the mask.
//! The mask is cut into pieces; a first pass counts in each, a second writes. On a device that is
//! the host both are loops of ours, elsewhere kernels (`colocate_kernels::compaction`).

use crate::launch::{Arguments, KernelKey, launch};
use crate::selection::{Indices, Selection};
use crate::{Array, Mode, Result};
use colocate_dtype::{DType, Dims};
use colocate_kernels::compaction as kernels;
use colocate_runtime::hal::HostTask;
use colocate_runtime::{Access, Queue, Use, UsmKind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Elements of a mask that one part of a host task goes through.
const PIECE: usize = 32 << 10;
/// Kernels walk over a mask in this many pieces or fewer.
const PIECES: usize = 4096;

/// How many true elements come before each piece, and in all.
struct Pieces {
    length: usize,
    starts: Vec<usize>,
    total: usize,
}

impl Pieces {
    fn new(length: usize, counts: impl Iterator<Item = usize>) -> Pieces {
        let mut total = 0;
        let starts = counts
            .map(|count| {
                total += count;
                total - count
            })
            .collect();
        Pieces {
            length,
            starts,
            total,
        }
    }

    /// The true elements of a piece: the first one's number, and one past the last one's.
    fn numbers(&self, piece: usize) -> std::ops::Range<usize> {
        let end = self.starts.get(piece + 1).copied().unwrap_or(self.total);
        self.starts[piece]..end
    }
}

fn uses<'a>(written: &[&'a Array], read: &[&'a Array]) -> Vec<Use<'a>> {
    let named = |access: Access| {
        move |array: &&'a Array| Use {
            usm: array.usm(),
            access,
        }
    };
    let written = written.iter().map(named(Access::Write));
    written
        .chain(read.iter().map(named(Access::Read)))
        .collect()
}

/// Submits a task with a part for each piece of a mask.
///
/// # Safety
/// The task touches only the arrays in `uses`.
unsafe fn submit(
    queue: &Queue,
    size: usize,
    uses: &[Use<'_>],
    run: impl Fn(usize) + Send + Sync + 'static,
) -> Result<colocate_runtime::Event> {
    let task = HostTask {
        parts: size.div_ceil(PIECE),
        small: size <= PIECE,
        run: Box::new(run),
    };
    // SAFETY: the caller's word.
    Ok(unsafe { queue.host_task("mask", uses, task) }?)
}

/// The bytes of a piece of a mask of `size` elements.
///
/// # Safety
/// The mask lives, and nobody writes to it.
unsafe fn piece_of<'a>(mask: usize, size: usize, piece: usize) -> &'a [u8] {
    let first = piece * PIECE;
    let last = (first + PIECE).min(size);
    // SAFETY: inside the mask, by the caller's word.
    unsafe { std::slice::from_raw_parts((mask as *const u8).add(first), last - first) }
}

/// Counts on the host, and waits.
fn count_on_host(mask: &Array) -> Result<Pieces> {
    let size = mask.size();
    let counts: Arc<Vec<AtomicUsize>> = Arc::new(
        std::iter::repeat_with(AtomicUsize::default)
            .take(size.div_ceil(PIECE))
            .collect(),
    );
    let (address, shared) = (mask.pointer() as usize, counts.clone());
    let run = move |piece: usize| {
        // SAFETY: the mask is named in the task's uses.
        let bytes = unsafe { piece_of(address, size, piece) };
        shared[piece].store(count_true(bytes), Ordering::Relaxed);
    };
    // SAFETY: the task touches only the mask.
    let event = unsafe { submit(mask.queue(), size, &uses(&[], &[mask]), run) }?;
    event.wait()?;
    let counts = counts.iter().map(|count| count.load(Ordering::Acquire));
    Ok(Pieces::new(PIECE, counts))
}

fn count_true(bytes: &[u8]) -> usize {
    // Sums of less than 256 fit in a byte, so that vectors hold as many as they can.
    let sum = |part: &[u8]| part.iter().map(|&byte| u8::from(byte != 0)).sum::<u8>();
    bytes.chunks(224).map(|part| usize::from(sum(part))).sum()
}

/// Counts by a kernel, and waits.
fn count_on_device(mask: &Array) -> Result<Pieces> {
    let size = mask.size();
    let length = size.div_ceil(PIECES).max(64);
    let pieces = size.div_ceil(length);
    let counts = Array::empty(&[pieces], DType::Int64, UsmKind::Host, mask.queue())?;
    let mut arguments = Arguments::new();
    arguments.contiguous(mask, Access::Read, &[size]);
    arguments.contiguous(&counts, Access::Write, &[pieces]);
    arguments.int64(length as i64);
    let key = KernelKey::new("count_true", &[]);
    // SAFETY: the arguments are those of the kernel, which stays inside them.
    unsafe {
        launch(
            mask.queue(),
            &key,
            kernels::count_pieces,
            &arguments,
            &[pieces],
            None,
        )
    }?;
    let mut found = vec![0i64; pieces];
    // SAFETY: the vector has room for all elements.
    unsafe { counts.read_into(found.as_mut_ptr().cast()) }?;
    Ok(Pieces::new(
        length,
        found.into_iter().map(|count| count as usize),
    ))
}

/// Where a mask of at least one axis is true: for each axis the indices, in row-major order.
pub fn nonzero(mask: &Array) -> Result<Vec<Array>> {
    let mask = mask.packed()?;
    let queue = mask.queue();
    let indices = |count: usize| Array::empty(&[count], DType::Int64, mask.kind(), queue);
    let rank = mask.layout().ndim();
    if mask.size() == 0 {
        return (0..rank).map(|_| indices(0)).collect();
    }
    if !queue.runs_host_tasks() {
        return nonzero_on_device(&mask);
    }
    let pieces = count_on_host(&mask)?;
    let found: Vec<Array> = (0..rank)
        .map(|_| indices(pieces.total))
        .collect::<Result<_>>()?;
    if pieces.total > 0 {
        let arrays: Vec<&Array> = found.iter().collect();
        let addresses: Vec<usize> = found.iter().map(|one| one.pointer() as usize).collect();
        let (address, size) = (mask.pointer() as usize, mask.size());
        let shape = Dims::from_slice(mask.shape());
        let run = move |piece: usize| {
            // SAFETY: the mask and the indices are named in the task's uses, and each piece writes
            // those of its own true elements.
            unsafe {
                let bytes = piece_of(address, size, piece);
                write_indices(
                    bytes,
                    piece * PIECE,
                    &shape,
                    &addresses,
                    pieces.numbers(piece),
                );
            }
        };
        // SAFETY: the task touches only these arrays.
        unsafe { submit(queue, size, &uses(&arrays, &[&mask]), run) }?;
    }
    Ok(found)
}

/// Writes the indices of true elements, which have the numbers given.
///
/// # Safety
/// `addresses` are those of int64 arrays with an element for each number.
unsafe fn write_indices(
    bytes: &[u8],
    first: usize,
    shape: &[usize],
    addresses: &[usize],
    numbers: std::ops::Range<usize>,
) {
    let last_axis = shape.len() - 1;
    let row_length = shape[last_axis];
    let mut next = numbers.start;
    let mut offset = 0;
    while offset < bytes.len() && next < numbers.end {
        let (row, column) = ((first + offset) / row_length, (first + offset) % row_length);
        let count = (row_length - column).min(bytes.len() - offset);
        let row_start = next;
        let columns = addresses[last_axis] as *mut i64;
        for (step, &byte) in bytes[offset..offset + count].iter().enumerate() {
            if next == numbers.end {
                break;
            }
            // Writing always and moving on only if it is true needs no branch that is hard to foresee.
            // SAFETY: `next` is the number of one of ours.
            unsafe { columns.add(next).write((column + step) as i64) };
            next += usize::from(byte != 0);
        }
        let mut rest = row;
        for axis in (0..last_axis).rev() {
            let index = (rest % shape[axis]) as i64;
            rest /= shape[axis];
            let to = addresses[axis] as *mut i64;
            for number in row_start..next {
                // SAFETY: as above.
                unsafe { to.add(number).write(index) };
            }
        }
        offset += count;
    }
}

/// The positions of true elements in row-major order, by kernels.
fn positions_on_device(mask: &Array) -> Result<Array> {
    let pieces = count_on_device(mask)?;
    let queue = mask.queue();
    let positions = Array::empty(&[pieces.total], DType::Int64, mask.kind(), queue)?;
    if pieces.total == 0 {
        return Ok(positions);
    }
    let count = pieces.starts.len();
    let starts = Array::empty(&[count], DType::Int64, UsmKind::Host, queue)?;
    let bytes: Vec<u8> = pieces
        .starts
        .iter()
        .flat_map(|&start| (start as i64).to_ne_bytes())
        .collect();
    starts.write_from(&bytes)?;
    let mut arguments = Arguments::new();
    arguments.contiguous(mask, Access::Read, &[mask.size()]);
    arguments.contiguous(&starts, Access::Read, &[count]);
    arguments.int64(pieces.length as i64);
    arguments.contiguous(&positions, Access::Write, &[pieces.total]);
    let key = KernelKey::new("true_positions", &[]);
    // SAFETY: the arguments are those of the kernel, which writes as many positions as it counted.
    unsafe {
        launch(
            queue,
            &key,
            kernels::write_positions,
            &arguments,
            &[count],
            None,
        )
    }?;
    drop(arguments);
    Ok(positions)
}

fn nonzero_on_device(mask: &Array) -> Result<Vec<Array>> {
    let positions = positions_on_device(mask)?;
    let shape = mask.shape();
    if shape.len() == 1 {
        return Ok(vec![positions]);
    }
    let count = positions.size();
    (0..shape.len())
        .map(|axis| {
            let indices = Array::empty(&[count], DType::Int64, mask.kind(), mask.queue())?;
            if count == 0 {
                return Ok(indices);
            }
            let below: usize = shape[axis + 1..].iter().product();
            let mut arguments = Arguments::new();
            arguments.contiguous(&positions, Access::Read, &[count]);
            arguments.contiguous(&indices, Access::Write, &[count]);
            arguments.int64(below as i64);
            arguments.int64(shape[axis] as i64);
            let key = KernelKey::new("take_apart", &[]);
            // SAFETY: the arguments are those of the kernel, which has one item an element.
            unsafe {
                launch(
                    mask.queue(),
                    &key,
                    kernels::take_apart,
                    &arguments,
                    &[count],
                    None,
                )
            }?;
            drop(arguments);
            Ok(indices)
        })
        .collect()
}

/// The elements of an array, or the rows if the mask has fewer axes, where the mask is true. The mask
/// has the extents of the array's first axes.
pub fn select(array: &Array, mask: &Array, kind: UsmKind) -> Result<Array> {
    let mask = mask.packed()?;
    let rank = mask.layout().ndim();
    let row_shape = &array.shape()[rank..];
    let queue = array.queue();
    let result = |count: usize| {
        let mut shape = Dims::from_slice(&[count]);
        shape.extend_from_slice(row_shape);
        Array::empty(&shape, array.dtype(), kind, queue)
    };
    if mask.size() == 0 {
        return result(0);
    }
    if !queue.runs_host_tasks() {
        let mut flat = Dims::from_slice(&[mask.size()]);
        flat.extend_from_slice(row_shape);
        let positions = Indices {
            array: positions_on_device(&mask)?,
            range: Some((0, mask.size() as i64 - 1)),
        };
        let rows = array.reshaped(&flat)?;
        return Selection::along_axis(&rows, 0, positions).gather(Mode::Raise, kind);
    }
    let array = &array.packed()?;
    let pieces = count_on_host(&mask)?;
    let result = result(pieces.total)?;
    let row_bytes = row_shape.iter().product::<usize>() * array.dtype().itemsize();
    if result.size() == 0 {
        return Ok(result);
    }
    let (from, to) = (array.pointer() as usize, result.pointer() as usize);
    let (address, size) = (mask.pointer() as usize, mask.size());
    let run = move |piece: usize| {
        let (first, numbers) = (piece * PIECE, pieces.numbers(piece));
        // SAFETY: the arrays are named in the task's uses, and each piece writes its own elements.
        unsafe {
            let bytes = piece_of(address, size, piece);
            match row_bytes {
                1 => copy_true::<u8>(bytes, from, first, to, numbers),
                2 => copy_true::<u16>(bytes, from, first, to, numbers),
                4 => copy_true::<u32>(bytes, from, first, to, numbers),
                8 => copy_true::<u64>(bytes, from, first, to, numbers),
                16 => copy_true::<u128>(bytes, from, first, to, numbers),
                _ => copy_rows(bytes, from, first, to, numbers, row_bytes),
            }
        }
    };
    // SAFETY: the task touches only these arrays.
    unsafe { submit(queue, size, &uses(&[&result], &[array, &mask]), run) }?;
    Ok(result)
}

/// Copies the elements where the mask is true.
///
/// # Safety
/// `from` has an element of `T`'s size for each of the mask from `first` on, `to` one for each number.
unsafe fn copy_true<T: Copy>(
    bytes: &[u8],
    from: usize,
    first: usize,
    to: usize,
    numbers: std::ops::Range<usize>,
) {
    // SAFETY: the caller's word.
    let from = unsafe { (from as *const T).add(first) };
    let to = to as *mut T;
    let mut next = numbers.start;
    let (words, tail) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let mut left = u64::from_le_bytes(*word);
        if left == 0 {
            continue;
        }
        // SAFETY: as many elements as the mask has, and as many places as it has true ones.
        unsafe {
            let from = from.add(8 * number);
            if left.count_ones() > 1 && next + 8 < numbers.end {
                // Writing always and moving on only if it is true needs no branch that is hard to
                // foresee. What is written too much is overwritten next.
                for (step, &byte) in word.iter().enumerate() {
                    to.add(next)
                        .write_unaligned(from.add(step).read_unaligned());
                    next += usize::from(byte != 0);
                }
                continue;
            }
            while left != 0 {
                let step = left.trailing_zeros() / 8;
                to.add(next)
                    .write_unaligned(from.add(step as usize).read_unaligned());
                next += 1;
                left &= !(0xff << (8 * step));
            }
        }
    }
    for (step, _) in tail.iter().enumerate().filter(|(_, byte)| **byte != 0) {
        // SAFETY: as above.
        unsafe {
            let from = from.add(8 * words.len() + step);
            to.add(next).write_unaligned(from.read_unaligned());
        }
        next += 1;
    }
}

/// Copies rows where the mask is true.
///
/// # Safety
/// As for [`copy_true`], with rows of so many bytes.
unsafe fn copy_rows(
    bytes: &[u8],
    from: usize,
    first: usize,
    to: usize,
    numbers: std::ops::Range<usize>,
    row: usize,
) {
    let mut next = numbers.start;
    for (step, &byte) in bytes.iter().enumerate() {
        if byte != 0 {
            // SAFETY: the caller's word.
            unsafe {
                let from = (from as *const u8).add((first + step) * row);
                std::ptr::copy_nonoverlapping(from, (to as *mut u8).add(next * row), row);
            }
            next += 1;
        }
    }
}
