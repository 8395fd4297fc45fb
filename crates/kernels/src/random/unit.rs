//! Bits to numbers between 0 and 1, and to the distributions that need nothing but one or two of them.

use crate::elementary::{log_normal, sine_and_cosine_of_turn, with_sign};
use crate::formula::Term;
use colocate_ir::DType;

/// The float dtype that an unsigned integer's bits make.
fn float_of(bits: Term<'_>) -> DType {
    match bits.dtype() {
        DType::UInt32 => DType::Float32,
        _ => DType::Float64,
    }
}

/// From 0 to below 1: a multiple of 2^-24 of a uint32, of 2^-53 of a uint64.
pub fn unit(bits: Term<'_>) -> Term<'_> {
    match float_of(bits) {
        DType::Float32 => (bits >> 8i64).to(DType::Float32) * 2f64.powi(-24),
        _ => (bits >> 11i64).to(DType::Int64).double() * 2f64.powi(-53),
    }
}

/// Between 0 and 1, neither of them: an odd multiple of 2^-24 or 2^-53.
pub fn open_unit(bits: Term<'_>) -> Term<'_> {
    let (dtype, unused, one, mantissa): (_, i64, i64, i32) = match float_of(bits) {
        DType::Float32 => (DType::Float32, 9, 0x3f80_0000, 23),
        _ => (DType::Float64, 12, 0x3ff0 << 48, 52),
    };
    // As the mantissa of a float from 1 to 2; all of this is exact.
    let above_one = ((bits >> unused) | one).bits(dtype);
    above_one - (1.0 - 2f64.powi(-mantissa - 1))
}

/// Above 0, and for float32 up to 1: all 32 bits count there, for the sake of the tails.
fn tail_unit(bits: Term<'_>) -> Term<'_> {
    match float_of(bits) {
        DType::Float32 => bits.to(DType::Float32).fma(2f64.powi(-32), 2f64.powi(-33)),
        _ => open_unit(bits),
    }
}

/// Exponential with mean 1. Of float64 never 0.
pub fn exponential(bits: Term<'_>) -> Term<'_> {
    log_normal(tail_unit(bits)).abs()
}

/// Exponential to both sides.
pub fn laplace(bits: Term<'_>) -> Term<'_> {
    // The bit is not among those that the exponential uses.
    with_sign(exponential(bits), bits)
}

/// Two independent normal numbers, by the method of Box and Muller.
pub fn normals<'a>(radius: Term<'a>, turn: Term<'a>) -> [Term<'a>; 2] {
    let radius = (log_normal(tail_unit(radius)) * -2.0).sqrt();
    let (sine, cosine) = sine_and_cosine_of_turn(turn);
    [radius * cosine, radius * sine]
}

/// The ratio of two independent normal numbers.
pub fn cauchy(bits: Term<'_>) -> Term<'_> {
    let (sine, cosine) = sine_and_cosine_of_turn(bits);
    sine / cosine
}
