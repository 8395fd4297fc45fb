//! Lists that the runtime holds: those of arrays, tuples and lists, and those of numbers that several
//! places refer to.
//!
//! The host part knows such a list by its number. Where it can, it reads and replaces items in place (`shown_lists`).
//! For everything else a list of numbers is opened: then it is a list like any other, and what it holds afterwards is
//! put back.

use crate::host::failures::{Part, Raised};
use crate::objects::items::{Item, ListKey};
use crate::objects::lists::List;
use crate::program::{Call, ListCall};
use crate::translate::Translator;
use crate::value::{Know, Scalar, Value, View};
use colocate_ir::{
    ArrayRef, BinaryOp, CallResult, CompareOp, DType, Kind, Layout, LocalId, ValueId, VariableId,
};
use ruff_text_size::TextRange;

/// A list that the runtime holds.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    /// Its number.
    pub number: Scalar,
    pub item: Item,
    pub key: ListKey,
}

impl PartialEq for Held {
    /// Where they were made is no difference.
    fn eq(&self, other: &Held) -> bool {
        self.number == other.number && self.item == other.item
    }
}

/// The parts of an item on their way out of a list.
struct Parts {
    locals: std::vec::IntoIter<LocalId>,
    words: std::vec::IntoIter<VariableId>,
}

impl Translator<'_> {
    /// A call that does something with a list.
    pub fn list_call(&mut self, call: ListCall, words: &[ValueId], results: Vec<CallResult>) {
        self.call(Call::List(call), words, results);
    }

    /// A call that gives a number.
    pub fn list_number_call(&mut self, call: ListCall, words: &[ValueId], name: &str) -> ValueId {
        let variable = self.b.variable(name, DType::Int64);
        self.list_call(call, words, vec![CallResult::Variable(variable)]);
        self.b.get(variable)
    }

    /// A new list without items.
    pub fn new_held(&mut self, item: Item, key: ListKey) -> Held {
        if item.is_number() {
            let (dtype, weak) = item.number();
            let list = self.empty_list(dtype, weak, key);
            return self.holding(&list, item);
        }
        let call = ListCall::New {
            item: item.for_runtime(),
        };
        let number = self.list_number_call(call, &[], "list");
        Held {
            number: Scalar::int(number, Know::Any),
            item,
            key,
        }
    }

    /// A list of numbers as one that the runtime holds.
    pub fn holding(&mut self, list: &List, item: Item) -> Held {
        let length = self.b.get(list.length);
        let call = ListCall::Hold {
            local: list.local,
            leaf: None,
        };
        let number = self.list_number_call(call, &[length], "list");
        Held {
            number: Scalar::int(number, Know::Any),
            item,
            key: list.key,
        }
    }

    /// A list of numbers as an array with a length.
    pub fn opened(&mut self, held: &Held) -> List {
        let (dtype, weak) = held.item.number();
        let local = self.b.local("list", dtype, 1, Layout::Contiguous);
        self.mutable.insert(local);
        let length = self.b.variable("length", DType::Int64);
        let list = List {
            local,
            length,
            dtype,
            weak,
            key: held.key,
        };
        self.reopen(&held.number, &list);
        list
    }

    /// Shows a list of numbers as the array and the length that it is to have here.
    pub fn reopen(&mut self, number: &Scalar, list: &List) {
        let number = self.ir(number);
        let results = vec![
            CallResult::Local(list.local),
            CallResult::Variable(list.length),
        ];
        let call = ListCall::Open { local: list.local };
        self.list_call(call, &[number], results);
    }

    /// Puts back what was done to an opened list.
    pub fn closed(&mut self, held: &Held, list: &List) {
        let number = self.ir(&held.number);
        let length = self.b.get(list.length);
        let call = ListCall::Close { local: list.local };
        self.list_call(call, &[number, length], Vec::new());
    }

    /// Any list as one that the runtime holds, for a call that changes it or only looks at it; what it
    /// is afterwards is to be fetched by [`Translator::given_back`].
    pub fn lent(&mut self, list: &Value) -> Option<Held> {
        match list {
            Value::Held(held) => Some((**held).clone()),
            Value::List(list) => {
                let item = Item::Scalar(list.dtype, list.weak);
                Some(self.holding(list, item))
            }
            _ => None,
        }
    }

    /// Takes a list back that was lent.
    pub fn given_back(&mut self, list: &Value, lent: &Held, changed: bool) {
        if let Value::List(own) = list {
            if changed {
                self.reopen(&lent.number, own);
            }
            let number = self.ir(&lent.number);
            self.list_call(ListCall::Drop, &[number], Vec::new());
        }
    }

    /// Forgets a list that nothing else refers to.
    pub fn discard(&mut self, list: &Value) {
        if let Value::Held(held) = list {
            let number = self.ir(&held.number);
            self.list_call(ListCall::Drop, &[number], Vec::new());
        }
    }

    pub fn held_length(&mut self, held: &Held) -> Scalar {
        if let Some(length) = self.shown_length(held) {
            return Scalar::int(length, Know::NonNegative);
        }
        let number = self.ir(&held.number);
        let length = self.list_number_call(ListCall::Length, &[number], "length");
        Scalar::int(length, Know::NonNegative)
    }

    /// The position that an index means, inside the list.
    pub fn held_index(
        &mut self,
        held: &Held,
        index: &Scalar,
        written: bool,
        range: TextRange,
    ) -> ValueId {
        let length = self.held_length(held);
        self.list_position(&length, index, written, range)
    }

    /// The position that an index means in a list of a length. What is wrong with it depends on whether the item is
    /// read, or replaced or taken away.
    pub fn list_position(
        &mut self,
        length: &Scalar,
        index: &Scalar,
        written: bool,
        range: TextRange,
    ) -> ValueId {
        let wrapped = self.wrapped_index(index, length);
        let (at, length) = (self.ir(&wrapped), self.ir(length));
        let (low, high) = (
            self.b.convert(at, DType::UInt64),
            self.b.convert(length, DType::UInt64),
        );
        let outside = self.b.compare(CompareOp::GreaterEqual, low, high);
        let text = match written {
            true => "list assignment index out of range",
            false => "list index out of range",
        };
        let raised = Raised {
            class: "IndexError",
            parts: vec![Part::Text(text.into())],
        };
        self.raise_if(outside, &raised, range);
        at
    }

    /// An item; the position is inside the list.
    pub fn held_get(&mut self, held: &Held, at: ValueId) -> Value {
        if held.item == Item::Open && !self.settling {
            self.read_unknown = true;
            return Value::Poison;
        }
        if held.item.is_number() {
            let list = self.seen(held);
            return self.list_take(&list, at).into();
        }
        let mut locals = Vec::new();
        let mut words = Vec::new();
        self.item_places(&held.item, &mut locals, &mut words);
        if !self.read_words(held, at, &words) {
            let number = self.ir(&held.number);
            let results = locals
                .iter()
                .copied()
                .map(CallResult::Local)
                .chain(words.iter().copied().map(CallResult::Variable))
                .collect();
            let call = ListCall::Get {
                item: held.item.for_runtime(),
                locals: locals.clone(),
            };
            self.list_call(call, &[number, at], results);
        }
        let mut parts = Parts {
            locals: locals.into_iter(),
            words: words.into_iter(),
        };
        self.item_from(&held.item, held.key, &mut parts)
    }

    /// Where the parts of an item go.
    fn item_places(&mut self, item: &Item, locals: &mut Vec<LocalId>, words: &mut Vec<VariableId>) {
        match item {
            Item::Open | Item::List(_) => words.push(self.b.variable("item", DType::Int64)),
            Item::Scalar(dtype, _) if dtype.kind() == Kind::Complex => {
                for _ in 0..2 {
                    words.push(self.b.variable("item", DType::Float64));
                }
            }
            Item::Scalar(dtype, _) => words.push(self.b.variable("item", *dtype)),
            Item::None => {
                for _ in 0..2 {
                    words.push(self.b.variable("item", DType::Bool));
                }
            }
            Item::Optional(inner) => {
                self.item_places(inner, locals, words);
                words.push(self.b.variable("item", DType::Bool));
            }
            Item::Array { dtype, rank, .. } => {
                locals.push(self.b.local("item", *dtype, *rank as u8, Layout::Strided));
            }
            Item::Tuple(items) | Item::Named(_, items) => {
                for item in items {
                    self.item_places(item, locals, words);
                }
            }
        }
    }

    /// An item whose parts are there.
    fn item_from(&mut self, item: &Item, key: ListKey, parts: &mut Parts) -> Value {
        let mut word = |t: &mut Self| {
            let variable = parts.words.next().expect("there is a place for each word");
            t.b.get(variable)
        };
        match item {
            Item::None => {
                word(self);
                word(self);
                Value::None
            }
            Item::Optional(inner) => {
                let value = self.item_from(inner, key, parts);
                let present = parts.words.next().expect("there is a place for each word");
                let present = self.b.get(present);
                Value::Optional(Box::new(value), Scalar::new(DType::Bool, true, present))
            }
            Item::Open => Scalar::int(word(self), Know::Any).into(),
            Item::List(inner) => Value::Held(Box::new(Held {
                number: Scalar::int(word(self), Know::Any),
                item: (**inner).clone(),
                key: key.inner(),
            })),
            Item::Scalar(dtype, weak) => {
                let first = word(self);
                let ir = match dtype {
                    DType::Complex64 => {
                        let second = word(self);
                        let (re, im) = (
                            self.b.convert(first, DType::Float32),
                            self.b.convert(second, DType::Float32),
                        );
                        self.b.op(colocate_ir::Op::Complex(re, im))
                    }
                    DType::Complex128 => {
                        let second = word(self);
                        self.b.op(colocate_ir::Op::Complex(first, second))
                    }
                    _ => first,
                };
                Scalar::new(*dtype, *weak, ir).into()
            }
            Item::Array {
                dtype,
                rank,
                writable,
            } => {
                let local = parts
                    .locals
                    .next()
                    .expect("there is a place for each array");
                Value::View(View {
                    writable: *writable,
                    ..View::whole(ArrayRef::Local(local), *dtype, *rank, false)
                })
            }
            Item::Tuple(items) => {
                let mut values = Vec::new();
                for (position, item) in items.iter().enumerate() {
                    values.push(self.item_from(item, key.part(position), parts));
                }
                Value::Tuple(values)
            }
            Item::Named(class, items) => {
                let mut values = Vec::new();
                for (position, item) in items.iter().enumerate() {
                    values.push(self.item_from(item, key.part(position), parts));
                }
                Value::Named(class.clone(), values)
            }
        }
    }

    /// The parts of a value that becomes an item.
    fn item_parts(
        &mut self,
        value: &Value,
        item: &Item,
        locals: &mut Vec<LocalId>,
        words: &mut Vec<ValueId>,
    ) -> Option<()> {
        match (value, item) {
            (Value::Scalar(scalar), Item::Scalar(dtype, _)) => {
                let ir = self.as_dtype(scalar, *dtype);
                words.extend(crate::arrays::regions::words_of(&mut self.b, ir));
            }
            (Value::View(_) | Value::Lazy(_), Item::Array { .. }) => {
                let Value::View(view) = self.stored(value) else {
                    return None;
                };
                locals.push(self.local_of(&view)?);
            }
            (Value::Held(held), Item::List(_)) => words.push(self.ir(&held.number)),
            (Value::None, Item::None | Item::Optional(_)) => {
                for _ in 1..item.for_runtime().words() {
                    words.push(self.b.int64(0));
                }
                words.push(self.b.literal(colocate_ir::Literal::Bool(false)));
            }
            (Value::Optional(value, present), Item::Optional(inner)) => {
                self.item_parts(value, inner, locals, words)?;
                words.push(self.ir(present));
            }
            (value, Item::Optional(inner)) => {
                self.item_parts(value, inner, locals, words)?;
                words.push(self.b.literal(colocate_ir::Literal::Bool(true)));
            }
            (Value::Tuple(values), Item::Tuple(items))
            | (Value::Named(_, values), Item::Named(_, items)) => {
                for (value, item) in values.iter().zip(items) {
                    self.item_parts(value, item, locals, words)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Whether a value is what a list holds, so that it can be put into it. What it has to be more is
    /// noted, and then the function is translated again.
    pub fn admits(&mut self, held: &Held, value: &Value, range: TextRange) -> bool {
        let Some(item) = self.item_type(value, range) else {
            return false;
        };
        let fits = self.admit_item(held.key, &held.item, &item, range);
        // A list inside must hold what the lists in this one hold.
        self.widen_inner(value, &held.item, range);
        fits && !self.again
    }

    /// Lists that become items hold what the items of the list hold.
    fn widen_inner(&mut self, value: &Value, item: &Item, range: TextRange) {
        match (value, item) {
            (Value::Held(inner), Item::List(wanted)) if inner.item != **wanted => {
                self.admit_item(inner.key, &inner.item, wanted, range);
            }
            (Value::List(inner), Item::List(wanted)) => {
                let own = self.known_item(inner.key);
                if own != **wanted {
                    self.admit_item(inner.key, &own, wanted, range);
                }
            }
            (Value::Named(class, items), Item::List(wanted)) if class.is_list() => {
                for value in items {
                    self.widen_inner(value, wanted, range);
                }
                if let Some(key) = class.list {
                    let known = self.known_item(key);
                    self.admit_item(key, &known, wanted, range);
                }
            }
            (Value::Tuple(values), Item::Tuple(items))
            | (Value::Named(_, values), Item::Named(_, items)) => {
                for (value, item) in values.iter().zip(items) {
                    self.widen_inner(value, item, range);
                }
            }
            (Value::Optional(value, _), Item::Optional(inner)) => {
                self.widen_inner(value, inner, range);
            }
            (value, Item::Optional(inner)) => self.widen_inner(value, inner, range),
            _ => {}
        }
    }

    /// Puts an item at a position or, as a new one, before it.
    pub fn held_put(
        &mut self,
        held: &Held,
        at: ValueId,
        value: &Value,
        insert: bool,
        range: TextRange,
    ) {
        self.held_changes = true;
        if !self.admits(held, value, range) {
            return;
        }
        let mut locals = Vec::new();
        let mut words = Vec::new();
        let number = self.ir(&held.number);
        if self
            .item_parts(value, &held.item, &mut locals, &mut words)
            .is_none()
        {
            return;
        }
        if !insert && self.write_words(held, at, &words) {
            return;
        }
        let item = held.item.for_runtime();
        let call = match insert {
            true => ListCall::Insert { item, locals },
            false => ListCall::Set { item, locals },
        };
        let all: Vec<ValueId> = [number, at].into_iter().chain(words).collect();
        self.list_call(call, &all, Vec::new());
    }

    /// `list.append(value)`.
    pub fn held_append(&mut self, held: &Held, value: &Value, range: TextRange) {
        self.held_changes = true;
        if let (true, Value::Scalar(scalar)) = (held.item.is_number(), value) {
            let item = Item::Scalar(scalar.dtype, scalar.weak);
            if self.admit_item(held.key, &held.item, &item, range) {
                let grow = |t: &mut Self| {
                    let list = t.opened(held);
                    t.list_append(&list, scalar, range);
                    t.closed(held, &list);
                };
                if !self.append_seen(held, scalar, grow) {
                    grow(self);
                }
            }
            return;
        }
        let length = self.held_length(held);
        let length = self.ir(&length);
        self.held_put(held, length, value, true, range);
    }

    /// Some items as a list of their own.
    pub fn held_part(
        &mut self,
        held: &Held,
        (start, step, length): (Scalar, Scalar, Scalar),
    ) -> Held {
        let words = [held.number, start, step, length].map(|one| self.ir(&one));
        let number = self.list_number_call(ListCall::Take, &words, "list");
        Held {
            number: Scalar::int(number, Know::Any),
            ..held.clone()
        }
    }

    /// Adds the items of another list, which may be the same.
    pub fn held_extend(&mut self, held: &Held, other: &Held) {
        self.held_changes = true;
        let length = self.held_length(held);
        let words = [held.number, length, length, other.number].map(|one| self.ir(&one));
        self.list_call(ListCall::Splice, &words, Vec::new());
    }

    /// Compares two lists that hold the same: -1, 0, 1 or 2.
    pub fn held_order(&mut self, a: &Held, b: &Held) -> ValueId {
        let words = [a.number, b.number].map(|one| self.ir(&one));
        let call = ListCall::Compare {
            item: a.item.for_runtime(),
        };
        self.list_number_call(call, &words, "order")
    }

    /// Takes an item out; the position is inside the list.
    pub fn held_delete(&mut self, held: &Held, at: ValueId) {
        self.held_changes = true;
        let (number, one) = (self.ir(&held.number), self.b.int64(1));
        self.list_call(ListCall::Delete, &[number, at, one, one], Vec::new());
    }

    /// The position before which `insert` puts an item.
    pub fn insert_position(&mut self, index: &Scalar, length: &Scalar) -> Scalar {
        let wrapped = self.wrapped_index(index, length);
        let at = self.index_op(BinaryOp::Maximum, &wrapped, &Scalar::const_int(0));
        self.index_op(BinaryOp::Minimum, &at, length)
    }
}
