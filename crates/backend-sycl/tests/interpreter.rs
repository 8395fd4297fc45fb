//! The device gives what the interpreter gives.

mod installed;
mod machine;

use colocate_ir::arbitrary::{Case, Config, cases, difference, run_interpreter};
use colocate_ir::interpret::{self, Argument, ArrayView, Memory, Scalar};
use colocate_ir::{
    ArrayRef, BinaryOp, CompareOp, DType, IndexFunction, Kernel, KernelBuilder, KernelKind, Kind,
    Layout, MathFunction, ParamKind, Place, UnaryOp, ValueId,
};
use colocate_passes::to_core;
use machine::{Machine, machine};
use proptest::test_runner::{Config as Runs, TestCaseError, TestError, TestRunner};

/// The slots of arguments whose arrays lie in memory that begins at this address.
fn slots(kernel: &Kernel, arguments: &[Argument], base: u64) -> Vec<u64> {
    let mut slots = Vec::new();
    for (param, argument) in kernel.params.iter().zip(arguments) {
        match argument {
            Argument::Scalar(scalar) => {
                let mut bytes = scalar.to_bytes().to_vec();
                bytes.resize(8 * param.kind.slots(), 0xee);
                let words = bytes.chunks(8).map(|word| word.try_into().unwrap());
                slots.extend(words.map(u64::from_le_bytes));
            }
            Argument::Array(view) => {
                slots.push(base + view.offset as u64);
                slots.extend(view.shape.iter().map(|&extent| extent as u64));
                if let ParamKind::Array {
                    layout: Layout::Strided,
                    ..
                } = param.kind
                {
                    slots.extend(view.strides.iter().map(|&stride| stride as u64));
                }
            }
        }
    }
    slots
}

/// What a kernel leaves in memory when the device runs it.
fn run_device(
    machine: &Machine,
    kernel: &Kernel,
    memory: &Memory,
    arguments: &[Argument],
    global: [usize; 3],
    local: Option<[usize; 3]>,
) -> Vec<u8> {
    let core = to_core(kernel.clone());
    let buffer = machine.buffer(&memory.bytes);
    let slots = slots(kernel, arguments, buffer.address());
    let rank = usize::from(kernel.rank);
    let local = local.as_ref().map(|local| &local[..rank]);
    machine.run(&core, &slots, &global[..rank], local);
    buffer.read()
}

/// Numbers at the edges of a dtype and a few ordinary ones.
fn edges(dtype: DType) -> Vec<Scalar> {
    let width = 8 * dtype.itemsize() as u32;
    let ints = |numbers: &[i128]| {
        let wrapped = numbers.iter().map(|&n| Scalar::wrapped(dtype, n));
        wrapped.collect::<Vec<_>>()
    };
    match dtype.kind() {
        Kind::Bool => vec![Scalar::Bool(false), Scalar::Bool(true)],
        Kind::Int | Kind::UInt => {
            let half = 1i128 << (width - 1);
            let (all, w) = (2 * half - 1, i128::from(width));
            ints(&[
                0,
                1,
                2,
                3,
                7,
                100,
                -1,
                -2,
                -7,
                -100,
                half,
                half - 1,
                half + 1,
                all,
                w,
                w - 1,
            ])
        }
        Kind::Float => {
            let numbers = [
                0.0,
                0.3,
                0.5,
                1.0,
                1.5,
                2.0,
                2.5,
                3.7,
                10.0,
                100.25,
                300.0,
                40000.0,
                5e9,
                3e-5,
                1e-7,
                1e-40,
                1e-310,
                1e30,
                1e300,
                f64::INFINITY,
            ];
            let signed = numbers.iter().flat_map(|&x| [x, -x]).chain([f64::NAN]);
            signed.map(|x| Scalar::Float64(x).convert(dtype)).collect()
        }
        Kind::Complex => Vec::new(),
    }
}

/// `f` of all pairs of edges, stored in an array of its dtype.
fn over_edges(
    dtype: DType,
    f: &dyn Fn(&mut KernelBuilder, ValueId, ValueId) -> ValueId,
) -> (Kernel, Memory, Vec<Argument>, usize) {
    let kind = KernelKind::Region { reductions: vec![] };
    let mut builder = KernelBuilder::new("edges", 1, kind);
    let array = |dtype| ParamKind::Array {
        dtype,
        rank: 1,
        layout: Layout::Contiguous,
    };
    let a = ArrayRef::Param(builder.param("a", array(dtype)));
    let b = ArrayRef::Param(builder.param("b", array(dtype)));
    let i = builder.index(IndexFunction::GlobalId, 0);
    let (x, y) = (
        builder.load(Place::new(a, [i])),
        builder.load(Place::new(b, [i])),
    );
    let value = f(&mut builder, x, y);
    let result = builder.dtype(value);
    let to = ArrayRef::Param(builder.param("to", array(result)));
    builder.store(Place::new(to, [i]), value);

    let edges = edges(dtype);
    let count = edges.len() * edges.len();
    let mut memory = Memory::default();
    for inner in [false, true] {
        for position in 0..count {
            let which = if inner {
                position % edges.len()
            } else {
                position / edges.len()
            };
            memory.bytes.extend_from_slice(&edges[which].to_bytes());
        }
        memory
            .bytes
            .resize(memory.bytes.len().next_multiple_of(16), 0);
    }
    let shape = [count as i64];
    let second = (count * dtype.itemsize()).next_multiple_of(16);
    let arguments = [(dtype, 0), (dtype, second), (result, 2 * second)];
    let arguments = arguments
        .map(|(dtype, offset)| Argument::Array(ArrayView::contiguous(dtype, offset, &shape)));
    memory
        .bytes
        .resize(2 * second + count * result.itemsize(), 0);
    (builder.finish(), memory, arguments.to_vec(), count)
}

/// Equal, both NaN, or with a tolerance not further apart than it times the larger.
fn close(a: Scalar, b: Scalar, tolerance: Option<f64>) -> bool {
    let (Some(x), Some(y)) = (float(a), float(b)) else {
        return a == b;
    };
    match tolerance {
        _ if x.is_nan() || y.is_nan() => x.is_nan() && y.is_nan(),
        None => x.to_bits() == y.to_bits(),
        Some(tolerance) => {
            let least = match a {
                Scalar::Float64(_) => f64::MIN_POSITIVE,
                _ => f32::MIN_POSITIVE.into(),
            };
            x == y || (x - y).abs() <= tolerance * x.abs().max(y.abs()).max(least)
        }
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

fn check_edges(
    machine: &Machine,
    name: &str,
    dtype: DType,
    tolerance: Option<f64>,
    f: &dyn Fn(&mut KernelBuilder, ValueId, ValueId) -> ValueId,
) {
    let (kernel, memory, arguments, count) = over_edges(dtype, f);
    let global = [count, 1, 1];
    let mut expected = memory.clone();
    interpret::run(&kernel, &mut expected, &arguments, global, None).unwrap();
    let found = run_device(machine, &kernel, &memory, &arguments, global, None);
    let result = kernel.params[2].kind.dtype();
    let Argument::Array(view) = &arguments[2] else {
        unreachable!("the third argument is an array");
    };
    let edges = edges(dtype);
    for item in 0..count {
        let at = view.offset + item * result.itemsize();
        let expected = Scalar::from_bytes(result, &expected.bytes[at..]);
        let found = Scalar::from_bytes(result, &found[at..]);
        let (a, b) = (edges[item / edges.len()], edges[item % edges.len()]);
        assert!(
            close(expected, found, tolerance),
            "{name} of {a:?}, {b:?} is {expected:?}, not {found:?}"
        );
    }
}

fn real_dtypes() -> impl Iterator<Item = DType> {
    let all = DType::ALL.into_iter();
    all.filter(|dtype| dtype.kind() != Kind::Complex)
}

#[test]
fn operations_at_the_edges_of_every_dtype() {
    let Some(machine) = machine() else { return };
    for dtype in real_dtypes() {
        for &op in UnaryOp::ALL {
            if op.result(dtype).is_some() {
                check_edges(&machine, op.name(), dtype, None, &|builder, a, _| {
                    builder.unary(op, a)
                });
            }
        }
        for &op in BinaryOp::ALL {
            if op.takes(dtype) {
                // Powers of floats are a library's.
                let tolerance = match (op, dtype) {
                    (BinaryOp::Power, DType::Float16) => Some(2f64.powi(-10)),
                    (BinaryOp::Power, DType::Float32) => Some(2f64.powi(-19)),
                    (BinaryOp::Power, DType::Float64) => Some(2f64.powi(-48)),
                    _ => None,
                };
                check_edges(&machine, op.name(), dtype, tolerance, &|builder, a, b| {
                    builder.binary(op, a, b)
                });
            }
        }
        for &op in CompareOp::ALL {
            check_edges(&machine, op.name(), dtype, None, &|builder, a, b| {
                builder.compare(op, a, b)
            });
        }
    }
}

#[test]
fn conversions_between_all_real_dtypes() {
    let Some(machine) = machine() else { return };
    for from in real_dtypes() {
        for to in real_dtypes() {
            check_edges(&machine, to.name(), from, None, &|builder, a, _| {
                builder.convert(a, to)
            });
        }
    }
}

#[test]
fn functions_of_floats_are_close() {
    let Some(machine) = machine() else { return };
    for dtype in [DType::Float32, DType::Float64] {
        for &function in MathFunction::ALL {
            // OpenCL allows up to 16 units in the last place.
            let digits = if dtype == DType::Float32 { 19 } else { 48 };
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
                _ => Some(2f64.powi(-digits)),
            };
            let name = function.name();
            check_edges(&machine, name, dtype, tolerance, &|builder, a, b| {
                let operands = [a, b, a];
                builder.math(function, &operands[..function.arity()])
            });
        }
    }
}

fn check_case(machine: &Machine, case: &Case) -> Result<(), TestCaseError> {
    let expected = run_interpreter(case);
    let (memory, arguments, starts) = case.arguments();
    let (kernel, global, local) = (&case.kernel, case.global, case.local);
    let found = run_device(machine, kernel, &memory, &arguments, global, local);
    let buffers = starts.iter().zip(&case.arrays);
    let found: Vec<Vec<u8>> = buffers
        .map(|(&start, array)| found[start..start + array.contents.len()].to_vec())
        .collect();
    match difference(case, &expected, &found) {
        None => Ok(()),
        Some(what) => Err(TestCaseError::fail(what)),
    }
}

/// How many random kernels of each kind; `PROPTEST_CASES` asks for more.
const CASES: u32 = 150;

fn check_random_cases(config: Config) {
    let Some(machine) = machine() else { return };
    let runs = Runs {
        cases: std::env::var("PROPTEST_CASES").map_or(CASES, |count| count.parse().unwrap()),
        failure_persistence: None,
        ..Runs::default()
    };
    let mut runner = TestRunner::new(runs);
    let result = runner.run(&cases(config), |case| check_case(&machine, &case));
    match result {
        Ok(()) => {}
        Err(TestError::Fail(why, case)) => {
            panic!("{why}\n{}\n{:?}", case.kernel, case.scalars)
        }
        Err(TestError::Abort(why)) => panic!("{why}"),
    }
}

#[test]
fn random_regions() {
    check_random_cases(Config::default());
}

#[test]
fn random_core_regions() {
    check_random_cases(Config {
        core: true,
        ..Config::default()
    });
}

#[test]
fn random_nd_range_kernels() {
    check_random_cases(Config {
        nd_range: true,
        ..Config::default()
    });
}
