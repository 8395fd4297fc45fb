//! Makes `Power` of integers multiplications, and of floats the C library's `pow`.
//!
//! Complex powers are gone before ([`crate::expand_complex`]), and so are those of float16
//! ([`crate::widen_float16`]).

use crate::emit::Emit;
use crate::rewrite::{Rebuild, Step};
use colocate_ir::{
    BinaryOp, Kernel, KernelBuilder, Kind, Literal, MathFunction, Op, StatementKind, ValueId,
};

/// Up to this exponent a chain of multiplications takes the place of a loop: at most 15
/// squarings and as many products.
const LONGEST_CHAIN: i128 = 0xffff;

/// Up to this exponent powers of floats are products.
const MOST_FACTORS: f64 = 4.0;

/// Runs the pass.
pub fn run(kernel: Kernel) -> Kernel {
    Rebuild::new(&kernel).run(&kernel.body, |to, statement| {
        let StatementKind::Let {
            value,
            op: Op::Binary(BinaryOp::Power, a, b),
        } = statement
        else {
            return Step::Copy;
        };
        let (base, exponent) = (to.constant(*a), to.constant(*b));
        let (a, b) = (to.value(*a), to.value(*b));
        let builder = &mut to.builder;
        let new = match builder.dtype(a).kind() {
            Kind::Float => power_of_floats(builder, a, b, exponent, kernel.fast_math),
            _ => power_of_integers(builder, (a, base), (b, exponent)),
        };
        to.define(*value, new);
        Step::Replaced
    })
}

fn power_of_floats(
    to: &mut KernelBuilder,
    a: ValueId,
    b: ValueId,
    exponent: Option<Literal>,
    fast_math: bool,
) -> ValueId {
    let Some(Literal::Float(_, exponent)) = exponent else {
        return to.math(MathFunction::Power, &[a, b]);
    };
    // A few factors are no less precise than the vector function is.
    if exponent.fract() == 0.0 && (2.0..=MOST_FACTORS).contains(&exponent) {
        return chain(to, a, exponent as i128);
    }
    let halves = 2.0 * exponent;
    if !fast_math || halves.fract() != 0.0 || halves.abs() > 2.0 * MOST_FACTORS {
        return to.math(MathFunction::Power, &[a, b]);
    }
    // Not the same for -0.0 and -inf, which fast-math kernels need not care about.
    let whole = chain(to, a, exponent.abs().trunc() as i128);
    let power = match halves % 2.0 == 0.0 {
        true => whole,
        false => {
            let root = to.math(MathFunction::Sqrt, &[a]);
            match exponent.abs() < 1.0 {
                true => root,
                false => to.mul(whole, root),
            }
        }
    };
    match exponent < 0.0 {
        true => {
            let one = to.small(to.dtype(a), 1);
            to.binary(BinaryOp::Divide, one, power)
        }
        false => power,
    }
}

fn power_of_integers(
    to: &mut KernelBuilder,
    (a, base): (ValueId, Option<Literal>),
    (b, exponent): (ValueId, Option<Literal>),
) -> ValueId {
    if let Some(Literal::Int(dtype, 2)) = base {
        // Shifts are total in just the way this needs: 0 beyond the width and for negative ones.
        let one = to.small(dtype, 1);
        return to.binary(BinaryOp::ShiftLeft, one, b);
    }
    match exponent {
        Some(Literal::Int(_, number)) if (0..=LONGEST_CHAIN).contains(&number) => {
            chain(to, a, number)
        }
        Some(Literal::Int(_, number)) if number < 0 => inverse_power(to, a, b),
        _ if to.dtype(a).kind() == Kind::UInt => power_by_squaring(to, a, b),
        _ => {
            let zero = to.small(to.dtype(b), 0);
            let negative = to.lt(b, zero);
            let natural = to.select(negative, zero, b);
            let power = power_by_squaring(to, a, natural);
            let inverse = inverse_power(to, a, b);
            to.select(negative, inverse, power)
        }
    }
}

/// A constant power.
fn chain(to: &mut KernelBuilder, a: ValueId, exponent: i128) -> ValueId {
    let mut product = None;
    let mut square = a;
    let mut left = exponent;
    while left != 0 {
        if left & 1 == 1 {
            product = Some(match product {
                Some(product) => to.mul(product, square),
                None => square,
            });
        }
        left >>= 1;
        if left != 0 {
            square = to.mul(square, square);
        }
    }
    product.unwrap_or_else(|| to.small(to.dtype(a), 1))
}

/// A power with an exponent that is not negative.
fn power_by_squaring(to: &mut KernelBuilder, a: ValueId, b: ValueId) -> ValueId {
    let dtype = to.dtype(a);
    let product = to.variable("power", dtype);
    let square = to.variable("square", dtype);
    let left = to.variable("exponent", dtype);
    let (zero, one) = (to.small(dtype, 0), to.small(dtype, 1));
    to.set(product, one);
    to.set(square, a);
    to.set(left, b);
    to.begin_while();
    let now = to.get(left);
    let more = to.ne(now, zero);
    to.begin_while_body(more);
    let (so_far, factor) = (to.get(product), to.get(square));
    let bit = to.and(now, one);
    let odd = to.ne(bit, zero);
    let multiplied = to.mul(so_far, factor);
    let next = to.select(odd, multiplied, so_far);
    to.set(product, next);
    let squared = to.mul(factor, factor);
    to.set(square, squared);
    let half = to.binary(BinaryOp::ShiftRight, now, one);
    to.set(left, half);
    to.end();
    to.get(product)
}

/// A power with a negative exponent: 0, except for the bases 1 and -1.
fn inverse_power(to: &mut KernelBuilder, a: ValueId, b: ValueId) -> ValueId {
    let dtype = to.dtype(a);
    let (zero, one, minus_one) = (to.small(dtype, 0), to.small(dtype, 1), to.small(dtype, -1));
    let bit = to.and(b, one);
    let odd = to.ne(bit, zero);
    let alternating = to.select(odd, minus_one, one);
    let (is_one, is_minus_one) = (to.eq(a, one), to.eq(a, minus_one));
    let otherwise = to.select(is_minus_one, alternating, zero);
    to.select(is_one, one, otherwise)
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::{DType, KernelKind, ParamKind, walk};

    /// A parameter to a constant power.
    fn with_exponent(dtype: DType, exponent: Literal) -> Kernel {
        let mut b = KernelBuilder::new("k", 1, KernelKind::Region { reductions: vec![] });
        let param = b.param("x", ParamKind::Scalar(dtype));
        let x = b.scalar(param);
        let exponent = b.literal(exponent);
        b.binary(BinaryOp::Power, x, exponent);
        b.finish()
    }

    fn expanded(dtype: DType, exponent: Literal) -> Kernel {
        run(with_exponent(dtype, exponent))
    }

    fn count(kernel: &Kernel, wanted: impl Fn(&StatementKind) -> bool) -> usize {
        let mut count = 0;
        walk(&kernel.body, &mut |statement| {
            count += usize::from(wanted(&statement.kind));
        });
        count
    }

    fn products(kernel: &Kernel) -> usize {
        count(kernel, |kind| {
            matches!(
                kind,
                StatementKind::Let {
                    op: Op::Binary(BinaryOp::Multiply, ..),
                    ..
                }
            )
        })
    }

    #[test]
    fn a_constant_exponent_takes_no_loop_and_few_products() {
        let loops = |kind: &StatementKind| matches!(kind, StatementKind::While { .. });
        for (exponent, expected) in [(-2, 0), (0, 0), (1, 0), (2, 1), (3, 2), (8, 3), (15, 6)] {
            let kernel = expanded(DType::Int64, Literal::int64(exponent));
            assert_eq!(count(&kernel, loops), 0);
            assert_eq!(products(&kernel), expected, "for {exponent}");
        }
        let kernel = expanded(DType::Int64, Literal::int64(1 << 20));
        assert_eq!(count(&kernel, loops), 1);
    }

    fn powers(kernel: &Kernel) -> usize {
        count(kernel, |kind| {
            matches!(
                kind,
                StatementKind::Let {
                    op: Op::Math(MathFunction::Power, _),
                    ..
                }
            )
        })
    }

    #[test]
    fn a_few_factors_of_a_float_are_products() {
        let float = |number| Literal::Float(DType::Float64, number);
        for (exponent, expected) in [(2.0, 1), (3.0, 2), (4.0, 2)] {
            let kernel = expanded(DType::Float64, float(exponent));
            assert_eq!((products(&kernel), powers(&kernel)), (expected, 0));
        }
        for exponent in [-1.0, 0.0, 0.5, 1.5, 5.0] {
            let kernel = expanded(DType::Float64, float(exponent));
            assert_eq!((products(&kernel), powers(&kernel)), (0, 1));
        }
    }

    #[test]
    fn fast_math_makes_roots_of_halves() {
        let float = |number| Literal::Float(DType::Float64, number);
        for (exponent, power) in [
            (0.5, 0),
            (-0.5, 0),
            (1.5, 0),
            (-2.5, 0),
            (-1.0, 0),
            (0.3, 1),
            (9.5, 1),
        ] {
            let kernel = run(fast(with_exponent(DType::Float64, float(exponent))));
            assert_eq!(powers(&kernel), power, "for {exponent}");
        }
    }

    fn fast(mut kernel: Kernel) -> Kernel {
        kernel.fast_math = true;
        kernel
    }
}
