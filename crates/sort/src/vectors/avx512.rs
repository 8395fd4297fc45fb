//! The vectors of AVX-512, and the algorithms over them.
//!
//! A part is split around a pivot, a vector at a time: the words below it go to one place, the
//! others to another. Parts of a few vectors are sorted in registers, by a bitonic network. All
//! that is generic is inlined into the few functions that are compiled for the processor.

use super::Word;
use std::arch::x86_64::*;

/// Vectors that are sorted in registers.
const REGISTERS: usize = 16;
/// Pivots of parts from this length on are chosen among more words.
const LONG: usize = 2048;
const SAMPLES: usize = 31;
const FEW_SAMPLES: usize = 9;

/// A vector of words. The functions are inlined into those that are compiled for AVX-512;
/// all of them need it.
trait Vector: Copy {
    type Word: Word;
    const LANES: usize;
    /// Greater than or equal to every word.
    const GREATEST: Self::Word;

    unsafe fn load(from: *const Self::Word) -> Self;
    /// The first `count` lanes from memory, the greatest word in the others.
    unsafe fn load_first(from: *const Self::Word, count: usize) -> Self;
    unsafe fn store(self, to: *mut Self::Word);
    unsafe fn store_first(self, to: *mut Self::Word, count: usize);
    unsafe fn splat(word: Self::Word) -> Self;
    /// Which lanes are less than those of `other`.
    unsafe fn below(self, other: Self) -> u32;
    /// The lanes that are chosen, together at the front.
    unsafe fn compress(self, chosen: u32) -> Self;
    unsafe fn lesser(self, other: Self) -> Self;
    unsafe fn greater(self, other: Self) -> Self;
    /// Lane `i` is the one of number `i ^ distance`.
    unsafe fn exchanged(self, distance: usize) -> Self;
    /// The greater lanes of both where they are chosen, the lesser elsewhere.
    unsafe fn ordered(self, other: Self, chosen: u32) -> Self;
    /// The word after this one, if there is one.
    fn next(word: Self::Word) -> Option<Self::Word>;
}

macro_rules! vector {
    ($name:ident, $exchanges:ident, $word:ty, $signed:ty, $mask:ty, $lanes:literal,
     $load:ident, $load_masked:ident, $store:ident, $store_masked:ident, $splat:ident,
     $below:ident, $compress:ident, $min:ident, $max:ident, $permute:ident, $min_where:ident) => {
        #[derive(Clone, Copy)]
        struct $name(__m512i);

        /// The numbers of lanes, exchanged at each distance.
        static $exchanges: [[$word; $lanes]; $lanes] = {
            let mut lanes = [[0; $lanes]; $lanes];
            let mut distance = 0;
            while distance < $lanes {
                let mut lane = 0;
                while lane < $lanes {
                    lanes[distance][lane] = (lane ^ distance) as $word;
                    lane += 1;
                }
                distance += 1;
            }
            lanes
        };

        // SAFETY of all: the caller has AVX-512F, and the memory that it names.
        impl Vector for $name {
            type Word = $word;
            const LANES: usize = $lanes;
            const GREATEST: $word = <$word>::MAX;

            #[inline(always)]
            unsafe fn load(from: *const $word) -> Self {
                // SAFETY: as above.
                unsafe { Self($load(from.cast())) }
            }

            #[inline(always)]
            unsafe fn load_first(from: *const $word, count: usize) -> Self {
                // SAFETY: as above; lanes that are not chosen are not read.
                unsafe {
                    let others = $splat(Self::GREATEST as $signed);
                    Self($load_masked(
                        others,
                        first::<$lanes>(count) as $mask,
                        from.cast(),
                    ))
                }
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut $word) {
                // SAFETY: as above.
                unsafe { $store(to.cast(), self.0) }
            }

            #[inline(always)]
            unsafe fn store_first(self, to: *mut $word, count: usize) {
                // SAFETY: as above; lanes that are not chosen are not written.
                unsafe { $store_masked(to.cast(), first::<$lanes>(count) as $mask, self.0) }
            }

            #[inline(always)]
            unsafe fn splat(word: $word) -> Self {
                // SAFETY: as above.
                unsafe { Self($splat(word as $signed)) }
            }

            #[inline(always)]
            unsafe fn below(self, other: Self) -> u32 {
                // SAFETY: as above.
                unsafe { u32::from($below(self.0, other.0)) }
            }

            #[inline(always)]
            unsafe fn compress(self, chosen: u32) -> Self {
                // SAFETY: as above.
                unsafe { Self($compress(chosen as $mask, self.0)) }
            }

            #[inline(always)]
            unsafe fn lesser(self, other: Self) -> Self {
                // SAFETY: as above.
                unsafe { Self($min(self.0, other.0)) }
            }

            #[inline(always)]
            unsafe fn greater(self, other: Self) -> Self {
                // SAFETY: as above.
                unsafe { Self($max(self.0, other.0)) }
            }

            #[inline(always)]
            unsafe fn exchanged(self, distance: usize) -> Self {
                // SAFETY: as above; a row of the table is as long as a vector.
                unsafe {
                    Self($permute(
                        $load($exchanges[distance].as_ptr().cast()),
                        self.0,
                    ))
                }
            }

            #[inline(always)]
            unsafe fn ordered(self, other: Self, chosen: u32) -> Self {
                // SAFETY: as above.
                unsafe {
                    let greater = $max(self.0, other.0);
                    Self($min_where(greater, !chosen as $mask, self.0, other.0))
                }
            }

            #[inline(always)]
            fn next(word: $word) -> Option<$word> {
                word.checked_add(1)
            }
        }

        impl Word for $word {
            unsafe fn sort_with_avx512(
                here: *mut $word,
                there: *mut $word,
                count: usize,
                depth: u32,
            ) {
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
                unsafe fn compiled(
                    here: *mut $word,
                    there: *mut $word,
                    count: usize,
                    depth: u32,
                    home: bool,
                ) {
                    // SAFETY: as the caller promises.
                    unsafe { sort_part::<$name>(here, there, count, depth, home, compiled) }
                }
                // SAFETY: as the caller promises; processors with AVX-512 have the others.
                unsafe { compiled(here, there, count, depth, true) }
            }

            unsafe fn split_with_avx512(
                here: *mut $word,
                there: *mut $word,
                count: usize,
                splitters: &[$word],
                counts: &mut [usize],
            ) {
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
                unsafe fn compiled(
                    here: *mut $word,
                    there: *mut $word,
                    count: usize,
                    splitters: &[$word],
                    counts: &mut [usize],
                    home: bool,
                ) {
                    // SAFETY: as the caller promises.
                    unsafe {
                        split_part::<$name>(here, there, count, splitters, counts, home, compiled)
                    }
                }
                // SAFETY: as above.
                unsafe { compiled(here, there, count, splitters, counts, true) }
            }
        }
    };
}

vector!(
    Words64,
    EXCHANGES64,
    u64,
    i64,
    __mmask8,
    8,
    _mm512_loadu_epi64,
    _mm512_mask_loadu_epi64,
    _mm512_storeu_epi64,
    _mm512_mask_storeu_epi64,
    _mm512_set1_epi64,
    _mm512_cmplt_epu64_mask,
    _mm512_maskz_compress_epi64,
    _mm512_min_epu64,
    _mm512_max_epu64,
    _mm512_permutexvar_epi64,
    _mm512_mask_min_epu64
);
vector!(
    Words32,
    EXCHANGES32,
    u32,
    i32,
    __mmask16,
    16,
    _mm512_loadu_epi32,
    _mm512_mask_loadu_epi32,
    _mm512_storeu_epi32,
    _mm512_mask_storeu_epi32,
    _mm512_set1_epi32,
    _mm512_cmplt_epu32_mask,
    _mm512_maskz_compress_epi32,
    _mm512_min_epu32,
    _mm512_max_epu32,
    _mm512_permutexvar_epi32,
    _mm512_mask_min_epu32
);

/// The mask of the first `count` of so many lanes.
#[inline(always)]
fn first<const LANES: usize>(count: usize) -> u32 {
    (1_u32 << count.min(LANES)) - 1
}

type Sort<W> = unsafe fn(*mut W, *mut W, usize, u32, bool);

/// Sorts `count` words at `here`; they end there if that is their `home`, else at `there`.
/// After `depth` splits in a row what is left is sorted by comparison. `again` is this very
/// function, compiled for the processor.
#[inline(always)]
unsafe fn sort_part<V: Vector>(
    mut here: *mut V::Word,
    mut there: *mut V::Word,
    mut count: usize,
    mut depth: u32,
    mut home: bool,
    again: Sort<V::Word>,
) {
    // SAFETY: parts lie within the words that the caller has given, at both places.
    unsafe {
        while count > REGISTERS * V::LANES {
            let words = std::slice::from_raw_parts_mut(here, count);
            if depth == 0 {
                words.sort_unstable();
                break;
            }
            depth -= 1;
            let pivot = pivot::<V>(here, count);
            // What is less goes to the front of its home, the rest to the front of the other
            // place. So both have room for the other at the end of the place they are not at.
            let (low, high) = if home { (here, there) } else { (there, here) };
            let mut less = split_at::<V>(here, low, high, count, pivot);
            (here, there, home) = (high, low, false);
            if less > 0 {
                again(low, high.add(count - less), less, depth, true);
            } else {
                // Nothing is less than the pivot, so that it and its equals come first.
                let Some(next) = V::next(pivot) else { break };
                less = split_at::<V>(here, low, high, count, next);
            }
            there = low.add(less);
            count -= less;
        }
        if count > REGISTERS * V::LANES {
            if !home {
                std::ptr::copy_nonoverlapping(here, there, count);
            }
            return;
        }
        let to = if home { here } else { there };
        match count.div_ceil(V::LANES) {
            0 => {}
            1 => sort_few::<V, 1>(here, to, count),
            2 => sort_few::<V, 2>(here, to, count),
            3..=4 => sort_few::<V, 4>(here, to, count),
            5..=8 => sort_few::<V, 8>(here, to, count),
            _ => sort_few::<V, REGISTERS>(here, to, count),
        }
    }
}

type Split<W> = unsafe fn(*mut W, *mut W, usize, &[W], &mut [usize], bool);

/// Splits `count` words at `here` at the splitters; they end there if that is their `home`,
/// else at `there`. `again` is this very function, compiled for the processor.
#[inline(always)]
unsafe fn split_part<V: Vector>(
    mut here: *mut V::Word,
    mut there: *mut V::Word,
    mut count: usize,
    mut splitters: &[V::Word],
    mut counts: &mut [usize],
    mut home: bool,
    again: Split<V::Word>,
) {
    // SAFETY: as in `sort_part`.
    unsafe {
        while !splitters.is_empty() {
            let middle = splitters.len() / 2;
            let (low, high) = if home { (here, there) } else { (there, here) };
            let less = split_at::<V>(here, low, high, count, splitters[middle]);
            let (below, above) = counts.split_at_mut(middle + 1);
            again(
                low,
                high.add(count - less),
                less,
                &splitters[..middle],
                below,
                true,
            );
            (here, there, home) = (high, low.add(less), false);
            (count, splitters, counts) = (count - less, &splitters[middle + 1..], above);
        }
        if !home {
            std::ptr::copy_nonoverlapping(here, there, count);
        }
    }
    counts[0] = count;
}

/// A word that about half of the others are less than.
#[inline(always)]
unsafe fn pivot<V: Vector>(words: *const V::Word, count: usize) -> V::Word {
    let samples = if count < LONG { FEW_SAMPLES } else { SAMPLES };
    let step = count / samples;
    let mut sample = [V::GREATEST; SAMPLES];
    // SAFETY: the last one is at less than `samples * step`.
    unsafe {
        for (number, one) in sample[..samples].iter_mut().enumerate() {
            // Not all at the same place of a period.
            *one = words.add(number * step + (number * 7) % step).read();
        }
        sort_few::<V, { REGISTERS / 4 }>(sample.as_ptr(), sample.as_mut_ptr(), samples);
    }
    sample[samples / 2]
}

/// Writes the words less than the pivot to `low` and the others to `high`, and says how many
/// are less. Either of the two may be `from`, since no more is written than was read.
#[inline(always)]
unsafe fn split_at<V: Vector>(
    from: *const V::Word,
    low: *mut V::Word,
    high: *mut V::Word,
    count: usize,
    pivot: V::Word,
) -> usize {
    // SAFETY: whole vectors are written, but none goes beyond as many words as were read.
    unsafe {
        let pivots = V::splat(pivot);
        let (mut less, mut read) = (0, 0);
        while count - read >= V::LANES {
            let words = V::load(from.add(read));
            let below = words.below(pivots);
            words.compress(below).store(low.add(less));
            words.compress(!below).store(high.add(read - less));
            less += below.count_ones() as usize;
            read += V::LANES;
        }
        let rest = count - read;
        if rest > 0 {
            let all = (1_u32 << rest) - 1;
            let words = V::load_first(from.add(read), rest);
            let below = words.below(pivots) & all;
            let more = below.count_ones() as usize;
            words.compress(below).store_first(low.add(less), more);
            words
                .compress(!below & all)
                .store_first(high.add(read - less), rest - more);
            less += more;
        }
        less
    }
}

/// Sorts the words of at most `N` vectors, in registers.
#[inline(always)]
unsafe fn sort_few<V: Vector, const N: usize>(
    from: *const V::Word,
    to: *mut V::Word,
    count: usize,
) {
    // SAFETY: `count` words are read and written.
    unsafe {
        // No closures here: they would be compiled for any processor.
        let mut vectors = [V::splat(V::GREATEST); N];
        for (number, vector) in vectors.iter_mut().enumerate() {
            let before = number * V::LANES;
            if before < count {
                *vector = V::load_first(from.add(before), count - before);
            }
        }
        for vector in &mut vectors {
            *vector = sort_lanes(*vector);
        }
        merge::<V, N, 2>(&mut vectors);
        merge::<V, N, 4>(&mut vectors);
        merge::<V, N, 8>(&mut vectors);
        merge::<V, N, 16>(&mut vectors);
        for (number, vector) in vectors.iter().enumerate() {
            let before = number * V::LANES;
            if before < count {
                vector.store_first(to.add(before), count - before);
            }
        }
    }
}

/// Orders lanes with those at a distance; the greater ones go where the number of the lane has
/// that bit.
#[inline(always)]
unsafe fn order_lanes<V: Vector, const DISTANCE: usize, const BIT: usize>(vector: V) -> V {
    const LANES_WITH: [u32; 9] = [0, 0xaaaa, 0xcccc, 0, 0xf0f0, 0, 0, 0, 0xff00];
    // SAFETY: as the caller has promised.
    unsafe { vector.ordered(vector.exchanged(DISTANCE), LANES_WITH[BIT]) }
}

/// Sorts the lanes. In each step the pieces double: the second half of a piece counted
/// backwards makes the whole rise and fall, which is then merged.
#[inline(always)]
unsafe fn sort_lanes<V: Vector>(vector: V) -> V {
    // SAFETY: as the caller has promised.
    unsafe {
        let vector = order_lanes::<V, 1, 1>(vector);
        let vector = merge_lanes::<V, 2>(order_lanes::<V, 3, 2>(vector));
        let vector = merge_lanes::<V, 4>(order_lanes::<V, 7, 4>(vector));
        if V::LANES == 8 {
            return vector;
        }
        merge_lanes::<V, 8>(order_lanes::<V, 15, 8>(vector))
    }
}

/// Sorts what rises and falls, in pieces of so many lanes.
#[inline(always)]
unsafe fn merge_lanes<V: Vector, const PIECE: usize>(mut vector: V) -> V {
    // SAFETY: as the caller has promised.
    unsafe {
        if PIECE > 8 {
            vector = order_lanes::<V, 8, 8>(vector);
        }
        if PIECE > 4 {
            vector = order_lanes::<V, 4, 4>(vector);
        }
        if PIECE > 2 {
            vector = order_lanes::<V, 2, 2>(vector);
        }
        order_lanes::<V, 1, 1>(vector)
    }
}

/// Sorts pieces of so many vectors, whose halves are sorted. All numbers are constants, so
/// that the vectors stay in registers.
#[inline(always)]
unsafe fn merge<V: Vector, const N: usize, const PIECE: usize>(vectors: &mut [V; N]) {
    if PIECE > N {
        return;
    }
    // SAFETY: as the caller has promised.
    unsafe {
        for number in 0..N {
            let opposite = number ^ (PIECE - 1);
            if number < opposite {
                let (low, high) = (vectors[number], vectors[opposite].exchanged(V::LANES - 1));
                vectors[number] = low.lesser(high);
                vectors[opposite] = low.greater(high);
            }
        }
        if PIECE > 8 {
            order_at::<V, N, 4>(vectors);
        }
        if PIECE > 4 {
            order_at::<V, N, 2>(vectors);
        }
        if PIECE > 2 {
            order_at::<V, N, 1>(vectors);
        }
        for vector in vectors {
            *vector = match V::LANES {
                8 => merge_lanes::<V, 8>(*vector),
                _ => merge_lanes::<V, 16>(*vector),
            };
        }
    }
}

/// Orders vectors with those at a distance.
#[inline(always)]
unsafe fn order_at<V: Vector, const N: usize, const DISTANCE: usize>(vectors: &mut [V; N]) {
    for number in 0..N {
        let other = number ^ DISTANCE;
        if number < other {
            let (low, high) = (vectors[number], vectors[other]);
            // SAFETY: as the caller has promised.
            unsafe {
                vectors[number] = low.lesser(high);
                vectors[other] = low.greater(high);
            }
        }
    }
}
