//! Functions inside the program that leave it: Python makes them anew, of their code and of what they read from around
//! them. What they are then is plain Python.

use crate::codes;
use crate::host::nested_functions::Closure;
use crate::host::part::LIST_CLASS;
use crate::objects::python_objects::{Object, helper};
use crate::parse::Parsed;
use crate::program::{LibraryType, ObjectType};
use crate::shared_variables::HELD;
use crate::syntax;
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use ruff_python_ast::Expr;
use ruff_text_size::TextRange;
use std::rc::Rc;

/// Functions that read one another may be so deep in one another.
const DEEPEST: usize = 16;

impl Translator<'_> {
    /// A function inside the program as an object; nothing if it cannot be one, which is told.
    pub fn function_as_object(
        &mut self,
        closure: &Rc<Closure>,
        range: TextRange,
    ) -> Option<Object> {
        match self.made_function(closure, DEEPEST, range)? {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    fn made_function(
        &mut self,
        closure: &Rc<Closure>,
        depth: usize,
        range: TextRange,
    ) -> Option<Value> {
        let (parsed, file) = self.parse(closure.function)?;
        let outermost = self.nested.get(&closure.function).copied()?;
        let around = self.outer_variables(closure.function, &parsed.def, closure);
        let changes = !syntax::nonlocals(&parsed.def.body).is_empty();
        let shared = around
            .iter()
            .find(|(name, value)| name.starts_with(HELD) || !can_be_kept(value));
        let why = match shared.map(|(name, _)| (name, name.strip_prefix(HELD))) {
            _ if depth == 0 => "functions that read one another".to_string(),
            _ if changes => "variables that it changes".to_string(),
            Some((_, Some(name))) => format!("`{name}`, which functions inside change"),
            Some((name, None)) => format!("`{name}`, which others may change, too"),
            None => String::new(),
        };
        if !why.is_empty() {
            let text = "this function cannot leave the jit function that it is inside of";
            let label = format!("it would have to keep {why}");
            let diagnostic = self
                .wrong(codes::VALUE, text, range, label)
                .help("return what it computes, or make it outside of jit functions");
            self.report(diagnostic);
            return None;
        }
        let number = self.env.number(crate::Named::Function(outermost))?;
        let outer = self.outside_object(number, &ObjectType::Unknown);
        let (line, column) = self.begins_at(&parsed, file);
        let mut given = vec![
            outer,
            Value::Str(parsed.def.name.to_string()),
            Value::Scalar(Scalar::const_int(line as i128)),
            Value::Scalar(Scalar::const_int(column as i128)),
        ];
        let mut names = Vec::new();
        let mut values = Vec::new();
        for (name, value) in around {
            let value = match value {
                Value::Closure(inner) => self.made_function(&inner, depth - 1, range)?,
                other => other,
            };
            names.push(Value::Str(name));
            values.push(value);
        }
        let mut with_default = Vec::new();
        let mut defaults = Vec::new();
        for parameter in parsed.def.parameters.iter_non_variadic_params() {
            let Some(default) = parameter.default() else {
                continue;
            };
            with_default.push(Value::Str(parameter.name().to_string()));
            defaults.push(self.default_of_closure(closure, default));
        }
        given.extend([names, values, with_default, defaults].map(Value::Tuple));
        let given: Vec<_> = given.into_iter().map(|one| (one, range)).collect();
        let kind = LibraryType::Object(ObjectType::Unknown);
        Some(self.call_for(&helper("function_of_code"), &given, &[], &kind, range))
    }

    /// The line and the column that a function begins at.
    pub fn begins_at(&self, parsed: &Parsed, file: usize) -> (usize, usize) {
        let place = crate::parse::span(parsed.def.range, parsed.shift);
        let text = &self.files[file].text[..place.start as usize];
        let column = text.len() - text.rfind('\n').map_or(0, |end| end + 1);
        (self.files[file].line(place), column)
    }

    /// What a default was where the function was defined.
    fn default_of_closure(&mut self, closure: &Rc<Closure>, default: &Expr) -> Value {
        let before = self.frame().closure.replace(closure.clone());
        let value = self.default_of("", default);
        self.frame().closure = before;
        self.all_stored(value)
    }
}

/// Whether a value is the same for all who have it; lists would have to be the very list.
fn can_be_kept(value: &Value) -> bool {
    match value {
        Value::List(_) | Value::Held(_) => false,
        Value::Named(class, _) if class.handle == LIST_CLASS => false,
        Value::Tuple(items) | Value::Named(_, items) => items.iter().all(can_be_kept),
        _ => true,
    }
}
