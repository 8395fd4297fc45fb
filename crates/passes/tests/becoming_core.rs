//! Every operation of every dtype becomes core, and no pass breaks what another relies on.

use colocate_dtype::{DType, Kind};
use colocate_ir::{
    ArrayRef, BinaryOp, CompareOp, HOST_PARAMS, HostFunctionId, IndexFunction, Kernel,
    KernelBuilder, KernelKind, Layout, Literal, MathFunction, Op, ParamKind, Part, Place,
    ReductionOperator, StorageClass, UnaryOp, ValueId, verify, verify_core,
};
use colocate_passes::{PASSES, insert_bounds_checks, to_core};

/// Stores a value of any dtype into an array of that dtype.
fn keep(b: &mut KernelBuilder, value: ValueId) {
    let kind = ParamKind::Array {
        dtype: b.dtype(value),
        rank: 1,
        layout: Layout::Strided,
    };
    let name = format!("out{}", b.kernel().params.len());
    let out = b.param(&name, kind);
    let i = b.index(IndexFunction::GlobalId, 0);
    b.store(Place::new(ArrayRef::Param(out), [i]), value);
}

/// A kernel that does with a dtype whatever can be done with it.
fn everything_with(dtype: DType) -> Kernel {
    let mut b = KernelBuilder::new("everything", 2, KernelKind::NdRange);
    let kind = ParamKind::Array {
        dtype,
        rank: 2,
        layout: Layout::Contiguous,
    };
    let array = ArrayRef::Param(b.param("a", kind));
    let scalar = b.param("s", ParamKind::Scalar(dtype));
    let [local, private] = [StorageClass::Local, StorageClass::Private]
        .map(|class| ArrayRef::Storage(b.storage("t", dtype, &[4], class)));
    let variable = b.variable("x", dtype);
    let i = b.index(IndexFunction::GlobalId, 0);
    let x = b.load(Place::new(array, [i, i]));
    let y = b.scalar(scalar);
    let constant = b.literal(Literal::small(dtype, 3));
    for place in [local, private] {
        b.store(Place::new(place, [i]), x);
        let again = b.load(Place::new(place, [i]));
        keep(&mut b, again);
    }
    b.set(variable, y);
    let got = b.get(variable);
    keep(&mut b, got);
    for &op in UnaryOp::ALL {
        if op.result(dtype).is_some() {
            let value = b.unary(op, x);
            keep(&mut b, value);
        }
    }
    for &op in BinaryOp::ALL {
        if op.takes(dtype) {
            for (left, right) in [(x, y), (x, constant), (constant, x)] {
                let value = b.binary(op, left, right);
                keep(&mut b, value);
            }
        }
    }
    for &op in CompareOp::ALL {
        let equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
        if dtype.kind() != Kind::Complex || equality {
            let value = b.compare(op, x, y);
            let choice = b.select(value, x, y);
            keep(&mut b, value);
            keep(&mut b, choice);
        }
    }
    for to in DType::ALL {
        let value = b.convert(x, to);
        keep(&mut b, value);
    }
    if dtype.kind() == Kind::Float {
        for &function in MathFunction::ALL {
            let value = b.math(function, &[x, y, x][..function.arity()]);
            keep(&mut b, value);
        }
        if dtype != DType::Float16 {
            let value = b.op(Op::Complex(x, y));
            keep(&mut b, value);
        }
    }
    if dtype.kind() == Kind::Complex {
        let half = b.op(Op::Param(scalar, Part::Imaginary));
        keep(&mut b, half);
    }
    for &operator in ReductionOperator::ALL {
        if operator.takes(dtype) {
            let value = b.group_reduce(operator, x);
            keep(&mut b, value);
        }
    }
    b.finish()
}

#[track_caller]
fn becomes_core(kernel: Kernel) {
    assert_eq!(verify(&kernel), []);
    let mut now = kernel.clone();
    for (name, run) in PASSES {
        now = run(now);
        assert_eq!(verify(&now), [], "after {name}");
    }
    assert_eq!(verify_core(&now), []);
    assert_eq!(to_core(kernel).to_string(), now.to_string());
}

#[test]
fn every_operation_of_every_dtype_becomes_core() {
    for dtype in DType::ALL {
        becomes_core(everything_with(dtype));
    }
}

#[test]
fn a_checked_kernel_becomes_core() {
    for dtype in DType::ALL {
        becomes_core(insert_bounds_checks::run(everything_with(dtype)).kernel);
    }
}

#[test]
fn a_core_kernel_stays_as_it_is() {
    for dtype in DType::ALL {
        let core = to_core(everything_with(dtype));
        assert_eq!(to_core(core.clone()).to_string(), core.to_string());
    }
}

#[test]
fn functions_of_a_host_kernel_become_core_too() {
    let host = |name: &str| {
        let mut b = KernelBuilder::new(name, 1, KernelKind::Host);
        for _ in 0..HOST_PARAMS {
            b.param("word", ParamKind::Scalar(DType::UInt64));
        }
        b
    };
    let mut f = host("modulo");
    let x = f.param("x", ParamKind::Scalar(DType::Float16));
    let out = f.variable("out", DType::Float16);
    f.kernel_mut().kind = KernelKind::Function { results: vec![out] };
    let x = f.scalar(x);
    let rest = f.binary(BinaryOp::Modulo, x, x);
    f.set(out, rest);
    let mut b = host("caller");
    let x = b.variable("x", DType::Float16);
    let value = b.get(x);
    b.call_function(HostFunctionId(0), &[value], &[x]);
    b.kernel_mut().functions.push(f.finish());
    let kernel = b.finish();
    assert_eq!(verify(&kernel), []);
    assert!(!verify_core(&kernel).is_empty());
    assert_eq!(verify_core(&to_core(kernel)), []);
}
