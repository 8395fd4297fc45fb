//! The exponential function of a vector, in line.
//!
//! `exp(x)` is `2 ** n * exp(r)` with `n` the integer nearest to `x / log(2)`, so that `r` is at most
//! half of `log(2)`. There `exp(r) = 1 + r + r * r * q(r)` with a polynomial `q` whose relative error is
//! below a tenth of a unit in the last place; with the roundings the result is within about one unit. Calls of the
//! C library's vector function cost as much again in registers that are saved around them (Black-Scholes
//! takes two thirds of the time).

use super::own_functions::register_lanes;
use crate::llvm::{Module, RealPredicate, Value};
use crate::target::Target;
use colocate_ir::DType;

/// What differs between the two widths of floats.
struct Numbers {
    /// Beyond these the result is zero, or infinite.
    least: f64,
    most: f64,
    /// `log(2)` as a sum of two.
    log2: [f64; 2],
    /// Of `q`, the constant first. Interpolates `(exp(r) - 1 - r) / r ** 2` at Chebyshev's points.
    polynomial: &'static [f64],
    /// A number so large that its last bit is 1: what is added to it is rounded to an integer,
    /// which is in the last bits then.
    rounding: f64,
    /// Where the exponent begins in a float.
    digits: u64,
}

const DOUBLE: Numbers = Numbers {
    least: -746.0,
    most: 710.0,
    log2: [std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17],
    polynomial: &[
        0.500_000_000_000_000_1,
        0.166_666_666_666_666_69,
        0.041_666_666_666_624_13,
        0.008_333_333_333_330_062,
        0.001_388_888_891_721_371_7,
        0.000_198_412_698_630_536_18,
        2.480_152_129_595_437_6e-5,
        2.755_726_845_999_706_4e-6,
        2.762_008_844_540_974_6e-7,
        2.510_038_549_551_032e-8,
    ],
    rounding: 6_755_399_441_055_744.0,
    digits: 52,
};

const SINGLE: Numbers = Numbers {
    least: -104.0,
    most: 89.0,
    log2: [0.693_147_182_464_599_6, -1.904_654_299_957_768e-9],
    polynomial: &[
        0.5,
        0.166_665_762_662_887_57,
        0.041_666_556_149_721_146,
        0.008_363_178_931_176_662,
        0.001_392_618_403_770_029_5,
    ],
    rounding: 12_582_912.0,
    digits: 23,
};

pub fn exponential(m: &Module, target: &Target, dtype: DType, lanes: u32, x: Value) -> Value {
    let (numbers, scalar) = match dtype {
        DType::Float64 => (&DOUBLE, m.double()),
        _ => (&SINGLE, m.float()),
    };
    let kind = m.vector(scalar, lanes);
    let word = m.int(8 * dtype.itemsize() as u32);
    let number = |number: f64| m.splat(m.const_float(scalar, number), lanes);
    let fma = |a, b, c| m.intrinsic("llvm.fma", &[kind], &[a, b, c]);
    // These leave what is no number as it is.
    let limited = |limit: Value, predicate, x| m.select(m.fcmp(predicate, limit, x), limit, x);
    let x = limited(number(numbers.least), RealPredicate::LLVMRealOGT, x);
    let x = limited(number(numbers.most), RealPredicate::LLVMRealOLT, x);
    let quotient = m.fmul(x, number(std::f64::consts::LOG2_E));
    let n = m.intrinsic("llvm.rint", &[kind], &[quotient]);
    let r = fma(n, number(-numbers.log2[0]), x);
    let r = fma(n, number(-numbers.log2[1]), r);
    let [first @ .., last] = numbers.polynomial else {
        unreachable!("there are coefficients");
    };
    let terms = first.iter().rev();
    let q = terms.fold(number(*last), |sum, term| fma(sum, r, number(*term)));
    let rest = fma(m.fmul(r, r), q, r);
    let power = m.fadd(rest, number(1.0));
    if target.vector_bytes == 64 && lanes == register_lanes(target, dtype) {
        let name = match dtype {
            DType::Float64 => "llvm.x86.avx512.mask.scalef.pd.512",
            _ => "llvm.x86.avx512.mask.scalef.ps.512",
        };
        let all = m.all_ones(m.int(lanes));
        // Rounding as it is set.
        return m.intrinsic(name, &[], &[power, n, power, all, m.i32(4)]);
    }
    // In two steps: 2 ** n itself may be too small or too large where the result is not.
    let half = m.intrinsic("llvm.rint", &[kind], &[m.fmul(n, number(0.5))]);
    let other = m.fsub(n, half);
    let bits = m.vector(word, lanes);
    let scaled = |value: Value, by: Value| {
        let rounded = m.bitcast(m.fadd(by, number(numbers.rounding)), bits);
        let shift = m.const_int(word, numbers.digits);
        let exponent = m.shl(rounded, m.splat(shift, lanes));
        let factor = m.add(exponent, m.bitcast(number(1.0), bits));
        m.fmul(value, m.bitcast(factor, kind))
    };
    scaled(scaled(power, half), other)
}
