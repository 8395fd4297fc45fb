//! Python's `math` module: functions of float64, whose results are Python's own numbers.

use crate::calls::Arguments;
use crate::objects::anything::is_anything;
use crate::translate::Translator;
use crate::types::is_integer;
use crate::value::{Know, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType, Kind, Literal, MathFunction, Op, UnaryOp, ValueId};
use ruff_python_ast::Operator;
use ruff_text_size::TextRange;

/// What there is.
pub(crate) const NAMES: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "degrees",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "fabs",
    "floor",
    "fma",
    "fmod",
    "gamma",
    "gcd",
    "hypot",
    "isclose",
    "isfinite",
    "isinf",
    "isnan",
    "ldexp",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "modf",
    "nextafter",
    "pow",
    "radians",
    "sin",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
];

/// The functions that are one operation of the IR.
pub(crate) fn direct(name: &str) -> Option<MathFunction> {
    MathFunction::ALL.iter().copied().find(|function| {
        function.name() == name
            && !matches!(
                function,
                MathFunction::ReciprocalSqrt
                    | MathFunction::Floor
                    | MathFunction::Ceil
                    | MathFunction::Truncate
                    | MathFunction::RoundEven
            )
    })
}

impl Translator<'_> {
    /// A call; nothing if there is no such function.
    pub fn call_math(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        if !NAMES.contains(&name) {
            return None;
        }
        let given: Vec<&Value> = arguments.positional.iter().map(|(one, _)| one).collect();
        let any = given.iter().any(|one| is_anything(one));
        if any && arguments.keywords.is_empty() && self.is_program() && self.level() == 0 {
            return Some(self.foreign_call(&format!("math.{name}"), &given, range));
        }
        if name == "isclose" {
            return Some(self.is_close(arguments, range).unwrap_or(Value::Poison));
        }
        let full = format!("math.{name}");
        let counts = match name {
            "log" => 1..=2,
            "hypot" | "gcd" => 1..=usize::MAX,
            "ldexp" => 2..=2,
            _ => {
                let arity = direct(name).map_or(1, MathFunction::arity);
                arity..=arity
            }
        };
        let Some(x) = self.numbers(&full, arguments, counts, range) else {
            return Some(Value::Poison);
        };
        for (position, scalar) in x.iter().enumerate() {
            if scalar.dtype.kind() == Kind::Complex {
                return Some(self.not_real(&full, scalar, arguments.positional[position].1));
            }
        }
        if name == "gcd" {
            return Some(self.gcd(&x, range));
        }
        if matches!(name, "floor" | "ceil" | "trunc") && x[0].dtype.kind() != Kind::Float {
            return Some(self.cast(&x[0], DType::Int64, true).into());
        }
        if matches!(name, "floor" | "ceil" | "trunc") {
            self.check_whole(&x[0], range);
        }
        let operands: Vec<ValueId> = x
            .iter()
            .map(|scalar| self.as_dtype(scalar, DType::Float64))
            .collect();
        if name == "log" && operands.len() == 2 {
            return Some(self.log_to_base(&operands, range));
        }
        let mut result = self.math_of_floats(name, &operands);
        if let Value::Scalar(result) = &mut result
            && let Some(ir) = result.ir
        {
            // The check would take longer than the root.
            if name != "sqrt" || !x[0].is_non_negative() {
                self.check_math(name, &operands, ir, range);
            }
            if matches!(name, "cosh" | "exp" | "exp2" | "fabs" | "hypot" | "sqrt") {
                result.know = Know::NonNegative;
            }
        }
        Some(result)
    }

    fn log_to_base(&mut self, x: &[ValueId], range: TextRange) -> Value {
        let logs: Vec<Scalar> = x
            .iter()
            .map(|one| {
                let log = self.b.math(MathFunction::Log, &[*one]);
                self.check_math("log", &[*one], log, range);
                Scalar::new(DType::Float64, true, log)
            })
            .collect();
        self.arithmetic(Operator::Div, &logs[0], &logs[1], range)
    }

    fn math_of_floats(&mut self, name: &str, x: &[ValueId]) -> Value {
        let float = |ir| Value::Scalar(Scalar::new(DType::Float64, true, ir));
        let bool = |ir| Value::Scalar(Scalar::new(DType::Bool, true, ir));
        match name {
            "floor" | "ceil" | "trunc" => {
                let function = match name {
                    "floor" => MathFunction::Floor,
                    "ceil" => MathFunction::Ceil,
                    _ => MathFunction::Truncate,
                };
                let whole = self.b.math(function, x);
                Scalar::int(self.b.convert(whole, DType::Int64), Know::Any).into()
            }
            "hypot" if x.len() != 2 => {
                let mut total = self.b.unary(UnaryOp::Abs, x[0]);
                for other in &x[1..] {
                    total = self.b.math(MathFunction::Hypot, &[total, *other]);
                }
                float(total)
            }
            "fabs" => float(self.b.unary(UnaryOp::Abs, x[0])),
            "isnan" => bool(self.b.unary(UnaryOp::IsNan, x[0])),
            "isinf" => bool(self.b.unary(UnaryOp::IsInf, x[0])),
            "isfinite" => bool(self.b.unary(UnaryOp::IsFinite, x[0])),
            "degrees" => float(self.scaled(x[0], 180.0 / std::f64::consts::PI)),
            "radians" => float(self.scaled(x[0], std::f64::consts::PI / 180.0)),
            "ldexp" => {
                let two = self.b.literal(Literal::Float(DType::Float64, 2.0));
                let power = self.b.math(MathFunction::Power, &[two, x[1]]);
                float(self.b.binary(BinaryOp::Multiply, x[0], power))
            }
            "modf" => {
                let whole = self.b.math(MathFunction::Truncate, x);
                let rest = self.b.binary(BinaryOp::Subtract, x[0], whole);
                // The rest of an infinity is zero, and of anything it has its sign.
                let infinite = self.b.unary(UnaryOp::IsInf, x[0]);
                let zero = self.b.literal(Literal::Float(DType::Float64, 0.0));
                let rest = self.b.select(infinite, zero, rest);
                let rest = self.b.math(MathFunction::CopySign, &[rest, x[0]]);
                Value::Tuple(vec![float(rest), float(whole)])
            }
            _ => match direct(name) {
                Some(function) => float(self.b.math(function, x)),
                None => Value::Poison,
            },
        }
    }

    /// A float times a constant.
    pub fn scaled(&mut self, x: ValueId, factor: f64) -> ValueId {
        let dtype = self.b.dtype(x);
        // NumPy computes with float32 for half floats: the factor is rounded once.
        let wide = match dtype {
            DType::Float16 => DType::Float32,
            other => other,
        };
        let x = self.b.convert(x, wide);
        let factor = self.b.literal(Literal::Float(wide, factor));
        let scaled = self.b.binary(BinaryOp::Multiply, x, factor);
        self.b.convert(scaled, dtype)
    }

    /// The greatest common divisor, by Euclid's loop.
    pub fn gcd(&mut self, x: &[Scalar], range: TextRange) -> Value {
        if let Some(other) = x
            .iter()
            .find(|s| !is_integer(s.dtype) && s.dtype != DType::Bool)
        {
            let other = Value::Scalar(*other);
            self.integer(&other, range, "an argument of gcd");
            return Value::Poison;
        }
        let name = self.temporary();
        let (a, b) = (
            self.variable(&name, 0, DType::Int64),
            self.variable(&name, 1, DType::Int64),
        );
        let first = self.as_dtype(&x[0], DType::Int64);
        let first = self.b.unary(UnaryOp::Abs, first);
        self.b.set(a, first);
        for other in &x[1..] {
            let other = self.as_dtype(other, DType::Int64);
            let other = self.b.unary(UnaryOp::Abs, other);
            self.b.set(b, other);
            self.b.begin_while();
            let (divisor, zero) = (self.b.get(b), self.b.int64(0));
            let going = self.b.compare(CompareOp::NotEqual, divisor, zero);
            self.b.begin_while_body(going);
            let (x, y) = (self.b.get(a), self.b.get(b));
            let rest = self.b.binary(BinaryOp::Remainder, x, y);
            self.b.set(a, y);
            self.b.set(b, rest);
            self.b.end();
        }
        Scalar::int(self.b.op(Op::Get(a)), Know::NonNegative).into()
    }

    fn is_close(&mut self, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let plain = Arguments {
            positional: arguments.positional.clone(),
            keywords: Vec::new(),
        };
        let x = self.numbers("math.isclose", &plain, 2..=2, range)?;
        let mut tolerances = [Scalar::const_float(1e-9), Scalar::const_float(0.0)];
        for (name, value, place) in &arguments.keywords {
            let slot = match name.as_str() {
                "rel_tol" => 0,
                "abs_tol" => 1,
                _ => {
                    self.exactly("math.isclose", arguments, 2..=2, range)?;
                    return None;
                }
            };
            tolerances[slot] = self.scalar(value, *place)?;
        }
        let f64 = DType::Float64;
        let (a, b) = (self.as_dtype(&x[0], f64), self.as_dtype(&x[1], f64));
        let (rel, abs) = (
            self.as_dtype(&tolerances[0], f64),
            self.as_dtype(&tolerances[1], f64),
        );
        let difference = self.b.binary(BinaryOp::Subtract, a, b);
        let difference = self.b.unary(UnaryOp::Abs, difference);
        let (size_a, size_b) = (self.b.unary(UnaryOp::Abs, a), self.b.unary(UnaryOp::Abs, b));
        let size = self.b.binary(BinaryOp::Maximum, size_a, size_b);
        let allowed = self.b.binary(BinaryOp::Multiply, rel, size);
        let allowed = self.b.binary(BinaryOp::Maximum, allowed, abs);
        let near = self.b.compare(CompareOp::LessEqual, difference, allowed);
        let finite = self.b.unary(UnaryOp::IsFinite, size);
        let near = self.b.binary(BinaryOp::BitAnd, near, finite);
        let same = self.b.compare(CompareOp::Equal, a, b);
        let close = self.b.binary(BinaryOp::BitOr, near, same);
        Some(Scalar::new(DType::Bool, true, close).into())
    }
}
