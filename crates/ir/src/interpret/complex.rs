//! Operations on complex numbers, by NumPy's formulas.

use super::floats::Float;
use crate::{BinaryOp, MathFunction};

/// Real and imaginary part.
pub type Complex<F> = (F, F);

/// An operation of two complex numbers.
pub fn binary<F: Float>(op: BinaryOp, a: Complex<F>, b: Complex<F>) -> Complex<F> {
    match op {
        BinaryOp::Add => (a.0 + b.0, a.1 + b.1),
        BinaryOp::Subtract => (a.0 - b.0, a.1 - b.1),
        BinaryOp::Multiply => multiply(a, b),
        BinaryOp::Divide => divide(a, b),
        BinaryOp::Power => power(a, b),
        _ => unreachable!("{} of complex numbers", op.name()),
    }
}

/// The distance from zero.
pub fn magnitude<F: Float>(a: Complex<F>) -> F {
    F::math(MathFunction::Hypot, &[a.0, a.1])
}

fn multiply<F: Float>(a: Complex<F>, b: Complex<F>) -> Complex<F> {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

/// Smith's algorithm: scales by the larger part of the divisor.
fn divide<F: Float>(a: Complex<F>, b: Complex<F>) -> Complex<F> {
    let abs = |x: F| F::math(MathFunction::CopySign, &[x, F::ONE]);
    let (re, im) = (abs(b.0), abs(b.1));
    if re >= im {
        if re == F::ZERO && im == F::ZERO {
            return (a.0 / re, a.1 / re);
        }
        let ratio = b.1 / b.0;
        let scale = F::ONE / (b.0 + b.1 * ratio);
        ((a.0 + a.1 * ratio) * scale, (a.1 - a.0 * ratio) * scale)
    } else {
        let ratio = b.0 / b.1;
        let scale = F::ONE / (b.1 + b.0 * ratio);
        ((a.0 * ratio + a.1) * scale, (a.1 * ratio - a.0) * scale)
    }
}

/// Whole exponents of moderate size by multiplication, others by way of the logarithm.
fn power<F: Float>(a: Complex<F>, b: Complex<F>) -> Complex<F> {
    let zero = (F::ZERO, F::ZERO);
    if b == zero {
        return (F::ONE, F::ZERO);
    }
    if a == zero {
        return if b.0 > F::ZERO {
            zero
        } else {
            (F::NAN, F::NAN)
        };
    }
    let exponent = b.0.to_f64();
    if b.1 == F::ZERO && exponent.abs() < 100.0 && exponent == exponent.trunc() {
        let power = whole_power(a, exponent.abs() as u32);
        return if exponent < 0.0 {
            divide((F::ONE, F::ZERO), power)
        } else {
            power
        };
    }
    let logarithm = (
        F::math(MathFunction::Log, &[magnitude(a)]),
        F::math(MathFunction::Atan2, &[a.1, a.0]),
    );
    let (re, im) = multiply(b, logarithm);
    let size = F::math(MathFunction::Exp, &[re]);
    (
        size * F::math(MathFunction::Cos, &[im]),
        size * F::math(MathFunction::Sin, &[im]),
    )
}

fn whole_power<F: Float>(a: Complex<F>, exponent: u32) -> Complex<F> {
    match exponent {
        1 => a,
        2 => multiply(a, a),
        3 => multiply(a, multiply(a, a)),
        _ => {
            let (mut result, mut square, mut rest) = ((F::ONE, F::ZERO), a, exponent);
            while rest > 0 {
                if rest % 2 == 1 {
                    result = multiply(result, square);
                }
                rest /= 2;
                if rest > 0 {
                    square = multiply(square, square);
                }
            }
            result
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_by_zero_is_infinite_or_nan() {
        let (re, im) = divide((1.0, -2.0), (0.0, 0.0));
        assert_eq!((re, im), (f64::INFINITY, f64::NEG_INFINITY));
        let (re, im) = divide((0.0f64, 1.0), (0.0, -0.0));
        assert!(re.is_nan() && im == f64::INFINITY);
    }

    #[test]
    fn division_does_not_overflow_between() {
        assert_eq!(divide((1e300, 1e300), (1e300, 1e300)), (1.0, 0.0));
        assert_eq!(divide((1.0, 2.0), (0.0, 2.0)), (1.0, -0.5));
        assert_eq!(divide((1.0f32, 2.0), (2.0, 0.0)), (0.5, 1.0));
    }

    #[test]
    fn powers_of_zero_and_whole_powers_are_exact() {
        assert_eq!(power((0.0, 0.0), (0.0, 0.0)), (1.0, 0.0));
        assert_eq!(power((0.0, 0.0), (2.0, 0.0)), (0.0, 0.0));
        assert!(power((0.0f64, 0.0), (-1.0, 0.0)).0.is_nan());
        assert!(power((0.0f64, 0.0), (0.0, 1.0)).1.is_nan());
        assert_eq!(power((0.0, 0.0), (1.0, 1.0)), (0.0, 0.0));
        assert_eq!(power((0.0, 1.0), (2.0, 0.0)), (-1.0, 0.0));
        assert_eq!(power((1.0, 2.0), (5.0, 0.0)), (41.0, -38.0));
        assert_eq!(power((0.0, 2.0), (-2.0, 0.0)), (-0.25, 0.0));
    }

    #[test]
    fn other_powers_go_by_the_logarithm() {
        let (re, im) = power((0.0, 1.0), (0.0, 1.0));
        assert!((re - (-std::f64::consts::FRAC_PI_2).exp()).abs() < 1e-15 && im.abs() < 1e-15);
        let (re, im) = power((4.0f64, 0.0), (0.5, 0.0));
        assert!((re - 2.0).abs() < 1e-15 && im == 0.0);
    }
}
