//! Ranges and constant strings as values of jit functions: their items, lengths and attributes.

use crate::codes;
use crate::host::failures::{Part, Raised};
use crate::program::ObjectType;
use crate::translate::Translator;
use crate::value::{Know, Scalar, Value};
use colocate_ir::{BinaryOp, CompareOp, DType, ValueId};
use ruff_python_ast::{CmpOp, Operator};
use ruff_text_size::TextRange;

impl Translator<'_> {
    /// How many numbers a range has, whatever its step.
    pub fn range_length(&mut self, parts: &[Scalar; 3], range: TextRange) -> Option<Scalar> {
        let [start, stop, step] = *parts;
        if step.as_int().is_some_and(|step| step != 0) {
            return self.length_of(&Value::Range(Box::new(*parts)), range);
        }
        let (zero, one) = (Scalar::const_int(0), Scalar::const_int(1));
        let up = self.compare_scalars(CompareOp::Greater, &step, &zero);
        let near = self.chosen(&up, &start, &stop);
        let far = self.chosen(&up, &stop, &start);
        let size = self.absolute(&step);
        let size = self.index_op(BinaryOp::Maximum, &size, &one);
        let distance = self.index_op(BinaryOp::Subtract, &far, &near);
        let rounded = self.index_op(BinaryOp::Add, &distance, &size);
        let rounded = self.index_op(BinaryOp::Subtract, &rounded, &one);
        let count = self.index_op(BinaryOp::FloorDivide, &rounded, &size);
        let mut count = self.index_op(BinaryOp::Maximum, &count, &zero);
        count.know = Know::NonNegative;
        Some(count)
    }

    fn chosen(&mut self, condition: &Scalar, a: &Scalar, b: &Scalar) -> Scalar {
        let (condition, a, b) = (self.ir(condition), self.ir(a), self.ir(b));
        Scalar::int(self.b.select(condition, a, b), Know::Any)
    }

    /// `range(...)[index]`.
    pub fn range_item(&mut self, parts: &[Scalar; 3], index: &Value, range: TextRange) -> Value {
        let Some(length) = self.range_length(parts, range) else {
            return Value::Poison;
        };
        let [start, _, step] = *parts;
        if let Value::Slice(slice) = index {
            let Some((first, by, count)) = self.slice_of(&length, slice, range) else {
                return Value::Poison;
            };
            let offset = self.index_op(BinaryOp::Multiply, &first, &step);
            let start = self.index_op(BinaryOp::Add, &start, &offset);
            let step = self.index_op(BinaryOp::Multiply, &by, &step);
            let width = self.index_op(BinaryOp::Multiply, &count, &step);
            let stop = self.index_op(BinaryOp::Add, &start, &width);
            return Value::Range(Box::new([start, stop, step]));
        }
        let Some(index) = self.integer(index, range, "an index") else {
            return Value::Poison;
        };
        let at = self.wrapped_index(&index, &length);
        let (low, high) = (
            self.as_dtype(&at, DType::UInt64),
            self.as_dtype(&length, DType::UInt64),
        );
        let outside = self.b.compare(CompareOp::GreaterEqual, low, high);
        self.raise_if(
            outside,
            &raised("IndexError", "range object index out of range"),
            range,
        );
        let offset = self.index_op(BinaryOp::Multiply, &at, &step);
        self.index_op(BinaryOp::Add, &start, &offset).into()
    }

    /// The same numbers from the last to the first.
    pub fn reversed_range(&mut self, parts: &[Scalar; 3], range: TextRange) -> Value {
        let Some(length) = self.range_length(parts, range) else {
            return Value::Poison;
        };
        let [start, _, step] = *parts;
        let one = Scalar::const_int(1);
        let last = self.index_op(BinaryOp::Subtract, &length, &one);
        let offset = self.index_op(BinaryOp::Multiply, &last, &step);
        let first = self.index_op(BinaryOp::Add, &start, &offset);
        let stop = self.index_op(BinaryOp::Subtract, &start, &step);
        let back = self.index_op(BinaryOp::Subtract, &Scalar::const_int(0), &step);
        Value::Range(Box::new([first, stop, back]))
    }

    /// Whether a number is one of a range.
    pub fn in_range(&mut self, x: &Value, parts: &[Scalar; 3], range: TextRange) -> Value {
        if is_no_number(x) {
            return Scalar::const_bool(false).into();
        }
        let Some(x) = self.scalar(x, range) else {
            return Value::Poison;
        };
        let Some(length) = self.range_length(parts, range) else {
            return Value::Poison;
        };
        let [start, _, step] = *parts;
        let whole = self.cast(&x, DType::Int64, true);
        let same = self.compare_scalars(CompareOp::Equal, &whole, &x);
        let distance = self.index_op(BinaryOp::Subtract, &whole, &start);
        let turns = self.index_op(BinaryOp::FloorDivide, &distance, &step);
        let back = self.index_op(BinaryOp::Multiply, &turns, &step);
        let hit = self.compare_scalars(CompareOp::Equal, &back, &distance);
        let not_before =
            self.compare_scalars(CompareOp::GreaterEqual, &turns, &Scalar::const_int(0));
        let not_after = self.compare_scalars(CompareOp::Less, &turns, &length);
        let mut all = same;
        for part in [hit, not_before, not_after] {
            let both = self.apply(BinaryOp::BitAnd, &all, &part, (DType::Bool, true), range);
            all = both.unwrap_or(all);
        }
        Scalar { weak: true, ..all }.into()
    }

    /// Whether two ranges have the same numbers.
    pub fn same_ranges(&mut self, a: &[Scalar; 3], b: &[Scalar; 3], range: TextRange) -> Value {
        let (Some(n), Some(m)) = (self.range_length(a, range), self.range_length(b, range)) else {
            return Value::Poison;
        };
        let zero = Scalar::const_int(0);
        let one = Scalar::const_int(1);
        let lengths = self.compare_scalars(CompareOp::Equal, &n, &m);
        let empty = self.compare_scalars(CompareOp::Equal, &n, &zero);
        let starts = self.compare_scalars(CompareOp::Equal, &a[0], &b[0]);
        let single = self.compare_scalars(CompareOp::Equal, &n, &one);
        let steps = self.compare_scalars(CompareOp::Equal, &a[2], &b[2]);
        let bools = (DType::Bool, true);
        let fine = |t: &mut Self, op, x: &Scalar, y: &Scalar| {
            t.apply(op, x, y, bools, range)
                .unwrap_or(Scalar::const_bool(false))
        };
        let steps = fine(self, BinaryOp::BitOr, &single, &steps);
        let items = fine(self, BinaryOp::BitAnd, &starts, &steps);
        let items = fine(self, BinaryOp::BitOr, &empty, &items);
        fine(self, BinaryOp::BitAnd, &lengths, &items).into()
    }

    /// An attribute of a range.
    pub fn range_attribute(&mut self, parts: &[Scalar; 3], name: &str) -> Option<Value> {
        let at = match name {
            "start" => 0,
            "stop" => 1,
            "step" => 2,
            _ => return None,
        };
        Some(parts[at].into())
    }

    /// `"text"[index]`.
    pub fn text_item(&mut self, text: &str, index: &Value, range: TextRange) -> Value {
        let characters: Vec<Value> = text
            .chars()
            .map(|one| Value::Str(one.to_string()))
            .collect();
        let known = match index {
            Value::Slice(parts) => parts.iter().flatten().all(|part| part.as_int().is_some()),
            index => is_constant(index),
        };
        if !known {
            if self.is_program() && self.level() == 0 {
                self.note_index(index);
                let given = [(Value::Str(text.into()), range), (index.clone(), range)];
                let result = Some(ObjectType::Text);
                return self.python_call("operator.getitem", &given, &[], result, range);
            }
            let diagnostic = self
                .wrong(
                    codes::STRING,
                    "the index of a string must be constant",
                    range,
                    "this is known only when the function runs",
                )
                .help("strings of jit functions are known while compiling");
            return self.report(diagnostic);
        }
        match self.item_of_known(&characters, "string", index, range) {
            Value::Tuple(items) => Value::Str(joined(&items)),
            other => other,
        }
    }

    /// An operator of strings; nothing if it has none.
    pub fn text_binary(&mut self, op: Operator, a: &Value, b: &Value) -> Option<Value> {
        match (op, a, b) {
            (Operator::Add, Value::Str(a), Value::Str(b)) => Some(Value::Str(format!("{a}{b}"))),
            (Operator::Mult, Value::Str(text), Value::Scalar(n))
            | (Operator::Mult, Value::Scalar(n), Value::Str(text)) => {
                let times = n.as_int()?;
                let times = usize::try_from(times.max(0)).ok()?;
                (text.len().checked_mul(times)? <= 1 << 16).then(|| Value::Str(text.repeat(times)))
            }
            _ => None,
        }
    }
}

/// Whether a comparison of two strings holds; nothing if it is none of strings.
pub(crate) fn compare_texts(op: CmpOp, a: &Value, b: &Value) -> Option<bool> {
    let (Value::Str(a), Value::Str(b)) = (a, b) else {
        return None;
    };
    Some(match op {
        CmpOp::Eq | CmpOp::Is => a == b,
        CmpOp::NotEq | CmpOp::IsNot => a != b,
        CmpOp::Lt => a < b,
        CmpOp::LtE => a <= b,
        CmpOp::Gt => a > b,
        CmpOp::GtE => a >= b,
        CmpOp::In => b.contains(a.as_str()),
        CmpOp::NotIn => !b.contains(a.as_str()),
    })
}

fn is_constant(index: &Value) -> bool {
    matches!(index, Value::Scalar(scalar) if scalar.as_int().is_some())
}

fn joined(items: &[Value]) -> String {
    items
        .iter()
        .filter_map(|item| match item {
            Value::Str(text) => Some(text.as_str()),
            _ => None,
        })
        .collect()
}

/// An exception with a message that is known while compiling.
pub(crate) fn raised(class: &'static str, text: &str) -> Raised {
    Raised {
        class,
        parts: vec![Part::Text(text.into())],
    }
}

impl Translator<'_> {
    /// Raises wherever the program comes here. What follows is translated all the same.
    pub fn always_raise(&mut self, class: &'static str, text: &str, range: TextRange) {
        let yes = self.b.literal(colocate_ir::Literal::Bool(true));
        self.raise_if(yes, &raised(class, text), range);
    }

    /// Raises if a number is zero, as Python's own numbers do.
    pub fn raise_if_zero(&mut self, x: &Scalar, text: &str, range: TextRange) {
        let zero: ValueId = {
            let ir = self.ir(x);
            let none = self.b.literal(colocate_ir::Literal::zero(x.dtype));
            self.b.compare(CompareOp::Equal, ir, none)
        };
        self.raise_if(zero, &raised("ZeroDivisionError", text), range);
    }
}

/// Whether a value is of a kind that equals no number.
fn is_no_number(value: &Value) -> bool {
    match value {
        Value::None | Value::Str(_) | Value::Tuple(_) => true,
        Value::Object(object) => matches!(
            *object.kind,
            ObjectType::None | ObjectType::Text | ObjectType::Tuple(_) | ObjectType::Sequence(_)
        ),
        _ => false,
    }
}
