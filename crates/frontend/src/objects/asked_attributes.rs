//! `hasattr`, and `getattr` with a default: whether a value has an attribute is known while compiling, unless a property
//! raises `AttributeError`, or the value may be None.

use crate::Captured;
use crate::Usage;
use crate::codes;
use crate::objects::syntax_building::{attribute, load, store};
use crate::program::{LibraryType, ObjectType};
use crate::translate::Translator;
use crate::value::Value;
use ruff_python_ast::{
    ExceptHandler, ExceptHandlerExceptHandler, Expr, Stmt, StmtAssign, StmtTry, Suite,
};
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// The attribute, or what is said to stand for it, if there is one; else another value.
    pub fn attribute_or(
        &mut self,
        object: &Value,
        name: &str,
        there: Option<&Value>,
        otherwise: &Value,
        range: TextRange,
    ) -> Value {
        if let Value::Optional(inner, present) = object {
            return self.either(
                present,
                range,
                |t| t.attribute_or(inner, name, there, otherwise, range),
                |_| otherwise.clone(),
            );
        }
        if let Some((Usage::Property, _)) = self.found_in_class(object, name) {
            return self.property_or(object, name, there, otherwise, range);
        }
        match (self.attribute_if_any(object, name, range), there) {
            (Some(_), Some(there)) => there.clone(),
            (Some(found), None) => found,
            (None, _) => otherwise.clone(),
        }
    }

    /// The same of a property: `try: found = object.name` with a handler.
    fn property_or(
        &mut self,
        object: &Value,
        name: &str,
        there: Option<&Value>,
        otherwise: &Value,
        range: TextRange,
    ) -> Value {
        let mut held = vec![
            self.hold(object.clone(), range),
            self.hold(otherwise.clone(), range),
        ];
        let [found, result] = [self.temporary(), self.temporary()];
        for name in [&found, &result] {
            self.frame().locals.insert(name.clone());
        }
        let of = attribute(load(&held[0], range), name, range);
        let mut body: Suite = [assign(&found, of, range)].into_iter().collect();
        let whole = match there {
            Some(there) => {
                held.push(self.hold(there.clone(), range));
                held[2].clone()
            }
            None => found.clone(),
        };
        body.push(assign(&result, load(&whole, range), range));
        let handler = ExceptHandler::ExceptHandler(ExceptHandlerExceptHandler {
            node_index: Default::default(),
            range,
            type_: Some(Box::new(load("AttributeError", range))),
            name: None,
            body: [assign(&result, load(&held[1], range), range)]
                .into_iter()
                .collect(),
        });
        self.statement(&Stmt::Try(StmtTry {
            node_index: Default::default(),
            range,
            body,
            handlers: [handler].into_iter().collect(),
            orelse: Suite::new(),
            finalbody: Suite::new(),
            is_star: false,
        }));
        let value = match self.live() {
            true => self.expr(&load(&result, range)),
            // It always raises something else.
            false => Value::Poison,
        };
        held.extend([found, result]);
        self.release(&held);
        value
    }

    /// An attribute, if there is one of this name.
    fn attribute_if_any(&mut self, object: &Value, name: &str, range: TextRange) -> Option<Value> {
        if self.class_lacks(object, name) {
            return None;
        }
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
            self.forget_diagnostics(before);
            return None;
        }
        Some(found)
    }

    /// Whether a class of Python's own has nothing under a name, which is found out by example.
    fn class_lacks(&mut self, object: &Value, name: &str) -> bool {
        let is_pythons = match object {
            Value::List(_) | Value::Held(_) | Value::Str(_) => true,
            // Their classes may be the program's own.
            Value::Object(object) => !matches!(
                *object.kind,
                ObjectType::Exception | ObjectType::Unknown | ObjectType::Instance(_)
            ),
            Value::Named(class, _) => class.is_list(),
            _ => false,
        };
        if !is_pythons {
            return false;
        }
        let Some(kind) = self.python_type(object) else {
            return false;
        };
        let name = LibraryType::Constant(Captured::Str(name.to_string()));
        let nothing = LibraryType::Constant(Captured::None);
        let given = [kind, name, nothing];
        // A method is something that jit functions do not have as a value.
        matches!(
            self.env.library("builtins.getattr", &given, &[]),
            Ok(LibraryType::None)
        )
    }
}

fn assign(name: &str, value: Expr, range: TextRange) -> Stmt {
    Stmt::Assign(StmtAssign {
        node_index: Default::default(),
        range,
        targets: vec![store(name, range)],
        value: Box::new(value),
    })
}
