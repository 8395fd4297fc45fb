//! The public functions: rows in, rows out.

use crate::Order;
use crate::buckets::{self, LONG, Run, Shared, Wanted, share_out};
use crate::elements::Element;
use crate::items::{Indexed, Item};
use crate::radix;
use rayon::ThreadPool;

/// Short rows are handed out in batches of about this many elements.
const BATCH: usize = 1 << 14;
/// Indices below this fit into the smaller items.
const NEAR: usize = 1 << 32;

/// Bytes of working memory that sorting rows of this length takes; `indices` for the functions
/// that give indices. The memory must be aligned to 16 bytes.
pub fn scratch_bytes<T: Element>(length: usize, indices: bool) -> usize {
    if length < LONG {
        return 0;
    }
    match indices {
        false => buckets::scratch_bytes::<T::Plain<false>>(length),
        true if length < NEAR => indexed_bytes::<T::Near<false>>(length),
        true => indexed_bytes::<T::Far<false>>(length),
    }
}

/// Bytes for items with indices: their place, and what sorting them takes.
fn indexed_bytes<I: Indexed>(length: usize) -> usize {
    place_bytes::<I>(length) + buckets::scratch_bytes::<I>(length)
}

/// Items that are as large as indices are sorted where the indices go.
fn place_bytes<I: Indexed>(length: usize) -> usize {
    if size_of::<I>() == size_of::<i64>() {
        return 0;
    }
    (length * size_of::<I>()).next_multiple_of(16)
}

/// Sorts each row of `from` into `to`.
///
/// # Panics
/// If lengths do not fit, or `scratch` is not as [`scratch_bytes`] says.
pub fn sort_rows<T: Element>(
    from: &[T],
    to: &mut [T],
    length: usize,
    order: Order,
    scratch: &mut [u8],
    pool: Option<&ThreadPool>,
) {
    match order {
        Order::Ascending => values::<T, false>(from, to, length, &Wanted::All, scratch, pool),
        Order::Descending => values::<T, true>(from, to, length, &Wanted::All, scratch, pool),
    }
}

/// Copies each row of `from` to `to` such that the elements at `places` (ascending) are those
/// that a sort would put there, what is less comes before them and what is greater after them.
///
/// # Panics
/// As [`sort_rows`].
pub fn partition_rows<T: Element>(
    from: &[T],
    to: &mut [T],
    length: usize,
    places: &[usize],
    scratch: &mut [u8],
    pool: Option<&ThreadPool>,
) {
    values::<T, false>(from, to, length, &Wanted::Places(places), scratch, pool);
}

/// Writes the indices that sort each row of `from`.
///
/// # Panics
/// As [`sort_rows`].
pub fn argsort_rows<T: Element>(
    from: &[T],
    to: &mut [i64],
    length: usize,
    order: Order,
    scratch: &mut [u8],
    pool: Option<&ThreadPool>,
) {
    match order {
        Order::Ascending => indices::<T, false>(from, to, length, &Wanted::All, scratch, pool),
        Order::Descending => indices::<T, true>(from, to, length, &Wanted::All, scratch, pool),
    }
}

/// Writes the indices that partition each row of `from` as [`partition_rows`] does.
///
/// # Panics
/// As [`sort_rows`].
pub fn argpartition_rows<T: Element>(
    from: &[T],
    to: &mut [i64],
    length: usize,
    places: &[usize],
    scratch: &mut [u8],
    pool: Option<&ThreadPool>,
) {
    indices::<T, false>(from, to, length, &Wanted::Places(places), scratch, pool);
}

fn values<T: Element, const D: bool>(
    from: &[T],
    to: &mut [T],
    length: usize,
    wanted: &Wanted<'_>,
    scratch: &mut [u8],
    pool: Option<&ThreadPool>,
) {
    const { assert!(size_of::<T>() == size_of::<T::Plain<false>>()) };
    assert_eq!(from.len(), to.len());
    if from.is_empty() {
        return;
    }
    assert_eq!(from.len() % length, 0);
    if length < LONG {
        let out = Shared(to.as_mut_ptr());
        let make = |element: T, _| element.plain::<D>();
        short_rows(from, length, wanted, pool, make, |number, row, run| {
            // SAFETY: every row of the result is written once, and the run lies elsewhere.
            let to = unsafe {
                let first = out.get().add(number * length);
                run.write(first, T::from_plain::<D>);
                std::slice::from_raw_parts_mut(first, length)
            };
            if let Wanted::All = wanted {
                keep_zeros::<T, D>(row, to);
            }
        });
        return;
    }
    for (row, to) in from.chunks(length).zip(to.chunks_mut(length)) {
        if is_sorted::<T, D>(row) {
            to.copy_from_slice(row);
            continue;
        }
        let place = Shared(to.as_mut_ptr());
        // SAFETY: items are as large as elements, and made from another memory; a run is
        // written where it belongs.
        unsafe {
            buckets::sort(
                length,
                |index| row[index].plain::<D>(),
                place.get().cast(),
                scratch,
                wanted,
                pool,
                |first, run| run.write(place.get().add(first), T::from_plain::<D>),
            );
        }
        if let Wanted::All = wanted {
            keep_zeros::<T, D>(row, to);
        }
    }
}

fn indices<T: Element, const D: bool>(
    from: &[T],
    to: &mut [i64],
    length: usize,
    wanted: &Wanted<'_>,
    scratch: &mut [u8],
    pool: Option<&ThreadPool>,
) {
    if length < NEAR {
        indices_of(from, to, length, wanted, scratch, pool, T::near::<D>);
    } else {
        indices_of(from, to, length, wanted, scratch, pool, T::far::<D>);
    }
}

fn indices_of<T: Element, I: Indexed>(
    from: &[T],
    to: &mut [i64],
    length: usize,
    wanted: &Wanted<'_>,
    scratch: &mut [u8],
    pool: Option<&ThreadPool>,
    make: impl Fn(T, usize) -> I + Sync,
) {
    assert_eq!(from.len(), to.len());
    if from.is_empty() {
        return;
    }
    assert_eq!(from.len() % length, 0);
    if length < LONG {
        let out = Shared(to.as_mut_ptr());
        short_rows(from, length, wanted, pool, make, |number, _, run| {
            // SAFETY: every row of the result is written once, and the run lies elsewhere.
            unsafe { run.write(out.get().add(number * length), |item| item.index()) };
        });
        return;
    }
    let (place, scratch) = scratch.split_at_mut(place_bytes::<I>(length));
    for (row, to) in from.chunks(length).zip(to.chunks_mut(length)) {
        let out = Shared(to.as_mut_ptr());
        let place: *mut I = if place.is_empty() {
            out.get().cast()
        } else {
            place.as_mut_ptr().cast()
        };
        // SAFETY: the place has room for the items, is the row's alone, and if it is that of the
        // result, then items are as large as indices.
        unsafe {
            buckets::sort(
                length,
                |index| make(row[index], index),
                place,
                scratch,
                wanted,
                pool,
                |first, run: Run<I>| run.write(out.get().add(first), |item| item.index()),
            );
        }
    }
}

/// Sorts rows that fit into the cache, each on one thread.
fn short_rows<T: Element, I: Item>(
    from: &[T],
    length: usize,
    wanted: &Wanted<'_>,
    pool: Option<&ThreadPool>,
    make: impl Fn(T, usize) -> I + Sync,
    finish: impl Fn(usize, &[T], Run<I>) + Sync,
) {
    let rows = from.len() / length;
    let batch = (BATCH / length).max(1);
    let state = || (Vec::with_capacity(length), Vec::with_capacity(length));
    share_out(
        pool,
        rows.div_ceil(batch),
        state,
        |(items, scratch), part| {
            for number in part * batch..rows.min((part + 1) * batch) {
                let row = &from[number * length..(number + 1) * length];
                items.clear();
                items.extend(row.iter().enumerate().map(|(index, &one)| make(one, index)));
                if let Wanted::Places(places) = wanted {
                    select(items, places);
                    finish(number, row, Run::new(items));
                    continue;
                }
                if scratch.is_empty() {
                    scratch.extend_from_slice(items);
                }
                finish(number, row, Run::new(radix::sort(items, scratch)));
            }
        },
    );
}

/// Puts the right items at these places, which ascend.
fn select<I: Item>(items: &mut [I], places: &[usize]) {
    let mut first = 0;
    for &place in places {
        if place < first {
            continue;
        }
        items[first..].select_nth_unstable_by_key(place - first, |item| (item.rank(), item.tie()));
        first = place + 1;
    }
}

fn is_sorted<T: Element, const D: bool>(row: &[T]) -> bool {
    row.is_sorted_by_key(|element| element.plain::<D>().rank())
}

/// Zeros of both signs are equal: puts them in the order they came in.
fn keep_zeros<T: Element, const D: bool>(from: &[T], sorted: &mut [T]) {
    let Some(zeros) = T::ZEROS else { return };
    let [a, b] = zeros.map(|zero| zero.plain::<D>().rank());
    let (low, high) = (a.min(b), a.max(b));
    let first = sorted.partition_point(|element| element.plain::<D>().rank() < low);
    let count = sorted[first..].partition_point(|element| element.plain::<D>().rank() <= high);
    let zeros = &mut sorted[first..first + count];
    let both = |zeros: &[T]| {
        let (start, end) = (
            zeros[0].plain::<D>().rank(),
            zeros[count - 1].plain::<D>().rank(),
        );
        start != end
    };
    if count < 2 || !both(zeros) {
        return;
    }
    let is_zero = |element: &&T| (low..=high).contains(&element.plain::<D>().rank());
    for (to, zero) in zeros.iter_mut().zip(from.iter().filter(is_zero)) {
        *to = *zero;
    }
}
