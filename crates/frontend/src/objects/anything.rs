//! What holds now one type, now another: items of lists of several kinds, variables that are a number on one way and a
//! text on another, attributes.
//!
//! Such a value is an object of which nothing is known before the program runs: what is done with it is done by Python,
//! and gives another one, but for tests, lengths and conversions (the environment says which). A function is translated so
//! only where it would be refused otherwise: what would not fit is noted, and tried once nothing else is left to be found
//! out (`host::part`).

use crate::objects::python_objects::{BOOL, helper};
use crate::program::{LibraryType, ObjectType};
use crate::translate::Translator;
use crate::value::Value;
use ruff_python_ast::{Expr, ExprAttribute};
use ruff_text_size::TextRange;

/// The kind of an item of a container whose items are of several types: what is done with it is done by Python, and
/// gives more of the kind.
pub const ANYTHING: &str = "object of several types";

/// Whether a value is an object of that kind.
pub(crate) fn is_anything(value: &Value) -> bool {
    matches!(value, Value::Object(object) if object.kind.is_anything())
}

/// A list that is none of Python's, which may be None.
fn list_in(value: &Value) -> Option<&Value> {
    match value {
        Value::List(_) | Value::Held(_) => Some(value),
        Value::Named(class, _) if class.is_list() => Some(value),
        Value::Optional(inner, _) => list_in(inner),
        _ => None,
    }
}

/// Whether a value can be an object of that kind.
pub(crate) fn may_be_anything(value: &Value) -> bool {
    match value {
        Value::Scalar(_) | Value::Str(_) | Value::None | Value::Object(_) => true,
        Value::Tuple(items) => items.iter().all(may_be_anything),
        Value::Optional(inner, _) => may_be_anything(inner),
        // It is known by its handle alone.
        Value::Named(class, _) => class.is_instance && class.fields.is_empty(),
        _ => false,
    }
}

impl Translator<'_> {
    /// What may be of one type or of another is anything, if the function cannot be compiled otherwise.
    pub fn loosened(&mut self, joined: Value, a: &Value, b: &Value) -> Value {
        let is_possible = matches!(joined, Value::Conflict(_))
            && self.is_program()
            && self.level() == 0
            && self.function_base == 0
            && may_be_anything(a)
            && may_be_anything(b);
        if !is_possible {
            let lists: Vec<&Value> = [a, b].into_iter().filter_map(list_in).collect();
            let others = [a, b].into_iter().filter(|one| list_in(one).is_none());
            let fits = !lists.is_empty() && others.into_iter().all(may_be_anything);
            if matches!(joined, Value::Conflict(_)) && self.is_program() && fits {
                self.wants_loosely = true;
                if self.loosely {
                    // Such a list is one of Python's from the next translation on.
                    for list in lists {
                        self.make_python_list(list);
                    }
                }
            }
            return joined;
        }
        self.wants_loosely = true;
        match self.loosely {
            true => Value::Object(crate::joins::any_object(ObjectType::anything())),
            false => joined,
        }
    }

    /// `value.name` that is not called.
    pub fn attribute_read(&mut self, value: Value, range: TextRange) -> Value {
        match &value {
            Value::ArrayMethod(on, name) if is_anything(on) => {
                let function = format!("attribute.{name}");
                self.foreign_call(&function, &[&**on], range)
            }
            _ => value,
        }
    }

    /// Whether something of which only Python knows what it is is of a class; nothing for other values.
    pub fn is_anything_of(
        &mut self,
        x: &Value,
        classes: &Value,
        range: TextRange,
    ) -> Option<Value> {
        if !is_anything(x) {
            return None;
        }
        let classes = self.classes_as_objects(classes, range);
        let given = [(x.clone(), range), (classes, range)];
        Some(self.python_call("builtins.isinstance", &given, &[], Some(BOOL), range))
    }

    /// Classes of Python's own, which have no other use as values, as objects.
    pub fn classes_as_objects(&mut self, classes: &Value, range: TextRange) -> Value {
        match classes {
            Value::Tuple(all) => {
                let all = all.iter().map(|one| self.classes_as_objects(one, range));
                Value::Tuple(all.collect())
            }
            Value::Builtin(name) => {
                let kind = LibraryType::Object(ObjectType::anything());
                let given = [(Value::Str(name.clone()), range)];
                self.call_for(&helper("found"), &given, &[], &kind, range)
            }
            other => other.clone(),
        }
    }

    /// `object.name = value` where only Python knows what the object is; false for other objects.
    pub fn assign_to_anything(
        &mut self,
        e: &ExprAttribute,
        value: &Value,
        range: TextRange,
    ) -> bool {
        if !self.is_program()
            || !matches!(
                &*e.value,
                Expr::Name(_) | Expr::Subscript(_) | Expr::Attribute(_)
            )
        {
            return false;
        }
        let checkpoint = self.checkpoint();
        let known = self.diagnostics.len();
        let object = self.expr(&e.value);
        if !is_anything(&object) {
            self.forget_diagnostics(known);
            self.rewind(&checkpoint);
            return false;
        }
        let value = self.all_stored(value.clone());
        if self.put_kind(&value, range).is_none() {
            return true;
        }
        let given = [
            (object, range),
            (Value::Str(e.attr.to_string()), range),
            (value, range),
        ];
        self.python_call(
            "builtins.setattr",
            &given,
            &[],
            Some(ObjectType::None),
            range,
        );
        true
    }
}
