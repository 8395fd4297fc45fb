//! Regions and loops without the checks that can be decided before.

use colocate_ir::loop_versions::version_loops;
use colocate_ir::range_checks::without_checks;
use colocate_ir::{
    ArrayRef, BinaryOp, CallResult, CompareOp, DType, IndexFunction, Kernel, KernelBuilder,
    KernelKind, Layout, ParamId, ParamKind, Place, Reduction, ReductionOperator, StatementKind,
    ValueId, VariableId, verify, walk,
};

fn array() -> ParamKind {
    ParamKind::Array {
        dtype: DType::Float64,
        rank: 1,
        layout: Layout::Contiguous,
    }
}

/// `if unsigned(at) >= unsigned(extent) { failure = 1; return }`, with negative indices counted from
/// the end.
fn checked(b: &mut KernelBuilder, index: ValueId, array: ParamId, failure: VariableId) -> ValueId {
    let extent = b.extent(ArrayRef::Param(array), 0);
    let zero = b.int64(0);
    let negative = b.compare(CompareOp::Less, index, zero);
    let wrapped = b.binary(BinaryOp::Add, index, extent);
    let at = b.select(negative, wrapped, index);
    let low = b.convert(at, DType::UInt64);
    let high = b.convert(extent, DType::UInt64);
    let outside = b.compare(CompareOp::GreaterEqual, low, high);
    b.begin_if(outside);
    let one = b.int64(1);
    b.set(failure, one);
    b.push(StatementKind::Return);
    b.end();
    at
}

fn returns(kernel: &Kernel) -> usize {
    let mut found = 0;
    walk(&kernel.body, &mut |statement| {
        found += usize::from(statement.kind == StatementKind::Return);
    });
    found
}

/// A region over two arrays, with a failure.
fn region(body: impl FnOnce(&mut KernelBuilder, ParamId, ParamId, VariableId)) -> Kernel {
    let kind = KernelKind::Region {
        reductions: Vec::new(),
    };
    let mut b = KernelBuilder::new("region", 1, kind);
    let (x, y) = (b.param("x", array()), b.param("y", array()));
    let failure = b.variable("failure", DType::Int64);
    let cell = ParamKind::Array {
        dtype: DType::Int64,
        rank: 0,
        layout: Layout::Contiguous,
    };
    let target = b.param("failed", cell);
    body(&mut b, x, y, failure);
    b.kernel_mut().kind = KernelKind::Region {
        reductions: vec![Reduction {
            operator: ReductionOperator::Minimum,
            variable: failure,
            target,
        }],
    };
    let kernel = b.finish();
    assert_eq!(verify(&kernel), vec![]);
    kernel
}

fn holds(kernel: &Kernel, items: usize, x: i64, y: i64) -> bool {
    let (fast, checks) = without_checks(kernel).expect("there are checks");
    assert_eq!(verify(&fast), vec![]);
    assert_eq!(returns(&fast), 0);
    let extent = |param: ParamId, _| [x, y][param.index()];
    checks.hold([items, 1, 1], &|_| 0, &extent)
}

#[test]
fn an_index_of_the_item_is_decided_by_the_size_of_the_launch() {
    let kernel = region(|b, x, y, failure| {
        let item = b.index(IndexFunction::GlobalId, 0);
        let at = checked(b, item, y, failure);
        let value = b.load(Place::new(ArrayRef::Param(y), [at]));
        b.store(Place::new(ArrayRef::Param(x), [item]), value);
    });
    assert!(holds(&kernel, 10, 10, 10));
    assert!(holds(&kernel, 10, 10, 11));
    assert!(!holds(&kernel, 10, 10, 9));
    let (fast, _) = without_checks(&kernel).expect("there are checks");
    assert!(fast.reductions().is_empty(), "nothing fails any more");
}

#[test]
fn a_condition_narrows_what_it_speaks_of_and_nothing_else() {
    // for j in range(n): for k in range(n): if j > 0: y[j - 1], or y[k - 1]
    let kernel = |other: bool| {
        region(|b, x, y, failure| {
            let (j, k) = (b.variable("j", DType::Int64), b.variable("k", DType::Int64));
            let (zero, one) = (b.int64(0), b.int64(1));
            let stop = b.extent(ArrayRef::Param(x), 0);
            b.begin_for(j, zero, stop, one);
            b.begin_for(k, zero, stop, one);
            let at_j = b.get(j);
            let positive = b.compare(CompareOp::Greater, at_j, zero);
            b.begin_if(positive);
            let base = b.get(if other { k } else { j });
            let before = b.binary(BinaryOp::Subtract, base, one);
            let at = checked(b, before, y, failure);
            b.load(Place::new(ArrayRef::Param(y), [at]));
            b.end();
            b.end();
            b.end();
        })
    };
    assert!(holds(&kernel(false), 1, 10, 9));
    assert!(!holds(&kernel(false), 1, 10, 8));
    assert!(!holds(&kernel(true), 1, 10, 10), "k - 1 may be -1");
}

#[test]
fn what_is_loaded_stays_checked() {
    let kernel = region(|b, x, y, failure| {
        let item = b.index(IndexFunction::GlobalId, 0);
        let loaded = b.load(Place::new(ArrayRef::Param(x), [item]));
        let index = b.convert(loaded, DType::Int64);
        let at = checked(b, index, y, failure);
        b.load(Place::new(ArrayRef::Param(y), [at]));
    });
    assert!(without_checks(&kernel).is_none());
}

#[test]
fn a_variable_that_a_loop_carries_is_not_known() {
    let kernel = region(|b, x, y, failure| {
        let (i, total) = (b.variable("i", DType::Int64), b.variable("t", DType::Int64));
        let (zero, one) = (b.int64(0), b.int64(1));
        b.set(total, zero);
        let stop = b.extent(ArrayRef::Param(x), 0);
        b.begin_for(i, zero, stop, one);
        let now = b.get(total);
        let at = checked(b, now, y, failure);
        b.load(Place::new(ArrayRef::Param(y), [at]));
        let more = b.binary(BinaryOp::Add, now, one);
        b.set(total, more);
        b.end();
    });
    assert!(without_checks(&kernel).is_none());
}

#[test]
fn loops_of_the_host_get_two_versions() {
    let mut b = KernelBuilder::new("host", 1, KernelKind::Host);
    b.param("callback", ParamKind::Scalar(DType::UInt64));
    b.param("context", ParamKind::Scalar(DType::UInt64));
    let array = b.local("a", DType::Float64, 1, Layout::Contiguous);
    let n = b.param("n", ParamKind::Scalar(DType::Int64));
    b.call(0, &[], vec![CallResult::Local(array)]);
    let (zero, one) = (b.int64(0), b.int64(1));
    let stop = b.scalar(n);
    let i = b.variable("i", DType::Int64);
    b.begin_for(i, zero, stop, one);
    let at = b.get(i);
    let extent = b.extent(ArrayRef::Local(array), 0);
    let low = b.convert(at, DType::UInt64);
    let high = b.convert(extent, DType::UInt64);
    let outside = b.compare(CompareOp::GreaterEqual, low, high);
    b.begin_if(outside);
    b.call(1, &[at], Vec::new());
    b.push(StatementKind::Return);
    b.end();
    let value = b.load(Place::new(ArrayRef::Local(array), [at]));
    b.store(Place::new(ArrayRef::Local(array), [at]), value);
    b.end();
    let mut kernel = b.finish();
    assert_eq!(verify(&kernel), vec![]);
    version_loops(&mut kernel);
    assert_eq!(verify(&kernel), vec![]);
    let mut loops = 0;
    walk(&kernel.body, &mut |statement| {
        loops += usize::from(matches!(statement.kind, StatementKind::For { .. }));
    });
    assert_eq!((loops, returns(&kernel)), (2, 1));
}
