//! What statements do: control flow, memory, groups, reductions, and errors.

use super::*;
use crate::{
    ArrayRef, AtomicOp, BinaryOp, CompareOp, IndexFunction, KernelBuilder, KernelKind, Literal, Op,
    Part, Place, Reduction, ReductionOperator, Span, StatementKind, StorageClass, ValueId,
};

const BARRIER: StatementKind = StatementKind::Barrier { global: false };

fn region(rank: u8) -> KernelBuilder {
    KernelBuilder::new("k", rank, KernelKind::Region { reductions: vec![] })
}

fn group() -> KernelBuilder {
    KernelBuilder::new("k", 1, KernelKind::NdRange)
}

fn param(b: &mut KernelBuilder, dtype: DType, rank: u8, layout: Layout) -> ArrayRef {
    let kind = ParamKind::Array {
        dtype,
        rank,
        layout,
    };
    ArrayRef::Param(b.param("a", kind))
}

/// An int64 array of rank 1.
fn ints(b: &mut KernelBuilder) -> ArrayRef {
    param(b, DType::Int64, 1, Layout::Contiguous)
}

fn memory(values: &[i64]) -> Memory {
    Memory {
        bytes: values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect(),
    }
}

fn contents(memory: &Memory) -> Vec<i64> {
    let chunks = memory.bytes.chunks_exact(8);
    chunks
        .map(|bytes| i64::from_le_bytes(bytes.try_into().expect("eight bytes")))
        .collect()
}

/// Runs a kernel of one int64 array, for one item after another or in groups, and gives the array.
fn run_on(b: KernelBuilder, values: &[i64], items: usize, local: Option<usize>) -> Vec<i64> {
    let mut memory = memory(values);
    let view = ArrayView::contiguous(DType::Int64, 0, &[values.len() as i64]);
    let local = local.map(|local| [local, 1, 1]);
    let arguments = [Argument::Array(view)];
    run(&b.finish(), &mut memory, &arguments, [items, 1, 1], local).expect("it runs");
    contents(&memory)
}

/// Stores into `a[global_id]`.
fn store_own(b: &mut KernelBuilder, a: ArrayRef, value: ValueId) {
    let i = b.index(IndexFunction::GlobalId, 0);
    b.store(Place::new(a, [i]), value);
}

#[test]
fn every_item_of_the_space_is_executed_once() {
    let mut b = region(3);
    let a = param(&mut b, DType::Int64, 3, Layout::Contiguous);
    let ids = [0, 1, 2].map(|axis| b.index(IndexFunction::GlobalId, axis));
    let place = Place::new(a, ids);
    let held = b.load(place.clone());
    let hundred = b.int64(100);
    let ten = b.int64(10);
    let high = b.binary(BinaryOp::Multiply, ids[0], hundred);
    let middle = b.binary(BinaryOp::Multiply, ids[1], ten);
    let sum = b.binary(BinaryOp::Add, high, middle);
    let sum = b.binary(BinaryOp::Add, sum, ids[2]);
    let sum = b.binary(BinaryOp::Add, sum, held);
    b.store(place, sum);
    let mut memory = memory(&[1000; 3 * 5 * 7]);
    let view = ArrayView::contiguous(DType::Int64, 0, &[3, 5, 7]);
    let arguments = [Argument::Array(view)];
    run(&b.finish(), &mut memory, &arguments, [3, 5, 7], None).expect("it runs");
    let expected: Vec<i64> = (0..3)
        .flat_map(|i| (0..5).flat_map(move |j| (0..7).map(move |k| 1000 + i * 100 + j * 10 + k)))
        .collect();
    assert_eq!(contents(&memory), expected);
}

#[test]
fn strides_may_be_negative_and_arrays_may_overlap() {
    let mut b = region(1);
    let from = param(&mut b, DType::Int64, 1, Layout::Strided);
    let to = param(&mut b, DType::Int64, 1, Layout::Strided);
    let i = b.index(IndexFunction::GlobalId, 0);
    let value = b.load(Place::new(from, [i]));
    b.store(Place::new(to, [i]), value);
    let mut memory = memory(&[1, 2, 3, 4, 5, 6]);
    let view = |offset, stride| {
        Argument::Array(ArrayView {
            offset,
            shape: vec![3],
            strides: vec![stride],
        })
    };
    let arguments = [view(0, 8), view(40, -16)];
    run(&b.finish(), &mut memory, &arguments, [3, 1, 1], None).expect("it runs");
    assert_eq!(contents(&memory), [1, 3, 3, 2, 5, 1]);
}

#[test]
fn parts_of_complex_elements_are_reached_alone() {
    let mut b = region(1);
    let a = param(&mut b, DType::Complex64, 0, Layout::Contiguous);
    let z = b.param("z", ParamKind::Scalar(DType::Complex64));
    let mut place = Place::new(a, []);
    place.part = Part::Imaginary;
    let im = b.load(place.clone());
    let re = b.op(Op::Param(z, Part::Real));
    let sum = b.binary(BinaryOp::Add, im, re);
    b.store(place, sum);
    let mut memory = Memory {
        bytes: Scalar::Complex64(1.0, 2.0).to_bytes().to_vec(),
    };
    let arguments = [
        Argument::Array(ArrayView::contiguous(DType::Complex64, 0, &[])),
        Argument::Scalar(Scalar::Complex64(40.0, 7.0)),
    ];
    run(&b.finish(), &mut memory, &arguments, [1; 3], None).expect("it runs");
    assert_eq!(
        Scalar::from_bytes(DType::Complex64, &memory.bytes),
        Scalar::Complex64(1.0, 42.0)
    );
}

/// Counts the turns of `range(start, stop, step)`, and gives that and the counter's last number.
fn turns(start: i64, stop: i64, step: i64) -> (i64, i64) {
    let mut b = region(1);
    let a = ints(&mut b);
    let k = b.variable("k", DType::Int64);
    let count = b.variable("count", DType::Int64);
    let minus_one = b.int64(-1);
    b.set(k, minus_one);
    let [start, stop, step] = [start, stop, step].map(|bound| b.int64(bound));
    b.begin_for(k, start, stop, step);
    let so_far = b.get(count);
    let one = b.int64(1);
    let more = b.binary(BinaryOp::Add, so_far, one);
    b.set(count, more);
    b.end();
    let zero = b.int64(0);
    let one = b.int64(1);
    let count = b.get(count);
    b.store(Place::new(a, [zero]), count);
    let last = b.get(k);
    b.store(Place::new(a, [one]), last);
    let found = run_on(b, &[0, 0], 1, None);
    (found[0], found[1])
}

#[test]
fn a_for_has_the_turns_of_pythons_range() {
    assert_eq!(turns(0, 5, 2), (3, 4));
    assert_eq!(turns(5, 0, -2), (3, 1));
    assert_eq!(turns(0, 5, -1), (0, -1));
    assert_eq!(turns(3, 3, 1), (0, -1));
    assert_eq!(turns(0, 5, 0), (0, -1));
    let end = i64::MAX;
    assert_eq!(turns(end - 3, end, 2), (2, end - 1));
    assert_eq!(turns(i64::MIN, end, end), (3, end - 1));
    assert_eq!(turns(end, i64::MIN, i64::MIN), (2, -1));
}

#[test]
fn setting_the_counter_does_not_change_the_counting() {
    let mut b = region(1);
    let a = ints(&mut b);
    let k = b.variable("k", DType::Int64);
    let [zero, one, three, far] = [0, 1, 3, 100].map(|number| b.int64(number));
    b.begin_for(k, zero, three, one);
    let number = b.get(k);
    b.store(Place::new(a, [number]), one);
    b.set(k, far);
    b.end();
    let last = b.get(k);
    b.store(Place::new(a, [three]), last);
    assert_eq!(run_on(b, &[0; 4], 1, None), [1, 1, 1, 100]);
}

#[test]
fn items_leave_loops_and_turns_each_for_itself() {
    // Sums the odd k below 10 up to the item's number; item 5 returns at k = 3.
    let mut b = region(1);
    let a = ints(&mut b);
    let i = b.index(IndexFunction::GlobalId, 0);
    let k = b.variable("k", DType::Int64);
    let sum = b.variable("sum", DType::Int64);
    let [zero, one, two, three, five, ten] = [0, 1, 2, 3, 5, 10].map(|number| b.int64(number));
    b.begin_for(k, zero, ten, one);
    let number = b.get(k);
    let beyond = b.compare(CompareOp::Greater, number, i);
    b.begin_if(beyond);
    b.push(StatementKind::Break);
    b.end();
    let rest = b.binary(BinaryOp::Modulo, number, two);
    let even = b.compare(CompareOp::Equal, rest, zero);
    b.begin_if(even);
    b.push(StatementKind::Continue);
    b.end();
    let is_five = b.compare(CompareOp::Equal, i, five);
    let is_three = b.compare(CompareOp::Equal, number, three);
    let both = b.binary(BinaryOp::BitAnd, is_five, is_three);
    b.begin_if(both);
    b.push(StatementKind::Return);
    b.begin_else();
    let so_far = b.get(sum);
    let more = b.binary(BinaryOp::Add, so_far, number);
    b.set(sum, more);
    b.end();
    b.end();
    let total = b.get(sum);
    store_own(&mut b, a, total);
    assert_eq!(run_on(b, &[-1; 8], 8, None), [0, 1, 1, 4, 4, -1, 9, 16]);
}

#[test]
fn a_while_asks_before_every_turn() {
    // Collatz steps of the item's number plus one.
    let mut b = region(1);
    let a = ints(&mut b);
    let i = b.index(IndexFunction::GlobalId, 0);
    let n = b.variable("n", DType::Int64);
    let steps = b.variable("steps", DType::Int64);
    let [zero, one, two, three] = [0, 1, 2, 3].map(|number| b.int64(number));
    let first = b.binary(BinaryOp::Add, i, one);
    b.set(n, first);
    b.begin_while();
    let number = b.get(n);
    let more = b.compare(CompareOp::NotEqual, number, one);
    b.begin_while_body(more);
    let rest = b.binary(BinaryOp::Remainder, number, two);
    let even = b.compare(CompareOp::Equal, rest, zero);
    b.begin_if(even);
    let half = b.binary(BinaryOp::Quotient, number, two);
    b.set(n, half);
    b.begin_else();
    let triple = b.binary(BinaryOp::Multiply, number, three);
    let next = b.binary(BinaryOp::Add, triple, one);
    b.set(n, next);
    b.end();
    let so_far = b.get(steps);
    let more = b.binary(BinaryOp::Add, so_far, one);
    b.set(steps, more);
    b.end();
    let count = b.get(steps);
    store_own(&mut b, a, count);
    assert_eq!(run_on(b, &[0; 7], 7, None), [0, 1, 7, 2, 5, 8, 16]);
}

#[test]
fn items_of_a_group_meet_at_barriers_inside_loops() {
    // A tree sum in local memory: every turn halves the distance.
    let mut b = group();
    let a = ints(&mut b);
    let tile = ArrayRef::Storage(b.storage("tile", DType::Int64, &[8], StorageClass::Local));
    let local = b.index(IndexFunction::LocalId, 0);
    let size = b.index(IndexFunction::LocalSize, 0);
    let i = b.index(IndexFunction::GlobalId, 0);
    let distance = b.variable("distance", DType::Int64);
    let [zero, two] = [0, 2].map(|number| b.int64(number));
    let own = b.load(Place::new(a, [i]));
    b.store(Place::new(tile, [local]), own);
    b.set(distance, size);
    b.begin_while();
    let from = b.get(distance);
    let half = b.binary(BinaryOp::Quotient, from, two);
    let more = b.compare(CompareOp::Greater, half, zero);
    b.begin_while_body(more);
    b.set(distance, half);
    b.push(BARRIER);
    let near = b.compare(CompareOp::Less, local, half);
    b.begin_if(near);
    let other = b.binary(BinaryOp::Add, local, half);
    let mine = b.load(Place::new(tile, [local]));
    let theirs = b.load(Place::new(tile, [other]));
    let sum = b.binary(BinaryOp::Add, mine, theirs);
    b.store(Place::new(tile, [local]), sum);
    b.end();
    b.end();
    b.push(BARRIER);
    let total = b.load(Place::new(tile, [zero]));
    b.store(Place::new(a, [i]), total);
    let values: Vec<i64> = (1..=16).collect();
    let found = run_on(b, &values, 16, Some(8));
    assert_eq!(found, [[36; 8], [100; 8]].concat());
}

#[test]
fn a_group_reduction_is_of_the_group() {
    let mut b = group();
    let a = ints(&mut b);
    let i = b.index(IndexFunction::GlobalId, 0);
    let largest = b.group_reduce(ReductionOperator::Maximum, i);
    store_own(&mut b, a, largest);
    assert_eq!(run_on(b, &[0; 6], 6, Some(3)), [2, 2, 2, 5, 5, 5]);
}

#[test]
fn index_functions_tell_the_place_in_the_space() {
    let expected = [
        (IndexFunction::GlobalId, [0, 1, 2, 3, 4, 5]),
        (IndexFunction::GlobalSize, [6; 6]),
        (IndexFunction::LocalId, [0, 1, 2, 0, 1, 2]),
        (IndexFunction::LocalSize, [3; 6]),
        (IndexFunction::GroupId, [0, 0, 0, 1, 1, 1]),
        (IndexFunction::NumGroups, [2; 6]),
    ];
    for (function, values) in expected {
        let mut b = group();
        let a = ints(&mut b);
        let value = b.index(function, 0);
        store_own(&mut b, a, value);
        assert_eq!(run_on(b, &[0; 6], 6, Some(3)), values);
    }
}

#[test]
fn private_storage_is_the_items_own_and_local_storage_the_groups() {
    for (class, expected) in [
        (StorageClass::Private, [0, 1, 2, 3]),
        (StorageClass::Local, [1, 1, 3, 3]),
    ] {
        let mut b = group();
        let a = ints(&mut b);
        let storage = ArrayRef::Storage(b.storage("s", DType::Int64, &[2], class));
        let i = b.index(IndexFunction::GlobalId, 0);
        let one = b.int64(1);
        b.store(Place::new(storage, [one]), i);
        let held = b.load(Place::new(storage, [one]));
        store_own(&mut b, a, held);
        assert_eq!(run_on(b, &[0; 4], 4, Some(2)), expected);
    }
}

#[test]
fn reductions_combine_all_items_and_what_was_there() {
    let mut b = region(1);
    let a = ints(&mut b);
    let total = b.param(
        "total",
        ParamKind::Array {
            dtype: DType::Int64,
            rank: 0,
            layout: Layout::Contiguous,
        },
    );
    let sum = b.variable("sum", DType::Int64);
    b.kernel_mut().kind = KernelKind::Region {
        reductions: vec![Reduction {
            operator: ReductionOperator::Maximum,
            variable: sum,
            target: total,
        }],
    };
    let i = b.index(IndexFunction::GlobalId, 0);
    let limit = b.int64(3);
    let skip = b.compare(CompareOp::Less, i, limit);
    b.begin_if(skip);
    b.push(StatementKind::Return);
    b.end();
    let value = b.load(Place::new(a, [i]));
    b.set(sum, value);
    let kernel = b.finish();
    let with = |held: i64, items: usize| {
        let mut memory = memory(&[90, 80, 70, -3, -5, held]);
        let arguments = [
            Argument::Array(ArrayView::contiguous(DType::Int64, 0, &[5])),
            Argument::Array(ArrayView::contiguous(DType::Int64, 40, &[])),
        ];
        run(&kernel, &mut memory, &arguments, [items, 1, 1], None).expect("it runs");
        contents(&memory)[5]
    };
    assert_eq!(with(-100, 5), -3);
    assert_eq!(with(7, 5), 7);
    assert_eq!(with(-100, 3), -100);
    assert_eq!(with(-100, 0), -100);
}

#[test]
fn atomics_give_what_was_there_before() {
    let mut b = region(1);
    let a = ints(&mut b);
    let zero = b.int64(0);
    let two = b.int64(2);
    let before = b.atomic(AtomicOp::Add, Place::new(a, [zero]), two, None);
    let i = b.index(IndexFunction::GlobalId, 0);
    let one = b.int64(1);
    let next = b.binary(BinaryOp::Add, i, one);
    b.store(Place::new(a, [next]), before);
    assert_eq!(run_on(b, &[10, 0, 0, 0], 3, None), [16, 10, 12, 14]);
}

#[test]
fn a_compare_exchange_compares_bits() {
    let exchanged = |held: f64, expected: f64| {
        let mut b = region(1);
        let a = param(&mut b, DType::Float64, 0, Layout::Contiguous);
        let new = b.literal(Literal::Float(DType::Float64, 5.0));
        let expected = b.literal(Literal::Float(DType::Float64, expected));
        let place = Place::new(a, []);
        b.atomic(AtomicOp::CompareExchange, place, new, Some(expected));
        let mut memory = Memory {
            bytes: held.to_le_bytes().to_vec(),
        };
        let arguments = [Argument::Array(ArrayView::contiguous(
            DType::Float64,
            0,
            &[],
        ))];
        run(&b.finish(), &mut memory, &arguments, [1; 3], None).expect("it runs");
        Scalar::from_bytes(DType::Float64, &memory.bytes) == Scalar::Float64(5.0)
    };
    assert!(exchanged(f64::NAN, f64::NAN));
    assert!(!exchanged(0.0, -0.0));
    assert!(exchanged(2.5, 2.5));
}

#[test]
fn access_outside_an_array_names_everything() {
    let mut b = region(1);
    let a = ints(&mut b);
    let i = b.index(IndexFunction::GlobalId, 0);
    let site = Site {
        file: 1,
        span: Span::new(3, 8),
    };
    b.site = site;
    b.load(Place::new(a, [i]));
    let view = ArrayView::contiguous(DType::Int64, 0, &[2]);
    let arguments = [Argument::Array(view)];
    let kernel = b.finish();
    let error = run(&kernel, &mut memory(&[0; 9]), &arguments, [3, 1, 1], None);
    assert_eq!(
        error,
        Err(InterpretError::OutOfBounds {
            site,
            array: "a".into(),
            index: vec![2],
            shape: vec![2],
        })
    );
}

#[test]
fn an_endless_loop_ends_in_an_error() {
    let mut b = region(1);
    let yes = b.literal(Literal::Bool(true));
    b.begin_while();
    b.begin_while_body(yes);
    b.end();
    let kernel = b.finish();
    let options = Options {
        step_limit: 1000,
        ..Options::default()
    };
    let error = run_with(&kernel, &mut Memory::default(), &[], [1; 3], None, options);
    assert_eq!(error, Err(InterpretError::TooManySteps { limit: 1000 }));
}

#[test]
fn arguments_must_fit_their_parameters() {
    let mut b = region(1);
    param(&mut b, DType::Int32, 2, Layout::Contiguous);
    let kernel = b.finish();
    let why = |argument: Argument| {
        let mut memory = memory(&[0; 3]);
        match run(&kernel, &mut memory, &[argument], [1; 3], None) {
            Err(InterpretError::Argument { why, .. }) => why,
            other => panic!("{other:?} is about no argument"),
        }
    };
    let view = |offset, shape: &[i64], strides: &[i64]| {
        Argument::Array(ArrayView {
            offset,
            shape: shape.to_vec(),
            strides: strides.to_vec(),
        })
    };
    assert_eq!(why(Argument::Scalar(Scalar::int64(0))), "it is a scalar");
    assert_eq!(why(view(0, &[6], &[4])), "it has another rank");
    assert_eq!(why(view(0, &[2, 3], &[4, 8])), "it is not contiguous");
    assert_eq!(
        why(view(4, &[2, 3], &[12, 4])),
        "it reaches outside the memory"
    );
    assert_eq!(why(view(0, &[2, -3], &[12, 4])), "an extent is negative");
    let fine = view(0, &[2, 3], &[12, 4]);
    assert_eq!(
        run(&kernel, &mut memory(&[0; 3]), &[fine], [1; 3], None),
        Ok(())
    );
    let count = run(&kernel, &mut Memory::default(), &[], [1; 3], None);
    assert!(matches!(count, Err(InterpretError::ArgumentCount { .. })));
}

#[test]
fn the_index_space_must_fit_the_kernel() {
    let why = |b: KernelBuilder, global, local| match run(
        &b.finish(),
        &mut Memory::default(),
        &[],
        global,
        local,
    ) {
        Err(InterpretError::Geometry { why, .. }) => why,
        other => panic!("{other:?} is about no geometry"),
    };
    let groups = "nd-range kernels have groups, regions have none";
    assert_eq!(why(region(1), [1; 3], Some([1; 3])), groups);
    assert_eq!(why(group(), [1; 3], None), groups);
    assert_eq!(why(region(1), [4, 2, 1], None), "the kernel has fewer axes");
    assert_eq!(
        why(group(), [4, 1, 1], Some([3, 1, 1])),
        "the groups do not divide the whole"
    );
    assert_eq!(why(group(), [4, 1, 1], Some([0, 1, 1])), "a group is empty");
}

#[test]
fn an_invalid_kernel_is_not_run() {
    let mut b = region(1);
    b.push(BARRIER);
    let error = run(&b.finish(), &mut Memory::default(), &[], [1; 3], None);
    assert!(matches!(error, Err(InterpretError::Invalid { .. })));
}

#[test]
fn a_bitcast_keeps_the_bits() {
    let mut b = region(1);
    let a = ints(&mut b);
    let i = b.index(IndexFunction::GlobalId, 0);
    let held = b.load(Place::new(a, [i]));
    let float = b.bitcast(held, DType::Float64);
    let twice = b.binary(BinaryOp::Add, float, float);
    let bits = b.bitcast(twice, DType::UInt64);
    let bits = b.bitcast(bits, DType::Int64);
    b.store(Place::new(a, [i]), bits);
    let values = [1.0f64, -0.75, -0.0, 1e-310].map(|x| x.to_bits() as i64);
    let expected = [2.0f64, -1.5, -0.0, 2e-310].map(|x| x.to_bits() as i64);
    assert_eq!(run_on(b, &values, 4, None), expected);
}
