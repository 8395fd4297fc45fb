//! Single numbers in the middle of a kernel: each item has a stream of its own, from which it draws as often
//! as it likes.

use super::philox::Stream;
use super::{integers, unit};
use crate::formula::Term;
use colocate_ir::DType;

/// The bits of an item's draw, as two uint64. Key, item and the number of the draw are uint64 numbers.
pub fn bits<'a>(key: Term<'a>, item: Term<'a>, number: Term<'a>) -> [Term<'a>; 2] {
    Stream::of_key(key, item).doubles(number)
}

/// From 0 to below 1, of 64 bits: a multiple of 2^-52.
///
/// A bit less than there could be: so it takes no conversion of integers, which many processors do one by one.
pub fn unit(bits: Term<'_>) -> Term<'_> {
    ((bits >> 12i64) | (0x3ff0i64 << 48)).bits(DType::Float64) - 1.0
}

/// Two independent normal numbers, of twice 64 bits.
pub fn normals<'a>(bits: [Term<'a>; 2]) -> [Term<'a>; 2] {
    unit::normals(bits[0], bits[1])
}

/// Exponential with mean 1, of 64 bits.
pub fn exponential(bits: Term<'_>) -> Term<'_> {
    unit::exponential(bits)
}

/// Below a range (a uint64), of 64 bits.
pub fn below<'a>(bits: Term<'a>, range: Term<'a>) -> Term<'a> {
    integers::scaled(bits, range)
}
