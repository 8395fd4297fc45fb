//! Makes `FloorDivide` and `Modulo` of operations that every device has.
//!
//! For integers these are [`BinaryOp::Quotient`] and [`BinaryOp::Remainder`], which are total
//! already, and a correction by one; for floats they are NumPy's `npy_divmod` around `fmod`.
//! Float16 is not expanded here: [`crate::widen_float16`] comes first and leaves none.

use crate::emit::Emit;
use crate::rewrite::{Rebuild, Step};
use colocate_ir::{
    BinaryOp, Kernel, KernelBuilder, Kind, Literal, MathFunction, Op, StatementKind, ValueId,
};

/// Runs the pass.
pub fn run(kernel: Kernel) -> Kernel {
    Rebuild::new(&kernel).run(&kernel.body, |to, statement| {
        let StatementKind::Let {
            value,
            op: Op::Binary(op @ (BinaryOp::FloorDivide | BinaryOp::Modulo), a, b),
        } = statement
        else {
            return Step::Copy;
        };
        let divisor = to.constant(*b);
        let (a, b) = (to.value(*a), to.value(*b));
        let builder = &mut to.builder;
        let new = match (builder.dtype(a).kind(), op) {
            (Kind::Float, BinaryOp::FloorDivide) => floor_divide_floats(builder, a, b, divisor),
            (Kind::Float, _) => modulo_of_floats(builder, a, b),
            (Kind::UInt, BinaryOp::FloorDivide) => builder.binary(BinaryOp::Quotient, a, b),
            (Kind::UInt, _) => builder.binary(BinaryOp::Remainder, a, b),
            (_, BinaryOp::FloorDivide) => floor_divide_integers(builder, a, b, divisor),
            _ => modulo_of_integers(builder, a, b, divisor),
        };
        to.define(*value, new);
        Step::Replaced
    })
}

/// The exponent, if the divisor is a power of two.
fn power_of_two(divisor: Option<Literal>) -> Option<i128> {
    match divisor {
        Some(Literal::Int(_, number)) if number > 0 && number & (number - 1) == 0 => {
            Some(i128::from(number.trailing_zeros()))
        }
        _ => None,
    }
}

/// Whether a remainder is on the wrong side of zero: not zero, and of another sign than the
/// divisor.
fn needs_correction(
    to: &mut KernelBuilder,
    remainder: ValueId,
    b: ValueId,
    divisor: Option<Literal>,
) -> ValueId {
    let zero = to.small(to.dtype(b), 0);
    match divisor {
        Some(Literal::Int(_, number)) if number > 0 => to.lt(remainder, zero),
        Some(Literal::Int(_, number)) if number < 0 => to.gt(remainder, zero),
        _ => {
            let nonzero = to.ne(remainder, zero);
            let signs = to.xor(remainder, b);
            let opposite = to.lt(signs, zero);
            to.and(nonzero, opposite)
        }
    }
}

fn floor_divide_integers(
    to: &mut KernelBuilder,
    a: ValueId,
    b: ValueId,
    divisor: Option<Literal>,
) -> ValueId {
    let dtype = to.dtype(a);
    if let Some(exponent) = power_of_two(divisor) {
        let by = to.literal(Literal::Int(dtype, exponent));
        return to.binary(BinaryOp::ShiftRight, a, by);
    }
    let quotient = to.binary(BinaryOp::Quotient, a, b);
    let remainder = to.binary(BinaryOp::Remainder, a, b);
    let wrong = needs_correction(to, remainder, b, divisor);
    let correction = to.convert(wrong, dtype);
    to.sub(quotient, correction)
}

fn modulo_of_integers(
    to: &mut KernelBuilder,
    a: ValueId,
    b: ValueId,
    divisor: Option<Literal>,
) -> ValueId {
    if let (Some(_), Some(Literal::Int(dtype, number))) = (power_of_two(divisor), divisor) {
        let mask = to.literal(Literal::Int(dtype, number - 1));
        return to.and(a, mask);
    }
    let remainder = to.binary(BinaryOp::Remainder, a, b);
    let wrong = needs_correction(to, remainder, b, divisor);
    let corrected = to.add(remainder, b);
    to.select(wrong, corrected, remainder)
}

/// What `fmod` gives, whether it is not zero, and whether it has the wrong sign besides.
fn fmod(to: &mut KernelBuilder, a: ValueId, b: ValueId) -> (ValueId, ValueId, ValueId) {
    let zero = to.small(to.dtype(a), 0);
    let remainder = to.math(MathFunction::Fmod, &[a, b]);
    let nonzero = to.ne(remainder, zero);
    let (negative, wanted) = (to.lt(remainder, zero), to.lt(b, zero));
    let opposite = to.xor(negative, wanted);
    let wrong = to.and(nonzero, opposite);
    (remainder, nonzero, wrong)
}

fn modulo_of_floats(to: &mut KernelBuilder, a: ValueId, b: ValueId) -> ValueId {
    let zero = to.small(to.dtype(a), 0);
    let (remainder, nonzero, wrong) = fmod(to, a, b);
    let corrected = to.add(remainder, b);
    let result = to.select(wrong, corrected, remainder);
    // A zero divisor needs no care: fmod gave NaN, which is neither zero nor negative.
    let signed_zero = to.math(MathFunction::CopySign, &[zero, b]);
    to.select(nonzero, result, signed_zero)
}

fn floor_divide_floats(
    to: &mut KernelBuilder,
    a: ValueId,
    b: ValueId,
    divisor: Option<Literal>,
) -> ValueId {
    let float = to.dtype(a);
    let (zero, one, half) = (to.small(float, 0), to.small(float, 1), to.float(float, 0.5));
    let (remainder, _, wrong) = fmod(to, a, b);
    let multiple = to.sub(a, remainder);
    let near = to.div(multiple, b);
    let below = to.sub(near, one);
    let near = to.select(wrong, below, near);
    // The division may have missed the whole number on either side.
    let floor = to.math(MathFunction::Floor, &[near]);
    let rest = to.sub(near, floor);
    let up = to.gt(rest, half);
    let next = to.add(floor, one);
    let whole = to.select(up, next, floor);
    let nonzero = to.ne(near, zero);
    let ratio = to.div(a, b);
    let signed_zero = to.math(MathFunction::CopySign, &[zero, ratio]);
    let result = to.select(nonzero, whole, signed_zero);
    if matches!(divisor, Some(Literal::Float(_, number)) if number != 0.0) {
        return result;
    }
    let by_zero = to.eq(b, zero);
    to.select(by_zero, ratio, result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::{DType, KernelKind, ParamKind};

    /// The operations that one division of a parameter becomes.
    fn expanded(op: BinaryOp, dtype: DType, divisor: Option<Literal>) -> Vec<Op> {
        let mut b = KernelBuilder::new("k", 1, KernelKind::Region { reductions: vec![] });
        let param = b.param("x", ParamKind::Scalar(dtype));
        let x = b.scalar(param);
        let by = divisor.map_or(x, |divisor| b.literal(divisor));
        b.binary(op, x, by);
        let before = b.kernel().values.len() - 1;
        let kernel = run(b.finish());
        let operations = kernel
            .body
            .into_iter()
            .map(|statement| match statement.kind {
                StatementKind::Let { op, .. } => op,
                other => panic!("{other:?} in a division"),
            });
        operations.skip(before).collect()
    }

    #[test]
    fn unsigned_integers_need_no_correction() {
        let x = ValueId(0);
        assert_eq!(
            expanded(BinaryOp::FloorDivide, DType::UInt8, None),
            [Op::Binary(BinaryOp::Quotient, x, x)]
        );
        assert_eq!(
            expanded(BinaryOp::Modulo, DType::UInt64, None),
            [Op::Binary(BinaryOp::Remainder, x, x)]
        );
    }

    #[test]
    fn a_power_of_two_is_a_shift_or_a_mask() {
        let (x, constant) = (ValueId(0), ValueId(2));
        let literal = |number| Literal::Int(DType::Int32, number);
        assert_eq!(
            expanded(BinaryOp::FloorDivide, DType::Int32, Some(literal(8))),
            [
                Op::Literal(literal(3)),
                Op::Binary(BinaryOp::ShiftRight, x, constant)
            ]
        );
        assert_eq!(
            expanded(BinaryOp::Modulo, DType::Int32, Some(literal(8))),
            [
                Op::Literal(literal(7)),
                Op::Binary(BinaryOp::BitAnd, x, constant)
            ]
        );
    }

    #[test]
    fn a_constant_divisor_takes_fewer_operations() {
        for (op, dtype, divisor) in [
            (BinaryOp::FloorDivide, DType::Int64, Literal::int64(-3)),
            (BinaryOp::Modulo, DType::Int64, Literal::int64(10)),
            (
                BinaryOp::FloorDivide,
                DType::Float32,
                Literal::Float(DType::Float32, 0.1),
            ),
        ] {
            let (constant, any) = (
                expanded(op, dtype, Some(divisor)).len(),
                expanded(op, dtype, None).len(),
            );
            assert!(constant < any, "{constant} is not less than {any}");
        }
        // A constant zero is as good as any other number.
        let zero = Literal::Float(DType::Float32, -0.0);
        assert_eq!(
            expanded(BinaryOp::FloorDivide, DType::Float32, Some(zero)).len(),
            expanded(BinaryOp::FloorDivide, DType::Float32, None).len()
        );
    }
}
