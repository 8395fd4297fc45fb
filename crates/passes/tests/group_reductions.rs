//! Group reductions give the same after the passes, in groups of any shape.

mod execution;

use colocate_dtype::DType;
use colocate_ir::interpret::Scalar;
use colocate_ir::{
    ArrayRef, BinaryOp, IndexFunction, Kernel, KernelBuilder, KernelKind, Layout, ParamKind, Place,
    ReductionOperator, StatementKind, StorageClass, ValueId,
};
use execution::{Call, awkward};

fn array(dtype: DType) -> ParamKind {
    ParamKind::Array {
        dtype,
        rank: 1,
        layout: Layout::Contiguous,
    }
}

/// The item's number in the whole space, the last axis running fastest.
fn number(b: &mut KernelBuilder, rank: u8) -> ValueId {
    let mut number = b.index(IndexFunction::GlobalId, 0);
    for axis in 1..rank {
        let size = b.index(IndexFunction::GlobalSize, axis);
        let id = b.index(IndexFunction::GlobalId, axis);
        let before = b.binary(BinaryOp::Multiply, number, size);
        number = b.binary(BinaryOp::Add, before, id);
    }
    number
}

/// Reduces twice in a row, the second time what the first one gave and the item's own element.
fn twice(dtype: DType, operator: ReductionOperator, rank: u8) -> Kernel {
    let mut b = KernelBuilder::new("twice", rank, KernelKind::NdRange);
    let [own, first, second] =
        ["own", "first", "second"].map(|name| ArrayRef::Param(b.param(name, array(dtype))));
    let i = number(&mut b, rank);
    let x = b.load(Place::new(own, [i]));
    let once = b.group_reduce(operator, x);
    b.store(Place::new(first, [i]), once);
    let both = b.binary(operator.operation(dtype), x, once);
    let again = b.group_reduce(operator, both);
    b.store(Place::new(second, [i]), again);
    b.finish()
}

const SHAPES: [(u8, [usize; 3], [usize; 3]); 4] = [
    (1, [24, 1, 1], [1, 1, 1]),
    (1, [24, 1, 1], [12, 1, 1]),
    (2, [4, 6, 1], [2, 6, 1]),
    (3, [2, 4, 3], [2, 2, 3]),
];

#[test]
fn every_operator_of_every_dtype_in_groups_of_any_shape() {
    for dtype in DType::ALL {
        for &operator in ReductionOperator::ALL {
            if !operator.takes(dtype) {
                continue;
            }
            for (rank, global, local) in SHAPES {
                let own: Vec<Scalar> = awkward(dtype).into_iter().cycle().take(24).collect();
                let mut call = Call::default();
                call.array(dtype, &own).zeros(dtype, 24).zeros(dtype, 24);
                call.is_the_same_in_core(&twice(dtype, operator, rank), global, local);
            }
        }
    }
}

#[test]
fn the_order_of_a_sum_of_floats_is_that_of_the_items() {
    // In any other order the small ones would not be lost.
    let own: Vec<Scalar> = [1e16, 1.0, 1.0, 1.0].map(Scalar::Float64).to_vec();
    let kernel = colocate_passes::to_core(twice(DType::Float64, ReductionOperator::Add, 1));
    let mut call = Call::default();
    call.array(DType::Float64, &own);
    call.zeros(DType::Float64, 4).zeros(DType::Float64, 4);
    call.run(&kernel, [4, 1, 1], [4, 1, 1]);
    assert_eq!(call.read(1), [Scalar::Float64(1e16); 4]);
}

#[test]
fn a_reduction_in_a_loop_and_local_storage_of_the_kernel_do_not_meet() {
    let mut b = KernelBuilder::new("k", 1, KernelKind::NdRange);
    let out = ArrayRef::Param(b.param("out", array(DType::Int64)));
    let tile = b.storage("tile", DType::Int64, &[4], StorageClass::Local);
    let tile = ArrayRef::Storage(tile);
    let turn = b.variable("turn", DType::Int64);
    let i = b.index(IndexFunction::GlobalId, 0);
    let id = b.index(IndexFunction::LocalId, 0);
    b.store(Place::new(tile, [id]), i);
    b.push(StatementKind::Barrier { global: false });
    let (zero, three, one) = (b.int64(0), b.int64(3), b.int64(1));
    b.begin_for(turn, zero, three, one);
    let held = b.load(Place::new(tile, [id]));
    let now = b.get(turn);
    let sum = b.binary(BinaryOp::Add, held, now);
    let total = b.group_reduce(ReductionOperator::Add, sum);
    b.store(Place::new(tile, [id]), total);
    b.end();
    let held = b.load(Place::new(tile, [id]));
    b.store(Place::new(out, [i]), held);
    let kernel = b.finish();
    let mut call = Call::default();
    call.zeros(DType::Int64, 8);
    call.is_the_same_in_core(&kernel, [8, 1, 1], [4, 1, 1]);
    call.run(&colocate_passes::to_core(kernel), [8, 1, 1], [4, 1, 1]);
    // 0 + 1 + 2 + 3 = 6; four times 6 + 1 is 28; four times 28 + 2 is 120.
    assert_eq!(call.read_int64(0)[..4], [120; 4]);
}
