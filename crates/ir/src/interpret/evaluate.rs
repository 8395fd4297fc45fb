//! Pure operations on scalars.

use super::scalar::Scalar;
use super::{complex, floats, integers};
use crate::{BinaryOp, CompareOp, DType, MathFunction, Part, UnaryOp};
use floats::Float;
use half::f16;

/// An operation of one operand of a dtype that it takes.
pub fn unary(op: UnaryOp, a: Scalar) -> Scalar {
    match (op, a) {
        (UnaryOp::Negate, Scalar::Int(dtype, a)) => Scalar::wrapped(dtype, -a),
        (UnaryOp::Negate, Scalar::Float16(a)) => Scalar::Float16(-a),
        (UnaryOp::Negate, Scalar::Float32(a)) => Scalar::Float32(-a),
        (UnaryOp::Negate, Scalar::Float64(a)) => Scalar::Float64(-a),
        (UnaryOp::Negate, Scalar::Complex64(re, im)) => Scalar::Complex64(-re, -im),
        (UnaryOp::Negate, Scalar::Complex128(re, im)) => Scalar::Complex128(-re, -im),
        (UnaryOp::Not, Scalar::Bool(a)) => Scalar::Bool(!a),
        (UnaryOp::BitNot, Scalar::Int(dtype, a)) => Scalar::wrapped(dtype, !a),
        (UnaryOp::Abs, Scalar::Int(dtype, a)) => Scalar::wrapped(dtype, a.abs()),
        (UnaryOp::Abs, Scalar::Float16(a)) => Scalar::Float16(f16::from_bits(a.to_bits() & 0x7fff)),
        (UnaryOp::Abs, Scalar::Float32(a)) => Scalar::Float32(a.abs()),
        (UnaryOp::Abs, Scalar::Float64(a)) => Scalar::Float64(a.abs()),
        (UnaryOp::Abs, Scalar::Complex64(re, im)) => Scalar::Float32(complex::magnitude((re, im))),
        (UnaryOp::Abs, Scalar::Complex128(re, im)) => Scalar::Float64(complex::magnitude((re, im))),
        (UnaryOp::Real, a) => a.part(Part::Real),
        (UnaryOp::Imaginary, a) => a.part(Part::Imaginary),
        (UnaryOp::IsNan, a) => Scalar::Bool(float(a).is_nan()),
        (UnaryOp::IsInf, a) => Scalar::Bool(float(a).is_infinite()),
        (UnaryOp::IsFinite, a) => Scalar::Bool(float(a).is_finite()),
        (UnaryOp::SignBit, a) => Scalar::Bool(float(a).is_sign_negative()),
        (op, a) => unreachable!("{} of {a:?}", op.name()),
    }
}

/// A float as the widest one.
fn float(a: Scalar) -> f64 {
    match a {
        Scalar::Float16(a) => a.to_f64(),
        Scalar::Float32(a) => a.into(),
        Scalar::Float64(a) => a,
        other => unreachable!("{other:?} is no float"),
    }
}

/// An operation of two operands of one dtype that it takes.
pub fn binary(op: BinaryOp, a: Scalar, b: Scalar) -> Scalar {
    match (a, b) {
        (Scalar::Bool(a), Scalar::Bool(b)) => Scalar::Bool(match op {
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            _ => unreachable!("{} of bools", op.name()),
        }),
        (Scalar::Int(dtype, a), Scalar::Int(_, b)) => {
            let width = 8 * dtype.itemsize() as u32;
            Scalar::wrapped(dtype, integers::binary(op, a, b, width))
        }
        (Scalar::Float16(a), Scalar::Float16(b)) => {
            Scalar::Float16(f16::from_f32(floats::binary(op, a.to_f32(), b.to_f32())))
        }
        (Scalar::Float32(a), Scalar::Float32(b)) => Scalar::Float32(floats::binary(op, a, b)),
        (Scalar::Float64(a), Scalar::Float64(b)) => Scalar::Float64(floats::binary(op, a, b)),
        (Scalar::Complex64(ar, ai), Scalar::Complex64(br, bi)) => {
            let (re, im) = complex::binary(op, (ar, ai), (br, bi));
            Scalar::Complex64(re, im)
        }
        (Scalar::Complex128(ar, ai), Scalar::Complex128(br, bi)) => {
            let (re, im) = complex::binary(op, (ar, ai), (br, bi));
            Scalar::Complex128(re, im)
        }
        _ => unreachable!("{} of {a:?} and {b:?}", op.name()),
    }
}

/// A comparison of two operands of one dtype. Complex numbers are compared for equality only.
pub fn compare(op: CompareOp, a: Scalar, b: Scalar) -> bool {
    fn by<T: PartialOrd>(op: CompareOp, a: T, b: T) -> bool {
        match op {
            CompareOp::Equal => a == b,
            CompareOp::NotEqual => a != b,
            CompareOp::Less => a < b,
            CompareOp::LessEqual => a <= b,
            CompareOp::Greater => a > b,
            CompareOp::GreaterEqual => a >= b,
        }
    }
    match (a, b) {
        (Scalar::Bool(a), Scalar::Bool(b)) => by(op, a, b),
        (Scalar::Int(_, a), Scalar::Int(_, b)) => by(op, a, b),
        (Scalar::Complex64(ar, ai), Scalar::Complex64(br, bi)) => by(op, (ar, ai), (br, bi)),
        (Scalar::Complex128(ar, ai), Scalar::Complex128(br, bi)) => by(op, (ar, ai), (br, bi)),
        (a, b) => by(op, float(a), float(b)),
    }
}

/// A function of floats of one dtype, as many as its arity.
pub fn math(function: MathFunction, operands: &[Scalar]) -> Scalar {
    match operands[0].dtype() {
        DType::Float16 if function == MathFunction::NextAfter => {
            Scalar::Float16(next_after(half(operands[0]), half(operands[1])))
        }
        DType::Float16 => {
            let operands: Vec<f32> = operands.iter().map(|a| half(*a).to_f32()).collect();
            Scalar::Float16(f16::from_f32(f32::math(function, &operands)))
        }
        DType::Float32 => {
            let operands: Vec<f32> = operands.iter().map(|a| float(*a) as f32).collect();
            Scalar::Float32(f32::math(function, &operands))
        }
        _ => {
            let operands: Vec<f64> = operands.iter().map(|a| float(*a)).collect();
            Scalar::Float64(f64::math(function, &operands))
        }
    }
}

fn half(a: Scalar) -> f16 {
    match a {
        Scalar::Float16(a) => a,
        other => unreachable!("{other:?} is no float16"),
    }
}

/// The neighbour of a float16 on the way to another; that of float32 would round back.
fn next_after(from: f16, to: f16) -> f16 {
    if from.is_nan() || to.is_nan() {
        return f16::NAN;
    }
    if from == to {
        return to;
    }
    if from.to_f32() == 0.0 {
        return f16::from_bits((to.to_bits() & 0x8000) | 1);
    }
    let away_from_zero = (to > from) == (from.to_f32() > 0.0);
    f16::from_bits(if away_from_zero {
        from.to_bits() + 1
    } else {
        from.to_bits() - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_integer_is_its_own_negative_and_magnitude() {
        let smallest = Scalar::Int(DType::Int8, -128);
        assert_eq!(unary(UnaryOp::Negate, smallest), smallest);
        assert_eq!(unary(UnaryOp::Abs, smallest), smallest);
        let one = Scalar::Int(DType::UInt16, 1);
        let most = Scalar::Int(DType::UInt16, 65535);
        assert_eq!(unary(UnaryOp::Negate, one), most);
        assert_eq!(unary(UnaryOp::BitNot, Scalar::Int(DType::UInt16, 0)), most);
        let sum = binary(BinaryOp::Add, most, one);
        assert_eq!(sum, Scalar::Int(DType::UInt16, 0));
    }

    #[test]
    fn comparisons_with_nan_are_false_except_not_equal() {
        for op in CompareOp::ALL {
            let expected = *op == CompareOp::NotEqual;
            let nan = Scalar::Float32(f32::NAN);
            assert_eq!(compare(*op, nan, nan), expected);
            assert_eq!(compare(*op, nan, Scalar::Float32(1.0)), expected);
        }
        let nan = Scalar::Complex64(0.0, f32::NAN);
        assert!(compare(CompareOp::NotEqual, nan, nan));
        assert!(!compare(CompareOp::Equal, nan, nan));
    }

    #[test]
    fn float16_rounds_after_every_operation() {
        let half = |x: f32| Scalar::Float16(f16::from_f32(x));
        let sum = binary(BinaryOp::Add, half(2048.0), half(1.0));
        assert_eq!(sum, half(2048.0));
        let product = binary(BinaryOp::Multiply, half(300.0), half(300.0));
        assert_eq!(product, half(f32::INFINITY));
    }

    #[test]
    fn the_next_float16_is_one_bit_away() {
        let next = |a: f32, b: f32| next_after(f16::from_f32(a), f16::from_f32(b)).to_bits();
        assert_eq!(next(1.0, 2.0), 0x3c01);
        assert_eq!(next(1.0, 0.0), 0x3bff);
        assert_eq!(next(-1.0, -2.0), 0xbc01);
        assert_eq!(next(0.0, -1.0), 0x8001);
        assert_eq!(next(65504.0, f32::INFINITY), 0x7c00);
        assert_eq!(next(0.0, -0.0), 0x8000);
    }

    #[test]
    fn the_sign_of_zero_is_a_bit() {
        assert_eq!(
            unary(UnaryOp::SignBit, Scalar::Float64(-0.0)),
            Scalar::Bool(true)
        );
        let zero = unary(UnaryOp::Abs, Scalar::Float16(f16::from_f32(-0.0)));
        assert_eq!(zero.to_bytes()[..], [0, 0]);
    }
}
