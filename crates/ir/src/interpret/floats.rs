//! Operations on float32 and float64. Float16 is calculated as float32 and rounded, as NumPy does it.

use crate::{BinaryOp, MathFunction};
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

/// A float32 or a float64.
pub trait Float:
    Copy
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + Neg<Output = Self>
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// Not a number.
    const NAN: Self;

    /// Rounded to this type.
    fn from_f64(value: f64) -> Self;

    /// As the wider type.
    fn to_f64(self) -> f64;

    /// A function of as many operands as its arity.
    fn math(function: MathFunction, operands: &[Self]) -> Self;
}

macro_rules! c_functions {
    ($($wide:ident, $narrow:ident ($($operand:ident),*);)*) => {
        // The C math library, which Rust's own is linked with.
        unsafe extern "C" {$(
            safe fn $wide($($operand: f64),*) -> f64;
            safe fn $narrow($($operand: f32),*) -> f32;
        )*}
    };
}

c_functions! {
    cbrt, cbrtf(x);
    exp, expf(x);
    exp2, exp2f(x);
    expm1, expm1f(x);
    log, logf(x);
    log2, log2f(x);
    log10, log10f(x);
    log1p, log1pf(x);
    sin, sinf(x);
    cos, cosf(x);
    tan, tanf(x);
    asin, asinf(x);
    acos, acosf(x);
    atan, atanf(x);
    sinh, sinhf(x);
    cosh, coshf(x);
    tanh, tanhf(x);
    asinh, asinhf(x);
    acosh, acoshf(x);
    atanh, atanhf(x);
    erf, erff(x);
    erfc, erfcf(x);
    tgamma, tgammaf(x);
    pow, powf(x, y);
    atan2, atan2f(y, x);
    hypot, hypotf(x, y);
    nextafter, nextafterf(x, y);
}

unsafe extern "C" {
    // Not `lgamma`, which writes to a variable of the whole process.
    fn lgamma_r(x: f64, sign: *mut i32) -> f64;
    fn lgammaf_r(x: f32, sign: *mut i32) -> f32;
}

macro_rules! float {
    ($type:ident, $lgamma:ident, $(($variant:ident, $function:ident($($operand:ident),*)))*) => {
        impl Float for $type {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const NAN: Self = $type::NAN;

            fn from_f64(value: f64) -> Self {
                value as $type
            }

            fn to_f64(self) -> f64 {
                self.into()
            }

            fn math(function: MathFunction, operands: &[Self]) -> Self {
                match (function, operands) {
                    $((MathFunction::$variant, &[$($operand),*]) => $function($($operand),*),)*
                    (MathFunction::LogGamma, &[x]) => {
                        let mut sign = 0;
                        // SAFETY: the pointer is to a local variable that lives through the call.
                        unsafe { $lgamma(x, &mut sign) }
                    }
                    (MathFunction::Sqrt, &[x]) => x.sqrt(),
                    (MathFunction::ReciprocalSqrt, &[x]) => 1.0 / x.sqrt(),
                    (MathFunction::Floor, &[x]) => x.floor(),
                    (MathFunction::Ceil, &[x]) => x.ceil(),
                    (MathFunction::Truncate, &[x]) => x.trunc(),
                    (MathFunction::RoundEven, &[x]) => x.round_ties_even(),
                    (MathFunction::CopySign, &[x, y]) => x.copysign(y),
                    (MathFunction::Fmod, &[x, y]) => x % y,
                    (MathFunction::Fma, &[x, y, z]) => x.mul_add(y, z),
                    (function, _) => unreachable!("{} of wrong arity", function.name()),
                }
            }
        }
    };
}

float! {
    f64, lgamma_r,
    (Cbrt, cbrt(x)) (Exp, exp(x)) (Exp2, exp2(x)) (Expm1, expm1(x)) (Log, log(x)) (Log2, log2(x))
    (Log10, log10(x)) (Log1p, log1p(x)) (Sin, sin(x)) (Cos, cos(x)) (Tan, tan(x)) (Asin, asin(x))
    (Acos, acos(x)) (Atan, atan(x)) (Sinh, sinh(x)) (Cosh, cosh(x)) (Tanh, tanh(x))
    (Asinh, asinh(x)) (Acosh, acosh(x)) (Atanh, atanh(x)) (Erf, erf(x)) (Erfc, erfc(x))
    (Gamma, tgamma(x)) (Power, pow(x, y)) (Atan2, atan2(x, y)) (Hypot, hypot(x, y))
    (NextAfter, nextafter(x, y))
}

float! {
    f32, lgammaf_r,
    (Cbrt, cbrtf(x)) (Exp, expf(x)) (Exp2, exp2f(x)) (Expm1, expm1f(x)) (Log, logf(x))
    (Log2, log2f(x)) (Log10, log10f(x)) (Log1p, log1pf(x)) (Sin, sinf(x)) (Cos, cosf(x))
    (Tan, tanf(x)) (Asin, asinf(x)) (Acos, acosf(x)) (Atan, atanf(x)) (Sinh, sinhf(x))
    (Cosh, coshf(x)) (Tanh, tanhf(x)) (Asinh, asinhf(x)) (Acosh, acoshf(x)) (Atanh, atanhf(x))
    (Erf, erff(x)) (Erfc, erfcf(x)) (Gamma, tgammaf(x)) (Power, powf(x, y)) (Atan2, atan2f(x, y))
    (Hypot, hypotf(x, y)) (NextAfter, nextafterf(x, y))
}

/// An operation of two floats.
pub fn binary<F: Float>(op: BinaryOp, a: F, b: F) -> F {
    match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        BinaryOp::Divide => a / b,
        BinaryOp::FloorDivide if b == F::ZERO => a / b,
        BinaryOp::FloorDivide => divide_with_rest(a, b).0,
        BinaryOp::Modulo if b == F::ZERO => F::NAN,
        BinaryOp::Modulo => divide_with_rest(a, b).1,
        BinaryOp::Power => F::math(MathFunction::Power, &[a, b]),
        // Of -0.0 and 0.0 the second is given; so one comparison and one selection do.
        BinaryOp::Minimum if a < b || is_nan(a) => a,
        BinaryOp::Maximum if a > b || is_nan(a) => a,
        BinaryOp::Minimum | BinaryOp::Maximum => b,
        BinaryOp::Quotient
        | BinaryOp::Remainder
        | BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight => unreachable!("{} of floats", op.name()),
    }
}

#[allow(clippy::eq_op)] // NaN is what is not itself.
fn is_nan<F: Float>(x: F) -> bool {
    x != x
}

/// NumPy's quotient, rounded down, and rest, for a divisor that is not zero.
fn divide_with_rest<F: Float>(a: F, b: F) -> (F, F) {
    let copy_sign = |x, sign| F::math(MathFunction::CopySign, &[x, sign]);
    let mut rest = a % b;
    // Very nearly a multiple of b.
    let mut quotient = (a - rest) / b;
    if rest != F::ZERO {
        if (b < F::ZERO) != (rest < F::ZERO) {
            rest = rest + b;
            quotient = quotient - F::ONE;
        }
    } else {
        rest = copy_sign(F::ZERO, b);
    }
    if quotient != F::ZERO {
        let mut floor = F::math(MathFunction::Floor, &[quotient]);
        if quotient - floor > F::from_f64(0.5) {
            floor = floor + F::ONE;
        }
        (floor, rest)
    } else {
        (copy_sign(F::ZERO, a / b), rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal bit for bit, or both NaN.
    #[track_caller]
    fn same(found: f64, expected: f64) {
        let both_nan = found.is_nan() && expected.is_nan();
        assert!(
            found.to_bits() == expected.to_bits() || both_nan,
            "{found:?} is not {expected:?}"
        );
    }

    #[test]
    fn floor_division_and_modulo_are_numpys() {
        const INF: f64 = f64::INFINITY;
        const NAN: f64 = f64::NAN;
        let expected = [
            // a, b, a // b, a % b
            (7.5, 2.0, 3.0, 1.5),
            (-7.5, 2.0, -4.0, 0.5),
            (7.5, -2.0, -4.0, -0.5),
            (-7.5, -2.0, 3.0, -1.5),
            (1.0, 0.1, 9.0, 0.09999999999999995),
            (6.0, -2.0, -3.0, -0.0),
            (-6.0, 2.0, -3.0, 0.0),
            (0.0, -2.0, -0.0, -0.0),
            (-0.0, 2.0, -0.0, 0.0),
            (1.0, 0.0, INF, NAN),
            (-1.0, 0.0, -INF, NAN),
            (1.0, -0.0, -INF, NAN),
            (0.0, 0.0, NAN, NAN),
            (1.0, INF, 0.0, 1.0),
            (-1.0, INF, -1.0, INF),
            (1.0, -INF, -1.0, -INF),
            (INF, 2.0, NAN, NAN),
            (NAN, 2.0, NAN, NAN),
            (2.0, NAN, NAN, NAN),
        ];
        for (a, b, quotient, rest) in expected {
            same(binary(BinaryOp::FloorDivide, a, b), quotient);
            same(binary(BinaryOp::Modulo, a, b), rest);
        }
    }

    #[test]
    fn minimum_and_maximum_hand_nan_on() {
        for op in [BinaryOp::Minimum, BinaryOp::Maximum] {
            assert!(binary(op, f64::NAN, 1.0).is_nan());
            assert!(binary(op, 1.0, f64::NAN).is_nan());
        }
        assert_eq!(binary(BinaryOp::Minimum, 2.0, 1.0), 1.0);
        assert_eq!(binary(BinaryOp::Maximum, 2.0f32, 1.0), 2.0);
    }

    #[test]
    fn functions_are_those_of_their_names() {
        use MathFunction as F;
        let expected = [
            (F::ReciprocalSqrt, vec![16.0], 0.25),
            (F::Cbrt, vec![-27.0], -3.0),
            (F::Exp2, vec![10.0], 1024.0),
            (F::Log10, vec![1000.0], 3.0),
            (F::Asinh, vec![-0.0], -0.0),
            (F::Erf, vec![0.5], 0.5204998778130465),
            (F::Erfc, vec![0.5], 0.4795001221869535),
            (F::Gamma, vec![5.0], 24.0),
            (F::LogGamma, vec![-1.5], 0.8600470153764809),
            (F::RoundEven, vec![2.5], 2.0),
            (F::Truncate, vec![-2.5], -2.0),
            (F::Atan2, vec![1.0, 0.0], std::f64::consts::FRAC_PI_2),
            (F::Power, vec![2.0, -1.0], 0.5),
            (F::Hypot, vec![3.0, 4.0], 5.0),
            (F::CopySign, vec![3.0, -0.0], -3.0),
            (F::Fmod, vec![-7.0, 3.0], -1.0),
            (F::NextAfter, vec![1.0, 2.0], 1.0 + f64::EPSILON),
            (
                F::Fma,
                vec![1.0 + f64::EPSILON, 1.0 - f64::EPSILON, -1.0],
                -f64::EPSILON.powi(2),
            ),
        ];
        for (function, operands, value) in expected {
            let found = f64::math(function, &operands);
            assert!(
                (found - value).abs() <= value.abs() * 1e-15,
                "{} is {found:?}",
                function.name()
            );
        }
    }

    #[test]
    fn every_function_is_there_in_both_widths() {
        for function in MathFunction::ALL {
            let wide = f64::math(*function, &vec![0.5; function.arity()]);
            let narrow = f32::math(*function, &vec![0.5; function.arity()]);
            let difference = (wide - f64::from(narrow)).abs();
            let outside = wide.is_nan() && narrow.is_nan();
            assert!(difference < 1e-6 || outside, "{}", function.name());
        }
    }
}
