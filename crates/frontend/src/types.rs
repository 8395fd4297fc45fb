//! Types of results: NumPy 2's promotion with Python's own numbers as weak operands.

use crate::value::{Constant, Scalar};
use colocate_dtype::promote_types;
use colocate_ir::{DType, Kind, Literal};

/// What a user calls the type.
pub(crate) fn type_name(dtype: DType, weak: bool) -> &'static str {
    match (dtype, weak) {
        (DType::Bool, true) => "bool",
        (DType::Bool, false) => "numpy.bool",
        (DType::Int64, true) => "int",
        (DType::Float64, true) => "float",
        (DType::Complex128, true) => "complex",
        (dtype, _) => dtype.name(),
    }
}

/// The dtype and weakness of a result of two operands.
pub(crate) fn promote(a: &Scalar, b: &Scalar) -> (DType, bool) {
    match (a.weak, b.weak) {
        (true, true) => (promote_types(a.dtype, b.dtype), true),
        (false, false) => (promote_types(a.dtype, b.dtype), false),
        (true, false) => (weak_with(a.dtype, b.dtype), false),
        (false, true) => (weak_with(b.dtype, a.dtype), false),
    }
}

/// What a dtype becomes when it meets a Python number of another one.
fn weak_with(weak: DType, strong: DType) -> DType {
    let narrow = matches!(strong, DType::Float16 | DType::Float32);
    match (weak.kind(), strong.kind()) {
        (Kind::Bool, _) => strong,
        (Kind::Int | Kind::UInt, Kind::Bool) => DType::Int64,
        (Kind::Int | Kind::UInt, _) => strong,
        (Kind::Float, Kind::Bool | Kind::Int | Kind::UInt) => DType::Float64,
        (Kind::Float, _) => strong,
        (Kind::Complex, Kind::Complex) => strong,
        (Kind::Complex, _) if narrow => DType::Complex64,
        (Kind::Complex, _) => DType::Complex128,
    }
}

/// The type of a variable that holds one or the other. Unlike the result of an operation it must
/// hold both values: a Python int becomes a narrower integer only if it is a constant that fits.
pub(crate) fn join(a: &Scalar, b: &Scalar) -> (DType, bool) {
    if a.weak == b.weak {
        return promote(a, b);
    }
    let (weak, strong) = if a.weak { (a, b) } else { (b, a) };
    if is_integer(weak.dtype) && is_integer(strong.dtype) {
        let fits = weak.as_int().is_some_and(|value| fits(value, strong.dtype))
            || strong.dtype == DType::UInt64 && weak.is_non_negative();
        let dtype = if fits {
            strong.dtype
        } else {
            promote_types(weak.dtype, strong.dtype)
        };
        return (dtype, false);
    }
    promote(a, b)
}

pub(crate) fn is_integer(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Int | Kind::UInt)
}

pub(crate) fn is_inexact(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Float | Kind::Complex)
}

/// Whether an integer dtype can hold the value.
pub(crate) fn fits(value: i128, dtype: DType) -> bool {
    Literal::Int(dtype, value).is_valid()
}

/// Whether a number is an integer of Python's that no variable holds: it exists only as a constant.
pub(crate) fn is_huge(scalar: &Scalar) -> bool {
    let beyond = |value: i128| !fits(value, scalar.dtype);
    is_integer(scalar.dtype) && scalar.as_int().is_some_and(beyond)
}

/// The value as the integer dtype holds it after wrapping.
pub(crate) fn wrap(value: i128, dtype: DType) -> i128 {
    let bits = 8 * dtype.itemsize() as u32;
    let low = value & ((1i128 << bits) - 1);
    if dtype.kind() == Kind::Int && low >> (bits - 1) != 0 {
        low - (1i128 << bits)
    } else {
        low
    }
}

/// The dtype of the float that a NumPy function of floats computes in: for integers the smallest
/// float that NumPy's tables give.
pub(crate) fn float_for(dtype: DType) -> DType {
    match (dtype.kind(), dtype.itemsize()) {
        (Kind::Float | Kind::Complex, _) => dtype,
        (Kind::Bool, _) | (_, 1) => DType::Float16,
        (_, 2) => DType::Float32,
        _ => DType::Float64,
    }
}

/// The float dtype that a function of two floats computes with: the first that holds each of them, so that int8
/// and uint8 need no more than float16.
pub(crate) fn float_for_both(a: &Scalar, b: &Scalar) -> DType {
    if a.weak || b.weak {
        return float_for(promote(a, b).0);
    }
    promote_types(float_for(a.dtype), float_for(b.dtype))
}

/// The dtype of the parts of a complex dtype; a real one is its own.
pub(crate) fn real_of(dtype: DType) -> DType {
    match dtype {
        DType::Complex64 => DType::Float32,
        DType::Complex128 => DType::Float64,
        other => other,
    }
}

/// A constant as a dtype holds it. Integers wrap, floats are rounded to zero.
pub(crate) fn cast(constant: Constant, dtype: DType) -> Constant {
    let (re, im) = match constant {
        Constant::Bool(value) => (f64::from(u8::from(value)), 0.0),
        Constant::Int(value) => (value as f64, 0.0),
        Constant::Float(value) => (value, 0.0),
        Constant::Complex(re, im) => (re, im),
    };
    match dtype.kind() {
        Kind::Bool => Constant::Bool(match constant {
            Constant::Bool(value) => value,
            Constant::Int(value) => value != 0,
            _ => re != 0.0 || im != 0.0,
        }),
        Kind::Int | Kind::UInt => match constant {
            Constant::Bool(value) => Constant::Int(i128::from(value)),
            Constant::Int(value) => Constant::Int(wrap(value, dtype)),
            _ => Constant::Int(colocate_ir::interpret::integer_from_float(re, dtype)),
        },
        Kind::Float => Constant::Float(round_to(re, dtype)),
        Kind::Complex => {
            Constant::Complex(round_to(re, real_of(dtype)), round_to(im, real_of(dtype)))
        }
    }
}

/// A float rounded to float32 if that is the dtype.
pub(crate) fn round_to(value: f64, dtype: DType) -> f64 {
    if dtype == DType::Float32 {
        f64::from(value as f32)
    } else {
        value
    }
}

/// The literal of a constant that was cast to the dtype.
pub(crate) fn literal(constant: Constant, dtype: DType) -> Literal {
    match cast(constant, dtype) {
        Constant::Bool(value) => Literal::Bool(value),
        Constant::Int(value) => Literal::Int(dtype, value),
        Constant::Float(value) => Literal::Float(dtype, value),
        Constant::Complex(re, im) => Literal::Complex(dtype, re, im),
    }
}

/// A literal as a scalar's constant.
pub(crate) fn constant_of(literal: Literal) -> Constant {
    match literal {
        Literal::Bool(value) => Constant::Bool(value),
        Literal::Int(_, value) => Constant::Int(value),
        Literal::Float(_, value) => Constant::Float(value),
        Literal::Complex(_, re, im) => Constant::Complex(re, im),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strong(dtype: DType) -> Scalar {
        Scalar::constant(dtype, false, Constant::Int(0))
    }

    #[test]
    fn python_numbers_take_the_dtype_they_meet() {
        let (int, float) = (Scalar::const_int(300), Scalar::const_float(0.5));
        assert_eq!(promote(&int, &strong(DType::UInt8)), (DType::UInt8, false));
        assert_eq!(
            promote(&float, &strong(DType::Float32)),
            (DType::Float32, false)
        );
        assert_eq!(
            promote(&float, &strong(DType::Int32)),
            (DType::Float64, false)
        );
        assert_eq!(promote(&int, &strong(DType::Bool)), (DType::Int64, false));
        assert_eq!(promote(&int, &float), (DType::Float64, true));
    }

    #[test]
    fn a_variable_is_wide_enough_for_both_of_its_values() {
        let narrow = strong(DType::UInt8);
        assert_eq!(join(&Scalar::const_int(7), &narrow), (DType::UInt8, false));
        assert_eq!(join(&Scalar::const_int(-1), &narrow), (DType::Int64, false));
    }

    #[test]
    fn constants_wrap() {
        assert_eq!(wrap(-1, DType::UInt8), 255);
        assert_eq!(wrap(200, DType::Int8), -56);
        assert_eq!(cast(Constant::Float(1e30), DType::Int8), Constant::Int(0));
        assert_eq!(
            cast(Constant::Float(f64::NAN), DType::Int64),
            Constant::Int(i64::MIN.into())
        );
    }
}
