//! Which dtypes an operation computes with and gives.
//!
//! The rules are those by which NumPy's ufuncs pick a loop: the first one that all operands can be
//! converted to safely. What is decided here alone, and what the emission may rely on: operands have
//! one dtype, but for comparisons of int64 with uint64, `where` and `ldexp`.

use super::{Operation, inexact};
use colocate_dtype::promote_types;
use colocate_ir::{DType, Kind};
use smallvec::SmallVec;

/// The dtypes of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// What operands are converted to before.
    pub operands: SmallVec<[DType; 3]>,
    /// What comes out.
    pub result: DType,
}

impl Signature {
    fn new(operands: &[DType], result: DType) -> Option<Signature> {
        Some(Signature {
            operands: SmallVec::from_slice(operands),
            result,
        })
    }

    /// Operands of one dtype.
    fn uniform(dtype: DType, count: usize, result: DType) -> Option<Signature> {
        Some(Signature {
            operands: SmallVec::from_elem(dtype, count),
            result,
        })
    }
}

impl Operation {
    /// The dtypes it computes with and gives for operands of these dtypes; `None` if it does not
    /// take them, or takes another number of operands.
    pub fn signature(self, operands: &[DType]) -> Option<Signature> {
        use Operation::*;
        let count = self.arity();
        if operands.len() != count {
            return None;
        }
        let first = operands[0];
        let promoted = operands.iter().copied().reduce(promote_types)?;
        let same = |dtype| Signature::uniform(dtype, count, dtype);
        let truth = |dtype| Signature::uniform(dtype, count, DType::Bool);
        let kind = promoted.kind();
        match self {
            Add | Multiply | Maximum | Minimum | Fmax | Fmin | Clip => same(promoted),
            Subtract | Negative | Positive | Sign => {
                (kind != Kind::Bool).then(|| same(promoted)).flatten()
            }
            Pow | Square | Reciprocal | Conj => same(number(promoted)),
            FloorDivide | Remainder | Fmod => (kind != Kind::Complex)
                .then(|| same(number(promoted)))
                .flatten(),
            Divide => match kind {
                Kind::Float | Kind::Complex if !operands.iter().copied().all(is_exact) => {
                    same(promoted)
                }
                // Also of int64 with uint64, whose common dtype is a float.
                _ => same(DType::Float64),
            },
            FloatPower if kind == Kind::Complex => same(DType::Complex128),
            FloatPower => same(DType::Float64),
            Abs => Signature::new(&[first], real_of(first)),

            Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual => {
                comparison(first, operands[1], promoted)
            }
            Where => {
                let value = promote_types(operands[1], operands[2]);
                Signature::new(&[DType::Bool, value, value], value)
            }
            LogicalAnd | LogicalOr | LogicalXor | LogicalNot => truth(DType::Bool),

            BitwiseAnd | BitwiseOr | BitwiseXor | BitwiseInvert => {
                is_exact(promoted).then(|| same(promoted)).flatten()
            }
            BitwiseLeftShift | BitwiseRightShift => {
                is_exact(promoted).then(|| same(number(promoted))).flatten()
            }
            Gcd | Lcm => (is_exact(promoted) && kind != Kind::Bool)
                .then(|| same(promoted))
                .flatten(),
            BitwiseCount => is_exact(first)
                .then(|| Signature::new(&[number(first)], DType::UInt8))
                .flatten(),

            IsNan | IsInf | IsFinite => truth(first),
            IsPosInf | IsNegInf => (kind != Kind::Complex).then(|| truth(first)).flatten(),
            SignBit => real(operands).and_then(truth),
            NanToNum => same(first),

            Floor | Ceil | Trunc => (kind != Kind::Complex).then(|| same(first)).flatten(),
            Round if matches!(kind, Kind::Int | Kind::UInt) => same(first),

            Round | Rint | Sqrt | Exp | Exp2 | Expm1 | Log | Log2 | Log10 | Log1p | Sin | Cos
            | Tan | Asin | Acos | Atan | Sinh | Cosh | Tanh | Asinh | Acosh | Atanh => {
                same(inexact(first))
            }
            // NumPy multiplies by π first, and an integer times a Python float is float64.
            Sinc if is_exact(first) => same(DType::Float64),
            Sinc => same(first),
            Fabs | Cbrt | Deg2rad | Rad2deg | ModfFraction | ModfWhole | LogAddExp | LogAddExp2
            | Atan2 | Hypot | CopySign | NextAfter | Spacing | Heaviside | FrexpMantissa => {
                real(operands).and_then(same)
            }
            FrexpExponent => {
                real(operands).and_then(|dtype| Signature::new(&[dtype], DType::Int32))
            }
            Ldexp => {
                let float = real(&operands[..1])?;
                let exponent = match operands[1] {
                    DType::UInt32 | DType::Int64 => DType::Int64,
                    DType::UInt64 => return None,
                    small if is_exact(small) => DType::Int32,
                    _ => return None,
                };
                Signature::new(&[float, exponent], float)
            }

            Real | Imag => Signature::new(&[first], real_of(first)),
            // NumPy takes the angle from an integer zero to it, which makes an int64 of a bool.
            Angle if kind == Kind::Bool => Signature::new(&[DType::Float64], DType::Float64),
            Angle => {
                let dtype = inexact(first);
                Signature::new(&[dtype], real_of(dtype))
            }
            Complex => match real(operands)? {
                DType::Float64 => Signature::uniform(DType::Float64, 2, DType::Complex128),
                _ => Signature::uniform(DType::Float32, 2, DType::Complex64),
            },
        }
    }

    /// The dtypes it computes with if the result is to have a dtype, as `dtype=` of NumPy's ufuncs
    /// asks for; `None` if it never gives that dtype. Whether operands may be converted so is the
    /// caller's question.
    pub fn signature_giving(self, result: DType, operands: &[DType]) -> Option<Signature> {
        let gives = |dtypes: &[DType]| {
            self.signature(dtypes)
                .filter(|signature| signature.result == result)
        };
        let all = |dtype: DType| {
            let mut dtypes: SmallVec<[DType; 3]> = SmallVec::from_elem(dtype, operands.len());
            match self {
                Operation::Where => dtypes[0] = operands[0],
                Operation::Ldexp => dtypes[1] = operands[1],
                _ => {}
            }
            gives(&dtypes)
        };
        let complex = match result {
            DType::Float64 => DType::Complex128,
            _ => DType::Complex64,
        };
        let is_complex = operands.iter().any(|dtype| dtype.kind() == Kind::Complex);
        gives(operands)
            .or_else(|| is_complex.then(|| all(complex)).flatten())
            .or_else(|| all(result))
    }
}

/// Whether a dtype is bool or an integer.
fn is_exact(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Bool | Kind::Int | Kind::UInt)
}

/// Bools are counted as int8 where there is no operation for them.
fn number(dtype: DType) -> DType {
    match dtype {
        DType::Bool => DType::Int8,
        other => other,
    }
}

/// The dtype of the parts of a complex dtype; any other is its own.
fn real_of(dtype: DType) -> DType {
    match dtype {
        DType::Complex64 => DType::Float32,
        DType::Complex128 => DType::Float64,
        other => other,
    }
}

/// The float that holds all operands; `None` if one is complex.
///
/// Each integer becomes a float by itself: int8 with uint8 are float16, not the float of int16.
fn real(operands: &[DType]) -> Option<DType> {
    let floats = operands.iter().map(|&dtype| inexact(dtype));
    let float = floats.reduce(promote_types)?;
    (float.kind() == Kind::Float).then_some(float)
}

/// Signed integers and uint64 have no common integer; they are compared by value all the same.
fn comparison(a: DType, b: DType, promoted: DType) -> Option<Signature> {
    let widest = |dtype: DType| match dtype.kind() {
        Kind::Int => DType::Int64,
        _ => DType::UInt64,
    };
    match (a, b) {
        (DType::UInt64, signed) | (signed, DType::UInt64) if signed.kind() == Kind::Int => {
            Signature::new(&[widest(a), widest(b)], DType::Bool)
        }
        _ => Signature::uniform(promoted, 2, DType::Bool),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(operation: Operation, operands: &[DType]) -> Option<DType> {
        operation
            .signature(operands)
            .map(|signature| signature.result)
    }

    #[test]
    fn signatures_have_an_operand_for_each() {
        for &operation in Operation::ALL {
            for a in DType::ALL {
                for b in DType::ALL {
                    let operands = [a, b, a];
                    let operands = &operands[..operation.arity()];
                    if let Some(signature) = operation.signature(operands) {
                        assert_eq!(signature.operands.len(), operation.arity());
                        let again = operation.signature(&signature.operands);
                        assert_eq!(again, Some(signature), "{}", operation.name());
                    }
                }
            }
        }
    }

    #[test]
    fn a_result_of_a_dtype_is_asked_for() {
        use DType::*;
        use Operation as O;
        let first = |operation: Operation, result, operands: &[DType]| {
            let signature = operation.signature_giving(result, operands)?;
            assert_eq!(signature.result, result);
            Some(signature.operands[0])
        };
        assert_eq!(first(O::Add, Int8, &[Int64, Int8]), Some(Int8));
        assert_eq!(first(O::Equal, Bool, &[Int64, Int8]), Some(Int64));
        assert_eq!(first(O::Equal, Int64, &[Int64, Int64]), None);
        assert_eq!(first(O::Divide, Int64, &[Int64, Int64]), None);
        assert_eq!(first(O::Sqrt, Float32, &[Int8]), Some(Float32));
        assert_eq!(first(O::Abs, Float64, &[Complex64]), Some(Complex128));
        assert_eq!(first(O::Ldexp, Float32, &[Float64, Int64]), Some(Float32));
    }

    #[test]
    fn a_wrong_number_of_operands_is_refused() {
        assert_eq!(Operation::Add.signature(&[DType::Int8]), None);
        assert_eq!(Operation::Exp.signature(&[DType::Float32; 2]), None);
    }

    #[test]
    fn the_surprising_ones_are_numpys() {
        use DType::*;
        use Operation as O;
        for (operation, operands, expected) in [
            (O::Divide, &[Int8, Int8][..], Some(Float64)),
            (O::Divide, &[Int64, UInt64], Some(Float64)),
            (O::Divide, &[Int8, Float16], Some(Float16)),
            (O::Hypot, &[Int8, UInt8], Some(Float16)),
            (O::Hypot, &[Int16, UInt16], Some(Float32)),
            (O::Pow, &[Int16, UInt16], Some(Int32)),
            (O::Pow, &[Bool, Bool], Some(Int8)),
            (O::Subtract, &[Bool, Bool], None),
            (O::Subtract, &[Bool, Int8], Some(Int8)),
            (O::BitwiseAnd, &[Int8, UInt64], None),
            (O::BitwiseLeftShift, &[Bool, Bool], Some(Int8)),
            (O::Gcd, &[Bool, Bool], None),
            (O::Ldexp, &[Float32, Int64], Some(Float32)),
            (O::Ldexp, &[Float32, UInt64], None),
            (O::Sqrt, &[Int8], Some(Float16)),
            (O::Floor, &[Complex64], None),
            (O::Abs, &[Complex64], Some(Float32)),
            (O::Round, &[Bool], Some(Float16)),
        ] {
            let name = operation.name();
            assert_eq!(result(operation, operands), expected, "{name} {operands:?}");
        }
    }
}
