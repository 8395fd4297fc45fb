//! Counting: which bin each element falls into, and how often each bin is named.

use colocate_ir::{
    ArrayRef, BinaryOp, CompareOp, DType, IndexFunction, Kernel, KernelBuilder, KernelKind, Layout,
    ParamId, ParamKind, Place, ValueId,
};

fn region(name: &str) -> KernelBuilder {
    let kind = KernelKind::Region {
        reductions: Vec::new(),
    };
    KernelBuilder::new(name, 1, kind)
}

fn array(b: &mut KernelBuilder, name: &str, dtype: DType, rank: u8) -> ParamId {
    let layout = Layout::Contiguous;
    b.param(
        name,
        ParamKind::Array {
            dtype,
            rank,
            layout,
        },
    )
}

fn scalar(b: &mut KernelBuilder, name: &str, dtype: DType) -> ValueId {
    let param = b.param(name, ParamKind::Scalar(dtype));
    b.scalar(param)
}

fn element(array: ParamId, indices: &[ValueId]) -> Place {
    Place::new(ArrayRef::Param(array), indices.iter().copied())
}

/// `out[i]` is the bin of `x[i]` among bins of equal width, or -1 outside of all.
///
/// The arithmetic guess may be off by one at an edge; the edges themselves decide.
///
/// Parameters: `x`, the edges as float64, `out` as int64 (all contiguous, of one axis), and as
/// float64 the width of all bins together. One item an element of `x`, whose dtype is real.
pub fn equal_bins(dtype: DType) -> Kernel {
    let mut b = region("equal_bins");
    let x = array(&mut b, "x", dtype, 1);
    let edges = array(&mut b, "edges", DType::Float64, 1);
    let out = array(&mut b, "out", DType::Int64, 1);
    let width = scalar(&mut b, "width", DType::Float64);
    let item = b.index(IndexFunction::GlobalId, 0);
    let (zero, one) = (b.int64(0), b.int64(1));
    let count = b.extent(ArrayRef::Param(edges), 0);
    let bins = b.binary(BinaryOp::Subtract, count, one);
    let last = b.binary(BinaryOp::Subtract, bins, one);
    let low = b.load(element(edges, &[zero]));
    let high = b.load(element(edges, &[bins]));
    let value = b.load(element(x, &[item]));
    let value = b.convert(value, DType::Float64);
    let above = b.compare(CompareOp::GreaterEqual, value, low);
    let below = b.compare(CompareOp::LessEqual, value, high);
    let inside = b.binary(BinaryOp::BitAnd, above, below);
    let distance = b.binary(BinaryOp::Subtract, value, low);
    let part = b.binary(BinaryOp::Divide, distance, width);
    let many = b.convert(bins, DType::Float64);
    let guess = b.binary(BinaryOp::Multiply, part, many);
    let guess = b.convert(guess, DType::Int64);
    let guess = b.binary(BinaryOp::Maximum, guess, zero);
    let guess = b.binary(BinaryOp::Minimum, guess, last);
    let begin = b.load(element(edges, &[guess]));
    let too_far = b.compare(CompareOp::Less, value, begin);
    let step_back = b.convert(too_far, DType::Int64);
    let bin = b.binary(BinaryOp::Subtract, guess, step_back);
    let bin = b.binary(BinaryOp::Maximum, bin, zero);
    let next = b.binary(BinaryOp::Add, bin, one);
    let end = b.load(element(edges, &[next]));
    let beyond = b.compare(CompareOp::GreaterEqual, value, end);
    let more = b.compare(CompareOp::Less, bin, last);
    let step_on = b.binary(BinaryOp::BitAnd, beyond, more);
    let step_on = b.convert(step_on, DType::Int64);
    let bin = b.binary(BinaryOp::Add, bin, step_on);
    let nowhere = b.int64(-1);
    let bin = b.select(inside, bin, nowhere);
    b.store(element(out, &[item]), bin);
    b.finish()
}

/// Each item counts a part of the elements, in a row of its own.
///
/// Parameters: the bins named (int64, one axis), if `weighted` what each adds (float64, one
/// axis), the rows (int64, or float64 if weighted; two axes, all zeros before), and how many
/// elements are a part. Elements that name no bin are left out. One item a row.
pub fn count_parts(weighted: bool) -> Kernel {
    let mut b = region("count_parts");
    let named = array(&mut b, "named", DType::Int64, 1);
    let weights = weighted.then(|| array(&mut b, "weights", DType::Float64, 1));
    let rows = array(&mut b, "rows", sum_dtype(weighted), 2);
    let part = scalar(&mut b, "part", DType::Int64);
    let row = b.index(IndexFunction::GlobalId, 0);
    let (zero, one) = (b.int64(0), b.int64(1));
    let size = b.extent(ArrayRef::Param(named), 0);
    let bins = b.extent(ArrayRef::Param(rows), 1);
    let start = b.binary(BinaryOp::Multiply, row, part);
    let stop = b.binary(BinaryOp::Add, start, part);
    let stop = b.binary(BinaryOp::Minimum, stop, size);
    let counter = b.variable("i", DType::Int64);
    b.begin_for(counter, start, stop, one);
    let i = b.get(counter);
    let bin = b.load(element(named, &[i]));
    let not_below = b.compare(CompareOp::GreaterEqual, bin, zero);
    let not_above = b.compare(CompareOp::Less, bin, bins);
    let exists = b.binary(BinaryOp::BitAnd, not_below, not_above);
    b.begin_if(exists);
    let amount = match weights {
        Some(weights) => b.load(element(weights, &[i])),
        None => one,
    };
    let before = b.load(element(rows, &[row, bin]));
    let after = b.binary(BinaryOp::Add, before, amount);
    b.store(element(rows, &[row, bin]), after);
    b.end();
    b.end();
    b.finish()
}

/// The sums of the rows of [`count_parts`], in the order of the rows.
///
/// Parameters: the rows and the sums, contiguous. One item a bin.
pub fn sum_parts(weighted: bool) -> Kernel {
    let mut b = region("sum_parts");
    let dtype = sum_dtype(weighted);
    let rows = array(&mut b, "rows", dtype, 2);
    let sums = array(&mut b, "sums", dtype, 1);
    let bin = b.index(IndexFunction::GlobalId, 0);
    let (zero, one) = (b.int64(0), b.int64(1));
    let count = b.extent(ArrayRef::Param(rows), 0);
    let total = b.variable("total", dtype);
    let counter = b.variable("row", DType::Int64);
    b.begin_for(counter, zero, count, one);
    let row = b.get(counter);
    let value = b.load(element(rows, &[row, bin]));
    let before = b.get(total);
    let after = b.binary(BinaryOp::Add, before, value);
    b.set(total, after);
    b.end();
    let value = b.get(total);
    b.store(element(sums, &[bin]), value);
    b.finish()
}

/// What counts are.
pub fn sum_dtype(weighted: bool) -> DType {
    if weighted {
        DType::Float64
    } else {
        DType::Int64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::{Kind, verify};

    #[test]
    fn every_kernel_is_valid() {
        for weighted in [false, true] {
            assert_eq!(verify(&count_parts(weighted)), Vec::new());
            assert_eq!(verify(&sum_parts(weighted)), Vec::new());
        }
        for dtype in DType::ALL {
            if dtype.kind() != Kind::Complex {
                assert_eq!(verify(&equal_bins(dtype)), Vec::new(), "{dtype}");
            }
        }
    }
}
