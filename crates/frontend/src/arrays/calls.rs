//! Functions and methods of arrays in jit functions.
//!
//! What works element by element is lifted from the functions of numbers; whole reductions become
//! regions; what only changes shape or order becomes a view or a lazy array. Everything else is a
//! call of the array library.

use crate::arrays::lazy::{is_array, rank_of};
use crate::calls::Arguments;
use crate::host::library_calls::gives_views;
use crate::objects::classes::class_text;
use crate::objects::python_objects::{BOOL, FLOAT, INT};
use crate::objects::ranges_and_texts::raised;
use crate::program::{Call, ObjectType};
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use crate::{builtins_numpy, codes};
use colocate_ir::{CompareOp, DType, Kind};
use ruff_python_ast::Operator;
use ruff_text_size::TextRange;

/// Functions of `logging` that write a line.
const WRITES_TO_LOG: &[&str] = &["critical", "debug", "error", "info", "log", "warning"];

/// What NumPy has for objects that are no numbers.
const PYTHON_ONLY: &[&str] = &[
    "datetime64",
    "timedelta64",
    "str_",
    "bytes_",
    "busday_count",
    "is_busday",
    "busday_offset",
    "datetime_as_string",
    "longdouble",
];

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
            "builtins"
                if name != "list"
                    && arguments
                        .positional
                        .iter()
                        .any(|(value, _)| matches!(value, Value::Generator(..))) =>
            {
                if let Some(lazy) = self.over_generator(name, arguments, range) {
                    return Some(lazy);
                }
                let listed = self.with_generators_as_lists(arguments);
                self.program_call(module, name, &listed, range)
            }
            "builtins"
                if arguments
                    .positional
                    .iter()
                    .any(|(value, _)| matches!(value, Value::Object(_))) =>
            {
                self.object_function(name, arguments, range)
                    .or_else(|| self.python_function(name, arguments, range))
                    .or_else(|| self.builtin_call(name, arguments, range))
            }
            "builtins" => self
                .python_function(name, arguments, range)
                .or_else(|| self.object_function(name, arguments, range))
                .or_else(|| self.builtin_call(name, arguments, range)),
            "colocate" | "numba" if name == "prange" => {
                let counted = self.call_python("range", arguments, range)?;
                Some(match counted {
                    Value::Range(parts) => Value::ParallelRange(parts),
                    other => other,
                })
            }
            "numba" => {
                let result = match name {
                    "set_num_threads" => ObjectType::None,
                    _ => INT,
                };
                let full = format!("{module}.{name}");
                let given = &arguments.positional;
                Some(self.python_call(&full, given, &arguments.keywords, Some(result), range))
            }
            "colocate" if name == "dtype_of" => self.result_dtype(arguments, range),
            "colocate" if name == "of_elements" => self.of_elements(arguments, range),
            "itertools" if self.goes_by_itself(name, arguments) => {
                self.over_generator(name, arguments, range)
            }
            "math"
                if matches!(
                    name,
                    "fsum" | "prod" | "dist" | "perm" | "sumprod" | "remainder"
                ) =>
            {
                let function = format!("math.{name}");
                let given: Vec<_> = arguments
                    .positional
                    .iter()
                    .map(|(value, place)| (self.all_stored(value.clone()), *place))
                    .collect();
                Some(self.python_call(&function, &given, &arguments.keywords, None, range))
            }
            "math" if name == "lcm" && arguments.positional.len() > 2 => {
                let mut rest = arguments.positional.iter();
                let mut all = rest.next()?.clone();
                for next in rest {
                    let pair = Arguments {
                        positional: vec![all, next.clone()],
                        keywords: Vec::new(),
                    };
                    all = (self.integer_function(name, &pair, range)?, range);
                }
                Some(all.0)
            }
            "math" => self.integer_function(name, arguments, range),
            "outside" => Some(self.outside_function(name, arguments, range)),
            "random" => self.python_random(name, arguments, range),
            "re" => self.expression_function(name, arguments, range),
            // No example is to be written to a log.
            "logging" if WRITES_TO_LOG.contains(&name) => {
                let (given, named) = (&arguments.positional, &arguments.keywords);
                let full = format!("{module}.{name}");
                Some(self.python_call(&full, given, named, Some(ObjectType::None), range))
            }
            "logging" if name == "getLogger" => {
                let (given, named) = (&arguments.positional, &arguments.keywords);
                Some(self.python_call("logging.getLogger", given, named, None, range))
            }
            // No example is to switch anything off.
            "gc" => {
                let known = match name {
                    "collect" => INT,
                    "isenabled" => BOOL,
                    "enable" | "disable" => ObjectType::None,
                    _ => return None,
                };
                let (given, named) = (&arguments.positional, &arguments.keywords);
                let full = format!("{module}.{name}");
                Some(self.python_call(&full, given, named, Some(known), range))
            }
            "itertools" | "string" | "time" | "array" | "struct" | "datetime" | "fractions"
            | "decimal" | "_decimal" | "statistics" | "zlib" | "binascii" | "base64"
            | "hashlib" | "posixpath" | "genericpath" => {
                let (given, named) = (&arguments.positional, &arguments.keywords);
                let given: Vec<_> = given
                    .iter()
                    .map(|(value, place)| {
                        let value = match value {
                            Value::Enumerate(..) | Value::Zip(_) => self.as_list(value, *place),
                            other => self.all_stored(other.clone()),
                        };
                        (value, *place)
                    })
                    .collect();
                let full = format!("{module}.{name}");
                let known = asked_of_files(&full);
                Some(self.python_call(&full, &given, named, known, range))
            }
            _ => None,
        }
    }

    /// Arguments with generators as lists of all that they give.
    fn with_generators_as_lists(&mut self, arguments: &Arguments) -> Arguments {
        let positional = arguments
            .positional
            .iter()
            .map(|(value, place)| match value {
                Value::Generator(..) => (self.as_list(value, *place), *place),
                other => (other.clone(), *place),
            });
        Arguments {
            positional: positional.collect(),
            keywords: arguments.keywords.clone(),
        }
    }

    /// Arguments with those at the beginning given by position, where all were given by their names.
    fn with_first_by_position(&mut self, name: &str, arguments: &Arguments) -> Arguments {
        let mut placed = Arguments {
            positional: arguments.positional.clone(),
            keywords: arguments.keywords.clone(),
        };
        if placed.positional.is_empty() && !placed.keywords.is_empty() {
            for parameter in self.env.parameters(&format!("numpy.{name}")) {
                let at = placed
                    .keywords
                    .iter()
                    .position(|(one, ..)| *one == parameter);
                let Some(at) = at else {
                    break;
                };
                let (_, value, place) = placed.keywords.remove(at);
                placed.positional.push((value, place));
            }
        }
        placed
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
                Some(list @ (Value::List(_) | Value::Held(_))) => {
                    let length = self.length_of(list, range);
                    Some(length.map_or(Value::Poison, Value::Scalar))
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
            "min" | "max"
                if matches!(&arguments.positional[..], [(value, _)] if rank_of(value) == Some(1))
                    && arguments.keywords.is_empty() =>
            {
                let value = self.all_stored(arguments.positional[0].0.clone());
                Some(self.extreme_of_elements(name, &value, range))
            }
            "sum" | "min" | "max" | "any" | "all"
                if arguments.positional.len() == 1 && first.as_ref().is_some_and(is_array) =>
            {
                self.numpy_call(name, arguments, range)
            }
            "enumerate" | "zip" => {
                let known = arguments
                    .positional
                    .iter()
                    .all(|(value, _)| self.unrolled(value).is_some());
                let stored = |t: &mut Self, value: &Value| match value {
                    Value::Str(text) if !known && t.level() == 0 => t.text_object(text),
                    other => t.all_stored(other.clone()),
                };
                let stored = Arguments {
                    positional: arguments
                        .positional
                        .iter()
                        .map(|(value, place)| (stored(self, value), *place))
                        .collect(),
                    keywords: arguments.keywords.clone(),
                };
                self.zipped_strictly(name, &stored, range)
                    .or_else(|| self.call_python(name, &stored, range))
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
                Some(Value::Tuple(items)) => Some(self.listed(items, range)),
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

    /// `zip(..., strict=...)`; nothing for other calls. That lengths differ is seen before the first turn.
    fn zipped_strictly(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let [(keyword, Value::Scalar(strict), _)] = &arguments.keywords[..] else {
            return None;
        };
        let strict = strict
            .as_int()
            .filter(|_| name == "zip" && keyword == "strict")?
            != 0;
        let plain = Arguments {
            positional: arguments.positional.clone(),
            keywords: Vec::new(),
        };
        let zipped = self.call_python(name, &plain, range)?;
        let Value::Zip(parts) = &zipped else {
            return Some(zipped);
        };
        let first = self.length_of(parts.first()?, range)?;
        for part in parts[1..].iter().filter(|_| strict) {
            let length = self.length_of(part, range)?;
            let differ = self.compare_scalars(colocate_ir::CompareOp::NotEqual, &length, &first);
            let differ = self.ir(&differ);
            let text = "zip() arguments have different lengths";
            let raised = crate::objects::ranges_and_texts::raised("ValueError", text);
            self.raise_if(differ, &raised, range);
        }
        Some(zipped)
    }

    /// Arguments with lists as the arrays that hold their items, for functions that look at items only.
    pub fn with_list_views(&mut self, arguments: &Arguments, name: &str) -> Arguments {
        let keep = matches!(
            name,
            "len" | "print" | "list" | "tuple" | "isinstance" | "enumerate" | "zip"
        );
        let positional = arguments.positional.iter().map(|(value, place)| {
            let value = match value {
                Value::List(list) if !keep && self.is_unknown(list.key) => Value::Poison,
                // An array of what is in a list is a new one.
                Value::List(_) if may_share_memory(name) => {
                    let array = self.settled_list(value);
                    match self.level() {
                        0 => self.fresh_copy(&array, *place),
                        _ => array,
                    }
                }
                Value::List(_) if !keep => self.settled_list(value),
                Value::Held(_) if !keep && !joins_arrays(name) => self.list_as_array(value, *place),
                Value::Object(object)
                    if matches!(*object.kind, ObjectType::List(_))
                        && !keep
                        && self.is_unknown_inside(object) =>
                {
                    Value::Poison
                }
                // A tuple may be a shape.
                Value::Object(object)
                    if matches!(*object.kind, ObjectType::List(_))
                        && !keep
                        && !joins_arrays(name)
                        && !name.starts_with("random.") =>
                {
                    self.items_as_array(value, *place)
                }
                Value::Elements(elements) if !keep && !elements.positions => match &elements.of {
                    Some(view) => {
                        let given = [(Value::View(view.clone()), *place)];
                        self.library("numpy.ravel", &given, &[], &[], *place)
                    }
                    None => value.clone(),
                },
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
    pub fn with_counted(&mut self, arguments: &Arguments, range: TextRange) -> Arguments {
        let mut positional = arguments.positional.clone();
        for (value, _) in &mut positional {
            if let Value::Range(parts) = value
                && let Some(counted) = self.range_as_array(parts, range)
            {
                *value = counted;
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
            let value = class_text(value).unwrap_or_else(|| value.clone());
            let value = &self.shown(&value, *place);
            match self.operand_of(value, &mut words, *place) {
                Some(part) => parts.push(part),
                None if self.again => return Value::Poison,
                None => return self.no_library_argument("print", value, *place),
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
        let arguments = &self.with_first_by_position(name, arguments);
        let function = format!("numpy.{name}");
        // What is shuffled is the list itself.
        if name != "random.shuffle"
            && let Some(found) = self.foreign_function(&function, arguments, range)
        {
            return Some(found);
        }
        if PYTHON_ONLY.contains(&name) {
            let (given, named) = (&arguments.positional, &arguments.keywords);
            return Some(self.python_call(&function, given, named, None, range));
        }
        let named = |(_, value, _): &(String, Value, TextRange)| is_array(value);
        if arguments.positional.is_empty() && arguments.keywords.iter().any(named) {
            return Some(self.any_library(name, arguments, range));
        }
        if let ("random.shuffle", [(list, _)], []) =
            (name, &arguments.positional[..], &arguments.keywords[..])
            && list.is_list()
            && let Some(done) = self.shuffled_list("shuffle_globally", &arguments.positional, range)
        {
            return Some(done);
        }
        let listed = match (name, &arguments.positional[..]) {
            // What generator expressions give is computed at once, wherever they are arguments.
            ("fromiter", _) => Some(self.with_generators_as_lists(arguments)),
            _ => None,
        };
        let arguments = &self.with_list_views(listed.as_ref().unwrap_or(arguments), name);
        let arguments = &self.with_counted(arguments, range);
        let is_given = |name: &str| is_named(arguments, name);
        if name == "random.choice"
            && matches!(&arguments.positional[..], [(Value::Scalar(_), _)])
            && is_given("p")
            && !is_given("size")
            && self.level() == 0
        {
            let int = Some(crate::objects::python_objects::INT);
            let mut named = arguments.keywords.clone();
            for (_, value, _) in &mut named {
                *value = self.all_stored(value.clone());
            }
            let given = &arguments.positional;
            return Some(self.python_call("numpy.random.choice", given, &named, int, range));
        }
        if let Some(function) = name.strip_prefix("random.")
            && let Some(drawn) = self.numpy_random(function, arguments, range)
        {
            return Some(drawn);
        }
        if let Some(found) = self.dtype_function(name, arguments) {
            return Some(found);
        }
        if let Some(made) = self.new_records(name, arguments, range) {
            return Some(made);
        }
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
        if !arrays
            && Self::has_place_for_result(name, arguments)
            && let Some(result) = self.lifted(name, arguments, range)
        {
            return Some(result);
        }
        if !arrays {
            let known = builtins_numpy::names().contains(&name)
                || builtins_numpy::dtype_named(&full).is_some();
            let tuples = values().any(|value| matches!(value, Value::Tuple(_)));
            let complex = values()
                .any(|value| matches!(value, Value::Scalar(x) if x.dtype.kind() == Kind::Complex));
            let other = complex && has_no_complex_form(name)
                || name == "angle" && arguments.positional.len() + arguments.keywords.len() > 1;
            if known && !tuples && !other {
                return None;
            }
            return Some(self.any_library(name, arguments, range));
        }
        if name == "angle" && arguments.positional.len() + arguments.keywords.len() > 1
            || has_no_complex_form(name)
                && values().any(|value| {
                    Self::dtype_of(value).is_some_and(|dtype| dtype.kind() == Kind::Complex)
                })
        {
            return Some(self.any_library(name, arguments, range));
        }
        if let Some(found) = self.of_one_number(name, arguments, range) {
            return Some(found);
        }
        if let Some(found) = self.of_short_vectors(name, arguments, range) {
            return Some(found);
        }
        // Parts of complex arrays share their memory.
        if let ("real" | "imag", [(array, _)], []) =
            (name, &arguments.positional[..], &arguments.keywords[..])
        {
            return Some(self.array_attribute(array, name, range));
        }
        if let ("power" | "pow", [(base, _), (exponent, _)]) = (name, &arguments.positional[..]) {
            if arguments.keywords.is_empty()
                && let Some(root) = self.square_root(base, exponent, range)
            {
                return Some(root);
            }
            self.check_powers(base, exponent, range);
        }
        if matches!(name, "round" | "around") {
            self.check_rounded(arguments, range);
        }
        if let Some(result) = self.lifted(name, arguments, range) {
            return Some(result);
        }
        if let Some(result) = self.reduction(name, arguments, range) {
            return Some(result);
        }
        if let Some(result) = self.axis_reduction(name, arguments, range) {
            return Some(result);
        }
        if let Some(view) = self.turned_view(name, arguments, range) {
            return Some(view);
        }
        if let Some(rolled) = self.roll(name, arguments, range) {
            return Some(rolled);
        }
        if let Some(result) = self.rearranged(name, arguments, range) {
            return Some(result);
        }
        if let Some(result) = self.product(name, arguments, range) {
            return Some(result);
        }
        if let Some(result) = self.product_in_the_plane(name, arguments, range) {
            return Some(result);
        }
        let result = self.any_library(name, arguments, range);
        self.note_reduced_shape(name, arguments, &result);
        Some(result)
    }

    /// A function of the array library.
    fn any_library(&mut self, name: &str, arguments: &Arguments, range: TextRange) -> Value {
        let (arguments, changes) = self.written_by(name, arguments);
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
    pub fn lifted(&mut self, name: &str, arguments: &Arguments, range: TextRange) -> Option<Value> {
        const FREE: &[&str] = &["around", "clip", "round", "where"];
        let known =
            builtins_numpy::names().contains(&name) && !matches!(name, "finfo" | "iinfo" | "dtype");
        if !known || builtins_numpy::dtype_named(&format!("numpy.{name}")).is_some() {
            return None;
        }
        let mut positional = arguments.positional.clone();
        let mut out = None;
        let mut unsafe_casting = false;
        for (keyword, value, place) in &arguments.keywords {
            match (keyword.as_str(), value) {
                ("casting", Value::Str(rule)) if rule == "unsafe" => unsafe_casting = true,
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
                ("casting", Value::Str(rule)) if rule == "same_kind" => {}
                ("order", Value::Str(_)) => {}
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
        if let ("around" | "round", Some((target, place))) = (name, &out)
            && let Some(result) = self.rounded_into(&positional, target, range)
        {
            return Some(self.put_out(&result, target, *place));
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
        if computes_with_integers(name)
            && let [a, b] = &operands[..]
        {
            operands = self.fitted_pair(a, b, range).into();
        }
        if let ("clip", [(x, _), (low, _), (high, _)]) = (name, &positional[..]) {
            self.check_clip(x, [low, high], range);
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
            Some((out, place)) => {
                let result = match Self::dtype_of(&out).filter(|_| unsafe_casting) {
                    Some(dtype) => self.converted(&result, dtype, range),
                    None => result,
                };
                Some(self.put_out(&result, &out, place))
            }
        }
    }

    /// What `around` puts into an array of another dtype: the last steps are done in that one. Nothing if the steps
    /// make no difference.
    fn rounded_into(
        &mut self,
        given: &[(Value, TextRange)],
        out: &Value,
        range: TextRange,
    ) -> Option<Value> {
        let [(x, _), (Value::Scalar(digits), _)] = given else {
            return None;
        };
        let (from, to) = (Self::dtype_of(x)?, Self::dtype_of(out)?);
        if from == to || [from, to].iter().any(|one| one.kind() != Kind::Float) {
            return None;
        }
        let Some(digits) = digits.as_int() else {
            // Whether there are such steps is known when the program runs.
            let arguments = Arguments {
                positional: given.to_vec(),
                keywords: vec![("out".into(), out.clone(), range)],
            };
            return Some(self.any_library("round", &arguments, range));
        };
        if digits == 0 {
            return None;
        }
        let (there, back) = match digits > 0 {
            true => (Operator::Mult, Operator::Div),
            false => (Operator::Div, Operator::Mult),
        };
        let factor = 10f64.powi(i32::try_from(digits.abs()).ok()?);
        let factor = Scalar::const_float(factor).into();
        let whole = self.binary(there, x, &factor, range);
        let whole = self.converted(&whole, to, range);
        let arguments = Arguments {
            positional: vec![(whole, range)],
            keywords: Vec::new(),
        };
        let whole = self.lifted("rint", &arguments, range)?;
        Some(self.binary(back, &whole, &factor, range))
    }

    /// Raises if truth values are to be rounded to decimals: NumPy cannot put what it computes into their array.
    fn check_rounded(&mut self, arguments: &Arguments, range: TextRange) {
        let is_decimals = |keyword: &str| keyword == "decimals";
        let named = arguments
            .keywords
            .iter()
            .find(|(keyword, ..)| is_decimals(keyword));
        let decimals = match &arguments.positional[..] {
            [_, (decimals, _), ..] => Some(decimals),
            _ => named.map(|(_, decimals, _)| decimals),
        };
        let of_truths = arguments
            .positional
            .first()
            .and_then(|(value, _)| Self::dtype_of(value));
        let (Some(DType::Bool), Some(Value::Scalar(decimals))) = (of_truths, decimals) else {
            return;
        };
        let decimals = *decimals;
        let some = self.compare_scalars(CompareOp::NotEqual, &decimals, &Scalar::const_int(0));
        let text = "Cannot cast ufunc 'multiply' output from dtype('float64') to dtype('bool') \
                    with casting rule 'same_kind'";
        let some = self.ir(&some);
        self.raise_if(some, &raised("TypeError", text), range);
    }

    /// Whether a function of numbers is given an array without axes that takes the result.
    fn has_place_for_result(name: &str, arguments: &Arguments) -> bool {
        let is_place = |value: &Value| matches!(value, Value::View(_));
        let named = arguments
            .keywords
            .iter()
            .any(|(keyword, value, _)| keyword == "out" && is_place(value));
        let arity = match name {
            "clip" => Some(3),
            _ => Self::arity(name),
        };
        let last = arity.and_then(|arity| arguments.positional.get(arity));
        named || last.is_some_and(|(value, _)| is_place(value))
    }

    /// Puts a result into an array that was given for it.
    fn put_out(&mut self, result: &Value, out: &Value, range: TextRange) -> Value {
        let out = match out {
            Value::Tuple(items) if items.len() == 1 => items[0].clone(),
            other => other.clone(),
        };
        let stored = self.all_stored(out);
        if self.level() > 0 && matches!(stored, Value::Lazy(_)) {
            return self.hinder("it changes an array that it has made");
        }
        if matches!(stored, Value::View(_)) && matches!(result, Value::Lazy(_)) {
            self.before_store();
        }
        let Value::View(view) = &stored else {
            return Value::Poison;
        };
        if result.is_poison() {
            return Value::Poison;
        }
        if !self.check_writable(view, range) {
            // It raises when the program comes there.
            return stored;
        }
        if !self.fits_back(result, view.dtype, range) {
            return Value::Poison;
        }
        self.assign_into(view, result, range);
        stored
    }

    /// How many operands an elementwise function takes.
    pub fn arity(name: &str) -> Option<usize> {
        let one = builtins_numpy::takes_one(name).then_some(1);
        one.or_else(|| builtins_numpy::takes_two(name).then_some(2))
    }
}

/// What a function of paths says of a file, which the file of an example need not have.
fn asked_of_files(function: &str) -> Option<ObjectType> {
    Some(match function {
        "genericpath.getsize" => INT,
        "genericpath.getatime" | "genericpath.getctime" | "genericpath.getmtime" => FLOAT,
        "genericpath.samefile" => BOOL,
        _ => return None,
    })
}

/// Whether an argument is given by its name.
fn is_named(arguments: &Arguments, name: &str) -> bool {
    let mut all = arguments.keywords.iter();
    all.any(|(keyword, ..)| keyword == name)
}

/// Whether a function of two numbers computes with their common dtype even if that is one of integers.
fn computes_with_integers(name: &str) -> bool {
    matches!(
        name,
        "add"
            | "bitwise_and"
            | "bitwise_left_shift"
            | "bitwise_or"
            | "bitwise_right_shift"
            | "bitwise_xor"
            | "floor_divide"
            | "fmax"
            | "fmin"
            | "fmod"
            | "gcd"
            | "left_shift"
            | "maximum"
            | "minimum"
            | "mod"
            | "multiply"
            | "pow"
            | "power"
            | "remainder"
            | "right_shift"
            | "subtract"
    )
}

/// Whether a function of NumPy takes a sequence of arrays, which may differ in their extents.
fn joins_arrays(name: &str) -> bool {
    matches!(
        name,
        "block"
            | "column_stack"
            | "concat"
            | "concatenate"
            | "dstack"
            | "hstack"
            | "linalg.multi_dot"
            | "lexsort"
            | "row_stack"
            | "stack"
            | "vstack"
    )
}

/// Whether what a function of NumPy gives may be its argument itself, or a part of it.
fn may_share_memory(name: &str) -> bool {
    gives_views(name)
        || matches!(
            name,
            "array"
                | "asanyarray"
                | "asarray"
                | "asarray_chkfinite"
                | "ascontiguousarray"
                | "asfortranarray"
                | "broadcast_arrays"
                | "expand_dims"
                | "flip"
                | "fliplr"
                | "flipud"
                | "imag"
                | "matrix_transpose"
                | "nan_to_num"
                | "permute_dims"
                | "ravel"
                | "real"
                | "require"
                | "reshape"
                | "transpose"
                | "trim_zeros"
        )
}

/// Whether a function of numbers takes real ones only, though NumPy's takes complex ones.
fn has_no_complex_form(name: &str) -> bool {
    matches!(
        name,
        "arccos"
            | "arccosh"
            | "arcsin"
            | "arcsinh"
            | "arctan"
            | "arctanh"
            | "around"
            | "exp2"
            | "expm1"
            | "log1p"
            | "rint"
            | "round"
            | "sign"
    )
}
