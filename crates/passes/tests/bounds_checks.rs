//! What a kernel does that checks its accesses: the same while they are inside; a report, and
//! nothing else, when they are not.

mod execution;

use colocate_dtype::DType;
use colocate_ir::interpret::Scalar;
use colocate_ir::{
    ArrayRef, AtomicOp, BinaryOp, IndexFunction, Kernel, KernelBuilder, KernelKind, Layout,
    ParamKind, Part, Place, Site, Span, StatementKind, StorageClass, ValueId,
};
use colocate_passes::insert_bounds_checks::{self, Checked, Failure, explain};
use colocate_passes::to_core;
use execution::Call;

fn array(dtype: DType, rank: u8) -> ParamKind {
    ParamKind::Array {
        dtype,
        rank,
        layout: Layout::Contiguous,
    }
}

fn region(name: &str, rank: u8) -> KernelBuilder {
    KernelBuilder::new(name, rank, KernelKind::Region { reductions: vec![] })
}

fn at(position: u32) -> Site {
    Site {
        file: 2,
        span: Span::new(position, position + 1),
    }
}

fn ints(numbers: impl IntoIterator<Item = i64>) -> Vec<Scalar> {
    numbers.into_iter().map(Scalar::int64).collect()
}

fn plus(b: &mut KernelBuilder, value: ValueId, number: i64) -> ValueId {
    let number = b.int64(number);
    b.binary(BinaryOp::Add, value, number)
}

/// `out[i + into] = a[i + from]`, each access with a site of its own.
fn shift(from: i64, into: i64) -> Kernel {
    let mut b = region("shift", 1);
    let a = ArrayRef::Param(b.param("a", array(DType::Int64, 1)));
    let out = ArrayRef::Param(b.param("out", array(DType::Int64, 1)));
    let i = b.index(IndexFunction::GlobalId, 0);
    let source = plus(&mut b, i, from);
    let target = plus(&mut b, i, into);
    b.site = at(10);
    let x = b.load(Place::new(a, [source]));
    b.site = at(20);
    b.store(Place::new(out, [target]), x);
    b.finish()
}

/// Calls the checked kernel, made core, with the report as last argument.
#[track_caller]
fn run(
    checked: &Checked,
    call: &mut Call,
    arguments: usize,
    global: [usize; 3],
) -> Option<Failure> {
    call.zeros(DType::Int64, checked.slots);
    call.run(&to_core(checked.kernel.clone()), global, global);
    explain(&checked.checks, &call.read_int64(arguments))
}

#[test]
fn a_kernel_that_stays_inside_does_what_it_did() {
    let checked = insert_bounds_checks::run(shift(0, 0));
    assert_eq!(checked.checks.len(), 2);
    let mut call = Call::default();
    call.array(DType::Int64, &ints([5, 6, 7]))
        .zeros(DType::Int64, 3);
    assert_eq!(run(&checked, &mut call, 2, [3, 1, 1]), None);
    assert_eq!(call.read_int64(1), [5, 6, 7]);
    assert_eq!(call.read_int64(2), vec![0; checked.slots]);
}

#[test]
fn a_load_outside_gives_zero_and_is_reported() {
    let checked = insert_bounds_checks::run(shift(1, 0));
    let mut call = Call::default();
    call.array(DType::Int64, &ints([5, 6, 7]));
    call.array(DType::Int64, &ints([-1; 3]));
    let expected = Failure {
        site: at(10),
        array: "a".into(),
        index: vec![3],
        shape: vec![3],
        axis: 0,
    };
    assert_eq!(run(&checked, &mut call, 2, [3, 1, 1]), Some(expected));
    assert_eq!(call.read_int64(1), [6, 7, 0]);
}

#[test]
fn a_store_outside_is_left_out_and_reported() {
    let checked = insert_bounds_checks::run(shift(0, -2));
    let mut call = Call::default();
    call.array(DType::Int64, &ints([5, 6, 7]))
        .zeros(DType::Int64, 3);
    let expected = Failure {
        site: at(20),
        array: "out".into(),
        index: vec![-2],
        shape: vec![3],
        axis: 0,
    };
    assert_eq!(run(&checked, &mut call, 2, [3, 1, 1]), Some(expected));
    assert_eq!(call.read_int64(1), [7, 0, 0]);
}

#[test]
fn an_empty_array_has_no_element_at_all() {
    let checked = insert_bounds_checks::run(shift(0, 0));
    let mut call = Call::default();
    call.array(DType::Int64, &[]).zeros(DType::Int64, 1);
    let failure = run(&checked, &mut call, 2, [1; 3]).expect("there is no a[0]");
    assert_eq!((failure.index, failure.shape), (vec![0], vec![0]));
}

#[test]
fn the_first_axis_outside_is_named() {
    let mut b = region("k", 1);
    let a = ArrayRef::Param(b.param("a", array(DType::Float32, 3)));
    let at = b.param("at", array(DType::Int64, 1));
    let indices: Vec<ValueId> = (0..3)
        .map(|axis| {
            let axis = b.int64(axis);
            b.load(Place::new(ArrayRef::Param(at), [axis]))
        })
        .collect();
    let x = b.load(Place::new(a, indices.clone()));
    b.store(Place::new(a, indices), x);
    let checked = insert_bounds_checks::run(b.finish());
    for (index, axis) in [
        ([0, 0, 0], None),
        ([1, 2, 3], None),
        ([2, 3, 4], Some(0)),
        ([-1, 0, 4], Some(0)),
        ([0, 3, -1], Some(1)),
        ([1, 2, 4], Some(2)),
        ([1, 2, i64::MIN], Some(2)),
    ] {
        let mut call = Call::default();
        let zeros = [Scalar::Float32(0.0); 24];
        call.shaped(DType::Float32, &zeros, &[2, 3, 4]);
        call.array(DType::Int64, &ints(index));
        let failure = run(&checked, &mut call, 2, [1; 3]);
        assert_eq!(
            failure.as_ref().map(|failure| failure.axis),
            axis,
            "{index:?}"
        );
        if let Some(failure) = failure {
            assert_eq!(failure.index, index);
            assert_eq!(failure.shape, [2, 3, 4]);
        }
    }
}

#[test]
fn of_many_violations_one_is_reported_whole() {
    let checked = insert_bounds_checks::run(shift(100, 50));
    let mut call = Call::default();
    call.array(DType::Int64, &ints([5, 6, 7]))
        .zeros(DType::Int64, 3);
    let failure = run(&checked, &mut call, 2, [40, 1, 1]).expect("all items are outside");
    let (name, from) = (failure.array.as_str(), failure.index[0]);
    assert!(
        name == "a" && (100..140).contains(&from) || name == "out" && (50..90).contains(&from),
        "{failure:?}"
    );
    assert_eq!(call.read_int64(1), [0; 3]);
}

#[test]
fn an_atomic_outside_changes_nothing() {
    let mut b = region("k", 1);
    let a = ArrayRef::Param(b.param("a", array(DType::Int64, 1)));
    let out = ArrayRef::Param(b.param("out", array(DType::Int64, 1)));
    let i = b.index(IndexFunction::GlobalId, 0);
    let one = b.int64(1);
    let before = b.atomic(AtomicOp::Add, Place::new(a, [i]), one, None);
    b.store(Place::new(out, [i]), before);
    let checked = insert_bounds_checks::run(b.finish());
    let mut call = Call::default();
    call.array(DType::Int64, &ints([5, 6]));
    call.array(DType::Int64, &ints([9, 9, 9]));
    let failure = run(&checked, &mut call, 2, [3, 1, 1]).expect("there is no a[2]");
    assert_eq!((failure.array.as_str(), failure.index), ("a", vec![2]));
    assert_eq!(call.read_int64(0), [6, 7]);
    assert_eq!(call.read_int64(1), [5, 6, 0]);
}

#[test]
fn storage_is_checked_except_at_constant_places() {
    let mut b = KernelBuilder::new("k", 1, KernelKind::NdRange);
    let out = ArrayRef::Param(b.param("out", array(DType::Int64, 0)));
    let tile = ArrayRef::Storage(b.storage("tile", DType::Int64, &[4], StorageClass::Local));
    let i = b.index(IndexFunction::LocalId, 0);
    let (zero, three) = (b.int64(0), b.int64(3));
    b.store(Place::new(tile, [three]), three);
    let first = b.load(Place::new(tile, [zero]));
    b.store(Place::new(out, []), first);
    let beyond = plus(&mut b, i, 4);
    b.store(Place::new(tile, [beyond]), i);
    let checked = insert_bounds_checks::run(b.finish());
    assert_eq!(checked.checks.len(), 1);
    let mut call = Call::default();
    call.shaped(DType::Int64, &ints([0]), &[]);
    let failure = run(&checked, &mut call, 1, [1; 3]).expect("there is no tile[4]");
    assert_eq!((failure.array.as_str(), failure.shape), ("tile", vec![4]));
}

#[test]
fn barriers_are_reached_by_all_items_though_some_violate() {
    let mut b = KernelBuilder::new("reverse", 1, KernelKind::NdRange);
    let a = ArrayRef::Param(b.param("a", array(DType::Int64, 1)));
    let tile = ArrayRef::Storage(b.storage("tile", DType::Int64, &[4], StorageClass::Local));
    let i = b.index(IndexFunction::GlobalId, 0);
    let id = b.index(IndexFunction::LocalId, 0);
    let x = b.load(Place::new(a, [i]));
    b.store(Place::new(tile, [id]), x);
    b.push(StatementKind::Barrier { global: false });
    let last = b.int64(3);
    let other = b.binary(BinaryOp::Subtract, last, id);
    let y = b.load(Place::new(tile, [other]));
    b.store(Place::new(a, [i]), y);
    let checked = insert_bounds_checks::run(b.finish());
    let mut call = Call::default();
    call.array(DType::Int64, &ints([1, 2, 3]));
    assert!(run(&checked, &mut call, 1, [4, 1, 1]).is_some());
    assert_eq!(call.read_int64(0), [0, 3, 2]);
}

#[test]
fn both_whole_and_halved_complex_elements_are_checked() {
    let mut b = region("k", 1);
    let a = ArrayRef::Param(b.param("a", array(DType::Complex64, 1)));
    let i = b.index(IndexFunction::GlobalId, 0);
    let next = plus(&mut b, i, 1);
    let whole = b.load(Place::new(a, [i]));
    let half = b.load(Place {
        part: Part::Imaginary,
        ..Place::new(a, [next])
    });
    let made = b.op(colocate_ir::Op::Complex(half, half));
    let sum = b.binary(BinaryOp::Add, whole, made);
    b.store(Place::new(a, [i]), sum);
    let checked = insert_bounds_checks::run(b.finish());
    let mut call = Call::default();
    call.array(DType::Complex64, &[Scalar::Complex64(1.0, 2.0)]);
    let failure = run(&checked, &mut call, 1, [1; 3]).expect("there is no a[1]");
    assert_eq!((failure.index, failure.shape), (vec![1], vec![1]));
    assert_eq!(call.read(0), [Scalar::Complex64(1.0, 2.0)]);
}

#[test]
fn a_report_is_long_enough_for_any_rank() {
    let mut b = region("k", 1);
    let a = ArrayRef::Param(b.param("a", array(DType::Int8, 20)));
    let i = b.index(IndexFunction::GlobalId, 0);
    b.load(Place::new(a, [i; 20]));
    let checked = insert_bounds_checks::run(b.finish());
    let mut call = Call::default();
    let one = Scalar::Int(DType::Int8, 1);
    call.shaped(DType::Int8, &[one], &[1; 20]);
    let failure = run(&checked, &mut call, 1, [2, 1, 1]).expect("there is one element only");
    assert_eq!((failure.index, failure.shape), (vec![1; 20], vec![1; 20]));
}

#[test]
fn a_report_of_something_else_explains_nothing() {
    let checked = insert_bounds_checks::run(shift(0, 0));
    for report in [&[][..], &[0; 16], &[3, 0, 0, 0], &[-1; 16], &[1, 0]] {
        assert_eq!(explain(&checked.checks, report), None);
    }
}
