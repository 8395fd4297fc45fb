//! Values that go from one variable to another in a loop.
//!
//! Intel's compiler for CPUs crashes on `a, b = b, a + b` of integers in a loop that has another number of turns for
//! each item: `a` takes what `b` held one turn before. It does not if the new value depends on the old one, too. So a
//! copy is joined with nothing of the old value, in a way that the compiler cannot see through.

use crate::entry_point::{Generator, bits, memory_type};
use crate::module_writer::Type;
use colocate_ir::{ArrayRef, DType, Kind, Op as Operation, StatementKind, StorageClass, ValueId};
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

    /// What to set something of an item's own to, which held `old`.
    pub fn next_value(&mut self, value: ValueId, old: impl FnOnce(&mut Self) -> Word) -> Word {
        let new = self.values[value.index()];
        let dtype = self.kernel.dtype(value);
        let whole = matches!(dtype.kind(), Kind::Int | Kind::UInt);
        if self.loops.is_empty() || !whole || !self.copies.contains(&value) {
            return new;
        }
        let old = old(self);
        self.with_nothing_of(dtype, new, old)
    }

    /// The new value, joined with the bits of the old one that are set in a zero of which only the launch knows that
    /// it is one.
    pub fn with_nothing_of(&mut self, dtype: DType, new: Word, old: Word) -> Word {
        let width = match dtype.kind() {
            Kind::Bool => 8,
            _ => bits(dtype),
        };
        let (plain, own) = (Type::Int(width), memory_type(dtype));
        let [new, old] = [new, old].map(|value| {
            let stored = self.encode(dtype, value);
            match plain == own {
                true => stored,
                false => self.out.op(Op::Bitcast, plain, &[stored]),
            }
        });
        let mut zero = self.out.built_in(BuiltIn::GlobalOffset, 0);
        if width < 64 {
            zero = self.out.op(Op::UConvert, plain, &[zero]);
        }
        let nothing = self.out.op(Op::BitwiseAnd, plain, &[old, zero]);
        let joined = self.out.op(Op::BitwiseOr, plain, &[new, nothing]);
        let joined = match plain == own {
            true => joined,
            false => self.out.op(Op::Bitcast, own, &[joined]),
        };
        self.decode(dtype, joined)
    }
}
