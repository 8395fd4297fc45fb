//! Computes with float16 in float32.
//!
//! Operands are converted to float32, the operation is done there, and its result is rounded
//! back. Float32 has more than twice the digits of float16 and two, so for `+ - * /` and `sqrt`
//! rounding twice gives the same as rounding once. `nextafter` alone is not done in float32: its
//! result is about float16 itself.
//!
//! Afterwards float16 values are only loaded, stored, converted, bit-cast, selected and kept in
//! variables.

use crate::emit::Emit;
use crate::rewrite::{Rebuild, Step};
use colocate_ir::{
    DType, Kernel, KernelBuilder, MathFunction, Op, StatementKind, UnaryOp, ValueId,
};

/// Runs the pass.
pub fn run(kernel: Kernel) -> Kernel {
    Rebuild::new(&kernel).run(&kernel.body, |to, statement| {
        let StatementKind::Let { value, op } = statement else {
            return Step::Copy;
        };
        let computes = matches!(
            op,
            Op::Unary(..) | Op::Binary(..) | Op::Compare(..) | Op::Math(..)
        );
        let is_half = |value: &ValueId| kernel.dtype(*value) == DType::Float16;
        if !computes || !op.operands().iter().any(is_half) {
            return Step::Copy;
        }
        let operands = op.operands();
        let operands: Vec<ValueId> = operands
            .into_iter()
            .map(|operand| {
                let half = to.value(operand);
                to.builder.convert(half, DType::Float32)
            })
            .collect();
        let result = widened(&mut to.builder, op, &operands);
        let result = to.builder.convert(result, kernel.dtype(*value));
        to.define(*value, result);
        Step::Replaced
    })
}

/// The operation on other operands.
fn widened(to: &mut KernelBuilder, op: &Op, operands: &[ValueId]) -> ValueId {
    match op {
        Op::Unary(op, _) => to.unary(*op, operands[0]),
        Op::Binary(op, ..) => to.binary(*op, operands[0], operands[1]),
        Op::Compare(op, ..) => to.compare(*op, operands[0], operands[1]),
        Op::Math(MathFunction::NextAfter, _) => next_after(to, operands[0], operands[1]),
        Op::Math(function, _) => to.math(*function, operands),
        other => unreachable!("{other:?} computes nothing"),
    }
}

/// The float16 next to `x` in the direction of `y`, as a float32 that rounds to it.
fn next_after(to: &mut KernelBuilder, x: ValueId, y: ValueId) -> ValueId {
    let mut constant = |number| to.float(DType::Float32, number);
    let zero = constant(0.0);
    let smallest = constant(2f64.powi(-24));
    let largest = constant(65504.0);
    // Below this, floats lie at the distance of the smallest one.
    let even = constant(2f64.powi(-13));
    // Above it, 5/8 of the distance at the lower end of a binade: in the whole binade, and from
    // its lower end downwards too, what is that far away rounds to the neighbour.
    let part = constant(0.625 * 2f64.powi(-10));

    let size = to.abs(x);
    let (up, positive) = (to.gt(y, x), to.gt(x, zero));
    let inwards = to.xor(up, positive);
    let is_even = to.lt(size, even);
    let scaled = to.mul(size, part);
    let distance = to.select(is_even, smallest, scaled);
    let (outer, inner) = (to.add(size, distance), to.sub(size, distance));
    let next = to.select(inwards, inner, outer);
    let infinite = to.unary(UnaryOp::IsInf, x);
    let next = to.select(infinite, largest, next);
    let next = to.math(MathFunction::CopySign, &[next, x]);

    let from_zero = to.math(MathFunction::CopySign, &[smallest, y]);
    let is_zero = to.eq(x, zero);
    let next = to.select(is_zero, from_zero, next);
    let there = to.eq(x, y);
    let next = to.select(there, y, next);
    let (x_nan, y_nan) = (to.unary(UnaryOp::IsNan, x), to.unary(UnaryOp::IsNan, y));
    let nan = to.or(x_nan, y_nan);
    let sum = to.add(x, y);
    to.select(nan, sum, next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::{BinaryOp, CompareOp, KernelKind, Literal};

    #[test]
    fn only_arithmetic_is_widened() {
        let mut b = KernelBuilder::new("k", 1, KernelKind::Region { reductions: vec![] });
        let x = b.variable("x", DType::Float16);
        let one = b.literal(Literal::small(DType::Float16, 1));
        let got = b.get(x);
        let less = b.compare(CompareOp::Less, got, one);
        let chosen = b.select(less, got, one);
        let product = b.binary(BinaryOp::Multiply, chosen, one);
        b.set(x, product);
        let number = b.convert(product, DType::Int8);
        b.convert(number, DType::Float16);
        let expected = "\
kernel k region rank 1 () {
    var x0.x: float16
    v0: float16 = 1.0 float16
    v1: float16 = get x0.x
    v2: float32 = convert v1 to float32
    v3: float32 = convert v0 to float32
    v4: bool = lt v2, v3
    v5: float16 = select v4, v1, v0
    v6: float32 = convert v5 to float32
    v7: float32 = convert v0 to float32
    v8: float32 = mul v6, v7
    v9: float16 = convert v8 to float16
    x0.x = v9
    v10: int8 = convert v9 to int8
    v11: float16 = convert v10 to float16
}
";
        assert_eq!(run(b.finish()).to_string(), expected);
    }
}
