//! Functions that were defined inside a jit function and leave it: Python's own, made of the code that Python has of
//! them, over the values that the variables around them have then.

use crate::host::nested_functions::Closure;
use crate::objects::python_objects::{Object, helper};
use crate::program::{LibraryType, ObjectType};
use crate::shared_variables::HELD;
use crate::syntax;
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use crate::{Named, codes};
use colocate_diag::Span;
use ruff_text_size::{Ranged, TextRange};
use std::rc::Rc;

impl Translator<'_> {
    /// A function that was defined inside another as an object; nothing if it is reported.
    pub fn returned_function(&mut self, closure: &Rc<Closure>, range: TextRange) -> Option<Object> {
        let (parsed, file) = self.parse(closure.function)?;
        let def = &parsed.def;
        let mut parameters = def.parameters.iter_non_variadic_params();
        if !def.decorator_list.is_empty() || parameters.any(|one| one.default().is_some()) {
            return self.no_result("its decorators or defaults", range);
        }
        if !syntax::nonlocals(&def.body).is_empty() || !syntax::changed_inside(&def.body).is_empty()
        {
            return self.no_result("variables that it changes", range);
        }
        let around = self.outer_variables(closure.function, def, closure);
        if let Some((name, _)) = around.iter().find(|(_, value)| !can_be_kept(value)) {
            let why = match name.strip_prefix(HELD) {
                Some(name) => format!("`{name}`, which it changes"),
                None => format!("`{name}`, which is neither number nor text"),
            };
            return self.no_result(&why, range);
        }
        let outermost = *self.nested.get(&closure.function)?;
        let outermost = self.env.number(Named::Function(outermost))?;
        let Value::Object(outermost) = self.outside_object(outermost, &ObjectType::Unknown) else {
            return None;
        };
        let at = u32::from(def.name.start()).saturating_sub(parsed.shift);
        let line = self.files.get(file)?.line(Span { start: at, end: at });
        let names = around.iter().map(|(name, _)| Value::Str(name.clone()));
        let mut given = vec![
            Value::Object(outermost),
            Value::Str(def.name.to_string()),
            Value::Scalar(Scalar::const_int(line as i128)),
            Value::Tuple(names.collect()),
        ];
        given.extend(around.into_iter().map(|(_, value)| value));
        let given: Vec<_> = given.into_iter().map(|one| (one, range)).collect();
        let whole = LibraryType::Object(ObjectType::Unknown);
        match self.call_for(&helper("function_inside"), &given, &[], &whole, range) {
            Value::Object(object) => Some(object),
            _ => None,
        }
    }

    fn no_result(&mut self, why: &str, range: TextRange) -> Option<Object> {
        let diagnostic = self
            .wrong(
                codes::VALUE,
                "this inner function cannot leave a jit function",
                range,
                format!("it would have to keep {why}"),
            )
            .help("such functions may read numbers and texts of the function around them");
        self.report(diagnostic);
        None
    }
}

/// Whether a value is the same object for whoever reads it, inside and outside.
fn can_be_kept(value: &Value) -> bool {
    match value {
        Value::Scalar(_) | Value::Str(_) | Value::None | Value::Object(_) => true,
        Value::Builtin(_) | Value::Function(_) | Value::Module { .. } => true,
        Value::Tuple(items) => items.iter().all(can_be_kept),
        _ => false,
    }
}
