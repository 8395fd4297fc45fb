//! `slice.indices`.

use crate::calls::Arguments;
use crate::codes;
use crate::host::failures::{Part, Raised};
use crate::translate::Translator;
use crate::value::{Know, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType, ValueId};
use ruff_text_size::TextRange;

fn value_error(text: &str) -> Raised {
    Raised {
        class: "ValueError",
        parts: vec![Part::Text(text.into())],
    }
}

impl Translator<'_> {
    /// Start, stop and step that a slice means of a sequence of a length.
    pub fn slice_indices(
        &mut self,
        parts: &[Option<Scalar>; 3],
        arguments: &Arguments,
        range: TextRange,
    ) -> Value {
        let Some(given) = self.exactly("indices", arguments, 1..=1, range) else {
            return Value::Poison;
        };
        let extent = match &given[0].0 {
            Value::Scalar(length) if crate::types::is_integer(length.dtype) => *length,
            Value::Poison => return Value::Poison,
            other => {
                let what = other.describe();
                let text = format!("`slice.indices` takes a length, not {what}");
                let diagnostic = self.wrong(codes::INDEX_TYPE, text, given[0].1, "");
                return self.report(diagnostic);
            }
        };
        let length = self.as_dtype(&extent, DType::Int64);
        let (zero, one, minus) = (self.b.int64(0), self.b.int64(1), self.b.int64(-1));
        let negative = self.b.compare(CompareOp::Less, length, zero);
        self.raise_if(
            negative,
            &value_error("length should not be negative"),
            range,
        );
        let step = match &parts[2] {
            Some(step) => self.as_dtype(step, DType::Int64),
            None => one,
        };
        let none = self.b.compare(CompareOp::Equal, step, zero);
        self.raise_if(none, &value_error("slice step cannot be zero"), range);
        let up = self.b.compare(CompareOp::Greater, step, zero);
        let last = self.b.binary(BinaryOp::Subtract, length, one);
        let low = self.b.select(up, zero, minus);
        let high = self.b.select(up, length, last);
        let first = self.b.select(up, low, high);
        let beyond = self.b.select(up, high, low);
        let bound = |t: &mut Self, bound: &Option<Scalar>, otherwise: ValueId| match bound {
            Some(bound) => {
                let at = t.wrapped_index(bound, &extent);
                let at = t.as_dtype(&at, DType::Int64);
                let at = t.b.binary(BinaryOp::Maximum, at, low);
                t.b.binary(BinaryOp::Minimum, at, high)
            }
            None => otherwise,
        };
        let begin = bound(self, &parts[0], first);
        let end = bound(self, &parts[1], beyond);
        let number = |value| Value::Scalar(Scalar::int(value, Know::Any));
        Value::Tuple(vec![number(begin), number(end), number(step)])
    }
}
