//! Atomic operations on elements of arrays.

use crate::calls::Arguments;
use crate::codes;
use crate::translate::Translator;
use crate::value::{Scalar, Value};
use colocate_ir::AtomicOp;
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// `colocate.atomic.<operation>(array, index, ...)`.
    pub fn atomic(
        &mut self,
        operation: &str,
        arguments: &Arguments,
        range: TextRange,
    ) -> Option<Value> {
        let op = match operation {
            "add" => AtomicOp::Add,
            "sub" => AtomicOp::Subtract,
            "min" => AtomicOp::Minimum,
            "max" => AtomicOp::Maximum,
            "and_" => AtomicOp::BitAnd,
            "or_" => AtomicOp::BitOr,
            "xor" => AtomicOp::BitXor,
            "exchange" => AtomicOp::Exchange,
            _ => AtomicOp::CompareExchange,
        };
        let full = format!("atomic.{operation}");
        let count = if op == AtomicOp::CompareExchange {
            4
        } else {
            3
        };
        let names: &[&str] = if op == AtomicOp::CompareExchange {
            &["array", "index", "expected", "value"]
        } else {
            &["array", "index", "value"]
        };
        let arguments = &arguments.by_position(names);
        // An element instead of its array and its index is the usual mistake.
        if let Some((array, place)) = arguments.positional.first()
            && !matches!(array, Value::View(_))
        {
            let what = array.describe();
            let values = if count == 4 {
                "expected, value"
            } else {
                "value"
            };
            let diagnostic = self
                .wrong(
                    codes::ATOMIC,
                    format!("`{full}` takes an array and an index, not {what}"),
                    *place,
                    format!("this is {what}"),
                )
                .help(format!("write `{full}(array, index, {values})`"));
            return Some(self.report(diagnostic));
        }
        let given = self.exactly(&full, arguments, count..=count, range)?;
        let (array, array_place) = &given[0];
        let Value::View(view) = array else {
            return None;
        };
        if !self.check_writable(view, *array_place) {
            return None;
        }
        let (index, index_place) = &given[1];
        let items = match index {
            Value::Tuple(items) => items.clone(),
            other => vec![other.clone()],
        };
        let ranges = vec![*index_place; items.len()];
        let element = self.index_with(view, &items, &ranges, *index_place)?;
        if element.rank() > 0 {
            let diagnostic = self
                .wrong(
                    codes::RANK,
                    format!("`{full}` needs an index for every axis"),
                    *index_place,
                    format!("this leaves {}", element.describe()),
                )
                .help("give a tuple with one index for every axis");
            return Some(self.report(diagnostic));
        }
        if !op.takes(view.dtype) {
            let bitwise = matches!(op, AtomicOp::BitAnd | AtomicOp::BitOr | AtomicOp::BitXor);
            let kinds = if bitwise {
                "integers"
            } else {
                "integers or floats"
            };
            let diagnostic = self
                .wrong(
                    codes::ATOMIC,
                    format!("`{full}` does not work on {}", view.dtype),
                    *array_place,
                    format!("this is {}", view.describe()),
                )
                .help(format!("use an array of {kinds} of 32 or 64 bits"));
            return Some(self.report(diagnostic));
        }
        let mut operands = Vec::new();
        for (value, place) in &given[2..] {
            let scalar = self.scalar(value, *place)?;
            operands.push(self.element(&scalar, view.dtype, *place)?);
        }
        let (operand, expected) = match operands.as_slice() {
            [operand] => (*operand, None),
            [expected, operand] => (*operand, Some(*expected)),
            _ => return None,
        };
        let place = self.element_place(&element);
        let old = self.b.atomic(op, place, operand, expected);
        Some(Scalar::new(view.dtype, false, old).into())
    }
}
