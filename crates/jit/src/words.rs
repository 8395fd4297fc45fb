//! Numbers as words of 64 bits, as calls pass them, as argument blocks have them, and as bytes.

use colocate_ir::{DType, Kind};
use smallvec::SmallVec;

/// How many words a number takes in a call.
pub(crate) fn count(dtype: DType) -> usize {
    match dtype.kind() {
        Kind::Complex => 2,
        _ => 1,
    }
}

/// A number as it lies in memory; the first [`DType::itemsize`] bytes count. A complex number comes as
/// two words of float64 bits, whatever its precision.
pub fn scalar_bytes(dtype: DType, words: [u64; 2]) -> [u8; 16] {
    let mut bytes = [0; 16];
    match dtype {
        DType::Complex64 => {
            for (part, word) in words.iter().enumerate() {
                let number = f64::from_bits(*word) as f32;
                bytes[4 * part..4 * part + 4].copy_from_slice(&number.to_le_bytes());
            }
        }
        _ => {
            bytes[..8].copy_from_slice(&words[0].to_le_bytes());
            bytes[8..].copy_from_slice(&words[1].to_le_bytes());
        }
    }
    bytes
}

/// A number in memory as words for the host part, the second for complex numbers only.
pub fn words_of_bytes(dtype: DType, bytes: &[u8]) -> [u64; 2] {
    let float32 = |at: usize| {
        let part: [u8; 4] = bytes[at..at + 4].try_into().expect("four bytes");
        f64::from(f32::from_le_bytes(part)).to_bits()
    };
    match dtype {
        DType::Complex64 => [float32(0), float32(4)],
        DType::Complex128 => [
            word_of_bytes(DType::Float64, &bytes[..8]),
            word_of_bytes(DType::Float64, &bytes[8..16]),
        ],
        _ => [word_of_bytes(dtype, bytes), 0],
    }
}

/// A number that is not complex, in memory, as a word: integers with a sign are extended by it.
pub fn word_of_bytes(dtype: DType, bytes: &[u8]) -> u64 {
    let size = dtype.itemsize();
    let mut whole = [0; 8];
    whole[..size].copy_from_slice(&bytes[..size]);
    let word = u64::from_le_bytes(whole);
    match dtype.kind() {
        Kind::Int => {
            let unused = 64 - 8 * size as u32;
            ((word << unused) as i64 >> unused) as u64
        }
        _ => word,
    }
}

/// Appends a number to an argument block.
pub(crate) fn push_slots(block: &mut SmallVec<[u64; 32]>, dtype: DType, words: [u64; 2]) {
    match dtype {
        DType::Complex128 => block.extend(words),
        DType::Complex64 => {
            let bytes = scalar_bytes(dtype, words);
            block.push(u64::from_le_bytes(
                bytes[..8].try_into().expect("eight bytes"),
            ));
        }
        _ => block.push(words[0]),
    }
}

/// Reads the words of a call one after the other.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'a> {
    words: &'a [u64],
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(words: &'a [u64]) -> Cursor<'a> {
        Cursor { words }
    }

    pub(crate) fn next(&mut self) -> u64 {
        let (first, rest) = self
            .words
            .split_first()
            .expect("the host part passes as many");
        self.words = rest;
        *first
    }

    pub(crate) fn number(&mut self) -> i64 {
        self.next() as i64
    }

    pub(crate) fn scalar(&mut self, dtype: DType) -> [u64; 2] {
        let first = self.next();
        match count(dtype) {
            2 => [first, self.next()],
            _ => [first, 0],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_survive_the_way_through_memory() {
        let cases = [
            (DType::Bool, [1, 0]),
            (DType::Int8, [(-5i64) as u64, 0]),
            (DType::UInt8, [250, 0]),
            (DType::Int32, [i64::from(i32::MIN) as u64, 0]),
            (DType::UInt64, [u64::MAX, 0]),
            (DType::Float16, [0x3c00, 0]),
            (DType::Float32, [u64::from(1.5f32.to_bits()), 0]),
            (DType::Float64, [(-0.1f64).to_bits(), 0]),
            (DType::Complex64, [1.5f64.to_bits(), (-2.0f64).to_bits()]),
            (DType::Complex128, [0.1f64.to_bits(), 7.0f64.to_bits()]),
        ];
        for (dtype, words) in cases {
            let bytes = scalar_bytes(dtype, words);
            assert_eq!(words_of_bytes(dtype, &bytes), words, "{dtype}");
        }
    }

    #[test]
    fn an_argument_block_has_complex64_in_one_slot() {
        let mut block = SmallVec::new();
        push_slots(
            &mut block,
            DType::Complex64,
            [1.0f64.to_bits(), 2.0f64.to_bits()],
        );
        push_slots(
            &mut block,
            DType::Complex128,
            [1.0f64.to_bits(), 2.0f64.to_bits()],
        );
        let packed = u64::from(1f32.to_bits()) | u64::from(2f32.to_bits()) << 32;
        assert_eq!(block[..], [packed, 1.0f64.to_bits(), 2.0f64.to_bits()]);
    }
}
