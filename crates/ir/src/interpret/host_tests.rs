//! Host kernels: calls, what they give, functions, and what is refused.

use super::*;
use crate::{
    ArrayRef, BinaryOp, CallResult, CompareOp, HOST_PARAMS, HostFunctionId, KernelBuilder,
    KernelKind, Place, RECURSION_CALLEE, StatementKind,
};

fn host() -> KernelBuilder {
    let mut b = KernelBuilder::new("k", 1, KernelKind::Host);
    for _ in 0..HOST_PARAMS {
        b.param("word", ParamKind::Scalar(DType::UInt64));
    }
    b
}

fn words(count: usize) -> Vec<Argument> {
    vec![Argument::Scalar(Scalar::wrapped(DType::UInt64, 0)); count]
}

/// A status, the calls, and the memory afterwards.
type Outcome = (u64, Vec<(u32, Vec<u64>)>, Memory);

/// Runs a kernel without parameters of its own.
fn run_calls(
    kernel: &Kernel,
    bytes: usize,
    answer: impl Fn(u32, &[u64]) -> Result<Vec<u64>, u64>,
) -> Result<Outcome, InterpretError> {
    let mut memory = Memory {
        bytes: vec![0; bytes],
    };
    let mut calls = Vec::new();
    let status = run_host(
        kernel,
        &mut memory,
        &words(HOST_PARAMS),
        &mut |callee, words, _| {
            calls.push((callee, words.to_vec()));
            answer(callee, words)
        },
        Options::default(),
    )?;
    Ok((status, calls, memory))
}

#[test]
fn calls_pass_words_and_set_variables_and_arrays() {
    let mut b = host();
    let a = b.local("a", DType::Int32, 1, Layout::Strided);
    let n = b.variable("n", DType::Int16);
    let five = b.literal(crate::Literal::Int(DType::Int8, -5));
    let results = vec![CallResult::Variable(n), CallResult::Local(a)];
    b.call(0, &[five], results);
    let got = b.get(n);
    let index = b.int64(1);
    let wide = b.convert(got, DType::Int32);
    b.store(Place::new(ArrayRef::Local(a), [index]), wide);
    let extent = b.extent(ArrayRef::Local(a), 0);
    b.call(1, &[got, extent], vec![]);
    let (status, calls, memory) = run_calls(&b.finish(), 16, |callee, _| match callee {
        0 => Ok(vec![-7i64 as u64, 12, 2, -8i64 as u64]),
        _ => Ok(vec![]),
    })
    .unwrap();
    assert_eq!(status, 0);
    let expected = [(0, vec![-5i64 as u64]), (1, vec![-7i64 as u64, 2])];
    assert_eq!(calls, expected);
    assert_eq!(memory.bytes[4..8], (-7i32).to_le_bytes());
}

#[test]
fn an_echo_sets_variables_and_arrays_and_calls_nothing() {
    let mut b = host();
    let a = b.local("a", DType::Int32, 1, Layout::Strided);
    let (n, x) = (
        b.variable("n", DType::Int16),
        b.variable("x", DType::Float32),
    );
    let words = [-7, 4, 2, 4].map(|word| b.int64(word));
    let half = b.literal(crate::Literal::Float(DType::Float32, 0.5));
    let given = [words[0], half, words[1], words[2], words[3]];
    let results = [n, x].map(CallResult::Variable);
    b.echo(
        &given,
        results.into_iter().chain([CallResult::Local(a)]).collect(),
    );
    let got = b.get(n);
    let wide = b.convert(got, DType::Int32);
    let index = b.int64(1);
    b.store(Place::new(ArrayRef::Local(a), [index]), wide);
    let got = b.get(x);
    b.call(1, &[got], vec![]);
    let (_, calls, memory) = run_calls(&b.finish(), 16, |_, _| Ok(vec![])).unwrap();
    assert_eq!(calls, [(1, vec![u64::from(0.5f32.to_bits())])]);
    assert_eq!(memory.bytes[8..12], (-7i32).to_le_bytes());
}

#[test]
fn a_status_ends_the_kernel() {
    let mut b = host();
    let i = b.variable("i", DType::Int64);
    let (zero, one, ten) = (b.int64(0), b.int64(1), b.int64(10));
    b.begin_for(i, zero, ten, one);
    let now = b.get(i);
    b.call(0, &[now], vec![]);
    b.end();
    b.call(1, &[], vec![]);
    let (status, calls, _) = run_calls(&b.finish(), 0, |_, words| match words {
        [2] => Err(77),
        _ => Ok(vec![]),
    })
    .unwrap();
    assert_eq!((status, calls.len()), (77, 3));
}

#[test]
fn wrong_results_and_arrays_that_are_not_there_are_found() {
    let mut b = host();
    let a = b.local("a", DType::Int64, 1, Layout::Contiguous);
    b.call(0, &[], vec![CallResult::Local(a)]);
    let kernel = b.finish();
    for (words, part) in [
        (vec![], "too few"),
        (vec![0, 1], "too few"),
        (vec![0, 1, 8, 9], "too many"),
        (vec![0, u64::MAX, 8], "negative"),
        (vec![0, 2, 16], "not contiguous"),
        (vec![0, 3, 8], "outside the memory"),
    ] {
        let error = run_calls(&kernel, 16, |_, _| Ok(words.clone())).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    }
    for rank in [0u8, 1] {
        let mut b = host();
        let a = b.local("a", DType::Int64, rank, Layout::Contiguous);
        let zero = b.int64(0);
        let indices = vec![zero; usize::from(rank)];
        b.load(Place::new(ArrayRef::Local(a), indices));
        let error = run_calls(&b.finish(), 16, |_, _| Ok(vec![])).unwrap_err();
        assert!(
            matches!(error, InterpretError::OutOfBounds { .. }),
            "{error}"
        );
    }
}

#[test]
fn functions_have_variables_of_their_own() {
    // factorial(n): n if n < 2 else n * factorial(n - 1)
    let mut f = host();
    let n = f.param("n", ParamKind::Scalar(DType::Int64));
    let out = f.variable("out", DType::Int64);
    f.kernel_mut().kind = KernelKind::Function { results: vec![out] };
    let (n, one, two) = (f.scalar(n), f.int64(1), f.int64(2));
    let small = f.compare(CompareOp::Less, n, two);
    f.begin_if(small);
    f.set(out, n);
    f.push(StatementKind::Return);
    f.end();
    let before = f.binary(BinaryOp::Subtract, n, one);
    f.call_function(HostFunctionId(0), &[before], &[out]);
    let rest = f.get(out);
    let product = f.binary(BinaryOp::Multiply, n, rest);
    f.set(out, product);
    let mut b = host();
    let x = b.variable("x", DType::Int64);
    for n in [5, 1, 10, 1000] {
        let n = b.int64(n);
        b.call_function(HostFunctionId(0), &[n], &[x]);
        let got = b.get(x);
        b.call(0, &[got], vec![]);
    }
    b.kernel_mut().functions.push(f.finish());
    let (status, calls, _) = run_calls(&b.finish(), 0, |callee, _| match callee {
        RECURSION_CALLEE => Err(3),
        _ => Ok(vec![]),
    })
    .unwrap();
    let expected = [
        (0, vec![120]),
        (0, vec![1]),
        (0, vec![3628800]),
        (RECURSION_CALLEE, vec![]),
    ];
    assert_eq!((status, calls), (3, expected.to_vec()));
}

#[test]
fn each_kind_of_kernel_is_run_in_its_own_way() {
    let kernel = host().finish();
    let error = run(&kernel, &mut Memory::default(), &words(2), [1; 3], None).unwrap_err();
    assert!(matches!(error, InterpretError::Geometry { .. }));
    let region = KernelBuilder::new("k", 1, KernelKind::Region { reductions: vec![] }).finish();
    let mut callback = |_: u32, _: &[u64], _: &mut Memory| Ok(vec![]);
    let options = Options::default();
    let error = run_host(&region, &mut Memory::default(), &[], &mut callback, options).unwrap_err();
    assert!(matches!(error, InterpretError::Geometry { .. }));
}
