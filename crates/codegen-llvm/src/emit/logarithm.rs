//! The natural logarithm of a vector, in line.
//!
//! `x` is `2 ** k * (1 + f)` with `1 + f` between the square roots of a half and of two. With `s = f / (2 + f)`
//! the logarithm of `1 + f` is `2 * atanh(s)`, which is `2 * s + s ** 3 * q(s * s)`, and the same as
//! `f - (h - s * (h + s * s * q(s * s)))` with `h = f * f / 2`: written so, what the division rounds off is of little
//! weight. In a kernel of Black-Scholes this takes less than half the time of the C library's vector function.

use crate::llvm::{Module, RealPredicate, Value};
use crate::target::Target;
use colocate_ir::DType;

/// What differs between the two widths of floats.
struct Numbers {
    /// The smallest number with all its digits; those below are scaled by `2 ** scale` first.
    least: f64,
    scale: i32,
    /// The bits of the square root of a half.
    half_root: u64,
    /// `log(2)` as a sum of two, of which the first has so few digits that its multiples are exact.
    log2: [f64; 2],
    /// Of `q`, the constant first. Interpolates `(2 * atanh(s) - 2 * s) / s ** 3` at Chebyshev's points.
    polynomial: &'static [f64],
    /// A number so large that its last bit is 1: an integer that is added to its bits is added to it.
    rounding: f64,
    /// Where the exponent begins in a float.
    digits: u64,
}

const DOUBLE: Numbers = Numbers {
    least: f64::MIN_POSITIVE,
    scale: 54,
    half_root: 0x3fe6_a09e_667f_3bcd,
    log2: [0.693_147_180_559_890_3, 5.497_923_018_708_371e-14],
    polynomial: &[
        0.666_666_666_666_667,
        0.399_999_999_998_994_44,
        0.285_714_286_260_032_7,
        0.222_222_111_302_598_78,
        0.181_828_894_556_749_47,
        0.153_317_106_182_107_73,
        0.146_165_854_248_886_23,
    ],
    rounding: 6_755_399_441_055_744.0,
    digits: 52,
};

const SINGLE: Numbers = Numbers {
    least: f32::MIN_POSITIVE as f64,
    scale: 25,
    half_root: 0x3f35_04f3,
    log2: [0.693_145_751_953_125, 1.428_606_765_330_187e-6],
    polynomial: &[
        0.666_666_686_534_881_6,
        0.400_001_227_855_682_4,
        0.285_508_155_822_753_9,
        0.233_305_826_783_180_24,
    ],
    rounding: 12_582_912.0,
    digits: 23,
};

/// Emits it.
pub fn logarithm(m: &Module, _: &Target, dtype: DType, lanes: u32, x: Value) -> Value {
    let (numbers, scalar) = match dtype {
        DType::Float64 => (&DOUBLE, m.double()),
        _ => (&SINGLE, m.float()),
    };
    let kind = m.vector(scalar, lanes);
    let word = m.int(8 * dtype.itemsize() as u32);
    let bits = m.vector(word, lanes);
    let number = |number: f64| m.splat(m.const_float(scalar, number), lanes);
    let integer = |number: u64| m.splat(m.const_int(word, number), lanes);
    let fma = |a, b, c| m.intrinsic("llvm.fma", &[kind], &[a, b, c]);
    let small = m.fcmp(RealPredicate::LLVMRealOLT, x, number(numbers.least));
    let scaled = m.fmul(x, number(2f64.powi(numbers.scale)));
    let normal = m.bitcast(m.select(small, scaled, x), bits);
    let digits = integer(numbers.digits);
    let k = m.ashr(m.sub(normal, integer(numbers.half_root)), digits);
    let mantissa = m.bitcast(m.sub(normal, m.shl(k, digits)), kind);
    // A conversion of 64 bits, which not all processors have for vectors.
    let large = number(numbers.rounding);
    let sum = m.add(k, m.bitcast(large, bits));
    let k = m.fsub(m.bitcast(sum, kind), large);
    let fewer = m.fsub(k, number(f64::from(numbers.scale)));
    let k = m.select(small, fewer, k);
    let f = m.fsub(mantissa, number(1.0));
    let s = m.fdiv(f, m.fadd(f, number(2.0)));
    let square = m.fmul(s, s);
    let [first @ .., last] = numbers.polynomial else {
        unreachable!("there are coefficients");
    };
    let terms = first.iter().rev();
    let q = terms.fold(number(*last), |sum, term| fma(sum, square, number(*term)));
    let half = m.fmul(m.fmul(f, number(0.5)), f);
    let inner = fma(square, q, half);
    let low = m.fmul(k, number(numbers.log2[1]));
    let rest = m.fsub(half, fma(s, inner, low));
    let result = fma(k, number(numbers.log2[0]), m.fsub(f, rest));
    let infinite = number(f64::INFINITY);
    let is_infinite = m.fcmp(RealPredicate::LLVMRealOEQ, x, infinite);
    let result = m.select(is_infinite, infinite, result);
    let zero = m.fcmp(RealPredicate::LLVMRealOEQ, x, number(0.0));
    let none = m.select(zero, number(f64::NEG_INFINITY), number(f64::NAN));
    let positive = m.fcmp(RealPredicate::LLVMRealOGT, x, number(0.0));
    m.select(positive, result, none)
}
