//! Functions about dtypes, which are answered while compiling: `result_type`, `promote_types`, `can_cast` and
//! `issubdtype`.

use crate::arrays::lazy::is_array;
use crate::calls::Arguments;
use crate::objects::ranges_and_texts::raised;
use crate::translate::Translator;
use crate::types;
use crate::value::{Know, Scalar, Value};
use colocate_ir::{DType, Kind, Literal};
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// A function about dtypes; nothing if it is another, or is given something else.
    pub fn dtype_function(&mut self, name: &str, arguments: &Arguments) -> Option<Value> {
        let given: Vec<&Value> = arguments
            .positional
            .iter()
            .map(|(value, _)| value)
            .collect();
        match (name, &given[..], &arguments.keywords[..]) {
            ("result_type", [first, rest @ ..], []) => {
                let mut joined = self.typed(first)?;
                for value in rest {
                    let (dtype, weak) = types::promote(&joined, &self.typed(value)?);
                    joined = typed(dtype, weak);
                }
                Some(Value::Dtype(joined.dtype))
            }
            ("promote_types", [a, b], []) => {
                let (a, b) = (self.as_dtype_value(a)?, self.as_dtype_value(b)?);
                let (dtype, _) = types::promote(&typed(a, false), &typed(b, false));
                Some(Value::Dtype(dtype))
            }
            ("can_cast", [from, to], []) => self.castable(from, to, "safe"),
            ("can_cast", [from, to, Value::Str(rule)], []) => self.castable(from, to, rule),
            ("can_cast", [from, to], [(keyword, Value::Str(rule), _)]) if keyword == "casting" => {
                self.castable(from, to, rule)
            }
            ("dtype", [fields], []) => self.record_dtype(fields),
            ("issubdtype", [a, b], []) => {
                let dtype = self.as_dtype_value(a)?;
                let is = match abstract_class(b) {
                    Some(class) => is_of_class(dtype, class)?,
                    None => self.as_dtype_value(b)? == dtype,
                };
                Some(Scalar::const_bool(is).into())
            }
            _ => None,
        }
    }

    /// What counts of an argument of `result_type`.
    fn typed(&self, value: &Value) -> Option<Scalar> {
        match value {
            Value::Scalar(scalar) => Some(typed(scalar.dtype, scalar.weak)),
            array if is_array(array) => Some(typed(Self::dtype_of(array)?, false)),
            other => Some(typed(self.as_dtype_value(other)?, false)),
        }
    }

    fn castable(&self, from: &Value, to: &Value, rule: &str) -> Option<Value> {
        let from = match from {
            array if is_array(array) => Self::dtype_of(array)?,
            Value::Scalar(scalar) if !scalar.weak => scalar.dtype,
            other => self.as_dtype_value(other)?,
        };
        let can = can_cast(from, self.as_dtype_value(to)?, rule)?;
        Some(Scalar::const_bool(can).into())
    }

    /// Raises if elements may not be converted so by the rule that `casting=` names.
    pub fn check_casting(&mut self, from: DType, to: DType, rule: &Value, range: TextRange) {
        let Value::Str(rule) = rule else {
            return;
        };
        let refused = match can_cast(from, to, rule) {
            Some(true) => return,
            Some(false) => raised(
                "TypeError",
                &format!(
                    "Cannot cast array data from dtype('{from}') to dtype('{to}') according to the rule '{rule}'"
                ),
            ),
            None => raised(
                "ValueError",
                "casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe'",
            ),
        };
        let yes = self.b.literal(Literal::Bool(true));
        self.raise_if(yes, &refused, range);
    }
}

/// A number of which nothing but the type is known.
fn typed(dtype: DType, weak: bool) -> Scalar {
    Scalar {
        dtype,
        weak,
        know: Know::Any,
        ir: None,
    }
}

/// Whether a dtype may be converted to another by one of NumPy's rules; nothing if there is no such rule.
fn can_cast(from: DType, to: DType, rule: &str) -> Option<bool> {
    Some(match rule {
        "unsafe" => true,
        "no" | "equiv" => from == to,
        "safe" => types::promote(&typed(from, false), &typed(to, false)).0 == to,
        "same_kind" => from.rung() <= to.rung(),
        _ => return None,
    })
}

/// The name of one of the abstract classes of NumPy's numbers.
pub(crate) fn abstract_class(value: &Value) -> Option<&str> {
    let Value::Unsupported(what) = value else {
        return None;
    };
    let class = what.strip_prefix("the dtype <class 'numpy.")?;
    Some(class.trim_end_matches("'>"))
}

/// Whether NumPy's numbers of a dtype are of an abstract class; nothing if it is another class.
pub(crate) fn is_of_class(dtype: DType, class: &str) -> Option<bool> {
    let kind = dtype.kind();
    Some(match class {
        "generic" => true,
        "number" => kind != Kind::Bool,
        "integer" => types::is_integer(dtype),
        "signedinteger" => kind == Kind::Int,
        "unsignedinteger" => kind == Kind::UInt,
        "inexact" => matches!(kind, Kind::Float | Kind::Complex),
        "floating" => kind == Kind::Float,
        "complexfloating" => kind == Kind::Complex,
        _ => return None,
    })
}
