//! Powers of complex numbers: whole exponents exactly as NumPy computes them, others closely.

mod execution;

use colocate_dtype::DType;
use colocate_ir::interpret::Scalar;
use colocate_ir::{BinaryOp, Kernel, Literal};
use colocate_passes::to_core;
use execution::{Call, elementwise, same};
use std::f64::consts::{E, FRAC_PI_2, PI};

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

type Number = (f64, f64);

fn power() -> Kernel {
    elementwise(DType::Complex128, |b, x, y| b.binary(BinaryOp::Power, x, y))
}

fn constant_power(exponent: f64) -> Kernel {
    elementwise(DType::Complex128, |b, x, _| {
        let constant = b.literal(Literal::Complex(DType::Complex128, exponent, 0.0));
        b.binary(BinaryOp::Power, x, constant)
    })
}

fn compute(kernel: &Kernel, a: Number, b: Number) -> Number {
    let mut call = Call::default();
    for (re, im) in [a, b] {
        call.array(DType::Complex128, &[Scalar::Complex128(re, im)]);
    }
    call.zeros(DType::Complex128, 1);
    call.run(kernel, [1; 3], [1; 3]);
    match call.read(2)[0] {
        Scalar::Complex128(re, im) => (re, im),
        other => panic!("{other:?} is not complex128"),
    }
}

#[track_caller]
fn assert_exact(found: Number, expected: Number, what: &str) {
    let [a, b] = [found, expected].map(|(re, im)| Scalar::Complex128(re, im));
    assert!(same(a, b), "{what} is {found:?}, not {expected:?}");
}

#[track_caller]
fn assert_close(found: Number, expected: Number) {
    let distance = (found.0 - expected.0).hypot(found.1 - expected.1);
    let size = expected.0.hypot(expected.1);
    assert!(distance <= 1e-13 * size, "{found:?} is not {expected:?}");
}

fn multiply(a: Number, b: Number) -> Number {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

const BASES: [Number; 9] = [
    (1.5, -0.25),
    (-2.0, 0.0),
    (-0.0, 3.0),
    (0.1, 0.7),
    (1e200, 1e200),
    (INF, 1.0),
    (1.0, -INF),
    (NAN, 0.5),
    (-1e-200, 1e-180),
];

#[test]
fn the_first_three_powers_are_products_of_the_base_alone() {
    for a in BASES {
        let square = multiply(a, a);
        let expected = [a, square, multiply(a, square)];
        for (exponent, expected) in [1.0, 2.0, 3.0].into_iter().zip(expected) {
            let what = format!("{a:?} ** {exponent}");
            let found = compute(&to_core(power()), a, (exponent, 0.0));
            assert_exact(found, expected, &what);
            let found = compute(&to_core(constant_power(exponent)), a, (0.0, 0.0));
            assert_exact(found, expected, &what);
        }
    }
}

#[test]
fn a_constant_exponent_gives_the_bits_of_a_variable_one() {
    for exponent in [-99, -7, -3, -2, -1, 0, 1, 2, 3, 4, 5, 31, 64, 99] {
        let exponent = f64::from(exponent);
        let (constant, variable) = (to_core(constant_power(exponent)), to_core(power()));
        for a in BASES.into_iter().chain([(0.0, 0.0), (-0.0, 0.0)]) {
            let expected = compute(&variable, a, (exponent, 0.0));
            let found = compute(&constant, a, (NAN, NAN));
            assert_exact(found, expected, &format!("{a:?} ** {exponent}"));
        }
    }
}

#[test]
fn whole_exponents_are_the_interpreters() {
    for exponent in (-99..=99).filter(|exponent| !(-3..0).contains(exponent)) {
        for a in BASES {
            let b = (f64::from(exponent), 0.0);
            let expected = compute(&power(), a, b);
            let found = compute(&to_core(power()), a, b);
            assert_exact(found, expected, &format!("{a:?} ** {exponent}"));
        }
    }
    for exponent in [-1.0, -2.0, -3.0] {
        for a in &BASES[..4] {
            let expected = compute(&power(), *a, (exponent, 0.0));
            let found = compute(&to_core(power()), *a, (exponent, 0.0));
            assert_exact(found, expected, &format!("{a:?} ** {exponent}"));
        }
    }
}

#[test]
fn powers_of_zero_are_zero_one_or_nothing() {
    let core = to_core(power());
    for zero in [(0.0, 0.0), (-0.0, 0.0), (0.0, -0.0)] {
        for (exponent, expected) in [
            ((0.0, 0.0), (1.0, 0.0)),
            ((-0.0, 0.0), (1.0, 0.0)),
            ((2.0, 0.0), (0.0, 0.0)),
            ((0.5, 0.0), (0.0, 0.0)),
            ((-1.0, 0.0), (NAN, NAN)),
            ((-0.5, 2.0), (NAN, NAN)),
            ((0.0, 1.0), (NAN, NAN)),
        ] {
            let found = compute(&core, zero, exponent);
            assert_exact(found, expected, &format!("{zero:?} ** {exponent:?}"));
        }
    }
    // Even of a number that is none.
    assert_exact(
        compute(&core, (NAN, INF), (0.0, 0.0)),
        (1.0, 0.0),
        "nan ** 0",
    );
}

#[test]
fn other_exponents_go_by_way_of_the_logarithm() {
    let core = to_core(power());
    let root = 0.5f64.sqrt();
    for (a, b, expected) in [
        ((0.0, 1.0), (0.0, 1.0), ((-FRAC_PI_2).exp(), 0.0)),
        ((-1.0, 0.0), (0.5, 0.0), (0.0, 1.0)),
        ((0.0, 1.0), (0.5, 0.0), (root, root)),
        ((4.0, 0.0), (-0.5, 0.0), (0.5, 0.0)),
        ((E, 0.0), (0.0, PI), (-1.0, 0.0)),
        ((2.0, 0.0), (100.0, 0.0), (2f64.powi(100), 0.0)),
        // The magnitude is beyond the largest float.
        ((1.5e308, 1.5e308), (0.0, 1.0), {
            let log = 1.5f64.hypot(1.5);
            let angle = f64::ln(log) + 308.0 * f64::ln(10.0);
            let size = (-PI / 4.0).exp();
            (size * angle.cos(), size * angle.sin())
        }),
        // The magnitude has few digits.
        ((0.0, 5e-324), (0.5, 0.0), {
            let size = 5e-324f64.sqrt();
            (size * root, size * root)
        }),
    ] {
        assert_close(compute(&core, a, b), expected);
    }
    // A real power of a real number is real, even if it overflows.
    let found = compute(&core, (1e300, 0.0), (1.5, 0.0));
    assert_exact(found, (INF, 0.0), "1e300 ** 1.5");
}
