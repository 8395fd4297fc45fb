//! Python's `cmath` module in jit functions: functions of complex128, whose results are Python's own
//! numbers.

use crate::calls::Arguments;
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use colocate_ir::{BinaryOp, DType, MathFunction, Op, UnaryOp, ValueId};
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// A call; nothing if there is no such function.
    pub fn call_cmath(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let direct = match name {
            "exp" => Some(MathFunction::Exp),
            "log" => Some(MathFunction::Log),
            "log10" => Some(MathFunction::Log10),
            "sqrt" => Some(MathFunction::Sqrt),
            "sin" => Some(MathFunction::Sin),
            "cos" => Some(MathFunction::Cos),
            "tan" => Some(MathFunction::Tan),
            "sinh" => Some(MathFunction::Sinh),
            "cosh" => Some(MathFunction::Cosh),
            "tanh" => Some(MathFunction::Tanh),
            _ => None,
        };
        let inverse = match name {
            "acos" => Some("numpy.arccos"),
            "asin" => Some("numpy.arcsin"),
            "atan" => Some("numpy.arctan"),
            "acosh" => Some("numpy.arccosh"),
            "asinh" => Some("numpy.arcsinh"),
            "atanh" => Some("numpy.arctanh"),
            _ => None,
        };
        let known = ["phase", "polar", "rect", "isnan", "isinf", "isfinite"];
        if direct.is_none() && inverse.is_none() && !known.contains(&name) {
            return None;
        }
        let full = format!("cmath.{name}");
        let counts = match name {
            "log" => 1..=2,
            "rect" => 2..=2,
            _ => 1..=1,
        };
        let Some(x) = self.numbers(&full, arguments, counts, range) else {
            return Some(Value::Poison);
        };
        if name == "rect" {
            let size = self.as_dtype(&x[0], DType::Float64);
            let angle = self.as_dtype(&x[1], DType::Float64);
            let cos = self.b.math(MathFunction::Cos, &[angle]);
            let sin = self.b.math(MathFunction::Sin, &[angle]);
            let re = self.b.binary(BinaryOp::Multiply, size, cos);
            let im = self.b.binary(BinaryOp::Multiply, size, sin);
            let ir = self.b.op(Op::Complex(re, im));
            return Some(Scalar::new(DType::Complex128, true, ir).into());
        }
        let numbers: Vec<Scalar> = x
            .iter()
            .map(|one| {
                let ir = self.as_dtype(one, DType::Complex128);
                Scalar::new(DType::Complex128, true, ir)
            })
            .collect();
        if let Some(function) = inverse {
            let given = [(
                Value::Scalar(Scalar {
                    weak: false,
                    ..numbers[0]
                }),
                range,
            )];
            return Some(match self.library(function, &given, &[], &[], range) {
                Value::Scalar(result) => Scalar {
                    weak: true,
                    ..result
                }
                .into(),
                other => other,
            });
        }
        if let Some(function) = direct {
            let result = self.complex_function(function, &numbers[0])?;
            let Some(base) = numbers.get(1) else {
                return Some(result.into());
            };
            let below = self.complex_function(function, base)?;
            return Some(self.arithmetic(ruff_python_ast::Operator::Div, &result, &below, range));
        }
        let ir = self.ir(&numbers[0]);
        let re = self.b.unary(UnaryOp::Real, ir);
        let im = self.b.unary(UnaryOp::Imaginary, ir);
        let float = |ir: ValueId| Value::Scalar(Scalar::new(DType::Float64, true, ir));
        Some(match name {
            "phase" => float(self.b.math(MathFunction::Atan2, &[im, re])),
            "polar" => {
                let size = self.b.math(MathFunction::Hypot, &[re, im]);
                let angle = self.b.math(MathFunction::Atan2, &[im, re]);
                Value::Tuple(vec![float(size), float(angle)])
            }
            _ => {
                let (op, both) = match name {
                    "isnan" => (UnaryOp::IsNan, BinaryOp::BitOr),
                    "isinf" => (UnaryOp::IsInf, BinaryOp::BitOr),
                    _ => (UnaryOp::IsFinite, BinaryOp::BitAnd),
                };
                let (a, b) = (self.b.unary(op, re), self.b.unary(op, im));
                Scalar::new(DType::Bool, true, self.b.binary(both, a, b)).into()
            }
        })
    }
}
