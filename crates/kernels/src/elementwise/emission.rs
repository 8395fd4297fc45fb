//! What each operation is in IR.

use super::shorthand::{Parts, Shorthand};
use super::{Operation, complex_math, float_bits, floats, integers};
use colocate_ir::{
    BinaryOp, CompareOp, DType, KernelBuilder, Kind, Literal, MathFunction, UnaryOp, ValueId,
};
use smallvec::SmallVec;
use std::f64::consts::PI;

impl Operation {
    /// Emits it; the operands have the dtypes of the [`Operation::signature`], and so has what is
    /// given back. Others are a mistake of the caller and panic.
    pub fn emit(self, b: &mut KernelBuilder, operands: &[ValueId]) -> ValueId {
        use Operation::{Deg2rad, LogAddExp, LogAddExp2, Rad2deg, Sinc};
        let composed = matches!(self, Deg2rad | LogAddExp | LogAddExp2 | Rad2deg | Sinc);
        if composed && b.dtype(operands[0]) == DType::Float16 {
            // Rounded once in the end, not after each step.
            let wide: SmallVec<[ValueId; 3]> = operands
                .iter()
                .map(|&operand| b.convert(operand, DType::Float32))
                .collect();
            let result = self.emit(b, &wide);
            return b.convert(result, DType::Float16);
        }
        match *operands {
            [x] => self.emit_unary(b, x),
            [x, y] => self.emit_binary(b, x, y),
            [x, y, z] => self.emit_ternary(b, x, y, z),
            _ => panic!("{} of {} operands", self.name(), operands.len()),
        }
    }

    fn emit_ternary(self, b: &mut KernelBuilder, x: ValueId, y: ValueId, z: ValueId) -> ValueId {
        match self {
            Operation::Where => b.select(x, y, z),
            Operation::Clip => {
                let raised = Operation::Maximum.emit_binary(b, x, y);
                Operation::Minimum.emit_binary(b, raised, z)
            }
            _ => panic!("{} of three operands", self.name()),
        }
    }

    fn emit_binary(self, b: &mut KernelBuilder, x: ValueId, y: ValueId) -> ValueId {
        use Operation::*;
        let kind = b.dtype(x).kind();
        let function = match self {
            Atan2 => Some(MathFunction::Atan2),
            Hypot => Some(MathFunction::Hypot),
            CopySign => Some(MathFunction::CopySign),
            NextAfter => Some(MathFunction::NextAfter),
            Fmod if kind == Kind::Float => Some(MathFunction::Fmod),
            _ => None,
        };
        if let Some(function) = function {
            return b.math(function, &[x, y]);
        }
        match self {
            Add if kind == Kind::Bool => b.or(x, y),
            Multiply if kind == Kind::Bool => b.and(x, y),
            Add => b.add(x, y),
            Subtract => b.sub(x, y),
            Multiply => b.mul(x, y),
            Divide => b.div(x, y),
            FloorDivide => floor_divide(b, x, y),
            Remainder => b.binary(BinaryOp::Modulo, x, y),
            Fmod => b.binary(BinaryOp::Remainder, x, y),
            Pow | FloatPower if kind == Kind::Complex => complex_math::power(b, x, y),
            Pow | FloatPower => b.binary(BinaryOp::Power, x, y),

            Equal => compare(b, CompareOp::Equal, x, y),
            NotEqual => compare(b, CompareOp::NotEqual, x, y),
            Less => compare(b, CompareOp::Less, x, y),
            LessEqual => compare(b, CompareOp::LessEqual, x, y),
            Greater => compare(b, CompareOp::Greater, x, y),
            GreaterEqual => compare(b, CompareOp::GreaterEqual, x, y),
            Maximum | Fmax if kind == Kind::Bool => b.or(x, y),
            Minimum | Fmin if kind == Kind::Bool => b.and(x, y),
            Maximum | Minimum | Fmax | Fmin if kind == Kind::Complex => {
                let (op, skips_nan) = match self {
                    Maximum => (CompareOp::GreaterEqual, false),
                    Minimum => (CompareOp::LessEqual, false),
                    Fmax => (CompareOp::GreaterEqual, true),
                    _ => (CompareOp::LessEqual, true),
                };
                complex_math::better(b, op, x, y, skips_nan)
            }
            Fmax if kind == Kind::Float => floats::ignoring_nan(b, BinaryOp::Maximum, x, y),
            Fmin if kind == Kind::Float => floats::ignoring_nan(b, BinaryOp::Minimum, x, y),
            Maximum | Fmax => b.max(x, y),
            Minimum | Fmin => b.min(x, y),

            LogicalAnd | BitwiseAnd => b.and(x, y),
            LogicalOr | BitwiseOr => b.or(x, y),
            LogicalXor | BitwiseXor => b.binary(BinaryOp::BitXor, x, y),
            BitwiseLeftShift => b.binary(BinaryOp::ShiftLeft, x, y),
            BitwiseRightShift => b.binary(BinaryOp::ShiftRight, x, y),
            Gcd => integers::gcd(b, x, y),
            Lcm => integers::lcm(b, x, y),

            LogAddExp => floats::log_add_exp(b, x, y, false),
            LogAddExp2 => floats::log_add_exp(b, x, y, true),
            Heaviside => floats::heaviside(b, x, y),
            Ldexp => float_bits::ldexp(b, x, y),
            Complex => b.complex(Parts { re: x, im: y }),
            _ => panic!("{} of two operands", self.name()),
        }
    }

    fn emit_unary(self, b: &mut KernelBuilder, x: ValueId) -> ValueId {
        use Operation::*;
        let kind = b.dtype(x).kind();
        if let Some(function) = self.function() {
            return match kind {
                Kind::Complex => complex_math::function(b, function, x),
                Kind::Float => b.apply(function, x),
                // Rounding changes no integer.
                _ => x,
            };
        }
        match self {
            Negative => b.neg(x),
            Abs | Fabs if kind == Kind::Bool || kind == Kind::UInt => x,
            Abs | Fabs => b.abs(x),
            Sign => match kind {
                Kind::Float => floats::sign(b, x),
                Kind::Complex => complex_math::sign(b, x),
                _ => integers::sign(b, x),
            },
            Square => b.mul(x, x),
            Reciprocal => match kind {
                Kind::Complex => complex_math::reciprocal(b, x),
                Kind::Float => {
                    let one = b.number(x, 1.0);
                    b.div(one, x)
                }
                _ => {
                    let one = b.number(x, 1.0);
                    let quotient = b.binary(BinaryOp::Quotient, one, x);
                    // Infinity as this dtype, as in NumPy.
                    let zero = b.number(x, 0.0);
                    let infinity = b.literal(Literal::Float(DType::Float32, f64::INFINITY));
                    let infinity = b.convert(infinity, b.dtype(x));
                    let is_zero = b.compare(CompareOp::Equal, x, zero);
                    b.select(is_zero, infinity, quotient)
                }
            },

            LogicalNot => b.not(x),
            BitwiseInvert if kind == Kind::Bool => b.not(x),
            BitwiseInvert => b.unary(UnaryOp::BitNot, x),
            BitwiseCount => integers::bit_count(b, x),

            IsNan => {
                let test = |b: &mut KernelBuilder, x| b.is_nan(x);
                classify(b, x, test, BinaryOp::BitOr, false)
            }
            IsInf => {
                let test = |b: &mut KernelBuilder, x| b.is_inf(x);
                classify(b, x, test, BinaryOp::BitOr, false)
            }
            IsFinite => {
                let test = |b: &mut KernelBuilder, x| b.is_finite(x);
                classify(b, x, test, BinaryOp::BitAnd, true)
            }
            IsPosInf | IsNegInf if kind != Kind::Float => b.truth(false),
            IsPosInf | IsNegInf => {
                let sign = if self == IsPosInf { 1.0 } else { -1.0 };
                let end = b.number(x, sign * f64::INFINITY);
                b.eq(x, end)
            }
            SignBit => b.unary(UnaryOp::SignBit, x),
            NanToNum => match kind {
                Kind::Float => floats::nan_to_num(b, x),
                Kind::Complex => {
                    let parts = b.parts(x).map(|part| floats::nan_to_num(b, part));
                    b.complex(parts)
                }
                _ => x,
            },
            ModfFraction => floats::fraction(b, x),

            Sinc if kind == Kind::Complex => complex_math::sinc(b, x),
            Sinc => floats::sinc(b, x),
            Deg2rad => b.scale(x, PI / 180.0),
            Rad2deg => b.scale(x, 180.0 / PI),
            Spacing => floats::spacing(b, x),
            FrexpMantissa => float_bits::frexp(b, x).0,
            FrexpExponent => float_bits::frexp(b, x).1,

            Conj if kind == Kind::Complex => {
                let Parts { re, im } = b.parts(x);
                let im = b.neg(im);
                b.complex(Parts { re, im })
            }
            Real if kind == Kind::Complex => b.unary(UnaryOp::Real, x),
            Imag if kind == Kind::Complex => b.unary(UnaryOp::Imaginary, x),
            Imag => b.number(x, 0.0),
            Angle => {
                let Parts { re, im } = if kind == Kind::Complex {
                    b.parts(x)
                } else {
                    let im = b.number(x, 0.0);
                    Parts { re: x, im }
                };
                b.atan2(im, re)
            }
            Positive | Conj | Real => x,
            _ => panic!("{} of one operand", self.name()),
        }
    }

    /// The function of the C library that it is for floats.
    fn function(self) -> Option<MathFunction> {
        use Operation::*;
        Some(match self {
            Floor => MathFunction::Floor,
            Ceil => MathFunction::Ceil,
            Trunc | ModfWhole => MathFunction::Truncate,
            Round | Rint => MathFunction::RoundEven,
            Sqrt => MathFunction::Sqrt,
            Cbrt => MathFunction::Cbrt,
            Exp => MathFunction::Exp,
            Exp2 => MathFunction::Exp2,
            Expm1 => MathFunction::Expm1,
            Log => MathFunction::Log,
            Log2 => MathFunction::Log2,
            Log10 => MathFunction::Log10,
            Log1p => MathFunction::Log1p,
            Sin => MathFunction::Sin,
            Cos => MathFunction::Cos,
            Tan => MathFunction::Tan,
            Asin => MathFunction::Asin,
            Acos => MathFunction::Acos,
            Atan => MathFunction::Atan,
            Sinh => MathFunction::Sinh,
            Cosh => MathFunction::Cosh,
            Tanh => MathFunction::Tanh,
            Asinh => MathFunction::Asinh,
            Acosh => MathFunction::Acosh,
            Atanh => MathFunction::Atanh,
            _ => return None,
        })
    }
}

fn compare(b: &mut KernelBuilder, op: CompareOp, x: ValueId, y: ValueId) -> ValueId {
    if b.dtype(x) != b.dtype(y) {
        return integers::compare_by_value(b, op, x, y);
    }
    let equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
    if b.dtype(x).kind() == Kind::Complex && !equality {
        let (x, y) = (b.parts(x), b.parts(y));
        return complex_math::compare(b, op, x, y);
    }
    b.compare(op, x, y)
}

/// A test of a float, of both parts of a complex number, and of an integer always the same.
fn classify(
    b: &mut KernelBuilder,
    x: ValueId,
    test: impl Fn(&mut KernelBuilder, ValueId) -> ValueId,
    join: BinaryOp,
    integers: bool,
) -> ValueId {
    match b.dtype(x).kind() {
        Kind::Float => test(b, x),
        Kind::Complex => {
            let parts = b.parts(x).map(|part| test(b, part));
            b.binary(join, parts.re, parts.im)
        }
        _ => b.truth(integers),
    }
}

/// Rounded down. Where one of two floats is infinite, the standard wants the quotient itself: an
/// infinity, or a zero with the right sign.
fn floor_divide(b: &mut KernelBuilder, x: ValueId, y: ValueId) -> ValueId {
    let down = b.binary(BinaryOp::FloorDivide, x, y);
    if b.dtype(x).kind() != Kind::Float {
        return down;
    }
    let (x_infinite, y_infinite) = (b.is_inf(x), b.is_inf(y));
    let one = b.binary(BinaryOp::BitXor, x_infinite, y_infinite);
    let quotient = b.div(x, y);
    b.select(one, quotient, down)
}
