//! Operations of real floats that take more than one instruction.

use super::shorthand::{Shorthand, largest};
use colocate_ir::{BinaryOp, DType, KernelBuilder, MathFunction, ValueId};
use std::f64::consts::{LN_2, LOG2_E, PI};

/// -1, 0 or 1, and NaN of NaN.
pub(super) fn sign(b: &mut KernelBuilder, x: ValueId) -> ValueId {
    let (zero, one, minus) = (b.number(x, 0.0), b.number(x, 1.0), b.number(x, -1.0));
    let (above, below, nan) = (b.gt(x, zero), b.lt(x, zero), b.is_nan(x));
    let rest = b.select(nan, x, zero);
    let rest = b.select(below, minus, rest);
    b.select(above, one, rest)
}

/// The larger or the smaller, and of a number and NaN the number.
pub(super) fn ignoring_nan(b: &mut KernelBuilder, op: BinaryOp, x: ValueId, y: ValueId) -> ValueId {
    let best = b.binary(op, x, y);
    let (x_nan, y_nan) = (b.is_nan(x), b.is_nan(y));
    let best = b.select(y_nan, x, best);
    b.select(x_nan, y, best)
}

/// `log(exp(x) + exp(y))` and, with `two`, the same with powers of two.
///
/// The larger operand is taken out of the sum, so that nothing overflows.
pub(super) fn log_add_exp(b: &mut KernelBuilder, x: ValueId, y: ValueId, two: bool) -> ValueId {
    let difference = b.sub(x, y);
    // Not the difference if both are the same infinity, nor if one is NaN: the larger then is that.
    let larger = b.max(x, y);
    let distance = b.abs(difference);
    let below = b.neg(distance);
    let (exp, doubled) = if two {
        (MathFunction::Exp2, 1.0)
    } else {
        (MathFunction::Exp, LN_2)
    };
    let ratio = b.apply(exp, below);
    let mut more = b.apply(MathFunction::Log1p, ratio);
    if two {
        more = b.scale(more, LOG2_E);
    }
    let sum = b.add(larger, more);
    let equal = b.eq(x, y);
    let doubled = b.number(x, doubled);
    let twice = b.add(x, doubled);
    b.select(equal, twice, sum)
}

/// 0 below zero, 1 above, `middle` at zero and NaN of NaN.
pub(super) fn heaviside(b: &mut KernelBuilder, x: ValueId, middle: ValueId) -> ValueId {
    let (zero, one) = (b.number(x, 0.0), b.number(x, 1.0));
    let (above, below, nan) = (b.gt(x, zero), b.lt(x, zero), b.is_nan(x));
    let result = b.select(above, one, middle);
    let result = b.select(below, zero, result);
    b.select(nan, x, result)
}

/// `sin(πx) / πx`, and 1 at zero.
pub(super) fn sinc(b: &mut KernelBuilder, x: ValueId) -> ValueId {
    let angle = b.scale(x, PI);
    let sine = b.apply(MathFunction::Sin, angle);
    let ratio = b.div(sine, angle);
    let (zero, one) = (b.number(x, 0.0), b.number(x, 1.0));
    let at_zero = b.eq(x, zero);
    b.select(at_zero, one, ratio)
}

/// NaN becomes 0, and infinities the largest finite numbers.
pub(super) fn nan_to_num(b: &mut KernelBuilder, x: ValueId) -> ValueId {
    let end = largest(b.dtype(x));
    let (zero, end) = (b.number(x, 0.0), b.number(x, end));
    let (nan, infinite) = (b.is_nan(x), b.is_inf(x));
    let end = b.copysign(end, x);
    let finite = b.select(infinite, end, x);
    b.select(nan, zero, finite)
}

/// The distance to the next float away from zero, with the sign of `x`; of a float16, as NumPy has it,
/// to the next larger one.
pub(super) fn spacing(b: &mut KernelBuilder, x: ValueId) -> ValueId {
    let infinity = b.number(x, f64::INFINITY);
    let outwards = match b.dtype(x) {
        DType::Float16 => infinity,
        _ => {
            // Zero has no sign here, either.
            let zero = b.number(x, 0.0);
            let is_zero = b.eq(x, zero);
            let away = b.copysign(infinity, x);
            b.select(is_zero, infinity, away)
        }
    };
    let next = b.math(MathFunction::NextAfter, &[x, outwards]);
    let distance = b.sub(next, x);
    let nan = b.number(x, f64::NAN);
    let infinite = b.is_inf(x);
    b.select(infinite, nan, distance)
}

/// What is behind the point, with the sign of `x`.
pub(super) fn fraction(b: &mut KernelBuilder, x: ValueId) -> ValueId {
    let whole = b.apply(MathFunction::Truncate, x);
    let rest = b.sub(x, whole);
    let zero = b.number(x, 0.0);
    let infinite = b.is_inf(x);
    let rest = b.select(infinite, zero, rest);
    b.copysign(rest, x)
}
