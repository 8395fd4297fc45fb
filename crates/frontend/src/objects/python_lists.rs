//! Lists of Python's own: those that hold texts, dictionaries or other objects, or are held by one.
//!
//! That a list has to be one is found out where something is put into it, or it into something; it is then known by
//! the place that makes it, as its items are (`items`), and the function is translated again.

use crate::calls::Arguments;
use crate::objects::items::ListKey;
use crate::objects::python_objects::{INT, helper};
use crate::objects::ranges_and_texts::raised;
use crate::program::ObjectType;
use crate::translate::Translator;
use crate::value::Value;
use colocate_ir::DType;
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// Whether the list made at a place is one of Python's. Functions that call themselves have no others: what is
    /// done to lists of ours as a whole is done to arrays.
    pub fn is_python_list(&self, key: ListKey) -> bool {
        self.python_lists.contains(&key) || self.function_base > 0
    }

    /// A new list of Python's, without items.
    pub fn new_python_list(&mut self, range: TextRange) -> Value {
        let kind = ObjectType::List(Box::new(ObjectType::Unknown));
        self.container(&helper("list_of"), &[], kind, range)
    }

    /// A list of numbers among the arguments, as one of Python's. One of integers may be empty, and then one
    /// of anything.
    pub fn python_list_argument(&mut self, leaf: usize, dtype: DType, weak: bool) -> Value {
        let item = ObjectType::Scalar { dtype, weak };
        if item != INT {
            return self.object_argument_at(leaf, &ObjectType::List(Box::new(item)));
        }
        let list = self.object_argument_at(leaf, &ObjectType::List(Box::new(ObjectType::Unknown)));
        let Value::Object(object) = &list else {
            return list;
        };
        // Floats may join the integers in it.
        let fits = match &*object.kind {
            ObjectType::List(item) => {
                matches!(**item, ObjectType::Unknown | ObjectType::Scalar { .. })
            }
            _ => false,
        };
        if fits {
            return list;
        }
        let range = TextRange::default();
        if let Some(some) = self.object_truth(object, range) {
            let some = self.ir(&some);
            let text = "items of another type are put into a list of numbers among the arguments";
            self.raise_if(some, &raised("TypeError", text), range);
        }
        list
    }

    /// Makes a list one of Python's if a value is put into it that no other holds. Whether it did: then the function is
    /// translated again.
    pub fn turns_python_list(&mut self, list: &Value, put: &Value) -> bool {
        // Members of enumerations are objects where they are put somewhere.
        let is_member = matches!(put, Value::Module { .. } | Value::Choice(..))
            && self.object_type_of(put).is_some();
        (is_member || is_of_python(put)) && self.make_python_list(list)
    }

    /// Makes a list one of Python's; false if it is none, or is known to be one.
    pub fn make_python_list(&mut self, list: &Value) -> bool {
        let key = match list {
            Value::List(list) => list.key,
            Value::Held(held) => held.key,
            Value::Named(class, _) if class.is_list() => match class.list {
                Some(key) => key,
                None => return false,
            },
            _ => return false,
        };
        let new = self.python_lists.insert(key.root());
        self.again |= new;
        new
    }

    /// The same for lists in tuples, which may be named.
    pub fn make_python_lists(&mut self, value: &Value) -> bool {
        let items = match value {
            Value::Tuple(items) => Some(items),
            Value::Named(class, items) if class.is_plain() => Some(items),
            _ => None,
        };
        match items {
            Some(items) => {
                let made: Vec<bool> = items
                    .iter()
                    .map(|item| self.make_python_lists(item))
                    .collect();
                made.contains(&true)
            }
            None => self.make_python_list(value),
        }
    }

    /// Makes the one of two lists one of Python's if the other is. Whether it did: then the function is translated
    /// again.
    pub fn turns_like_other(&mut self, a: &Value, b: &Value) -> bool {
        let is_list = |value: &Value| matches!(value, Value::Object(object) if matches!(*object.kind, ObjectType::List(_)));
        is_list(a) && self.make_python_list(b) || is_list(b) && self.make_python_list(a)
    }

    /// Puts a value at the end of a list of Python's.
    pub fn python_append(&mut self, list: &Value, value: &Value, range: TextRange) {
        let arguments = Arguments {
            positional: vec![(value.clone(), range)],
            keywords: Vec::new(),
        };
        self.object_method(list, "append", &arguments, range);
    }
}

/// Whether a value is an object of Python's, or has one in it.
pub(crate) fn is_of_python(value: &Value) -> bool {
    match value {
        Value::Str(_) | Value::Object(_) => true,
        Value::Tuple(items) | Value::Named(_, items) => items.iter().any(is_of_python),
        Value::Optional(inner, _) => is_of_python(inner),
        _ => false,
    }
}
