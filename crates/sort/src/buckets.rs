//! Sorting a long row: split by sampled splitters into buckets, sort the buckets.
//!
//! Splitting is stable, since every chunk of the row writes to places of its own. Ranks that are
//! frequent become splitters, and a splitter's own items form a bucket that need not be sorted.

use crate::items::Item;
use crate::radix;
use crate::words;
use rayon::ThreadPool;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows from this length on are worth splitting.
pub(crate) const LONG: usize = 1 << 16;
/// Items of a bucket, about: two runs of them fit into a core's own cache.
const BUCKET: usize = 1 << 15;
const MOST_SPLITTERS: usize = 511;
/// Splitters if most buckets are not sorted, so that finding an item's bucket is most of the work.
const FEW_SPLITTERS: usize = 31;
const SAMPLES_A_SPLITTER: usize = 16;
/// Items of a chunk, at least.
const CHUNK: usize = 1 << 15;
/// Items that are looked up at the same time.
const ABREAST: usize = 8;

/// Which places of the result have to be right.
pub(crate) enum Wanted<'a> {
    /// All.
    All,
    /// These, ascending; whatever is less comes before, whatever is greater comes after.
    Places(&'a [usize]),
}

impl Wanted<'_> {
    /// Whether a run from `first` on that ends before `end` has to be sorted.
    pub(crate) fn touches(&self, first: usize, end: usize) -> bool {
        match self {
            Wanted::All => true,
            Wanted::Places(places) => {
                let next = places.partition_point(|&place| place < first);
                places.get(next).is_some_and(|&place| place < end)
            }
        }
    }
}

/// A pointer that several threads may use, each its own part.
pub(crate) struct Shared<T>(pub(crate) *mut T);

// SAFETY: whoever uses the pointer sees to it that parts are apart.
unsafe impl<T> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Shared<T> {}

impl<T> Shared<T> {
    /// The pointer; as a method, so that closures capture the whole.
    pub(crate) fn get(self) -> *mut T {
        self.0
    }
}

/// Calls `run` for all numbers below `count`, on all threads of the pool. Each thread has a
/// state of its own.
pub(crate) fn share_out<S>(
    pool: Option<&ThreadPool>,
    count: usize,
    state: impl Fn() -> S + Sync,
    run: impl Fn(&mut S, usize) + Sync,
) {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut state = state();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            run(&mut state, number);
        }
    };
    match pool {
        Some(pool) if count > 1 => pool.in_place_scope(|scope| {
            for _ in 0..pool.current_num_threads().min(count) {
                scope.spawn(|_| work());
            }
        }),
        _ => work(),
    }
}

/// Bytes of working memory for so many items.
pub(crate) fn scratch_bytes<I: Item>(count: usize) -> usize {
    let number = size_of::<u16>();
    count
        * if words::are_sorted_here::<I>() {
            number.max(size_of::<I>())
        } else {
            number
        }
}

/// Sorts the items that `make` gives for the numbers below `count`. `scratch` is working memory of
/// [`scratch_bytes`], aligned to 16. `finish` is called with the first place of a run and the run
/// itself, from several threads; together the runs are the result.
///
/// # Safety
/// `place` has `count` elements. Nobody else uses them, except that `finish` may write to those
/// at the places of its run, as it reads the run in order: the run may lie there.
pub(crate) unsafe fn sort<I: Item>(
    count: usize,
    make: impl Fn(usize) -> I + Sync,
    place: *mut I,
    scratch: &mut [u8],
    wanted: &Wanted<'_>,
    pool: Option<&ThreadPool>,
    finish: impl Fn(usize, Run<I>) + Sync,
) {
    assert!(
        scratch.len() >= scratch_bytes::<I>(count) && scratch.as_ptr().addr().is_multiple_of(16)
    );
    if matches!(wanted, Wanted::All) && words::are_sorted_here::<I>() {
        // SAFETY: there is room for as many items, and any bytes are words.
        return unsafe {
            words::sort(
                count,
                make,
                place,
                scratch.as_mut_ptr().cast(),
                pool,
                finish,
            )
        };
    }
    // SAFETY: aligned, and long enough.
    let numbers =
        unsafe { std::slice::from_raw_parts_mut(scratch.as_mut_ptr().cast::<u16>(), count) };
    let most = match wanted {
        Wanted::All => MOST_SPLITTERS,
        Wanted::Places(places) => (places.len() * FEW_SPLITTERS).min(MOST_SPLITTERS),
    };
    let splitters = Splitters::sample(count, most, &make);
    let buckets = 2 * splitters.ranks.len() + 1;
    let threads = pool.map_or(1, ThreadPool::current_num_threads);
    let chunk = count.div_ceil(4 * threads).max(CHUNK);
    let chunks = count.div_ceil(chunk);
    let mut starts = vec![0_usize; chunks * buckets];

    let of_item = Shared(numbers.as_mut_ptr());
    let of_chunk = Shared(starts.as_mut_ptr());
    share_out(
        pool,
        chunks,
        || (),
        |_, number| {
            let items = number * chunk..count.min((number + 1) * chunk);
            // SAFETY: every chunk has its own part of both.
            let (numbers, counts) = unsafe {
                (
                    std::slice::from_raw_parts_mut(of_item.get().add(items.start), items.len()),
                    std::slice::from_raw_parts_mut(of_chunk.get().add(number * buckets), buckets),
                )
            };
            splitters.classify(|index| make(items.start + index).rank(), numbers, counts);
        },
    );

    // Counts become places: bucket by bucket, and in a bucket chunk by chunk.
    let mut bounds = Vec::with_capacity(buckets + 1);
    let mut next = 0;
    for bucket in 0..buckets {
        bounds.push(next);
        for number in 0..chunks {
            let start = &mut starts[number * buckets + bucket];
            (*start, next) = (next, next + *start);
        }
    }
    bounds.push(next);

    let to = Shared(place);
    let of_chunk = Shared(starts.as_mut_ptr());
    let numbers = &*numbers;
    share_out(
        pool,
        chunks,
        || (),
        |_, number| {
            let items = number * chunk..count.min((number + 1) * chunk);
            // SAFETY: every chunk has its own part.
            let starts = unsafe {
                std::slice::from_raw_parts_mut(of_chunk.get().add(number * buckets), buckets)
            };
            for index in items {
                let start = &mut starts[usize::from(numbers[index])];
                // SAFETY: a place that was counted for this very item.
                unsafe { to.get().add(*start).write(make(index)) };
                *start += 1;
            }
        },
    );

    share_out(pool, buckets, Vec::new, |scratch: &mut Vec<I>, bucket| {
        let (first, end) = (bounds[bucket], bounds[bucket + 1]);
        if first == end {
            return;
        }
        // SAFETY: every bucket has its own part, which has been written.
        let items = unsafe { std::slice::from_raw_parts_mut(to.get().add(first), end - first) };
        // Buckets with odd numbers have items of one rank.
        let sorted = if bucket % 2 == 1 || !wanted.touches(first, end) {
            items
        } else {
            sort_bucket(items, scratch)
        };
        finish(first, Run(sorted.as_ptr(), end - first));
    });
}

/// Sorted items.
pub(crate) struct Run<I>(*const I, usize);

impl<I: Copy> Run<I> {
    /// The items of a slice.
    pub(crate) fn new(items: &[I]) -> Run<I> {
        Run(items.as_ptr(), items.len())
    }

    /// Writes what becomes of each item from `to` on, in order.
    ///
    /// # Safety
    /// `to` has room for them. It may be where the run is, if elements are as large as items.
    pub(crate) unsafe fn write<T>(&self, to: *mut T, convert: impl Fn(I) -> T) {
        for index in 0..self.1 {
            // SAFETY: within the run, and within `to`.
            unsafe { to.add(index).write(convert(self.0.add(index).read())) };
        }
    }
}

fn sort_bucket<'a, I: Item>(items: &'a mut [I], scratch: &'a mut Vec<I>) -> &'a mut [I] {
    if scratch.len() < items.len() {
        let more = items.len() - scratch.len();
        if scratch.try_reserve(more).is_err() {
            radix::sort_by_comparison(items);
            return items;
        }
        // The items are as good as any others to fill it with.
        scratch.extend_from_slice(&items[..more]);
    }
    let count = items.len();
    radix::sort(items, &mut scratch[..count])
}

/// So many of the numbers below `count`, one from each of as many equal parts, so that no part is
/// missed.
pub(crate) fn sample_places(count: usize, samples: usize) -> impl Iterator<Item = usize> {
    let part = count / samples;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ count as u64;
    (0..samples).map(move |number| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        number * part + (state >> 33) as usize % part
    })
}

/// What tells the buckets apart.
struct Splitters<R> {
    /// Ascending, and all different.
    ranks: Vec<R>,
    /// The same as a complete binary tree from element 1 on, children after parents.
    tree: Vec<R>,
    depth: u32,
}

impl<R: Copy + Ord> Splitters<R> {
    /// About as many as make buckets of a good size, and at most so many, of all items.
    fn sample<I: Item<Rank = R>>(
        count: usize,
        most: usize,
        make: impl Fn(usize) -> I,
    ) -> Splitters<R> {
        let wanted = (count / BUCKET).next_power_of_two().clamp(8, most + 1) - 1;
        let samples = wanted * SAMPLES_A_SPLITTER;
        let mut sample: Vec<R> = sample_places(count, samples)
            .map(|index| make(index).rank())
            .collect();
        sample.sort_unstable();
        let mut ranks: Vec<R> = (1..=wanted)
            .map(|number| sample[number * samples / (wanted + 1)])
            .collect();
        ranks.dedup();
        let depth = (ranks.len() + 1).next_power_of_two().ilog2();
        let mut tree = vec![ranks[0]; 1 << depth];
        fill_tree(&mut tree, 1, &mut 0, &ranks);
        Splitters { ranks, tree, depth }
    }

    /// Writes the bucket of each rank, and counts them: `2 n` for ranks with n splitters below
    /// them, and one more if the next splitter is the rank itself.
    fn classify(&self, rank: impl Fn(usize) -> R, numbers: &mut [u16], counts: &mut [usize]) {
        let leaves = 1_usize << self.depth;
        let most = self.ranks.len();
        for (group, numbers) in numbers.chunks_mut(ABREAST).enumerate() {
            let last = numbers.len() - 1;
            let ranks: [R; ABREAST] =
                std::array::from_fn(|lane| rank(group * ABREAST + lane.min(last)));
            let mut nodes = [1_usize; ABREAST];
            for _ in 0..self.depth {
                for (node, rank) in nodes.iter_mut().zip(&ranks) {
                    // SAFETY: before step d a node is below 2^(d + 1), and the tree has 2^depth.
                    let splitter = unsafe { self.tree.get_unchecked(*node) };
                    *node = 2 * *node + usize::from(splitter < rank);
                }
            }
            for ((number, node), rank) in numbers.iter_mut().zip(nodes).zip(&ranks) {
                // Splitters that were added to complete the tree are the greatest again.
                let below = (node - leaves).min(most);
                let equal = self.ranks.get(below) == Some(rank);
                let bucket = 2 * below + usize::from(equal);
                counts[bucket] += 1;
                *number = bucket as u16;
            }
        }
    }
}

/// Fills the tree in order; what is missing to make it complete is the greatest splitter.
fn fill_tree<R: Copy>(tree: &mut [R], node: usize, next: &mut usize, ranks: &[R]) {
    if node >= tree.len() {
        return;
    }
    fill_tree(tree, 2 * node, next, ranks);
    tree[node] = ranks[(*next).min(ranks.len() - 1)];
    *next += 1;
    fill_tree(tree, 2 * node + 1, next, ranks);
}
