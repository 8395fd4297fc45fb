//! Kernels that find where a mask is true.
//!
//! The mask is cut into pieces of equal length, each walked over by one item, twice: first to count,
//! then, when it is known how many come before the piece, to write positions.

use colocate_ir::{
    ArrayRef, BinaryOp, DType, IndexFunction, Kernel, KernelBuilder, KernelKind, Layout, ParamId,
    ParamKind, Place, ValueId, VariableId,
};

fn vector(builder: &mut KernelBuilder, name: &str, dtype: DType) -> ParamId {
    let kind = ParamKind::Array {
        dtype,
        rank: 1,
        layout: Layout::Contiguous,
    };
    builder.param(name, kind)
}

fn at(param: ParamId, index: ValueId) -> Place {
    Place::new(ArrayRef::Param(param), [index])
}

/// Opens the walk over the item's piece of a mask, which counts `position`.
fn begin_piece(
    builder: &mut KernelBuilder,
    mask: ParamId,
    length: ParamId,
    piece: ValueId,
    position: VariableId,
) {
    let length = builder.scalar(length);
    let size = builder.extent(ArrayRef::Param(mask), 0);
    let start = builder.binary(BinaryOp::Multiply, piece, length);
    let end = builder.binary(BinaryOp::Add, start, length);
    let end = builder.binary(BinaryOp::Minimum, end, size);
    let one = builder.int64(1);
    builder.begin_for(position, start, end, one);
}

/// Counts the true elements of each piece. Parameters: the mask, the int64 counts, the length of a
/// piece. One item a piece.
pub fn count_pieces() -> Kernel {
    let kind = KernelKind::Region { reductions: vec![] };
    let mut builder = KernelBuilder::new("count_true", 1, kind);
    let mask = vector(&mut builder, "mask", DType::Bool);
    let counts = vector(&mut builder, "counts", DType::Int64);
    let length = builder.param("length", ParamKind::Scalar(DType::Int64));
    let piece = builder.index(IndexFunction::GlobalId, 0);
    let position = builder.variable("position", DType::Int64);
    let count = builder.variable("count", DType::Int64);
    begin_piece(&mut builder, mask, length, piece, position);
    let here = builder.get(position);
    let truth = builder.load(at(mask, here));
    let step = builder.convert(truth, DType::Int64);
    let before = builder.get(count);
    let after = builder.binary(BinaryOp::Add, before, step);
    builder.set(count, after);
    builder.end();
    let all = builder.get(count);
    builder.store(at(counts, piece), all);
    builder.finish()
}

/// Writes the positions of the true elements. Parameters: the mask, for each piece how many come
/// before it, the length of a piece, the int64 positions. One item a piece.
pub fn write_positions() -> Kernel {
    let kind = KernelKind::Region { reductions: vec![] };
    let mut builder = KernelBuilder::new("true_positions", 1, kind);
    let mask = vector(&mut builder, "mask", DType::Bool);
    let starts = vector(&mut builder, "starts", DType::Int64);
    let length = builder.param("length", ParamKind::Scalar(DType::Int64));
    let positions = vector(&mut builder, "positions", DType::Int64);
    let piece = builder.index(IndexFunction::GlobalId, 0);
    let position = builder.variable("position", DType::Int64);
    let next = builder.variable("next", DType::Int64);
    let start = builder.load(at(starts, piece));
    builder.set(next, start);
    begin_piece(&mut builder, mask, length, piece, position);
    let here = builder.get(position);
    let truth = builder.load(at(mask, here));
    builder.begin_if(truth);
    let to = builder.get(next);
    builder.store(at(positions, to), here);
    let one = builder.int64(1);
    let after = builder.binary(BinaryOp::Add, to, one);
    builder.set(next, after);
    builder.end();
    builder.end();
    builder.finish()
}

/// Takes positions in an array apart into one index: `position / below % extent`. Parameters: the
/// positions, the indices, `below` (how many elements one step along the axis is), the extent.
pub fn take_apart() -> Kernel {
    let kind = KernelKind::Region { reductions: vec![] };
    let mut builder = KernelBuilder::new("take_apart", 1, kind);
    let positions = vector(&mut builder, "positions", DType::Int64);
    let indices = vector(&mut builder, "indices", DType::Int64);
    let below = builder.param("below", ParamKind::Scalar(DType::Int64));
    let extent = builder.param("extent", ParamKind::Scalar(DType::Int64));
    let item = builder.index(IndexFunction::GlobalId, 0);
    let position = builder.load(at(positions, item));
    let below = builder.scalar(below);
    let extent = builder.scalar(extent);
    let whole = builder.binary(BinaryOp::Quotient, position, below);
    let index = builder.binary(BinaryOp::Remainder, whole, extent);
    builder.store(at(indices, item), index);
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::verify;

    #[test]
    fn every_kernel_is_a_valid_one() {
        for kernel in [count_pieces(), write_positions(), take_apart()] {
            assert_eq!(verify(&kernel), vec![], "{}", kernel.name);
        }
    }
}
