//! `of_elements`: a function of numbers, called for every element of arrays that are broadcast together.
//!
//! What `numba.vectorize` and `numpy.vectorize` make of functions is this.

use crate::arrays::lazy::{Element, is_array};
use crate::calls::Arguments;
use crate::codes;
use crate::translate::Translator;
use crate::value::{Know, Scalar, Value};
use ruff_text_size::TextRange;
use std::rc::Rc;

/// The method that stands for the call of a function for every element.
pub(crate) const VECTORIZED: &str = "of elements";

/// Whether a value can be called for every element.
pub(crate) fn is_function(value: &Value) -> bool {
    matches!(
        value,
        Value::Function(_) | Value::Closure(_) | Value::Builtin(_)
    )
}

impl Translator<'_> {
    /// The call of what `numpy.vectorize` made of a function.
    pub fn call_vectorized(
        &mut self,
        function: Value,
        arguments: &Arguments,
        range: TextRange,
        callee: TextRange,
    ) -> Value {
        let given = self.plain_arguments(arguments, true);
        let mut positional = vec![(function, callee)];
        for (value, place) in given.positional {
            let value = match self.items_as_array(&value, place) {
                items @ Value::Tuple(_) => self.as_array(&items, None, place),
                other => other,
            };
            positional.push((value, place));
        }
        let arguments = Arguments {
            positional,
            keywords: given.keywords,
        };
        match self.of_elements(&arguments, range) {
            // Even of numbers it makes arrays.
            Some(number @ Value::Scalar(_)) => {
                let given = [(number, range)];
                self.library("numpy.asarray", &given, &[], &[], range)
            }
            Some(other) => other,
            None => Value::Poison,
        }
    }

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
