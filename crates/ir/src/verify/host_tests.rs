//! Each mistake in a host kernel is made once.

use super::tests::{messages, one};
use super::*;
use crate::{
    ArrayRef, CallResult, HOST_PARAMS, HostFunctionId, IndexFunction, KernelBuilder, Layout,
    LocalId, Place,
};

/// A builder with the parameters that all host kernels have.
fn host(kind: KernelKind) -> KernelBuilder {
    let mut b = KernelBuilder::new("k", 1, kind);
    for _ in 0..HOST_PARAMS {
        b.param("word", ParamKind::Scalar(DType::UInt64));
    }
    b
}

/// A function of an int32 that gives a float64.
fn function() -> KernelBuilder {
    let mut b = host(KernelKind::Host);
    b.param("n", ParamKind::Scalar(DType::Int32));
    let out = b.variable("out", DType::Float64);
    b.kernel_mut().kind = KernelKind::Function { results: vec![out] };
    b
}

#[test]
fn a_host_kernel_with_calls_arrays_and_functions_is_valid_and_core() {
    let mut b = host(KernelKind::Host);
    let a = b.local("a", DType::Complex64, 1, Layout::Strided);
    let x = b.variable("x", DType::Float64);
    let three = b.int64(3);
    let results = vec![CallResult::Local(a), CallResult::Variable(x)];
    b.call(0, &[three], results);
    b.extent(ArrayRef::Local(a), 0);
    let place = Place::new(ArrayRef::Local(a), [three]);
    b.load(Place {
        part: crate::Part::Imaginary,
        ..place
    });
    let n = b.convert(three, DType::Int32);
    b.call_function(HostFunctionId(0), &[n], &[x]);
    b.kernel_mut().functions.push(function().finish());
    assert_eq!(messages(verify_core(&b.finish())), [""; 0]);
}

#[test]
fn only_host_kernels_call_and_have_arrays_from_calls() {
    for kind in [
        KernelKind::NdRange,
        KernelKind::Region { reductions: vec![] },
    ] {
        let mut b = KernelBuilder::new("k", 1, kind.clone());
        b.call(0, &[], vec![]);
        one(&b.finish(), "calls nothing");
        let mut b = KernelBuilder::new("k", 1, kind.clone());
        b.local("a", DType::Int8, 1, Layout::Contiguous);
        one(&b.finish(), "no arrays from calls such as \"a\"");
        let mut b = KernelBuilder::new("k", 1, kind);
        b.kernel_mut().functions.push(function().finish());
        one(&b.finish(), "has no functions");
    }
}

#[test]
fn a_host_kernel_has_no_index_space_and_no_group() {
    let mut b = host(KernelKind::Host);
    b.kernel_mut().rank = 2;
    one(&b.finish(), "one item");
    let mut b = host(KernelKind::Host);
    b.kernel_mut().group = Some([1; 3]);
    one(&b.finish(), "one item");
    for function in [IndexFunction::GlobalId, IndexFunction::GlobalSize] {
        let mut b = host(KernelKind::Host);
        let value = b.fresh(DType::Int64);
        let op = Op::Index(function, 0);
        b.push(StatementKind::Let { value, op });
        one(&b.finish(), "a host kernel has no global_");
    }
    let mut b = host(KernelKind::Host);
    b.push(StatementKind::Barrier { global: true });
    one(&b.finish(), "a host kernel has no barriers");
    let mut b = host(KernelKind::Host);
    let value = b.int64(1);
    b.group_reduce(crate::ReductionOperator::Add, value);
    one(&b.finish(), "a host kernel has no group reductions");
    let mut b = host(KernelKind::Host);
    b.storage("s", DType::Int8, &[4], StorageClass::Local);
    one(&b.finish(), "a host kernel has no local storage");
}

#[test]
fn a_host_kernel_begins_with_a_callback_and_its_context() {
    one(
        &KernelBuilder::new("k", 1, KernelKind::Host).finish(),
        "a callback and its context",
    );
    let mut b = KernelBuilder::new("k", 1, KernelKind::Host);
    b.param("callback", ParamKind::Scalar(DType::UInt64));
    b.param("context", ParamKind::Scalar(DType::Int64));
    one(&b.finish(), "a callback and its context");
}

#[test]
fn arrays_have_up_to_64_axes() {
    for (rank, fine) in [(64, true), (65, false)] {
        let mut b = host(KernelKind::Host);
        b.local("a", DType::Int8, rank, Layout::Contiguous);
        let kernel = b.finish();
        if fine {
            assert_eq!(messages(verify(&kernel)), [""; 0]);
        } else {
            one(&kernel, "rank 65");
        }
    }
}

#[test]
fn what_a_call_names_exists_and_is_not_complex() {
    let mut b = host(KernelKind::Host);
    b.call(0, &[ValueId(9)], vec![]);
    one(&b.finish(), "there is no value v9");
    let mut b = host(KernelKind::Host);
    b.call(0, &[], vec![CallResult::Variable(VariableId(9))]);
    one(&b.finish(), "there is no variable x9");
    let mut b = host(KernelKind::Host);
    b.call(0, &[], vec![CallResult::Local(LocalId(9))]);
    one(&b.finish(), "there is no array a9");
    let mut b = host(KernelKind::Host);
    let z = b.variable("z", DType::Complex64);
    let value = b.get(z);
    b.call(0, &[value], vec![]);
    one(&b.finish(), "the argument v0 is complex64");
    let mut b = host(KernelKind::Host);
    let z = b.variable("z", DType::Complex64);
    b.call(0, &[], vec![CallResult::Variable(z)]);
    one(&b.finish(), "the result x0 is complex64");
    let mut b = host(KernelKind::Host);
    let a = b.local("a", DType::Int8, 1, Layout::Contiguous);
    let value = b.fresh(DType::Int8);
    let place = Place::new(ArrayRef::Local(a), []);
    b.push(StatementKind::Load { value, place });
    one(&b.finish(), "0 indices");
}

#[test]
fn a_function_stands_in_a_host_kernel_and_has_only_scalars() {
    one(&function().finish(), "part of a host kernel");
    let within = |function: KernelBuilder| {
        let mut b = host(KernelKind::Host);
        b.kernel_mut().functions.push(function.finish());
        b.finish()
    };
    let mut f = function();
    f.local("a", DType::Int8, 1, Layout::Contiguous);
    one(&within(f), "the array \"a\" of a function is not strided");
    let mut f = function();
    f.storage("s", DType::Int8, &[4], StorageClass::Private);
    one(&within(f), "no storage such as \"s\"");
    let mut f = function();
    f.param("z", ParamKind::Scalar(DType::Complex128));
    one(&within(f), "\"z\" is no real scalar");
    let mut f = function();
    let z = f.variable("z", DType::Complex128);
    f.kernel_mut().kind = KernelKind::Function { results: vec![z] };
    one(&within(f), "the result x1 is complex128");
    let mut f = function();
    f.kernel_mut().functions.push(function().finish());
    one(&within(f), "no functions of its own");
    let mut f = function();
    f.kernel_mut().fast_math = true;
    one(&within(f), "as fast as its kernel");
    one(
        &within(host(KernelKind::Host)),
        "not of the kind of functions",
    );
}

#[test]
fn a_call_of_a_function_fits_it() {
    let with = |make: &dyn Fn(&mut KernelBuilder, ValueId, VariableId, VariableId)| {
        let mut b = host(KernelKind::Host);
        let x = b.variable("x", DType::Float64);
        let k = b.variable("k", DType::Int64);
        let n = b.literal(crate::Literal::Int(DType::Int32, 1));
        make(&mut b, n, x, k);
        b.kernel_mut().functions.push(function().finish());
        b.finish()
    };
    let first = HostFunctionId(0);
    let fine = with(&|b, n, x, _| b.call_function(first, &[n], &[x]));
    assert_eq!(messages(verify(&fine)), [""; 0]);
    let none = with(&|b, n, x, _| b.call_function(HostFunctionId(1), &[n], &[x]));
    one(&none, "there is no function f1");
    one(
        &with(&|b, _, x, _| b.call_function(first, &[], &[x])),
        "0 arguments for 1 parameters",
    );
    one(
        &with(&|b, n, _, _| b.call_function(first, &[n], &[])),
        "0 variables for 1 results",
    );
    one(
        &with(&|b, n, _, k| b.call_function(first, &[n], &[k])),
        "x1 is int64, the result is float64",
    );
    let other = with(&|b, _, x, k| {
        let wide = b.get(k);
        b.call_function(first, &[wide], &[x]);
    });
    one(&other, "the argument v1 is int64, not int32");
}

#[test]
fn a_function_is_given_arrays_that_fit() {
    let with = |dtype: DType, rank: u8, count: usize| {
        let mut f = function();
        f.local("a", DType::Float32, 2, Layout::Strided);
        let mut b = host(KernelKind::Host);
        let x = b.variable("x", DType::Float64);
        let n = b.literal(crate::Literal::Int(DType::Int32, 1));
        let given = b.local("given", dtype, rank, Layout::Contiguous);
        b.call_function_on(HostFunctionId(0), &[n], &vec![given; count], &[x]);
        b.kernel_mut().functions.push(f.finish());
        b.finish()
    };
    assert_eq!(messages(verify(&with(DType::Float32, 2, 1))), [""; 0]);
    one(&with(DType::Float32, 2, 0), "0 arrays for 1 arrays");
    one(&with(DType::Float64, 2, 1), "is no array such as \"a\"");
    one(&with(DType::Float32, 1, 1), "is no array such as \"a\"");
}

#[test]
fn functions_are_core_too() {
    let mut f = function();
    let z = f.variable("z", DType::Complex64);
    f.get(z);
    let mut b = host(KernelKind::Host);
    b.kernel_mut().functions.push(f.finish());
    let kernel = b.finish();
    assert_eq!(messages(verify(&kernel)), [""; 0]);
    assert_eq!(verify_core(&kernel).len(), 2);
}
