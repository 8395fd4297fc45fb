//! Lists that the runtime holds, read and changed in place without a call.
//!
//! Where host code reaches all memory, it reads where the items of a list are, and how many (`ShownList`). Only items
//! are read and written so: whatever makes a list longer or shorter, or hands it on, is a call. Without this each item
//! of a list of lists costs two or three calls, with it a few loads.

use crate::objects::held_lists::Held;
use crate::objects::items::Item;
use crate::objects::lists::List;
use crate::program::ShownList;
use crate::translate::Translator;
use crate::value::Scalar;
use colocate_ir::{
    ArrayRef, BinaryOp, CallResult, DType, Layout, LocalId, ParamId, Place, ValueId, VariableId,
};

/// The context of the callback, among the parameters of a host part.
const CONTEXT: ParamId = ParamId(1);

/// More than there are lists.
const MANY: i64 = 1 << 32;

/// Where the words are that show a list.
#[derive(Clone, Copy)]
pub(crate) struct Shown {
    words: LocalId,
    first: ValueId,
}

impl Translator<'_> {
    /// Whether lists are read and written where they are.
    fn shows_lists(&mut self) -> bool {
        // Functions that call themselves have no arrays of their own.
        self.function_base == 0 && self.program().options.unified
    }

    /// An array of words that begins at an address.
    fn array_at(&mut self, address: ValueId, count: ValueId, dtype: DType, name: &str) -> LocalId {
        let local = self.b.local(name, dtype, 1, Layout::Contiguous);
        self.mutable.insert(local);
        let step = self.b.int64(dtype.itemsize() as i64);
        self.b
            .echo(&[address, count, step], vec![CallResult::Local(local)]);
        local
    }

    fn word_at(&mut self, words: LocalId, at: ValueId) -> ValueId {
        self.b.load(Place::new(ArrayRef::Local(words), [at]))
    }

    /// What is shown of a list; nothing if it must be asked for.
    fn list_shown(&mut self, number: &Scalar) -> Option<Shown> {
        if !self.shows_lists() {
            return None;
        }
        let context = self.b.scalar(CONTEXT);
        let (zero, one) = (self.b.int64(0), self.b.int64(1));
        let head = self.array_at(context, one, DType::UInt64, "lists");
        let address = self.word_at(head, zero);
        let many = self.b.int64(MANY);
        let words = self.array_at(address, many, DType::UInt64, "shown");
        let size = self.b.int64(ShownList::WORDS as i64);
        let number = self.ir(number);
        let first = self.b.binary(BinaryOp::Multiply, number, size);
        Some(Shown { words, first })
    }

    fn place_of(&mut self, shown: Shown, part: usize) -> ValueId {
        let part = self.b.int64(part as i64);
        self.b.binary(BinaryOp::Add, shown.first, part)
    }

    fn part_of(&mut self, shown: Shown, part: usize) -> ValueId {
        let at = self.place_of(shown, part);
        self.word_at(shown.words, at)
    }

    fn mark_changed(&mut self, shown: Shown) {
        let at = self.place_of(shown, ShownList::CHANGED);
        let one = self.b.literal(colocate_ir::Literal::Int(DType::UInt64, 1));
        self.b
            .store(Place::new(ArrayRef::Local(shown.words), [at]), one);
    }

    /// How many items a list has.
    pub fn shown_length(&mut self, held: &Held) -> Option<ValueId> {
        let shown = self.list_shown(&held.number)?;
        let length = self.part_of(shown, ShownList::LENGTH);
        Some(self.b.convert(length, DType::Int64))
    }

    /// A list of numbers, for items to be read or replaced where they are, before any other call.
    pub fn seen(&mut self, held: &Held) -> List {
        let Some(shown) = self.list_shown(&held.number) else {
            return self.opened(held);
        };
        let (dtype, weak) = held.item.number();
        let address = self.part_of(shown, ShownList::ADDRESS);
        let count = self.part_of(shown, ShownList::LENGTH);
        let count = self.b.convert(count, DType::Int64);
        let local = self.array_at(address, count, dtype, "list");
        let length = self.b.variable("length", DType::Int64);
        self.b.set(length, count);
        List {
            local,
            length,
            dtype,
            weak,
            key: held.key,
        }
    }

    /// Notes that an item of a list that was [`Translator::seen`] was replaced.
    pub fn seen_changed(&mut self, held: &Held, list: &List) {
        match self.list_shown(&held.number) {
            Some(shown) => self.mark_changed(shown),
            None => self.closed(held, list),
        }
    }

    /// Puts a number behind the others where there is room; false if that must be asked for. What is done where there is
    /// none is said by `grow`.
    pub fn append_seen(
        &mut self,
        held: &Held,
        number: &Scalar,
        grow: impl FnOnce(&mut Self),
    ) -> bool {
        let Some(shown) = self.list_shown(&held.number) else {
            return false;
        };
        let (dtype, _) = held.item.number();
        let number = self.as_dtype(number, dtype);
        let room = self.part_of(shown, ShownList::ROOM);
        let length = self.part_of(shown, ShownList::LENGTH);
        let fits = self.b.compare(colocate_ir::CompareOp::Less, length, room);
        self.b.begin_if(fits);
        let address = self.part_of(shown, ShownList::ADDRESS);
        let (at, count) = (
            self.b.convert(length, DType::Int64),
            self.b.convert(room, DType::Int64),
        );
        let local = self.array_at(address, count, dtype, "list");
        self.b
            .store(Place::new(ArrayRef::Local(local), [at]), number);
        let one = self.b.literal(colocate_ir::Literal::Int(DType::UInt64, 1));
        let after = self.b.binary(BinaryOp::Add, length, one);
        let place = self.place_of(shown, ShownList::LENGTH);
        self.b
            .store(Place::new(ArrayRef::Local(shown.words), [place]), after);
        self.mark_changed(shown);
        self.b.begin_else();
        grow(self);
        self.b.end();
        true
    }

    /// The words of an item that is no number, put into variables; false if it must be asked for.
    pub fn read_words(&mut self, held: &Held, at: ValueId, variables: &[VariableId]) -> bool {
        let Some((_, words, first)) = self.words_of(held, at) else {
            return false;
        };
        let mut found = Vec::new();
        for part in 0..variables.len() {
            let part = self.b.int64(part as i64);
            let at = self.b.binary(BinaryOp::Add, first, part);
            found.push(self.word_at(words, at));
        }
        let results = variables.iter().copied().map(CallResult::Variable);
        self.b.echo(&found, results.collect());
        true
    }

    /// Puts other words in the place of an item's; false if that must be asked for.
    pub fn write_words(&mut self, held: &Held, at: ValueId, given: &[ValueId]) -> bool {
        let Some((shown, words, first)) = self.words_of(held, at) else {
            return false;
        };
        let variables: Vec<VariableId> = given
            .iter()
            .map(|_| self.b.variable("word", DType::UInt64))
            .collect();
        let results = variables.iter().copied().map(CallResult::Variable);
        self.b.echo(given, results.collect());
        for (part, variable) in variables.into_iter().enumerate() {
            let word = self.b.get(variable);
            let part = self.b.int64(part as i64);
            let at = self.b.binary(BinaryOp::Add, first, part);
            self.b.store(Place::new(ArrayRef::Local(words), [at]), word);
        }
        self.mark_changed(shown);
        true
    }

    /// The words of all items of a list, and the position of the first one of an item.
    fn words_of(&mut self, held: &Held, at: ValueId) -> Option<(Shown, LocalId, ValueId)> {
        let item = match &held.item {
            Item::Open => return None,
            item => item.for_runtime(),
        };
        if item.arrays() > 0 || item.words() == 0 {
            return None;
        }
        let shown = self.list_shown(&held.number)?;
        let address = self.part_of(shown, ShownList::ADDRESS);
        let count = self.part_of(shown, ShownList::LENGTH);
        let count = self.b.convert(count, DType::Int64);
        let size = self.b.int64(item.words() as i64);
        let count = self.b.binary(BinaryOp::Multiply, count, size);
        let words = self.array_at(address, count, DType::UInt64, "words");
        let first = self.b.binary(BinaryOp::Multiply, at, size);
        Some((shown, words, first))
    }
}
