//! Each mistake is made once, in a kernel that is fine otherwise.

use super::*;
use crate::{
    ArrayRef, CompareOp, IndexFunction, KernelBuilder, Layout, Literal, MathFunction, ParamId,
    Part, Reduction, ReductionOperator, Span, StorageId, UnaryOp,
};

fn region() -> KernelKind {
    KernelKind::Region { reductions: vec![] }
}

fn builder(kind: KernelKind) -> KernelBuilder {
    KernelBuilder::new("k", 1, kind)
}

fn array(dtype: DType, rank: u8) -> ParamKind {
    ParamKind::Array {
        dtype,
        rank,
        layout: Layout::Contiguous,
    }
}

pub(super) fn messages(violations: Vec<Violation>) -> Vec<String> {
    violations.into_iter().map(|v| v.message).collect()
}

/// Asserts that there is exactly one violation, and what it says.
#[track_caller]
pub(super) fn one(kernel: &Kernel, part: &str) {
    let found = messages(verify(kernel));
    assert!(
        found.len() == 1 && found[0].contains(part),
        "{found:?} is not one violation with {part:?}"
    );
}

#[test]
fn an_empty_kernel_is_valid() {
    assert_eq!(messages(verify_core(&builder(region()).finish())), [""; 0]);
}

#[test]
fn the_name_is_an_identifier_and_the_rank_from_1_to_3() {
    for name in ["", "2d", "a-b", "é"] {
        one(
            &KernelBuilder::new(name, 1, region()).finish(),
            "identifier",
        );
    }
    for rank in [0, 4] {
        one(&KernelBuilder::new("k", rank, region()).finish(), "rank");
    }
}

#[test]
fn storage_has_positive_extents_and_a_size() {
    let mut b = builder(region());
    b.storage("s", DType::Int8, &[3, 0], StorageClass::Private);
    one(&b.finish(), "extent of 0");
    let mut b = builder(region());
    b.storage("s", DType::Int8, &[u32::MAX; 3], StorageClass::Private);
    one(&b.finish(), "too large");
}

#[test]
fn a_region_has_no_groups() {
    let mut b = builder(region());
    b.storage("s", DType::Int8, &[3], StorageClass::Local);
    one(&b.finish(), "no local storage");
    let mut b = builder(region());
    b.push(StatementKind::Barrier { global: true });
    one(&b.finish(), "no barriers");
    let mut b = builder(region());
    let zero = b.int64(0);
    b.group_reduce(ReductionOperator::Add, zero);
    one(&b.finish(), "no group reductions");
    let mut b = builder(region());
    let value = b.fresh(DType::Int64);
    let op = Op::Index(IndexFunction::LocalId, 0);
    b.push(StatementKind::Let { value, op });
    one(&b.finish(), "no local_id");
}

#[test]
fn ids_are_in_range() {
    let gone = ValueId(9);
    let mut b = builder(region());
    let x = b.variable("x", DType::Int64);
    b.set(x, gone);
    one(&b.finish(), "no value v9");
    let mut b = builder(region());
    let op = Op::Literal(Literal::Bool(true));
    b.push(StatementKind::Let { value: gone, op });
    one(&b.finish(), "no value v9");
    let mut b = builder(region());
    let zero = b.int64(0);
    b.set(VariableId(9), zero);
    one(&b.finish(), "no variable x9");
    for array in [ArrayRef::Param(ParamId(9)), ArrayRef::Storage(StorageId(9))] {
        let mut b = builder(region());
        let zero = b.int64(0);
        b.store(Place::new(array, [zero]), zero);
        one(&b.finish(), "no array");
    }
    let mut b = builder(region());
    let value = b.fresh(DType::Int64);
    let op = Op::Unary(UnaryOp::Negate, gone);
    b.push(StatementKind::Let { value, op });
    one(&b.finish(), "no value v9");
}

#[test]
fn values_are_defined_once_and_before_they_are_used() {
    let mut b = builder(region());
    let value = b.int64(0);
    let op = Op::Literal(Literal::int64(1));
    b.push(StatementKind::Let { value, op });
    one(&b.finish(), "defined twice");
    let mut b = builder(region());
    let x = b.variable("x", DType::Int64);
    let value = b.fresh(DType::Int64);
    b.set(x, value);
    let op = Op::Literal(Literal::int64(1));
    b.push(StatementKind::Let { value, op });
    one(&b.finish(), "not visible");
}

#[test]
fn values_are_visible_until_their_block_ends() {
    let mut b = builder(region());
    let x = b.variable("x", DType::Bool);
    b.begin_while();
    let more = b.literal(Literal::Bool(false));
    b.begin_while_body(more);
    b.begin_if(more);
    b.set(x, more);
    b.end();
    b.end();
    assert_eq!(messages(verify(&b.finish())), [""; 0]);
    let mut b = builder(region());
    let x = b.variable("x", DType::Bool);
    b.begin_while();
    let more = b.literal(Literal::Bool(false));
    b.begin_while_body(more);
    b.end();
    b.set(x, more);
    one(&b.finish(), "not visible");
    let mut b = builder(region());
    let x = b.variable("x", DType::Bool);
    let yes = b.literal(Literal::Bool(true));
    b.begin_if(yes);
    let inner = b.literal(Literal::Bool(false));
    b.begin_else();
    b.set(x, inner);
    b.end();
    one(&b.finish(), "not visible");
}

#[test]
fn what_defines_a_value_has_its_dtype() {
    let mut b = builder(region());
    let value = b.fresh(DType::Int32);
    let op = Op::Literal(Literal::int64(0));
    b.push(StatementKind::Let { value, op });
    one(&b.finish(), "v0 is int32, but defined as int64");
    let mut b = builder(region());
    let a = ArrayRef::Param(b.param("a", array(DType::Int8, 0)));
    let value = b.fresh(DType::Int32);
    let place = Place::new(a, []);
    b.push(StatementKind::Load { value, place });
    one(&b.finish(), "defined as int8");
}

#[test]
fn operations_fit_their_operands() {
    let wrong: [fn(ValueId, ValueId) -> Op; 6] = [
        |a, b| Op::Binary(BinaryOp::Add, a, b),
        |a, _| Op::Binary(BinaryOp::Divide, a, a),
        |a, b| Op::Compare(CompareOp::Less, a, b),
        |a, b| Op::Select(a, b, b),
        |_, b| Op::Math(MathFunction::Power, [b].into_iter().collect()),
        |a, _| Op::Unary(UnaryOp::IsNan, a),
    ];
    for op in wrong {
        let mut b = builder(region());
        let a = b.int64(0);
        let f = b.literal(Literal::small(DType::Float64, 0));
        let value = b.fresh(DType::Float64);
        let op = op(a, f);
        b.push(StatementKind::Let { value, op });
        one(&b.finish(), "not valid");
    }
}

#[test]
fn sets_and_stores_have_the_right_dtype() {
    let mut b = builder(region());
    let x = b.variable("x", DType::Int32);
    let zero = b.int64(0);
    b.set(x, zero);
    one(&b.finish(), "the new value v0 is int64, not int32");
    let mut b = builder(region());
    let a = ArrayRef::Param(b.param("a", array(DType::Int8, 0)));
    let zero = b.int64(0);
    b.store(Place::new(a, []), zero);
    one(&b.finish(), "the stored value v0 is int64, not int8");
}

#[test]
fn places_have_as_many_int64_indices_as_axes_and_parts_if_complex() {
    let mut b = builder(region());
    let a = ArrayRef::Param(b.param("a", array(DType::Int8, 2)));
    let zero = b.int64(0);
    b.load(Place::new(a, [zero]));
    one(&b.finish(), "1 indices for an array of rank 2");
    let mut b = builder(region());
    let a = ArrayRef::Param(b.param("a", array(DType::Int8, 1)));
    let zero = b.literal(Literal::zero(DType::Int32));
    b.load(Place::new(a, [zero]));
    one(&b.finish(), "the index v0 is int32");
    let mut b = builder(region());
    let a = ArrayRef::Param(b.param("a", array(DType::Int8, 0)));
    let mut place = Place::new(a, []);
    place.part = Part::Real;
    let value = b.fresh(DType::Int8);
    b.push(StatementKind::Load { value, place });
    one(&b.finish(), "no parts");
    let mut b = builder(region());
    let n = b.param("n", ParamKind::Scalar(DType::Int8));
    let value = b.fresh(DType::Int8);
    let place = Place::new(ArrayRef::Param(n), []);
    b.push(StatementKind::Load { value, place });
    one(&b.finish(), "no array");
}

#[test]
fn atomics_fit_their_elements() {
    let atomic = |dtype, op, with_expected| {
        let mut b = builder(region());
        let a = ArrayRef::Param(b.param("a", array(dtype, 0)));
        let one = b.literal(Literal::small(dtype, 1));
        let expected = if with_expected { Some(one) } else { None };
        b.atomic(op, Place::new(a, []), one, expected);
        b.finish()
    };
    let fine = atomic(DType::Int32, AtomicOp::CompareExchange, true);
    assert_eq!(messages(verify(&fine)), [""; 0]);
    one(
        &atomic(DType::Int16, AtomicOp::Add, false),
        "atomic add of int16",
    );
    one(
        &atomic(DType::Float32, AtomicOp::BitOr, false),
        "atomic or of float32",
    );
    one(
        &atomic(DType::Int32, AtomicOp::Add, true),
        "compare-exchange",
    );
    one(
        &atomic(DType::Int32, AtomicOp::CompareExchange, false),
        "compare-exchange",
    );
    let mut b = builder(region());
    let a = ArrayRef::Param(b.param("a", array(DType::Int32, 0)));
    let wide = b.int64(0);
    b.atomic(AtomicOp::Add, Place::new(a, []), wide, None);
    one(&b.finish(), "the operand v0 is int64");
}

#[test]
fn conditions_are_bool_and_counters_int64() {
    let mut b = builder(region());
    let zero = b.int64(0);
    b.begin_if(zero);
    b.end();
    one(&b.finish(), "the condition v0 is int64");
    let mut b = builder(region());
    b.begin_while();
    let zero = b.int64(0);
    b.begin_while_body(zero);
    b.end();
    one(&b.finish(), "the condition v0 is int64");
    let mut b = builder(region());
    let x = b.variable("x", DType::Int32);
    let zero = b.int64(0);
    b.begin_for(x, zero, zero, zero);
    b.end();
    one(&b.finish(), "the counter x0 is int32");
    let mut b = builder(region());
    let x = b.variable("x", DType::Int64);
    let zero = b.int64(0);
    let short = b.literal(Literal::zero(DType::Int32));
    b.begin_for(x, zero, short, zero);
    b.end();
    one(&b.finish(), "the bound v1 is int32");
}

#[test]
fn jumps_stay_in_loops_and_out_of_conditions() {
    for jump in [StatementKind::Break, StatementKind::Continue] {
        let mut b = builder(region());
        b.push(jump.clone());
        one(&b.finish(), "no loop");
        let mut b = builder(region());
        let x = b.variable("x", DType::Int64);
        let zero = b.int64(0);
        b.begin_for(x, zero, zero, zero);
        b.begin_while();
        let yes = b.literal(Literal::Bool(true));
        b.begin_if(yes);
        b.push(jump);
        b.end();
        b.begin_while_body(yes);
        b.end();
        b.end();
        one(&b.finish(), "no loop");
    }
    let mut b = builder(region());
    b.begin_while();
    let yes = b.literal(Literal::Bool(true));
    b.begin_if(yes);
    b.push(StatementKind::Return);
    b.end();
    b.begin_while_body(yes);
    b.end();
    one(&b.finish(), "a condition does not return");
}

#[test]
fn nothing_follows_a_jump_in_its_block() {
    let mut b = builder(region());
    b.push(StatementKind::Return);
    let mut kernel = b.finish();
    // The builder leaves out what would follow.
    kernel.body.push(kernel.body[0].clone());
    one(&kernel, "never reached");
}

#[test]
fn a_reduction_has_its_own_variable_and_target_of_one_dtype() {
    let make = |operator, dtype, target_kind, twice: bool| {
        let mut b = builder(region());
        let target = b.param("target", target_kind);
        let variable = b.variable("x", dtype);
        let reduction = Reduction {
            operator,
            variable,
            target,
        };
        let mut reductions = vec![reduction.clone()];
        if twice {
            reductions.push(reduction);
        }
        b.kernel_mut().kind = KernelKind::Region { reductions };
        b.finish()
    };
    let add = ReductionOperator::Add;
    let fine = make(add, DType::Int64, array(DType::Int64, 0), false);
    assert_eq!(messages(verify(&fine)), [""; 0]);
    for kind in [
        array(DType::Int32, 0),
        array(DType::Int64, 1),
        ParamKind::Scalar(DType::Int64),
    ] {
        one(
            &make(add, DType::Int64, kind, false),
            "no int64 array of rank 0",
        );
    }
    let or = make(
        ReductionOperator::BitOr,
        DType::Float32,
        array(DType::Float32, 0),
        false,
    );
    one(&or, "a reduction or of float32");
    let twice = make(add, DType::Int64, array(DType::Int64, 0), true);
    assert_eq!(
        messages(verify(&twice)),
        ["two reductions of x0", "two reductions into p0"]
    );
}

#[test]
fn a_barrier_is_reached_by_all_items_of_a_group() {
    let mut b = builder(KernelKind::NdRange);
    let i = b.index(IndexFunction::LocalId, 0);
    let zero = b.int64(0);
    let first = b.compare(CompareOp::Equal, i, zero);
    b.begin_if(first);
    b.site = Site {
        file: 0,
        span: Span::new(4, 9),
    };
    b.push(StatementKind::Barrier { global: false });
    b.end();
    let kernel = b.finish();
    one(&kernel, "not all items of a group reach this barrier");
    assert_eq!(verify(&kernel)[0].site.span, Span::new(4, 9));
}

#[test]
fn core_has_no_complex_values_but_complex_arrays() {
    let mut b = builder(region());
    let a = ArrayRef::Param(b.param("a", array(DType::Complex64, 0)));
    let mut place = Place::new(a, []);
    place.part = Part::Real;
    b.load(place);
    let fine = b.finish();
    assert_eq!(messages(verify_core(&fine)), [""; 0]);
    let mut b = builder(region());
    let a = ArrayRef::Param(b.param("a", array(DType::Complex64, 0)));
    b.variable("z", DType::Complex128);
    b.load(Place::new(a, []));
    let kernel = b.finish();
    assert_eq!(messages(verify(&kernel)), [""; 0]);
    assert_eq!(
        messages(verify_core(&kernel)),
        ["the variable \"z\" is complex", "v0 is complex64"]
    );
}

#[test]
fn core_does_not_calculate_with_float16() {
    let mut b = builder(region());
    let x = b.variable("x", DType::Float16);
    let half = b.get(x);
    let wide = b.convert(half, DType::Float32);
    let narrow = b.convert(wide, DType::Float16);
    let yes = b.literal(Literal::Bool(true));
    let chosen = b.select(yes, half, narrow);
    b.set(x, chosen);
    assert_eq!(messages(verify_core(&b.finish())), [""; 0]);
    let wrong: [fn(ValueId) -> Op; 4] = [
        |h| Op::Binary(BinaryOp::Add, h, h),
        |h| Op::Unary(UnaryOp::IsNan, h),
        |h| Op::Compare(CompareOp::Less, h, h),
        |h| Op::Math(MathFunction::Sqrt, [h].into_iter().collect()),
    ];
    for op in wrong {
        let mut b = builder(region());
        let half = b.literal(Literal::zero(DType::Float16));
        b.op(op(half));
        assert_eq!(
            messages(verify_core(&b.finish())),
            ["v1 is calculated with float16"]
        );
    }
}

#[test]
fn core_has_no_operations_that_passes_expand() {
    for op in [BinaryOp::FloorDivide, BinaryOp::Modulo, BinaryOp::Power] {
        let mut b = builder(region());
        let a = b.int64(0);
        b.binary(op, a, a);
        let kernel = b.finish();
        assert_eq!(messages(verify(&kernel)), [""; 0]);
        assert_eq!(
            messages(verify_core(&kernel)),
            [format!("the operation {}", op.name())]
        );
    }
    let mut b = builder(KernelKind::NdRange);
    let a = b.int64(0);
    b.group_reduce(ReductionOperator::Add, a);
    assert_eq!(messages(verify_core(&b.finish())), ["a group reduction"]);
}

#[test]
fn bits_are_seen_as_numbers_of_the_same_size_only() {
    let wrong = [
        (DType::Int32, DType::Float64),
        (DType::Bool, DType::Int8),
        (DType::UInt8, DType::Bool),
        (DType::Complex64, DType::Int64),
        (DType::Float64, DType::Complex64),
    ];
    for (from, to) in wrong {
        let mut b = builder(region());
        let from = b.literal(Literal::zero(from));
        let value = b.fresh(to);
        let op = Op::Bitcast(from, to);
        b.push(StatementKind::Let { value, op });
        one(&b.finish(), "the bits of");
    }
    let mut b = builder(region());
    let half = b.literal(Literal::zero(DType::Float16));
    b.bitcast(half, DType::Int16);
    assert_eq!(messages(verify_core(&b.finish())), [""; 0]);
}
