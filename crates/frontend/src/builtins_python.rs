//! Python's builtin functions.

use crate::calls::Arguments;
use crate::codes;
use crate::translate::Translator;
use crate::types::{is_integer, join};
use crate::value::{Constant, Know, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType, Kind, Literal, MathFunction, Op, UnaryOp, ValueId};
use ruff_python_ast::Operator;
use ruff_text_size::TextRange;

/// What there is.
pub(crate) const NAMES: &[&str] = &[
    "abs",
    "bool",
    "complex",
    "divmod",
    "enumerate",
    "float",
    "int",
    "len",
    "max",
    "min",
    "pow",
    "range",
    "round",
    "sum",
    "zip",
];

impl Translator<'_> {
    /// A call; nothing if there is no such function.
    pub fn call_python(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        if !NAMES.contains(&name) {
            return None;
        }
        Some(
            self.call_python_known(name, arguments, range)
                .unwrap_or(Value::Poison),
        )
    }

    fn call_python_known(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let value = match name {
            "abs" => {
                let x = self.numbers(name, arguments, 1..=1, range)?[0];
                self.absolute(&x).into()
            }
            "int" | "float" | "bool" => self.python_number(name, arguments, range)?,
            "complex" => {
                let x = self.numbers(name, arguments, 0..=2, range)?;
                self.complex_number(&x)
            }
            "divmod" => {
                let x = self.numbers(name, arguments, 2..=2, range)?;
                let quotient = self.arithmetic(Operator::FloorDiv, &x[0], &x[1], range);
                let remainder = self.arithmetic(Operator::Mod, &x[0], &x[1], range);
                Value::Tuple(vec![quotient, remainder])
            }
            "pow" => {
                let x = self.numbers(name, arguments, 2..=2, range)?;
                self.arithmetic(Operator::Pow, &x[0], &x[1], range)
            }
            "len" => {
                let (value, place) = &self.exactly(name, arguments, 1..=1, range)?[0];
                if let Value::Scalar(_) | Value::None | Value::Str(_) = value {
                    let what = value.describe();
                    let diagnostic = self
                        .wrong(
                            codes::ITERATION,
                            format!("{what} has no length in kernels"),
                            *place,
                            format!("this is {what}"),
                        )
                        .help("arrays, tuples and ranges have a length");
                    return Some(self.report(diagnostic));
                }
                self.length_of(value, *place)?.into()
            }
            "range" => self.range(arguments, range)?,
            "enumerate" => {
                let arguments = arguments.by_position(&["iterable", "start"]);
                let given = self.exactly(name, &arguments, 1..=2, range)?;
                let start = match given.get(1) {
                    Some((value, place)) => self.integer(value, *place, "the start")?,
                    None => Scalar::const_int(0),
                };
                let items = self.indexed_items(&given[0].0, range);
                Value::Enumerate(Box::new(items), start)
            }
            "zip" => {
                let given = self.exactly(name, arguments, 1..=16, range)?;
                let items = given
                    .iter()
                    .map(|(value, place)| self.indexed_items(value, *place));
                Value::Zip(items.collect())
            }
            "max" | "min" => self.extreme(name, arguments, range)?,
            "sum" => self.sum(arguments, range)?,
            _ => self.round(arguments, range)?,
        };
        Some(value)
    }

    /// The magnitude, as both Python and NumPy have it.
    pub fn absolute(&mut self, x: &Scalar) -> Scalar {
        match (x.dtype, x.weak) {
            (DType::Bool, false) => *x,
            (DType::Bool, true) => self.cast(x, DType::Int64, true),
            _ => self.apply_unary(UnaryOp::Abs, x).unwrap_or(*x),
        }
    }

    fn python_number(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let x = self.numbers(name, arguments, 0..=1, range)?;
        let dtype = match name {
            "int" => DType::Int64,
            "float" => DType::Float64,
            _ => DType::Bool,
        };
        let Some(x) = x.first() else {
            let zero = crate::types::cast(Constant::Int(0), dtype);
            return Some(Scalar::constant(dtype, true, zero).into());
        };
        if dtype == DType::Bool {
            return self.truth(&(*x).into(), range).map(|truth| {
                Scalar {
                    weak: true,
                    ..truth
                }
                .into()
            });
        }
        if x.dtype.kind() == Kind::Complex {
            return Some(self.not_real(name, x, arguments.positional[0].1));
        }
        if dtype == DType::Int64 && x.weak && x.as_int().is_some() {
            return Some(Scalar::const_int(x.as_int()?).into());
        }
        if dtype == DType::Int64 {
            self.check_whole(x, range);
        }
        Some(self.cast(x, dtype, true).into())
    }

    fn complex_number(&mut self, parts: &[Scalar]) -> Value {
        let zero = Scalar::const_float(0.0);
        match parts {
            [one] if one.dtype.kind() == Kind::Complex => {
                self.cast(one, DType::Complex128, true).into()
            }
            [re, im]
                if [re, im]
                    .iter()
                    .any(|part| part.dtype.kind() == Kind::Complex) =>
            {
                // complex(a, b) is a + b * 1j for complex parts too.
                let a = self.as_dtype(re, DType::Complex128);
                let b = self.as_dtype(im, DType::Complex128);
                let unit = self
                    .b
                    .literal(Literal::Complex(DType::Complex128, 0.0, 1.0));
                let b = self.b.binary(BinaryOp::Multiply, b, unit);
                let sum = self.b.binary(BinaryOp::Add, a, b);
                Scalar::new(DType::Complex128, true, sum).into()
            }
            parts => {
                let re = self.as_dtype(parts.first().unwrap_or(&zero), DType::Float64);
                let im = self.as_dtype(parts.get(1).unwrap_or(&zero), DType::Float64);
                Scalar::new(DType::Complex128, true, self.b.op(Op::Complex(re, im))).into()
            }
        }
    }

    fn range(&mut self, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let given = self.exactly("range", arguments, 1..=3, range)?;
        let mut parts = Vec::new();
        for (value, place) in given {
            // A bool of Python's is an integer; one of NumPy's is not.
            let value = match &*self.plain(value, *place) {
                Value::Scalar(truth) if truth.weak && truth.dtype == DType::Bool => {
                    self.cast(truth, DType::Int64, true).into()
                }
                other => other.clone(),
            };
            parts.push(self.integer(&value, *place, "a bound of a range")?);
        }
        let (zero, one) = (Scalar::const_int(0), Scalar::const_int(1));
        let parts = match parts.as_slice() {
            [stop] => [zero, *stop, one],
            [start, stop] => [*start, *stop, one],
            [start, stop, step] => [*start, *stop, *step],
            _ => return None,
        };
        if self.is_program() && parts[2].as_int().is_none_or(|step| step == 0) {
            let (step, none) = (self.ir(&parts[2]), self.b.int64(0));
            let zero = self.b.compare(colocate_ir::CompareOp::Equal, step, none);
            let raised = crate::host::failures::Raised {
                class: "ValueError",
                parts: vec![crate::host::failures::Part::Text(
                    "range() arg 3 must not be zero".into(),
                )],
            };
            self.raise_if(zero, &raised, range);
            return Some(Value::Range(Box::new(parts)));
        }
        if parts[2].as_int() == Some(0) {
            let diagnostic = self.wrong(codes::VALUE, "the step of a range cannot be 0", range, "");
            return Some(self.report(diagnostic));
        }
        Some(Value::Range(Box::new(parts)))
    }

    fn extreme(&mut self, name: &str, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let spread;
        let arguments = match arguments.positional.as_slice() {
            [(Value::Tuple(items), place)] => {
                spread = Arguments {
                    positional: items.iter().map(|item| (item.clone(), *place)).collect(),
                    keywords: arguments.keywords.clone(),
                };
                &spread
            }
            [(Value::View(view), place)] if view.rank() > 0 => {
                let diagnostic = self
                    .wrong(
                        codes::FUNCTION,
                        format!("`{name}` of an array is not supported in kernels"),
                        *place,
                        format!("this is {}", view.describe()),
                    )
                    .help("write a loop over the elements");
                return Some(self.report(diagnostic));
            }
            _ => arguments,
        };
        let counts = if arguments.positional.len() == 1 {
            1..=1
        } else {
            2..=usize::MAX
        };
        let scalars = self.numbers(name, arguments, counts, range)?;
        if scalars.len() > 1 && self.is_shown_at(range) {
            let values: Vec<Value> = scalars.into_iter().map(Value::Scalar).collect();
            return Some(self.extreme_of(name, &values, range));
        }
        let mut best = *scalars.first()?;
        for other in &scalars[1..] {
            if best.dtype.kind() == Kind::Complex || other.dtype.kind() == Kind::Complex {
                return Some(self.not_real(name, other, range));
            }
            let better = self.better(name == "min", &best, other, range);
            best = self
                .marked_choice(better, &best, other, range)
                .unwrap_or(better);
        }
        Some(best.into())
    }

    /// The first unless the second is less, or greater: what Python's `min` and `max` give, NaN
    /// included.
    fn better(&mut self, least: bool, a: &Scalar, b: &Scalar, range: TextRange) -> Scalar {
        let (dtype, weak) = join(a, b);
        let op = if least {
            BinaryOp::Minimum
        } else {
            BinaryOp::Maximum
        };
        if is_integer(dtype)
            && is_integer(a.dtype)
            && is_integer(b.dtype)
            && let Some(result) = self.apply(op, a, b, (dtype, weak), range)
        {
            return result;
        }
        let op = if least {
            CompareOp::Less
        } else {
            CompareOp::Greater
        };
        let second = self.compare_scalars(op, b, a);
        let as_they_are = self.is_program() && a.weak && b.weak;
        match second.as_int() {
            Some(0) if as_they_are => return *a,
            Some(_) if as_they_are => return *b,
            Some(0) => return self.cast(a, dtype, weak),
            Some(_) => return self.cast(b, dtype, weak),
            None => {}
        }
        let condition = self.ir(&second);
        let (x, y) = (self.as_dtype(a, dtype), self.as_dtype(b, dtype));
        Scalar::new(dtype, weak, self.b.select(condition, y, x))
    }

    fn sum(&mut self, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let given = self.exactly("sum", arguments, 1..=2, range)?;
        let items = match &given[0].0 {
            Value::Tuple(items) => items,
            Value::Named(class, items) if class.is_plain() => items,
            _ => return Some(self.unsupported_function("builtins.sum", range)),
        };
        let mut total = given
            .get(1)
            .map_or(Scalar::const_int(0).into(), |(start, _)| start.clone());
        for item in items {
            total = self.binary(Operator::Add, &total, item, range);
        }
        Some(total)
    }

    fn round(&mut self, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let arguments = arguments.by_position(&["number", "ndigits"]);
        let given = self.exactly("round", &arguments, 1..=2, range)?;
        let digits = given.get(1).map(|(value, _)| value.clone());
        let x = self.scalar(&given[0].0, given[0].1)?;
        if x.dtype.kind() == Kind::Complex {
            return Some(self.not_real("round", &x, range));
        }
        match digits {
            None | Some(Value::None) if x.dtype.kind() == Kind::Float => {
                self.check_whole(&x, range);
                let ir = self.ir(&x);
                let rounded = self.b.math(MathFunction::RoundEven, &[ir]);
                Some(Scalar::int(self.b.convert(rounded, DType::Int64), Know::Any).into())
            }
            None | Some(Value::None) => Some(self.cast(&x, DType::Int64, true).into()),
            Some(digits) => {
                let digits = self.integer(&digits, range, "the number of digits")?;
                Some(self.round_to_digits(&x, &digits).into())
            }
        }
    }

    /// To so many decimal places: as NumPy does it for its numbers, and as Python for its own.
    pub fn round_to_digits(&mut self, x: &Scalar, digits: &Scalar) -> Scalar {
        if x.dtype.kind() != Kind::Float {
            return self.round_whole(x, digits);
        }
        let ir = self.ir(x);
        if digits.as_int() == Some(0) {
            let rounded = self.b.math(MathFunction::RoundEven, &[ir]);
            return Scalar::new(x.dtype, x.weak, rounded);
        }
        let factor = self.power_of_ten(digits, x.dtype);
        let up = if x.weak {
            self.round_decimals(ir, factor)
        } else {
            let up = self.b.binary(BinaryOp::Multiply, ir, factor);
            let up = self.b.math(MathFunction::RoundEven, &[up]);
            self.b.binary(BinaryOp::Divide, up, factor)
        };
        if digits.is_non_negative() {
            return Scalar::new(x.dtype, x.weak, up);
        }
        let down = self.b.binary(BinaryOp::Divide, ir, factor);
        let down = self.b.math(MathFunction::RoundEven, &[down]);
        let down = self.b.binary(BinaryOp::Multiply, down, factor);
        let at = self.ir(digits);
        let zero = self.b.int64(0);
        let negative = self.b.compare(CompareOp::Less, at, zero);
        Scalar::new(x.dtype, x.weak, self.b.select(negative, down, up))
    }

    /// Whole numbers have decimals only before the point.
    fn round_whole(&mut self, x: &Scalar, digits: &Scalar) -> Scalar {
        let x = match x.dtype {
            DType::Bool => self.cast(x, DType::Int64, x.weak),
            _ => *x,
        };
        if digits.is_non_negative() {
            return x;
        }
        let float = self.cast(&x, DType::Float64, false);
        let rounded = self.round_to_digits(&float, digits);
        let rounded = self.as_dtype(&rounded, x.dtype);
        let (at, zero, whole) = (self.ir(digits), self.b.int64(0), self.ir(&x));
        let negative = self.b.compare(CompareOp::Less, at, zero);
        Scalar::new(x.dtype, x.weak, self.b.select(negative, rounded, whole))
    }

    /// Ten to the magnitude of a number; exact where it is a constant.
    fn power_of_ten(&mut self, digits: &Scalar, dtype: DType) -> ValueId {
        if let Some(known) = digits.as_int() {
            let value = format!("1e{}", known.unsigned_abs()).parse();
            let value = value.unwrap_or(f64::INFINITY);
            return self.b.literal(Literal::Float(dtype, value));
        }
        let magnitude = self.absolute(digits);
        let ten = self.b.literal(Literal::Float(dtype, 10.0));
        let exponent = self.as_dtype(&magnitude, dtype);
        self.b.math(MathFunction::Power, &[ten, exponent])
    }

    /// The decimal nearest to the exact value of a float64. A product that comes out half-way
    /// between two whole numbers may have been rounded to there; its error tells from where.
    fn round_decimals(&mut self, x: ValueId, factor: ValueId) -> ValueId {
        let literal = |value| Literal::Float(DType::Float64, value);
        let product = self.b.binary(BinaryOp::Multiply, x, factor);
        let negated = self.b.unary(UnaryOp::Negate, product);
        let error = self.b.math(MathFunction::Fma, &[x, factor, negated]);
        let below = self.b.math(MathFunction::Floor, &[product]);
        let rest = self.b.binary(BinaryOp::Subtract, product, below);
        let half = self.b.literal(literal(0.5));
        let tie = self.b.compare(CompareOp::Equal, rest, half);
        let (zero, one) = (self.b.literal(literal(0.0)), self.b.literal(literal(1.0)));
        let inexact = self.b.compare(CompareOp::NotEqual, error, zero);
        let upwards = self.b.compare(CompareOp::Greater, error, zero);
        let above = self.b.binary(BinaryOp::Add, below, one);
        let nearest = self.b.select(upwards, above, below);
        let even = self.b.math(MathFunction::RoundEven, &[product]);
        let corrected = self.b.binary(BinaryOp::BitAnd, tie, inexact);
        let whole = self.b.select(corrected, nearest, even);
        let whole = self.b.math(MathFunction::CopySign, &[whole, x]);
        let decimal = self.b.binary(BinaryOp::Divide, whole, factor);
        // Beyond 52 bits there are no decimals left to round.
        let size = self.b.unary(UnaryOp::Abs, product);
        let limit = self.b.literal(literal(4_503_599_627_370_496.0));
        let has_decimals = self.b.compare(CompareOp::Less, size, limit);
        self.b.select(has_decimals, decimal, x)
    }
}
