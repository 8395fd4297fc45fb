//! Multiplies by reciprocal square roots where a fast-math kernel divides by square roots:
//! `a / sqrt(s)`, and with `d = sqrt(s)` also `a / (d * d * d)` and `a / (s * d)`.
//!
//! Processors have an approximation of them, which takes a fraction of the time of a root and a
//! division; the forces of gravity and of charges are all of this form.

use crate::rewrite::{Rebuild, Step};
use colocate_ir::{BinaryOp, Kernel, Kind, MathFunction, Op, StatementKind, ValueId, walk};

/// Products with more factors than this are left alone.
const MOST_ROOTS: u32 = 7;

/// Runs the pass.
pub fn run(kernel: Kernel) -> Kernel {
    if !kernel.fast_math {
        return kernel;
    }
    let mut definitions: Vec<Option<&Op>> = vec![None; kernel.values.len()];
    walk(&kernel.body, &mut |statement| {
        if let StatementKind::Let { value, op } = &statement.kind {
            definitions[value.index()] = Some(op);
        }
    });
    Rebuild::new(&kernel).run(&kernel.body, |to, statement| {
        let StatementKind::Let {
            value,
            op: Op::Binary(BinaryOp::Divide, a, b),
        } = statement
        else {
            return Step::Copy;
        };
        if kernel.dtype(*value).kind() != Kind::Float {
            return Step::Copy;
        }
        let Some(base) = root_in(&definitions, *b, 3) else {
            return Step::Copy;
        };
        let roots = roots_of(&definitions, *b, base, 3);
        let Some(roots) = roots.filter(|roots| roots % 2 == 1 && *roots <= MOST_ROOTS) else {
            return Step::Copy;
        };
        let (a, base) = (to.value(*a), to.value(base));
        let root = to.builder.math(MathFunction::ReciprocalSqrt, &[base]);
        let mut power = root;
        for _ in 1..roots {
            power = to.builder.binary(BinaryOp::Multiply, power, root);
        }
        let product = to.builder.binary(BinaryOp::Multiply, a, power);
        to.define(*value, product);
        Step::Replaced
    })
}

/// What a square root among the factors of a value is the root of.
fn root_in(definitions: &[Option<&Op>], value: ValueId, depth: u32) -> Option<ValueId> {
    match definitions[value.index()]? {
        Op::Math(MathFunction::Sqrt, operands) => Some(operands[0]),
        Op::Binary(BinaryOp::Multiply, a, b) if depth > 0 => {
            root_in(definitions, *a, depth - 1).or_else(|| root_in(definitions, *b, depth - 1))
        }
        _ => None,
    }
}

/// How many square roots of the base a value is the product of.
fn roots_of(definitions: &[Option<&Op>], value: ValueId, base: ValueId, depth: u32) -> Option<u32> {
    if value == base {
        return Some(2);
    }
    match definitions[value.index()]? {
        Op::Math(MathFunction::Sqrt, operands) if operands[0] == base => Some(1),
        Op::Binary(BinaryOp::Multiply, a, b) if depth > 0 => {
            let count = |factor| roots_of(definitions, factor, base, depth - 1);
            Some(count(*a)? + count(*b)?)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::{DType, KernelBuilder, KernelKind, ParamKind, verify};

    /// How many divisions and how many reciprocal roots are left of `a / product`.
    fn left(
        fast: bool,
        product: impl Fn(&mut KernelBuilder, ValueId, ValueId) -> ValueId,
    ) -> (usize, usize) {
        let mut b = KernelBuilder::new("k", 1, KernelKind::Region { reductions: vec![] });
        b.kernel_mut().fast_math = fast;
        let number = ParamKind::Scalar(DType::Float64);
        let (a, s) = (b.param("a", number), b.param("s", number));
        let (a, s) = (b.scalar(a), b.scalar(s));
        let d = b.math(MathFunction::Sqrt, &[s]);
        let below = product(&mut b, s, d);
        let result = b.binary(BinaryOp::Divide, a, below);
        b.convert(result, DType::Bool);
        let kernel = run(b.finish());
        assert_eq!(verify(&kernel), []);
        let (mut divisions, mut roots) = (0, 0);
        walk(&kernel.body, &mut |statement| {
            if let StatementKind::Let { op, .. } = &statement.kind {
                divisions += usize::from(matches!(op, Op::Binary(BinaryOp::Divide, ..)));
                let root = matches!(op, Op::Math(MathFunction::ReciprocalSqrt, _));
                roots += usize::from(root);
            }
        });
        (divisions, roots)
    }

    fn times(b: &mut KernelBuilder, x: ValueId, y: ValueId) -> ValueId {
        b.binary(BinaryOp::Multiply, x, y)
    }

    #[test]
    fn divisions_by_odd_powers_of_a_root_are_gone() {
        assert_eq!(left(true, |_, _, d| d), (0, 1));
        assert_eq!(left(true, times), (0, 1));
        let cube = |b: &mut KernelBuilder, _, d| {
            let square = times(b, d, d);
            times(b, square, d)
        };
        assert_eq!(left(true, cube), (0, 1));
    }

    #[test]
    fn others_stay() {
        assert_eq!(left(false, |_, _, d| d), (1, 0));
        assert_eq!(left(true, |_, s, _| s), (1, 0));
        assert_eq!(left(true, |b, _, d| times(b, d, d)), (1, 0));
        let other = |b: &mut KernelBuilder, s, d| {
            let more = b.binary(BinaryOp::Add, s, s);
            times(b, more, d)
        };
        assert_eq!(left(true, other), (1, 0));
    }
}
