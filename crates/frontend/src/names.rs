//! Names and attributes, and what comes from outside the function.

use crate::arrays::global_arrays::GlobalArray;
use crate::near::{did_you_mean, near};
use crate::objects::classes::is_class;
use crate::objects::match_statements::BY_POSITION;
use crate::objects::operator_functions::is_operator_method;
use crate::objects::records::records;
use crate::objects::tables::is_table;
use crate::translate::Translator;
use crate::types;
use crate::value::{Constant, Scalar, Value};
use crate::{Captured, codes};
use colocate_ir::{DType, Kind, UnaryOp};
use ruff_python_ast::{ExprAttribute, ExprName};
use ruff_text_size::{Ranged, TextRange};

impl Translator<'_> {
    /// What a name means.
    pub fn name(&mut self, e: &ExprName) -> Value {
        let name = e.id.as_str();
        if let Some(binding) = self.scope().get(name).cloned() {
            if let Value::Conflict(conflict) = &binding.value {
                let (first, second) = (&conflict.first, &conflict.second);
                let diagnostic = self
                    .wrong(
                        codes::CONFLICT,
                        format!("`{name}` has incompatible types"),
                        e.range(),
                        "its type depends on the path taken",
                    )
                    .at(
                        first.1.file as usize,
                        first.1.span,
                        format!("it is {} here", first.0),
                    )
                    .at(
                        second.1.file as usize,
                        second.1.span,
                        format!("and {} here", second.0),
                    )
                    .help("use two variables, or give it the same kind of value on every path");
                // The same two places are told once, however often the variable is used.
                let told = self.diagnostics.iter().position(|other| {
                    other.code == diagnostic.code
                        && other.labels.get(1..) == diagnostic.labels.get(1..)
                });
                let told = told.unwrap_or(self.diagnostics.len());
                if told == self.diagnostics.len() {
                    self.report(diagnostic);
                }
                let frame = self.frame().id;
                self.told_conflicts
                    .push((told, frame, name.to_string(), binding));
                let site = self.site(e.range());
                self.bind(name, Value::Poison, site);
                return Value::Poison;
            }
            if binding.unsure || self.frame().deleted.contains(name) {
                self.check_set(name, e.range());
            }
            return self.recall(name, &binding.value);
        }
        if self.frame().locals.contains(name) && !self.is_outer_name(name) {
            self.frame().unbound_reads.insert(name.to_string());
            // Variables of generators have a mark before their names.
            let name = name.rsplit(' ').next().unwrap_or(name);
            let outside = self.env.near_names("");
            let help = if outside.iter().any(|other| other == name) {
                format!(
                    "`{name}` outside is another variable, because this function assigns to the name: use a new name here"
                )
            } else {
                format!("assign to `{name}` before, on every path that comes here")
            };
            let diagnostic = self
                .wrong(
                    codes::UNBOUND,
                    format!("`{name}` is used before it has a value"),
                    e.range(),
                    "it has no value yet",
                )
                .help(help);
            return self.report(diagnostic);
        }
        if let Some(value) = self.outer_variable(name) {
            self.check_outer_set(name, e.range());
            return value;
        }
        if self.owner_of(name).is_some() {
            let diagnostic = self
                .wrong(
                    codes::UNBOUND,
                    format!("`{name}` is used before it has a value"),
                    e.range(),
                    "the function around has not given it a value yet",
                )
                .help(format!("assign to `{name}` before this function is called"));
            return self.report(diagnostic);
        }
        let function = self.surroundings();
        if let Some(found) = self.assigned_global(function, name, e.range()) {
            return found;
        }
        let found = self.env.name(function, name);
        match found {
            Some(captured) => {
                self.remember(name, &captured);
                self.captured_value(&captured)
            }
            None => self.unknown_name(name, e.range()),
        }
    }

    fn unknown_name(&mut self, name: &str, range: TextRange) -> Value {
        let mut candidates = self.env.near_names("");
        candidates.extend(
            self.scope()
                .keys()
                .filter(|key| !key.starts_with('%'))
                .cloned(),
        );
        let close = near(name, candidates.iter().map(String::as_str));
        let mut diagnostic = self.wrong(
            codes::UNKNOWN_NAME,
            format!("`{name}` is not defined"),
            range,
            "",
        );
        let import = match name {
            "np" | "numpy" => Some("write `import numpy as np` at the top of the file"),
            "math" => Some("write `import math` at the top of the file"),
            "cl" | "colocate" => Some("write `import colocate as cl` at the top of the file"),
            _ => None,
        };
        if let Some(help) = import {
            diagnostic = diagnostic.help(help);
        } else if let Some(help) = did_you_mean(&close) {
            diagnostic = diagnostic.help(help);
        }
        self.report(diagnostic)
    }

    pub fn remember(&mut self, path: &str, captured: &Captured) {
        let function = self.surroundings();
        let known = |(f, p, _): &(_, String, _)| *f == function && p == path;
        if !self.captured.iter().any(known) {
            self.captured
                .push((function, path.to_string(), captured.clone()));
        }
    }

    /// Something from outside as a value.
    pub fn captured_value(&mut self, captured: &Captured) -> Value {
        match captured {
            Captured::None => Value::None,
            Captured::Bool(value) => Scalar::const_bool(*value).into(),
            Captured::Int(value) => Scalar::const_int(*value).into(),
            Captured::Float(value) => Scalar::const_float(*value).into(),
            Captured::Complex(re, im) => {
                Scalar::constant(DType::Complex128, true, Constant::Complex(*re, *im)).into()
            }
            Captured::NumpyScalar(literal) => {
                Scalar::constant(literal.dtype(), false, types::constant_of(*literal)).into()
            }
            Captured::Str(text) => Value::Str(text.clone()),
            Captured::Dtype(dtype) => Value::Dtype(*dtype),
            Captured::Tuple(items) => {
                Value::Tuple(items.iter().map(|item| self.captured_value(item)).collect())
            }
            Captured::Module { handle, name } => Value::Module {
                handle: *handle,
                name: name.clone(),
            },
            Captured::Builtin(name) => crate::calls::builtin_constant(name)
                .map_or_else(|| Value::Builtin(name.clone()), Value::Scalar),
            Captured::Function(id) => Value::Function(*id),
            Captured::NamedTuple {
                handle,
                name,
                fields,
                own_axes,
                is_instance,
            } => Value::NamedClass(std::rc::Rc::new(crate::value::NamedTuple {
                handle: *handle,
                name: name.clone(),
                fields: fields.clone(),
                list: None,
                own_axes: own_axes.clone(),
                is_instance: *is_instance,
            })),
            Captured::NamedItems(class, items) => match self.captured_value(class) {
                Value::NamedClass(class) => {
                    let items = items.iter().map(|item| self.captured_value(item)).collect();
                    Value::Named(class, items)
                }
                _ => Value::Poison,
            },
            Captured::Kernel(name) => Value::Kernel(name.clone()),
            Captured::Exception { handle, name } => Value::Exception {
                handle: *handle,
                name: name.clone(),
            },
            Captured::Array { type_name } => Value::Unsupported(format!("a {type_name}")),
            Captured::GlobalArray {
                number,
                dtype,
                rank,
                layout,
                writable,
            } => self.global_array(GlobalArray {
                number: *number,
                dtype: *dtype,
                rank: *rank,
                layout: *layout,
                writable: *writable,
                local: None,
            }),
            Captured::Ellipsis => Value::Ellipsis,
            Captured::Functions(fields) => {
                let fields = fields
                    .iter()
                    .map(|(name, one)| (name.clone(), self.captured_value(one)));
                crate::objects::tables::table(fields.collect())
            }
            Captured::Range(parts) => {
                Value::Range(Box::new(parts.map(|part| Scalar::const_int(part.into()))))
            }
            Captured::Slice(parts) => {
                let parts: Vec<Value> = parts.iter().map(|one| self.captured_value(one)).collect();
                let part = |at: usize| match parts.get(at) {
                    Some(Value::Scalar(scalar)) => Some(*scalar),
                    _ => None,
                };
                Value::Slice(Box::new([part(0), part(1), part(2)]))
            }
            Captured::Held { number, kind } => self.outside_container(*number, kind),
            Captured::Unsupported { description } => Value::Unsupported(description.clone()),
        }
    }

    /// `value.name`.
    pub fn attribute(&mut self, e: &ExprAttribute) -> Value {
        if let Some(method) = self.inherited(e) {
            return method;
        }
        if let Some(name) = self.name_of_member(e) {
            return name;
        }
        let value = self.expr(&e.value);
        if let Value::Unsupported(_) = value {
            return self.unusable(&value, e.value.range());
        }
        self.attribute_of(&value, e.attr.as_str(), e.range(), e.attr.range())
    }

    /// `value.name` of a value; the name stands at `place`.
    pub fn attribute_of(
        &mut self,
        value: &Value,
        name: &str,
        range: TextRange,
        place: TextRange,
    ) -> Value {
        if records(value).is_some() {
            return self.records_attribute(value, name, place);
        }
        if let (Value::Builtin(class), "__name__", true) = (value, name, is_class(value)) {
            return Value::Str(class.rsplit('.').next().unwrap_or(class).to_string());
        }
        if let Some(name) = self.name_of_class(value, name, range) {
            return name;
        }
        if name == "__class__" && self.is_program() && is_thing(value) {
            return self.type_of(value, range);
        }
        if let (Some(function), "__name__") = (function_of(value), name) {
            return match self.parse(function) {
                Some((parsed, _)) => Value::Str(parsed.def.name.to_string()),
                None => Value::Poison,
            };
        }
        if let Value::Function(function) = value
            && self.is_program()
            && let Some(found) = self.env.function_attribute(*function, name)
        {
            return self.captured_value(&found);
        }
        if let Some(position) = name.strip_prefix(BY_POSITION) {
            let names = self.class_attribute(value, "__match_args__", range);
            let position: usize = position.parse().unwrap_or(usize::MAX);
            return match &names {
                Some(Value::Tuple(names)) if let Some(Value::Str(name)) = names.get(position) => {
                    self.attribute_of(value, name, range, place)
                }
                _ => self.no_attribute(value, "__match_args__", &[], place),
            };
        }
        if let Value::NamedClass(class) = value
            && class.is_plain()
        {
            match name {
                "_fields" => {
                    let names = class.fields.iter().cloned().map(Value::Str);
                    return Value::Tuple(names.collect());
                }
                "_make" => return Value::ArrayMethod(Box::new(value.clone()), name.to_string()),
                "__name__" => return Value::Str(class.name.clone()),
                _ => {}
            }
        }
        if let Value::Instance(made) = value
            && let Some(found) = self.made_attribute(made, name)
        {
            return found;
        }
        if let Value::Optional(inner, _) = value
            && matches!(&**inner, Value::Named(class, _) if class.is_instance)
        {
            let there = self.with_attribute(value, name, range).into_owned();
            return self.attribute_of(&there, name, range, place);
        }
        if let Some(found) = self.changed_attribute(value, name, range) {
            return found;
        }
        if let Value::Named(class, items) = value
            && let Some(position) = class.fields.iter().position(|field| field == name)
        {
            if class.is_instance
                && matches!(items.get(position), Some(Value::Unsupported(_)))
                && self.share_arguments()
            {
                return Value::Poison;
            }
            return items.get(position).cloned().unwrap_or(Value::Poison);
        }
        if let Value::Named(class, _) = value
            && class.is_list()
            && self.level() == 0
            && crate::objects::changing_statements::changes(name)
            && self.change_list(class.list)
        {
            return Value::Poison;
        }
        if let Value::Named(class, _) = value
            && class.is_list()
            && matches!(name, "copy" | "index" | "count")
        {
            return Value::ArrayMethod(Box::new(value.clone()), name.to_string());
        }
        if let Value::Named(class, items) = value
            && class.handle == crate::host::trying::EXCEPTION_CLASS
            && let Some(Value::Tuple(arguments)) = items.first()
            && arguments.len() >= 2
        {
            match name {
                "errno" => return arguments[0].clone(),
                "strerror" => return arguments[1].clone(),
                _ => {}
            }
        }
        if let Some(found) = self.attribute_of_exception(value, name, range) {
            return found;
        }
        if is_table(value) {
            return Value::ArrayMethod(Box::new(value.clone()), name.to_string());
        }
        if let Value::Named(class, _) = value
            && name == "_replace"
            && !class.fields.is_empty()
        {
            return Value::ArrayMethod(Box::new(value.clone()), name.to_string());
        }
        if let Some(found) = self.class_attribute(value, name, range) {
            return found;
        }
        let value = &*self.with_attribute(value, name, range);
        match value {
            Value::Poison => Value::Poison,
            Value::Choice(options, which) => {
                let (options, which, name) = (options.clone(), *which, name.to_string());
                self.with_choice(&options, &which, range, &mut |t, option| {
                    t.attribute_of(option, &name, range, place)
                })
            }
            Value::Module {
                handle,
                name: module,
            } => {
                if let Some(found) = self.attribute_outside(*handle, name, range) {
                    return found;
                }
                if let Some(getter) = self.env.property(*handle, name) {
                    let getter = self.captured_value(&getter);
                    let given = crate::calls::Arguments {
                        positional: vec![(value.clone(), range)],
                        keywords: Vec::new(),
                    };
                    return self.call_value(&getter, &given, range, range, None);
                }
                if let Some(captured) = self.env.attribute(*handle, name) {
                    let site = self.site(range);
                    let path = self.files[site.file as usize].slice(site.span).to_string();
                    self.remember(&path, &captured);
                    return self.captured_value(&captured);
                }
                let candidates = self.env.near_names(module);
                // What kernels know is the better guess.
                let known = crate::calls::known(module);
                let mut close = near(name, known.iter().copied());
                close.retain(|one| candidates.iter().any(|other| other == one));
                if close.is_empty() {
                    close = near(name, candidates.iter().map(String::as_str));
                }
                let mut diagnostic = self.wrong(
                    codes::ATTRIBUTE,
                    format!("{} has no `{name}`", value.describe()),
                    place,
                    "",
                );
                if let Some(help) = did_you_mean(&close) {
                    diagnostic = diagnostic.help(help);
                }
                self.report(diagnostic)
            }
            Value::Held(_) => Value::ArrayMethod(Box::new(value.clone()), name.to_string()),
            Value::Tuple(_) if self.is_program() && matches!(name, "index" | "count") => {
                Value::ArrayMethod(Box::new(value.clone()), name.to_string())
            }
            Value::Object(_) if let Some(found) = self.foreign_attribute(value, name, range) => {
                found
            }
            Value::List(_) | Value::Object(_) => {
                Value::ArrayMethod(Box::new(value.clone()), name.to_string())
            }
            Value::Str(_) if self.is_program() => {
                Value::ArrayMethod(Box::new(value.clone()), name.to_string())
            }
            Value::ArrayMethod(array, method) if method == "flags" => {
                let array = (**array).clone();
                self.array_flag(&array, name, place)
            }
            Value::View(_) | Value::Lazy(_) if self.is_program() => {
                self.array_attribute(value, name, place)
            }
            Value::View(view) => {
                let view = view.clone();
                self.view_attribute(&view, name, place)
            }
            Value::Builtin(function) if self.is_program() => {
                Value::Builtin(format!("{function}.{name}"))
            }
            Value::Scalar(scalar) => {
                let scalar = *scalar;
                self.scalar_attribute(&scalar, name, place)
            }
            Value::Dtype(dtype) => match name {
                "type" => Value::Dtype(*dtype),
                "itemsize" => Scalar::const_int(dtype.itemsize() as i128).into(),
                "name" | "__name__" => Value::Str(dtype.name().into()),
                "kind" => {
                    let kind = match dtype.kind() {
                        Kind::Bool => "b",
                        Kind::Int => "i",
                        Kind::UInt => "u",
                        Kind::Float => "f",
                        Kind::Complex => "c",
                    };
                    Value::Str(kind.into())
                }
                _ => self.no_attribute(value, name, &["type", "itemsize", "name", "kind"], place),
            },
            Value::Limits(dtype) => match crate::builtins_numpy::limit(*dtype, name) {
                Some(limit) => limit.into(),
                None => self.no_attribute(
                    value,
                    name,
                    &["max", "min", "eps", "tiny", "smallest_normal", "bits"],
                    place,
                ),
            },
            Value::Range(parts) if self.is_program() => {
                let found = self.range_attribute(parts, name);
                found.unwrap_or_else(|| {
                    self.no_attribute(value, name, &["start", "stop", "step"], place)
                })
            }
            Value::Slice(_) if name == "indices" && self.is_program() => {
                Value::ArrayMethod(Box::new(value.clone()), name.to_string())
            }
            Value::Slice(parts) => {
                let names = ["start", "stop", "step"];
                match names.iter().position(|one| *one == name) {
                    Some(at) => parts[at].map_or(Value::None, Value::Scalar),
                    None => self.no_attribute(value, name, &names, place),
                }
            }
            Value::Unsupported(_) => self.unusable(value, range),
            _ => self.no_attribute(value, name, &[], place),
        }
    }

    /// Reports that something from outside cannot be used.
    pub fn unusable(&mut self, value: &Value, range: TextRange) -> Value {
        let what = value.describe();
        let diagnostic = self
            .wrong(
                codes::CAPTURED,
                format!("{what} from outside cannot be used in a kernel"),
                range,
                format!("this is {what}"),
            )
            .help(if what.ends_with("ndarray") || what.ends_with("Array") {
                "pass it to the kernel as an argument"
            } else if what.starts_with("the dtype") {
                "use a dtype that devices have: float64, complex128 and those with fewer bits"
            } else if what == "a list" {
                "make it a tuple, or pass it to the kernel as an array"
            } else if what == "a lambda" {
                "write the function with def"
            } else if what.starts_with("a function") {
                "define the function in a file or a notebook cell"
            } else {
                "pass what is needed of it to the kernel: arrays, numbers and tuples"
            });
        self.report(diagnostic)
    }

    /// Reports a missing attribute.
    pub fn no_attribute(
        &mut self,
        value: &Value,
        name: &str,
        known: &[&str],
        range: TextRange,
    ) -> Value {
        let what = value.describe();
        let mut diagnostic = self.wrong(
            codes::ATTRIBUTE,
            format!("{what} has no attribute `{name}` in kernels"),
            range,
            "",
        );
        let close = near(name, known.iter().copied());
        if let Some(help) = method_help(value, name) {
            diagnostic = diagnostic.help(help);
        } else if let Some(help) = did_you_mean(&close) {
            diagnostic = diagnostic.help(help);
        } else if !known.is_empty() {
            let known: Vec<_> = known.iter().map(|name| format!("`.{name}`")).collect();
            diagnostic = diagnostic.help(format!("it has {}", known.join(", ")));
        }
        self.report(diagnostic)
    }

    fn scalar_attribute(&mut self, scalar: &Scalar, name: &str, range: TextRange) -> Value {
        let complex = scalar.dtype.kind() == Kind::Complex;
        match name {
            "real" | "imag" if complex => {
                let op = if name == "real" {
                    UnaryOp::Real
                } else {
                    UnaryOp::Imaginary
                };
                let ir = self.ir(scalar);
                let dtype = types::real_of(scalar.dtype);
                Scalar::new(dtype, scalar.weak, self.b.unary(op, ir)).into()
            }
            "real" if scalar.dtype == DType::Bool && scalar.weak => {
                self.cast(scalar, DType::Int64, true).into()
            }
            "real" => (*scalar).into(),
            "imag" => {
                let dtype = if scalar.dtype == DType::Bool && scalar.weak {
                    DType::Int64
                } else {
                    scalar.dtype
                };
                let zero = types::cast(Constant::Int(0), dtype);
                Scalar::constant(dtype, scalar.weak, zero).into()
            }
            "conjugate" | "conj" => Value::Method(Box::new((*scalar).into()), "conjugate"),
            "item" if !scalar.weak => Value::Method(Box::new((*scalar).into()), "item"),
            "view" if !scalar.weak => Value::Method(Box::new((*scalar).into()), "view"),
            "is_integer" if self.is_program() && scalar.dtype.kind() == Kind::Float => {
                Value::ArrayMethod(Box::new((*scalar).into()), name.to_string())
            }
            "bit_length" | "bit_count" | "is_integer" | "as_integer_ratio" | "hex" | "to_bytes"
                if self.is_program() && self.level() == 0 =>
            {
                Value::ArrayMethod(Box::new((*scalar).into()), name.to_string())
            }
            "bit_length" | "is_integer" => self.no_attribute(
                &(*scalar).into(),
                name,
                &["real", "imag", "conjugate"],
                range,
            ),
            "dtype" if !scalar.weak => Value::Dtype(scalar.dtype),
            "ndim" if !scalar.weak => Scalar::const_int(0).into(),
            "size" if !scalar.weak => Scalar::const_int(1).into(),
            "shape" if !scalar.weak => Value::Tuple(Vec::new()),
            "itemsize" | "nbytes" if !scalar.weak => {
                Scalar::const_int(scalar.dtype.itemsize() as i128).into()
            }
            "T" if !scalar.weak => (*scalar).into(),
            // Numbers of NumPy have the methods of arrays.
            _ if !scalar.weak
                && self.is_program()
                && crate::arrays::attributes::is_method_of_numbers(name) =>
            {
                Value::ArrayMethod(Box::new((*scalar).into()), name.to_string())
            }
            _ if scalar.weak && self.is_program() && is_operator_method(name) => {
                Value::ArrayMethod(Box::new((*scalar).into()), name.to_string())
            }
            _ => {
                let known: &[&str] = if scalar.weak {
                    &["real", "imag", "conjugate"]
                } else {
                    &["real", "imag", "conjugate", "dtype", "item", "view"]
                };
                self.no_attribute(&(*scalar).into(), name, known, range)
            }
        }
    }
}

/// Whether a value is an object of a class, and none that stands for a name.
fn is_thing(value: &Value) -> bool {
    match value {
        Value::Named(..) => !is_table(value),
        Value::Scalar(_)
        | Value::Tuple(_)
        | Value::Str(_)
        | Value::List(_)
        | Value::Held(_)
        | Value::Range(_)
        | Value::View(_)
        | Value::Lazy(_)
        | Value::Object(_)
        | Value::Instance(_) => true,
        _ => false,
    }
}

/// The function that a value is.
fn function_of(value: &Value) -> Option<crate::FunctionId> {
    match value {
        Value::Function(function) => Some(*function),
        Value::Closure(closure) => Some(closure.function),
        _ => None,
    }
}

/// What to write instead of a method of NumPy's that kernels do not have.
fn method_help(value: &Value, name: &str) -> Option<&'static str> {
    match (value, name) {
        (Value::Scalar(_), "astype") => Some("call the dtype: `numpy.float32(x)`"),
        (Value::View(_), "astype") => Some("convert an element: `numpy.float32(a[i])`"),
        (Value::View(_), "reshape" | "ravel" | "flatten" | "transpose" | "squeeze") => {
            Some("reshape the array before the launch; `a.T` is its transpose")
        }
        (Value::View(_), "fill") => Some("assign to all elements: `a[:] = value`"),
        (Value::View(_), "copy") => Some("copy into a colocate.private_array: `b[:] = a`"),
        (
            Value::View(_),
            "sum" | "prod" | "min" | "max" | "mean" | "std" | "var" | "any" | "all" | "argmin"
            | "argmax" | "dot" | "cumsum" | "sort",
        ) => Some("write a loop over the elements"),
        (Value::Tuple(_), "index" | "count") => Some("write a loop over the items"),
        (Value::Str(_), _) => Some(crate::conversions::STRING_HELP),
        _ => None,
    }
}
