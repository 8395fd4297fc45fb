//! Regions in parts and in rows against the same regions item by item.

use colocate_ir::in_parts::{InParts, in_parts, in_rows};
use colocate_ir::interpret::{Argument, ArrayView, Memory, Scalar, run};
use colocate_ir::{
    ArrayRef, AtomicOp, BinaryOp, CompareOp, DType, IndexFunction, Kernel, KernelBuilder,
    KernelKind, Layout, ParamKind, Place, Reduction, ReductionOperator, StatementKind, VariableId,
    verify,
};
use proptest::prelude::*;

const BINS: usize = 5;

fn int64(rank: u8, layout: Layout) -> ParamKind {
    ParamKind::Array {
        dtype: DType::Int64,
        rank,
        layout,
    }
}

/// `if values[i] < 0: continue`, a failure for too large ones, `counts[values[i]] op= values[i]`, and
/// `total += 1`.
fn counting(op: AtomicOp) -> (Kernel, VariableId) {
    let kind = KernelKind::Region {
        reductions: Vec::new(),
    };
    let mut b = KernelBuilder::new("counting", 1, kind);
    let values = b.param("values", int64(1, Layout::Contiguous));
    let counts = b.param("counts", int64(1, Layout::Strided));
    let total = b.variable("total", DType::Int64);
    let failure = b.variable("failed", DType::Int64);
    let sum = b.param("sum", int64(0, Layout::Contiguous));
    let failed = b.param("failure", int64(0, Layout::Contiguous));
    let item = b.index(IndexFunction::GlobalId, 0);
    let value = b.load(Place::new(ArrayRef::Param(values), [item]));
    let zero = b.int64(0);
    let negative = b.compare(CompareOp::Less, value, zero);
    b.begin_if(negative);
    b.push(StatementKind::Return);
    b.end();
    let extent = b.extent(ArrayRef::Param(counts), 0);
    let outside = b.compare(CompareOp::GreaterEqual, value, extent);
    b.begin_if(outside);
    b.set(failure, item);
    b.push(StatementKind::Return);
    b.end();
    b.atomic(
        op,
        Place::new(ArrayRef::Param(counts), [value]),
        value,
        None,
    );
    let before = b.get(total);
    let one = b.int64(1);
    let after = b.binary(BinaryOp::Add, before, one);
    b.set(total, after);
    b.kernel_mut().kind = KernelKind::Region {
        reductions: vec![
            Reduction {
                operator: ReductionOperator::Add,
                variable: total,
                target: sum,
            },
            Reduction {
                operator: ReductionOperator::Minimum,
                variable: failure,
                target: failed,
            },
        ],
    };
    let kernel = b.finish();
    assert_eq!(verify(&kernel), vec![]);
    (kernel, failure)
}

/// Values, counts, total and failure as memory, and where each is.
fn memory(values: &[i64], copies: usize) -> (Memory, [usize; 5]) {
    let mut numbers: Vec<i64> = values.to_vec();
    let counts = numbers.len();
    numbers.extend((0..BINS as i64).map(|bin| 100 * bin));
    let total = numbers.len();
    numbers.extend([0, i64::MAX]);
    let private = numbers.len();
    numbers.extend(vec![0; copies * BINS]);
    let bytes = numbers.iter().flat_map(|one| one.to_le_bytes()).collect();
    let places = [0, counts, total, total + 1, private].map(|place| 8 * place);
    (Memory { bytes }, places)
}

fn read(memory: &Memory, place: usize, count: usize) -> Vec<i64> {
    let bytes = memory.bytes[place..place + 8 * count].chunks_exact(8);
    bytes
        .map(|one| i64::from_le_bytes(one.try_into().expect("eight")))
        .collect()
}

fn cell(place: usize) -> Argument {
    Argument::Array(ArrayView::contiguous(DType::Int64, place, &[]))
}

fn item_by_item(kernel: &Kernel, values: &[i64]) -> (Vec<i64>, i64, i64) {
    let (mut all, [first, counts, total, failed, _]) = memory(values, 0);
    let array = |place, extent| {
        Argument::Array(ArrayView::contiguous(DType::Int64, place, &[extent as i64]))
    };
    let arguments = [
        array(first, values.len()),
        array(counts, BINS),
        cell(total),
        cell(failed),
    ];
    run(kernel, &mut all, &arguments, [values.len(), 1, 1], None).expect("it runs");
    let one = |place| read(&all, place, 1)[0];
    (read(&all, counts, BINS), one(total), one(failed))
}

fn by_parts(plan: &InParts, values: &[i64], parts: usize) -> (Vec<i64>, i64, i64) {
    let (mut all, [first, counts, total, failed, private]) = memory(values, parts);
    let array =
        |place, shape: &[i64]| Argument::Array(ArrayView::contiguous(DType::Int64, place, shape));
    let arguments = [
        array(first, &[values.len() as i64]),
        array(private, &[parts as i64, BINS as i64]),
        cell(total),
        cell(failed),
        Argument::Scalar(Scalar::Int(DType::Int64, values.len() as i128)),
    ];
    run(&plan.kernel, &mut all, &arguments, [parts, 1, 1], None).expect("it runs");
    let mut result = read(&all, counts, BINS);
    let [(_, op)] = plan.private[..] else {
        panic!("one array is private");
    };
    for (place, copy) in read(&all, private, parts * BINS).into_iter().enumerate() {
        let one = &mut result[place % BINS];
        *one = match op {
            AtomicOp::Add => *one + copy,
            AtomicOp::BitOr => *one | copy,
            _ => *one ^ copy,
        };
    }
    let one = |place| read(&all, place, 1)[0];
    (result, one(total), one(failed))
}

proptest! {
    #[test]
    fn parts_give_the_same(
        values in prop::collection::vec(-2..BINS as i64, 0..40),
        parts in 1usize..7,
    ) {
        for op in [AtomicOp::Add, AtomicOp::Subtract, AtomicOp::BitOr, AtomicOp::BitXor] {
            let (kernel, failure) = counting(op);
            let plan = in_parts(&kernel, Some(failure)).expect("it can be cut");
            prop_assert_eq!(verify(&plan.kernel), vec![]);
            prop_assert_eq!(by_parts(&plan, &values, parts), item_by_item(&kernel, &values));
        }
    }

    #[test]
    fn the_first_failure_counts(
        values in prop::collection::vec(-2..BINS as i64 + 2, 1..40),
        parts in 1usize..7,
    ) {
        let (kernel, failure) = counting(AtomicOp::Add);
        let plan = in_parts(&kernel, Some(failure)).expect("it can be cut");
        prop_assert_eq!(by_parts(&plan, &values, parts).2, item_by_item(&kernel, &values).2);
    }
}

#[test]
fn a_turn_that_ends_early_is_no_failure() {
    let (kernel, _) = counting(AtomicOp::Add);
    // Not known to be one, the failure's return ends only its turn.
    let plan = in_parts(&kernel, None).expect("it can be cut");
    let (counts, total, failed) = by_parts(&plan, &[1, 9, 1, 9, 2], 1);
    assert_eq!((counts[1], counts[2], total, failed), (102, 202, 3, 3));
}

#[test]
fn arrays_that_are_looked_at_stay_common() {
    let (kernel, failure) = counting(AtomicOp::Maximum);
    assert!(in_parts(&kernel, Some(failure)).is_none());
    let kind = KernelKind::Region {
        reductions: Vec::new(),
    };
    let mut b = KernelBuilder::new("read", 1, kind);
    let counts = b.param("counts", int64(1, Layout::Contiguous));
    let item = b.index(IndexFunction::GlobalId, 0);
    let place = Place::new(ArrayRef::Param(counts), [item]);
    let value = b.load(place.clone());
    b.atomic(AtomicOp::Add, place, value, None);
    assert!(in_parts(&b.finish(), None).is_none());
}

/// `if x[i, j] < 0: continue`, `y[i, j] = x[i, j] + columns + j`, `total += 1`; where both are one array,
/// each turn sees what the one before has written: `x` begins one element earlier.
fn along_rows() -> Kernel {
    let kind = KernelKind::Region {
        reductions: Vec::new(),
    };
    let mut b = KernelBuilder::new("rows", 2, kind);
    let x = b.param("x", int64(2, Layout::Strided));
    let y = b.param("y", int64(2, Layout::Strided));
    let total = b.variable("total", DType::Int64);
    let sum = b.param("sum", int64(0, Layout::Contiguous));
    let [i, j] = [0, 1].map(|axis| b.index(IndexFunction::GlobalId, axis));
    let columns = b.index(IndexFunction::GlobalSize, 1);
    let value = b.load(Place::new(ArrayRef::Param(x), [i, j]));
    let zero = b.int64(0);
    let negative = b.compare(CompareOp::Less, value, zero);
    b.begin_if(negative);
    b.push(StatementKind::Return);
    b.end();
    let more = b.binary(BinaryOp::Add, value, columns);
    let result = b.binary(BinaryOp::Add, more, j);
    b.store(Place::new(ArrayRef::Param(y), [i, j]), result);
    let before = b.get(total);
    let one = b.int64(1);
    let after = b.binary(BinaryOp::Add, before, one);
    b.set(total, after);
    b.kernel_mut().kind = KernelKind::Region {
        reductions: vec![Reduction {
            operator: ReductionOperator::Add,
            variable: total,
            target: sum,
        }],
    };
    b.finish()
}

proptest! {
    #[test]
    fn rows_are_gone_along_in_order(
        rows in 1usize..5,
        columns in 1usize..8,
        values in prop::collection::vec(-3i64..20, 64),
    ) {
        let row = columns + 1;
        let mut expected = values[..rows * row].to_vec();
        let mut count = 0;
        for i in 0..rows {
            for j in 0..columns {
                let before = expected[i * row + j];
                if before >= 0 {
                    expected[i * row + j + 1] = before + (columns + j) as i64;
                    count += 1;
                }
            }
        }
        let kernel = in_rows(&along_rows(), None).expect("it can be");
        prop_assert_eq!(verify(&kernel), vec![]);
        let mut numbers = values[..rows * row].to_vec();
        numbers.push(0);
        let bytes = numbers.iter().flat_map(|one| one.to_le_bytes()).collect();
        let mut memory = Memory { bytes };
        let view = |offset| Argument::Array(ArrayView {
            offset,
            shape: vec![rows as i64, columns as i64],
            strides: vec![8 * row as i64, 8],
        });
        let arguments = [
            view(0),
            view(8),
            cell(8 * rows * row),
            Argument::Scalar(Scalar::Int(DType::Int64, columns as i128)),
        ];
        run(&kernel, &mut memory, &arguments, [rows, 1, 1], None).expect("it runs");
        prop_assert_eq!(read(&memory, 0, rows * row), expected);
        prop_assert_eq!(read(&memory, 8 * rows * row, 1), vec![count]);
    }
}
