//! Attributes and methods of arrays.

use crate::arrays::creation::Copies;
use crate::arrays::lazy::rank_of;
use crate::calls::Arguments;
use crate::codes;
use crate::near::{did_you_mean, near};
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, Kind};
use ruff_text_size::TextRange;

/// Functions whose first arguments are arrays in the order that the methods' names say.
const METHODS_THAT_ARE_FUNCTIONS: &[&str] = &[
    "all",
    "any",
    "argmax",
    "argmin",
    "argpartition",
    "argsort",
    "clip",
    "conj",
    "conjugate",
    "cumprod",
    "cumsum",
    "diagonal",
    "dot",
    "max",
    "mean",
    "min",
    "nonzero",
    "prod",
    "ptp",
    "ravel",
    "repeat",
    "reshape",
    "round",
    "searchsorted",
    "squeeze",
    "std",
    "sum",
    "swapaxes",
    "take",
    "trace",
    "transpose",
    "var",
];

/// The other methods of NumPy's arrays.
const OTHER_METHODS: &[&str] = &[
    "astype",
    "byteswap",
    "choose",
    "compress",
    "copy",
    "fill",
    "flags",
    "flatten",
    "item",
    "partition",
    "put",
    "resize",
    "sort",
    "tobytes",
    "tolist",
    "view",
];

/// The attributes that are no methods.
const ATTRIBUTES: &[&str] = &[
    "T", "base", "dtype", "flat", "imag", "itemsize", "mT", "nbytes", "ndim", "real", "shape",
    "size", "strides",
];

/// What is not there, but under another name.
const ELSEWHERE: &[(&str, &str)] = &[
    (
        "append",
        "NumPy's arrays do not grow: `np.append(a, x)` makes another, and lists have `append`",
    ),
    ("length", "use `len(a)`, or `a.size` for all elements"),
    ("len", "use `len(a)`, or `a.size` for all elements"),
    ("median", "it is a function: `np.median(a)`"),
    ("abs", "it is a function: `np.abs(a)`"),
    ("sqrt", "it is a function: `np.sqrt(a)`"),
    ("exp", "it is a function: `np.exp(a)`"),
    ("log", "it is a function: `np.log(a)`"),
];

impl Translator<'_> {
    /// An attribute of an array in a jit function.
    pub fn array_attribute(&mut self, value: &Value, name: &str, range: TextRange) -> Value {
        let rank = rank_of(value).unwrap_or(0);
        match name {
            "shape" => {
                let shape = self.shape_of(value);
                Value::Tuple(shape.into_iter().map(Value::Scalar).collect())
            }
            "ndim" => Scalar::const_int(rank as i128).into(),
            "size" => self.element_count(value).into(),
            "dtype" => Self::dtype_of(value).map_or(Value::Poison, Value::Dtype),
            "itemsize" => {
                let size = Self::dtype_of(value).map_or(0, |dtype| dtype.itemsize());
                Scalar::const_int(size as i128).into()
            }
            "nbytes" => {
                let size = Self::dtype_of(value).map_or(0, |dtype| dtype.itemsize());
                let count = self.element_count(value);
                let size = Scalar::const_int(size as i128);
                self.index_op(BinaryOp::Multiply, &count, &size).into()
            }
            "T" | "mT" => {
                let mut axes: Vec<usize> = (0..rank).collect();
                if name == "T" {
                    axes.reverse();
                } else if rank > 1 {
                    axes.swap(rank - 1, rank - 2);
                }
                self.permuted(value, &axes, range)
            }
            "real" | "imag" => {
                let complex = Self::dtype_of(value).is_some_and(|d| d.kind() == Kind::Complex);
                if name == "real" && !complex {
                    return value.clone();
                }
                // A part shares memory, which must be there to be shared.
                let value = &if complex && self.level() == 0 {
                    self.stored(value)
                } else {
                    value.clone()
                };
                let arguments = Arguments {
                    positional: vec![(value.clone(), range)],
                    keywords: Vec::new(),
                };
                let part = self
                    .lifted(name, &arguments, range)
                    .unwrap_or(Value::Poison);
                let Value::View(of) = value else {
                    return part;
                };
                if !complex || self.level() > 0 {
                    return part;
                }
                let attribute = if name == "real" { "real" } else { "imag" };
                let of = of.clone();
                Self::as_part_of(
                    part,
                    crate::arrays::lazy::PartOf {
                        of,
                        attribute,
                        range,
                    },
                )
            }
            "flat" => self.flat(value, range),
            "strides" | "base" => {
                let arguments = [(value.clone(), range)];
                self.library(&format!("attribute.{name}"), &arguments, &[], &[], range)
            }
            _ if is_method(name) || OTHER_METHODS.contains(&name) || name.starts_with("__") => {
                Value::ArrayMethod(Box::new(value.clone()), name.to_string())
            }
            _ => self.no_array_attribute(value, name, range),
        }
    }

    fn no_array_attribute(&mut self, value: &Value, name: &str, range: TextRange) -> Value {
        let what = value.describe();
        let diagnostic = self.wrong(
            codes::ATTRIBUTE,
            format!("{what} has no attribute `{name}` in kernels"),
            range,
            "",
        );
        let known = [METHODS_THAT_ARE_FUNCTIONS, OTHER_METHODS, ATTRIBUTES];
        let known = known.iter().flat_map(|names| names.iter().copied());
        let elsewhere = ELSEWHERE.iter().find(|(other, _)| *other == name);
        let help = match elsewhere {
            Some((_, help)) => Some((*help).to_string()),
            None => did_you_mean(&near(name, known)),
        };
        let diagnostic = match help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        };
        self.report(diagnostic)
    }

    /// A method of an array.
    pub fn array_method(
        &mut self,
        on: &Value,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        if let Value::List(_) | Value::Held(_) = on {
            return self.list_method(on, name, arguments, range);
        }
        let arguments = &self.plain_arguments(arguments, true);
        if let Value::Scalar(number) = on
            && let Some(found) = self.number_method(number, name, arguments, range)
        {
            return found;
        }
        let first = arguments.positional.first().map(|(value, _)| value.clone());
        let with_self = || {
            let mut positional = vec![(on.clone(), range)];
            positional.extend(arguments.positional.iter().cloned());
            Arguments {
                positional,
                keywords: arguments.keywords.clone(),
            }
        };
        let named = |wanted: &str| {
            let mut all = arguments.keywords.iter();
            let found = all.find(|(keyword, ..)| keyword == wanted);
            found.map(|(_, value, _)| value.clone())
        };
        match name {
            "astype" => {
                let asked = first.or_else(|| named("dtype"));
                if let Some(texts) = asked.as_ref().and_then(text_dtype) {
                    let texts = Value::Str(texts);
                    return self.foreign_call("method.astype", &[on, &texts], range);
                }
                let dtype = asked.and_then(|value| self.as_dtype_value(&value));
                let mut may_be_same = false;
                for (keyword, value, place) in &arguments.keywords {
                    if keyword == "copy" {
                        let Some(copies) = self.copies(value, *place) else {
                            return Value::Poison;
                        };
                        may_be_same = copies != Copies::Always;
                    }
                }
                match dtype {
                    Some(dtype) if may_be_same && Self::dtype_of(on) == Some(dtype) => on.clone(),
                    Some(dtype) => {
                        let rule = arguments.positional.get(2).map(|(value, _)| value.clone());
                        if let (Some(rule), Some(from)) =
                            (named("casting").or(rule), Self::dtype_of(on))
                        {
                            self.check_casting(from, dtype, &rule, range);
                        }
                        let asked = named("order")
                            .or(arguments.positional.get(1).map(|(value, _)| value.clone()));
                        let asked = asked.unwrap_or(Value::Str("K".into()));
                        let order = rank_of(on).and_then(|rank| self.order_asked(&asked, on, rank));
                        let made = self.converted(on, dtype, range);
                        match order {
                            Some(order) => Self::with_order(made, order),
                            None => made,
                        }
                    }
                    None => self.no_attribute(on, name, &[], range),
                }
            }
            "copy" if self.can_copy_without_axes(on) => self.copy_without_axes(on, range),
            "copy" => {
                let asked = first.or_else(|| named("order"));
                self.copy_in(on, &asked.unwrap_or(Value::Str("C".into())), range)
            }
            "conj" | "conjugate"
                if Self::dtype_of(on).is_some_and(|dtype| dtype.kind() != Kind::Complex) =>
            {
                on.clone()
            }
            "flatten" if self.can_copy_without_axes(on) => {
                let copy = self.copy_without_axes(on, range);
                let minus = Value::Scalar(Scalar::const_int(-1));
                self.reshaped(&copy, &[minus], range)
                    .unwrap_or(Value::Poison)
            }
            "flatten" => {
                let asked = first.or_else(|| named("order"));
                self.flattened(on, &asked.unwrap_or(Value::Str("C".into())), range)
            }
            // Elsewhere NumPy's own is another array, whose shape may be assigned to.
            "view" if first.is_none() && !self.program().options.unified => on.clone(),
            "fill" if self.level() > 0 && matches!(on, Value::Lazy(_)) => {
                self.hinder("it changes an array that it has made")
            }
            "fill" => {
                let (Some(value), Value::View(_)) = (first, self.all_stored(on.clone())) else {
                    return Value::Poison;
                };
                let stored = self.all_stored(on.clone());
                if let Value::View(view) = &stored
                    && self.check_writable(view, range)
                {
                    self.assign_into(view, &value, range);
                }
                Value::None
            }
            "item"
                if matches!(first, Some(Value::Tuple(_)))
                    || arguments.positional.len() == 1 && rank_of(on) != Some(1) =>
            {
                let with_self = with_self();
                self.library("method.item", &with_self.positional, &[], &[], range)
            }
            "item" => {
                let indices: Vec<Value> = arguments
                    .positional
                    .iter()
                    .map(|(value, _)| value.clone())
                    .collect();
                let rank = rank_of(on).unwrap_or(0);
                let indices = if indices.is_empty() {
                    if rank > 0 {
                        let (count, one) = (self.element_count(on), Scalar::const_int(1));
                        let several = self.compare_scalars(CompareOp::NotEqual, &count, &one);
                        let several = self.ir(&several);
                        let text = "can only convert an array of size 1 to a Python scalar";
                        let raised = crate::objects::ranges_and_texts::raised("ValueError", text);
                        self.raise_if(several, &raised, range);
                    }
                    vec![Value::Scalar(Scalar::const_int(0)); rank]
                } else {
                    indices
                };
                let ranges = vec![range; indices.len()];
                match self.array_item(on, &indices, &ranges, range) {
                    Value::Scalar(scalar) => Scalar {
                        weak: true,
                        ..scalar
                    }
                    .into(),
                    other => other,
                }
            }
            "sort" | "partition" | "resize" | "put" => {
                let stored = self.all_stored(on.clone());
                let mut positional = vec![(stored.clone(), range)];
                positional.extend(arguments.positional.iter().cloned());
                self.library(
                    &format!("method.{name}"),
                    &positional,
                    &arguments.keywords,
                    &[stored],
                    range,
                )
            }
            _ if METHODS_THAT_ARE_FUNCTIONS.contains(&name) => {
                let with_self = with_self();
                self.numpy_call(name, &with_self, range)
                    .or_else(|| self.lifted(name, &with_self, range))
                    .or_else(|| self.call_numpy(name, &with_self, range))
                    .unwrap_or(Value::Poison)
            }
            _ => {
                let (with_self, changes) = self.written_by(name, &with_self());
                self.library(
                    &format!("method.{name}"),
                    &with_self.positional,
                    &with_self.keywords,
                    &changes,
                    range,
                )
            }
        }
    }

    /// A method that a number of NumPy's has as an array without axes has it; nothing for those that are functions.
    fn number_method(
        &mut self,
        number: &Scalar,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let plain = arguments.keywords.is_empty();
        let given = &arguments.positional[..];
        match (name, given) {
            ("copy", _) => Some((*number).into()),
            ("squeeze" | "transpose", []) if plain => Some((*number).into()),
            ("tolist", []) if plain => {
                let kept = Value::Method(Box::new((*number).into()), "item");
                Some(self.call_value(&kept, arguments, range, range, None))
            }
            // Into an array of one element.
            ("flatten" | "ravel" | "reshape" | "repeat" | "cumsum" | "cumprod", _) => {
                let one = Value::Tuple(vec![(*number).into()]);
                let array = self.as_array(&one, Some(number.dtype), range);
                let array = self.all_stored(array);
                Some(self.array_method(&array, name, arguments, range))
            }
            _ => None,
        }
    }

    fn can_copy_without_axes(&self, value: &Value) -> bool {
        rank_of(value) == Some(0) && self.level() == 0 && self.function_base == 0
    }

    /// A copy of an array without axes, which is one again and no number.
    fn copy_without_axes(&mut self, value: &Value, range: TextRange) -> Value {
        let Some(scalar) = self.scalar(value, range) else {
            return Value::Poison;
        };
        let copy = self.allocate(scalar.dtype, &[], false, "copy");
        self.assign_into(&copy, &scalar.into(), range);
        Value::View(copy)
    }
}

/// The dtype of texts that a value stands for, as NumPy writes it.
fn text_dtype(value: &Value) -> Option<String> {
    let name = match value {
        Value::Builtin(class) => class.strip_prefix("builtins.")?,
        Value::Unsupported(what) => what.strip_prefix("the dtype <class 'numpy.")?,
        Value::Str(name) => name,
        _ => return None,
    };
    let is_code = |code: char| {
        name.strip_prefix(code)
            .is_some_and(|size| size.parse::<u32>().is_ok())
    };
    match name.trim_end_matches("'>") {
        "str" | "str_" => Some("str".into()),
        "bytes" | "bytes_" => Some("bytes".into()),
        "U" | "S" => Some(name.into()),
        _ => (is_code('U') || is_code('S')).then(|| name.into()),
    }
}

/// Whether numbers and arrays have a method that is a function, too.
pub(crate) fn is_method(name: &str) -> bool {
    METHODS_THAT_ARE_FUNCTIONS.contains(&name) || name == "astype"
}

/// Whether numbers of NumPy's have a method that only arrays seem to have.
pub(crate) fn is_method_of_numbers(name: &str) -> bool {
    is_method(name) || matches!(name, "copy" | "flatten" | "tolist")
}
