//! What is done to lists of numbers as a whole: putting one behind another or in the place of a part of it, turning
//! them around, sorting them.

use crate::objects::items::Item;
use crate::objects::list_items::other_size;
use crate::objects::lists::List;
use crate::program::{Call, ListCall};
use crate::translate::Translator;
use crate::value::{Know, Scalar, Value};
use colocate_ir::{ArrayRef, BinaryOp, CallResult, CompareOp, DType, Kind};
use ruff_text_size::TextRange;

/// A list of more numbers is sorted by the array library, which is faster then.
const FEW: i64 = 4096;

impl Translator<'_> {
    /// Numbers that are there, or are counted: what gives them raises nothing.
    pub fn as_numbers(&mut self, value: &Value) -> Option<Value> {
        match value {
            Value::List(list) if !self.is_unknown(list.key) => Some(value.clone()),
            Value::Held(held) if held.item.is_number() => Some(Value::List(self.opened(held))),
            Value::View(view) if view.rank() == 1 => Some(value.clone()),
            Value::Range(_) => Some(value.clone()),
            _ => None,
        }
    }

    /// Puts numbers at the end of a list of numbers, after there is room for all of them.
    pub fn extend_numbers(
        &mut self,
        list: &List,
        numbers: &Value,
        weak: Option<bool>,
        range: TextRange,
    ) {
        let Some(turns) = self.length_of(numbers, range) else {
            return;
        };
        let turns = self.ir(&turns);
        let before = self.b.get(list.length);
        let after = self.b.binary(BinaryOp::Add, before, turns);
        let room = self.b.extent(ArrayRef::Local(list.local), 0);
        let full = self.b.compare(CompareOp::Greater, after, room);
        self.b.begin_if(full);
        // As much again as there is, so that many small steps do not copy it as often.
        let room = self.b.binary(BinaryOp::Add, after, before);
        let call = Call::Grow { local: list.local };
        self.call(call, &[room], vec![CallResult::Local(list.local)]);
        self.b.end();
        let (zero, one) = (self.b.int64(0), self.b.int64(1));
        let name = self.temporary();
        let counter = self.variable(&name, 0, DType::Int64);
        self.b.begin_for(counter, zero, turns, one);
        let turn = self.b.get(counter);
        let item = self.item_at(numbers, &Scalar::int(turn, Know::NonNegative), range);
        if let Some(mut scalar) = self.scalar(&item, range) {
            scalar.weak = weak.unwrap_or(scalar.weak);
            if !self.repeating {
                self.note_added(list.key, &scalar);
            }
            if self.admit(list, &scalar, range) {
                let at = self.b.binary(BinaryOp::Add, before, turn);
                self.list_put(list, &Scalar::int(at, Know::NonNegative), &scalar);
            }
        }
        self.b.end();
        self.b.set(list.length, after);
    }

    /// How many items something has, if that is said without further ado.
    pub fn known_length(&mut self, value: &Value, range: TextRange) -> Option<Scalar> {
        match value {
            Value::Tuple(items) => Some(Scalar::const_int(items.len() as i128)),
            Value::List(_) | Value::Held(_) | Value::Range(_) => self.length_of(value, range),
            Value::View(view) if view.rank() > 0 => self.length_of(value, range),
            _ => None,
        }
    }

    /// `list.reverse()`.
    pub fn reverse_list(&mut self, list: &Value) {
        if let Value::Held(held) = list {
            let number = self.ir(&held.number);
            self.list_call(ListCall::Reverse, &[number], Vec::new());
            return;
        }
        let Value::List(list) = list else {
            return;
        };
        let length = self.b.get(list.length);
        let (zero, one, two) = (self.b.int64(0), self.b.int64(1), self.b.int64(2));
        let half = self.b.binary(BinaryOp::FloorDivide, length, two);
        let last = self.b.binary(BinaryOp::Subtract, length, one);
        let name = self.temporary();
        let counter = self.variable(&name, 0, DType::Int64);
        self.b.begin_for(counter, zero, half, one);
        let here = self.b.get(counter);
        let there = self.b.binary(BinaryOp::Subtract, last, here);
        let (first, second) = (self.list_take(list, here), self.list_take(list, there));
        self.list_put(list, &Scalar::int(here, Know::NonNegative), &second);
        self.list_put(list, &Scalar::int(there, Know::NonNegative), &first);
        self.b.end();
    }

    /// Sorts a list of numbers in place; false if it is another, or its numbers have no order.
    pub fn sort_numbers(&mut self, list: &Value, descending: &Scalar, range: TextRange) -> bool {
        let own = match list {
            Value::List(own) => *own,
            Value::Held(held) => match held.item {
                Item::Scalar(dtype, _) if is_sorted(dtype) => self.opened(held),
                _ => return false,
            },
            _ => return false,
        };
        if !is_sorted(own.dtype) {
            if descending.as_int() != Some(0) {
                return false;
            }
            let view = Value::View(self.list_view(&own));
            self.library("method.sort", &[(view.clone(), range)], &[], &[view], range);
            return true;
        }
        let length = self.b.get(own.length);
        let falling = self.as_dtype(descending, DType::Bool);
        let falling = self.b.convert(falling, DType::Int64);
        let many = (descending.as_int() == Some(0)).then(|| {
            let few = self.b.int64(FEW);
            self.b.compare(CompareOp::Greater, length, few)
        });
        if let Some(many) = many {
            // What is computed must not depend on the branch.
            self.flush();
            self.b.begin_if(many);
            let view = Value::View(self.list_view(&own));
            self.library("method.sort", &[(view.clone(), range)], &[], &[view], range);
            self.b.begin_else();
        }
        let call = Call::Sort { local: own.local };
        self.call(call, &[length, falling], Vec::new());
        if many.is_some() {
            self.b.end();
        }
        if let Value::Held(held) = list {
            self.closed(held, &own);
        }
        true
    }

    /// Puts the first numbers of a list, so many, in the place of some of another: from a start on, so many.
    pub fn splice_numbers(
        &mut self,
        list: &List,
        (start, count): (&Scalar, &Scalar),
        (from, more): (&List, &Scalar),
    ) {
        let stop = self.index_op(BinaryOp::Add, start, count);
        let length = self.b.get(list.length);
        let words = [*start, stop, *more].map(|one| self.ir(&one));
        let call = Call::Splice {
            local: list.local,
            from: from.local,
        };
        let [start, stop, more] = words;
        let given = [length, start, stop, more];
        self.call(call, &given, vec![CallResult::Local(list.local)]);
        let gone = self.b.binary(BinaryOp::Subtract, stop, start);
        let left = self.b.binary(BinaryOp::Subtract, length, gone);
        let after = self.b.binary(BinaryOp::Add, left, more);
        self.b.set(list.length, after);
    }

    /// `list[a:b:c] = new`, both of numbers of one type.
    pub fn assign_numbers(
        &mut self,
        list: &List,
        parts: &[Option<Scalar>; 3],
        length: &Scalar,
        new: &List,
        range: TextRange,
    ) {
        let simple = match parts[2] {
            None => Some(true),
            Some(step) => step.as_int().map(|step| step == 1),
        };
        let Some((start, step, count)) = self.slice_of(length, parts, range) else {
            return;
        };
        let given = self.list_length(new);
        if simple.is_none() {
            let (step, one) = (self.ir(&step), self.b.int64(1));
            let plain = self.b.compare(CompareOp::Equal, step, one);
            self.b.begin_if(plain);
        }
        if simple != Some(false) {
            self.splice_numbers(list, (&start, &count), (new, &given));
        }
        if simple.is_none() {
            self.b.begin_else();
        }
        if simple != Some(true) {
            let (a, b) = (self.ir(&given), self.ir(&count));
            let differ = self.b.compare(CompareOp::NotEqual, a, b);
            self.raise_if(differ, &other_size(given, count), range);
            let (zero, one) = (self.b.int64(0), self.b.int64(1));
            let (first, step) = (self.ir(&start), self.ir(&step));
            let name = self.temporary();
            let counter = self.variable(&name, 0, DType::Int64);
            self.b.begin_for(counter, zero, b, one);
            let turn = self.b.get(counter);
            let item = self.list_take(new, turn);
            let far = self.b.binary(BinaryOp::Multiply, turn, step);
            let at = self.b.binary(BinaryOp::Add, first, far);
            self.list_put(list, &Scalar::int(at, Know::NonNegative), &item);
            self.b.end();
        }
        if simple.is_none() {
            self.b.end();
        }
    }
}

/// Whether the executor sorts numbers of a dtype.
fn is_sorted(dtype: DType) -> bool {
    dtype.kind() != Kind::Complex && dtype != DType::Float16
}
