//! Builtin functions of Python that only jit functions have: those that go over items, ask for types,
//! or take constant strings.

use crate::Captured;
use crate::arrays::lazy::{is_array, rank_of};
use crate::calls::Arguments;
use crate::codes;
use crate::objects::classes::class_of;
use crate::objects::lazy_iterators::is_generator;
use crate::objects::made_instances::is_instance;
use crate::objects::python_objects::{INT, helper};
use crate::objects::syntax_building::{call, generator, load, target};
use crate::program::{LibraryType, ObjectType};
use crate::translate::Translator;
use crate::value::{Constant, Scalar, Value};
use colocate_ir::DType;
use ruff_python_ast::Operator;
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// A call of a builtin of Python's; nothing if it is none of those here.
    pub fn python_function(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let given: Vec<Value> = arguments
            .positional
            .iter()
            .map(|(value, _)| value.clone())
            .collect();
        let plain = arguments.keywords.is_empty();
        Some(match (name, &given[..]) {
            ("isinstance", [x, classes]) => self.is_instance(x, classes, range),
            ("type", [x]) => self.type_of(x, range),
            ("issubclass", [class, from]) => self.is_derived(class, from, range)?,
            ("map" | "filter", [_, x]) if is_generator(x) => {
                self.over_generator(name, arguments, range)?
            }
            ("map", [function, iterables @ ..]) if !iterables.is_empty() => {
                self.mapped(function, iterables, range)
            }
            ("filter", [function, iterable]) => self.filtered(function, iterable, range),
            ("reversed", [x]) => self.reversed(x, range)?,
            ("sorted", [x]) => self.sorted(x, arguments, range)?,
            // Of one row there is nothing to compare; of several Python says what is wrong.
            ("min" | "max", [x]) if rank_of(x) > Some(1) && plain && self.level() == 0 => {
                let array = self.all_stored(x.clone());
                let dtype = Self::dtype_of(&array)?;
                let rank = rank_of(&array)? as u8 - 1;
                let row = ObjectType::Array { dtype, rank };
                let function = format!("builtins.{name}");
                self.python_call(&function, &[(array, range)], &[], Some(row), range)
            }
            ("any" | "all" | "min" | "max", [x]) if rank_of(x) > Some(1) => {
                let diagnostic = self
                    .wrong(
                        codes::VALUE,
                        format!("`{name}` looks at the rows of an array one by one, which are neither true nor false"),
                        range,
                        format!("this is {}", x.describe()),
                    )
                    .help(format!("write `np.{name}`"));
                self.report(diagnostic)
            }
            ("any" | "all", [x]) => self.any_or_all(name == "any", x, range)?,
            ("sum", [x]) if !plain => {
                let [(keyword, start, _)] = &arguments.keywords[..] else {
                    return None;
                };
                if keyword != "start" {
                    return None;
                }
                self.python_sum(x, start.clone(), range)?
            }
            ("int", [x]) if matches!(&arguments.keywords[..], [(name, ..)] if name == "base") => {
                let base = arguments.keywords[0].1.clone();
                let again = Arguments {
                    positional: vec![(x.clone(), range), (base, range)],
                    keywords: Vec::new(),
                };
                return self.program_call("builtins", name, &again, range);
            }
            ("sum", [x]) => self.python_sum(x, Scalar::const_int(0).into(), range)?,
            ("sum", [x, start]) => self.python_sum(x, start.clone(), range)?,
            ("min" | "max", [Value::Scalar(x)]) => {
                let class = x.describe();
                let text = format!("'{class}' object is not iterable");
                self.always_raise("TypeError", &text, range);
                (*x).into()
            }
            ("min" | "max", [_, _, ..]) if !plain => {
                let items = Value::Tuple(given.clone());
                self.extreme_by_key(name, &items, arguments, range)?
            }
            ("pow", [base, exponent]) if is_array(base) || is_array(exponent) => {
                self.binary(Operator::Pow, base, exponent, range)
            }
            ("divmod", [a, b]) if is_array(a) || is_array(b) => {
                let whole = self.binary(Operator::FloorDiv, a, b, range);
                let rest = self.binary(Operator::Mod, a, b, range);
                Value::Tuple(vec![whole, rest])
            }
            ("min" | "max", [Value::List(list)]) if plain => {
                self.list_extreme(name, list, arguments, range)?
            }
            ("min" | "max", [x]) if !plain => self.extreme_by_key(name, x, arguments, range)?,
            ("min" | "max", [Value::Tuple(items)])
                if items.iter().any(|one| !matches!(one, Value::Scalar(_))) =>
            {
                let list = self.growing_list(items, range);
                self.first_of_order(&list, None, name == "max", name, range)?
            }
            ("min" | "max", [Value::Held(held)]) if held.item.is_number() => {
                let list = self.opened(held);
                self.list_extreme(name, &list, arguments, range)?
            }
            ("min" | "max", [x @ Value::Held(_)]) => {
                self.first_of_order(x, None, name == "max", name, range)?
            }
            ("min" | "max", [x @ (Value::Range(_) | Value::Zip(_) | Value::Enumerate(..))])
                if plain =>
            {
                let items = self.as_list(x, range);
                let again = Arguments {
                    positional: vec![(items, range)],
                    keywords: Vec::new(),
                };
                return self.python_function(name, &again, range);
            }
            ("list", []) => self.growing_list(&[], range),
            // Those of Numba, which say what they will hold.
            ("list.empty_list", _) => self.growing_list(&[], range),
            ("dict.empty", _) => {
                let unknown = || Box::new(ObjectType::Unknown);
                let kind = ObjectType::Dict(unknown(), unknown());
                self.container(&helper("dict_of"), &[], kind, range)
            }
            ("set.empty", _) => self.set_display(&[], range),
            ("tuple", []) => Value::Tuple(Vec::new()),
            ("list", [Value::Tuple(items)]) => self.listed(items.clone(), range),
            ("list" | "tuple", [x]) => self.collected(name, x, range)?,
            ("zip", []) => Value::Tuple(Vec::new()),
            ("pow", [base, exponent, modulus]) => self.power_modulo(base, exponent, modulus, range),
            ("len", [Value::Str(text)]) => Scalar::const_int(text.chars().count() as i128).into(),
            ("len", [x @ Value::Module { .. }]) => {
                Scalar::const_int(self.unrolled(x)?.len() as i128).into()
            }
            ("len", [Value::Range(parts)]) => match self.range_length(parts, range) {
                Some(length) => length.into(),
                None => Value::Poison,
            },
            ("bool", [x]) => match self.truth(x, range) {
                Some(truth) => Scalar {
                    weak: true,
                    ..truth
                }
                .into(),
                None => Value::Poison,
            },
            ("int", [Value::Str(text)]) => self.number_in_text(text, 10, range),
            ("int", [Value::Str(text), Value::Scalar(base)]) => {
                match base.as_int().and_then(|base| u32::try_from(base).ok()) {
                    Some(base) => self.number_in_text(text, base, range),
                    None => {
                        let kind = Some(crate::objects::python_objects::INT);
                        let given = &arguments.positional;
                        self.python_call("builtins.int", given, &[], kind, range)
                    }
                }
            }
            ("float", [Value::Str(text)]) => match float_in_text(text) {
                Some(value) => Scalar::const_float(value).into(),
                None => self.unreadable("float", text, range),
            },
            ("str", []) if arguments.keywords.is_empty() => Value::Str(String::new()),
            ("str", [Value::Str(text)]) => Value::Str(text.clone()),
            ("str", [Value::Scalar(x)]) if x.weak => match x.as_constant()? {
                Constant::Int(value) => Value::Str(value.to_string()),
                Constant::Bool(true) => Value::Str("True".into()),
                Constant::Bool(false) => Value::Str("False".into()),
                _ => return None,
            },
            ("str", [Value::None]) => Value::Str("None".into()),
            ("ord", [Value::Str(text)]) if text.chars().count() == 1 => {
                let code = text.chars().next().map_or(0, u32::from);
                Scalar::const_int(i128::from(code)).into()
            }
            ("ord", [Value::Str(text)]) => self.unreadable("ord", text, range),
            ("chr", [Value::Scalar(x)]) => {
                let code = x.as_int().and_then(|code| u32::try_from(code).ok())?;
                Value::Str(char::from_u32(code)?.to_string())
            }
            ("getattr", [object, Value::Str(name)]) => {
                self.attribute_of(object, name, range, range)
            }
            ("getattr", [object, Value::Str(name), default]) => {
                self.attribute_or(object, name, None, default, range)
            }
            ("callable", [x]) if plain => Scalar::const_bool(self.is_callable(x)?).into(),
            ("hasattr", [object, Value::Str(name)]) if name.starts_with("__") => {
                let known = self.class_has(object, name);
                let known = known.or_else(|| has_special_method(object, name));
                Scalar::const_bool(known?).into()
            }
            ("hasattr", [object, Value::Str(name)])
                if let Some(known) = self.class_has(object, name) =>
            {
                Scalar::const_bool(known).into()
            }
            ("hasattr", [object, Value::Str(name)]) => {
                let [yes, no] = [true, false].map(|is| Scalar::const_bool(is).into());
                self.attribute_or(object, name, Some(&yes), &no, range)
            }
            ("min" | "max", several @ [first, _, ..])
                if plain && (is_instance(first) || is_named_tuple(first)) =>
            {
                let several = several.to_vec();
                self.extreme_instance(name, &several, range)
            }
            ("min" | "max", [Value::Tuple(items)])
                if plain && items.first().is_some_and(is_instance) =>
            {
                let items = items.clone();
                self.extreme_instance(name, &items, range)
            }
            ("min" | "max", several @ [first, _, ..]) if plain && is_sequence(first) => {
                let several = several.to_vec();
                self.extreme_of(name, &several, range)
            }
            ("min" | "max", [Value::Tuple(items)])
                if plain && items.first().is_some_and(is_sequence) =>
            {
                let items = items.clone();
                self.extreme_of(name, &items, range)
            }
            _ => return None,
        })
    }

    /// Whether the class of a Python number, text, tuple or list has an attribute, which Python says.
    fn class_has(&mut self, value: &Value, name: &str) -> Option<bool> {
        let class = match value {
            Value::Named(class, _) if class.is_list() => "list".to_string(),
            Value::Object(object) => match *object.kind {
                ObjectType::List(_) => "list".to_string(),
                ObjectType::Set(_) => "set".to_string(),
                ObjectType::FrozenSet(_) => "frozenset".to_string(),
                ObjectType::Dict(..) => "dict".to_string(),
                ObjectType::Text => "str".to_string(),
                _ => return None,
            },
            other => class_of(other)?,
        };
        let one = match class.as_str() {
            "bool" => LibraryType::Constant(Captured::Bool(false)),
            "int" => LibraryType::Constant(Captured::Int(0)),
            "float" => LibraryType::Constant(Captured::Float(0.0)),
            "complex" => LibraryType::Constant(Captured::Complex(0.0, 0.0)),
            "str" => LibraryType::Constant(Captured::Str(String::new())),
            "tuple" => LibraryType::Tuple(Vec::new()),
            "list" => LibraryType::List(Vec::new()),
            _ => return self.example_has(value, &class, name),
        };
        let name = LibraryType::Constant(Captured::Str(name.to_string()));
        match self.env.library("builtins.hasattr", &[one, name], &[]) {
            Ok(LibraryType::Constant(Captured::Bool(known))) => Some(known),
            _ => None,
        }
    }

    /// Whether an example of what is no number or container of Python's has an attribute.
    fn example_has(&mut self, value: &Value, class: &str, name: &str) -> Option<bool> {
        let example = match (class, value) {
            ("set", _) => LibraryType::Object(ObjectType::Set(Box::new(INT))),
            ("dict", _) => LibraryType::Object(ObjectType::Dict(Box::new(INT), Box::new(INT))),
            ("frozenset", _) => LibraryType::Object(ObjectType::FrozenSet(Box::new(INT))),
            // Arrays of other numbers and axes have the same.
            ("numpy.ndarray", _) => LibraryType::Array {
                dtype: DType::Float64,
                rank: 1,
            },
            (_, Value::Scalar(x)) if !x.weak => LibraryType::Scalar {
                dtype: x.dtype,
                weak: false,
            },
            _ => return None,
        };
        let attribute = format!("attribute.{name}");
        match self.env.library(&attribute, &[example], &[]) {
            Ok(_) => Some(true),
            Err(said) if said.starts_with("AttributeError") => Some(false),
            // It gives what programs do not have, such as a method.
            Err(said) if said.contains("it gives") => Some(true),
            Err(_) => None,
        }
    }

    /// Whether a value can be called, if that is known.
    fn is_callable(&mut self, value: &Value) -> Option<bool> {
        match value {
            Value::Module { handle, .. } => Some(self.env.attribute(*handle, "__call__").is_some()),
            Value::Instance(_) => Some(self.method_function(value, "__call__").is_some()),
            Value::Named(class, _) if class.is_instance => {
                Some(self.method_function(value, "__call__").is_some())
            }
            other => is_callable(other),
        }
    }

    /// A builtin by its full name, called with values.
    pub fn call_builtin(
        &mut self,
        function: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        self.call_value(
            &Value::Builtin(function.into()),
            arguments,
            range,
            range,
            None,
        )
    }

    fn number_in_text(&mut self, text: &str, base: u32, range: TextRange) -> Value {
        match integer_in_text(text, base) {
            Some(value) => Scalar::const_int(value.into()).into(),
            None => self.unreadable("int", text, range),
        }
    }

    /// What is no number raises when the program runs.
    fn unreadable(&mut self, what: &str, text: &str, range: TextRange) -> Value {
        let given = [(Value::Str(text.to_string()), range)];
        let dtype = match what {
            "int" | "ord" => DType::Int64,
            _ => DType::Float64,
        };
        let kind = crate::program::ObjectType::Scalar { dtype, weak: true };
        self.python_call(&format!("builtins.{what}"), &given, &[], Some(kind), range)
    }

    /// The items of something whose number is known while compiling.
    pub fn known_items(&mut self, value: &Value) -> Option<Vec<Value>> {
        match value {
            Value::Str(text) => Some(
                text.chars()
                    .map(|one| Value::Str(one.to_string()))
                    .collect(),
            ),
            other => self.unrolled(other),
        }
    }

    /// Keeps a value under a name of its own, so that a synthetic statement can refer to it.
    pub fn hold(&mut self, value: Value, range: TextRange) -> String {
        let name = self.temporary();
        let site = self.site(range);
        let value = self.all_stored(value);
        self.bind(&name, value, site);
        name
    }

    pub fn release(&mut self, names: &[String]) {
        for name in names {
            self.scope().shift_remove(name);
        }
    }

    pub fn mapped(&mut self, function: &Value, iterables: &[Value], range: TextRange) -> Value {
        let columns: Option<Vec<Vec<Value>>> = iterables
            .iter()
            .map(|iterable| self.known_items(iterable))
            .collect();
        if let Some(columns) = columns {
            let turns = columns.iter().map(Vec::len).min().unwrap_or(0);
            let mut results = Vec::new();
            for turn in 0..turns {
                let row = columns.iter().map(|column| (column[turn].clone(), range));
                let arguments = Arguments {
                    positional: row.collect(),
                    keywords: Vec::new(),
                };
                results.push(self.call_value(function, &arguments, range, range, None));
            }
            return Value::Tuple(results);
        }
        let source = match iterables {
            [one] => one.clone(),
            several => Value::Zip(several.to_vec()),
        };
        let held = [self.hold(function.clone(), range), self.hold(source, range)];
        let items: Vec<String> = iterables.iter().map(|_| self.temporary()).collect();
        let call = call(&held[0], &items, range);
        let target = target(&items, range);
        let generators = [generator(target, &held[1], Vec::new(), range)];
        let result = self.comprehension(&call, &generators, range);
        self.release(&held);
        result
    }

    fn filtered(&mut self, function: &Value, iterable: &Value, range: TextRange) -> Value {
        let held = [
            self.hold(function.clone(), range),
            self.hold(iterable.clone(), range),
        ];
        let item = [self.temporary()];
        let test = match function {
            Value::None => load(&item[0], range),
            _ => call(&held[0], &item, range),
        };
        let generators = [generator(target(&item, range), &held[1], vec![test], range)];
        let result = self.comprehension(&load(&item[0], range), &generators, range);
        self.release(&held);
        result
    }

    /// A new list of the items.
    pub fn as_list(&mut self, value: &Value, range: TextRange) -> Value {
        if let Value::Generator(generator, _) = value
            && self.is_endless(generator)
        {
            return self.no_list_without_end(range);
        }
        let held = [self.hold(value.clone(), range)];
        let item = [self.temporary()];
        let generators = [generator(target(&item, range), &held[0], Vec::new(), range)];
        let result = self.comprehension(&load(&item[0], range), &generators, range);
        self.release(&held);
        result
    }

    fn collected(&mut self, name: &str, value: &Value, range: TextRange) -> Option<Value> {
        match value {
            Value::Tuple(items) if name == "list" => Some(self.listed(items.clone(), range)),
            Value::Tuple(items) => Some(Value::Tuple(items.clone())),
            Value::Poison => Some(Value::Poison),
            Value::Str(_) | Value::Enumerate(..) | Value::Zip(_) | Value::Module { .. }
                if self.unrolled(value).is_some() || self.known_items(value).is_some() =>
            {
                let items = match self.unrolled(value) {
                    Some(items) => items,
                    None => self.known_items(value)?,
                };
                Some(match name {
                    "list" => self.listed(items, range),
                    _ => Value::Tuple(items),
                })
            }
            Value::Range(parts) if name == "tuple" => {
                let length = self.range_length(parts, range)?.as_int();
                let Some(length) = length.filter(|length| *length <= 64) else {
                    return self.sequence(value, range);
                };
                let whole = Value::Range(parts.clone());
                let items = (0..length).map(|at| {
                    let at = Scalar::const_int(at);
                    self.item_at(&whole, &at, range)
                });
                Some(Value::Tuple(items.collect()))
            }
            _ if name == "tuple" => self.sequence(value, range),
            Value::List(_) | Value::Held(_) => {
                let whole = Value::Slice(Box::new([None, None, None]));
                Some(self.item_of_list(value, &whole, range))
            }
            other => Some(self.as_list(other, range)),
        }
    }

    fn reversed(&mut self, value: &Value, range: TextRange) -> Option<Value> {
        if let Some(mut items) = self.known_items(value) {
            items.reverse();
            return Some(Value::Tuple(items));
        }
        let backwards = Value::Slice(Box::new([None, None, Some(Scalar::const_int(-1))]));
        Some(match value {
            Value::Poison => Value::Poison,
            Value::Range(parts) => self.reversed_range(parts, range),
            Value::List(list) => self.list_item(list, &backwards, range),
            Value::Held(held) => self.held_item(held, &backwards, range),
            Value::View(_) | Value::Lazy(_) => {
                self.array_item(value, &[backwards], &[range], range)
            }
            _ => return None,
        })
    }

    fn sorted(&mut self, value: &Value, arguments: &Arguments, range: TextRange) -> Option<Value> {
        if value.is_poison() {
            return Some(Value::Poison);
        }
        let items = match value {
            Value::Tuple(items) => self.growing_list(items, range),
            Value::List(_) | Value::Held(_) => {
                let whole = Value::Slice(Box::new([None, None, None]));
                self.item_of_list(value, &whole, range)
            }
            other => self.as_list(other, range),
        };
        let how = Arguments {
            positional: Vec::new(),
            keywords: arguments.keywords.clone(),
        };
        if !items.is_poison() {
            self.list_method(&items, "sort", &how, range);
        }
        Some(items)
    }
}

/// The integer that a text clearly is; nothing where Python is to say what it is.
fn integer_in_text(text: &str, base: u32) -> Option<i64> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_lowercase();
    let prefixed = [("0x", 16), ("0o", 8), ("0b", 2)]
        .into_iter()
        .find_map(|(prefix, own)| lower.strip_prefix(prefix).map(|rest| (own, rest)));
    let (base, digits) = match (base, prefixed) {
        (0, Some(own)) => own,
        (base, Some((own, rest))) if own == base => (base, rest),
        // Zeros before the other digits are no number there.
        (0, None) if lower.len() > 1 && lower.starts_with('0') => return None,
        (0, None) => (10, &lower[..]),
        (base, _) => (base, &lower[..]),
    };
    let digits = without_underscores(digits, |letter| letter.is_ascii_alphanumeric())?;
    if !(2..=36).contains(&base) || !digits.starts_with(|one: char| one.is_ascii_alphanumeric()) {
        return None;
    }
    i64::from_str_radix(&digits, base)
        .ok()
        .map(|value| sign * value)
}

/// The same of a float.
fn float_in_text(text: &str) -> Option<f64> {
    let digits = without_underscores(text.trim(), |letter| letter.is_ascii_digit())?;
    digits.parse().ok()
}

/// A text without its underscores, if each of them is between two digits.
fn without_underscores(text: &str, is_digit: impl Fn(char) -> bool) -> Option<String> {
    let mut parts = text.split('_');
    let mut whole = parts.next()?.to_string();
    for part in parts {
        if !whole.ends_with(&is_digit) || !part.starts_with(&is_digit) {
            return None;
        }
        whole.push_str(part);
    }
    Some(whole)
}

/// A result of NumPy's as a Python number.
pub(crate) fn weakened(value: Value) -> Value {
    match value {
        Value::Scalar(scalar) => Scalar {
            weak: true,
            ..scalar
        }
        .into(),
        other => other,
    }
}

/// Whether a value is compared item by item, or as a text.
fn is_sequence(value: &Value) -> bool {
    match value {
        Value::Tuple(_) | Value::Str(_) => true,
        Value::Object(object) => *object.kind == crate::program::ObjectType::Text,
        _ => false,
    }
}

/// Whether a value can be called, if that is known.
fn is_callable(value: &Value) -> Option<bool> {
    match value {
        Value::Function(_)
        | Value::Builtin(_)
        | Value::Closure(_)
        | Value::Dtype(_)
        | Value::NamedClass(_)
        | Value::Exception { .. } => Some(true),
        Value::Choice(options, _) => {
            let mut all = options.iter().map(is_callable);
            let first = all.next()??;
            all.all(|one| one == Some(first)).then_some(first)
        }
        Value::Scalar(_)
        | Value::View(_)
        | Value::Lazy(_)
        | Value::Tuple(_)
        | Value::List(_)
        | Value::Held(_)
        | Value::Str(_)
        | Value::Object(_)
        | Value::None => Some(false),
        _ => None,
    }
}

/// Whether a value has a method that Python itself calls, if that is known.
fn has_special_method(value: &Value, name: &str) -> Option<bool> {
    let of_items = matches!(name, "__iter__" | "__len__");
    match value {
        Value::Poison => None,
        _ if name == "__call__" => is_callable(value),
        // A list has `__hash__`, too, which is None.
        _ if matches!(name, "__class__" | "__eq__" | "__hash__" | "__ne__") => Some(true),
        Value::View(_)
        | Value::Lazy(_)
        | Value::Tuple(_)
        | Value::List(_)
        | Value::Held(_)
        | Value::Str(_)
            if of_items || name == "__getitem__" =>
        {
            Some(true)
        }
        Value::Named(class, _) if class.is_list() && of_items => Some(true),
        Value::Object(object) if of_items => match *object.kind {
            ObjectType::Iterator(_) => Some(name == "__iter__"),
            ObjectType::List(_)
            | ObjectType::Sequence(_)
            | ObjectType::Set(_)
            | ObjectType::FrozenSet(_)
            | ObjectType::Dict(..)
            | ObjectType::Fields(_)
            | ObjectType::Text => Some(true),
            _ => None,
        },
        Value::Scalar(_) | Value::None | Value::Function(_) | Value::Closure(_) if of_items => {
            Some(false)
        }
        _ => None,
    }
}

/// Whether a value is a named tuple of a class of the program's own.
fn is_named_tuple(value: &Value) -> bool {
    matches!(value, Value::Named(class, _) if class.is_plain())
}
