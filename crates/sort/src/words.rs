//! Sorting a long row of words, where the processor sorts by vectors.
//!
//! Chunks that fit into a core's cache are split by sampled splitters, each on its own; what
//! belongs together is brought together; each of these parts is sorted. Splitting by vectors takes
//! about as long as copying, which is why chunks are not classified item by item as in `buckets`.

use crate::buckets::{Run, Shared, sample_places, share_out};
use crate::items::{Item, as_words};
use crate::vectors;
use rayon::ThreadPool;

/// Items of a chunk, about: it and its working memory fit into a core's own cache.
const CHUNK: usize = 1 << 15;
/// Items of a part, about, and how many parts there are at most.
const PART: usize = 1 << 17;
const MOST_PARTS: usize = 256;
const SAMPLES_A_PART: usize = 32;

/// Whether items are words that this processor sorts by vectors.
pub(crate) fn are_sorted_here<I: Item>() -> bool {
    I::IS_WORD && vectors::available()
}

/// Sorts the items that `make` gives for the numbers below `count`, as `buckets::sort` does.
///
/// # Safety
/// As there; and `scratch` has room for `count` items, too.
pub(crate) unsafe fn sort<I: Item>(
    count: usize,
    make: impl Fn(usize) -> I + Sync,
    place: *mut I,
    scratch: *mut I,
    pool: Option<&ThreadPool>,
    finish: impl Fn(usize, Run<I>) + Sync,
) {
    let threads = pool.map_or(1, ThreadPool::current_num_threads);
    let parts = (count / PART)
        .max(2 * threads)
        .next_power_of_two()
        .min(MOST_PARTS);
    let mut sample: Vec<I> = sample_places(count, parts * SAMPLES_A_PART)
        .map(&make)
        .collect();
    let sample = as_words(&mut sample);
    sample.sort_unstable();
    let mut splitters: Vec<I::Word> = (1..parts)
        .map(|part| sample[part * SAMPLES_A_PART])
        .collect();
    splitters.dedup();
    let parts = splitters.len() + 1;

    let chunks = count.div_ceil(CHUNK);
    let mut counts = vec![0_usize; chunks * parts];
    let (split, joined, of_chunk) = (Shared(scratch), Shared(place), Shared(counts.as_mut_ptr()));
    share_out(
        pool,
        chunks,
        || (),
        |_, number| {
            let (first, end) = (number * CHUNK, count.min((number + 1) * CHUNK));
            // SAFETY: every chunk has its own part of all three.
            let (items, other, counts) = unsafe {
                vectors::widely(|| {
                    for index in first..end {
                        split.get().add(index).write(make(index));
                    }
                });
                (
                    std::slice::from_raw_parts_mut(split.get().add(first), end - first),
                    std::slice::from_raw_parts_mut(joined.get().add(first), end - first),
                    std::slice::from_raw_parts_mut(of_chunk.get().add(number * parts), parts),
                )
            };
            vectors::split(as_words(items), as_words(other), &splitters, counts);
        },
    );

    // Where each part begins, and where the piece of each chunk goes in it.
    let mut bounds = Vec::with_capacity(parts + 1);
    let mut starts = Vec::with_capacity(chunks * parts);
    let mut next = 0;
    for part in 0..parts {
        bounds.push(next);
        for number in 0..chunks {
            starts.push(next);
            next += counts[number * parts + part];
        }
    }
    bounds.push(next);
    share_out(
        pool,
        chunks,
        || (),
        |_, number| {
            let mut from = number * CHUNK;
            for part in 0..parts {
                let pieces = counts[number * parts + part];
                // SAFETY: the pieces are those that were counted, and all have places of their own.
                unsafe {
                    let to = joined.get().add(starts[part * chunks + number]);
                    std::ptr::copy_nonoverlapping(split.get().add(from), to, pieces);
                }
                from += pieces;
            }
        },
    );

    share_out(
        pool,
        parts,
        || (),
        |_, part| {
            let (first, count) = (bounds[part], bounds[part + 1] - bounds[part]);
            // SAFETY: every part has its own place, and working memory of the same size.
            let (items, other) = unsafe {
                (
                    std::slice::from_raw_parts_mut(joined.get().add(first), count),
                    std::slice::from_raw_parts_mut(split.get().add(first), count),
                )
            };
            vectors::sort(as_words(items), as_words(other));
            vectors::widely(|| finish(first, Run::new(items)));
        },
    );
}
