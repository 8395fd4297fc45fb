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

impl Translator<'_> {
    /// The call of the first argument for the elements of the others; nothing if that is no function.
    pub fn of_elements(&mut self, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let [(Value::Function(function), _), rest @ ..] = &arguments.positional[..] else {
            return None;
        };
        let function = *function;
        if !rest.iter().any(|(value, _)| is_array(value)) {
            let arguments = Arguments {
                positional: rest.to_vec(),
                keywords: arguments.keywords.clone(),
            };
            return Some(self.inline(function, &arguments, range));
        }
        let called = move |t: &mut Translator<'_>, scalars: &[Scalar]| {
            let numbers = scalars.iter().map(|one| (Value::Scalar(*one), range));
            let arguments = Arguments {
                positional: numbers.collect(),
                keywords: Vec::new(),
            };
            match t.inline(function, &arguments, range) {
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
        };
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
        let order = self.order_of_result(&operands, shape.len());
        let made = self.lazy(dtype, shape, true, &refs, range, element);
        Some(Self::with_order(made, order))
    }
}
