//! Lists in jit functions.
//!
//! A list that is written down and never changed is a tuple to the compiler. One of numbers that changes
//! is a growing array: a local with room, and a variable that says how many items it has. Others are
//! held by the runtime (`held_lists`). Which of them it is, and what its items are, is found out by
//! translating (`items`): if something does not fit what was assumed, the function is translated again.

use crate::calls::Arguments;
use crate::objects::items::{Item, ListKey};
use crate::program::{Call, ObjectType};
use crate::translate::Translator;
use crate::types;
use crate::value::{Axis, Know, Scalar, Value, View};
use colocate_ir::{
    ArrayRef, BinaryOp, CallResult, CompareOp, DType, Layout, LocalId, ValueId, VariableId,
};
use ruff_python_ast::Expr;
use ruff_text_size::{Ranged, TextRange};

/// A list of numbers that changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct List {
    pub local: LocalId,
    pub length: VariableId,
    pub dtype: DType,
    pub weak: bool,
    /// Where it is made, which its dtype is remembered by.
    pub key: ListKey,
}

/// Room that a new list has at least.
const LEAST_ROOM: i64 = 8;

impl Translator<'_> {
    /// `[a, b, c]`.
    pub fn list_display(&mut self, items: &[Expr], range: TextRange) -> Value {
        let mut all: Vec<Value> = Vec::new();
        for item in items {
            let (item, starred) = match item {
                Expr::Starred(star) => (&*star.value, true),
                other => (other, false),
            };
            let kept = self.keep_values(all.iter(), item);
            let value = self.expr(item);
            let value = match starred {
                true => self.spread_instance(value, item.range()),
                false => value,
            };
            self.take_back(kept, all.iter_mut());
            if value.is_poison() {
                return Value::Poison;
            }
            all.push(value);
        }
        let mut values = Vec::new();
        let mut open = false;
        for (item, value) in items.iter().zip(all) {
            let starred = matches!(item, Expr::Starred(_));
            let value = match starred {
                true => self.indexed_items(&value, range),
                false => value,
            };
            let known = match starred {
                true => {
                    let plain = self.plain(&value, range).into_owned();
                    self.known_items(&plain)
                }
                false => Some(vec![value.clone()]),
            };
            open |= known.is_none();
            values.push((value, known));
        }
        if !open {
            let values = values.into_iter().filter_map(|(_, known)| known);
            return self.listed(values.flatten().collect(), range);
        }
        self.built_list(range, |t, list| {
            for (value, known) in values {
                match known {
                    Some(values) => {
                        for value in &values {
                            t.append_to(list, value, range);
                        }
                    }
                    None => t.extend_with(list, &value, range),
                }
            }
        })
    }

    /// A list of known items: one that changes if the program changes it.
    pub fn listed(&mut self, items: Vec<Value>, range: TextRange) -> Value {
        let key = self.list_key(range);
        let changes = self.changing_lists.contains(&key) || self.is_python_list(key);
        if self.level() == 0 && changes {
            return self.growing_list(&items, range);
        }
        Value::Named(crate::host::part::list_class(Some(key)), items)
    }

    /// A list that is changed later.
    pub fn growing_list(&mut self, items: &[Value], range: TextRange) -> Value {
        self.built_list(range, |t, list| {
            if let Value::List(list) = list
                && t.fill_list(list, items, range)
            {
                return;
            }
            for item in items {
                t.append_to(list, item, range);
            }
        })
    }

    /// Puts numbers into a new list; false if they are none, or it is translated again.
    pub fn fill_list(&mut self, list: &List, items: &[Value], range: TextRange) -> bool {
        let mut scalars = Vec::new();
        for item in items {
            match item {
                Value::Scalar(scalar) if self.admit(list, scalar, range) => {
                    self.note_added(list.key, scalar);
                    scalars.push(*scalar);
                }
                _ => return false,
            }
        }
        let count = scalars.len() as i64;
        if count > LEAST_ROOM {
            let room = self.b.int64(count);
            let call = Call::Room { local: list.local };
            self.call(call, &[room], vec![CallResult::Local(list.local)]);
        }
        for (position, scalar) in scalars.iter().enumerate() {
            self.list_put(list, &Scalar::const_int(position as i128), scalar);
        }
        let count = self.b.int64(count);
        self.b.set(list.length, count);
        true
    }

    /// A new list, after it was filled.
    pub fn built_list(&mut self, range: TextRange, fill: impl FnOnce(&mut Self, &Value)) -> Value {
        self.built_list_of(None, range, fill)
    }

    /// The same, of so many items, if that is known.
    fn built_list_of(
        &mut self,
        count: Option<Scalar>,
        range: TextRange,
        fill: impl FnOnce(&mut Self, &Value),
    ) -> Value {
        let Some(list) = self.begun_list_of(count, range) else {
            return Value::Poison;
        };
        fill(self, &list);
        self.finished_list(list)
    }

    /// A new list that is going to be filled, and is nobody else's until then.
    pub fn begun_list(&mut self, range: TextRange) -> Option<Value> {
        self.begun_list_of(None, range)
    }

    fn begun_list_of(&mut self, count: Option<Scalar>, range: TextRange) -> Option<Value> {
        if self.level() > 0 {
            self.hinder("it makes a list that grows");
            return None;
        }
        if self.function_base > 0 && self.frames[self.function_base].closure.is_some() {
            // Our own lists are arrays, of which there is one for each place of the program.
            return Some(self.new_python_list(range));
        }
        if self.function_base > 0 {
            let diagnostic = self
                .wrong(
                    crate::codes::RECURSION,
                    "functions that call themselves make no lists",
                    range,
                    "",
                )
                .help("write it as a loop");
            self.report(diagnostic);
            return None;
        }
        let key = self.list_key(range);
        if self.is_python_list(key) {
            return Some(self.new_python_list(range));
        }
        let item = self.known_item(key);
        if item == Item::Open {
            self.open_lists.insert(key);
        }
        if !item.is_number() {
            return Some(Value::Held(Box::new(self.new_held(item, key))));
        }
        let (dtype, weak) = item.number();
        let room = count.unwrap_or(Scalar::const_int(0));
        let room = self.ir(&room);
        Some(Value::List(self.roomy_list(dtype, weak, key, room)))
    }

    /// The list after it was filled: held by the runtime if others are going to refer to it.
    pub fn finished_list(&mut self, list: Value) -> Value {
        match &list {
            Value::List(own) if self.held_lists.contains(&own.key) => {
                let item = self.known_item(own.key);
                Value::Held(Box::new(self.holding(own, item)))
            }
            _ => list,
        }
    }

    /// A list of numbers, without any yet.
    pub fn empty_list(&mut self, dtype: DType, weak: bool, key: ListKey) -> List {
        let room = self.b.int64(0);
        self.roomy_list(dtype, weak, key, room)
    }

    /// The same, with room for some.
    fn roomy_list(&mut self, dtype: DType, weak: bool, key: ListKey, room: ValueId) -> List {
        let local = self.b.local("list", dtype, 1, Layout::Contiguous);
        self.mutable.insert(local);
        let length = self.b.variable("length", DType::Int64);
        let call = Call::Room { local };
        self.call(call, &[room], vec![CallResult::Local(local)]);
        let zero = self.b.int64(0);
        self.b.set(length, zero);
        List {
            local,
            length,
            dtype,
            weak,
            key,
        }
    }

    /// A list among the arguments, over the array of its items.
    pub fn list_argument(&mut self, view: View, weak: bool) -> Value {
        let key = self.list_key_at(self.b.site);
        let (ArrayRef::Local(local), dtype) = (view.base, view.dtype) else {
            return Value::Poison;
        };
        // An empty list may be one of anything.
        let empty_is_open = (dtype, weak) == (DType::Int64, true);
        let known = self.known_item(key);
        if !empty_is_open && known == Item::Open {
            self.list_types.insert(key, Item::Scalar(dtype, weak));
        }
        let range = TextRange::default();
        let fits = known == Item::Open || known == Item::Scalar(dtype, weak);
        if !fits {
            // Items are put into it that do not fit: if it is not empty, it would hold two kinds.
            let extent = self.extent(&view, 0);
            let (extent, zero) = (self.ir(&extent), self.b.int64(0));
            let some = self.b.compare(CompareOp::Greater, extent, zero);
            let raised = crate::objects::ranges_and_texts::raised(
                "TypeError",
                "items of another type are put into a list of numbers among the arguments",
            );
            self.raise_if(some, &raised, range);
            let list = match known.is_number() {
                true => {
                    let (dtype, weak) = known.number();
                    Value::List(self.empty_list(dtype, weak, key))
                }
                false => Value::Held(Box::new(self.new_held(known, key))),
            };
            return self.finished_list(list);
        }
        self.mutable.insert(local);
        let length = self.b.variable("length", DType::Int64);
        let extent = self.extent(&view, 0);
        let extent = self.ir(&extent);
        self.b.set(length, extent);
        let list = List {
            local,
            length,
            dtype,
            weak,
            key,
        };
        self.finished_list(Value::List(list))
    }

    /// Notes what an item is; false if the function has to be translated again.
    pub fn admit(&mut self, list: &List, scalar: &Scalar, range: TextRange) -> bool {
        // What it is made for counts only if something was known of it.
        let item = Item::Scalar(scalar.dtype, scalar.weak);
        let known = self.known_item(list.key);
        let assumed = known.join(&item).unwrap_or(known);
        if !self.admit_item(list.key, &assumed, &item, range) {
            return false;
        }
        if assumed == Item::Scalar(list.dtype, list.weak) {
            return true;
        }
        self.again = true;
        false
    }

    /// Puts a value at the end of a list.
    pub fn append_to(&mut self, list: &Value, value: &Value, range: TextRange) {
        if self.turns_python_list(list, value) {
            return;
        }
        match (list, value) {
            (_, Value::Poison) => {}
            (Value::Object(_), value) => self.python_append(list, value, range),
            (Value::Held(held), value) => self.held_append(held, value, range),
            (Value::List(list), Value::Scalar(scalar)) => self.list_append(list, scalar, range),
            (Value::List(list), Value::View(view))
                if view.rank() == 0 && matches!(self.known_item(list.key), Item::Scalar(..)) =>
            {
                let scalar = self.load(view);
                self.list_append(list, &scalar, range);
            }
            (Value::List(list), other) => {
                // It is no list of numbers: the next translation knows.
                if let Some(item) = self.item_type(other, range) {
                    let known = self.known_item(list.key);
                    self.admit_item(list.key, &known, &item, range);
                }
            }
            _ => {}
        }
    }

    /// Puts all items of something at the end of a list.
    pub fn extend_with(&mut self, list: &Value, value: &Value, range: TextRange) {
        self.extend_as(list, value, None, range);
    }

    /// The same; numbers may be said to be Python's, or NumPy's.
    fn extend_as(&mut self, list: &Value, value: &Value, weak: Option<bool>, range: TextRange) {
        let value = self.plain(value, range).into_owned();
        let value = self.indexed_items(&value, range);
        let value = self.all_stored(value);
        if let (Value::Held(held), Value::Held(other)) = (list, &value)
            && held.item == other.item
        {
            self.held_extend(held, other);
            return;
        }
        if let Some(items) = self.known_items(&value) {
            for item in &items {
                self.append_to(list, item, range);
            }
            return;
        }
        if let Value::List(own) = list
            && let Some(numbers) = self.as_numbers(&value)
        {
            let own = *own;
            self.extend_numbers(&own, &numbers, weak, range);
            return;
        }
        // The other may be this one, which grows meanwhile.
        let Some(turns) = self.length_of(&value, range) else {
            return;
        };
        let (zero, stop, one) = (self.b.int64(0), self.ir(&turns), self.b.int64(1));
        let name = self.temporary();
        let counter = self.variable(&name, 0, DType::Int64);
        self.b.begin_for(counter, zero, stop, one);
        let at = Scalar::int(self.b.get(counter), Know::NonNegative);
        let item = self.item_at(&value, &at, range);
        let mut item = self.all_stored(item);
        if let (Value::Scalar(scalar), Some(weak)) = (&mut item, weak) {
            scalar.weak = weak;
        }
        self.append_to(list, &item, range);
        self.b.end();
    }

    pub fn list_put(&mut self, list: &List, at: &Scalar, scalar: &Scalar) {
        let ir = self.as_dtype(scalar, list.dtype);
        let at = self.as_dtype(at, DType::Int64);
        let place = colocate_ir::Place::new(ArrayRef::Local(list.local), [at]);
        self.b.store(place, ir);
    }

    pub fn list_take(&mut self, list: &List, at: ValueId) -> Scalar {
        self.note_read(list.key);
        let place = colocate_ir::Place::new(ArrayRef::Local(list.local), [at]);
        let ir = self.b.load(place);
        Scalar::new(list.dtype, list.weak, ir)
    }

    pub fn list_length(&mut self, list: &List) -> Scalar {
        if self.level() > 0 {
            self.hinder("it uses a list");
            return Scalar::const_int(0);
        }
        let length = self.b.get(list.length);
        Scalar::int(length, Know::NonNegative)
    }

    /// The items of a list as a part of an array.
    pub fn list_view(&mut self, list: &List) -> View {
        let length = self.list_length(list);
        View {
            axes: vec![Axis::Sliced {
                start: Scalar::const_int(0),
                step: Scalar::const_int(1),
                length,
            }],
            packed: false,
            ..View::whole(ArrayRef::Local(list.local), list.dtype, 1, false)
        }
    }

    pub fn list_append(&mut self, list: &List, scalar: &Scalar, range: TextRange) {
        if !self.repeating {
            self.note_added(list.key, scalar);
        }
        if !self.admit(list, scalar, range) {
            return;
        }
        let length = self.b.get(list.length);
        let room = self.b.extent(ArrayRef::Local(list.local), 0);
        let full = self.b.compare(CompareOp::GreaterEqual, length, room);
        self.b.begin_if(full);
        let double = self.b.binary(BinaryOp::Add, length, length);
        let least = self.b.int64(LEAST_ROOM);
        let room = self.b.binary(BinaryOp::Add, double, least);
        let call = Call::Grow { local: list.local };
        self.call(call, &[room], vec![CallResult::Local(list.local)]);
        self.b.end();
        self.list_put(list, &Scalar::int(length, Know::NonNegative), scalar);
        let one = self.b.int64(1);
        let next = self.b.binary(BinaryOp::Add, length, one);
        self.b.set(list.length, next);
    }

    /// `list[index]`.
    pub fn list_item(&mut self, list: &List, index: &Value, range: TextRange) -> Value {
        if self.level() > 0 {
            return self.hinder("it uses a list");
        }
        if self.is_unknown(list.key) {
            return Value::Poison;
        }
        match index {
            Value::Slice(parts) => {
                let length = self.list_length(list);
                let Some((start, step, length)) = self.slice_of(&length, parts, range) else {
                    return Value::Poison;
                };
                let view = View {
                    axes: vec![Axis::Sliced {
                        start,
                        step,
                        length,
                    }],
                    ..self.list_view(list)
                };
                self.list_of(&Value::View(view), list.weak, range)
            }
            other => {
                let Some(index) = self.integer(other, range, "an index") else {
                    return Value::Poison;
                };
                let at = self.list_index(list, &index, false, range);
                self.list_take(list, at).into()
            }
        }
    }

    pub fn list_index(
        &mut self,
        list: &List,
        index: &Scalar,
        written: bool,
        range: TextRange,
    ) -> ValueId {
        let length = self.list_length(list);
        self.list_position(&length, index, written, range)
    }

    /// `list[index] = value`.
    pub fn list_assign(&mut self, list: &List, index: &Value, value: &Value, range: TextRange) {
        if self.level() > 0 {
            self.hinder("it uses a list");
            return;
        }
        let (Some(index), Some(scalar)) = (
            self.integer(index, range, "an index"),
            self.scalar(value, range),
        ) else {
            return;
        };
        self.changed_lists.insert(list.local);
        self.flush_list_readers();
        if self.admit(list, &scalar, range) {
            let at = self.list_index(list, &index, true, range);
            self.list_put(list, &Scalar::int(at, Know::NonNegative), &scalar);
        }
    }

    /// A new list of an array's elements.
    pub fn list_of(&mut self, value: &Value, weak: bool, range: TextRange) -> Value {
        let Some(dtype) = Self::dtype_of(value) else {
            return Value::Poison;
        };
        let key = self.list_key(range);
        let item = Item::Scalar(dtype, weak);
        if let Some(together) = self.known_item(key).join(&item) {
            self.list_types.insert(key, together);
        }
        let count = self.known_length(value, range);
        self.built_list_of(count, range, |t, list| {
            t.extend_as(list, value, Some(weak), range);
        })
    }

    /// `list(items)`.
    pub fn list_from(&mut self, items: &Value, range: TextRange) -> Value {
        let count = self.known_length(items, range);
        self.built_list_of(count, range, |t, list| t.extend_with(list, items, range))
    }

    /// `+` and `*` of lists.
    pub fn list_binary(
        &mut self,
        op: ruff_python_ast::Operator,
        a: &Value,
        b: &Value,
        range: TextRange,
    ) -> Option<Value> {
        use ruff_python_ast::Operator;
        let is_list = |value: &Value| matches!(value, Value::List(_) | Value::Held(_));
        match (op, a, b) {
            (Operator::Mult, items @ Value::Tuple(_), Value::Scalar(times))
            | (Operator::Mult, Value::Scalar(times), items @ Value::Tuple(_))
                if self.level() == 0 && types::is_integer(times.dtype) =>
            {
                let times = self.integer(&Value::Scalar(*times), range, "a number of times")?;
                Some(self.repeated_list(items, &times, range))
            }
            (Operator::Mult, list, Value::Scalar(times))
            | (Operator::Mult, Value::Scalar(times), list)
                if is_list(list) && types::is_integer(times.dtype) =>
            {
                let times = self.integer(&Value::Scalar(*times), range, "a number of times")?;
                Some(self.repeated_list(list, &times, range))
            }
            (Operator::Add, list, other @ Value::Tuple(_))
            | (Operator::Add, other @ Value::Tuple(_), list)
            | (Operator::Add, list, other)
                if is_list(list) && (is_list(other) || matches!(other, Value::Tuple(_))) =>
            {
                let counts = [a, b].map(|part| self.known_length(part, range));
                let count = match counts {
                    [Some(a), Some(b)] => Some(self.index_op(BinaryOp::Add, &a, &b)),
                    _ => None,
                };
                Some(self.built_list_of(count, range, |t, list| {
                    for part in [a, b] {
                        t.extend_with(list, part, range);
                    }
                }))
            }
            _ => None,
        }
    }

    /// `items * times`.
    pub fn repeated_list(&mut self, items: &Value, times: &Scalar, range: TextRange) -> Value {
        let count = self.known_length(items, range).map(|count| {
            let times = self.index_op(BinaryOp::Maximum, times, &Scalar::const_int(0));
            self.index_op(BinaryOp::Multiply, &count, &times)
        });
        self.built_list_of(count, range, |t, list| {
            let (zero, stop, one) = (t.b.int64(0), t.ir(times), t.b.int64(1));
            let name = t.temporary();
            let counter = t.variable(&name, 0, DType::Int64);
            t.b.begin_for(counter, zero, stop, one);
            // What the items begin as is no word on what they become.
            let before = std::mem::replace(&mut t.repeating, true);
            t.extend_with(list, items, range);
            t.repeating = before;
            t.b.end();
        })
    }

    /// Puts numbers into a list of numbers of a type that holds them.
    pub fn copy_numbers(&mut self, list: &List, numbers: &Value, range: TextRange) {
        let Some(turns) = self.length_of(numbers, range) else {
            return;
        };
        let room = self.ir(&turns);
        let call = Call::Grow { local: list.local };
        self.call(call, &[room], vec![CallResult::Local(list.local)]);
        let (zero, one) = (self.b.int64(0), self.b.int64(1));
        let name = self.temporary();
        let counter = self.variable(&name, 0, DType::Int64);
        self.b.begin_for(counter, zero, room, one);
        let at = Scalar::int(self.b.get(counter), Know::NonNegative);
        let item = self.item_at(numbers, &at, range);
        if let Some(scalar) = self.scalar(&item, range) {
            self.list_put(list, &at, &scalar);
        }
        self.b.end();
        self.b.set(list.length, room);
    }

    /// Moves what comes after a position one to the front.
    pub fn close_list_gap(&mut self, list: &List, at: ValueId) {
        let one = self.b.int64(1);
        let length = self.b.get(list.length);
        let last = self.b.binary(BinaryOp::Subtract, length, one);
        let name = self.temporary();
        let counter = self.variable(&name, 0, DType::Int64);
        self.b.begin_for(counter, at, last, one);
        let here = self.b.get(counter);
        let next = self.b.binary(BinaryOp::Add, here, one);
        let item = self.list_take(list, next);
        self.list_put(list, &Scalar::int(here, Know::NonNegative), &item);
        self.b.end();
        self.b.set(list.length, last);
    }

    pub fn list_insert(&mut self, list: &List, index: &Scalar, scalar: &Scalar, range: TextRange) {
        if !self.admit(list, scalar, range) {
            return;
        }
        let before = self.list_length(list);
        let at = self.insert_position(index, &before);
        // Room for one more, then everything from the position on moves back.
        self.list_append(list, scalar, range);
        let (at, last, down) = (self.ir(&at), self.ir(&before), self.b.int64(-1));
        let name = self.temporary();
        let counter = self.variable(&name, 0, DType::Int64);
        self.b.begin_for(counter, last, at, down);
        let here = self.b.get(counter);
        let previous = self.b.binary(BinaryOp::Add, here, down);
        let item = self.list_take(list, previous);
        self.list_put(list, &Scalar::int(here, Know::NonNegative), &item);
        self.b.end();
        self.list_put(list, &Scalar::int(at, Know::NonNegative), scalar);
    }

    /// Computes what reads the memory of lists, before that changes.
    pub fn flush_list_readers(&mut self) {
        if self.list_memory_read {
            self.flush();
        }
    }

    /// A list as the array that NumPy makes of it.
    pub fn list_as_array(&mut self, list: &Value, range: TextRange) -> Value {
        match list {
            Value::Held(held) if matches!(&held.item, Item::Optional(inner) if inner.is_number()) => {
                self.numbers_present(list, held.key, range)
            }
            Value::Held(held) if !held.item.is_number() => {
                // Arrays are joined where they are.
                let function = match held.item {
                    Item::Array { .. } => "numpy.stack",
                    _ => "numpy.array",
                };
                self.library(function, &[(list.clone(), range)], &[], &[], range)
            }
            other => self.settled_list(other),
        }
    }

    /// The numbers of a list whose items may be None, as an array: there None raises.
    fn numbers_present(&mut self, list: &Value, key: ListKey, range: TextRange) -> Value {
        if self.level() > 0 {
            return self.hinder("it uses a list");
        }
        let (Value::Held(held), Some(length)) = (list, self.known_length(list, range)) else {
            return Value::Poison;
        };
        let Item::Optional(inner) = &held.item else {
            return Value::Poison;
        };
        let (dtype, weak) = inner.number();
        let room = self.ir(&length);
        let numbers = self.roomy_list(dtype, weak, key.inner(), room);
        let (zero, one) = (self.b.int64(0), self.b.int64(1));
        let name = self.temporary();
        let counter = self.variable(&name, 0, DType::Int64);
        self.b.begin_for(counter, zero, room, one);
        let at = self.b.get(counter);
        let item = self.held_get(held, at);
        let item = self.plain(&item, range).into_owned();
        if let Some(scalar) = self.scalar(&item, range) {
            self.list_put(&numbers, &Scalar::int(at, Know::NonNegative), &scalar);
        }
        self.b.end();
        self.b.set(numbers.length, room);
        self.settled_list(&Value::List(numbers))
    }

    /// Whether a list is an argument without items, which stays so: as an array it is one of floats.
    pub fn holds_nothing(&self, list: &List) -> bool {
        self.empty_lists.contains(&list.key) && self.known_item(list.key) == Item::Open
    }

    /// What a tuple or list is as an argument: lists become arrays of their items.
    pub fn settled_list(&mut self, value: &Value) -> Value {
        self.list_memory_read = true;
        match value {
            Value::List(list) if self.holds_nothing(list) => {
                let nothing = Arguments {
                    positional: vec![(Scalar::const_int(0).into(), TextRange::default())],
                    keywords: Vec::new(),
                };
                let made = self.numpy_call("zeros", &nothing, TextRange::default());
                made.unwrap_or(Value::Poison)
            }
            other => self.settled_index(other),
        }
    }

    /// The same of an index: there a list of nothing has no positions.
    pub fn settled_index(&mut self, value: &Value) -> Value {
        self.list_memory_read = true;
        match value {
            Value::List(_) | Value::Held(_) if self.level() > 0 => self.hinder("it uses a list"),
            Value::List(list) => Value::View(self.list_view(list)),
            Value::Held(held) if held.item.is_number() => {
                let list = self.opened(held);
                Value::View(self.list_view(&list))
            }
            other => other.clone(),
        }
    }
}

/// Whether something that is looped over has a length that may change.
pub(crate) fn may_grow(value: &Value) -> bool {
    match value {
        Value::List(_) | Value::Held(_) => true,
        Value::Object(object) => matches!(*object.kind, ObjectType::List(_)),
        Value::Enumerate(inner, _) => may_grow(inner),
        Value::Zip(parts) => parts.iter().any(may_grow),
        _ => false,
    }
}
