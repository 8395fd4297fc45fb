//! Takes the square root of a float32 in float32 where the program asks for it in float64 and
//! rounds the result back, as `math.sqrt` of an array's element does.
//!
//! The result has the same bits: float64 has more than twice the digits, so that rounding twice
//! does nothing that rounding once would not.

use crate::rewrite::{Rebuild, Step};
use colocate_ir::{DType, Kernel, MathFunction, Op, StatementKind, ValueId, walk};

/// Runs the pass.
pub fn run(kernel: Kernel) -> Kernel {
    let mut definitions: Vec<Option<&Op>> = vec![None; kernel.values.len()];
    walk(&kernel.body, &mut |statement| {
        if let StatementKind::Let { value, op } = &statement.kind {
            definitions[value.index()] = Some(op);
        }
    });
    // The float32 whose square root a value is, once rounded.
    let narrow = |value: ValueId| -> Option<ValueId> {
        let Some(Op::Math(MathFunction::Sqrt, operands)) = definitions[value.index()] else {
            return None;
        };
        match definitions[operands[0].index()] {
            Some(Op::Convert(inner, DType::Float64)) if kernel.dtype(*inner) == DType::Float32 => {
                Some(*inner)
            }
            _ => None,
        }
    };
    Rebuild::new(&kernel).run(&kernel.body, |rebuild, statement| {
        let StatementKind::Let {
            value,
            op: Op::Convert(root, DType::Float32),
        } = statement
        else {
            return Step::Copy;
        };
        let Some(inner) = narrow(*root) else {
            return Step::Copy;
        };
        let operand = rebuild.value(inner);
        let root = rebuild.builder.math(MathFunction::Sqrt, &[operand]);
        rebuild.define(*value, root);
        Step::Replaced
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::{KernelBuilder, KernelKind, ParamKind, verify};

    #[test]
    fn a_root_that_is_rounded_to_float32_is_taken_there() {
        let mut b = KernelBuilder::new("k", 1, KernelKind::Region { reductions: vec![] });
        let x = b.param("x", ParamKind::Scalar(DType::Float32));
        let x = b.scalar(x);
        let wide = b.convert(x, DType::Float64);
        let root = b.math(MathFunction::Sqrt, &[wide]);
        let narrow = b.convert(root, DType::Float32);
        b.convert(narrow, DType::Bool);
        let kernel = run(b.finish());
        assert_eq!(verify(&kernel), []);
        let mut roots = Vec::new();
        walk(&kernel.body, &mut |statement| {
            if let StatementKind::Let { value, op } = &statement.kind
                && matches!(op, Op::Math(..))
            {
                roots.push(kernel.dtype(*value));
            }
        });
        assert_eq!(roots, [DType::Float64, DType::Float32]);
    }

    #[test]
    fn rounding_once_or_twice_gives_the_same_root_for_every_exponent() {
        let mut bits = 1u32;
        while bits < f32::INFINITY.to_bits() {
            let x = f32::from_bits(bits);
            assert_eq!(x.sqrt().to_bits(), (f64::from(x).sqrt() as f32).to_bits());
            bits += 99_991;
        }
    }
}
