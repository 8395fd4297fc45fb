//! Fields of texts and dates in records: Python's own arrays, and places in them.
//!
//! A record has the array and the position of each such field, so that nothing is called for a field which nobody uses,
//! and so that a field can be assigned to.

use crate::codes;
use crate::objects::foreign_objects::is_foreign;
use crate::objects::python_objects::{Object, helper};
use crate::translate::Translator;
use crate::value::{NamedTuple, Value};
use ruff_text_size::TextRange;

/// The class of a place in such a field, `colocate._records.Part`.
const PART: &str = "Part";

/// The array and the position in it, if a field is a place in one.
pub(crate) fn part_of_texts(field: &Value) -> Option<(Object, Value)> {
    match field {
        Value::Named(class, parts) if class.name == PART && class.own_axes.is_none() => {
            match &parts[..] {
                [Value::Object(texts), position] => Some((texts.clone(), position.clone())),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a field is one of texts, or a place in one.
pub(crate) fn is_texts(field: &Value) -> bool {
    is_foreign(field) || part_of_texts(field).is_some()
}

impl Translator<'_> {
    /// A place in such an array.
    fn place_in_texts(&mut self, records: &NamedTuple, texts: &Object, position: Value) -> Value {
        let class = self.env.of_records(records.handle, "part");
        let class = class.map(|class| self.captured_value(&class));
        match class {
            Some(Value::NamedClass(class)) => {
                Value::Named(class, vec![Value::Object(texts.clone()), position])
            }
            _ => Value::Poison,
        }
    }

    /// The one place in an array without axes.
    pub fn part_of_copy(&mut self, records: &NamedTuple, copy: Value) -> Value {
        match copy {
            Value::Object(texts) => self.place_in_texts(records, &texts, Value::Tuple(Vec::new())),
            other => other,
        }
    }

    /// What index values name in such a field of records; fields that jit functions do not have stay what they are.
    pub fn item_of_texts(
        &mut self,
        records: &NamedTuple,
        field: &Value,
        items: &[Value],
        range: TextRange,
    ) -> Value {
        let numbers = items.iter().all(|item| matches!(item, Value::Scalar(_)));
        let (texts, before) = match (field, part_of_texts(field)) {
            (_, Some((texts, Value::Tuple(position)))) => (texts, position),
            (Value::Object(texts), None) => (texts.clone(), Vec::new()),
            (other, _) => return other.clone(),
        };
        if numbers {
            let position = [before, items.to_vec()].concat();
            return self.place_in_texts(records, &texts, Value::Tuple(position));
        }
        if !before.is_empty() {
            let text = "records with fields of texts take the indices of all axes at once";
            let diagnostic = self.wrong(codes::RANK, text, range, "");
            return self.report(diagnostic);
        }
        let index = match items {
            [index] => index.clone(),
            items => Value::Tuple(items.to_vec()),
        };
        self.object_item(&texts, &index, range)
    }

    /// A copy of such a field, or of what is at a place in it.
    pub fn copied_texts(&mut self, texts: &Object, position: &Value, range: TextRange) -> Value {
        let whole = Value::Object(texts.clone());
        match position {
            Value::Tuple(items) if !items.is_empty() => {
                let copy = helper("array_of_item");
                self.foreign_call(&copy, &[&whole, position], range)
            }
            _ => self.foreign_call("numpy.copy", &[&whole], range),
        }
    }
}
