//! `numpy.where` of numbers gives an array without axes. Whatever is done with it gives numbers, so it is a number
//! here, and becomes such an array only where the caller gets it.

use crate::arrays::lazy::resolved;
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use colocate_ir::Op;
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// Notes what `numpy.where` of numbers gave.
    pub fn note_choice(&mut self, chosen: Option<&Value>) {
        if let Some(Value::Scalar(Scalar { ir: Some(ir), .. })) = chosen
            && self.level() == 0
        {
            self.choices.insert(*ir);
        }
    }

    /// A value that is returned, with arrays where `numpy.where` gave some of its numbers.
    pub fn chosen_as_arrays(&mut self, value: Value, range: TextRange) -> Value {
        match value {
            Value::Scalar(scalar) if self.is_choice(&scalar) && self.function_base == 0 => {
                let array = self.allocate(scalar.dtype, &[], false, "chosen");
                self.assign_into(&array, &scalar.into(), range);
                Value::View(array)
            }
            Value::Tuple(items) => {
                let items = items.into_iter();
                Value::Tuple(
                    items
                        .map(|item| self.chosen_as_arrays(item, range))
                        .collect(),
                )
            }
            other => other,
        }
    }

    fn is_choice(&self, scalar: &Scalar) -> bool {
        scalar.ir.is_some_and(|ir| {
            let value = resolved(&self.b, &self.constant_variables, ir);
            // What was only tried has left its number to something else.
            self.choices.contains(&value)
                && matches!(self.b.definition(value), Some(Op::Select(..)))
        })
    }
}
