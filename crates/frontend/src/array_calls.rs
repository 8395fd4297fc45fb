//! Functions and methods of arrays in jit functions.
//!
//! What works element by element is lifted from the functions of numbers; whole reductions become
//! regions; what only changes shape or order becomes a view or a lazy array. Everything else is a
//! call of the array library.

use crate::array_operators::sum_dtype;
use crate::calls::Arguments;
use crate::host_part::{Part, Raised};
use crate::lazy::{Element, is_array, rank_of};
use crate::program::Call;
use crate::translate::Translator;
use crate::types;
use crate::value::{Constant, Scalar, Value, View};
use crate::{builtins_numpy, codes};
use colocate_ir::{
    ArrayRef, BinaryOp, CallResult, CompareOp, DType, Kind, Layout, ReductionOperator,
    StorageClass, ValueId,
};
use ruff_python_ast::Operator;
use ruff_text_size::TextRange;
use std::rc::Rc;

/// Private arrays in regions have at most this many elements.
const MOST_PRIVATE: i128 = 4096;

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

/// Whether numbers and arrays have a method that is a function, too.
pub(crate) fn is_method(name: &str) -> bool {
    METHODS_THAT_ARE_FUNCTIONS.contains(&name) || name == "astype"
}

impl Translator<'_> {
    /// A call in a jit function; nothing if the functions of numbers are to be asked.
    pub fn program_call(
        &mut self,
        module: &str,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        match module {
            "numpy" => self.numpy_call(name, arguments, range),
            "builtins" => self
                .python_function(name, arguments, range)
                .or_else(|| self.builtin_call(name, arguments, range)),
            "colocate" | "numba" if name == "prange" => {
                let counted = self.call_python("range", arguments, range)?;
                Some(match counted {
                    Value::Range(parts) => Value::ParallelRange(parts),
                    other => other,
                })
            }
            "colocate" if name == "dtype_of" => self.result_dtype(arguments, range),
            "math" => self.integer_function(name, arguments, range),
            _ => None,
        }
    }

    fn builtin_call(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let arguments = &self.with_list_views(arguments, name);
        let first = arguments.positional.first().map(|(value, _)| value.clone());
        match name {
            "print" => Some(self.print_call(arguments)),
            "len" => match &first {
                Some(Value::List(list)) => {
                    let list = *list;
                    Some(self.list_length(&list).into())
                }
                Some(value) if is_array(value) => {
                    let shape = self.shape_of(value);
                    Some(shape[0].into())
                }
                _ => None,
            },
            "abs" | "round" if first.as_ref().is_some_and(is_array) => {
                let name = if name == "abs" { "abs" } else { "round" };
                self.numpy_call(name, arguments, range)
            }
            "sum" | "min" | "max" | "any" | "all"
                if arguments.positional.len() == 1 && first.as_ref().is_some_and(is_array) =>
            {
                self.numpy_call(name, arguments, range)
            }
            "enumerate" | "zip" => {
                let stored = Arguments {
                    positional: arguments
                        .positional
                        .iter()
                        .map(|(value, place)| (self.all_stored(value.clone()), *place))
                        .collect(),
                    keywords: arguments.keywords.clone(),
                };
                self.call_python(name, &stored, range)
            }
            "slice" => {
                let values: Vec<&Value> = arguments.positional.iter().map(|(one, _)| one).collect();
                let [start, stop, step] = match values[..] {
                    [stop] => [&Value::None, stop, &Value::None],
                    [start, stop] => [start, stop, &Value::None],
                    [start, stop, step] => [start, stop, step],
                    _ => return None,
                };
                let mut parts = [None, None, None];
                for (part, value) in parts.iter_mut().zip([start, stop, step]) {
                    if !matches!(value, Value::None) {
                        *part = Some(self.integer(value, range, "a bound of a slice")?);
                    }
                }
                Some(Value::Slice(Box::new(parts)))
            }
            "list" | "tuple" if arguments.positional.len() <= 1 => match first {
                Some(Value::Tuple(items)) if name == "tuple" || self.level() > 0 => {
                    Some(Value::Tuple(items))
                }
                Some(Value::Tuple(items)) => {
                    let numbers = items.iter().all(|one| matches!(one, Value::Scalar(_)));
                    Some(if numbers {
                        self.growing_list(&items, range)
                    } else {
                        Value::Tuple(items)
                    })
                }
                Some(other) if name == "list" && self.level() == 0 => {
                    let items = self.all_stored(other);
                    Some(self.list_from(&items, range))
                }
                None if name == "list" => Some(self.growing_list(&[], range)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Arguments with lists as the arrays that hold their items, for functions that look at items only.
    fn with_list_views(&mut self, arguments: &Arguments, name: &str) -> Arguments {
        let keep = matches!(name, "len" | "print" | "list" | "tuple" | "isinstance");
        let positional = arguments.positional.iter().map(|(value, place)| {
            let value = match value {
                Value::List(_) if !keep => self.settled_list(value),
                other => other.clone(),
            };
            (value, *place)
        });
        Arguments {
            positional: positional.collect(),
            keywords: arguments.keywords.clone(),
        }
    }

    /// Arguments with ranges as arrays.
    fn with_counted(&mut self, arguments: &Arguments, range: TextRange) -> Arguments {
        let mut positional = arguments.positional.clone();
        for (value, _) in &mut positional {
            if let Value::Range(parts) = value {
                let numbers = parts.iter().map(|part| (Value::Scalar(*part), range));
                let numbers = Arguments {
                    positional: numbers.collect(),
                    keywords: Vec::new(),
                };
                if let Some(counted) = self.arange(&numbers, range) {
                    *value = counted;
                }
            }
        }
        Arguments {
            positional,
            keywords: arguments.keywords.clone(),
        }
    }

    fn print_call(&mut self, arguments: &Arguments) -> Value {
        if self.level() > 0 {
            return self.hinder("it prints");
        }
        let (mut separator, mut end) = (" ".to_string(), "\n".to_string());
        for (name, value, place) in &arguments.keywords {
            match (name.as_str(), value) {
                ("sep", Value::Str(text)) => separator.clone_from(text),
                ("end", Value::Str(text)) => end.clone_from(text),
                ("flush", _) => {}
                _ => {
                    let diagnostic = self.wrong(
                        codes::ARGUMENTS,
                        format!("`print` takes no `{name}` of this kind in jit functions"),
                        *place,
                        "",
                    );
                    return self.report(diagnostic);
                }
            }
        }
        let mut words = Vec::new();
        let mut parts = Vec::new();
        for (value, place) in &arguments.positional {
            match self.operand_of(value, &mut words, *place) {
                Some(part) => parts.push(part),
                None => return Value::Poison,
            }
        }
        let call = Call::Print {
            parts,
            separator,
            end,
        };
        self.call(call, &words, Vec::new());
        Value::None
    }

    /// A function of NumPy; nothing if the functions of numbers are to be asked.
    pub fn numpy_call(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let arguments = &self.with_list_views(arguments, name);
        let arguments = &self.with_counted(arguments, range);
        if let Some(made) = self.creation(name, arguments, range) {
            return Some(made);
        }
        if let Some(iterator) = self.iterator(name, arguments, range) {
            return Some(iterator);
        }
        let values = || arguments.positional.iter().map(|(value, _)| value);
        let keyword_values = || arguments.keywords.iter().map(|(_, value, _)| value);
        let arrays = values().chain(keyword_values()).any(is_array);
        let full = format!("numpy.{name}");
        if !arrays {
            let known = builtins_numpy::names().contains(&name)
                || builtins_numpy::dtype_named(&full).is_some();
            let tuples = values().any(|value| matches!(value, Value::Tuple(_)));
            if known && !tuples {
                return None;
            }
            return Some(self.any_library(name, arguments, range));
        }
        if let Some(result) = self.lifted(name, arguments, range) {
            return Some(result);
        }
        if let Some(result) = self.reduction(name, arguments, range) {
            return Some(result);
        }
        if let Some(result) = self.rearranged(name, arguments, range) {
            return Some(result);
        }
        if let Some(result) = self.product(name, arguments, range) {
            return Some(result);
        }
        Some(self.any_library(name, arguments, range))
    }

    /// A function of the array library, with `out=` as what it changes.
    fn any_library(&mut self, name: &str, arguments: &Arguments, range: TextRange) -> Value {
        let out: Vec<Value> = arguments
            .keywords
            .iter()
            .filter(|(keyword, ..)| keyword == "out")
            .map(|(_, value, _)| self.all_stored(value.clone()))
            .collect();
        let mut changes = out;
        // These change their first argument.
        let in_place = matches!(
            name,
            "copyto"
                | "put"
                | "place"
                | "putmask"
                | "fill_diagonal"
                | "put_along_axis"
                | "random.shuffle"
        ) || name.ends_with(".at");
        if in_place && let Some((first, _)) = arguments.positional.first() {
            changes.push(first.clone());
        }
        let full = format!("numpy.{name}");
        self.library(
            &full,
            &arguments.positional,
            &arguments.keywords,
            &changes,
            range,
        )
    }

    /// A function of numbers, applied to every element.
    fn lifted(&mut self, name: &str, arguments: &Arguments, range: TextRange) -> Option<Value> {
        const FREE: &[&str] = &["around", "clip", "round", "where"];
        let known =
            builtins_numpy::names().contains(&name) && !matches!(name, "finfo" | "iinfo" | "dtype");
        if !known || builtins_numpy::dtype_named(&format!("numpy.{name}")).is_some() {
            return None;
        }
        let mut positional = arguments.positional.clone();
        let mut out = None;
        for (keyword, value, place) in &arguments.keywords {
            match (keyword.as_str(), value) {
                ("out", value) => out = Some((value.clone(), *place)),
                ("decimals", Value::Scalar(_)) if positional.len() == 1 => {
                    positional.push((value.clone(), *place));
                }
                ("a_min" | "min", _) if name == "clip" && positional.len() == 1 => {
                    positional.push((value.clone(), *place));
                }
                ("a_max" | "max", _) if name == "clip" && positional.len() == 2 => {
                    positional.push((value.clone(), *place));
                }
                ("casting" | "order", Value::Str(_)) => {}
                _ => return None,
            }
        }
        if name == "where" && positional.len() != 3 {
            return None;
        }
        if name == "clip" && positional.len() == 2 {
            positional.push((Value::None, range));
        }
        // The last one of more positions than the function has is `out`.
        let arity = match name {
            "clip" | "where" => 3,
            _ if FREE.contains(&name) => positional.len().min(2),
            _ => Self::arity(name)?,
        };
        if positional.len() == arity + 1 && out.is_none() {
            out = positional.pop();
        }
        if positional.len() != arity {
            return None;
        }
        let mut operands = Vec::new();
        let mut fixed: Vec<Option<Value>> = Vec::new();
        for (value, place) in &positional {
            match value {
                Value::Scalar(_) | Value::View(_) | Value::Lazy(_) => {
                    operands.push(value.clone());
                    fixed.push(None);
                }
                Value::None => fixed.push(Some(Value::None)),
                Value::Tuple(_) => {
                    let array = self.as_array(value, None, *place);
                    operands.push(array);
                    fixed.push(None);
                }
                _ => return None,
            }
        }
        let called = name.to_string();
        let places: Vec<TextRange> = positional.iter().map(|(_, place)| *place).collect();
        let result = self.elementwise(&operands, range, move |t, x| {
            let mut next = x.iter();
            let positional = fixed.iter().zip(&places).map(|(fixed, place)| {
                let value = match fixed {
                    Some(value) => value.clone(),
                    None => Value::Scalar(*next.next().expect("one for each operand")),
                };
                (value, *place)
            });
            let arguments = Arguments {
                positional: positional.collect(),
                keywords: Vec::new(),
            };
            match t.call_numpy(&called, &arguments, range) {
                Some(Value::Scalar(result)) => Some(result),
                _ => None,
            }
        });
        match out {
            Some((Value::None, _)) | None => Some(result),
            Some((out, place)) => Some(self.put_out(&result, &out, place)),
        }
    }

    /// Puts a result into an array that was given for it.
    fn put_out(&mut self, result: &Value, out: &Value, range: TextRange) -> Value {
        let out = match out {
            Value::Tuple(items) if items.len() == 1 => items[0].clone(),
            other => other.clone(),
        };
        let stored = self.all_stored(out);
        if matches!(stored, Value::View(_)) && matches!(result, Value::Lazy(_)) {
            self.flush();
        }
        let Value::View(view) = &stored else {
            return Value::Poison;
        };
        if result.is_poison() || !self.check_writable(view, range) {
            return Value::Poison;
        }
        self.assign_into(view, result, range);
        stored
    }

    /// How many operands an elementwise function takes.
    fn arity(name: &str) -> Option<usize> {
        let one = builtins_numpy::takes_one(name).then_some(1);
        one.or_else(|| builtins_numpy::takes_two(name).then_some(2))
    }

    /// A reduction over all elements; nothing if it is one the library does.
    fn reduction(&mut self, name: &str, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let keywords_fit = arguments.keywords.iter().all(|(keyword, value, _)| {
            matches!(
                (keyword.as_str(), value),
                ("axis", Value::None)
                    | ("dtype" | "out", Value::None)
                    | (
                        "keepdims",
                        Value::Scalar(Scalar {
                            know: crate::value::Know::Constant(Constant::Bool(false)),
                            ..
                        })
                    )
            )
        });
        let [(value, _), rest @ ..] = &arguments.positional[..] else {
            return None;
        };
        let whole = rest.iter().all(|(value, _)| matches!(value, Value::None)) && keywords_fit;
        if !whole || !is_array(value) {
            return None;
        }
        let dtype = Self::dtype_of(value)?;
        let number = |dtype: DType, number: i128| {
            Scalar::constant(dtype, false, types::cast(Constant::Int(number), dtype))
        };
        let complex = dtype.kind() == Kind::Complex;
        Some(match name {
            "sum" => self.total(value, range),
            "prod" => {
                let wide = sum_dtype(dtype);
                let operator = ReductionOperator::Multiply;
                self.reduce_all(value, operator, wide, number(wide, 1), "product", range)
                    .map_or(Value::Poison, Value::Scalar)
            }
            "min" | "amin" | "max" | "amax" if !complex => {
                let least = name.ends_with("min");
                self.extreme_of_all(value, dtype, least, range)
            }
            "any" | "all" => {
                let any = name == "any";
                let truths = self.elementwise(std::slice::from_ref(value), range, move |t, x| {
                    let truth = t.truth(&Value::Scalar(x[0]), range)?;
                    Some(Scalar {
                        weak: false,
                        ..truth
                    })
                });
                let operator = if any {
                    ReductionOperator::BitOr
                } else {
                    ReductionOperator::BitAnd
                };
                let start = Scalar::constant(DType::Bool, false, Constant::Bool(!any));
                self.reduce_all(&truths, operator, DType::Bool, start, name, range)
                    .map_or(Value::Poison, Value::Scalar)
            }
            "mean" => self.mean(value, dtype, range),
            "var" | "std" if !complex && dtype.kind() == Kind::Float => {
                let stored = if self.level() == 0 {
                    self.all_stored(value.clone())
                } else {
                    value.clone()
                };
                let mean = self.mean(&stored, dtype, range);
                let off = self.binary(Operator::Sub, &stored, &mean, range);
                let square = self.binary(Operator::Mult, &off, &off, range);
                let variance = self.mean(&square, dtype, range);
                if name == "var" {
                    return Some(variance);
                }
                let arguments = Arguments {
                    positional: vec![(variance, range)],
                    keywords: Vec::new(),
                };
                self.call_numpy("sqrt", &arguments, range)?
            }
            _ => return None,
        })
    }

    fn mean(&mut self, value: &Value, dtype: DType, range: TextRange) -> Value {
        let float = match dtype.kind() {
            Kind::Float | Kind::Complex => dtype,
            _ => DType::Float64,
        };
        let as_float = if dtype == float {
            value.clone()
        } else {
            self.converted(value, float, range)
        };
        let total = self.total(&as_float, range);
        let Value::Scalar(total) = total else {
            return Value::Poison;
        };
        let mut count = Scalar::const_int(1);
        for extent in self.shape_of(value) {
            count = self.index_op(BinaryOp::Multiply, &count, &extent);
        }
        let count = self.cast(&count, DType::Float64, true);
        match self.arithmetic(Operator::Div, &total, &count, range) {
            Value::Scalar(mean) => self.cast(&mean, float, false).into(),
            other => other,
        }
    }

    fn extreme_of_all(
        &mut self,
        value: &Value,
        dtype: DType,
        least: bool,
        range: TextRange,
    ) -> Value {
        let mut count = Scalar::const_int(1);
        for extent in self.shape_of(value) {
            count = self.index_op(BinaryOp::Multiply, &count, &extent);
        }
        if count.as_int().is_none_or(|count| count == 0) {
            let (size, zero) = (self.ir(&count), self.b.int64(0));
            let empty = self.b.compare(CompareOp::Equal, size, zero);
            let raised = Raised {
                class: "ValueError",
                parts: vec![Part::Text(format!(
                    "zero-size array to reduction operation {} which has no identity",
                    if least { "minimum" } else { "maximum" }
                ))],
            };
            self.raise_if(empty, &raised, range);
        }
        let operator = if least {
            ReductionOperator::Minimum
        } else {
            ReductionOperator::Maximum
        };
        let identity = types::constant_of(operator.identity(dtype));
        let start = Scalar::constant(dtype, false, identity);
        let what = if least { "minimum" } else { "maximum" };
        self.reduce_all(value, operator, dtype, start, what, range)
            .map_or(Value::Poison, Value::Scalar)
    }

    /// The scalar products that become regions.
    fn product(&mut self, name: &str, arguments: &Arguments, range: TextRange) -> Option<Value> {
        if !arguments.keywords.is_empty() {
            return None;
        }
        let [(a, _), (b, _)] = &arguments.positional[..] else {
            return None;
        };
        let (rank_a, rank_b) = (rank_of(a).unwrap_or(0), rank_of(b).unwrap_or(0));
        match name {
            "dot" | "multiply" if rank_a == 0 || rank_b == 0 => {
                self.array_binary(Operator::Mult, a, b, range)
            }
            "matmul" | "dot" if rank_a == 1 && rank_b == 1 && self.level() > 0 => {
                Some(self.matmul(a, b, range))
            }
            "outer" if rank_a == 1 && rank_b == 1 => {
                let none = [(Value::None, range)];
                let column = self.array_item(
                    a,
                    &[
                        Value::Slice(Box::new([None, None, None])),
                        none[0].0.clone(),
                    ],
                    &[range, range],
                    range,
                );
                self.array_binary(Operator::Mult, &column, b, range)
            }
            _ => None,
        }
    }

    /// Arrays whose elements are others' in another order or shape.
    fn rearranged(&mut self, name: &str, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let [(value, _), rest @ ..] = &arguments.positional[..] else {
            return None;
        };
        if !is_array(value) {
            return None;
        }
        let rank = rank_of(value)?;
        let plain = arguments.keywords.is_empty();
        match name {
            "transpose" | "permute_dims" if plain => {
                let axes = match rest {
                    [] | [(Value::None, _)] => (0..rank).rev().collect(),
                    [(Value::Tuple(items), _)] => self.axis_list(items, rank)?,
                    several => {
                        let items: Vec<Value> =
                            several.iter().map(|(value, _)| value.clone()).collect();
                        self.axis_list(&items, rank)?
                    }
                };
                Some(self.permuted(value, &axes, range))
            }
            "swapaxes" if plain => {
                let items: Vec<Value> = rest.iter().map(|(value, _)| value.clone()).collect();
                let pair = self.axis_pair(&items, rank)?;
                let mut axes: Vec<usize> = (0..rank).collect();
                axes.swap(pair.0, pair.1);
                Some(self.permuted(value, &axes, range))
            }
            "reshape" => {
                let shape = match (rest, &arguments.keywords[..]) {
                    ([(Value::Tuple(items), _)], []) => items.clone(),
                    ([(_, _), ..], []) => rest.iter().map(|(value, _)| value.clone()).collect(),
                    ([], [(keyword, Value::Tuple(items), _)])
                        if matches!(keyword.as_str(), "shape" | "newshape") =>
                    {
                        items.clone()
                    }
                    ([], [(keyword, one @ Value::Scalar(_), _)])
                        if matches!(keyword.as_str(), "shape" | "newshape") =>
                    {
                        vec![one.clone()]
                    }
                    _ => return None,
                };
                self.reshaped(value, &shape, range)
            }
            "ravel" if plain && rest.is_empty() => {
                let minus = Value::Scalar(Scalar::const_int(-1));
                self.reshaped(value, &[minus], range)
            }
            "flip" if plain && rest.is_empty() => Some(self.flipped(value, 0..rank, range)),
            "flipud" if plain => Some(self.flipped(value, 0..1, range)),
            "fliplr" if plain && rank > 1 => Some(self.flipped(value, 1..2, range)),
            "copy" | "ascontiguousarray" if plain && rest.is_empty() => {
                Some(self.fresh_copy(value, range))
            }
            "expand_dims" if plain => {
                let [(Value::Scalar(axis), _)] = rest else {
                    return None;
                };
                let axis = axis.as_int()?;
                let axis = if axis < 0 {
                    axis + rank as i128 + 1
                } else {
                    axis
                };
                let axis = usize::try_from(axis).ok().filter(|axis| *axis <= rank)?;
                let mut items = vec![Value::Slice(Box::new([None, None, None])); rank];
                items.insert(axis, Value::None);
                let ranges = vec![range; items.len()];
                Some(self.array_item(value, &items, &ranges, range))
            }
            "real" | "imag" if plain && rest.is_empty() => None,
            "ndim" if plain => Some(Scalar::const_int(rank as i128).into()),
            "shape" if plain => {
                let shape = self.shape_of(value);
                Some(Value::Tuple(shape.into_iter().map(Value::Scalar).collect()))
            }
            "size" if plain && rest.is_empty() => Some(self.element_count(value).into()),
            _ => None,
        }
    }

    fn axis_list(&mut self, items: &[Value], rank: usize) -> Option<Vec<usize>> {
        let mut axes = Vec::new();
        for item in items {
            let Value::Scalar(axis) = item else {
                return None;
            };
            let axis = axis.as_int()?;
            let axis = if axis < 0 { axis + rank as i128 } else { axis };
            let axis = usize::try_from(axis).ok().filter(|axis| *axis < rank)?;
            if axes.contains(&axis) {
                return None;
            }
            axes.push(axis);
        }
        (axes.len() == rank).then_some(axes)
    }

    fn axis_pair(&mut self, items: &[Value], rank: usize) -> Option<(usize, usize)> {
        let [Value::Scalar(a), Value::Scalar(b)] = items else {
            return None;
        };
        let axis = |scalar: &Scalar| {
            let axis = scalar.as_int()?;
            let axis = if axis < 0 { axis + rank as i128 } else { axis };
            usize::try_from(axis).ok().filter(|axis| *axis < rank)
        };
        Some((axis(a)?, axis(b)?))
    }

    /// How many elements an array has.
    pub fn element_count(&mut self, value: &Value) -> Scalar {
        let mut count = Scalar::const_int(1);
        for extent in self.shape_of(value) {
            count = self.index_op(BinaryOp::Multiply, &count, &extent);
        }
        count
    }

    /// An array with its axes in another order.
    pub fn permuted(&mut self, value: &Value, axes: &[usize], range: TextRange) -> Value {
        match value {
            Value::View(view) => {
                let mut turned = view.clone();
                turned.free = axes.iter().map(|axis| view.free[*axis]).collect();
                turned.packed &= turned.is_whole();
                Value::View(turned)
            }
            Value::Lazy(_) if self.level() == 0 => {
                let stored = self.stored(value);
                self.permuted(&stored, axes, range)
            }
            Value::Lazy(_) => {
                let own = self.shape_of(value);
                let shape = axes.iter().map(|axis| own[*axis]).collect();
                let Some(source) = self.source(value) else {
                    return Value::Poison;
                };
                let axes = axes.to_vec();
                let element: Element = Rc::new(move |t, indices| {
                    let mut own = vec![Scalar::const_int(0); axes.len()];
                    for (index, axis) in indices.iter().zip(&axes) {
                        own[*axis] = *index;
                    }
                    t.pull(&source, &own)
                });
                let dtype = Self::dtype_of(value).unwrap_or(DType::Float64);
                self.lazy(dtype, shape, false, &[value], range, element)
            }
            _ => Value::Poison,
        }
    }

    fn flipped(&mut self, value: &Value, axes: std::ops::Range<usize>, range: TextRange) -> Value {
        let rank = rank_of(value).unwrap_or(0);
        let backwards = [None, None, Some(Scalar::const_int(-1))];
        let items: Vec<Value> = (0..rank)
            .map(|axis| {
                Value::Slice(Box::new(if axes.contains(&axis) {
                    backwards
                } else {
                    [None, None, None]
                }))
            })
            .collect();
        let ranges = vec![range; rank];
        self.array_item(value, &items, &ranges, range)
    }

    /// An array in another shape; nothing if the shape is not what it can be.
    pub fn reshaped(&mut self, value: &Value, shape: &[Value], range: TextRange) -> Option<Value> {
        let mut words: Vec<ValueId> = Vec::new();
        for extent in shape {
            let extent = self.integer(extent, range, "an extent")?;
            words.push(self.as_dtype(&extent, DType::Int64));
        }
        if self.level() > 0 {
            return Some(self.hinder("it reshapes an array"));
        }
        let stored = self.stored(value);
        let Value::View(view) = &stored else {
            return Some(Value::Poison);
        };
        let from = self.local_of(view)?;
        let (dtype, rank) = (view.dtype, shape.len());
        let packed = view.packed && view.is_whole();
        let layout = if packed {
            Layout::Contiguous
        } else {
            Layout::Strided
        };
        let local = self.b.local("reshaped", dtype, rank as u8, layout);
        let call = Call::Reshape { from, local };
        self.call(call, &words, vec![CallResult::Local(local)]);
        Some(Value::View(View {
            writable: view.writable,
            ..View::whole(ArrayRef::Local(local), dtype, rank, packed)
        }))
    }

    /// A shape argument.
    pub fn shape_argument(&mut self, value: &Value, range: TextRange) -> Option<Vec<Scalar>> {
        match value {
            Value::Tuple(items) => {
                let mut shape = Vec::new();
                for item in items {
                    shape.push(self.extent_argument(item, range)?);
                }
                Some(shape)
            }
            Value::Scalar(_) => Some(vec![self.extent_argument(value, range)?]),
            _ => None,
        }
    }

    /// An extent, known not to be negative after the allocation has checked it.
    fn extent_argument(&mut self, value: &Value, range: TextRange) -> Option<Scalar> {
        let extent = self.integer(value, range, "an extent")?;
        Some(match extent.as_int() {
            Some(_) => extent,
            None => Scalar {
                know: crate::value::Know::NonNegative,
                ..extent
            },
        })
    }

    /// Functions that make arrays.
    fn creation(&mut self, name: &str, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let (names, like): (&[&str], bool) = match name {
            "zeros" | "ones" | "empty" => (&["shape", "dtype"], false),
            "full" => (&["shape", "fill_value", "dtype"], false),
            "zeros_like" | "ones_like" | "empty_like" => (&["a", "dtype"], true),
            "full_like" => (&["a", "fill_value", "dtype"], true),
            "arange" => return self.arange(arguments, range),
            "eye" | "identity" => return self.eye(name, arguments, range),
            "array" | "asarray" | "asanyarray" => {
                return self.array_from(name, arguments, range);
            }
            _ => return None,
        };
        let by_name = |wanted: &str| {
            let position = names.iter().position(|name| *name == wanted);
            position
                .and_then(|position| arguments.positional.get(position))
                .map(|(value, _)| value.clone())
                .or_else(|| {
                    let mut found = arguments.keywords.iter();
                    found
                        .find(|(keyword, ..)| keyword == wanted)
                        .map(|(_, value, _)| value.clone())
                })
        };
        let known = arguments
            .keywords
            .iter()
            .all(|(keyword, ..)| names.contains(&keyword.as_str()));
        if !known || arguments.positional.len() > names.len() {
            return None;
        }
        let first = by_name(names[0])?;
        let shape = if like {
            if !is_array(&first) {
                return None;
            }
            self.shape_of(&first)
        } else {
            self.shape_argument(&first, range)?
        };
        if shape.is_empty() {
            return None;
        }
        let fill = by_name("fill_value");
        let dtype = match by_name("dtype") {
            Some(Value::None) | None => match (&fill, like) {
                (_, true) => Self::dtype_of(&first)?,
                (Some(value), false) => Self::dtype_of(value)?,
                (None, false) => DType::Float64,
            },
            Some(value) => self.as_dtype_value(&value)?,
        };
        if fill.as_ref().is_some_and(is_array) {
            return None;
        }
        let value = match name {
            "zeros" | "zeros_like" => Some(Scalar::const_int(0)),
            "ones" | "ones_like" => Some(Scalar::const_int(1)),
            "full" | "full_like" => match fill? {
                Value::Scalar(scalar) => Some(scalar),
                _ => return None,
            },
            _ => None,
        };
        if self.level() > 0 {
            return Some(self.private_array(dtype, &shape, value, range));
        }
        // Arrays that are made to be written to get their memory at once.
        let zeros = matches!(name, "zeros" | "zeros_like");
        let view = self.allocate(dtype, &shape, zeros, "array");
        if let Some(value) = value.filter(|_| !zeros) {
            self.store_region(&view, &Value::Scalar(value), range)?;
        }
        Some(Value::View(view))
    }

    /// A small array of an item's own.
    fn private_array(
        &mut self,
        dtype: DType,
        shape: &[Scalar],
        value: Option<Scalar>,
        range: TextRange,
    ) -> Value {
        let extents: Option<Vec<i128>> = shape.iter().map(Scalar::as_int).collect();
        let Some(extents) = extents else {
            return self.hinder("it makes an array of a size that is known only when it runs");
        };
        let size: i128 = extents.iter().product();
        if !(1..=MOST_PRIVATE).contains(&size) {
            return self.hinder("it makes an array that is too large for an item");
        }
        let extents: Vec<u32> = extents.iter().map(|extent| *extent as u32).collect();
        let storage = self
            .b
            .storage("private", dtype, &extents, StorageClass::Private);
        let view = View::whole(ArrayRef::Storage(storage), dtype, extents.len(), true);
        if let Some(value) = value {
            self.store_region(&view, &Value::Scalar(value), range);
        }
        Value::View(view)
    }

    /// `numpy.arange`, pulled element by element.
    fn arange(&mut self, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let mut dtype = None;
        let mut numbers = Vec::new();
        for (value, _) in &arguments.positional {
            match value {
                Value::Scalar(scalar) if scalar.dtype.kind() != Kind::Complex => {
                    numbers.push(*scalar);
                }
                Value::Dtype(found) if numbers.len() == 3 => dtype = Some(*found),
                _ => return None,
            }
        }
        for (keyword, value, _) in &arguments.keywords {
            match keyword.as_str() {
                "dtype" if matches!(value, Value::None) => {}
                "dtype" => dtype = Some(self.as_dtype_value(value)?),
                _ => return None,
            }
        }
        let zero = Scalar::const_int(0);
        let one = Scalar::const_int(1);
        let (start, stop, step) = match numbers[..] {
            [stop] => (zero, stop, one),
            [start, stop] => (start, stop, one),
            [start, stop, step] => (start, stop, step),
            _ => return None,
        };
        let whole = [start, stop, step]
            .iter()
            .all(|number| types::is_integer(number.dtype));
        let natural = if whole {
            let (a, _) = types::promote(&start, &stop);
            let b = Scalar::constant(a, start.weak && stop.weak, Constant::Int(0));
            // NumPy counts in int64 unless unsigned numbers need more.
            match types::promote(&b, &step).0 {
                DType::UInt64 => DType::UInt64,
                _ => DType::Int64,
            }
        } else {
            return self.float_arange(start, stop, step, dtype, range);
        };
        let dtype = dtype.unwrap_or(natural);
        // As many as Python's range has.
        let parts = [start, stop, step].map(|number| self.cast(&number, DType::Int64, true));
        let (near, far) = (parts[0], parts[1]);
        let distance = self.index_op(BinaryOp::Subtract, &far, &near);
        let count = match parts[2].as_int() {
            Some(0) => return None,
            Some(step) => {
                let distance = if step > 0 {
                    distance
                } else {
                    self.index_op(BinaryOp::Subtract, &near, &far)
                };
                let size = step.abs();
                let rounded = self.index_op(BinaryOp::Add, &distance, &Scalar::const_int(size - 1));
                self.index_op(BinaryOp::FloorDivide, &rounded, &Scalar::const_int(size))
            }
            None => {
                let negated = self.index_op(BinaryOp::Subtract, &zero, &distance);
                let down = self.index_op(BinaryOp::FloorDivide, &negated, &parts[2]);
                self.index_op(BinaryOp::Subtract, &zero, &down)
            }
        };
        let mut count = self.index_op(BinaryOp::Maximum, &count, &zero);
        if count.as_constant().is_none() {
            count.know = crate::value::Know::NonNegative;
        }
        let level = self.level();
        let (start, step) = (parts[0], parts[2]);
        let element: Element = Rc::new(move |t, indices| {
            let (start, step) = (t.brought(&start, level), t.brought(&step, level));
            let offset = t.index_op(BinaryOp::Multiply, &indices[0], &step);
            let value = t.index_op(BinaryOp::Add, &start, &offset);
            Some(t.cast(&value, dtype, false))
        });
        Some(self.lazy(dtype, vec![count], false, &[], range, element))
    }

    fn float_arange(
        &mut self,
        start: Scalar,
        stop: Scalar,
        step: Scalar,
        dtype: Option<DType>,
        range: TextRange,
    ) -> Option<Value> {
        let dtype = dtype.unwrap_or(DType::Float64);
        if dtype.kind() != Kind::Float {
            return None;
        }
        let parts = [start, stop, step].map(|number| self.as_dtype(&number, DType::Float64));
        let span = self.b.binary(BinaryOp::Subtract, parts[1], parts[0]);
        let turns = self.b.binary(BinaryOp::Divide, span, parts[2]);
        let turns = self.b.math(colocate_ir::MathFunction::Ceil, &[turns]);
        let zero = self
            .b
            .literal(colocate_ir::Literal::Float(DType::Float64, 0.0));
        let turns = self.b.binary(BinaryOp::Maximum, turns, zero);
        let count = self.b.convert(turns, DType::Int64);
        let count = Scalar::int(count, crate::value::Know::NonNegative);
        let level = self.level();
        // NumPy's step is the difference of the first two elements.
        let second = self.b.binary(BinaryOp::Add, parts[0], parts[2]);
        let delta = self.b.binary(BinaryOp::Subtract, second, parts[0]);
        let (start, delta) = (
            Scalar::new(DType::Float64, false, parts[0]),
            Scalar::new(DType::Float64, false, delta),
        );
        let element: Element = Rc::new(move |t, indices| {
            let (start, delta) = (t.brought(&start, level), t.brought(&delta, level));
            let (start, delta) = (t.ir(&start), t.ir(&delta));
            let at = t.as_dtype(&indices[0], DType::Float64);
            let offset = t.b.binary(BinaryOp::Multiply, at, delta);
            let value = t.b.binary(BinaryOp::Add, start, offset);
            let value = Scalar::new(DType::Float64, false, value);
            Some(t.cast(&value, dtype, false))
        });
        Some(self.lazy(dtype, vec![count], false, &[], range, element))
    }

    fn eye(&mut self, name: &str, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let mut dtype = DType::Float64;
        for (keyword, value, _) in &arguments.keywords {
            match keyword.as_str() {
                "dtype" => dtype = self.as_dtype_value(value)?,
                _ => return None,
            }
        }
        let most = if name == "eye" { 2 } else { 1 };
        if arguments.positional.is_empty() || arguments.positional.len() > most {
            return None;
        }
        let mut shape = Vec::new();
        for (value, place) in &arguments.positional {
            if matches!(value, Value::None) {
                continue;
            }
            shape.push(self.extent_argument(value, *place)?);
        }
        if shape.len() == 1 {
            shape.push(shape[0]);
        }
        let element: Element = Rc::new(move |t, indices| {
            let (i, j) = (t.ir(&indices[0]), t.ir(&indices[1]));
            let same = t.b.compare(CompareOp::Equal, i, j);
            let same = Scalar::new(DType::Bool, false, same);
            Some(t.cast(&same, dtype, false))
        });
        Some(self.lazy(dtype, shape, false, &[], range, element))
    }

    fn array_from(&mut self, name: &str, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let mut dtype = None;
        for (keyword, value, _) in &arguments.keywords {
            match keyword.as_str() {
                "dtype" if matches!(value, Value::None) => {}
                "dtype" => dtype = Some(self.as_dtype_value(value)?),
                "copy" => {}
                _ => return None,
            }
        }
        let value = match &arguments.positional[..] {
            [(value, _)] => value.clone(),
            [(value, _), (given, _)] => {
                dtype = Some(self.as_dtype_value(given)?);
                value.clone()
            }
            _ => return None,
        };
        if is_array(&value) {
            let own = Self::dtype_of(&value)?;
            if name != "array" && dtype.is_none_or(|dtype| dtype == own) {
                return Some(value);
            }
            let dtype = dtype.unwrap_or(own);
            let copy = self.converted(&value, dtype, range);
            return Some(if self.level() > 0 {
                copy
            } else {
                self.stored(&copy)
            });
        }
        match &value {
            Value::Tuple(_) => Some(self.as_array(&value, dtype, range)),
            Value::Range(parts) => {
                let positional = parts.iter().map(|part| (Value::Scalar(*part), range));
                let arguments = Arguments {
                    positional: positional.collect(),
                    keywords: Vec::new(),
                };
                let counted = self.arange(&arguments, range)?;
                Some(match dtype {
                    Some(dtype) => self.converted(&counted, dtype, range),
                    None => counted,
                })
            }
            _ => None,
        }
    }

    /// An array of what nested tuples hold.
    pub fn as_array(&mut self, value: &Value, dtype: Option<DType>, range: TextRange) -> Value {
        let mut shape = Vec::new();
        let mut leaves = Vec::new();
        if !flatten(value, 0, &mut shape, &mut leaves) {
            let diagnostic = self.wrong(
                codes::SHAPE,
                "the rows of an array must have the same length",
                range,
                "",
            );
            return self.report(diagnostic);
        }
        let arrays = leaves.iter().any(is_array);
        if arrays {
            let arguments = [(value.clone(), range)];
            let keywords: Vec<_> = dtype
                .map(|dtype| ("dtype".to_string(), Value::Dtype(dtype), range))
                .into_iter()
                .collect();
            return self.library("numpy.array", &arguments, &keywords, &[], range);
        }
        let mut joined: Option<Scalar> = None;
        let mut scalars = Vec::new();
        for leaf in &leaves {
            let Some(scalar) = self.scalar(leaf, range) else {
                return Value::Poison;
            };
            joined = Some(match joined {
                None => scalar,
                Some(known) => {
                    let (dtype, weak) = types::promote(&known, &scalar);
                    Scalar {
                        dtype,
                        weak,
                        know: crate::value::Know::Any,
                        ir: None,
                    }
                }
            });
            scalars.push(scalar);
        }
        let dtype = dtype.unwrap_or(joined.map_or(DType::Float64, |scalar| scalar.dtype));
        let extents: Vec<Scalar> = shape
            .iter()
            .map(|extent| Scalar::const_int(*extent as i128))
            .collect();
        let made = if self.level() > 0 {
            self.private_array(dtype, &extents, None, range)
        } else {
            Value::View(self.allocate(dtype, &extents, false, "array"))
        };
        let Value::View(view) = &made else {
            return made;
        };
        for (number, scalar) in scalars.iter().enumerate() {
            let mut indices = Vec::new();
            let mut rest = number;
            for extent in shape.iter().rev() {
                indices.push(Scalar::const_int((rest % extent) as i128));
                rest /= extent;
            }
            indices.reverse();
            let Some(ir) = self.element(scalar, dtype, range) else {
                return Value::Poison;
            };
            let place = self.at(view, &indices);
            let place = self.element_place(&place);
            self.b.store(place, ir);
        }
        made
    }

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
                    crate::lazy::PartOf {
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
            _ => Value::ArrayMethod(Box::new(value.clone()), name.to_string()),
        }
    }

    /// A method of an array.
    pub fn array_method(
        &mut self,
        on: &Value,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        if let Value::List(list) = on {
            return self.list_method(list, name, arguments, range);
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
        match name {
            "astype" => {
                let dtype = first
                    .or_else(|| {
                        let mut named = arguments.keywords.iter();
                        named
                            .find(|(keyword, ..)| keyword == "dtype")
                            .map(|(_, value, _)| value.clone())
                    })
                    .and_then(|value| self.as_dtype_value(&value));
                match dtype {
                    Some(dtype) => self.converted(on, dtype, range),
                    None => self.no_attribute(on, name, &[], range),
                }
            }
            "copy" => self.fresh_copy(on, range),
            "flatten" => {
                let copy = self.fresh_copy(on, range);
                let minus = Value::Scalar(Scalar::const_int(-1));
                self.reshaped(&copy, &[minus], range)
                    .unwrap_or(Value::Poison)
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
                    .unwrap_or(Value::Poison)
            }
            _ => {
                let with_self = with_self();
                self.library(
                    &format!("method.{name}"),
                    &with_self.positional,
                    &with_self.keywords,
                    &[],
                    range,
                )
            }
        }
    }
}

/// The shape and the leaves of nested tuples; false if they are not regular.
fn flatten(value: &Value, depth: usize, shape: &mut Vec<usize>, leaves: &mut Vec<Value>) -> bool {
    match value {
        Value::Tuple(items) => {
            if shape.len() == depth {
                if !leaves.is_empty() {
                    return false;
                }
                shape.push(items.len());
            } else if shape[depth] != items.len() {
                return false;
            }
            items
                .iter()
                .all(|item| flatten(item, depth + 1, shape, leaves))
        }
        leaf => {
            if shape.len() != depth {
                return false;
            }
            leaves.push(leaf.clone());
            true
        }
    }
}
