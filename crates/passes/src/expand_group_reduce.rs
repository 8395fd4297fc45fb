//! Makes group reductions loops over local storage.
//!
//! Every item stores its operand at its place in the group; the first item combines them, in
//! order, and leaves the result in the first element, from where all items take it. The order is
//! always the same, so the result is the same on every device, to the last bit.
//!
//! What always holds: the barriers are in the block of the reduction, which the verifier found
//! uniform; only the combining is done by one item. The last barrier keeps the next reduction
//! from overwriting what an item has not read yet, so one storage serves all reductions of a
//! dtype. A group may have at most [`LARGEST_GROUP`] items.

use crate::emit::Emit;
use crate::rewrite::{Rebuild, Step};
use colocate_ir::{
    ArrayRef, DType, IndexFunction, Kernel, KernelBuilder, Place, ReductionOperator, StatementKind,
    StorageClass, StorageId, ValueId,
};

/// The most items a group may have in a kernel that had group reductions.
pub const LARGEST_GROUP: u32 = 1024;

/// Runs the pass.
pub fn run(kernel: Kernel) -> Kernel {
    let mut storage: Vec<(DType, StorageId)> = Vec::new();
    Rebuild::new(&kernel).run(&kernel.body, |to, statement| {
        let StatementKind::GroupReduce {
            value,
            operator,
            operand,
        } = statement
        else {
            return Step::Copy;
        };
        let dtype = kernel.dtype(*operand);
        let known = storage.iter().find(|(of, _)| *of == dtype);
        let place = known.map(|(_, storage)| *storage).unwrap_or_else(|| {
            let name = format!("reduce_{dtype}");
            let shape = [LARGEST_GROUP];
            let new = to
                .builder
                .storage(&name, dtype, &shape, StorageClass::Local);
            storage.push((dtype, new));
            new
        });
        let operand = to.value(*operand);
        let new = expand(
            &mut to.builder,
            *operator,
            operand,
            ArrayRef::Storage(place),
        );
        to.define(*value, new);
        Step::Replaced
    })
}

fn expand(
    to: &mut KernelBuilder,
    operator: ReductionOperator,
    operand: ValueId,
    places: ArrayRef,
) -> ValueId {
    let dtype = to.dtype(operand);
    let (item, items) = position(to);
    let (zero, one) = (to.int64(0), to.int64(1));
    to.store(Place::new(places, [item]), operand);
    to.push(StatementKind::Barrier { global: false });

    let first = to.eq(item, zero);
    to.begin_if(first);
    let total = to.variable("total", dtype);
    let turn = to.variable("member", DType::Int64);
    to.set(total, operand);
    to.begin_for(turn, one, items, one);
    let member = to.get(turn);
    let so_far = to.get(total);
    let other = to.load(Place::new(places, [member]));
    let sum = to.binary(operator.operation(dtype), so_far, other);
    to.set(total, sum);
    to.end();
    let sum = to.get(total);
    to.store(Place::new(places, [zero]), sum);
    to.end();

    to.push(StatementKind::Barrier { global: false });
    let result = to.load(Place::new(places, [zero]));
    to.push(StatementKind::Barrier { global: false });
    result
}

/// Where the item is in its group, the last axis running fastest, and how many there are.
fn position(to: &mut KernelBuilder) -> (ValueId, ValueId) {
    let mut position = to.index(IndexFunction::LocalId, 0);
    let mut items = to.index(IndexFunction::LocalSize, 0);
    for axis in 1..to.kernel().rank {
        let size = to.index(IndexFunction::LocalSize, axis);
        let id = to.index(IndexFunction::LocalId, axis);
        let before = to.mul(position, size);
        position = to.add(before, id);
        items = to.mul(items, size);
    }
    (position, items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use colocate_ir::{CompareOp, KernelKind, Layout, ParamKind, verify};

    fn with_reductions(dtypes: &[DType], rank: u8) -> Kernel {
        let mut b = KernelBuilder::new("k", rank, KernelKind::NdRange);
        for (number, &dtype) in dtypes.iter().enumerate() {
            let kind = ParamKind::Array {
                dtype,
                rank: 1,
                layout: Layout::Contiguous,
            };
            let out = ArrayRef::Param(b.param(&format!("out{number}"), kind));
            let i = b.index(IndexFunction::GlobalId, 0);
            let own = b.load(Place::new(out, [i]));
            let sum = b.group_reduce(ReductionOperator::Add, own);
            b.store(Place::new(out, [i]), sum);
        }
        b.finish()
    }

    #[test]
    fn one_storage_serves_all_reductions_of_a_dtype() {
        use DType::{Float16, Float64, Int8};
        let kernel = run(with_reductions(&[Int8, Float64, Int8, Float16, Float64], 3));
        assert_eq!(verify(&kernel), []);
        let dtypes: Vec<DType> = kernel.storage.iter().map(|s| s.dtype).collect();
        assert_eq!(dtypes, [Int8, Float64, Float16]);
        let sizes = kernel.storage.iter().map(|s| s.size());
        assert!(sizes.into_iter().all(|size| size == 1024));
    }

    #[test]
    fn three_barriers_stand_outside_of_what_one_item_does() {
        let kernel = run(with_reductions(&[DType::Int32], 1));
        let is_barrier =
            |kind: &StatementKind| matches!(kind, StatementKind::Barrier { global: false });
        let outside = kernel.body.iter().filter(|s| is_barrier(&s.kind)).count();
        let mut all = 0;
        colocate_ir::walk(&kernel.body, &mut |s| {
            all += usize::from(is_barrier(&s.kind));
        });
        assert_eq!((outside, all), (3, 3));
    }

    #[test]
    fn a_loop_may_go_on_until_all_items_agree() {
        let mut b = KernelBuilder::new("k", 1, KernelKind::NdRange);
        let done = b.variable("done", DType::Bool);
        let i = b.index(IndexFunction::GlobalId, 0);
        b.begin_while();
        let own = b.get(done);
        let every = b.group_reduce(ReductionOperator::Multiply, own);
        let more = b.unary(colocate_ir::UnaryOp::Not, every);
        b.begin_while_body(more);
        b.push(StatementKind::Barrier { global: true });
        let zero = b.int64(0);
        let is_first = b.compare(CompareOp::Equal, i, zero);
        b.set(done, is_first);
        b.end();
        let kernel = b.finish();
        assert_eq!(verify(&kernel), []);
        assert_eq!(verify(&run(kernel)), []);
    }
}
