//! Every elementwise operation with every dtype that it takes: machine code gives what the interpreter
//! gives, at zeros, infinities, NaN, subnormal and extreme numbers too.

mod host;

use colocate_ir::interpret::Scalar;
use colocate_ir::{ArrayRef, DType, IndexFunction, KernelBuilder, KernelKind, Kind, Place, verify};
use colocate_kernels::elementwise::Operation;
use host::{Arrays, array};

fn edges(dtype: DType) -> Vec<Scalar> {
    let half = 1i128 << (8 * dtype.itemsize().min(8) - 1);
    match dtype.kind() {
        Kind::Bool => vec![Scalar::Bool(false), Scalar::Bool(true)],
        Kind::Int | Kind::UInt => [0, 1, 2, 3, 7, 12, 100]
            .into_iter()
            .flat_map(|n| [n, -n])
            .chain([half, half - 1, half + 1, 2 * half - 1])
            .map(|n| Scalar::wrapped(dtype, n))
            .collect(),
        Kind::Float => {
            let ends = match dtype {
                DType::Float16 => [65504.0, 6.104e-5, 6e-8],
                DType::Float32 => [f32::MAX.into(), f32::MIN_POSITIVE.into(), 1e-45],
                _ => [f64::MAX, f64::MIN_POSITIVE, 5e-324],
            };
            let ordinary = [0.0, 0.3, 0.5, 1.0, 1.5, 2.5, 3.7, 30.0, 300.0];
            let special = [f64::INFINITY, f64::NAN];
            ordinary
                .into_iter()
                .chain(ends)
                .chain(special)
                .flat_map(|x| [x, -x])
                .map(|x| Scalar::Float64(x).convert(dtype))
                .collect()
        }
        Kind::Complex => {
            let large = if dtype == DType::Complex64 {
                1e38
            } else {
                1e308
            };
            let parts = [0.0, 0.4, 1.0, 2.5, 720.0, 1.0 / large, large, f64::INFINITY];
            let parts: Vec<f64> = parts.into_iter().flat_map(|x| [x, -x]).collect();
            let parts = || parts.iter().copied().chain([f64::NAN]);
            parts()
                .flat_map(|re| parts().map(move |im| Scalar::Complex128(re, im).convert(dtype)))
                .collect()
        }
    }
}

/// Tuples of edges: all pairs, or for the last operand of three some.
fn items(dtypes: &[DType]) -> Vec<Vec<Scalar>> {
    let mut items: Vec<Vec<Scalar>> = vec![vec![]];
    for (place, &dtype) in dtypes.iter().enumerate() {
        let edges = edges(dtype);
        // Pairs of all complex edges are many.
        let step = if place > 0 && dtype.kind() == Kind::Complex {
            7
        } else {
            1
        };
        items = items
            .into_iter()
            .flat_map(|item| {
                edges.iter().step_by(step).map(move |&edge| {
                    let mut item = item.clone();
                    item.push(edge);
                    item
                })
            })
            .collect();
    }
    items
}

fn float_parts(scalar: Scalar) -> Vec<f64> {
    match scalar {
        Scalar::Float16(x) => vec![x.to_f64()],
        Scalar::Float32(x) => vec![x.into()],
        Scalar::Float64(x) => vec![x],
        Scalar::Complex64(re, im) => vec![re.into(), im.into()],
        Scalar::Complex128(re, im) => vec![re, im],
        _ => vec![],
    }
}

/// Whether a result is the other within a few units in the last place: the interpreter calls other
/// functions than machine code does.
///
/// `size` is what was added up on the way, where a result may be smaller than that.
fn close(a: Scalar, b: Scalar, size: f64) -> bool {
    let (left, right) = (float_parts(a), float_parts(b));
    if left.is_empty() {
        return a == b;
    }
    if size.is_infinite() {
        return true;
    }
    let (unit, least) = match a.dtype() {
        DType::Float16 => (2f64.powi(-10), 2f64.powi(-24)),
        DType::Float32 | DType::Complex64 => (2f64.powi(-23), 2f64.powi(-149)),
        _ => (2f64.powi(-52), 5e-324),
    };
    left.iter().zip(&right).all(|(&x, &y)| {
        let bound = 8.0 * (unit * x.abs().max(y.abs()).max(size)).max(least);
        let zeros =
            size == 0.0 && x == 0.0 && y == 0.0 && x.is_sign_negative() != y.is_sign_negative();
        (x.is_nan() && y.is_nan()) || (x == y && !zeros) || (x != y && (x - y).abs() <= bound)
    })
}

/// The size of what a result is a sum of, where much of it may cancel.
fn summands(operation: Operation, operands: &[Scalar], result: Scalar) -> f64 {
    let largest = |parts: Vec<f64>| {
        let finite = parts.into_iter().filter(|part| part.is_finite());
        finite.fold(0.0, |size: f64, part| size.max(part.abs()))
    };
    match operation {
        Operation::LogAddExp | Operation::LogAddExp2 => {
            let parts = operands.iter().flat_map(|&operand| float_parts(operand));
            largest(parts.collect())
        }
        // The error of an exponent is multiplied by its size; a large one leaves nothing,
        // and the interpreter overflows earlier.
        Operation::Pow | Operation::FloatPower if operands[0].dtype().kind() == Kind::Complex => {
            let exponent = largest(float_parts(operands[1]));
            let infinite = float_parts(result).iter().any(|part| !part.is_finite());
            if exponent > 1e6 || infinite {
                return f64::INFINITY;
            }
            let logarithm = largest(float_parts(operands[0])).ln().abs();
            let amplified = exponent * (1.0 + logarithm.min(800.0));
            largest(float_parts(result)) * (1.0 + amplified)
        }
        _ => 0.0,
    }
}

/// All operations that take operands of these dtypes.
fn check(dtypes: [DType; 3]) {
    for arity in 1..=3 {
        let taken: Vec<Operation> = Operation::ALL
            .iter()
            .copied()
            .filter(|operation| operation.arity() == arity)
            .filter(|operation| operation.signature(&dtypes[..arity]).is_some())
            .collect();
        // Some in a kernel: fewer take longer to compile, and so do more.
        for operations in taken.chunks(8) {
            check_together(operations, &dtypes[..arity]);
        }
    }
}

fn check_together(operations: &[Operation], dtypes: &[DType]) {
    let kind = KernelKind::Region { reductions: vec![] };
    let mut b = KernelBuilder::new("edges", 1, kind);
    let params: Vec<ArrayRef> = dtypes
        .iter()
        .map(|&dtype| ArrayRef::Param(b.param("x", array(dtype))))
        .collect();
    let i = b.index(IndexFunction::GlobalId, 0);
    let values: Vec<_> = params
        .iter()
        .map(|&param| b.load(Place::new(param, [i])))
        .collect();
    let mut all = dtypes.to_vec();
    for operation in operations {
        let signature = operation.signature(dtypes).unwrap();
        let operands: Vec<_> = values
            .iter()
            .zip(&signature.operands)
            .map(|(&value, &dtype)| b.convert(value, dtype))
            .collect();
        let value = operation.emit(&mut b, &operands);
        assert_eq!(b.dtype(value), signature.result, "{}", operation.name());
        let to = ArrayRef::Param(b.param("to", array(signature.result)));
        b.store(Place::new(to, [i]), value);
        all.push(signature.result);
    }
    let kernel = b.finish();
    assert_eq!(verify(&kernel), vec![]);

    let items = items(dtypes);
    let mut before = Arrays::new(all.clone(), items.len());
    for (number, item) in items.iter().enumerate() {
        for (operand, scalar) in item.iter().enumerate() {
            let bytes = scalar.to_bytes();
            before.at(operand, number).copy_from_slice(&bytes);
        }
    }
    let mut expected = before.interpret(&kernel);
    let mut found = before.execute(&kernel);
    for (number, operation) in operations.iter().enumerate() {
        let place = dtypes.len() + number;
        for (item, operands) in items.iter().enumerate() {
            let expected = Scalar::from_bytes(all[place], expected.at(place, item));
            let found = Scalar::from_bytes(all[place], found.at(place, item));
            let size = summands(*operation, operands, expected);
            assert!(
                close(expected, found, size),
                "{} of {operands:?} is {expected:?}, not {found:?}",
                operation.name()
            );
        }
    }
}

macro_rules! each_dtype {
    ($($name:ident: $dtype:ident;)*) => {$(
        #[test]
        fn $name() {
            check([DType::$dtype; 3]);
        }
    )*};
}

each_dtype! {
    bool_machine_code_gives_what_the_interpreter_gives: Bool;
    int8_machine_code_gives_what_the_interpreter_gives: Int8;
    int16_machine_code_gives_what_the_interpreter_gives: Int16;
    int32_machine_code_gives_what_the_interpreter_gives: Int32;
    int64_machine_code_gives_what_the_interpreter_gives: Int64;
    uint8_machine_code_gives_what_the_interpreter_gives: UInt8;
    uint16_machine_code_gives_what_the_interpreter_gives: UInt16;
    uint32_machine_code_gives_what_the_interpreter_gives: UInt32;
    uint64_machine_code_gives_what_the_interpreter_gives: UInt64;
    float16_machine_code_gives_what_the_interpreter_gives: Float16;
    float32_machine_code_gives_what_the_interpreter_gives: Float32;
    float64_machine_code_gives_what_the_interpreter_gives: Float64;
    complex64_machine_code_gives_what_the_interpreter_gives: Complex64;
    complex128_machine_code_gives_what_the_interpreter_gives: Complex128;
}

#[test]
fn signed_and_unsigned_integers_are_compared_by_value() {
    check([DType::Int64, DType::UInt64, DType::Int64]);
    check([DType::UInt64, DType::Int8, DType::UInt64]);
}
