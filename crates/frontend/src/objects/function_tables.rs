//! Dictionaries of functions: which one is meant is known while compiling, since its name is a string.

use crate::codes;
use crate::translate::Translator;
use crate::value::{NamedTuple, Scalar, Value};
use ruff_text_size::TextRange;
use std::rc::Rc;

/// The class of such dictionaries.
const TABLE: u32 = crate::host::trying::EXCEPTION_CLASS - 1;

/// A dictionary of functions, and perhaps other things.
pub(crate) fn table(fields: Vec<(String, Value)>) -> Value {
    let (names, items): (Vec<String>, Vec<Value>) = fields.into_iter().unzip();
    let class = NamedTuple {
        handle: TABLE,
        name: "dict".into(),
        fields: names,
        list: None,
        own_axes: None,
    };
    Value::Named(Rc::new(class), items)
}

/// Whether a value is a function.
pub(crate) fn is_function(value: &Value) -> bool {
    matches!(
        value,
        Value::Function(_) | Value::Closure(_) | Value::Builtin(_)
    )
}

/// Whether a value is such a dictionary.
pub(crate) fn is_table(value: &Value) -> bool {
    matches!(value, Value::Named(class, _) if class.handle == TABLE)
}

impl Translator<'_> {
    /// `table[name]`.
    pub fn table_item(&mut self, table: &Value, name: &Value, range: TextRange) -> Value {
        let Value::Named(class, items) = table else {
            return Value::Poison;
        };
        let Value::Str(name) = name else {
            let what = name.describe();
            let diagnostic = self
                .wrong(
                    codes::INDEX_TYPE,
                    "which function of this dictionary is meant is not known while compiling",
                    range,
                    format!("the key is {what}"),
                )
                .help("name it by a string that is an argument or written down, or write `if`");
            return self.report(diagnostic);
        };
        let position = class.fields.iter().position(|field| field == name);
        match position.and_then(|position| items.get(position)) {
            Some(item) => item.clone(),
            None => {
                let known = class.fields.join(", ");
                let diagnostic = self
                    .wrong(
                        codes::VALUE,
                        format!("the dictionary has no key {name:?}"),
                        range,
                        "this would raise KeyError",
                    )
                    .help(format!("it has {known}"));
                self.report(diagnostic)
            }
        }
    }

    /// `name in table`; nothing if that is not known while compiling.
    pub fn is_in_table(&self, name: &Value, table: &Value) -> Option<Value> {
        match (name, table) {
            (Value::Str(name), Value::Named(class, _)) => {
                Some(Scalar::const_bool(class.fields.contains(name)).into())
            }
            _ => None,
        }
    }
}
