//! Taking floats apart into their digits and their power of two, and putting them together.
//!
//! Float16 is done in float32, which has room for all its powers of two.

use super::shorthand::Shorthand;
use colocate_ir::{BinaryOp, DType, KernelBuilder, Literal, ValueId};

/// How a float is laid out in bits.
struct Format {
    /// An integer of its width.
    bits: DType,
    /// How many bits follow the leading one.
    digits: i32,
    /// What is added to the power of two of a normal number.
    bias: i32,
}

fn format(dtype: DType) -> Format {
    match dtype {
        DType::Float32 => Format {
            bits: DType::Int32,
            digits: 23,
            bias: 127,
        },
        _ => Format {
            bits: DType::Int64,
            digits: 52,
            bias: 1023,
        },
    }
}

fn widened(b: &mut KernelBuilder, x: ValueId) -> ValueId {
    match b.dtype(x) {
        DType::Float16 => b.convert(x, DType::Float32),
        _ => x,
    }
}

fn integer(b: &mut KernelBuilder, dtype: DType, value: i128) -> ValueId {
    b.literal(Literal::Int(dtype, value))
}

/// `2 ** exponent`, for the exponent of a normal number, as the float that `format` describes.
fn power_of_two(b: &mut KernelBuilder, dtype: DType, exponent: ValueId) -> ValueId {
    let Format { bits, digits, bias } = format(dtype);
    let exponent = b.convert(exponent, bits);
    let (bias, digits) = (
        integer(b, bits, bias.into()),
        integer(b, bits, digits.into()),
    );
    let biased = b.add(exponent, bias);
    let shifted = b.binary(BinaryOp::ShiftLeft, biased, digits);
    b.bitcast(shifted, dtype)
}

/// A magnitude from 0.5 to 1 with the sign of `x`, and the int32 power of two that makes `x` of it. Zeros,
/// NaN and infinities are left as they are, with power 0.
pub(super) fn frexp(b: &mut KernelBuilder, x: ValueId) -> (ValueId, ValueId) {
    let narrow = b.dtype(x);
    let x = widened(b, x);
    let dtype = b.dtype(x);
    let Format { bits, digits, bias } = format(dtype);
    // Subnormal numbers become normal ones by a power of two.
    let least = b.number(x, 2f64.powi(1 - bias));
    let size = b.abs(x);
    let subnormal = b.lt(size, least);
    let raised = b.scale(x, 2f64.powi(digits + 1));
    let normal = b.select(subnormal, raised, x);

    let word = b.bitcast(normal, bits);
    let places = integer(b, bits, digits.into());
    let field = integer(b, bits, i128::from(2 * bias + 1));
    let exponent = b.binary(BinaryOp::ShiftRight, word, places);
    let exponent = b.and(exponent, field);
    let less = [bias - 1, bias + digits].map(|n| integer(b, bits, n.into()));
    let less = b.select(subnormal, less[1], less[0]);
    let exponent = b.sub(exponent, less);
    let exponent = b.convert(exponent, DType::Int32);

    // The exponent's bits are replaced by those of 0.5.
    let others = integer(b, bits, !(i128::from(2 * bias + 1) << digits));
    let half = integer(b, bits, i128::from(bias - 1) << digits);
    let word = b.and(word, others);
    let word = b.or(word, half);
    let mantissa = b.bitcast(word, dtype);

    let (zero, none) = (b.number(x, 0.0), b.number(exponent, 0.0));
    let (nonzero, finite) = (b.ne(x, zero), b.is_finite(x));
    let ordinary = b.and(nonzero, finite);
    let mantissa = b.select(ordinary, mantissa, x);
    let exponent = b.select(ordinary, exponent, none);
    (b.convert(mantissa, narrow), exponent)
}

/// `x * 2 ** exponent`, rounded once.
pub(super) fn ldexp(b: &mut KernelBuilder, x: ValueId, exponent: ValueId) -> ValueId {
    let narrow = b.dtype(x);
    let x = widened(b, x);
    let dtype = b.dtype(x);
    let Format { digits, bias, .. } = format(dtype);
    // From the smallest number to the largest it is less than this, and beyond it nothing changes.
    let all = f64::from(2 * (bias + digits) + 4);
    let (low, high) = (b.number(exponent, -all), b.number(exponent, all));
    let exponent = b.max(exponent, low);
    let exponent = b.min(exponent, high);
    let mut left = b.convert(exponent, DType::Int32);
    let mut result = x;
    // Steps up are exact, or end at infinity. Steps down leave so much for the last one that no earlier
    // one reaches subnormal numbers, unless the result is zero.
    let (up, down) = (bias, bias - 1 - (digits + 1));
    for _ in 0..2 {
        let (most, least) = (
            b.number(left, f64::from(up)),
            b.number(left, f64::from(-(bias - 1))),
        );
        let (above, below) = (b.gt(left, most), b.lt(left, least));
        let (up_factor, down_factor) = (b.number(x, 2f64.powi(up)), b.number(x, 2f64.powi(-down)));
        let one = b.number(x, 1.0);
        let factor = b.select(below, down_factor, one);
        let factor = b.select(above, up_factor, factor);
        result = b.mul(result, factor);
        let (up_step, down_step) = (
            b.number(left, f64::from(up)),
            b.number(left, f64::from(-down)),
        );
        let none = b.number(left, 0.0);
        let step = b.select(below, down_step, none);
        let step = b.select(above, up_step, step);
        left = b.sub(left, step);
    }
    let (most, least) = (
        b.number(left, f64::from(up)),
        b.number(left, f64::from(1 - bias)),
    );
    let left = b.min(left, most);
    let left = b.max(left, least);
    let factor = power_of_two(b, dtype, left);
    result = b.mul(result, factor);
    b.convert(result, narrow)
}
