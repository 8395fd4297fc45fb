//! Elements of arrays: where they are, and how they are read and written.

use crate::entry_point::{Generator, bits, memory_type, part_dtype, parts};
use crate::module_writer::Type;
use colocate_ir::{
    ArrayRef, DType, Layout, ParamId, ParamKind, Part, Place, StorageClass, StorageId, ValueId,
};
use rspirv::spirv::{Op, StorageClass as Memory, Word};

/// Where a number is.
#[derive(Clone, Copy)]
pub struct Location {
    /// Points to its memory type.
    pub pointer: Word,
    pub memory: Memory,
    /// Of the number, which is not complex.
    pub dtype: DType,
    /// What the address is a multiple of.
    pub alignment: u32,
}

impl Generator<'_> {
    /// Finds a place.
    pub fn locate(&mut self, place: &Place) -> Location {
        let array = place.array.dtype(self.kernel);
        let array = array.expect("a verified place exists");
        let dtype = place.part.of(array).expect("a verified part exists");
        match place.array {
            ArrayRef::Param(param) => match self.kernel.params[param.index()].kind {
                ParamKind::Array {
                    layout: Layout::Contiguous,
                    ..
                } => self.locate_contiguous(param, place, dtype),
                _ => self.locate_strided(param, place, dtype),
            },
            ArrayRef::Storage(storage) => self.locate_stored(storage, place, dtype),
            ArrayRef::Local(_) => unreachable!("host kernels are refused"),
        }
    }

    fn locate_contiguous(&mut self, param: ParamId, place: &Place, dtype: DType) -> Location {
        let slot = self.kernel.slot(param);
        let extents: Vec<Word> = (0..place.indices.len())
            .map(|axis| self.slots[slot + 1 + axis])
            .collect();
        let base = self.elements[param.index()];
        let array = self.kernel.params[param.index()].kind.dtype();
        let pointer = match self.linear(&place.indices, &extents, array, place.part) {
            None => base,
            Some(index) => {
                let ty = self.out.pointer(Memory::CrossWorkgroup, memory_type(dtype));
                let op = Op::InBoundsPtrAccessChain;
                self.out.op_typed(op, ty, &[base, index])
            }
        };
        Location {
            pointer,
            memory: Memory::CrossWorkgroup,
            dtype,
            alignment: dtype.itemsize() as u32,
        }
    }

    fn locate_strided(&mut self, param: ParamId, place: &Place, dtype: DType) -> Location {
        let slot = self.kernel.slot(param);
        let rank = place.indices.len();
        let mut offset = None;
        for (axis, index) in place.indices.iter().enumerate() {
            let index = self.values[index.index()];
            let stride = self.slots[slot + 1 + rank + axis];
            let term = self.out.op(Op::IMul, Type::Int(64), &[index, stride]);
            offset = Some(self.plus(offset, term));
        }
        if place.part == Part::Imaginary {
            let behind = self.out.int(64, dtype.itemsize() as u64);
            offset = Some(self.plus(offset, behind));
        }
        let mut pointer = self.slots[slot];
        if let Some(offset) = offset {
            let bytes = self.out.pointer(Memory::CrossWorkgroup, Type::Int(8));
            // Negative strides go below the address, so not the form for offsets within an object.
            pointer = self
                .out
                .op_typed(Op::PtrAccessChain, bytes, &[pointer, offset]);
        }
        if bits(dtype) != 8 {
            let ty = self.out.pointer(Memory::CrossWorkgroup, memory_type(dtype));
            pointer = self.out.op_typed(Op::Bitcast, ty, &[pointer]);
        }
        Location {
            pointer,
            memory: Memory::CrossWorkgroup,
            dtype,
            alignment: 1,
        }
    }

    fn locate_stored(&mut self, storage: StorageId, place: &Place, dtype: DType) -> Location {
        let stored = &self.kernel.storage[storage.index()];
        let extents: Vec<Word> = stored
            .shape
            .iter()
            .map(|&extent| self.out.int(64, extent.into()))
            .collect();
        let index = self.linear(&place.indices, &extents, stored.dtype, place.part);
        let index = index.unwrap_or_else(|| self.out.int(64, 0));
        let memory = match stored.class {
            StorageClass::Local => Memory::Workgroup,
            StorageClass::Private => Memory::Function,
        };
        let ty = self.out.pointer(memory, memory_type(part_dtype(dtype)));
        let base = self.storage[storage.index()];
        let pointer = self
            .out
            .op_typed(Op::InBoundsAccessChain, ty, &[base, index]);
        Location {
            pointer,
            memory,
            dtype,
            alignment: dtype.itemsize() as u32,
        }
    }

    /// The position of an element, or of a part of it, counted in parts; `None` for the first.
    fn linear(
        &mut self,
        indices: &[ValueId],
        extents: &[Word],
        array: DType,
        part: Part,
    ) -> Option<Word> {
        let word = Type::Int(64);
        let mut linear = None;
        for (index, &extent) in indices.iter().zip(extents) {
            let index = self.values[index.index()];
            let rows = linear.map(|rows| self.out.op(Op::IMul, word, &[rows, extent]));
            linear = Some(self.plus(rows, index));
        }
        if parts(array) == 2 {
            let two = self.out.int(64, 2);
            linear = linear.map(|index| self.out.op(Op::IMul, word, &[index, two]));
        }
        if part == Part::Imaginary {
            let one = self.out.int(64, 1);
            linear = Some(self.plus(linear, one));
        }
        linear
    }

    fn plus(&mut self, sum: Option<Word>, term: Word) -> Word {
        match sum {
            None => term,
            Some(sum) => self.out.op(Op::IAdd, Type::Int(64), &[sum, term]),
        }
    }

    /// Reads what is there.
    pub fn read(&mut self, from: Location) -> Word {
        let ty = memory_type(from.dtype);
        let stored = self.out.load(ty, from.pointer, from.alignment);
        self.decode(from.dtype, stored)
    }

    /// Changes what is there.
    pub fn write(&mut self, to: Location, value: Word) {
        let stored = self.encode(to.dtype, value);
        self.out.store(to.pointer, stored, to.alignment);
    }
}
