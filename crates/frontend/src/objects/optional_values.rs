//! Values that may be None, and named tuples: what they are where something plainer is needed.

use crate::calls::Arguments;
use crate::codes;
use crate::host::failures::Raised;
use crate::objects::made_instances::is_instance;
use crate::objects::python_objects::{Object, helper, kind_of};
use crate::objects::ranges_and_texts::raised;
use crate::objects::tables::{is_table, names};
use crate::program::{LibraryType, ObjectType};
use crate::translate::Translator;
use crate::value::{NamedTuple, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType, Kind, UnaryOp};
use ruff_python_ast::CmpOp;
use ruff_text_size::TextRange;
use std::borrow::Cow;
use std::rc::Rc;

impl Translator<'_> {
    /// A value as something that is there: what may be None raises a TypeError if it is, and a named
    /// tuple is a tuple.
    pub fn plain<'v>(&mut self, value: &'v Value, range: TextRange) -> Cow<'v, Value> {
        let missing = raised("TypeError", "None is used where a value is needed");
        self.plain_or(value, &missing, range)
    }

    /// A value of which an attribute is asked for.
    pub fn with_attribute<'v>(
        &mut self,
        value: &'v Value,
        name: &str,
        range: TextRange,
    ) -> Cow<'v, Value> {
        let text = format!("'NoneType' object has no attribute '{name}'");
        self.plain_or(value, &raised("AttributeError", &text), range)
    }

    /// The same, where it is said what None raises.
    fn plain_or<'v>(
        &mut self,
        value: &'v Value,
        missing: &Raised,
        range: TextRange,
    ) -> Cow<'v, Value> {
        match value {
            Value::Named(class, items) if class.handle == crate::host::trying::EXCEPTION_CLASS => {
                Cow::Owned(items.get(1).cloned().unwrap_or(Value::Poison))
            }
            Value::Named(class, _) if class.own_axes.is_some() || class.is_instance => {
                Cow::Borrowed(value)
            }
            table if is_table(table) => Cow::Owned(names(table)),
            Value::Named(_, items) => Cow::Owned(Value::Tuple(items.clone())),
            Value::Optional(inner, present) => {
                if present.as_int() == Some(1) {
                    return Cow::Owned(inner.as_ref().clone());
                }
                let ir = self.ir(present);
                let absent = self.b.unary(UnaryOp::Not, ir);
                self.raise_if(absent, missing, range);
                let inner = inner.as_ref().clone();
                Cow::Owned(self.plain_or(&inner, missing, range).into_owned())
            }
            other => Cow::Borrowed(other),
        }
    }

    /// The arguments of a function that takes plain values.
    pub fn plain_arguments(&mut self, arguments: &Arguments, deep: bool) -> Arguments {
        let positional = arguments.positional.iter();
        let positional = positional
            .map(|(value, place)| {
                let value = self.plain(value, *place).into_owned();
                let value = if deep { unlisted(&value) } else { value };
                (value, *place)
            })
            .collect();
        let keywords = arguments.keywords.iter();
        let keywords = keywords
            .map(|(name, value, place)| {
                let value = self.plain(value, *place).into_owned();
                let value = if deep { unlisted(&value) } else { value };
                (name.clone(), value, *place)
            })
            .collect();
        Arguments {
            positional,
            keywords,
        }
    }

    /// A value as Python is given it: what may be None is an object, which is None or not.
    pub fn shown(&mut self, value: &Value, range: TextRange) -> Value {
        match value {
            Value::Optional(inner, present) if present.as_int() == Some(1) => {
                self.shown(inner, range)
            }
            Value::Optional(inner, present) => {
                let kind = kind_of(inner);
                let (inner, present) = (self.shown(inner, range), *present);
                let object = |t: &mut Self, value: Value| {
                    let whole = LibraryType::Object(ObjectType::Unknown);
                    t.call_for(&helper("same"), &[(value, range)], &[], &whole, range)
                };
                let found = self.either(
                    &present,
                    range,
                    |t| object(t, inner),
                    |t| object(t, Value::None),
                );
                match (found, kind) {
                    (Value::Object(object), Some(kind)) => Value::Object(Object {
                        kind: Rc::new(ObjectType::Optional(Box::new(kind))),
                        ..object
                    }),
                    (found, _) => found,
                }
            }
            Value::Scalar(number) => self.shown_number(number, range),
            Value::Tuple(items) => {
                let items = items.iter().map(|item| self.shown(item, range));
                Value::Tuple(items.collect())
            }
            Value::Named(class, items) if class.is_list() || class.is_plain() => {
                let items = items.iter().map(|item| self.shown(item, range));
                Value::Named(class.clone(), items.collect())
            }
            other => other.clone(),
        }
    }

    /// A comparison in which a value may be None; nothing if it is another.
    pub fn compare_optional(
        &mut self,
        op: CmpOp,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Option<Value> {
        let positive = match op {
            CmpOp::Is | CmpOp::Eq => true,
            CmpOp::IsNot | CmpOp::NotEq => false,
            _ => return None,
        };
        let (inner, present, other) = match (a, b) {
            (Value::Optional(inner, present), other) | (other, Value::Optional(inner, present)) => {
                (inner, present, other)
            }
            _ => return None,
        };
        if matches!(op, CmpOp::Is | CmpOp::IsNot) && is_instance(inner) {
            let (inner, present, other) = (inner.clone(), *present, other.clone());
            let same = self.either(
                &present,
                range,
                |t| t.compare(op, &inner, &other, range),
                |t| t.compare(op, &Value::None, &other, range),
            );
            return Some(same);
        }
        let is_array = |value: &Value| {
            crate::arrays::lazy::is_array(value)
                && !matches!(value, Value::View(view) if view.rank() == 0)
        };
        if matches!(op, CmpOp::Eq | CmpOp::NotEq)
            && (is_array(other) || is_array(inner) && !matches!(other, Value::None))
        {
            // It is compared element by element, also with None.
            let (inner, present, other) = (inner.clone(), *present, other.clone());
            let each = self.either(
                &present,
                range,
                |t| t.compare(op, &inner, &other, range),
                |t| t.compare(op, &Value::None, &other, range),
            );
            return Some(each);
        }
        let equal = match other {
            Value::None => {
                let ir = self.ir(present);
                let absent = self.b.unary(UnaryOp::Not, ir);
                Scalar::new(DType::Bool, true, absent)
            }
            Value::Optional(second, second_present) => {
                let both = self.equal_there(inner, present, second, range)?;
                let bools = (DType::Bool, true);
                let both = self.apply(BinaryOp::BitAnd, &both, second_present, bools, range)?;
                let (x, y) = (self.ir(present), self.ir(second_present));
                let either = self.b.binary(BinaryOp::BitOr, x, y);
                let neither = self.b.unary(UnaryOp::Not, either);
                let neither = Scalar::new(DType::Bool, true, neither);
                self.apply(BinaryOp::BitOr, &both, &neither, bools, range)?
            }
            other => self.equal_there(inner, present, other, range)?,
        };
        if positive {
            return Some(equal.into());
        }
        Some(self.unary(ruff_python_ast::UnaryOp::Not, &equal.into(), range))
    }

    /// Something that is true or not of what may be None: of the value, and of None.
    pub fn there_or_not(
        &mut self,
        present: &Scalar,
        there: &Value,
        absent: &Value,
        range: TextRange,
    ) -> Value {
        let (Some(there), Some(absent)) = (self.truth(there, range), self.truth(absent, range))
        else {
            return Value::Poison;
        };
        if there == absent {
            return there.into();
        }
        let (present, there) = (self.ir(present), self.ir(&there));
        let absent = self.ir(&absent);
        let which = self.b.select(present, there, absent);
        Scalar::new(DType::Bool, true, which).into()
    }

    /// `iscomplexobj` and `isrealobj` of what may be None; nothing if it is something else.
    pub fn is_complex_if_any(&mut self, function: &str, arguments: &Arguments) -> Option<Value> {
        let ([(Value::Optional(inner, present), range)], "numpy.iscomplexobj" | "numpy.isrealobj") =
            (&arguments.positional[..], function)
        else {
            return None;
        };
        let dtype = match &**inner {
            Value::Scalar(scalar) => scalar.dtype,
            array => Self::dtype_of(array)?,
        };
        let asked = function == "numpy.iscomplexobj";
        let there = Scalar::const_bool((dtype.kind() == Kind::Complex) == asked).into();
        let absent = Scalar::const_bool(!asked).into();
        Some(self.there_or_not(present, &there, &absent, *range))
    }

    /// Whether a value is there, and equals another.
    fn equal_there(
        &mut self,
        inner: &Value,
        present: &Scalar,
        other: &Value,
        range: TextRange,
    ) -> Option<Scalar> {
        if let Value::Object(_) = inner {
            // Where it is not there, there is no object to ask.
            let equal = self.either(
                present,
                range,
                |t| t.compare(CmpOp::Eq, inner, other, range),
                |_| Scalar::const_bool(false).into(),
            );
            return self.truth(&equal, range);
        }
        let equal = self.compare(CmpOp::Eq, inner, other, range);
        let equal = self.truth(&equal, range)?;
        self.apply(
            BinaryOp::BitAnd,
            present,
            &equal,
            (DType::Bool, true),
            range,
        )
    }

    /// Makes a named tuple.
    pub fn named_tuple(
        &mut self,
        class: &Rc<NamedTuple>,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        let names: Vec<&str> = class.fields.iter().map(String::as_str).collect();
        let mut items: Vec<Option<Value>> = vec![None; names.len()];
        let mut fine = arguments.positional.len() <= names.len();
        for (slot, (value, _)) in items.iter_mut().zip(&arguments.positional) {
            *slot = Some(value.clone());
        }
        for (keyword, value, _) in &arguments.keywords {
            match names.iter().position(|name| name == keyword) {
                Some(at) if items[at].is_none() => items[at] = Some(value.clone()),
                _ => fine = false,
            }
        }
        for (item, name) in items.iter_mut().zip(&names) {
            if item.is_none()
                && let Some((_, default)) = self
                    .env
                    .class_attribute(class.handle, &format!("<default>{name}"))
            {
                *item = Some(self.captured_value(&default));
            }
        }
        let items: Option<Vec<Value>> = items.into_iter().collect();
        match items {
            Some(items) if fine => Value::Named(class.clone(), items),
            _ => {
                let diagnostic = self
                    .wrong(
                        codes::ARGUMENTS,
                        format!("`{}` takes {} items", class.name, names.len()),
                        range,
                        "",
                    )
                    .help(format!("its items are ({})", names.join(", ")));
                self.report(diagnostic)
            }
        }
    }

    /// `Class._make(items)` of a class of named tuples.
    pub fn named_from_items(&mut self, class: &Value, items: &Value, range: TextRange) -> Value {
        let Value::NamedClass(class) = class else {
            return Value::Poison;
        };
        let known = match items {
            Value::Named(_, items) => Some(items.clone()),
            other => self.known_items(other),
        };
        match known {
            Some(known) if known.len() == class.fields.len() => Value::Named(class.clone(), known),
            _ => match self.unpackable(items.clone(), class.fields.len(), range) {
                Value::Tuple(items) => Value::Named(class.clone(), items),
                _ => Value::Poison,
            },
        }
    }

    /// A named tuple with other items.
    pub fn replaced_fields(
        &mut self,
        on: &Value,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        let Value::Named(class, items) = on else {
            return Value::Poison;
        };
        let mut items = items.clone();
        let mut fine = arguments.positional.is_empty();
        for (keyword, value, _) in &arguments.keywords {
            match class.fields.iter().position(|field| field == keyword) {
                Some(at) => items[at] = value.clone(),
                None => fine = false,
            }
        }
        if fine {
            return Value::Named(class.clone(), items);
        }
        let diagnostic = self.wrong(
            codes::ARGUMENTS,
            format!("`_replace` of a {} takes its items by name", class.name),
            range,
            "",
        );
        self.report(diagnostic)
    }

    /// `index` and `count` of a tuple.
    pub fn tuple_method(
        &mut self,
        on: &Value,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        let Value::Tuple(items) = on else {
            return Value::Poison;
        };
        let Some(given) = self.exactly(name, arguments, 1..=1, range) else {
            return Value::Poison;
        };
        let wanted = given[0].0.clone();
        let mut found = Scalar::const_int(if name == "count" { 0 } else { -1 });
        for (position, item) in items.iter().enumerate().rev() {
            let equal = self.equals_item(item, &wanted, range);
            let Some(equal) = self.truth(&equal, range) else {
                return Value::Poison;
            };
            if name == "count" {
                let one = self.cast(&equal, DType::Int64, true);
                found = self.index_op(BinaryOp::Add, &found, &one);
                continue;
            }
            let here = Scalar::const_int(position as i128);
            found = match equal.as_int() {
                Some(0) => found,
                Some(_) => here,
                None => {
                    let (equal, here, other) = (self.ir(&equal), self.ir(&here), self.ir(&found));
                    Scalar::int(self.b.select(equal, here, other), crate::value::Know::Any)
                }
            };
        }
        if name == "index" {
            let none = self.compare_scalars(CompareOp::Less, &found, &Scalar::const_int(0));
            let none = self.ir(&none);
            let text = "tuple.index(x): x not in tuple";
            self.raise_if(none, &raised("ValueError", text), range);
        }
        found.into()
    }

    /// Something other than a tuple as one of as many items as there are targets.
    pub fn unpackable(&mut self, value: Value, targets: usize, range: TextRange) -> Value {
        if let Some(items) = self.known_items(&value) {
            return Value::Tuple(items);
        }
        let length = match &value {
            Value::Range(parts) => self.range_length(parts, range),
            other => self.length_of(other, range),
        };
        let Some(length) = length else {
            return Value::Poison;
        };
        let wanted = Scalar::const_int(targets as i128);
        let differ = self.compare_scalars(CompareOp::NotEqual, &length, &wanted);
        if differ.as_int() != Some(0) {
            let differ = self.ir(&differ);
            let text = format!("the number of values to unpack is not {targets}");
            self.raise_if(differ, &raised("ValueError", &text), range);
        }
        let items = (0..targets).map(|at| {
            let at = Scalar::const_int(at as i128);
            self.item_at(&value, &at, range)
        });
        Value::Tuple(items.collect())
    }
}

/// The first part of a value that may be None: whether it is there, the value if it is, and if not.
pub(crate) fn split(value: &Value) -> Option<(Scalar, Value, Value)> {
    match value {
        Value::Optional(inner, present) => Some((*present, inner.as_ref().clone(), Value::None)),
        Value::Tuple(items) => {
            let (at, (present, there, absent)) = items
                .iter()
                .enumerate()
                .find_map(|(at, item)| split(item).map(|found| (at, found)))?;
            let with = |item: Value| {
                let mut items = items.clone();
                items[at] = item;
                Value::Tuple(items)
            };
            Some((present, with(there), with(absent)))
        }
        Value::Named(class, items) => {
            let (present, there, absent) = split(&Value::Tuple(items.clone()))?;
            let with = |value: Value| match value {
                Value::Tuple(items) => Value::Named(class.clone(), items),
                other => other,
            };
            Some((present, with(there), with(absent)))
        }
        _ => None,
    }
}

/// A list that does not change as a tuple, and so those inside it.
pub(crate) fn unlisted(value: &Value) -> Value {
    match value {
        Value::Named(class, items) if class.is_list() => {
            Value::Tuple(items.iter().map(unlisted).collect())
        }
        Value::Tuple(items) => Value::Tuple(items.iter().map(unlisted).collect()),
        other => other.clone(),
    }
}
