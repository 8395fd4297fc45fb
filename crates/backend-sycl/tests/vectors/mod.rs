//! Kernels over vectors.

use crate::machine::Machine;
use colocate_ir::{
    ArrayRef, DType, IndexFunction, Kernel, KernelBuilder, KernelKind, Layout, ParamKind, Place,
    ValueId,
};

pub fn region() -> KernelKind {
    KernelKind::Region { reductions: vec![] }
}

pub fn array(dtype: DType, rank: u8, layout: Layout) -> ParamKind {
    ParamKind::Array {
        dtype,
        rank,
        layout,
    }
}

pub fn vector(builder: &mut KernelBuilder, name: &str, dtype: DType) -> ArrayRef {
    ArrayRef::Param(builder.param(name, array(dtype, 1, Layout::Contiguous)))
}

pub fn global_id(builder: &mut KernelBuilder, axis: u8) -> ValueId {
    builder.index(IndexFunction::GlobalId, axis)
}

/// `result[i] = f(a[i], b[i])` over vectors.
pub fn elementwise(
    dtype: DType,
    result: DType,
    f: impl Fn(&mut KernelBuilder, ValueId, ValueId) -> ValueId,
) -> Kernel {
    let mut builder = KernelBuilder::new("elementwise", 1, region());
    let a = vector(&mut builder, "a", dtype);
    let b = vector(&mut builder, "b", dtype);
    let to = vector(&mut builder, "result", result);
    let i = global_id(&mut builder, 0);
    let (a, b) = (
        builder.load(Place::new(a, [i])),
        builder.load(Place::new(b, [i])),
    );
    let value = f(&mut builder, a, b);
    builder.store(Place::new(to, [i]), value);
    builder.finish()
}

pub fn run_elementwise<T: Copy, R: Copy + Default>(
    machine: &Machine,
    kernel: &Kernel,
    a: &[T],
    b: &[T],
) -> Vec<R> {
    let n = a.len();
    let result = machine.buffer(&vec![R::default(); n]);
    let (a, b) = (machine.buffer(a), machine.buffer(b));
    let arguments = [
        a.address(),
        n as u64,
        b.address(),
        n as u64,
        result.address(),
        n as u64,
    ];
    machine.run(kernel, &arguments, &[n], None);
    result.read()
}
