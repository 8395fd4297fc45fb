//! The generator behind `numpy.random`'s functions, made for many numbers at a time.
//!
//! Matsumoto and Nishimura, "Mersenne Twister: a 623-dimensionally equidistributed uniform pseudo-random
//! number generator" (1998), in its version MT19937. The numbers are those that NumPy makes one by one; here a
//! whole state is turned over at a time, in loops that compilers vectorise.

use std::mem::MaybeUninit;

/// Words of a state.
pub const WORDS: usize = 624;
/// How far apart the words are that are combined.
const DISTANCE: usize = 397;
const REST: usize = WORDS - DISTANCE;
const UPPER: u32 = 0x8000_0000;
const MATRIX: u32 = 0x9908_b0df;

/// Where a generator stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MersenneTwister {
    /// The words.
    pub key: [u32; WORDS],
    /// How many of them were used.
    pub position: usize,
}

/// The words of a state, tempered, behind one that may be left of the state before.
type Tempered = [u32; WORDS + 1];

impl MersenneTwister {
    /// Fills memory with numbers from 0 to below 1, each a multiple of 2^-53 made of two words.
    pub fn fill(&mut self, memory: &mut [MaybeUninit<f64>]) {
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { fill_wide(self, memory) };
        }
        fill(self, memory);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn fill_wide(state: &mut MersenneTwister, memory: &mut [MaybeUninit<f64>]) {
    fill(state, memory);
}

#[inline(always)]
fn fill(state: &mut MersenneTwister, memory: &mut [MaybeUninit<f64>]) {
    let mut words: Tempered = [0; WORDS + 1];
    temper(&state.key, &mut words);
    let mut rest = memory;
    while !rest.is_empty() {
        // A number whose words are in two states finds the first one before the others.
        let mut first = state.position + 1;
        if state.position >= WORDS - 1 {
            let left = words[WORDS];
            turn_over(&mut state.key);
            temper(&state.key, &mut words);
            words[0] = left;
            first = state.position + 1 - WORDS;
        }
        let count = rest.len().min((WORDS + 1 - first) / 2);
        let (now, later) = rest.split_at_mut(count);
        let used = &words[first..first + 2 * count];
        for (number, pair) in now.iter_mut().zip(used.chunks_exact(2)) {
            number.write(number_of(pair[0], pair[1]));
        }
        state.position = first + 2 * count - 1;
        rest = later;
    }
}

/// 27 bits of one word and 26 of another.
#[inline(always)]
fn number_of(a: u32, b: u32) -> f64 {
    // As signed numbers, which processors convert at once.
    let (high, low) = ((a >> 5) as i32, (b >> 6) as i32);
    (f64::from(high) * 67_108_864.0 + f64::from(low)) * (1.0 / 9_007_199_254_740_992.0)
}

#[inline(always)]
fn temper(key: &[u32; WORDS], words: &mut Tempered) {
    for (word, &key) in words[1..].iter_mut().zip(key) {
        let mut y = key;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        *word = y ^ (y >> 18);
    }
}

#[inline(always)]
fn twisted(upper: u32, lower: u32, far: u32) -> u32 {
    let y = (upper & UPPER) | (lower & !UPPER);
    far ^ (y >> 1) ^ ((y & 1).wrapping_neg() & MATRIX)
}

/// The next state. Words depend on new ones that lie `REST` before them, so there are stretches of that
/// length in which none depends on another.
#[inline(always)]
fn turn_over(key: &mut [u32; WORDS]) {
    let old = *key;
    let (new, later) = key.split_at_mut(REST);
    for i in 0..REST {
        new[i] = twisted(old[i], old[i + 1], old[i + DISTANCE]);
    }
    let (middle, end) = later.split_at_mut(REST);
    let behind = &old[REST..];
    for i in 0..REST {
        middle[i] = twisted(behind[i], behind[i + 1], new[i]);
    }
    let behind = &old[2 * REST..];
    let last = end.len() - 1;
    for i in 0..last {
        end[i] = twisted(behind[i], behind[i + 1], middle[i]);
    }
    end[last] = twisted(behind[last], new[0], middle[last]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As it is written in the paper, word by word; the state of a seed as its authors' program makes it.
    struct Plain {
        key: Vec<u32>,
        position: usize,
    }

    impl Plain {
        fn new(seed: u32) -> Plain {
            let mut key = vec![seed];
            for i in 1..WORDS as u32 {
                let before = key[i as usize - 1];
                let mixed = (before ^ (before >> 30)).wrapping_mul(1_812_433_253);
                key.push(mixed.wrapping_add(i));
            }
            Plain {
                key,
                position: WORDS,
            }
        }

        fn word(&mut self) -> u32 {
            if self.position == WORDS {
                for i in 0..WORDS {
                    let (next, far) = ((i + 1) % WORDS, (i + DISTANCE) % WORDS);
                    let y = (self.key[i] & UPPER) | (self.key[next] & !UPPER);
                    let odd = if y & 1 == 1 { MATRIX } else { 0 };
                    self.key[i] = self.key[far] ^ (y >> 1) ^ odd;
                }
                self.position = 0;
            }
            let mut y = self.key[self.position];
            self.position += 1;
            y ^= y >> 11;
            y ^= (y << 7) & 0x9d2c_5680;
            y ^= (y << 15) & 0xefc6_0000;
            y ^ (y >> 18)
        }

        fn number(&mut self) -> f64 {
            let (a, b) = (self.word() >> 5, self.word() >> 6);
            (f64::from(a) * 67_108_864.0 + f64::from(b)) / 9_007_199_254_740_992.0
        }
    }

    #[test]
    fn numbers_are_those_of_the_plain_generator() {
        // Of the authors' program: the 10000th word of the usual seed.
        let mut plain = Plain::new(5489);
        let last = (0..10_000).map(|_| plain.word()).last();
        assert_eq!(last, Some(4_123_659_995));
        for skipped in [0, 1, 2, 7, 622, 623, 624, 625] {
            let mut plain = Plain::new(42);
            for _ in 0..skipped {
                plain.word();
            }
            let mut state = MersenneTwister {
                key: plain.key[..].try_into().expect("as many words"),
                position: plain.position,
            };
            for count in [0, 1, 2, 310, 311, 312, 313, 1, 623, 624, 5000] {
                let mut memory = vec![MaybeUninit::new(-1.0); count];
                state.fill(&mut memory);
                for number in memory {
                    // SAFETY: it was a number from the beginning.
                    assert_eq!(unsafe { number.assume_init() }, plain.number());
                }
                assert_eq!(state.key[..], plain.key[..]);
                assert_eq!(state.position, plain.position);
            }
        }
    }
}
