//! Operations of integers that take more than one instruction.

use super::shorthand::Shorthand;
use colocate_ir::{BinaryOp, CompareOp, DType, KernelBuilder, Kind, Literal, ValueId};

/// The unsigned dtype of the same width.
fn unsigned(dtype: DType) -> DType {
    match dtype {
        DType::Int8 => DType::UInt8,
        DType::Int16 => DType::UInt16,
        DType::Int32 => DType::UInt32,
        DType::Int64 => DType::UInt64,
        other => other,
    }
}

/// The magnitude as an unsigned integer, that of the smallest integer too.
fn magnitude(b: &mut KernelBuilder, x: ValueId) -> ValueId {
    let dtype = b.dtype(x);
    let size = if dtype.kind() == Kind::Int {
        b.abs(x)
    } else {
        x
    };
    b.convert(size, unsigned(dtype))
}

/// By Euclid's algorithm.
fn gcd_of_magnitudes(b: &mut KernelBuilder, x: ValueId, y: ValueId) -> ValueId {
    let dtype = b.dtype(x);
    let zero = b.number(x, 0.0);
    let (larger, smaller) = (
        b.variable("gcd_larger", dtype),
        b.variable("gcd_smaller", dtype),
    );
    b.set(larger, x);
    b.set(smaller, y);
    b.begin_while();
    let divisor = b.get(smaller);
    let more = b.ne(divisor, zero);
    b.begin_while_body(more);
    let dividend = b.get(larger);
    let rest = b.binary(BinaryOp::Remainder, dividend, divisor);
    b.set(larger, divisor);
    b.set(smaller, rest);
    b.end();
    b.get(larger)
}

/// The greatest common divisor, never negative.
pub(super) fn gcd(b: &mut KernelBuilder, x: ValueId, y: ValueId) -> ValueId {
    let dtype = b.dtype(x);
    let (x, y) = (magnitude(b, x), magnitude(b, y));
    let divisor = gcd_of_magnitudes(b, x, y);
    b.convert(divisor, dtype)
}

/// The least common multiple, never negative unless it does not fit.
pub(super) fn lcm(b: &mut KernelBuilder, x: ValueId, y: ValueId) -> ValueId {
    let dtype = b.dtype(x);
    let (x, y) = (magnitude(b, x), magnitude(b, y));
    let divisor = gcd_of_magnitudes(b, x, y);
    // Of two zeros it is zero, since the quotient by zero is.
    let part = b.binary(BinaryOp::Quotient, x, divisor);
    let multiple = b.mul(part, y);
    b.convert(multiple, dtype)
}

/// How many bits of the magnitude are set: neighbouring counts are added in ever wider fields.
pub(super) fn bit_count(b: &mut KernelBuilder, x: ValueId) -> ValueId {
    let x = magnitude(b, x);
    let dtype = b.dtype(x);
    let bits = 8 * dtype.itemsize() as u32;
    let mut count = x;
    let mut width = 1;
    while width < bits {
        let mask = (0..bits)
            .filter(|bit| bit / width % 2 == 0)
            .fold(0i128, |mask, bit| mask | 1 << bit);
        let mask = b.literal(Literal::Int(dtype, mask));
        let distance = b.literal(Literal::Int(dtype, width.into()));
        let shifted = b.binary(BinaryOp::ShiftRight, count, distance);
        let (low, high) = (b.and(count, mask), b.and(shifted, mask));
        count = b.add(low, high);
        width *= 2;
    }
    b.convert(count, DType::UInt8)
}

/// A comparison of an int64 with a uint64, in either order, by value.
pub(super) fn compare_by_value(
    b: &mut KernelBuilder,
    op: CompareOp,
    x: ValueId,
    y: ValueId,
) -> ValueId {
    let left_signed = b.dtype(x).kind() == Kind::Int;
    let signed = if left_signed { x } else { y };
    let zero = b.number(signed, 0.0);
    let negative = b.lt(signed, zero);
    let [x, y] = [x, y].map(|value| b.convert(value, DType::UInt64));
    let compared = b.compare(op, x, y);
    // A negative number is less than any unsigned one.
    let holds = match op {
        CompareOp::Equal => false,
        CompareOp::NotEqual => true,
        CompareOp::Less | CompareOp::LessEqual => left_signed,
        CompareOp::Greater | CompareOp::GreaterEqual => !left_signed,
    };
    let holds = b.truth(holds);
    b.select(negative, holds, compared)
}

/// -1, 0 or 1.
pub(super) fn sign(b: &mut KernelBuilder, x: ValueId) -> ValueId {
    let (zero, one) = (b.number(x, 0.0), b.number(x, 1.0));
    let above = b.gt(x, zero);
    if b.dtype(x).kind() == Kind::UInt {
        return b.select(above, one, zero);
    }
    let minus = b.number(x, -1.0);
    let below = b.lt(x, zero);
    let rest = b.select(below, minus, zero);
    b.select(above, one, rest)
}
