//! One number of any dtype: from and to bytes, from literals, and to other dtypes.

use crate::{DType, Kind, Literal, Part};
use half::f16;
use smallvec::SmallVec;

/// A number with its dtype.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// True or false.
    Bool(bool),
    /// An integer that its dtype, which is an integer dtype, can hold.
    Int(DType, i128),
    /// A float16.
    Float16(f16),
    /// A float32.
    Float32(f32),
    /// A float64.
    Float64(f64),
    /// A complex64: real and imaginary part.
    Complex64(f32, f32),
    /// A complex128: real and imaginary part.
    Complex128(f64, f64),
}

/// The bytes of a scalar.
pub type ScalarBytes = SmallVec<[u8; 16]>;

impl Scalar {
    /// Its dtype.
    pub const fn dtype(self) -> DType {
        match self {
            Scalar::Bool(_) => DType::Bool,
            Scalar::Int(dtype, _) => dtype,
            Scalar::Float16(_) => DType::Float16,
            Scalar::Float32(_) => DType::Float32,
            Scalar::Float64(_) => DType::Float64,
            Scalar::Complex64(..) => DType::Complex64,
            Scalar::Complex128(..) => DType::Complex128,
        }
    }

    /// An int64.
    pub const fn int64(value: i64) -> Scalar {
        Scalar::Int(DType::Int64, value as i128)
    }

    /// An integer of a dtype, cut to its width.
    pub const fn wrapped(dtype: DType, value: i128) -> Scalar {
        let unused = 128 - 8 * dtype.itemsize() as u32;
        let high = value << unused;
        Scalar::Int(
            dtype,
            match dtype.kind() {
                Kind::Int => high >> unused,
                _ => (high as u128 >> unused) as i128,
            },
        )
    }

    /// Zero, or false.
    pub fn zero(dtype: DType) -> Scalar {
        Scalar::from_literal(Literal::zero(dtype))
    }

    /// What a valid literal stands for.
    pub fn from_literal(literal: Literal) -> Scalar {
        match literal {
            Literal::Bool(value) => Scalar::Bool(value),
            Literal::Int(dtype, value) => Scalar::Int(dtype, value),
            Literal::Float(dtype, value) => Scalar::Float64(value).convert(dtype),
            Literal::Complex(dtype, re, im) => Scalar::Complex128(re, im).convert(dtype),
        }
    }

    /// A literal that stands for it.
    pub fn to_literal(self) -> Literal {
        match self {
            Scalar::Bool(value) => Literal::Bool(value),
            Scalar::Int(dtype, value) => Literal::Int(dtype, value),
            Scalar::Float16(value) => Literal::Float(DType::Float16, value.to_f64()),
            Scalar::Float32(value) => Literal::Float(DType::Float32, value.into()),
            Scalar::Float64(value) => Literal::Float(DType::Float64, value),
            Scalar::Complex64(re, im) => Literal::Complex(DType::Complex64, re.into(), im.into()),
            Scalar::Complex128(re, im) => Literal::Complex(DType::Complex128, re, im),
        }
    }

    /// Reads the bytes of an element, as many as the dtype has, in little-endian order.
    pub fn from_bytes(dtype: DType, bytes: &[u8]) -> Scalar {
        fn take<const N: usize>(bytes: &[u8]) -> [u8; N] {
            bytes[..N].try_into().expect("the slice has this length")
        }
        match dtype {
            DType::Bool => Scalar::Bool(bytes[0] != 0),
            DType::Int8
            | DType::Int16
            | DType::Int32
            | DType::Int64
            | DType::UInt8
            | DType::UInt16
            | DType::UInt32
            | DType::UInt64 => {
                let mut wide = [0; 16];
                wide[..dtype.itemsize()].copy_from_slice(&bytes[..dtype.itemsize()]);
                Scalar::wrapped(dtype, i128::from_le_bytes(wide))
            }
            DType::Float16 => Scalar::Float16(f16::from_le_bytes(take(bytes))),
            DType::Float32 => Scalar::Float32(f32::from_le_bytes(take(bytes))),
            DType::Float64 => Scalar::Float64(f64::from_le_bytes(take(bytes))),
            DType::Complex64 => Scalar::Complex64(
                f32::from_le_bytes(take(bytes)),
                f32::from_le_bytes(take(&bytes[4..])),
            ),
            DType::Complex128 => Scalar::Complex128(
                f64::from_le_bytes(take(bytes)),
                f64::from_le_bytes(take(&bytes[8..])),
            ),
        }
    }

    /// Its bytes, in little-endian order.
    pub fn to_bytes(self) -> ScalarBytes {
        let mut bytes = ScalarBytes::new();
        match self {
            Scalar::Bool(value) => bytes.push(u8::from(value)),
            Scalar::Int(dtype, value) => {
                bytes.extend_from_slice(&value.to_le_bytes()[..dtype.itemsize()]);
            }
            Scalar::Float16(value) => bytes.extend_from_slice(&value.to_le_bytes()),
            Scalar::Float32(value) => bytes.extend_from_slice(&value.to_le_bytes()),
            Scalar::Float64(value) => bytes.extend_from_slice(&value.to_le_bytes()),
            Scalar::Complex64(re, im) => {
                bytes.extend_from_slice(&re.to_le_bytes());
                bytes.extend_from_slice(&im.to_le_bytes());
            }
            Scalar::Complex128(re, im) => {
                bytes.extend_from_slice(&re.to_le_bytes());
                bytes.extend_from_slice(&im.to_le_bytes());
            }
        }
        bytes
    }

    /// A part of it, which it must have.
    pub fn part(self, part: Part) -> Scalar {
        match (part, self) {
            (Part::Whole, whole) => whole,
            (Part::Real, Scalar::Complex64(re, _)) => Scalar::Float32(re),
            (Part::Real, Scalar::Complex128(re, _)) => Scalar::Float64(re),
            (Part::Imaginary, Scalar::Complex64(_, im)) => Scalar::Float32(im),
            (Part::Imaginary, Scalar::Complex128(_, im)) => Scalar::Float64(im),
            (_, number) => unreachable!("{number:?} has no parts"),
        }
    }

    /// It as another dtype, as `Op::Convert` does it.
    pub fn convert(self, to: DType) -> Scalar {
        if to == self.dtype() {
            return self;
        }
        match (self, to.kind()) {
            (_, Kind::Bool) => Scalar::Bool(self.is_not_zero()),
            (Scalar::Bool(value), _) => Scalar::from_integer(i128::from(value), to),
            (Scalar::Int(_, value), _) => Scalar::from_integer(value, to),
            (Scalar::Complex64(re, im), Kind::Complex) => {
                Scalar::from_float(re.into(), im.into(), to)
            }
            (Scalar::Complex128(re, im), Kind::Complex) => Scalar::from_float(re, im, to),
            (Scalar::Complex64(re, _), _) => Scalar::from_float(re.into(), 0.0, to),
            (Scalar::Complex128(re, _), _) => Scalar::from_float(re, 0.0, to),
            (Scalar::Float16(value), _) => Scalar::from_float(value.to_f64(), 0.0, to),
            (Scalar::Float32(value), _) => Scalar::from_float(value.into(), 0.0, to),
            (Scalar::Float64(value), _) => Scalar::from_float(value, 0.0, to),
        }
    }

    fn is_not_zero(self) -> bool {
        match self {
            Scalar::Bool(value) => value,
            Scalar::Int(_, value) => value != 0,
            Scalar::Float16(value) => value.to_f32() != 0.0,
            Scalar::Float32(value) => value != 0.0,
            Scalar::Float64(value) => value != 0.0,
            Scalar::Complex64(re, im) => re != 0.0 || im != 0.0,
            Scalar::Complex128(re, im) => re != 0.0 || im != 0.0,
        }
    }

    /// From what every integer dtype fits into. Rounds once.
    fn from_integer(value: i128, to: DType) -> Scalar {
        match to {
            DType::Bool => Scalar::Bool(value != 0),
            // Integers that float64 does not hold exactly are infinite as float16.
            DType::Float16 => Scalar::Float16(f16_from_f64(value as f64)),
            DType::Float32 => Scalar::Float32(value as f32),
            DType::Float64 => Scalar::Float64(value as f64),
            DType::Complex64 => Scalar::Complex64(value as f32, 0.0),
            DType::Complex128 => Scalar::Complex128(value as f64, 0.0),
            integer => Scalar::wrapped(integer, value),
        }
    }

    /// From what every float fits into. Rounds once.
    fn from_float(re: f64, im: f64, to: DType) -> Scalar {
        match to {
            DType::Bool => Scalar::Bool(re != 0.0 || im != 0.0),
            DType::Float16 => Scalar::Float16(f16_from_f64(re)),
            DType::Float32 => Scalar::Float32(re as f32),
            DType::Float64 => Scalar::Float64(re),
            DType::Complex64 => Scalar::Complex64(re as f32, im as f32),
            DType::Complex128 => Scalar::Complex128(re, im),
            integer => Scalar::Int(integer, integer_from_float(re, integer)),
        }
    }
}

/// A float as an integer dtype holds it: rounded to zero. What does not fit, and NaN, becomes what NumPy makes of it,
/// which is what x86 processors give: the lowest number of signed integers, and what follows from that for the
/// others.
pub fn integer_from_float(value: f64, to: DType) -> i128 {
    let bits = (8 * to.itemsize() as u32).max(32);
    let end = 2f64.powi(bits as i32 - 1);
    let signed = |value: f64| match value.abs() < end {
        true => value as i128,
        false => -(1 << (bits - 1)),
    };
    let whole = if to.kind() == Kind::UInt && to.itemsize() >= 4 && value >= end {
        signed(value - end) + (1 << (bits - 1))
    } else {
        signed(value)
    };
    match Scalar::wrapped(to, whole) {
        Scalar::Int(_, value) => value,
        _ => whole,
    }
}

/// The smallest and the largest number of an integer dtype.
pub fn integer_range(dtype: DType) -> (i128, i128) {
    let bits = 8 * dtype.itemsize() as u32;
    match dtype.kind() {
        Kind::Int => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        _ => (0, (1 << bits) - 1),
    }
}

/// The nearest float16. The half crate goes through float32 where the processor can, and so rounds
/// twice; rounding to odd first makes the second rounding right.
fn f16_from_f64(value: f64) -> f16 {
    let near = value as f32;
    if value.is_nan() || f64::from(near) == value {
        return f16::from_f32(near);
    }
    let too_far = f64::from(near).abs() > value.abs();
    let towards_zero = near.to_bits() - u32::from(too_far);
    f16::from_f32(f32::from_bits(towards_zero | 1))
}

macro_rules! from {
    ($($type:ty => $make:expr;)*) => {$(
        impl From<$type> for Scalar {
            fn from(value: $type) -> Scalar {
                $make(value)
            }
        }
    )*};
}

from! {
    bool => Scalar::Bool;
    i64 => Scalar::int64;
    f16 => Scalar::Float16;
    f32 => Scalar::Float32;
    f64 => Scalar::Float64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_give_the_scalar_back() {
        let mut scalars = vec![Scalar::Bool(true)];
        for dtype in DType::ALL {
            if matches!(dtype.kind(), Kind::Int | Kind::UInt) {
                let (lowest, highest) = integer_range(dtype);
                scalars.push(Scalar::Int(dtype, lowest));
                scalars.push(Scalar::Int(dtype, highest));
            }
        }
        scalars.push(Scalar::Float16(f16::from_f32(-1.5)));
        scalars.push(Scalar::Float32(0.1));
        scalars.push(Scalar::Float64(0.1));
        scalars.push(Scalar::Complex64(1.0, -2.0));
        scalars.push(Scalar::Complex128(1.0, -2.0));
        for scalar in scalars {
            let bytes = scalar.to_bytes();
            assert_eq!(bytes.len(), scalar.dtype().itemsize());
            assert_eq!(Scalar::from_bytes(scalar.dtype(), &bytes), scalar);
            assert_eq!(Scalar::from_literal(scalar.to_literal()), scalar);
        }
    }

    #[test]
    fn integers_wrap_when_converted() {
        let to = |value: i64, dtype| match Scalar::int64(value).convert(dtype) {
            Scalar::Int(_, value) => value,
            other => panic!("{other:?} is no integer"),
        };
        assert_eq!(to(300, DType::UInt8), 44);
        assert_eq!(to(200, DType::Int8), -56);
        assert_eq!(to(-1, DType::UInt64), u64::MAX.into());
        assert_eq!(to(i64::MIN, DType::Int32), 0);
    }

    #[test]
    fn floats_that_do_not_fit_become_what_numpy_makes_of_them() {
        let to = |value: f64, dtype| match Scalar::Float64(value).convert(dtype) {
            Scalar::Int(_, value) => value,
            other => panic!("{other:?} is no integer"),
        };
        assert_eq!(to(-1.9, DType::Int32), -1);
        assert_eq!(to(-1.9, DType::UInt32), u32::MAX.into());
        assert_eq!(to(3e9, DType::UInt32), 3_000_000_000);
        assert_eq!(to(5e9, DType::UInt32), 0);
        assert_eq!(to(-3e9, DType::UInt32), 1 << 31);
        assert_eq!(to(3e9, DType::Int32), i32::MIN.into());
        assert_eq!(to(1e300, DType::Int64), i64::MIN.into());
        assert_eq!(to(f64::INFINITY, DType::UInt64), 0);
        assert_eq!(to(f64::NAN, DType::UInt64), 1 << 63);
        assert_eq!(to(1e19, DType::UInt64), 10_000_000_000_000_000_000);
        assert_eq!(to(f64::NEG_INFINITY, DType::Int8), 0);
        assert_eq!(to(300.0, DType::UInt8), 44);
        assert_eq!(to(-200.0, DType::Int8), 56);
        assert_eq!(to(f64::NAN, DType::Int16), 0);
    }

    #[test]
    fn anything_but_zero_is_true() {
        let truth = |scalar: Scalar| scalar.convert(DType::Bool) == Scalar::Bool(true);
        assert!(truth(Scalar::Float64(f64::NAN)));
        assert!(!truth(Scalar::Float32(-0.0)));
        assert!(truth(Scalar::Complex64(0.0, 1.0)));
        assert!(truth(Scalar::Float64(1e-300)));
        assert!(!truth(Scalar::int64(0)));
    }

    #[test]
    fn complex_to_real_drops_the_imaginary_part() {
        let z = Scalar::Complex128(-2.5, 7.0);
        assert_eq!(z.convert(DType::Float32), Scalar::Float32(-2.5));
        assert_eq!(z.convert(DType::Int8), Scalar::Int(DType::Int8, -2));
        assert_eq!(z.convert(DType::Complex64), Scalar::Complex64(-2.5, 7.0));
    }

    #[test]
    fn float64_to_float16_rounds_once() {
        // Just above the middle of 1 and its successor: by way of float32 it would be a tie.
        let above = 1.0 + 2f64.powi(-11) + 2f64.powi(-40);
        let expected = f16::from_f32(1.0 + 2f32.powi(-10));
        assert_eq!(f16_from_f64(above), expected);
        assert_eq!(f16_from_f64(-above), -expected);
        assert_eq!(f16_from_f64(1e300), f16::INFINITY);
        assert_eq!(f16_from_f64(-1e-300).to_bits(), 0x8000);
        assert_eq!(f16_from_f64(65519.99), f16::MAX);
        assert_eq!(f16_from_f64(65520.0), f16::INFINITY);
        assert!(f16_from_f64(f64::NAN).is_nan());
    }
}
