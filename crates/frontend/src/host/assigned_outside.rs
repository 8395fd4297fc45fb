//! Variables outside that a program assigns to: attributes of its classes (`Person.count += 1`) and global variables.
//!
//! They are read and written where they are, by calls into Python, and no longer taken for constants. What they hold is
//! found out by translating, like attributes of objects. If they hold something else when the program begins, it is
//! compiled again; if they come to do so while it runs, reading them raises.

use crate::codes;
use crate::global_names::OWN_MODULE;
use crate::objects::changed_attributes::{is_looked_at_when_read, type_names};
use crate::objects::items::ListKey;
use crate::objects::made_instances::is_path;
use crate::objects::python_objects::{helper, made_at};
use crate::program::ObjectType;
use crate::translate::Translator;
use crate::value::Value;
use crate::{Captured, FunctionId, Named};
use ruff_python_ast::ExprAttribute;
use ruff_text_size::{Ranged, TextRange};

/// Before the number of a namespace, where classes have their names among the attributes that are assigned to.
const OUTSIDE: &str = "<outside>";

impl Translator<'_> {
    /// Whether the program assigns to an attribute of that name of anything outside.
    pub fn is_assigned_outside(&self, name: &str) -> bool {
        let mut known = self.changed_attributes.keys();
        known.any(|(of, attribute)| attribute == name && of.starts_with(OUTSIDE))
    }

    /// The module that a function belongs to.
    pub fn own_module(&mut self, function: FunctionId, range: TextRange) -> Value {
        match self.env.own_module(function) {
            Some(module) => self.captured_value(&module),
            // It is said once.
            None if self.diagnostics.iter().any(|one| one.code == codes::GLOBAL) => Value::Poison,
            None => {
                let diagnostic = self
                    .wrong(
                        codes::GLOBAL,
                        "`global` is not supported in functions without a module",
                        range,
                        "",
                    )
                    .help("return the value, or pass an array and write into it");
                self.report(diagnostic)
            }
        }
    }

    /// A global variable of a function that the program assigns to; nothing if it is another.
    pub fn assigned_global(
        &mut self,
        function: FunctionId,
        name: &str,
        range: TextRange,
    ) -> Option<Value> {
        if name == OWN_MODULE {
            return Some(self.own_module(function, range));
        }
        if !self.is_program() || !self.is_assigned_outside(name) {
            return None;
        }
        let Some(Captured::Module { handle, .. }) = self.env.own_module(function) else {
            return None;
        };
        self.attribute_outside(handle, name, range)
    }

    /// An attribute of a namespace that the program assigns to; nothing if it is another.
    pub fn attribute_outside(
        &mut self,
        namespace: u32,
        name: &str,
        range: TextRange,
    ) -> Option<Value> {
        if !self.is_program() || !self.is_assigned_outside(name) {
            return None;
        }
        let number = self.env.number(Named::Namespace(namespace))?;
        let key = (format!("{OUTSIDE}{number}"), name.to_string());
        let kind = match self.changed_attributes.get(&key) {
            Some(kind) => kind.clone(),
            // It may be inherited from one that is assigned to.
            None => {
                let (_, found) = self.env.assigned_attribute(namespace, name)?;
                let value = self.captured_value(&found?);
                let kind = self.object_type_of(&value)?;
                self.changed_attributes.insert(key.clone(), kind.clone());
                self.again = true;
                kind
            }
        };
        if self.level() > 0 {
            return Some(self.hinder("it reads a variable outside that the program assigns to"));
        }
        let place = ListKey::of_attribute(&key.0, &key.1);
        let kind = self.remembered(place, kind);
        self.env.expect_outside(namespace, name, &kind);
        let module = Value::Module {
            handle: namespace,
            name: String::new(),
        };
        let object = self.named_object(&module, range)?;
        let mut given = vec![
            (Value::Object(object), range),
            (Value::Str(name.into()), range),
        ];
        // Somebody else may put an object of another class there meanwhile.
        let types = is_looked_at_when_read(&kind).then(|| type_names(&kind));
        let function = match types.flatten() {
            Some(types) => {
                given.push((Value::Str(types), range));
                helper("attribute_of_type")
            }
            None => "builtins.getattr".into(),
        };
        let read = self.python_call(&function, &given, &[], Some(kind), range);
        Some(made_at(read, place))
    }

    /// `Class.name = value`, and of modules; false if it is something else.
    pub fn assign_outside(&mut self, e: &ExprAttribute, value: &Value, range: TextRange) -> bool {
        if !self.is_program() || !is_path(&e.value) {
            return false;
        }
        let before = self.diagnostics.len();
        let base = self.expr(&e.value);
        let Value::Module { handle, .. } = base else {
            return base.is_poison() && self.diagnostics.len() > before;
        };
        let name = e.attr.as_str();
        let Some((number, found)) = self.env.assigned_attribute(handle, name) else {
            return false;
        };
        if value.is_poison() {
            return true;
        }
        if self.level() > 0 {
            self.hinder("it assigns to a variable outside");
            return true;
        }
        if let Value::Module { handle, .. } = value
            && !self.objects_in_python
            && self.env.class_of_object(*handle).is_some()
        {
            // One object outside takes the place of another: both are Python's own.
            self.wants_objects_in_python = true;
            return true;
        }
        let Some((value, kind)) = self.put_into_object(value, range) else {
            return true;
        };
        let key = (format!("{OUTSIDE}{number}"), name.to_string());
        let known = self.changed_attributes.get(&key).cloned();
        let before = match (&known, found) {
            (Some(known), _) => known.clone(),
            (None, Some(found)) => {
                let found = self.captured_value(&found);
                match self.object_type_of(&found) {
                    Some(kind) => kind,
                    None => return false,
                }
            }
            (None, None) => ObjectType::Unknown,
        };
        let Some(joined) = before.join(&kind) else {
            let text = format!("the variable `{name}` outside would hold a {before} and a {kind}");
            let diagnostic = self
                .wrong(codes::ATTRIBUTE_TARGET, text, e.range(), "")
                .help("give it a value of this type where it is made");
            self.report(diagnostic);
            return true;
        };
        if known.as_ref() != Some(&joined) {
            self.changed_attributes.insert(key, joined);
            self.again = true;
            return true;
        }
        let module = Value::Module {
            handle,
            name: String::new(),
        };
        if let Some(object) = self.named_object(&module, range) {
            self.set_python_attribute(&Value::Object(object), name, &value, range);
        }
        true
    }
}
