//! Kernels whose elements follow from their position alone: sequences and bands of matrices.

use colocate_ir::{
    ArrayRef, BinaryOp, CompareOp, DType, IndexFunction, Kernel, KernelBuilder, KernelKind, Kind,
    Layout, Literal, MathFunction, ParamId, ParamKind, Place, ValueId,
};

fn region(name: &str, rank: u8) -> KernelBuilder {
    let kind = KernelKind::Region {
        reductions: Vec::new(),
    };
    KernelBuilder::new(name, rank, kind)
}

fn contiguous(builder: &mut KernelBuilder, dtype: DType, rank: u8) -> ParamId {
    let layout = Layout::Contiguous;
    builder.param(
        "out",
        ParamKind::Array {
            dtype,
            rank,
            layout,
        },
    )
}

fn scalar(builder: &mut KernelBuilder, name: &str, dtype: DType) -> ValueId {
    let param = builder.param(name, ParamKind::Scalar(dtype));
    builder.scalar(param)
}

/// The dtype that a sequence's elements are computed in. Half floats are rounded once, at the end.
pub fn sequence_dtype(dtype: DType) -> DType {
    match dtype {
        DType::Float16 => DType::Float32,
        other => other,
    }
}

/// `out[i] = start + i * step`, in [`sequence_dtype`]; integers wrap. The second element is given: as
/// in NumPy it is what the step comes from, and may be another than one rounding more would make it.
///
/// Parameters: the one-dimensional contiguous array, the start, the second, the step. One item an element.
/// There are no sequences of bools.
pub fn sequence(dtype: DType) -> Kernel {
    let mut b = region("sequence", 1);
    let out = contiguous(&mut b, dtype, 1);
    let computed = sequence_dtype(dtype);
    let start = scalar(&mut b, "start", computed);
    let second = scalar(&mut b, "second", computed);
    let step = scalar(&mut b, "step", computed);
    let index = b.index(IndexFunction::GlobalId, 0);
    let count = b.convert(index, computed);
    let distance = b.binary(BinaryOp::Multiply, count, step);
    let value = b.binary(BinaryOp::Add, start, distance);
    let one = b.int64(1);
    let is_second = b.compare(CompareOp::Equal, index, one);
    let value = b.select(is_second, second, value);
    let value = b.convert(value, dtype);
    b.store(Place::new(ArrayRef::Param(out), [index]), value);
    b.finish()
}

/// `out[i] = i * step + start`, but `stop` where `i == last`; computed as `computed`, a float or
/// complex dtype, and rounded down if `dtype` is an integer.
///
/// Parameters: the one-dimensional contiguous array, start, step, stop, last (an int64). If
/// `divided`, one more, and `i` is divided by it first: for steps too small to be a number.
pub fn linear_space(dtype: DType, computed: DType, divided: bool) -> Kernel {
    let mut b = region("linear_space", 1);
    let out = contiguous(&mut b, dtype, 1);
    let start = scalar(&mut b, "start", computed);
    let step = scalar(&mut b, "step", computed);
    let stop = scalar(&mut b, "stop", computed);
    let last = scalar(&mut b, "last", DType::Int64);
    let index = b.index(IndexFunction::GlobalId, 0);
    let mut count = b.convert(index, computed);
    if divided {
        let divisor = scalar(&mut b, "divisor", computed);
        count = b.binary(BinaryOp::Divide, count, divisor);
    }
    let distance = b.binary(BinaryOp::Multiply, count, step);
    let between = b.binary(BinaryOp::Add, distance, start);
    let is_last = b.compare(CompareOp::Equal, index, last);
    let mut value = b.select(is_last, stop, between);
    let whole = matches!(dtype.kind(), Kind::Int | Kind::UInt);
    if whole && computed.kind() == Kind::Float {
        value = b.math(MathFunction::Floor, &[value]);
    }
    let value = b.convert(value, dtype);
    b.store(Place::new(ArrayRef::Param(out), [index]), value);
    b.finish()
}

/// A matrix of ones where `column - row` compares so with `offset`, and zeros elsewhere.
///
/// Parameters: the two-dimensional contiguous array, the offset (an int64). One item an element.
pub fn band(dtype: DType, compare: CompareOp) -> Kernel {
    let mut b = region("band", 2);
    let out = contiguous(&mut b, dtype, 2);
    let offset = scalar(&mut b, "offset", DType::Int64);
    let row = b.index(IndexFunction::GlobalId, 0);
    let column = b.index(IndexFunction::GlobalId, 1);
    let distance = b.binary(BinaryOp::Subtract, column, row);
    let inside = b.compare(compare, distance, offset);
    let one = b.literal(Literal::small(dtype, 1));
    let zero = b.literal(Literal::zero(dtype));
    let value = b.select(inside, one, zero);
    b.store(Place::new(ArrayRef::Param(out), [row, column]), value);
    b.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::verify;

    fn has_no_mistakes(kernel: &Kernel) {
        assert_eq!(verify(kernel), Vec::new(), "{kernel}");
    }

    #[test]
    fn every_kernel_is_valid_for_every_dtype() {
        for dtype in DType::ALL {
            if dtype != DType::Bool {
                has_no_mistakes(&sequence(dtype));
            }
            for compare in CompareOp::ALL {
                has_no_mistakes(&band(dtype, *compare));
            }
            for computed in [DType::Float32, DType::Float64, DType::Complex128] {
                has_no_mistakes(&linear_space(dtype, computed, false));
                has_no_mistakes(&linear_space(dtype, computed, true));
            }
        }
    }
}
