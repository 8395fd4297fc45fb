//! Every operation at the edges of every dtype: machine code gives what the interpreter gives.

use colocate_compile::{Compiler, Options, Target};
use colocate_hal::{ALIGNMENT, HostPart, KernelCode};
use colocate_ir::interpret::{self, Argument, ArrayView, Memory, Scalar};
use colocate_ir::{
    ArrayRef, BinaryOp, CompareOp, DType, IndexFunction, KernelBuilder, KernelKind, Kind, Layout,
    MathFunction, ParamKind, Place, UnaryOp, ValueId,
};

/// How far a result may be from the interpreter's, in multiples of itself; `None`: not at all.
type Tolerance = Option<f64>;

/// Makes one value of two.
type Operation = Box<dyn Fn(&mut KernelBuilder, ValueId, ValueId) -> ValueId>;

fn edges(dtype: DType) -> Vec<Scalar> {
    let half = 1i128 << (8 * dtype.itemsize().min(8) - 1);
    let width = 8 * dtype.itemsize() as i128;
    match dtype.kind() {
        Kind::Bool => vec![Scalar::Bool(false), Scalar::Bool(true)],
        Kind::Int | Kind::UInt => [0, 1, 2, 3, 7, 64, 100]
            .into_iter()
            .flat_map(|n| [n, -n])
            .chain([half, half - 1, half + 1, 2 * half - 1, width, width - 1])
            .map(|n| Scalar::wrapped(dtype, n))
            .collect(),
        Kind::Float => [
            0.0, 0.3, 0.5, 1.0, 1.5, 2.0, 2.5, 3.7, 127.5, 300.0, 65519.0,
        ]
        .into_iter()
        .chain([
            2147483648.0,
            5e9,
            9.3e18,
            2e19,
            3e-5,
            1e-7,
            1e-40,
            1e-310,
            1e30,
            1e300,
        ])
        .chain([f64::INFINITY, f64::NAN])
        .flat_map(|x| [x, -x])
        .map(|x| Scalar::Float64(x).convert(dtype))
        .collect(),
        Kind::Complex => Vec::new(),
    }
}

fn array(dtype: DType) -> ParamKind {
    ParamKind::Array {
        dtype,
        rank: 1,
        layout: Layout::Contiguous,
    }
}

fn float(a: Scalar) -> Option<f64> {
    match a {
        Scalar::Float16(x) => Some(x.to_f64()),
        Scalar::Float32(x) => Some(x.into()),
        Scalar::Float64(x) => Some(x),
        _ => None,
    }
}

fn close(a: Scalar, b: Scalar, tolerance: Tolerance) -> bool {
    let (Some(x), Some(y)) = (float(a), float(b)) else {
        return a == b;
    };
    if x.is_nan() || y.is_nan() {
        return x.is_nan() && y.is_nan();
    }
    let Some(tolerance) = tolerance else {
        return x.to_bits() == y.to_bits();
    };
    let least = match a {
        Scalar::Float64(_) => f64::MIN_POSITIVE,
        _ => f32::MIN_POSITIVE.into(),
    };
    x == y || (x - y).abs() <= tolerance * x.abs().max(y.abs()).max(least)
}

/// One kernel applies all operations to all pairs of edges.
fn check(dtype: DType, operations: Vec<(String, Tolerance, Operation)>) {
    let kind = KernelKind::Region { reductions: vec![] };
    let mut builder = KernelBuilder::new("edges", 1, kind);
    let inputs = ["a", "b"].map(|name| ArrayRef::Param(builder.param(name, array(dtype))));
    let i = builder.index(IndexFunction::GlobalId, 0);
    let [x, y] = inputs.map(|input| builder.load(Place::new(input, [i])));
    let mut dtypes = vec![dtype; 2];
    for (_, _, operation) in &operations {
        let value = operation(&mut builder, x, y);
        let result = builder.dtype(value);
        let to = ArrayRef::Param(builder.param("to", array(result)));
        builder.store(Place::new(to, [i]), value);
        dtypes.push(result);
    }
    let kernel = builder.finish();

    let edges = edges(dtype);
    // An odd number of items: the last ones do not fill all lanes.
    let pairs: Vec<(Scalar, Scalar)> = edges
        .iter()
        .flat_map(|&a| edges.iter().map(move |&b| (a, b)))
        .chain(std::iter::once((edges[0], edges[1])))
        .collect();
    let stride = (pairs.len() * 8).next_multiple_of(ALIGNMENT);
    let mut before = Memory {
        bytes: vec![0; stride * dtypes.len() + ALIGNMENT],
    };
    for (number, (a, b)) in pairs.iter().enumerate() {
        for (start, scalar) in [(0, a), (stride, b)] {
            let at = start + number * dtype.itemsize();
            before.bytes[at..at + dtype.itemsize()].copy_from_slice(&scalar.to_bytes());
        }
    }
    let arguments: Vec<Argument> = dtypes
        .iter()
        .enumerate()
        .map(|(i, &dtype)| {
            let shape = [pairs.len() as i64];
            Argument::Array(ArrayView::contiguous(dtype, i * stride, &shape))
        })
        .collect();
    let global = [pairs.len(), 1, 1];
    let mut expected = before.clone();
    interpret::run(&kernel, &mut expected, &arguments, global, None).unwrap();

    for lanes in [Some(1), Some(4), None] {
        let options = Options {
            lanes,
            ..Options::default()
        };
        let program = Compiler::new(None).program(&kernel, &Target::Host, &options);
        let program = program.unwrap();
        let KernelCode::Host(code) = &program.image.code else {
            panic!("a program of the host is machine code");
        };
        // Not aligned to more than an element: vectors must not ask for more.
        let mut bytes = vec![0; before.bytes.len() + 2 * ALIGNMENT];
        let shift = bytes.as_ptr().align_offset(ALIGNMENT) + 8;
        bytes[shift..shift + before.bytes.len()].copy_from_slice(&before.bytes);
        let base = bytes[shift..].as_mut_ptr() as u64;
        let block: Vec<u64> = (0..dtypes.len())
            .flat_map(|i| [base + (i * stride) as u64, pairs.len() as u64])
            .collect();
        let mut scratch =
            vec![0u64; (code.scratch_bytes + code.scratch_bytes_per_item * code.lanes) / 8 + 16];
        let aligned = scratch.as_ptr().align_offset(ALIGNMENT);
        let part = HostPart {
            global: [pairs.len() as i64, 1, 1],
            local: [1; 3],
            begin: [0; 3],
            end: [pairs.len() as i64, 1, 1],
        };
        // SAFETY: the arrays lie in `bytes`, as long as the block says.
        unsafe {
            (code.entry)(
                block.as_ptr(),
                &part,
                scratch[aligned..].as_mut_ptr().cast(),
            );
        }
        for (number, (name, tolerance, _)) in operations.iter().enumerate() {
            let result = dtypes[number + 2];
            for (item, (a, b)) in pairs.iter().enumerate() {
                let at = (number + 2) * stride + item * result.itemsize();
                let wanted = Scalar::from_bytes(result, &expected.bytes[at..]);
                let found = Scalar::from_bytes(result, &bytes[shift + at..]);
                assert!(
                    close(wanted, found, *tolerance),
                    "{name} of {a:?}, {b:?} is {wanted:?}, not {found:?} (lanes {lanes:?})"
                );
            }
        }
    }
}

fn real_dtypes() -> impl Iterator<Item = DType> {
    let all = DType::ALL.into_iter();
    all.filter(|dtype| dtype.kind() != Kind::Complex)
}

/// A few units in the last place.
fn few_units(dtype: DType) -> Tolerance {
    Some(match dtype {
        DType::Float16 => 2f64.powi(-10),
        DType::Float32 => 2f64.powi(-20),
        _ => 2f64.powi(-49),
    })
}

fn named(
    name: &str,
    tolerance: Tolerance,
    operation: impl Fn(&mut KernelBuilder, ValueId, ValueId) -> ValueId + 'static,
) -> (String, Tolerance, Operation) {
    (name.into(), tolerance, Box::new(operation))
}

#[test]
fn unary_operations_and_comparisons() {
    for dtype in real_dtypes() {
        let unary = UnaryOp::ALL.iter().copied();
        let unary = unary.filter(|op| op.result(dtype).is_some());
        let unary = unary.map(|op| named(op.name(), None, move |b, x, _| b.unary(op, x)));
        let compare = CompareOp::ALL.iter().copied();
        let compare = compare.map(|op| named(op.name(), None, move |b, x, y| b.compare(op, x, y)));
        check(dtype, unary.chain(compare).collect());
    }
}

#[test]
fn binary_operations() {
    for dtype in real_dtypes() {
        let all = BinaryOp::ALL.iter().copied();
        let operations = all.filter(|op| op.takes(dtype)).map(|op| {
            let library = op == BinaryOp::Power && dtype.kind() == Kind::Float;
            let tolerance = library.then(|| few_units(dtype)).flatten();
            named(op.name(), tolerance, move |b, x, y| b.binary(op, x, y))
        });
        check(dtype, operations.collect());
    }
}

#[test]
fn conversions() {
    for from in real_dtypes() {
        let operations =
            real_dtypes().map(|to| named(to.name(), None, move |b, x, _| b.convert(x, to)));
        check(from, operations.collect());
    }
}

#[test]
fn bits_as_other_dtypes() {
    let have_bits = || real_dtypes().filter(|dtype| dtype.kind() != Kind::Bool);
    for from in have_bits() {
        let others = have_bits().filter(|to| to.itemsize() == from.itemsize());
        let operations = others.map(|to| named(to.name(), None, move |b, x, _| b.bitcast(x, to)));
        check(from, operations.collect());
    }
}

#[test]
fn functions_of_floats() {
    for dtype in [DType::Float32, DType::Float64] {
        let all = MathFunction::ALL.iter().copied();
        let operations = all.map(|function| {
            let tolerance = match function {
                MathFunction::Sqrt
                | MathFunction::Floor
                | MathFunction::Ceil
                | MathFunction::Truncate
                | MathFunction::RoundEven
                | MathFunction::CopySign
                | MathFunction::Fmod
                | MathFunction::NextAfter
                | MathFunction::Fma => None,
                _ => few_units(dtype),
            };
            named(function.name(), tolerance, move |b, x, y| {
                b.math(function, &[x, y, x][..function.arity()])
            })
        });
        check(dtype, operations.collect());
    }
}
