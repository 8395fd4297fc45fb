//! Stencils that are made inside a jit function, of a function that is defined there.
//!
//! A stencil is text to text, and the environment writes it, as it does outside. So the kernel may use what is known then:
//! its parameters, and what is outside of the function around it.

use crate::Captured;
use crate::calls::Arguments;
use crate::codes;
use crate::host::nested_functions::Closure;
use crate::translate::Translator;
use crate::value::{Constant, Value};
use ruff_python_ast::Expr;
use ruff_text_size::{Ranged, TextRange};
use std::rc::Rc;

/// What makes stencils, by the name that the compiler knows it by.
const STENCIL: &str = "colocate.stencil";

impl Translator<'_> {
    /// A function inside with a decorator that makes it a stencil; nothing if it is another decorator.
    pub fn decorated_stencil(&mut self, function: &Value, decorator: &Expr) -> Option<Value> {
        let (named, arguments) = match decorator {
            Expr::Call(call) => (&*call.func, Some(&call.arguments)),
            other => (other, None),
        };
        if !self.is_program() || self.builtin_named(named).as_deref() != Some(STENCIL) {
            return None;
        }
        let Value::Closure(closure) = function else {
            return None;
        };
        let mut options = Vec::new();
        for keyword in arguments.iter().flat_map(|all| all.keywords.iter()) {
            let name = keyword.arg.as_ref()?;
            let value = self.expr(&keyword.value);
            options.push((name.to_string(), value, keyword.value.range()));
        }
        let range = decorator.range();
        let is_mode = |one: &Expr| matches!(one, Expr::StringLiteral(mode) if mode.value.to_str() == "constant");
        if !arguments.iter().all(|all| all.args.iter().all(is_mode)) {
            return None;
        }
        Some(self.inner_stencil(&closure.clone(), &options, range))
    }

    /// `stencil(function, **options)`; nothing if another function is called, or it is not one of the program's inside.
    pub fn called_stencil(
        &mut self,
        name: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        if name != STENCIL || !self.is_program() {
            return None;
        }
        match &arguments.positional[..] {
            [(Value::Closure(closure), _)] => {
                Some(self.inner_stencil(&closure.clone(), &arguments.keywords, range))
            }
            _ => None,
        }
    }

    fn inner_stencil(
        &mut self,
        closure: &Rc<Closure>,
        options: &[(String, Value, TextRange)],
        range: TextRange,
    ) -> Value {
        let Some((parsed, file)) = self.parse(closure.function) else {
            return Value::Poison;
        };
        let mut known = Vec::new();
        for (name, value, place) in options {
            let Some(value) = constant(value) else {
                let text = format!("the option `{name}` of a stencil inside must be a constant");
                let diagnostic = self.wrong(codes::VALUE, text, *place, "");
                return self.report(diagnostic);
            };
            known.push((name.clone(), value));
        }
        let outermost = self.nested.get(&closure.function).copied();
        let place = self.begins_at(&parsed, file);
        let made = match outermost {
            Some(outer) => self.env.stencil(outer, &parsed.def.name, place, &known),
            None => Err("a stencil cannot be made of this function".into()),
        };
        match made {
            Ok(made) => self.captured_value(&made),
            Err(why) => {
                let diagnostic = self.wrong(codes::VALUE, why, range, "");
                self.report(diagnostic)
            }
        }
    }
}

fn constant(value: &Value) -> Option<Captured> {
    Some(match value {
        Value::None => Captured::None,
        Value::Str(text) => Captured::Str(text.clone()),
        Value::Scalar(scalar) => match scalar.as_constant()? {
            Constant::Bool(value) => Captured::Bool(value),
            Constant::Int(value) => Captured::Int(value),
            Constant::Float(value) => Captured::Float(value),
            Constant::Complex(re, im) => Captured::Complex(re, im),
        },
        Value::Tuple(items) => Captured::Tuple(items.iter().map(constant).collect::<Option<_>>()?),
        _ => return None,
    })
}
