//! Scalars as IR values, of the dtype that is needed.

use crate::codes;
use crate::program::ObjectType;
use crate::translate::Translator;
use crate::types::{self, is_integer};
use crate::value::{Constant, Know, Scalar, Value};
use colocate_ir::{CompareOp, DType, Kind, Literal, ValueId};
use ruff_text_size::TextRange;

pub(crate) const STRING_HELP: &str =
    "kernels compute with numbers: give what the string stands for a number";

impl Translator<'_> {
    /// The IR value of a scalar.
    pub fn ir(&mut self, scalar: &Scalar) -> ValueId {
        self.as_dtype(scalar, scalar.dtype)
    }

    /// The IR value of a scalar, converted as NumPy's `astype` does.
    pub fn as_dtype(&mut self, scalar: &Scalar, dtype: DType) -> ValueId {
        if types::is_huge(scalar)
            && is_integer(dtype)
            && scalar
                .as_int()
                .is_some_and(|value| !types::fits(value, dtype))
        {
            self.too_huge();
        }
        match (scalar.ir, scalar.know) {
            (_, Know::Constant(constant)) => self.b.literal(types::literal(constant, dtype)),
            (Some(ir), _) => self.b.convert(ir, dtype),
            (None, _) => self.b.literal(Literal::zero(dtype)),
        }
    }

    /// Reports that a variable would be an integer that none holds.
    pub fn check_not_huge(&mut self, name: &str, position: usize) {
        let key = (self.frame().id, name.to_string(), position);
        if !self.huge_variables.is_empty() && self.huge_variables.contains(&key) {
            self.too_huge();
        }
    }

    /// Reports an integer of Python's that has to be one of 64 bits.
    fn too_huge(&mut self) {
        let site = self.b.site;
        let diagnostic = crate::Diagnostic::new(
            codes::OUT_OF_RANGE,
            "an integer that is used here is too large for a kernel",
        )
        .at(site.file as usize, site.span, "no integer type holds it")
        .help("integers have at most 64 bits; compute with floats");
        self.report(diagnostic);
    }

    /// The scalar with another type.
    pub fn cast(&mut self, scalar: &Scalar, dtype: DType, weak: bool) -> Scalar {
        if let Some(constant) = scalar.as_constant()
            && dtype != DType::Float16
            && dtype.kind() != Kind::Complex
        {
            return Scalar::constant(dtype, weak, types::cast(constant, dtype));
        }
        let ir = self.as_dtype(scalar, dtype);
        let keeps = is_integer(dtype)
            && (scalar.dtype.kind() == Kind::Bool
                || is_integer(scalar.dtype) && scalar.dtype.itemsize() < dtype.itemsize()
                || scalar.dtype == dtype)
            || dtype.kind() == Kind::Float;
        Scalar {
            dtype,
            weak,
            know: if keeps && scalar.is_non_negative() {
                Know::NonNegative
            } else {
                Know::Any
            },
            ir: Some(ir),
        }
    }

    /// The scalar as an operand of an operation in a dtype: a Python integer that does not fit is an error, as it
    /// is in NumPy.
    pub fn operand(&mut self, scalar: &Scalar, dtype: DType, range: TextRange) -> Option<ValueId> {
        if !self.check_fits(scalar, dtype, range) {
            self.does_not_fit(scalar, dtype, range);
            return None;
        }
        Some(self.checked(scalar, dtype))
    }

    /// A number after it was checked: if it does not fit, nobody sees what it is.
    fn checked(&mut self, scalar: &Scalar, dtype: DType) -> ValueId {
        match types::is_huge(scalar) && is_integer(dtype) {
            true => self.b.literal(Literal::zero(dtype)),
            false => self.as_dtype(scalar, dtype),
        }
    }

    /// Reports a constant that is too large or too small for a dtype.
    fn does_not_fit(&mut self, scalar: &Scalar, dtype: DType, range: TextRange) {
        let value = scalar.as_int().unwrap_or(0);
        let diagnostic = self
            .wrong(
                codes::OUT_OF_RANGE,
                format!("the integer {value} does not fit {dtype}"),
                range,
                format!("{value} has to become {dtype} here"),
            )
            .help(format!(
                "use a wider type, for example numpy.{}(...)",
                if value < 0 || dtype != DType::Int64 {
                    "int64"
                } else {
                    "uint64"
                }
            ));
        self.report(diagnostic);
    }

    /// The scalar as it is stored into an element of an array.
    pub fn element(&mut self, scalar: &Scalar, dtype: DType, range: TextRange) -> Option<ValueId> {
        if scalar.dtype.kind() == Kind::Complex && dtype.kind() != Kind::Complex {
            let diagnostic = self
                .wrong(
                    codes::COMPLEX_TO_REAL,
                    format!("a complex number cannot be stored in an array of {dtype}"),
                    range,
                    format!("this is {}", scalar.describe()),
                )
                .help("store its `.real` or `.imag`, or its `abs(...)`");
            self.report(diagnostic);
            return None;
        }
        if !self.check_fits(scalar, dtype, range) {
            let value = scalar.as_int().unwrap_or(0);
            let diagnostic = self
                .wrong(
                    codes::OUT_OF_RANGE,
                    format!("the integer {value} cannot be stored in an array of {dtype}"),
                    range,
                    format!("this is {value}"),
                )
                .help("use an array of a wider dtype");
            self.report(diagnostic);
            return None;
        }
        Some(self.checked(scalar, dtype))
    }

    /// Whether a value is true.
    pub fn truth(&mut self, value: &Value, range: TextRange) -> Option<Scalar> {
        match value {
            Value::Scalar(scalar) => Some(self.scalar_truth(scalar)),
            Value::Tuple(items) => Some(Scalar::const_bool(!items.is_empty())),
            Value::None => Some(Scalar::const_bool(false)),
            Value::Named(class, _) if class.is_instance => self.truth_of_instance(value, range),
            Value::Instance(_) => self.truth_of_instance(value, range),
            Value::Named(_, items) => Some(Scalar::const_bool(!items.is_empty())),
            Value::Optional(inner, present) => {
                let truth = self.truth(inner, range)?;
                let bools = (DType::Bool, true);
                self.apply(colocate_ir::BinaryOp::BitAnd, present, &truth, bools, range)
            }
            Value::Held(_) if self.level() > 0 => {
                self.hinder("it uses a list");
                None
            }
            Value::Held(held) => {
                let length = self.held_length(held);
                Some(self.scalar_truth(&length))
            }
            Value::List(list) => {
                let length = self.list_length(list);
                Some(self.scalar_truth(&length))
            }
            Value::Range(parts) if self.is_program() => {
                let length = self.range_length(parts, range)?;
                Some(self.scalar_truth(&length))
            }
            Value::View(view) if view.rank() == 0 => {
                let scalar = self.load(view);
                Some(self.scalar_truth(&scalar))
            }
            Value::Function(_)
            | Value::Closure(_)
            | Value::Builtin(_)
            | Value::Dtype(_)
            | Value::Choice(..)
            | Value::Generator(..) => Some(Scalar::const_bool(true)),
            Value::Module { handle, .. } if self.env.class_of_object(*handle).is_some() => {
                self.truth_of_instance(value, range)
            }
            Value::Str(text) => Some(Scalar::const_bool(!text.is_empty())),
            Value::Object(object) => {
                let object = object.clone();
                self.object_truth(&object, range)
            }
            Value::Poison => None,
            array if self.is_program() && crate::arrays::lazy::rank_of(array).is_some() => {
                self.array_truth(array, range)
            }
            other => {
                let what = other.describe();
                let mut diagnostic = self.wrong(
                    codes::TRUTH,
                    format!("{what} is neither true nor false"),
                    range,
                    format!("this is {what}"),
                );
                if matches!(other, Value::View(_)) {
                    diagnostic = diagnostic.help("compare an element, or loop over the elements");
                }
                self.report(diagnostic);
                None
            }
        }
    }

    /// Whether an array of one element is true; others raise.
    fn array_truth(&mut self, array: &Value, range: TextRange) -> Option<Scalar> {
        let count = self.element_count(array);
        if count.as_int() != Some(1) {
            let (count, one) = (self.ir(&count), self.b.int64(1));
            let several = self.b.compare(CompareOp::NotEqual, count, one);
            let raised = crate::host::failures::Raised {
                class: "ValueError",
                parts: vec![crate::host::failures::Part::Text(
                    "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
                        .into(),
                )],
            };
            self.raise_if(several, &raised, range);
        }
        let zeros = vec![Scalar::const_int(0); crate::arrays::lazy::rank_of(array)?];
        let source = self.source(array)?;
        let element = self.pull(&source, &zeros)?;
        Some(self.scalar_truth(&element))
    }

    fn scalar_truth(&mut self, scalar: &Scalar) -> Scalar {
        if let Some(constant) = scalar.as_constant() {
            let Constant::Bool(truth) = types::cast(constant, DType::Bool) else {
                return Scalar::const_bool(false);
            };
            return Scalar::const_bool(truth);
        }
        if scalar.dtype == DType::Bool {
            return *scalar;
        }
        let ir = self.ir(scalar);
        let zero = self.b.literal(Literal::zero(scalar.dtype));
        let ir = self.b.compare(CompareOp::NotEqual, ir, zero);
        Scalar::new(DType::Bool, true, ir)
    }

    /// The scalar in a value, or a report that there should be one.
    pub fn scalar(&mut self, value: &Value, range: TextRange) -> Option<Scalar> {
        match value {
            Value::Scalar(scalar) => Some(*scalar),
            Value::Poison => None,
            // An array without axes is its element.
            Value::View(view) if view.rank() == 0 => Some(self.load(view)),
            Value::Optional(..) => {
                let value = self.plain(value, range).into_owned();
                self.scalar(&value, range)
            }
            Value::Object(object) if object.kind.is_int_or_float() => {
                let given = [(value.clone(), range)];
                let float = ObjectType::Scalar {
                    dtype: DType::Float64,
                    weak: true,
                };
                match self.python_call("builtins.float", &given, &[], Some(float), range) {
                    Value::Scalar(scalar) => Some(scalar),
                    _ => None,
                }
            }
            other => {
                self.not_a_number(other, range);
                None
            }
        }
    }

    /// Reports that a value is no number.
    pub fn not_a_number(&mut self, value: &Value, range: TextRange) -> Value {
        let what = value.describe();
        let (code, help) = match value {
            Value::Poison => return Value::Poison,
            Value::Str(_) => (codes::STRING, STRING_HELP),
            Value::View(_) => (codes::VALUE, "index it, or loop over its elements"),
            Value::Builtin(_) | Value::Function(_) | Value::Method(..) => {
                (codes::VALUE, "call it: add parentheses with its arguments")
            }
            Value::None => (
                codes::VALUE,
                "use a number; a function that ends without `return` gives None",
            ),
            _ => (codes::VALUE, "use a number"),
        };
        let diagnostic = self
            .wrong(
                code,
                format!("a number is needed here, not {what}"),
                range,
                format!("this is {what}"),
            )
            .help(help);
        self.report(diagnostic)
    }

    /// An int64, for indices and sizes.
    pub fn integer(&mut self, value: &Value, range: TextRange, what: &str) -> Option<Scalar> {
        if value.is_poison() {
            return None;
        }
        let found = match crate::objects::anything::is_anything(value) {
            true => self.foreign_call("operator.index", &[value], range),
            false => value.clone(),
        };
        match &*self.plain(&found, range) {
            Value::Scalar(scalar) if is_integer(scalar.dtype) => {
                if let Some(constant) = scalar.as_int()
                    && !types::fits(constant, DType::Int64)
                {
                    self.does_not_fit(&Scalar::const_int(constant), DType::Int64, range);
                    return None;
                }
                let know = scalar.know;
                let mut result = self.cast(scalar, DType::Int64, true);
                if scalar.dtype.kind() == Kind::UInt && result.as_constant().is_none() {
                    result.know = Know::NonNegative;
                } else if know == Know::NonNegative {
                    result.know = know;
                }
                Some(result)
            }
            other => {
                let found = other.describe();
                let mut diagnostic = self.wrong(
                    codes::INDEX_TYPE,
                    format!("{what} must be an integer, not {found}"),
                    range,
                    format!("this is {found}"),
                );
                let help = match other {
                    Value::Scalar(s) if s.dtype.kind() == Kind::Float => {
                        Some("convert it with int(...), or divide with `//`")
                    }
                    Value::Scalar(s) if s.dtype == DType::Bool => {
                        Some("test it with if; an item has no masks")
                    }
                    Value::View(_) => Some("index with one of its elements"),
                    Value::Str(_) => Some(STRING_HELP),
                    _ => None,
                };
                if let Some(help) = help {
                    diagnostic = diagnostic.help(help);
                }
                self.report(diagnostic);
                None
            }
        }
    }
}
