//! Sorting a run that fits into the cache, by the bytes of its ranks.
//!
//! Only the highest bits in which ranks differ are looked at, as many as it takes to tell most
//! of the items apart; what is left in disorder is put right by insertion. Clustered ranks, for
//! which that would take long, are sorted by comparison instead.

use crate::items::{Item, as_words};
use crate::vectors;

/// Runs up to this long are sorted by comparison.
const SHORT: usize = 160;
/// Runs up to this long are sorted by insertion.
const SHORTEST: usize = 16;
/// Bytes of a rank that are ever looked at.
const MOST_PASSES: usize = 4;
/// Moves for each item that insertion may take before comparison is tried.
const PATIENCE: usize = 8;

/// Sorts `items`, using `scratch` of the same length, and says which of the two has the result.
pub(crate) fn sort<'a, I: Item>(items: &'a mut [I], scratch: &'a mut [I]) -> &'a mut [I] {
    let count = items.len();
    if I::IS_WORD && count > SHORTEST && vectors::available() {
        vectors::sort(as_words(items), as_words(scratch));
        return items;
    }
    if count <= SHORT {
        sort_short(items);
        return items;
    }
    let (mut all, mut any) = (u64::MAX, 0);
    for item in items.iter() {
        let word = item.word();
        all &= word;
        any |= word;
    }
    let varying = all ^ any;
    if varying == 0 {
        if !I::EXACT {
            sort_by_comparison(items);
        }
        return items;
    }
    let (low, high) = (varying.trailing_zeros(), 64 - varying.leading_zeros());
    // A few bits more than would tell evenly spread ranks apart.
    let bits = count.ilog2() + 5;
    let passes = (bits.min(high - low).div_ceil(8) as usize).min(MOST_PASSES);
    let shift = low.max(high.saturating_sub(8 * passes as u32));
    let exact = I::EXACT && shift == low;

    let mut counts = [[0_u32; 256]; MOST_PASSES];
    for item in items.iter() {
        let window = item.word() >> shift;
        for (pass, counts) in counts[..passes].iter_mut().enumerate() {
            counts[(window >> (8 * pass) & 255) as usize] += 1;
        }
    }
    let (mut from, mut to) = (items, scratch);
    for (pass, counts) in counts[..passes].iter_mut().enumerate() {
        let digit = |item: &I| (item.word() >> shift >> (8 * pass) & 255) as usize;
        if counts[digit(&from[0])] as usize == count {
            continue;
        }
        let mut start = 0;
        for one in counts.iter_mut() {
            (*one, start) = (start, start + *one);
        }
        for item in from.iter() {
            let place = &mut counts[digit(item)];
            // SAFETY: the places of a digit are as many as there are items with it, and all of
            // them together are as many as `to` has.
            unsafe { *to.get_unchecked_mut(*place as usize) = *item };
            *place += 1;
        }
        std::mem::swap(&mut from, &mut to);
    }
    if !exact {
        put_right(from);
    }
    from
}

/// Sorts items that are nearly sorted.
fn put_right<I: Item>(items: &mut [I]) {
    let mut patience = PATIENCE * items.len();
    for index in 1..items.len() {
        patience = patience.saturating_sub(insert(items, index));
        if patience == 0 {
            return sort_by_comparison(items);
        }
    }
}

/// Sorts a short run.
fn sort_short<I: Item>(items: &mut [I]) {
    if items.len() > SHORTEST {
        return items.sort_by_key(Item::rank);
    }
    for index in 1..items.len() {
        insert(items, index);
    }
}

/// Moves an item back to its place among those before it, and says how far that was.
#[inline(always)]
fn insert<I: Item>(items: &mut [I], index: usize) -> usize {
    let item = items[index];
    let rank = item.rank();
    let mut place = index;
    while place > 0 && rank < items[place - 1].rank() {
        items[place] = items[place - 1];
        place -= 1;
    }
    items[place] = item;
    index - place
}

/// Sorts a run by comparison.
pub(crate) fn sort_by_comparison<I: Item>(items: &mut [I]) {
    if I::EXACT {
        // Items of equal rank are the same, or know where they stood.
        items.sort_unstable_by_key(|item| (item.rank(), item.tie()));
    } else {
        items.sort_by_key(Item::rank);
    }
}
