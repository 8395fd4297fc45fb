//! Objects of classes of the program's own: their attributes, known by name, and their methods.

use crate::calls::Arguments;
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use crate::{Usage, codes};
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// What the class of an object has under a name; nothing if it has nothing, or the value is no such object.
    pub fn class_attribute(
        &mut self,
        value: &Value,
        name: &str,
        range: TextRange,
    ) -> Option<Value> {
        if let (Value::Named(class, _), "_fields" | "_asdict") = (value, name)
            && class.is_plain()
        {
            let names = class.fields.iter().cloned().map(Value::Str);
            return Some(match name {
                "_fields" => Value::Tuple(names.collect()),
                _ => Value::ArrayMethod(Box::new(value.clone()), name.to_string()),
            });
        }
        let (usage, found) = self.found_in_class(value, name)?;
        Some(match usage {
            Usage::Value if self.is_assigned_outside(name) => {
                let text = format!("the class's `{name}` is assigned to in this program");
                let label = "this may be the class's, or the object's own";
                let diagnostic = self
                    .wrong(codes::ATTRIBUTE, text, range, label)
                    .help("read it by the name of the class");
                self.report(diagnostic)
            }
            Usage::Value => found,
            Usage::Method => Value::ArrayMethod(Box::new(value.clone()), name.to_string()),
            Usage::Property => {
                let given = Arguments {
                    positional: vec![(value.clone(), range)],
                    keywords: Vec::new(),
                };
                self.call_value(&found, &given, range, range, None)
            }
        })
    }

    /// The function that a method of an object is.
    pub fn method_function(&mut self, on: &Value, name: &str) -> Option<Value> {
        if let Some(function) = self.inherited_function(name) {
            return Some(function);
        }
        match self.found_in_class(on, name)? {
            (Usage::Method, function) if name != "_replace" => Some(function),
            _ => None,
        }
    }

    /// `_asdict()` of a named tuple; nothing if it is something else.
    pub fn as_dictionary(&mut self, on: &Value, method: &str, range: TextRange) -> Option<Value> {
        let Value::Named(class, items) = on else {
            return None;
        };
        if method != "_asdict" || !class.is_plain() {
            return None;
        }
        let named = class.fields.iter().cloned().zip(items.iter().cloned());
        let arguments = Arguments {
            positional: Vec::new(),
            keywords: named.map(|(name, value)| (name, value, range)).collect(),
        };
        self.container_function("dict", &arguments, range)
    }

    /// An object is true, unless its class says otherwise.
    pub fn truth_of_instance(&mut self, value: &Value, range: TextRange) -> Option<Scalar> {
        for name in ["__bool__", "__len__"] {
            if self.found_in_class(value, name).is_none() {
                continue;
            }
            return match self.method_of(value, name, &[], range) {
                Some(Value::Scalar(said)) => {
                    if name == "__len__" {
                        self.check_length(&said, range);
                    }
                    self.truth(&Value::Scalar(said), range)
                }
                Some(Value::Poison) => None,
                _ => {
                    let text = format!("whether {} is true is said by its class", value.describe());
                    let diagnostic = self.wrong(codes::TRUTH, text, range, "");
                    self.report(diagnostic);
                    None
                }
            };
        }
        Some(Scalar::const_bool(true))
    }

    /// What the class of an object has under a name, and how that is used.
    pub fn found_in_class(&mut self, value: &Value, name: &str) -> Option<(Usage, Value)> {
        let handle = match value {
            // An object from outside.
            Value::Module { handle, .. } if self.is_program() => {
                let method = self.env.object_method(*handle, name)?;
                return Some((Usage::Method, self.captured_value(&method)));
            }
            Value::Instance(made) => made.class,
            Value::Named(class, _) if class.is_plain() || class.is_instance => class.handle,
            _ => return None,
        };
        let (usage, captured) = self.env.class_attribute(handle, name)?;
        Some((usage, self.captured_value(&captured)))
    }
}
