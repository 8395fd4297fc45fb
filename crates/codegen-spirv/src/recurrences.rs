//! Values that change from turn to turn of a loop.
//!
//! Intel's compiler for CPUs runs several items at once, and takes a variable for the same in all of them if all that
//! it is set to is. In a loop it is not, if only some items get to where it is set, and not after a loop that some
//! leave before others. (It crashes on `a, b = b, a + b` in a loop that has another number of turns for each item, where
//! `a` takes what `b` held one turn before.) So such values are joined with a nothing of which only the launch knows
//! that it is the same for all items.

use crate::entry_point::{Generator, bits, memory_type};
use crate::module_writer::Type;
use colocate_ir::{ArrayRef, Block, DType, Kind, Op as Operation, StatementKind, StorageClass};
use colocate_ir::{ValueId, walk};
use rspirv::spirv::{BuiltIn, Op, Word};

impl Generator<'_> {
    /// Notes a value that is what a variable or an element of private memory holds, converted or not.
    pub fn note_copy(&mut self, kind: &StatementKind) {
        let copy = match kind {
            StatementKind::Let { value, op } => match op {
                Operation::Get(_) => Some(value),
                Operation::Convert(from, _) if self.copies.contains(from) => Some(value),
                _ => None,
            },
            StatementKind::Load { value, place } if self.is_private(place.array) => Some(value),
            _ => None,
        };
        self.copies.extend(copy);
    }

    pub fn is_private(&self, array: ArrayRef) -> bool {
        match array {
            ArrayRef::Storage(storage) => {
                self.kernel.storage[storage.index()].class == StorageClass::Private
            }
            ArrayRef::Param(_) | ArrayRef::Local(_) => false,
        }
    }

    /// What to set a variable to.
    pub fn next_value(&mut self, value: ValueId) -> Word {
        let new = self.values[value.index()];
        let Some(around) = self.loops.last() else {
            return new;
        };
        let dtype = self.kernel.dtype(value);
        let copy = self.copies.contains(&value) && matches!(dtype.kind(), Kind::Int | Kind::UInt);
        match copy || around.branches > 0 {
            true => self.of_its_item(dtype, new),
            false => new,
        }
    }

    /// What to set an element of private memory to.
    pub fn next_element(&mut self, value: ValueId) -> Word {
        let new = self.values[value.index()];
        match self.loops.is_empty() {
            true => new,
            false => self.of_its_item(self.kernel.dtype(value), new),
        }
    }

    /// A value that is the same, and looks like one that differs from item to item.
    pub fn of_its_item(&mut self, dtype: DType, value: Word) -> Word {
        let width = match dtype.kind() {
            Kind::Bool => 8,
            _ => bits(dtype),
        };
        let (plain, own) = (Type::Int(width), memory_type(dtype));
        let stored = self.encode(dtype, value);
        let stored = match plain == own {
            true => stored,
            false => self.out.op(Op::Bitcast, plain, &[stored]),
        };
        let mut nothing = self.nothing();
        if width < 64 {
            nothing = self.out.op(Op::UConvert, plain, &[nothing]);
        }
        let joined = self.out.op(Op::BitwiseOr, plain, &[stored, nothing]);
        let joined = match plain == own {
            true => joined,
            false => self.out.op(Op::Bitcast, own, &[joined]),
        };
        self.decode(dtype, joined)
    }

    /// Where the item is, as far as that has bits of where the launch began, which is 0.
    fn nothing(&mut self) -> Word {
        let word = Type::Int(64);
        let mut place = self.out.built_in(BuiltIn::GlobalInvocationId, 0);
        for axis in 1..self.kernel.rank.into() {
            let other = self.out.built_in(BuiltIn::GlobalInvocationId, axis);
            place = self.out.op(Op::BitwiseOr, word, &[place, other]);
        }
        let zero = self.out.built_in(BuiltIn::GlobalOffset, 0);
        self.out.op(Op::BitwiseAnd, word, &[place, zero])
    }
}

/// Whether items may go on to the next turn from the midst of this one.
pub fn holds_continue(body: &Block) -> bool {
    let mut found = false;
    walk(body, &mut |inner| {
        found |= matches!(inner.kind, StatementKind::Continue);
    });
    found
}
