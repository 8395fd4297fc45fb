//! Operations mean the same before and after the passes, for numbers that are likely to go
//! wrong.

mod execution;

use colocate_dtype::{DType, Kind};
use colocate_ir::interpret::Scalar;
use colocate_ir::{BinaryOp, CompareOp, Literal, MathFunction, Op, UnaryOp};
use execution::{awkward, elementwise, pairs, same, same_for_all_pairs};

#[test]
fn operations_of_one_operand() {
    for dtype in DType::ALL {
        for &op in UnaryOp::ALL {
            if op.result(dtype).is_some() {
                let kernel = elementwise(dtype, |b, x, _| b.unary(op, x));
                same_for_all_pairs(&kernel, &awkward(dtype));
            }
        }
    }
}

#[test]
fn operations_of_two_operands() {
    for dtype in DType::ALL {
        for &op in BinaryOp::ALL {
            // A complex power may be computed in another way; it has its own test.
            let other = op == BinaryOp::Power && dtype.kind() == Kind::Complex;
            if op.takes(dtype) && !other {
                let kernel = elementwise(dtype, |b, x, y| b.binary(op, x, y));
                same_for_all_pairs(&kernel, &awkward(dtype));
            }
        }
    }
}

#[test]
fn comparisons_and_choices() {
    for dtype in DType::ALL {
        for &op in CompareOp::ALL {
            let equality = matches!(op, CompareOp::Equal | CompareOp::NotEqual);
            if dtype.kind() != Kind::Complex || equality {
                let kernel = elementwise(dtype, |b, x, y| {
                    let truth = b.compare(op, x, y);
                    b.select(truth, x, y)
                });
                same_for_all_pairs(&kernel, &awkward(dtype));
            }
        }
    }
}

#[test]
fn conversions() {
    for from in DType::ALL {
        for to in DType::ALL {
            let kernel = elementwise(from, |b, x, _| b.convert(x, to));
            same_for_all_pairs(&kernel, &awkward(from));
        }
    }
}

#[test]
fn functions_of_floats() {
    for dtype in [DType::Float16, DType::Float32, DType::Float64] {
        for &function in MathFunction::ALL {
            let kernel = elementwise(dtype, |b, x, y| {
                b.math(function, &[x, y, x][..function.arity()])
            });
            same_for_all_pairs(&kernel, &awkward(dtype));
        }
    }
}

#[test]
fn a_complex_number_made_of_two_floats() {
    for dtype in [DType::Float32, DType::Float64] {
        let kernel = elementwise(dtype, |b, x, y| {
            let z = b.op(Op::Complex(x, y));
            b.binary(BinaryOp::Multiply, z, z)
        });
        same_for_all_pairs(&kernel, &awkward(dtype));
    }
}

#[test]
fn a_complex_variable_keeps_both_parts() {
    for dtype in [DType::Complex64, DType::Complex128] {
        let kernel = elementwise(dtype, |b, x, y| {
            let variable = b.variable("z", dtype);
            let before = b.get(variable);
            b.set(variable, x);
            let equal = b.compare(CompareOp::Equal, x, y);
            b.begin_if(equal);
            b.set(variable, before);
            b.end();
            b.get(variable)
        });
        same_for_all_pairs(&kernel, &awkward(dtype));
    }
}

#[test]
fn division_by_a_constant() {
    for dtype in DType::ALL {
        if !BinaryOp::Modulo.takes(dtype) {
            continue;
        }
        for number in awkward(dtype) {
            for op in [BinaryOp::FloorDivide, BinaryOp::Modulo] {
                let kernel = elementwise(dtype, |b, x, _| {
                    let constant = b.literal(number.to_literal());
                    b.binary(op, x, constant)
                });
                same_for_all_pairs(&kernel, &awkward(dtype));
            }
        }
    }
}

#[test]
fn constant_powers_of_integers() {
    for dtype in DType::ALL {
        if !matches!(dtype.kind(), Kind::Int | Kind::UInt) {
            continue;
        }
        for exponent in (-3..=17).chain([31, 64, 100, 255, 0x1_0003]) {
            let literal = Literal::Int(dtype, exponent);
            if !literal.is_valid() {
                continue;
            }
            let power = elementwise(dtype, |b, x, _| {
                let constant = b.literal(literal);
                b.binary(BinaryOp::Power, x, constant)
            });
            same_for_all_pairs(&power, &awkward(dtype));
            let exponential = elementwise(dtype, |b, x, _| {
                let constant = b.literal(literal);
                b.binary(BinaryOp::Power, constant, x)
            });
            same_for_all_pairs(&exponential, &awkward(dtype));
        }
    }
}

#[test]
fn the_square_of_a_float_is_a_product() {
    for dtype in [DType::Float16, DType::Float32, DType::Float64] {
        let power = elementwise(dtype, |b, x, _| {
            let two = b.int64(2);
            let two = b.convert(two, dtype);
            b.binary(BinaryOp::Power, x, two)
        });
        let product = elementwise(dtype, |b, x, _| b.binary(BinaryOp::Multiply, x, x));
        let numbers = awkward(dtype);
        let items = [numbers.len() * numbers.len(), 1, 1];
        let (mut found, mut expected) = (pairs(&power, &numbers), pairs(&product, &numbers));
        found.run(&colocate_passes::to_core(power), items, [1; 3]);
        expected.run(&product, items, [1; 3]);
        for (found, expected) in found.read(2).into_iter().zip(expected.read(2)) {
            assert!(same(found, expected), "{found:?} is not {expected:?}");
        }
    }
}

#[test]
fn every_float16_has_the_neighbours_it_should_have() {
    let kernel = elementwise(DType::Float16, |b, x, y| {
        b.math(MathFunction::NextAfter, &[x, y])
    });
    let all: Vec<Scalar> = (0..=u16::MAX)
        .map(|bits| Scalar::from_bytes(DType::Float16, &bits.to_le_bytes()))
        .collect();
    for towards in [f64::NEG_INFINITY, -0.0, 0.0, f64::INFINITY, f64::NAN] {
        let towards = Scalar::Float64(towards).convert(DType::Float16);
        let mut call = execution::Call::default();
        call.array(DType::Float16, &all);
        call.array(DType::Float16, &vec![towards; all.len()]);
        call.zeros(DType::Float16, all.len());
        call.is_the_same_in_core(&kernel, [all.len(), 1, 1], [1; 3]);
    }
}
