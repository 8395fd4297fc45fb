//! NumPy's functions of scalars. Results are NumPy scalars: they keep their dtype.

use crate::calls::Arguments;
use crate::codes;
use crate::near::{did_you_mean, near};
use crate::translate::Translator;
use crate::types::{self, float_for, float_for_both, real_of};
use crate::value::{Constant, Scalar, Value};
use colocate_ir::{CompareOp, DType, Kind, MathFunction, UnaryOp};
use ruff_text_size::TextRange;

/// Functions of one float that are one operation of the IR.
const FLOAT: &[(&str, MathFunction)] = &[
    ("sin", MathFunction::Sin),
    ("cos", MathFunction::Cos),
    ("tan", MathFunction::Tan),
    ("arcsin", MathFunction::Asin),
    ("arccos", MathFunction::Acos),
    ("arctan", MathFunction::Atan),
    ("asin", MathFunction::Asin),
    ("acos", MathFunction::Acos),
    ("atan", MathFunction::Atan),
    ("sinh", MathFunction::Sinh),
    ("cosh", MathFunction::Cosh),
    ("tanh", MathFunction::Tanh),
    ("arcsinh", MathFunction::Asinh),
    ("arccosh", MathFunction::Acosh),
    ("arctanh", MathFunction::Atanh),
    ("asinh", MathFunction::Asinh),
    ("acosh", MathFunction::Acosh),
    ("atanh", MathFunction::Atanh),
    ("exp", MathFunction::Exp),
    ("exp2", MathFunction::Exp2),
    ("expm1", MathFunction::Expm1),
    ("log", MathFunction::Log),
    ("log2", MathFunction::Log2),
    ("log10", MathFunction::Log10),
    ("log1p", MathFunction::Log1p),
    ("sqrt", MathFunction::Sqrt),
    ("cbrt", MathFunction::Cbrt),
    ("rint", MathFunction::RoundEven),
];

/// Functions of two floats that are one operation of the IR.
const FLOAT_PAIRS: &[(&str, MathFunction)] = &[
    ("arctan2", MathFunction::Atan2),
    ("atan2", MathFunction::Atan2),
    ("hypot", MathFunction::Hypot),
    ("copysign", MathFunction::CopySign),
    ("nextafter", MathFunction::NextAfter),
];

/// What else takes one number.
const SINGLE: &[&str] = &[
    "abs",
    "absolute",
    "angle",
    "bitwise_invert",
    "bitwise_not",
    "ceil",
    "conj",
    "conjugate",
    "deg2rad",
    "degrees",
    "fabs",
    "floor",
    "imag",
    "invert",
    "isfinite",
    "isinf",
    "isnan",
    "logical_not",
    "negative",
    "positive",
    "rad2deg",
    "radians",
    "real",
    "reciprocal",
    "sign",
    "signbit",
    "square",
    "trunc",
];

/// What else there is.
const OTHER: &[&str] = &[
    "around", "clip", "finfo", "iinfo", "round", "where", "dtype",
];

/// All supported names, for suggestions.
pub(crate) fn names() -> Vec<&'static str> {
    let tables = FLOAT.iter().chain(FLOAT_PAIRS).map(|(name, _)| *name);
    let pairs = crate::numpy_arithmetic::PAIRS.iter().copied();
    let others = SINGLE.iter().chain(OTHER).copied();
    let dtypes = DType::ALL.iter().map(|dtype| dtype.name());
    tables.chain(others).chain(pairs).chain(dtypes).collect()
}

/// Whether a function takes one number.
pub(crate) fn takes_one(name: &str) -> bool {
    found(FLOAT, name).is_some() || SINGLE.contains(&name)
}

/// Whether a function takes two numbers.
pub(crate) fn takes_two(name: &str) -> bool {
    found(FLOAT_PAIRS, name).is_some() || crate::numpy_arithmetic::PAIRS.contains(&name)
}

/// The dtype that a qualified name of NumPy is the type of.
pub(crate) fn dtype_named(name: &str) -> Option<DType> {
    let short = name.strip_prefix("numpy.")?;
    Some(match short {
        "bool_" => DType::Bool,
        "byte" => DType::Int8,
        "short" => DType::Int16,
        "intc" => DType::Int32,
        "int_" | "intp" | "long" | "longlong" => DType::Int64,
        "ubyte" => DType::UInt8,
        "ushort" => DType::UInt16,
        "uintc" => DType::UInt32,
        "uint" | "uintp" | "ulong" | "ulonglong" => DType::UInt64,
        "half" => DType::Float16,
        "single" => DType::Float32,
        "double" => DType::Float64,
        "csingle" => DType::Complex64,
        "cdouble" => DType::Complex128,
        other => DType::ALL.into_iter().find(|dtype| dtype.name() == other)?,
    })
}

/// The dtype that a text stands for: its name, its code, or a letter.
pub(crate) fn dtype_of_text(text: &str) -> Option<DType> {
    let native = text.strip_prefix(['<', '|', '=']).unwrap_or(text);
    let named = || match native {
        "?" => Some(DType::Bool),
        "b" => Some(DType::Int8),
        "h" => Some(DType::Int16),
        "i" => Some(DType::Int32),
        "int" | "l" | "p" | "q" => Some(DType::Int64),
        "B" => Some(DType::UInt8),
        "H" => Some(DType::UInt16),
        "I" => Some(DType::UInt32),
        "L" | "P" | "Q" => Some(DType::UInt64),
        "e" => Some(DType::Float16),
        "f" => Some(DType::Float32),
        "d" | "float" => Some(DType::Float64),
        "F" => Some(DType::Complex64),
        "D" | "complex" => Some(DType::Complex128),
        _ => dtype_named(&format!("numpy.{native}")),
    };
    DType::from_name(native).or_else(named)
}

/// `numpy.finfo(dtype).name` and `numpy.iinfo(dtype).name`.
pub(crate) fn limit(dtype: DType, name: &str) -> Option<Scalar> {
    let bits = 8 * dtype.itemsize() as i128;
    if name == "bits" {
        return Some(Scalar::const_int(bits));
    }
    if types::is_integer(dtype) {
        let signed = dtype.kind() == Kind::Int;
        let high = if signed {
            (1i128 << (bits - 1)) - 1
        } else {
            (1i128 << bits) - 1
        };
        let low = if signed { -(1i128 << (bits - 1)) } else { 0 };
        return match name {
            "max" => Some(Scalar::const_int(high)),
            "min" => Some(Scalar::const_int(low)),
            _ => None,
        };
    }
    let (max, eps, tiny) = match dtype {
        DType::Float16 => (65504.0, 0.000_976_562_5, 6.103_515_625e-5),
        DType::Float32 => (
            f64::from(f32::MAX),
            f64::from(f32::EPSILON),
            f64::from(f32::MIN_POSITIVE),
        ),
        DType::Float64 => (f64::MAX, f64::EPSILON, f64::MIN_POSITIVE),
        _ => return None,
    };
    let value = match name {
        "max" => max,
        "min" => -max,
        "eps" => eps,
        "tiny" | "smallest_normal" => tiny,
        _ => return None,
    };
    Some(Scalar::constant(dtype, false, Constant::Float(value)))
}

fn found(table: &[(&str, MathFunction)], name: &str) -> Option<MathFunction> {
    table
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, function)| *function)
}

impl Translator<'_> {
    /// A call; nothing if there is no such function.
    pub fn call_numpy(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let full = format!("numpy.{name}");
        if let Some(function) = found(FLOAT, name) {
            let x = self.numbers(&full, arguments, 1..=1, range);
            return Some(x.map_or(Value::Poison, |x| {
                self.float_function(name, function, &x[0], range)
            }));
        }
        if let Some(function) = found(FLOAT_PAIRS, name) {
            let Some(x) = self.numbers(&full, arguments, 2..=2, range) else {
                return Some(Value::Poison);
            };
            let (x, y) = strengthen(&x[0], &x[1]);
            let dtype = float_for_both(&x, &y);
            if dtype.kind() == Kind::Complex {
                return Some(self.not_real(&full, &x, range));
            }
            let operands = [self.as_dtype(&x, dtype), self.as_dtype(&y, dtype)];
            let ir = self.b.math(function, &operands);
            return Some(Scalar::new(dtype, false, ir).into());
        }
        if SINGLE.contains(&name) {
            let x = self.numbers(&full, arguments, 1..=1, range);
            return Some(x.map_or(Value::Poison, |x| self.numpy_single(name, &x[0], range)));
        }
        if crate::numpy_arithmetic::PAIRS.contains(&name) {
            let x = self.numbers(&full, arguments, 2..=2, range);
            return Some(x.map_or(Value::Poison, |x| {
                self.numpy_pair(name, &x[0], &x[1], range)
            }));
        }
        if !OTHER.contains(&name) {
            return None;
        }
        Some(
            self.numpy_other(name, arguments, range)
                .unwrap_or(Value::Poison),
        )
    }

    fn float_function(
        &mut self,
        name: &str,
        function: MathFunction,
        x: &Scalar,
        range: TextRange,
    ) -> Value {
        let dtype = float_for(x.dtype);
        if dtype.kind() == Kind::Complex {
            let x = Scalar { weak: false, ..*x };
            return match self.complex_function(function, &x) {
                Some(result) => result.into(),
                None => self.not_real(&format!("numpy.{name}"), &x, range),
            };
        }
        let ir = self.as_dtype(x, dtype);
        Scalar::new(dtype, false, self.b.math(function, &[ir])).into()
    }

    fn numpy_single(&mut self, name: &str, x: &Scalar, range: TextRange) -> Value {
        let x = &Scalar { weak: false, ..*x };
        let kind = x.dtype.kind();
        let whole = matches!(kind, Kind::Bool | Kind::Int | Kind::UInt);
        let full = format!("numpy.{name}");
        let truth = |ir| Value::Scalar(Scalar::new(DType::Bool, false, ir));
        match name {
            "abs" | "absolute" => self.absolute(x).into(),
            "conj" | "conjugate" if kind == Kind::Bool => self.cast(x, DType::Int8, false).into(),
            "conj" | "conjugate" => self.conjugate(x).into(),
            "positive" if kind != Kind::Bool => (*x).into(),
            "negative" => self.unary(ruff_python_ast::UnaryOp::USub, &(*x).into(), range),
            "invert" | "bitwise_not" | "bitwise_invert" => {
                self.unary(ruff_python_ast::UnaryOp::Invert, &(*x).into(), range)
            }
            "logical_not" => {
                let value = self.unary(ruff_python_ast::UnaryOp::Not, &(*x).into(), range);
                self.strong(value)
            }
            "real" | "imag" if kind == Kind::Complex => {
                let op = if name == "real" {
                    UnaryOp::Real
                } else {
                    UnaryOp::Imaginary
                };
                let ir = self.ir(x);
                Scalar::new(real_of(x.dtype), false, self.b.unary(op, ir)).into()
            }
            "real" => (*x).into(),
            "imag" => {
                Scalar::constant(x.dtype, false, types::cast(Constant::Int(0), x.dtype)).into()
            }
            "angle" => {
                let dtype = match kind {
                    Kind::Bool => DType::Float64,
                    _ => real_of(float_for(x.dtype)),
                };
                let (re, im) = if kind == Kind::Complex {
                    let ir = self.ir(x);
                    (
                        self.b.unary(UnaryOp::Real, ir),
                        self.b.unary(UnaryOp::Imaginary, ir),
                    )
                } else {
                    let zero = self.b.literal(colocate_ir::Literal::zero(dtype));
                    (self.as_dtype(x, dtype), zero)
                };
                Scalar::new(dtype, false, self.b.math(MathFunction::Atan2, &[im, re])).into()
            }
            "square" => {
                let dtype = if kind == Kind::Bool {
                    DType::Int8
                } else {
                    x.dtype
                };
                let x = self.cast(x, dtype, false);
                self.numpy_pair("multiply", &x, &x, range)
            }
            "reciprocal" => {
                let one = Scalar::constant(x.dtype, false, types::cast(Constant::Int(1), x.dtype));
                self.reciprocal(&one, x, range)
            }
            "isnan" | "isinf" | "isfinite" if whole => {
                let known = Constant::Bool(name == "isfinite");
                Scalar::constant(DType::Bool, false, known).into()
            }
            "isnan" | "isinf" | "isfinite" => {
                let op = match name {
                    "isnan" => UnaryOp::IsNan,
                    "isinf" => UnaryOp::IsInf,
                    _ => UnaryOp::IsFinite,
                };
                truth(self.float_test(op, x))
            }
            _ if kind == Kind::Complex => self.not_real(&full, x, range),
            "floor" | "ceil" | "trunc" if whole => (*x).into(),
            "sign" => self.sign(x, range),
            "signbit" | "fabs" | "floor" | "ceil" | "trunc" | "deg2rad" | "radians" | "rad2deg"
            | "degrees" => {
                let dtype = float_for(x.dtype);
                let ir = self.as_dtype(x, dtype);
                let ir = match name {
                    "signbit" => return truth(self.b.unary(UnaryOp::SignBit, ir)),
                    "fabs" => self.b.unary(UnaryOp::Abs, ir),
                    "floor" => self.b.math(MathFunction::Floor, &[ir]),
                    "ceil" => self.b.math(MathFunction::Ceil, &[ir]),
                    "trunc" => self.b.math(MathFunction::Truncate, &[ir]),
                    "deg2rad" | "radians" => self.scaled(ir, std::f64::consts::PI / 180.0),
                    _ => self.scaled(ir, 180.0 / std::f64::consts::PI),
                };
                Scalar::new(dtype, false, ir).into()
            }
            _ => self.no_operator(name, &[&(*x).into()], range),
        }
    }

    /// A test of a float, or of either part of a complex number.
    fn float_test(&mut self, op: UnaryOp, x: &Scalar) -> colocate_ir::ValueId {
        let ir = self.ir(x);
        if x.dtype.kind() != Kind::Complex {
            return self.b.unary(op, ir);
        }
        let re = self.b.unary(UnaryOp::Real, ir);
        let im = self.b.unary(UnaryOp::Imaginary, ir);
        let (re, im) = (self.b.unary(op, re), self.b.unary(op, im));
        let both = op == UnaryOp::IsFinite;
        let join = if both {
            colocate_ir::BinaryOp::BitAnd
        } else {
            colocate_ir::BinaryOp::BitOr
        };
        self.b.binary(join, re, im)
    }

    /// The value as a NumPy scalar.
    pub fn strong(&mut self, value: Value) -> Value {
        match value {
            Value::Scalar(scalar) => Scalar {
                weak: false,
                ..scalar
            }
            .into(),
            other => other,
        }
    }

    fn numpy_other(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let full = format!("numpy.{name}");
        match name {
            "where" => {
                let given = self.exactly(&full, arguments, 3..=3, range)?;
                let condition = self.truth(&given[0].0, given[0].1)?;
                let x = self.scalar(&given[1].0, given[1].1)?;
                let y = self.scalar(&given[2].0, given[2].1)?;
                let (x, y) = strengthen(&x, &y);
                let (dtype, _) = types::promote(&x, &y);
                let (a, b) = (self.as_dtype(&x, dtype), self.as_dtype(&y, dtype));
                let condition = self.ir(&condition);
                Some(Scalar::new(dtype, false, self.b.select(condition, a, b)).into())
            }
            "clip" => {
                let given = self.exactly(&full, arguments, 3..=3, range)?;
                let result = self.scalar(&given[0].0, given[0].1)?;
                let mut result = Scalar {
                    weak: false,
                    ..result
                };
                for (bound, op) in [(&given[1], "maximum"), (&given[2], "minimum")] {
                    if matches!(bound.0, Value::None) {
                        continue;
                    }
                    let bound = self.scalar(&bound.0, bound.1)?;
                    // A bound that the integers cannot reach is no bound.
                    if bound.weak
                        && types::is_integer(bound.dtype)
                        && types::is_integer(result.dtype)
                    {
                        result = self.bounded(op == "maximum", &result, &bound);
                        continue;
                    }
                    match self.numpy_pair(op, &result, &bound, range) {
                        Value::Scalar(scalar) => result = scalar,
                        other => return Some(other),
                    }
                }
                Some(self.strong(result.into()))
            }
            "round" | "around" => {
                let arguments = arguments.by_position(&["a", "decimals"]);
                let given = self.exactly(&full, &arguments, 1..=2, range)?;
                let digits = given.get(1).map(|(value, _)| value.clone());
                let (value, place) = &given[0];
                let x = self.scalar(value, *place)?;
                let digits = match digits {
                    Some(digits) => self.integer(&digits, range, "the number of decimals")?,
                    None => Scalar::const_int(0),
                };
                if x.dtype.kind() == Kind::Complex {
                    return Some(self.not_real(&full, &x, *place));
                }
                let x = if x.dtype == DType::Bool {
                    self.cast(&x, DType::Float16, false)
                } else {
                    Scalar { weak: false, ..x }
                };
                Some(self.round_to_digits(&x, &digits).into())
            }
            _ => {
                let given = self.exactly(&full, arguments, 1..=1, range)?;
                let (value, place) = &given[0];
                let dtype = match value {
                    Value::Scalar(scalar) if name != "dtype" => Some(scalar.dtype),
                    other => self.as_dtype_value(other),
                };
                let Some(dtype) = dtype else {
                    return Some(self.no_dtype(value, *place));
                };
                let fits = match name {
                    "iinfo" => types::is_integer(dtype),
                    "finfo" => types::is_inexact(dtype),
                    _ => return Some(Value::Dtype(dtype)),
                };
                if !fits {
                    let diagnostic = self
                        .wrong(
                            codes::DTYPE,
                            format!("`{full}` has no limits for {dtype}"),
                            *place,
                            format!("this is {dtype}"),
                        )
                        .help(match name {
                            "iinfo" => "it is for integers; use numpy.finfo for floats",
                            _ => "it is for floats; use numpy.iinfo for integers",
                        });
                    return Some(self.report(diagnostic));
                }
                Some(Value::Limits(real_of(dtype)))
            }
        }
    }

    /// The bound if the value is beyond it.
    fn bounded(&mut self, from_below: bool, x: &Scalar, bound: &Scalar) -> Scalar {
        let op = if from_below {
            CompareOp::Less
        } else {
            CompareOp::Greater
        };
        let beyond = self.compare_scalars(op, x, bound);
        let (beyond, value) = (self.ir(&beyond), self.ir(x));
        let bound = self.as_dtype(bound, x.dtype);
        Scalar::new(x.dtype, false, self.b.select(beyond, bound, value))
    }

    /// Reports that a dtype is needed.
    pub fn no_dtype(&mut self, value: &Value, range: TextRange) -> Value {
        let what = value.describe();
        if let Value::Str(name) = value {
            let mut diagnostic = self.wrong(
                codes::DTYPE,
                format!("there is no dtype {name:?} in kernels"),
                range,
                "",
            );
            let names = DType::ALL.map(DType::name);
            let help = did_you_mean(&near(name, names));
            diagnostic = diagnostic
                .help(help.unwrap_or_else(|| format!("the dtypes are {}", names.join(", "))));
            return self.report(diagnostic);
        }
        let diagnostic = self
            .wrong(
                codes::DTYPE,
                format!("a dtype is needed here, not {what}"),
                range,
                format!("this is {what}"),
            )
            .help("write numpy.float32, \"float32\", `a.dtype` or the like");
        self.report(diagnostic)
    }
}

/// Two operands of a NumPy function: if both are Python's numbers they count as int64, float64
/// and so on.
pub(crate) fn strengthen(a: &Scalar, b: &Scalar) -> (Scalar, Scalar) {
    if a.weak && b.weak {
        (Scalar { weak: false, ..*a }, Scalar { weak: false, ..*b })
    } else {
        (*a, *b)
    }
}
