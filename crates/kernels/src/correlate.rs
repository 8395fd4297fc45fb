//! Sums of products of a short vector with what lies under it in a long one.

use colocate_ir::{
    ArrayRef, BinaryOp, DType, IndexFunction, Kernel, KernelBuilder, KernelKind, Layout, ParamId,
    ParamKind, Place,
};

/// `out[i]` is the sum of `a[i + k] * v[k]` over all `k`, in the order of `k`.
///
/// Parameters: `a`, `v` and `out`, contiguous and of one axis; `a` is as long as `out` and `v`
/// together, less one. One item an element of `out`. There are no products of bools.
pub fn correlate(dtype: DType) -> Kernel {
    let kind = KernelKind::Region {
        reductions: Vec::new(),
    };
    let mut b = KernelBuilder::new("correlate", 1, kind);
    let mut array = |name: &str| -> ParamId {
        b.param(
            name,
            ParamKind::Array {
                dtype,
                rank: 1,
                layout: Layout::Contiguous,
            },
        )
    };
    let (a, v, out) = (array("a"), array("v"), array("out"));
    let item = b.index(IndexFunction::GlobalId, 0);
    let (zero, one) = (b.int64(0), b.int64(1));
    let count = b.extent(ArrayRef::Param(v), 0);
    let total = b.variable("total", dtype);
    let counter = b.variable("k", DType::Int64);
    b.begin_for(counter, zero, count, one);
    let k = b.get(counter);
    let place = b.binary(BinaryOp::Add, item, k);
    let element = b.load(Place::new(ArrayRef::Param(a), [place]));
    let factor = b.load(Place::new(ArrayRef::Param(v), [k]));
    let product = b.binary(BinaryOp::Multiply, element, factor);
    let before = b.get(total);
    let after = b.binary(BinaryOp::Add, before, product);
    b.set(total, after);
    b.end();
    let value = b.get(total);
    b.store(Place::new(ArrayRef::Param(out), [item]), value);
    b.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::verify;

    #[test]
    fn the_kernel_is_valid_for_every_dtype_of_numbers() {
        for dtype in DType::ALL {
            if dtype != DType::Bool {
                assert_eq!(verify(&correlate(dtype)), Vec::new(), "{dtype}");
            }
        }
    }
}
