//! NumPy's functions of two scalars that are operators, comparisons or close to them.

use crate::builtins_numpy::strengthen;
use crate::translate::Translator;
use crate::types::{self, float_for_both, is_integer, promote};
use crate::value::{Constant, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType, Kind, Literal, MathFunction, UnaryOp};
use ruff_python_ast::{CmpOp, Operator};
use ruff_text_size::TextRange;

/// What there is.
pub(crate) const PAIRS: &[&str] = &[
    "add",
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "divide",
    "equal",
    "float_power",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "gcd",
    "greater",
    "greater_equal",
    "heaviside",
    "left_shift",
    "less",
    "less_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "mod",
    "multiply",
    "not_equal",
    "pow",
    "power",
    "remainder",
    "right_shift",
    "subtract",
    "true_divide",
];

impl Translator<'_> {
    /// One of [`PAIRS`].
    pub fn numpy_pair(&mut self, name: &str, a: &Scalar, b: &Scalar, range: TextRange) -> Value {
        let (a, b) = &strengthen(a, b);
        let operator = match name {
            "add" => Operator::Add,
            "subtract" => Operator::Sub,
            "multiply" => Operator::Mult,
            "divide" | "true_divide" => Operator::Div,
            "floor_divide" => Operator::FloorDiv,
            "mod" | "remainder" => Operator::Mod,
            "power" | "pow" => Operator::Pow,
            "left_shift" | "bitwise_left_shift" => Operator::LShift,
            "right_shift" | "bitwise_right_shift" => Operator::RShift,
            "bitwise_and" => Operator::BitAnd,
            "bitwise_or" => Operator::BitOr,
            "bitwise_xor" => Operator::BitXor,
            _ => return self.numpy_other_pair(name, a, b, range),
        };
        self.arithmetic(operator, a, b, range)
    }

    fn numpy_other_pair(&mut self, name: &str, a: &Scalar, b: &Scalar, range: TextRange) -> Value {
        let comparison = match name {
            "equal" => Some(CmpOp::Eq),
            "not_equal" => Some(CmpOp::NotEq),
            "less" => Some(CmpOp::Lt),
            "less_equal" => Some(CmpOp::LtE),
            "greater" => Some(CmpOp::Gt),
            "greater_equal" => Some(CmpOp::GtE),
            _ => None,
        };
        if let Some(op) = comparison {
            let value = self.compare_elements(op, a, b, range);
            return self.strong(value);
        }
        let logical = match name {
            "logical_and" => Some(BinaryOp::BitAnd),
            "logical_or" => Some(BinaryOp::BitOr),
            "logical_xor" => Some(BinaryOp::BitXor),
            _ => None,
        };
        if let Some(op) = logical {
            let (x, y) = (
                self.truth(&(*a).into(), range),
                self.truth(&(*b).into(), range),
            );
            let (Some(x), Some(y)) = (x, y) else {
                return Value::Poison;
            };
            let result = self.apply(op, &x, &y, (DType::Bool, false), range);
            return result.map_or(Value::Poison, Value::Scalar);
        }
        let (dtype, _) = promote(a, b);
        if name == "float_power" {
            let dtype = if dtype.kind() == Kind::Complex {
                DType::Complex128
            } else {
                DType::Float64
            };
            let result = self.apply(BinaryOp::Power, a, b, (dtype, false), range);
            return result.map_or(Value::Poison, Value::Scalar);
        }
        if let (Kind::Complex, "maximum" | "minimum" | "fmax" | "fmin") = (dtype.kind(), name) {
            return self.complex_extreme(name, a, b, dtype).into();
        }
        if dtype.kind() == Kind::Complex {
            let complex = if a.dtype.kind() == Kind::Complex {
                a
            } else {
                b
            };
            return self.not_real(&format!("numpy.{name}"), complex, range);
        }
        match name {
            "minimum" | "maximum" => {
                let bools = dtype == DType::Bool;
                let op = match (name, bools) {
                    ("minimum", true) => BinaryOp::BitAnd,
                    (_, true) => BinaryOp::BitOr,
                    ("minimum", false) => BinaryOp::Minimum,
                    (_, false) => BinaryOp::Maximum,
                };
                self.apply(op, a, b, (dtype, false), range)
                    .map_or(Value::Poison, Value::Scalar)
            }
            "fmin" | "fmax" => self.ignoring_nan(name, a, b, dtype, range),
            "fmod" => {
                let dtype = if dtype == DType::Bool {
                    DType::Int8
                } else {
                    dtype
                };
                let (Some(x), Some(y)) =
                    (self.operand(a, dtype, range), self.operand(b, dtype, range))
                else {
                    return Value::Poison;
                };
                let ir = if is_integer(dtype) {
                    self.b.binary(BinaryOp::Remainder, x, y)
                } else {
                    self.b.math(MathFunction::Fmod, &[x, y])
                };
                Scalar::new(dtype, false, ir).into()
            }
            // NumPy has it for integers of one dtype, and int64 and uint64 have none in common.
            "gcd" if !is_integer(dtype) => {
                self.no_operator("numpy.gcd", &[&(*a).into(), &(*b).into()], range)
            }
            "gcd" => {
                let value = self.gcd(&[*a, *b], range);
                match value {
                    Value::Scalar(scalar) if is_integer(dtype) => {
                        self.cast(&scalar, dtype, false).into()
                    }
                    other => other,
                }
            }
            _ => self.heaviside(a, b),
        }
    }

    fn ignoring_nan(
        &mut self,
        name: &str,
        a: &Scalar,
        b: &Scalar,
        dtype: DType,
        range: TextRange,
    ) -> Value {
        let plain = if name == "fmin" { "minimum" } else { "maximum" };
        if dtype.kind() != Kind::Float {
            return self.numpy_pair(plain, a, b, range);
        }
        let (x, y) = (self.as_dtype(a, dtype), self.as_dtype(b, dtype));
        let op = if name == "fmin" {
            BinaryOp::Minimum
        } else {
            BinaryOp::Maximum
        };
        let best = self.b.binary(op, x, y);
        let x_nan = self.b.unary(UnaryOp::IsNan, x);
        let y_nan = self.b.unary(UnaryOp::IsNan, y);
        let without_y = self.b.select(y_nan, x, best);
        Scalar::new(dtype, false, self.b.select(x_nan, y, without_y)).into()
    }

    fn heaviside(&mut self, a: &Scalar, b: &Scalar) -> Value {
        let dtype = float_for_both(a, b);
        let (x, middle) = (self.as_dtype(a, dtype), self.as_dtype(b, dtype));
        let zero = self.b.literal(Literal::zero(dtype));
        let one = self.b.literal(Literal::small(dtype, 1));
        let below = self.b.compare(CompareOp::Less, x, zero);
        let above = self.b.compare(CompareOp::Greater, x, zero);
        let nan = self.b.unary(UnaryOp::IsNan, x);
        let result = self.b.select(above, one, middle);
        let result = self.b.select(below, zero, result);
        Scalar::new(dtype, false, self.b.select(nan, x, result)).into()
    }

    /// -1, 0 or 1; NaN of NaN.
    pub fn sign(&mut self, x: &Scalar, range: TextRange) -> Value {
        if x.dtype == DType::Bool {
            return self.no_operator("numpy.sign", &[&(*x).into()], range);
        }
        let ir = self.ir(x);
        let zero = self.b.literal(Literal::zero(x.dtype));
        let one = self.b.literal(Literal::small(x.dtype, 1));
        let above = self.b.compare(CompareOp::Greater, ir, zero);
        if x.dtype.kind() == Kind::UInt {
            return Scalar::new(x.dtype, false, self.b.select(above, one, zero)).into();
        }
        let minus = self.b.literal(Literal::small(x.dtype, -1));
        let below = self.b.compare(CompareOp::Less, ir, zero);
        // Zero keeps nothing of its sign, and NaN is given back as it is.
        let rest = if x.dtype.kind() == Kind::Float {
            let nan = self.b.unary(UnaryOp::IsNan, ir);
            self.b.select(nan, ir, zero)
        } else {
            zero
        };
        let rest = self.b.select(below, minus, rest);
        Scalar::new(x.dtype, false, self.b.select(above, one, rest)).into()
    }

    /// `1 / x` in the dtype of `x`.
    pub fn reciprocal(&mut self, one: &Scalar, x: &Scalar, range: TextRange) -> Value {
        match x.dtype.kind() {
            Kind::Bool => {
                let one = Scalar::constant(DType::Int8, false, Constant::Int(1));
                let x = self.cast(x, DType::Int8, false);
                self.reciprocal(&one, &x, range)
            }
            Kind::Int | Kind::UInt => {
                let (a, b) = (self.ir(one), self.ir(x));
                Scalar::new(x.dtype, false, self.b.binary(BinaryOp::Quotient, a, b)).into()
            }
            _ => {
                let one = Scalar::constant(x.dtype, false, types::cast(Constant::Int(1), x.dtype));
                self.arithmetic(Operator::Div, &one, x, range)
            }
        }
    }
}
