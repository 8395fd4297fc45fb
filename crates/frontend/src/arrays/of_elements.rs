//! `of_elements`: a function of numbers, called for every element of arrays that are broadcast together.
//!
//! What `numba.vectorize` makes of functions is this.

use crate::arrays::lazy::{Element, is_array};
use crate::calls::Arguments;
use crate::codes;
use crate::translate::Translator;
use crate::value::{Know, Scalar, Value};
use ruff_text_size::TextRange;
use std::rc::Rc;

/// Whether a value can be called for every element.
fn is_function(value: &Value) -> bool {
    matches!(
        value,
        Value::Function(_) | Value::Closure(_) | Value::Builtin(_)
    )
}

impl Translator<'_> {
    /// The call of the first argument for the elements of the others; nothing if that is no function.
    pub fn of_elements(&mut self, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let [(function, place), rest @ ..] = &arguments.positional[..] else {
            return None;
        };
        if !is_function(function) {
            return None;
        }
        let (function, place) = (function.clone(), *place);
        if !rest.iter().any(|(value, _)| is_array(value)) {
            let arguments = Arguments {
                positional: rest.to_vec(),
                keywords: arguments.keywords.clone(),
            };
            return Some(self.call_value(&function, &arguments, range, place, None));
        }
        let called = Rc::new(move |t: &mut Translator<'_>, scalars: &[Scalar]| {
            let numbers = scalars.iter().map(|one| (Value::Scalar(*one), range));
            let arguments = Arguments {
                positional: numbers.collect(),
                keywords: Vec::new(),
            };
            match t.call_value(&function, &arguments, range, place, None) {
                Value::Scalar(scalar) => Some(scalar),
                Value::Poison => None,
                other => {
                    let what = other.describe();
                    let diagnostic = t.wrong(
                        codes::VALUE,
                        format!("a number is needed here, not {what}"),
                        range,
                        format!("for each element this is {what}"),
                    );
                    t.report(diagnostic);
                    None
                }
            }
        });
        let given: Vec<Value> = rest.iter().map(|(value, _)| value.clone()).collect();
        let operands: Vec<Value> = given.iter().map(|one| self.light(one, &given)).collect();
        let before = self.checkpoint();
        let mut numbers = Vec::new();
        for operand in &operands {
            let dtype = Self::dtype_of(operand)?;
            numbers.push(match operand {
                Value::Scalar(scalar) => *scalar,
                _ => self.stand_in(dtype, false, Know::Any),
            });
        }
        let result = called(self, &numbers);
        let Some(dtype) = result.map(|scalar| scalar.dtype) else {
            // What is wrong stays reported.
            return Some(Value::Poison);
        };
        self.rewind(&before);
        let shape = self.broadcast(&operands, range)?;
        let mut stretched = Vec::new();
        for operand in &operands {
            stretched.push(self.stretched(operand, &shape)?);
        }
        let element: Element = Rc::new(move |t, indices| {
            let mut scalars = Vec::with_capacity(stretched.len());
            for one in &stretched {
                scalars.push(t.pull_stretched(one, indices)?);
            }
            let result = called(t, &scalars)?;
            Some(t.cast(&result, dtype, false))
        });
        let refs: Vec<&Value> = operands.iter().collect();
        Some(self.lazy(dtype, shape, true, &refs, range, element))
    }
}
