//! Builtin functions of Python that only jit functions have: those that go over items, ask for types,
//! or take constant strings.

use crate::calls::Arguments;
use crate::codes;
use crate::objects::lists::List;
use crate::objects::ranges_and_texts::raised;
use crate::objects::syntax_building::{call, call_with, generator, load, store, target};
use crate::translate::Translator;
use crate::types::is_integer;
use crate::value::{Constant, Know, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType, Kind};
use ruff_python_ast::{Expr, ExprContext, ExprSubscript, Operator, Stmt, StmtAssign, StmtFor};
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
            ("map", [function, iterables @ ..]) if !iterables.is_empty() => {
                self.mapped(function, iterables, range)
            }
            ("filter", [function, iterable]) => self.filtered(function, iterable, range),
            ("reversed", [x]) => self.reversed(x, range)?,
            ("sorted", [x]) => self.sorted(x, arguments, range)?,
            ("any" | "all", [x]) => self.any_or_all(name == "any", x, range)?,
            ("sum", [x]) => self.python_sum(x, Scalar::const_int(0).into(), range)?,
            ("sum", [x, start]) => self.python_sum(x, start.clone(), range)?,
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
            ("tuple", []) => Value::Tuple(Vec::new()),
            ("list", [Value::Tuple(items)]) => self.listed(items.clone(), range),
            ("list" | "tuple", [x]) => self.collected(name, x, range)?,
            ("zip", []) => Value::Tuple(Vec::new()),
            ("pow", [base, exponent, modulus]) => self.power_modulo(base, exponent, modulus, range),
            ("len", [Value::Str(text)]) => Scalar::const_int(text.chars().count() as i128).into(),
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
            ("float", [Value::Str(text)]) => match text.trim().replace('_', "").parse::<f64>() {
                Ok(value) => Scalar::const_float(value).into(),
                Err(_) => self.unreadable("float", text, range),
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
            ("chr", [Value::Scalar(x)]) => {
                let code = x.as_int().and_then(|code| u32::try_from(code).ok())?;
                Value::Str(char::from_u32(code)?.to_string())
            }
            ("getattr", [object, Value::Str(name)]) => {
                self.attribute_of(object, name, range, range)
            }
            ("getattr", [object, Value::Str(name), default]) => {
                let default = default.clone();
                self.attribute_if_any(object, name, range)
                    .unwrap_or(default)
            }
            ("hasattr", [object, Value::Str(name)]) => {
                Scalar::const_bool(self.attribute_if_any(object, name, range).is_some()).into()
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

    /// An attribute, if there is one of this name.
    fn attribute_if_any(&mut self, object: &Value, name: &str, range: TextRange) -> Option<Value> {
        let before = self.diagnostics.len();
        let found = self.attribute_of(object, name, range, range);
        let missing = self.diagnostics[before..]
            .iter()
            .any(|diagnostic| diagnostic.code == codes::ATTRIBUTE);
        // Whether arrays have a method shows when it is called.
        let unknown = match &found {
            Value::ArrayMethod(on, _) if crate::arrays::lazy::is_array(on) => {
                !crate::arrays::attributes::is_method(name)
            }
            _ => false,
        };
        if missing || unknown {
            self.diagnostics.truncate(before);
            return None;
        }
        Some(found)
    }

    /// The smallest or largest of values that are compared item by item.
    fn extreme_of(&mut self, name: &str, values: &[Value], range: TextRange) -> Value {
        let op = match name {
            "min" => ruff_python_ast::CmpOp::Lt,
            _ => ruff_python_ast::CmpOp::Gt,
        };
        let Some((first, rest)) = values.split_first() else {
            return Value::Poison;
        };
        let mut best = first.clone();
        for value in rest {
            let better = self.compare(op, value, &best, range);
            let Some(better) = self.truth(&better, range) else {
                return Value::Poison;
            };
            let (this, other) = (value.clone(), best);
            best = self.either(&better, range, |_| this, |_| other);
        }
        best
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
        let digits = text.trim().replace('_', "");
        let (sign, digits) = match digits.strip_prefix('-') {
            Some(rest) => (-1, rest.to_string()),
            None => (1, digits.trim_start_matches('+').to_string()),
        };
        let lower = digits.to_lowercase();
        let prefixed = [("0x", 16), ("0o", 8), ("0b", 2)]
            .into_iter()
            .find(|(prefix, _)| lower.starts_with(prefix));
        let (base, digits) = match (base, prefixed) {
            (0, Some((_, own))) => (own, &lower[2..]),
            (0, None) => (10, &lower[..]),
            (base, Some((_, own))) if own == base => (base, &lower[2..]),
            (base, _) => (base, &lower[..]),
        };
        if !(2..=36).contains(&base) {
            return self.unreadable("int", text, range);
        }
        match i64::from_str_radix(digits, base) {
            Ok(value) => Scalar::const_int(i128::from(sign * value)).into(),
            Err(_) => self.unreadable("int", text, range),
        }
    }

    /// What is no number raises when the program runs.
    fn unreadable(&mut self, what: &str, text: &str, range: TextRange) -> Value {
        let given = [(Value::Str(text.to_string()), range)];
        let dtype = match what {
            "int" => DType::Int64,
            _ => DType::Float64,
        };
        let kind = crate::program::ObjectType::Scalar { dtype, weak: true };
        self.python_call(&format!("builtins.{what}"), &given, &[], Some(kind), range)
    }

    fn is_instance(&mut self, x: &Value, classes: &Value, range: TextRange) -> Value {
        let classes = match classes {
            Value::Tuple(items) => items.clone(),
            one => vec![one.clone()],
        };
        let mut any = false;
        for class in &classes {
            match belongs(x, class) {
                Some(is) => any |= is,
                None => {
                    let what = x.describe();
                    let diagnostic = self
                        .wrong(
                            codes::FUNCTION,
                            format!("whether {what} is of this class cannot be told"),
                            range,
                            format!("the class is {}", class.describe()),
                        )
                        .help(
                            "ask for int, float, complex, bool, str, tuple, list or numpy.ndarray",
                        );
                    return self.report(diagnostic);
                }
            }
        }
        Scalar::const_bool(any).into()
    }

    fn type_of(&mut self, x: &Value, range: TextRange) -> Value {
        let name = match x {
            Value::Poison => return Value::Poison,
            Value::Scalar(scalar) if !scalar.weak => return Value::Dtype(scalar.dtype),
            Value::Scalar(scalar) => match scalar.dtype.kind() {
                Kind::Bool => "builtins.bool",
                Kind::Int | Kind::UInt => "builtins.int",
                Kind::Float => "builtins.float",
                Kind::Complex => "builtins.complex",
            },
            Value::Named(class, _) if class.handle != crate::host::part::LIST_CLASS => {
                return Value::NamedClass(class.clone());
            }
            Value::Str(_) => "builtins.str",
            Value::List(_) | Value::Held(_) => "builtins.list",
            Value::Named(..) => "builtins.list",
            Value::Tuple(_) => "builtins.tuple",
            Value::Range(_) => "builtins.range",
            Value::View(_) | Value::Lazy(_) => "numpy.ndarray",
            other => {
                let what = other.describe();
                let diagnostic = self.wrong(
                    codes::FUNCTION,
                    format!("the type of {what} is no value of a jit function"),
                    range,
                    "",
                );
                return self.report(diagnostic);
            }
        };
        Value::Builtin(name.into())
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
            Value::Str(_) | Value::Enumerate(..) | Value::Zip(_)
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
                let length = self.range_length(parts, range)?.as_int()?;
                if length > 64 {
                    return None;
                }
                let whole = Value::Range(parts.clone());
                let items = (0..length).map(|at| {
                    let at = Scalar::const_int(at);
                    self.item_at(&whole, &at, range)
                });
                Some(Value::Tuple(items.collect()))
            }
            _ if name == "tuple" => None,
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

    /// `min(items, key=f)` and the like.
    fn extreme_by_key(
        &mut self,
        name: &str,
        items: &Value,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let mut key = None;
        for (keyword, value, _) in &arguments.keywords {
            match keyword.as_str() {
                "key" if matches!(value, Value::None) => {}
                "key" => key = Some(value.clone()),
                _ => return None,
            }
        }
        let list = match items {
            Value::Tuple(items) => self.growing_list(items, range),
            Value::List(_) | Value::Held(_) => items.clone(),
            other => self.as_list(other, range),
        };
        self.first_of_order(&list, key.as_ref(), name == "max", name, range)
    }

    /// The item that comes first in order, of those that are equal the first.
    fn first_of_order(
        &mut self,
        list: &Value,
        key: Option<&Value>,
        descending: bool,
        name: &str,
        range: TextRange,
    ) -> Option<Value> {
        if self.level() > 0 {
            return Some(self.hinder("it uses a list"));
        }
        if list.is_poison() {
            return Some(Value::Poison);
        }
        let length = self.length_of(list, range)?;
        let empty = self.compare_scalars(CompareOp::Equal, &length, &Scalar::const_int(0));
        let empty = self.ir(&empty);
        let text = format!("{name}() iterable argument is empty");
        self.raise_if(empty, &raised("ValueError", &text), range);
        let order = Scalar::const_bool(descending);
        let Some(sorted) = self.ordered(list, key, &order, range) else {
            return Some(Value::Poison);
        };
        Some(self.item_at(&sorted, &Scalar::const_int(0), range))
    }

    fn any_or_all_objects(&mut self, any: bool, value: &Value, range: TextRange) -> Value {
        let item = self.temporary();
        let total = self.hold(Scalar::const_bool(!any).into(), range);
        let held = [self.hold(value.clone(), range)];
        let op = match any {
            true => ruff_python_ast::BoolOp::Or,
            false => ruff_python_ast::BoolOp::And,
        };
        let truth = Expr::UnaryOp(ruff_python_ast::ExprUnaryOp {
            node_index: Default::default(),
            range,
            op: ruff_python_ast::UnaryOp::Not,
            operand: Box::new(Expr::UnaryOp(ruff_python_ast::ExprUnaryOp {
                node_index: Default::default(),
                range,
                op: ruff_python_ast::UnaryOp::Not,
                operand: Box::new(load(&item, range)),
            })),
        });
        let both = Expr::BoolOp(ruff_python_ast::ExprBoolOp {
            node_index: Default::default(),
            range,
            op,
            values: vec![load(&total, range), truth],
        });
        self.accumulate(&total, &item, &held[0], both, range);
        self.result_of(&total, &held, range)
    }

    fn any_or_all(&mut self, any: bool, value: &Value, range: TextRange) -> Option<Value> {
        if let Some(items) = self.known_items(value) {
            let mut result = Scalar::const_bool(!any);
            let op = if any {
                result = Scalar::const_bool(false);
                BinaryOp::BitOr
            } else {
                BinaryOp::BitAnd
            };
            for item in &items {
                let Some(truth) = self.truth(item, range) else {
                    return Some(Value::Poison);
                };
                result = self.apply(op, &result, &truth, (DType::Bool, true), range)?;
            }
            return Some(
                Scalar {
                    weak: true,
                    ..result
                }
                .into(),
            );
        }
        let items = match value {
            Value::Range(_) | Value::Zip(_) | Value::Enumerate(..) => self.as_list(value, range),
            Value::List(_) => value.clone(),
            Value::Held(held) if held.item.is_number() => Value::List(self.opened(held)),
            Value::Held(_) => return Some(self.any_or_all_objects(any, value, range)),
            _ => return None,
        };
        let Value::List(list) = items else {
            return Some(items);
        };
        let view = Value::View(self.list_view(&list));
        let arguments = Arguments {
            positional: vec![(view, range)],
            keywords: Vec::new(),
        };
        let name = if any { "numpy.any" } else { "numpy.all" };
        Some(weakened(self.call_builtin(name, &arguments, range)))
    }

    fn list_extreme(
        &mut self,
        name: &str,
        list: &List,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        if self.level() > 0 {
            return Some(self.hinder("it uses a list"));
        }
        let length = self.list_length(list);
        let empty = self.compare_scalars(CompareOp::Equal, &length, &Scalar::const_int(0));
        let empty = self.ir(&empty);
        let text = format!("{name}() arg is an empty sequence");
        self.raise_if(empty, &raised("ValueError", &text), range);
        let view = Value::View(self.list_view(list));
        let given = Arguments {
            positional: vec![(view, arguments.positional[0].1)],
            keywords: Vec::new(),
        };
        let result = self.call_builtin(&format!("numpy.{name}"), &given, range);
        Some(if list.weak { weakened(result) } else { result })
    }

    fn python_sum(&mut self, value: &Value, start: Value, range: TextRange) -> Option<Value> {
        if let Some(items) = self.known_items(value) {
            let mut total = start;
            for item in &items {
                total = self.binary(Operator::Add, &total, item, range);
            }
            return Some(total);
        }
        let from_zero = matches!(&start, Value::Scalar(s) if s.as_int() == Some(0));
        if let Value::View(_) | Value::Lazy(_) = value
            && from_zero
        {
            return None;
        }
        match value {
            Value::Range(_)
            | Value::List(_)
            | Value::Held(_)
            | Value::Zip(_)
            | Value::Enumerate(..)
            | Value::View(_)
            | Value::Lazy(_) => {}
            _ => return None,
        }
        if let Value::Held(held) = value
            && !held.item.is_number()
        {
            return Some(self.sum_of_objects(value, &start, range));
        }
        let item = self.temporary();
        let total = self.hold(start, range);
        let held = [self.hold(value.clone(), range)];
        let sum = Expr::BinOp(ruff_python_ast::ExprBinOp {
            node_index: Default::default(),
            range,
            left: Box::new(load(&total, range)),
            op: Operator::Add,
            right: Box::new(load(&item, range)),
        });
        self.accumulate(&total, &item, &held[0], sum, range);
        Some(self.result_of(&total, &held, range))
    }

    /// The sum of arrays, or of lists: what the first addition gives is what the sum is.
    fn sum_of_objects(&mut self, list: &Value, start: &Value, range: TextRange) -> Value {
        if self.level() > 0 {
            return self.hinder("it uses a list");
        }
        let Some(length) = self.length_of(list, range) else {
            return Value::Poison;
        };
        let empty = self.compare_scalars(CompareOp::Equal, &length, &Scalar::const_int(0));
        let empty = self.ir(&empty);
        let text = "the sum of no arrays or lists is not known in a jit function";
        self.raise_if(empty, &raised("ValueError", text), range);
        let first = self.item_at(list, &Scalar::const_int(0), range);
        let first = self.binary(Operator::Add, start, &first, range);
        let total = self.hold(first, range);
        let (item, one) = (self.temporary(), Scalar::const_int(1));
        let rest = Value::Range(Box::new([one, length, one]));
        let (whole, positions) = (self.hold(list.clone(), range), self.hold(rest, range));
        let at = Expr::Subscript(ExprSubscript {
            node_index: Default::default(),
            range,
            value: Box::new(load(&whole, range)),
            slice: Box::new(load(&item, range)),
            ctx: ExprContext::Load,
        });
        let sum = Expr::BinOp(ruff_python_ast::ExprBinOp {
            node_index: Default::default(),
            range,
            left: Box::new(load(&total, range)),
            op: Operator::Add,
            right: Box::new(at),
        });
        self.accumulate(&total, &item, &positions, sum, range);
        self.result_of(&total, &[whole, positions], range)
    }

    /// `functools.reduce`.
    pub fn reduced(&mut self, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let given = self.exactly("functools.reduce", arguments, 2..=3, range)?;
        let function = given[0].0.clone();
        let source = given[1].0.clone();
        let first = given.get(2).map(|(value, _)| value.clone());
        if let Some(items) = self.known_items(&source) {
            let mut items = items.into_iter();
            let Some(mut total) = first.or_else(|| items.next()) else {
                let diagnostic = self.wrong(
                    codes::VALUE,
                    "there is nothing to reduce",
                    range,
                    "this would raise TypeError",
                );
                return Some(self.report(diagnostic));
            };
            for item in items {
                let arguments = Arguments {
                    positional: vec![(total, range), (item, range)],
                    keywords: Vec::new(),
                };
                total = self.call_value(&function, &arguments, range, range, None);
            }
            return Some(total);
        }
        let source = match source {
            Value::Range(_) | Value::List(_) | Value::Held(_) | Value::View(_) => source,
            other => self.all_stored(other),
        };
        let whole = self.hold(source.clone(), range);
        let function = self.hold(function, range);
        let item = self.temporary();
        let total = match first {
            Some(first) => {
                let total = self.hold(first, range);
                let call = call(&function, &[total.clone(), item.clone()], range);
                self.accumulate(&total, &item, &whole, call, range);
                total
            }
            None => {
                let length = match &source {
                    Value::Range(parts) => self.range_length(parts, range)?,
                    other => self.length_of(other, range)?,
                };
                let empty = self.compare_scalars(CompareOp::Equal, &length, &Scalar::const_int(0));
                let empty = self.ir(&empty);
                let text = "reduce() of empty iterable with no initial value";
                self.raise_if(empty, &raised("TypeError", text), range);
                let first = self.item_at(&source, &Scalar::const_int(0), range);
                let total = self.hold(first, range);
                let one = Scalar::const_int(1);
                let rest = Value::Range(Box::new([one, length, one]));
                let positions = self.hold(rest, range);
                let at = Expr::Subscript(ExprSubscript {
                    node_index: Default::default(),
                    range,
                    value: Box::new(load(&whole, range)),
                    slice: Box::new(load(&item, range)),
                    ctx: ExprContext::Load,
                });
                let call = call_with(load(&function, range), vec![load(&total, range), at], range);
                self.accumulate(&total, &item, &positions, call, range);
                self.release(&[positions]);
                total
            }
        };
        Some(self.result_of(&total, &[whole, function], range))
    }

    /// `for item in source: total = expression`.
    fn accumulate(
        &mut self,
        total: &str,
        item: &str,
        source: &str,
        expression: Expr,
        range: TextRange,
    ) {
        let assign = Stmt::Assign(StmtAssign {
            node_index: Default::default(),
            range,
            targets: vec![store(total, range)],
            value: Box::new(expression),
        });
        let turns = StmtFor {
            node_index: Default::default(),
            range,
            is_async: false,
            target: Box::new(store(item, range)),
            iter: Box::new(load(source, range)),
            body: std::iter::once(assign).collect(),
            orelse: Default::default(),
        };
        self.for_loop(&turns);
        self.scope().shift_remove(item);
    }

    fn result_of(&mut self, name: &str, held: &[String], range: TextRange) -> Value {
        let result = self.expr(&load(name, range));
        self.release(held);
        self.scope().shift_remove(name);
        result
    }

    /// `pow(base, exponent, modulus)` of integers.
    fn power_modulo(
        &mut self,
        base: &Value,
        exponent: &Value,
        modulus: &Value,
        range: TextRange,
    ) -> Value {
        let (Some(base), Some(exponent), Some(modulus)) = (
            self.integer(base, range, "the base"),
            self.integer(exponent, range, "the exponent"),
            self.integer(modulus, range, "the modulus"),
        ) else {
            return Value::Poison;
        };
        self.raise_if_zero(&modulus, "pow() 3rd argument cannot be 0", range);
        let negative = self.compare_scalars(CompareOp::Less, &exponent, &Scalar::const_int(0));
        let negative = self.ir(&negative);
        let text = "a negative exponent with a modulus is not supported in jit functions";
        self.raise_if(negative, &raised("ValueError", text), range);
        let size = self.absolute(&modulus);
        // Products of two remainders must fit 64 bits.
        let most = Scalar::const_int(3_037_000_499);
        let wide = self.compare_scalars(CompareOp::Greater, &size, &most);
        let wide = self.ir(&wide);
        let text = "the modulus is too large for integers of 64 bits";
        self.raise_if(wide, &raised("OverflowError", text), range);
        let name = self.temporary();
        let variables: Vec<_> = (0..3)
            .map(|position| self.variable(&name, position, DType::Int64))
            .collect();
        let modulo = self.ir(&modulus);
        let one = self.b.int64(1);
        let start = self.b.binary(BinaryOp::Modulo, one, modulo);
        self.b.set(variables[0], start);
        let start = self.ir(&base);
        let start = self.b.binary(BinaryOp::Modulo, start, modulo);
        self.b.set(variables[1], start);
        let start = self.ir(&exponent);
        self.b.set(variables[2], start);
        self.b.begin_while();
        let (left, zero) = (self.b.get(variables[2]), self.b.int64(0));
        let going = self.b.compare(CompareOp::Greater, left, zero);
        self.b.begin_while_body(going);
        let left = self.b.get(variables[2]);
        let one = self.b.int64(1);
        let bit = self.b.binary(BinaryOp::BitAnd, left, one);
        let odd = self.b.compare(CompareOp::Equal, bit, one);
        let (result, factor) = (self.b.get(variables[0]), self.b.get(variables[1]));
        let product = self.b.binary(BinaryOp::Multiply, result, factor);
        let product = self.b.binary(BinaryOp::Modulo, product, modulo);
        let next = self.b.select(odd, product, result);
        self.b.set(variables[0], next);
        let square = self.b.binary(BinaryOp::Multiply, factor, factor);
        let square = self.b.binary(BinaryOp::Modulo, square, modulo);
        self.b.set(variables[1], square);
        let half = self.b.binary(BinaryOp::ShiftRight, left, one);
        self.b.set(variables[2], half);
        self.b.end();
        Scalar::int(self.b.get(variables[0]), Know::Any).into()
    }
}

/// Whether a value is of a class; nothing if that cannot be told.
fn belongs(x: &Value, class: &Value) -> Option<bool> {
    if matches!(x, Value::Poison | Value::Unsupported(_)) {
        return None;
    }
    if let Value::Unsupported(what) = class {
        // The abstract classes of NumPy's numbers.
        let abstract_class = what.strip_prefix("the dtype <class 'numpy.")?;
        let Value::Scalar(scalar) = x else {
            return Some(false);
        };
        let kind = scalar.dtype.kind();
        let inexact = matches!(kind, Kind::Float | Kind::Complex);
        let is = match abstract_class.trim_end_matches("'>") {
            "generic" => true,
            "number" => kind != Kind::Bool,
            "integer" => is_integer(scalar.dtype),
            "signedinteger" => kind == Kind::Int,
            "unsignedinteger" => kind == Kind::UInt,
            "inexact" => inexact,
            "floating" => kind == Kind::Float,
            "complexfloating" => kind == Kind::Complex,
            _ => return None,
        };
        return Some(is && !scalar.weak);
    }
    if let Value::Dtype(dtype) = class {
        return Some(matches!(x, Value::Scalar(s) if !s.weak && s.dtype == *dtype));
    }
    let Value::Builtin(name) = class else {
        return match class {
            Value::None | Value::Exception { .. } => Some(false),
            _ => None,
        };
    };
    if let Some(dtype) = crate::builtins_numpy::dtype_named(name) {
        return Some(matches!(x, Value::Scalar(s) if !s.weak && s.dtype == dtype));
    }
    let name = name.strip_prefix("builtins.").unwrap_or(name);
    let known = [
        "int",
        "float",
        "complex",
        "bool",
        "str",
        "tuple",
        "list",
        "range",
        "dict",
        "set",
        "frozenset",
        "bytes",
        "slice",
        "numpy.ndarray",
        "object",
    ];
    if !known.contains(&name) {
        return None;
    }
    if name == "object" {
        return Some(true);
    }
    Some(match x {
        Value::Scalar(s) => match (s.dtype, s.weak) {
            (DType::Bool, true) => matches!(name, "bool" | "int"),
            (DType::Float64, _) => name == "float",
            (DType::Complex128, _) => name == "complex",
            (dtype, true) => is_integer(dtype) && name == "int",
            _ => false,
        },
        Value::Str(_) => name == "str",
        Value::Tuple(_) => name == "tuple",
        Value::List(_) | Value::Held(_) => name == "list",
        Value::Named(class, _) if class.is_list() => name == "list",
        Value::Range(_) => name == "range",
        Value::View(_) | Value::Lazy(_) => name == "numpy.ndarray",
        Value::Slice(_) => name == "slice",
        _ => false,
    })
}

/// A result of NumPy's as a Python number.
fn weakened(value: Value) -> Value {
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
