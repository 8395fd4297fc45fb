//! `dtype_of`: what a function would give, without calling it.
//!
//! Stencils make their results with it: the dtype is what the kernel returns, and whether there is a
//! single place at which it could be asked depends on the array.

use crate::calls::Arguments;
use crate::translate::Translator;
use crate::value::Value;
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// The dtype of what a function gives for these arguments; nothing if it is called in another way.
    /// What the function does is translated and then dropped.
    pub fn result_dtype(&mut self, arguments: &Arguments, range: TextRange) -> Option<Value> {
        let (Value::Function(function), _) = arguments.positional.first()? else {
            return None;
        };
        let rest = Arguments {
            positional: arguments.positional[1..].to_vec(),
            keywords: arguments.keywords.clone(),
        };
        let before = self.checkpoint();
        let value = self.inline(*function, &rest, range);
        let dtype = Self::dtype_of(&value);
        // Mistakes are reported where the function is called in earnest.
        self.rewind(&before);
        Some(dtype.map_or(Value::Poison, Value::Dtype))
    }
}
