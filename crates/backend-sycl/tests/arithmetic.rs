//! What numbers become on the real runtime, where one is installed.

mod installed;
mod machine;
mod vectors;

use colocate_ir::{
    BinaryOp, DType, KernelBuilder, KernelKind, Literal, MathFunction, Place, StatementKind,
    UnaryOp,
};
use machine::machine;
use vectors::{elementwise, global_id, run_elementwise, vector};

#[test]
fn multiplication_and_addition_are_rounded_one_by_one() {
    let Some(machine) = machine() else { return };
    let multiply_add = |fast_math: bool| {
        let mut kernel = elementwise(DType::Float64, DType::Float64, |builder, a, b| {
            let square = builder.binary(BinaryOp::Multiply, a, a);
            builder.binary(BinaryOp::Add, square, b)
        });
        kernel.fast_math = fast_math;
        kernel
    };
    // The exact square of this is not a float64: rounding it first leaves nothing.
    let a = vec![1.0 + 2f64.powi(-30); 33];
    let b: Vec<f64> = a.iter().map(|a| -(a * a)).collect();
    let rounded: Vec<f64> = run_elementwise(&machine, &multiply_add(false), &a, &b);
    assert_eq!(rounded, vec![0.0; 33]);
    let fast: Vec<f64> = run_elementwise(&machine, &multiply_add(true), &a, &b);
    assert!(
        fast.iter().all(|x| *x == 0.0 || *x == 2f64.powi(-60)),
        "{fast:?}"
    );
}

#[test]
fn single_precision_division_and_roots_are_rounded_correctly_and_keep_small_numbers() {
    let Some(machine) = machine() else { return };
    let mut state = 1u32;
    let mut random = || {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        f32::from_bits(state >> 1 & 0x7fff_ffff)
    };
    let mut a: Vec<f32> = (0..4000).map(|_| random()).collect();
    let mut b: Vec<f32> = (0..4000).map(|_| random()).collect();
    a.extend([1e-40, 1e-38, 3e-45]);
    b.extend([2.0, 1e3, 1.0]);
    let divide = elementwise(DType::Float32, DType::Float32, |builder, a, b| {
        builder.binary(BinaryOp::Divide, a, b)
    });
    let found: Vec<f32> = run_elementwise(&machine, &divide, &a, &b);
    for ((a, b), found) in a.iter().zip(&b).zip(found) {
        let expected = a / b;
        let same = expected.to_bits() == found.to_bits() || expected.is_nan() && found.is_nan();
        assert!(same, "{a:e} / {b:e} = {expected:e}, found {found:e}");
    }
    let root = elementwise(DType::Float32, DType::Float32, |builder, a, _| {
        builder.math(MathFunction::Sqrt, &[a])
    });
    let found: Vec<f32> = run_elementwise(&machine, &root, &a, &b);
    for (a, found) in a.iter().zip(found) {
        let expected = a.sqrt();
        let same = expected.to_bits() == found.to_bits() || expected.is_nan() && found.is_nan();
        assert!(same, "sqrt({a:e}) = {expected:e}, found {found:e}");
    }
}

#[test]
fn every_float16_becomes_a_float32_and_floats_are_rounded_to_float16_once() {
    let Some(machine) = machine() else { return };
    let widen = elementwise(DType::Float16, DType::Float32, |builder, a, _| {
        builder.convert(a, DType::Float32)
    });
    let all: Vec<u16> = (0..=u16::MAX).collect();
    let found: Vec<f32> = run_elementwise(&machine, &widen, &all, &all);
    for (&bits, found) in all.iter().zip(&found) {
        let expected = half::f16::from_bits(bits).to_f32();
        let same = expected.to_bits() == found.to_bits() || expected.is_nan() && found.is_nan();
        assert!(same, "{bits:#x}: {expected:e}, found {found:e}");
    }

    // Every float16, the middle between it and the next, and what lies a little to either side,
    // with what they become.
    let mut doubles = vec![(1e300, 0x7c00), (f64::INFINITY, 0x7c00), (1e-320, 0)];
    let mut singles = vec![(1e30f32, 0x7c00), (f32::INFINITY, 0x7c00), (1e-40, 0)];
    for bits in 0..0x7c00u16 {
        let value = |bits: u16| half::f16::from_bits(bits).to_f64();
        let middle = match bits {
            0x7bff => 65520.0,
            _ => (value(bits) + value(bits + 1)) / 2.0,
        };
        let even = bits + (bits & 1);
        let (low, high) = (value(bits), bits + 1);
        doubles.extend([(low, bits), (middle, even), (middle.next_up(), high)]);
        doubles.push((middle.next_down(), bits));
        let (low, middle) = (low as f32, middle as f32);
        singles.extend([(low, bits), (middle, even), (middle.next_up(), high)]);
        singles.push((middle.next_down(), bits));
    }
    macro_rules! check {
        ($from:ident, $cases:expr, $nan:expr) => {
            let narrow = elementwise(DType::$from, DType::Float16, |builder, a, _| {
                builder.convert(a, DType::Float16)
            });
            let (mut floats, mut expected): (Vec<_>, Vec<u16>) = $cases.into_iter().unzip();
            floats.extend(floats.clone().iter().map(|x| -x));
            expected.extend(expected.clone().iter().map(|bits| bits | 0x8000));
            floats.push($nan);
            let found: Vec<u16> = run_elementwise(&machine, &narrow, &floats, &floats);
            for ((x, expected), found) in floats.iter().zip(expected).zip(&found) {
                assert_eq!(*found, expected, "{x:e}");
            }
            assert!(half::f16::from_bits(found[found.len() - 1]).is_nan());
        };
    }
    check!(Float64, doubles, f64::NAN);
    check!(Float32, singles, f32::NAN);
}

#[test]
fn integers_divide_and_shift_totally() {
    let Some(machine) = machine() else { return };
    let edges = [i32::MIN, -33, -32, -7, -1, 0, 1, 3, 31, 32, i32::MAX];
    let pairs = || edges.into_iter().flat_map(|a| edges.map(|b| (a, b)));
    let (a, b): (Vec<i32>, Vec<i32>) = pairs().unzip();
    let out = |b: i32| !(0..32).contains(&b);
    type Function<'a> = &'a dyn Fn(i32, i32) -> i32;
    let cases: [(BinaryOp, Function); 4] = [
        (BinaryOp::Quotient, &|a, b| {
            if b == 0 { 0 } else { a.wrapping_div(b) }
        }),
        (BinaryOp::Remainder, &|a, b| {
            if b == 0 { 0 } else { a.wrapping_rem(b) }
        }),
        (BinaryOp::ShiftLeft, &|a, b| if out(b) { 0 } else { a << b }),
        (BinaryOp::ShiftRight, &|a, b| {
            a >> if out(b) { 31 } else { b }
        }),
    ];
    for (op, expected) in cases {
        let kernel = elementwise(DType::Int32, DType::Int32, |builder, a, b| {
            builder.binary(op, a, b)
        });
        let found: Vec<i32> = run_elementwise(&machine, &kernel, &a, &b);
        let expected: Vec<i32> = pairs().map(|(a, b)| expected(a, b)).collect();
        assert_eq!(found, expected, "{}", op.name());
    }
}

#[test]
fn floats_become_integers_as_in_numpy() {
    let Some(machine) = machine() else { return };
    let mut floats = vec![
        f64::NAN,
        f64::INFINITY,
        -f64::INFINITY,
        0.0,
        -0.9,
        0.9,
        1e300,
        -1e300,
    ];
    for power in [7, 8, 15, 16, 31, 32, 63, 64] {
        let edge = 2f64.powi(power);
        for x in [edge, edge.next_down(), edge - 0.5, edge + 0.5, edge - 1.0] {
            floats.extend([x, -x]);
        }
    }
    macro_rules! check {
        ($($dtype:ident: $t:ty),*) => {$(
            let kernel = elementwise(DType::Float64, DType::$dtype, |builder, a, _| {
                builder.convert(a, DType::$dtype)
            });
            let found: Vec<$t> = run_elementwise(&machine, &kernel, &floats, &floats);
            for (x, found) in floats.iter().zip(found) {
                let expected = colocate_ir::interpret::integer_from_float(*x, DType::$dtype);
                assert_eq!(i128::from(found), expected, "{x:e} to {}", stringify!($t));
            }
        )*};
    }
    check!(Int8: i8, Int16: i16, Int32: i32, Int64: i64);
    check!(UInt8: u8, UInt16: u16, UInt32: u32, UInt64: u64);
}

#[test]
fn nan_spreads_through_minimum_and_maximum_and_is_found() {
    let Some(machine) = machine() else { return };
    let a = [1.0, f64::NAN, 1.0, f64::NAN, -1.0];
    let b = [2.0, 2.0, f64::NAN, f64::NAN, f64::INFINITY];
    for (op, expected) in [
        (BinaryOp::Minimum, [1.0, f64::NAN, f64::NAN, f64::NAN, -1.0]),
        (
            BinaryOp::Maximum,
            [2.0, f64::NAN, f64::NAN, f64::NAN, f64::INFINITY],
        ),
    ] {
        let kernel = elementwise(DType::Float64, DType::Float64, |builder, a, b| {
            builder.binary(op, a, b)
        });
        let found: Vec<f64> = run_elementwise(&machine, &kernel, &a, &b);
        assert_eq!(format!("{found:?}"), format!("{expected:?}"));
    }
    let x = [0.0, -0.0, f64::NAN, f64::INFINITY, -f64::INFINITY, 1e-320];
    for (op, expected) in [
        (UnaryOp::IsNan, [0, 0, 1, 0, 0, 0]),
        (UnaryOp::IsInf, [0, 0, 0, 1, 1, 0]),
        (UnaryOp::IsFinite, [1, 1, 0, 0, 0, 1]),
        (UnaryOp::SignBit, [0, 1, 0, 0, 1, 0]),
    ] {
        let kernel = elementwise(DType::Float64, DType::Bool, |builder, a, _| {
            builder.unary(op, a)
        });
        let found: Vec<u8> = run_elementwise(&machine, &kernel, &x, &x);
        assert_eq!(found, expected, "{}", op.name());
    }
}

#[test]
fn a_negated_number_is_the_items_own_on_both_sides_of_a_barrier() {
    let Some(machine) = machine() else { return };
    for way in 0..3 {
        let mut builder = KernelBuilder::new("negate", 1, KernelKind::NdRange);
        let to = vector(&mut builder, "to", DType::Float64);
        let i = global_id(&mut builder, 0);
        let number = builder.convert(i, DType::Float64);
        let minus_one = builder.literal(Literal::Float(DType::Float64, -1.0));
        let opposite = match way {
            0 => builder.unary(UnaryOp::Negate, number),
            1 => builder.binary(BinaryOp::Multiply, minus_one, number),
            _ => builder.binary(BinaryOp::Divide, number, minus_one),
        };
        let zero = builder.math(MathFunction::Fmod, &[opposite, opposite]);
        let sum = builder.binary(BinaryOp::Add, opposite, zero);
        for value in [opposite, sum] {
            builder.push(StatementKind::Barrier { global: false });
            builder.store(Place::new(to, [i]), value);
        }
        let to = machine.buffer(&[9f64; 8]);
        machine.run(&builder.finish(), &[to.address(), 8], &[8], Some(&[4]));
        let expected: Vec<f64> = (1..8).map(|i| -f64::from(i)).collect();
        assert_eq!(to.read()[1..], expected);
    }
}

#[test]
fn bits_are_kept_when_they_are_seen_as_another_dtype() {
    let Some(machine) = machine() else { return };
    let seen_as = |from, to| elementwise(from, to, move |builder, a, _| builder.bitcast(a, to));
    let halves: Vec<u16> = (0..=u16::MAX).collect();
    let kernel = seen_as(DType::Float16, DType::UInt16);
    let found: Vec<u16> = run_elementwise(&machine, &kernel, &halves, &halves);
    assert_eq!(found, halves);
    let singles: Vec<f32> = vec![0.0, -0.0, 1.0, -2.5, 1e-40, f32::INFINITY];
    let kernel = seen_as(DType::Float32, DType::Int32);
    let found: Vec<i32> = run_elementwise(&machine, &kernel, &singles, &singles);
    let expected: Vec<i32> = singles.iter().map(|x| x.to_bits() as i32).collect();
    assert_eq!(found, expected);
    let patterns: Vec<u64> = vec![0, 1, 0x3ff0 << 48, 0xbff8 << 48, 0x7ff0 << 48, 1 << 63];
    let kernel = seen_as(DType::UInt64, DType::Float64);
    let found: Vec<f64> = run_elementwise(&machine, &kernel, &patterns, &patterns);
    let found: Vec<u64> = found.into_iter().map(f64::to_bits).collect();
    assert_eq!(found, patterns);
}
