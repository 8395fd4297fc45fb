//! Arithmetic on constants. It gives what the IR would give, or nothing.

use crate::types::{cast, is_integer, round_to, wrap};
use crate::value::Constant;
use colocate_ir::{BinaryOp, CompareOp, DType, Kind, UnaryOp};

/// The result of an operation in a dtype; `None` where it is left to the IR. Integers of
/// Python's own type do not wrap: their result is left out if int64 cannot hold it.
pub(crate) fn binary(
    op: BinaryOp,
    a: Constant,
    b: Constant,
    dtype: DType,
    weak: bool,
) -> Option<Constant> {
    // A Python integer may be larger than int64 for as long as it is a constant.
    if weak
        && dtype == DType::Int64
        && let (Constant::Int(x), Constant::Int(y)) = (widen(a), widen(b))
    {
        let result = integer(op, x, y)?;
        return (result.unsigned_abs() < 1 << 100).then_some(Constant::Int(result));
    }
    match (cast(a, dtype), cast(b, dtype)) {
        (Constant::Int(x), Constant::Int(y)) => {
            integer(op, x, y).map(|result| Constant::Int(wrap(result, dtype)))
        }
        (Constant::Float(x), Constant::Float(y)) if dtype != DType::Float16 => {
            float(op, x, y).map(|result| Constant::Float(round_to(result, dtype)))
        }
        (Constant::Bool(x), Constant::Bool(y)) => match op {
            BinaryOp::BitAnd => Some(Constant::Bool(x & y)),
            BinaryOp::BitOr => Some(Constant::Bool(x | y)),
            BinaryOp::BitXor => Some(Constant::Bool(x ^ y)),
            _ => None,
        },
        _ => None,
    }
}

fn widen(constant: Constant) -> Constant {
    match constant {
        Constant::Bool(value) => Constant::Int(i128::from(value)),
        other => other,
    }
}

fn integer(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::Multiply => a.checked_mul(b),
        BinaryOp::FloorDivide if b != 0 => {
            let (quotient, remainder) = (a.checked_div(b)?, a.checked_rem(b)?);
            let down = remainder != 0 && (remainder < 0) != (b < 0);
            Some(quotient - i128::from(down))
        }
        BinaryOp::Modulo if b != 0 => {
            let remainder = a.checked_rem(b)?;
            let other_sign = remainder != 0 && (remainder < 0) != (b < 0);
            Some(if other_sign { remainder + b } else { remainder })
        }
        BinaryOp::Power => a.checked_pow(u32::try_from(b).ok()?),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::ShiftLeft if (0..100).contains(&b) => a.checked_mul(1i128 << b),
        BinaryOp::ShiftRight if (0..127).contains(&b) => Some(a >> b),
        BinaryOp::Minimum => Some(a.min(b)),
        BinaryOp::Maximum => Some(a.max(b)),
        _ => None,
    }
}

fn float(op: BinaryOp, a: f64, b: f64) -> Option<f64> {
    match op {
        BinaryOp::Add => Some(a + b),
        BinaryOp::Subtract => Some(a - b),
        BinaryOp::Multiply => Some(a * b),
        BinaryOp::Divide => Some(a / b),
        _ => None,
    }
}

/// The result of an operation of one operand.
pub(crate) fn unary(op: UnaryOp, a: Constant, dtype: DType) -> Option<Constant> {
    match (op, a) {
        (UnaryOp::Negate, Constant::Int(value)) => Some(Constant::Int(-value)),
        (UnaryOp::Negate, Constant::Float(value)) => Some(Constant::Float(-value)),
        (UnaryOp::BitNot, Constant::Int(value)) => Some(Constant::Int(!value)),
        (UnaryOp::Abs, Constant::Int(value)) => Some(Constant::Int(value.checked_abs()?)),
        (UnaryOp::Abs, Constant::Float(value)) => Some(Constant::Float(value.abs())),
        (UnaryOp::Not, Constant::Bool(value)) => Some(Constant::Bool(!value)),
        _ => None,
    }
    .map(|result| match result {
        Constant::Int(value) if dtype.kind() == Kind::UInt => Constant::Int(wrap(value, dtype)),
        other => other,
    })
}

/// The result of a comparison of two constants as they are, whatever their types.
pub(crate) fn compare(op: CompareOp, a: Constant, b: Constant) -> Option<bool> {
    use std::cmp::Ordering;
    let order = match (widen(a), widen(b)) {
        (Constant::Int(x), Constant::Int(y)) => Some(x.cmp(&y)),
        (Constant::Float(x), Constant::Float(y)) => x.partial_cmp(&y),
        (Constant::Int(x), Constant::Float(y)) => (x as f64).partial_cmp(&y),
        (Constant::Float(x), Constant::Int(y)) => x.partial_cmp(&(y as f64)),
        _ => return None,
    };
    Some(match op {
        CompareOp::Equal => order == Some(Ordering::Equal),
        CompareOp::NotEqual => order != Some(Ordering::Equal),
        CompareOp::Less => order == Some(Ordering::Less),
        CompareOp::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        CompareOp::Greater => order == Some(Ordering::Greater),
        CompareOp::GreaterEqual => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    })
}

/// Whether the result of an operation is at least 0, or NaN, because its operands are.
pub(crate) fn keeps_sign(op: BinaryOp, dtype: DType, a: bool, b: bool) -> bool {
    match dtype.kind() {
        Kind::Float => match op {
            BinaryOp::Add | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Minimum => a && b,
            BinaryOp::Power => a,
            _ => false,
        },
        _ => {
            is_integer(dtype)
                && match op {
                    BinaryOp::Add | BinaryOp::Multiply | BinaryOp::FloorDivide => a && b,
                    BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Minimum | BinaryOp::Power => {
                        a && b
                    }
                    BinaryOp::Modulo => b,
                    BinaryOp::BitAnd | BinaryOp::Maximum => a || b,
                    BinaryOp::ShiftRight => a,
                    _ => false,
                }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_down_and_the_remainder_has_the_sign_of_the_divisor() {
        let int = |op, a, b| integer(op, a, b).unwrap();
        assert_eq!(int(BinaryOp::FloorDivide, -7, 2), -4);
        assert_eq!(int(BinaryOp::Modulo, -7, 2), 1);
        assert_eq!(int(BinaryOp::FloorDivide, 7, -2), -4);
        assert_eq!(int(BinaryOp::Modulo, 7, -2), -1);
    }

    #[test]
    fn strong_integers_wrap_and_pythons_do_not() {
        let (a, b) = (Constant::Int(127), Constant::Int(1));
        let wrapped = binary(BinaryOp::Add, a, b, DType::Int8, false);
        assert_eq!(wrapped, Some(Constant::Int(-128)));
        let large = binary(
            BinaryOp::ShiftLeft,
            b,
            Constant::Int(62),
            DType::Int64,
            true,
        );
        let larger = binary(
            BinaryOp::Multiply,
            large.unwrap(),
            Constant::Int(4),
            DType::Int64,
            true,
        );
        assert_eq!(larger, Some(Constant::Int(1 << 64)));
    }

    #[test]
    fn a_sum_of_sizes_is_a_size() {
        assert!(keeps_sign(BinaryOp::Add, DType::Int64, true, true));
        assert!(!keeps_sign(BinaryOp::Subtract, DType::Int64, true, true));
    }
}
