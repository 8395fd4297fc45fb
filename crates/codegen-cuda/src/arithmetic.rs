//! Operations as C++ expressions, and the device functions for those that C++ leaves undefined for
//! some operands, promotes to another type, or does not have.
//!
//! All expressions here have exactly the type of their dtype. Operands are texts that need no
//! parentheses.

use crate::literal;
use crate::prelude::{Function, Prelude};
use crate::types;
use colocate_dtype::{DType, Kind};
use colocate_ir::{BinaryOp, CompareOp, Literal, MathFunction, UnaryOp};

/// A piece of C++, and whether it may stand beside any operator as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) closed: bool,
}

impl Piece {
    pub(crate) fn open(text: String) -> Piece {
        Piece {
            text,
            closed: false,
        }
    }

    pub(crate) fn closed(text: String) -> Piece {
        Piece { text, closed: true }
    }

    /// As an operand.
    pub(crate) fn operand(&self) -> String {
        if self.closed {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }
}

fn is_integer(dtype: DType) -> bool {
    matches!(dtype.kind(), Kind::Int | Kind::UInt)
}

/// Whether C++ computes in the type itself and wraps.
fn wraps(dtype: DType) -> bool {
    matches!(dtype, DType::UInt32 | DType::UInt64)
}

pub(crate) fn binary(prelude: &mut Prelude, op: BinaryOp, dtype: DType, a: &str, b: &str) -> Piece {
    if dtype == DType::Float16 {
        // Only reductions combine float16 in core: one operation in float32, rounded.
        let widen = prelude.name(Function::HalfToFloat);
        let (a, b) = (format!("{widen}({a})"), format!("{widen}({b})"));
        let wide = binary(prelude, op, DType::Float32, &a, &b);
        let narrow = prelude.name(Function::ToHalf(DType::Float32));
        return Piece::closed(format!("{narrow}({})", wide.text));
    }
    let float = dtype.kind() == Kind::Float;
    let operator = match op {
        BinaryOp::Add if float || wraps(dtype) => "+",
        BinaryOp::Subtract if float || wraps(dtype) => "-",
        BinaryOp::Multiply if float || wraps(dtype) => "*",
        BinaryOp::Divide => "/",
        BinaryOp::BitAnd if dtype == DType::Bool => "&&",
        BinaryOp::BitOr if dtype == DType::Bool => "||",
        BinaryOp::BitXor if dtype == DType::Bool => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::FloorDivide | BinaryOp::Modulo | BinaryOp::Power => {
            unreachable!("core kernels have no {}", op.name())
        }
        _ => {
            let function = prelude.name(Function::Binary(op, dtype));
            return Piece::closed(format!("{function}({a}, {b})"));
        }
    };
    let text = format!("{a} {operator} {b}");
    // The operators of narrow integers give an int.
    if is_integer(dtype) && dtype.itemsize() < 4 {
        return Piece::closed(format!("{}({text})", types::value(dtype)));
    }
    Piece::open(text)
}

pub(crate) fn define_binary(op: BinaryOp, dtype: DType) -> String {
    let (ty, wide) = (types::value(dtype), types::wrapping(dtype));
    let width = 8 * dtype.itemsize();
    let signed = dtype.kind() == Kind::Int;
    let body = match op {
        BinaryOp::Add => format!("({ty})(({wide})a + ({wide})b)"),
        BinaryOp::Subtract => format!("({ty})(({wide})a - ({wide})b)"),
        BinaryOp::Multiply => format!("({ty})(({wide})a * ({wide})b)"),
        BinaryOp::Quotient if signed => {
            format!("b == 0 ? ({ty})0 : b == -1 ? ({ty})(0 - ({wide})a) : ({ty})(a / b)")
        }
        BinaryOp::Quotient => format!("b == 0 ? ({ty})0 : ({ty})(a / b)"),
        BinaryOp::Remainder if signed => format!("b == 0 || b == -1 ? ({ty})0 : ({ty})(a % b)"),
        BinaryOp::Remainder => format!("b == 0 ? ({ty})0 : ({ty})(a % b)"),
        // A negative count is a large one without its sign.
        BinaryOp::ShiftLeft => {
            format!("({wide})b < {width} ? ({ty})(({wide})a << b) : ({ty})0")
        }
        BinaryOp::ShiftRight if signed => {
            format!(
                "({ty})(a >> (({wide})b < {width} ? ({wide})b : {}))",
                width - 1
            )
        }
        BinaryOp::ShiftRight => format!("({wide})b < {width} ? ({ty})(a >> b) : ({ty})0"),
        // The first operand wins if it is NaN, and a second one that is NaN fails the comparison.
        BinaryOp::Minimum if dtype.kind() == Kind::Float => "a < b || a != a ? a : b".into(),
        BinaryOp::Maximum if dtype.kind() == Kind::Float => "a > b || a != a ? a : b".into(),
        BinaryOp::Minimum => "a < b ? a : b".into(),
        BinaryOp::Maximum => "a > b ? a : b".into(),
        _ => unreachable!("{} of {dtype} is an operator", op.name()),
    };
    define(ty, op.name(), &format!("{ty} a, {ty} b"), &body)
}

pub(crate) fn compare(op: CompareOp, a: &str, b: &str) -> Piece {
    let operator = match op {
        CompareOp::Equal => "==",
        CompareOp::NotEqual => "!=",
        CompareOp::Less => "<",
        CompareOp::LessEqual => "<=",
        CompareOp::Greater => ">",
        CompareOp::GreaterEqual => ">=",
    };
    Piece::open(format!("{a} {operator} {b}"))
}

pub(crate) fn unary(prelude: &mut Prelude, op: UnaryOp, dtype: DType, a: &str) -> Piece {
    let single = dtype == DType::Float32;
    let magnitude = if single { "fabsf" } else { "fabs" };
    let infinity = literal::text(Literal::Float(dtype_of_float(dtype), f64::INFINITY));
    match op {
        UnaryOp::Negate if dtype.kind() == Kind::Float || wraps(dtype) => {
            Piece::open(format!("-{a}"))
        }
        UnaryOp::Abs if dtype.kind() == Kind::UInt => Piece::closed(a.into()),
        UnaryOp::Abs if dtype.kind() == Kind::Float => Piece::closed(format!("{magnitude}({a})")),
        UnaryOp::Negate | UnaryOp::Abs => {
            let function = prelude.name(Function::Unary(op, dtype));
            Piece::closed(format!("{function}({a})"))
        }
        UnaryOp::Not => Piece::open(format!("!{a}")),
        UnaryOp::BitNot => Piece::closed(format!("{}(~{a})", types::value(dtype))),
        UnaryOp::IsNan => {
            // The operand may be an expression, which would have to stand there twice.
            Piece::open(format!("!({magnitude}({a}) <= {infinity})"))
        }
        UnaryOp::IsInf => Piece::open(format!("{magnitude}({a}) == {infinity}")),
        UnaryOp::IsFinite => Piece::open(format!("{magnitude}({a}) < {infinity}")),
        UnaryOp::SignBit if single => Piece::open(format!("__float_as_int({a}) < 0")),
        UnaryOp::SignBit => Piece::open(format!("__double_as_longlong({a}) < 0")),
        UnaryOp::Real | UnaryOp::Imaginary => unreachable!("core kernels have no complex values"),
    }
}

/// The float dtype of a constant that is only used beside floats.
fn dtype_of_float(dtype: DType) -> DType {
    match dtype {
        DType::Float32 => DType::Float32,
        _ => DType::Float64,
    }
}

pub(crate) fn define_unary(op: UnaryOp, dtype: DType) -> String {
    let (ty, wide) = (types::value(dtype), types::wrapping(dtype));
    let body = match op {
        UnaryOp::Negate => format!("({ty})(0 - ({wide})a)"),
        UnaryOp::Abs => format!("a < 0 ? ({ty})(0 - ({wide})a) : a"),
        _ => unreachable!("{} of {dtype} is an operator", op.name()),
    };
    define(ty, op.name(), &format!("{ty} a"), &body)
}

pub(crate) fn convert(prelude: &mut Prelude, from: DType, to: DType, a: &Piece) -> Piece {
    if from == to {
        return a.clone();
    }
    if from == DType::Float16 {
        let widen = prelude.name(Function::HalfToFloat);
        let wide = Piece::closed(format!("{widen}({})", a.text));
        return convert(prelude, DType::Float32, to, &wide);
    }
    match (from.kind(), to) {
        (Kind::Bool, DType::Float16) => {
            let (one, zero) = (Literal::small(to, 1), Literal::zero(to));
            let (one, zero) = (literal::text(one), literal::text(zero));
            Piece::open(format!("{} ? {one} : {zero}", a.operand()))
        }
        (_, DType::Bool) => {
            let zero = literal::text(Literal::zero(from));
            Piece::open(format!("{} != {zero}", a.operand()))
        }
        // float32 holds every integer that float16 can reach, so nothing is rounded twice.
        (Kind::Int | Kind::UInt, DType::Float16) => {
            let narrow = prelude.name(Function::ToHalf(DType::Float32));
            Piece::closed(format!("{narrow}(f32({}))", a.text))
        }
        (_, DType::Float16) => {
            let narrow = prelude.name(Function::ToHalf(from));
            Piece::closed(format!("{narrow}({})", a.text))
        }
        (Kind::Float, to) if is_integer(to) => {
            let to_integer = prelude.name(Function::ToInteger(from, to));
            Piece::closed(format!("{to_integer}({})", a.text))
        }
        (_, to) => Piece::closed(format!("{}({})", types::value(to), a.text)),
    }
}

/// Converts only what fits; the rest becomes what it does everywhere.
pub(crate) fn define_to_integer(from: DType, to: DType) -> String {
    let bits = (8 * to.itemsize() as u32).max(32);
    let (signed, unsigned) = (format!("i{bits}"), format!("u{bits}"));
    // Powers of two, which floats hold exactly.
    let edge = literal::text(Literal::Float(from, 2f64.powi(bits as i32 - 1)));
    let (ty, name) = (types::value(from), types::value(to));
    let whole = |a: &str| {
        format!(
            "({a} > -{edge} && {a} < {edge} ? ({unsigned})({signed}){a} : ({unsigned})1 << {})",
            bits - 1
        )
    };
    let body = if to.kind() == Kind::Int || to.itemsize() < 4 {
        format!("({name}){}", whole("a"))
    } else {
        format!(
            "a >= {edge} ? {} ^ (({unsigned})1 << {}) : {}",
            whole(&format!("(a - {edge})")),
            bits - 1,
            whole("a")
        )
    };
    define(name, &format!("to_{name}"), &format!("{ty} a"), &body)
}

/// A function of floats by CUDA's name for it.
pub(crate) fn math(function: MathFunction, dtype: DType, operands: &[String]) -> Piece {
    let name = match function {
        MathFunction::Gamma => "tgamma",
        other => other.name(),
    };
    let suffix = if dtype == DType::Float32 { "f" } else { "" };
    Piece::closed(format!("{name}{suffix}({})", operands.join(", ")))
}

fn define(result: &str, name: &str, params: &str, body: &str) -> String {
    format!("__device__ inline {result} {name}({params})\n{{\n    return {body};\n}}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_integers_are_added_in_a_type_that_wraps() {
        let mut prelude = Prelude::default();
        let sum = binary(&mut prelude, BinaryOp::Add, DType::Int32, "a", "b");
        assert_eq!(sum, Piece::closed("cl::add(a, b)".into()));
        assert!(prelude.text().contains("return (i32)((u32)a + (u32)b);"));
        let sum = binary(&mut prelude, BinaryOp::Add, DType::UInt32, "a", "b");
        assert_eq!(sum, Piece::open("a + b".into()));
    }

    #[test]
    fn operators_of_narrow_integers_are_cast_back() {
        let mut prelude = Prelude::default();
        let piece = binary(&mut prelude, BinaryOp::BitAnd, DType::UInt8, "a", "b");
        assert_eq!(piece, Piece::closed("u8(a & b)".into()));
    }

    #[test]
    fn only_floats_that_fit_are_converted_to_integers() {
        let text = define_to_integer(DType::Float32, DType::Int8);
        assert!(text.contains("return (i8)(a > -0x1p31f"), "{text}");
        assert!(text.contains("? (u32)(i32)a : (u32)1 << 31)"), "{text}");
    }
}
