//! Attributes of exceptions: what they hold is known where it is known how they were made.
//!
//! Exceptions whose class has an `__init__` of its own hold what that puts there. Its type is found out by making one
//! of examples; each read is a call into Python.

use crate::codes;
use crate::host::trying::EXCEPTION_CLASS;
use crate::objects::items::ListKey;
use crate::objects::python_objects::{Object, made_at};
use crate::program::{Exception, LibraryType, ObjectType};
use crate::translate::Translator;
use crate::value::Value;
use ruff_text_size::TextRange;
use std::collections::HashMap;

/// How exceptions were made: the class, and the types of what it was called with.
pub(crate) type MadeExceptions = HashMap<ListKey, (Exception, Vec<LibraryType>)>;

impl Translator<'_> {
    /// An exception that remembers how it was made.
    pub fn remember_exception(
        &mut self,
        made: Value,
        class: &Value,
        arguments: &[(Value, TextRange)],
    ) -> Value {
        let class = match class {
            Value::Scalar(number) => number.as_int().map(|one| Exception::Handle(one as u32)),
            Value::Str(name) => Some(Exception::Builtin(name.clone())),
            _ => None,
        };
        let arguments = arguments.iter();
        let types: Option<Vec<_>> = arguments.map(|(one, _)| self.python_type(one)).collect();
        let (Some(class), Some(types)) = (class, types) else {
            return made;
        };
        let place = ListKey::of_exception(self.fresh());
        self.made_exceptions.insert(place, (class, types));
        made_at(made, place)
    }

    /// An attribute of an exception; nothing if the value is none, or it is one that all of them have.
    pub fn attribute_of_exception(
        &mut self,
        value: &Value,
        name: &str,
        range: TextRange,
    ) -> Option<Value> {
        let object = match value {
            Value::Named(class, items) if class.handle == EXCEPTION_CLASS => items.get(1)?,
            Value::Object(object) if *object.kind == ObjectType::Exception => value,
            _ => return None,
        };
        if name.starts_with("__") || matches!(name, "with_traceback" | "add_note") {
            return None;
        }
        let Value::Object(Object { origins, .. }) = object else {
            return None;
        };
        let mut kinds = Vec::new();
        for origin in origins.iter() {
            let made = self.made_exceptions.get(&origin.place);
            kinds.push(
                made.and_then(|(class, types)| self.env.exception_attribute(class, types, name)),
            );
        }
        if let Some(Some(kind)) = kinds.pop()
            && kinds.iter().all(|other| other.as_ref() == Some(&kind))
        {
            let given = [(object.clone(), range), (Value::Str(name.into()), range)];
            return Some(self.python_call("builtins.getattr", &given, &[], Some(kind), range));
        }
        let text = format!("what `{name}` of this exception is, is not known");
        let diagnostic = self.wrong(codes::ATTRIBUTE, text, range, "").help(
            "catch one class of exceptions that this function raises, or keep the value in a variable",
        );
        Some(self.report(diagnostic))
    }
}
