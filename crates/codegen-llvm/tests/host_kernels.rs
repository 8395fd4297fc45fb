//! Host kernels as machine code do what they do in the interpreter.

mod machine;

use colocate_codegen_llvm::{Options, Target, llvm_text};
use colocate_ir::interpret::Memory;
use colocate_ir::{
    ArrayRef, BinaryOp, CallResult, CompareOp, DType, HostFunctionId, KernelBuilder, KernelKind,
    Layout, Literal, LocalId, MathFunction, ParamKind, Place, RECURSION_CALLEE, StatementKind,
    StorageClass, UnaryOp, ValueId,
};
use colocate_passes::to_core;
use machine::{Compiled, both, host};

/// A callback for kernels whose calls give nothing back.
fn nothing(_: u32, _: &[u64], _: &mut Memory) -> Result<Vec<u64>, u64> {
    Ok(vec![])
}

fn at(local: LocalId, indices: &[ValueId]) -> Place {
    Place::new(ArrayRef::Local(local), indices.iter().copied())
}

#[test]
fn arguments_are_words_as_their_dtypes_say() {
    let mut b = host("words");
    let values = [
        b.literal(Literal::Bool(true)),
        b.literal(Literal::Int(DType::Int8, -1)),
        b.literal(Literal::Int(DType::Int32, -5)),
        b.literal(Literal::Int(DType::UInt8, 255)),
        b.literal(Literal::Int(DType::UInt32, 1 << 31)),
        b.literal(Literal::Int(DType::UInt64, i128::from(u64::MAX))),
        b.literal(Literal::Float(DType::Float16, -1.5)),
        b.literal(Literal::Float(DType::Float32, -1.0)),
        b.literal(Literal::Float(DType::Float64, -0.0)),
    ];
    b.call(7, &values, vec![]);
    let (calls, status, _) = both(&b.finish(), 0, &[], nothing);
    let expected = vec![
        1,
        u64::MAX,
        -5i64 as u64,
        255,
        1 << 31,
        u64::MAX,
        0xbe00,
        u64::from((-1.0f32).to_bits()),
        (-0.0f64).to_bits(),
    ];
    assert_eq!(calls, [(7, expected)]);
    assert_eq!(status, 0);
}

#[test]
fn an_echo_makes_variables_and_arrays_of_words() {
    let mut b = host("echo");
    let a = b.local("a", DType::Float32, 1, Layout::Contiguous);
    let dtypes = [DType::Bool, DType::Int8, DType::UInt16, DType::Float64];
    let variables = dtypes.map(|dtype| b.variable("v", dtype));
    let words = [1, -3, 65535, 4, 0, 2, 4].map(|word| b.int64(word));
    let mut results = variables.map(CallResult::Variable).to_vec();
    results.push(CallResult::Local(a));
    b.echo(&words, results);
    let got = variables.map(|variable| b.get(variable));
    let extent = b.extent(ArrayRef::Local(a), 0);
    b.call(5, &[&got[..], &[extent]].concat(), vec![]);
    let (calls, status, _) = both(&b.finish(), 8, &[], nothing);
    assert_eq!(calls, [(5, vec![1, -3i64 as u64, 65535, 4, 2])]);
    assert_eq!(status, 0);
}

#[test]
fn results_are_taken_as_the_variables_dtypes_say() {
    let dtypes = [
        DType::Bool,
        DType::Int8,
        DType::UInt16,
        DType::Int32,
        DType::UInt64,
        DType::Float16,
        DType::Float32,
        DType::Float64,
    ];
    let words = [
        1,
        -3i64 as u64,
        65535,
        -70000i64 as u64,
        u64::MAX,
        0x3e00,
        u64::from(2.5f32.to_bits()),
        1e300f64.to_bits(),
    ];
    let mut b = host("results");
    let variables = dtypes.map(|dtype| b.variable("x", dtype));
    let results = variables.map(CallResult::Variable).to_vec();
    b.call(0, &[], results);
    let got: Vec<ValueId> = variables.map(|variable| b.get(variable)).to_vec();
    b.call(1, &got, vec![]);
    let (calls, _, _) = both(&b.finish(), 0, &[], |callee, _, _| match callee {
        0 => Ok(words.to_vec()),
        _ => Ok(vec![]),
    });
    assert_eq!(calls[1], (1, words.to_vec()));
}

#[test]
fn scalar_parameters_come_after_the_callback_and_its_context() {
    let mut b = host("parameters");
    let n = b.param("n", ParamKind::Scalar(DType::Int32));
    let x = b.param("x", ParamKind::Scalar(DType::Float32));
    let (n, x) = (b.scalar(n), b.scalar(x));
    b.call(0, &[x, n], vec![]);
    let bits = u64::from(1.25f32.to_bits());
    let scalars = [(DType::Int32, -9i32 as u32 as u64), (DType::Float32, bits)];
    let (calls, _, _) = both(&b.finish(), 0, &scalars, nothing);
    assert_eq!(calls, [(0, vec![bits, -9i64 as u64])]);
}

#[test]
fn a_status_ends_the_kernel_wherever_it_comes_up() {
    let mut b = host("status");
    let (i, j) = (b.variable("i", DType::Int64), b.variable("j", DType::Int64));
    let x = b.variable("x", DType::Int64);
    let (zero, one, ten) = (b.int64(0), b.int64(1), b.int64(10));
    b.begin_for(i, zero, ten, one);
    b.begin_for(j, ten, zero, one);
    b.end();
    b.begin_while();
    let truth = b.literal(Literal::Bool(true));
    b.begin_while_body(truth);
    let now = b.get(i);
    b.call(1, &[now], vec![CallResult::Variable(x)]);
    b.push(StatementKind::Break);
    b.end();
    b.end();
    b.call(2, &[], vec![]);
    let kernel = b.finish();
    let (calls, status, _) = both(&kernel, 0, &[], |_, words, _| match words {
        [3] => Err(42),
        _ => Ok(vec![0]),
    });
    assert_eq!(status, 42);
    assert_eq!(calls.len(), 4);
    let (calls, status, _) = both(&kernel, 0, &[], |callee, _, _| match callee {
        1 => Ok(vec![0]),
        _ => Ok(vec![]),
    });
    assert_eq!((status, calls.len()), (0, 11));
}

#[test]
fn a_return_leaves_the_kernel() {
    let mut b = host("leave");
    let n = b.param("n", ParamKind::Scalar(DType::Int64));
    let i = b.variable("i", DType::Int64);
    let (n, zero, one, five) = (b.scalar(n), b.int64(0), b.int64(1), b.int64(5));
    b.begin_for(i, zero, n, one);
    let now = b.get(i);
    b.call(0, &[now], vec![]);
    let last = b.compare(CompareOp::Equal, now, five);
    b.begin_if(last);
    b.push(StatementKind::Return);
    b.end();
    b.end();
    b.call(1, &[], vec![]);
    let kernel = b.finish();
    for (n, calls) in [(0, 1), (3, 4), (6, 6), (100, 6)] {
        assert_eq!(
            both(&kernel, 0, &[(DType::Int64, n)], nothing).0.len(),
            calls
        );
    }
}

/// `a[i, j] = 10 * i + j` for all, and twice that into the other array.
fn fill(layout: Layout, dtype: DType) -> colocate_ir::Kernel {
    let mut b = host("fill");
    let a = b.local("a", dtype, 2, layout);
    let other = b.local("other", dtype, 2, Layout::Contiguous);
    b.call(0, &[], vec![CallResult::Local(a), CallResult::Local(other)]);
    let (i, j) = (b.variable("i", DType::Int64), b.variable("j", DType::Int64));
    let (zero, one, ten) = (b.int64(0), b.int64(1), b.int64(10));
    let rows = b.extent(ArrayRef::Local(a), 0);
    let columns = b.extent(ArrayRef::Local(a), 1);
    b.begin_for(i, zero, rows, one);
    b.begin_for(j, zero, columns, one);
    let (row, column) = (b.get(i), b.get(j));
    let number = b.binary(BinaryOp::Multiply, row, ten);
    let number = b.binary(BinaryOp::Add, number, column);
    let number = b.convert(number, dtype);
    b.store(at(a, &[row, column]), number);
    let again = b.load(at(a, &[row, column]));
    let doubled = b.binary(BinaryOp::Add, again, again);
    b.store(at(other, &[row, column]), doubled);
    b.end();
    b.end();
    b.finish()
}

#[test]
fn arrays_lie_as_the_call_says() {
    for dtype in [
        DType::Int8,
        DType::UInt16,
        DType::Float16,
        DType::Int64,
        DType::Float32,
        DType::Float64,
        DType::Complex64,
        DType::Complex128,
    ] {
        let size = dtype.itemsize() as u64;
        let (rows, columns) = (5, 37);
        let other = vec![4096 * size, rows, columns, columns * size, size];
        let contiguous = vec![0, rows, columns, columns * size, size];
        let kernel = fill(Layout::Contiguous, dtype);
        both(&kernel, 8192 * size as usize, &[], |_, _, _| {
            Ok([contiguous.clone(), other.clone()].concat())
        });
        // Transposed, backwards and at an odd address.
        let last = (rows - 1) * size + 3;
        let strided = vec![last, rows, columns, size.wrapping_neg(), 7 * size];
        let kernel = fill(Layout::Strided, dtype);
        both(&kernel, 8192 * size as usize, &[], |_, _, _| {
            Ok([strided.clone(), other.clone()].concat())
        });
    }
}

#[test]
fn parts_of_complex_elements_are_reached() {
    let mut b = host("complex");
    let z = b.local("z", DType::Complex128, 1, Layout::Strided);
    b.call(0, &[], vec![CallResult::Local(z)]);
    let w = b.variable("w", DType::Complex128);
    let i = b.variable("i", DType::Int64);
    let (zero, one) = (b.int64(0), b.int64(1));
    let n = b.extent(ArrayRef::Local(z), 0);
    b.begin_for(i, zero, n, one);
    let now = b.get(i);
    let float = b.convert(now, DType::Float64);
    let held = b.load(at(z, &[now]));
    let number = b.op(colocate_ir::Op::Complex(float, float));
    let product = b.binary(BinaryOp::Multiply, number, number);
    let sum = b.binary(BinaryOp::Add, product, held);
    b.set(w, sum);
    let kept = b.get(w);
    b.store(at(z, &[now]), kept);
    b.end();
    let last = b.get(w);
    let parts = [
        b.unary(UnaryOp::Real, last),
        b.unary(UnaryOp::Imaginary, last),
    ];
    b.call(1, &parts, vec![]);
    let (calls, _, _) = both(&b.finish(), 1024, &[], |callee, _, memory| match callee {
        0 => {
            let held = 0.5f64.to_le_bytes();
            memory.bytes[8..16].copy_from_slice(&held);
            Ok(vec![0, 10, 48])
        }
        _ => Ok(vec![]),
    });
    let words = [0.0f64.to_bits(), 162.0f64.to_bits()];
    assert_eq!(calls[1], (1, words.to_vec()));
}

#[test]
fn an_array_is_what_the_last_call_made_it() {
    let mut b = host("again");
    let a = b.local("a", DType::Int64, 1, Layout::Contiguous);
    let i = b.variable("i", DType::Int64);
    let before = b.extent(ArrayRef::Local(a), 0);
    b.call(1, &[before], vec![]);
    let (zero, one, three) = (b.int64(0), b.int64(1), b.int64(3));
    b.begin_for(i, zero, three, one);
    let turn = b.get(i);
    b.call(0, &[turn], vec![CallResult::Local(a)]);
    let extent = b.extent(ArrayRef::Local(a), 0);
    let last = b.binary(BinaryOp::Subtract, extent, one);
    b.store(at(a, &[last]), turn);
    b.call(1, &[extent], vec![]);
    b.end();
    let (calls, _, memory) = both(&b.finish(), 256, &[], |callee, words, _| match callee {
        0 => Ok(vec![64 * words[0], words[0] + 1, 8]),
        _ => Ok(vec![]),
    });
    let extents: Vec<u64> = calls.iter().filter(|c| c.0 == 1).map(|c| c.1[0]).collect();
    assert_eq!(extents, [0, 1, 2, 3]);
    let element = |at: usize| i64::from_le_bytes(memory.bytes[at..at + 8].try_into().unwrap());
    assert_eq!([element(0), element(72), element(144)], [0, 1, 2]);
}

#[test]
fn loops_turn_as_often_as_pythons() {
    for step in [1, -1, 3, -2, 0, i64::MAX, i64::MIN] {
        let mut b = host("turns");
        let start = b.param("start", ParamKind::Scalar(DType::Int64));
        let stop = b.param("stop", ParamKind::Scalar(DType::Int64));
        let i = b.variable("i", DType::Int64);
        let (start, stop, step) = (b.scalar(start), b.scalar(stop), b.int64(step));
        b.begin_for(i, start, stop, step);
        let now = b.get(i);
        b.call(0, &[now], vec![]);
        // What the body does to the variable does not change the counting.
        b.set(i, start);
        b.end();
        let after = b.get(i);
        b.call(1, &[after], vec![]);
        let kernel = b.finish();
        let ranges = [
            (0, 5),
            (5, 0),
            (-3, 4),
            (4, -3),
            (i64::MAX - 2, i64::MAX),
            (i64::MIN + 2, i64::MIN),
            (i64::MIN, i64::MIN + 1),
            (7, 7),
        ];
        for (start, stop) in ranges {
            let scalars = [start, stop].map(|bound| (DType::Int64, bound as u64));
            both(&kernel, 0, &scalars, nothing);
        }
    }
}

#[test]
fn private_storage_of_any_size_works() {
    for size in [4, 100_000] {
        let mut b = host("storage");
        let own = ArrayRef::Storage(b.storage("own", DType::Int64, &[size], StorageClass::Private));
        let i = b.variable("i", DType::Int64);
        let (zero, one, n) = (b.int64(0), b.int64(1), b.int64(i64::from(size)));
        b.begin_for(i, zero, n, one);
        let now = b.get(i);
        b.store(Place::new(own, [now]), now);
        b.end();
        let last = b.int64(i64::from(size) - 1);
        let got = b.load(Place::new(own, [last]));
        b.call(0, &[got], vec![]);
        let (calls, _, _) = both(&b.finish(), 0, &[], nothing);
        assert_eq!(calls, [(0, vec![u64::from(size) - 1])]);
    }
}

/// A function of one int64 with one int64 result, in `out`.
fn function(name: &str) -> (KernelBuilder, ValueId, colocate_ir::VariableId) {
    let mut f = host(name);
    let n = f.param("n", ParamKind::Scalar(DType::Int64));
    let out = f.variable("out", DType::Int64);
    f.kernel_mut().kind = KernelKind::Function { results: vec![out] };
    let n = f.scalar(n);
    (f, n, out)
}

/// A kernel that calls function 0 with its argument and then callee 0 with what comes back.
fn caller(functions: Vec<colocate_ir::Kernel>) -> colocate_ir::Kernel {
    let mut b = host("caller");
    let n = b.param("n", ParamKind::Scalar(DType::Int64));
    let n = b.scalar(n);
    let result = b.variable("result", DType::Int64);
    b.call_function(HostFunctionId(0), &[n], &[result]);
    let got = b.get(result);
    b.call(0, &[got], vec![]);
    b.kernel_mut().functions = functions;
    b.finish()
}

fn fibonacci() -> colocate_ir::Kernel {
    let (mut f, n, out) = function("fibonacci");
    let [p, q] = ["p", "q"].map(|name| f.variable(name, DType::Int64));
    let (one, two) = (f.int64(1), f.int64(2));
    let small = f.compare(CompareOp::Less, n, two);
    f.begin_if(small);
    f.set(out, n);
    f.push(StatementKind::Return);
    f.end();
    for (distance, variable) in [(one, p), (two, q)] {
        let before = f.binary(BinaryOp::Subtract, n, distance);
        f.call_function(HostFunctionId(0), &[before], &[variable]);
    }
    let (p, q) = (f.get(p), f.get(q));
    let sum = f.binary(BinaryOp::Add, p, q);
    f.set(out, sum);
    f.finish()
}

#[test]
fn a_function_calls_itself() {
    let kernel = caller(vec![fibonacci()]);
    for (n, expected) in [(0, 0), (1, 1), (10, 55), (15, 610)] {
        let (calls, _, _) = both(&kernel, 0, &[(DType::Int64, n)], nothing);
        assert_eq!(calls, [(0, vec![expected])]);
    }
}

#[test]
fn a_function_writes_the_arrays_it_is_given() {
    // fill(n, first, second): second[n - 1, 0] = first[0, n - 1] + n, then fill(n - 1, second, first).
    let (mut f, n, out) = function("fill");
    let first = f.local("first", DType::Int64, 2, Layout::Strided);
    let second = f.local("second", DType::Int64, 2, Layout::Strided);
    let (zero, one) = (f.int64(0), f.int64(1));
    let over = f.compare(CompareOp::LessEqual, n, zero);
    f.begin_if(over);
    let extent = f.extent(ArrayRef::Local(first), 1);
    f.set(out, extent);
    f.push(StatementKind::Return);
    f.end();
    let before = f.binary(BinaryOp::Subtract, n, one);
    let found = f.load(at(first, &[zero, before]));
    let sum = f.binary(BinaryOp::Add, found, n);
    f.store(at(second, &[before, zero]), sum);
    f.call_function_on(HostFunctionId(0), &[before], &[second, first], &[out]);

    let mut b = host("caller");
    let n = b.param("n", ParamKind::Scalar(DType::Int64));
    let packed = b.local("packed", DType::Int64, 2, Layout::Contiguous);
    let strided = b.local("strided", DType::Int64, 2, Layout::Strided);
    b.call(0, &[], vec![CallResult::Local(packed)]);
    b.call(1, &[], vec![CallResult::Local(strided)]);
    let (n, result) = (b.scalar(n), b.variable("result", DType::Int64));
    b.call_function_on(HostFunctionId(0), &[n], &[packed, strided], &[result]);
    let got = b.get(result);
    b.call(2, &[got], vec![]);
    b.kernel_mut().functions = vec![f.finish()];
    let kernel = b.finish();
    // A 4 by 4 array, and the transpose of another one after it.
    let (calls, _, memory) = both(&kernel, 256, &[(DType::Int64, 4)], |callee, _, _| {
        Ok(match callee {
            0 => vec![0, 4, 4, 32, 8],
            1 => vec![128, 4, 4, 8, 32],
            _ => vec![],
        })
    });
    assert_eq!(calls[2], (2, vec![4]));
    let element = |at: usize| i64::from_le_bytes(memory.bytes[at..at + 8].try_into().unwrap());
    // In turns: strided[3, 0] = 4, packed[2, 0] = 3, strided[1, 0] = packed[0, 1] + 2 = 2, packed[0, 0] = 1.
    let found = [128 + 3 * 8, 2 * 32, 128 + 8, 0].map(element);
    assert_eq!(found, [4, 3, 2, 1]);
}

#[test]
fn functions_call_one_another_with_several_dtypes_and_results() {
    // even(n, x) gives (is even, x / 2 for each call); odd is the same, and they alternate.
    let half = |name: &str, other: u32, at_zero: bool| {
        let mut f = host(name);
        let n = f.param("n", ParamKind::Scalar(DType::UInt8));
        let x = f.param("x", ParamKind::Scalar(DType::Float32));
        let found = f.variable("found", DType::Bool);
        let halved = f.variable("halved", DType::Float32);
        f.kernel_mut().kind = KernelKind::Function {
            results: vec![found, halved],
        };
        let (n, x) = (f.scalar(n), f.scalar(x));
        let zero = f.literal(Literal::Int(DType::UInt8, 0));
        let end = f.compare(CompareOp::Equal, n, zero);
        f.begin_if(end);
        let answer = f.literal(Literal::Bool(at_zero));
        f.set(found, answer);
        f.set(halved, x);
        f.begin_else();
        let one = f.literal(Literal::Int(DType::UInt8, 1));
        let two = f.literal(Literal::Float(DType::Float32, 2.0));
        let before = f.binary(BinaryOp::Subtract, n, one);
        let less = f.binary(BinaryOp::Divide, x, two);
        f.call_function(HostFunctionId(other), &[before, less], &[found, halved]);
        f.end();
        f.finish()
    };
    let mut b = host("parity");
    let n = b.param("n", ParamKind::Scalar(DType::UInt8));
    let n = b.scalar(n);
    let x = b.literal(Literal::Float(DType::Float32, 64.0));
    let found = b.variable("found", DType::Bool);
    let halved = b.variable("halved", DType::Float32);
    b.call_function(HostFunctionId(0), &[n, x], &[found, halved]);
    let results = [b.get(found), b.get(halved)];
    b.call(0, &results, vec![]);
    b.kernel_mut().functions = vec![half("even", 1, true), half("odd", 0, false)];
    let kernel = b.finish();
    for n in [0u64, 1, 2, 5] {
        let (calls, _, _) = both(&kernel, 0, &[(DType::UInt8, n)], nothing);
        let left = 64.0 / f32::from(1u16 << n);
        assert_eq!(
            calls[0].1,
            [u64::from(n % 2 == 0), u64::from(left.to_bits())]
        );
    }
}

#[test]
fn a_status_inside_a_function_ends_everything() {
    // Counts down to 0 and calls there; what comes after is not reached on any level.
    let (mut f, n, out) = function("down");
    let zero = f.int64(0);
    let end = f.compare(CompareOp::Equal, n, zero);
    f.begin_if(end);
    f.call(5, &[n], vec![]);
    f.begin_else();
    let one = f.int64(1);
    let before = f.binary(BinaryOp::Subtract, n, one);
    f.call_function(HostFunctionId(0), &[before], &[out]);
    f.call(6, &[n], vec![]);
    f.end();
    let kernel = caller(vec![f.finish()]);
    let (calls, status, _) = both(
        &kernel,
        0,
        &[(DType::Int64, 4)],
        |callee, _, _| match callee {
            5 => Err(9),
            _ => Ok(vec![]),
        },
    );
    assert_eq!((calls, status), (vec![(5, vec![0])], 9));
    let (calls, status, _) = both(&kernel, 0, &[(DType::Int64, 4)], nothing);
    assert_eq!((calls.len(), status), (6, 0));
}

#[test]
fn a_recursion_without_end_is_reported() {
    let (mut f, n, out) = function("deeper");
    let one = f.int64(1);
    let next = f.binary(BinaryOp::Add, n, one);
    f.call_function(HostFunctionId(0), &[next], &[out]);
    // Not a tail call.
    let got = f.get(out);
    f.call(3, &[got], vec![]);
    let kernel = caller(vec![f.finish()]);
    let (calls, status, _) = both(
        &kernel,
        0,
        &[(DType::Int64, 0)],
        |callee, _, _| match callee {
            RECURSION_CALLEE => Err(11),
            _ => Ok(vec![]),
        },
    );
    assert_eq!((calls, status), (vec![(RECURSION_CALLEE, vec![])], 11));
    // On a thread with little stack, too, and many times over.
    let compiled = Compiled::new(&kernel);
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    let run = move || {
        (0..50).all(|_| {
            let mut status = |_: u32, _: &[u64], _: &mut Memory| Err(12);
            compiled.run(&mut Memory::default(), &[0], &mut status) == 12
        })
    };
    assert!(thread.spawn(run).unwrap().join().unwrap());
}

#[test]
fn a_tail_call_without_end_is_reported() {
    let (mut f, n, out) = function("deeper");
    f.call_function(HostFunctionId(0), &[n], &[out]);
    let kernel = caller(vec![f.finish()]);
    let (calls, status, _) = both(&kernel, 0, &[(DType::Int64, 0)], |_, _, _| Err(11));
    assert_eq!((calls, status), (vec![(RECURSION_CALLEE, vec![])], 11));
}

#[test]
fn a_recursion_ends_even_if_the_callback_does_not_mind() {
    let (mut f, n, out) = function("deeper");
    f.call_function(HostFunctionId(0), &[n], &[out]);
    let got = f.get(out);
    f.call(3, &[got], vec![]);
    let kernel = caller(vec![f.finish()]);
    let mut calls = Vec::new();
    let mut log = |callee: u32, _: &[u64], _: &mut Memory| {
        calls.push(callee);
        Ok(vec![])
    };
    Compiled::new(&kernel).run(&mut Memory::default(), &[0], &mut log);
    assert_eq!(calls, [RECURSION_CALLEE]);
}

/// `for i in range(len(c)): c[i] = …`, of contiguous arrays whose indices may be negative.
fn elementwise(compute: impl Fn(&mut KernelBuilder, [ValueId; 3]) -> ValueId) -> String {
    let mut b = host("elementwise");
    let arrays = ["a", "b", "c"].map(|name| b.local(name, DType::Float64, 1, Layout::Contiguous));
    for (callee, array) in arrays.into_iter().enumerate() {
        b.call(callee as u32, &[], vec![CallResult::Local(array)]);
    }
    let i = b.variable("i", DType::Int64);
    let (zero, one) = (b.int64(0), b.int64(1));
    let n = b.extent(ArrayRef::Local(arrays[2]), 0);
    b.begin_for(i, zero, n, one);
    let now = b.get(i);
    let places = arrays.map(|array| {
        let extent = b.extent(ArrayRef::Local(array), 0);
        let negative = b.compare(CompareOp::Less, now, zero);
        let wrapped = b.binary(BinaryOp::Add, now, extent);
        let index = b.select(negative, wrapped, now);
        at(array, &[index])
    });
    let values = places.clone().map(|place| b.load(place));
    let result = compute(&mut b, values);
    b.store(places[2].clone(), result);
    b.end();
    let core = to_core(b.finish());
    llvm_text(&core, &Options::default(), Target::host()).unwrap()
}

#[test]
fn loops_over_arrays_are_vectorised() {
    let text = elementwise(|b, [x, y, z]| {
        let product = b.binary(BinaryOp::Multiply, x, y);
        b.binary(BinaryOp::Add, product, z)
    });
    let lanes = Target::host().vector_bytes / 8;
    let wanted = format!("fmul <{lanes} x double>");
    assert!(text.contains(&wanted), "{text}");
}

#[test]
fn functions_of_floats_are_vectorised_where_the_library_can() {
    use colocate_codegen_llvm::symbols::vector_functions;
    let text = elementwise(|b, [x, _, _]| b.math(MathFunction::Sin, &[x]));
    match vector_functions(Target::host(), MathFunction::Sin, true).last() {
        Some(vector) => assert!(text.contains(&format!("@{}(", vector.name)), "{text}"),
        None => assert!(text.contains("call double @sin("), "{text}"),
    }
}

#[test]
fn logarithms_are_in_line() {
    let text = elementwise(|b, [x, _, _]| b.math(MathFunction::Log, &[x]));
    if Target::host().vector_bytes >= 32 {
        assert!(text.contains("llvm.fma.v"), "{text}");
        assert!(!text.contains("call <8 x double> @colocate_log"), "{text}");
    }
}

#[test]
fn exponentials_are_in_line() {
    let text = elementwise(|b, [x, _, _]| b.math(MathFunction::Exp, &[x]));
    let lanes = Target::host().vector_bytes / 8;
    if lanes >= 4 {
        let wanted = format!("@llvm.rint.v{lanes}f64(");
        assert!(text.contains(&wanted), "{text}");
        assert!(!text.contains("call <8 x double> @colocate_exp"), "{text}");
    }
}

#[test]
fn what_describes_an_array_is_in_registers() {
    let text = elementwise(|_, [x, _, _]| x);
    let slots = text.lines().filter(|line| line.contains("alloca")).count();
    assert_eq!(slots, 1, "only the results of calls are in memory: {text}");
}
