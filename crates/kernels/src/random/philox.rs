//! Philox-4x32 with ten rounds: the source of all random bits.
//!
//! Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (2011). A keyed
//! bijection of 128-bit counters; whoever has key and counter has the number, so that items need to
//! know nothing of one another. The counter's words are the position of the draw in the stream (two
//! words), the number of the try at this position, and the stream's upper word.

use crate::formula::{Formula, Term};
use colocate_ir::DType;

const MULTIPLIERS: [i64; 2] = [0xd251_1f53, 0xcd9e_8d57];
const KEY_STEPS: [i64; 2] = [0x9e37_79b9, 0xbb67_ae85];
const LOW: i64 = 0xffff_ffff;

/// Where an item gets its bits from.
#[derive(Clone, Copy, Debug)]
pub struct Stream<'a> {
    key: [Term<'a>; 2],
    /// Counter word 3.
    high: Term<'a>,
    /// Counter words 0 and 1.
    position: Term<'a>,
}

impl<'a> Stream<'a> {
    /// The stream that the kernel's parameters name: three uint32 (the key, counter word 3) and a uint64,
    /// the position of the first item.
    pub fn parameters(formula: &'a Formula) -> Stream<'a> {
        let word = |name| formula.scalar(name, DType::UInt32).to(DType::UInt64);
        Stream {
            key: [word("key_0"), word("key_1")],
            high: word("high"),
            position: formula.scalar("position", DType::UInt64),
        }
    }

    /// The stream of a key (a uint64), at a position (a uint64).
    pub fn of_key(key: Term<'a>, position: Term<'a>) -> Stream<'a> {
        Stream {
            key: [key & LOW, key >> 32i64],
            high: key.formula().int(DType::UInt64, 0),
            position,
        }
    }

    /// From this many positions (an int64 or uint64) further on.
    pub fn at(self, distance: Term<'a>) -> Stream<'a> {
        let distance = distance.to(DType::UInt64);
        Stream {
            position: self.position + distance,
            ..self
        }
    }

    /// The bits of a try, numbered by a uint64: four uint64 whose low halves are the words. What the
    /// upper halves hold is not specified.
    pub fn words(&self, attempt: Term<'a>) -> [Term<'a>; 4] {
        let mut x = [self.position, self.position >> 32i64, attempt, self.high];
        let mut key = self.key;
        for round in 0..10 {
            if round > 0 {
                let step = |word: usize| (key[word] + KEY_STEPS[word]) & LOW;
                key = [step(0), step(1)];
            }
            let product = |word: usize, by: usize| (x[word] & LOW) * MULTIPLIERS[by];
            let (even, odd) = (product(0, 0), product(2, 1));
            x = [
                (odd >> 32i64) ^ x[1] ^ key[0],
                odd,
                (even >> 32i64) ^ x[3] ^ key[1],
                even,
            ];
        }
        x
    }

    /// The bits of a try as four uint32.
    pub fn singles(&self, attempt: Term<'a>) -> [Term<'a>; 4] {
        self.words(attempt).map(|word| word.to(DType::UInt32))
    }

    /// The bits of a try as two uint64.
    pub fn doubles(&self, attempt: Term<'a>) -> [Term<'a>; 2] {
        let [a, b, c, d] = self.words(attempt);
        [(a & LOW) | (b << 32i64), (c & LOW) | (d << 32i64)]
    }

    /// The first try.
    pub fn first(&self) -> Term<'a> {
        self.position.formula().int(DType::UInt64, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::interpret::{self, Argument, ArrayView, Memory, Scalar};

    /// The four words for a key and a counter.
    fn block(key: [u32; 2], counter: [u32; 4]) -> [u32; 4] {
        let formula = Formula::region("philox", 1);
        {
            let out = formula.array("out", DType::UInt32, 1);
            let attempt = formula.scalar("attempt", DType::UInt64);
            let stream = Stream::parameters(&formula);
            for (place, word) in stream.singles(attempt).into_iter().enumerate() {
                formula.store(out, &[formula.int(DType::Int64, place as i128)], word);
            }
        }
        let mut memory = Memory { bytes: vec![0; 16] };
        let word = |word: u32| Argument::Scalar(Scalar::wrapped(DType::UInt32, word.into()));
        let long = |low: u32, high: u32| {
            let both = u64::from(low) | u64::from(high) << 32;
            Argument::Scalar(Scalar::wrapped(DType::UInt64, both.into()))
        };
        let arguments = [
            Argument::Array(ArrayView::contiguous(DType::UInt32, 0, &[4])),
            long(counter[2], 0),
            word(key[0]),
            word(key[1]),
            word(counter[3]),
            long(counter[0], counter[1]),
        ];
        interpret::run(&formula.finish(), &mut memory, &arguments, [1; 3], None).unwrap();
        let mut words = memory.bytes.chunks_exact(4);
        std::array::from_fn(|_| {
            let bytes = words.next().expect("four words");
            u32::from_le_bytes(bytes.try_into().expect("four bytes"))
        })
    }

    /// The test vectors that were published with the algorithm.
    #[test]
    fn known_answers() {
        assert_eq!(
            block([0; 2], [0; 4]),
            [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]
        );
        assert_eq!(
            block([u32::MAX; 2], [u32::MAX; 4]),
            [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]
        );
        assert_eq!(
            block(
                [0xa4093822, 0x299f31d0],
                [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344]
            ),
            [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1]
        );
    }
}
